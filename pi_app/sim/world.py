"""Physics of the simulated table by MuJoCo: free pieces on a plane, hands that carry and fingertips that push.

All lengths in mm in the mat frame, time in s; MuJoCo itself runs in metres. Pieces are parked (fixed in space, touching
nothing) until they are put into play. A carried piece is drawn to the hand by a limited spring, so it gives way where
it meets something. A knock shakes the table: pieces feel it as a short sideways acceleration.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from pi_app.sim.pieces import DENSITY_KG_M3, FRICTION, Floats, Piece, Placed

STEP_S = 0.002
GRAVITY = 9.81
FINGERS = 4
FINGER_RADIUS_MM = 7.0
GRIP_RATE = 60.0
"""Stiffness of a grip, in rad/s: what is carried follows within a few hundredths of a second."""

GRIP_LIMIT = 150.0
"""Greatest pull of a hand, in m/s2 of the carried piece."""

FAR_MM = 5000.0


@dataclass(slots=True)
class _Grip:
    body: int
    target: Placed
    velocity_m_s: Floats


@dataclass(frozen=True)
class _Knock:
    from_s: float
    to_s: float
    acceleration: Floats


class World:
    """The pieces' physics; `time_s` runs from 0 in steps of STEP_S."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = {piece.name: piece for piece in pieces}
        self._model = mujoco.MjModel.from_xml_string(_xml(pieces))
        self._data = mujoco.MjData(self._model)
        self._body = {p.name: self._model.body(p.name).id for p in pieces}
        self._index = {p.name: n for n, p in enumerate(pieces)}
        self._geoms = {name: np.flatnonzero(self._model.geom_bodyid == body) for name, body in self._body.items()}
        self._live: set[str] = set()
        self._grips: dict[str, _Grip] = {}
        self._knocks: list[_Knock] = []
        for number in range(FINGERS):
            self.finger(number, None)
        for n, name in enumerate(self._body):
            self.park(name, Placed(np.array([FAR_MM + 200.0 * n, 0.0, 0.0]), np.eye(3)))

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start."""
        return float(self._data.time)

    @property
    def live(self) -> frozenset[str]:
        """Names of the pieces in play."""
        return frozenset(self._live)

    def at(self, name: str) -> Placed:
        """Return where a piece is."""
        start = 7 * self._index[name]
        rotation = np.empty(9)
        mujoco.mju_quat2Mat(rotation, self._data.qpos[start + 3 : start + 7])
        return Placed(self._data.qpos[start : start + 3] * 1000.0, rotation.reshape(3, 3))

    def velocity_mm_s(self, name: str) -> Floats:
        """Return how fast a piece's middle moves."""
        dof = 6 * self._index[name]
        return np.asarray(self._data.qvel[dof : dof + 3] * 1000.0)

    def state(self, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Return places (n x 3, mm) and unit quaternions (n x 4, w first) of several pieces."""
        rows = self._data.qpos.reshape(-1, 7)[[self._index[name] for name in names]]
        return rows[:, :3] * 1000.0, rows[:, 3:].copy()

    def park(self, name: str, placed: Placed | None = None) -> None:
        """Fix a piece in space, where it is or elsewhere; nothing touches it until it is put into play."""
        self._grips.pop(name, None)
        self._live.discard(name)
        self._set(name, placed or self.at(name))
        self._touchable(name, on=False)

    def put(self, name: str, placed: Placed | None = None, velocity_mm_s: ArrayLike | None = None) -> None:
        """Put a piece into play, at rest or with a velocity; physics moves it from now on."""
        if placed is not None or name not in self._live:
            self._set(name, placed or self.at(name))
        if velocity_mm_s is not None:
            dof = 6 * self._index[name]
            self._data.qvel[dof : dof + 3] = np.asarray(velocity_mm_s, np.float64) / 1000.0
        self._live.add(name)
        self._touchable(name, on=True)

    def carry(self, name: str, target: Placed, velocity_mm_s: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Draw a piece towards a target until `release`; call again as the hand moves."""
        if name not in self._live:
            self.put(name)
        velocity = np.asarray(velocity_mm_s, np.float64) / 1000.0
        self._grips[name] = _Grip(self._body[name], target, velocity)

    def release(self, name: str) -> None:
        """Let go of a piece."""
        self._grips.pop(name, None)
        self._data.xfrc_applied[self._body[name]] = 0.0

    def carried(self) -> frozenset[str]:
        """Names of the pieces in a grip."""
        return frozenset(self._grips)

    def finger(self, number: int, tip_mm: ArrayLike | None) -> None:
        """Move a pushing fingertip (0..FINGERS-1), a ball of FINGER_RADIUS_MM; None takes it away."""
        geom = self._model.geom(f"finger{number}").id
        self._model.geom_contype[geom] = 0 if tip_mm is None else 2
        place = np.array([0.0, 0.0, -10.0]) if tip_mm is None else np.asarray(tip_mm, np.float64) / 1000.0
        self._data.mocap_pos[number] = place

    def knock(self, acceleration_m_s2: ArrayLike, duration_s: float = 0.06) -> None:
        """Shake the table from now on: half a sine wave of sideways acceleration (x, y)."""
        push = np.array([*np.asarray(acceleration_m_s2, np.float64), 0.0])
        self._knocks.append(_Knock(self.time_s, self.time_s + duration_s, push))

    def touching(self) -> set[frozenset[str]]:
        """Return the pairs of pieces in contact; "table" stands for the table, "finger n" for fingertips."""
        pairs = set()
        for n in range(self._data.ncon):
            contact = self._data.contact[n]
            bodies = (self._model.geom_bodyid[contact.geom1], self._model.geom_bodyid[contact.geom2])
            pairs.add(frozenset(self._model.body(body).name.replace("world", "table") for body in bodies))
        return pairs

    def advance(self, seconds: float) -> None:
        """Run physics for a whole number of steps, at least one."""
        for _ in range(max(1, round(seconds / STEP_S))):
            self._pull()
            self._shake()
            mujoco.mj_step(self._model, self._data)

    def _set(self, name: str, placed: Placed) -> None:
        n = self._index[name]
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(placed.rotation).reshape(9))
        self._data.qpos[7 * n : 7 * n + 3] = placed.at_mm / 1000.0
        self._data.qpos[7 * n + 3 : 7 * n + 7] = quaternion
        self._data.qvel[6 * n : 6 * n + 6] = 0.0
        self._data.xfrc_applied[self._body[name]] = 0.0

    def _touchable(self, name: str, *, on: bool) -> None:
        self._model.geom_contype[self._geoms[name]] = int(on)
        self._model.geom_conaffinity[self._geoms[name]] = 3 if on else 0
        self._model.body_gravcomp[self._body[name]] = 0.0 if on else 1.0

    def _pull(self) -> None:
        for name, grip in self._grips.items():
            start, dof = 7 * self._index[name], 6 * self._index[name]
            qpos, qvel = self._data.qpos, self._data.qvel
            off = grip.target.at_mm / 1000.0 - qpos[start : start + 3]
            pull = GRIP_RATE**2 * off + 2 * GRIP_RATE * (grip.velocity_m_s - qvel[dof : dof + 3])
            size = float(np.linalg.norm(pull))
            pull *= min(1.0, GRIP_LIMIT / max(size, 1e-9))
            pull[2] += GRAVITY
            spin = self._spin(name, grip, qvel[dof + 3 : dof + 6])
            mass = self._model.body_mass[grip.body]
            self._data.xfrc_applied[grip.body, :3] = mass * pull
            self._data.xfrc_applied[grip.body, 3:] = spin

    def _spin(self, name: str, grip: _Grip, rate: Floats) -> Floats:
        """Return the torque in the mat frame; MuJoCo keeps a free body's turning rate in its own axes."""
        now = self.at(name).rotation
        turn = now.T @ grip.target.rotation
        cosine = np.clip((np.trace(turn) - 1) / 2, -1.0, 1.0)
        axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        norm = float(np.linalg.norm(axis))
        off = axis / norm * np.arccos(cosine) if norm > 1e-9 else np.zeros(3)
        speed_up = np.clip(GRIP_RATE**2 * off, -4000.0, 4000.0) - 2 * GRIP_RATE * rate
        return np.asarray(now @ (self._model.body_inertia[grip.body] * speed_up))

    def _shake(self) -> None:
        now, push = self.time_s, np.zeros(3)
        self._knocks = [knock for knock in self._knocks if knock.to_s > now]
        for knock in self._knocks:
            phase = (now - knock.from_s) / (knock.to_s - knock.from_s)
            push += knock.acceleration * np.sin(np.pi * phase)
        push[2] -= GRAVITY
        self._model.opt.gravity[:] = push


def _xml(pieces: Sequence[Piece]) -> str:
    bodies = "".join(_body_xml(piece) for piece in pieces)
    fingers = "".join(
        f'<body name="finger {n}" mocap="true" pos="0 0 -10">'
        f'<geom name="finger{n}" type="sphere" size="{FINGER_RADIUS_MM / 1000}" contype="2" conaffinity="0"/></body>'
        for n in range(FINGERS)
    )
    return (
        f'<mujoco><option timestep="{STEP_S}" cone="elliptic" impratio="10" integrator="implicitfast"/>'
        '<default><geom solref="0.004 1" solimp="0.95 0.99 0.0005"/></default>'
        '<worldbody><geom name="table" type="plane" size="3 3 0.1" friction="0.4 0.005 0.0001"/>'
        f"{bodies}{fingers}</worldbody></mujoco>"
    )


def _body_xml(piece: Piece) -> str:
    volume = piece.size_mm[0] * piece.size_mm[1] * piece.size_mm[2] * (0.785 if piece.round else 1.0) / 1e9
    mass = volume * DENSITY_KG_M3[piece.kind]
    solids = piece.solids()
    geoms = "".join(
        f'<geom type="box" size="{half[0] / 1000} {half[1] / 1000} {half[2] / 1000}" euler="0 0 {turn}" '
        f'mass="{mass / len(solids)}" contype="1" conaffinity="3" friction="{FRICTION[piece.kind]} 0.005 0.0001"/>'
        for half, turn in solids
    )
    return f'<body name="{piece.name}" gravcomp="1"><freejoint/>{geoms}</body>'
