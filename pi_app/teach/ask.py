"""Teaching step by step in a terminal: what to lay where, one line an answer; what was shown is not asked again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from pi_app.core.errors import UserError
from pi_app.core.names import Colour, Task
from pi_app.kit.faults import describe
from pi_app.teach.lesson import AnyShow, Show, ShowFigure, Top
from pi_app.teach.notebook import Notebook
from pi_app.vision.pose import Image

Read = Callable[[str], str]
Snap = Callable[[], Image]
Tell = Callable[[str], None]
ACROBATS = 6
_SHOW: TypeAdapter[Show] = TypeAdapter(AnyShow)
NEEDS = {Task.FIND: "tile", Task.ACROBATS: "figure", Task.JUGGLER: "yellow red blue"}


class Leave(Exception):  # noqa: N818 - not an error: the person leaves, and may go on later
    """The person leaves."""


def ask_all(notebook: Notebook, snap: Snap, read: Read, tell: Tell) -> bool:
    """Ask for everything a kit needs that has not been shown yet; return False where the person left before the end."""
    try:
        for show, where in _fixed_steps():
            if not notebook.has(show):
                _take(notebook, show, where, snap, read, tell)
        _ask_plates(notebook, read, tell)
        _ask_list(notebook, snap, read, tell, "tile", "an object's name (empty: no more tiles)", _tile)
        _ask_list(notebook, snap, read, tell, "figure", "a figure's name, and a file with its drawing", _figure)
        _ask_list(notebook, snap, read, tell, "card", "a card: NAME TASK COUNT and its tile, figure or stones", _card)
    except (Leave, EOFError):
        return False
    return True


def _fixed_steps() -> Iterator[tuple[Show, str]]:
    build = "in the build zone, nothing else there"
    yield _show(kind="block", pose="stand"), f"stand an acrobat upright {build}, near the camera"
    yield _show(kind="block", pose="edge"), f"lay an acrobat on its long narrow side {build}"
    for piece in range(ACROBATS):
        for side in ("front", "back"):
            where = f"lay acrobat {piece} flat, its {side} up, its head away from you, {build}"
            yield _show(kind="acrobat", piece=piece, side=side), where
    yield _show(kind="overview"), f"lay the overview tile face up, its top away from you, {build}"
    for colour in Colour:
        yield _show(kind="stone", colour=colour.value), f"lay one {colour} stone in the stone zone"


def _show(**values: object) -> Show:
    try:
        return _SHOW.validate_python({"file": "none", **values})
    except ValidationError as error:
        raise UserError(describe(error)) from None


def _take(notebook: Notebook, show: Show, where: str, snap: Snap, read: Read, tell: Tell) -> None:
    """Ask until a picture is good, or the person skips it."""
    while True:
        tell(where)
        answer = read("Enter: take the picture, s: skip, q: leave > ").strip().lower()
        if answer == "q":
            raise Leave
        if answer == "s":
            return
        if answer in {top.value for top in Top}:
            show = _show(**show.model_dump(exclude={"file"}) | {"top": answer})
        try:
            seen = notebook.show(show, snap())
        except UserError as error:
            tell(f"not good: {error}")
            continue
        sizes = "" if seen is None else f": {' x '.join(f'{size.mm:.1f}' for size in seen.sizes)} mm"
        tell(f"kept: {show}{sizes}")
        return


def _ask_plates(notebook: Notebook, read: Read, tell: Tell) -> None:
    """Ask for what no picture tells: how thick the tiles are."""
    while notebook.lessons.kit.plate_mm is None and not notebook.lessons.kit.tile_mm:
        answer = _line(read, "how thick is a tile, in mm (measure ten on top of each other) > ")
        if not answer:
            return
        try:
            notebook.give(plate_mm=float(answer))
        except (ValueError, UserError):
            tell(f"got {answer!r}, wanted a number of mm, as 2.1")


Make = Callable[[Notebook, list[str]], tuple[Show, str] | None]


def _ask_list(notebook: Notebook, snap: Snap, read: Read, tell: Tell, what: str, ask: str, make: Make) -> None:
    """Ask for things with names, one line each, until an empty line."""
    names = [str(show) for show in notebook.lessons.show if show.kind == what]
    tell(f"{what}s so far: {', '.join(names) or 'none'}")
    while True:
        answer = _line(read, f"{ask} > ")
        if not answer:
            return
        try:
            made = make(notebook, shlex.split(answer))
        except (UserError, ValueError) as error:
            tell(f"not good: {error}")
            continue
        if made is not None:
            _take(notebook, *made, snap, read, tell)


def _line(read: Read, prompt: str) -> str:
    answer = read(prompt).strip()
    if answer == "q":
        raise Leave
    return answer


def _tile(notebook: Notebook, words: list[str]) -> tuple[Show, str]:
    del notebook
    return _show(
        kind="tile", id=" ".join(words)
    ), f"lay the tile {words[0]} face up, its top away from you, in the build zone"


def _figure(notebook: Notebook, words: list[str]) -> tuple[Show, str] | None:
    if len(words) == 2:
        try:
            notebook.draw(words[0], Path(words[1]).read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{words[1]}: cannot be read: {error}") from None
        return None
    show = _show(kind="figure", id=" ".join(words))
    assert isinstance(show, ShowFigure), "made as one"
    return show, f"build {show} in the build zone from acrobats with badges, pictures to you and the camera"


def _card(notebook: Notebook, words: list[str]) -> tuple[Show, str]:
    del notebook
    if len(words) < 3:
        raise UserError(f"got {' '.join(words)!r}, wanted NAME TASK COUNT, as `find_apple find 2 apple`")
    name, task, count, *rest = words
    values: dict[str, object] = {"kind": "card", "id": name, "task": task, "count": _number(count)}
    match (task, rest):
        case ("find", [tile]):
            values["object"] = tile
        case ("acrobats", [figure]):
            values["figure"] = figure
        case ("juggler", [yellow, red, blue]):
            values["stones"] = {"yellow": _number(yellow), "red": _number(red), "blue": _number(blue)}
        case (_, []):
            pass
        case _:
            wanted = NEEDS.get(Task(task), "nothing") if task in set(Task) else "a task the game has"
            raise UserError(f"got {' '.join(rest)!r} after {task}, wanted {wanted}")
    return _show(**values), f"lay the card {name} face up, its top away from you, in the build zone"


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise UserError(f"got {text!r}, wanted a whole number")
    return int(text)
