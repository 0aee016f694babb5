"""The table of phases and inputs."""

import pytest

from pi_app.core.events import VoilaSensed
from pi_app.session.commands import Commanded, Start, Undo
from pi_app.session.voila.commands import Approve, Command
from pi_app.session.voila.decide import _HANDLERS
from pi_app.session.voila.phases import TABLE, Do, Phase, Unexpected, doing


def test_every_phase_takes_everything_that_can_be_sensed() -> None:
    """Nobody can forbid a press: what has no meaning is listed as ignored."""
    for phase, row in TABLE.items():
        assert set(VoilaSensed.__args__) <= row.keys(), phase
    assert TABLE.keys() == set(Phase)


def test_every_command_has_a_phase_in_which_it_is_taken() -> None:
    taken = {kind for row in TABLE.values() for kind in row}
    assert set(Command.__args__) <= taken
    assert taken == set(Command.__args__) | set(VoilaSensed.__args__)


def test_everything_to_do_can_be_done() -> None:
    assert _HANDLERS.keys() == set(Do)
    assert {do for row in TABLE.values() for do in row.values()} == set(Do)


def test_an_unlisted_pair_names_both_and_what_is_possible() -> None:
    with pytest.raises(Unexpected) as caught:
        doing(Phase.JOINING, Commanded(Approve(), 0))
    assert str(caught.value) == "approve: not while joining; wanted name, press, start, undo"
    assert doing(Phase.JOINING, Commanded(Start(), 0)) is Do.START
    assert doing(Phase.OVER, Commanded(Undo(), 0)) is Do.UNDO
