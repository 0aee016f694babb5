"""The same counts from a second, deliberately plain program: it shares nothing with the rules but the kinds of card.

A table is a dict of lists that is copied and changed; what is waited for is a word kept by hand. Times in seconds.
`python -m tests.games.voila.counted_apart` writes the counts of voila.counts.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from pi_app.core.names import Task
from pi_app.games.voila import EverybodyOut, Setup, TimeUpInClaim
from tests.games.voila.counting import GAMES

State = dict[str, Any]
STONES = {"yellow": 12, "red": 8, "blue": 5}
CARDS = {"yellow": 0, "red": 1, "blue": 2}


def opening(setup: Setup) -> State:
    """Return the table before the first turn."""
    seats = len(setup.seats)
    return {
        "now": 0,
        "wait": "ready",
        "done": 0,
        "pile": [kind.id for kind in setup.deck for _ in range(kind.count)],
        "discard": [],
        "won": [[] for _ in range(seats)],
        "noted": [[0, 0, 0] for _ in range(seats)],
        "bonus": [0] * seats,
        "turn": None,
    }


class Apart:
    """The plain program."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules = setup.settings
        self.kinds = {kind.id: kind for kind in setup.deck}
        self.seats = range(len(setup.seats))

    def following(self, old: State) -> Iterator[State]:
        """Yield every table one event later."""
        yield from getattr(self, f"_{old['wait']}")(old)

    def _ready(self, old: State) -> Iterator[State]:
        new = self._later(old)
        new["turn"] = {
            "who": old["done"] % len(self.seats),
            "end": new["now"] + int(self.rules.turn_s),
            "stones": [],
            "owed": 0,
            "cards": [],
            "claims": [],
            "stopped": False,
        }
        new["wait"] = "choose"
        yield new

    def _choose(self, old: State) -> Iterator[State]:
        for colour, count in STONES.items():
            if old["turn"]["stones"].count(colour) < count:
                new = self._later(old)
                new["turn"]["stones"].append(colour)
                new["turn"]["owed"] += CARDS[colour]
                self._go_on(new)
                yield new
        if old["turn"]["stones"] and old["now"] + 1 <= old["turn"]["end"]:
            yield self._voila(self._later(old))
        yield self._stop(old)

    def _draw(self, old: State) -> Iterator[State]:
        for card in sorted(set(self._top(old))):
            new = self._later(old)
            self._take(new, card)
            turn = new["turn"]
            turn["owed"] -= 1
            turn["cards"].append([card, "open", None, False])
            kind = self.kinds[card]
            if kind.task is not Task.FIND:
                turn["claims"] = []
            new["wait"] = "find" if kind.task is Task.FIND else "task"
            if self._lacks_stones(turn["stones"], card):
                turn["cards"][-1][1] = "impossible"
                self._go_on(new)
            yield new
        yield from self._presses(old)
        yield self._stop(old)

    def _task(self, old: State) -> Iterator[State]:
        yield self._later(old)
        new = self._later(old)
        self._decide(new, "done", None)
        yield new
        yield self._stop(old)

    def _find(self, old: State) -> Iterator[State]:
        yield from self._claiming(old)
        yield self._stop(old)

    def _after(self, old: State) -> Iterator[State]:
        for new in self._claiming(old):
            left = [c for c in new["turn"]["claims"] if not c[2] and c[1] != new["turn"]["who"]] if new["turn"] else []
            if new["turn"] and (new["turn"]["cards"][-1][1] != "open" or not left):
                new = self._ended_by_time(new)
            yield new

    def _bonus(self, old: State) -> Iterator[State]:
        who = next(seat for seat in self.seats if old["bonus"][seat])
        for card in sorted(set(self._top(old))):
            new = self._later(old)
            self._take(new, card)
            new["won"][who].append((card, False))
            new["bonus"][who] -= 1
            self._between(new)
            yield new

    def _over(self, old: State) -> Iterator[State]:
        yield from ()

    def _later(self, old: State, now: int | None = None) -> State:
        new = deepcopy(old)
        new["now"] = max(old["now"] + 1, now or 0)
        return new

    def _presses(self, old: State) -> Iterator[State]:
        for seat in self.seats:
            if old["now"] + 1 <= old["turn"]["end"] and seat not in [claim[1] for claim in old["turn"]["claims"]]:
                new = self._later(old)
                new["turn"]["claims"].append([new["now"], seat, None])
                yield new

    def _claiming(self, old: State) -> Iterator[State]:
        yield from self._presses(old)
        for winner in (None, *self.seats):
            new = self._later(old)
            self._find_decided(new, winner)
            yield new
        waiting = [claim for claim in old["turn"]["claims"] if claim[2] is None]
        if not waiting:
            return
        starts = [waiting[0][0]] + [claim[2] for claim in old["turn"]["claims"] if claim[2] is not None]
        ends = max(starts) + int(self.rules.claim_hold_s)
        if max(starts) <= old["now"] + 1 <= ends:
            objects = {kind.object for kind in self.setup.deck if kind.object}
            for tile in (*objects, None):
                new = self._later(old)
                if tile == self.kinds[new["turn"]["cards"][-1][0]].object:
                    self._find_decided(new, waiting[0][1])
                else:
                    self._out(new)
                yield new
        new = self._later(old, ends)
        self._out(new)
        yield new

    def _find_decided(self, new: State, winner: int | None) -> None:
        if winner is None:
            self._decide(new, "unclaimed", None)
        else:
            self._decide(new, "done" if winner == new["turn"]["who"] else "claimed", winner)

    def _out(self, new: State) -> None:
        claims = new["turn"]["claims"]
        next(claim for claim in claims if claim[2] is None)[2] = new["now"]
        if len(claims) == len(self.seats) and all(claim[2] is not None for claim in claims):
            if self.rules.everybody_out is EverybodyOut.REOPEN and not new["turn"]["stopped"]:
                new["turn"]["claims"] = []
            else:
                self._decide(new, "unclaimed", None)

    def _decide(self, new: State, fate: str, who: int | None) -> None:
        new["turn"]["cards"][-1][1:3] = [fate, who]
        new["turn"]["claims"] = []
        if not new["turn"]["stopped"]:
            self._go_on(new)

    def _go_on(self, new: State) -> None:
        new["wait"] = "draw" if new["turn"]["owed"] and self._top(new) else "choose"

    def _lacks_stones(self, drawn: list[str], card: str) -> bool:
        left = {colour: count - drawn.count(colour) for colour, count in STONES.items()}
        kind = self.kinds[card]
        if kind.task is Task.LINE:
            return sum(left.values()) < 4 and self.rules.line_short_bag_like_juggler
        needs = dict(zip(STONES, kind.stones, strict=True))
        return kind.task is Task.JUGGLER and any(left[colour] < needs[colour] for colour in STONES)

    def _top(self, state: State) -> list[str]:
        return state["pile"] or self._shuffled(state)

    def _shuffled(self, state: State) -> list[str]:
        cards = [kind.id for kind in self.setup.deck for _ in range(kind.count)]
        for card, fate, _, away in state["turn"]["cards"] if state["turn"] else ():
            if not away and (fate == "open" or self.rules.cards_in_play_stay_at_reshuffle):
                cards.remove(card)
        return cards

    def _take(self, new: State, card: str) -> None:
        if not new["pile"]:
            new["pile"] = self._shuffled(new)
            new["discard"] = []
            for seat in self.seats:
                for won in new["won"][seat]:
                    self._note(new, seat, *won)
                new["won"][seat] = []
            if new["turn"] and not self.rules.cards_in_play_stay_at_reshuffle:
                for shown in new["turn"]["cards"]:
                    shown[3] = shown[1] != "open"
        new["pile"].remove(card)

    def _note(self, new: State, seat: int, card: str, claimed: bool) -> None:
        noted = new["noted"][seat]
        noted[0] += self.kinds[card].points
        noted[1] += 1
        noted[2] += claimed

    def _stop(self, old: State) -> State:
        new = self._later(old, old["turn"]["end"])
        turn = new["turn"]
        others = [claim for claim in turn["claims"] if claim[2] is None and claim[1] != turn["who"]]
        played_out = self.rules.time_up_in_claim is TimeUpInClaim.PLAY_OUT and self.rules.claimed_cards_survive_timeout
        if old["wait"] == "find" and others and played_out:
            turn["stopped"] = True
            new["wait"] = "after"
            return new
        return self._ended_by_time(new)

    def _ended_by_time(self, new: State) -> State:
        for card, fate, who, away in new["turn"]["cards"]:
            keeps = fate == "claimed" and self.rules.claimed_cards_survive_timeout
            self._lay(new, card, who if keeps else None, True, away)
        return self._between(new)

    def _voila(self, new: State) -> State:
        turn = new["turn"]
        for card, fate, who, away in turn["cards"]:
            owner = who if fate == "claimed" else turn["who"] if fate == "done" else None
            self._lay(new, card, owner, fate == "claimed", away)
        new["bonus"][turn["who"]] += turn["stones"].count("yellow") // 2
        return self._between(new)

    def _lay(self, new: State, card: str, owner: int | None, claimed: bool, away: bool) -> None:
        if owner is None and not away:
            new["discard"].append(card)
        elif owner is not None and away:
            self._note(new, owner, card, claimed)
        elif owner is not None:
            new["won"][owner].append((card, claimed))

    def _between(self, new: State) -> State:
        if new["turn"]:
            new["turn"] = None
            new["done"] += 1
        new["wait"] = "bonus" if any(new["bonus"]) else "ready" if new["done"] < self.setup.turns else "over"
        return new

    def table(self, state: State) -> str:
        """Return what people at the table can tell apart, in the words of `counting.table`."""
        pile = {kind: state["pile"].count(kind) for kind in self.kinds}
        discard = {kind: state["discard"].count(kind) for kind in self.kinds}
        turn = state["turn"]
        parts = [
            f"turn {state['done']} {'running' if turn else 'waiting'}",
            f"pile {pile} discard {discard}",
            *(
                f"{sorted(state['won'][seat])}{'/'.join(map(str, state['noted'][seat]))}+{state['bonus'][seat]}"
                for seat in self.seats
            ),
        ]
        if turn:
            parts += [
                "stones " + " ".join(turn["stones"]),
                "cards " + " ".join(":".join(map(str, card)) for card in turn["cards"]),
                "claims " + " ".join(f"{seat}{'x' * (out is not None)}" for _, seat, out in turn["claims"]),
                f"stopped {turn['stopped']}",
            ]
        return " | ".join(parts)


def levels_apart(setup: Setup, depth: int) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield what `counting.levels` yields, in the plain way."""
    game = Apart(setup)
    level: dict[str, tuple[State, int]] = {"": (opening(setup), 1)}
    for _ in range(depth + 1):
        yield sum(n for _, n in level.values()), frozenset(game.table(state) for state, _ in level.values())
        following: Counter[str] = Counter()
        states: dict[str, State] = {}
        for state, sequences in level.values():
            for new in game.following(state):
                key = repr(new)
                following[key] += sequences
                states[key] = new
        level = {key: (states[key], n) for key, n in following.items()}


def main(depth: int) -> None:
    """Write the table of counts."""
    for name, setup in GAMES.items():
        counts = " ".join(f"{sequences}/{len(tables)}" for sequences, tables in levels_apart(setup, depth))
        sys.stdout.write(f"{name}: {counts}\n")


if __name__ == "__main__":
    main(7)
