"""Running totals that merge in any order, and intervals of shares."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Final

Number = int | float
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Spread:
    """How many numbers there were, their sums, the least and the greatest.

    The sums of whole numbers are exact, so that the order of merging does not
    matter.
    """

    count: int = 0
    total: Number = 0
    squares: Number = 0
    least: Number = inf
    greatest: Number = -inf

    def add(self, number: Number) -> Spread:
        """Return the totals with one more number."""
        return self.merge(Spread(1, number, number * number, number, number))

    def merge(self, other: Spread) -> Spread:
        """Return the totals of both."""
        return Spread(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.greatest, other.greatest),
        )

    @property
    def mean(self) -> float:
        """The mean, 0 without numbers."""
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of a sample, 0 for fewer than two numbers."""
        if self.count < 2:
            return 0.0
        scaled = self.count * self.squares - self.total * self.total
        return sqrt(max(scaled, 0) / (self.count * (self.count - 1)))


NOTHING: Final = Spread()


def estimate_share(part: float, whole: int) -> tuple[float, float]:
    """Return the 95 % interval of a share by Wilson's formula.

    The part may be a fraction where wins are split; the interval is then
    approximate. Of nothing, all is possible.
    """
    if not whole:
        return 0.0, 1.0
    share, square = part / whole, _NORMAL_95 * _NORMAL_95
    middle = share + square / (2 * whole)
    width = _NORMAL_95 * sqrt((share * (1 - share) + square / (4 * whole)) / whole)
    scale = 1 + square / whole
    return max((middle - width) / scale, 0.0), min((middle + width) / scale, 1.0)
