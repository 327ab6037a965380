"""Klaverjassen, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 200
PLAIN = ["7", "8", "9", "J", "Q", "K", "10", "A"]
TRUMPS = ["7", "8", "Q", "K", "10", "A", "9", "J"]
RUN = ["7", "8", "9", "10", "J", "Q", "K", "A"]
WORTH = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}


def value(state: State, name: str) -> int | float | str | None:
    """Return the value of a variable."""
    variable = state.game.layout.variable(name)
    assert variable
    return state.value(variable)


@cache
def table(tie_is_enough: bool) -> Game:
    """Return the game, compiled once."""
    return load("klaverjassen", options={"tie_is_enough": tie_is_enough})


def play(seed: int, tie_is_enough: bool = False) -> Iterator[tuple[State, str]]:
    """Yield a random game's state before each card, and the card."""
    state, rng = table(tie_is_enough).new(seed), Rng(seed, 1)
    while not state.over:
        (seat,) = state.to_act
        move = rng.choice(state.moves(seat))
        if str(move).startswith("play"):
            yield state, str(move).removeprefix("play ")
        state.apply(seat, move)
    yield state, ""


def strength(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick."""
    rank, suit = card[:-1], card[-1]
    if suit == trump:
        return 10 + TRUMPS.index(rank)
    return PLAIN.index(rank) if suit == led else -1


def allowed(hand: list[str], trick: list[str], trump: str) -> set[str]:
    """Return what the rules let the next player play."""
    if not trick:
        return set(hand)
    led = trick[0][-1]
    ranked = [strength(card, led, trump) for card in trick]
    best = max(ranked)
    trumps = {card for card in hand if card[-1] == trump}
    higher = {card for card in trumps if strength(card, led, trump) > best}
    suit = {card for card in hand if card[-1] == led}
    if led == trump:
        return higher or suit or set(hand)
    if suit:
        return suit
    with_partner = (len(trick) - ranked.index(best)) % 2 == 0
    if with_partner:
        low = trumps - higher
        return set(hand) - low if best >= 10 and set(hand) != low else set(hand)
    return higher or set(hand) - trumps or set(hand)


def roem(trick: list[str], trump: str) -> int:
    """Return the bonus for the cards of a trick."""
    ranks = [card[:-1] for card in trick]
    if len(set(ranks)) == 1:
        return {"J": 200, "7": 0, "8": 0, "9": 0}.get(ranks[0], 100)
    total = 20 if {"K" + trump, "Q" + trump} <= set(trick) else 0
    runs = [0]
    for length, points in ((3, 20), (4, 50)):
        for start in range(len(RUN) - length + 1):
            for suit in "CDHS":
                if {r + suit for r in RUN[start : start + length]} <= set(trick):
                    runs.append(points)
    return total + max(runs)


def test_legal_cards_are_those_of_the_rules() -> None:
    """In every position of random games."""
    for seed in range(GAMES):
        for state, card in play(seed):
            if card:
                (seat,) = state.to_act
                trump = SUITS[str(value(state, "trump"))]
                hand = names(state, f"{seat}.hand")
                found = {str(move)[5:] for move in state.moves(seat)}
                assert found == allowed(hand, names(state, "trick"), trump)


@pytest.mark.parametrize("tie", [False, True])
def test_scores_are_those_of_the_tricks(tie: bool) -> None:
    """Cards, last trick, roem and pit, and all to one side when the makers are wet."""
    for seed in range(GAMES):
        points, tricks = [0, 0], [0, 0]
        trick: list[str] = []
        for state, card in play(seed, tie_is_enough=tie):
            trump = SUITS[str(value(state, "trump"))]
            if len(trick) == 4:
                winner = int(str(value(state, "leader"))) % 2 == 0
                cards = sum(worth(card, trump) for card in trick)
                points[winner] += cards + roem(trick, trump)
                tricks[winner] += 1
                trick = []
            trick.append(card)
        points[winner] += 10
        points = [p + 100 * (t == 8) for p, t in zip(points, tricks, strict=True)]
        if points[0] < points[1] or (points[0] == points[1] and not tie):
            points = [0, sum(points)]
        assert state.result
        assert [state.result.scores[1], state.result.scores[2]] == points


def worth(card: str, trump: str) -> int:
    """Return the points of a card."""
    rank, suit = card[:-1], card[-1]
    if suit == trump and rank in ("J", "9"):
        return 20 if rank == "J" else 14
    return WORTH.get(rank, 0)


def test_a_deal_is_162_points_and_bonuses() -> None:
    """However it is settled."""
    for seed in range(GAMES):
        state, _ = list(play(seed))[-1]
        assert state.result
        lines = state.result.lines
        totals = {line: sum(list(lines[line].values())[:2]) for line in lines}
        assert totals["card_points"] == 152
        assert totals["last_trick"] == 10
        assert totals.get("pit", 0) in (0, 100)
        assert sum(totals.values()) == sum(list(state.result.scores.values())[:2])
