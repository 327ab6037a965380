"""Goofspiel, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 60
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def worth(card: str) -> int:
    """Return the value of a card."""
    return RANKS.index(card[:-1]) + 1


def play(game: Game, seed: int) -> Iterator[tuple[State, list[str]]]:
    """Yield a random game's state before each round, and the bids then made."""
    state, rng = game.new(seed), Rng(seed, 1)
    while not state.over:
        bids = [rng.choice(state.moves(seat)) for seat in state.to_act]
        yield state, [str(bid).removeprefix("bid ") for bid in bids]
        for seat, bid in enumerate(bids, 1):
            state.apply(seat, bid)
    yield state, []


@pytest.mark.parametrize("players", [2, 3])
def test_prizes_go_to_the_highest_bid(players: int) -> None:
    """A tie for the highest leaves them on offer."""
    game = load("goofspiel", players=players)
    for seed in range(GAMES):
        scores, offer = [0] * players, 0
        before: list[str] = []
        for state, bids in play(game, seed):
            if before:
                values = [worth(bid) for bid in before]
                best = max(values)
                if values.count(best) == 1:
                    scores[values.index(best)] += offer
                    offer = 0
            before = bids
            offer = sum(map(worth, names(state, "on_offer")))
        assert state.result is not None
        assert list(state.result.scores.values()) == scores
        assert sum(scores) + offer == 91


def test_every_game_has_thirteen_bids_of_seven_cards_on_average() -> None:
    """There are 26 decisions, and hands of the same length before each round."""
    game = load("goofspiel")
    for seed in range(GAMES):
        options = []
        for state, bids in play(game, seed):
            lengths = [len(state.moves(seat)) for seat in state.to_act]
            assert len(set(lengths)) <= 1
            options += lengths
            assert len(bids) == len(lengths)
        assert len(options) == 26
        assert sum(options) == 26 * 7


def test_a_bid_is_unseen_until_all_have_bid() -> None:
    """What one has chosen changes nothing that the other sees or may do."""
    state = load("goofspiel").new(seed=3)
    view, moves = state.view(2), state.moves(2)
    for move in state.moves(1):
        other = state.copy()
        other.apply(1, move)
        assert other.moves(2) == moves
        assert other.view(2)["piles"] == view["piles"]
