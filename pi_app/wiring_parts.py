"""The parts of a real table, opened from the settings: buttons and lamps on GPIO, the reader board on its port."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from pi_app.core.device import ButtonParts, DeviceParts, ReaderKind, ReaderPart
from pi_app.core.errors import UserError
from pi_app.sensing.tiles import TilePad

if TYPE_CHECKING:
    from gpiozero.pins import Factory

    from pi_app.adapters.board_serial import SerialBoard
    from pi_app.core.ports import Clock, EdgeSource, LampSink
    from pi_app.kit.model import Kit
    from pi_app.play.senses import Pad

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class TableParts:
    """What is connected; `running` says in words what runs, a line each."""

    buttons: tuple[EdgeSource, ...] = ()
    count: int = 0
    lamps: LampSink | None = None
    pad: Pad | None = None
    board: SerialBoard | None = None
    running: tuple[str, ...] = ()


def open_parts(
    parts: DeviceParts, kit: Kit, clock: Clock, stack: ExitStack, factory: Factory | None = None
) -> TableParts:
    """Open what the settings name; `stack` lets go of it.

    `factory` are the pins, None: those of this machine by lgpio. UserError where a tile is none of the kit's, or where
    pins cannot be had; a reader board that is away is no error: it is looked for, and said.
    """
    tiles = tiles_of(parts.reader, kit)
    pins = parts.buttons.pins
    sources: list[EdgeSource] = []
    lamps, running = None, []
    if pins:
        source, lamps, words = _open_pins(parts.buttons, clock, stack, factory)
        sources.append(source)
        running.append(words)
    board = _open_board(parts.reader, clock, stack)
    if board is None:
        return TableParts(tuple(sources), len(pins), lamps, running=tuple(running))
    from pi_app.adapters.board_serial import BoardButtons
    from pi_app.play.senses import Pad

    if parts.reader.buttons:
        sources.append(BoardButtons(board, len(pins) + 1))
    running.append(f"reader: {_place(parts.reader)}, {len(tiles)} tags known")
    return TableParts(tuple(sources), len(pins), lamps, Pad(board, TilePad(tiles, 1)), board, tuple(running))


def tiles_of(part: ReaderPart, kit: Kit) -> Mapping[str, str]:
    """Return which tile carries which tag; UserError names every one that is no tile of the kit."""
    known = {piece.id for piece in kit.tile.piece}
    wrong = [
        f"device.reader.tiles.{tag}: got {tile!r}, wanted a tile of the kit: {', '.join(sorted(known))}"
        for tag, tile in part.tiles.items()
        if tile not in known
    ]
    if wrong:
        raise UserError("\n".join(wrong))
    return dict(part.tiles)


def _open_pins(
    part: ButtonParts, clock: Clock, stack: ExitStack, factory: Factory | None
) -> tuple[EdgeSource, LampSink | None, str]:
    from pi_app.adapters.buttons_gpio import GpioButtons
    from pi_app.adapters.lamps_gpio import GpioLamps
    from pi_app.adapters.pins_lgpio import open_pins

    if factory is None:
        factory = open_pins()
        stack.callback(factory.close)
    buttons = GpioButtons(part.pins, factory, clock)
    stack.callback(buttons.close)
    lamps = GpioLamps(part.lamps, factory) if part.lamps else None
    if lamps is not None:
        stack.callback(lamps.close)
    words = f"buttons: {len(part.pins)} on GPIO {', '.join(map(str, part.pins))}, pin driver {_driver(factory)}"
    _log.info("%s", words)
    return buttons, lamps, words


def _driver(factory: Factory) -> str:
    """Return a pin driver's name as gpiozero has it: lgpio for LGPIOFactory."""
    return type(factory).__name__.removesuffix("Factory").lower()


def _open_board(part: ReaderPart, clock: Clock, stack: ExitStack) -> SerialBoard | None:
    if part.kind is ReaderKind.OFF:
        return None
    from pi_app.adapters.board_serial import SerialBoard, port_named, usb_board

    match part.kind:
        case ReaderKind.USB:
            find = usb_board(part.serial_number or None)
        case ReaderKind.URL:
            find = port_named(part.url)
        case _:
            assert_never(part.kind)
    board = SerialBoard(find, clock)
    stack.callback(board.close)
    return board


def _place(part: ReaderPart) -> str:
    return part.url if part.kind is ReaderKind.URL else f"USB board {part.serial_number or '(the first)'}"
