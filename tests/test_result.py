"""What a score is worth, and who is best: units and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.match import render_result, result_as_json
from cardrun.interpreter.simulate import Batch, play_game
from cardrun.interpreter.trial import run_file

RULESET = """\
cardrun: 1
name: Halves
players: 2
deck: {kind: french, ranks: [A]}
options:
  target: {default: 0, range: 0..10}
zones:
  stock: {face: down, holds: deck}
moves:
  stay: {}
play:
  - choose: [stay]
    by: players.first
  - score
scoring:
  seat: {for: p in players, to: p, points: 61 - p.seat}
result: {rank_by: score, unit: 1/2, best: if target > 0 then lowest else highest}
"""
SCENARIOS = """\
ruleset: halves.yaml
scenarios:
  - name: halves are read and written as they are shown
    at: stay
    given: {turn: 1, 1.score: -30.5, 2.score: 2}
    do: [1 stay]
    then: {1.score: -0.5, scores: {1: -0.5, 2: 31.5}}
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    """Return a ruleset that gives 30 and 29.5 points."""
    file = tmp_path / "halves.yaml"
    file.write_text(RULESET, encoding="utf-8")
    return file


def finish(file: Path, target: int = 0) -> State:
    """Return the game after its only move."""
    state = load(file, options={"target": target}).new(seed=1)
    state.apply_text("1 stay")
    return state


def test_scores_are_shown_in_ones(ruleset: Path) -> None:
    """Sixty halves are 30 and fifty-nine are 29.5, in whatever is told."""
    state = finish(ruleset)
    assert state.result is not None
    assert state.result.scores == {1: 30, 2: 29.5}
    assert "player 2: score 29.5" in render_result(state)
    assert result_as_json(state)["lines"] == {"seat": {1: 30, 2: 29.5}}
    assert state.view(1)["variables"]["2.score"] == 29.5
    batch = Batch(str(ruleset), 2, (), ("random", "random"), 1)
    assert play_game(batch, 0).scores == (30, 29.5)


def test_scenarios_read_and_write_halves(ruleset: Path) -> None:
    """A position may give half points, and an answer may expect them."""
    file = ruleset.with_name("test_halves.yaml")
    file.write_text(SCENARIOS, encoding="utf-8")
    verdicts = list(run_file(file))
    assert [verdict.passed for verdict in verdicts] == [True]


@pytest.mark.parametrize(("target", "winner"), [(0, 1), (5, 2)])
def test_an_option_decides_what_is_best(
    ruleset: Path, target: int, winner: int
) -> None:
    """The highest wins without a target, the lowest with one."""
    result = finish(ruleset, target).result
    assert result is not None
    assert result.winners == (winner,)
