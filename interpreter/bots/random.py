"""A bot that likes all moves equally."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.state import Move, State
    from ..rng import Rng


class RandomBot:
    """Draws one of the legal moves."""

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return a legal move, each as likely as any other."""
        return rng.choice(state.moves(seat))
