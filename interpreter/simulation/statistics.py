"""Running totals that merge in any order, and intervals of shares and means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Final

Number = int | float
_NORMAL_95 = 1.959964
_MOST_BINS: Final = 512


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

    def divide(self, unit: int) -> Spread:
        """Return the totals of the numbers that these are so many parts of."""
        if unit == 1 or not self.count:
            return self
        ends = (
            number / unit if number % unit else int(number) // unit
            for number in (self.least, self.greatest)
        )
        squares = self.squares / (unit * unit)
        return Spread(self.count, self.total / unit, squares, *ends)

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

    @property
    def error(self) -> float:
        """Half the 95 % interval of the mean, by the normal distribution.

        Fewer than two numbers tell nothing of how far they lie apart.
        """
        if self.count < 2:
            return inf
        return _NORMAL_95 * self.deviation / sqrt(self.count)


NOTHING: Final = Spread()


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many whole numbers fell into each bin; bins are 2**shift wide.

    The width is the least for which there are not too many bins, so it does not
    depend on the order of merging.
    """

    shift: int = 0
    bins: dict[int, int] = field(default_factory=dict)

    def merge(self, other: Histogram) -> Histogram:
        """Return the counts of both."""
        shift = max(self.shift, other.shift)
        bins: Counter[int] = Counter()
        for part in (self, other):
            for bin, count in part.bins.items():
                bins[bin >> shift - part.shift] += count
        return _widen(shift, bins)

    @property
    def width(self) -> int:
        """How many whole numbers fall into one bin."""
        return 1 << self.shift

    def spans(self, most: int) -> list[tuple[int, int, int]]:
        """Return first number, last number and count of some equal bins, in order."""
        if not self.bins:
            return []
        low, high = min(self.bins), max(self.bins)
        step = -(-(high - low + 1) // most)
        found = []
        for at in range(low, high + 1, step):
            count = sum(self.bins.get(bin, 0) for bin in range(at, at + step))
            found.append((at * self.width, (at + step) * self.width - 1, count))
        return found


NO_NUMBERS: Final = Histogram()


def count_numbers(numbers: Iterable[int]) -> tuple[Spread, Histogram]:
    """Return the totals of some whole numbers, and how often each comes."""
    counts = Counter(numbers)
    if not counts:
        return NOTHING, NO_NUMBERS
    spread = Spread(
        counts.total(),
        sum(number * count for number, count in counts.items()),
        sum(number * number * count for number, count in counts.items()),
        min(counts),
        max(counts),
    )
    return spread, _widen(0, counts)


def _widen(shift: int, bins: Counter[int]) -> Histogram:
    while len(bins) > _MOST_BINS:
        shift += 1
        wider: Counter[int] = Counter()
        for bin, count in bins.items():
            wider[bin >> 1] += count
        bins = wider
    return Histogram(shift, dict(sorted(bins.items())))


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
