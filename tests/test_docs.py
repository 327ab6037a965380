"""The examples of the documentation are true: rulesets play, Python runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from cardrun.interpreter import check_file, load
from cardrun.interpreter.library import FUNCTIONS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)\)")


class Example(NamedTuple):
    """A fenced block of a page."""

    page: Path
    line: int
    text: str


def find_examples(language: str) -> list[Example]:
    """Return the blocks in a language, page by page."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match[1] == language:
                line = text.count("\n", 0, match.start()) + 1
                found.append(Example(page, line, match[2]))
    return found


def name_example(example: Example) -> str:
    """Return where an example stands."""
    return f"{example.page.name}:{example.line}"


@pytest.mark.parametrize("example", find_examples("yaml"), ids=name_example)
def test_a_ruleset_of_the_docs_plays(example: Example, tmp_path: Path) -> None:
    """A ruleset is whole, has no problem and plays to an end."""
    assert example.text.startswith(("cardrun: 1\n", "extends: "))
    file = tmp_path / "example.yaml"
    file.write_text(example.text, encoding="utf-8")
    assert check_file(file) == []
    state, _ = load(file).play_random(1, 0)
    assert state.over
    assert not state.unfinished


@pytest.mark.parametrize("example", find_examples("python"), ids=name_example)
def test_python_of_the_docs_runs(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of Python runs as it stands, wherever it is run."""
    monkeypatch.chdir(tmp_path)
    exec(compile(example.text, name_example(example), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_the_docs_lead_somewhere(page: Path) -> None:
    """A link to a file names one that is there."""
    links = LINK.findall(page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_reference_lists_every_function() -> None:
    """The table of functions and the functions are the same."""
    text = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
    table = text.split("### Functions")[1].split("\n### ")[0]
    names = re.findall(r"`(\w+)\(", table)
    assert set(names) == set(FUNCTIONS)
