"""Single simulated scenes with their truth: a structure that is finished and stands or not, a still, some stones."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pi_app.core.clock import ManualClock
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome
from pi_app.kit.art import KitArt
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.sim.acts import Built, build_at_once, build_steps, start_mm
from pi_app.sim.built import match_structure
from pi_app.sim.hands import Hand
from pi_app.sim.lights import room_scene
from pi_app.sim.motion import Mover
from pi_app.sim.parts import SimCamera
from pi_app.sim.picture import TablePicture
from pi_app.sim.pieces import Placed, turn_z
from pi_app.sim.plans import Flaw, Plan, steps_of
from pi_app.sim.scene import Faults, Scene
from pi_app.sim.table import SimTable
from pi_app.sim.truth import STAND_S, Attempt, stones_in_zone

STRUCTURE_FLAWS = {
    Task.ACROBATS: (
        Flaw.NONE,
        Flaw.NONE,
        Flaw.NONE,
        Flaw.WRONG_POSE,
        Flaw.MIRRORED,
        Flaw.GAP,
        Flaw.MISSING_PIECE,
        Flaw.BARE_SIDE,
    ),
    Task.TOWER: (Flaw.NONE, Flaw.NONE, Flaw.WRONG_ORDER, Flaw.MISSING_PIECE),
    Task.LINE: (Flaw.NONE, Flaw.NONE, Flaw.GAP, Flaw.MISSING_PIECE, Flaw.BARE_SIDE, Flaw.NO_STONE),
}
LATER_FLAWS = (
    Flaw.NONE, Flaw.NONE, Flaw.NONE, Flaw.NONE, Flaw.HAND_NEAR, Flaw.HELD, Flaw.NEVER_LET_GO, Flaw.TOO_SHORT,
    Flaw.KNOCKED_OVER, Flaw.TABLE_KNOCKED,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class KitAt:
    """A kit with its pictures and its name under kits/."""

    name: str
    kit: Kit
    art: KitArt


@dataclass(frozen=True, eq=False)
class Case:
    """What is written: case.toml's values, the pictures, and the truth, which is known once the pictures are drawn."""

    values: Mapping[str, str | int]
    scene: Scene
    frames: Iterator[Frame]
    truth: Callable[[Sequence[Frame]], dict[str, object] | None]
    still: bool


def stand_case(at: KitAt, table: Table, seed: int, mode: Mode, seconds: float = 5.2) -> Case:
    """Return a clip: the last piece is placed, and the structure stands, or not."""
    random = np.random.default_rng((seed, 21))
    scene = room_scene(seed)
    sim, mover = _table(at, table, scene, seed, float(random.uniform(1.0, 1.5)))
    plan = _plan(at.kit, random, 0.5, _stand_flaw)
    steps, built = steps_of(plan, mover.table), Built()
    build_at_once(mover, plan, steps[:-1], built)
    sim.world.advance(0.3)
    sim.run(build_steps(mover, plan, steps[-1:], built))
    picture = TablePicture(scene, table, at.kit, at.art, sim.pieces.values(), mode)
    fps = float(random.choice((30.0, 30.0, 25.0, 40.0)))
    camera = SimCamera(sim, picture, _faults(random), fps)
    frames = _first(camera, round(fps * seconds))
    values = _values(at, "stand", plan, mode)
    return Case(values, scene, frames, lambda seen: _stand_truth(sim, plan, seen), still=False)


def structure_case(at: KitAt, table: Table, seed: int, mode: Mode) -> Case:
    """Return one still of a structure, right or wrong."""
    random = np.random.default_rng((seed, 22))
    scene = room_scene(seed)
    sim, mover = _table(at, table, scene, seed, 1.0)
    plan = _plan(
        at.kit, random, 0.35, lambda rng, task: STRUCTURE_FLAWS[task][int(rng.integers(len(STRUCTURE_FLAWS[task])))]
    )
    build_at_once(mover, plan, steps_of(plan, mover.table), Built())
    sim.world.advance(0.8)
    sim.hands[0].visible = False
    picture = TablePicture(scene, table, at.kit, at.art, sim.pieces.values(), mode)
    frames = iter([Frame(0, 0, picture.draw(sim.snapshot()))])
    match = match_structure(plan.task, plan.figure, at.kit, _inside(sim), sim.pieces)
    truth: dict[str, object] = {
        "outcome": "pass" if match.right else "fail",
        "reasons": list(match.reasons),
        "notes": plan.flaw,
    }
    return Case(
        _values(at, "structure", plan, mode), scene, frames, lambda _: None if match.doubtful else truth, still=True
    )


def stones_case(at: KitAt, table: Table, seed: int, mode: Mode) -> Case:
    """Return one still of stones in the stone zone, some touching, with strays elsewhere."""
    random = np.random.default_rng((seed, 23))
    scene = room_scene(seed)
    sim, _ = _table(at, table, scene, seed, 1.0)
    _scatter(sim, random)
    sim.world.advance(0.6)
    sim.hands[0].visible = False
    picture = TablePicture(scene, table, at.kit, at.art, sim.pieces.values(), mode)
    frames = iter([Frame(0, 0, picture.draw(sim.snapshot()))])
    truth: dict[str, object] = {"stones": stones_in_zone(sim.places(), sim.pieces, table)}
    return Case({"kit": at.name, "kind": "stones"}, scene, frames, lambda _: truth, still=True)


def _table(at: KitAt, table: Table, scene: Scene, seed: int, pace: float) -> tuple[SimTable, Mover]:
    sim = SimTable(at.kit, table, seed, ManualClock(10**12 + 10**7 * seed))
    hand = Hand(np.array([float(sim.random.uniform(-120, 120)), -620.0, 250.0]), np.zeros(3), look=scene.look)
    sim.hands.append(hand)
    mover = Mover(sim, hand, pace)
    start_mm(mover)
    return sim, mover


def _plan(
    kit: Kit, random: np.random.Generator, spread_mm: float, flaw: Callable[[np.random.Generator, Task], Flaw]
) -> Plan:
    task = (Task.ACROBATS, Task.ACROBATS, Task.TOWER, Task.LINE)[int(random.integers(4))]
    figure = kit.figure[int(random.integers(len(kit.figure)))] if task is Task.ACROBATS else None
    return Plan(
        task, figure, float(random.uniform(-10, 10)), float(random.uniform(-45, 30)), float(random.uniform(-20, 20)),
        flaw(random, task), spread_mm, 0.3, float(random.uniform(0.9, 1.5)),
    )  # fmt: skip


def _stand_flaw(random: np.random.Generator, task: Task) -> Flaw:
    choices = LATER_FLAWS if random.random() < 0.75 else STRUCTURE_FLAWS[task]
    return choices[int(random.integers(len(choices)))]


def _faults(random: np.random.Generator) -> Faults:
    at_s = float(random.uniform(2.0, 3.6))
    match int(random.integers(9)):
        case 0:
            return Faults(frozen_s=((at_s, at_s + float(random.uniform(0.4, 1.5))),))
        case 1:
            return Faults(drop_rate=0.08)
        case 2:
            return Faults(bumps=((at_s, float(random.uniform(-0.9, 0.9)), float(random.uniform(-0.6, 0.6))),))
        case 3:
            return Faults(lamp_s=at_s)
        case 4:
            return Faults(flicker=float(random.uniform(0.04, 0.15)))
        case 5:
            return Faults(arms_s=(float(random.uniform(1.6, 2.6)),))
        case 6:
            return Faults(gain_s=((at_s, 1.1), (at_s + 0.1, 1.2)))
        case _:
            return Faults()


def _stand_truth(sim: SimTable, plan: Plan, seen: Sequence[Frame]) -> dict[str, object] | None:
    first_ns = seen[0].sensor_ns
    truth = sim.truth.attempt(plan.task, plan.figure, 0.0, (seen[-1].sensor_ns - first_ns) / 1e9)
    if truth.doubtful or truth.margin_s < 0.12:
        return None
    values: dict[str, object] = {"outcome": truth.outcome, "reasons": list(truth.reasons), "notes": plan.flaw}
    times = {"stood_from_s": truth.stood_from_s, "stood_for_s": truth.stood_for_s, "hand_off_s": truth.hand_off_s}
    values |= {key: round(value, 3) for key, value in times.items() if value is not None}
    if truth.outcome is Outcome.PASS:
        values["confirmed_at_s"] = _confirmed(truth, seen)
    return values


def _confirmed(truth: Attempt, seen: Sequence[Frame]) -> float:
    assert truth.stood_from_s is not None, "a pass has a start"
    times = [(frame.sensor_ns - seen[0].sensor_ns) / 1e9 for frame in seen]
    return round(next((t for t in times if t >= truth.stood_from_s + STAND_S), times[-1]), 4)


def _inside(sim: SimTable) -> dict[str, Placed]:
    zone = sim.table.zones.build
    return {name: placed for name, placed in sim.places().items() if zone.contains(*map(float, placed.at_mm[:2]))}


def _scatter(sim: SimTable, random: np.random.Generator) -> None:
    zone, stone = sim.table.zones.stones, sim.kit.stone
    lying: list[tuple[float, float]] = []
    half = sim.table.mat.width / 2, sim.table.mat.height / 2
    total = int(random.integers(0, 11))
    for number in range(total + int(random.integers(0, 3))):
        for _ in range(200):
            if number >= total:
                x, y = random.uniform((-half[0], -half[1]), half)
                if zone.x0 - 14 < x < zone.x1 + 14 and zone.y0 - 14 < y < zone.y1 + 14:
                    continue
            elif lying and random.random() < 0.4:
                turn, other = random.uniform(0, 2 * np.pi), lying[int(random.integers(len(lying)))]
                x, y = np.array(other) + stone.diameter_mm * 1.03 * np.array([np.cos(turn), np.sin(turn)])
            else:
                x, y = random.uniform((zone.x0, zone.y0), (zone.x1, zone.y1))
            edge = min(abs(x - zone.x0), abs(x - zone.x1), abs(y - zone.y0), abs(y - zone.y1))
            if edge > 4 and all(np.hypot(x - a, y - b) > stone.diameter_mm * 1.02 for a, b in lying):
                lying.append((float(x), float(y)))
                name = sim.bag.pop(int(random.integers(len(sim.bag))))
                sim.world.put(name, Placed(np.array([x, y, stone.height_mm / 2]), turn_z(float(random.uniform(0, 90)))))
                break


def _values(at: KitAt, kind: str, plan: Plan, mode: Mode) -> dict[str, str]:
    values = {"kit": at.name, "kind": kind, "mode": str(mode), "task": str(plan.task)}
    if plan.figure is not None:
        values["figure"] = plan.figure.id
        values["card"] = next((card.id for card in at.kit.card if card.figure == plan.figure.id), "")
    return {key: value for key, value in values.items() if value}


def _first(camera: SimCamera, count: int) -> Iterator[Frame]:
    for frame in camera:
        yield frame
        if frame.number + 1 >= count:
            camera.close()
