"""Games of bots, each beside the plain program of apart.py: `python -m tests.games.festival.many 1000`."""

import sys
import time
from random import Random

from pi_app.games.festival import Event, faults, new_game, outcome, replay
from pi_app.games.festival.bots import deal, play
from pi_app.games.festival.sample import sample_box
from tests.games.festival import apart


def check_game(seed: int) -> int:
    """Play one game of two to four bots; return its turns, AssertionError where the two programs differ."""
    random = Random(seed)
    setup = deal(sample_box(), 2 + seed % 3, random)
    position, table, record = new_game(setup), apart.opening(setup), list[Event]()
    for action, position in play(setup, random):  # noqa: B007 - the last one counts
        assert not apart.ended(setup, table)
        assert apart.whose(setup, table) == action.seat
        apart.follow(setup, table, action)
        record.append(action)
    end = outcome(position)
    assert end is not None
    assert apart.ended(setup, table)
    assert apart.told_of(position) == apart.told(setup, table)
    assert [s.points for s in sorted(end.standings, key=lambda s: s.seat)] == apart.points(setup, table)
    assert end.winners == apart.winners(setup, table)
    assert faults(position) == ()
    assert replay(setup, record) == position
    return len(record)


def main() -> None:
    """Check as many games as were asked for and print what that took."""
    games, begun_s = int(sys.argv[1]), time.process_time()
    turns = sum(map(check_game, range(games)))
    sys.stdout.write(f"{games} games, {turns} turns, no difference, {time.process_time() - begun_s:.1f} s\n")


if __name__ == "__main__":
    main()
