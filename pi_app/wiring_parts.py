"""The parts of a real table, opened from the settings: pins, the reader board on its port, camera, display, sound."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from pi_app.core.device import ButtonParts, CameraKind, CameraPart, DeviceParts, ReaderKind, ReaderPart, SoundKind
from pi_app.core.errors import UserError
from pi_app.core.events import PartFault
from pi_app.sensing.tiles import TilePad

if TYPE_CHECKING:
    from pathlib import Path

    from gpiozero.pins import Factory

    from pi_app.adapters.board_serial import SerialBoard
    from pi_app.adapters.camera_thread import CameraThread
    from pi_app.adapters.display_luma import LumaScreen
    from pi_app.adapters.sound import SignalPlayer
    from pi_app.core.ports import Clock, EdgeSource, FrameSource, LampSink
    from pi_app.kit.model import Kit
    from pi_app.play.senses import Pad
    from pi_app.vision.calibrate_choice import Chosen

_log = logging.getLogger(__name__)


Post = Callable[[PartFault], None]
DISPLAY, SOUND = "display", "sound"


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
    """Open buttons, lamps and reader as far as the settings name them; `stack` lets go of them.

    `factory` are the pins, None: those of this machine by lgpio. UserError where a tile is none of the kit's, or where
    pins cannot be had; a reader board that is away is no error: it is looked for, and said.
    """
    factory = factory or open_table_pins(parts, stack)
    tiles = tiles_of(parts.reader, kit)
    pins = parts.buttons.pins
    sources: list[EdgeSource] = []
    lamps, running = None, []
    if pins and factory is not None:
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


def open_table_pins(parts: DeviceParts, stack: ExitStack) -> Factory | None:
    """Return this machine's pins where the settings name any, by lgpio; `stack` lets go of them. UserError: no pins."""
    if not parts.buttons.pins and parts.sound.kind is not SoundKind.PIEZO:
        return None
    from pi_app.adapters.pins_lgpio import open_pins

    factory = open_pins()
    stack.callback(factory.close)
    return factory


def check_display(parts: DeviceParts) -> None:
    """Refuse options of the display that luma does not know; UserError names the one, or the extra that is missing."""
    if parts.display.on:
        try:
            from pi_app.adapters.display_options import parse_options

            parse_options(parts.display.arguments)
        except ImportError as error:
            raise UserError(f"device.display: {error}: install the extra `display`") from None


def open_screen(parts: DeviceParts, clock: Clock, post: Post, stack: ExitStack) -> LumaScreen | None:
    """Start the display's owner, None where the settings have none; its faults are posted.

    When `stack` lets go of it in order, the last picture says that the device may be unplugged, and stays.
    """
    if not parts.display.on:
        return None
    from pi_app.adapters.display_options import open_display

    owner = open_display(parts.display, clock, _reporting(DISPLAY, clock, post))
    if owner is not None:
        owner.start()
        stack.push(_goodbye(owner))
    return owner


def _goodbye(owner: LumaScreen) -> Callable[[type[BaseException] | None, object, object], None]:
    from pi_app.ui.screens import goodbye

    def leave(kind: type[BaseException] | None, _error: object, _trace: object) -> None:
        in_order = kind is None or not issubclass(kind, Exception)
        if in_order:
            owner.show(goodbye())
        owner.close(leave_on=in_order)

    return leave


def open_signals(
    parts: DeviceParts, clock: Clock, post: Post, stack: ExitStack, factory: Factory | None
) -> SignalPlayer | None:
    """Start the player of the signals, None where the settings have none; its faults are posted."""
    from pi_app.adapters.sound_options import open_sound

    player = open_sound(parts.sound, clock, _reporting(SOUND, clock, post), factory)
    if player is not None:
        player.start()
        stack.callback(player.close)
    return player


def _reporting(part: str, clock: Clock, post: Post) -> Callable[[str | None], None]:
    return lambda fault: post(PartFault(part, fault, clock.now_ns()))


def open_camera(part: CameraPart) -> CameraThread:
    """Return the thread that owns the camera, opening it again whenever it is lost or not there yet."""
    from pi_app.adapters.camera_thread import CameraThread

    return CameraThread(lambda: _open_camera(part))


def _open_camera(part: CameraPart) -> FrameSource:
    match part.kind:
        case CameraKind.USB:
            from pi_app.adapters.camera_opencv import OpenCvCamera

            return OpenCvCamera(part.device, part.width, part.height, part.fps)
        case CameraKind.PICAMERA2:
            from pi_app.adapters.camera_picamera2 import Picamera2Camera

            return Picamera2Camera(part)
        case _:
            assert_never(part.kind)


def camera_name(part: CameraPart) -> str:
    """Return the name that the camera has in all its modes; UserError where there is none."""
    match part.kind:
        case CameraKind.USB:
            from pi_app.adapters.camera_opencv import usb_camera_name

            return usb_camera_name(part.device)
        case CameraKind.PICAMERA2:
            from pi_app.adapters.camera_picamera2 import picamera2_name

            return picamera2_name(part.device)
        case _:
            assert_never(part.kind)


def known_lens(part: CameraPart, file: Path | None) -> Chosen | None:
    """Return the camera's numbers: those of `file`, else measured ones, else published ones; None: none are known.

    UserError where a file is broken or holds for pictures of another size.
    """
    from pi_app.play.calibrate_command import open_store
    from pi_app.vision.calibrate_choice import choose_camera

    try:
        name = camera_name(part)
    except UserError:
        name = f"video{part.device}"
    chosen = choose_camera(name, (part.width, part.height), file, open_store())
    if chosen is not None and (chosen.camera.width, chosen.camera.height) != (part.width, part.height):
        size, wanted = f"{chosen.camera.width} x {chosen.camera.height}", f"{part.width} x {part.height}"
        raise UserError(f"{chosen.source}: got numbers for pictures of {size}, wanted the camera's {wanted}")
    return chosen


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
    part: ButtonParts, clock: Clock, stack: ExitStack, factory: Factory
) -> tuple[EdgeSource, LampSink | None, str]:
    from pi_app.adapters.buttons_gpio import GpioButtons
    from pi_app.adapters.lamps_gpio import GpioLamps

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
