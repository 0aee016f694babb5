"""Read table.toml and kit.toml; what is wrong is named with file, key, value and what was wanted."""

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from pi_app.core.errors import UserError
from pi_app.kit.model import Kit
from pi_app.kit.table import Table

MAX_BYTES = 1 << 20
Model = TypeVar("Model", bound=BaseModel)


def load_kit(folder: Path) -> Kit:
    """Read `folder`/kit.toml; UserError names the first thing wrong and how many more there are."""
    kit = load_toml(folder / "kit.toml", Kit)
    for key, art in _art_paths(kit):
        if not (folder / art).is_file():
            raise UserError(f"{folder / 'kit.toml'}: {key}: got {art!r}, wanted a picture that exists")
    return kit


def load_table(path: Path) -> Table:
    """Read a table.toml; UserError as for kits."""
    return load_toml(path, Table)


def load_toml(path: Path, model: type[Model]) -> Model:
    """Read one TOML file into a checked model; UserError names file, key, value and what was wanted."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UserError(f"{path}: got {path.stat().st_size} bytes, wanted at most {MAX_BYTES}")
        raw = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a TOML file: {error}") from None
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise UserError(f"{path}: {describe(error)}") from None


def describe(error: ValidationError) -> str:
    """Return the first fault as `key: got value, wanted what`, and the number of further ones."""
    fault = error.errors(include_url=False)[0]
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault["loc"]).lstrip(".")
    message = fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "missing":
        text = f"{key}: missing, wanted a value"
    elif fault["type"] == "extra_forbidden":
        text = f"{key}: got an unknown key"
    elif fault["type"] == "value_error" and isinstance(fault["input"], dict):
        text = f"{key}: {message}" if key else message
    else:
        text = f"{key}: got {short(fault['input'])}, wanted: {message}"
    more = error.error_count() - 1
    return text if not more else f"{text} (and {more} more)"


def short(value: object, limit: int = 60) -> str:
    """Return a value's text, cut where it is long."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _art_paths(kit: Kit) -> list[tuple[str, str]]:
    acrobats = [
        (f"acrobat.piece[{index}].{side}", getattr(piece, side))
        for index, piece in enumerate(kit.acrobat.piece)
        for side in ("front", "back")
    ]
    tiles = [(f"tile.piece[{index}].art", piece.art) for index, piece in enumerate(kit.tile.piece)]
    cards = [(f"card[{index}].art", card.art) for index, card in enumerate(kit.card)]
    return [*acrobats, *tiles, ("overview.art", kit.overview.art), *cards]
