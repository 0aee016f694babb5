"""Judges simulated scenes one after another and counts what was taken for what."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from pi_app.core.names import Mode
from pi_app.judging.case import load_case
from pi_app.judging.judge import judge_case
from pi_app.measure.confusion import Confusion
from pi_app.sim.scenario import Kind, Written, write_scenes

WITH_ACROBATS = (Kind.STAND, Kind.STRUCTURE)
"""Kinds whose scenes differ by what tells the acrobats apart."""


def modes_of(kind: Kind) -> tuple[Mode, ...]:
    """Return the modes a kind is measured in."""
    return (Mode.BADGE, Mode.STOCK) if kind in WITH_ACROBATS else (Mode.BADGE,)


def measure(
    confusion: Confusion, kind: Kind, mode: Mode, count: int, seed: int, kits: Sequence[Path]
) -> Iterator[None]:
    """Judge `count` scenes, adding each to the confusion; yields after each, leaves nothing on disk."""
    with tempfile.TemporaryDirectory(prefix="umpire-") as scratch:
        for scene in write_scenes(Path(scratch), kind, count, seed, kits, mode):
            _judge(kind, scene, confusion)
            yield


def _judge(kind: Kind, scene: Written, confusion: Confusion) -> None:
    case = load_case(scene.folder)
    began_s = time.perf_counter()
    answer = judge_case(case)
    confusion.add(kind, scene.truth, answer, time.perf_counter() - began_s)
