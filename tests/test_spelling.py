"""Names are lower-case words, and nothing that only looks like them."""

from __future__ import annotations

import pytest

from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.spelling import check_name, check_signature, is_name
from cardrun.interpreter.text.tree import Scalar


def make_scalar(text: str) -> Scalar:
    """Make a scalar that is a whole file."""
    return Scalar(text, Source("x.yaml", text).span(0, len(text)))


@pytest.mark.parametrize("text", ["hand", "first_of_2", "a", "x" * 40, "deck", "order"])
def test_lower_case_words_are_names(text: str) -> None:
    """A sound name has no problem."""
    assert is_name(text)
    assert list(check_name(make_scalar(text))) == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Draw Pile", "such as 'draw_pile'"),
        ("2nd", "joined by _."),
        ("_hand", "such as 'hand'"),
        ("x" * 41, "Shorten it."),
        ("from", "Choose another name."),
        ("hand\n", "such as 'hand'"),
        ("h\N{CYRILLIC SMALL LETTER A}nd", "This is CYRILLIC SMALL LETTER A;"),
        ("\N{FULLWIDTH LATIN SMALL LETTER H}and", "FULLWIDTH LATIN SMALL LETTER H"),
        ("st\N{LATIN SMALL LETTER DOTLESS I}ck", "LATIN SMALL LETTER DOTLESS I"),
        ("hand\N{ARABIC-INDIC DIGIT TWO}", "ARABIC-INDIC DIGIT TWO"),
        ("hand\N{ZERO WIDTH SPACE}", "such as 'hand'"),
    ],
)
def test_anything_else_is_refused_once(text: str, hint: str) -> None:
    """A bad name has one problem, with a way out."""
    (problem,) = check_name(make_scalar(text))
    assert problem.code == "bad-name"
    assert hint in problem.hint


def test_the_letter_at_fault_is_marked() -> None:
    """The place is the look-alike, not the whole name."""
    (problem,) = check_name(make_scalar("h\N{CYRILLIC SMALL LETTER A}nd"))
    assert (problem.span.start, problem.span.end) == (1, 2)


def test_each_part_of_a_signature_is_a_name() -> None:
    """The parameters are judged one by one."""
    problems = list(check_signature(make_scalar("out(Player, it, c)")))
    assert [problem.span.text for problem in problems] == ["Player", "it"]
