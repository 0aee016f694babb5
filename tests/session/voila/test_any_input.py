"""Any state and any input: never an exception but an answer, and the journal's fold is the state."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pi_app.core.events import (
    CardsSeen,
    PartFault,
    Pressed,
    Restarted,
    StonesSeen,
    Tick,
    TileOnPad,
    VerdictGiven,
)
from pi_app.core.names import Colour, Task
from pi_app.core.verdict import Outcome, Reason, Verdict
from pi_app.games import voila
from pi_app.games.voila import Settings
from pi_app.session.commands import Commanded, NameSeat, Press, Start
from pi_app.session.flow import Audience, Refused
from pi_app.session.voila.commands import (
    PLAIN,
    PLAIN_TO,
    Command,
    Correct,
    LayTile,
    TellCard,
    TellFinder,
    TellStone,
    ToCard,
    ToFinder,
    ToStone,
)
from pi_app.session.voila.decide import decide
from pi_app.session.voila.engine import FLOW, opening
from pi_app.session.voila.events import SessionEvent
from pi_app.session.voila.evolve import evolve
from pi_app.session.voila.kinds import CODEC
from pi_app.session.voila.options import Approval, Options
from pi_app.session.voila.phases import Phase, Taken, Unexpected
from pi_app.session.voila.react import react
from pi_app.session.voila.show import public_view
from pi_app.session.voila.state import State, phase_of
from tests.session.voila.table import DECK, S

CARDS = st.sampled_from([*(kind.id for kind in DECK), "dragon"])
TILES = st.sampled_from(["cat", "dog", "hat", None])
BUTTONS = st.integers(1, 4)
SEATS = st.integers(0, 4)
COLOURS = st.sampled_from(Colour)
TO = st.one_of(
    st.sampled_from(list(PLAIN_TO.values())),
    st.builds(ToStone, COLOURS),
    st.builds(ToCard, CARDS),
    st.builds(ToFinder, st.none() | SEATS),
)
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from(list(PLAIN.values())),
    st.builds(TellStone, COLOURS),
    st.builds(TellCard, CARDS),
    st.builds(LayTile, TILES),
    st.builds(Correct, st.integers(1, 30), TO),
    st.builds(Press, BUTTONS),
    st.builds(TellFinder, st.none() | SEATS),
    st.builds(Start, SEATS),
    st.builds(NameSeat, SEATS, st.text(max_size=3)),
)
VERDICTS = st.builds(
    Verdict, st.sampled_from(Outcome), st.just((Reason.DOUBTFUL,)), st.just(0.5), st.none() | st.just(100 * S)
)
Make = Callable[[State, int], Taken]


def _answer(verdict: Verdict, task: Task) -> Make:
    def make(state: State, now_ns: int) -> Taken:
        asked = state.asked
        return VerdictGiven(asked.task if asked else task, verdict, asked.at_ns if asked else 0, now_ns)

    return make


def _restart(same_boot: bool) -> Make:
    return lambda _, now_ns: Restarted(same_boot, now_ns - S, now_ns)


MAKES: st.SearchStrategy[Make] = st.one_of(
    st.builds(lambda command: lambda _, now_ns: Commanded(command, now_ns), COMMANDS),
    st.builds(lambda command: lambda _, now_ns: Commanded(command, now_ns), COMMANDS),
    st.builds(lambda button: lambda _, now_ns: Pressed(button, now_ns), BUTTONS),
    st.builds(
        lambda cards, unknown: lambda _, now_ns: CardsSeen(tuple(cards), unknown, now_ns),
        st.lists(CARDS, max_size=3),
        st.integers(0, 1),
    ),
    st.builds(
        lambda zone: lambda _, now_ns: StonesSeen(zone[0], zone[1], zone[2], now_ns),
        st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2)),
    ),
    st.builds(lambda tile: lambda _, now_ns: TileOnPad(tile, now_ns), TILES),
    st.builds(lambda _: lambda _, now_ns: Tick(now_ns), st.none()),
    st.builds(_answer, VERDICTS, st.sampled_from(Task)),
    st.builds(lambda fault: lambda _, now_ns: PartFault("camera", fault, now_ns), st.none() | st.just("lost")),
    st.builds(_restart, st.booleans()),
)
STEPS = st.lists(st.tuples(MAKES, st.integers(0, 3 * S)), min_size=10, max_size=50)
BEFORE: list[Taken] = [Commanded(Start(), 1), Pressed(1, 2 * S), Commanded(TellStone(Colour.RED), 3 * S)]


def _play(steps: list[tuple[Make, int]], options: Options, in_turn: bool) -> tuple[list[SessionEvent], State]:
    opened = opening(options, Settings(turn_s=20, turns_each=1), DECK)
    events: list[SessionEvent] = [opened]
    state, now_ns = FLOW.fold(events), 4 * S
    inputs: list[Taken] = [Pressed(1, 0), Pressed(2, 0), Pressed(3, 0), *(BEFORE if in_turn else [])]
    for taken in inputs:
        for event in decide(state, taken):
            events.append(event)
            state = evolve(state, event)
    for make, gap_ns in steps:
        now_ns += gap_ns
        taken = make(state, now_ns)
        try:
            decided = decide(state, taken)
        except (Refused, Unexpected):
            assert isinstance(taken, Commanded), taken
            continue
        assert decide(state, CODEC.decode(CODEC.encode(taken))) == decided  # type: ignore[arg-type]
        for event in decided:
            events.append(event)
            state = evolve(state, event)
            react(event, state)
        assert (state.asked is not None) == (phase_of(state) is Phase.JUDGING)
    return events, state


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(STEPS, st.sampled_from(Approval), st.booleans())
def test_any_input_in_any_state(steps: list[tuple[Make, int]], approval: Approval, in_turn: bool) -> None:
    events, state = _play(steps, Options(approval=approval, verdict_wait_s=1), in_turn)
    assert FLOW.fold(events) == state
    assert FLOW.fold(CODEC.decode_all(CODEC.encode_all(events))) == state
    for audience in Audience:
        public_view(state, 1000 * S, audience)
    if state.position is not None:
        assert voila.faults(state.position) == ()
        assert voila.replay(state.position.setup, state.moves) == state.position
