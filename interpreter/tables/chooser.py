"""Choose a move part by part: what has been picked, and what can be picked next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.state import Move


@dataclass
class Chooser:
    """The legal moves of a person, narrowed down by the words picked so far.

    A word is a part of a move as it is written, or as it is spelt so that it is no
    other, or the name of a move. Parts may be picked in any order. As soon as one
    move alone is left it is meant.
    """

    moves: Sequence[Move] = ()
    picked: list[str] = field(default_factory=list)
    spell: Callable[[Move], Sequence[str]] = lambda move: move.args

    def offer(self, moves: Sequence[Move]) -> None:
        """Take new legal moves; what was picked stays if it still leads to one."""
        self.moves = moves
        if not self.left():
            self.picked.clear()

    def left(self) -> list[Move]:
        """Return the moves that hold all that was picked."""
        wanted = Counter(self.picked)
        return [move for move in self.moves if not wanted - self._words(move)]

    def words(self) -> list[str]:
        """Return what can be picked next, each once: first parts before second ones."""
        return [word for words in self.steps() for word in words]

    def steps(self) -> list[list[str]]:
        """Return what can be picked next, by its place in the moves that have it.

        Of each place the words come in the order of the moves: in an auction all
        levels, then all suits. Where moves differ in nothing but their name, or have
        no parts, a word is their name, and its place the first.
        """
        places: dict[str, int] = {}
        for move in self.left():
            rest = self._words(move) - Counter(self.picked)
            parts = [word for word in self.spell(move) if rest[word] > 0]
            if not parts and self.whole() is None:
                parts = [move.name]
            for place, word in enumerate(parts):
                places[word] = min(place, places.get(word, place))
        known = sorted(set(places.values()))
        return [[w for w, place in places.items() if place == one] for one in known]

    def whole(self) -> Move | None:
        """Return the one move all of whose parts are picked, if it is one alone."""
        found = [
            move
            for move in self.left()
            if self.picked
            and Counter(self.spell(move))
            == Counter(word for word in self.picked if word != move.name)
        ]
        return found[0] if len(found) == 1 else None

    def pick(self, word: str) -> Move | None:
        """Pick a word; return the move that is then meant, if it is clear."""
        if word not in self.words():
            return None
        self.picked.append(word)
        return self.only()

    def only(self) -> Move | None:
        """Return the one move that is left, if it is one alone."""
        left = self.left()
        return left[0] if len(left) == 1 else None

    def change(self, words: Sequence[str]) -> str:
        """Pick something else in place of all that was picked, by a word for it.

        Returns:
            The word; nothing if it cannot be picked first, and nothing has changed.
        """
        before = self.picked[:]
        self.picked.clear()
        for word in self.words():
            if word in words:
                self.picked.append(word)
                return word
        self.picked += before
        return ""

    def undo(self) -> bool:
        """Take the last word back; return whether there was one."""
        if not self.picked:
            return False
        self.picked.pop()
        return True

    def _words(self, move: Move) -> Counter[str]:
        return Counter([move.name, *self.spell(move)])
