"""Raspberry Pi Pico or Pico 2: the parts on their pins, and the loop. Wiring: hardware/README.md."""

import time

import machine
from buttons import Buttons
from rc522 import Rc522, SpiBus
from umpire_board import Board, Clock
from usb import UsbStream

SCK, MOSI, MISO, SELECT, RESET = 2, 3, 4, 5, 6
BUTTON_PINS = (10, 11, 12, 13, 14, 15)
WATCHDOG_MS = 4000


def parts():
    """Return the board built on its pins."""
    pin = machine.Pin
    pin(RESET, pin.OUT, value=1)
    spi = machine.SPI(0, 1_000_000, sck=pin(SCK), mosi=pin(MOSI), miso=pin(MISO))
    clock = Clock(time.ticks_us, time.ticks_diff)
    buttons = Buttons([pin(number, pin.IN, pin.PULL_UP) for number in BUTTON_PINS], clock, time.ticks_us)
    buttons.watch(pin.IRQ_FALLING | pin.IRQ_RISING)
    reader = Rc522(SpiBus(spi, pin(SELECT, pin.OUT, value=1)))
    return Board(UsbStream(), reader, buttons, machine.unique_id()), clock


def main():
    """Run for ever; a pass that hangs is ended by the watchdog."""
    board, clock = parts()
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    while True:
        board.step(clock())
        watchdog.feed()


main()
