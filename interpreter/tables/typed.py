"""Which move is meant by what a person types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from ..language.deck import Deck

if TYPE_CHECKING:
    from ..engine.game import Game

Move = TypeVar("Move")


def list_names(game: Game) -> Iterator[str]:
    """Yield the names that moves are written with: moves, choices, suits, zones."""
    for move in game.program.moves:
        yield move.name
        for part in move.parts:
            yield from part.choices
    yield from game.deck.suits
    yield from game.layout.zones


def spell(text: str, names: Iterable[str]) -> str:
    """Return a text with the names in it spelt as in the rules.

    They may have been typed with spaces, as they are shown, and in any case:
    ``Bid 3 no trump`` is ``bid 3 no_trump``. The longest name is meant.
    """
    known = {name.casefold(): name for name in names}
    words, found = text.split(), []
    most = max((name.count("_") + 1 for name in known), default=1)
    while words:
        for count in range(most, 0, -1):
            name = known.get("_".join(words[:count]).casefold())
            if name or count == 1:
                found.append(name or words[0])
                del words[:count]
                break
    return " ".join(found)


def find_moves(text: str, moves: Sequence[Move], deck: Deck) -> list[Move]:
    """Return the moves, which print as their text, that a short text may mean.

    The parts typed must stand in a move in their order; each may be shortened
    (``pl`` for ``play``, ``2`` for ``centre.2``, ``no tr`` for ``no_trump``), and
    the move's name or parts that are clear may be left out. Of moves with one name
    those of which no part is left out come alone, if there are any.
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
    del words[: _count_words(words, name, deck)]
    left_out = 0
    for part in parts:
        used = _count_words(words, part, deck)
        del words[:used]
        left_out += not used
    return None if words else left_out


def _count_words(words: Sequence[str], part: str, deck: Deck) -> int:
    """Return how many of the words stand for a part: those of a long name together."""
    for count in range(min(part.count("_") + 1, len(words)), 0, -1):
        if _is_short_for("_".join(words[:count]), part, deck):
            return count
    return 0


def _is_short_for(word: str, part: str, deck: Deck) -> bool:
    """Return whether a word stands for a part of a move."""
    cards = deck.parse(word)
    if cards:
        return deck.name(cards[0]) == part
    if word.casefold() == part.rpartition(".")[2]:
        return True
    return part.casefold().startswith(word.casefold()) and not word.isdecimal()
