"""What differs between two rulesets is said part by part."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cardrun.cli import cardrun
from cardrun.interpreter.catalogue import read_ruleset
from cardrun.interpreter.comparison import compare, render_comparison

RULE = """\
extends: idiot.yaml
name: Idiot, sevens
about: On a seven goes a seven or lower.
options: {risk_any_time: yes}
replace:
  define.fits(c): base(c) and (pile.empty or pile.top.rank != 7)
  moves.take.when.pile_there.because: nothing there
add:
  moves.play.when.no_aces: {test: cards.first.rank != A, because: aces are too good}
remove: [moves.risk]
"""


@pytest.fixture
def rule(tmp_path: Path) -> str:
    """Write the house rule and return its path."""
    path = tmp_path / "sevens.yaml"
    path.write_text(RULE, encoding="utf-8")
    return str(path)


def test_each_change_of_a_house_rule_is_told_once(rule: str) -> None:
    """What goes with it, such as the old definition, is not."""
    found = compare(read_ruleset("idiot"), read_ruleset(rule))
    assert [(part.kind, part.part) for part in found if part.part != "play"] == [
        ("changed", "options.risk_any_time"),
        ("changed", "define.fits(c)"),
        ("added", "moves.play.when.no_aces"),
        ("changed", "moves.take.when.pile_there.because"),
        ("removed", "moves.risk"),
    ]


def test_changes_are_told_in_the_words_of_the_rules(rule: str) -> None:
    """Options by what they mean, guards by their reason, moves by their label."""
    text = render_comparison(read_ruleset("idiot"), read_ruleset(rule))
    lines = [line.strip() for line in text.splitlines()]
    assert lines[:2] == [
        "Idiot, sevens, compared with Idiot",
        "On a seven goes a seven or lower.",
    ]
    place = next(i for i, line in enumerate(lines) if "risk_any_time" in line)
    assert "may be risked by a player who could play  (sevens.yaml:4)" in lines[place]
    assert lines[place + 1 : place + 3] == ["now: yes", "was: no"]
    assert "now: base(c) and (pile.empty or pile.top.rank != 7)" in lines
    assert "moves.play.when.no_aces: aces are too good  (sevens.yaml:9)" in lines
    assert any(line.startswith("moves.risk: risk the top card") for line in lines)
    assert any(line.startswith("-") and "risk" in line for line in lines)


def test_a_ruleset_differs_in_nothing_from_itself() -> None:
    """That is said, too."""
    idiot = read_ruleset("idiot")
    assert compare(idiot, idiot) == []
    assert "The rules are the same." in render_comparison(idiot, idiot)


def test_house_rules_are_compared_with_the_game_alone(rule: str) -> None:
    """One file and --with say what the house rule does."""
    runner = CliRunner()
    alone = runner.invoke(cardrun, ["diff", "idiot", "--with", rule])
    assert alone.exit_code == 0
    assert "moves.play.when.no_aces" in alone.output
    assert runner.invoke(cardrun, ["diff", "idiot"]).exit_code == 2
    told = runner.invoke(cardrun, ["diff", "idiot", rule, "--json"])
    assert '"part": "options.risk_any_time"' in told.output
