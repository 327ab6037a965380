"""A bot that looks one move ahead, or as far as the cards that a bid is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .world import World

if TYPE_CHECKING:
    from ..rng import Rng
    from ..state import Move, State

# What a move that takes or names cards has among its parts.
_CARDS: Final = {"card", "cards", "place", "pile"}


@dataclass(frozen=True, slots=True)
class GreedyBot:
    """Takes the move after which it stands best, as far as it can see.

    What it cannot see is drawn anew a few times, consistent with what it knows,
    and every move is tried in each of these states. The ruleset's own scoring
    says how well it stands there; where that is equal, cards left count. Of
    equally good moves one is drawn.

    Before the cards have been played no score can say what a bid, a pass or
    another word is worth. There it plays on at random until one is counted.
    """

    draws: int = 3
    playouts: int = 6

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Return a legal move with the best standing on average."""
        moves = state.moves(seat)
        if len(moves) == 1:
            return moves[0]
        first = state.determinize(seat, rng)
        speaks = _are_words(first, seat, moves)
        more = (self.playouts if speaks else self.draws) - 1
        samples = [first, *(state.determinize(seat, rng) for _ in range(more))]
        values = (
            [_play_on(samples, seat, move, rng) for move in moves]
            if speaks
            else [_evaluate(samples, seat, move) for move in moves]
        )
        best = max(values)
        return rng.choice(
            [move for move, value in zip(moves, values, strict=True) if value == best]
        )


def _are_words(state: State, seat: int, moves: Sequence[Move]) -> bool:
    """Tell whether a seat does not choose among cards, and may leave all in place."""
    game = state.game
    if state.over or state.is_race:
        return False
    for move in moves:
        if any(part.form in _CARDS for part in game.program.moves[move.row[0]].parts):
            return False
    start = game.layout.slots["where"]
    places = slice(start, start + game.deck.size)
    return any(
        _make(state, seat, move).vector[places] == state.vector[places]
        for move in moves
    )


def _make(state: State, seat: int, move: Move) -> State:
    after = state.copy()
    after.make(seat, move)
    return after


def _play_on(samples: Sequence[State], seat: int, move: Move, rng: Rng) -> tuple[float]:
    """Return how far a seat is ahead of its best rival when something is scored."""
    game = samples[0].game
    world, teams = World(game), game.layout.teams
    rivals = [other for other, team in enumerate(teams) if team != teams[seat - 1]]
    lead = 0.0
    for sample in samples:
        world.enter(sample.vector[:])
        world.make(seat, move.row)
        worth = world.play_out(rng)
        lead += worth[seat - 1] - max((worth[rival] for rival in rivals), default=0)
    return (lead,)


def _evaluate(samples: Sequence[State], seat: int, move: Move) -> tuple[float, ...]:
    """Return how a seat stands after a move, summed over the samples."""
    standings = [_make(sample, seat, move).standing(seat) for sample in samples]
    return tuple(map(sum, zip(*standings, strict=True)))
