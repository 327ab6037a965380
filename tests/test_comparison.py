"""What differs between two rulesets is said part by part."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter.sheets.catalogue import read_ruleset
from cardrun.interpreter.sheets.comparison import compare

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


def test_each_change_of_a_house_rule_is_found_once(rule: str) -> None:
    """What goes with it, such as the old definition, is not."""
    found = compare(read_ruleset("idiot"), read_ruleset(rule))
    assert [(part.kind, part.part) for part in found if part.part != "play"] == [
        ("changed", "define.fits(c)"),
        ("added", "moves.play.when.no_aces"),
        ("changed", "moves.take.when.pile_there.because"),
        ("removed", "moves.risk"),
    ]


def test_a_section_that_is_new_is_found_part_by_part(tmp_path: Path) -> None:
    """Where the game had none of them, too."""
    path = tmp_path / "counted.yaml"
    path.write_text(
        "extends: spit.yaml\nname: Mine\nadd:\n  state.rounds: 0\n"
        "  moves.ready.do: [add 1 to rounds]\n",
        encoding="utf-8",
    )
    found = compare(read_ruleset("spit"), read_ruleset(str(path)))
    assert [(part.kind, part.part) for part in found] == [
        ("added", "state.rounds"),
        ("added", "moves.ready.do"),
    ]


def test_a_ruleset_differs_in_nothing_from_itself() -> None:
    """There is nothing to be found."""
    idiot = read_ruleset("idiot")
    assert compare(idiot, idiot) == []
