"""Scenarios as text: what happens at the table, line by line, and what must hold (`=`) or be refused (`!`).

    seats 2 / first B / set claim_tie active_last / deck throw*2 find_key*1      before the first event
    start @0   stone red   card throw [@1 [read @2]]   pass   fail   press B @1.5   tile key @2   expire @4.5
    found B   found nobody   voila @30   stop @45   bonus throw A   pause @10   resume @60
    correct stone red -> stone blue        the last event that reads so; `remove stone red`, `undo`,
    insert stone red before voila @30
    ! voila @46 : 0 to 45                  refused, and the message holds the text after the colon
    = phase choice                         see EXPECT for what can be asked
Seats are letters, times seconds (`@45+1ns` is one nanosecond later). Lines starting with > quote the rulebook.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields

from pi_app.core.names import Colour, Task
from pi_app.games.voila import (
    BonusCardRead,
    CardKind,
    CardRevealed,
    ClaimExpired,
    ClaimPressed,
    Corrected,
    Event,
    FindJudged,
    IllegalCorrection,
    IllegalMove,
    Judge,
    Position,
    Settings,
    Setup,
    StoneDrawn,
    TaskJudged,
    TileLaid,
    TimeUp,
    TurnPaused,
    TurnResumed,
    TurnStarted,
    VoilaCalled,
    apply,
    event_for_press,
    faults,
    inserted,
    legal,
    outcome,
    removed,
    replaced,
    replay,
    score,
    turn_replayed,
    undone,
)

LETTERS = "ABCDEF"
POINTS = {"throw": 1, "find": 1, "acrobats": 2, "tower": 2, "tunnel": 3, "line": 3, "juggler": 3}
DECK = (
    "throw*12 find_key*10 find_ball*10 acrobats*18 tower*5 tunnel*5 line*5 juggler_yrb*5 juggler_yyr*5 juggler_bbbbb*5"
)


def kind_of(word: str) -> CardKind:
    """Read `find_key*10`: a find's object and a juggler's stones follow the underscore."""
    name, _, count = word.partition("*")
    task, _, detail = name.partition("_")
    stones = (detail.count("y"), detail.count("r"), detail.count("b")) if task == "juggler" else (0, 0, 0)
    return CardKind(
        name, Task(task), POINTS[task], int(count or 1), object=detail if task == "find" else None, stones=stones
    )


def deck(text: str) -> tuple[CardKind, ...]:
    """Read a list of kinds."""
    return tuple(kind_of(word) for word in text.split())


def ns(word: str) -> int:
    """Read `@1.5`, `@45+1ns`, `@45-1ns`."""
    seconds, plus, rest = word.removeprefix("@").partition("+")
    if not plus:
        seconds, minus, rest = seconds.partition("-")
        return round(float(seconds) * 1e9) - int(rest.removesuffix("ns") if minus else 0)
    return round(float(seconds) * 1e9) + int(rest.removesuffix("ns"))


def seat(word: str) -> int | None:
    """Read a seat's letter, or `nobody`."""
    return None if word == "nobody" else LETTERS.index(word)


def _card(words: list[str]) -> CardRevealed:
    at_ns = ns(words[1]) if len(words) > 1 else None
    return CardRevealed(words[0], at_ns, ns(words[3]) if len(words) > 3 else None)


EVENTS: dict[str, Callable[[list[str]], Event]] = {
    "start": lambda w: TurnStarted(ns(w[0])),
    "stone": lambda w: StoneDrawn(Colour(w[0])),
    "card": _card,
    "pass": lambda w: TaskJudged(True, Judge(w[0]) if w else Judge.DEVICE),
    "fail": lambda w: TaskJudged(False, Judge(w[0]) if w else Judge.DEVICE),
    "press": lambda w: ClaimPressed(LETTERS.index(w[0]), ns(w[1])),
    "tile": lambda w: TileLaid(None if w[0] == "unknown" else w[0], ns(w[1])),
    "expire": lambda w: ClaimExpired(ns(w[0])),
    "found": lambda w: FindJudged(seat(w[0])),
    "voila": lambda w: VoilaCalled(ns(w[0])),
    "stop": lambda w: TimeUp(ns(w[0])),
    "bonus": lambda w: BonusCardRead(w[0], LETTERS.index(w[1])),
    "pause": lambda w: TurnPaused(ns(w[0])),
    "resume": lambda w: TurnResumed(ns(w[0])),
}


def parse(line: str) -> Event:
    """Read one event."""
    word, *rest = line.split()
    return EVENTS[word](rest)


def _seconds(at_ns: int) -> str:
    return f"{at_ns / 1e9:g}"


def _claims(position: Position) -> str:
    claim = legal(position).claim
    return (
        " ".join(f"{LETTERS[place.seat]}+{place.gap_ns / 1e6:g}ms{' out' * place.out}" for place in claim.order)
        if claim
        else "none"
    )


def _holder(position: Position) -> str:
    claim = legal(position).claim
    if claim is None or claim.holder is None:
        return "nobody"
    return f"{LETTERS[claim.holder]} until {_seconds(claim.until_ns)}"


def _due(position: Position) -> str:
    event = legal(position).due
    return f"{type(event).__name__} {_seconds(event.at_ns)}" if event else "nothing"


def _winners(position: Position) -> str:
    result = outcome(position)
    return " ".join(LETTERS[s] for s in result.winners) if result else "none yet"


def _by_seat(values: list[int]) -> str:
    return " ".join(f"{LETTERS[s]} {value}" for s, value in enumerate(values))


EXPECT: dict[str, Callable[[Position], str]] = {
    "phase": lambda p: legal(p).phase,
    "active": lambda p: LETTERS[p.active],
    "timekeeper": lambda p: LETTERS[p.timekeeper],
    "points": lambda p: _by_seat([s.points for s in score(p)]),
    "cards": lambda p: _by_seat([s.cards for s in score(p)]),
    "tie_cards": lambda p: _by_seat([s.tie_cards for s in score(p)]),
    "stake": lambda p: str(sum(s.at_stake for s in score(p))),
    "owes": lambda p: _by_seat(list(p.bonus_owed)),
    "bag": lambda p: " ".join(f"{colour} {count}" for colour, count in p.bag.items()),
    "pile": lambda p: str(sum(p.pile)),
    "discard": lambda p: str(sum(p.discard)),
    "table": lambda p: " ".join(f"{c.card_id}:{c.state}" for c in p.turn.cards) if p.turn else "no turn",
    "card": lambda p: k.id if (k := legal(p).card) else "none",
    "may": lambda p: " ".join(sorted(kind.__name__ for kind in legal(p).events)),
    "next_cards": lambda p: " ".join(legal(p).cards),
    "reshuffle": lambda p: str(legal(p).reshuffle),
    "claims": _claims,
    "holder": _holder,
    "due": _due,
    "winners": _winners,
}


class ScenarioError(AssertionError):
    """A line that does not hold."""


@dataclass
class Scenario:
    """A game told by lines; after each of them the position must be sound and equal to a replay of the record."""

    setup: Setup = field(default_factory=lambda: Setup(seats=("A", "B"), deck=deck(DECK)))
    events: list[Event] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def position(self) -> Position:
        """Return where the game stands."""
        return replay(self.setup, self.events)

    def tell(self, line: str) -> None:
        """Do one line; ScenarioError names what does not hold."""
        word, _, rest = line.strip().partition(" ")
        doings: dict[str, Callable[[str], None]] = {
            "=": self._expect,
            "!": self._refuse,
            "correct": self._correct,
            "remove": self._remove,
            "insert": self._insert,
            "undo": lambda _: self._take_back(undone(self.setup, self.events)),
            "replay_turn": lambda _: self._take_back(turn_replayed(self.setup, self.events)),
            **dict.fromkeys(("seats", "first", "set", "deck"), lambda _: self._configure(line.strip())),
        }
        if word in doings:
            doings[word](rest)
        else:
            self._happen(line.strip())
        if found := faults(self.position):
            raise ScenarioError(f"unsound: {found}")

    def _happen(self, line: str) -> None:
        event = parse(line)
        position = apply(self.position, event)
        self.events.append(event)
        self.texts.append(line)
        if position != self.position:
            raise ScenarioError("the replay differs from the live position")

    def _expect(self, text: str) -> None:
        what, _, wanted = text.partition(" ")
        if what == "press":
            self._expect_press(wanted)
        elif (got := str(EXPECT[what](self.position))) != wanted:
            raise ScenarioError(f"{what}: got {got!r}, wanted {wanted!r}")

    def _expect_press(self, text: str) -> None:
        who, at, _, *wanted = text.split()
        event = event_for_press(self.position, LETTERS.index(who), ns(at))
        if (type(event).__name__ if event else "nothing") != " ".join(wanted):
            raise ScenarioError(f"press: got {event}, wanted {wanted}")

    def _refuse(self, text: str) -> None:
        line, _, wanted = text.partition(" : ")
        before = list(self.events)
        try:
            self.tell(line)
        except (IllegalMove, IllegalCorrection) as error:
            if wanted.strip() not in str(error):
                raise ScenarioError(f"refused with {error}, wanted {wanted!r}") from None
            if self.events != before:
                raise ScenarioError("a refused event was recorded") from None
        else:
            raise ScenarioError(f"{line}: got it allowed, wanted it refused")

    def _find(self, text: str) -> int:
        return len(self.texts) - 1 - self.texts[::-1].index(text.strip())

    def _correct(self, text: str) -> None:
        old, _, new = text.partition("->")
        index = self._find(old)
        self._take(replaced(self.setup, self.events, index, parse(new)))
        self.texts[index] = new.strip()

    def _insert(self, text: str) -> None:
        new, _, old = text.partition(" before ")
        index = self._find(old)
        self._take(inserted(self.setup, self.events, index, parse(new)))
        self.texts.insert(index, new.strip())

    def _remove(self, text: str) -> None:
        index = self._find(text)
        self._take(removed(self.setup, self.events, index))
        del self.texts[index]

    def _take_back(self, corrected: Corrected) -> None:
        self._take(corrected)
        del self.texts[len(corrected.events) :]

    def _take(self, corrected: Corrected) -> None:
        self.events = list(corrected.events)
        if corrected.position != self.position:
            raise ScenarioError("the corrected position differs from a replay of the corrected record")

    def _configure(self, line: str) -> None:
        word, *rest = line.split()
        old = self.setup
        match word:
            case "seats":
                self.setup = Setup(tuple(LETTERS[: int(rest[0])]), old.deck, old.settings, old.first_seat)
            case "first":
                self.setup = Setup(old.seats, old.deck, old.settings, LETTERS.index(rest[0]))
            case "deck":
                self.setup = Setup(old.seats, deck(" ".join(rest)), old.settings, old.first_seat)
            case _:
                self.setup = Setup(old.seats, old.deck, changed(old.settings, *rest), old.first_seat)


def changed(settings: Settings, name: str, value: str) -> Settings:
    """Return the settings with one of them read from text."""
    values = {entry.name: getattr(settings, entry.name) for entry in fields(settings)}
    old = values[name]
    values[name] = value == "yes" if isinstance(old, bool) else type(old)(value)
    return Settings(**values)


def run(text: str) -> None:
    """Run a scenario; the error of a line that does not hold names its number and text."""
    scenario = Scenario()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip()[0] in "#>":
            continue
        try:
            scenario.tell(line)
        except (AssertionError, IllegalMove, IllegalCorrection, ValueError, KeyError) as error:
            raise ScenarioError(f"line {number}: {line.strip()}: {error}") from error
