"""A whole Festival kit whose art the program draws itself; sizes, colours and fireworks are its own, or varied."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pi_app.kit.draw import Srgb
from pi_app.kit.festival import Board, FestivalKit, Piece, Token, TraySheets
from pi_app.kit.festival_draw import Style, draw_board, draw_token, draw_tray
from pi_app.kit.load import load_table
from pi_app.kit.picture_file import Image
from pi_app.kit.save import new_folder, toml_value, write_picture, write_whole

TABLE = Path(__file__).parent / "table.toml"
HEAD = "Festival kit. All lengths in mm; art 8 px/mm. Colours: sRGB of the glow under daylight."


@dataclass(frozen=True)
class Design:
    """What a drawn kit looks like."""

    colours: tuple[tuple[str, Srgb], ...] = (
        ("green", (54, 214, 92)),
        ("blue", (48, 132, 255)),
        ("red", (255, 62, 54)),
        ("yellow", (255, 206, 48)),
    )
    motifs: tuple[str, ...] = ("rose", "star", "palm", "fountain")
    style: Style = Style()  # noqa: RUF009 - frozen
    diameter_mm: float = 38.0
    thickness_mm: float = 4.0
    sky: tuple[Srgb, Srgb] = ((10, 14, 44), (38, 34, 84))
    seed: int = 0


def write_festival_kit(folder: Path, design: Design | None = None) -> Path:
    """Draw a kit into a new `folder` (kit.toml and art/) and return the folder; UserError as for `new_folder`."""
    design = design or Design()
    kit = festival_kit(design)
    art = {piece.art: _face(piece, design) for piece in kit.piece}
    table = load_table(TABLE)
    ring_mm = design.diameter_mm + 1.5
    art[kit.board.art] = draw_board(kit.board.width_mm, table.trays.cell_pitch, ring_mm, design.sky, design.seed)
    art |= {name: draw_tray(table, player, kit.board.width_mm) for player, name in enumerate(kit.tray.art)}
    with new_folder(folder, "the kit") as draft:
        (draft / "art").mkdir()
        for name, image in art.items():
            write_picture(draft / name, image)
        write_whole(draft / "kit.toml", festival_toml(kit).encode("utf-8"))
    return folder


def festival_kit(design: Design) -> FestivalKit:
    """Return the kit of a design."""
    return FestivalKit(
        token=Token(diameter_mm=design.diameter_mm, thickness_mm=design.thickness_mm, colours=dict(design.colours)),
        board=Board(width_mm=146.0, height_mm=146.0, thickness_mm=1.8, art="art/board.png"),
        tray=TraySheets(art=tuple(f"art/tray-{player}.png" for player in range(4))),
        piece=tuple(
            Piece(colour=colour, motif=motif, art=f"art/{colour}-{motif}.png")
            for colour, _ in design.colours
            for motif in design.motifs
        ),
    )


def festival_toml(kit: FestivalKit) -> str:
    """Return a kit as the text of a kit.toml, which load_festival_kit reads back as the same kit."""
    values = kit.model_dump(mode="json")
    colours, pieces = values["token"].pop("colours"), values.pop("piece")
    lines = [f"# {HEAD}"]
    for name, table in {**values, "token.colours": colours}.items():
        lines += ["", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in table.items())]
    for piece in pieces:
        lines += ["", "[[piece]]", *(f"{key} = {toml_value(value)}" for key, value in piece.items())]
    return "\n".join(lines) + "\n"


def _face(piece: Piece, design: Design) -> Image:
    names = [name for name, _ in design.colours]
    sign = names.index(piece.colour)
    return draw_token(piece.motif, design.colours[sign][1], sign, design.diameter_mm, design.style)
