"""The pages of the games name parts that are there, and leave no rule out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardrun.interpreter.sheets.catalogue import list_shipped

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "games").glob("*.md"))
ROWS = {  # how many rules and open questions each game has
    "spit": {"1A-": 27, "S": 18},
    "speed": {"1B-": 18, "V": 13},
    "back_alley": {"1C-": 26, "B": 22},
    "idiot": {"1D-": 18, "I": 20},
}
POSITIONS = {  # worked positions of each game: the alternatives of each, in order
    "spit": "abcd abcde abc abcd abcd - - abc",
    "speed": "- abcde abcde ab abc - - -",
    "back_alley": "- - - - abc - - ab",
    "idiot": "abcd - - abc - - - abc",
}
LETTERS = {"spit": "SPIT", "speed": "SPEED", "back_alley": "BA", "idiot": "IDIOT"}
UNPLAYED = {  # told about the game, or tested with what a seat may see
    "1A-27",
    "1B-7",
    "1D-17",
}
SECTIONS = "players deck options values zones state define rows moves steps scoring"
CODE = re.compile(r"`([^`]+)`")
PATH = re.compile(rf"({'|'.join(SECTIONS.split())}|play)\.\S.*")

of_each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


def read_ruleset(name: str) -> dict[str, Any]:
    """Return a ruleset's YAML with every scalar as text."""
    text = (ROOT / "rulesets" / f"{name}.yaml").read_text(encoding="utf-8")
    found = yaml.load(text, Loader=yaml.BaseLoader)
    assert isinstance(found, dict)
    return found


def list_blocks(script: object) -> Iterator[str]:
    """Yield the names of the blocks and decisions of a script."""
    if isinstance(script, list):
        for item in script:
            yield from list_blocks(item)
    elif isinstance(script, dict):
        for key, value in script.items():
            if key in ("loop", "repeat", "block", "name") and isinstance(value, str):
                yield value
            yield from list_blocks(value)


def has_part(ruleset: dict[str, Any], path: str) -> bool:
    """Return whether a path leads to a part, block or decision of a ruleset."""
    section, _, rest = path.partition(".")
    if section == "play":
        scripts = [ruleset["play"], ruleset.get("steps", {})]
        return rest in list_blocks(scripts)
    part: Any = ruleset[section]
    for name in rest.split("."):
        if not isinstance(part, dict) or name not in part:
            return False
        part = part[name]
    return True


def read_rows(page: Path) -> list[list[str]]:
    """Return the cells of the table rows that begin with a rule's number."""
    lines = page.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows if re.fullmatch(r"(1[A-D]-|[SVBI])\d+", row[0])]


@of_each_page
def test_the_parts_are_there(page: Path) -> None:
    """Each path on a page leads to something in the ruleset, and each row has one."""
    ruleset = read_ruleset(page.stem)
    text = page.read_text(encoding="utf-8").split("## Rules")[1]
    paths = [name for name in CODE.findall(text) if PATH.fullmatch(name)]
    missing = [path for path in paths if not has_part(ruleset, path)]
    assert missing == []
    for row in read_rows(page):
        named = CODE.findall(" ".join(row))
        assert any(PATH.fullmatch(name) or name in ruleset for name in named) or (
            row[0] == "1D-17"  # about the program, not the game
        )


@of_each_page
def test_every_rule_has_a_row(page: Path) -> None:
    """Rules and open questions are numbered from 1 without a gap."""
    numbers = [row[0] for row in read_rows(page)]
    expected = [
        f"{letter}{number}"
        for letter, last in ROWS[page.stem].items()
        for number in range(1, last + 1)
    ]
    assert numbers == expected


@of_each_page
def test_every_rule_has_a_scenario(page: Path) -> None:
    """Each row's number is named by a scenario that plays it."""
    path = ROOT / "tests" / "scenarios" / page.name.replace(".md", ".yaml")
    scenarios = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    rules = " ".join(scenario["rule"] for scenario in scenarios["scenarios"])
    played = set(re.findall(r"\b(?:1[A-D]-|[SVBI])\d+", rules))
    assert [row[0] for row in read_rows(page) if row[0] not in played | UNPLAYED] == []


@of_each_page
def test_every_worked_position_has_a_scenario(page: Path) -> None:
    """Each of the eight of a game is named, and so is each alternative."""
    path = ROOT / "tests" / "scenarios" / page.name.replace(".md", ".yaml")
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(rf"\b{LETTERS[page.stem]}-\d\d(?: [a-e]\b)?", text))
    for number, letters in enumerate(POSITIONS[page.stem].split(), 1):
        name = f"{LETTERS[page.stem]}-{number:02}"
        expected = {name} if letters == "-" else {f"{name} {part}" for part in letters}
        assert expected <= named


@of_each_page
def test_every_option_is_named(page: Path) -> None:
    """A reader finds what each option of the game is about."""
    text = page.read_text(encoding="utf-8")
    for option in read_ruleset(page.stem)["options"]:
        assert f"`options.{option}`" in text


@of_each_page
def test_house_rules_are_there(page: Path) -> None:
    """A page names the house rules of its game, all of them and no others."""
    named = set(
        re.findall(
            r"`([a-z]+(?:-[a-z]+)+|rainbow|sequences)`",
            page.read_text(encoding="utf-8"),
        )
    )
    assert named == {entry.name for entry in list_shipped() if page.stem in entry.games}


def test_a_part_that_is_gone_is_missed() -> None:
    """A name that goes stale does not pass."""
    ruleset = read_ruleset("spit")
    assert has_part(ruleset, "moves.play.when.next_in_rank")
    assert has_part(ruleset, "play.layout")
    assert not has_part(ruleset, "moves.play.when.next_in_rnk")
    assert not has_part(ruleset, "play.lay_out")
    assert not has_part(ruleset, "define.cleared")
