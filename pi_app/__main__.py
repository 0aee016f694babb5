"""The `umpire` command."""

import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pi_app import __version__
from pi_app.core.errors import UserError

OWN_TABLE = Path(__file__).parent / "kit" / "table.toml"

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
kit_app = typer.Typer(no_args_is_help=True, help="Check a kit, or write the sample kit.")
app.add_typer(kit_app, name="kit")


class Sheet(StrEnum):
    """What can be printed."""

    MAT = "mat"
    BADGES = "badges"


@app.callback(invoke_without_command=True)
def umpire(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """Referee Voilà!, Vowl and Festival on a table that a camera sees."""
    if version:
        print(__version__)
        raise typer.Exit


@app.command()
def judge(
    cases: Annotated[list[Path], typer.Argument(help="Folders of recorded scenes (case.toml).", show_default=False)],
) -> None:
    """Judge recorded scenes; prints one JSON object for each."""
    from pi_app.judging.case import load_case
    from pi_app.judging.judge import judge_case

    for folder in cases:
        print(json.dumps(judge_case(load_case(folder))))


@app.command("print")
def print_sheet(
    what: Annotated[Sheet, typer.Argument(help="What to print.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="The PDF to write; default: mat.pdf or badges.pdf.")] = None,
    paper: Annotated[str, typer.Option(help="A3, or A4 (the mat in tiles to glue).")] = "",
    kit: Annotated[Path | None, typer.Option(help="Folder of the kit whose acrobats get the badges.")] = None,
    table: Annotated[Path, typer.Option(help="The mat's sizes.")] = OWN_TABLE,
) -> None:
    """Write the mat or the badge stickers as a PDF at true size."""
    from pi_app.kit.load import load_kit, load_table
    from pi_app.kit.print import paper_named, print_sheet

    size = paper_named(paper or ("A3" if what is Sheet.MAT else "A4"))
    sizes = load_table(table)
    print(print_sheet(what.value, sizes, load_kit(kit) if kit else None, out or Path(f"{what}.pdf"), size))


@kit_app.command("check")
def kit_check(folder: Annotated[Path, typer.Argument(help="Folder with kit.toml.", show_default=False)]) -> None:
    """Read a kit with all its pictures and list what looks wrong in it."""
    from pi_app.kit.art import load_art
    from pi_app.kit.check import check_kit
    from pi_app.kit.load import load_kit

    kit = load_kit(folder)
    load_art(folder, kit)
    for finding in check_kit(kit):
        print(finding)


@kit_app.command("sample")
def kit_sample(folder: Annotated[Path, typer.Argument(help="Folder to write.", show_default=False)]) -> None:
    """Write the built-in sample kit: kit.toml and every picture."""
    from pi_app.kit.sample import write_sample_kit

    print(write_sample_kit(folder))


def main() -> None:
    """Run the command; what the user has to mend is one line on stderr and exit status 2."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        app()
    except UserError as error:
        print(f"umpire: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
