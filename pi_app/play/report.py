"""What a demo says at its end: scores, verdicts beside the truth, sums."""

from collections.abc import Iterator, Sequence

from pi_app.play.demo import Played, tally
from pi_app.play.sheet import lines_of
from pi_app.ui.terminal_voila import score_lines


def report_lines(played: Played) -> Iterator[str]:
    """Yield a game's report."""
    yield "" if played.finished else "The game was left before its end."
    yield from score_lines(played.view)
    yield ""
    yield "verdicts of the camera, and what the physics say:"
    for number, shot in enumerate(played.shots, start=1):
        heading, said, really = lines_of(number, shot)
        yield f"  {heading:42} {said:38} {really}{'' if shot.compared.agrees else '   <- differs'}"
    yield ""
    yield from sum_lines([played])


def sum_lines(games: Sequence[Played]) -> Iterator[str]:
    """Yield the sums over games."""
    shots = [shot for game in games for shot in game.shots]
    count = tally(shots)
    offs = sorted(abs(off) for shot in shots if (off := shot.start_off_s) is not None)
    sure = count.right + count.wrong + count.unsure
    share = f" ({100 * count.right / sure:.1f} %)" if sure else ""
    yield (
        f"{len(games)} game(s), {sum(game.turns for game in games)} turns, {count.verdicts} verdicts: "
        f"{count.right} right{share}, {count.wrong} wrong, {count.false_pass} false pass, {count.unsure} unsure, "
        f"{count.borderline} borderline"
    )
    if offs:
        yield f"start of standing off by {offs[len(offs) // 2]:.3f} s in the middle, {offs[-1]:.3f} s at most"
    equal = sum(game.points == game.true_points for game in games)
    yield f"scores equal to the physics' in {equal} of {len(games)} game(s)"
