"""Print what the device's work costs, each figure as a ratio measured in this run on the same pictures.

    make speed        or: python tests/speed.py

One core is used (OpenCV's threads are switched off). The pictures are of the simulated table at 1280 x 720.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TypeVar

import cv2
import numpy as np

from pi_app.core.clock import ManualClock
from pi_app.core.names import Mode, Task
from pi_app.core.observations import Frame
from pi_app.core.verdict import Outcome
from pi_app.judging.watch import Judged, Watch, judge_stand
from pi_app.judging.worker import Found, InlineRecogniser, Job, Question, TableReader, ThreadedRecogniser
from pi_app.kit.art import KitArt, load_art
from pi_app.sim.acts import Built, build_at_once, build_steps, start_mm
from pi_app.sim.hands import Hand
from pi_app.sim.motion import Mover
from pi_app.sim.parts import SimCamera
from pi_app.sim.picture import TablePicture
from pi_app.sim.plans import Plan, steps_of
from pi_app.sim.scene import plain_scene
from pi_app.sim.shapes import CardShown
from pi_app.sim.table import SimTable
from pi_app.vision.camera import View
from pi_app.vision.cards import read_card
from pi_app.vision.pose import Image, detector, find_pose
from pi_app.vision.stillness import Gate
from pi_app.vision.stones import count_stones
from pi_app.vision.structure import read_structure
from pi_app.wiring import Set, open_set
from tests.speed_buzzers import print_buzzers
from tests.speed_trays import print_trays

FIGURE, CARD = "pyramid", "tower"
FRAMES = 190
FPS = 30.0
STAND_NS = 2_000_000_000
BUSY_S = 0.25
RUNS = 15
MEMORY_SECONDS = 20
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Scene:
    """A simulated clip in which a figure is finished and stands, and what is asked about it.

    `stock` is one more picture of it, without markers on the acrobats and with a card in the card zone.
    """

    lying: Set
    art: KitArt
    question: Question
    frames: list[Frame]
    stock: Image
    view: View


def main() -> None:
    """Measure and print."""
    cv2.setNumThreads(1)
    print(f"figures are ratios measured in one run on one core; {FRAMES} pictures of 1280 x 720\n")
    print_memory()
    scene, drawn_s = timed(simulated)
    print_recognisers(scene)
    print_clip(scene)
    print_pass_while_busy(scene)
    print_buzzers()
    print_trays()
    line("simulated pictures a second, physics included", f"{FRAMES / drawn_s:.1f}", "at least 25")


def simulated() -> Scene:
    """Play and draw the clip."""
    lying = open_set(None, None, Mode.BADGE)
    figure = lying.kit.figure_named(FIGURE)
    scene = plain_scene()
    table = SimTable(lying.kit, lying.table, 5, ManualClock(10**12))
    hand = Hand(np.array([0.0, -620.0, 250.0]), np.zeros(3), look=scene.look)
    table.hands.append(hand)
    mover, built = Mover(table, hand, 1.2), Built()
    start_mm(mover)
    plan = Plan(Task.ACROBATS, figure)
    steps = steps_of(plan, table)
    build_at_once(mover, plan, steps[:-1], built)
    table.run(build_steps(mover, plan, steps[-1:], built))
    art = load_art(lying.kit_folder, lying.kit)
    picture = TablePicture(scene, lying.table, lying.kit, art, table.pieces.values(), Mode.BADGE)
    frames = [frame for frame, _ in zip(SimCamera(table, picture, fps=FPS), range(FRAMES), strict=False)]
    zone = lying.table.zones.cards
    table.cards[CARD] = CardShown(CARD, (zone.x0 + zone.x1) / 2, 20.0, 100.0)
    own = TablePicture(scene, lying.table, lying.kit, art, table.pieces.values(), Mode.STOCK)
    stock = next(iter(SimCamera(table, own, fps=FPS))).image
    found = find_pose(frames[-1].image, scene.view.camera, lying.table)
    assert found.pose is not None, "the mat is in view"
    view = View(scene.view.camera, found.pose)
    return Scene(lying, art, Question(Task.ACROBATS, figure, Mode.BADGE), frames, stock, view)


def print_recognisers(scene: Scene) -> None:
    """Print each recogniser's cost in detections of the same picture."""
    lying, view, asked, stock = scene.lying, scene.view, scene.question, scene.stock
    image = scene.frames[-1].image
    own = partial(read_structure, stock, view, lying.table, lying.kit, asked.task, asked.figure, Mode.STOCK, scene.art)
    outcomes = own().outcome, [card.card for card in read_card(stock, view, lying.table, scene.art).cards]
    assert outcomes == (Outcome.PASS, [CARD]), outcomes
    detect = detector(lying.table.markers.family)
    gate = Gate()
    gate.place(view, lying.table)
    pairs = [
        (seconds(partial(gate.see, frame)), seconds(partial(detect.detectMarkers, frame.image)))
        for frame in scene.frames
    ]
    gate_ratio = median(gate_s for gate_s, _ in pairs) / median(detect_s for _, detect_s in pairs)
    line("every-frame gate / one detectMarkers", f"{gate_ratio:.3f}", "at most 0.25")
    works: list[tuple[str, Callable[[], object], str]] = [
        ("pose from the mat", lambda: find_pose(image, view.camera, lying.table), ""),
        (
            "six blocks by badges, figure matched",
            lambda: read_structure(image, view, lying.table, lying.kit, asked.task, asked.figure, Mode.BADGE),
            "",
        ),
        ("six blocks by their own pictures, figure matched", own, "at most 15"),
        ("the card in the zone", lambda: read_card(stock, view, lying.table, scene.art), "at most 6"),
        ("stones in the zone", lambda: count_stones(image, view, lying.table, lying.kit), "at most 2"),
    ]
    for name, work, wanted in works:
        pairs = [(seconds(work), seconds(lambda: detect.detectMarkers(image))) for _ in range(RUNS)]
        ratio = median(work_s for work_s, _ in pairs) / median(detect_s for _, detect_s in pairs)
        line(f"{name} / one detectMarkers", f"{ratio:.2f}", wanted)


def print_clip(scene: Scene) -> None:
    """Print how much faster than real time a clip is judged, decoding excluded."""
    watch = watching(scene, InlineRecogniser(reader(scene)), linger=True)
    verdict, took_s = timed(lambda: judge_stand(scene.frames, watch, scene.question))
    lasts_s = (scene.frames[-1].sensor_ns - scene.frames[0].sensor_ns) / 1e9
    line(f"judging a clip ({verdict.outcome}), times real time", f"{lasts_s / took_s:.1f}", "at least 4")


def print_pass_while_busy(scene: Scene) -> None:
    """Print at which frame a pass is given while the recogniser is busy: the first one possible, or how many later."""
    recogniser = ThreadedRecogniser(Slow(reader(scene)))
    watch = watching(scene, recogniser)
    watch.ask(scene.question, scene.frames[0].sensor_ns)
    start_s = time.monotonic()
    for frame in scene.frames:
        time.sleep(max(0.0, start_s + (frame.sensor_ns - scene.frames[0].sensor_ns) / 1e9 - time.monotonic()))
        judged = [seen for seen in watch.see(frame) if isinstance(seen, Judged)]
        if judged:
            break
    recogniser.close()
    from_ns = judged[0].verdict.stood_from_ns if judged else None
    first = next((f.number for f in scene.frames if from_ns is not None and f.sensor_ns >= from_ns + STAND_NS), None)
    late = "no pass" if first is None else str(frame.number - first)
    line(f"frames a pass is late, recogniser busy {BUSY_S} s a picture", late, "0")


class Slow:
    """A reader that takes its time, as on a busy machine."""

    def __init__(self, read: TableReader) -> None:
        self._read = read

    def __call__(self, job: Job) -> Found:
        """Read, and rest."""
        found = self._read(job)
        time.sleep(BUSY_S)
        return found


def print_memory() -> None:
    """Print the most memory that a game on the simulated table holds; first, as a child begins as large as this."""
    command = [sys.executable, "-m", "pi_app", "play", "voila", "--source", "sim", "--leave-after", str(MEMORY_SECONDS)]
    subprocess.run(command, check=True, capture_output=True)
    most_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    line("resident memory of a simulated game, MB", f"{most_mb:.0f}", "under 350")


def reader(scene: Scene) -> TableReader:
    """Return the recognisers for the scene's camera."""
    return TableReader(scene.view.camera, scene.lying.table, scene.lying.kit)


def watching(scene: Scene, recogniser: InlineRecogniser | ThreadedRecogniser, *, linger: bool = False) -> Watch:
    """Return a watch over the scene."""
    return Watch(scene.lying.table, scene.lying.kit, scene.view.camera, recogniser, linger=linger)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return a result and the seconds it took."""
    start_s = time.process_time()
    result = work()
    return result, time.process_time() - start_s


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds some work took."""
    return timed(work)[1]


def line(name: str, value: str, wanted: str) -> None:
    """Print one figure."""
    print(f"{name:62} {value:>8}   {wanted}".rstrip())


if __name__ == "__main__":
    main()
