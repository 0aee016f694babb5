"""Varied kits differ in what a recogniser might be fitted to."""

from pathlib import Path

import numpy as np

from pi_app.kit.art import load_art
from pi_app.kit.load import load_kit
from pi_app.sim.kits import _stuck, varied_kit


def test_a_varied_kit_loads_with_all_its_pictures(tmp_path: Path) -> None:
    folder = varied_kit(tmp_path / "kit", np.random.default_rng(5))
    kit = load_kit(folder)
    art = load_art(folder, kit)
    assert len(art.faces) == 12


def test_six_are_alike_or_all_differ() -> None:
    kinds = []
    for seed in range(12):
        stuck = [on for _, _, on in _stuck(6, np.random.default_rng(seed))]
        kinds.append((len({on.performer for on in stuck}), len({on.wood for on in stuck})))
        assert len({(on.x_mm, on.turn_deg) for on in stuck}) == 12
    assert {performers for performers, _ in kinds} == {1, 6}
    assert {woods for _, woods in kinds} == {1}
