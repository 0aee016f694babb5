"""A person at the terminal: keys to commands, views to pictures; the same with and without a terminal."""

from collections.abc import Callable
from dataclasses import replace
from typing import Generic

from pi_app.session.flow import Audience
from pi_app.session.view import GameViewT
from pi_app.ui.game import GameUi
from pi_app.ui.keyboard import Keyboard
from pi_app.ui.keys import Answer, Do, Keys
from pi_app.ui.terminal import TerminalView

Send = Callable[[object], None]


class Console(Generic[GameViewT]):
    """Joins a keyboard (None: nobody types) and a terminal with a session.

    `see` gives the view for an audience, `send` takes a command; both are the session runner's.
    """

    def __init__(
        self,
        game: GameUi[GameViewT],
        see: Callable[[Audience], GameViewT],
        send: Send,
        terminal: TerminalView[GameViewT],
        keyboard: Keyboard | None = None,
    ) -> None:
        self._game = game
        self._see = see
        self._send = send
        self._terminal = terminal
        self._keyboard = keyboard
        self._keys = Keys(game.keys)
        self.oled = False

    def poll(self, wait_s: float = 0.0) -> bool:
        """Carry out what was typed, after at most `wait_s`; return False once the person wants to leave."""
        keyboard = self._keyboard
        if keyboard is None or keyboard.ended:
            return True
        if keyboard.live:
            answers = [self._keys.feed(key, self._see(Audience.TIMEKEEPER)) for key in keyboard.keys(wait_s)]
        else:
            answers = [self._keys.feed_line(line) for line in keyboard.lines(wait_s)]
        return all(self._carried_out(answer) for answer in answers)

    def draw(self) -> None:
        """Show the newest view."""
        view = self._see(Audience.TIMEKEEPER)
        if self._keys.refusal is not None:
            view = replace(view, refusal=self._keys.refusal)
        oled = self._see(Audience.TABLE) if self.oled else None
        self._terminal.show(view, oled=oled, prompt=self._keys.prompt)

    def _carried_out(self, answer: Answer) -> bool:
        if answer is Do.QUIT:
            return False
        if answer is Do.OLED:
            self.oled = not self.oled
        elif answer is not None and not isinstance(answer, Do):
            self._terminal.echo(self._game.format_command(answer))
            self._send(answer)
        return True
