"""The shipped house rules: sound, tried, listed, short, and fit to be combined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import median

import pytest

from cardrun.interpreter.loader import (
    check_file,
    find,
    load,
    read_source,
    shipped_house_rules,
)
from cardrun.interpreter.sheets.catalogue import list_shipped
from cardrun.interpreter.testing.check import Check, list_tables
from cardrun.interpreter.text.errors import Problem, RulesError
from cardrun.interpreter.variants.lineage import parse_file

ROOT = Path(__file__).parent.parent
RULES = {path.stem: path for path in shipped_house_rules()}
# What keeps two house rules from being combined.
NAMED = {"house-rules-clash", "conflicting-rules", "option-set-twice"}
GAMES = 3


def read_base(name: str) -> str:
    """Return the game, or the other house rule, that a house rule extends."""
    file, problems = parse_file(RULES[name], read_source(RULES[name]))
    assert problems == []
    assert file is not None
    (link,) = file.bases
    return Path(link.text).stem


def read_game(name: str) -> str:
    """Return the game that a house rule is for."""
    base = read_base(name)
    return read_game(base) if base in RULES else base


GAME_OF = {name: read_game(name) for name in RULES}
PAIRS = [
    pair for pair in combinations(RULES, 2) if GAME_OF[pair[0]] == GAME_OF[pair[1]]
]
TRIPLES = Random(1).sample(
    [
        three
        for three in combinations(RULES, 3)
        if len({GAME_OF[name] for name in three}) == 1
    ],
    60,
)


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
    """Each pair of one game passes a check, or is refused by naming both."""
    try_together(pair)


@pytest.mark.nightly
@pytest.mark.parametrize("three", TRIPLES, ids=" and ".join)
def test_three_house_rules_go_together_or_say_why_not(
    three: tuple[str, str, str],
) -> None:
    """So do some of the many triples."""
    try_together(three)


def try_together(names: Sequence[str]) -> None:
    """Check a game with house rules by play, unless two of them are in conflict."""
    problems: Sequence[Problem] = ()
    try:
        game = load(GAME_OF[names[0]], house_rules=names)
    except RulesError as error:
        problems = error.problems
    if problems:
        assert {problem.code for problem in problems} <= NAMED
        told = [problem.message for problem in problems]
        known = {f"'{name}.yaml'" for name in [*names, *map(read_base, names)]}
        assert all(sum(name in text for name in known) == 2 for text in told)
        return
    check = Check(game, GAMES, 1, list_tables(game, {}, (), is_every=False))
    for _ in check.run():
        pass
    assert [finding.render() for finding in check.findings] == []
    assert check.refused == []


def test_a_copy_of_a_game_is_told_by_where_it_lies(tmp_path: Path) -> None:
    """A shipped house rule is for the shipped game, not for one of its name."""
    copy = tmp_path / "hearts.yaml"
    copy.write_bytes(find("hearts").read_bytes())
    with pytest.raises(RulesError) as raised:
        load(copy, house_rules=["hearts-clean-first-trick"])
    (problem,) = raised.value.problems
    assert problem.code == "other-game"
    assert problem.message.endswith(f"for 'hearts.yaml', not for '{copy}'")
