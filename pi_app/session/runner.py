"""The owner of the session's state: one inbox, journal before effects, no hardware.

Whoever senses something calls `post` from any thread; one thread calls `step` (or `run`, which does so until `stop`).
In a simulation the same thread does both, on a clock that it moves itself. Presses and tiles are held until nothing
earlier can follow, so that they are taken in the order of their times whatever way they came; time-outs happen once
everything sensed before them is in. The senses say with `sensed_until` up to when that is so; where nobody says it, all
is known `ORDER_NS` later.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Generic

from pi_app.core.effects import AskCamera, Effect
from pi_app.core.events import Pressed, Sensed, Tick, TileOnPad
from pi_app.core.ports import Clock
from pi_app.sensing.order import Arbiter, Known
from pi_app.sensing.presses import ORDER_NS
from pi_app.session.commands import Commanded
from pi_app.session.flow import RECENT, Audience, Due, Flow, Live, Refused, StateT, ViewT
from pi_app.session.journal import Journal, Moment

BEAT_NS = 1_000_000_000
"""How often the journal notes that the clock of a running turn is alive."""

Taken = Sensed | Commanded
EffectSink = Callable[[Effect], None]
ChangeSink = Callable[[], None]
WallClock = Callable[[], str]


def wall_time() -> str:
    """Return the wall time in UTC, for people who read the journal."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Runner(Generic[StateT, ViewT]):
    """A running session; made by `start_session` and `resume_session` of `sessions`."""

    def __init__(
        self, journal: Journal, clock: Clock, flow: Flow[StateT, ViewT], state: StateT, wall: WallClock = wall_time
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._flow = flow
        self._state = state
        self._wall = wall
        self._boot = clock.boot_id()
        self._wake = threading.Condition()
        self._inbox: deque[Taken] = deque()
        self._unheld: deque[Taken] = deque()
        self._stopping = False
        self._held: Arbiter[Pressed | TileOnPad] = Arbiter(_rank)
        self._said: Known | None = None
        self._heard: Known | None = None
        self._waits_for_ns: int | None = None
        self._effect_sinks: list[EffectSink] = []
        self._change_sinks: list[ChangeSink] = []
        self._step_sinks: list[ChangeSink] = []
        self._live = Live()
        self._beat_ns = 0

    @property
    def state(self) -> StateT:
        """Return the state as of the last step."""
        return self._state

    def on_effect(self, sink: EffectSink) -> None:
        """Let `sink` carry out effects; it is called on the stepping thread and must not block."""
        self._effect_sinks.append(sink)

    def on_change(self, sink: ChangeSink) -> None:
        """Call `sink` after every step that changed what is to be seen."""
        self._change_sinks.append(sink)

    def on_step(self, sink: ChangeSink) -> None:
        """Call `sink` after every step, on the stepping thread: at least once a second while it lives."""
        self._step_sinks.append(sink)

    def post(self, taken: Taken) -> None:
        """Take an input, from any thread."""
        with self._wake:
            self._inbox.append(taken)
            self._wake.notify()

    def sensed_until(self, known: Known) -> None:
        """Hear that every press and every tile stamped before these times was posted, from any thread."""
        with self._wake:
            self._said = known
            if self._waits_for_ns is not None and self._waits_for_ns < known.presses_ns:
                self._wake.notify()

    def command(self, command: object, by: str = "timekeeper") -> None:
        """Take a person's command, stamped now, from any thread."""
        self.post(Commanded(command, self._clock.now_ns(), by))

    def standing(self, standing_s: float | None) -> None:
        """Show how long the structure has stood so far, from any thread; not journaled."""
        self._live = replace(self._live, standing_s=standing_s)

    def view(self, audience: Audience = Audience.TIMEKEEPER, decisions: int | None = RECENT) -> ViewT:
        """Return what `audience` sees now, from any thread."""
        return self._flow.view(self._state, self._clock.now_ns(), audience, self._live, decisions)

    def step(self) -> bool:
        """Take everything that is due now; return whether anything changed.

        UserError where the journal cannot be written: then nothing of that input has happened.
        """
        now_ns = self._clock.now_ns()
        known = self._hear(now_ns)
        changed = [self.take(taken) for taken in self._arrived(known)]
        changed.append(self._let_time_pass(known))
        self._waits_for_ns = self._next_ns()
        self._beat(now_ns)
        if any(changed):
            for sink in self._change_sinks:
                sink()
        for sink in self._step_sinks:
            sink()
        return any(changed)

    def take(self, taken: Taken) -> bool:
        """Decide one input at once: journal, then state, then effects; return whether anything changed.

        For whoever steps; all others `post`. A command that is refused is shown, not raised.
        """
        try:
            events = self._flow.decide(self._state, taken)
        except Refused as refusal:
            if not isinstance(taken, Commanded):
                raise
            self._live = replace(self._live, refusal=str(refusal))
            return True
        if not events:
            return False
        self._journal.append(Moment(self._clock.now_ns(), self._boot), self._wall(), taken, events)
        self._live = replace(self._live, refusal=None)
        for event in events:
            self._apply(event)
        return True

    def wait_s(self) -> float:
        """Return in how many seconds `step` has something to do at the latest, if nothing is posted before."""
        next_ns, now_ns = self._next_ns(), self._clock.now_ns()
        if self._said is not None:
            news = self._said != self._heard and next_ns is not None and next_ns < self._said.presses_ns
            return 0.0 if news else BEAT_NS / 1e9
        if next_ns is None or next_ns <= now_ns - ORDER_NS:
            return BEAT_NS / 1e9
        return min(next_ns + ORDER_NS - now_ns, BEAT_NS) / 1e9

    def run(self) -> None:
        """Step whenever something is due or posted, until `stop`; for a thread of its own."""
        while True:
            self.step()
            with self._wake:
                if self._stopping and not self._inbox:
                    return
                if not self._inbox:
                    self._wake.wait(self.wait_s())

    def stop(self) -> None:
        """End `run` once all that was posted before is taken."""
        with self._wake:
            self._stopping = True
            self._wake.notify()

    def close(self) -> None:
        """Close the journal; safe to call twice."""
        self._journal.close()

    def _hear(self, now_ns: int) -> Known:
        """Take what was posted into `_arrived`'s hands; return up to when the senses are known."""
        with self._wake:
            self._heard = self._said
            known = self._said or Known(now_ns - ORDER_NS + 1, now_ns - ORDER_NS + 1)
            while self._inbox:
                taken = self._inbox.popleft()
                if isinstance(taken, Pressed | TileOnPad):
                    self._held.add(taken)
                else:
                    self._unheld.append(taken)
        return known

    def _arrived(self, known: Known) -> Iterator[Taken]:
        """Yield what is to be taken now: what needs no order as it came, then what nothing earlier can overtake."""
        while self._unheld:
            yield self._unheld.popleft()
        while (first := self._held.first) is not None and self._may_take(first, known):
            yield self._held.take()

    def _may_take(self, first: Pressed | TileOnPad, known: Known) -> bool:
        """Whether all is known that came before: for a press the tiles, too, where a time-out lies before it."""
        due = self._due()
        alone = isinstance(first, Pressed) and (due is None or due.at_ns >= first.at_ns)
        return first.at_ns < (known.presses_ns if alone else min(known.presses_ns, known.tiles_ns))

    def _let_time_pass(self, known: Known) -> bool:
        due = self._due()
        until_ns = _settled_ns(due, known)
        return due is not None and due.at_ns <= until_ns and self.take(Tick(until_ns))

    def _due(self) -> Due | None:
        return self._flow.due(self._state)

    def _next_ns(self) -> int | None:
        """Return the earliest moment of which more must be known before something happens; None: none."""
        due, first = self._due(), self._held.first
        return min((one.at_ns for one in (due, first) if one is not None), default=None)

    def _beat(self, now_ns: int) -> None:
        if self._flow.runs(self._state) and now_ns - self._beat_ns >= BEAT_NS:
            self._beat_ns = now_ns
            self._journal.beat(Moment(now_ns, self._boot))

    def _apply(self, event: object) -> None:
        self._state = self._flow.evolve(self._state, event)
        for effect in self._flow.react(event, self._state):
            if isinstance(effect, AskCamera):
                self._live = replace(self._live, standing_s=None)
            for sink in self._effect_sinks:
                sink(effect)


def _settled_ns(due: Due | None, known: Known) -> int:
    """Return up to when time may pass: as far as all is known that may come before what is due."""
    return (min(known.presses_ns, known.tiles_ns) if due and due.by_tile else known.presses_ns) - 1


def _rank(held: Pressed | TileOnPad) -> int:
    return held.button if isinstance(held, Pressed) else 0
