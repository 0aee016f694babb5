"""Broken kits and tables: one line that names file, key, what was got and what was wanted."""

import copy
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from pi_app.core.errors import UserError
from pi_app.kit.faults import describe
from pi_app.kit.load import art_paths, load_kit, load_table
from pi_app.kit.model import Kit
from pi_app.kit.sample import sample_kit
from pi_app.kit.save import kit_toml
from pi_app.kit.table import Table

GOOD_KIT = kit_toml(sample_kit())
TABLE_PATH = Path(__file__).parents[2] / "pi_app" / "kit" / "table.toml"
GOOD_TABLE = TABLE_PATH.read_text("utf-8")
DEEP = "[" * 5000 + "]" * 5000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit's folder with empty pictures; each test writes its own kit.toml."""
    root = tmp_path_factory.mktemp("kits") / "kit"
    (root / "art").mkdir(parents=True)
    for _, art in art_paths(sample_kit()):
        (root / art).touch()
    return root


def changed(text: str, old: str, new: str) -> str:
    assert old in text, f"{old!r} is not in the good file"
    return text.replace(old, new, 1)


def fault(load: Callable[[Path], object], folder: Path, name: str, text: str | bytes) -> str:
    """Write the file, load it and return the one line of the error without the file's path."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(UserError) as raised:
        load(path)
    line = str(raised.value)
    assert line.isprintable(), "wanted one line without control characters"
    assert line.startswith(f"{path}: ")
    return line.removeprefix(f"{path}: ")


def kit_fault(folder: Path, text: str | bytes) -> str:
    return fault(lambda path: load_kit(path.parent), folder, "kit.toml", text)


KIT_EDITS = {
    "missing table": (
        "[overview]\n", "[overviews]\n",
        "overview: missing (and 1 more)",
    ),
    "missing key": ("length_mm = 56.0\n", "", "acrobat.length_mm: missing"),
    "missing piece": ('front = "art/acrobat3_front.png"\n', "", "acrobat.piece[3].front: missing"),
    "unknown key": (
        "length_mm = 56.0", "length_mm = 56.0\ncolour = 'red'",
        "acrobat.colour: got 'red', but there is no such key",
    ),
    "unknown table": ("[overview]", "[extra]\na = 1\n\n[overview]", "extra: got a table, but there is no such key"),
    "key with a line break": (
        "length_mm = 56.0", 'length_mm = 56.0\n"a\\nb" = 1',
        "acrobat.a?b: got 1, but there is no such key",
    ),
    "text for a length": ("length_mm = 56.0", 'length_mm = "56"', "acrobat.length_mm: got '56', wanted a number"),
    "true for a length": ("length_mm = 56.0", "length_mm = true", "acrobat.length_mm: got true, wanted a number"),
    "date for a length": (
        "length_mm = 56.0", "length_mm = 2020-01-01",
        "acrobat.length_mm: got 2020-01-01, wanted a number",
    ),
    "list for a length": ("length_mm = 56.0", "length_mm = [56]", "acrobat.length_mm: got [56], wanted a number"),
    "nan": ("length_mm = 56.0", "length_mm = nan", "acrobat.length_mm: got nan, wanted a finite number"),
    "inf": ("length_mm = 56.0", "length_mm = inf", "acrobat.length_mm: got inf, wanted a finite number"),
    "minus inf": ("x_mm = 58.0", "x_mm = -inf", "figure[0].blocks[1].x_mm: got -inf, wanted a finite number"),
    "negative": ("length_mm = 56.0", "length_mm = -56.0", "acrobat.length_mm: got -56.0, wanted more than 0.5"),
    "zero": ("diameter_mm = 15.0", "diameter_mm = 0", "stone.diameter_mm: got 0, wanted more than 0.5"),
    "huge": ("length_mm = 56.0", "length_mm = 1e300", "acrobat.length_mm: got 1e+300, wanted less than 500"),
    "huge whole number": (
        "length_mm = 56.0", "length_mm = 1" + "0" * 400,
        "acrobat.length_mm: got a number of more than 60 digits, wanted a number",
    ),
    "endless whole number": (
        "length_mm = 56.0", "length_mm = 1" + "0" * 5000,
        "got a number of thousands of digits, wanted a plain TOML file",
    ),
    "wider than long": (
        "width_mm = 28.0", "width_mm = 60.0",
        "acrobat: got length, width, thickness 56, 60, 14, wanted each at most the one before",
    ),
    "fraction for an id": ("id = 3", "id = 3.5", "acrobat.piece[3].id: got 3.5, wanted a whole number"),
    "id too large": ("id = 3", "id = 16", "acrobat.piece[3].id: got 16, wanted at most 15"),
    "piece twice": ("id = 3", "id = 2", "acrobat.piece.id: got '2' twice, wanted every id once"),
    "tile twice": ('id = "cherries"', 'id = "crown"', "tile.piece.id: got 'crown' twice, wanted every id once"),
    "figure twice": ('id = "row"', 'id = "stairs"', "figure.id: got 'stairs' twice, wanted every id once"),
    "card twice": ('id = "tower"', 'id = "tunnel"', "card.id: got 'tunnel' twice, wanted every id once"),
    "unknown figure": (
        'figure = "row"', 'figure = "rows"',
        "card[12].figure: got 'rows', wanted one of altar, aqueduct, chimney_house, chimneys, fort, lighthouse, "
        "pyramid, row, sofas, stairs, tiara, twin_gates",
    ),
    "unknown object": (
        'object = "crown"', 'object = "crone"',
        "card[5].object: got 'crone', wanted one of anchor, balloon, butterfly, cherries, clock, crown, mushroom, "
        "sailboat, snail, tent",
    ),
    "unknown task": (
        'task = "tower"', 'task = "towel"',
        "card[23].task: got 'towel', wanted 'throw', 'find', 'acrobats', 'tower', 'tunnel', 'line' or 'juggler'",
    ),
    "task without its object": ('object = "crown"\n', "", "card[5].object: missing, wanted on every find card"),
    "task without its figure": ('figure = "row"\n', "", "card[12].figure: missing, wanted on every acrobats card"),
    "task without its stones": (
        "stones = {yellow = 1, red = 1, blue = 1}\n", "",
        "card[26].stones: missing, wanted on every juggler card",
    ),
    "unknown stone": (
        "stones = {yellow = 1, red = 1, blue = 1}", "stones = {green = 1}",
        "card[26].stones.green: got 1, but there is no such key",
    ),
    "negative count": ("count = 12", "count = -1", "card[0].count: got -1, wanted at least 0"),
    "huge count": ("count = 12", "count = 81", "card[0].count: got 81, wanted at most 80"),
    "unknown pose": ('pose = "lie"', 'pose = "lean"', "figure[0].blocks[0].pose: got 'lean', wanted 'stand' or 'lie'"),
    "no blocks": (
        "blocks = [\n", "blocks = []\nrest = [\n",
        "figure[0].blocks: got [], wanted a list of at least 1 (and 1 more)",
    ),
    "text for blocks": (
        "blocks = [\n", 'blocks = "pyramid"\nrest = [\n',
        "figure[0].blocks: got 'pyramid', wanted a list (and 1 more)",
    ),
    "far away block": ("x_mm = 58.0", "x_mm = 1e6", "figure[0].blocks[1].x_mm: got 1000000.0, wanted at most 1000"),
    "unknown shape": ('shape = "round"', 'shape = "oval"', "tile.shape: got 'oval', wanted 'round' or 'square'"),
    "colour of two": (
        "yellow = [244, 202, 44]", "yellow = [244, 202]",
        "stone.colours.yellow[2]: missing",
    ),
    "colour too bright": (
        "yellow = [244, 202, 44]", "yellow = [244, 256, 44]",
        "stone.colours.yellow[1]: got 256, wanted at most 255",
    ),
    "colour by name": (
        "yellow = [244, 202, 44]", 'yellow = "gold"',
        "stone.colours.yellow: got 'gold', wanted a list",
    ),
    "id with a blank": (
        'id = "tower"', 'id = "the tower"',
        "card[23].id: got 'the tower', wanted a name of letters, digits and _ . -",
    ),
    "id of dots": ('id = "tower"', 'id = ".."', "card[23].id: got '..', wanted a name of letters, digits and _ . -"),
    "empty id": ('id = "tower"', 'id = ""', "card[23].id: got '', wanted at least 1 letter"),
    "endless id": (
        'id = "tower"', f'id = "{"x" * 100}"',
        f"card[23].id: got '{'x' * 58}…, wanted at most 64 letters",
    ),
    "no such picture": (
        'art = "art/overview.png"', 'art = "art/over.png"',
        "overview.art: got 'art/over.png', wanted a picture that exists",
    ),
    "folder for a picture": (
        'art = "art/overview.png"', 'art = "art"',
        "overview.art: got 'art', wanted a picture that exists",
    ),
    "path out of the folder": (
        'art = "art/overview.png"', 'art = "art/../../secret.png"',
        "overview.art: got 'art/../../secret.png', wanted a path inside the folder",
    ),
    "absolute path": (
        'art = "art/overview.png"', 'art = "/etc/passwd"',
        "overview.art: got '/etc/passwd', wanted a path inside the folder, of letters, digits, spaces and _ . - /",
    ),
    "path with a null": (
        'art = "art/overview.png"', 'art = "art/\\u0000.png"',
        "overview.art: got 'art/\\x00.png', wanted a path inside the folder, of letters, digits, spaces and _ . - /",
    ),
    "nested too deeply": (
        "length_mm = 56.0", f"length_mm = {DEEP}",
        "got lists or tables nested too deeply, wanted a plain TOML file",
    ),
    "not TOML": ("length_mm = 56.0", "length_mm = ", "not a TOML file: Invalid value (at line 4, column 13)"),
    "key twice": (
        "length_mm = 56.0", "length_mm = 56.0\nlength_mm = 57.0",
        "not a TOML file: Cannot overwrite a value (at line 5, column 17)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KIT_EDITS)
def test_a_broken_kit_is_named(name: str, folder: Path) -> None:
    old, new, expected = KIT_EDITS[name]

    assert kit_fault(folder, changed(GOOD_KIT, old, new)) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "acrobat: missing (and 4 more)"),
        (b"\xff\xfe\x00", "got byte 0xff at 0, wanted UTF-8 text"),
        (GOOD_KIT.encode()[: GOOD_KIT.encode().index(b"[[tile.piece]]")], "tile.piece: missing (and 3 more)"),
        (b"\0" * 100, "not a TOML file: Invalid statement (at line 1, column 1)"),
        (b"\x89PNG\r\n\x1a\n", "got byte 0x89 at 0, wanted UTF-8 text"),
        (b"# big\n" * 2_000_000, "got 12000000 bytes, wanted at most 1048576"),
        (b"card = 3\n", "acrobat: missing (and 4 more)"),
    ],
    ids=["empty", "not UTF-8", "half", "zeros", "a picture", "10 MB", "card is no table"],
)
def test_what_is_no_kit_is_named(data: bytes, expected: str, folder: Path) -> None:
    assert kit_fault(folder, data) == expected


TABLE_EDITS = {
    "missing table": ("[zones]", "[zone]", "zones: missing (and 1 more)"),
    "unknown key": ("width = 420.0", "wide = 420.0", "mat.width: missing (and 1 more)"),
    "nan": ("width = 420.0", "width = nan", "mat.width: got nan, wanted a finite number"),
    "true for a width": ("width = 420.0", "width = true", "mat.width: got true, wanted a number"),
    "huge": ("height = 297.0", "height = 1e9", "mat.height: got 1000000000.0, wanted less than 2000"),
    "unknown dictionary": (
        "DICT_5X5_100", "DICT_5X5_99",
        "markers.family: got 'DICT_5X5_99', wanted one of OpenCV's dictionaries, as DICT_5X5_100",
    ),
    "no dictionary": (
        '"DICT_5X5_100"', '"apriltag"',
        "markers.family: got 'apriltag', wanted the name of one of OpenCV's dictionaries, as DICT_5X5_100",
    ),
    "id twice": (
        "ids      = [0, 1,", "ids      = [0, 0,",
        "markers.mat.ids: got 0 twice, wanted every id once",
    ),
    "id beyond the dictionary": (
        "ids      = [0, 1,", "ids      = [0, 100,",
        "markers.mat.ids: got 100, wanted 0 to 99, as DICT_5X5_100 has them",
    ),
    "too few centres": (
        "centre_y = [ 129, 129,", "centre_y = [ 129,",
        "markers.mat[0].centre_y: got 9 values, wanted 10, one for each of ids",
    ),
    "patch without a colour": (
        ",[50,140,70]]", "]",
        "patches.srgb: got 7 values, wanted 8, one for each of centre_x",
    ),
    "zone of three": (
        "build  = [-105, -100, 105, 70]", "build  = [-105, -100, 105]",
        "zones.build: got 3 numbers, wanted x0, y0, x1, y1",
    ),
    "zone turned over": (
        "build  = [-105, -100, 105, 70]", "build  = [105, -100, -105, 70]",
        "zones.build: got 105, -100, -105, 70, wanted x0, y0, x1, y1 with x0 < x1 and y0 < y1",
    ),
    "zone by name": (
        "build  = [-105, -100, 105, 70]", 'build  = "middle"',
        "zones.build: got 'middle', wanted a list of four numbers: x0, y0, x1, y1",
    ),
    "zone of words": (
        "build  = [-105, -100, 105, 70]", 'build  = [-105, "a", 105, 70]',
        "zones.build.y0: got 'a', wanted a number",
    ),
    "no border": ("border_bits = 1", "border_bits = 0", "markers.border_bits: got 0, wanted at least 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE_EDITS)
def test_a_broken_table_is_named(name: str, tmp_path: Path) -> None:
    old, new, expected = TABLE_EDITS[name]

    assert fault(load_table, tmp_path, "table.toml", changed(GOOD_TABLE, old, new)) == expected


def test_a_missing_kit_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"kit\.toml: cannot be read: No such file or directory$"):
        load_kit(tmp_path)


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "kit.toml").mkdir()
    with pytest.raises(UserError, match=r"kit\.toml: got a folder, wanted a TOML file$"):
        load_kit(tmp_path)


def test_a_pipe_in_place_of_the_file_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "kit.toml")
    with pytest.raises(UserError, match=r"kit\.toml: got a device, wanted a TOML file$"):
        load_kit(tmp_path)


def test_a_link_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").touch()
    (folder / "art" / "link.png").symlink_to(tmp_path / "secret.png")
    text = changed(GOOD_KIT, 'art = "art/overview.png"', 'art = "art/link.png"')

    expected = "overview.art: got 'art/link.png', a link out of the kit's folder, wanted a file in it"
    assert kit_fault(folder, text) == expected


def test_a_link_within_the_folder_is_accepted(folder: Path) -> None:
    (folder / "art" / "inner.png").symlink_to("overview.png")
    text = changed(GOOD_KIT, 'art = "art/overview.png"', 'art = "art/inner.png"')
    (folder / "kit.toml").write_text(text, "utf-8")

    assert load_kit(folder).overview.art == "art/inner.png"


def test_the_good_files_load(folder: Path) -> None:
    (folder / "kit.toml").write_text(GOOD_KIT, "utf-8")

    assert load_kit(folder) == sample_kit()
    assert isinstance(load_table(TABLE_PATH), Table)


def test_the_recorded_scenes_files_load(bench: Path) -> None:
    kits = [
        load_kit(path) for path in sorted((bench / "kits").iterdir()) if "[acrobat]" in (path / "kit.toml").read_text()
    ]

    assert kits
    assert load_table(bench / "table.toml") == load_table(TABLE_PATH)


SCALARS = st.one_of(
    st.none().map(lambda _: float("nan")), st.floats(), st.integers(), st.booleans(), st.text(max_size=5),
    st.just("../x"), st.lists(st.integers(), max_size=5),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=3),
)  # fmt: skip


def places(value: object, path: tuple[int | str, ...] = ()) -> list[tuple[int | str, ...]]:
    found = [path] if path else []
    match value:
        case dict():
            entries = list(value.items())
        case list():
            entries = list(enumerate(value))
        case _:
            entries = []
    return found + [place for key, entry in entries for place in places(entry, (*path, key))]


RAW_KIT = tomllib.loads(GOOD_KIT)
PLACES = places(RAW_KIT)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.one_of(st.none(), SCALARS)), min_size=1, max_size=3))
def test_any_changed_value_gives_a_kit_or_a_line(changes: list[tuple[tuple[int | str, ...], object]]) -> None:
    raw = copy.deepcopy(RAW_KIT)
    for place, value in changes:
        set_or_drop(raw, place, value)

    answer = kit_or_line(lambda: Kit.model_validate(raw))
    assert isinstance(answer, Kit) or answer.isprintable()


def kit_or_line(load: Callable[[], Kit]) -> Kit | str:
    """Return the kit or the one line the user sees; any other exception fails the test."""
    try:
        return load()
    except ValidationError as error:
        return describe(error)
    except UserError as error:
        return str(error)


def set_or_drop(raw: object, place: tuple[int | str, ...], value: object) -> None:
    try:
        for key in place[:-1]:
            raw = raw[key]  # type: ignore[index]
        if value is None:
            del raw[place[-1]]  # type: ignore[attr-defined]
        else:
            raw[place[-1]] = value  # type: ignore[index]
    except (KeyError, IndexError, TypeError):
        return  # an earlier change took the place away


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(GOOD_KIT)), st.integers(0, 40), st.binary(max_size=12))
def test_any_changed_bytes_give_a_kit_or_a_line(folder: Path, at: int, cut: int, data: bytes) -> None:
    good = GOOD_KIT.encode()
    (folder / "kit.toml").write_bytes(good[:at] + data + good[at + cut :])
    answer = kit_or_line(lambda: load_kit(folder))
    assert isinstance(answer, Kit) or answer.isprintable()


def test_a_name_that_is_too_long_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"kit\.toml: cannot be read: File name too long$"):
        load_kit(tmp_path / ("x" * 300))
