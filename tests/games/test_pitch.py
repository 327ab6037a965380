"""Pitch, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 200
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
GAME = {"A": 4, "K": 3, "Q": 2, "J": 1, "10": 10}


def choose(state: State, rng: Rng) -> str:
    """Make a random move and return it."""
    (seat,) = state.to_act
    move = rng.choice(state.moves(seat))
    state.apply(seat, move)
    return str(move)


def texts(state: State) -> set[str]:
    """Return the legal moves of the player at turn."""
    (seat,) = state.to_act
    return {str(move) for move in state.moves(seat)}


def auction(state: State, rng: Rng) -> tuple[int, int]:
    """Check the bidding; return the pitcher and the bid."""
    seats = state.game.players
    pitcher, bid = 0, 1
    for seat in range(1, seats + 1):
        assert state.to_act == (seat,)
        lowest = bid if seat == seats and pitcher else bid + 1
        allowed = {f"bid {number}" for number in range(lowest, 6)}
        if seat < seats or pitcher:
            allowed.add("pass")
        assert texts(state) == allowed
        chosen = choose(state, rng)
        if chosen != "pass":
            pitcher, bid = seat, int(chosen.split()[1])
    return pitcher, bid


def height(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick."""
    place = RANKS.index(card[:-1])
    return 50 + place if card[-1] == trump else place if card[-1] == led else -1


def play(state: State, rng: Rng, leader: int) -> tuple[str, list[list[str]]]:
    """Check each card of the play; return trumps and what each seat has won."""
    seats = state.game.players
    won: list[list[str]] = [[] for _ in range(seats)]
    trump = ""
    for _ in range(6):
        played: list[str] = []
        for turn in range(seats):
            seat = (leader - 1 + turn) % seats + 1
            assert state.to_act == (seat,)
            hand = names(state, f"{seat}.hand")
            if played and any(card[-1] == played[0][-1] for card in hand):
                suits = {played[0][-1], trump}
                hand = [card for card in hand if card[-1] in suits]
            assert texts(state) == {f"play {card}" for card in hand}
            played.append(choose(state, rng).removeprefix("play "))
            trump = trump or played[0][-1]
        ranked = [height(card, played[0][-1], trump) for card in played]
        leader = (leader - 1 + ranked.index(max(ranked))) % seats + 1
        won[leader - 1] += played
    return trump, won


def count(won: list[list[str]], trump: str) -> list[list[str]]:
    """Return which of the points each side has taken."""
    points: list[list[str]] = [[] for _ in won]
    trumps = [card for cards in won for card in cards if card[-1] == trump]
    trumps.sort(key=lambda card: RANKS.index(card[:-1]))
    games = [sum(GAME.get(card[:-1], 0) for card in cards) for cards in won]
    for side, cards in enumerate(won):
        if trumps[-1] in cards:
            points[side].append("high")
        if trumps[0] in cards:
            points[side].append("low")
        if "J" + trump in cards:
            points[side].append("jack")
        if games[side] == max(games) and games.count(max(games)) == 1:
            points[side].append("game")
    assert sum(games) <= 80
    return points


@pytest.mark.parametrize("players", [4, 3, 5])
def test_moves_and_scores_are_those_of_the_rules(players: int) -> None:
    """In every position of random deals, in pairs and each alone."""
    game = load("pitch", players=players)
    teams = 2 if players == 4 else players
    for seed in range(GAMES):
        state, rng = game.new(seed), Rng(seed, 1)
        pitcher, bid = auction(state, rng)
        trump, seats = play(state, rng, pitcher)
        assert state.over
        won = [
            [c for cards in seats[side::teams] for c in cards] for side in range(teams)
        ]
        points = count(won, trump)
        assert sum(map(len, points)) in (2, 3, 4)
        scores = list(map(len, points))
        makers = (pitcher - 1) % teams
        if bid == 5:
            is_made = len(won[makers]) == 6 * players and scores[makers] == 4
            scores[makers] = 5 if is_made else -5
        elif scores[makers] < bid:
            scores[makers] = -bid
        assert state.result
        assert list(state.result.scores.values()) == (scores * players)[:players]
