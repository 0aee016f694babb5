"""What `umpire replay` does."""

import sys
from pathlib import Path

import typer

from pi_app.core.errors import UserError
from pi_app.core.events import VerdictGiven
from pi_app.games import voila
from pi_app.play.pictures import count_pictures
from pi_app.play.recording import open_recording
from pi_app.play.replay import Replay, replay, save_case


def replay_recording(folder: Path, verdict: int | None, case: Path | None) -> bool:
    """Judge a recording again, or save one verdict's pictures as a case; return whether all came out the same."""
    recording = open_recording(folder)
    if (verdict is None) != (case is None):
        raise UserError("replay: --verdict NUMBER and --case FOLDER go together")
    if verdict is not None and case is not None:
        typer.echo(save_case(recording, verdict, case))
        return True
    with typer.progressbar(length=count_pictures(folder), label="pictures", file=sys.stderr) as bar:
        played = replay(recording, lambda: bar.update(1))
    return _report(played)


def _report(played: Replay) -> bool:
    verdicts = [seen for seen in played.then if isinstance(seen, VerdictGiven)]
    for then, now in zip(played.then, (*played.now, *[None] * len(played.then)), strict=False):
        if then != now:
            typer.echo(f"differs: then {then}, now {now}")
    extra = played.now[len(played.then) :]
    if extra:
        typer.echo(f"more than then: {extra}")
    same = "the same" if played.same else "NOT the same"
    readings = len(played.then) - len(verdicts)
    typer.echo(f"{len(verdicts)} verdicts and {readings} readings of the stones judged again: {same}")
    if played.state.position is not None:
        points = ", ".join(str(score.points) for score in voila.score(played.state.position))
        typer.echo(f"inputs decided again: the same; points {points}")
    return played.same
