"""Simulated stills of Vowl's dice: two on the mat in any place and turn, and the ways in which they do not count."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pi_app.core.observations import Frame
from pi_app.kit.table import Table
from pi_app.kit.vowl import DiceArt, load_dice_art, load_vowl_kit
from pi_app.sim.cases import Case
from pi_app.sim.scene import Scene
from pi_app.sim.shapes import Capsule
from pi_app.sim.vowl_dice_picture import DicePicture
from pi_app.sim.vowl_dice_scene import GOOD, READABLE, DieShown, Lay, dice_scene, lay_dice

WELL = 0.7
"""The part of scenes in which both dice lie as they should."""


@dataclass(frozen=True, eq=False)
class DiceKitAt:
    """A Vowl kit's dice with their pictures and the kit's name under kits/."""

    name: str
    art: DiceArt


def dice_kit_at(folder: Path) -> DiceKitAt:
    """Return the dice of the kit in a folder."""
    return DiceKitAt(folder.name, load_dice_art(folder, load_vowl_kit(folder)))


def dice_case(at: DiceKitAt, table: Table, seed: int, lay: Lay | None = None) -> Case:
    """Return one still; the truth names both upper faces, null for both where they do not both count."""
    random = np.random.default_rng((seed, 42))
    others = [other for other in Lay if other not in GOOD]
    choices = GOOD if random.random() < WELL else others
    chosen = lay or choices[int(random.integers(len(choices)))]
    scene = dice_scene(seed)
    dice = lay_dice(at.art.dice, table, chosen, random)
    limbs = _finger(dice[-1], at.art.dice.size_mm, scene, random) if chosen is Lay.HIDDEN else ()
    frames = iter([Frame(0, 0, DicePicture(scene, table, at.art).draw(dice, limbs))])
    truth: dict[str, object] = {"number": None, "mode": None, "notes": chosen.value}
    if chosen in READABLE:
        tops = {die.die: die.top for die in dice}
        truth |= {"number": int(tops["number"]), "mode": tops["mode"]}
    return Case({"kit": at.name, "game": "vowl", "kind": "dice"}, scene, frames, lambda _: truth, still=True)


def _finger(die: DieShown, size_mm: float, scene: Scene, random: np.random.Generator) -> tuple[Capsule, ...]:
    """Return a finger on a die's upper face, from outside the mat."""
    turn = random.uniform(-np.pi, 0.0)
    way = np.array([np.cos(turn), np.sin(turn), 0.0])
    tip = np.add(die.placed.at_mm, (0.0, 0.0, size_mm / 2 + 6.0))
    end, far = tip - way * 4.0, tip + way * 140.0 + (0.0, 0.0, 50.0)
    return (Capsule(far, end, 11.0, 8.0, scene.look.skin_bgr),)
