"""The same counts from a second, deliberately plain program, written from the rulebook: it shares no rule.

A table is a dict of lists that is copied and changed; what is waited for is a word kept by hand. Times in seconds.
`python -m tests.games.vowl.counted_apart` writes the counts of vowl.counts.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from tests.games.vowl.counting import GAMES, Game

State = dict[str, Any]
GREEN, YELLOW, RED = range(3)
NAMES = ("green", "yellow", "red")


class Apart:
    """The plain program."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = game.setup.rulings
        self.seats = range(len(game.setup.seats))
        self.tiers = {tier.first: list(tier.cards) for tier in game.setup.board.tiers}

    def opening(self) -> State:
        """Return the table before the first turn."""
        return {
            "now": 0,
            "wait": "score" if self.game.owed else "roll",
            "done": 0,
            "decks": list(self.game.setup.box.cards),
            "discards": [0, 0, 0],
            "out": [0, 0, 0],
            "shuffled": [0, 0, 0],
            "scoring": list(self.game.scoring),
            "victory": list(self.game.victory),
            "owed": list(self.game.owed),
            "winners": [],
            "turn": None,
        }

    def following(self, old: State) -> Iterator[State]:
        """Yield every table one event later."""
        yield from getattr(self, f"_{old['wait']}")(old)

    def _roll(self, old: State) -> Iterator[State]:
        box = self.game.setup.box
        for number in set(box.number_die):
            for face in set(box.mode_die):
                new = self._later(old)
                who = old["done"] % len(self.seats)
                mode = self._mode(old, who, str(face))
                new["turn"] = {"who": who, "number": number, "mode": mode, "other": None, "hand": None}
                new["turn"] |= {"piles": {}, "end": None, "tied": False, "tie": None}
                new["wait"] = "prepare"
                yield new

    def _mode(self, old: State, who: int, face: str) -> str:
        if old["scoring"][who] + 2 >= old["victory"][who]:
            return "solitaire"
        return {"owls": "selection" if len(self.seats) == 2 else "partner"}.get(face, face)

    def _prepare(self, old: State) -> Iterator[State]:
        turn = old["turn"]
        ready = True
        if turn["mode"] in ("partner", "head_to_head") and turn["other"] is None:
            ready = False
            for seat in self.seats:
                far = (seat - turn["who"]) % len(self.seats)
                if far and (turn["mode"] == "head_to_head" or far in (1, len(self.seats) - 1)):
                    new = self._later(old)
                    new["turn"]["other"] = seat
                    yield new
        if turn["mode"] == "selection" and turn["hand"] is None:
            yield self._selected(old)
            return
        for seat in (turn["who"], turn["other"]):
            shares = seat == turn["other"] and turn["mode"] != "head_to_head"
            if seat is None or shares or seat in turn["piles"]:
                continue
            ready = False
            yield self._piled(old, seat, on_top=True)
            yield self._piled(old, seat, on_top=False)
        if ready:
            for seconds in (self.rules.green_timer_s, self.rules.red_timer_s):
                new = self._later(old)
                new["turn"]["end"] = new["now"] + int(seconds)
                new["wait"] = "solve"
                yield new

    def _selected(self, old: State) -> State:
        new = self._later(old)
        drawn = self._draw(new, GREEN, new["turn"]["number"] + 3)
        back = 3 if drawn > 3 else drawn - 1
        new["discards"][GREEN] += back
        new["turn"]["hand"] = drawn - back
        return new

    def _piled(self, old: State, seat: int, *, on_top: bool) -> State:
        new = self._later(old)
        turn = new["turn"]
        if turn["mode"] == "selection":
            easy, turn["hand"] = [turn["hand"], 0, 0], 0
        else:
            easy = [self._draw(new, GREEN, turn["number"] + 3 * (turn["mode"] == "partner")), 0, 0]
        space = new["scoring"][seat]
        tier = [cards for first, cards in sorted(self.tiers.items()) if first <= space][-1:]
        extra = [self._draw(new, colour, tier[0][colour]) if tier else 0 for colour in (GREEN, YELLOW, RED)]
        turn["piles"][seat] = {"down": [extra, easy] if on_top else [easy, extra], "up": []}
        return new

    def _solve(self, old: State) -> Iterator[State]:
        turn = old["turn"]
        if old["now"] + 1 <= turn["end"]:
            for seat in (turn["who"], turn["other"]):
                if seat is not None:
                    owner = turn["who"] if turn["mode"] == "partner" else seat
                    yield from self._act(old, owner)
        new = self._later(old, turn["end"])
        counts = [self._solved(pile) for pile in turn["piles"].values()]
        if turn["mode"] != "head_to_head":
            yield self._over_with(new, [])
        elif counts[0] == counts[1]:
            new["turn"]["tied"] = True
            new["wait"] = "tie_draw"
            yield new
        else:
            yield self._over_with(new, [seat for seat, p in turn["piles"].items() if self._solved(p) == max(counts)])

    def _act(self, old: State, owner: int) -> Iterator[State]:
        pile = old["turn"]["piles"][owner]
        lies = [place for place, card in enumerate(pile["up"]) if card[1] == "open"]
        for place in lies:
            new = self._later(old)
            new["turn"]["piles"][owner]["up"][place][1] = "passed"
            yield new
            new = self._later(old)
            new["turn"]["piles"][owner]["up"][place][1] = "solved"
            yield self._through(new, owner)
        if lies:
            return
        group = 0 if any(pile["down"][0]) else 1
        for colour in (GREEN, YELLOW, RED):
            if pile["down"][group][colour]:
                new = self._later(old)
                new["turn"]["piles"][owner]["down"][group][colour] -= 1
                new["turn"]["piles"][owner]["up"].append([colour, "open"])
                yield new
        for place, card in enumerate(pile["up"]):
            if card[1] == "passed":
                new = self._later(old)
                new["turn"]["piles"][owner]["up"][place][1] = "open"
                yield new

    def _through(self, new: State, owner: int) -> State:
        turn = new["turn"]
        pile = turn["piles"][owner]
        if any(map(any, pile["down"])) or self._solved(pile) < len(pile["up"]):
            return new
        return self._over_with(new, [owner, turn["other"]] if turn["mode"] == "partner" else [owner])

    def _tie_draw(self, old: State) -> Iterator[State]:
        new = self._later(old)
        for colour in (RED, YELLOW, GREEN):
            if self._draw(new, colour, 1):
                new["turn"]["tie"] = colour
                new["wait"] = "tie"
                yield new
                return
        yield self._over_with(new, [])

    def _tie(self, old: State) -> Iterator[State]:
        for seat in (old["turn"]["who"], old["turn"]["other"]):
            yield self._over_with(self._later(old), [seat])
        new = self._later(old)
        if self.rules.tie_card_unsolved == "nobody":
            yield self._over_with(new, [])
            return
        new["discards"][new["turn"]["tie"]] += 1
        new["turn"]["tie"] = None
        new["wait"] = "tie_draw"
        yield new

    def _score(self, old: State) -> Iterator[State]:
        who = old["owed"][0]
        new = self._later(old)
        new["scoring"][who] += 2
        yield self._taken(new, who, [who])
        for other in self.seats:
            if other != who and old["victory"][other] > 0:
                new = self._later(old)
                new["scoring"][who] += 1
                new["victory"][who] -= 1
                new["victory"][other] -= 1
                yield self._taken(new, who, [who] if self.rules.met_by_other == "needs_success" else [who, other])

    def _taken(self, new: State, who: int, may_win: list[int]) -> State:
        met = [seat for seat in sorted(may_win) if new["scoring"][seat] >= new["victory"][seat]]
        if who in met and self.rules.both_meet == "scorer":
            met = [who]
        new["winners"] = met
        new["owed"] = [] if met else new["owed"][1:]
        return self._between(new)

    def _end(self, old: State) -> Iterator[State]:
        yield from ()

    def _over_with(self, new: State, successes: list[int]) -> State:
        turn = new["turn"]
        solved = new["out"] if self.rules.solved_cards == "out_of_game" else new["discards"]
        rest = new["decks"] if self.rules.unsolved_cards == "under_deck" else new["discards"]
        for pile in turn["piles"].values():
            for colour, fate in pile["up"]:
                (solved if fate == "solved" else rest)[colour] += 1
            for colour in (GREEN, YELLOW, RED):
                rest[colour] += pile["down"][0][colour] + pile["down"][1][colour]
        if turn["tie"] is not None:
            new["discards"][turn["tie"]] += 1
        new["turn"] = None
        new["done"] += 1
        new["owed"] = successes
        return self._between(new)

    def _between(self, new: State) -> State:
        green = new["decks"][GREEN] + (new["discards"][GREEN] if self.rules.deck_runs_out == "reshuffle" else 0)
        if new["winners"]:
            new["wait"] = "end"
        elif new["owed"]:
            new["wait"] = "score"
        elif green:
            new["wait"] = "roll"
        else:
            new["wait"] = "end"
            gaps = [goal - space for goal, space in zip(new["victory"], new["scoring"], strict=True)]
            new["winners"] = [seat for seat in self.seats if gaps[seat] == min(gaps)]
        return new

    def _draw(self, new: State, colour: int, number: int) -> int:
        drawn = 0
        for _ in range(number):
            if not new["decks"][colour] and self.rules.deck_runs_out == "reshuffle" and new["discards"][colour]:
                new["decks"][colour], new["discards"][colour] = new["discards"][colour], 0
                new["shuffled"][colour] += 1
            if new["decks"][colour]:
                new["decks"][colour] -= 1
                drawn += 1
        return drawn

    def _later(self, old: State, now: int = 0) -> State:
        new = deepcopy(old)
        new["now"] = max(old["now"] + 1, now)
        return new

    def _solved(self, pile: State) -> int:
        return sum(fate == "solved" for _, fate in pile["up"])

    def table(self, state: State) -> str:
        """Return what people at the table can tell apart, in the words of `counting.table`."""
        turn = state["turn"]
        cards = [tuple(state[name]) for name in ("decks", "discards", "out", "shuffled")]
        parts = [
            f"turn {state['done']} {'running' if turn else 'waiting'}",
            "decks {} discards {} out {} shuffled {}".format(*cards),
            f"scoring {tuple(state['scoring'])} victory {tuple(state['victory'])} owed {tuple(state['owed'])}",
            f"winners {tuple(state['winners'])}",
        ]
        if turn:
            piles = []
            for seat, pile in sorted(turn["piles"].items()):
                down = [tuple(group) for group in pile["down"] if any(group)]
                piles.append(f"{seat}: {down} {[f'{NAMES[colour]}:{fate}' for colour, fate in pile['up']]}")
            tie = "" if turn["tie"] is None else NAMES[turn["tie"]]
            parts += [
                f"rolled {turn['number']} {turn['mode']} other {turn['other']} hand {turn['hand'] or 0}",
                " ".join(piles),
                f"timer {turn['end'] is not None} tied {turn['tied']} {tie}",
            ]
        return " | ".join(parts)


def levels_apart(game: Game, depth: int) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield what `counting.levels` yields, in the plain way."""
    apart = Apart(game)
    level: dict[str, tuple[State, int]] = {"": (apart.opening(), 1)}
    for _ in range(depth + 1):
        yield sum(n for _, n in level.values()), frozenset(apart.table(state) for state, _ in level.values())
        following: Counter[str] = Counter()
        states: dict[str, State] = {}
        for state, sequences in level.values():
            for new in apart.following(state):
                key = repr(new)
                following[key] += sequences
                states[key] = new
        level = {key: (states[key], n) for key, n in following.items()}


def main() -> None:
    """Write the table of counts."""
    for name, game in GAMES.items():
        counts = " ".join(f"{sequences}/{len(tables)}" for sequences, tables in levels_apart(game, game.depth))
        sys.stdout.write(f"{name}: {counts}\n")


if __name__ == "__main__":
    main()
