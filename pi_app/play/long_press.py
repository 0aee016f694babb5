"""What a long press means at the table."""

from collections.abc import Callable

from pi_app.sensing.holds import HeldLong
from pi_app.session.voila.commands import ContinueTurn, Pause
from pi_app.session.voila.sessions import VoilaRunner
from pi_app.session.voila.view import Phase


def pausing(runner: VoilaRunner) -> Callable[[HeldLong], None]:
    """Return what lets the timekeeper stop the timer and let it go on by holding their buzzer."""

    def held(hold: HeldLong) -> None:
        view = runner.view()
        keeper = next((seat for seat in view.seats if seat.timekeeper), None)
        if keeper is None or keeper.button != hold.button:
            return
        if view.phase in (Phase.PAUSED, Phase.RESUME):
            runner.command(ContinueTurn(), keeper.name)
        elif view.clock.running:
            runner.command(Pause(), keeper.name)

    return held
