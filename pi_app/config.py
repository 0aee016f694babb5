"""The owner's settings: a TOML file with [voila] and [session], checked whole before anything is opened.

[voila]                     # every ruling where the rulebook is silent: pi_app.games.voila.Settings
turn_s = 45.0
claimed_cards_survive_timeout = true

[session]                   # how the device behaves: pi_app.session.voila.options.Options
approval = "timekeeper"
names = ["Ann", "Ben"]
"""

import dataclasses
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, create_model

from pi_app.core.errors import UserError
from pi_app.games.voila import Settings
from pi_app.kit.load import load_toml
from pi_app.session.voila.options import Options

Section = TypeVar("Section", Settings, Options)


@dataclass(frozen=True)
class Config:
    """All settings; without a file the defaults."""

    voila: Settings = field(default_factory=Settings)
    session: Options = field(default_factory=Options)


def load_config(path: Path | None) -> Config:
    """Read a settings file; UserError names key, value and what was wanted, unknown keys included."""
    if path is None:
        return Config()
    raw = load_toml(path, _FILE).model_dump()
    try:
        return Config(Settings(**raw["voila"]), Options(**raw["session"]))
    except UserError as error:
        raise UserError(f"{path}: {error}") from None


def _model_of(section: type[Section]) -> type[BaseModel]:
    """Return the checked model of a frozen dataclass of settings."""
    kinds = typing.get_type_hints(section)
    fields: dict[str, Any] = {one.name: (kinds[one.name], one.default) for one in dataclasses.fields(section)}
    return create_model(section.__name__, __config__=ConfigDict(extra="forbid", frozen=True), **fields)


_VOILA, _SESSION = _model_of(Settings), _model_of(Options)
_FILE = create_model(
    "Settings file",
    __config__=ConfigDict(extra="forbid", frozen=True),
    voila=(_VOILA, _VOILA()),
    session=(_SESSION, _SESSION()),
)
