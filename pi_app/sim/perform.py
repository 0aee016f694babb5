"""Performing the open card's task with the hands: a list of acts over time, with a truth at the end of each.

A structure's truth is sampled from physics all the time; of the other tasks each try is noted in the room's deeds.
"""

from collections.abc import Generator, Sequence
from typing import TypeVar

import numpy as np

from pi_app.core.names import BlockPose, Task
from pi_app.core.verdict import Outcome, Reason
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.acts import Built, build, build_steps, stone_place, tidy
from pi_app.sim.deeds import Deed
from pi_app.sim.juggle import Slip, clear_card, juggle
from pi_app.sim.motion import Mover, carry_to, leave, let_go, pick_up
from pi_app.sim.passage import How, PassPlan, Way, pass_through
from pi_app.sim.passage_plan import OVERVIEW, Lack, tunnel_steps
from pi_app.sim.pieces import Placed
from pi_app.sim.plans import AFTER, Flaw, Plan
from pi_app.sim.room import Room
from pi_app.sim.table import Script
from pi_app.sim.throw import ThrowPlan, throw_stone, turn_over

Chosen = TypeVar("Chosen")
PATIENCE_S = 6.0
TRIES = 6
REACTS_S = 0.4
"""From what the device says to the hand's next move."""
SHOWS_S = 2.5
"""How long a player who has caught the stone waits for the device."""
FLAWS = {
    Task.ACROBATS: (Flaw.WRONG_POSE, Flaw.MIRRORED, Flaw.GAP, Flaw.MISSING_PIECE, Flaw.BARE_SIDE, *AFTER),
    Task.TOWER: (Flaw.WRONG_ORDER, Flaw.MISSING_PIECE, *AFTER),
    Task.LINE: (Flaw.GAP, Flaw.NO_STONE, Flaw.BARE_SIDE, *AFTER),
}
LACKS = (Lack.NOT_TOUCHING, Lack.NO_FIFTH)
HOWS = (How.SAME_SIDE, How.OUTSIDE, How.STOPS, How.NEVER, How.KNOCKED)
WAYS = (Way.FORTH, Way.FORTH, Way.RIGHT, Way.LEFT)
SLIPS = (Slip.WRONG_COLOUR, Slip.ONE_SHORT, Slip.ONE_MORE, Slip.BESIDE)


class Performer:
    """One player's way of doing what a card asks; `quick` is the same hand where nothing needs care."""

    def __init__(self, room: Room, mover: Mover, quick: Mover) -> None:
        self._room, self._mover, self._quick = room, mover, quick

    def perform(self, view: PublicView) -> Script:
        """Try once, until the device, or the timekeeper, is content or says no; then clear up."""
        task = view.task
        assert task is not None, "a task to perform"
        match task.task:
            case Task.THROW:
                yield from self._throw(view)
            case Task.TUNNEL:
                yield from self._tunnel(view)
            case Task.JUGGLER:
                yield from self._juggle(view)
            case _:
                yield from self._structure(view)

    def _structure(self, view: PublicView) -> Script:
        room, task = self._room, view.task
        assert task is not None, "a structure to build"
        if task.task is Task.LINE and len(room.table.bag) < 4:
            yield from room.wait(1.0)
            return
        yield from tidy(self._quick)
        built = Built()
        plan = self._plan(view)
        room.plans.append((room.table.time_s, task.task, plan.flaw))
        yield from build(self._mover, plan, built)
        yield from self._answer(view)
        yield from tidy(self._quick)

    def _plan(self, view: PublicView) -> Plan:
        room, task = self._room, view.task
        assert task is not None, "a task to perform"
        random, kit = room.random, room.table.kit
        flaw = Flaw.NONE
        if random.random() > room.habits.skill:
            flaw = self._one_of(FLAWS[task.task])
        figure = kit.figure_named(task.figure) if task.figure else None
        return Plan(
            task.task, figure, float(random.uniform(-8, 8)), float(random.uniform(-40, 20)),
            float(random.uniform(-15, 15)), flaw, 0.4 + 0.3 * (1 - room.habits.skill), 0.3,
            float(random.uniform(0.9, 1.4)),
        )  # fmt: skip

    def _tunnel(self, view: PublicView) -> Script:
        """Build the tunnel and go through; where it still stands after a bad try, go again."""
        room, table = self._room, self._room.table
        yield from tidy(self._quick)
        random, built = room.random, Built()
        x, y, turn = (float(value) for value in random.uniform((-14, -40, -15), (14, -5, 15)))
        lack = self._one_of(LACKS) if random.random() > room.habits.skill else Lack.NONE
        plan = Plan(Task.TUNNEL, None, x, y, turn)
        yield from build_steps(self._mover, plan, tunnel_steps(plan, table, lack), built)
        for _ in range(2):
            passed = yield from self._go_through(built)
            yield from self._answer(view)
            if passed or not self._still_open(view) or not self._stands(built):
                break
        yield from tidy(self._quick)

    def _go_through(self, built: Built) -> Generator[None, None, bool]:
        room, table, from_s = self._room, self._room.table, self._room.table.time_s
        random = room.random
        how = self._one_of(HOWS) if random.random() > room.habits.skill else How.THROUGH
        pose = BlockPose.STAND if random.random() < 0.6 else BlockPose.LIE
        plan = PassPlan(
            self._one_of(WAYS), how, pose, float(random.uniform(-6, 6)), float(random.uniform(12, 30)),
            float(random.uniform(12, 40)), float(random.uniform(-5, 5)), self._mover.pace,
        )  # fmt: skip
        passage = yield from pass_through(self._mover, plan, built)
        at_s = table.time_s if passage.passed_s is None else passage.passed_s
        room.deeds.append(Deed(Task.TUNNEL, from_s, at_s, passage.reasons, doubtful=passage.doubtful))
        return passage.reasons == (Reason.OK,)

    def _stands(self, built: Built) -> bool:
        long = self._room.table.kit.acrobat.length_mm
        return OVERVIEW in built.names and float(self._room.table.world.at(OVERVIEW).at_mm[2]) > 0.9 * long

    def _throw(self, view: PublicView) -> Script:
        """Throw the stone just drawn until the device is content; what falls is picked up and thrown again."""
        room, table, mover = self._room, self._room.table, self._mover
        for _ in range(TRIES):
            thrown = yield from throw_stone(mover, room.stone, self._throw_plan())
            at_s = table.time_s if thrown.caught_s is None else thrown.caught_s
            deed = Deed(Task.THROW, thrown.released_s, at_s, thrown.reasons, thrown.height_mm, thrown.doubtful)
            room.deeds.append(deed)
            if deed.right:
                yield from room.until(lambda now: now.waits is not Wait.TASK, SHOWS_S)
            if not self._still_open(view):
                break
        yield from turn_over(mover)
        yield from self._put_back(room.stone)
        yield from room.until(lambda now: now.waits is not Wait.APPROVAL, 3 * PATIENCE_S)

    def _throw_plan(self) -> ThrowPlan:
        random, habits = self._room.random, self._room.habits
        x, y, z = (float(value) for value in random.uniform((-60, -70, 85), (60, 10, 115)))
        low = random.random() > 0.5 + habits.skill / 2
        height = float(random.uniform(55, 92) if low else random.uniform(115, 230))
        drift = float(random.normal(0, 14)), float(random.normal(0, 8))
        caught = bool(random.random() < 0.3 + 0.7 * habits.skill)
        return ThrowPlan(
            height, caught, (x, y, z), drift, float(random.uniform(-15, 10)), float(random.uniform(0.1, 0.6))
        )

    def _put_back(self, stone: str) -> Script:
        """Lay the thrown stone in the stone zone."""
        mover, table = self._mover, self._room.table
        if mover.hand.holding != stone:
            yield from pick_up(mover, stone)
        yield from carry_to(mover, Placed(stone_place(table), np.eye(3)))
        yield from let_go(mover)
        yield from leave(mover)

    def _juggle(self, view: PublicView) -> Script:
        room, table = self._room, self._room.table
        card = table.cards.get(room.card_name)
        wanted = table.kit.card_named(card.card).stones if card else None
        if card is None or wanted is None:
            yield from room.wait(1.0)
            return
        size_mm = room.card_sizes_mm[card.card]
        slip = self._one_of(SLIPS) if room.random.random() > room.habits.skill else Slip.NONE
        yield from juggle(self._mover, card, size_mm, wanted, slip, room.deeds.append)
        yield from self._answer(view)
        yield from clear_card(self._quick, card, size_mm)

    def _answer(self, view: PublicView) -> Script:
        """Wait for the device's verdict, and for the timekeeper's where it asks for that."""
        number = view.verdict.number if view.verdict else 0
        yield from self._room.until(lambda now: now.waits is not Wait.TASK or _heard(now) > number, 1.5 * PATIENCE_S)
        yield from self._room.until(lambda now: now.waits is not Wait.APPROVAL, 3 * PATIENCE_S)
        yield from self._room.wait(REACTS_S)

    def _still_open(self, view: PublicView) -> bool:
        now = self._room.view
        return now is not None and now.waits is Wait.TASK and now.task == view.task

    def _one_of(self, choices: Sequence[Chosen]) -> Chosen:
        return choices[int(self._room.random.integers(len(choices)))]


def _heard(view: PublicView) -> int:
    """Return the number of the last verdict that was not unsure."""
    verdict = view.verdict
    return verdict.number if verdict and verdict.outcome is not Outcome.UNSURE else 0
