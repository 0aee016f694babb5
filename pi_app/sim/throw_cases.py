"""Clips of stones that are thrown, well or badly, once or several times, with their truth."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pi_app.core.clock import ManualClock
from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.core.verdict import Reason
from pi_app.kit.table import Table
from pi_app.sim.cases import Case, KitAt, _first
from pi_app.sim.hands import Hand
from pi_app.sim.lights import room_scene
from pi_app.sim.motion import Mover, wait
from pi_app.sim.parts import SimCamera
from pi_app.sim.picture import TablePicture
from pi_app.sim.pieces import Placed, turn_z
from pi_app.sim.scene import Faults, Scene
from pi_app.sim.table import Script, SimTable
from pi_app.sim.throw import Throw, ThrowPlan, throw_stone
from pi_app.vision.camera import Camera, View, look_at

SLEEVES = ((120.0, 70.0, 50.0), (40.0, 40.0, 150.0), (60.0, 120.0, 40.0), (205.0, 205.0, 210.0), (40.0, 150.0, 200.0))
REST_S = 0.6


@dataclass(slots=True, eq=False)
class _Deeds:
    """What is thrown, one after the other, and what came of it."""

    mover: Mover
    other: Mover
    stone: str
    plans: tuple[ThrowPlan, ...]
    across: bool
    done: list[Throw] = field(default_factory=list)

    def script(self) -> Script:
        """Throw until all plans are carried out; a stone that was dropped ends it."""
        hands = (self.mover, self.other)
        for number, plan in enumerate(self.plans):
            thrower, catcher = hands[number % 2 if self.across else 0], hands[1 - number % 2]
            thrown = yield from throw_stone(thrower, self.stone, plan, catcher if self.across else None)
            self.done.append(thrown)
            if thrown.caught_s is None:
                return
            yield from wait(self.mover, REST_S)


def throw_case(at: KitAt, table: Table, seed: int, mode: Mode, fps: float | None = None) -> Case:
    """Return a clip of one to three throws."""
    random = np.random.default_rng((seed, 27))
    sleeve = SLEEVES[int(random.integers(len(SLEEVES)))]
    scene = room_scene(seed)
    scene = replace(scene, look=replace(scene.look, sleeve_bgr=sleeve), view=_view(scene.view.camera, random))
    sim = SimTable(at.kit, table, seed, ManualClock(10**12 + 10**7 * seed))
    movers = [_mover(sim, scene, side) for side in (1.0, -1.0)]
    _strays(sim, random)
    deeds = _plan(sim, movers, random)
    movers[1].hand.visible = deeds.across
    sim.run(deeds.script())
    sim.advance_to(float(random.uniform(0.9, 1.1)))
    picture = TablePicture(scene, table, at.kit, at.art, sim.pieces.values(), mode)
    rate = fps or float(random.choice((60.0, 60.0, 60.0, 50.0)))
    faults = Faults(drop_rate=0.05) if random.random() < 0.25 else Faults()
    seconds = 1.4 + 1.9 * len(deeds.plans)
    frames = _first(SimCamera(sim, picture, faults, rate), round(rate * seconds))
    began_s = sim.time_s
    values = {"kit": at.name, "kind": "throw", "mode": str(mode), "task": "throw"}
    return Case(values, scene, frames, lambda seen: _truth(deeds, began_s, seen), still=False)


def _view(camera: Camera, random: np.random.Generator) -> View:
    """Return a view of the mat and of what is above it, from a wider lens and aimed higher than structures need."""
    focal = camera.width * float(random.uniform(0.64, 0.88))
    distance = focal / camera.width * float(random.uniform(680.0, 800.0))
    rise, aside = np.deg2rad(random.uniform(28.0, 40.0)), np.deg2rad(random.uniform(-10.0, 10.0))
    target = np.array([random.uniform(-15, 15), -20.0, random.uniform(45.0, 95.0)])
    away = np.array([np.sin(aside) * np.cos(rise), np.cos(aside) * np.cos(rise), np.sin(rise)])
    pose = look_at(target + distance * away, target, float(random.uniform(-4.0, 4.0)))
    return View(replace(camera, fx=focal, fy=focal), pose)


def _mover(sim: SimTable, scene: Scene, side: float) -> Mover:
    hand = Hand(np.array([side * 130.0, -620.0, 250.0]), np.array([side * 70.0, -330.0, 60.0]), look=scene.look)
    sim.hands.append(hand)
    return Mover(sim, hand, 1.0)


def _plan(sim: SimTable, movers: list[Mover], random: np.random.Generator) -> _Deeds:
    across = bool(random.random() < 0.25)
    plans: list[ThrowPlan] = []
    height_mm = float(random.uniform(95, 140))
    for _ in range(int(random.choice((1, 1, 1, 2, 2)))):
        low = random.random() < 0.3
        height = float(random.uniform(40, 80) if low else random.uniform(118, 300))
        side = 1.0 if across and len(plans) % 2 == 0 else -1.0
        drift = (-side * float(random.uniform(110, 160)) if across else float(random.uniform(-25, 25)), 0.0)
        start = (side * 65.0 if across else float(random.uniform(-50, 50)), float(random.uniform(-150, -30)), height_mm)
        caught = bool(random.random() < 0.7)
        plans.append(
            ThrowPlan(height, caught, start, drift, float(random.uniform(-30, 5)), float(random.uniform(0.2, 0.4)))
        )
    return _Deeds(movers[0], movers[1], sim.draw_stone(), tuple(plans), across)


def _strays(sim: SimTable, random: np.random.Generator) -> None:
    zone = sim.table.zones.stones
    for n in range(int(random.integers(0, 4))):
        place = np.array([random.uniform(zone.x0, zone.x1), zone.y0 + 30.0 + 45.0 * n, sim.kit.stone.height_mm / 2])
        sim.world.put(sim.draw_stone(), Placed(place, turn_z(float(random.uniform(0, 90)))))


def _truth(deeds: _Deeds, began_s: float, seen: Sequence[Frame]) -> dict[str, object] | None:
    """Return what the clip shows; None where a throw is close to the wanted height, or not all of it is shown."""
    length_s = (seen[-1].sensor_ns - seen[0].sensor_ns) / 1e9
    ends = [began_s] + [throw.caught_s or throw.released_s + 0.6 for throw in deeds.done]
    if not deeds.done or any(throw.doubtful for throw in deeds.done) or max(ends) - began_s > length_s - 0.3:
        return None
    if deeds.done[0].released_s < began_s + 0.2:
        return None
    good = any(throw.reasons == (Reason.OK,) for throw in deeds.done)
    reasons = {str(reason) for throw in deeds.done for reason in throw.reasons if reason is not Reason.OK}
    return {
        "outcome": "pass" if good else "fail",
        "reasons": ["ok"] if good else sorted(reasons),
        "throws": [_told(throw, began_s) for throw in deeds.done],
        "notes": f"{deeds.stone}, {'hand to hand' if deeds.across else 'one hand'}",
    }


def _told(throw: Throw, began_s: float) -> dict[str, object]:
    return {
        "released_s": round(throw.released_s - began_s, 4),
        "caught_s": None if throw.caught_s is None else round(throw.caught_s - began_s, 4),
        "height_mm": round(throw.height_mm, 1),
        "caught": throw.caught_s is not None,
    }
