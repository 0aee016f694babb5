"""Writing a kit: the text of its kit.toml, and a whole folder that appears at once or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import cv2

from pi_app.core.errors import UserError
from pi_app.kit.model import Kit
from pi_app.kit.picture_file import Image

HEAD = "All lengths in mm. Face art: portrait, length vertical, head up, whole face, 8 px/mm."
FIGURES = "Figures: the front elevation the active player sees; x, z of each block's lower left corner."


def kit_toml(kit: Kit, title: str = "Voilà! kit.", deck: str = "") -> str:
    """Return a kit as the text of a kit.toml, which load_kit reads back as the same kit.

    `title` stands at its head, `deck` before its cards; both become comments, line by line.
    """
    lines = _comment(f"{title} {HEAD}")
    for name in ("acrobat", "tile", "overview", "stone"):
        lines += _table(name, getattr(kit, name).model_dump(mode="json"))
    lines += ["", *_comment(FIGURES)]
    for figure in kit.figure:
        lines += ["", "[[figure]]", f"id = {toml_value(figure.id)}", "blocks = ["]
        lines += [f"    {toml_value(block.model_dump(mode='json'))}," for block in figure.blocks]
        lines += ["]"]
    lines += ["", *_comment(deck)] if deck else []
    for card in kit.card:
        lines += _table("card", card.model_dump(mode="json", exclude_none=True), array=True)
    return "\n".join(lines) + "\n"


def save_kit(folder: Path, kit: Kit, art: Mapping[str, Image], *, replace: bool = False, text: str = "") -> Path:
    """Write kit.toml (or `text`, which has to describe the same kit) and pictures (BGR by path) and return the folder.

    The folder is written beside its place and renamed: it appears whole or not at all. With `replace` a kit that is
    there already gives way to it whole. UserError where the folder is in use or cannot be written.
    """
    with new_folder(folder, "the kit", replace=replace) as draft:
        for name, image in art.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            write_picture(draft / name, image)
        write_whole(draft / "kit.toml", (text or kit_toml(kit)).encode("utf-8"))
    return folder


@contextmanager
def new_folder(folder: Path, what: str, *, replace: bool = False) -> Iterator[Path]:
    """Give an empty folder to fill; when that went well it becomes `folder`, otherwise nothing is left of it.

    UserError where `folder` is in use (with `replace`: by anything but a kit) or cannot be written.
    """
    draft: Path | None = None
    try:
        restore(folder)
        if not _gives_way(folder, replace):
            raise UserError(f"{folder}: got a folder that is not empty, wanted a new one for {what}")
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        yield draft
        draft.chmod(0o755)
        _put(draft, folder)
    except OSError as error:
        raise UserError(f"{folder}: cannot write {what}: {error.strerror or error}") from None
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)


def restore(folder: Path) -> None:
    """Bring back a kit that a power cut left set aside, between the two steps of being replaced."""
    before = _set_aside(folder)
    if before.is_dir() and not folder.exists():
        before.rename(folder)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that after a power cut it holds either what it held or all of `data`."""
    draft = path.with_name(f".{path.name}.new")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def write_picture(path: Path, image: Image) -> None:
    """Write a BGR picture as PNG, whole or not at all."""
    write_whole(path, cv2.imencode(".png", image)[1].tobytes())


def _set_aside(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.before")


def _gives_way(folder: Path, replace: bool) -> bool:
    if not folder.is_dir() or not any(folder.iterdir()):
        return True
    return replace and (folder / "kit.toml").is_file()


def _put(draft: Path, folder: Path) -> None:
    """Rename the draft into its place; a kit that is there is set aside first and deleted last."""
    before = _set_aside(folder)
    if folder.is_dir() and any(folder.iterdir()):
        shutil.rmtree(before, ignore_errors=True)
        folder.rename(before)
    draft.replace(folder)
    shutil.rmtree(before, ignore_errors=True)


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in text.splitlines()]


def _table(name: str, values: dict[str, object], *, array: bool = False) -> list[str]:
    lines = ["", f"[[{name}]]" if array else f"[{name}]"]
    nested = {key: value for key, value in values.items() if key in ("piece", "colours")}
    lines += [f"{key} = {toml_value(value)}" for key, value in values.items() if key not in nested]
    for key, value in nested.items():
        if isinstance(value, dict):
            lines += ["", f"[{name}.{key}]", *(f"{k} = {toml_value(v)}" for k, v in value.items())]
        elif isinstance(value, list):
            for entry in value:
                lines += ["", f"[[{name}.{key}]]", *(f"{k} = {toml_value(v)}" for k, v in entry.items())]
    return lines


def toml_value(value: object) -> str:
    """Return text, a number, a list or a table as TOML has it on one line."""
    match value:
        case str():
            return _quoted(value)
        case dict():
            return "{" + ", ".join(f"{key} = {toml_value(entry)}" for key, entry in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(toml_value(entry) for entry in value) + "]"
        case bool():
            return str(value).lower()
        case _:
            return str(value)


def _quoted(text: str) -> str:
    """Return a TOML basic string."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in plain) + '"'
