"""The random generator: sfc32, the same inside and outside of a game's state."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from functools import lru_cache
from typing import Final, TypeVar

Item = TypeVar("Item")

WORDS: Final = 4
MASK: Final = 0xFFFFFFFF
# Of how many games of a batch the generators are begun together.
_BLOCK: Final = 64


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


def begin_game(root: int, index: int) -> tuple[int, ...]:
    """Return the seed of a game of a batch, and its words of streams 0 and 1.

    They are worked out for many games at once: seed by seed they would take a
    third of the time of a short game in plain Python.
    """
    block, place = divmod(index, _BLOCK)
    return _begin_block(root, block)[place]


@lru_cache(maxsize=4)
def _begin_block(root: int, block: int) -> tuple[tuple[int, ...], ...]:
    first = block * _BLOCK
    indexes = range(first + 1, first + _BLOCK + 1)
    found = _scramble_all([root] * _BLOCK, indexes)
    seeds = [(a << 21) ^ b >> 11 for a, b, _, _ in found]
    words = _scramble_all(seeds * 2, [0] * _BLOCK + [1] * _BLOCK)
    halves = zip(seeds, words[:_BLOCK], words[_BLOCK:], strict=True)
    return tuple((seed, *one, *other) for seed, one, other in halves)


def _scramble_all(
    seeds: Sequence[int], streams: Sequence[int]
) -> list[tuple[int, int, int, int]]:
    """Scramble many seeds at once: each has 64 bits of one large integer.

    No step makes more of 32 bits than 64 have room for; what a shift to the right
    brings from the neighbour is cut off.
    """
    ones = ((1 << 64 * len(seeds)) - 1) // ((1 << 64) - 1)
    mask = ones * MASK
    a = _pack(seed & MASK for seed in seeds)
    b = _pack(seed >> 32 & MASK for seed in seeds)
    c = _pack(stream & MASK for stream in streams)
    d = _pack((stream >> 32 & MASK) * 2 + 1 for stream in streams)
    for _ in range(12):
        value = (a + b + d) & mask
        d += ones
        a = b ^ (b >> 9 & mask)
        b = (c * 9) & mask
        c = ((c << 21) + (c >> 11 & mask) + value) & mask
    unpacked = (_unpack(word, len(seeds)) for word in (a, b, c, d & mask))
    return list(zip(*unpacked, strict=True))


def _pack(words: Iterable[int]) -> int:
    return int.from_bytes(array("Q", words).tobytes(), sys.byteorder)


def _unpack(packed: int, number: int) -> list[int]:
    words = array("Q")
    words.frombytes(packed.to_bytes(8 * number, sys.byteorder))
    return words.tolist()


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
