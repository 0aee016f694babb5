"""The owner's settings: a TOML file, checked whole before anything is opened; everything wrong in it is named at once.

[voila]                     # every ruling where the rulebook is silent: pi_app.games.voila.Settings
turn_s = 45.0
claimed_cards_survive_timeout = true

[session]                   # how the device behaves: pi_app.session.voila.options.Options
approval = "timekeeper"
names = ["Ann", "Ben"]

[device.buttons]            # what is connected, and where: pi_app.core.device
pins = [5, 6, 13]
"""

import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Strict, ValidationError, create_model

from pi_app.core.device import DeviceParts
from pi_app.core.device_check import device_faults
from pi_app.core.errors import UserError
from pi_app.games.voila import Settings
from pi_app.kit.faults import describe_all
from pi_app.kit.load import read_toml
from pi_app.session.voila.options import Options

Section = TypeVar("Section")


@dataclass(frozen=True)
class Config:
    """All settings; without a file the defaults."""

    voila: Settings = field(default_factory=Settings)
    session: Options = field(default_factory=Options)
    device: DeviceParts = field(default_factory=DeviceParts)


def load_config(path: Path | None) -> Config:
    """Read a settings file; UserError names every fault, a line each: file, key, value and what was wanted."""
    if path is None:
        return Config()
    raw = read_toml(path)
    faults = [*_faults_of_kind(raw), *_faults_of_value(raw)]
    if faults:
        raise UserError("\n".join(f"{path}: {fault}" for fault in faults))
    return _made(Config, _FILE.model_validate(raw).model_dump())


def _faults_of_kind(raw: Mapping[str, object]) -> list[str]:
    """Return unknown keys and values of the wrong type."""
    try:
        _FILE.model_validate(raw)
    except ValidationError as error:
        return describe_all(error)
    return []


def _faults_of_value(raw: Mapping[str, object]) -> Iterator[str]:
    """Yield what has the right type and yet cannot be, key by key: one fault must not hide another."""
    for name, section in (("voila", Settings), ("session", Options)):
        given = raw.get(name)
        for key, value in given.items() if isinstance(given, dict) else ():
            yield from _refused(section, {key: value})
    parts = _valid_parts(raw.get("device"))
    yield from device_faults(parts)


def _refused(section: type, given: dict[str, object]) -> Iterator[str]:
    try:
        _made(section, _model_of(section).model_validate(given).model_dump())
    except ValidationError:
        return  # named by its type
    except UserError as fault:
        yield str(fault)


def _valid_parts(given: object) -> DeviceParts:
    """Return the device's parts as far as their values have the right types, the rest by default."""
    if not isinstance(given, dict):
        return DeviceParts()
    kept: dict[str, dict[str, object]] = {}
    for part, kind in typing.get_type_hints(DeviceParts).items():
        keys = given.get(part)
        kept[part] = {k: v for k, v in keys.items() if _has_type(kind, k, v)} if isinstance(keys, dict) else {}
    return _made(DeviceParts, _model_of(DeviceParts).model_validate(kept).model_dump())


def _has_type(kind: type, key: str, value: object) -> bool:
    try:
        _model_of(kind).model_validate({key: value})
    except ValidationError:
        return False
    return True


def _model_of(section: type) -> type[BaseModel]:
    """Return the checked model of a frozen dataclass of settings, those in it included."""
    kinds = typing.get_type_hints(section)
    entries: dict[str, Any] = {}
    for one in fields(section):
        kind = kinds[one.name]
        if isinstance(kind, type) and is_dataclass(kind):
            model = _model_of(kind)
            entries[one.name] = (model, model())
        else:
            default = one.default_factory() if callable(one.default_factory) else one.default
            entries[one.name] = (_exact(kind), default)
    return create_model(section.__name__, __config__=ConfigDict(extra="forbid", frozen=True), **entries)


def _exact(kind: Any) -> Any:
    """Return a type that takes no value of another: neither "5" nor true is a number here."""
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind in (int, float, bool, str):
        return Annotated[kind, Strict()]
    if origin is tuple:
        return types.GenericAlias(tuple, (_exact(args[0]), ...))
    if origin is Mapping:
        return types.GenericAlias(dict, tuple(map(_exact, args)))
    return _exact(args[0]) | None if origin is types.UnionType else kind


def _made(section: type[Section], values: Mapping[str, Any]) -> Section:
    """Return the dataclass with these values."""
    kinds = typing.get_type_hints(section)
    made = {key: _made(kinds[key], value) if is_dataclass(kinds[key]) else value for key, value in values.items()}
    return section(**made)


_FILE = _model_of(Config)
