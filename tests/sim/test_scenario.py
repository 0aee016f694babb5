import json
from pathlib import Path

import pytest
import typer

from pi_app.core.names import Mode
from pi_app.judging.case import load_case
from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sim.cases import KitAt, stand_case
from pi_app.sim.scenario import Kind, main, write_case


@pytest.mark.parametrize("kind", [Kind.STRUCTURE, Kind.STONES])
def test_stills_are_cases_with_truth(tmp_path: Path, kit_folder: Path, kind: Kind) -> None:
    main(tmp_path, kind, 2, 5, [kit_folder])
    for number in (1, 2):
        folder = tmp_path / "cases" / f"{kind}-5-{number:03}"
        case = load_case(folder)
        truth = json.loads((folder / "truth.json").read_text("utf-8"))
        assert case.entry.kind == kind
        assert [frame.image.shape[:2] for frame in case.frames()] == [(case.camera.height, case.camera.width)]
        assert truth.keys() >= ({"stones"} if kind is Kind.STONES else {"outcome", "reasons"})
        case.kit()


def test_a_clip_is_a_case_with_truth(tmp_path: Path, kit: Kit, art: KitArt, kit_folder: Path, mat: Table) -> None:
    case = stand_case(KitAt(kit_folder.name, kit, art), mat, 41, Mode.BADGE, seconds=1.2)
    folder = tmp_path / "cases" / "clip"
    assert write_case(folder, case)
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    assert truth["outcome"] in ("pass", "fail")
    times = (folder / "times.csv").read_text("utf-8").splitlines()
    assert times[0] == "frame,sensor_ns"
    assert len(times) > 25
    assert (folder / "clip.mp4").stat().st_size > 10_000


def test_a_broken_kit_is_named(tmp_path: Path) -> None:
    with pytest.raises((FileNotFoundError, typer.BadParameter)):
        main(tmp_path, Kind.STONES, 1, 1, [tmp_path / "none"])
