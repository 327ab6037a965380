"""The shipped house rules: sound, tried, listed, short, and fit to be combined."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from statistics import median

import pytest

from cardrun.interpreter.catalogue import list_shipped
from cardrun.interpreter.errors import RulesError
from cardrun.interpreter.lineage import parse_file
from cardrun.interpreter.loader import (
    check_file,
    load,
    read_source,
    shipped_house_rules,
)

ROOT = Path(__file__).parent.parent
RULES = {path.stem: path for path in shipped_house_rules()}
# What keeps two house rules from being combined.
NAMED = {"house-rules-clash", "conflicting-rules", "option-set-twice", "already-there"}
GAMES = 20


def read_game(name: str) -> str:
    """Return the game that a house rule is for."""
    file, problems = parse_file(RULES[name], read_source(RULES[name]))
    assert problems == []
    assert file is not None
    (link,) = file.bases
    name = Path(link.text).stem
    return read_game(name) if name in RULES else name


GAME_OF = {name: read_game(name) for name in RULES}
PAIRS = [
    pair for pair in combinations(RULES, 2) if GAME_OF[pair[0]] == GAME_OF[pair[1]]
]


@pytest.mark.parametrize("name", RULES)
def test_a_house_rule_can_be_played(name: str) -> None:
    """Laid over its game, it leads to an end."""
    game = load(GAME_OF[name], house_rules=[name])
    state, _ = game.play_random(1, 0)
    assert state.result is not None
    assert game.name != load(GAME_OF[name]).name


@pytest.mark.parametrize("name", RULES)
def test_a_house_rule_has_scenarios(name: str) -> None:
    """One shows what it does; of its game there are others, without it."""
    files = (ROOT / "tests" / "scenarios").glob("*.yaml")
    texts = [path.read_text(encoding="utf-8") for path in files]
    its_own = [text for text in texts if f"/{GAME_OF[name]}.yaml" in text]
    cases = [case for text in its_own for case in re.split(r"\n  - name: ", text)[1:]]
    assert any(re.search(rf"with: \[.*\b{name}\b", case) for case in cases)
    assert any("with: [" not in case for case in cases)


def test_every_house_rule_has_a_line_in_the_list() -> None:
    """It says what it is, and for which game."""
    listed = {entry.name: entry for entry in list_shipped() if entry.games}
    assert set(listed) == set(RULES)
    assert all(entry.about for entry in listed.values())
    assert all(listed[name].games == (GAME_OF[name],) for name in RULES)


def test_house_rules_are_short() -> None:
    """Half of them have fewer than ten lines of rules."""
    lengths = []
    for path in RULES.values():
        lines = path.read_text(encoding="utf-8").splitlines()
        head = ("#", "extends:", "name:", "about:")
        lengths.append(sum(not line.startswith(head) for line in lines))
    assert median(lengths) < 10
    assert max(lengths) <= 40


def test_no_house_rule_has_the_name_of_a_game() -> None:
    """What is typed after --with is never a game."""
    assert not set(RULES) & {entry.name for entry in list_shipped() if not entry.games}


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULES)
def test_a_house_rule_is_sound_for_every_table(name: str) -> None:
    """For all counts of players and all values of options."""
    assert check_file(RULES[name]) == []


@pytest.mark.nightly
@pytest.mark.parametrize("pair", PAIRS, ids=" and ".join)
def test_two_house_rules_go_together_or_say_why_not(pair: tuple[str, str]) -> None:
    """Each pair of one game plays, or is refused with a named conflict."""
    game = GAME_OF[pair[0]]
    conflicts: set[str] = set()
    try:
        table = load(game, house_rules=pair)
    except RulesError as error:
        conflicts = {problem.code for problem in error.problems}
    assert conflicts <= NAMED
    for number in range(0 if conflicts else GAMES):
        state, _ = table.play_random(number, number)
        assert state.result is not None
