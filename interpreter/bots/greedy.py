"""A bot that tries every move, and plays on at random for a moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .horizon import choose_horizon, list_useful
from .mind import Minds

if TYPE_CHECKING:
    from ..engine.state import Move, State
    from ..rng import Rng

# In how many states at most each move is tried.
_MOST_DRAWS: Final = 12


@dataclass(frozen=True, slots=True)
class GreedyBot:
    """Takes the move after which it soon stands best, as far as it can see.

    What it cannot see is drawn anew a few times, consistent with what it knows, and
    in each of these states every move is tried, with the same few random acts behind
    it. The ruleset's own scoring says how well it stands there; where that is equal,
    cards left count. Of equally good moves one is drawn.

    Before the cards have been played no score can say what a bid, a pass or
    another word is worth. There it plays on until one is counted.
    """

    playouts: int = 72
    minds: Minds = field(default_factory=Minds)

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return a legal move with the best standing on average."""
        moves = list_useful(state, seat)
        if len(moves) == 1:
            return moves[0]
        acts = choose_horizon(state, seat, moves, rng)
        mind = self.minds.take(state.game)
        mind.look_at(state)
        with mind.drawing(rng):
            draws = max(min(self.playouts // len(moves), _MOST_DRAWS), 2)
            values = mind.try_moves(seat, moves, acts, draws)
        best = max(values)
        return rng.choice(
            [move for move, value in zip(moves, values, strict=True) if value == best]
        )
