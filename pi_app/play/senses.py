"""Buzzers and claim pad to the session's inputs."""

from collections.abc import Callable, Mapping

from pi_app.core.events import Pressed, Sensed, TileOnPad
from pi_app.core.ports import EdgeSource, TagSource
from pi_app.sensing.presses import Debouncer, Press
from pi_app.sensing.tiles import TilePad, TilePlaced


class Senses:
    """Polls both; `poll` is called by one thread, as often as that thread likes: times come from the sources."""

    def __init__(
        self, post: Callable[[Sensed], None], edges: EdgeSource | None, tags: TagSource | None, tiles: Mapping[str, str]
    ) -> None:
        self._post, self._edges, self._tags = post, edges, tags
        self._debouncer, self._pad = Debouncer(), TilePad(tiles)

    def poll(self, now_ns: int) -> None:
        """Post what has been sensed since the last call."""
        for press in self._presses(now_ns):
            if press.pressed:
                self._post(Pressed(press.button, press.at_ns))
        for read in self._tags.reads() if self._tags else ():
            for change in self._pad.feed(read):
                if isinstance(change, TilePlaced):
                    self._post(TileOnPad(change.tile, change.at_ns))

    def _presses(self, now_ns: int) -> list[Press]:
        edges = self._edges.edges() if self._edges else []
        return [press for edge in edges for press in self._debouncer.feed(edge)] + self._debouncer.settle(now_ns)
