"""Stretches of standing from made-up sightings; 30 pictures a second, times in pictures."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pi_app.judging.stretch import OPENING_NS, End, Sighting, Start, released, stretches

FRAME_NS = 33_333_333


def sightings(script: str, gaps: dict[int, int] | None = None) -> list[Sighting]:
    """Return a sighting a letter: `.` clear, `-` covered at rest, `~` covered and stirring, `G` gone, `=` hidden.

    `gaps` adds pictures' worth of time before a letter's index.
    """
    made, at = [], 0
    for index, letter in enumerate(script):
        at += 1 + (gaps or {}).get(index, 0)
        made.append(
            Sighting(
                at * FRAME_NS,
                covered=letter != ".",
                gone=letter == "G",
                hidden=letter == "=",
                reached=letter in "-~=",
                stirred=letter in "~G",
                hand=letter in "-~=",
            )
        )
    return made


def spans(script: str) -> list[tuple[int, int, End]]:
    """Return the stretches of a script in pictures, counted from 1."""
    found = stretches(sightings(script))
    return [(round(one.from_ns / FRAME_NS), round(one.to_ns / FRAME_NS), one.end) for one in found]


def test_clear_from_the_first_picture_stands_from_there() -> None:
    assert spans("." * 10) == [(1, 10, End.OPEN)]


def test_standing_counts_from_the_first_motion_after_the_hand_rested_on_the_placed_part() -> None:
    assert spans("GGGG~~--~~~-~~~~" + "." * 5) == [(9, 21, End.OPEN)]


def test_a_short_rest_of_the_opened_hand_is_not_the_grip() -> None:
    assert spans("GGG~---~~~~--~~~....") == [(8, 20, End.OPEN)]


def test_a_long_rest_later_is_a_grip_again() -> None:
    assert spans("GGG--~~~~----------~~~~...") == [(20, 26, End.OPEN)]


def test_a_hidden_part_may_be_placed_at_most_half_a_second_before_the_hand_left() -> None:
    waiting = "=" * 20 + "~" * 9 + "===" + "~" * 7 + "..."
    assert spans(waiting) == [(33, 42, End.OPEN)]


def test_an_arm_that_passes_does_not_break_it() -> None:
    assert spans("....~~~~~~~----~~~~~~....") == [(1, 25, End.OPEN)]


def test_an_arm_that_rests_at_it_breaks_it() -> None:
    assert spans("....~~~---------~~~..")[0] == (1, 5, End.TOUCHED)


def test_a_passing_arm_that_makes_parts_look_moved_does_not_break_it() -> None:
    made = sightings("...~~~~~~....")
    made[5] = Sighting(made[5].at_ns, covered=True, gone=True, reached=True, stirred=True, hand=True)
    assert [one.end for one in stretches(made)] == [End.OPEN]


def test_one_clear_picture_while_a_hand_is_at_it_is_not_believed() -> None:
    assert spans("GGG~---.~~~~~~...") == [(9, 17, End.OPEN)]


def test_a_part_that_moves_breaks_it_even_when_it_comes_back() -> None:
    assert spans("....GG....")[0] == (1, 5, End.MOVED)


def test_a_fall_ends_it_at_the_first_changed_picture() -> None:
    made = [Sighting(at * FRAME_NS, covered=at > 5, gone=at > 6, stirred=5 < at < 9) for at in range(1, 20)]
    (only,) = stretches(made)
    assert (round(only.to_ns / FRAME_NS), only.end, only.handled) == (6, End.MOVED, False)


def test_dropped_pictures_do_not_break_it_but_a_long_gap_does() -> None:
    assert len(stretches(sightings("." * 20, {10: 5}))) == 1
    broken = stretches(sightings("." * 20, {10: 15}))
    assert [one.end for one in broken] == [End.UNSEEN, End.OPEN]


def test_a_hand_that_was_never_seen_to_leave_is_not_believed_to_have_left() -> None:
    assert stretches(sightings("GGGGG~" + "." * 10)) == []


def test_a_part_that_arrives_without_a_hand_stands_from_the_first_clear_picture() -> None:
    made = [Sighting(at * FRAME_NS, covered=at < 5, gone=at < 5, stirred=at < 5) for at in range(1, 10)]
    assert [round(one.from_ns / FRAME_NS) for one in stretches(made)] == [5]


def test_a_hand_that_arrives_with_the_part_and_rests_unseen_has_not_let_go() -> None:
    made = sightings("GG~~~~~~.")
    assert released(made[:-1], made[-1:]) is None


def test_a_hand_first_seen_while_it_leaves_has_let_go_by_then() -> None:
    made = sightings("~~~~~~.")
    assert released(made[:-1], made[-1:]) == Start(FRAME_NS, FRAME_NS)


def test_a_hand_that_is_seen_to_leave_without_a_rest_let_go_soon_after_the_parts_were_in_place() -> None:
    made = sightings("GGG" + "~" * 12 + "...")
    (only,) = stretches(made)
    assert only.from_ns == 4 * FRAME_NS + OPENING_NS
    assert only.sure_ns == 16 * FRAME_NS


def test_a_hand_seen_beside_the_clear_structure_and_then_no_more_has_left() -> None:
    made = sightings("GGG" + "." * 9)
    made[2] = replace(made[2], hand=True)
    made[3:8] = [replace(sight, hand=True) for sight in made[3:8]]
    assert [(one.from_ns, one.end) for one in stretches(made)] == [(4 * FRAME_NS, End.OPEN)]


def test_an_arm_that_passes_may_make_parts_look_gone_without_reaching_them() -> None:
    made = sightings("...~~G~G~~....")
    assert [one.end for one in stretches(made)] == [End.OPEN]


@given(st.text(alphabet=".-~G=", max_size=60), st.dictionaries(st.integers(0, 59), st.integers(1, 20), max_size=4))
def test_stretches_are_in_order_and_inside_what_was_seen(script: str, gaps: dict[int, int]) -> None:
    made = sightings(script, gaps)
    found = stretches(made)
    times = [sight.at_ns for sight in made]
    for one in found:
        assert times[0] <= one.from_ns <= one.to_ns <= times[-1]
        assert one.until_ns >= one.to_ns
    assert all(a.to_ns <= b.from_ns for a, b in pairwise(found))
    assert sum(one.end in (End.OPEN, End.PENDING) for one in found) <= 1


@given(st.text(alphabet=".-~G=", min_size=1, max_size=60))
def test_clear_pictures_alone_make_a_stretch_longer(script: str) -> None:
    before = stretches(sightings(script))
    after = stretches(sightings(script + "."))
    if before and before[-1].end is End.OPEN:
        assert after[-1].from_ns == before[-1].from_ns
        assert after[-1].to_ns > before[-1].to_ns
