from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pi_app.core.errors import UserError
from pi_app.core.names import BlockPose
from pi_app.kit.figure_text import format_figure, parse_figure
from pi_app.kit.load import load_kit
from pi_app.kit.model import Acrobat, AcrobatPiece, Figure, FigureBlock, Kit
from pi_app.kit.sample import sample_kit

PIECE = (AcrobatPiece(id=0, front="f.png", back="b.png"),)
ACROBAT = Acrobat(length_mm=60, width_mm=30, thickness_mm=15, piece=PIECE)
STAND, LIE = BlockPose.STAND, BlockPose.LIE


def blocks(figure: Figure) -> list[tuple[BlockPose, float, float]]:
    return [(block.pose, block.x_mm, block.z_mm) for block in figure.blocks]


def worst_mm(one: Figure, other: Figure) -> float:
    assert [block.pose for block in one.blocks] == [block.pose for block in other.blocks]
    pairs = list(zip(one.blocks, other.blocks, strict=True))
    shift = min(b.x_mm for b in one.blocks) - min(b.x_mm for b in other.blocks)
    return max(max(abs(a.x_mm - b.x_mm - shift), abs(a.z_mm - b.z_mm)) for a, b in pairs)


def check_all(kit: Kit) -> None:
    for figure in kit.figure:
        text = format_figure(figure, kit.acrobat)
        assert worst_mm(figure, parse_figure(figure.id, text, kit.acrobat)) <= 0.051, text


def test_every_figure_of_the_sample_kit_comes_back() -> None:
    check_all(sample_kit())


@pytest.mark.parametrize("name", ["A", "B"])
def test_every_recorded_figure_comes_back(bench: Path, name: str) -> None:
    check_all(load_kit(bench / "kits" / name))


def test_a_drawing_by_hand() -> None:
    text = """
        ...CCCCCCCCCCCC
        ...CCCCCCCCCCCC
        ...CCCCCCCCCCCC
        AAAAAA....BBBBBB
        AAAAAA....BBBBBB
        AAAAAA....BBBBBB
        AAAAAA....BBBBBB
        AAAAAA....BBBBBB
        AAAAAA....BBBBBB
        x: B 52
    """
    assert blocks(parse_figure("gate", text, ACROBAT)) == [(STAND, 0, 0), (STAND, 52, 0), (LIE, 15, 60)]


def test_blocks_without_a_gap_touch_whatever_an_acrobats_sizes_are() -> None:
    odd = Acrobat(length_mm=55, width_mm=30, thickness_mm=12, piece=PIECE)
    rows = ["AAAAAAAAAAABBBBBBBBBBB"] * 3
    top = ["......CCCCCCCCCCC"] * 3
    found = parse_figure("wall", "\n".join([*top, *rows]), odd)
    assert blocks(found) == [(LIE, 0, 0), (LIE, 55, 0), (LIE, 30, 30)]


@settings(max_examples=80, deadline=None)
@given(
    st.floats(1.6, 2.4),
    st.lists(st.tuples(st.sampled_from(BlockPose), st.floats(0, 40), st.floats(0, 12)), min_size=1, max_size=6),
)
def test_any_row_with_gaps_comes_back(ratio: float, row: list[tuple[BlockPose, float, float]]) -> None:
    acrobat = Acrobat(length_mm=round(28 * ratio, 1), width_mm=28, thickness_mm=14, piece=PIECE)
    x, drawn = 0.0, []
    for pose, gap, z in row:
        x += gap
        drawn.append(FigureBlock(pose=pose, x_mm=x, z_mm=z))
        x += acrobat.width_mm if pose is STAND else acrobat.length_mm
    figure = Figure(id="row", blocks=tuple(drawn))
    assert worst_mm(figure, parse_figure("row", format_figure(figure, acrobat), acrobat)) <= 0.051


LYING = "AAAAAAAAAAAA"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "gate: line 1: got no drawing"),
        ("   \n...\n", "gate: line 2: got no block"),
        (f"{LYING}\n{LYING}\n{LYING[:-1]}#\n", r"gate: line 3, column 12: got '#', wanted a letter, a digit or \."),
        (f"{LYING}\nAAAAA.AAAAAA\n{LYING}", "gate: line 2, column 6: got '.' within block A, wanted a full rectangle"),
        (f".{LYING}", "gate: line 1, column 2: got block A of 12 x 1 characters, wanted 6 x 6 standing or 12 x 3"),
        (f"\n{LYING}\n{LYING}\n{LYING}\n\n{LYING}", "gate: line 5, column 1: got ' ' within block A"),
        (f"{LYING}\n{LYING}\n{LYING}\nx: B 3", "gate: line 4, column 4: got 'B', wanted one of the drawing's blocks A"),
        (f"{LYING}\n{LYING}\n{LYING}\nx: A 3, A", "gate: line 4, column 9: got 'A', wanted a block's letter and"),
        (f"{LYING}\n{LYING}\n{LYING}\nx: A 3000", "gate: line 4, column 4: got 3000 mm, wanted at most 1000"),
        (f"{LYING}\n{LYING}\n{LYING}\nx: A 3\nmore", "gate: line 5: got 'more' after a note"),
        ("A" * 500, "gate: line 1: got a drawing of more than 400 x 200 characters"),
    ],
)  # fmt: skip
def test_a_bad_drawing_is_named_with_line_and_column(text: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        parse_figure("gate", text, ACROBAT)


def test_blocks_in_one_place_cannot_be_drawn() -> None:
    both = (FigureBlock(pose=LIE, x_mm=0, z_mm=0), FigureBlock(pose=STAND, x_mm=20, z_mm=0))
    with pytest.raises(UserError, match="gate: block B: got it in the place of another"):
        format_figure(Figure(id="gate", blocks=both), ACROBAT)


@given(st.text(alphabet="AB.x: 1\n#é", max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    with suppress(UserError):
        parse_figure("any", text, ACROBAT)
