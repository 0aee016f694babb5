"""What a game brings to a session: pure functions over its own state, so that one runner serves every game.

decide(state, input) -> events      evolve(state, event) -> state      react(event, state) -> effects
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from pi_app.core.codec import Codec
from pi_app.core.effects import Effect
from pi_app.core.errors import UserError

StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")

RECENT = 40
"""Decisions a view lists unless all are asked for."""


class Audience(StrEnum):
    """Who looks: with a hidden timer only the timekeeper sees digits."""

    TABLE = "table"
    TIMEKEEPER = "timekeeper"


@dataclass(frozen=True, slots=True)
class Live:
    """What passes too quickly for the journal: the standing time so far, and the answer to a refused command."""

    standing_s: float | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """Time alone changes something at `at_ns`; `by_tile`: not only a press, a tile laid before would prevent it."""

    at_ns: int
    by_tile: bool = False


class Refused(Exception):  # noqa: N818 - an answer to the person who asked, not a fault
    """Why a command cannot be carried out, in one line; nothing has changed."""


@dataclass(frozen=True)
class Flow(Generic[StateT, ViewT]):
    """One game at the table.

    `decide` raises Refused for a command that cannot be carried out, and never for what was sensed. `evolve` is
    defined for every event of the journal; `opens` is the kind of the first and `before` the state before it.
    `due` says when time alone changes something, None: never; `runs` tells whether a clock runs, whose life the
    journal notes. `view` takes the state, the time, the audience, what is live, and how many decisions to list.
    `misfits` are raised by `evolve` for an event that does not fit the state.
    """

    codec: Codec
    opens: type
    before: StateT
    decide: Callable[[StateT, Any], tuple[object, ...]]
    evolve: Callable[[StateT, Any], StateT]
    react: Callable[[Any, StateT], tuple[Effect, ...]]
    due: Callable[[StateT], Due | None]
    runs: Callable[[StateT], bool]
    view: Callable[[StateT, int, Audience, Live, int | None], ViewT]
    misfits: tuple[type[Exception], ...] = (ValueError, UserError)

    def fold(self, events: Iterable[object], state: StateT | None = None) -> StateT:
        """Return the state after all events."""
        state = self.before if state is None else state
        for event in events:
            state = self.evolve(state, event)
        return state
