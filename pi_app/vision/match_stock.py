"""Acrobats by their own pictures: does the structure make the card's figure?"""

from dataclasses import dataclass, replace

import numpy as np

from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.kit.model import Figure, Kit
from pi_app.vision.blocks import Place, Stand, acrobat_part, half_size
from pi_app.vision.camera import Floats
from pi_app.vision.face_art import Match, best_match
from pi_app.vision.fit import figure_places
from pi_app.vision.reading import SeenPart, StructureReading
from pi_app.vision.scene import Scene
from pi_app.vision.stock_gaps import is_empty, is_turned
from pi_app.vision.stock_sights import find_features, find_sights
from pi_app.vision.stock_spare import Spare, find_spare
from pi_app.vision.stock_votes import Seed, adjusted, find_seeds

RIGHT_FACE = 0.72
DOUBTFUL_FACE = 0.5
CLEAR_FACE = 0.82
"""How a face must correlate with a taught one: right ones measured 0.76 and more in noise and tinted light, those of
other kits up to 0.69; what is seen in a place without a face, up to 0.45."""
REACH_MM = 3.0
RIGHT_WIDTHS = 0.32
WRONG_WIDTHS = 0.45
"""A block is in its place up to the first and out of it from the second, in block widths: right builds are within
about 3 mm (0.12 widths), wrong blocks off by at least 0.7 widths."""
HEADROOM_LENGTHS = 0.7
SEEDS = 3
ENOUGH = 1 / 3
"""With a smaller share of the faces seen, the stand is not sure enough to tell what is not there."""
RIVAL = 0.75


@dataclass(frozen=True, eq=False)
class Built:
    """A figure laid over the picture: for each place the face that fits best there, or `None` where none fits.

    `doubtful` says of each place that what is there is something like a face, but not enough; `off_mm` is how far each
    face lies from its place, u and z; zero without a face.
    """

    stand: Stand
    places: tuple[Place, ...]
    faces: tuple[Match | None, ...]
    doubtful: tuple[bool, ...]
    off_mm: Floats

    @property
    def found(self) -> int:
        """How many places show a face."""
        return sum(face is not None for face in self.faces)

    @property
    def worst_mm(self) -> float:
        """How far the face that is furthest off lies from its place."""
        return float(np.linalg.norm(self.off_mm, axis=1).max(initial=0.0))


def match_stock_figure(scene: Scene, figure: Figure) -> StructureReading:
    """Return whether the faces in the build zone lie as the figure wants them, mirrored as the camera sees it."""
    places = figure_places(figure, scene.kit)
    tallest = max(place.z_mm + half_size(place.pose, scene.kit.acrobat)[1] for place in places)
    seen = find_features(scene, tallest / scene.kit.acrobat.length_mm + HEADROOM_LENGTHS)
    sights = find_sights(scene, seen)
    fits = _fits(scene, find_seeds(scene, sights, places, SEEDS))
    if not fits:
        spare = find_spare(scene, seen, sights, None, ())
        return _failed(Reason.WRONG_FIGURE) if spare.seen >= len(places) else _unsure(Reason.HIDDEN)
    readings = []
    for built in fits:
        spare = find_spare(scene, seen, sights, built.stand, _taken(built, scene.kit))
        readings.append(_judge(scene, built, spare))
        if readings[-1].outcome is not Outcome.FAIL:
            return readings[-1]
    return readings[0]


def _fits(scene: Scene, seeds: list[Seed]) -> list[Built]:
    """Return the stands at which most places show a face; those that few spots speak for are not looked at."""
    fits: list[Built] = []
    for seed in seeds:
        if fits and (fits[0].found == len(fits[0].places) or seed.weight < RIVAL * seeds[0].weight):
            break
        built = look_at(scene, seed)
        if built.found and (not fits or built.found >= fits[0].found):
            fits = [fit for fit in fits if fit.found == built.found] + [built]
    return fits


def look_at(scene: Scene, seed: Seed) -> Built:
    """Look at every place of a structure, put its stand right by what is seen there, and look again where in doubt."""
    looks = [best_match(scene, seed.stand, place, REACH_MM) for place in seed.places]
    stand, off = _righted(scene, seed.stand, seed.places, looks)
    again = [
        best_match(scene, stand, place, REACH_MM) if DOUBTFUL_FACE <= match.score < CLEAR_FACE else None
        for place, match in zip(seed.places, looks, strict=True)
    ]
    if any(again):
        looks = [one or other for one, other in zip(again, looks, strict=True)]
        off = np.array([(m.du_mm, m.dz_mm) if new else o for m, new, o in zip(looks, again, off, strict=True)])
    faces = tuple(match if match.score >= RIGHT_FACE else None for match in looks)
    off[[face is None for face in faces]] = 0.0
    doubtful = tuple(DOUBTFUL_FACE <= match.score < RIGHT_FACE for match in looks)
    return Built(stand, seed.places, faces, doubtful, off)


def _righted(scene: Scene, stand: Stand, places: tuple[Place, ...], looks: list[Match]) -> tuple[Stand, Floats]:
    """Return the stand nearest to the faces that are like taught ones, and how far they then are from their places."""
    good = [index for index, match in enumerate(looks) if match.score >= DOUBTFUL_FACE]
    off = np.zeros((len(looks), 2))
    if good:
        seen = np.array([(looks[index].du_mm, looks[index].dz_mm) for index in good])
        stand, off[good] = adjusted(scene, stand, tuple(places[index] for index in good), seen)
    return stand, off


def built_parts(built: Built, kit: Kit) -> tuple[SeenPart, ...]:
    """Return the blocks whose faces are seen."""
    pairs = zip(built.places, built.faces, built.off_mm, strict=True)
    return tuple(
        acrobat_part(
            replace(place, u_mm=place.u_mm + float(off[0])),
            built.stand, kit, str(face.piece), "back" if face.back else "front", face.score,
        )
        for place, face, off in pairs
        if face is not None
    )  # fmt: skip


def _taken(built: Built, kit: Kit) -> tuple[SeenPart, ...]:
    """Return the blocks whose faces are seen, and those that may be."""
    maybe = [place for place, doubtful in zip(built.places, built.doubtful, strict=True) if doubtful]
    return (*built_parts(built, kit), *(acrobat_part(place, built.stand, kit) for place in maybe))


def _judge(scene: Scene, built: Built, spare: Spare) -> StructureReading:
    """Weigh the faces in their places, the places without one, and faces elsewhere."""
    parts, measures = built_parts(built, scene.kit), _measures(built)
    width = scene.kit.acrobat.width_mm
    if built.found < len(built.places):
        reason, bare = _fault(scene, built, spare, parts)
        if reason in (Reason.HIDDEN, Reason.DOUBTFUL):
            return _unsure(reason, parts, measures)
        return _failed(reason, parts + bare, measures)
    if spare.in_zone or built.worst_mm > WRONG_WIDTHS * width:
        return _failed(Reason.WRONG_FIGURE, parts, measures)
    if built.worst_mm > RIGHT_WIDTHS * width:
        return _unsure(Reason.DOUBTFUL, parts, measures)
    return StructureReading(Outcome.PASS, (Reason.OK,), _confidence(built, width), parts, measures)


def _fault(
    scene: Scene, built: Built, spare: Spare, known: tuple[SeenPart, ...]
) -> tuple[Reason, tuple[SeenPart, ...]]:
    """Return why places show no face, and the blocks there that are turned: blocks elsewhere, turned, not there."""
    states = list(zip(built.places, built.faces, built.doubtful, strict=True))
    faced = tuple(place for place, face, _ in states if face is not None)
    gaps = [place for place, face, doubtful in states if face is None and not doubtful]
    unclear = Reason.DOUBTFUL if any(built.doubtful) else Reason.HIDDEN
    if gaps and spare.in_zone >= len(built.places) - len(faced):
        return Reason.WRONG_FIGURE, ()
    if len(faced) < max(2.0, ENOUGH * len(built.places)):
        return unclear, ()
    bare = [place for place in gaps if is_turned(scene, built.stand, place, faced)]
    if bare:
        return Reason.BARE_SIDE, tuple(acrobat_part(p, built.stand, scene.kit, "", "bare") for p in bare)
    if spare.in_zone:
        return Reason.WRONG_FIGURE, ()
    lacking = len(scene.kit.acrobat.piece) - spare.seen < len(built.places)
    absent = lacking or any(is_empty(scene, built.stand, place, known) for place in gaps)
    return (Reason.MISSING_PIECE if absent else unclear), ()


def _failed(reason: Reason, parts: tuple[SeenPart, ...] = (), measures: tuple[Measure, ...] = ()) -> StructureReading:
    return StructureReading(Outcome.FAIL, (reason,), 0.8, parts, measures)


def _unsure(reason: Reason, parts: tuple[SeenPart, ...] = (), measures: tuple[Measure, ...] = ()) -> StructureReading:
    return StructureReading(Outcome.UNSURE, (reason,), 0.0, parts, measures)


def _measures(built: Built) -> tuple[Measure, ...]:
    count = Measure("blocks in place", built.found, f"of {len(built.places)}")
    return count, Measure("largest distance from the figure", round(built.worst_mm, 1), "mm")


def _confidence(built: Built, width_mm: float) -> float:
    """Fall from 1 as blocks lie further off and as faces are less like the taught ones."""
    likeness = min(face.score for face in built.faces if face is not None)
    return float(max(0.5, 1.0 - 0.4 * built.worst_mm / (RIGHT_WIDTHS * width_mm) - 0.3 * (1 - likeness)))
