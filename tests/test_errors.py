"""Problems print for editors, people and programs; errors carry them."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

import cardrun.interpreter
from cardrun.interpreter.sheets.explanations import CODES, explain
from cardrun.interpreter.text.errors import (
    CardrunError,
    GameFault,
    IllegalMove,
    Note,
    Problem,
    RulesError,
    closest,
    render_problems,
    sort_problems,
    suggest,
)
from cardrun.interpreter.text.source import Source

TEXT = "zones:\n  hand: {per: player}\nmoves:\n    from: hnad\n"


def make_problem(part: str = "hnad", path: str = "hearts.yaml") -> Problem:
    """Make a problem at the first place of a part."""
    source = Source(path, TEXT)
    start = TEXT.index(part)
    return Problem(
        "unknown-zone",
        f"unknown zone '{part}'",
        source.span(start, start + len(part)),
        suggest(part, ["hand", "deck"], "zones"),
        notes=(Note("zones are declared here", source.span(0, 5)),),
    )


def test_a_problem_prints_its_place_its_line_and_its_hint() -> None:
    """The first line is fixed for editors; a note is a second place."""
    assert make_problem().render().splitlines() == [
        "hearts.yaml:4:11: error: unknown zone 'hnad' [unknown-zone]",
        "   4 |     from: hnad",
        "     |           ^^^^",
        "   hint: did you mean 'hand'? Zones here: deck, hand.",
        "hearts.yaml:1:1: note: zones are declared here",
        "   1 | zones:",
        "     | ^^^^^",
    ]


def test_a_problem_gives_its_fields_to_programs() -> None:
    """The keys are a promise to scripts."""
    assert make_problem().as_json() == {
        "file": "hearts.yaml",
        "line": 4,
        "column": 11,
        "end_line": 4,
        "end_column": 15,
        "severity": "error",
        "code": "unknown-zone",
        "message": "unknown zone 'hnad'",
        "hint": "did you mean 'hand'? Zones here: deck, hand.",
    }


def test_problems_are_sorted_by_file_line_and_column() -> None:
    """The report reads from top to bottom, a file at a time."""
    later, earlier = make_problem(), make_problem("player")
    other = make_problem(path="a.yaml")
    assert sort_problems([later, earlier, other]) == [other, earlier, later]


def test_a_rules_error_reports_all_its_problems() -> None:
    """Its text is the whole report."""
    problems = [make_problem(), make_problem("player")]
    error = RulesError(problems)
    assert str(error) == render_problems(problems)
    assert error.problems == tuple(sort_problems(problems))


@pytest.mark.parametrize(
    "error",
    [
        CardrunError("it broke", [make_problem()]),
        RulesError([make_problem()]),
        IllegalMove("not now", "follow.lead", "you hold hearts"),
        GameFault("nobody can move", 7, [make_problem()]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_between_processes(error: CardrunError) -> None:
    """A worker's error arrives whole."""
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), vars(copy), str(copy)) == (type(error), vars(error), str(error))


def test_close_names_are_found_whatever_their_case() -> None:
    """The nearest comes first, as it is spelt."""
    assert closest("hnad", ["deck", "Hand", "hard"]) == ["Hand", "hard"]
    assert closest("HAND", ["hand"]) == ["hand"]
    assert closest("xyz", ["hand"]) == []


def test_a_hint_lists_what_there_is() -> None:
    """Without a near name the list stands alone."""
    assert suggest("xyz", ["hand", "deck"], "zones") == "Zones here: deck, hand."
    assert suggest("xyz", [], "zones") == "There are no zones here."
    assert suggest("xyz", map(str, range(100)), "zones").endswith(", ….")


def test_every_code_is_explained_in_four_parts() -> None:
    """A page has text in each part, and its code is kebab-case."""
    for code, page in CODES.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", code)
        assert all((page.finds, page.matters, page.example, page.instead))


def test_every_explained_code_is_raised_somewhere() -> None:
    """No page outlives its check."""
    folder = Path(cardrun.interpreter.__file__).parent
    files = [path for path in folder.rglob("*.py") if path.stem != "explanations"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert [code for code in CODES if f'"{code}"' not in text] == []


def test_every_raised_code_is_explained() -> None:
    """A code that stands first in a report or problem has its page."""
    folder = Path(cardrun.interpreter.__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    raised = re.findall(r'(?:report|Problem)\(\s*"([a-z0-9-]+)"', text)
    assert set(raised) - CODES.keys() == set()


def test_explain_prints_the_page() -> None:
    """The parts come in a fixed order."""
    titles = re.findall(r"^\S.*$", explain("duplicate-key"), re.MULTILINE)
    assert titles == [
        "duplicate-key",
        "What it finds",
        "Why it matters",
        "Example",
        "Instead",
    ]


def test_an_unknown_code_is_refused_with_the_nearest() -> None:
    """A typing error on the command line costs one more try."""
    with pytest.raises(CardrunError, match="did you mean 'duplicate-key'"):
        explain("duplicate-keys")
