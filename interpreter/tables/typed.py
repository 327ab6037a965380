"""Which move is meant by what a person types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..language.deck import Deck

Move = TypeVar("Move")


def find_moves(text: str, moves: Sequence[Move], deck: Deck) -> list[Move]:
    """Return the moves, which print as their text, that a short text may mean.

    The parts typed must stand in a move in their order; each may be shortened
    (``pl`` for ``play``, ``2`` for ``centre.2``), and the move's name or parts
    that are clear may be left out. Of moves with one name those of which no part
    is left out come alone, if there are any.
    """
    typed = text.split()
    found = [(move, _count_left_out(typed, str(move), deck)) for move in moves]
    meant = [(move, left_out) for move, left_out in found if left_out is not None]
    exact = [move for move, left_out in meant if left_out == 0]
    names = {str(move).split()[0] for move, _ in meant}
    return exact if exact and len(names) == 1 else [move for move, _ in meant]


def _count_left_out(typed: Sequence[str], move: str, deck: Deck) -> int | None:
    """Return how many parts of a move were not typed; None if it is not meant."""
    name, *parts = move.split()
    words = list(typed)
    if words and _is_short_for(words[0], name, deck):
        words.pop(0)
    left_out = 0
    for part in parts:
        if words and _is_short_for(words[0], part, deck):
            words.pop(0)
        else:
            left_out += 1
    return None if words else left_out


def _is_short_for(word: str, part: str, deck: Deck) -> bool:
    """Return whether a word stands for a part of a move."""
    cards = deck.parse(word)
    if cards:
        return deck.name(cards[0]) == part
    if word.casefold() == part.rpartition(".")[2]:
        return True
    return part.casefold().startswith(word.casefold()) and not word.isdecimal()
