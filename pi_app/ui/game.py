"""What a game brings to the user interfaces: one value a game, so that terminal, OLED and lamps know no engine."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from PIL import Image

from pi_app.core.names import Lamp
from pi_app.session.view import GameViewT
from pi_app.ui.keys import KeyTable
from pi_app.ui.terminal import TextUi


@dataclass(frozen=True)
class GameUi(Generic[GameViewT]):
    """`screen` draws the OLED's picture of a view made for the table; `lamps` says what each of so many buttons shows.

    `format_command` writes a command as it may be typed.
    """

    text: TextUi[GameViewT]
    keys: KeyTable[GameViewT]
    format_command: Callable[[Any], str]
    screen: Callable[[GameViewT], Image.Image]
    lamps: Callable[[GameViewT, int], tuple[Lamp, ...]]
