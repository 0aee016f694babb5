"""The printed mat: zones, markers and colour patches, exactly as table.toml holds them.

Mat frame: origin at the mat's centre, +x to the active player's right, +y away from the active player, +z up; mm.
"""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pi_app.core.names import Zone
from pi_app.kit.model import Identifier, Length, Srgb

MarkerId = Annotated[int, Field(ge=0, le=9999, strict=True)]
Coordinate = Annotated[float, Field(ge=-1000, le=1000, strict=True, allow_inf_nan=False)]
PaperSide = Annotated[float, Field(gt=50, lt=2000, strict=True, allow_inf_nan=False)]
Margin = Annotated[float, Field(ge=0, lt=100, strict=True, allow_inf_nan=False)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Mat(_Table):
    """The sheet's size and the colour of its paper."""

    width: PaperSide
    height: PaperSide
    paper_srgb: Srgb


class MarkerGroup(_Table):
    """Markers of one size: ids and centres, the top edge of each bitmap towards +y."""

    side: Length
    ids: tuple[MarkerId, ...] = Field(min_length=1, max_length=200)
    centre_x: tuple[Coordinate, ...]
    centre_y: tuple[Coordinate, ...]

    @model_validator(mode="after")
    def _equal_lengths(self) -> Self:
        for key, values in (("centre_x", self.centre_x), ("centre_y", self.centre_y)):
            if len(values) != len(self.ids):
                raise ValueError(f"{key}: got {len(values)} values, wanted {len(self.ids)}, one for each of ids")
        return self


class Markers(_Table):
    """The dictionary (OpenCV's name), the white margin in mm, and the mat's markers."""

    family: Annotated[str, Field(pattern=r"^DICT_\w+$", max_length=40)]
    border_bits: Annotated[int, Field(ge=1, le=4, strict=True)]
    quiet_mm: Margin
    mat: tuple[MarkerGroup, ...] = Field(min_length=1, max_length=20)

    @model_validator(mode="after")
    def _ids(self) -> Self:
        ids = [marker_id for group in self.mat for marker_id in group.ids]
        known = dictionary_size(self.family)
        twice = next((marker_id for marker_id in ids if ids.count(marker_id) > 1), None)
        if known is None:
            raise ValueError(f"family: got {self.family!r}, wanted one of OpenCV's dictionaries, as DICT_5X5_100")
        if twice is not None:
            raise ValueError(f"mat.ids: got {twice} twice, wanted every id once")
        if max(ids) >= known:
            raise ValueError(f"mat.ids: got {max(ids)}, wanted 0 to {known - 1}, as {self.family} has them")
        return self


class Rect(_Table):
    """An upright rectangle in the mat frame."""

    x0: Coordinate
    y0: Coordinate
    x1: Coordinate
    y1: Coordinate

    @model_validator(mode="before")
    @classmethod
    def _from_list(cls, value: object) -> object:
        if not isinstance(value, list | tuple | dict | Rect):
            raise ValueError("a list of four numbers: x0, y0, x1, y1")
        if isinstance(value, list | tuple):
            if len(value) != 4:
                raise ValueError(f"got {len(value)} numbers, wanted x0, y0, x1, y1")
            return dict(zip(("x0", "y0", "x1", "y1"), value, strict=True))
        return value

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.x0 >= self.x1 or self.y0 >= self.y1:
            numbers = f"{self.x0:g}, {self.y0:g}, {self.x1:g}, {self.y1:g}"
            raise ValueError(f"got {numbers}, wanted x0, y0, x1, y1 with x0 < x1 and y0 < y1")
        return self

    def contains(self, x_mm: float, y_mm: float) -> bool:
        """Return whether a point of the mat lies inside."""
        return self.x0 <= x_mm <= self.x1 and self.y0 <= y_mm <= self.y1


class Zones(_Table):
    """Where structures, stones and cards go."""

    build: Rect
    stones: Rect
    cards: Rect

    def of(self, zone: Zone) -> Rect:
        """Return one zone's rectangle."""
        return {Zone.BUILD: self.build, Zone.STONES: self.stones, Zone.CARDS: self.cards}[zone]


class Patches(_Table):
    """The colour reference strip: squares of known printed sRGB."""

    side: Length
    centre_y: Coordinate
    centre_x: tuple[Coordinate, ...] = Field(min_length=1, max_length=50)
    name: tuple[Identifier, ...]
    srgb: tuple[Srgb, ...]

    @model_validator(mode="after")
    def _equal_lengths(self) -> Self:
        for key, values in (("name", self.name), ("srgb", self.srgb)):
            if len(values) != len(self.centre_x):
                raise ValueError(
                    f"{key}: got {len(values)} values, wanted {len(self.centre_x)}, one for each of centre_x"
                )
        return self


class Badges(_Table):
    """Optional stickers on the acrobats: piece i has marker 20 + 2 i in front and 21 + 2 i on its back."""

    side: Length
    quiet_mm: Margin


class Trays(_Table):
    """Festival's printed trays."""

    size: Length
    marker_side: Length
    marker_inset: Length
    cell_pitch: Length


class Table(_Table):
    """All of table.toml."""

    mat: Mat
    markers: Markers
    zones: Zones
    patches: Patches
    badges: Badges
    trays: Trays


BADGE_ID0 = 20


def badge_id(piece: int, *, back: bool) -> int:
    """Return the marker id of an acrobat's badge."""
    return BADGE_ID0 + 2 * piece + back


def dictionary_size(family: str) -> int | None:
    """Return how many markers one of OpenCV's dictionaries has; None where there is none of that name."""
    sizes = {"DICT_ARUCO_ORIGINAL": 1024, "DICT_ARUCO_MIP_36h12": 250}
    sizes |= {f"DICT_{cells}X{cells}_{count}": count for cells in (4, 5, 6, 7) for count in (50, 100, 250, 1000)}
    sizes |= {
        "DICT_APRILTAG_16h5": 30,
        "DICT_APRILTAG_25h9": 35,
        "DICT_APRILTAG_36h10": 2320,
        "DICT_APRILTAG_36h11": 587,
    }
    return sizes.get(family)
