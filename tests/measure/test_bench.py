from pi_app.core.names import Mode
from pi_app.measure.bench import measure
from pi_app.measure.confusion import Confusion
from pi_app.sim.scenario import Kind


def test_simulated_stones_are_judged_and_counted() -> None:
    confusion = Confusion("stones")
    list(measure(confusion, Kind.STONES, Mode.BADGE, 2, 3, ()))
    assert confusion.scenes == 2
    assert confusion.wrong == 0
