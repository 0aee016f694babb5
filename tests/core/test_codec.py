"""The codec: there and back, versions, and refusals that name what was got."""

from dataclasses import dataclass
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.core.codec import MAX_TEXT, Codec, CodecError, Raw


class Fruit(StrEnum):
    PEAR = "pear"
    PLUM = "plum"


@dataclass(frozen=True)
class Bowl:
    fruit: tuple[Fruit, ...]
    weight_g: float | None = None


@dataclass(frozen=True)
class Meal:
    name: str
    courses: tuple[Bowl, ...]
    guests: tuple[int, str]
    warm: bool
    extra: Bowl | int | None


CODEC = Codec({"Bowl": Bowl, "Meal": Meal})
PEARS = '{"kind":"Bowl","v":1,"fruit":["pear","plum"],"weight_g":2.5}'

bowls = st.builds(Bowl, st.lists(st.sampled_from(Fruit)).map(tuple), st.none() | st.floats(allow_nan=False))
meals = st.builds(
    Meal,
    st.text(max_size=20),
    st.lists(bowls, max_size=3).map(tuple),
    st.tuples(st.integers(), st.text(max_size=5)),
    st.booleans(),
    st.none() | st.integers() | bowls,
)


@given(meals | bowls)
def test_every_value_comes_back(value: Meal | Bowl) -> None:
    text = CODEC.encode(value)
    assert "\n" not in text
    assert CODEC.decode(text) == value
    assert CODEC.decode_all(CODEC.encode_all([value, value])) == (value, value)


def test_the_line_is_as_documented() -> None:
    assert CODEC.encode(Bowl((Fruit.PEAR, Fruit.PLUM), 2.5)) == PEARS


def test_a_field_with_a_default_may_be_missing() -> None:
    assert CODEC.decode('{"kind":"Bowl","v":1,"fruit":[]}') == Bowl(())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("7", "got 7, wanted an object with a kind"),
        ('{"kind":7}', "wanted an object with a kind"),
        ('{"kind":"Stew","v":1}', "got the unknown kind 'Stew'"),
        ('{"kind":"Bowl","fruit":[]}', r"Bowl.v: got None, wanted 1 to 1"),
        ('{"kind":"Bowl","v":2,"fruit":[]}', r"Bowl.v: got 2, wanted 1 to 1"),
        ('{"kind":"Bowl","v":1}', "Bowl: missing fruit"),
        ('{"kind":"Bowl","v":1,"fruit":[],"lid":1}', "Bowl: unknown lid"),
        ('{"kind":"Bowl","v":1,"fruit":["fig"]}', r"Bowl.fruit\[0\]: got 'fig', wanted one of pear, plum"),
        ('{"kind":"Bowl","v":1,"fruit":"pear"}', "Bowl.fruit: got 'pear', wanted list"),
        ('{"kind":"Bowl","v":1,"fruit":[],"weight_g":true}', "Bowl.weight_g: got True, wanted float or NoneType"),
        (
            '{"kind":"Meal","v":1,"name":"x","courses":[],"guests":[1],"warm":true,"extra":null}',
            "Meal.guests: got 1 values, wanted 2",
        ),
        (
            '{"kind":"Meal","v":1,"name":"x","courses":[],"guests":[1,"a"],"warm":1,"extra":null}',
            "Meal.warm: got 1, wanted bool",
        ),
        ('{"kind":"Meal","v":1,"name":"x","courses":[7],"guests":[1,"a"],"warm":true,"extra":null}', "got 7"),
        (" " * (MAX_TEXT + 1), "characters, wanted at most"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(CodecError, match=message):
        CODEC.decode(text)


@given(st.text(max_size=60) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(repr))
def test_any_text_gives_a_value_or_a_codec_error(text: str) -> None:
    try:
        CODEC.decode_all(text)
    except CodecError:
        return


def test_kinds_that_are_not_registered_are_refused_in_writing() -> None:
    with pytest.raises(CodecError, match=r"Meal.extra: got a object, wanted one of the registered kinds"):
        CODEC.encode(Meal("x", (), (1, "a"), True, object()))  # type: ignore[arg-type]


def test_old_versions_are_upgraded_step_by_step() -> None:
    def with_weight(body: Raw) -> Raw:
        return {**body, "weight_g": body["ounces"]}

    def without_ounces(body: Raw) -> Raw:
        return {key: value for key, value in body.items() if key != "ounces"}

    codec = Codec({"Bowl": Bowl}, {"Bowl": 3}, {("Bowl", 1): with_weight, ("Bowl", 2): without_ounces})
    assert codec.decode('{"kind":"Bowl","v":1,"fruit":[],"ounces":2.0}') == Bowl((), 2.0)
    assert codec.encode(Bowl(())) == '{"kind":"Bowl","v":3,"fruit":[],"weight_g":null}'
