"""The `umpire` command."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pi_app import __version__
from pi_app.core.errors import UserError

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def umpire(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False,
) -> None:
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
