from dataclasses import replace
from itertools import pairwise
from statistics import mean, median

import pytest

from pi_app.core.errors import UserError
from pi_app.games.vowl.setup import DECKS, Box, Deck
from pi_app.games.words import (
    Answer,
    OwnWords,
    PracticeCard,
    WordList,
    load_words,
    practice_decks,
    rude_words,
    solvable_cards,
    unsolvable,
)
from pi_app.games.words.decks import COMMON_SIZE, difficulty

BOXES = [
    Box(),
    Box(letters=((3, 3), (4, 4), (5, 5))),
    Box(letters=((3, 4), (3, 5), (4, 5))),
    Box(letters=((3, 5), (3, 5), (3, 5))),
]
RANK = {10: 100, 50: 1000}


@pytest.fixture(scope="module")
def words() -> WordList:
    return load_words()


@pytest.fixture(scope="module", params=BOXES, ids=[str(box.letters) for box in BOXES])
def box(request: pytest.FixtureRequest) -> Box:
    found = request.param
    assert isinstance(found, Box)
    return found


@pytest.fixture(scope="module")
def cards(words: WordList, box: Box) -> tuple[PracticeCard, ...]:
    return practice_decks(words, box, seed=1)


def of(cards: tuple[PracticeCard, ...], deck: Deck) -> list[PracticeCard]:
    return [card for card in cards if card.deck is deck]


def test_as_many_cards_as_the_box_has_none_twice(cards: tuple[PracticeCard, ...]) -> None:
    assert [len(of(cards, deck)) for deck in DECKS] == [210, 130, 60]
    assert len({card.letters for card in cards}) == 400


def test_letters_are_the_decks(cards: tuple[PracticeCard, ...], box: Box) -> None:
    for deck, (fewest, most) in zip(DECKS, box.letters, strict=True):
        lengths = {len(card.letters) for card in of(cards, deck)}
        assert min(lengths) >= fewest
        assert max(lengths) <= most


def test_every_card_has_a_common_answer(words: WordList, cards: tuple[PracticeCard, ...]) -> None:
    assert unsolvable(words, [card.letters for card in cards]) == ()
    for card in cards:
        assert card.answers == words.answers(card.letters)
        assert (card.answers[0].size or 99) <= COMMON_SIZE


def test_no_card_has_a_rude_answer(words: WordList, cards: tuple[PracticeCard, ...]) -> None:
    rude = rude_words()
    assert not any(rude & {answer.word for answer in card.answers} for card in cards)
    assert any(rude & {answer.word for answer in answers} for answers in words.solved().values())


def test_the_decks_are_graded(cards: tuple[PracticeCard, ...]) -> None:
    for easier, harder in pairwise(DECKS):
        assert mean(c.bits for c in of(cards, easier)) + 0.5 < mean(c.bits for c in of(cards, harder))
        assert median(c.bits for c in of(cards, easier)) < median(c.bits for c in of(cards, harder))


def test_with_the_same_letters_no_card_is_harder_than_one_of_the_next_deck(words: WordList) -> None:
    cards = practice_decks(words, Box(), seed=2)
    for easier, harder in pairwise(DECKS):
        assert max(card.bits for card in of(cards, easier)) <= min(card.bits for card in of(cards, harder))


def test_a_seed_is_a_deck(words: WordList) -> None:
    first = practice_decks(words, Box(), 7)
    assert practice_decks(load_words(), Box(), 7) == first
    assert [card.letters for card in first[:6]] == ["WGR", "HVD", "LSS", "LWR", "CDD", "RNM"]
    other = {card.letters for card in practice_decks(words, Box(), 8)}
    assert len(other & {card.letters for card in first}) < 200


def test_the_owners_bans_are_kept(words: WordList) -> None:
    card = practice_decks(words, Box(), 1)[0]
    banned = load_words(OwnWords(refused=frozenset(answer.word for answer in card.answers)))
    assert card.letters not in {other.letters for other in practice_decks(banned, Box(), 1)}


def test_too_few_cards_are_named(words: WordList) -> None:
    with pytest.raises(UserError, match=r"vowl practice deck red: got 0 cards of 9 to 12 letters of B.*, wanted 60"):
        practice_decks(words, Box(letters=((3, 4), (3, 4), (9, 12))), 1)
    with pytest.raises(UserError, match="vowl practice deck green: got 0 cards of 3 to 4 letters of ZX, wanted 210"):
        practice_decks(words, Box(alphabet="ZX"), 1)


def test_a_deck_takes_from_beyond_its_part_before_it_lacks_cards(words: WordList) -> None:
    seven = Box(letters=((7, 7), (7, 7), (7, 7)), cards=(3, 4, 4))
    assert len({card.letters for card in practice_decks(words, seven, 1)}) == 11
    with pytest.raises(UserError, match="red: got 4 cards of 7 to 7 letters"):
        practice_decks(words, replace(seven, cards=(3, 4, 5)), 1)


def test_how_many_cards_the_list_solves(words: WordList) -> None:
    counts = solvable_cards(words, Box(letters=((3, 3), (4, 4), (5, 5))))
    assert all(counts[deck] >= wanted for deck, wanted in zip(DECKS, Box().cards, strict=True))
    assert counts == {
        deck: sum(len(letters) == length for letters in words.solved())
        for deck, length in zip(DECKS, (3, 4, 5), strict=True)
    }
    assert solvable_cards(words, replace(Box(), alphabet="B"))[Deck.GREEN] == 0


def test_cards_without_a_word_are_named(words: WordList) -> None:
    assert unsolvable(words, ["SVR", "WNDM", "BHV", "XQZ"]) == ("WNDM", "XQZ")
    with pytest.raises(UserError, match="got '7' as letter 2"):
        unsolvable(words, ["S7R"])


def test_difficulty() -> None:
    common, rare, own = Answer("savor", 10), Answer("sever", 50), Answer("vodaku", None)
    alone = difficulty("SVR", [common], RANK)
    assert alone == pytest.approx(13.87, abs=0.01)  # log2(5 * 5 * 6 * 100)
    assert difficulty("SVR", [common, common], RANK) == pytest.approx(alone - 1)
    assert difficulty("SVR", [rare], RANK) > alone > difficulty("SVR", [common, rare], RANK)
    assert difficulty("SVRN", [common], RANK) > alone
    assert difficulty("SVR", [common, own], RANK) == alone
