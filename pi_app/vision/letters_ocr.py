"""A line of capitals read by a trained network: the recognition model that ships with rapidocr, run by onnxruntime.

Extra `letters`. Model PP-OCRv6 small (Apache-2.0): pictures 48 pixels high, BGR, -1 to 1; a connectionist temporal
classification over the characters named in the model's own metadata, class 0 blank.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.core.errors import UserError
from pi_app.vision.pose import Image

if TYPE_CHECKING:
    import onnxruntime  # type: ignore[import-untyped]  # it ships no types

MODELS = "*_rec_*.onnx"
HEIGHT_PX = 48
LEAST_WIDTH_PX, MOST_WIDTH_PX = 48, 480
Singles = NDArray[np.float32]


@dataclass(frozen=True)
class Reading:
    """What was read, in capitals; `sure` is the least probability of a character, `rivals` the next best at each."""

    text: str
    sure: float
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Reader:
    """The model, loaded once: about 0.3 s. Not for several threads at once."""

    session: "onnxruntime.InferenceSession"
    characters: tuple[str, ...]

    def read(self, line: Image) -> Reading:
        """Return what a BGR picture of one line says; empty text where nothing."""
        probabilities = self.session.run(None, {self.session.get_inputs()[0].name: _prepared(line)})[0][0]
        return self._decoded(np.asarray(probabilities, np.float32))

    def _decoded(self, steps: Singles) -> Reading:
        """Return the likeliest path's characters, repeats and blanks left out, small letters taken as capitals."""
        best = steps.argmax(axis=1)
        text, sure, rivals, last = "", 1.0, list[str](), 0
        for step, number in enumerate(best):
            if number not in (0, last):
                capital = self._capital(int(number))
                if capital.strip():
                    chance, rival = self._weighed(steps[step], capital)
                    text, sure = text + capital, min(sure, chance)
                    rivals.append(rival)
            last = number
        return Reading(text, sure if text else 0.0, tuple(rivals))

    def _weighed(self, step: Singles, capital: str) -> tuple[float, str]:
        """Return a capital's probability, both cases together, and the next likeliest character."""
        ranked = np.argsort(step)[::-1][:8]
        chance = float(sum(step[n] for n in ranked if self._capital(int(n)) == capital))
        rival = next((self._capital(int(n)) for n in ranked if n and self._capital(int(n)) != capital), "")
        return chance, rival

    def _capital(self, number: int) -> str:
        return self.characters[number - 1].upper() if 0 < number <= len(self.characters) else ""


@lru_cache(maxsize=1)
def load_reader() -> Reader:
    """Load the model; UserError where the extra `letters` is not installed."""
    package = find_spec("rapidocr")
    if package is None or package.origin is None or find_spec("onnxruntime") is None:
        raise UserError("reading letters: got no rapidocr and onnxruntime, wanted table-umpire[letters] installed")
    models = sorted((Path(package.origin).parent / "models").glob(MODELS))
    if not models:
        raise UserError(f"{Path(package.origin).parent / 'models'}: got no {MODELS}, wanted rapidocr's own model")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = 2, 1
    session = onnxruntime.InferenceSession(str(models[-1]), options, providers=["CPUExecutionProvider"])
    return Reader(session, tuple(session.get_modelmeta().custom_metadata_map["character"].splitlines()))


def _prepared(line: Image) -> Singles:
    width = int(np.clip(round(line.shape[1] * HEIGHT_PX / line.shape[0]), LEAST_WIDTH_PX, MOST_WIDTH_PX))
    sized = cv2.resize(line, (width, HEIGHT_PX), interpolation=cv2.INTER_AREA)
    scaled = sized.astype(np.float32).transpose(2, 0, 1)[None] / 127.5 - 1.0
    return np.asarray(scaled, np.float32)
