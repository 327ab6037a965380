"""How far bots play on at random before they look at how a seat stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ..engine.state import Move, State
    from ..rng import Rng

# What a move that takes or names cards has among its parts.
_CARDS: Final = {"card", "cards", "place", "pile"}
# The most acts: after a card, the same where scores tell the winner, so that it is
# worth going on to where they are counted, and after a bid or another word.
_NEAR: Final = 24
_NEAR_SCORES: Final = 60
_FAR: Final = 250


def list_useful(state: State, seat: int) -> tuple[Move, ...]:
    """Return the legal moves, without those that unblock nothing in a race.

    Cards laid to and fro would keep a race going for ever. Where there are no other
    moves, they stay.
    """
    moves = state.moves(seat)
    game = state.game
    if not state.is_race or not game.program.idle or len(moves) == 1:
        return moves
    idle = {
        move.number
        for move in game.program.idle
        if not game.machine.function(f"can_{move.name}")(state.vector, seat - 1)
    }
    return tuple(move for move in moves if move.row[0] not in idle) or moves


def choose_horizon(state: State, seat: int, moves: Sequence[Move], rng: Rng) -> int:
    """Return the most acts of a playout after one of some moves."""
    if _are_words(state, seat, moves, rng):
        return _FAR
    is_scored = state.game.program.ranked_by == "score" and not state.is_race
    return _NEAR_SCORES if is_scored else _NEAR


def _are_words(state: State, seat: int, moves: Sequence[Move], rng: Rng) -> bool:
    """Tell whether a seat does not choose among cards, and may leave all in place."""
    game = state.game
    if state.over or state.is_race:
        return False
    for move in moves:
        if any(part.form in _CARDS for part in game.program.moves[move.row[0]].parts):
            return False
    guess = state.determinize(seat, rng)
    start = game.layout.slots["where"]
    places = slice(start, start + game.deck.size)
    for move in moves:
        after = guess.copy()
        after.make(seat, move)
        if after.vector[places] == guess.vector[places]:
            return True
    return False
