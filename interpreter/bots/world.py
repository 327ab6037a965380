"""A world in which a bot plays on, to see how things may go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ..errors import GameFault
from ..state import State

if TYPE_CHECKING:
    from ..game import Game
    from ..rng import Rng

_FINISHED: Final = 1
# The most decisions of a playout; where it stops the standing is looked at.
_HORIZON: Final = 250

Row = tuple[int, ...]


class World:
    """A vector on which moves are tried, by the emitted functions alone."""

    def __init__(self, game: Game) -> None:
        """Know a game's emitted functions."""
        self._game = game
        self._vector: list[int] = []
        self._before: list[int] = []
        self._buffer = game.buffer()
        self._widths = [1 + len(move.parts) for move in game.program.moves]
        self._ranked = game.machine.function("ranked")
        self._play_out = game.machine.function("play_out")
        slots = game.layout.slots
        self._over, self._race = slots["over"], slots["race"]
        self._to_act, self._decision = slots["to_act"], slots["decision"]
        self._scores = slice(slots["score"], slots["score"] + game.layout.team_count)

    def enter(self, vector: list[int]) -> None:
        """Go on from a vector."""
        self._vector = vector
        self._before = vector[self._scores]

    def goes_on(self) -> bool:
        """Tell whether there is a move to make, and nothing was scored yet."""
        vector = self._vector
        return not vector[self._over] and vector[self._scores] == self._before

    def is_unseen(self) -> bool:
        """Tell whether players choose here without seeing each other's choice."""
        decision = self._game.decisions[self._vector[self._decision]]
        return decision.kind == "together"

    def list_moves(self, seats: Sequence[int], rng: Rng) -> tuple[int, list[Row]]:
        """Return who acts and their legal moves: the first of some seats who can.

        Without seats it is the next to act; in a race anybody may be the first.
        """
        game, vector = self._game, self._vector
        if not seats:
            mask = vector[self._to_act]
            seats = [s for s in range(1, game.players + 1) if mask >> (s - 1) & 1]
            if vector[self._race]:
                first = rng.below(len(seats))
                seats = [*seats[first:], *seats[:first]]
        for seat in seats:
            count = game.legal(vector, seat - 1, self._buffer)
            if count:
                return seat, [self._read(place) for place in range(count)]
        raise GameFault("nobody can act")

    def _read(self, place: int) -> Row:
        """Return a listed move, without the columns that it does not use."""
        start = place * self._game.row_width
        return tuple(self._buffer[start : start + self._widths[self._buffer[start]]])

    def make(self, seat: int, row: Row) -> None:
        """Make a move."""
        padding = [0] * (self._game.row_width - len(row))
        self._game.apply(self._vector, seat - 1, [*row, *padding], 0)

    def play_out(self, rng: Rng) -> list[float]:
        """Play on at random; return how much each seat's standing is worth."""
        vector, game = self._vector, self._game
        words = list(rng.words)
        if self._play_out(vector, self._buffer, words, self._before, _HORIZON) < 0:
            raise GameFault("nobody can act")
        rng.words = (words[0], words[1], words[2], words[3])
        is_settled = vector[self._over] == _FINISHED
        if is_settled or vector[self._scores] != self._before:
            sign = -1 if game.low_wins else 1
            return [sign * self._ranked(vector, s) for s in range(game.players)]
        # In the middle of things the standing counts, and then cards left.
        state = State(game, 0, vector)
        found = [state.standing(seat) for seat in range(1, game.players + 1)]
        return [lead + cards / 1000 for lead, cards in found]
