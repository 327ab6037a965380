"""What a score is worth, and who is best: units and options."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.engine.state import Placing
from cardrun.interpreter.simulation.match import render_result, result_as_json
from cardrun.interpreter.simulation.simulate import Batch, play_share
from cardrun.interpreter.testing.trial import run_file

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
    records = play_share([batch], range(1), "python", True).records
    assert records[0][0].scores == (30, 29.5)


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


HANDS = """\
cardrun: 1
name: Hands
players: 3
deck: {kind: french}
zones:
  stock: {face: down, holds: deck}
  hand:  {per: player, seen_by: owner}
define:
  hearts_of(p): count(p.hand, suit == hearts)
moves:
  stay: {}
play:
  - choose: [stay]
    by: players.first
result: {rank_by: score, then_by: hearts_of, best: BEST}
"""


@pytest.mark.parametrize(
    ("best", "places"),
    [("highest", {1: 2, 2: 1, 3: 3}), ("lowest", {1: 2, 2: 3, 3: 1})],
)
def test_a_second_number_decides_between_equals(
    tmp_path: Path, best: str, places: dict[int, int]
) -> None:
    """All have no points; of hearts player 2 holds most and player 3 none."""
    file = tmp_path / "hands.yaml"
    file.write_text(HANDS.replace("BEST", best), encoding="utf-8")
    game = load(file)
    state = game.new(seed=1)
    hands = {"1.hand": ["2H"], "2.hand": ["3H", "4H"], "3.hand": ["5C"]}
    state.arrange(place(state, hands))
    state.apply_text("1 stay")
    assert state.result is not None
    assert state.result.places == places
    assert state.result.scores == {1: 0, 2: 0, 3: 0}


def place(state: State, hands: dict[str, list[str]]) -> dict[int, list[Placing]]:
    """Return where all cards lie when some are held."""
    deck, layout = state.game.deck, state.game.layout
    free = set(range(deck.size))
    placed: dict[int, list[Placing]] = {}
    for name, cards in hands.items():
        pile = layout.pile(name)
        assert pile is not None
        placed[pile.index] = [(deck.parse(card)[0], None, None) for card in cards]
        free -= {card for card, _, _ in placed[pile.index]}
    placed[layout.deck_pile.index] = [(card, None, None) for card in sorted(free)]
    return placed
