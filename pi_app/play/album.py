"""The last seconds of pictures, kept small as JPEGs, for "show me" and for disputed verdicts."""

from collections import deque

from pi_app.core.observations import Frame
from pi_app.play.pictures import frame_of, jpeg_of

KEPT_S = 8.0
QUALITY = 80


class Album:
    """Keeps KEPT_S of pictures before the newest; about 40 MB at 30 pictures a second of 1280 x 720."""

    def __init__(self, kept_s: float = KEPT_S) -> None:
        self._kept_ns = round(kept_s * 1e9)
        self._pictures: deque[tuple[int, int, bytes]] = deque()

    def add(self, frame: Frame) -> None:
        """Keep a frame, and let go of those that have become too old."""
        self._pictures.append((frame.number, frame.sensor_ns, jpeg_of(frame, QUALITY)))
        while self._pictures[0][1] < frame.sensor_ns - self._kept_ns:
            self._pictures.popleft()

    def at(self, at_ns: int) -> Frame | None:
        """Return the kept frame nearest to a time, None where there is none at all."""
        nearest = min(self._pictures, key=lambda picture: abs(picture[1] - at_ns), default=None)
        return frame_of(*nearest) if nearest else None
