"""What bots have in mind: vectors to try moves on, and the functions that do so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import isqrt, log
from typing import TYPE_CHECKING, Any, Final

from ..engine.backend import BackendTrouble, Kind, Workshop, has_numba, make_array
from ..language.program import MOST_VISITS, NODE_HEAD, write_lookahead
from ..text.errors import GameFault

if TYPE_CHECKING:
    from ..engine.backend import Report
    from ..engine.game import Game
    from ..engine.state import Move, State
    from ..language.compiler import Program
    from ..rng import Rng

_ONE: Final = 1 << 16
_EXPLORATION: Final = 0.7
_STATE_WORDS: Final = 4


class Mind:
    """A game's functions that try moves, with vectors of its own for them."""

    def __init__(
        self,
        game: Game,
        backend: str,
        functions: dict[str, Any],
        vector: Callable[[list[int]], Any],
    ) -> None:
        """Make room for all that a bot of the game looks at."""
        self.game = game
        self.backend = backend
        self._functions = functions
        self._vector = vector
        cards, seats = game.deck.size, game.players
        buffer = game.buffer()
        rows = len(buffer) // game.row_width
        self._state, self._world, self._drawn = (
            vector([0] * game.layout.size) for _ in range(3)
        )
        self._buffer, self._moves = vector(buffer), vector(buffer)
        self._scratch = vector([0] * max(6 * cards, 2 * rows + 2))
        self._standing = vector([0] * (2 * seats + 1))
        self._values = vector([0] * rows)
        self._words = vector([0] * _STATE_WORDS)
        self._bounds = vector(_list_bounds())
        self._nodes = self._table = self._search = vector([0])
        self._first = 0

    def look_at(self, state: State) -> None:
        """Take a state for the one to choose a move in."""
        self._state[:] = self._vector(state.vector)

    @contextmanager
    def drawing(self, rng: Rng) -> Iterator[None]:
        """Draw from a bot's generator, and leave it where that ends."""
        self._words[:] = self._vector(list(rng.words))
        yield
        a, b, c, d = (int(word) for word in self._words)
        rng.words = (a, b, c, d)

    def try_moves(
        self, seat: int, moves: Sequence[Move], horizon: int, draws: int
    ) -> list[int]:
        """Return how far ahead each move leaves a seat, over some worlds."""
        self._list(moves)
        done = self._functions["try_moves"](
            *(self._state, seat - 1, len(moves), horizon, draws),
            *(self._drawn, self._world, self._moves, self._buffer, self._words),
            *(self._scratch, self._standing, self._values),
        )
        if done < 0:
            raise GameFault("nobody can act")
        return [int(value) for value in self._values[: len(moves)]]

    def _list(self, moves: Sequence[Move]) -> None:
        width = self.game.row_width
        rows = [0] * (len(moves) * width)
        for index, move in enumerate(moves):
            rows[index * width : index * width + len(move.row)] = move.row
        self._moves[: len(rows)] = self._vector(rows)

    def begin_search(self, moves: Sequence[Move], iterations: int) -> None:
        """Begin a tree that grows by at most so many nodes, at a choice of moves."""
        self._list(moves)
        self._first = len(moves)
        mask = (1 << (2 * (iterations + len(moves))).bit_length()) - 1
        width = NODE_HEAD + self.game.row_width
        self._nodes = self._vector([0] * width * (iterations + len(moves) + 2))
        self._table = self._vector([0] * (mask + 1))
        self._search = self._vector([1, 0, mask, 0] + [0] * self.game.players)

    def try_firsts(self, seat: int, horizon: int) -> None:
        """Try each first move out in the same world, with the same chances."""
        done = self._functions["try_firsts"](
            *(self._state, seat - 1, self._first, horizon),
            *(self._drawn, self._world, self._moves, self._buffer, self._words),
            *(self._scratch, self._standing),
            *(self._nodes, self._table, self._search),
        )
        if done < 0:
            raise GameFault("nobody can act")

    def iterate(self, seat: int, horizon: int, number: int = 1) -> None:
        """Try some worlds out, and let the tree grow by a node for each."""
        done = self._functions["iterate"](
            *(self._state, seat - 1, horizon, number, self._world, self._buffer),
            *(self._words, self._scratch, self._standing),
            *(self._nodes, self._table, self._search, self._bounds),
        )
        if done < 0:
            raise GameFault("nobody can act")

    def count_tries(self) -> dict[tuple[int, ...], tuple[int, int]]:
        """Return by the row of each first move how often it was tried, and how well."""
        width = NODE_HEAD + self.game.row_width
        used = [1 + len(move.parts) for move in self.game.program.moves]
        found = {}
        for at in range(width, int(self._search[0]) * width, width):
            parent, _, visits, _, total, *row = map(int, self._nodes[at : at + width])
            if parent == 0:
                found[tuple(row[: used[row[0]]])] = visits, total
        return found


def _list_bounds() -> list[int]:
    """Return the factors of UCB1: by how often a move was possible, and by tries."""
    possible = [
        round(_EXPLORATION * 256 * log(number) ** 0.5) * 256
        for number in range(1, MOST_VISITS + 1)
    ]
    visits = [isqrt((1 << 32) // number) for number in range(1, MOST_VISITS + 1)]
    return [0, *possible, _ONE, *visits]


def _write(program: Program) -> str:
    return f"{program.source}\n\n{write_lookahead(program)}"


LOOKAHEAD: Final = Kind(_write, ("iterate", "try_firsts", "try_moves"))


class Minds:
    """Has a mind for each game that is played, one at a time."""

    def __init__(self, backend: str = "auto") -> None:
        """Think by a backend; ``auto`` is by Numba where its code is kept."""
        self._backend = backend
        self._mind: Mind | None = None

    def take(self, game: Game, report: Report | None = None) -> Mind:
        """Return the mind of a game; tell what is compiled for it.

        Raises:
            BackendTrouble: Numba is wanted and cannot be had.
        """
        if self._mind is None or self._mind.game is not game:
            self._mind = _make_mind(game, self._backend, report)
        return self._mind


def _make_mind(game: Game, backend: str, report: Report | None) -> Mind:
    workshop = Workshop(game, kind=LOOKAHEAD)
    if backend == "numba":
        return Mind(game, "numba", workshop.compile(report), make_array)
    if backend == "auto" and has_numba():
        with suppress(BackendTrouble):
            if workshop.is_kept:
                return Mind(game, "numba", workshop.compile(), make_array)
    return Mind(game, "python", game.machine.lookahead, list)
