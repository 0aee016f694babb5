"""The consonants and the tier of the Vowl card in the card zone."""

from dataclasses import dataclass

import cv2
import numpy as np

from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.kit.vowl import Tier, VowlCard
from pi_app.vision.camera import View
from pi_app.vision.letters_find import CARD_PX_PER_MM, FoundCard, Mask, find_vowl_card
from pi_app.vision.letters_line import BAND, Line, Singles, foot_of, ink_of, line_of
from pi_app.vision.letters_ocr import Reader, Reading, load_reader
from pi_app.vision.light import read_light
from pi_app.vision.pose import Image

CONSONANTS = frozenset("BCDFGHJKLMNPQRSTVWXZ")
OWL_CLEAR = 1.7
"""The foot's print is this much more of an owl than the head's where it tells which way is up."""
OWL_LEAST = 0.02
MOST_COVERED = 0.04
AROUND = 0.3
"""Ground left around the line, as a share of its height."""
SURE, SURE_ALONE = 0.9, 0.98
SURE_OF_INK = 0.5
DOWN_GAP = 0.1
OFF_MIDDLE = 0.4
"""How far the line's middle may lie from the card's, in letters: one hidden at an end shifts it by half."""


@dataclass(frozen=True)
class LettersReading:
    """The card's consonants as its reader sees them, and its tier; or `reason`, and in `why` what was seen instead.

    `close` are readings that differ in one doubtful letter, `sure` the least probability of one letter. Reasons:
    no_card, hidden, unknown_card, doubtful, too_dark, colours_wrong.
    """

    letters: str = ""
    tier: Tier | None = None
    sure: float = 0.0
    reason: Reason | None = None
    why: str = ""
    close: tuple[str, ...] = ()


def read_letters(image: Image, view: View, table: Table, card: VowlCard) -> LettersReading:
    """Return what the Vowl card whose middle is in the card zone of a BGR picture says.

    UserError where the extra `letters` is not installed.
    """
    light = read_light(image, view, table)
    if light.reason is not None:
        return LettersReading(reason=light.reason)
    found = find_vowl_card(image, view, table, card, light.paper)
    if isinstance(found, Reason):
        return LettersReading(reason=found, why="no card in one of the tiers' colours is seen whole")
    if _covered(found.whole) > MOST_COVERED:
        return _doubt(found.tier, Reason.HIDDEN, "something covers the line of letters")
    return _read_face(found, card, load_reader())


def _read_face(found: FoundCard, card: VowlCard, reader: Reader) -> LettersReading:
    ink = ink_of(found.face)
    line = line_of(ink)
    if line is None:
        return _doubt(found.tier, Reason.UNKNOWN_CARD, "there is no line of letters on the card")
    foot, head = foot_of(ink)
    ways = [False] if foot > OWL_CLEAR * head else [True] if head > OWL_CLEAR * foot else [False, True]
    if max(foot, head) < OWL_LEAST:
        ways = [False, True]
    readings = [(reader.read(_crop(found.face, line, turned=turned)), turned) for turned in ways]
    readings.sort(key=lambda pair: -pair[0].sure)
    if len(readings) > 1 and readings[0][0].sure - readings[1][0].sure < DOWN_GAP:
        return _doubt(found.tier, Reason.DOUBTFUL, "the owl is not seen, so that either end may be up")
    plain, turned = readings[0]
    inked = reader.read(_crop(_as_print(line.ink), line, turned=turned))
    return _told(found, card, line, plain, inked)


def _told(found: FoundCard, card: VowlCard, line: Line, plain: Reading, inked: Reading) -> LettersReading:
    """Return the letters where two readings agree and the line's shapes do not speak against them."""
    tier, text = found.tier, plain.text
    stranger = next((letter for letter in text if letter not in CONSONANTS), "")
    if stranger and plain.sure >= SURE:
        return _doubt(tier, Reason.UNKNOWN_CARD, f"{stranger!r} in {text!r} is no consonant: not a Vowl card")
    if text and plain.sure >= SURE and len(text) not in card.letters:
        return _doubt(tier, Reason.DOUBTFUL, f"read {text!r}, wanted {card.letters} letters")
    close = _close(plain)
    if stranger or len(text) not in card.letters:
        return LettersReading("", tier, plain.sure, Reason.DOUBTFUL, f"read something like {text!r}", close)
    if inked.text != text or inked.sure < SURE_OF_INK:
        why = f"read {text!r} in the picture and {inked.text!r} in its ink"
        return LettersReading("", tier, plain.sure, Reason.DOUBTFUL, why, (text, *close))
    if _off_middle(line, len(text)) > OFF_MIDDLE:
        return LettersReading("", tier, plain.sure, Reason.HIDDEN, f"{text!r} is not in the card's middle", ())
    least = SURE if len(line.letters) == len(text) else SURE_ALONE
    if plain.sure < least:
        return LettersReading("", tier, plain.sure, Reason.DOUBTFUL, f"it may be {text!r}", (text, *close))
    return LettersReading(text, tier, plain.sure, None, "", close)


def _close(reading: Reading) -> tuple[str, ...]:
    """Return the readings with one letter put right by the next likeliest that is a consonant."""
    text = reading.text
    pairs = enumerate(reading.rivals)
    return tuple(text[:n] + rival + text[n + 1 :] for n, rival in pairs if rival in CONSONANTS)


def _off_middle(line: Line, count: int) -> float:
    left, _, right, _ = line.box
    return float(abs((left + right) / 2 - line.ink.shape[1] / 2) * count / (right - left))


def _crop(face: Image, line: Line, *, turned: bool) -> Image:
    left, top, right, bottom = line.box
    pad = round(AROUND * (bottom - top))
    cut = face[max(0, top - pad) : bottom + pad, max(0, left - pad) : right + pad]
    return np.ascontiguousarray(cut[::-1, ::-1] if turned else cut)


def _as_print(ink: Singles) -> Image:
    """Return ink as black on white."""
    return np.asarray(cv2.cvtColor(np.asarray(255 * (1 - ink), np.uint8), cv2.COLOR_GRAY2BGR), np.uint8)


def _covered(whole: Mask) -> float:
    """Return the share of the line's band, edge to edge, where something else than the card shows."""
    rows, edge = whole.shape[0], round(2 * CARD_PX_PER_MM)
    band = whole[round(rows * (0.5 - BAND)) : round(rows * (0.5 + BAND)), edge:-edge]
    return float((band < 128).mean())


def _doubt(tier: Tier, reason: Reason, why: str) -> LettersReading:
    return LettersReading("", tier, 0.0, reason, why)
