"""Hearts, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 100
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


def allowed(hand: list[str], played: list[str], broken: bool) -> set[str]:
    """Return what the rules let the next player play."""
    if played:
        return {card for card in hand if card[-1] == played[0][-1]} or set(hand)
    others = {card for card in hand if card[-1] != "H"}
    return set(hand) if broken or not others else others


def play(state: State, rng: Rng) -> list[list[str]]:
    """Check each card of a deal; return what each seat has taken."""
    seats = state.game.players
    taken: list[list[str]] = [[] for _ in range(seats)]
    leader = 0
    while not state.over:
        broken = any(card[-1] == "H" for cards in taken for card in cards)
        played: list[str] = []
        for turn in range(seats):
            seat = (leader + turn) % seats + 1
            assert state.to_act == (seat,)
            moves = state.moves(seat)
            hand = names(state, f"{seat}.hand")
            cards = {str(move).removeprefix("play ") for move in moves}
            assert cards == allowed(hand, played, broken)
            move = rng.choice(moves)
            played.append(str(move).removeprefix("play "))
            state.apply(seat, move)
        suit = [card for card in played if card[-1] == played[0][-1]]
        best = max(suit, key=lambda card: RANKS.index(card[:-1]))
        leader = (leader + played.index(best)) % seats
        taken[leader] += played
    return taken


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7])
def test_moves_and_scores_are_those_of_the_rules(players: int) -> None:
    """In every position of random deals; 26 points, or 26 less for all of them."""
    game = load("hearts", players=players)
    for seed in range(GAMES):
        state, rng = game.new(seed), Rng(seed, 1)
        points = [
            sum(card[-1] == "H" for card in cards) + 13 * ("QS" in cards)
            for cards in play(state, rng)
        ]
        assert sum(points) == 26
        expected = [-26 if number == 26 else number for number in points]
        assert state.result
        assert list(state.result.scores.values()) == expected
