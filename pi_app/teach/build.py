"""A kit from lessons and their pictures: sizes first, then every face at its size, then what is odd about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from pi_app.core.errors import UserError
from pi_app.core.names import Colour
from pi_app.kit.check import check_kit
from pi_app.kit.faults import describe
from pi_app.kit.figure_text import parse_figure
from pi_app.kit.load import load_toml
from pi_app.kit.model import Acrobat, Figure, Kit, Srgb
from pi_app.kit.picture_file import read_picture
from pi_app.kit.save import save_kit
from pi_app.kit.table import Table
from pi_app.teach.alike import alike_pairs
from pi_app.teach.face import stone_srgb, top_face
from pi_app.teach.figure import see_figure
from pi_app.teach.lesson import (
    DrawnFigure,
    Lessons,
    Show,
    ShowAcrobat,
    ShowBlock,
    ShowCard,
    ShowFigure,
    ShowOverview,
    ShowStone,
    ShowTile,
)
from pi_app.teach.measure import Kind, Seen, Sizes, given_sizes, see, together
from pi_app.teach.shot import Shot, take_shot
from pi_app.vision.camera import Camera
from pi_app.vision.focal import solve_camera
from pi_app.vision.pose import Image

SOLVE_FROM = 9
ENOUGH = 14
"""Pictures of one kind of pieces that are measured: sizes get no better with more."""
Tell = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Learnt:
    """A kit with its pictures by path, and what its owner should look at."""

    kit: Kit
    art: Mapping[str, Image]
    findings: tuple[str, ...]


def load_lessons(folder: Path) -> Lessons:
    """Read `folder`/teach.toml; UserError says what is wrong in it."""
    return load_toml(folder / "teach.toml", Lessons)


def teach_from(folder: Path, out: Path, table: Table, camera: Camera | None, tell: Tell) -> Learnt:
    """Learn the kit that `folder`/teach.toml and its pictures show and save it as `out`, whole or not at all.

    UserError names the picture that is no good and why, or what is missing.
    """
    learnt = learn(folder, load_lessons(folder), table, camera, tell)
    save_kit(out, learnt.kit, learnt.art, replace=True)
    return learnt


def learn(folder: Path, lessons: Lessons, table: Table, camera: Camera | None, tell: Tell) -> Learnt:
    """Return what lessons and their pictures teach; UserError as above."""
    missing = what_is_missing(lessons)
    if missing:
        raise UserError(f"{folder / 'teach.toml'}: missing: {', '.join(missing[:6])}{_more(missing, 6)}")
    known = camera or (lessons.camera.camera() if lessons.camera else solved(folder, lessons, table))
    sizes = measured(folder, lessons, table, known, tell)
    art: dict[str, Image] = {}
    colours: dict[Colour, Srgb] = {}
    for piece in _pieces(lessons.show):
        if isinstance(piece, ShowBlock):
            continue  # it was for the sizes
        seen = _look(folder, piece, table, known, sizes)
        if isinstance(piece, ShowStone):
            colours[piece.colour] = stone_srgb(seen.ground, seen.fitted.solid)
        else:
            art[_path(piece)] = face_of(piece, seen, sizes)
        tell(f"{piece}: learnt")
    acrobat = _acrobat(lessons, sizes)
    figures = [_figure(folder, one, acrobat) for one in lessons.figure]
    for show in lessons.show:
        if isinstance(show, ShowFigure):
            with _about(folder, show):
                figures.append(see_figure(_shot(folder, show, table, known), show, acrobat, art))
            tell(f"{show}: learnt")
    kit = _kit(folder, lessons, sizes, acrobat, figures, colours)
    return Learnt(kit, art, tuple(_findings(kit, art, sizes)))


def solved(folder: Path, lessons: Lessons, table: Table) -> Camera | None:
    """Return the camera that the first pictures of the mat show; None where their sizes differ or no mat is seen."""
    cameras = []
    for show in lessons.show[:SOLVE_FROM]:
        camera = solve_camera(read_picture(folder / show.file, str(folder / show.file)), table)
        cameras += [camera] if camera else []
    if not cameras or len({(camera.width, camera.height) for camera in cameras}) > 1:
        return None
    return sorted(cameras, key=lambda camera: camera.fx)[len(cameras) // 2]


def measured(folder: Path, lessons: Lessons, table: Table, camera: Camera | None, tell: Tell) -> Sizes:
    """Return the sizes that are given, and of the others what all pictures show; UserError where one cannot be told."""
    sizes = given_sizes(lessons.kit)
    seen: list[Seen] = []
    for show in _pieces(lessons.show):
        kind = _kind(show)
        if sizes.firm(kind) or sum(one.kind is kind for one in seen) >= ENOUGH:
            continue
        try:
            seen.append(_look(folder, show, table, camera, sizes))
        except UserError:
            continue  # the sizes that the other pictures tell help to see this one, or it is refused then
        tell(f"{show}: {', '.join(f'{size.mm:.1f}' for size in seen[-1].sizes)} mm")
    sizes = together(seen, sizes)
    for kind in Kind:
        if not sizes.sure(kind):
            got = ", ".join(f"{size.mm:.1f} +- {size.sd_mm:.1f}" for size in sizes.get(kind))
            raise UserError(
                f"cannot measure the {kind}'s sizes well enough (got {got} mm), wanted {_key(kind)} in [kit]"
            )
    return sizes


def face_of(show: ShowAcrobat | ShowTile | ShowOverview | ShowCard | ShowFigure, seen: Seen, sizes: Sizes) -> Image:
    """Return the face that a picture shows, upright, at the size all pieces of its kind have."""
    of = [size.mm for size in sizes.get(seen.kind)]
    match show:
        case ShowAcrobat():
            size = (of[1], of[0])
        case ShowTile():
            size = (of[0], of[0])
        case ShowOverview() | ShowCard():
            size = (of[0], of[1])
        case ShowFigure():
            raise AssertionError("a figure has no face")
    return top_face(seen.ground, seen.fitted.solid, _rounded(size), show.top, disc=seen.round)


def what_is_missing(lessons: Lessons) -> list[str]:
    """Return what a kit needs and no lesson shows, in words."""
    shown = {str(show) for show in lessons.show}
    kinds = {type(show) for show in lessons.show}
    pieces = sorted({show.piece for show in lessons.show if isinstance(show, ShowAcrobat)})
    missing = ["an acrobat (kind acrobat)"] if not pieces else []
    missing += [
        f"acrobat {n} {side}" for n in pieces for side in ("front", "back") if f"acrobat {n} {side}" not in shown
    ]
    for shown_as, what, name in (
        (ShowTile, "a tile", "tile"),
        (ShowOverview, "the overview tile", "overview"),
        (ShowCard, "a card", "card"),
    ):
        missing += [] if shown_as in kinds else [f"{what} (kind {name})"]
    stones = {show.colour for show in lessons.show if isinstance(show, ShowStone)}
    missing += [f"a {colour} stone (kind stone)" for colour in Colour if colour not in stones]
    for kind, given in ((Kind.TILE, lessons.kit.tile_mm), (Kind.OVERVIEW, lessons.kit.overview_mm)):
        if given is None and lessons.kit.plate_mm is None:
            missing.append(f"the {kind}'s thickness ({_key(kind)} or plate_mm in [kit]; no picture tells it)")
    figures = {one.id for one in lessons.figure} | {show.id for show in lessons.show if isinstance(show, ShowFigure)}
    tiles = {show.id for show in lessons.show if isinstance(show, ShowTile)}
    for show in lessons.show:
        if isinstance(show, ShowCard):
            missing += [f"figure {show.figure}"] if show.figure and show.figure not in figures else []
            missing += [f"tile {show.object}"] if show.object and show.object not in tiles else []
    return list(dict.fromkeys(missing))


def _pieces(shows: Sequence[Show]) -> list[ShowAcrobat | ShowBlock | ShowTile | ShowOverview | ShowStone | ShowCard]:
    return [show for show in shows if not isinstance(show, ShowFigure)]


def _kind(show: Show) -> Kind:
    match show:
        case ShowAcrobat() | ShowBlock():
            return Kind.ACROBAT
        case ShowTile() | ShowOverview() | ShowStone() | ShowCard():
            return Kind(show.kind)
        case ShowFigure():
            raise AssertionError("a figure has no sizes")


class _about:  # noqa: N801 - reads as a with statement
    """Names the picture in what goes wrong with it."""

    def __init__(self, folder: Path, show: Show) -> None:
        self._where = f"{folder / show.file} ({show})"

    def __enter__(self) -> None:
        """Nothing yet."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Say where a UserError is."""
        if isinstance(error, UserError) and not str(error).startswith(self._where.split(" (")[0]):
            raise UserError(f"{self._where}: {error}") from None


def _shot(folder: Path, show: Show, table: Table, camera: Camera | None) -> Shot:
    return take_shot(read_picture(folder / show.file, str(folder / show.file)), table, camera)


def _look(folder: Path, show: Show, table: Table, camera: Camera | None, sizes: Sizes) -> Seen:
    with _about(folder, show):
        return see(_shot(folder, show, table, camera), show, sizes)
    raise AssertionError("unreachable")


def _path(show: Show) -> str:
    match show:
        case ShowAcrobat():
            return f"art/acrobat{show.piece}_{show.side}.png"
        case ShowTile() | ShowCard():
            return f"art/{show.kind}_{show.id}.png"
        case _:
            return "art/overview.png"


def _rounded(size: tuple[float, float]) -> tuple[float, float]:
    return round(size[0], 1), round(size[1], 1)


def _acrobat(lessons: Lessons, sizes: Sizes) -> Acrobat:
    length, width, thickness = (round(size.mm, 1) for size in sizes.get(Kind.ACROBAT))
    pieces = sorted({show.piece for show in lessons.show if isinstance(show, ShowAcrobat)})
    art = [{"id": n, **{side: f"art/acrobat{n}_{side}.png" for side in ("front", "back")}} for n in pieces]
    values = {"length_mm": length, "width_mm": width, "thickness_mm": thickness, "piece": art}
    return Acrobat.model_validate(values)


def _figure(folder: Path, drawn: DrawnFigure, acrobat: Acrobat) -> Figure:
    if drawn.text is None:
        return Figure(id=drawn.id, blocks=drawn.blocks)
    try:
        return parse_figure(drawn.id, drawn.text, acrobat)
    except UserError as error:
        raise UserError(f"{folder / 'teach.toml'}: figure {error}") from None


def _kit(
    folder: Path, lessons: Lessons, sizes: Sizes, acrobat: Acrobat, figures: list[Figure], colours: dict[Colour, Srgb]
) -> Kit:
    def of(kind: Kind) -> list[float]:
        return [round(size.mm, 1) for size in sizes.get(kind)]

    tile, over, stone = of(Kind.TILE), of(Kind.OVERVIEW), of(Kind.STONE)
    tiles = [{"id": show.id, "art": _path(show)} for show in lessons.show if isinstance(show, ShowTile)]
    cards = [
        {**show.model_dump(exclude={"file", "kind", "top", "lies"}, exclude_none=True), "art": _path(show)}
        for show in lessons.show
        if isinstance(show, ShowCard)
    ]
    values = {
        "acrobat": acrobat.model_dump(),
        "tile": {
            "shape": "round" if sizes.tile_round else "square",
            "size_mm": tile[0], "thickness_mm": tile[1], "piece": tiles},
        "overview": {"width_mm": over[0], "height_mm": over[1], "thickness_mm": over[2], "art": "art/overview.png"},
        "stone": {
            "shape": "nugget", "diameter_mm": stone[0], "height_mm": stone[1], "finish": "glossy",
            "colours": {colour.value: srgb for colour, srgb in colours.items()},
        },
        "figure": [figure.model_dump() for figure in figures],
        "card": cards,
    }  # fmt: skip
    try:
        return Kit.model_validate(values)
    except ValidationError as error:
        raise UserError(f"{folder / 'teach.toml'}: {describe(error)}") from None


def _findings(kit: Kit, art: Mapping[str, Image], sizes: Sizes) -> list[str]:
    """Return what the owner should look at: odd parts, sizes that are not certain, pictures alike."""
    found = [str(finding) for finding in check_kit(kit)]
    for kind in Kind:
        loose = [size for size in sizes.get(kind) if size.sd_mm > 0.4]
        found += [f"{kind}: a size is good to {max(size.sd_mm for size in loose):.1f} mm only"] if loose else []
    for card in alike_pairs({card.id: art[card.art] for card in kit.card}):
        found.append(f"cards {card}")
    for tile in alike_pairs({tile.id: art[tile.art] for tile in kit.tile.piece}):
        found.append(f"tiles {tile}")
    faces = {
        f"{piece.id} {side}": art[getattr(piece, side)] for piece in kit.acrobat.piece for side in ("front", "back")
    }
    same = [pair for pair in alike_pairs(faces, halfway=False) if pair.confusable]
    if same:
        found.append(f"acrobats' faces: {len(same)} pairs look the same, the first {same[0].one} and {same[0].other}")
    return found


def _key(kind: Kind) -> str:
    return f"{kind}_mm"


def _more(items: Sequence[str], shown: int) -> str:
    return f" and {len(items) - shown} more" if len(items) > shown else ""
