"""The camera over the simulated table, with the faults cameras have; buzzers, pad and OLED are in devices."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from pi_app.core.observations import Frame
from pi_app.sim.motion import pass_arm
from pi_app.sim.picture import TablePicture
from pi_app.sim.scene import Faults
from pi_app.sim.shapes import Snapshot
from pi_app.sim.table import SimTable

LAMP_RISE_S = 0.12


@dataclass(slots=True)
class Trouble:
    """What is wrong with the camera just now, beside the faults that were planned for its clip.

    `frozen` repeats the last picture and its time, `lost` delivers none, `swapped` exchanges red and blue, `late_s` is
    how long pictures wait in a queue on their way (CAM-1).
    """

    frozen: bool = False
    lost: bool = False
    swapped: bool = False
    late_s: float = 0.0
    gain: float = 1.0
    flicker: float = 0.0
    bump: tuple[float, float] = (0.0, 0.0)


class SimCamera:
    """A FrameSource: each picture moves the table and the clock on to the moment at which it is sensed.

    Its time is the table's own of the moment that it shows, a whole number of the table's ticks.
    """

    def __init__(self, table: SimTable, picture: TablePicture, faults: Faults | None = None, fps: float = 30.0) -> None:
        self._table, self._picture, self._clock = table, picture, table.clock
        self._faults, self._fps = faults or Faults(), fps
        self._start_ns = self._clock.now_ns()
        self._start_s = table.time_s
        self.trouble = Trouble()
        self._open = True
        self._random = np.random.default_rng(int(self._faults.drop_rate * 1e6) + 17)
        for at_s in self._faults.arms_s:
            table.run(pass_arm(table, at_s))

    def __iter__(self) -> Iterator[Frame]:
        """Yield pictures for ever, until closed."""
        return (frame for frame in self.beats() if frame is not None)

    def beats(self) -> Iterator[Frame | None]:
        """Yield what arrives with each period of the camera: a picture, or None where it delivers none for a while."""
        number, due_s = 0, 0.0
        last: Frame | None = None
        queue: deque[Frame] = deque()
        while self._open:
            self._table.advance_to(self._start_s + due_s + float(self._random.uniform(0, 6e-4)))
            at_s = self._table.time_s - self._start_s
            due_s += 1 / self._fps
            self._clock.ns = max(self._clock.ns, self._start_ns + round(at_s * 1e9))
            if _within(at_s, self._faults.dropped_s) or self._random.random() < self._faults.drop_rate:
                continue
            if not self.trouble.lost:
                last = self._taken(at_s, last)
                queue.append(last)
            arrived = self._arriving(queue)
            yield None if arrived is None else replace(arrived, number=number)
            number += arrived is not None

    def _taken(self, at_s: float, last: Frame | None) -> Frame:
        if last is not None and (self.trouble.frozen or _within(at_s, self._faults.frozen_s)):
            return last
        image = self._picture.draw(self._seen(at_s))
        return Frame(0, self._start_ns + round(at_s * 1e9), image[..., ::-1] if self.trouble.swapped else image)

    def _arriving(self, queue: deque[Frame]) -> Frame | None:
        """Return the oldest picture that has waited long enough; a queue that is no longer held up is thrown away."""
        late_ns = round(self.trouble.late_s * 1e9)
        while len(queue) > 1 and not late_ns:
            queue.popleft()
        if not queue or queue[0].sensor_ns + late_ns > self._clock.ns:
            return None
        return queue.popleft()

    def rate(self, fps: float) -> None:
        """Give so many pictures a second from the next one on."""
        self._fps = fps

    def close(self) -> None:
        """Stop after the current picture."""
        self._open = False

    def _seen(self, at_s: float) -> Snapshot:
        faults = self._faults
        bumps = [(pan, tilt) for moment, pan, tilt in faults.bumps if at_s >= moment]
        gains = [gain for moment, gain in faults.gain_s if at_s >= moment]
        trouble = self.trouble
        flicker = faults.flicker or trouble.flicker
        lamp = 0.0 if faults.lamp_s is None else float(np.clip((at_s - faults.lamp_s) / LAMP_RISE_S, 0, 1))
        return replace(
            self._table.snapshot(),
            lamp=lamp,
            bump=bumps[-1] if bumps else trouble.bump,
            gain=(gains[-1] if gains else 1.0) * trouble.gain,
            flicker=flicker,
            flicker_row=at_s * self._fps * faults.flicker_rows_a_frame if flicker else None,
        )


def _within(at_s: float, spans: tuple[tuple[float, float], ...]) -> bool:
    return any(start <= at_s < end for start, end in spans)
