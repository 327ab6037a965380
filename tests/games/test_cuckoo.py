"""Cuckoo, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names, play_turns

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 150
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def hands(state: State) -> list[str]:
    """Return the card of every player."""
    return [
        card
        for p in range(state.game.players)
        for card in names(state, f"{p + 1}.hand")
    ]


def after(
    cards: list[str], stock: list[str], seat: int, move: str
) -> tuple[list[str], int]:
    """Return the cards after a turn, and the seat that may act next."""
    cards = list(cards)
    last = len(cards)
    if move == "keep":
        return cards, seat + 1
    if seat == last:
        if stock[-1][0] != "K":
            cards[-1] = stock[-1]
        return cards, seat + 1
    if cards[seat][0] == "K":
        return cards, seat + 2
    cards[seat - 1], cards[seat] = cards[seat], cards[seat - 1]
    return cards, seat + 1


@pytest.mark.parametrize("players", [3, 6, 20])
def test_cards_travel_by_the_rules(players: int) -> None:
    """Each turn moves the cards that it should, and no others."""
    game = load("cuckoo", players=players)
    for seed in range(GAMES):
        expected: tuple[list[str], int] | None = None
        for state, seat, move in play_turns(game, seed):
            cards = hands(state)
            assert len(cards) == players
            if expected is not None:
                assert cards == expected[0]
                assert seat in (0, expected[1])
                assert seat or expected[1] > players
            assert len(state.moves(seat)) == 2 if seat else state.over
            expected = after(cards, names(state, "stock"), seat, move) if seat else None


@pytest.mark.parametrize("players", [3, 6, 20])
def test_all_with_the_lowest_rank_lose(players: int) -> None:
    """From one to four players have a point, the others none."""
    game = load("cuckoo", players=players)
    for seed in range(GAMES):
        *_, (state, _, _) = play_turns(game, seed)
        values = [RANKS.index(card[:-1]) for card in hands(state)]
        scores = [int(value == min(values)) for value in values]
        assert state.result is not None
        assert list(state.result.scores.values()) == scores
        assert 1 <= sum(scores) <= 4


def test_a_swap_is_seen_by_two_players_only() -> None:
    """Both know both cards; for anybody else they may be any cards."""
    state, rng = load("cuckoo").new(3), Rng(1)
    assert hands(state)[1][0] != "K"
    state.apply_text("1 swap")
    swapped = hands(state)[:2]
    for seat in range(1, 7):
        guesses = [hands(state.determinize(seat, rng))[:2] for _ in range(40)]
        assert all(guess == swapped for guess in guesses) == (seat < 3)
