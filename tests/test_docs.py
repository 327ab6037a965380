"""The examples of the documentation are true: rulesets play, Python runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from cardrun.interpreter import check_file, load
from cardrun.interpreter.language.library import FUNCTIONS
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.testing.trial import run_file

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COOKBOOK = ROOT / "docs" / "house-rules.md"
# The first line of a file of the cookbook names it.
NAMED = re.compile(r"# (\S+\.yaml)\n")
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


def find_recipes() -> dict[str, str]:
    """Return the files of the cookbook by their names."""
    files = {}
    for example in find_examples("yaml"):
        if example.page == COOKBOOK:
            named = NAMED.match(example.text)
            assert named is not None, name_example(example)
            files[named[1]] = example.text
    return files


RECIPES = find_recipes()
HOUSE_RULES = [name for name in RECIPES if not name.endswith(".test.yaml")]
WHOLE = [made for made in find_examples("yaml") if made.page != COOKBOOK]


@pytest.mark.parametrize("example", WHOLE, ids=name_example)
def test_a_ruleset_of_the_docs_plays(example: Example, tmp_path: Path) -> None:
    """A ruleset is whole, has no problem and plays to an end."""
    assert example.text.startswith(("cardrun: 1\n", "extends: "))
    file = tmp_path / "example.yaml"
    file.write_text(example.text, encoding="utf-8")
    assert check_file(file) == []
    state, _ = load(file).play_random(1, 0)
    assert state.over
    assert not state.unfinished


def test_the_cookbook_has_fifteen_recipes() -> None:
    """Each is a house rule and the scenarios that prove it."""
    assert len(HOUSE_RULES) == 15
    proofs = {name.replace(".yaml", ".test.yaml") for name in HOUSE_RULES}
    assert set(RECIPES) == {*HOUSE_RULES, *proofs}


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_a_recipe_of_the_cookbook_is_proven(name: str, tmp_path: Path) -> None:
    """Its scenarios hold with the house rule, and not all of them without it."""
    rule, proof = tmp_path / name, tmp_path / name.replace(".yaml", ".test.yaml")
    rule.write_text(RECIPES[name], encoding="utf-8")
    proof.write_text(RECIPES[proof.name], encoding="utf-8")
    assert check_file(rule) == []
    assert [verdict for verdict in run_file(proof) if not verdict.passed] == []
    base = re.search(r"^extends: (\S+)$", RECIPES[name], re.MULTILINE)
    assert base is not None
    bare = RECIPES[proof.name].replace(f"with: [{name}]", "with: []")
    bare = bare.replace(f"ruleset: {name}", f"ruleset: {base[1].removesuffix('.yaml')}")
    proof.write_text(bare, encoding="utf-8")
    assert [verdict for verdict in run_file(proof) if not verdict.passed]


@pytest.mark.parametrize("example", find_examples("python"), ids=name_example)
def test_python_of_the_docs_runs(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block of Python runs as it stands, wherever it is run."""
    monkeypatch.chdir(tmp_path)
    exec(compile(example.text, name_example(example), "exec"), {})


def test_the_tutorial_proves_its_game(tmp_path: Path) -> None:
    """Its scenarios hold, and its house rule fits its last ruleset."""
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    blocks = [block for _, block in FENCE.findall(text)]
    *_, game, scenarios, house_rule = blocks
    for name, block in (
        ("match.yaml", game),
        ("match.test.yaml", scenarios),
        ("long_match.yaml", house_rule),
    ):
        (tmp_path / name).write_text(block, encoding="utf-8")
    verdicts = list(run_file(tmp_path / "match.test.yaml"))
    assert [verdict.passed for verdict in verdicts] == [True] * 3
    assert check_file(tmp_path / "long_match.yaml") == []


def test_the_readme_counts_the_games() -> None:
    """The number it says is that of the shipped ones."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert int(re.findall(r"all (\d+) games", text)[0]) == len(shipped())


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
