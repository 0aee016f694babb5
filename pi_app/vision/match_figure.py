"""Acrobats: does the structure make the card's figure?"""

from pi_app.core.verdict import Measure, Outcome, Reason
from pi_app.kit.model import Figure, Kit
from pi_app.vision.blocks import Badge, Place, Stand, acrobat_part, is_faced
from pi_app.vision.faces import FaceLook, FaceState, look
from pi_app.vision.fit import Fit, figure_places, fit_places
from pi_app.vision.reading import SeenPart, StructureReading
from pi_app.vision.scene import Scene

RIGHT_WIDTHS = 0.32
WRONG_WIDTHS = 0.45
"""A block is in its place up to the first and out of it from the second, in block widths: right builds are within
about 3 mm (0.12 widths), wrong blocks off by at least 0.7 widths."""
ENOUGH = 0.5
MAX_FITS = 3


def match_figure(scene: Scene, badges: list[Badge], figure: Figure) -> StructureReading:
    """Return whether the badges in the build zone lie as the figure wants them, mirrored as the camera sees it."""
    places = figure_places(figure, scene.kit)
    width = scene.kit.acrobat.width_mm
    fits = fit_places(places, badges, scene.view, scene.table, scene.kit, WRONG_WIDTHS * width)
    if not fits:
        return _nothing_fits(badges, places)
    looked = [(fit, _look_at_gaps(scene, fit, badges)) for fit in fits[:MAX_FITS]]
    fit, looks = max(looked, key=lambda pair: _found(pair[1]))
    return _judge(fit, looks, badges, scene)


def _look_at_gaps(scene: Scene, fit: Fit, badges: list[Badge]) -> dict[int, FaceLook]:
    """Look closer at each place of the figure that no badge was found for."""
    known = _parts(fit, {}, badges, scene.kit)
    gaps = [index for index, badge in enumerate(fit.badge_of) if badge is None]
    return {index: look(scene, fit.stand, fit.places[index], known=known) for index in gaps}


def _found(looks: dict[int, FaceLook]) -> int:
    return sum(one.state is FaceState.PICTURE for one in looks.values())


def _nothing_fits(badges: list[Badge], places: tuple[Place, ...]) -> StructureReading:
    if len(badges) >= len(places):
        return StructureReading(Outcome.FAIL, (Reason.WRONG_FIGURE,), 0.8)
    return StructureReading(Outcome.UNSURE, (Reason.HIDDEN,), 0.0)


def _judge(fit: Fit, looks: dict[int, FaceLook], badges: list[Badge], scene: Scene) -> StructureReading:
    """Weigh what was matched, what was not, and badges left over."""
    states = [one.state for one in looks.values()]
    spare = len(badges) - fit.matched
    turned = sum(not one for one in _faced(fit, badges, scene))
    measures = _measures(fit, states.count(FaceState.PICTURE))
    kit = scene.kit
    parts = _parts(fit, looks, badges, kit)
    worst = max((off for off in fit.off_mm if off is not None), default=0.0)
    if not any(state is not FaceState.PICTURE for state in states):
        if turned or spare:
            reason = Reason.BARE_SIDE if turned else Reason.WRONG_FIGURE
            return StructureReading(Outcome.FAIL, (reason,), 0.7, parts, measures)
        if worst > RIGHT_WIDTHS * kit.acrobat.width_mm:
            return StructureReading(Outcome.UNSURE, (Reason.DOUBTFUL,), 0.0, parts, measures)
        return StructureReading(Outcome.PASS, (Reason.OK,), _confidence(worst, looks, kit), parts, measures)
    reason = _fault(fit, states, spare)
    outcome = Outcome.UNSURE if reason in (Reason.HIDDEN, Reason.DOUBTFUL) else Outcome.FAIL
    return StructureReading(outcome, (reason,), 0.0 if outcome is Outcome.UNSURE else 0.8, parts, measures)


def _faced(fit: Fit, badges: list[Badge], scene: Scene) -> list[bool]:
    """Return for each badge of the figure whether its face points to the camera's side."""
    pairs = [(place, badges[i]) for place, i in zip(fit.places, fit.badge_of, strict=True) if i is not None]
    return [is_faced(fit.stand, place, badge, scene.view, scene.kit, scene.table) for place, badge in pairs]


def _fault(fit: Fit, states: list[FaceState], spare: int) -> Reason:
    """Return why places have no badge: blocks elsewhere, turned, not there, or out of sight."""
    missing = sum(state is not FaceState.PICTURE for state in states)
    if spare >= missing:
        return Reason.WRONG_FIGURE
    if fit.matched < ENOUGH * len(fit.places):
        return Reason.HIDDEN
    if FaceState.BARE in states:
        return Reason.BARE_SIDE
    if spare:
        return Reason.WRONG_FIGURE
    if FaceState.UNKNOWN in states:
        return Reason.HIDDEN
    return Reason.MISSING_PIECE


def _measures(fit: Fit, read_in_place: int) -> tuple[Measure, ...]:
    offs = [off for off in fit.off_mm if off is not None]
    worst = (Measure("largest distance from the figure", round(max(offs), 1), "mm"),) if offs else ()
    return (Measure("blocks in place", fit.matched + read_in_place, f"of {len(fit.places)}"), *worst)


def _confidence(worst_mm: float, looks: dict[int, FaceLook], kit: Kit) -> float:
    """Fall from 1 as blocks lie further off and as badges were read from their places alone."""
    off = worst_mm / (RIGHT_WIDTHS * kit.acrobat.width_mm)
    return float(max(0.5, 1.0 - 0.4 * off - 0.1 * len(looks)))


def _parts(fit: Fit, looks: dict[int, FaceLook], badges: list[Badge], kit: Kit) -> tuple[SeenPart, ...]:
    parts = []
    for index, (place, number) in enumerate(zip(fit.places, fit.badge_of, strict=True)):
        if number is not None:
            parts.append(_part(place, fit.stand, kit, badges[number].piece, badges[number].back))
        elif index in looks and looks[index].state is FaceState.PICTURE:
            parts.append(_part(place, fit.stand, kit, looks[index].piece, looks[index].back))
        elif index in looks and looks[index].state is FaceState.BARE:
            parts.append(acrobat_part(place, fit.stand, kit, "", "bare"))
    return tuple(parts)


def _part(place: Place, stand: Stand, kit: Kit, piece: int, back: bool) -> SeenPart:
    return acrobat_part(place, stand, kit, str(piece), "back" if back else "front")
