from pi_app.core.verdict import Reason
from pi_app.judging.card_zone import CardsLying, CardZoneJudge
from pi_app.vision.cards import CardReading, SeenCard

S = 1_000_000_000


def lying(*cards: str, x_mm: float = 190.0, reason: Reason | None = None) -> CardReading:
    return CardReading(tuple(SeenCard(card, x_mm, 30.0 * at, 2.0, 0.9) for at, card in enumerate(cards)), reason)


def told(judge: CardZoneJudge, reading: CardReading, still_ns: int = S) -> CardsLying | None:
    first, second = judge.see(reading, still_ns), judge.see(reading, still_ns)
    assert first is None, "one reading is not enough"
    return second


def test_two_readings_that_agree_are_told_once() -> None:
    judge = CardZoneJudge()
    assert told(judge, lying(reason=Reason.NO_CARD)) == CardsLying((), 0, S)
    assert told(judge, lying("tower", "line"), 2 * S) == CardsLying(("line", "tower"), 0, 2 * S)
    assert judge.settled
    assert told(judge, lying("tower", "line"), 2 * S) is None


def test_a_hand_over_the_cards_changes_nothing() -> None:
    judge = CardZoneJudge()
    told(judge, lying("tower"))
    for reason in (Reason.HIDDEN, Reason.DOUBTFUL, Reason.TOO_DARK):
        assert told(judge, lying(reason=reason), 3 * S) is None
        assert not judge.settled
    assert told(judge, lying("tower"), 4 * S) is None


def test_a_lying_card_becomes_no_other_by_itself() -> None:
    judge = CardZoneJudge()
    told(judge, lying("juggler_yyy"))
    assert told(judge, lying("juggler_yyb")) is None
    assert judge.see(lying("juggler_yyb"), 2 * S) == CardsLying(("juggler_yyb",), 0, 2 * S), "the zone has moved"
    assert told(judge, lying("line", x_mm=160.0), 2 * S) == CardsLying(("line",), 0, 2 * S), "it lies elsewhere"


def test_strangers_are_counted() -> None:
    judge = CardZoneJudge()
    assert told(judge, lying(reason=Reason.UNKNOWN_CARD)) == CardsLying((), 1, S)
    assert told(judge, lying("tower", reason=Reason.UNKNOWN_CARD), 2 * S) == CardsLying(("tower",), 1, 2 * S)


def test_two_cards_of_a_kind_are_two() -> None:
    judge = CardZoneJudge()
    told(judge, lying("throw"))
    assert told(judge, lying("throw", "throw"), 2 * S) == CardsLying(("throw", "throw"), 0, 2 * S)
