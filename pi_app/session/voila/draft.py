"""What a decision is written with: events are collected while the state they lead to is kept beside them."""

from dataclasses import dataclass, field

from pi_app.games import voila
from pi_app.games.voila import IllegalMove
from pi_app.session.events import By
from pi_app.session.flow import Refused
from pi_app.session.voila.events import Decided, Note, Noted, SessionEvent
from pi_app.session.voila.evolve import evolve
from pi_app.session.voila.state import State


@dataclass(slots=True)
class Draft:
    """Lives for one decision only."""

    state: State
    events: list[SessionEvent] = field(default_factory=list)

    def add(self, event: SessionEvent) -> None:
        """Put an event to the decision."""
        self.events.append(event)
        self.state = evolve(self.state, event)

    def move(self, move: voila.Event, by: By) -> None:
        """Let the game go on by a move; Refused where the rules do not allow it."""
        try:
            voila.apply(self.state.game, move)
        except IllegalMove as fault:
            raise Refused(f"the rules do not allow it: got {fault.got}, wanted {fault.wanted}") from fault
        self.add(Decided(self.state.decided + 1, move, by))

    def may(self, move: voila.Event) -> bool:
        """Return whether the rules allow the move now."""
        try:
            voila.apply(self.state.game, move)
        except IllegalMove:
            return False
        return True

    def note(self, note: Note | None) -> None:
        """Say something, unless it is being said already."""
        if self.state.note is not note:
            self.add(Noted(note))
