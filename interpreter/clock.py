"""The virtual clock of a race: who is first, and when.

A race between bots takes no real time. Every player who can act aims at the
moment drawn from their reaction time; the earliest act goes first, and then
all aim anew. Everything is a whole number of milliseconds, and the clock draws
from a random stream of its own, so that cards do not depend on speed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .rng import Rng

# Quantiles of a log-normal distribution (sigma 0.5) in thousandths of the mean of
# all that is drawn from them. Written out, because exp() may differ by platform.
# fmt: off
QUANTILES: Final = (
    266, 330, 369, 400, 426, 450, 471, 491, 510, 528, 546, 563, 579, 595, 611, 627,
    642, 658, 673, 688, 703, 719, 734, 749, 765, 780, 796, 812, 828, 844, 861, 877,
    895, 912, 930, 948, 967, 986, 1005, 1025, 1046, 1068, 1090, 1113, 1138, 1163,
    1189, 1217, 1246, 1277, 1309, 1344, 1382, 1422, 1466, 1514, 1568, 1629, 1698,
    1779, 1876, 1999, 2166, 2424, 3003,
)
# fmt: on
_MEAN: Final = 1000
_DEVIATION: Final = 490
_STEPS: Final = 64  # places between two entries of the table
_CLOCK_STREAM: Final = 1


@dataclass(frozen=True, slots=True)
class Reaction:
    """How fast a player acts: mean and standard deviation, in milliseconds."""

    mean: int
    spread: int

    def is_possible(self) -> bool:
        """Return whether every time drawn lies after the moment of aiming."""
        return self.mean > 0 and 0 <= self.spread * 3 <= self.mean * 2

    def draw(self, rng: Rng) -> int:
        """Return a reaction time in milliseconds, at least 1."""
        place, step = divmod(rng.below((len(QUANTILES) - 1) * _STEPS), _STEPS)
        low, high = QUANTILES[place], QUANTILES[place + 1]
        thousandths = low + (high - low) * step // _STEPS
        return max(self.mean + (thousandths - _MEAN) * self.spread // _DEVIATION, 1)


USUAL_REACTION: Final = Reaction(800, 400)


class Clock:
    """The time of one game's races, which begins at 0."""

    def __init__(self, seed: int, reactions: Mapping[int, Reaction]) -> None:
        """Start the clock of a game; seats without a reaction have the usual."""
        self.now = 0
        self._reactions = dict(reactions)
        self._rng = Rng(seed, _CLOCK_STREAM)

    def pick_first(self, seats: Sequence[int]) -> int:
        """Let seats aim, move to the earliest act and return its seat.

        Of equal times one is drawn from the clock's stream.
        """
        times = [(self._draw(seat), seat) for seat in seats]
        earliest = min(time for time, _ in times)
        self.now += earliest
        return self._rng.choice([seat for time, seat in times if time == earliest])

    def _draw(self, seat: int) -> int:
        return self._reactions.get(seat, USUAL_REACTION).draw(self._rng)
