"""The shipped rulesets are as short as rule sheets."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from cardrun.interpreter.loader import shipped

WIDTH = 155


def read_rules(path: Path) -> list[str]:
    """Return the lines of a ruleset, without empty ones and mere comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and line.lstrip()[0] != "#"]


def test_half_of_the_rulesets_have_less_than_eighty_lines() -> None:
    """Whatever the rules say counts, options and all."""
    assert median(len(read_rules(path)) for path in shipped()) < 80


def test_no_ruleset_has_more_than_160_lines() -> None:
    """Empty lines and comments count too."""
    for path in shipped():
        length = len(path.read_text(encoding="utf-8").splitlines())
        assert length <= 160, f"{path.stem} has {length} lines"


def test_no_line_is_too_wide_to_take_in() -> None:
    """Rules do not become short by being written in long lines."""
    wide = [
        f"{path.stem}: {line}"
        for path in shipped()
        for line in path.read_text(encoding="utf-8").splitlines()
        if len(line) > WIDTH
    ]
    assert wide == []
