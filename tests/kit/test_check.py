from dataclasses import dataclass

import pytest

from pi_app.core.names import BlockPose
from pi_app.kit.check import Grade, check_figure, check_kit
from pi_app.kit.model import Figure, FigureBlock, Kit
from pi_app.kit.sample import sample_kit

KIT = sample_kit()


def figure(text: str) -> Figure:
    words = [block.split() for block in text.split(", ")]
    blocks = (FigureBlock(pose=BlockPose(pose), x_mm=float(x), z_mm=float(z)) for pose, x, z in words)
    return Figure(id="test", blocks=tuple(blocks))


def findings(text: str) -> list[str]:
    return [str(finding) for finding in check_figure(figure(text), KIT.acrobat, "figure[0]")]


def test_the_sample_kit_is_clean() -> None:
    assert check_kit(KIT) == []


def test_the_sample_kits_figures_use_all_acrobats_and_are_at_least_ten() -> None:
    assert len(KIT.figure) >= 10
    assert all(len(each.blocks) == 6 for each in KIT.figure)


@pytest.mark.parametrize(
    "text",
    [
        "stand 0 0",
        "stand 0 0, lie -14 56",
        "stand 0 0, stand 40 0, lie 6 56, stand 20 84",
        "lie 0 0, lie 20 28, lie 0 56",
        "stand 0 0, stand 60 0, lie 16 56, stand 30 84",
        "stand 0 0, lie 0 56, stand 8 84",
        "lie 0 0.4, stand 10 28.9",
    ],
)
def test_figures_that_stand(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("stand 0 0, lie 0 57.5", "error: figure[0].blocks[1]: 'test' has nothing under it at z_mm = 57.5"),
        ("stand 0 5", "error: figure[0].blocks[0]: 'test' has nothing under it at z_mm = 5"),
        ("stand 0 -20", "error: figure[0].blocks[0]: 'test' has nothing under it at z_mm = -20"),
        ("stand 0 0, lie 28 56", "error: figure[0].blocks[1]: 'test' has nothing under it at z_mm = 56"),
        (
            "stand 0 0, lie 5 56",
            "error: figure[0].blocks[1]: 'test' cannot stand: its load hangs beside what is under it",
        ),
        (
            "stand 0 0, lie 0 56, stand 28 84",
            "error: figure[0].blocks[1]: 'test' cannot stand: its load hangs beside what is under it",
        ),
        ("lie 0 0, stand 10 20", "error: figure[0].blocks[1]: 'test' has it in the place of block 0"),
        ("stand 0 0, stand 20 0", "error: figure[0].blocks[1]: 'test' has it in the place of block 0"),
        (
            ", ".join(f"stand {30 * i} 0" for i in range(7)),
            "error: figure[0].blocks: 'test' uses 7 acrobats, wanted at most the 6 there are",
        ),
    ],
)
def test_figures_that_cannot_be_built(text: str, line: str) -> None:
    assert findings(text) == [line]


@dataclass
class Change:
    """A kit whose cards are changed one by one."""

    card: int
    update: dict[str, object]

    def applied(self) -> Kit:
        cards = list(KIT.card)
        cards[self.card] = cards[self.card].model_copy(update=self.update)
        return KIT.model_copy(update={"card": tuple(cards)})


def juggler(**stones: int) -> Change:
    index = next(i for i, card in enumerate(KIT.card) if card.stones)
    old = KIT.card[index].stones
    assert old
    return Change(index, {"stones": old.model_copy(update=stones)})


@pytest.mark.parametrize(
    ("kit", "lines"),
    [
        (Change(0, {"count": 13}).applied(), ["warning: card.count: got 81 cards in all, the rulebook has 80"]),
        (
            Change(0, {"count": 0}).applied(),
            [
                "warning: card.count: got 68 cards in all, the rulebook has 80",
                "warning: card.task: got no throw card, the rulebook has some",
            ],
        ),
        (
            juggler(blue=6).applied(),
            ["error: card[26].stones.blue: 'juggler_yrb' asks for 6 blue stones, the bag has 5"],
        ),
        (
            juggler(yellow=0, red=0, blue=0).applied(),
            ["error: card[26].stones: 'juggler_yrb' asks for no stone"],
        ),
        (
            KIT.model_copy(update={"tile": KIT.tile.model_copy(update={"piece": KIT.tile.piece[:9]})}),
            ["warning: tile.piece: got 9 object tiles, the rulebook has 10"],
        ),
        (
            KIT.model_copy(update={"figure": (*KIT.figure, figure("stand 0 0"))}),
            [
                "warning: figure[12].blocks: 'test' uses 1 acrobats, the rulebook uses all 6",
                "warning: figure[12]: 'test' is on no card",
            ],
        ),
    ],
    ids=["81 cards", "no throw", "six blue", "no stones", "nine tiles", "short figure"],
)
def test_odd_kits(kit: Kit, lines: list[str]) -> None:
    assert [str(finding) for finding in check_kit(kit)] == lines


def test_a_wrong_deck_is_only_a_warning() -> None:
    assert [finding.grade for finding in check_kit(Change(0, {"count": 13}).applied())] == [Grade.WARNING]
