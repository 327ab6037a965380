"""Sueca, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 150
RANKS = ["2", "3", "4", "5", "6", "Q", "J", "K", "7", "A"]
POINTS = {"A": 11, "7": 10, "K": 4, "J": 3, "Q": 2}
SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}


def trump_of(state: State) -> str:
    """Return the letter of the trump suit."""
    variable = state.game.layout.variable("trump")
    assert variable
    return SUITS[str(state.value(variable))]


def height(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick."""
    place = RANKS.index(card[:-1])
    return 50 + place if card[-1] == trump else place if card[-1] == led else -1


@pytest.mark.parametrize(
    ("direction", "step"), [("clockwise", 1), ("counter_clockwise", -1)]
)
def test_points_are_those_of_the_tricks(direction: str, step: int) -> None:
    """Legal cards, winners and points, both ways round; 120 points in all."""
    game = load("sueca", options={"direction": direction})
    for seed in range(GAMES):
        state, rng = game.new(seed), Rng(seed, 1)
        trump, points, leader = trump_of(state), [0, 0], (3 + step) % 4
        assert any(card[-1] == trump for card in names(state, "4.hand"))
        while not state.over:
            played: list[str] = []
            for turn in range(4):
                seat = (leader + step * turn) % 4 + 1
                assert state.to_act == (seat,)
                hand = names(state, f"{seat}.hand")
                suit = [card for card in hand if played and card[-1] == played[0][-1]]
                moves = state.moves(seat)
                assert {str(move)[5:] for move in moves} == set(suit or hand)
                move = rng.choice(moves)
                played.append(str(move)[5:])
                state.apply(seat, move)
            ranked = [height(card, played[0][-1], trump) for card in played]
            leader = (leader + step * ranked.index(max(ranked))) % 4
            points[leader % 2] += sum(POINTS.get(card[:-1], 0) for card in played)
        assert sum(points) == 120
        assert state.result
        assert list(state.result.scores.values()) == points * 2
