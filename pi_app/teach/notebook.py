"""Teaching in steps: a folder with teach.toml and the pictures so far, whole after every step, to be gone on with."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from pi_app.core.errors import UserError
from pi_app.kit.faults import describe
from pi_app.kit.figure_text import parse_figure
from pi_app.kit.model import Acrobat, AcrobatPiece, Part
from pi_app.kit.save import toml_value, write_picture, write_whole
from pi_app.kit.table import Table
from pi_app.teach.build import Learnt, Tell, load_lessons, measured, teach_from, what_is_missing
from pi_app.teach.lesson import DrawnFigure, Given, Lessons, Show, ShowFigure
from pi_app.teach.measure import Kind, Seen, Sizes, given_sizes, see
from pi_app.teach.shot import take_shot
from pi_app.vision.camera import Camera
from pi_app.vision.camera_file import CameraEntry
from pi_app.vision.pose import Image

PICTURES = "pictures"


class Notebook:
    """What has been shown so far; every step is checked before it is kept, and kept before it is answered."""

    def __init__(self, folder: Path, table: Table, camera: Camera | None = None) -> None:
        self._folder, self._table = folder, table
        try:
            (folder / PICTURES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder}: cannot be written: {error.strerror or error}") from None
        self.lessons = load_lessons(folder) if (folder / "teach.toml").exists() else Lessons()
        if camera is not None:
            self._keep(self.lessons.model_copy(update={"camera": _entry(camera)}))

    @property
    def camera(self) -> Camera | None:
        """The camera's numbers, where they are known."""
        return self.lessons.camera.camera() if self.lessons.camera else None

    def missing(self) -> list[str]:
        """Return what a kit still needs, in words."""
        return what_is_missing(self.lessons)

    def has(self, show: Show) -> bool:
        """Return whether that has been shown."""
        return any(str(one) == str(show) for one in self.lessons.show)

    def show(self, show: Show, image: Image) -> Seen | None:
        """Check a picture of one thing and keep it instead of an earlier one; return what is seen (None: a figure).

        UserError where the picture is no good; nothing is kept then. The `file` of `show` is chosen here.
        """
        shot = take_shot(image, self._table, self.camera)
        if self.camera is None:
            self._keep(self.lessons.model_copy(update={"camera": _entry(shot.view.camera)}))
        seen = None if isinstance(show, ShowFigure) else see(shot, show, given_sizes(self.lessons.kit))
        number = sum(1 for _ in (self._folder / PICTURES).iterdir())
        name = f"{PICTURES}/{number:03}-{'-'.join(str(show).split()).replace('.', '_')}.png"
        write_picture(self._folder / name, image)
        others = tuple(one for one in self.lessons.show if str(one) != str(show) or one.kind in ("block", "stone"))
        self._keep(self.lessons.model_copy(update={"show": (*others, show.model_copy(update={"file": name}))}))
        return seen

    def draw(self, figure: str, text: str) -> None:
        """Keep a figure as a drawing; UserError where it cannot be read."""
        parse_figure(figure, text, _usual_acrobat(given_sizes(self.lessons.kit)))
        others = tuple(one for one in self.lessons.figure if one.id != figure)
        self._keep(self.lessons.model_copy(update={"figure": (*others, DrawnFigure(id=figure, text=text))}))

    def give(self, **sizes: object) -> None:
        """Keep sizes the owner gives, by their names in [kit]; UserError where one is out of bounds."""
        try:
            given = Given.model_validate(self.lessons.kit.model_dump() | sizes)
        except ValidationError as error:
            raise UserError(describe(error)) from None
        self._keep(self.lessons.model_copy(update={"kit": given}))

    def sizes(self, tell: Tell) -> Sizes:
        """Return the sizes that the pictures so far tell; UserError where one cannot be told."""
        return measured(self._folder, self.lessons, self._table, self.camera, tell)

    def finish(self, out: Path, tell: Tell) -> Learnt:
        """Make the kit and save it as `out`, whole or not at all."""
        return teach_from(self._folder, out, self._table, self.camera, tell)

    def _keep(self, lessons: Lessons) -> None:
        try:
            checked = Lessons.model_validate(lessons.model_dump())
        except ValidationError as error:
            raise UserError(describe(error)) from None
        write_whole(self._folder / "teach.toml", lessons_toml(checked).encode("utf-8"))
        self.lessons = checked


def lessons_toml(lessons: Lessons) -> str:
    """Return lessons as the text of a teach.toml, which load_lessons reads back the same."""
    lines = ["# What is taught, and by which pictures; see `umpire teach --help`. Lengths in mm."]
    tables: list[tuple[str, Part | CameraEntry | None]] = [("[kit]", lessons.kit), ("[camera]", lessons.camera)]
    tables += [("[[show]]", show) for show in lessons.show]
    tables += [("[[figure]]", figure) for figure in lessons.figure]
    for head, part in tables:
        values = part.model_dump(mode="json", exclude_none=True, exclude_defaults=head == "[kit]") if part else {}
        if values:
            lines += ["", head, *(f"{key} = {toml_value(value)}" for key, value in values.items() if value != [])]
    return "\n".join(lines) + "\n"


def _entry(camera: Camera) -> CameraEntry:
    return CameraEntry.model_validate({key: getattr(camera, key) for key in CameraEntry.model_fields})


def _usual_acrobat(sizes: Sizes) -> Acrobat:
    length, width, thickness = (size.mm for size in sizes.get(Kind.ACROBAT))
    piece = AcrobatPiece(id=0, front="front.png", back="back.png")
    return Acrobat(length_mm=length, width_mm=width, thickness_mm=thickness, piece=(piece,))
