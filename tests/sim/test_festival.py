from pathlib import Path

from pi_app.judging.case import load_case
from pi_app.judging.festival import judge_festival
from pi_app.measure.confusion import Confusion
from pi_app.sim.festival_cases import festival_case
from pi_app.sim.scenario import write_case
from tests.festival_kit import TABLE_PATH, kit_at, save_kit, table


def test_a_simulated_game_is_written_like_a_recorded_one_and_judged(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_bytes(TABLE_PATH.read_bytes())
    at = kit_at()
    save_kit(tmp_path / "kits" / at.name)
    truth = write_case(tmp_path / "cases" / "one", festival_case(at, table(), 7, actions=4))
    assert truth is not None
    case = load_case(tmp_path / "cases" / "one")
    assert case.entry.game == "festival"
    confusion = Confusion("festival")
    confusion.add("festival", truth, judge_festival(case))
    assert (confusion.right, confusion.wrong) == (1, 0)
    assert all(said == true for true, said in confusion.pairs)
