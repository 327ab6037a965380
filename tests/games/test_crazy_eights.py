"""Crazy Eights, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names, play_turns

from cardrun.interpreter import load

GAMES = 40
SUITS = ["clubs", "diamonds", "hearts", "spades"]


def allowed(hand: list[str], discard: list[str], stock: int, suit: str) -> set[str]:
    """Return what may be done with a hand; suit is the letter to match."""
    top, moves = discard[-1], set()
    for card in hand:
        if card[0] == "8":
            moves |= {f"play {card} {name}" for name in SUITS}
        elif card[-1] == suit or card[:-1] == top[:-1]:
            moves.add(f"play {card}")
    if moves:
        return moves
    return {"draw"} if stock + len(discard) > 1 else {"pass"}


def points(hand: list[str]) -> int:
    """Return what is left in a hand."""
    special = {"8": 50, "A": 1, "J": 10, "Q": 10, "K": 10}
    return sum(special.get(card[:-1]) or int(card[:-1]) for card in hand)


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_moves_and_scores_are_those_of_the_rules(players: int) -> None:
    """Nobody chooses between playing and drawing, and one alone has no points."""
    game = load("crazy_eights", players=players)
    for seed in range(GAMES):
        named, turn = "H", 1
        for state, seat, move in play_turns(game, seed):
            hands = [names(state, f"{p}.hand") for p in range(1, players + 1)]
            discard, stock = names(state, "discard"), names(state, "stock")
            if seat:
                top = discard[-1]
                suit = named if top[0] == "8" else top[-1]
                legal = {str(known) for known in state.moves(seat)}
                assert seat == turn
                assert legal == allowed(hands[seat - 1], discard, len(stock), suit)
                if len(move.split()) == 3:
                    named = move.split()[2][0].upper()
                turn = turn % players + 1
                continue
            assert state.result is not None
            scores = list(state.result.scores.values())
            assert scores == [points(hand) for hand in hands]
            assert scores.count(0) == 1 == [len(hand) for hand in hands].count(0)


def test_cards_drawn_come_from_the_stock_and_then_from_the_discards() -> None:
    """The top discard stays, whatever lies below."""
    game = load("crazy_eights", options={"hand_size": 10}, players=5)
    renewed = 0
    for seed in range(GAMES):
        before: tuple[list[str], list[str]] | None = None
        for state, _, move in play_turns(game, seed):
            discard, stock = names(state, "discard"), names(state, "stock")
            if before is not None:
                old_discard, old_stock = before
                if old_stock:
                    assert stock == old_stock[:-1]
                else:
                    renewed += 1
                    assert discard == old_discard[-1:]
                    assert len(stock) == len(old_discard) - 2
                    assert set(stock) < set(old_discard[:-1])
            before = (discard, stock) if move == "draw" else None
    assert renewed > 10
