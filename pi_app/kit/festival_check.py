"""Is a Festival kit that loads also sensible? Findings for its owner."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from pi_app.kit.check import Finding, Grade
from pi_app.kit.festival import FestivalKit
from pi_app.kit.table import Table

COLOURS, MOTIFS = 4, 4
"""The game's tokens are of four colours and four fireworks, four of each pair (rules, "Matériel")."""
NEAR = 60.0
"""Colours nearer to each other than this in sRGB cannot be told apart under every lamp."""


def check_festival(kit: FestivalKit, table: Table) -> list[Finding]:
    """Return what is odd about the tokens and sizes, by key in kit.toml; an empty list is a clean kit."""
    return [*_pieces(kit), *_sizes(kit, table), *_colours(kit)]


def _pieces(kit: FestivalKit) -> Iterator[Finding]:
    motifs = list(dict.fromkeys(piece.motif for piece in kit.piece))
    for key, got, wanted, what in (
        ("token.colours", len(kit.token.colours), COLOURS, "colours"),
        ("piece.motif", len(motifs), MOTIFS, "motifs"),
    ):
        if got != wanted:
            yield Finding(Grade.WARNING, key, f"got {got} {what}, the game has {wanted}")
    there = {(piece.colour, piece.motif) for piece in kit.piece}
    for colour, motif in product(kit.token.colours, motifs):
        if (colour, motif) not in there:
            yield Finding(Grade.WARNING, "piece", f"got no {colour} {motif}, the game has every pair")


def _sizes(kit: FestivalKit, table: Table) -> Iterator[Finding]:
    pitch, room = table.trays.cell_pitch, table.trays.size - 2 * table.trays.marker_inset
    if kit.token.diameter_mm >= pitch:
        text = f"got {kit.token.diameter_mm:g}, wanted less than the cells' pitch of {pitch:g} mm"
        yield Finding(Grade.ERROR, "token.diameter_mm", text)
    for key, side in (("board.width_mm", kit.board.width_mm), ("board.height_mm", kit.board.height_mm)):
        if side > room:
            text = f"got {side:g}, wanted at most {room:g} mm, or it hides the tray's markers"
            yield Finding(Grade.ERROR, key, text)


def _colours(kit: FestivalKit) -> Iterator[Finding]:
    for (one, first), (other, second) in combinations(kit.token.colours.items(), 2):
        if sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5 < NEAR:
            text = f"got {list(second)}, nearly the same as {one}'s {list(first)}"
            yield Finding(Grade.WARNING, f"token.colours.{other}", text)
