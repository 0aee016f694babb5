"""Read table.toml and kit.toml; what is wrong is named with file, key, value and what was wanted."""

import tomllib
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from pi_app.core.errors import UserError
from pi_app.kit.faults import describe, one_line
from pi_app.kit.model import Kit
from pi_app.kit.table import Table

MAX_BYTES = 1 << 20
Model = TypeVar("Model", bound=BaseModel)


def load_kit(folder: Path) -> Kit:
    """Read `folder`/kit.toml; UserError names the first thing wrong and how many more there are."""
    kit = load_toml(folder / "kit.toml", Kit)
    for key, art in art_paths(kit):
        check_art(folder, key, art)
    return kit


def load_table(path: Path) -> Table:
    """Read a table.toml; UserError as for kits."""
    return load_toml(path, Table)


def load_toml(path: Path, model: type[Model]) -> Model:
    """Read one TOML file into a checked model; UserError names file, key, value and what was wanted."""
    try:
        return model.model_validate(read_toml(path))
    except ValidationError as error:
        raise UserError(f"{path}: {describe(error)}") from None


def read_toml(path: Path) -> dict[str, object]:
    """Read one TOML file; UserError where it cannot be read, is too large or is none."""
    try:
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: got a {'folder' if path.is_dir() else 'device'}, wanted a TOML file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise UserError(f"{path}: got {path.stat().st_size} bytes, wanted at most {MAX_BYTES}")
        return tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: got byte 0x{data[error.start]:02x} at {error.start}, wanted UTF-8 text") from None
    except RecursionError:
        raise UserError(f"{path}: got lists or tables nested too deeply, wanted a plain TOML file") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not a TOML file: {one_line(str(error))}") from None
    except ValueError:  # Python's own limit on the digits of a whole number
        raise UserError(f"{path}: got a number of thousands of digits, wanted a plain TOML file") from None


def check_art(folder: Path, key: str, art: str) -> None:
    """Refuse art that is missing or lies, by a link, outside the kit's folder."""
    path = folder / art
    if not path.is_file():
        raise UserError(f"{folder / 'kit.toml'}: {key}: got {art!r}, wanted a picture that exists")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise UserError(
            f"{folder / 'kit.toml'}: {key}: got {art!r}, a link out of the kit's folder, wanted a file in it"
        )


def art_paths(kit: Kit) -> list[tuple[str, str]]:
    """Return every picture of a kit: its key in kit.toml and its path in the kit's folder."""
    acrobats = [
        (f"acrobat.piece[{index}].{side}", getattr(piece, side))
        for index, piece in enumerate(kit.acrobat.piece)
        for side in ("front", "back")
    ]
    tiles = [(f"tile.piece[{index}].art", piece.art) for index, piece in enumerate(kit.tile.piece)]
    cards = [(f"card[{index}].art", card.art) for index, card in enumerate(kit.card)]
    return [*acrobats, *tiles, ("overview.art", kit.overview.art), *cards]
