"""A scripted game, and a program that plays it and is killed: `python -m tests.session.voila.game FOLDER`."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from pi_app.core.clock import ManualClock
from pi_app.core.events import CardsSeen, Pressed, Restarted, StonesSeen, Tick, TileOnPad, VerdictGiven
from pi_app.core.verdict import Outcome, Reason, Verdict, unsure
from pi_app.games.voila import Settings
from pi_app.session.commands import Commanded
from pi_app.session.journal import Journal, Moment, Record, read_journal
from pi_app.session.voila.commands import parse_command
from pi_app.session.voila.kinds import CODEC
from pi_app.session.voila.phases import Taken
from pi_app.session.voila.sessions import VoilaRunner, resume_session, start_session
from pi_app.session.voila.show import describe
from pi_app.session.voila.state import State
from tests.session.voila.table import DECK, S

PLACES = ("within", "after")
RULES = Settings(turns_each=1)
Make = Callable[[State, int], Taken]


def script() -> list[tuple[int, Make]]:
    """Return the game: for each input when it comes, and how it is made from the state then."""
    steps: list[Make] = [_press(1), _press(2), _say("start 2")]
    steps += [_press(2), _zone(0, 1, 0), _say("card tower"), _verdict(Outcome.FAIL), _verdict(Outcome.PASS)]
    steps += [_zone(1, 1, 0), _zone(2, 1, 0), _press(2), _say("card line"), _say("undo")]
    steps += [_say("card tunnel"), _correct("passed", "failed"), _correct("failed", "passed"), _zone(0, 0, 0)]
    steps += [_press(1), _zone(0, 0, 1), _card("find-cat"), _press(2), _press(1), _tile("dog"), _tile("cat")]
    steps += [
        _card("pyramid"),
        _verdict(Outcome.UNSURE),
        _press(1),
        _say("approve"),
        _correct("card tower", "card throw"),
    ]
    return [(110 * S + number * S, make) for number, make in enumerate(steps)]


def _press(button: int) -> Make:
    return lambda _, at_ns: Pressed(button, at_ns)


def _say(text: str) -> Make:
    return lambda _, at_ns: Commanded(parse_command(text), at_ns)


def _correct(what: str, to: str) -> Make:
    """Correct the last decision of that text, whatever its number."""

    def make(state: State, at_ns: int) -> Taken:
        number = next(entry.number for entry in reversed(state.log) if describe(entry.move) == what)
        return Commanded(parse_command(f"correct {number} {to}"), at_ns)

    return make


def _zone(yellow: int, red: int, blue: int) -> Make:
    return lambda _, at_ns: StonesSeen(yellow, red, blue, at_ns)


def _card(card: str) -> Make:
    return lambda _, at_ns: CardsSeen((card,), 0, at_ns)


def _tile(tile: str) -> Make:
    return lambda _, at_ns: TileOnPad(tile, at_ns)


def _verdict(outcome: Outcome) -> Make:
    def make(state: State, at_ns: int) -> Taken:
        asked = state.asked
        if asked is None:
            return Tick(at_ns)
        verdict = unsure(Reason.HIDDEN) if outcome is Outcome.UNSURE else Verdict(outcome, (Reason.OK,), 0.9)
        return VerdictGiven(asked.task, verdict, asked.at_ns, at_ns)

    return make


def begin(path: Path, clock: ManualClock) -> VoilaRunner:
    return start_session(path, clock, DECK, settings=RULES, wall=lambda: "noon")


def play(runner: VoilaRunner, clock: ManualClock, steps: list[tuple[int, Make]]) -> Iterator[int]:
    """Take the inputs one by one; yield the number of those taken."""
    for number, (at_ns, make) in enumerate(steps, start=1):
        clock.ns = at_ns
        runner.step()
        runner.take(make(runner.state, at_ns))
        yield number


def go_on(path: Path, boot: str = "first") -> State:
    """Resume a killed game and play what was not yet taken; return the last state."""
    clock = ManualClock(100 * S, boot)
    if not path.exists() or not (records := read_journal(path, CODEC)):
        path.unlink(missing_ok=True)
        runner, done_ns = begin(path, clock), 0
    else:
        done_ns = max((one.at_ns for one in records if not isinstance(one.input, Tick | Restarted)), default=0)
        clock.ns = records[-1].at_ns
        runner = resume_session(path, clock, wall=lambda: "noon")
    for _ in play(runner, clock, [step for step in script() if step[0] > done_ns]):
        pass
    runner.close()
    return runner.state


def _play_until_killed(path: Path, kill_at: int, where: str) -> None:
    """Play in this process, which kills itself at write `kill_at`: in the middle of it or after it."""
    clock = ManualClock(100 * S, "first")
    write, writes = Journal.append, count(1)

    def append(self: Journal, moment: Moment, wall: str, taken: object, events: tuple[object, ...]) -> Record:
        now = next(writes) == kill_at
        if now and where == "within":
            self._connection.set_trace_callback(lambda sql: _die() if "COMMIT" in sql else None)
        made = write(self, moment, wall, taken, events)
        if now:
            _die()
        return made

    Journal.append = append  # type: ignore[method-assign]
    for _ in play(begin(path, clock), clock, script()):
        pass


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(folder: Path) -> None:
    """Play the game once for every write and place in it, each in a child that is killed there."""
    for kill_at in range(1, len(script()) + 2):
        for where in PLACES:
            child = os.fork()
            if child == 0:
                _play_until_killed(folder / f"{kill_at:02d}-{where}.journal", kill_at, where)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            sys.stdout.write(f"{kill_at} {where} {os.WTERMSIG(status) if os.WIFSIGNALED(status) else 'alive'}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
