"""The active player's hands: a script for the whole game that looks at the device's public view and acts.

The player knows what a person at the table knows: whose turn it is, what the device waits for and announces, the cards
and stones in hand, and how much time has passed, roughly.
"""

import numpy as np

from pi_app.core.names import Colour, Task
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.acts import gather_stones, lay_stone, tidy
from pi_app.sim.cardplay import lay_card, remove_card
from pi_app.sim.disorder import lie_about, rest_hand
from pi_app.sim.hands import Hand
from pi_app.sim.motion import Mover, drop, pass_arm, reach, rest_mm
from pi_app.sim.perform import PATIENCE_S, Performer
from pi_app.sim.room import Room
from pi_app.sim.table import Script

CALL_AFTER_S = (29.0, 36.0)
KEPT_S = 5.0
CARDS_OVER = 0.15
"""How often a second card is laid over the first rather than beside it."""
HELD_S = (0.4, 2.2)
SIMPLE_S = {Task.THROW: 1.4, Task.TUNNEL: 10.0, Task.JUGGLER: 4.0}


class ActivePlayer:
    """Plays every turn, with the hands of whoever is active."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._hand = Hand(np.array([0.0, -620.0, 250.0]), np.zeros(3))
        self._hand.tip_mm = rest_mm(self._hand)
        self._mover = Mover(room.table, self._hand, room.habits.pace)
        self._quick = Mover(room.table, self._hand, 2.2 * room.habits.pace)
        self._performer = Performer(room, self._mover, self._quick)
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
                yield from self._in_turn(view, self._performer.perform(view))
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
        yield from self._room.until(lambda view: view.waits is not Wait.PLAYERS, PATIENCE_S)

    def _begin(self, view: PublicView) -> Script:
        """Clear the table, then press to begin."""
        room, turn = self._room, view.turn
        assert turn is not None, "a turn to begin"
        self._hand.look = room.look(turn.seat)
        yield from self._clear()
        room.stones, room.card, room.acted, room.stone_cards = [], None, None, 0
        room.table.truth.forget(room.table.time_s - KEPT_S)
        self._began_s = room.table.time_s
        self._call_after_s = float(room.random.uniform(*CALL_AFTER_S))
        yield from room.buttons.press(view.seats[turn.seat].button)
        yield from self._room.until(lambda now: now.waits is Wait.FIRST_STONE, 2.5)
        if room.random.random() < room.habits.passing_arms:
            room.table.run(pass_arm(room.table, float(room.random.uniform(4.0, 25.0))))
        if room.habits.disorder > 0 and room.random.random() < room.habits.disorder:
            mess = lie_about if room.random.random() < 0.6 else rest_hand
            other = room.look((turn.seat + 1) % room.players)
            room.table.run(mess(room.table, other, float(room.random.uniform(1.0, 20.0))))

    def _clear(self) -> Script:
        table, quick = self._room.table, self._quick
        yield from drop(quick)
        yield from tidy(quick)
        yield from gather_stones(quick)
        for card in list(table.cards):
            yield from remove_card(quick, card)

    def _draw_stone(self, view: PublicView) -> Script:
        room, before = self._room, view.turn.stones if view.turn else ()
        if not room.table.bag:
            yield
            return
        room.stone = yield from lay_stone(self._mover)
        room.stones.append(Colour(room.table.pieces[room.stone].id))
        room.stone_at_s, room.stone_cards = room.table.time_s, 0
        yield from self._room.until(lambda now: now.turn is None or len(now.turn.stones) > len(before), PATIENCE_S)

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
        yield from self._room.until(lambda now: now.waits is not Wait.STONE_OR_VOILA, PATIENCE_S)

    def _reveal(self, view: PublicView) -> Script:
        """Draw a card and lay it in the card zone; only a blue stone's second card joins the first one there."""
        room, before = self._room, (view.waits, view.bonus_owed)
        second = view.waits is Wait.CARD and room.stone_cards == 1
        for lying in [] if second else list(room.table.cards):
            yield from remove_card(self._mover, lying)
        card = room.deck.draw()
        over = second and bool(room.random.random() < CARDS_OVER)
        held_s = float(room.random.uniform(*HELD_S)) if room.random.random() < room.habits.held_cards else 0.0
        room.card_name = yield from lay_card(self._mover, card, over=over, held_s=held_s)
        room.card, room.card_at_s, room.acted = card, room.table.time_s, None
        room.shown.append((room.table.time_s, card))
        room.stone_cards += 1
        yield from self._room.until(lambda now: (now.waits, now.bonus_owed) != before, 2 * PATIENCE_S)
        room.card = None

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
        yield from self._room.until(lambda now: now.waits is not Wait.TIMEKEEPER, PATIENCE_S)

    def _in_turn(self, view: PublicView, script: Script) -> Script:
        """Act until done or the turn is over; then a piece in the hand is let go."""
        turn = view.turn
        number = turn.number if turn else 0
        for _ in script:
            if self._room.turn_over(number):
                script.close()
                yield from drop(self._mover)
                return
            yield
