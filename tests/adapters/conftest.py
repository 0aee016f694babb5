"""Fixtures of the camera adapters: the real picamera2 over a stand-in for libcamera."""

import gc
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.adapters.libcamera_stub import Sensor, connect, modules


@pytest.fixture(scope="module")
def picamera2() -> Iterator[ModuleType]:
    """The real package over the stand-in for libcamera."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in modules().items():
            patch.setitem(sys.modules, name, module)
        package = pytest.importorskip("picamera2", exc_type=ImportError)
        from picamera2.allocators import LibcameraAllocator

        patch.setattr(sys.modules["picamera2.picamera2"], "DmaAllocator", lambda: LibcameraAllocator(None))
        yield package
        for name in [name for name in sys.modules if name.split(".")[0] == "picamera2"]:
            patch.delitem(sys.modules, name)


@pytest.fixture
def sensor(picamera2: ModuleType) -> Iterator[Sensor]:
    connected = Sensor()
    connect(picamera2, connected)
    yield connected
    gc.collect()  # picamera2 leaves a selector to the collector
