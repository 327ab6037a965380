"""President, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from playing import names

from cardrun.interpreter import Game, load
from cardrun.interpreter.rng import Rng

GAMES = 25
RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"]


@cache
def table(players: int) -> Game:
    """Return the game, compiled once."""
    return load("president", players=players)


def height(card: str) -> int:
    """Return the place of a card's rank."""
    return RANKS.index(card[:-1])


def sets(hand: list[str]) -> set[frozenset[str]]:
    """Return all sets of equal rank in a hand."""
    return {
        frozenset(cards)
        for size in range(1, 5)
        for cards in combinations(hand, size)
        if len({height(card) for card in cards}) == 1
    }


def beats(cards: frozenset[str], top: frozenset[str]) -> bool:
    """Tell whether a set may be played on another."""
    return len(cards) == len(top) and height(min(cards)) > height(min(top))


@pytest.mark.parametrize("players", [3, 5, 7])
def test_random_games_follow_the_rules(players: int) -> None:
    """Options, turns, cleared piles, and the order of going out."""
    for seed in range(GAMES):
        state, rng = table(players).new(seed), Rng(seed, 1)
        hands = [names(state, f"{seat}.hand") for seat in range(1, players + 1)]
        assert sorted(map(len, hands), reverse=True) == list(map(len, hands))
        top, owner, turn = frozenset[str](), -1, 0
        out: list[int] = []
        while len(out) < players - 1:
            if turn == owner:
                top, owner = frozenset(), -1
            if hands[turn]:
                assert state.to_act == (turn + 1,)
                wanted = {s for s in sets(hands[turn]) if not top or beats(s, top)}
                moves = {str(move): move for move in state.moves(turn + 1)}
                assert ("pass" in moves) == bool(top)
                found = [frozenset(text.split()[1:]) for text in moves]
                assert {cards for cards in found if cards} == wanted
                assert len(found) == len(wanted) + bool(top)
                text = rng.choice(sorted(moves))
                state.apply(turn + 1, moves[text])
                if text != "pass":
                    top, owner = frozenset(text.split()[1:]), turn
                    hands[turn] = [card for card in hands[turn] if card not in top]
                    if not hands[turn]:
                        out.append(turn)
            turn = (turn + 1) % players
        assert state.result
        points = {out[0] + 1: 2, out[1] + 1: 1}
        assert state.result.scores == {
            s: points.get(s, 0) for s in range(1, players + 1)
        }


def test_a_pile_is_of_sets_of_one_size_that_rise() -> None:
    """At most thirteen of them; cards in hands and played make fifty-two."""
    for seed in range(GAMES):
        state, rng = table(5).new(seed), Rng(seed, 1)
        while not state.over:
            pile = names(state, "pile")
            ranks = [height(card) for card in pile]
            sizes = {ranks.count(rank) for rank in ranks}
            assert len(sizes) <= 1
            assert ranks == sorted(ranks)
            assert len(set(ranks)) <= 13
            hands = [f"{seat}.hand" for seat in range(1, 6)]
            assert len(names(state, "pile", "gone", *hands)) == 52
            (seat,) = state.to_act
            state.apply(seat, rng.choice(state.moves(seat)))
        assert state.result
        assert sorted(state.result.scores.values()) == [0, 0, 0, 1, 2]
