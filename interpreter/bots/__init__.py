"""Bots: one a file, each choosing among the moves it is offered.

A bot is honest: it asks a state only for what its own seat may know, which is
``view(seat)``, ``moves(seat)`` and ``determinize(seat, rng)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from .greedy import GreedyBot
from .random import RandomBot

if TYPE_CHECKING:
    from ..rng import Rng
    from ..state import Move, State

__all__ = ["BOTS", "Bot", "GreedyBot", "RandomBot"]


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return one of the legal moves of a seat, which has at least one."""
        ...


BOTS: Final[Mapping[str, Callable[[], Bot]]] = {
    "random": RandomBot,
    "greedy": GreedyBot,
}
