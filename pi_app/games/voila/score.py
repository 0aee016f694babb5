"""Points and cards by seat, and who has won."""

from dataclasses import dataclass

from pi_app.games.voila.legal import Phase, phase
from pi_app.games.voila.model import CardState, How, Position, Turn


@dataclass(frozen=True, slots=True)
class Score:
    """One seat's points and cards; `tie_cards` are those that count for the tie-break.

    `at_stake` are the points the active player loses if time runs out now.
    """

    seat: int
    points: int
    cards: int
    tie_cards: int
    at_stake: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end: all winners (several where even the cards are equal) and the scores, best first."""

    winners: tuple[int, ...]
    standings: tuple[Score, ...]


def score(position: Position) -> tuple[Score, ...]:
    """Return the scores by seat. Cards claimed by others in the running turn count where they survive a time-out."""
    return tuple(_score_of(position, seat) for seat in range(len(position.setup.seats)))


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended, None while it goes on: most points, then most cards, further ties are shared."""
    if phase(position) is not Phase.OVER:
        return None
    standings = tuple(sorted(score(position), key=_rank, reverse=True))
    return Outcome(tuple(sorted(s.seat for s in standings if _rank(s) == _rank(standings[0]))), standings)


def _rank(score_: Score) -> tuple[int, int]:
    return score_.points, score_.tie_cards


def _score_of(position: Position, seat: int) -> Score:
    banked, won = position.banked[seat], position.won[seat]
    ids = [card.card_id for card in won]
    claimed = banked.claimed + sum(card.how is How.CLAIM for card in won)
    if position.turn and position.setup.settings.claimed_cards_survive_timeout:
        running = _claimed_in(position.turn, seat)
        ids += running
        claimed += len(running)
    cards = banked.cards + len(ids)
    breaks_ties = cards if position.setup.settings.won_cards_break_ties else cards - claimed
    return Score(seat, banked.points + _points(position, ids), cards, breaks_ties, _at_stake(position, seat))


def _claimed_in(turn: Turn, seat: int) -> list[str]:
    return [card.card_id for card in turn.cards if card.state is CardState.CLAIMED and card.claimed_by == seat]


def _at_stake(position: Position, seat: int) -> int:
    turn = position.turn
    if turn is None or turn.seat != seat:
        return 0
    return _points(position, [card.card_id for card in turn.cards if card.state is CardState.DONE])


def _points(position: Position, ids: list[str]) -> int:
    return sum(kind.points * ids.count(kind.id) for kind in position.setup.deck)
