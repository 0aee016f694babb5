"""The owner's copy of Voilà!: sizes, faces, figures and cards, exactly as kit.toml holds them. Lengths in mm."""

from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from pi_app.core.names import BlockPose, Colour, Task

Length = Annotated[float, Field(gt=0.5, lt=500, strict=True, allow_inf_nan=False)]
Place = Annotated[float, Field(ge=-500, le=1000, strict=True, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=80, strict=True)]
Identifier = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\w[\w.-]*$")]
ArtPath = Annotated[
    str, Field(min_length=1, max_length=200, pattern=r"^[\w.-][\w./ -]*$"), AfterValidator(lambda path: _inside(path))
]
Channel = Annotated[int, Field(ge=0, le=255, strict=True)]
Srgb = tuple[Channel, Channel, Channel]

POINTS = {
    Task.THROW: 1,
    Task.FIND: 1,
    Task.ACROBATS: 2,
    Task.TOWER: 2,
    Task.TUNNEL: 3,
    Task.LINE: 3,
    Task.JUGGLER: 3,
}
"""The points printed on each task's cards (rulebook, "The tasks")."""


class Part(BaseModel):
    """What all tables of a kit file share: fixed once read, and no unknown key."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class AcrobatPiece(Part):
    """One acrobat's two pictures, portrait, head up, the whole face at 8 px/mm."""

    id: Annotated[int, Field(ge=0, le=15, strict=True)]
    front: ArtPath
    back: ArtPath


class Acrobat(Part):
    """The size all acrobats share; pictures are on the two largest faces, of length x width."""

    length_mm: Length
    width_mm: Length
    thickness_mm: Length
    piece: tuple[AcrobatPiece, ...] = Field(min_length=1, max_length=16)

    @model_validator(mode="after")
    def _largest_faces(self) -> Self:
        if not self.length_mm >= self.width_mm >= self.thickness_mm:
            sizes = f"{self.length_mm:g}, {self.width_mm:g}, {self.thickness_mm:g}"
            raise ValueError(f"got length, width, thickness {sizes}, wanted each at most the one before")
        return self


class TilePiece(Part):
    """One object tile and its picture."""

    id: Identifier
    art: ArtPath


class Tile(Part):
    """The size all object tiles share: diameter or side."""

    shape: Literal["round", "square"]
    size_mm: Length
    thickness_mm: Length
    piece: tuple[TilePiece, ...] = Field(min_length=1, max_length=40)


class Overview(Part):
    """The big Action Overview tile."""

    width_mm: Length
    height_mm: Length
    thickness_mm: Length
    art: ArtPath


class StoneColours(Part):
    """sRGB of the stones under daylight."""

    yellow: Srgb
    red: Srgb
    blue: Srgb

    def of(self, colour: Colour) -> Srgb:
        """Return one colour's sRGB."""
        return {Colour.YELLOW: self.yellow, Colour.RED: self.red, Colour.BLUE: self.blue}[colour]


class Stone(Part):
    """The size and look all stones share."""

    shape: Identifier
    diameter_mm: Length
    height_mm: Length
    finish: Identifier
    colours: StoneColours


class FigureBlock(Part):
    """One block of a figure: its lower left corner in the front elevation the active player sees."""

    pose: BlockPose
    x_mm: Place
    z_mm: Place


class Figure(Part):
    """A figure to build from acrobats."""

    id: Identifier
    blocks: tuple[FigureBlock, ...] = Field(min_length=1, max_length=16)


class StoneCounts(Part):
    """How many stones of each colour."""

    yellow: Count = 0
    red: Count = 0
    blue: Count = 0

    def of(self, colour: Colour) -> int:
        """Return one colour's count."""
        return {Colour.YELLOW: self.yellow, Colour.RED: self.red, Colour.BLUE: self.blue}[colour]


class Card(Part):
    """One kind of card; `count` of them are in the deck."""

    id: Identifier
    task: Task
    art: ArtPath
    count: Count
    object: Identifier | None = None
    figure: Identifier | None = None
    stones: StoneCounts | None = None

    @property
    def points(self) -> int:
        """Return the points printed on the card."""
        return POINTS[self.task]

    @model_validator(mode="after")
    def _needs(self) -> Self:
        needed = {Task.FIND: "object", Task.ACROBATS: "figure", Task.JUGGLER: "stones"}.get(self.task)
        if needed and getattr(self, needed) is None:
            raise ValueError(f"{needed}: missing, wanted on every {self.task} card")
        return self


class Kit(Part):
    """All of kit.toml, with every reference between its tables checked."""

    acrobat: Acrobat
    tile: Tile
    overview: Overview
    stone: Stone
    figure: tuple[Figure, ...] = Field(default=(), max_length=200)
    card: tuple[Card, ...] = Field(min_length=1, max_length=200)

    @model_validator(mode="after")
    def _references(self) -> Self:
        _unique("figure", [figure.id for figure in self.figure])
        _unique("card", [card.id for card in self.card])
        _unique("tile.piece", [piece.id for piece in self.tile.piece])
        _unique("acrobat.piece", [piece.id for piece in self.acrobat.piece])
        _known("figure", [card.figure for card in self.card], {figure.id for figure in self.figure})
        _known("object", [card.object for card in self.card], {piece.id for piece in self.tile.piece})
        return self

    def figure_named(self, figure_id: str) -> Figure:
        """Return the figure; KeyError where the kit has none of that id."""
        return {figure.id: figure for figure in self.figure}[figure_id]

    def card_named(self, card_id: str) -> Card:
        """Return the card; KeyError where the kit has none of that id."""
        return {card.id: card for card in self.card}[card_id]


def _inside(path: str) -> str:
    if ".." in path.split("/"):
        raise ValueError("a path inside the folder")
    return path


def _unique(where: str, ids: Sequence[str | int]) -> None:
    twice = sorted({str(name) for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"{where}.id: got {twice[0]!r} twice, wanted every id once")


def _known(key: str, used: list[str | None], known: set[str]) -> None:
    for index, name in enumerate(used):
        if name is not None and name not in known:
            raise ValueError(f"card[{index}].{key}: got {name!r}, wanted one of {', '.join(sorted(known)) or 'none'}")
