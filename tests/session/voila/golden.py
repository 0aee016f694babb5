"""Writes a journal that holds every kind of value: `python -m tests.session.voila.golden tests/journals`.

Run it once for a new version of the journal's kinds; files of older versions stay as they are.
"""

import sys
import tempfile
from pathlib import Path

from pi_app.core.clock import ManualClock
from pi_app.core.events import PartFault
from pi_app.core.verdict import Measure, Outcome, Reason, Verdict
from pi_app.games.voila import Settings
from pi_app.session.voila.options import Options
from pi_app.session.voila.sessions import resume_session, start_session
from tests.session.voila.table import DECK, MS, S, TestTable, failed, passed

VERSION = 2


def _correct(table: TestTable, what: str, to: str) -> None:
    number = next(one.number for one in reversed(table.view.decisions) if one.what == what)
    table.say(f"correct {number} {to}")
    if table.view.refusal is not None:
        raise ValueError(table.view.refusal)


def _first_turn(table: TestTable) -> None:
    table.press(2).press(1).say("press 5").say("undo").say("name 2 Benoît").say("start 2")
    table.press(1).stone("red").say("card tower").verdict(failed(Reason.FELL)).verdict(passed)
    table.stone("yellow").stone("yellow").press(1).card("line").zone(0, 0, 0)
    for what, to in (("passed", "failed"), ("failed", "passed"), ("bonus card line", "card tunnel")):
        _correct(table, what, to)
    _correct(table, "voila", "stop")
    _correct(table, "stop", "voila")


def _second_turn(table: TestTable) -> None:
    table.press(2).say("stone red").card("find-cat").press(1).press(2).lay("dog").wait(3.1)
    _correct(table, "claim expired", "finder nobody")
    _correct(table, "finder nobody", "finder 1")
    table.say("stone blue").say("card find-dog").say("finder 2").say("card throw").say("reject").press(2).say("approve")
    table.lay(None).zone(0, 0, 0)


def _third_turn(table: TestTable) -> None:
    table.press(1).say("stone red").say("card pyramid").say("card tower").say("pause").say("continue")
    measured = Verdict(Outcome.UNSURE, (Reason.HIDDEN,), 0.4, measures=(Measure("gap", 4.5, "mm"),))
    table.verdict(measured).say("approve").say("stone red").say("card find-cat").press(2).say("tile cat")
    table.runner.post(PartFault("camera", "lost", table.clock.now_ns()))
    table.wait(0.2).say("voila").say("undo").say("replay").zone(0, 0, 0)
    table.press(1).say("stone yellow").say("stone red").say("card pyramid").say("pause").say("continue")
    _correct(table, "stone yellow", "stone blue")
    _correct(table, "stone blue", "nothing")
    _correct(table, "card pyramid", "card line")
    table.press(1).say("approve").press(2).wait(0.1)
    table.zone(0, 0, 0).press(2).say("stone red").say("card tower").say("pause").say("continue").wait(1)


def play(folder: Path) -> Path:
    """Play the game in `folder`; return its journal."""
    clock = ManualClock(100 * S, "first")
    settings = Settings(turns_each=2, turn_s=60)
    path = folder / "game.journal"
    table = TestTable(start_session(path, clock, DECK, Options(names=("Anna",)), settings, lambda: "noon"), clock)
    _first_turn(table)
    _second_turn(table)
    _third_turn(table)
    table.runner.close()
    clock = ManualClock(5 * S, "second")
    again = TestTable(resume_session(path, clock, wall=lambda: "noon"), clock)
    again.wait(0).say("continue").verdict(passed(clock.now_ns() - 3000 * MS)).wait(70)
    again.zone(0, 0, 0).press(2).wait(70)
    for decision in again.view.decisions:
        sys.stdout.write(f"{decision.number} {decision.what} {decision.by}\n")
    points = "_".join(str(seat.points) for seat in again.view.seats)
    again.runner.close()
    return path.rename(folder / f"v{VERSION}_{points}.journal")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        made = play(Path(scratch))
        (Path(sys.argv[1]) / made.name).write_bytes(made.read_bytes())
        sys.stdout.write(f"{made.name}\n")
