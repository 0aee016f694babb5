"""What is wrong in a settings file, in one line a person can act on: key, what was got, what was wanted."""

from __future__ import annotations

from datetime import date, time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

MAX_TEXT = 60

# pydantic's names of faults -> what was wanted; {..} are the fault's own values
_WANTED = {
    "greater_than": "more than {gt:g}",
    "greater_than_equal": "at least {ge:g}",
    "less_than": "less than {lt:g}",
    "less_than_equal": "at most {le:g}",
    "finite_number": "a finite number",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of less than 4300 digits",
    "int_from_float": "a whole number",
    "string_type": "text in quotes",
    "string_too_short": "at least {min_length} letter",
    "string_too_long": "at most {max_length} letters",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
    "model_type": "a table",
    "dict_type": "a table",
    "enum": "{expected}",
    "literal_error": "{expected}",
}


def describe(error: ValidationError) -> str:
    """Return the first fault as `key: got value, wanted what`, and the number of further ones."""
    faults = _own_faults(error.errors(include_url=False))
    text, more = _sentence(faults[0]), len(faults) - 1
    return one_line(text if not more else f"{text} (and {more} more)")


def describe_all(error: ValidationError) -> list[str]:
    """Return every fault as `key: got value, wanted what`."""
    return [one_line(_sentence(fault)) for fault in _own_faults(error.errors(include_url=False))]


def key_path(location: tuple[int | str, ...]) -> str:
    """Return a fault's place as it is written in the file: card[3].art."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")


def short(value: object, limit: int = MAX_TEXT) -> str:
    """Return a value as TOML would have it, cut where it is long."""
    match value:
        case dict():
            return "a table"
        case list() | tuple() if len(value) > 8 or any(isinstance(entry, dict | list) for entry in value):
            return f"a list of {len(value)}"
        case bool():
            text = str(value).lower()
        case date() | time():
            text = value.isoformat()
        case int() if abs(value) >= 10**limit:
            text = f"a number of more than {limit} digits"
        case _:
            text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def one_line(text: str) -> str:
    """Return text without line breaks and other control characters."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _sentence(fault: ErrorDetails) -> str:
    key, message = key_path(fault["loc"]), fault["msg"].removeprefix("Value error, ")
    match fault["type"]:
        case "missing":
            return f"{key}: missing"
        case "extra_forbidden":
            return f"{key}: got {short(fault['input'])}, but there is no such key"
        case "value_error" if isinstance(fault["input"], dict):
            return f"{_joined(key, message)}{message}"
        case "string_pattern_mismatch":
            return f"{key}: got {short(fault['input'])}, wanted {_pattern(fault)}"
        case "value_error":
            wanted = message if message.startswith("got ") else f"got {short(fault['input'])}, wanted {message}"
            return f"{key}: {wanted}"
        case kind:
            wanted = _WANTED.get(kind, message).format(**fault.get("ctx", {}))
            return f"{key}: got {short(fault['input'])}, wanted {wanted}"


def _own_faults(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """Leave out lists that only count as too short because an entry of theirs is wrong."""
    places = [fault["loc"] for fault in faults]
    return [
        fault
        for fault in faults
        if fault["type"] != "too_short"
        or not any(len(place) > len(fault["loc"]) and place[: len(fault["loc"])] == fault["loc"] for place in places)
    ]


def _joined(key: str, message: str) -> str:
    """Return the key with what joins it to a message that may go on with a key of its own."""
    starts_with_key = message.split(" ", 1)[0].endswith(":")
    return f"{key}." if key and starts_with_key else f"{key}: " if key else ""


def _pattern(fault: ErrorDetails) -> str:
    pattern = fault.get("ctx", {}).get("pattern", "")
    if "DICT" in pattern:
        return "the name of one of OpenCV's dictionaries, as DICT_5X5_100"
    if "/" in pattern:
        return "a path inside the folder, of letters, digits, spaces and _ . - /"
    return "a name of letters, digits and _ . -"
