"""The owner's copy of Vowl: the card's size and tiers and the two dice, exactly as its kit.toml holds them. In mm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pi_app.kit.art import read_art
from pi_app.kit.load import check_art, load_toml
from pi_app.kit.model import ArtPath, Identifier, Length, Part, Srgb
from pi_app.kit.picture_file import Image

Tier = Literal["green", "yellow", "red"]
ModeName = Literal["solitaire", "partner", "head-to-head"]
Thin = Annotated[float, Field(gt=0, lt=10, strict=True, allow_inf_nan=False)]
Letters = Annotated[int, Field(ge=1, le=9, strict=True)]
Digit = Annotated[int, Field(ge=1, le=9, strict=True)]
SIDES = 6


class Tiers(Part):
    """sRGB of each tier's ground under daylight: basic, advanced, expert."""

    green: Srgb
    yellow: Srgb
    red: Srgb

    def of(self, tier: Tier) -> Srgb:
        """Return one tier's sRGB."""
        return {"green": self.green, "yellow": self.yellow, "red": self.red}[tier]


class VowlCard(Part):
    """What all cards share; `letters` are the numbers of consonants a card may carry, in one line across."""

    width_mm: Length
    height_mm: Length
    thickness_mm: Thin
    corner_mm: Annotated[float, Field(ge=0, lt=20, strict=True, allow_inf_nan=False)] = 0.0
    letters: Annotated[tuple[Letters, ...], Field(min_length=1, max_length=9)]
    style: Annotated[str, Field(max_length=400)] = ""
    tiers: Tiers


class NumberDie(Part):
    """The six faces of the number die, and each number's picture."""

    faces: Annotated[tuple[Digit, ...], Field(min_length=SIDES, max_length=SIDES)]
    art: Annotated[dict[Identifier, ArtPath], Field(min_length=1, max_length=SIDES)]

    @model_validator(mode="after")
    def _pictures(self) -> Self:
        _drawn({str(face) for face in self.faces}, set(self.art))
        return self


class ModeDie(Part):
    """The six faces of the mode die, and each mode's picture."""

    faces: Annotated[tuple[ModeName, ...], Field(min_length=SIDES, max_length=SIDES)]
    art: Annotated[dict[Identifier, ArtPath], Field(min_length=1, max_length=SIDES)]

    @model_validator(mode="after")
    def _pictures(self) -> Self:
        _drawn(set(self.faces), set(self.art))
        return self


class Dice(Part):
    """The two dice: their side, the sRGB of their grounds under daylight, and their faces."""

    size_mm: Length
    number_style: Literal["digits", "pips"]
    number_ground: Srgb
    mode_ground: Srgb
    number: NumberDie
    mode: ModeDie


class VowlKit(Part):
    """All of a Vowl kit.toml."""

    card: VowlCard
    dice: Dice


@dataclass(frozen=True, eq=False)
class DiceArt:
    """The dice of a kit and the pictures they are read by, BGR, the whole face: by number and by mode."""

    dice: Dice
    number: dict[int, Image]
    mode: dict[str, Image]


def load_vowl_kit(folder: Path) -> VowlKit:
    """Read `folder`/kit.toml; UserError names the first thing wrong and how many more there are."""
    kit = load_toml(folder / "kit.toml", VowlKit)
    for key, art in vowl_art_paths(kit):
        check_art(folder, key, art)
    return kit


def load_dice_art(folder: Path, kit: VowlKit) -> DiceArt:
    """Read the faces of the dice of the kit in `folder`; UserError names the first that is wrong."""
    side = (kit.dice.size_mm, kit.dice.size_mm)
    pictures = {key: read_art(folder, key, art, side) for key, art in vowl_art_paths(kit)}
    number = {face: pictures[f"dice.number.art.{face}"] for face in dict.fromkeys(kit.dice.number.faces)}
    mode: dict[str, Image] = {face: pictures[f"dice.mode.art.{face}"] for face in dict.fromkeys(kit.dice.mode.faces)}
    return DiceArt(kit.dice, number, mode)


def vowl_art_paths(kit: VowlKit) -> Iterator[tuple[str, str]]:
    """Yield every picture of a kit: its key in kit.toml and its path in the kit's folder."""
    yield from ((f"dice.number.art.{face}", art) for face, art in kit.dice.number.art.items())
    yield from ((f"dice.mode.art.{face}", art) for face, art in kit.dice.mode.art.items())


def _drawn(faces: set[str], art: set[str]) -> None:
    if missing := sorted(faces - art):
        raise ValueError(f"art.{missing[0]}: missing, wanted a picture of every face")
    if spare := sorted(art - faces):
        wanted = ", ".join(sorted(faces))
        raise ValueError(f"art.{spare[0]}: got a picture of a face the die has not, wanted one of {wanted}")
