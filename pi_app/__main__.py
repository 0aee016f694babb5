"""The `umpire` command."""

import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pi_app import __version__
from pi_app.core.errors import UserError
from pi_app.core.names import Mode, Task
from pi_app.play.calibrate_command import register as register_calibrate
from pi_app.teach.command import register as register_teach

STOCK_HELP = "The acrobats carry no markers, only their own pictures."
OWN_TABLE = Path(__file__).parent / "kit" / "table.toml"

if TYPE_CHECKING:
    from pi_app.core.device import CameraPart
    from pi_app.core.observations import Frame

    _CommandLineFault = typer.BadParameter
else:
    _CommandLineFault = typer.BadParameter.__mro__[2]  # the base of all faults that a command line can have

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
kit_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Check a kit, or write the sample kit.")
app.add_typer(kit_app, name="kit")


class Sheet(StrEnum):
    """What can be printed."""

    MAT = "mat"
    BADGES = "badges"


class GameName(StrEnum):
    """The games that can be played."""

    VOILA = "voila"


class SourceName(StrEnum):
    """Where the pictures come from."""

    SIM = "sim"
    VIDEO = "video"
    CAMERA = "camera"


@app.callback(invoke_without_command=True)
def umpire(version: Annotated[bool, typer.Option("--version", help="Print the version and stop.")] = False) -> None:
    """Referee Voilà! on a table that a camera sees."""
    if version:
        print(__version__)
        raise typer.Exit


@app.command()
def judge(
    cases: Annotated[list[Path] | None, typer.Argument(help="Folders of recorded scenes (case.toml).")] = None,
    video: Annotated[Path | None, typer.Option(help="A video instead of cases; then also --kit and --task.")] = None,
    kit: Annotated[Path | None, typer.Option(help="Folder of the kit in the video.")] = None,
    task: Annotated[Task | None, typer.Option(help="The task in the video: acrobats, tower or line.")] = None,
    figure: Annotated[str | None, typer.Option(help="The figure to build, for acrobats.")] = None,
    mode: Annotated[Mode, typer.Option(help="What tells the acrobats apart.")] = Mode.BADGE,
    times: Annotated[Path | None, typer.Option(help="The video's frame,sensor_ns; default: its frame rate.")] = None,
    camera: Annotated[Path | None, typer.Option(help="TOML with the camera; default: solved from the mat.")] = None,
    table: Annotated[Path, typer.Option(help="The mat's sizes.")] = OWN_TABLE,
) -> None:
    """Judge recorded scenes, or one video; prints one JSON object for each."""
    from pi_app.judging.case import load_case
    from pi_app.judging.judge import judge_case
    from pi_app.judging.video import VideoQuestion, judge_video

    if bool(cases) == bool(video):
        raise UserError("judge: wanted folders of cases, or --video FILE --kit DIR --task TASK")
    for folder in cases or ():
        print(json.dumps(judge_case(load_case(folder))))
    if video:
        if kit is None or task is None:
            raise UserError("judge: --video also needs --kit DIR and --task TASK")
        asked = VideoQuestion(video, kit, task, figure, mode, table, times, camera)
        print(json.dumps(judge_video(asked)))


@app.command()
def demo(
    players: Annotated[int, typer.Option(help="Seats, 2 to 6.")] = 2,
    seed: Annotated[int, typer.Option(min=0, max=10**9, help="The same seed gives the same game.")] = 1,
    speed: Annotated[float, typer.Option(help="At most so many times as fast as real; 0: as fast as it goes.")] = 0.0,
    games: Annotated[int, typer.Option(min=1, max=1000, help="Games with following seeds; more than 1: no view.")] = 1,
    record: Annotated[Path | None, typer.Option(help="Folder to record pictures and journal in.")] = None,
    oled: Annotated[bool, typer.Option(help="Show the OLED's picture below the view.")] = False,
    skill: Annotated[float, typer.Option(help="How well the simulated players build, 0 to 1.")] = 0.8,
    fps: Annotated[float, typer.Option(min=10, max=120, help="Pictures a second of the simulated camera.")] = 30.0,
    config: Annotated[Path | None, typer.Option(help="TOML with the settings: [voila], [session], [device.*].")] = None,
    kit: Annotated[Path | None, typer.Option(help="Folder of a kit; default: the sample kit.")] = None,
    stock: Annotated[bool, typer.Option("--stock", help=STOCK_HELP)] = False,
    faults: Annotated[str, typer.Option(help="What goes wrong: camera.freeze@30,serial.cut@45+8,oled.missing")] = "",
) -> None:
    """Play Voilà! on the simulated table; ends with scores, and verdicts beside what really happened."""
    from pi_app.play.commands import DemoOptions
    from pi_app.play.commands import demo as play_demo

    if not play_demo(
        DemoOptions(players, seed, speed, games, record, oled, skill, kit, fps, config, stock=stock, faults=faults)
    ):
        raise typer.Exit(1)


@app.command()
def play(
    game: Annotated[GameName, typer.Argument(help="The game.")] = GameName.VOILA,
    video: Annotated[Path | None, typer.Argument(metavar="FILE", help="The video, for --source video.")] = None,
    source: Annotated[SourceName, typer.Option(help="Where the pictures come from.")] = SourceName.CAMERA,
    times: Annotated[Path | None, typer.Option(help="The video's frame,sensor_ns.")] = None,
    device: Annotated[int, typer.Option(help="The USB camera's number, for --source camera.")] = 0,
    camera: Annotated[Path | None, typer.Option(help="TOML with the camera; default: solved from the mat.")] = None,
    journal: Annotated[Path | None, typer.Option(help="The game's journal; one that exists is gone on with.")] = None,
    kit: Annotated[Path | None, typer.Option(help="Folder of the kit; default: the sample kit.")] = None,
    table: Annotated[Path | None, typer.Option(help="The mat's sizes.")] = None,
    config: Annotated[Path | None, typer.Option(help="TOML with the settings: [voila], [session], [device.*].")] = None,
    leave_after: Annotated[float | None, typer.Option(help="Leave after so many seconds, for --source sim.")] = None,
    stock: Annotated[bool, typer.Option("--stock", help=STOCK_HELP)] = False,
) -> None:
    """Referee a game at a table: with a camera, over a video, or on the simulated table."""
    from pi_app.play.commands import DemoOptions
    from pi_app.play.commands import demo as play_demo
    from pi_app.play.table_command import PlayOptions, Source, play_table
    from pi_app.wiring import new_journal

    if source is not SourceName.VIDEO and (video or times):
        raise UserError(f"play: got {video or times}, which only --source video takes")
    if source is SourceName.SIM:
        play_demo(
            DemoOptions(players=2, seed=1, speed=1.0, kit=kit, config=config, leave_after_s=leave_after, stock=stock)
        )
    else:
        kept = journal or new_journal(game)
        mode = Mode.STOCK if stock else Mode.BADGE
        play_table(PlayOptions(Source(source), kept, kit, table, video, times, camera, device, config, mode))


@app.command()
def run(
    config: Annotated[Path | None, typer.Option(help="TOML with the settings: [voila], [session], [device.*].")] = None,
    journals: Annotated[
        Path | None, typer.Option(help="Folder of the games; default: the user's state folder.")
    ] = None,
) -> None:
    """Referee without a terminal, as a service does: the last game goes on unless it is over; SIGTERM ends in order."""
    from pi_app.play.run_command import run_device

    run_device(config, journals)


@app.command()
def replay(
    recording: Annotated[Path, typer.Argument(help="Folder that `demo --record` wrote.", show_default=False)],
    verdict: Annotated[int | None, typer.Option(help="Number of a verdict to save as a case.")] = None,
    case: Annotated[Path | None, typer.Option(help="New folder for that case.")] = None,
) -> None:
    """Judge a recording again from its pictures; exit status 1 where anything comes out otherwise."""
    from pi_app.play.replay_command import replay_recording

    if not replay_recording(recording, verdict, case):
        raise typer.Exit(1)


@app.command()
def bench(
    kinds: Annotated[list[str] | None, typer.Argument(help="Kinds of scenes: stand, structure, ...")] = None,
    mode: Annotated[Mode | None, typer.Option(help="Only acrobats told apart so.")] = None,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="Simulated scenes of each kind and mode.")] = 20,
    seed: Annotated[int, typer.Option(min=0, max=10**6, help="The same seed gives the same scenes.")] = 1,
    kit: Annotated[list[Path] | None, typer.Option(help="Folder of a kit; default: several sample kits.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Picture of the confusions to write, .png or .jpg.")] = None,
) -> None:
    """Judge simulated scenes and print what each recogniser takes for what."""
    from pi_app.measure.command import BenchOptions
    from pi_app.measure.command import bench as run_bench

    run_bench(BenchOptions(kinds or (), mode, count, seed, kit or (), plot))


@contextmanager
def _following(part: "CameraPart") -> "Iterator[Callable[[], Frame]]":
    """Open a camera and yield what returns its next picture."""
    from pi_app.wiring import following_frames

    with following_frames(part) as following:
        yield following


@contextmanager
def _following_usb(device: int) -> "Iterator[Callable[[], Frame]]":
    """Open a USB camera and yield what returns its next picture."""
    from pi_app.core.device import CameraPart

    with _following(CameraPart(device=device)) as following:
        yield following


def _camera_name(part: "CameraPart") -> str:
    """Return the name that a camera has in all its modes."""
    from pi_app.wiring_parts import camera_name

    return camera_name(part)


register_teach(app, _following_usb)
register_calibrate(app, _following, _camera_name)


@app.command("print")
def print_sheet(
    what: Annotated[Sheet, typer.Argument(help="What to print.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="The PDF to write; default: mat.pdf or badges.pdf.")] = None,
    paper: Annotated[str | None, typer.Option(help="A3, or A4 (the mat in tiles to glue).")] = None,
    kit: Annotated[Path | None, typer.Option(help="Folder of the kit whose acrobats get the badges.")] = None,
    table: Annotated[Path, typer.Option(help="The mat's sizes.")] = OWN_TABLE,
) -> None:
    """Write the mat or the badge stickers as a PDF at true size."""
    from pi_app.kit.load import load_kit, load_table
    from pi_app.kit.print import paper_named, print_sheet

    size = paper_named(("A3" if what is Sheet.MAT else "A4") if paper is None else paper)
    sizes = load_table(table)
    print(print_sheet(what.value, sizes, load_kit(kit) if kit else None, out or Path(f"{what}.pdf"), size))


@kit_app.command("check")
def kit_check(
    folder: Annotated[Path, typer.Argument(help="Folder with kit.toml.", show_default=False)],
    table: Annotated[Path, typer.Option(help="The mat's sizes, checked too.")] = OWN_TABLE,
) -> None:
    """Read a kit of any game with all its pictures, and a mat, and list what looks wrong in them."""
    from pi_app.kit.check_any import check_any_kit
    from pi_app.kit.check_table import check_table
    from pi_app.kit.load import load_table

    sizes = load_table(table)
    findings = [*check_any_kit(folder, sizes), *check_table(sizes)]
    print("\n".join(map(str, findings)) or f"{folder}: no faults found")


@kit_app.command("sample")
def kit_sample(folder: Annotated[Path, typer.Argument(help="Folder to write.", show_default=False)]) -> None:
    """Write the built-in sample kit: kit.toml and every picture."""
    from pi_app.kit.sample import write_sample_kit

    print(write_sample_kit(folder))


def main() -> None:
    """Run the command; what the user has to mend is one line on stderr and exit status 2."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "OFF")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    signal.signal(signal.SIGTERM, _leave)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        sys.exit(app(standalone_mode=False))
    except UserError as error:
        _refuse(str(error))
    except _CommandLineFault as error:
        _refuse(error.format_message())
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)
    except OSError as error:
        _refuse(f"{error.filename or 'output'}: {error.strerror or error}")


def _leave(_signal: int, _frame: object) -> None:
    sys.exit(0)


def _refuse(why: str) -> None:
    for line in why.splitlines() or [why]:
        print(f"umpire: {' '.join(line.split())}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
