"""Teaching step by step: what was left is gone on with, what is no good is asked for again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.teach.ask import ask_all
from pi_app.teach.build import load_lessons
from pi_app.teach.lesson import ShowBlock
from pi_app.teach.notebook import Notebook, lessons_toml
from pi_app.vision.pose import Image
from tests.teach.lay import Laid


class Person:
    """Answers from a list; keeps what it was told."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.told = list(answers), list[str]()

    def read(self, prompt: str) -> str:
        if not self.answers:
            raise EOFError
        return self.answers.pop(0)

    def tell(self, text: str) -> None:
        self.told.append(text)


def scenes(laid: Laid) -> Iterator[Image]:
    yield laid.clear().picture()
    yield laid.clear().acrobat(0, 5, 40, 8, pose="stand").picture()


def test_a_bad_picture_is_asked_for_again_and_what_is_kept_is_not(stock: Laid, tmp_path: Path) -> None:
    pictures = scenes(stock)
    person = Person("", "", "q")
    notebook = Notebook(tmp_path / "notes", stock.table, stock.scene.view.camera)
    assert not ask_all(notebook, lambda: next(pictures), person.read, person.tell)
    assert person.told[1].startswith("not good: got nothing in the zone")
    assert person.told[3].startswith("kept: an acrobat that stands: 5")
    again = Notebook(tmp_path / "notes", stock.table)
    assert again.camera is not None
    assert again.lessons == notebook.lessons
    assert again.has(ShowBlock(file="a", kind="block", pose="stand"))
    person = Person("q")
    assert not ask_all(again, lambda: next(pictures), person.read, person.tell)
    assert person.told[0].startswith("lay an acrobat on its long narrow side")


def test_lists_are_asked_line_by_line(stock: Laid, tmp_path: Path) -> None:
    drawing = tmp_path / "gate.txt"
    drawing.write_text("AAAAAAAAAAAA\n" * 3)
    notebook = Notebook(tmp_path / "notes", stock.table, stock.scene.view.camera)
    tile = stock.kit.tile.piece[0].id
    person = Person(
        *["s"] * (2 + 12 + 1 + 3), "thick", "2.2", tile, "", "", f"gate {drawing}", f"gate {drawing}x", "",
        "toss throw", "f find 2", "throw throw 12", "", "",
    )  # fmt: skip
    pictures = iter([stock.clear().tile(tile, 0, -10).picture(), stock.clear().card("throw", 0, -10, 4).picture()])
    assert ask_all(notebook, lambda: next(pictures), person.read, person.tell)
    told = "\n".join(person.told)
    assert "got 'thick', wanted a number of mm" in told
    assert "gate.txtx: cannot be read" in told
    assert "got 'toss throw', wanted NAME TASK COUNT" in told
    assert "object: missing, wanted on every find card" in told
    lessons = load_lessons(tmp_path / "notes")
    assert [str(show) for show in lessons.show] == [f"tile {tile}", "card throw"]
    assert lessons.kit.plate_mm == 2.2
    assert [figure.id for figure in lessons.figure] == ["gate"]
    assert "acrobat" in "".join(notebook.missing())


def test_lessons_are_read_back_the_same(stock: Laid, tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "notes", stock.table, stock.scene.view.camera)
    notebook.draw("gate", "AAAAAAAAAAAA\nAAAAAAAAAAAA\nAAAAAAAAAAAA\nx: A 0\n")
    notebook.give(acrobat_mm=(60.0, 30.0, 15.0), tile_shape="round")
    assert load_lessons(tmp_path / "notes") == notebook.lessons
    (tmp_path / "notes" / "teach.toml").write_text(lessons_toml(notebook.lessons), "utf-8")
    assert load_lessons(tmp_path / "notes") == notebook.lessons
    with pytest.raises(UserError, match="plate_mm: got 0"):
        notebook.give(plate_mm=0.1)
