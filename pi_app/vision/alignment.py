"""Undoes a bump of the camera: how a picture lies on a reference taken from where the camera stood before."""

import cv2
import numpy as np
from numpy.typing import NDArray

from pi_app.vision.motion import Picture

FEATURES, QUALITY, APART_PX = 150, 0.02, 5
ENOUGH, AGREEING = 12, 0.4
FIT_PX = 0.5

Matrix = NDArray[np.float64]


class Aligner:
    """Follows corners of small pictures by sparse optical flow; what most of them do is the camera's motion."""

    def __init__(self, reference: Picture) -> None:
        self._grey = reference
        points: NDArray[np.float32] | None = cv2.goodFeaturesToTrack(self._grey, FEATURES, QUALITY, APART_PX)  # type: ignore[assignment]  # None without any corner
        self._points = np.zeros((0, 1, 2), np.float32) if points is None else points

    def motion(self, picture: Picture) -> Matrix | None:
        """Return the 2 x 3 turn, scale and shift from the reference to a grey picture; None where unclear."""
        if len(self._points) < ENOUGH:
            return None
        found, status, _ = cv2.calcOpticalFlowPyrLK(
            self._grey, picture, self._points, np.empty_like(self._points), winSize=(11, 11), maxLevel=2
        )
        good = status.ravel() > 0
        if good.sum() < ENOUGH:
            return None
        matrix, inliers = cv2.estimateAffinePartial2D(self._points[good], found[good], ransacReprojThreshold=FIT_PX)
        agreeing = int(np.sum(inliers == 1))  # there are none, and no matrix, where no fit was found
        return np.asarray(matrix, np.float64) if agreeing >= max(ENOUGH, AGREEING * good.sum()) else None


def undo(picture: Picture, motion: Matrix, scale: float, left: float, top: float) -> Picture:
    """Return a cut-out as seen before the motion: it begins at left, top of the small picture, `scale` as fine."""
    turn = motion[:, :2]
    corner = np.array([left, top])
    shift = scale * (turn @ corner + motion[:, 2] - corner)
    matrix = np.column_stack([turn, shift])
    height, width = picture.shape[:2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(picture, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
