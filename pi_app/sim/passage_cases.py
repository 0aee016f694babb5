"""Clips of tunnels that the sixth acrobat goes through, or does not, with their truth."""

from collections.abc import Sequence

import numpy as np

from pi_app.core.names import BlockPose, Mode, Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.sim.acts import Built, build_at_once
from pi_app.sim.cases import Case, KitAt, _faults, _first, _table, _values
from pi_app.sim.motion import Mover, wait
from pi_app.sim.parts import SimCamera
from pi_app.sim.passage import How, Passage, PassPlan, Way, pass_through, sixth_of, start_of
from pi_app.sim.passage_plan import OVERVIEW, Lack, tile_at, tunnel_steps
from pi_app.sim.picture import TablePicture
from pi_app.sim.plans import Plan
from pi_app.sim.scene import random_scene
from pi_app.sim.table import Script

LACKS = (*[Lack.NONE] * 9, Lack.NOT_TOUCHING, Lack.NOT_TOUCHING, Lack.NO_FIFTH, Lack.NO_LEG)
HOWS = (
    *[How.THROUGH] * 5, How.FLICKED, How.FLICKED, How.SAME_SIDE, How.OUTSIDE, How.STOPS, How.NEVER, How.OVER,
    How.KNOCKED,
)  # fmt: skip
WAYS = (Way.FORTH, Way.FORTH, Way.RIGHT, Way.LEFT, Way.BACK)


def tunnel_case(at: KitAt, table: Table, seed: int, mode: Mode, seconds: float = 5.0) -> Case:
    """Return a clip: a tunnel stands, well or badly built, and the sixth acrobat goes through it, or not."""
    random = np.random.default_rng((seed, 24))
    scene = random_scene(seed)
    sim, mover = _table(at, table, scene, seed, 1.0)
    lack = LACKS[int(random.integers(len(LACKS)))]
    x, y, turn = (float(value) for value in random.uniform((-14, -40, -20), (14, -5, 20)))
    plan = Plan(Task.TUNNEL, None, x, y, turn)
    built = Built()
    build_at_once(mover, plan, tunnel_steps(plan, sim, lack), built)
    sim.world.advance(0.5)
    passing = _pass_plan(random, lack)
    sim.world.put(sixth_of(sim, built), start_of(sim, passing, tile_at(sim.world.at(OVERVIEW), at.kit)))
    sim.world.advance(0.1)
    deed = _Deed(mover, passing, built, float(random.uniform(0.1, 0.9)))
    sim.run(deed.script())
    picture = TablePicture(scene, table, at.kit, at.art, sim.pieces.values(), mode)
    fps = float(random.choice((30.0, 30.0, 25.0)))
    frames = _first(SimCamera(sim, picture, _faults(random), fps), round(fps * seconds))
    began_s = sim.time_s
    notes = f"{lack}, {passing.how} {passing.way}"
    return Case(
        _values(at, "tunnel", plan, mode) | {"card": "tunnel"},
        scene,
        frames,
        lambda seen: _truth(deed.passage, began_s, notes, seen),
        still=False,
    )


class _Deed:
    """The act, and its truth once it has ended."""

    def __init__(self, mover: Mover, plan: PassPlan, built: Built, after_s: float) -> None:
        self._mover, self._plan, self._built, self._after_s = mover, plan, built, after_s
        self.passage: Passage | None = None

    def script(self) -> Script:
        """Wait a moment, then act."""
        yield from wait(self._mover, self._after_s)
        self.passage = yield from pass_through(self._mover, self._plan, self._built)


def _pass_plan(random: np.random.Generator, lack: Lack) -> PassPlan:
    how = HOWS[int(random.integers(len(HOWS)))] if lack is Lack.NONE else How.THROUGH
    way = WAYS[int(random.integers(len(WAYS)))]
    return PassPlan(
        way,
        how,
        BlockPose.STAND if random.random() < 0.6 else BlockPose.LIE,
        float(random.uniform(-6, 6)),
        float(random.uniform(8, 30)),
        float(random.uniform(10, 45)),
        float(random.uniform(-6, 6)),
        float(random.uniform(1.0, 1.6)),
        lies_there=True,
    )


def _truth(passage: Passage | None, began_s: float, notes: str, seen: Sequence[Frame]) -> dict[str, object] | None:
    """Return what a judge should say; None where it is doubtful or the pictures end before the act does."""
    if passage is None or passage.doubtful or not seen:
        return None
    values: dict[str, object] = {
        "outcome": "pass" if passage.reasons == (Reason.OK,) else "fail",
        "reasons": list(passage.reasons),
        "notes": notes,
    }
    if passage.passed_s is not None:
        values["passed_at_s"] = round(passage.passed_s - began_s, 3)
    return values
