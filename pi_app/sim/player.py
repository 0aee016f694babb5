"""The active player's hands: a script for the whole game that looks at the device's public view and acts.

The player knows what a person at the table knows: whose turn it is, what the device waits for and announces, the cards
and stones in hand, and how much time has passed, roughly.
"""

from collections.abc import Callable

import numpy as np

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome
from pi_app.session.view import PublicView, Wait
from pi_app.sim.acts import Built, build, gather_stones, lay_card, lay_stone, remove_card, tidy
from pi_app.sim.hands import Hand
from pi_app.sim.motion import Mover, drop, pass_arm, reach, rest_mm
from pi_app.sim.plans import AFTER, Flaw, Plan
from pi_app.sim.room import Room
from pi_app.sim.table import Script

CALL_AFTER_S = (29.0, 36.0)
PATIENCE_S = 6.0
KEPT_S = 5.0
FLAWS = {
    Task.ACROBATS: (Flaw.WRONG_POSE, Flaw.MIRRORED, Flaw.GAP, Flaw.MISSING_PIECE, Flaw.BARE_SIDE, *AFTER),
    Task.TOWER: (Flaw.WRONG_ORDER, Flaw.MISSING_PIECE, *AFTER),
    Task.LINE: (Flaw.GAP, Flaw.NO_STONE, Flaw.BARE_SIDE, *AFTER),
}
SIMPLE_S = {Task.THROW: 1.4, Task.TUNNEL: 10.0, Task.JUGGLER: 4.0}


class ActivePlayer:
    """Plays every turn, with the hands of whoever is active."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._hand = Hand(np.array([0.0, -620.0, 250.0]), np.zeros(3))
        self._hand.tip_mm = rest_mm(self._hand)
        self._mover = Mover(room.table, self._hand, room.habits.pace)
        self._began_s = 0.0
        self._call_after_s = 30.0
        room.table.hands.append(self._hand)

    def play(self) -> Script:
        """Act for the whole game."""
        while self._room.waits() is not Wait.NOTHING:
            view = self._room.view
            if view is None:
                yield
                continue
            yield from self._act(view)
            yield

    def _act(self, view: PublicView) -> Script:
        match view.waits:
            case Wait.PLAYERS:
                yield from self._join()
            case Wait.TURN | Wait.STONES_BACK:
                yield from self._begin(view)
            case Wait.FIRST_STONE:
                yield from self._in_turn(view, self._draw_stone(view))
            case Wait.STONE_OR_VOILA if self._wants_to_stop(view):
                yield from self._in_turn(view, self._call_voila(view))
            case Wait.STONE_OR_VOILA:
                yield from self._in_turn(view, self._draw_stone(view))
            case Wait.CARD | Wait.BONUS:
                yield from self._reveal(view)
            case Wait.TASK:
                yield from self._in_turn(view, self._build(view))
            case Wait.TIMEKEEPER if self._room.acted is None:
                yield from self._in_turn(view, self._act_simply(view))
            case _:
                yield

    def _join(self) -> Script:
        """Everybody presses in seat order, then the first seat starts the game."""
        room = self._room
        for button in (*range(1, room.players + 1), 1):
            yield from room.buttons.press(button)
            yield from room.wait(0.5)
        yield from self._until(lambda view: view.waits is not Wait.PLAYERS, PATIENCE_S)

    def _begin(self, view: PublicView) -> Script:
        """Clear the table, then press to begin."""
        room, turn = self._room, view.turn
        assert turn is not None, "a turn to begin"
        self._hand.look = room.look(turn.seat)
        yield from self._clear()
        room.stones, room.card, room.acted = [], None, None
        room.table.truth.forget(room.table.time_s - KEPT_S)
        self._began_s = room.table.time_s
        self._call_after_s = float(room.random.uniform(*CALL_AFTER_S))
        yield from room.buttons.press(view.seats[turn.seat].button)
        yield from self._until(lambda now: now.waits is Wait.FIRST_STONE, 2.5)
        if room.random.random() < room.habits.passing_arms:
            room.table.run(pass_arm(room.table, float(room.random.uniform(4.0, 25.0))))

    def _clear(self) -> Script:
        table, quick = self._room.table, self._quick()
        yield from drop(quick)
        yield from tidy(quick)
        yield from gather_stones(quick)
        for card in list(table.cards):
            yield from remove_card(quick, card)

    def _quick(self) -> Mover:
        """Return the same hand in a hurry: taking apart needs no care."""
        return Mover(self._room.table, self._hand, 2.2 * self._room.habits.pace)

    def _draw_stone(self, view: PublicView) -> Script:
        room, before = self._room, view.turn.stones if view.turn else ()
        if not room.table.bag:
            yield
            return
        colour = yield from lay_stone(self._mover)
        room.stones.append(colour)
        room.stone_at_s = room.table.time_s
        yield from self._until(lambda now: now.turn is None or len(now.turn.stones) > len(before), PATIENCE_S)

    def _wants_to_stop(self, view: PublicView) -> bool:
        """Return whether to stop: enough to lose, and little time left by the player's own feeling."""
        felt_s = (self._room.table.time_s - self._began_s) * self._room.habits.pace
        stake = sum(seat.at_stake for seat in view.seats if seat.active)
        enough_s = self._call_after_s * (0.7 if stake >= 6 else 1.0)
        return not self._room.table.bag or felt_s > enough_s

    def _call_voila(self, view: PublicView) -> Script:
        turn = view.turn
        assert turn is not None, "a turn to end"
        yield from self._room.buttons.press(view.seats[turn.seat].button)
        yield from self._until(lambda now: now.waits is not Wait.STONE_OR_VOILA, PATIENCE_S)

    def _reveal(self, view: PublicView) -> Script:
        """Draw a card and lay it in the card zone, over none other."""
        room, before = self._room, (view.waits, view.bonus_owed)
        for lying in list(room.table.cards):
            yield from remove_card(self._mover, lying)
        card = room.deck.draw()
        yield from lay_card(self._mover, card)
        room.card, room.card_at_s, room.acted = card, room.table.time_s, None
        yield from self._until(lambda now: (now.waits, now.bonus_owed) != before, 2 * PATIENCE_S)
        room.card = None

    def _build(self, view: PublicView) -> Script:
        """Build what the open card asks for until the device, or the timekeeper, is content."""
        room, task = self._room, view.task
        assert task is not None, "a task to perform"
        number = view.verdict.number if view.verdict else 0
        if task.task is Task.LINE and len(room.table.bag) < 4:
            yield from room.wait(1.0)
            return
        yield from tidy(self._quick())
        built = Built()
        plan = self._plan(view)
        room.plans.append((room.table.time_s, task.task, plan.flaw))
        yield from build(self._mover, plan, built)
        yield from self._until(lambda now: now.waits is not Wait.TASK or _heard(now) > number, 1.5 * PATIENCE_S)
        yield from self._until(lambda now: now.waits is not Wait.APPROVAL, 3 * PATIENCE_S)
        yield from tidy(self._quick())

    def _plan(self, view: PublicView) -> Plan:
        room, task = self._room, view.task
        assert task is not None, "a task to perform"
        random, kit = room.random, room.table.kit
        flaw = Flaw.NONE
        if random.random() > room.habits.skill:
            flaws = FLAWS[task.task]
            flaw = flaws[int(random.integers(len(flaws)))]
        figure = kit.figure_named(task.figure) if task.figure else None
        return Plan(
            task.task, figure, float(random.uniform(-8, 8)), float(random.uniform(-40, 20)),
            float(random.uniform(-15, 15)), flaw, 0.4 + 0.3 * (1 - room.habits.skill), 0.3,
            float(random.uniform(0.9, 1.4)),
        )  # fmt: skip

    def _act_simply(self, view: PublicView) -> Script:
        """Perform what the camera does not judge: time passes; whether it was done well is the truth."""
        room, task = self._room, view.task
        assert task is not None, "a task to perform"
        well = False
        while not well:
            for _ in range(2):
                place = room.random.uniform((-60, -60, 60), (60, 20, 140))
                yield from reach(self._mover, place, 0.5 * SIMPLE_S.get(task.task, 3.0))
            well = bool(room.random.random() < 0.35 + 0.6 * room.habits.skill)
        yield from reach(self._mover, rest_mm(self._hand), 0.4)
        room.acted, room.acted_at_s = True, room.table.time_s
        yield from self._until(lambda now: now.waits is not Wait.TIMEKEEPER, PATIENCE_S)

    def _in_turn(self, view: PublicView, script: Script) -> Script:
        """Act until done or the turn is over; then a piece in the hand is let go."""
        turn = view.turn
        number = turn.number if turn else 0
        for _ in script:
            if self._room.turn_over(number):
                yield from drop(self._mover)
                return
            yield

    def _until(self, seen: Callable[[PublicView], bool], at_most_s: float) -> Script:
        """Wait until the device shows something, or patience ends."""
        until = self._room.table.time_s + at_most_s
        while self._room.table.time_s < until:
            if self._room.view is not None and seen(self._room.view):
                return
            yield


def _heard(view: PublicView) -> int:
    """Return the number of the last verdict that was not unsure."""
    verdict = view.verdict
    return verdict.number if verdict and verdict.outcome is not Outcome.UNSURE else 0
