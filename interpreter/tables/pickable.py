"""Which zones cards and piles are ever picked from, as the moves of a game say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from ..game import Game


def name_pickable(game: Game) -> frozenset[str]:
    """Return the zones from which some move picks something.

    That is whatever is named where a move says what is picked, and in the
    definitions and rows that are named there.
    """
    root = game.composed.root
    told = {**_list_parts(root.get("define")), **_list_parts(root.get("rows"))}
    moves = root.get("moves")
    found: set[str] = set()
    left = [
        word
        for _, move in (moves.entries if isinstance(moves, Mapping) else ())
        if isinstance(move, Mapping)
        for word in _list_words(move.get("pick"))
    ]
    while left:
        word = left.pop()
        if word not in found:
            found.add(word)
            left += _list_words(told.get(word))
    return frozenset(found & set(game.layout.zones))


def _list_parts(section: Node | None) -> dict[str, Node]:
    entries = section.entries if isinstance(section, Mapping) else ()
    return {key.text.partition("(")[0].strip(): node for key, node in entries}


def _list_words(node: Node | None) -> Iterator[str]:
    """Yield the words that say where something is picked from: not the tests of it."""
    if isinstance(node, Scalar):
        yield from re.findall(r"[a-z_][a-z0-9_]*", node.text.split(" where ")[0])
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if key.text not in ("where", "if", "because"):
                yield from _list_words(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _list_words(item)
