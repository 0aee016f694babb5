"""Resuming a session: after kill -9 at any point, on the same boot and on another; journals of every version."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from pi_app.core.clock import ManualClock
from pi_app.core.effects import AskCamera
from pi_app.core.errors import UserError
from pi_app.core.events import Restarted
from pi_app.games.voila import VoilaCalled
from pi_app.session.events import By
from pi_app.session.journal import Moment, create_journal
from pi_app.session.voila.events import Decided
from pi_app.session.voila.kinds import ALL, CODEC
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.sessions import check_decisions, read_session, resume_session, state_of
from pi_app.session.voila.state import State
from tests.session.voila.game import PLACES, begin, go_on, play, script
from tests.session.voila.table import S, TestTable, doubtful, passed, started

ROOT = Path(__file__).parents[2]
JOURNALS = sorted((ROOT / "tests" / "journals").glob("*.journal"))


@cache
def _uninterrupted(folder: Path) -> State:
    clock = ManualClock(100 * S, "first")
    runner = begin(folder / "whole.journal", clock)
    for _ in play(runner, clock, script()):
        pass
    runner.close()
    return runner.state


@pytest.fixture(scope="module")
def killed(module_path: Path) -> Path:
    """Folder of journals of games that were killed with SIGKILL at every write."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.session.voila.game", str(module_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    ends = [line.split() for line in done.stdout.splitlines()]
    assert {end[2] for end in ends} == {"9"}
    assert len(ends) == len(PLACES) * (len(script()) + 1)
    return module_path


def test_a_killed_game_goes_on_as_if_nothing_had_happened(killed: Path, tmp_path: Path) -> None:
    whole = _uninterrupted(tmp_path)
    assert whole.position is not None
    copy = shutil.copytree(killed, tmp_path / "killed")
    for kill_at in range(1, len(script()) + 2):
        for where in PLACES:
            assert go_on(copy / f"{kill_at:02d}-{where}.journal") == whole, (kill_at, where)


def test_a_killed_write_is_whole_or_was_never_there(killed: Path) -> None:
    for kill_at in range(2, len(script()) + 2):
        within, after = (len(read_session(killed / f"{kill_at:02d}-{where}.journal")) for where in PLACES)
        assert (within, after) in ((kill_at - 1, kill_at), (kill_at, kill_at))


def _resumed(table: TestTable, boot: str, now_ns: int) -> TestTable:
    """Close the session and open it again on a clock that may be another boot's."""
    path = table.runner._journal.path
    table.runner.close()
    clock = ManualClock(now_ns, boot)
    again = TestTable(resume_session(path, clock, wall=lambda: "noon"), clock)
    again.stones = table.stones
    again.runner.step()
    return again


def _at_tower(path: Path) -> TestTable:
    return started(path).press(1).stone("red").say("card tower")


def test_on_the_same_boot_the_deadline_stands(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    turn = table.runner.state.game.turn
    again = _resumed(table, "first", table.clock.now_ns() + 10 * S)
    assert again.runner.state.game.turn == turn
    assert again.phase() is Phase.JUDGING
    assert again.asked() == AskCamera(again.asked().task, "tower", None, again.clock.now_ns())
    again.wait(40)
    assert again.phase() is Phase.READY


def test_a_deadline_that_passed_meanwhile_is_time_up(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(passed)
    again = _resumed(table, "first", table.clock.now_ns() + 100 * S).wait(0)
    assert again.phase() is Phase.READY
    assert again.view.seats[0].points == 0


def test_after_another_boot_the_turn_is_continued_with_the_time_left(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    left_s = table.view.clock.remaining_s
    assert left_s is not None
    again = _resumed(table, "second", 7 * S)
    assert again.phase() is Phase.RESUME
    assert again.view.clock.remaining_s == pytest.approx(left_s, abs=0.1)
    again.wait(1000)
    assert again.phase() is Phase.RESUME
    again.say("continue")
    assert again.phase() is Phase.JUDGING
    assert again.view.clock.remaining_s == pytest.approx(left_s, abs=0.2)
    again.verdict(passed).press(1)
    assert again.view.seats[0].points == 2


def test_after_another_boot_the_turn_can_be_played_anew(tmp_path: Path) -> None:
    again = _resumed(_at_tower(tmp_path), "second", 7 * S).say("replay")
    assert again.phase() is Phase.READY
    assert again.view.clock.remaining_s is None
    again.zone(0, 0, 0).press(1)
    assert again.phase() is Phase.RUNNING
    assert again.view.clock.remaining_s == pytest.approx(45, abs=0.2)


def test_the_clock_stands_at_the_last_beat(tmp_path: Path) -> None:
    table = started(tmp_path).press(1)
    for _ in range(20):
        table.wait(1)
    again = _resumed(table, "second", 7 * S)
    assert again.view.clock.remaining_s == pytest.approx(45 - 20, abs=1.2)


def test_a_pending_verdict_and_a_kept_voila_survive(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(doubtful()).press(1)
    again = _resumed(table, "second", 7 * S)
    assert again.phase() is Phase.RESUME
    again.say("continue")
    assert again.phase() is Phase.PENDING
    again.say("approve")
    assert again.view.seats[0].points == 2


def test_between_turns_another_boot_changes_nothing(tmp_path: Path) -> None:
    table = _at_tower(tmp_path).verdict(passed).press(1).zone(0, 0, 0)
    again = _resumed(table, "second", 7 * S)
    assert again.phase() is Phase.READY
    assert again.press(2).phase() is Phase.RUNNING


def test_a_turn_paused_by_agreement_stays_paused(tmp_path: Path) -> None:
    again = _resumed(_at_tower(tmp_path).say("pause"), "second", 7 * S)
    assert again.phase() is Phase.PAUSED
    assert again.say("continue").phase() is Phase.JUDGING


def test_boots_without_a_name_are_not_taken_for_the_same(tmp_path: Path) -> None:
    table = _at_tower(tmp_path)
    table.runner._boot = "unknown"
    table.verdict(passed)
    assert _resumed(table, "unknown", table.clock.now_ns()).phase() is Phase.RESUME


@pytest.mark.parametrize("kill_at", range(2, len(script()) + 2))
def test_a_power_cut_anywhere_keeps_the_score(killed: Path, tmp_path: Path, kill_at: int) -> None:
    """Another boot at every record: continue, and the points are those of the whole game."""
    path = tmp_path / "cut.journal"
    records = read_session(killed / f"{kill_at:02d}-after.journal")
    journal = create_journal(path, CODEC)
    for record in records:
        journal.append(Moment(record.at_ns, record.boot), record.wall, record.input, record.events)
    journal.close()
    clock = ManualClock(3 * S, "second")
    runner = resume_session(path, clock, wall=lambda: "noon")
    runner.step()
    table = TestTable(runner, clock)
    if table.phase() is Phase.RESUME:
        table.say("continue")
    done_ns = max(record.at_ns for record in records if not isinstance(record.input, Restarted))
    rest = [(at_ns - done_ns + clock.ns, make) for at_ns, make in script() if at_ns > done_ns]
    for _ in play(runner, clock, rest):
        pass
    runner.close()
    assert [seat.points for seat in runner.view().seats] == [
        seat.points for seat in TestTable.view_of(_uninterrupted(tmp_path)).seats
    ]
    assert runner.view().phase is Phase.OVER


def test_a_journal_decides_the_same_again(tmp_path: Path) -> None:
    state = _uninterrupted(tmp_path)
    path = tmp_path / "whole.journal"
    records = read_session(path)
    assert check_decisions(path, records) == state
    assert state_of(path, records) == state


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_every_journal_ever_written_is_read(path: Path) -> None:
    """Its name holds the version that wrote it and the points of the seats."""
    records = read_session(path)
    points = [str(seat.points) for seat in TestTable.view_of(state_of(path, records)).seats]
    assert path.stem.split("_")[1:] == points


def test_the_newest_journal_decides_the_same_again_and_holds_every_kind() -> None:
    """A journal of today's versions: made by `python -m tests.session.voila.golden`."""
    path = JOURNALS[-1]
    records = read_session(path)
    check_decisions(path, records)
    text = "".join(CODEC.encode(one.input) + CODEC.encode_all(one.events) for one in records)
    missing = [kind.__name__ for kind in ALL if f'"kind":"{kind.__name__}"' not in text]
    assert missing == []


def test_every_kind_of_value_has_a_name_of_its_own() -> None:
    assert len({kind.__name__ for kind in ALL}) == len(ALL)


def test_a_journal_without_its_first_record_is_named(tmp_path: Path) -> None:
    create_journal(tmp_path / "a.journal", CODEC).close()
    with pytest.raises(UserError, match="got a journal without its first record, wanted an opened session"):
        resume_session(tmp_path / "a.journal", ManualClock())


def test_a_record_that_does_not_fit_is_named(tmp_path: Path) -> None:
    clock = ManualClock(100 * S, "first")
    runner = begin(tmp_path / "a.journal", clock)
    runner.close()
    records = read_session(tmp_path / "a.journal")
    journal = create_journal(tmp_path / "b.journal", CODEC)
    journal.append(Moment(1, "first"), "", records[0].input, records[0].events)
    journal.append(Moment(2, "first"), "", records[0].input, (Decided(1, VoilaCalled(5), By.PLAYER),))
    journal.close()
    with pytest.raises(UserError, match="record 2 does not fit those before it: no game has begun"):
        resume_session(tmp_path / "b.journal", clock)
