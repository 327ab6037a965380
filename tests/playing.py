"""What tests of games have in common: cards by name, and random games step by step."""

from __future__ import annotations

from collections.abc import Iterator

from cardrun.interpreter import Game, State
from cardrun.interpreter.rng import Rng


def names(state: State, *piles: str) -> list[str]:
    """Return the cards of one pile, or of several, by name, bottom to top."""
    found = [state.game.layout.pile(pile) for pile in piles]
    assert all(found)
    return [
        state.game.deck.name(card)
        for pile in found
        if pile
        for card in state.cards(pile.index)
    ]


def play_turns(game: Game, seed: int) -> Iterator[tuple[State, int, str]]:
    """Yield a random game's state before each move, the seat and the move."""
    state, rng = game.new(seed), Rng(seed, 1)
    while not state.over:
        (seat,) = state.to_act
        move = rng.choice(state.moves(seat))
        yield state, seat, str(move)
        state.apply(seat, move)
    yield state, 0, ""
