"""How answers compare with the truth: what was taken for what, and how far the numbers are off."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from pi_app.core.names import Colour

Fields = Mapping[str, object]
UNSURE, NOTHING = "unsure", "nothing"
TIMES = {"stood_from_s": "start of standing off, s", "passed_at_s": "moment of passage off, s"}


@dataclass(eq=False)
class Confusion:
    """What was taken for what, scene by scene; `took_s` is the time each scene took."""

    name: str
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    false_pass: int = 0
    off: dict[str, list[float]] = field(default_factory=dict)
    took_s: list[float] = field(default_factory=list)

    @property
    def scenes(self) -> int:
        """Return how many scenes were judged."""
        return self.right + self.wrong + self.unsure

    def add(self, kind: str, truth: Fields, answer: Fields, took_s: float = 0.0) -> None:
        """Count one scene."""
        self.took_s.append(took_s)
        self.pairs.update(pairs_of(kind, truth, answer))
        match agreement(kind, truth, answer):
            case None:
                self.unsure += 1
            case True:
                self.right += 1
                self._measure(truth, answer)
            case False:
                self.wrong += 1
                self.false_pass += answer.get("outcome") == "pass"

    def _measure(self, truth: Fields, answer: Fields) -> None:
        for name, off in differences(truth, answer):
            self.off.setdefault(name, []).append(abs(off))

    @property
    def truths(self) -> list[str]:
        """Return what was true."""
        return sorted({truth for truth, _ in self.pairs})

    @property
    def answers(self) -> list[str]:
        """Return what was or should have been answered, in the order of the truths first."""
        return self.truths + sorted({answer for _, answer in self.pairs} - set(self.truths))

    def lines(self) -> list[str]:
        """Return the table as text."""
        sums = f"{self.name}: {self.scenes} scenes, {self.right} right, {self.wrong} wrong, {self.unsure} unsure"
        took = f", {median(self.took_s):.2f} s each" if self.took_s else ""
        lines = [f"{sums}, {self.false_pass} false passes{took}"]
        lines += [f"  {name}: {median(values):.3f} in the middle of {len(values)}" for name, values in self.off.items()]
        return lines + [f"  {line}" for line in _table(self.truths, self.pairs)]


def agreement(kind: str, truth: Fields, answer: Fields) -> bool | None:
    """Return whether an answer is right; `None` where it does not decide."""
    if kind == "festival":
        keys = ("placements", "tops")
        return None if "placements" not in answer else all(answer.get(key) == truth.get(key) for key in keys)
    if kind == "dice":
        told = answer.get("number") is not None
        same = all(answer.get(key) == truth.get(key) for key in ("number", "mode"))
        return None if not told and truth.get("number") is not None else same
    key = {"stones": "stones", "card": "card"}.get(kind, "outcome")
    said = answer.get(key)
    if said is None or said == UNSURE or (kind == "card" and answer.get("outcome") == UNSURE):
        return None if truth.get(key) is not None else answer.get("outcome") != UNSURE
    return said == truth.get(key)


def pairs_of(kind: str, truth: Fields, answer: Fields) -> list[tuple[str, str]]:
    """Return what was taken for what in one scene: stones and tokens one by one, else one pair."""
    if kind == "festival":
        return list(_token_pairs(_placed(truth), _placed(answer), unsure="placements" not in answer))
    if kind == "stones":
        return list(_stone_pairs(_counts(truth), _counts(answer))) if "stones" in answer else [("stones", UNSURE)]
    return [(_label(kind, truth), _label(kind, answer))]


def differences(truth: Fields, answer: Fields) -> Iterator[tuple[str, float]]:
    """Yield how far the numbers of a right answer are off."""
    for key, name in TIMES.items():
        true, said = truth.get(key), answer.get(key)
        if isinstance(true, int | float) and isinstance(said, int | float):
            yield name, said - true
    true_throws, said_throws = _throws(truth), _throws(answer)
    if len(true_throws) == len(said_throws):
        for true_throw, said_throw in zip(true_throws, said_throws, strict=True):
            true_mm, said_mm = true_throw.get("height_mm"), said_throw.get("height_mm")
            if isinstance(true_mm, int | float) and isinstance(said_mm, int | float):
                yield "height of throws off, mm", said_mm - true_mm


def _label(kind: str, fields: Fields) -> str:
    if kind == "dice":
        return UNSURE if fields.get("number") is None else f"{fields['number']} {fields['mode']}"
    if kind == "card":
        card = fields.get("card")
        return str(card) if card is not None else UNSURE if fields.get("outcome") == UNSURE else NOTHING
    reasons = fields.get("reasons")
    first = str(reasons[0]) if isinstance(reasons, Sequence) and reasons else ""
    outcome = str(fields.get("outcome", UNSURE))
    return "pass" if outcome == "pass" else f"{outcome}: {first}"


def _counts(fields: Fields) -> dict[str, int]:
    stones = fields.get("stones")
    counts = stones if isinstance(stones, Mapping) else {}
    return {colour.value: int(counts.get(colour.value, 0)) for colour in Colour}


def _stone_pairs(truth: dict[str, int], answer: dict[str, int]) -> Iterator[tuple[str, str]]:
    missed, extra = [], []
    for colour in truth:
        same = min(truth[colour], answer[colour])
        yield from [(colour, colour)] * same
        missed += [colour] * (truth[colour] - same)
        extra += [colour] * (answer[colour] - same)
    longest = max(len(missed), len(extra))
    missed += [NOTHING] * (longest - len(missed))
    extra += [NOTHING] * (longest - len(extra))
    yield from zip(missed, extra, strict=True)


def _placed(fields: Fields) -> dict[tuple[int, int], str]:
    """Return each placed token by its step and cell."""
    placements = fields.get("placements")
    listed = placements if isinstance(placements, Sequence) else []
    return {(token["step"], token["cell"]): f"{token['colour']} {token['motif']}" for token in listed}


def _token_pairs(
    truth: dict[tuple[int, int], str], answer: dict[tuple[int, int], str], *, unsure: bool
) -> Iterator[tuple[str, str]]:
    for place in sorted(truth.keys() | answer.keys()):
        yield truth.get(place, NOTHING), UNSURE if unsure else answer.get(place, NOTHING)


def _throws(fields: Fields) -> list[Mapping[str, object]]:
    throws = fields.get("throws")
    return [throw for throw in throws if isinstance(throw, Mapping)] if isinstance(throws, Sequence) else []


def _table(truths: Sequence[str], pairs: Counter[tuple[str, str]]) -> Iterable[str]:
    """Yield a line for each truth: what it was taken for, the most frequent first."""
    width = max((len(label) for label in truths), default=0)
    for truth in truths:
        taken = sorted(((count, said) for (true, said), count in pairs.items() if true == truth), reverse=True)
        yield f"{truth:<{width}}  " + ", ".join(f"{said} {count}" for count, said in taken)
