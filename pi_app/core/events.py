"""What comes in from the table: the session's inputs, each with the monotonic nanoseconds at which it was sensed."""

from dataclasses import dataclass

from pi_app.core.names import Task
from pi_app.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Pressed:
    """A buzzer was pressed; `button` counts the device's buttons from 1."""

    button: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class StonesSeen:
    """The stones that lie in the stone zone, once their reading was agreed."""

    yellow: int
    red: int
    blue: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """The cards that lie in the card zone, once their reading was agreed.

    `cards` are the kit's ids, as often as each lies there; `unknown` counts cards that are none of the kit's. `at_ns`
    is when they came to rest.
    """

    cards: tuple[str, ...]
    unknown: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class VerdictGiven:
    """A judge's answer to the question that was asked at `asked_ns`."""

    task: Task
    verdict: Verdict
    asked_ns: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class TileOnPad:
    """A tile was laid on the claim pad; None is a tag that is none of the kit's tiles."""

    tile: str | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class DiceSeen:
    """The upper faces of both Vowl dice, once their reading was agreed; `face` is the kit's name of the mode die's.

    `at_ns` is when they came to rest.
    """

    number: int
    face: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class LettersSeen:
    """The Vowl card that lies in the card zone, once its reading was agreed: its consonants and its tier's colour.

    `letters` is None where they cannot be told; then `maybe` are the readings that come into question and `why` says
    what is in the way. `at_ns` is when it came to rest.
    """

    letters: str | None
    tier: str | None
    at_ns: int
    maybe: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class CardZoneEmpty:
    """No card lies in the card zone any longer."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class Heard:
    """Something was said: the word it was taken for, None where it was none of those that were listened for.

    `sure` is from 0 to 1; `began_ns` and `at_ns` are when the sound began and ended.
    """

    word: str | None
    sure: float
    began_ns: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class TokenSeen:
    """A token came onto a cell, 0 to 8 in reading order, of a tray, as the `level`-th of its pile, from 1.

    `tray` counts the trays from 0. `at_ns` is the first picture that showed it, `after_ns` the last one that showed the
    cell as it was before, None where there was none.
    """

    tray: int
    cell: int
    colour: str
    design: str
    level: int
    after_ns: int | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class TrayUnclear:
    """What lies on a tray cannot be told or does not go on from what was known: people are to look.

    `cells` are those in question, none for the tray as a whole; `doubt` is a word of judging.festival.Doubt.
    """

    tray: int
    cells: tuple[int, ...]
    doubt: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: everything sensed up to `at_ns` is known."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class PartFault:
    """A part of the device failed, or works again where `fault` is None."""

    part: str
    fault: str | None
    at_ns: int


@dataclass(frozen=True, slots=True)
class Restarted:
    """The program started again on this journal.

    `last_ns` is the last time known of the run before, on its own boot's clock; `same_boot` says whether `at_ns` is
    on the same clock.
    """

    same_boot: bool
    last_ns: int
    at_ns: int


Common = Pressed | TileOnPad | Tick | PartFault | Restarted
"""What every game may hear of."""

VoilaSensed = Common | StonesSeen | CardsSeen | VerdictGiven
VowlSensed = Common | DiceSeen | LettersSeen | CardZoneEmpty | Heard
FestivalSensed = Common | TokenSeen | TrayUnclear | CardsSeen
Sensed = VoilaSensed | VowlSensed | FestivalSensed
