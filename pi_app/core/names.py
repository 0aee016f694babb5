"""The rulebook's words, as the kit files, the journal and the judge's answers spell them."""

from enum import StrEnum


class Colour(StrEnum):
    """Colours of Voilà! stones."""

    YELLOW = "yellow"
    RED = "red"
    BLUE = "blue"


class Task(StrEnum):
    """The seven tasks of Voilà! cards."""

    THROW = "throw"
    FIND = "find"
    ACROBATS = "acrobats"
    TOWER = "tower"
    TUNNEL = "tunnel"
    LINE = "line"
    JUGGLER = "juggler"


class BlockPose(StrEnum):
    """How a figure's block is laid: its length upright or along the table."""

    STAND = "stand"
    LIE = "lie"


class Lamp(StrEnum):
    """A buzzer's lamp."""

    OFF = "off"
    ON = "on"
    BLINK = "blink"


class Mode(StrEnum):
    """What tells the acrobats apart: marker stickers, or nothing but the game's own pictures."""

    BADGE = "badge"
    STOCK = "stock"


class Zone(StrEnum):
    """Areas of the mat."""

    BUILD = "build"
    STONES = "stones"
    CARDS = "cards"
