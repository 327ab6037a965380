"""What the games of a batch draw, worked out for many of them at once.

Plain Python spends a third of a short game on its generators, whose words of 32 bits
it adds up slowly. Here those of 64 games stand side by side in large integers, 64
bits each, and take every step together. What comes out is what each would draw alone.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, repeat
from typing import Final

from .rng import MASK, Rng

# How many games of a batch go together.
BLOCK: Final = 64
# How many numbers their random players draw together, first and then each time.
_FIRST: Final = 8
_NUMBERS: Final = 32
# How often they do: the few games that go on for longer draw alone.
_MOST_TURNS: Final = 512
# From so many points on shuffles may be known, and as many before.
_MOST_KNOWN: Final = 64 * BLOCK
_WORD: Final = (1 << 64) - 1
_ONES: Final = ((1 << 64 * BLOCK) - 1) // _WORD
_MASKS: Final = _ONES * MASK
_BYTES: Final = 8 * BLOCK

Words = tuple[int, int, int, int]
# Four words of each generator, as four large integers.
Lanes = tuple[int, int, int, int]
# Numbers of all generators, turn by turn, and the words after them.
Drawn = tuple["array[int]", Lanes]


def _pack(words: Iterable[int]) -> int:
    return int.from_bytes(array("Q", words).tobytes(), sys.byteorder)


def _unpack(packed: int) -> array[int]:
    return array("Q", packed.to_bytes(_BYTES, sys.byteorder))


def _unpack_words(lanes: Lanes) -> list[Words]:
    return list(zip(*map(_unpack, lanes), strict=True))


def _scramble(seeds: int, streams: int) -> Lanes:
    """Return where generators start from, by seeds and streams of 64 bits each."""
    lanes = (
        seeds & _MASKS,
        seeds >> 32 & _MASKS,
        streams & _MASKS,
        (streams >> 32 & _MASKS) * 2 + _ONES,
    )
    for _ in range(12):
        _, lanes = _step(lanes)
    return lanes


def _step(lanes: Lanes) -> tuple[int, Lanes]:
    """Return the next number of each generator, and their words after it.

    No step makes more of 32 bits than 64 have room for; what a shift to the right
    brings from the neighbour is cut off.
    """
    a, b, c, d = lanes
    value = (a + b + d) & _MASKS
    a = b ^ (b >> 9 & _MASKS)
    b = (c * 9) & _MASKS
    c = ((c << 21) + (c >> 11 & _MASKS) + value) & _MASKS
    return value, (a, b, c, (d + _ONES) & _MASKS)


class Block:
    """Games of a batch that go together: their seeds, and what they draw."""

    def __init__(self, root: int, number: int) -> None:
        """Begin the games of a batch's root whose indexes fall into a block."""
        first = number * BLOCK + 1
        indexes = _pack(range(first, first + BLOCK))
        a, b, *_ = _scramble(_ONES * (root & _WORD), indexes)
        seeds = (a << 21) ^ (b >> 11 & _MASKS)
        self.seeds = _unpack(seeds).tolist()
        lanes = _scramble(seeds, 0)
        self.words = _unpack_words(lanes)
        FORESEEN.add(_Round(lanes), self.words)
        self._drawn: dict[int, Drawn] = {-1: (array("Q"), _scramble(seeds, _ONES))}

    def draw(self, place: int) -> Callable[[], int]:
        """Return what draws the numbers of a game's random players."""
        return chain.from_iterable(self._draw(place)).__next__

    def _draw(self, place: int) -> Iterator[list[int]]:
        for turn in range(_MOST_TURNS):
            if turn not in self._drawn:
                # Another thread may do the same meanwhile, with the same result.
                number = _NUMBERS if turn else _FIRST
                self._drawn[turn] = _draw_all(self._drawn[turn - 1][1], number)
            yield self._drawn[turn][0][place::BLOCK].tolist()
        alone = Rng(0)
        alone.words = _unpack_words(self._drawn[_MOST_TURNS - 1][1])[place]
        while True:
            yield [alone.below(MASK + 1)]


def _draw_all(lanes: Lanes, number: int) -> Drawn:
    """Return the next numbers of all generators, and their words after them."""
    found = array("Q")
    for _ in range(number):
        value, lanes = _step(lanes)
        found.frombytes(value.to_bytes(_BYTES, sys.byteorder))
    return found, lanes


@lru_cache(maxsize=4)
def find_block(root: int, number: int) -> Block:
    """Return a block of the batch that a root begins."""
    return Block(root, number)


def begin_game(root: int, index: int) -> tuple[int, Words, Callable[[], int]]:
    """Return a game's seed, its generator's words, and what draws for its players."""
    number, place = divmod(index, BLOCK)
    block = find_block(root, number)
    return block.seeds[place], block.words[place], block.draw(place)


# What a shuffle does: the places that cards change with, and the words after it.
Order = tuple[list[int], Words]


class _Round:
    """Generators that may be about to shuffle as many cards each."""

    def __init__(self, lanes: Lanes, size: int = 0) -> None:
        self.lanes = lanes
        self.size = size
        self.orders: tuple[int, array[int], list[Words]] | None = None

    def work_out(self, size: int) -> None:
        """Work out all shuffles, unless one of them draws a number again."""
        lanes, found = self.lanes, array("Q")
        for bound in range(size, 1, -1):
            value, lanes = _step(lanes)
            product = value * bound
            # A bit is carried where the lower half is not below the bound.
            carried = (product & _MASKS) + _ONES * (MASK + 1 - bound)
            if carried >> 32 & _ONES != _ONES:
                self.size = -1
                return
            places = product >> 32 & _MASKS
            found.frombytes(places.to_bytes(_BYTES, sys.byteorder))
        words = _unpack_words(lanes)
        self.orders = size, found, words
        FORESEEN.add(_Round(lanes, size), words)


class Foreseen:
    """Shuffles of the games of a batch, found by the generator's words before them."""

    def __init__(self) -> None:
        """Know none yet."""
        self._known: dict[Words, tuple[_Round, int]] = {}
        self._before: dict[Words, tuple[_Round, int]] = {}

    def add(self, about: _Round, words: Sequence[Words]) -> None:
        """Expect a shuffle from the words of each game on; forget the oldest."""
        if len(self._known) > _MOST_KNOWN:
            self._before, self._known = self._known, {}
        self._known.update(zip(words, zip(repeat(about), range(BLOCK)), strict=False))

    def find(self, words: Words, size: int) -> Order | None:
        """Return the order that a shuffle of so many cards brings, if it is known.

        The first game of a block that asks is told nothing: it may be the only one.
        """
        known = self._known.get(words) or self._before.get(words)
        if known is None:
            return None
        about, place = known
        if about.size == 0:
            about.size = size
            return None
        if about.size == size and about.orders is None:
            about.work_out(size)
        # Another thread may have asked for another size meanwhile.
        if about.orders is None or about.orders[0] != size:
            return None
        _, places, after = about.orders
        return places[place::BLOCK].tolist(), after[place]

    def forget(self) -> None:
        """Know none again."""
        self._known, self._before = {}, {}


FORESEEN: Final = Foreseen()
