"""A bot that tries moves out in worlds it cannot tell from the real one.

Information-set Monte Carlo tree search with one tree, that of the bot's own
knowledge (Cowling, Powley and Whitehouse 2012): each iteration draws what is
hidden anew, walks down the tree by the moves that are legal in that world, adds
one node, and plays on at random. The tree is a vector, and all that happens in
one iteration is emitted code (see lookahead.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from .horizon import choose_horizon, list_useful
from .mind import Minds

if TYPE_CHECKING:
    from ..engine.state import Move, State
    from ..rng import Rng

# Seconds that it thinks in a race at most: the others go on meanwhile.
RACING: Final = 0.05
# In how many worlds at most each first move is tried before the tree grows.
_MOST_DRAWS: Final = 16


@dataclass(frozen=True, slots=True)
class IsmctsBot:
    """Takes the move that it has tried most often, since it went best.

    With a number of iterations alone it chooses the same every time from one
    seed. With a clock it also stops when its time is over, at an iteration's end.

    Args:
        iterations: How many worlds are tried at most, for one decision.
        seconds: How long it may think, if there is a clock.
        clock: Returns the time in seconds.
        minds: What it thinks with.
    """

    iterations: int = 300
    seconds: float = 1.0
    clock: Callable[[], float] | None = None
    minds: Minds = field(default_factory=Minds)

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return the legal move that was tried most; of equals the best."""
        end = self._when_to_stop(state)
        moves = list_useful(state, seat)
        if len(moves) == 1:
            return moves[0]
        horizon = choose_horizon(state, seat, moves, rng)
        mind = self.minds.take(state.game)
        mind.look_at(state)
        with mind.drawing(rng):
            mind.begin_search(moves, self.iterations)
            draws = min(self.iterations // (2 * len(moves)), _MOST_DRAWS)
            left = self.iterations - draws * len(moves)
            # Who has no clock need not look at it between two worlds.
            step = left if self.clock is None else 1
            for number in range(draws + left // step):
                if number < draws:
                    mind.try_firsts(seat, horizon)
                else:
                    mind.iterate(seat, horizon, step)
                if self.clock is not None and self.clock() > end:
                    break
        tries = mind.count_tries()
        return max(moves, key=lambda move: tries.get(move.row, (0, 0)))

    def _when_to_stop(self, state: State) -> float:
        """Return the time after which it answers: soon, where nobody waits for it."""
        if self.clock is None:
            return 0.0
        longest = RACING if state.is_race else self.seconds
        return self.clock() + min(self.seconds, longest)
