"""The runner: one inbox, journal before effects, wall time for people alone."""

import random
import sqlite3
import threading
from pathlib import Path

import pytest

from pi_app.core.clock import ManualClock, SystemClock
from pi_app.core.effects import Effect, PlaySound, Sound
from pi_app.core.errors import UserError
from pi_app.core.events import Pressed, StonesSeen, TileOnPad, VerdictGiven
from pi_app.core.names import Colour, Task
from pi_app.games import voila
from pi_app.sensing.order import Known
from pi_app.sensing.presses import ORDER_NS
from pi_app.session.commands import Start
from pi_app.session.flow import Audience
from pi_app.session.voila.commands import TellStone
from pi_app.session.voila.phases import Phase
from pi_app.session.voila.sessions import VoilaRunner, read_session, start_session
from tests.session.voila.table import DECK, MS, S, TestTable, new_table, passed, started


def test_steps_of_the_wall_clock_do_not_matter(tmp_path: Path) -> None:
    """OPS-1: back an hour at second 10, forward six at second 20; the turn ends after 45.0 s."""
    wall = ["12:00"]
    clock = ManualClock(100 * S, "first")
    runner = start_session(tmp_path / "a.journal", clock, DECK, wall=lambda: wall[0])
    table = TestTable(runner, clock).press(1).press(2).say("start").press(1)
    begun_ns = table.runner.state.game.turn.started_ns  # type: ignore[union-attr]
    while table.phase() is Phase.RUNNING:
        since_s = (clock.now_ns() - begun_ns) / 1e9
        wall[0] = "12:00" if since_s < 10 else "11:00" if since_s < 20 else "17:00"
        assert since_s < 46
        table.wait(0.05)
        if 15 < since_s < 15.06:
            table.stone("yellow")
    assert clock.now_ns() - begun_ns == pytest.approx(45 * S, abs=0.12 * S)
    runner.close()
    records = read_session(tmp_path / "a.journal")
    assert [record.at_ns for record in records] == sorted(record.at_ns for record in records)
    assert [record.wall for record in records][-2:] == ["11:00", "17:00"]


def test_an_effect_comes_after_its_record_is_on_disk(tmp_path: Path) -> None:
    table = started(tmp_path)
    seen: list[int] = []

    def sink(effect: Effect) -> None:
        reader = sqlite3.connect(table.runner._journal.path)
        seen.extend(reader.execute("SELECT count(*) FROM record").fetchone())
        reader.close()
        assert effect == PlaySound(Sound.START)

    before = len(table.runner._journal)
    table.runner.on_effect(sink)
    table.press(1)
    assert seen == [before + 1]


def test_a_journal_that_cannot_be_written_lets_nothing_happen(tmp_path: Path) -> None:
    table = started(tmp_path)
    table.runner._journal.patience(0)
    other = sqlite3.connect(table.runner._journal.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    before, effects = table.runner.state, list(table.effects)
    with pytest.raises(UserError, match="database is locked"):
        table.press(1)
    assert table.runner.state == before
    assert table.effects == effects
    other.close()


def test_inputs_without_meaning_leave_no_record(tmp_path: Path) -> None:
    table = started(tmp_path)
    before = len(table.runner._journal)
    table.press(2).press(9).wait(100).lay("cat")
    table.runner.post(VerdictGiven(Task.TOWER, passed(0), 0, table.clock.now_ns()))
    table.wait(1)
    assert len(table.runner._journal) == before


def test_changes_are_told_once_a_step(tmp_path: Path) -> None:
    table = new_table(tmp_path, players=0)
    told: list[int] = []
    table.runner.on_change(lambda: told.append(len(table.view.seats)))
    for button in (1, 2, 3):
        table.runner.post(Pressed(button, table.clock.now_ns() + button))
    table.wait(0.2).wait(0.2)
    assert told == [3]


def test_of_presses_from_four_threads_the_earliest_edge_wins(tmp_path: Path) -> None:
    """GPIO-3: 0 to 3 ms apart, delivered in any order; the others are late, with their gaps."""
    table = started(tmp_path, players=4)
    source = random.Random(3)
    for _ in range(10):
        active = next(seat.button for seat in table.view.seats if seat.active)
        table.press(active).say("stone red").say("card find-cat")
        now_ns = table.clock.now_ns()
        stamps = {button: now_ns + source.randrange(4) * MS for button in range(1, 5)}
        threads = [threading.Thread(target=table.runner.post, args=(Pressed(*item),)) for item in stamps.items()]
        for thread in source.sample(threads, 4):
            thread.start()
        for thread in threads:
            thread.join()
        table.wait(0.004).wait(ORDER_NS / 1e9)
        claim = table.view.claim
        assert claim is not None
        first_ns = min(stamps.values())
        active_seat = table.runner.state.game.active
        order = sorted(range(4), key=lambda seat: (stamps[seat + 1], (seat - active_seat) % 4))
        assert [place.seat for place in claim.order] == order
        assert [place.gap_ms for place in claim.order] == [(stamps[seat + 1] - first_ns) / 1e6 for seat in order]
        table.say("finder nobody").say("voila")


def test_a_press_is_taken_as_soon_as_nothing_earlier_can_follow(tmp_path: Path) -> None:
    """GPIO-3: 1000 rounds, four presses 0 to 3 ms apart, delivered in any order: the smallest edge time wins."""
    table = started(tmp_path, players=4).press(1).say("stone red").say("card find-cat")
    card_open, from_ns, source = table.runner.state, table.clock.now_ns(), random.Random(11)
    for _ in range(1000):
        table.runner._state, table.clock.ns = card_open, from_ns
        _race(table, source)


def _race(table: TestTable, source: random.Random) -> None:
    """Four press; nothing is decided before all is known up to the last press, and all at once then."""
    runner, from_ns = table.runner, table.clock.now_ns()
    runner.sensed_until(Known(from_ns, from_ns))
    stamps = dict(enumerate(source.sample(range(from_ns, from_ns + 3 * MS), 4), start=1))
    for button in source.sample(sorted(stamps), 4):
        runner.post(Pressed(button, stamps[button]))
    table.wait(0.004)
    assert _pressed(runner) == []
    runner.sensed_until(Known(from_ns + 3 * MS, from_ns - 200 * MS))
    runner.step()
    assert _pressed(runner) == sorted(stamps, key=stamps.__getitem__)


def _pressed(runner: VoilaRunner) -> list[int]:
    claim = voila.claim_of(runner.state.game)
    assert claim is not None
    return [place.seat + 1 for place in claim.order]


def test_a_claim_that_may_have_run_out_holds_up_the_next_press(tmp_path: Path) -> None:
    """The holder's tile, laid in time, is still on its way: a press after the time to lay it must not overtake it."""
    table = started(tmp_path, players=3).press(1).say("stone red").say("card find-cat").press(2)
    runner, clock = table.runner, table.clock
    claim = voila.claim_of(runner.state.game)
    assert claim is not None
    until_ns = claim.until_ns
    clock.ns = until_ns + 5 * MS
    runner.post(Pressed(3, until_ns + 1 * MS))
    runner.sensed_until(Known(clock.ns, until_ns - 100 * MS))
    runner.step()
    assert table.view.claim is not None
    assert [place.seat for place in table.view.claim.order] == [1]
    runner.post(TileOnPad("cat", until_ns - 10 * MS))
    clock.ns += 300 * MS
    runner.sensed_until(Known(clock.ns, clock.ns))
    runner.step()
    assert table.view.verdict is not None
    assert table.view.verdict.winner == 1


def test_the_turn_ends_at_the_poll_after_its_deadline(tmp_path: Path) -> None:
    """Stop! comes within 50 ms of the true end whatever tiles are still unknown; the record has the exact moment."""
    table = started(tmp_path).press(1)
    runner, clock = table.runner, table.clock
    assert runner.state.game.turn is not None
    deadline_ns = runner.state.game.turn.deadline_ns
    stopped: list[int] = []
    runner.on_effect(lambda effect: stopped.append(clock.now_ns()) if effect == PlaySound(Sound.STOP) else None)
    clock.ns = deadline_ns - 20 * MS
    while not stopped:
        clock.ns += 5 * MS
        runner.sensed_until(Known(clock.ns - 40 * MS, clock.ns - 250 * MS))
        runner.step()
        assert clock.ns <= deadline_ns + 50 * MS
    assert stopped[0] > deadline_ns


def test_it_runs_on_a_thread_of_its_own(tmp_path: Path) -> None:
    runner = start_session(tmp_path / "a.journal", SystemClock(), DECK)
    changed = threading.Condition()
    runner.on_change(lambda: _notify(changed))
    thread = threading.Thread(target=runner.run)
    thread.start()
    for button in (1, 2):
        runner.post(Pressed(button, SystemClock().now_ns()))
    with changed:
        assert changed.wait_for(lambda: len(runner.view().seats) == 2, timeout=10)
    runner.command(Start())
    with changed:
        assert changed.wait_for(lambda: runner.view().phase is Phase.READY, timeout=10)
    runner.post(Pressed(1, SystemClock().now_ns()))
    with changed:
        assert changed.wait_for(lambda: runner.view().phase is Phase.RUNNING, timeout=10)
    runner.command(TellStone(Colour.YELLOW))
    runner.stop()
    thread.join(timeout=10)
    assert not thread.is_alive()
    assert runner.view().turn is not None
    assert runner.state.game.turn is not None
    assert runner.state.game.turn.stones == (Colour.YELLOW,)
    runner.close()


def _notify(changed: threading.Condition) -> None:
    with changed:
        changed.notify_all()


def test_it_knows_when_the_next_thing_is_due(tmp_path: Path) -> None:
    table = started(tmp_path)
    assert table.runner.wait_s() == 1.0
    table.press(1)
    turn = table.runner.state.game.turn
    assert turn is not None
    table.clock.ns = turn.deadline_ns - S // 4
    assert table.runner.wait_s() == pytest.approx(0.25 + ORDER_NS / 1e9)
    table.clock.ns = turn.deadline_ns - S // 2
    table.runner.post(Pressed(2, table.clock.now_ns()))
    table.runner.step()
    assert table.runner.wait_s() == pytest.approx(ORDER_NS / 1e9)


def test_the_table_does_not_see_the_digits(tmp_path: Path) -> None:
    table = started(tmp_path).press(1).wait(10)
    mine, theirs = table.runner.view(Audience.TIMEKEEPER), table.runner.view(Audience.TABLE)
    assert mine.clock.remaining_s == pytest.approx(35, abs=0.2)
    assert theirs.clock.remaining_s is None
    assert theirs.clock.hidden
    assert theirs.clock.running


def test_a_view_can_list_all_decisions(tmp_path: Path) -> None:
    table = started(tmp_path).press(1)
    runner: VoilaRunner = table.runner
    for number in range(12):
        runner.post(StonesSeen(number + 1, 0, 0, table.clock.now_ns()))
        table.wait(0.01)
    assert len(runner.view(decisions=5).decisions) == 5
    assert len(runner.view(decisions=None).decisions) == 13
