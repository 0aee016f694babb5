"""What the keys mean in Voilà!"""

from pi_app.core.names import Colour
from pi_app.session.commands import Start, Undo
from pi_app.session.voila.commands import (
    Approve,
    CallVoila,
    ContinueTurn,
    Pause,
    Reject,
    ReplayTurn,
    TellFinder,
    TellStone,
    parse_command,
)
from pi_app.session.voila.view import Phase, PublicView
from pi_app.ui.keys import BUTTONS, Answer, KeyTable

_STONES = {"y": Colour.YELLOW, "r": Colour.RED, "b": Colour.BLUE}


def _stone(letter: str) -> Answer:
    return TellStone(_STONES[letter]) if letter in _STONES else None


def _finder(letter: str) -> Answer:
    if letter == "0":
        return TellFinder(None)
    return TellFinder(int(letter) - 1) if letter and letter in BUTTONS else None


def _pause(view: PublicView) -> Answer:
    return ContinueTurn() if view.phase in (Phase.PAUSED, Phase.RESUME) else Pause()


KEYS: KeyTable[PublicView] = KeyTable(
    parse=parse_command,
    plain={
        "a": Approve(),
        "r": Reject(),
        "v": CallVoila(),
        "u": Undo(),
        "w": ReplayTurn(),
        "n": Start(),
    },
    by_view={"p": _pause},
    choices={"s": ("stone: y, r or b", _stone), "f": ("found by seat 1-6, 0 nobody", _finder)},
    lines={
        "c": ("card", "card id: "),
        "t": ("tile", "tile id, or unknown: "),
        "x": ("correct", "correct (number, then stone/card/finder/passed/failed/voila/stop/nothing): "),
        ":": ("", "command: "),
    },
)
