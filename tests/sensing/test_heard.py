import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.sensing.heard import (
    GARBAGE,
    MOST_ANSWERS,
    MOST_MISSES,
    PASS,
    Heard,
    HeardKind,
    Vocabulary,
    card_vocabulary,
    garbage_words,
    grammar,
)
from pi_app.sensing.pronounce import PHONES, Pronunciations, parse_pronunciations

SOUNDS = parse_pronunciations(
    """bass B AE S
favor F EY V ER
pass P AE S
passe P AE S
saver S EY V ER
savers S EY V ER Z
savior S EY V Y ER
savor S EY V ER
savory S EY V ER IY
savoure S EY V ER
sever S EH V ER
severe S AH V IH R
zebra Z IY B R AH
"""
)
CARD = card_vocabulary(["savor", "sever", "severe", "sivur"], ["savior", "savory", "savoure", "sevier"], SOUNDS)


def test_what_to_listen_for() -> None:
    assert CARD.answers == ("savor", "sever", "severe")
    assert CARD.unheard == ("sivur",)


def test_misses_are_those_given_then_those_that_sound_nearly_so() -> None:
    assert CARD.misses == ("savior", "savory", "bass", "favor", "savers")


def test_no_miss_sounds_like_an_answer_or_like_pass() -> None:
    assert not {"saver", "savoure", "passe"} & set(CARD.misses)


def test_an_answer_that_is_itself_given_as_a_miss_stays_an_answer() -> None:
    assert "sever" not in card_vocabulary(["sever"], ["sever"], SOUNDS).misses


def test_pass_is_never_an_answer() -> None:
    assert card_vocabulary(["pass", "sever"], [], SOUNDS).answers == ("sever",)


def test_kinds() -> None:
    heard = {
        text: CARD.kind(text) for text in ("savor", "savory", PASS, "", "garbage_s", "savor savor", "Savor", "xyz")
    }
    kinds = list(HeardKind)
    assert [kinds.index(kind) for kind in heard.values()] == [0, 1, 2, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("answers", [[], [f"word{number}" for number in range(MOST_ANSWERS + 1)]])
def test_the_number_of_answers_is_bounded(answers: list[str]) -> None:
    with pytest.raises(UserError, match=f"hearing: got {len(answers)} answers to a card, wanted 1 to {MOST_ANSWERS}"):
        card_vocabulary(answers, [], SOUNDS)


def test_the_number_of_misses_is_bounded() -> None:
    names = [a + b + c for a in "abcdefgh" for b in "abcdefgh" for c in "abcdefgh"]
    sounds = Pronunciations({**SOUNDS.by_word, **dict.fromkeys(names, (("Z", "UW"),))})
    assert card_vocabulary(["sever"], names, sounds).misses == tuple(names[:MOST_MISSES])


def test_the_grammar() -> None:
    lines = grammar(CARD).splitlines()
    assert lines[:6] == [
        "#JSGF V1.0;",
        "grammar card;",
        "public <card> = <answer> | <miss> | <pass> | <garbage>;",
        "<answer> = savor | sever | severe;",
        "<miss> = savior | savory | bass | favor | savers;",
        "<pass> = pass;",
    ]
    assert lines[6].startswith("<phone> = garbage_aa | garbage_ae | ")
    assert lines[7:] == ["<garbage> = <phone>+;"]


def test_the_grammar_has_no_empty_rule() -> None:
    text = grammar(Vocabulary((), (), ("sivur",)))
    assert "public <card> = <pass> | <garbage>;" in text
    assert not re.search(r"=\s*;|\| *\||<answer>|<miss>", text)


def test_garbage_is_every_phone() -> None:
    assert sorted(phone for (phone,) in garbage_words().values()) == sorted(PHONES)
    assert all(word.startswith(GARBAGE) for word in garbage_words())


def test_heard() -> None:
    heard = Heard("savor", HeardKind.ANSWER, 0.9, 1_000, 2_000)
    assert (heard.began_ns, heard.ended_ns) == (1_000, 2_000)
    with pytest.raises(ValueError, match=r"got confidence 1.5, wanted 0 to 1"):
        Heard("savor", HeardKind.ANSWER, 1.5, 1_000, 2_000)
    with pytest.raises(ValueError, match="wanted 0 to 1"):
        Heard("savor", HeardKind.ANSWER, float("nan"), 1_000, 2_000)
    with pytest.raises(ValueError, match="got its end 1000 ns before its beginning"):
        Heard("savor", HeardKind.ANSWER, 0.5, 2_000, 1_000)


@pytest.mark.skipif(find_spec("pocketsphinx") is None, reason="the extra voice is not installed")
def test_the_recogniser_takes_the_grammar() -> None:
    pocketsphinx = import_module("pocketsphinx")
    model = Path(pocketsphinx.get_model_path()) / "en-us"
    words = str(model / "cmudict-en-us.dict")
    decoder = pocketsphinx.Decoder(hmm=str(model / "en-us"), dict=words, lm=None, loglevel="FATAL")
    for word, phones in garbage_words().items():
        decoder.add_word(word, " ".join(phones), update=False)
    sounds = parse_pronunciations(Path(words).read_text("utf-8"), words)
    card = card_vocabulary(["savor", "sever", "severe"], ["savior", "savory"], sounds)
    decoder.add_jsgf_string("card", grammar(card))
    decoder.activate_search("card")
    assert decoder.current_search() == "card"
    assert {"favor", "saber", "never"} <= set(card.misses)
