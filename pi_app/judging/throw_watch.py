"""Watches for throws: finder and judge together, live and on recordings. Frames in, throws and a verdict out."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pi_app.core.observations import Frame
from pi_app.core.verdict import Reason, Verdict, unsure
from pi_app.judging.answer import Answer, seconds
from pi_app.judging.case import Case
from pi_app.judging.throw import Throw, ThrowJudge
from pi_app.judging.throw_track import Eyesight
from pi_app.kit.model import Kit
from pi_app.kit.table import Table
from pi_app.vision.camera import Camera, Floats, View
from pi_app.vision.pose import PoseKeeper
from pi_app.vision.throw import StoneFinder

POSE_AGAIN_NS = 300_000_000
EDGE_PX = 3


class ThrowWatch:
    """One camera over one table. Not for several threads: one owner calls `ask`, `see`, `verdict` and `finish`."""

    def __init__(self, camera: Camera, table: Table, kit: Kit) -> None:
        self._camera, self._table, self._kit = camera, table, kit
        self._keeper = PoseKeeper(camera, table)
        self._tried_ns: int | None = None
        self._unseen: Reason = Reason.NO_MAT
        self._asked_ns = 0
        self._finder: StoneFinder | None = None
        self._judge: ThrowJudge | None = None

    def ask(self, at_ns: int) -> None:
        """Begin to judge throws; only frames sensed at `at_ns` or later are used."""
        self._asked_ns = at_ns
        self._finder = self._judge = None

    def see(self, frame: Frame) -> list[Throw]:
        """Take the next frame and return the throws that have been decided by now."""
        if frame.sensor_ns < self._asked_ns:
            return []
        if self._finder is None or self._judge is None:
            self._look(frame)
            return []
        return [throw for spots in self._finder.see(frame) for throw in self._judge.see(spots)]

    @property
    def throws(self) -> list[Throw]:
        """All throws since the question, in order of their ends."""
        return list(self._judge.throws) if self._judge is not None else []

    def verdict(self) -> Verdict | None:
        """Return the pass once there is a good throw; until then None, for people try until it works."""
        return self._judge.verdict() if self._judge is not None else None

    def finish(self) -> Verdict:
        """Return the verdict at the end of the pictures."""
        if self._finder is None or self._judge is None:
            return unsure(self._unseen)
        for spots in self._finder.finish():
            self._judge.see(spots)
        self._judge.finish()
        return self._judge.final()

    def _look(self, frame: Frame) -> None:
        """Find the mat; from then on the camera and it are taken to stand."""
        if self._tried_ns is not None and 0 <= frame.sensor_ns - self._tried_ns < POSE_AGAIN_NS:
            return
        self._tried_ns = frame.sensor_ns
        reading = self._keeper.see(frame.image, frame.sensor_ns)
        if reading.pose is None:
            self._unseen = reading.reason or Reason.NO_MAT
            return
        view = View(self._camera, reading.pose)
        self._finder = StoneFinder(view, self._table, self._kit, frame.image)
        self._judge = ThrowJudge(eyesight(view, self._kit))
        self._judge.ask(self._asked_ns)
        list(self._finder.see(frame))


def eyesight(view: View, kit: Kit) -> Eyesight:
    """Return what the judge knows of a camera and a kit."""

    def sees(places: Floats) -> NDArray[np.bool_]:
        if not len(places):
            return np.zeros(0, bool)
        x, y = view.project(places).T
        inside = (x > EDGE_PX) & (x < view.camera.width - EDGE_PX) & (y > EDGE_PX) & (y < view.camera.height - EDGE_PX)
        return np.asarray(inside)

    return Eyesight(view.pose.eye, sees, kit.stone.diameter_mm)


def judge_throws(frames: Iterator[Frame], camera: Camera, table: Table, kit: Kit) -> Answer:
    """Answer whether a recording shows a good throw; times count from its first frame."""
    watch = ThrowWatch(camera, table, kit)
    first_ns: int | None = None
    for frame in frames:
        if first_ns is None:
            first_ns = frame.sensor_ns
            watch.ask(first_ns)
        watch.see(frame)
    verdict = watch.finish()
    throws = [_told(throw, first_ns or 0) for throw in watch.throws]
    return {"outcome": verdict.outcome, "reasons": list(verdict.reasons), "throws": throws}


def judge_throw_case(case: Case) -> Answer:
    """Answer whether a case's clip shows a good throw."""
    return judge_throws(case.frames(), case.camera, case.table, case.kit())


def _told(throw: Throw, first_ns: int) -> Answer:
    return {
        "released_s": seconds(throw.released_ns, first_ns),
        "caught_s": seconds(throw.caught_ns, first_ns),
        "height_mm": round(throw.height_mm, 1),
        "caught": throw.caught,
    }
