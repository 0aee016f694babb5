"""The word list is what the build makes of the source's lists, to the byte."""

from pathlib import Path

import pytest

from pi_app.core.errors import UserError
from pi_app.games.words import load_own_words, parse_own_words
from pi_app.games.words.build import CORRECTIONS, build, lists_digest, main
from pi_app.games.words.wordlist import LIST, digest

SCOWL = Path("/usr/share/dict/scowl")
SMALL = {
    "english-words.10": "sever\nsevere\nsever's\nb\nover\n",
    "english-words.35": "sever\ncafé\nsavior\nsavory\n",
    "english-words.60": "saver\nsaviours\n",
    "english-words.80": "siver\n",
    "american-words.20": "savor\ncivilize\n",
    "british-words.20": "savour\ncivilise\nkelim\n",
    "variant_1-words.50": "raja\n",
    "variant_2-words.50": "kelim\ndonut\n",
    "variant_3-words.50": "luv\n",
    "english-upper.50": "Severo\nRaja\nDavid\n",
    "english-abbreviations.50": "civ\n",
}
BODY = """CF cafe/35
CV civ/a
CVLS civilise/b
CVLZ civilize/20
DNT donut/50
DVD david/n
KLM kelim/b
RJ raja/50
SDK sudoku/60
SVR saver/60 savior/- savor/20 savory/- severe/10 severo/n
VR over/-
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    for name, text in SMALL.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_a_small_source(small: Path) -> None:
    lists = lists_digest(small)
    made = build(small, parse_own_words("accept sudoku\nrefuse sever"), lists)
    body = BODY.replace("VR over/-\n", "")
    head = f"source SCOWL\nversion 2020.12.07\nlicence SCOWL.txt\nlists {lists}\nbody {digest(body)}\n\n"
    assert made == head + body


def test_common_words_that_break_the_rule_are_kept_where_the_card_has_an_answer(small: Path) -> None:
    made = build(small, parse_own_words("accept vare"), lists_digest(small))
    assert "\nVR over/- vare/60\n" in made


def test_other_lists_are_refused(small: Path) -> None:
    with pytest.raises(UserError, match=r"got lists with SHA-256 \w+, wanted SCOWL 2020.12.07's"):
        build(small, parse_own_words(""))


def test_any_list_that_is_used_counts(small: Path) -> None:
    before = lists_digest(small)
    for name in SMALL:
        (small / name).write_text(SMALL[name] + "x\n", "utf-8")
        unused = name in ("english-words.80", "variant_3-words.50")
        assert (lists_digest(small) == before) is unused
        (small / name).write_text(SMALL[name], "utf-8")


def test_the_command_names_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = LIST.read_bytes()
    assert main([]) == 2
    assert main([str(tmp_path)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "build: got 0 arguments, wanted the folder of SCOWL's lists"
    assert said[1].startswith(f"{tmp_path}: got lists with SHA-256 ")
    assert LIST.read_bytes() == before


@pytest.mark.skipif(not SCOWL.is_dir(), reason="Debian's package scowl is not installed")
def test_the_list_is_what_the_source_gives() -> None:
    assert build(SCOWL, load_own_words(CORRECTIONS)).encode() == LIST.read_bytes()
