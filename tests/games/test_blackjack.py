"""Blackjack, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 300
TENS = ("10", "J", "Q", "K")


def total(cards: list[str]) -> int:
    """Return the best total of some cards."""
    ranks = [card[:-1] for card in cards]
    hard = sum(
        1 if rank == "A" else 10 if rank in TENS else int(rank) for rank in ranks
    )
    return hard + 10 if "A" in ranks and hard <= 11 else hard


def natural(cards: list[str]) -> bool:
    """Tell whether two cards are an ace and a ten."""
    return len(cards) == 2 and total(cards) == 21


def play(game: Game, seed: int) -> tuple[State, list[str]]:
    """Return the end of a random game, and the moves that led there."""
    state, rng = game.new(seed), Rng(seed, 1)
    moves = []
    while not state.over:
        (seat,) = state.to_act
        move = rng.choice(state.moves(seat))
        moves.append(f"{seat} {move}")
        state.apply(seat, move)
    return state, moves


def settle(bank: list[str], hand: list[str], bet: int, insured: int) -> int:
    """Return the change of a player's chips."""
    if natural(bank):
        return 2 * insured - (0 if natural(hand) else bet)
    if natural(hand):
        return 3 * bet // 2 - insured
    if total(hand) > 21:
        return -bet - insured
    mine, theirs = total(hand), total(bank)
    if theirs > 21 or mine > theirs:
        return bet - insured
    return -insured if mine == theirs else -bet - insured


def of_seat(moves: list[str], seat: int) -> list[str]:
    """Return what one seat did."""
    return [move[2:] for move in moves if move.startswith(str(seat))]


@pytest.mark.parametrize("players", [1, 3, 7])
def test_chips_change_as_the_table_says(players: int) -> None:
    """They stay between 0 and 30, and the bank draws as it must."""
    game = load("blackjack", players=players)
    for seed in range(GAMES):
        state, moves = play(game, seed)
        bank = names(state, "bank") + names(state, "hole")
        hands = [names(state, f"{p}.hand") for p in range(1, players + 1)]
        assert state.result is not None
        for p, hand in enumerate(hands, 1):
            made = of_seat(moves, p)
            bet = int(made[0].removeprefix("bet "))
            insured = bet // 2 if "insurance" in made else 0
            change = settle(bank, hand, bet, insured)
            assert state.result.scores[p] == 15 + change
            assert 0 <= 15 + change <= 30
            offered = bank[0][:-1] in (*TENS, "A")
            assert ("insurance" in made or "decline" in made) == offered
            if natural(bank[:2]) or natural(hand):
                assert not {"hit", "stand"} & set(made)
            else:
                assert made.count("hit") == len(hand) - 2
                assert ("stand" in made) == (total(hand) <= 21)
        waiting = any(total(hand) <= 21 and not natural(hand) for hand in hands)
        if waiting and not natural(bank[:2]):
            assert total(bank) >= 17
            assert total(bank[:-1]) < 17
        else:
            assert len(bank) == 2
            assert names(state, "hole")


def test_insurance_against_a_natural_costs_nothing_in_the_end() -> None:
    """A bet of ten and its insurance come out even, whatever is held."""
    game = load("blackjack")
    for name in ("AC", "7C"):
        deck = [game.deck.parse(card)[0] for card in ("KD", "AS", name, "9D")]
        state = game.new(1, deck)
        for move in ("1 bet 10", "1 insurance"):
            state.apply_text(move)
        assert state.result is not None
        assert state.result.scores == {1: 15}
