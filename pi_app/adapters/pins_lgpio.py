"""The pin driver of a real table: gpiozero over lgpio, and no other (OPS-4)."""

import os
import tempfile
from pathlib import Path

from gpiozero.pins import Factory

from pi_app.core.errors import UserError

NAME = "lgpio"


def open_pins(chips: Path = Path("/dev")) -> Factory:
    """Return gpiozero's lgpio factory; UserError where it cannot run: gpiozero's other drivers are not taken.

    They have no kernel time of an edge, or need root. Lgpio makes a pipe in its working folder; that of a service
    cannot be written: it is told another. `chips` is where the kernel's GPIO chips are looked for.
    """
    if not any(chips.glob("gpiochip*")):
        raise UserError(f"device.buttons: no GPIO chip ({chips}/gpiochip*), wanted a Raspberry Pi's pins by {NAME}")
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory

        return LGPIOFactory()
    except ImportError as error:
        why = f"{error}: install the extra `pi`"
    except Exception as error:  # lgpio's errors derive from Exception alone
        why = str(error)
    raise UserError(f"device.buttons: the pin driver {NAME} does not run ({why}), and no other is taken in its place")
