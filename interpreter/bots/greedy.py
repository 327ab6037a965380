"""A bot that looks one move ahead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..rng import Rng
    from ..state import Move, State


@dataclass(frozen=True, slots=True)
class GreedyBot:
    """Takes the move after which it stands best, as far as it can see.

    What it cannot see is drawn anew a few times, consistent with what it knows,
    and every move is tried in each of these states. The ruleset's own scoring
    says how well it stands there; where that is equal, cards left count. Of
    equally good moves one is drawn.
    """

    draws: int = 3

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return a legal move with the best standing on average."""
        moves = state.moves(seat)
        if len(moves) == 1:
            return moves[0]
        samples = [state.determinize(seat, rng) for _ in range(self.draws)]
        values = [_evaluate(samples, seat, move) for move in moves]
        best = max(values)
        return rng.choice(
            [move for move, value in zip(moves, values, strict=True) if value == best]
        )


def _evaluate(samples: Sequence[State], seat: int, move: Move) -> tuple[float, ...]:
    """Return how a seat stands after a move, summed over the samples."""
    standings = [_try(sample.copy(), seat, move) for sample in samples]
    return tuple(map(sum, zip(*standings, strict=True)))


def _try(sample: State, seat: int, move: Move) -> tuple[float, ...]:
    sample.make(seat, move)
    return sample.standing(seat)
