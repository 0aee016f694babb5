"""Voilà! on every user interface."""

from pi_app.core.names import Lamp
from pi_app.session.voila.commands import format_command
from pi_app.session.voila.view import Phase, PublicView
from pi_app.ui import terminal_voila
from pi_app.ui.game import GameUi
from pi_app.ui.keys_voila import KEYS
from pi_app.ui.screens import screen
from pi_app.ui.terminal import TextUi


def lamps_of(view: PublicView, buttons: int) -> tuple[Lamp, ...]:
    """Return what each of the `buttons` shows; while players join, free buttons blink."""
    by_button = {seat.button: seat.lamp for seat in view.seats}
    free = Lamp.BLINK if view.phase is Phase.JOINING else Lamp.OFF
    return tuple(by_button.get(button, free) for button in range(1, buttons + 1))


TEXT = TextUi(terminal_voila.lines, terminal_voila.messages, terminal_voila.report, terminal_voila.HELP)
VOILA: GameUi[PublicView] = GameUi(TEXT, KEYS, format_command, screen, lamps_of)
