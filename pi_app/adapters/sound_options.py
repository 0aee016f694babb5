"""The sound that the settings describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from pi_app.core.device import SoundKind, SoundPart

if TYPE_CHECKING:
    from gpiozero.pins import Factory

    from pi_app.adapters.retry import Report
    from pi_app.adapters.sound import SignalPlayer
    from pi_app.core.ports import Clock, ToneSink


def open_sound(
    part: SoundPart, clock: Clock, report: Report | None = None, factory: Factory | None = None
) -> SignalPlayer | None:
    """Return the signals' player, its thread not started, or None where the settings have none.

    `factory` are the pins a piezo is on. A part that is not there is a fault told to `report`, not an error.
    """
    from pi_app.adapters.sound import SignalPlayer

    if part.kind is SoundKind.OFF:
        return None
    return SignalPlayer(lambda: open_tones(part, factory), clock, report, part.volume, muted=part.muted)


def open_tones(part: SoundPart, factory: Factory | None) -> ToneSink:
    """Return what makes the tones; OSError where it is not there."""
    match part.kind:
        case SoundKind.PIEZO:
            from pi_app.adapters.sound_piezo import PiezoTones

            if part.pin is None or factory is None:
                raise OSError("piezo: no pin")
            return PiezoTones(part.pin, factory)
        case SoundKind.CARD:
            from pi_app.adapters.sound_card import CardTones

            return CardTones(part.card)
        case SoundKind.OFF:
            raise OSError("switched off")
        case _:
            assert_never(part.kind)
