"""Scopa against a second telling of its rules, over random games."""

from __future__ import annotations

from itertools import combinations

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

WORTH = {rank: i for i, rank in enumerate("A234567JCK", 1)}
PRIME = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}
GAMES = 16


def cards(state: State, *piles: str) -> list[str]:
    """Return the names of the cards of some piles."""
    layout, deck = state.game.layout, state.game.deck
    places = [pile for name in piles if (pile := layout.pile(name)) is not None]
    return [deck.name(card) for pile in places for card in state.cards(pile.index)]


def list_captures(card: str, table: list[str], rule: str) -> set[str]:
    """Return what a card may take: one of its rank, or else groups of its sum."""
    alike = {name for name in table if name[0] == card[0]}
    wanted = WORTH[card[0]]
    if rule == "scopa-fifteen":
        alike, wanted = set(), 15 - wanted
    if rule == "scopa-ace-takes-all" and card[0] == "A" and table:
        return alike or {"all"}
    groups = [g for n in range(1, len(table) + 1) for g in combinations(table, n)]
    fits = [g for g in groups if sum(WORTH[c[0]] for c in g) == wanted]
    return alike or {" ".join(sorted(group)) for group in fits}


def list_moves(hand: list[str], table: list[str], rule: str) -> set[str]:
    """Return every legal move as its card and what it takes."""
    found: set[str] = set()
    for card in hand:
        captures = list_captures(card, table, rule)
        found |= {f"{card} {taken}" for taken in captures} or {card}
    return found


def told(state: State, seat: int) -> set[str]:
    """Return the moves that the game lists, written the same way."""
    found = set()
    for move in state.moves(seat):
        taken = ["all"] if move.name == "take_all" else sorted(move.args[1:])
        found.add(" ".join([move.args[0], *taken]))
    return found


def alone_best(numbers: dict[int, int]) -> set[int]:
    """Return who has more than everybody else, if anybody has."""
    best = [seat for seat, number in numbers.items() if number == max(numbers.values())]
    return set(best) if len(best) == 1 else set()


def prime(pile: list[str]) -> int:
    """Return the primiera of captured cards."""
    suits = [[PRIME.get(c[0], 10) for c in pile if c[1] == suit] for suit in "OUWB"]
    return sum(map(max, suits)) if all(suits) else 0


def count_points(piles: dict[int, list[str]], sweeps: dict[int, int]) -> dict[int, int]:
    """Return the score of each player or team."""
    found = dict(sweeps)
    coins = {seat: sum(c[1] == "O" for c in pile) for seat, pile in piles.items()}
    sizes = {seat: len(pile) for seat, pile in piles.items()}
    primes = {seat: prime(pile) for seat, pile in piles.items()}
    seven = {seat for seat, pile in piles.items() if "7O" in pile}
    for best in (alone_best(sizes), alone_best(coins), seven, alone_best(primes)):
        for seat in best:
            found[seat] += 1
    return found


@pytest.mark.parametrize(
    ("players", "rule"),
    [
        (2, ""),
        (3, ""),
        (4, ""),
        (6, ""),
        (2, "scopa-ace-takes-all"),
        (2, "scopa-fifteen"),
    ],
)
def test_legal_moves_and_scores_are_those_of_the_rules(players: int, rule: str) -> None:
    """At every decision the moves agree, and in the end the points."""
    game = load("scopa", players=players, house_rules=[rule] if rule else [])
    sides = {seat: (seat - 1) % game.layout.team_count + 1 for seat in range(1, 7)}
    for seed in range(GAMES // players):
        state, rng, turns, last = game.new(seed), Rng(seed, 9), 0, 0
        sweeps = dict.fromkeys(range(1, game.layout.team_count + 1), 0)
        piles: dict[int, list[str]] = {side: [] for side in sweeps}
        table = cards(state, "table")
        while not state.over:
            (seat,) = state.to_act
            hand = cards(state, f"{seat}.hand")
            assert told(state, seat) == list_moves(hand, table, rule)
            move = rng.choice(state.moves(seat))
            turns += 1
            taken = table if move.name == "take_all" else list(move.args[1:])
            table = [card for card in table if card not in taken]
            if taken:
                last = sides[seat]
                piles[last] += [move.args[0], *taken]
                sweeps[last] += move.name == "take" and not table and turns < 36
            else:
                table.append(move.args[0])
            state.apply(seat, move)
        piles[last] += table
        assert turns == 36
        assert state.result is not None
        for side, pile in piles.items():
            assert sorted(pile) == sorted(cards(state, f"{side}.pile"))
        assert sum(WORTH[c[0]] for pile in piles.values() for c in pile) == 220
        points = count_points(piles, sweeps)
        given = sum(points.values()) - sum(sweeps.values())
        assert 1 <= given <= 4
        assert state.result.scores == {
            seat: points[sides[seat]] for seat in range(1, players + 1)
        }


def test_what_is_left_on_the_table_is_even() -> None:
    """Each capture takes twice the value of the card played from 220."""
    game = load("scopa")
    for seed in range(GAMES):
        state, rng = game.new(seed), Rng(seed, 9)
        while True:
            (seat,) = state.to_act
            move = rng.choice(state.moves(seat))
            hands = len(cards(state, "1.hand", "2.hand", "stock"))
            if hands == 1:
                table = {*cards(state, "table"), move.args[0]} ^ set(move.args[1:])
                left = table - ({move.args[0]} if move.args[1:] else set())
                assert sum(WORTH[card[0]] for card in left) % 2 == 0
                break
            state.apply(seat, move)


def test_a_game_to_eleven_has_one_winner() -> None:
    """Deals are played until one score is the best at or over the target."""
    game = load("scopa", options={"target": 11})
    for index in range(20):
        state, _ = game.play_random(5, index)
        assert state.result is not None
        low, high = sorted(state.result.scores.values())
        assert high >= 11
        assert high > low
