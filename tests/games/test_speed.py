"""Speed, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 40
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
TABLES = [
    {},
    {"side_piles": 5},
    {"wrap": False},
    {"doubles": True},
    {"wrap": False, "doubles": True},
    {"auto_draw": True},
    {"side_piles": 5, "rebuild": "separate"},
    {"side_piles": 5, "rebuild": "turn_over"},
]


@cache
def table(options: tuple[tuple[str, Any], ...]) -> Game:
    """Return the game, compiled once."""
    return load("speed", options=dict(options))


def play(options: dict[str, Any], seed: int) -> Iterator[tuple[State, int, str]]:
    """Yield a random game's state before each act, and the act; then its end."""
    state, rng = table(tuple(options.items())).new(seed), Rng(seed, 1)
    while not state.over:
        able = [(seat, moves) for seat in state.to_act if (moves := state.moves(seat))]
        seat, moves = rng.choice(able)
        move = rng.choice(moves)
        yield state, seat, str(move)
        state.apply(seat, move)
    yield state, 0, ""


def fits(card: str, top: str, options: dict[str, Any]) -> bool:
    """Return whether a card goes on another."""
    steps = abs(RANKS.index(card[:-1]) - RANKS.index(top[:-1]))
    around = steps == 12 and options.get("wrap", True)
    return steps == 1 or around or (steps == 0 and options.get("doubles", False))


def allowed(state: State, seat: int, options: dict[str, Any]) -> set[str]:
    """Return what a player may do in the race."""
    hand, stock = names(state, f"{seat}.hand"), names(state, f"{seat}.stock")
    acts = {
        f"play {card} centre.{pile}"
        for card in hand
        for pile in (1, 2)
        if fits(card, names(state, f"centre.{pile}")[-1], options)
    }
    return acts | ({"draw"} if stock and len(hand) < 5 else set())


def sides(state: State) -> dict[str, list[str]]:
    """Return the piles of the table."""
    return {pile: names(state, pile) for pile in SIDES}


SIDES = ("side.1", "side.2", "centre.1", "centre.2")
ALL = (*SIDES, "1.hand", "2.hand", "1.stock", "2.stock", "deck")

at_every_table = pytest.mark.parametrize("options", TABLES, ids=str)


@at_every_table
def test_what_may_be_done(options: dict[str, Any]) -> None:
    """Plays and draws are those of the rules, and a block comes when there is none."""
    for seed in range(GAMES):
        for state, _, act in play(options, seed):
            legal = {s: set(map(str, state.moves(s))) for s in state.to_act}
            if act == "flip":
                assert not allowed(state, 1, options) | allowed(state, 2, options)
            elif act not in ("", "ready"):
                assert legal == {s: allowed(state, s, options) for s in (1, 2)}


@at_every_table
def test_fifty_two_cards_and_hands_of_five(options: dict[str, Any]) -> None:
    """No card is lost, and nobody holds more than five."""
    for seed in range(GAMES):
        for state, _, act in play(options, seed):
            cards = [card for pile in ALL for card in names(state, pile)]
            assert sorted(cards) == sorted(r + s for r in RANKS for s in "CDHS")
            for seat in (1, 2):
                held = names(state, f"{seat}.hand")
                assert len(held) <= 5
                full = act in ("ready", "flip") or options.get("auto_draw", False)
                if act and full and names(state, f"{seat}.stock"):
                    assert len(held) == 5


def test_the_hand_is_hidden_from_the_opponent() -> None:
    """A player sees five cards of their own, none of the other's, and no stock."""
    state = table(()).new(seed=1)
    for seat in (1, 2):
        seen = {pile["pile"]: pile["cards"] for pile in state.view(seat)["piles"]}
        assert seen[f"{seat}.hand"] == names(state, f"{seat}.hand")
        assert seen[f"{3 - seat}.hand"] == [None] * 5
        assert seen["1.stock"] == seen["2.stock"] == [None] * 10


@at_every_table
def test_a_block_moves_a_card_from_each_side(options: dict[str, Any]) -> None:
    """Dry sides are first filled from under the tops of the middle."""
    rebuilt = 0
    for seed in range(GAMES):
        before: dict[str, list[str]] = {}
        for state, _, act in play(options, seed):
            if before and act != "flip":
                rebuilt += check_block(before, sides(state), options)
                before = {}
            elif act == "flip" and len(state.to_act) == 2:
                if before:
                    rebuilt += check_block(before, sides(state), options)
                before = sides(state)
    if options.get("side_piles") == 5:
        assert rebuilt > 0


def test_new_side_piles_are_shuffled() -> None:
    """Their cards do not come in the order in which they lay in the middle."""
    kept = []
    for seed in range(GAMES):
        before: dict[str, list[str]] = {}
        for state, _, act in play({"side_piles": 5}, seed):
            if before and act != "flip":
                under = before["centre.1"][:-1] + before["centre.2"][:-1]
                after = names(state, "side.1")
                kept.append(under[: len(after)] == after)
                before = {}
            elif act == "flip" and not names(state, "side.1") + names(state, "side.2"):
                before = sides(state)
    assert kept.count(False) > 10 * kept.count(True)


def check_block(
    before: dict[str, list[str]], after: dict[str, list[str]], options: dict[str, Any]
) -> bool:
    """Return whether the side piles were rebuilt, having compared all piles."""
    dry = not before["side.1"] and not before["side.2"]
    for i in (1, 2):
        side, middle = before[f"side.{i}"], before[f"centre.{i}"]
        now_side, now_middle = after[f"side.{i}"], after[f"centre.{i}"]
        if dry:
            assert now_middle[0] == middle[-1]
            assert len(now_middle) == 2
            if options.get("rebuild") == "turn_over":
                assert now_middle[1] == middle[0]
                assert now_side == middle[1:-1][::-1]
            elif options.get("rebuild") == "separate":
                assert sorted([*now_side, now_middle[1]]) == sorted(middle[:-1])
        else:
            assert now_middle == [*middle, *side[-1:]]
            assert now_side == side[:-1]
    if dry and options.get("rebuild", "together") == "together":
        lengths = [len(after[f"side.{i}"]) for i in (1, 2)]
        assert lengths[0] - lengths[1] in (0, 1)
        under = [*before["centre.1"][:-1], *before["centre.2"][:-1]]
        new = [after[f"centre.{i}"][1] for i in (1, 2)]
        assert sorted([*after["side.1"], *after["side.2"], *new]) == sorted(under)
    return dry


@at_every_table
def test_the_first_without_cards_wins(options: dict[str, Any]) -> None:
    """And nobody wins a game who still has a card."""
    for seed in range(GAMES):
        last: dict[int, int] = {}
        for state, _, act in play(options, seed):
            if act:
                continue
            assert state.result is not None
            for seat in (1, 2):
                last[seat] = len(
                    names(state, f"{seat}.hand") + names(state, f"{seat}.stock")
                )
            assert [s for s in last if last[s] == 0] == list(state.result.winners)


@pytest.mark.parametrize("hand_counts", [False, True])
def test_a_match_counts_the_cards_left(hand_counts: bool) -> None:
    """Each game adds the loser's cards; the first at the target has won."""
    options = {"target": 15, "score_hand_cards": hand_counts}
    for seed in range(4):
        scores = {1: 0, 2: 0}
        for state, seat, act in play(options, seed):
            assert {s: score_of(state, s) for s in (1, 2)} == scores
            assert bool(act) == (max(scores.values()) < 15)
            if act.startswith("play") and is_last(state, seat):
                loser = 3 - seat
                scores[seat] += len(names(state, f"{loser}.stock"))
                scores[seat] += hand_counts * len(names(state, f"{loser}.hand"))
                last = seat
        assert state.result is not None
        assert state.result.winners == (last,)
        assert state.result.scores == scores


def is_last(state: State, seat: int) -> bool:
    """Return whether a player is about to play the last card."""
    return len(names(state, f"{seat}.hand") + names(state, f"{seat}.stock")) == 1


def score_of(state: State, seat: int) -> int:
    """Return a player's points."""
    variable = state.game.layout.variable(f"{seat}.score")
    assert variable
    value = state.value(variable)
    assert isinstance(value, int)
    return value
