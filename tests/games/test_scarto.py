"""Scarto, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from functools import cache

import pytest
from playing import names

from cardrun.interpreter import Game, load
from cardrun.interpreter.rng import Rng

GAMES = 60
LONG = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "C", "Q", "K"]
ROUND = ["10", "9", "8", "7", "6", "5", "4", "3", "2", "A", "J", "C", "Q", "K"]
WORTH = {"K": 4, "Q": 3, "C": 2, "J": 1}
SPECIAL = {"t1": 4, "t20": 4, "FOOL": 3}


@cache
def table(*house_rules: str, **options: bool) -> Game:
    """Return the game, compiled once."""
    return load("scarto", house_rules=house_rules, options=options)


def suit_of(card: str) -> str:
    """Return a letter for the suit of a card."""
    return card[0] if card[0] in "tF" else card[-1]


def suit_set(trick: list[str]) -> str:
    """Return the suit to follow, or nothing."""
    return next((suit_of(card) for card in trick if card != "FOOL"), "")


def allowed(hand: list[str], trick: list[str]) -> set[str]:
    """Return what the rules let the next player play."""
    suit = suit_set(trick)
    wanted = {card for card in hand if suit and suit_of(card) == suit}
    wanted = wanted or {card for card in hand if suit and suit_of(card) == "t"}
    return wanted | ({"FOOL"} & set(hand)) if wanted else set(hand)


def height(card: str, suit: str) -> int:
    """Return how high a card is in a trick."""
    if card == "t20":
        return 200
    if suit_of(card) == "t":
        return 100 + int(card[1:])
    order = LONG if card[-1] in "WB" else ROUND
    return order.index(card[:-1]) if suit_of(card) == suit else -1


def worth(card: str) -> int:
    """Return the points of a card."""
    return SPECIAL.get(card, WORTH.get(card[:-1], 0))


def test_random_games_follow_the_rules() -> None:
    """Legal cards, winners of tricks and scores, in every position."""
    for seed in range(GAMES):
        state, rng = table().new(seed), Rng(seed, 1)
        piles: list[list[str]] = [[], [], names(state, "talon")]
        points, trick = [0, 0, 1], list[tuple[int, str]]()
        assert len(piles[2]) == 3
        decisions = 0
        while not state.over:
            (seat,) = state.to_act
            played = [card for _, card in trick]
            moves = state.moves(seat)
            hand = names(state, f"{seat}.hand")
            assert {str(move)[5:] for move in moves} == allowed(hand, played)
            move = rng.choice(moves)
            trick.append((seat, str(move)[5:]))
            state.apply(seat, move)
            decisions += 1
            if len(trick) == 3:
                suit = suit_set([card for _, card in trick])
                winner = max(trick, key=lambda play: height(play[1], suit))[0]
                points[winner - 1] += 1
                for owner, card in trick:
                    piles[(owner if card == "FOOL" else winner) - 1].append(card)
                trick = []
                assert state.over or state.to_act == (winner,)
        totals = [
            n + sum(map(worth, pile)) for n, pile in zip(points, piles, strict=True)
        ]
        assert decisions == 75
        assert state.result
        assert list(state.result.scores.values()) == totals
        assert sum(totals) == 77


@pytest.mark.parametrize(
    "game",
    [
        table("scarto-exchange"),
        table(world_highest=True),
        table(plain_order=True),
        table("scarto-fool-for-card"),
        table(fool_lost=True),
    ],
)
def test_every_deal_is_seventy_seven_points(game: Game) -> None:
    """Whatever house rule is played."""
    for index in range(GAMES):
        state, _ = game.play_random(7, index)
        assert state.result
        assert sum(state.result.scores.values()) == 77


def test_kings_angel_and_fool_are_never_laid_away() -> None:
    """By a dealer who chooses at random."""
    for seed in range(GAMES):
        state, rng = table("scarto-exchange").new(seed), Rng(seed, 1)
        held = names(state, "3.hand")
        for _ in range(3):
            state.apply(3, rng.choice(state.moves(3)))
        gone = names(state, "talon")
        assert len(gone) == 3
        assert all(card[0] != "K" and card not in ("t20", "FOOL") for card in gone)
        assert "t1" not in gone or sum(card[0] == "t" for card in held) == 1
        assert state.to_act == (1,)
