"""Import camera, OpenCV and the picture libraries in one process; print where each came from if that fails."""

import importlib
import sys
from pathlib import Path

ON_A_PI = Path("/proc/device-tree/model").exists()
EVERYWHERE = ("numpy", "cv2", "PIL", "pi_app", "gpiozero", "luma.oled", "serial")
PI_ONLY = ("simplejpeg", "picamera2", "lgpio")


def main() -> int:
    """Return 0 where everything can be imported together."""
    failed = [message for name in (*EVERYWHERE, *(PI_ONLY if ON_A_PI else ())) if (message := fault(name))]
    for message in failed:
        print(message, file=sys.stderr)
    if failed:
        places = [f"{name}: {path_of(name)}" for name in ("numpy", "cv2") if name in sys.modules]
        print("; ".join(places), file=sys.stderr)
    return 2 if failed else 0


def fault(name: str) -> str | None:
    """Return why a module cannot be used; an empty stand-in has nothing in it."""
    try:
        module = importlib.import_module(name)
    except Exception as error:
        return f"{name}: {type(error).__name__}: {error}"
    if name == "lgpio" and not hasattr(module, "gpiochip_open"):
        return f"lgpio: got an empty stand-in at {path_of(name)}, wanted the library"
    return None


def path_of(name: str) -> str:
    """Return the file a loaded module came from."""
    return str(getattr(sys.modules[name], "__file__", "?"))


if __name__ == "__main__":
    sys.exit(main())
