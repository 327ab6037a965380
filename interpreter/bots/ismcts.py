"""A bot that tries moves out in worlds it cannot tell from the real one.

Information-set Monte Carlo tree search with one tree, that of the bot's own
knowledge (Cowling, Powley and Whitehouse 2012): each iteration draws what is
hidden anew, walks down the tree by the moves that are legal in that world, adds
one node, and plays on at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import TYPE_CHECKING, Final

from .world import Row, World

if TYPE_CHECKING:
    from ..rng import Rng
    from ..state import Move, State

_EXPLORATION: Final = 0.7
# Seconds that it thinks in a race at most: the others go on meanwhile.
_RACING: Final = 0.05

Key = tuple[int, Row]


@dataclass(slots=True)
class Node:
    """What is known of one move: of whom, how often tried, and how well it went."""

    seat: int
    visits: int = 0
    possible: int = 0
    total: float = 0.0
    children: dict[Key, Node] = field(default_factory=dict)

    def bound(self) -> float:
        """Return the upper bound by which nodes are chosen (UCB1)."""
        mean = self.total / self.visits
        return mean + _EXPLORATION * sqrt(log(self.possible) / self.visits)

    def merit(self) -> tuple[int, float]:
        """Return how often it was tried, then how well it went."""
        return self.visits, self.total


@dataclass(frozen=True, slots=True)
class IsmctsBot:
    """Takes the move that it has tried most often, since it went best.

    With a number of iterations alone it chooses the same every time from one
    seed. With a clock it also stops when its time is over, at an iteration's end.

    Args:
        iterations: How many worlds are tried at most, for one decision.
        seconds: How long it may think, if there is a clock.
        clock: Returns the time in seconds.
    """

    iterations: int = 300
    seconds: float = 1.0
    clock: Callable[[], float] | None = None

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return the legal move that was tried most; of equals the best."""
        moves = state.moves(seat)
        if len(moves) == 1:
            return moves[0]
        search = _Search(state, seat, rng)
        end = self._when_to_stop(state)
        for _ in range(self.iterations):
            search.iterate()
            if self.clock is not None and self.clock() > end:
                break
        tried = search.root.children
        never = Node(seat)
        return max(moves, key=lambda move: tried.get((seat, move.row), never).merit())

    def _when_to_stop(self, state: State) -> float:
        """Return the time after which it answers: soon, where nobody waits for it."""
        if self.clock is None:
            return 0.0
        longest = _RACING if state.is_race else self.seconds
        return self.clock() + min(self.seconds, longest)


class _Search:
    """One tree, from the decision of one seat."""

    def __init__(self, state: State, seat: int, rng: Rng) -> None:
        self.root = Node(seat)
        self._state = state
        self._seat = seat
        self._rng = rng
        self._world = World(state.game)
        self._widest = 1.0  # the largest difference of scores seen so far

    def iterate(self) -> None:
        """Try one world: walk down, add a node, play on, and note how it went."""
        world = self._world
        world.enter(self._state.determinize(self._seat, self._rng).vector)
        path = [self.root]
        is_new = False
        while not is_new and world.goes_on():
            first = (self._seat,) if len(path) == 1 else ()
            seat, rows = world.list_moves(first, self._rng)
            if len(path) > 1 and world.is_unseen() and seat != self._seat:
                # Others choose without having seen the move above.
                world.make(seat, self._rng.choice(rows))
                continue
            row, node, is_new = self._pick(path[-1], seat, rows)
            world.make(seat, row)
            path.append(node)
        worth = world.play_out(self._rng)
        utilities = self._rate(worth)
        for node in path[1:]:
            node.visits += 1
            node.total += utilities[node.seat - 1]

    def _pick(
        self, node: Node, seat: int, rows: Sequence[Row]
    ) -> tuple[Row, Node, bool]:
        """Return a move: one not tried yet, or the most promising one."""
        fresh = []
        best: tuple[float, Row, Node] | None = None
        for row in rows:
            child = node.children.get((seat, row))
            if child is None:
                fresh.append(row)
                continue
            child.possible += 1
            if child.visits:
                bound = child.bound()
                if best is None or bound > best[0]:
                    best = (bound, row, child)
        if fresh or best is None:
            row = self._rng.choice(fresh or rows)
            child = node.children.setdefault((seat, row), Node(seat))
            child.possible = max(child.possible, 1)
            return row, child, True
        return best[1], best[2], False

    def _rate(self, worth: Sequence[float]) -> list[float]:
        """Return for each seat from 0 to 1 how well it stands against its rivals."""
        teams = self._state.game.layout.teams
        found = []
        for seat, own in enumerate(worth):
            rivals = [w for s, w in enumerate(worth) if teams[s] != teams[seat]]
            if not rivals:
                found.append(own)
                continue
            beaten = sum((own > other) + 0.5 * (own == other) for other in rivals)
            lead = own - sum(rivals) / len(rivals)
            self._widest = max(self._widest, abs(lead))
            margin = 0.5 + 0.5 * lead / self._widest
            found.append(0.7 * beaten / len(rivals) + 0.3 * margin)
        return found
