"""Is a mat that loads also sensible? Findings for its owner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pi_app.core.names import Zone
from pi_app.kit.check import Finding, Grade
from pi_app.kit.table import Rect, Table, badge_id

PIECES = 6
Bounds = tuple[float, float, float, float]


def check_table(table: Table) -> list[Finding]:
    """Return what cannot be seen or told apart on the printed mat; an empty list is a clean table."""
    markers = list(_marker_bounds(table))
    return [*_on_the_mat(table, markers), *_crossing(table, markers), *_shared_ids(table)]


def _marker_bounds(table: Table) -> Iterator[tuple[str, Bounds]]:
    for group in table.markers.mat:
        half = group.side / 2 + table.markers.quiet_mm
        for marker_id, x, y in zip(group.ids, group.centre_x, group.centre_y, strict=True):
            yield f"marker {marker_id}", (x - half, y - half, x + half, y + half)


def _on_the_mat(table: Table, markers: list[tuple[str, Bounds]]) -> Iterator[Finding]:
    right, top = table.mat.width / 2, table.mat.height / 2
    half = table.patches.side / 2
    zones = [(f"zone {zone}", _bounds(table.zones.of(zone))) for zone in Zone]
    patches = [
        (f"patch {name}", (x - half, table.patches.centre_y - half, x + half, table.patches.centre_y + half))
        for name, x in zip(table.patches.name, table.patches.centre_x, strict=True)
    ]
    for name, (x0, y0, x1, y1) in [*markers, *zones, *patches]:
        if x0 < -right or y0 < -top or x1 > right or y1 > top:
            text = f"{name} reaches beyond the mat of {table.mat.width:g} x {table.mat.height:g} mm"
            yield Finding(Grade.ERROR, name.split()[0], text)


def _crossing(table: Table, markers: list[tuple[str, Bounds]]) -> Iterator[Finding]:
    """Markers need their white margin: two may not cross, and none may lie in the build zone."""
    for (one, bounds), (other, others) in combinations(markers, 2):
        if _cross(bounds, others):
            yield Finding(Grade.ERROR, "marker", f"{one} and {other} lie on each other's place")
    for name, bounds in markers:
        if _cross(bounds, _bounds(table.zones.build)):
            yield Finding(Grade.WARNING, "marker", f"{name} lies in the build zone, where structures hide it")


def _shared_ids(table: Table) -> Iterator[Finding]:
    badges = {badge_id(piece, back=back) for piece in range(PIECES) for back in (False, True)}
    for group in table.markers.mat:
        for marker_id in badges.intersection(group.ids):
            yield Finding(Grade.ERROR, "marker", f"marker {marker_id} is also a badge of the acrobats")


def _bounds(rect: Rect) -> Bounds:
    return rect.x0, rect.y0, rect.x1, rect.y1


def _cross(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
