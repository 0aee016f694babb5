"""What `umpire bench` does."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import typer

from pi_app.core.errors import UserError
from pi_app.core.names import Mode
from pi_app.kit.art import load_art
from pi_app.kit.festival import load_festival_art, load_festival_kit
from pi_app.kit.load import load_kit
from pi_app.kit.vowl import load_dice_art, load_vowl_kit
from pi_app.measure.bench import WITH_ACROBATS, measure, modes_of
from pi_app.measure.confusion import Confusion
from pi_app.measure.plot import plot
from pi_app.sim.scenario import Kind


@dataclass(frozen=True)
class BenchOptions:
    """The command line of `umpire bench`; no kinds or mode: all of them."""

    kinds: Sequence[str]
    mode: Mode | None
    count: int
    seed: int
    kits: Sequence[Path]
    plot: Path | None


def bench(options: BenchOptions) -> None:
    """Measure, print each confusion as soon as it is known, and draw them all where asked."""
    kinds = [_kind(name) for name in options.kinds] or list(Kind)
    for folder in options.kits:
        _check_kit(folder, kinds)
    if options.plot and options.plot.suffix.lower() not in (".png", ".jpg"):
        raise UserError(f"--plot: got {options.plot}, wanted a file ending in .png or .jpg")
    if options.plot and not options.plot.resolve().parent.is_dir():
        raise UserError(f"--plot: {options.plot.parent}: no such folder")
    todo = [(kind, mode) for kind in kinds for mode in modes_of(kind) if options.mode in (None, mode)]
    confusions = [_measured(kind, mode, options) for kind, mode in todo]
    if options.plot and confusions:
        if not cv2.imwrite(str(options.plot), plot(confusions)):
            raise UserError(f"--plot: {options.plot}: cannot be written")
        typer.echo(f"picture of the confusions: {options.plot}")


def _kind(name: str) -> Kind:
    try:
        return Kind(name)
    except ValueError:
        raise UserError(f"bench: got {name!r}, wanted one of {', '.join(Kind)}") from None


def _check_kit(folder: Path, kinds: Sequence[Kind]) -> None:
    """Read a kit with its pictures as the kinds want it; UserError where it is another game's, or broken."""
    for check in {_CHECKS.get(kind, _check_voila) for kind in kinds}:
        check(folder)


def _check_voila(folder: Path) -> None:
    load_art(folder, load_kit(folder))


def _check_festival(folder: Path) -> None:
    load_festival_art(folder, load_festival_kit(folder))


def _check_dice(folder: Path) -> None:
    load_dice_art(folder, load_vowl_kit(folder))


_CHECKS: dict[Kind, Callable[[Path], None]] = {Kind.FESTIVAL: _check_festival, Kind.DICE: _check_dice}


def _measured(kind: Kind, mode: Mode, options: BenchOptions) -> Confusion:
    name = f"{kind}, {mode}" if kind in WITH_ACROBATS else str(kind)
    confusion = Confusion(name)
    scenes = measure(confusion, kind, mode, options.count, options.seed, options.kits)
    with typer.progressbar(scenes, length=options.count, label=name, file=sys.stderr) as bar:
        for _ in bar:
            pass
    for line in confusion.lines():
        typer.echo(line)
    return confusion
