"""The emitted source plays the same games compiled by Numba as it does in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.engine.backend import Playouts, Workshop, play_in_python
from cardrun.interpreter.language.program import write_playouts
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.simulation.tally import Lengths, Rows

pytest.importorskip("numba", reason="Numba is not installed")

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
# Numbers of bits in Python, as Numba takes it.
BITS = """from numba import njit
from numpy import array, int64


@njit
def bits(mask):
    number = 0
    while mask:
        mask &= mask - 1
        number += 1
    return number


@njit
def length(mask):
    number = 0
    while mask:
        mask >>= 1
        number += 1
    return number

"""
GAMES = 1000
FEW = 20
ROOT = 2024


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder where machine code is kept for all tests."""
    return tmp_path_factory.mktemp("cache")


def find_game(name: str, folder: Path) -> Game:
    """Load a shipped game, or the one made of features."""
    if name != "features":
        return load(name)
    (folder / "features.yaml").write_text(FEATURES, encoding="utf-8")
    return load(folder / "features.yaml")


def play_one(playouts: Playouts, index: int) -> tuple[list[int], list[int]]:
    """Play one game; return its last vector and its row."""
    start, state, buffer, words, tally, rows = playouts._vectors(1)
    playouts.functions["play_batch"](
        start, ROOT, 0, index, 1, state, buffer, words, tally, rows
    )
    size = playouts.game.layout.size
    return [*map(int, state[:size])], [*map(int, rows)]


@pytest.mark.parametrize("name", [*RULESETS, "features"])
def test_numba_plays_the_same_games(name: str, tmp_path: Path, cache: Path) -> None:
    """The same vectors, rows, uses, winners and scores, bit for bit."""
    game = find_game(name, tmp_path)
    compiled, plain = Workshop(game, cache).make(), play_in_python(game)
    assert compiled.play(ROOT, 0, GAMES) == plain.play(ROOT, 0, GAMES)
    for index in range(GAMES):
        vector, row = play_one(compiled, index)
        state, tally = game.play_random(ROOT, index)
        assert State(game, state.seed, vector) == state
        record = Rows(game, row, index).records()[0]
        assert (record.seed, record.lengths) == (state.seed, Lengths(*tally))
        result = state.result
        assert result is not None
        assert record.finished == (not result.unfinished)
        assert record.winners == result.winners
        if record.finished:
            assert record.scores == tuple(result.scores.values())


def compile_by_numba(game: Game) -> dict[str, Any]:
    """Return what plays batches of a game, compiled by Numba from Python alone."""
    lines = [BITS]
    for line in write_playouts(game.program).split("\n"):
        if line.startswith("def "):
            lines.append("@njit")
        name, _, table = line.partition(" = ")
        is_table = line[:1].isupper() and table.startswith("(")
        lines.append(f"{name} = array({table}, int64)" if is_table else line)
    names: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<emitted batch>", "exec"), names)
    return names


def check_subset(game: Game, games: int) -> None:
    """Compare the rows of some games by Numba's own way with those of Python."""
    numpy = pytest.importorskip("numpy")
    plain = play_in_python(game)
    vectors = [numpy.array(each) for each in plain._vectors(games)]
    start, *others = vectors
    play_batch = compile_by_numba(game)["play_batch"]
    assert play_batch(start, ROOT, 0, 0, games, *others) == games
    assert others[-1].tolist() == plain.play(ROOT, 0, games).rows


def test_emitted_source_is_python_that_numba_compiles() -> None:
    """Without a way of our own to machine code, as for a graphics processor."""
    check_subset(load("president"), FEW)


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULESETS)
def test_every_emitted_source_is_python_that_numba_compiles(name: str) -> None:
    """Each shipped game."""
    check_subset(load(name), FEW)


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
