"""Crazy Eights, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 40
SUITS = ["clubs", "diamonds", "hearts", "spades"]


def names(state: State, pile: str) -> list[str]:
    """Return the cards of a pile by name."""
    found = state.game.layout.pile(pile)
    assert found
    return [state.game.deck.name(card) for card in state.cards(found.index)]


def play(game: Game, seed: int) -> Iterator[tuple[State, int, str]]:
    """Yield a random game's state before each turn, the seat and what it does."""
    state, rng = game.new(seed), Rng(seed, 1)
    while not state.over:
        (seat,) = state.to_act
        move = rng.choice(state.moves(seat))
        yield state, seat, str(move)
        state.apply(seat, move)
    yield state, 0, ""


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
        for state, seat, move in play(game, seed):
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
        for state, _, move in play(game, seed):
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
