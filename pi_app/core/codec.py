"""Frozen dataclasses to one line of JSON and back, with a version for each kind and upgraders for old ones.

A value is written as `{"kind": ..., "v": ..., field: ...}`; what its fields hold is read by their annotations: numbers,
text, enums, tuples, optional values, and dataclasses of registered kinds.
"""

import json
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

MAX_TEXT = 1 << 20
"""Longest line that is read, in characters."""

Raw = dict[str, object]
Upgrader = Callable[[Raw], Raw]


class CodecError(ValueError):
    """What was got, what was wanted, and in which field."""


@dataclass(frozen=True, slots=True)
class Codec:
    """Knows a closed set of kinds.

    `versions` holds the kinds whose version is above 1; `upgraders[kind, n]` turns the fields of version n into those
    of n + 1, so that everything ever written can be read; `renamed` maps names that kinds had before to theirs now.
    """

    kinds: Mapping[str, type]
    versions: Mapping[str, int] = field(default_factory=dict)
    upgraders: Mapping[tuple[str, int], Upgrader] = field(default_factory=dict)
    renamed: Mapping[str, str] = field(default_factory=dict)

    def encode(self, value: object) -> str:
        """Return one line of JSON; the same value gives the same line."""
        return json.dumps(self._raw(value, type(value).__name__), ensure_ascii=False, separators=(",", ":"))

    def encode_all(self, values: Iterable[object]) -> str:
        """Return one line of JSON that holds a list."""
        raw = [self._raw(value, type(value).__name__) for value in values]
        return json.dumps(raw, ensure_ascii=False, separators=(",", ":"))

    def decode(self, text: str) -> object:
        """Return the value of one line; CodecError where it is none of a known kind."""
        return self._value(_parse(text))

    def decode_all(self, text: str) -> tuple[object, ...]:
        """Return the values of one line written by `encode_all`; CodecError as for `decode`."""
        raw = _parse(text)
        if not isinstance(raw, list):
            raise CodecError(f"got {_short(raw)}, wanted a list")
        return tuple(self._value(item) for item in raw)

    def _raw(self, value: object, where: str) -> object:
        if value is None or (isinstance(value, bool | int | float | str) and not isinstance(value, Enum)):
            return value
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, tuple):
            return [self._raw(item, f"{where}[{index}]") for index, item in enumerate(value)]
        kind = type(value).__name__
        if self.kinds.get(kind) is not type(value) or not is_dataclass(value):
            raise CodecError(f"{where}: got a {kind}, wanted one of the registered kinds")
        body = {item.name: self._raw(getattr(value, item.name), f"{where}.{item.name}") for item in fields(value)}
        return {"kind": kind, "v": self.versions.get(kind, 1), **body}

    def _value(self, raw: object) -> object:
        kind, cls, body = self._upgraded(raw)
        hints = _hints(cls)
        unknown = sorted(body.keys() - hints.keys())
        missing = sorted(hints.keys() - body.keys() - _defaulted(cls))
        if unknown or missing:
            raise CodecError(f"{kind}: {_named('unknown', unknown)}{_named('missing', missing)}".strip())
        try:
            return cls(**{key: self._read(item, hints[key], f"{kind}.{key}") for key, item in body.items()})
        except CodecError:
            raise
        except (TypeError, ValueError) as error:
            raise CodecError(f"{kind}: {error}") from None

    def _upgraded(self, raw: object) -> tuple[str, type, Raw]:
        if not isinstance(raw, dict) or not isinstance(raw.get("kind"), str):
            raise CodecError(f"got {_short(raw)}, wanted an object with a kind")
        kind, version = self.renamed.get(raw["kind"], raw["kind"]), raw.get("v")
        if kind not in self.kinds:
            raise CodecError(f"got the unknown kind {kind!r}")
        wanted = self.versions.get(kind, 1)
        if not isinstance(version, int) or not 1 <= version <= wanted:
            raise CodecError(f"{kind}.v: got {_short(version)}, wanted 1 to {wanted}")
        body: Raw = {key: item for key, item in raw.items() if key not in ("kind", "v")}
        for step in range(version, wanted):
            body = self.upgraders[kind, step](body)
        return kind, self.kinds[kind], body

    def _read(self, raw: object, hint: Any, where: str) -> object:
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self._read_union(raw, args, where)
        if origin is tuple:
            return self._read_tuple(raw, args, where)
        if origin is Literal:
            return (
                raw
                if raw in args and type(raw) in map(type, args)
                else _refuse(raw, " or ".join(map(str, args)), where)
            )
        if hint is type(None) or hint is None:
            return _exactly(raw, type(None), where)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return _member(raw, hint, where)
        if hint is float:
            return float(_exactly(raw, float, where)) if isinstance(raw, float) else float(_exactly(raw, int, where))
        if hint in (int, str, bool):
            return _exactly(raw, hint, where)
        value = self._value(raw)
        return value if hint is object or isinstance(value, hint) else _refuse(raw, hint, where)

    def _read_union(self, raw: object, args: tuple[Any, ...], where: str) -> object:
        if isinstance(raw, dict):
            value = self._value(raw)
            kinds = tuple(hint for hint in args if isinstance(hint, type))
            return value if isinstance(value, kinds) else _refuse(raw, " or ".join(map(_name, args)), where)
        for hint in args:
            try:
                return self._read(raw, hint, where)
            except CodecError:
                continue
        return _refuse(raw, " or ".join(map(_name, args)), where)

    def _read_tuple(self, raw: object, args: tuple[Any, ...], where: str) -> object:
        items = _exactly(raw, list, where)
        hints = [args[0]] * len(items) if len(args) == 2 and args[1] is ... else list(args)
        if len(hints) != len(items):
            raise CodecError(f"{where}: got {len(items)} values, wanted {len(hints)}")
        pairs = enumerate(zip(items, hints, strict=True))
        return tuple(self._read(item, hint, f"{where}[{index}]") for index, (item, hint) in pairs)


def _parse(text: str) -> object:
    if len(text) > MAX_TEXT:
        raise CodecError(f"got {len(text)} characters, wanted at most {MAX_TEXT}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"not JSON: {error}") from None


@cache
def _hints(cls: type) -> dict[str, Any]:
    known = get_type_hints(cls)
    return {item.name: known[item.name] for item in fields(cls)}


def _defaulted(cls: type) -> set[str]:
    return {item.name for item in fields(cls) if item.default is not MISSING or item.default_factory is not MISSING}


def _exactly(raw: object, wanted: type, where: str) -> Any:
    return raw if type(raw) is wanted else _refuse(raw, wanted, where)


def _member(raw: object, hint: type[Enum], where: str) -> Enum:
    for member in hint:
        if type(member.value) is type(raw) and member.value == raw:
            return member
    raise CodecError(f"{where}: got {_short(raw)}, wanted one of {', '.join(str(member.value) for member in hint)}")


def _refuse(raw: object, wanted: object, where: str) -> object:
    raise CodecError(f"{where}: got {_short(raw)}, wanted {_name(wanted)}")


def _name(wanted: object) -> str:
    return str(getattr(wanted, "__name__", wanted))


def _named(what: str, names: list[str]) -> str:
    return f"{what} {', '.join(names)} " if names else ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
