"""The random generator: sfc32, the same inside and outside of a game's state."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

WORDS: Final = 4
MASK: Final = 0xFFFFFFFF


def scramble(seed: int, stream: int = 0) -> tuple[int, int, int, int]:
    """Return the four 32-bit words that a generator starts from.

    sfc32 is seeded with the seed's 64 bits and the stream number, and run
    twelve steps, as its author (C. Doty-Humphrey, PractRand) recommends.
    """
    a, b = seed & MASK, seed >> 32 & MASK
    c, d = stream & MASK, (stream >> 32 & MASK) * 2 + 1
    # The steps of _step, written out: every game begins with them.
    for _ in range(12):
        value = (a + b + d) & MASK
        d += 1
        a = b ^ (b >> 9)
        b = (c * 9) & MASK
        c = (((c << 21) | (c >> 11)) + value) & MASK
    return a, b, c, d & MASK


def seed_of_game(root: int, index: int) -> int:
    """Return the seed of one game of a batch, below 2**53."""
    a, b, _, _ = scramble(root, index + 1)
    return (a << 21) ^ b >> 11


def _step(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int, int]:
    value = (a + b + d) & MASK
    d = (d + 1) & MASK
    a = b ^ (b >> 9)
    b = (c + (c << 3)) & MASK
    c = ((c << 21) | (c >> 11)) & MASK
    return value, a, b, (c + value) & MASK, d


class Rng:
    """A stream of random numbers that is the same everywhere and for ever."""

    __slots__ = ("words",)

    def __init__(self, seed: int, stream: int = 0) -> None:
        """Start the stream of a seed; streams of one seed are independent."""
        self.words = scramble(seed, stream)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each as likely (Lemire 2019)."""
        product = self._next() * bound
        if product & MASK < bound:
            threshold = (MASK + 1 - bound) % bound
            while product & MASK < threshold:
                product = self._next() * bound
        return product >> 32

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of some items, each as likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Put items into a random order, from the last place down."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _next(self) -> int:
        value, *words = _step(*self.words)
        self.words = (words[0], words[1], words[2], words[3])
        return value
