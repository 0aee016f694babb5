"""The badges as a PDF page: marker stickers for the acrobats, with cut lines and names."""

from __future__ import annotations

from dataclasses import dataclass

from fpdf import FPDF

from pi_app.core.errors import UserError
from pi_app.kit.markers import BADGED_PIECES, Box, marker_bits, white_boxes
from pi_app.kit.model import Kit
from pi_app.kit.print_ink import MARGIN_MM, PALE, PAPERS_MM, Ink, Paper, new_page, new_pdf
from pi_app.kit.table import Table, badge_id

SETS = 2
NAME_MM = 6.0
SET_GAP_MM = 8.0
HEAD_MM = 14.0
FOOT_MM = 14.0


@dataclass(frozen=True, slots=True)
class Badge:
    """One sticker: whose it is, and its cut line from the page's lower left margin corner, +y up, mm."""

    piece: int
    back: bool
    cut: Box

    @property
    def marker_id(self) -> int:
        """Return the sticker's marker."""
        return badge_id(self.piece, back=self.back)

    @property
    def name(self) -> str:
        """Return what is printed beneath it."""
        return f"{self.piece} {'back' if self.back else 'front'}"


def badges_pdf(table: Table, kit: Kit | None, paper: Paper) -> FPDF:
    """Return the page of stickers; UserError where they fit neither the paper nor the acrobats."""
    pieces = [piece.id for piece in kit.acrobat.piece] if kit else list(range(BADGED_PIECES))
    if kit:
        _fit_the_acrobats(table, kit)
    height, width = PAPERS_MM[paper]
    pdf = new_pdf("Table Umpire: badges")
    new_page(pdf, width, height)
    ink = Ink(pdf, MARGIN_MM, height - MARGIN_MM)
    for badge in place_badges(table, pieces, paper):
        ink.frame(badge.cut, PALE)
        bits = marker_bits(table.markers.family, badge.marker_id, table.markers.border_bits)
        ink.marker(badge.cut.grown(-table.badges.quiet_mm), white_boxes(bits, table.badges.side))
        ink.note(badge.name, badge.cut.x0 + 1, badge.cut.y0 - 3.5, size_pt=7)
    head = "Badges: the front one in the middle of an acrobat's front, the back one on its back."
    ink.note(f"{head} Set {SETS} is spare.", 0, height - 2 * MARGIN_MM - 5)
    ink.ruler(0, 8)
    return pdf


def place_badges(table: Table, pieces: list[int], paper: Paper) -> list[Badge]:
    """Return every sticker of the page, set by set; UserError where the paper is too small."""
    height, width = (side - 2 * MARGIN_MM for side in PAPERS_MM[paper])
    sticker = table.badges.side + 2 * table.badges.quiet_mm
    pitch = sticker + NAME_MM
    columns = _columns(2 * len(pieces), int((width + NAME_MM) // pitch))
    faces = [(piece, back) for piece in pieces for back in (False, True)]
    badges = []
    top = height - HEAD_MM
    for _ in range(SETS):
        for index, (piece, back) in enumerate(faces):
            row, column = divmod(index, max(columns, 1))
            y1 = top - row * pitch
            badges.append(Badge(piece, back, Box(column * pitch, y1 - sticker, column * pitch + sticker, y1)))
        top = badges[-1].cut.y0 - NAME_MM - SET_GAP_MM
    if columns < 1 or badges[-1].cut.y0 < FOOT_MM:
        raise UserError(f"badges: got {len(badges)} stickers of {sticker:g} mm, more than {paper} holds")
    return badges


def _columns(stickers: int, most: int) -> int:
    return max((n for n in range(1, most + 1) if stickers % n == 0), default=0)


def _fit_the_acrobats(table: Table, kit: Kit) -> None:
    sticker = table.badges.side + 2 * table.badges.quiet_mm
    room = min(kit.acrobat.width_mm, kit.acrobat.length_mm)
    if sticker > room:
        raise UserError(f"badges: got stickers of {sticker:g} mm, wanted at most the acrobats' {room:g} mm")
