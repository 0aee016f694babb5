"""Between the camera's sight and the session: questions in, what was seen out as the session's inputs.

Effects are taken from any thread and carried out between two frames, so that a recording can repeat their order.
"""

from collections import deque
from collections.abc import Callable
from typing import assert_never

from pi_app.core.effects import AskCamera, DropQuestion, Effect
from pi_app.core.events import CardsSeen, PartFault, Sensed, StonesSeen, VerdictGiven
from pi_app.core.names import Mode
from pi_app.core.observations import Frame
from pi_app.judging import watch as seen
from pi_app.judging.card_zone import CardsLying
from pi_app.judging.lying import StonesLying
from pi_app.judging.sight import Sight
from pi_app.judging.worker import Question
from pi_app.kit.model import Kit

CAMERA = "camera"
Post = Callable[[Sensed], None]
Order = AskCamera | DropQuestion
OrderSink = Callable[[int, Order], None]


class Eyes:
    """One camera's sight, asked by effects; `see` is called by the one thread that owns the camera's frames."""

    def __init__(
        self, sight: Sight, kit: Kit, mode: Mode, post: Post, standing: Callable[[float | None], None]
    ) -> None:
        self._sight, self._kit, self._mode = sight, kit, mode
        self._post, self._standing = post, standing
        self._orders: deque[Order] = deque()
        self._asked_ns = 0
        self._note: OrderSink = _nowhere

    def note_orders(self, note: OrderSink) -> None:
        """Call `note` with the number of the frame before which an order was carried out."""
        self._note = note

    def carry_out(self, effect: Effect) -> None:
        """Take an effect, from any thread; what is not for the camera is left to others."""
        if isinstance(effect, AskCamera | DropQuestion):
            self._orders.append(effect)

    def see(self, frame: Frame) -> None:
        """Carry out the orders that wait, look at a frame, and post what it changed."""
        while self._orders:
            self._obey(frame, self._orders.popleft())
        for observation in self._sight.see(frame):
            self._tell(observation, frame.sensor_ns)

    def finish(self, at_ns: int) -> None:
        """Post the verdict on the open question: no more frames will come."""
        for observation in self._sight.finish():
            self._tell(observation, at_ns)

    def lost(self, why: str, at_ns: int) -> None:
        """Post that no frames come."""
        self._post(PartFault(CAMERA, why, at_ns))

    def found(self, at_ns: int) -> None:
        """Post that frames come again."""
        self._post(PartFault(CAMERA, None, at_ns))

    def _obey(self, frame: Frame, order: Order) -> None:
        self._note(frame.number, order)
        match order:
            case AskCamera(task, card, figure, at_ns):
                self._asked_ns = at_ns
                asked = self._kit.figure_named(figure) if figure else None
                self._sight.ask(Question(task, asked, self._mode, self._kit.card_named(card)), at_ns)
            case DropQuestion():
                self._sight.drop()
            case _:
                assert_never(order)

    def _tell(self, observation: seen.Observation, now_ns: int) -> None:
        match observation:
            case StonesLying(counts, at_ns):
                self._post(StonesSeen(counts.yellow, counts.red, counts.blue, at_ns))
            case CardsLying(cards, unknown, at_ns):
                self._post(CardsSeen(cards, unknown, at_ns))
            case seen.Standing(progress_s, _):
                self._standing(progress_s)
            case seen.Judged(question, verdict):
                self._post(VerdictGiven(question.task, verdict, self._asked_ns, now_ns))
            case seen.CameraState(reason, at_ns):
                self._post(PartFault(CAMERA, reason, at_ns))
            case _:
                assert_never(observation)


def _nowhere(_number: int, _order: Order) -> None:
    """Note nothing."""
