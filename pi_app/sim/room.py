"""Everybody around the simulated table, what they share and what they can see and hear of the device."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from pi_app.core.names import Colour, Task
from pi_app.kit.model import Kit
from pi_app.session.voila.view import PublicView, Wait
from pi_app.sim.deeds import Deed
from pi_app.sim.devices import SimButtons, SimPad
from pi_app.sim.scene import Look
from pi_app.sim.table import Script, SimTable

SLEEVES = (
    (120.0, 70.0, 50.0),
    (60.0, 90.0, 150.0),
    (70.0, 120.0, 70.0),
    (140.0, 90.0, 130.0),
    (50.0, 60.0, 60.0),
    (160.0, 150.0, 90.0),
)
SKINS = (
    (132.0, 165.0, 215.0),
    (88.0, 125.0, 190.0),
    (52.0, 78.0, 120.0),
    (150.0, 180.0, 228.0),
    (70.0, 104.0, 160.0),
    (120.0, 150.0, 205.0),
)
TURN_ENDS = (Wait.TURN, Wait.STONES_BACK, Wait.NOTHING, Wait.PLAYERS)


@dataclass(frozen=True)
class Habits:
    """How people play: `skill` 0..1, `pace` 1 is normal; the rest is how often something happens, 0..1.

    `passing_arms`: another player's arm passes in a turn. `held_cards`: fingers stay on a card just laid. `disorder`:
    in a turn something lies about that is none of the game's, or a hand rests on the table for long.
    """

    skill: float = 0.8
    pace: float = 1.0
    passing_arms: float = 0.15
    held_cards: float = 0.25
    disorder: float = 0.1


class SimDeck:
    """The card pile: the order is chance, the counts are the kit's; used cards are shuffled in when it is empty."""

    def __init__(self, kit: Kit, random: np.random.Generator) -> None:
        self._random = random
        self._pile = [card.id for card in kit.card for _ in range(card.count)]
        self._used: list[str] = []
        random.shuffle(self._pile)

    def draw(self) -> str:
        """Take the top card."""
        if not self._pile:
            self._pile, self._used = self._used, []
            self._random.shuffle(self._pile)
        card = self._pile.pop()
        self._used.append(card)
        return card


@dataclass(eq=False)
class Room:
    """The table, its devices and the people's common knowledge; `view` is the device's newest public view.

    `card` is a card just laid that the device may not know yet, `card_name` the one last laid, as it is called on the
    table; `shown` lists all that were laid, with their times. `stone` was drawn last, `stone_cards` counts the cards
    drawn for it. `deeds` are the tries at tasks that the acts themselves judge.
    """

    table: SimTable
    buttons: SimButtons
    pad: SimPad
    deck: SimDeck
    habits: Habits
    players: int
    card_sizes_mm: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    view: PublicView | None = None
    stones: list[Colour] = field(default_factory=list)
    stone: str = ""
    stone_cards: int = 0
    card: str | None = None
    card_name: str = ""
    shown: list[tuple[float, str]] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    card_at_s: float = 0.0
    stone_at_s: float = 0.0
    acted: bool | None = None
    acted_at_s: float = 0.0
    plans: list[tuple[float, Task, str]] = field(default_factory=list)

    @property
    def random(self) -> np.random.Generator:
        """The one source of chance."""
        return self.table.random

    def waits(self) -> Wait | None:
        """Return what the device waits for, as far as anybody can tell."""
        return None if self.view is None else self.view.waits

    def turn_over(self, number: int) -> bool:
        """Return whether the turn of that number has ended."""
        view = self.view
        return view is None or view.turn is None or view.turn.number != number or view.waits in TURN_ENDS

    def look(self, seat: int) -> Look:
        """Return a player's colours."""
        return Look(skin_bgr=SKINS[seat % len(SKINS)], sleeve_bgr=SLEEVES[seat % len(SLEEVES)])

    def wait(self, seconds: float) -> Script:
        """Let time pass, at the players' pace."""
        until = self.table.time_s + seconds / self.habits.pace
        while self.table.time_s < until:
            yield

    def until(self, seen: Callable[[PublicView], bool], at_most_s: float) -> Script:
        """Wait until the device shows something, or patience ends."""
        until = self.table.time_s + at_most_s
        while self.table.time_s < until:
            if self.view is not None and seen(self.view):
                return
            yield
