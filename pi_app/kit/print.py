"""Sheets to print at true size, as vector PDF: the mat (A3, or A4 to be glued) and the badges."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Literal, assert_never, get_args

from pi_app.core.errors import UserError
from pi_app.kit.model import Kit
from pi_app.kit.print_badges import badges_pdf
from pi_app.kit.print_ink import Paper
from pi_app.kit.print_mat import mat_pdf
from pi_app.kit.table import Table

What = Literal["mat", "badges"]


def print_sheet(what: What, table: Table, kit: Kit | None, out: Path, paper: Paper = "A3") -> Path:
    """Write the mat or the badges as a PDF and return its path; the file appears whole or not at all.

    The kit only tells how many acrobats there are and whether badges fit on them. UserError where the paper is too
    small, the table names a marker that does not exist, or the file cannot be written.
    """
    match what:
        case "mat":
            pdf = mat_pdf(table, paper)
        case "badges":
            pdf = badges_pdf(table, kit, paper)
        case _:
            assert_never(what)
    return _write(out, bytes(pdf.output()))


def _write(out: Path, data: bytes) -> Path:
    """Write beside the goal, then rename: a reader sees the old file or the whole new one."""
    draft = ""
    try:
        out = _target(out)
        handle, draft = tempfile.mkstemp(prefix=f".{out.name}-", dir=out.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(out)
    except OSError as error:
        raise UserError(f"{out}: cannot be written: {error.strerror or error}") from None
    finally:
        if draft:
            Path(draft).unlink(missing_ok=True)
    return out


def _target(out: Path) -> Path:
    """Return the file to write, through links; UserError where something else than a file is there."""
    if out.is_dir():
        raise UserError(f"{out}: got a folder, wanted the name of a PDF file")
    if os.path.lexists(out) and not out.is_file():
        raise UserError(f"{out}: got something that is no file, wanted the name of a PDF file")
    return out.resolve() if out.is_file() else out


def paper_named(name: str) -> Paper:
    """Return the paper a person named, in any case; UserError for another."""
    for paper in get_args(Paper):
        if name.upper() == paper:
            found: Paper = paper
            return found
    raise UserError(f"paper: got {name!r}, wanted A3 or A4")
