"""The simulated timekeeper and the other players: they answer what the device asks, and claim objects."""

from dataclasses import dataclass, field

import numpy as np

from pi_app.core.names import Task
from pi_app.core.verdict import Outcome
from pi_app.session.voila.commands import Approve, Command, ContinueTurn, Reject, TellCard, TellStone
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.deeds import FINISHED_BY_ACT, attempt_of
from pi_app.sim.hands import Hand
from pi_app.sim.motion import Mover, place, rest_mm
from pi_app.sim.pieces import Placed, tile_name
from pi_app.sim.room import Room
from pi_app.sim.table import Script

TELL_AFTER_S = 0.5
UNREAD_AFTER_S = 5.0
MISREAD_AFTER_S = 1.5
STONE_AFTER_S = 3.0
DECIDE_AFTER_S = 0.8
PAD_MM = np.array([-290.0, 165.0, 2.0])


@dataclass(eq=False)
class SimTimekeeper:
    """Answers truthfully, from the physics; overrules no verdict that the device is sure of.

    `reads_cards`: the device is given time to read a card, and corrected where it took it for another.
    """

    room: Room
    reads_cards: bool = False
    _since: tuple[object, float] = (None, 0.0)
    _told: set[tuple[object, ...]] = field(default_factory=set)

    def commands(self) -> list[Command]:
        """Return what the timekeeper tells the device now; to be asked again and again as time passes."""
        view = self.room.view
        if view is None:
            return []
        key = (view.waits, view.verdict.number if view.verdict else 0, view.turn.number if view.turn else 0)
        if key != self._since[0]:
            self._since = (key, self.room.table.time_s)
        answer = self._answer(view, self.room.table.time_s - self._since[1])
        return [] if answer is None else [answer]

    def _answer(self, view: PublicView, waited_s: float) -> Command | None:
        room, now_s = self.room, self.room.table.time_s
        match view.waits:
            case Wait.CARD | Wait.BONUS if room.card is not None and now_s - room.card_at_s > self._card_after_s:
                return self._once(TellCard(room.card), ("card", room.card_at_s))
            case Wait.TASK | Wait.TIMEKEEPER | Wait.CLAIMS if (
                self._misread(view) and now_s - room.card_at_s > MISREAD_AFTER_S
            ):
                return self._once(TellCard(room.shown[-1][1]), ("misread", room.card_at_s))
            case Wait.TIMEKEEPER if room.acted is not None and now_s - room.acted_at_s > TELL_AFTER_S:
                return self._once(Approve() if room.acted else Reject(), ("acted", room.acted_at_s))
            case Wait.APPROVAL if waited_s > DECIDE_AFTER_S:
                return self._once(Approve() if self.really(view) else Reject(), ("approval", self._since))
            case Wait.CONTINUE if waited_s > DECIDE_AFTER_S:
                return self._once(ContinueTurn(), ("continue", self._since))
            case Wait.FIRST_STONE | Wait.STONE_OR_VOILA if (
                self._stone_missed(view) and now_s - room.stone_at_s > STONE_AFTER_S
            ):
                return self._once(TellStone(room.stones[-1]), ("stone", room.stone_at_s))
            case _:
                return None

    @property
    def _card_after_s(self) -> float:
        return UNREAD_AFTER_S if self.reads_cards else TELL_AFTER_S

    def _misread(self, view: PublicView) -> bool:
        """Return whether the device has taken the card last laid for another."""
        room = self.room
        return bool(room.shown and room.stone_cards and view.task is not None and view.task.card != room.shown[-1][1])

    def _stone_missed(self, view: PublicView) -> bool:
        return view.turn is not None and len(view.turn.stones) < len(self.room.stones)

    def _once(self, command: Command, why: tuple[object, ...]) -> Command | None:
        if why in self._told:
            return None
        self._told.add(why)
        return command

    def really(self, view: PublicView) -> bool:
        """Return whether the open task was really done since the card was laid, or the building of it began."""
        task, plans = view.task, self.room.plans
        if task is not None and task.task in FINISHED_BY_ACT and task.by_camera:
            room = self.room
            return attempt_of(room.deeds, task.task, room.card_at_s, room.table.time_s).outcome is Outcome.PASS
        if task is None or not plans or task.task not in (Task.ACROBATS, Task.TOWER, Task.LINE):
            return bool(self.room.acted)
        figure = self.room.table.kit.figure_named(task.figure) if task.figure else None
        truth = self.room.table.truth.attempt(task.task, figure, plans[-1][0], self.room.table.time_s)
        return truth.outcome is Outcome.PASS


class Claimers:
    """All players look for the object: each presses after a time of their own and lays a tile, mostly the right one."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def play(self) -> Script:
        """Claim for the whole game."""
        while self._room.waits() is not Wait.NOTHING:
            if self._room.waits() in (Wait.CLAIMS, Wait.TILE):
                yield from self._one_card()
            yield

    def _one_card(self) -> Script:
        room, table = self._room, self._room.table
        spread = 1.2 + 2.5 * (1 - room.habits.skill)
        due = {
            seat: table.time_s + (1.0 + float(room.random.exponential(spread))) / room.habits.pace
            for seat in range(room.players)
        }
        laid: set[int] = set()
        while room.view is not None and room.waits() in (Wait.CLAIMS, Wait.TILE):
            view = room.view
            for seat in [seat for seat, at_s in due.items() if at_s <= table.time_s]:
                due.pop(seat)
                table.run(room.buttons.press(view.seats[seat].button))
            holder = view.claim.holder if view.claim else None
            if holder is not None and holder not in laid and view.task is not None:
                laid.add(holder)
                yield from self._lay_tile(holder, view.task.object)
            yield

    def _lay_tile(self, seat: int, wanted: str | None) -> Script:
        room, table = self._room, self._room.table
        tiles = [piece.id for piece in table.kit.tile.piece]
        right = wanted in tiles and room.random.random() < 0.5 + 0.5 * room.habits.skill
        tile = wanted if right and wanted is not None else tiles[int(room.random.integers(len(tiles)))]
        side = 1.0 if table.homes[tile_name(tile)].at_mm[0] > 0 else -1.0
        hand = Hand(np.array([side * 640.0, -150.0, 260.0]), np.zeros(3), look=room.look(seat))
        hand.tip_mm = rest_mm(hand)
        mover = Mover(table, hand, 2.2 * room.habits.pace)
        table.hands.append(hand)
        name = tile_name(tile)
        table.world.put(name)
        yield from place(mover, name, Placed(PAD_MM, table.homes[name].rotation))
        room.pad.lay(tile)
        yield from room.wait(0.6)
        room.pad.lay(None)
        yield from place(mover, name, table.homes[name])
        table.world.park(name, table.homes[name])
        table.hands.remove(hand)
