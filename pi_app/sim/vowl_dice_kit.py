"""Vowl kits with other dice, for simulated scenes that nothing of a kit should be fitted to."""

from pathlib import Path

import cv2
import numpy as np

from pi_app.kit.art import PX_PER_MM
from pi_app.kit.draw import Image, Pen, Srgb, bgr, sheet
from pi_app.kit.save import new_folder, toml_value, write_picture, write_whole
from pi_app.kit.vowl import Dice, ModeDie, NumberDie, Tiers, VowlCard, VowlKit

NUMBERS = (3, 4)
MODES = ("solitaire", "partner", "head-to-head")
GROUNDS: tuple[Srgb, ...] = (
    (246, 244, 238), (250, 250, 250), (228, 216, 186), (28, 28, 30), (34, 46, 96), (168, 34, 40), (30, 104, 60),
    (240, 196, 52), (96, 40, 110), (230, 120, 40), (40, 120, 170),
)  # fmt: skip
"""Ivory, white, bone, black, navy, red, green, yellow, purple, orange, blue."""
PALE: tuple[Srgb, ...] = ((250, 206, 60), (246, 244, 238), (255, 255, 255), (250, 226, 150))
DARK: tuple[Srgb, ...] = ((20, 20, 24), (40, 30, 28), (24, 36, 90), (120, 16, 24))
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)
PIPS = {3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, -1), (-1, 1), (1, 1))}
FIGURES = ("owl", "pawn", "disc", "star")


def varied_vowl_kit(folder: Path, random: np.random.Generator) -> Path:
    """Draw a kit of other dice into a new folder: size, grounds, digits or pips, signs; an existing one is kept."""
    if (folder / "kit.toml").is_file():
        return folder
    kit = _kit(random)
    with new_folder(folder, "the kit") as draft:
        (draft / "art").mkdir()
        for name, image in _pictures(kit.dice, random).items():
            write_picture(draft / name, image)
        write_whole(draft / "kit.toml", _toml(kit).encode("utf-8"))
    return folder


def _kit(random: np.random.Generator) -> VowlKit:
    number, mode = (GROUNDS[int(n)] for n in random.permutation(len(GROUNDS))[:2])
    if random.random() < 0.5:
        number = GROUNDS[int(random.integers(3))]
        mode = mode if mode not in GROUNDS[:3] else GROUNDS[4]
    dice = Dice(
        size_mm=round(float(random.uniform(12.0, 19.0)), 1),
        number_style="pips" if random.random() < 0.35 else "digits",
        number_ground=number, mode_ground=mode,
        number=NumberDie(faces=(3, 3, 3, 3, 4, 4), art={str(n): f"art/number-{n}.png" for n in NUMBERS}),
        mode=ModeDie(
            faces=("solitaire", "solitaire", "partner", "partner", "head-to-head", "head-to-head"),
            art={name: f"art/mode-{name}.png" for name in MODES},
        ),
    )  # fmt: skip
    tiers = Tiers(green=(72, 158, 84), yellow=(240, 196, 52), red=(200, 52, 50))
    return VowlKit(
        card=VowlCard(width_mm=57.0, height_mm=87.0, thickness_mm=0.35, letters=(3, 4, 5), tiers=tiers), dice=dice
    )


def _pictures(dice: Dice, random: np.random.Generator) -> dict[str, Image]:
    ink, sign = _ink(dice.number_ground, random), _ink(dice.mode_ground, random)
    font, bold = FONTS[int(random.integers(len(FONTS)))], float(random.uniform(0.1, 0.2))
    tall = float(random.uniform(0.5, 0.72))
    numbers: dict[str, Image] = {}
    for number in NUMBERS:
        pen = _blank(dice.size_mm, dice.number_ground)
        if dice.number_style == "pips":
            _pips(pen, number, bold, tall, ink)
        else:
            _text(pen, str(number), tall, font, bold * 0.8, ink)
        numbers[f"art/number-{number}.png"] = pen.finished()
    figure, marks = FIGURES[int(random.integers(len(FIGURES)))], bool(random.random() < 0.5)
    modes = {name: _mode(dice, name, (figure, marks), sign, random.spawn(1)[0]) for name in MODES}
    return numbers | {f"art/mode-{name}.png": picture for name, picture in modes.items()}


def _ink(ground: Srgb, random: np.random.Generator) -> Srgb:
    inks = PALE if sum(ground) < 330 else DARK
    return inks[int(random.integers(len(inks)))]


def _blank(size_mm: float, ground: Srgb) -> Pen:
    """Return a pen on a face, its origin in the middle, a unit half the face's side."""
    return sheet(size_mm, size_mm, PX_PER_MM, ground).at(size_mm / 2, size_mm / 2, size_mm / 2)


def _pips(pen: Pen, number: int, size: float, spread: float, ink: Srgb) -> None:
    for x, y in PIPS[number]:
        pen.circle(x * spread * 0.8, y * spread * 0.8, 0.06 + size, ink)


def _text(pen: Pen, text: str, tall: float, font: int, bold: float, ink: Srgb) -> None:
    """Draw a text in one of OpenCV's fonts, its height a part of the face's, in the pen's middle."""
    side = 2 * pen.px_per_mm
    thick = max(1, round(bold * tall * side))
    (_, high), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = tall * side / high
    (wide, high), _ = cv2.getTextSize(text, font, scale, thick)
    x, y = np.add(pen.matrix[:, 2][:2], (-wide / 2, high / 2))
    cv2.putText(pen.image, text, (round(x), round(y)), font, scale, bgr(ink), thick, cv2.LINE_8)


def _mode(dice: Dice, name: str, look: tuple[str, bool], ink: Srgb, random: np.random.Generator) -> Image:
    """Draw one sign, two side by side, or two that face each other."""
    figure, marks = look
    pen, ground = _blank(dice.size_mm, dice.mode_ground), dice.mode_ground
    match name:
        case "solitaire":
            _figure(pen.at(0, 0.02, float(random.uniform(0.55, 0.75))), figure, ink, ground)
        case "partner":
            low = 0.35 if marks else 0.0
            for side in (-0.42, 0.42):
                _figure(pen.at(side, low, float(random.uniform(0.32, 0.38))), figure, ink, ground)
            if marks:
                pen.text("+3", 0.0, -0.45, 0.6, ink)
        case _:
            for side in (-1, 1):
                _figure(pen.at(0.45 * side, 0.0, 0.4, 90.0 * side), figure, ink, ground)
            pen.line([(-0.12, 0.0), (0.12, 0.0)], ink, 0.1)
    return pen.finished()


def _figure(pen: Pen, figure: str, ink: Srgb, ground: Srgb) -> None:
    """Draw a sign between -1 and 1."""
    match figure:
        case "owl":
            pen.polygon([(-0.75, -1.0), (0.0, -0.7), (0.75, -1.0), (0.7, 0.3), (0.0, 1.0), (-0.7, 0.3)], ink)
            for side in (-0.32, 0.32):
                pen.circle(side, -0.35, 0.24, ground)
                pen.circle(side, -0.35, 0.1, ink)
            pen.line([(-0.25, 0.35), (0.0, 0.45), (0.25, 0.35)], ground, 0.1)
        case "pawn":
            pen.circle(0.0, -0.5, 0.42, ink)
            pen.polygon([(0.0, -0.4), (0.75, 1.0), (-0.75, 1.0)], ink)
        case "disc":
            pen.circle(0.0, 0.0, 0.85, ink)
            pen.polygon([(-0.3, 0.4), (0.0, -0.6), (0.3, 0.4)], ground)
        case _:
            turns = np.arange(10) * np.pi / 5 - np.pi / 2
            sizes = np.where(np.arange(10) % 2, 0.42, 1.0)
            pen.polygon([(float(s * np.cos(t)), float(s * np.sin(t))) for t, s in zip(turns, sizes, strict=True)], ink)


def _toml(kit: VowlKit) -> str:
    values = kit.model_dump(mode="json")
    lines = ["# Vowl kit. All lengths in mm; a face's picture is the whole face, 8 px/mm."]
    for name, table in values.items():
        lines += ["", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"
