"""Rummy against a second telling of its rules, over random games."""

from __future__ import annotations

from itertools import combinations

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
GAMES = 36


def cards(state: State, pile: str) -> list[str]:
    """Return the names of the cards of a pile, bottom to top."""
    found = state.game.layout.pile(pile)
    assert found is not None
    return [state.game.deck.name(card) for card in state.cards(found.index)]


def melds(state: State) -> dict[str, list[str]]:
    """Return the sets and runs on the table."""
    piles = {pile.text for pile in state.game.layout.piles if pile.zone == "melds"}
    return {pile: found for pile in piles if (found := cards(state, pile))}


def is_meld(names: list[str], aces: str) -> bool:
    """Tell whether cards are a set or a run, with aces as the option says."""
    places = sorted(RANKS.index(name[:-1]) for name in names)
    if len(set(places)) == 1:
        return 3 <= len(names) <= 4
    if len(names) < 3 or len({name[-1] for name in names}) > 1:
        return False
    order = {"low": RANKS, "high_or_low": [*RANKS, "A"], "round_the_corner": RANKS * 2}
    ranks = order[aces]
    runs = [ranks[i : i + len(names)] for i in range(len(ranks) - len(names) + 1)]
    return {name[:-1] for name in names} in map(set, runs)


def list_moves(state: State, taken: str | None, aces: str) -> set[str]:
    """Return what the rules allow the player at turn."""
    hand = cards(state, f"{state.to_act[0]}.hand")
    kind = state.moves(state.to_act[0])[-1].name
    if kind in ("draw", "take"):
        return {"draw", "take"}
    if kind == "decline":
        picks = [c for n in range(3, len(hand) + 1) for c in combinations(hand, n)]
        found = [set(pick) for pick in picks if is_meld(list(pick), aces)]
        return {"decline", *(" ".join(sorted(meld)) for meld in found)}
    if kind == "stop":
        on = melds(state).items()
        return {"stop"} | {
            f"{card} {pile}"
            for card in hand
            for pile, m in on
            if is_meld([*m, card], aces)
        }
    return {card for card in hand if card != taken or len(hand) == 1}


def told(state: State) -> set[str]:
    """Return the legal moves, without their names where they have parts."""
    found = set()
    for move in state.moves(state.to_act[0]):
        args = sorted(move.args) if move.name == "meld" else move.args
        found.add(" ".join(args) or move.name)
    return found


@pytest.mark.parametrize(
    ("players", "aces"),
    [
        (2, "low"),
        (3, "low"),
        (5, "low"),
        (6, "low"),
        (2, "high_or_low"),
        (2, "round_the_corner"),
    ],
)
def test_legal_moves_and_scores_are_those_of_the_rules(players: int, aces: str) -> None:
    """At every decision the moves agree, and in the end the points in hand."""
    rules = [] if aces == "low" else ["rummy-aces"]
    options = {} if aces == "low" else {"aces": aces}
    game = load("rummy", players=players, options=options, house_rules=rules)
    for seed in range(GAMES // players):
        state, rng, taken = game.new(seed), Rng(seed, 9), None
        size = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}[players]
        assert all(len(cards(state, f"{s}.hand")) == size for s in (1, players))
        while not state.over:
            seat = state.to_act[0]
            assert told(state) == list_moves(state, taken, aces)
            move = rng.choice(state.moves(seat))
            if move.name in ("draw", "take"):
                assert cards(state, "discard")
                taken = cards(state, "discard")[-1] if move.name == "take" else None
            state.apply(seat, move)
            assert all(is_meld(meld, aces) for meld in melds(state).values())
        assert state.result is not None
        hands = {s: cards(state, f"{s}.hand") for s in range(1, players + 1)}
        assert [] in hands.values() or not cards(state, "stock")
        assert state.result.scores == {s: points(hand) for s, hand in hands.items()}


def points(hand: list[str]) -> int:
    """Return what cards left in hand count."""
    return sum(min(RANKS.index(name[:-1]) + 1, 10) for name in hand)
