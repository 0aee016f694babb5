"""The journal's codec: every kind of value a record may hold, its version, and how old ones are read.

To change a kind: raise its number in VERSIONS, add an upgrader from the version before, and keep a journal that holds
the old one in tests/journals.
"""

from pi_app.core import events as sensed
from pi_app.core.codec import Codec, Upgrader
from pi_app.core.verdict import Measure, Verdict
from pi_app.games import voila
from pi_app.session import commands as shared
from pi_app.session.voila import commands, events
from pi_app.session.voila.options import Options

_VALUES: tuple[type, ...] = (Measure, Verdict, Options, voila.Settings, voila.CardKind)
_SENSED: tuple[type, ...] = sensed.VoilaSensed.__args__
_COMMANDS: tuple[type, ...] = (shared.Commanded, *commands.Command.__args__, *commands.To.__args__)
_MOVES: tuple[type, ...] = voila.Event.__args__
_EVENTS: tuple[type, ...] = events.SessionEvent.__args__

VERSIONS: dict[str, int] = {"CardsSeen": 2, "Settings": 2}
UPGRADERS: dict[tuple[str, int], Upgrader] = {
    ("CardsSeen", 1): lambda old: {"cards": [old["card"]], "unknown": 0, "at_ns": old["at_ns"]},
    ("Settings", 1): lambda old: {"tie_ms": 0.0, **old},
}
RENAMED = {"CardSeen": "CardsSeen"}

ALL = (*_VALUES, *_SENSED, *_COMMANDS, *_MOVES, *_EVENTS)
CODEC = Codec({kind.__name__: kind for kind in ALL}, VERSIONS, UPGRADERS, RENAMED)
