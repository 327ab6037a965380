"""What goes by the count of players: packs, cards left out, usual options."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import RulesError, load
from cardrun.interpreter.loader import check_file

RULES = """\
cardrun: 1
name: Tables
players: 2..4
deck: {kind: piquet, copies: {4: 2}, remove: {3: [7C, 7D]}}
options:
  hand_size: {default: {2: 7, otherwise: 5}, range: 1..8}
zones:
  stock: {face: down, holds: deck}
  hand:  {per: player, seen_by: owner}
moves:
  lay: {pick: {card: hand}, do: [move card to stock]}
play:
  - shuffle stock
  - deal hand_size to hand each
  - turns: {from: players.first, each: once}
    do:
      - choose: [lay]
result: {rank_by: score}
"""


def write(folder: Path, old: str = "", new: str = "") -> Path:
    """Return the file of the ruleset with one thing changed."""
    file = folder / "tables.yaml"
    file.write_text(RULES.replace(old, new), encoding="utf-8")
    return file


@pytest.mark.parametrize(("players", "cards"), [(2, 32), (3, 30), (4, 64)])
def test_a_deck_goes_by_the_count_of_players(
    tmp_path: Path, players: int, cards: int
) -> None:
    """Two packs for four, and two sevens less for three."""
    assert load(write(tmp_path), players=players).deck.size == cards


@pytest.mark.parametrize(("players", "hand"), [(2, 7), (3, 5), (4, 5)])
def test_an_option_is_what_is_usual_for_the_count_of_players(
    tmp_path: Path, players: int, hand: int
) -> None:
    """Two have seven cards each, more players five."""
    game = load(write(tmp_path), players=players)
    assert game.options == {"hand_size": hand}
    assert len(game.new(seed=1).moves(1)) == hand


def test_a_chosen_value_is_that_for_any_count(tmp_path: Path) -> None:
    """What is usual does not matter then."""
    game = load(write(tmp_path), players=2, options={"hand_size": 3})
    assert game.options == {"hand_size": 3}


def test_each_usual_value_must_be_allowed(tmp_path: Path) -> None:
    """A count that is not the default one is looked at too."""
    file = write(tmp_path, "otherwise: 5", "3: 9, otherwise: 5")
    (problem,) = check_file(file)
    assert problem.code == "wrong-option-value"
    assert problem.span.text == "9"


def test_other_counts_need_a_usual_value(tmp_path: Path) -> None:
    """A mapping of counts says what is usual otherwise."""
    file = write(tmp_path, ", otherwise: 5", "")
    with pytest.raises(RulesError) as raised:
        load(file)
    assert [problem.code for problem in raised.value.problems] == ["missing-key"]


@pytest.mark.parametrize("allowed", ["range: -5..5", "among: [-5, -3, 0, 4]"])
@pytest.mark.parametrize("chosen", [-5, -3, 0, 4])
def test_an_option_may_be_a_number_below_zero(
    tmp_path: Path, allowed: str, chosen: int
) -> None:
    """It is subtracted, multiplied and compared like any other."""
    file = write(
        tmp_path,
        "range: 1..8}",
        f"range: 1..8}}\n  fine: {{default: -3, {allowed}}}",
    )
    score = "\n  - for: p in players\n    do: [add 10 - 2 * fine to p.score]\nresult"
    file.write_text(file.read_text().replace("\nresult", score), encoding="utf-8")
    assert load(file).options["fine"] == -3
    game = load(file, options={"fine": chosen})
    state, _ = game.play_random(1, 0)
    assert state.result is not None
    assert set(state.result.scores.values()) == {10 - 2 * chosen}
