"""What is picked in the moves of a game: from which zones, and how it is spelt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ..text.tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import Move

# What stands before the seat of a player and before a rank: numbers are moves, too.
PLAYER: Final = "player "
RANK: Final = "rank "


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


def spell_parts(game: Game, move: Move) -> list[str]:
    """Return the parts of a move, so that players and ranks are told from numbers."""
    parts = game.moves_by_name[move.name].parts
    left = list(move.args)
    found = []
    for part, value in zip(parts, move.row[1:], strict=False):
        if part.may_lack and value < 0:
            continue
        count = value.bit_count() if part.form == "cards" else 1
        words = [left.pop(0) for _ in range(count)]
        sign = {"player": PLAYER, "rank": RANK}.get(part.form, "")
        found += [sign + word for word in words]
    return found


def type_part(word: str) -> str:
    """Return a part of a move as it is typed."""
    return word.removeprefix(PLAYER).removeprefix(RANK)
