"""Bots: one a file, each choosing among the moves it is offered.

A bot is honest: it asks a state only for what its own seat may know, which is
``view(seat)``, ``moves(seat)`` and ``determinize(seat, rng)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from .greedy import GreedyBot
from .ismcts import IsmctsBot
from .mind import LOOKAHEAD, Minds
from .random import RandomBot

if TYPE_CHECKING:
    from ..engine.state import Move, State
    from ..rng import Rng

__all__ = [
    "BOTS",
    "LOOKAHEAD",
    "Bot",
    "GreedyBot",
    "IsmctsBot",
    "Minds",
    "RandomBot",
]


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return one of the legal moves of a seat, which has at least one."""
        ...


# Iterations, and seconds where there is a clock, of a bot that thinks ahead.
LEVELS: Final[Mapping[str, tuple[int, float]]] = {
    "easy": (40, 0.2),
    "normal": (300, 1.0),
    "hard": (1500, 4.0),
}
BOTS: Final = ("random", "greedy", "ismcts")


def make_bot(
    name: str,
    level: str = "normal",
    clock: Callable[[], float] | None = None,
    minds: Minds | None = None,
) -> Bot:
    """Return a bot by its name.

    Args:
        name: One of BOTS.
        level: One of LEVELS: how long it thinks, if it is one that does.
        clock: Returns the time in seconds; without it the budget is iterations
            alone, so that the same seed gives the same moves.
        minds: What it thinks with, which bots that take turns may share.
    """
    minds = minds or Minds()
    if name == "random":
        return RandomBot()
    if name == "greedy":
        return GreedyBot(minds=minds)
    iterations, seconds = LEVELS[level]
    return IsmctsBot(iterations, seconds, clock, minds)
