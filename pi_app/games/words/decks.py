"""Practice decks: cards made from the word list, graded by how hard they are, so that no bought cards are needed."""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from pi_app.core.errors import UserError
from pi_app.games.vowl.setup import DECKS, Box, Deck
from pi_app.games.words.own import load_own_words
from pi_app.games.words.rule import VOWELS
from pi_app.games.words.wordlist import Answer, WordList

COMMON_SIZE = 50
"""A card's commonest answer is at most so rare: SCOWL's "medium" words, that most people know."""
RUDE = Path(__file__).with_name("rude.txt")


@dataclass(frozen=True, slots=True)
class PracticeCard:
    """A card of a practice deck, with its answers, commonest first. `bits`: how hard it is, as `difficulty` says."""

    deck: Deck
    letters: str
    answers: tuple[Answer, ...]
    bits: float


def practice_decks(words: WordList, box: Box, seed: int) -> tuple[PracticeCard, ...]:
    """Return as many different cards for each deck as the box has: green the easiest, red the hardest.

    Letters and alphabet are the box's. Every card has a common answer and none that is rude. The same list, box and
    seed give the same cards in the same order. UserError where the list has not enough cards of a deck's letters.
    """
    solved = words.solved()
    graded = _graded(solved, box.alphabet)
    taken: set[str] = set()
    cards: list[PracticeCard] = []
    for deck, wanted in zip(DECKS, box.cards, strict=True):
        pool = [letters for letters in graded if _allowed(box, deck, letters)]
        chosen = _chosen(pool, taken, wanted, _band(box, deck), f"{seed}/{deck}")
        if len(chosen) < wanted:
            fewest, most = box.letters[DECKS.index(deck)]
            got = f"{len(chosen)} cards of {fewest} to {most} letters of {box.alphabet}"
            raise UserError(f"vowl practice deck {deck}: got {got}, wanted {wanted}")
        taken.update(chosen)
        cards += (PracticeCard(deck, letters, solved[letters], graded[letters]) for letters in chosen)
    return tuple(cards)


def unsolvable(words: WordList, cards: Iterable[str]) -> tuple[str, ...]:
    """Return the cards that no word of the list solves; UserError where letters are no card's."""
    return tuple(letters for letters in cards if not words.answers(letters))


def solvable_cards(words: WordList, box: Box) -> dict[Deck, int]:
    """Return how many different cards of each deck's letters the list solves."""
    cards = [letters for letters in words.solved() if set(letters) <= set(box.alphabet)]
    return {deck: sum(_allowed(box, deck, letters) for letters in cards) for deck in DECKS}


def difficulty(letters: str, answers: Sequence[Answer], rank: dict[int, int]) -> float:
    """Return how hard a card is, in bits: the ways to fill it with vowels, over its answers.

    An answer counts by how often its word is used, by Zipf's law 1 / rank; `rank`: of each size class, the number of
    words up to it. So a card is harder by more letters, by fewer answers and by rarer ones.
    """
    fillings = len(VOWELS) ** (len(letters) - 1) * (len(VOWELS) + 1)
    known = sum(1 / rank[answer.size] for answer in answers if answer.size is not None)
    return math.log2(fillings / known)


def rude_words() -> frozenset[str]:
    """Return the words that no practice card may have among its answers."""
    return load_own_words(RUDE).refused


def _graded(solved: dict[str, tuple[Answer, ...]], alphabet: str) -> dict[str, float]:
    """Return every card that may be used with its difficulty, easiest first."""
    rude, rank = rude_words(), _ranks(answer for answers in solved.values() for answer in answers)
    usable = (
        (difficulty(letters, answers, rank), letters)
        for letters, answers in solved.items()
        if set(letters) <= set(alphabet) and _is_common(answers[0]) and not rude & {answer.word for answer in answers}
    )
    return {letters: bits for bits, letters in sorted(usable)}


def _is_common(answer: Answer) -> bool:
    return answer.size is not None and answer.size <= COMMON_SIZE


def _ranks(answers: Iterable[Answer]) -> dict[int, int]:
    """Return for each size class the number of words up to it."""
    counts = Counter(answer.size for answer in answers if answer.size is not None)
    return dict(zip(sorted(counts), accumulate(counts[size] for size in sorted(counts)), strict=True))


def _allowed(box: Box, deck: Deck, letters: str) -> bool:
    fewest, most = box.letters[DECKS.index(deck)]
    return fewest <= len(letters) <= most


def _band(box: Box, deck: Deck) -> tuple[float, float]:
    """Return which part of its pool a deck is drawn from: its share among the decks whose letters it overlaps."""
    place = DECKS.index(deck)
    fewest, most = box.letters[place]
    shares = [
        count if low <= most and high >= fewest else 0
        for count, (low, high) in zip(box.cards, box.letters, strict=True)
    ]
    before, total = sum(shares[:place]), max(sum(shares), 1)
    return before / total, (before + shares[place]) / total


def _chosen(pool: list[str], taken: set[str], wanted: int, band: tuple[float, float], key: str) -> list[str]:
    """Return cards of the pool's band in an order that the key shuffles; where it has too few, those nearest to it."""
    low, high = band[0] * len(pool), band[1] * len(pool)

    def order(place: int) -> tuple[float, bytes]:
        outside = max(low - place, place + 1 - high, 0)
        return outside, hashlib.sha256(f"{key}/{pool[place]}".encode()).digest()

    places = sorted((place for place, letters in enumerate(pool) if letters not in taken), key=order)
    return [pool[place] for place in places[:wanted]]
