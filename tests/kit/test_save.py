import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.errors import UserError
from pi_app.core.names import BlockPose, Task
from pi_app.kit.load import art_paths, load_kit
from pi_app.kit.model import Kit
from pi_app.kit.picture_file import Image
from pi_app.kit.sample import sample_kit
from pi_app.kit.save import kit_toml, restore, save_kit, toml_value

NAME = st.from_regex(r"\A[A-Za-z_é0-9][A-Za-z0-9_.é-]{0,20}\Z", fullmatch=True)
LENGTH = st.floats(0.6, 499, allow_nan=False)
PLACE = st.floats(-500, 1000, allow_nan=False)
SRGB = st.tuples(*[st.integers(0, 255)] * 3)


@st.composite
def kits(draw: st.DrawFn) -> Kit:
    length, width, thickness = sorted((draw(LENGTH) for _ in range(3)), reverse=True)
    tiles = draw(st.lists(NAME, min_size=1, max_size=4, unique=True))
    figures = draw(st.lists(NAME, max_size=3, unique=True))
    block = st.fixed_dictionaries({"pose": st.sampled_from(BlockPose), "x_mm": PLACE, "z_mm": PLACE})
    cards = []
    for name in draw(st.lists(NAME, min_size=1, max_size=5, unique=True)):
        task = draw(st.sampled_from([task for task in Task if task is not Task.ACROBATS or figures]))
        needs = {
            Task.FIND: st.builds(lambda tile: {"object": tile}, st.sampled_from(tiles)),
            Task.ACROBATS: st.builds(lambda figure: {"figure": figure}, st.sampled_from(figures or [""])),
            Task.JUGGLER: st.just({"stones": {"yellow": 2, "red": 0, "blue": 1}}),
        }.get(task, st.just({}))
        cards.append({"id": name, "task": task, "art": "art/a b.png", "count": draw(st.integers(0, 80)), **draw(needs)})
    return Kit.model_validate(
        {
            "acrobat": {
                "length_mm": length, "width_mm": width, "thickness_mm": thickness,
                "piece": [{"id": n, "front": f"art/f{n}.png", "back": f"art/b{n}.png"} for n in range(2)],
            },
            "tile": {
                "shape": draw(st.sampled_from(["round", "square"])), "size_mm": draw(LENGTH),
                "thickness_mm": draw(LENGTH),
                "piece": [{"id": tile, "art": f"art/{n}.png"} for n, tile in enumerate(tiles)],
            },
            "overview": {"width_mm": draw(LENGTH), "height_mm": draw(LENGTH), "thickness_mm": 2.0, "art": "art/o.png"},
            "stone": {
                "shape": draw(NAME), "diameter_mm": draw(LENGTH), "height_mm": draw(LENGTH), "finish": draw(NAME),
                "colours": {colour: draw(SRGB) for colour in ("yellow", "red", "blue")},
            },
            "figure": [{"id": name, "blocks": draw(st.lists(block, min_size=1, max_size=4))} for name in figures],
            "card": cards,
        }
    )  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(kits())
def test_any_kit_is_read_back_the_same(kit: Kit) -> None:
    assert Kit.model_validate(tomllib.loads(kit_toml(kit, "A “title”\nof two lines", "deck\nnote"))) == kit


@given(st.text())
def test_any_text_is_read_back_the_same(text: str) -> None:
    clean = text.encode("utf-8", "ignore").decode("utf-8")
    assert tomllib.loads(f"key = {toml_value(clean)}") == {"key": clean}


def pictures(kit: Kit, level: int = 90) -> dict[str, Image]:
    return {art: np.full((40, 30, 3), level, np.uint8) for _, art in art_paths(kit)}


class Breaking(Mapping[str, Image]):
    """Pictures of which the third cannot be had."""

    def __init__(self, of: dict[str, Image]) -> None:
        self._of = of

    def __getitem__(self, name: str) -> Image:
        return self._of[name]

    def __len__(self) -> int:
        return len(self._of)

    def __iter__(self) -> Iterator[str]:
        for number, name in enumerate(self._of):
            if number == 2:
                raise OSError(28, "No space left on device")
            yield name


def test_a_saved_kit_is_loaded_the_same(tmp_path: Path) -> None:
    kit = sample_kit()
    save_kit(tmp_path / "kit", kit, pictures(kit))
    assert load_kit(tmp_path / "kit") == kit
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


def test_a_kit_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    kit = sample_kit()
    save_kit(tmp_path / "kit", kit, pictures(kit))
    smaller = kit.model_copy(update={"card": kit.card[:1]})
    with pytest.raises(UserError, match=r"kit: cannot write the kit: No space left on device"):
        save_kit(tmp_path / "kit", smaller, Breaking(pictures(smaller)), replace=True)
    assert load_kit(tmp_path / "kit") == kit
    save_kit(tmp_path / "kit", smaller, pictures(smaller), replace=True)
    assert load_kit(tmp_path / "kit") == smaller
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]
    assert not (tmp_path / "kit" / kit.card[5].art).exists()


def test_what_is_in_use_is_left_alone(tmp_path: Path) -> None:
    kit = sample_kit()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "letter.txt").write_text("mine")
    for replace in (False, True):
        with pytest.raises(UserError, match="got a folder that is not empty"):
            save_kit(tmp_path / "notes", kit, pictures(kit), replace=replace)
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["letter.txt"]


def test_a_kit_set_aside_by_a_power_cut_comes_back(tmp_path: Path) -> None:
    kit = sample_kit()
    save_kit(tmp_path / "kit", kit, pictures(kit))
    (tmp_path / "kit").rename(tmp_path / ".kit.before")
    restore(tmp_path / "kit")
    assert load_kit(tmp_path / "kit") == kit
