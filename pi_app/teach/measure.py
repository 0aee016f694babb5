"""Sizes of pieces by kind: what one picture says, and what all of them say together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from pi_app.core.errors import UserError
from pi_app.core.names import Zone
from pi_app.teach.fit import Fitted, Known, fit_solid
from pi_app.teach.ground import Ground, ground
from pi_app.teach.lesson import (
    Given,
    Show,
    ShowAcrobat,
    ShowBlock,
    ShowCard,
    ShowFigure,
    ShowOverview,
    ShowStone,
    ShowTile,
)
from pi_app.teach.outline import find_outline
from pi_app.teach.shot import Shot
from pi_app.teach.solid import Shape
from pi_app.vision.camera import Floats

FIRM_MM = 0.1
"""Error of a size that the owner gives."""
LOOSE = 0.22
"""Before anything is known a size is about its usual value, within this part of it."""
CANNOT_MM = 0.7
LEAST_SD_MM = 0.15
STAND_MARGIN_MM = 140.0
CARD_MM = 0.3
USUAL = {
    "acrobat": (58.0, 29.0, 14.5),
    "tile": (48.0, 2.0),
    "overview": (128.0, 91.0, 2.0),
    "stone": (15.0, 8.5),
    "card": (63.0, 88.0),
}
"""Where the search for sizes starts: acrobat length, width, thickness; tile; overview; stone; card."""


class Kind(StrEnum):
    """Pieces that share their sizes."""

    ACROBAT = "acrobat"
    TILE = "tile"
    OVERVIEW = "overview"
    STONE = "stone"
    CARD = "card"


@dataclass(frozen=True)
class Size:
    """One size in mm and how far it may be off, one sigma."""

    mm: float
    sd_mm: float


@dataclass(frozen=True)
class Sizes:
    """The sizes of all kinds as far as they are known, in USUAL's order; `tile_round` where that is known."""

    of: Mapping[Kind, tuple[Size, ...]] = field(default_factory=dict)
    tile_round: bool | None = None

    def get(self, kind: Kind) -> tuple[Size, ...]:
        """Return a kind's sizes: what is known, or where the search starts."""
        return self.of.get(kind) or tuple(Size(mm, LOOSE * mm) for mm in USUAL[kind])

    def firm(self, kind: Kind) -> bool:
        """Return whether all of a kind's sizes are given, so that nothing is to be measured."""
        return kind in self.of and all(size.sd_mm <= FIRM_MM for size in self.of[kind])

    def sure(self, kind: Kind) -> bool:
        """Return whether all of a kind's sizes are known well enough for a kit."""
        return kind in self.of and all(size.sd_mm <= CANNOT_MM for size in self.of[kind])


def given_sizes(given: Given) -> Sizes:
    """Return what the owner says."""
    said = {
        Kind.ACROBAT: given.acrobat_mm, Kind.TILE: given.tile_mm, Kind.OVERVIEW: given.overview_mm,
        Kind.STONE: given.stone_mm, Kind.CARD: given.card_mm,
    }  # fmt: skip
    known = {kind: tuple(Size(mm, FIRM_MM) for mm in sizes) for kind, sizes in said.items() if sizes is not None}
    for kind in (Kind.TILE, Kind.OVERVIEW):
        if given.plate_mm is not None and kind not in known:
            usual = [Size(mm, LOOSE * mm) for mm in USUAL[kind][:-1]]
            known[kind] = (*usual, Size(given.plate_mm, FIRM_MM))
    return Sizes(known, None if given.tile_shape is None else given.tile_shape == "round")


@dataclass(frozen=True, eq=False)
class Seen:
    """One piece found in a picture: what it is, where it lies and what its sizes look like, in USUAL's order."""

    kind: Kind
    ground: Ground
    fitted: Fitted
    sizes: tuple[Size, ...]
    round: bool = False


def see(shot: Shot, show: Show, sizes: Sizes) -> Seen:
    """Return the piece a picture shows; UserError where it is not there, not alone, or of another shape."""
    match show:
        case ShowAcrobat():
            return _block(shot, show, sizes, (1, 0, 2))
        case ShowBlock(pose="stand"):
            return _block(shot, show, sizes, (1, 2, 0))
        case ShowBlock():
            return _block(shot, show, sizes, (0, 2, 1))
        case ShowTile():
            return _tile(shot, show, sizes)
        case ShowOverview():
            lying = _laid(shot, show)
            known = _known(sizes.get(Kind.OVERVIEW), (0, 1, 2))
            fitted = fit_solid(*lying, Shape.SHEET, known, (True, True, False), str(show), pale=True)
            return _seen(Kind.OVERVIEW, lying[0], fitted, (0, 1), sizes)
        case ShowCard():
            lying = _laid(shot, show)
            known = _known((*sizes.get(Kind.CARD), Size(CARD_MM, FIRM_MM)), (0, 1, 2))
            fitted = fit_solid(*lying, Shape.BOX, known, (True, True, False), str(show), pale=True)
            return _seen(Kind.CARD, lying[0], fitted, (0, 1), sizes)
        case ShowStone():
            lying = _laid(shot, show)
            fitted = fit_solid(*lying, Shape.STONE, _known(sizes.get(Kind.STONE), (0, 1)), (True, True), str(show))
            return _seen(Kind.STONE, lying[0], fitted, (0, 1), sizes)
        case ShowFigure():
            raise UserError(f"{show}: has no size of its own")


def together(seen: Sequence[Seen], start: Sizes) -> Sizes:
    """Return the sizes that all pictures show together: those that are known stay, the others are weighted medians."""
    rounds = [one.round for one in seen if one.kind is Kind.TILE]
    tile_round = start.tile_round if start.tile_round is not None or not rounds else sum(rounds) * 2 > len(rounds)
    found: dict[Kind, tuple[Size, ...]] = dict(start.of)
    for kind in Kind:
        shown = [one for one in seen if one.kind is kind and (kind is not Kind.TILE or one.round == tile_round)]
        if not shown:
            continue
        before = start.get(kind)
        found[kind] = tuple(
            before[index] if before[index].sd_mm <= FIRM_MM else _agreed([one.sizes[index] for one in shown])
            for index in range(len(before))
        )
    return Sizes(found, tile_round)


def _agreed(sizes: Sequence[Size]) -> Size:
    """Return the weighted median of what pictures say of one size; its error from their own and from their scatter."""
    best = min(size.sd_mm for size in sizes)
    kept = sorted((size for size in sizes if size.sd_mm <= 2.0 * best), key=lambda size: size.mm)
    weights = np.cumsum([1 / size.sd_mm**2 for size in kept])
    middle = kept[int(np.searchsorted(weights, weights[-1] / 2))].mm
    if len(kept) < 3:
        return Size(middle, max(best, abs(kept[-1].mm - kept[0].mm) / 2))
    scatter = 1.48 * float(np.median([abs(size.mm - middle) for size in kept]))
    return Size(middle, max(scatter, best) / np.sqrt(len(kept)) * 1.25)


def _laid(shot: Shot, show: Show, margin_mm: float = 30.0) -> tuple[Ground, Floats]:
    lying = ground(shot, show.zone, margin_mm)
    return lying, find_outline(lying, str(show))


def _block(shot: Shot, show: Show, sizes: Sizes, order: tuple[int, int, int]) -> Seen:
    stands = order[2] == 0
    lying, outline = _laid(shot, show, STAND_MARGIN_MM if stands else 30.0)
    _check_whole(lying, outline, show)
    known = _known(sizes.get(Kind.ACROBAT), order)
    fitted = fit_solid(lying, outline, Shape.BOX, known, (True, True, True), str(show))
    _check_inside(lying, fitted.solid.foot(), show)
    return _seen(Kind.ACROBAT, lying, fitted, order, sizes)


def _tile(shot: Shot, show: ShowTile, sizes: Sizes) -> Seen:
    """Return a tile, round or square as it is known to be, else whichever fits better."""
    lying, outline = _laid(shot, show)
    side, thick = sizes.get(Kind.TILE)
    tried: list[tuple[float, Seen]] = []
    why: UserError | None = None
    for is_round in (True, False) if sizes.tile_round is None else (sizes.tile_round,):
        shape, order = (Shape.COIN, (0, 1)) if is_round else (Shape.SHEET, (0, 0, 1))
        try:
            free = (True, False) if is_round else (True, True, False)
            fitted = fit_solid(lying, outline, shape, _known((side, thick), order), free, str(show), pale=True)
        except UserError as error:
            why = error
            continue
        found = _seen(Kind.TILE, lying, fitted, (0,), sizes, is_round=is_round)
        tried.append((_squareness(fitted), found))
    if not tried:
        assert why is not None, "what was not found has a reason"
        raise why
    best = min(tried, key=lambda pair: pair[0])[1]
    _check_inside(lying, best.fitted.solid.foot(), show)
    return best


def _squareness(fitted: Fitted) -> float:
    """Return how badly a tile fits: its edges' distance, and for a square its sides' difference."""
    sizes = fitted.solid.size_mm
    return fitted.edge_mm + (abs(sizes[0] - sizes[1]) / 4 if len(sizes) == 3 else 0.0)


def _known(sizes: Sequence[Size], order: tuple[int, ...]) -> Known:
    chosen = [sizes[index] for index in order]
    return Known(np.array([size.mm for size in chosen]), np.diag([1 / size.sd_mm**2 for size in chosen]))


def _seen(
    kind: Kind, lying: Ground, fitted: Fitted, order: tuple[int, ...], sizes: Sizes, *, is_round: bool = False
) -> Seen:
    """Return a fitted solid as a seen piece: its sizes back in USUAL's order, those that no outline shows as known."""
    errors = np.sqrt(np.maximum(np.diag(np.linalg.pinv(fitted.information)), LEAST_SD_MM**2))
    known = list(sizes.get(kind))
    for place, index in enumerate(order):
        known[index] = Size(fitted.solid.size_mm[place], float(errors[place]))
    if kind is Kind.TILE and not is_round:
        known[0] = Size(sum(fitted.solid.size_mm[:2]) / 2, float(errors[0]))
    return Seen(kind, lying, fitted, tuple(known), is_round)


def _check_inside(lying: Ground, foot: Floats, show: Show) -> None:
    zone, slack = lying.zone, 3.0
    low, high = foot.min(axis=0), foot.max(axis=0)
    if low[0] < zone.x0 - slack or high[0] > zone.x1 + slack or low[1] < zone.y0 - slack or high[1] > zone.y1 + slack:
        raise UserError(f"got {show} over the zone's edge, wanted it whole in the {_zone_name(show.zone)} zone")


def _check_whole(lying: Ground, outline: Floats, show: Show) -> None:
    area = lying.area
    if outline[:, 1].min() < area.y0 + 1.5 or (
        np.abs(outline[:, 0]).max() > area.x1 - 1.5 and area.x1 > lying.zone.x1 + 35
    ):
        raise UserError(f"{show} is seen beyond the mat's paper, wanted it nearer to the camera")


def _zone_name(zone: Zone) -> str:
    return {Zone.BUILD: "build", Zone.STONES: "stone", Zone.CARDS: "card"}[zone]
