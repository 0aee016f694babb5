"""What is taught, as teach.toml says it: for each picture what it shows, sizes the owner measured, figures as drawings.

[kit]                          # all optional: what no picture tells
acrobat_mm = [60, 30, 15]      # length, width, thickness
tile_shape = "round"           # or "square"
tile_mm = [50, 2]              # diameter or side, thickness
overview_mm = [130, 90, 2]
stone_mm = [16, 9]             # diameter, height
card_mm = [63, 88]

[[show]]
file = "a0-front.jpg"
kind = "acrobat"               # flat, face up, in the build zone; its head away from the active player
piece = 0
side = "front"

[[show]]
file = "find-apple.jpg"
kind = "card"
id = "find_apple"
task = "find"
object = "apple"
count = 2

[[figure]]
id = "gate"
text = \"\"\"an ASCII elevation, see pi_app.kit.figure_text\"\"\"
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from pi_app.core.names import Colour, Mode, Task, Zone
from pi_app.kit.model import ArtPath, Count, FigureBlock, Identifier, Length, Part, StoneCounts
from pi_app.vision.camera_file import CameraEntry

PieceId = Annotated[int, Field(ge=0, le=15, strict=True)]


class Top(StrEnum):
    """Where the top of a picture that lies on the mat points, as the active player sees it."""

    AWAY = "away"
    LEFT = "left"
    TOWARDS = "towards"
    RIGHT = "right"


class _Show(Part):
    file: ArtPath

    @property
    def zone(self) -> Zone:
        """Where it lies."""
        return Zone.BUILD


class ShowAcrobat(_Show):
    """An acrobat that lies flat, one picture face up."""

    kind: Literal["acrobat"]
    piece: PieceId
    side: Literal["front", "back"]
    top: Top = Top.AWAY

    def __str__(self) -> str:
        return f"acrobat {self.piece} {self.side}"


class ShowBlock(_Show):
    """An acrobat that stands or lies on its long narrow side: for the sizes alone."""

    kind: Literal["block"]
    pose: Literal["stand", "edge"]

    def __str__(self) -> str:
        return "an acrobat that stands" if self.pose == "stand" else "an acrobat on its long narrow side"


class ShowTile(_Show):
    """An object tile, face up."""

    kind: Literal["tile"]
    id: Identifier
    top: Top = Top.AWAY

    def __str__(self) -> str:
        return f"tile {self.id}"


class ShowOverview(_Show):
    """The overview tile, face up."""

    kind: Literal["overview"]
    top: Top = Top.AWAY

    def __str__(self) -> str:
        return "the overview tile"


class ShowStone(_Show):
    """One stone in the stone zone."""

    kind: Literal["stone"]
    colour: Colour

    @property
    def zone(self) -> Zone:
        """Where it lies."""
        return Zone.STONES

    def __str__(self) -> str:
        return f"a {self.colour} stone"


class ShowFigure(_Show):
    """A figure that has been built in the build zone, with badges or by the acrobats' own faces."""

    kind: Literal["figure"]
    id: Identifier
    mode: Mode = Mode.BADGE

    def __str__(self) -> str:
        return f"figure {self.id}"


class ShowCard(_Show):
    """A card, face up, in the build zone or in the card zone; `count` of them are in the deck."""

    kind: Literal["card"]
    id: Identifier
    task: Task
    count: Count
    object: Identifier | None = None
    figure: Identifier | None = None
    stones: StoneCounts | None = None
    top: Top = Top.AWAY
    lies: Literal["build", "cards"] = "build"

    @property
    def zone(self) -> Zone:
        """Where it lies."""
        return Zone(self.lies)

    @model_validator(mode="after")
    def _needs(self) -> Self:
        needed = {Task.FIND: "object", Task.ACROBATS: "figure", Task.JUGGLER: "stones"}.get(self.task)
        if needed and getattr(self, needed) is None:
            raise ValueError(f"{needed}: missing, wanted on every {self.task} card")
        return self

    def __str__(self) -> str:
        return f"card {self.id}"


Show = ShowAcrobat | ShowBlock | ShowTile | ShowOverview | ShowStone | ShowFigure | ShowCard
AnyShow = Annotated[Show, Field(discriminator="kind")]


class DrawnFigure(Part):
    """A figure as a drawing, or block by block as in kit.toml."""

    id: Identifier
    text: Annotated[str, Field(max_length=40_000)] | None = None
    blocks: Annotated[tuple[FigureBlock, ...], Field(max_length=16)] = ()

    @model_validator(mode="after")
    def _either(self) -> Self:
        if (self.text is None) == (not self.blocks):
            raise ValueError("text: wanted a drawing, or blocks, one of the two")
        return self


class Given(Part):
    """What the owner says about the pieces; what is not said is measured."""

    acrobat_mm: tuple[Length, Length, Length] | None = None
    tile_shape: Literal["round", "square"] | None = None
    tile_mm: tuple[Length, Length] | None = None
    overview_mm: tuple[Length, Length, Length] | None = None
    stone_mm: tuple[Length, Length] | None = None
    card_mm: tuple[Length, Length] | None = None
    plate_mm: Length | None = None
    """Thickness of the tiles and of the overview tile, where their other sizes are to be measured."""


class Lessons(Part):
    """All of teach.toml."""

    kit: Given = Given()
    camera: CameraEntry | None = None
    show: Annotated[tuple[AnyShow, ...], Field(max_length=400)] = ()
    figure: Annotated[tuple[DrawnFigure, ...], Field(max_length=200)] = ()

    @model_validator(mode="after")
    def _once(self) -> Self:
        seen: set[str] = set()
        for show in self.show:
            if not isinstance(show, ShowBlock | ShowStone) and str(show) in seen:
                raise ValueError(f"show: got {show} twice, wanted every one once")
            seen.add(str(show))
        return self
