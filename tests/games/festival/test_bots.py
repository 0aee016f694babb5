import pytest

from pi_app.games.festival.bots import main
from tests.games.festival import apart, many


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_games_of_bots_end_and_are_scored_as_by_a_plain_program(start: int) -> None:
    for seed in range(start, start + 10):
        assert many.check_game(seed) > 20


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apart, "points", lambda *_: [0, 0])
    with pytest.raises(AssertionError):
        many.check_game(0)


def test_the_program_plays_and_tells(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "3"])
    assert capsys.readouterr().out.startswith("3 games, ")
