"""The emitted source plays the same games compiled by Numba as it does in Python."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from cardrun.interpreter import Game, load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import scramble, seed_of_game

numba: Any = pytest.importorskip("numba", reason="Numba is not installed")
numpy: Any = pytest.importorskip("numpy", reason="NumPy is not installed")

RULESETS = [path.stem for path in shipped()]
# What the shipped rulesets do not use: selections, families that grow, partners,
# two copies, choices, simultaneous bids, scoring of combinations.
FEATURES = """\
cardrun: 1
name: Features
players: {count: 4, partners: opposite}
deck: {kind: piquet, jokers: [fool]}
values:
  pips: {7: 7, 8: 8, 9: 9, 10: 10, otherwise: 1}
  order: [7, 8, 9, J, Q, K, 10, A]
zones:
  stock: {face: down, holds: deck}
  table: {face: up}
  melds: {piles: 0..9, face: up, sorted: yes}
  hand:  {per: player, seen_by: owner}
  won:   {per: team, face: down}
  aside: {per: player, piles: 2, face: down}
state:
  dealer: {type: player, start: players.last}
  trump:  {type: suit or none}
  called: {type: [low_called, high_called]}
  bids:   {per: player, start: 0}
  rounds: 0
define:
  partner_of(p): p.partner
  strength(c):
    trumps: {if: c.suit == trump, is: "100 + place(c.rank, order)"}
    else:   {is: "place(c.rank, order)"}
moves:
  bid:
    pick: {n: {number: 0..3}, s: {suit: suits}, c: {choice: [low, high]}}
    do:
      - set me.bids to n
      - set trump to s
      - if: c == high
        then: [set called to high_called]
  meld:
    pick: {cards: {from: hand, shape: [set 2..4, run 2..3]}}
    do: [move cards to new pile in melds]
  sum_up:
    pick: {cards: {from: hand, sum: {of: pips, is: 9}}}
    do: [move cards under table, "show hand to partner_of(me)"]
  climb:
    pick: {cards: {from: hand, shape: [run 3..4 mixed]}}
    do:
      - move cards to table
      - if: trump != none and trump.colour == red
        then: [set bold to yes]
  pass: {do: ["swap me.aside(1) with me.aside(2)", end turn]}
play:
  - shuffle stock
  - deal 6 to hand each
  - for: p in players
    do: [move 1 from stock to p.aside(1)]
  - together: [bid]
  - repeat: round
    times: 2
    do:
      - turns: {from: left(dealer), each: once, direction: counter_clockwise}
        do:
          - block: turn
            state: {bold: no}
            do:
              - choose: [meld, sum_up, climb, pass]
              - if: bold
                then: ["add 1 to left(me, rounds).score"]
      - if: stock.empty
        then: [end game]
      - add 1 to rounds
      - for: p in players where not p.hand.empty
        do: ["move best(p.hand, strength) to p.team.won"]
  - score
scoring:
  runs:  {for: t in teams, to: t, points: "longest_runs(t.won) + pairs(t.won)"}
  sums:  {for: t in teams, to: t, points: "combinations_with_sum(t.won, pips, 15)"}
  bids:  {for: p in players, if: called == high_called, to: p, points: p.bids}
  first: {for: p in players, to: p, points: "count(only_best(players, it.bids))"}
result: {rank_by: score}
"""
SEEDS = 20
ROOT = 2024


def compile_all(game: Game) -> dict[str, Any]:
    """Return the emitted functions as machine code, their tables as arrays."""
    names: dict[str, Any] = {
        "__builtins__": {"range": range, "abs": abs, "min": min, "max": max}
    }
    exec(compile(game.code, "<emitted game>", "exec"), names)
    for name, value in names.items():
        if isinstance(value, tuple):
            names[name] = vector(value)
        elif isinstance(value, FunctionType):
            names[name] = numba.njit(value)
    return names


def vector(numbers: Any) -> Any:
    """Return numbers as an array of 64-bit integers."""
    return numpy.array(numbers, dtype=numpy.int64)


def without(part: slice, numbers: list[int]) -> list[int]:
    """Return a vector's numbers but for its scratch space."""
    return numbers[: part.start] + numbers[part.stop :]


@pytest.mark.parametrize("name", [*RULESETS, "features"])
def test_numba_plays_the_same_games(name: str, tmp_path: Path) -> None:
    """Twenty random games end in the same vector, with the same tally."""
    if name == "features":
        (tmp_path / "features.yaml").write_text(FEATURES, encoding="utf-8")
        game = load(tmp_path / "features.yaml")
    else:
        game = load(name)
    names = compile_all(game)
    slots = game.layout.slots
    scratch = slice(slots["scratch"], slots["scratch"] + 4 * slots["scratch unit"])
    buffer = vector(game.buffer())
    for index in range(SEEDS):
        expected, tally = game.play_random(ROOT, index)
        seed = seed_of_game(ROOT, index)
        state = vector(game._blank(seed))
        names["start"](state)
        assert without(scratch, state.tolist()) == without(
            scratch, game.new(seed).vector
        )
        counts = vector([0] * 5)
        names["play_random"](state, buffer, vector(scramble(seed, 1)), counts)
        assert without(scratch, state.tolist()) == without(scratch, expected.vector)
        assert tuple(counts.tolist()) == tally


@pytest.mark.parametrize("name", RULESETS)
def test_emitted_source_has_integers_only(name: str) -> None:
    """No text of a ruleset reaches the source, except in names and comments."""
    game = load(name)
    code = compile(game.code, "<emitted game>", "exec")
    kinds = {type(constant) for constant in constants(code)}
    assert kinds <= {int, bool, type(None), tuple, type(code)}


def constants(code: Any) -> list[Any]:
    """Return the constants of code and of what it defines."""
    found: list[Any] = []
    for constant in code.co_consts:
        # The names of a definition's parameters and defaults are no values.
        if hasattr(constant, "co_consts"):
            found += constants(constant)
        else:
            found.append(constant)
    return found
