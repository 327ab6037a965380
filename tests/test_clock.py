"""The virtual clock: whole milliseconds, and faster hands are first more often."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from cardrun.interpreter.clock import QUANTILES, Clock, Reaction
from cardrun.interpreter.rng import Rng

SLOW, FAST = Reaction(1200, 400), Reaction(600, 200)
GOLDEN = [(1, 636), (2, 1476), (2, 2178), (2, 2675), (2, 3099), (2, 3844)]


def test_the_table_rises() -> None:
    """It is a table of quantiles."""
    assert all(low < high for low, high in pairwise(QUANTILES))


@pytest.mark.parametrize("reaction", [SLOW, FAST, Reaction(300, 200), Reaction(500, 0)])
def test_reaction_times_have_their_mean_and_spread(reaction: Reaction) -> None:
    """Over many draws, in whole milliseconds."""
    rng = Rng(5)
    times = [reaction.draw(rng) for _ in range(20_000)]
    mean = sum(times) / len(times)
    spread = (sum((time - mean) ** 2 for time in times) / len(times)) ** 0.5
    assert mean == pytest.approx(reaction.mean, rel=0.02)
    assert spread == pytest.approx(reaction.spread, rel=0.04, abs=1)
    assert min(times) > 0


def test_a_spread_beyond_two_thirds_of_the_mean_is_impossible() -> None:
    """Somebody would act before the moment of aiming."""
    assert Reaction(300, 200).is_possible()
    assert not Reaction(300, 201).is_possible()
    assert not Reaction(0, 0).is_possible()


def test_the_clock_of_a_seed_is_fixed_for_ever() -> None:
    """Recorded times are the same on every platform."""
    clock = Clock(7, {1: SLOW, 2: FAST})
    acts = [(clock.pick_first((1, 2)), clock.now) for _ in range(6)]
    assert acts == GOLDEN


def test_time_never_stands_still() -> None:
    """Every act is later than the one before."""
    clock = Clock(3, {})
    times = [(clock.pick_first((1, 2, 3)), clock.now)[1] for _ in range(1000)]
    assert all(before < after for before, after in pairwise(times))


def test_the_faster_hand_is_first_more_often() -> None:
    """Equal hands share; one twice as fast is nearly always first."""
    equal, unequal = Clock(1, {}), Clock(1, {1: SLOW, 2: FAST})
    shares = Counter(equal.pick_first((1, 2)) for _ in range(4000))
    assert shares[1] / 4000 == pytest.approx(0.5, abs=0.03)
    assert Counter(unequal.pick_first((1, 2)) for _ in range(4000))[2] > 3600


def test_who_is_alone_is_first() -> None:
    """And still needs time."""
    clock = Clock(1, {})
    assert clock.pick_first((4,)) == 4
    assert clock.now > 0
