"""What was heard, and what the recogniser is to listen for while a card lies open."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from pi_app.core.errors import UserError
from pi_app.sensing.pronounce import PHONES, Phones, Pronunciations

PASS = "pass"  # noqa: S105 - the rulebook's word for setting a card aside
MOST_ANSWERS = 100
MOST_MISSES = 400
"""More words only slow the recogniser; the nearest are kept."""
GARBAGE = "garbage_"
"""What the names of the phones that stand for any other speech begin with."""


class HeardKind(StrEnum):
    """What the heard means for the card."""

    ANSWER = "answer"
    MISS = "miss"
    """A word that is near an answer and is none."""
    PASS = "pass"  # noqa: S105
    GARBAGE = "garbage"
    """Any other speech."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One utterance: monotonic ns of its first and last sound at the microphone; `confidence` 0 to 1.

    `text` is the word, empty for garbage. ValueError where times or confidence cannot be.
    """

    text: str
    kind: HeardKind
    confidence: float
    began_ns: int
    ended_ns: int

    def __post_init__(self) -> None:
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"heard {self.text!r}: got confidence {self.confidence}, wanted 0 to 1")
        if self.ended_ns < self.began_ns:
            raise ValueError(
                f"heard {self.text!r}: got its end {self.began_ns - self.ended_ns} ns before its beginning"
            )


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words to tell apart for one card.

    `unheard`: answers whose sound is not known; they cannot be heard, only pressed or typed.
    """

    answers: tuple[str, ...]
    misses: tuple[str, ...]
    unheard: tuple[str, ...]

    def kind(self, text: str) -> HeardKind:
        """Return what a recognised text is; anything but exactly one word of the grammar is garbage."""
        if text in self.answers:
            return HeardKind.ANSWER
        if text in self.misses:
            return HeardKind.MISS
        return HeardKind.PASS if text == PASS else HeardKind.GARBAGE


def card_vocabulary(answers: Iterable[str], misses: Iterable[str], sounds: Pronunciations) -> Vocabulary:
    """Return what to listen for: a card's answers, and what could be taken for one.

    `misses`: words that have the card's letters and are no answers. To them come the words one phone from an answer
    (or from "pass"). A word that sounds like an answer is none of them: no ear could tell it from the answer.
    Answers that the sounds do not know are named. UserError where there are no answers, or too many.
    """
    known = tuple(dict.fromkeys(answers))
    if not 1 <= len(known) <= MOST_ANSWERS:
        raise UserError(f"hearing: got {len(known)} answers to a card, wanted 1 to {MOST_ANSWERS}")
    heard = tuple(word for word in known if sounds.of(word) and word != PASS)
    taken = {PASS, *known}.union(*(sounds.same_as(word) for word in (PASS, *heard)))
    near = sorted({word for heard_word in (*heard, PASS) for word in sounds.nearly(heard_word)})
    wrong = (word for word in dict.fromkeys((*misses, *near)) if word not in taken and sounds.of(word))
    return Vocabulary(heard, tuple(wrong)[:MOST_MISSES], tuple(word for word in known if word not in heard))


def garbage_words() -> dict[str, Phones]:
    """Return the words that the recogniser's dictionary needs besides, each a single phone."""
    return {f"{GARBAGE}{phone.lower()}": (phone,) for phone in PHONES}


def grammar(vocabulary: Vocabulary) -> str:
    """Return a card's grammar in JSGF 1.0: an answer, a near miss, "pass", or phones in any order."""
    rules = {
        "answer": vocabulary.answers,
        "miss": vocabulary.misses,
        "pass": (PASS,),
        "phone": tuple(garbage_words()),
    }
    heard = " | ".join(f"<{name}>" for name in ("answer", "miss", "pass") if rules[name])
    lines = [f"<{name}> = {' | '.join(words)};" for name, words in rules.items() if words]
    head = ["#JSGF V1.0;", "grammar card;", f"public <card> = {heard} | <garbage>;"]
    return "\n".join([*head, *lines, "<garbage> = <phone>+;"]) + "\n"
