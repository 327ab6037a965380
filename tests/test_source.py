"""Places are counted as editors count them, and lines quote back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardrun.interpreter.text.source import Source


def quote(text: str, part: str) -> list[str]:
    """Quote the first place of a part in a text."""
    start = text.index(part)
    return Source("x.yaml", text).span(start, start + len(part)).quote()


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_lines_end_at_every_kind_of_line_break(line_break: str) -> None:
    """Unix, Windows and old Mac files count alike."""
    text = line_break.join(["name: Spit", "deck: french", ""])
    span = Source("x.yaml", text).span(text.index("french"), text.index("french") + 6)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 7, 2, 13)
    assert span.source.line_text(2) == "deck: french"


def test_a_byte_order_mark_takes_no_column() -> None:
    """The first key of a file from Windows stands in column 1."""
    span = Source("x.yaml", "\ufeffname: Spit").span(1, 5)
    assert (span.line, span.column, span.text) == (1, 1, "name")
    assert span.quote() == ["   1 | name: Spit", "     | ^^^^"]


def test_the_quoted_line_has_carets_under_the_place() -> None:
    """The gutter is as wide as the number."""
    text = "\n" * 40 + "    from: hnad"
    assert quote(text, "hnad") == [
        "   41 |     from: hnad",
        "      |           ^^^^",
    ]


def test_a_place_on_several_lines_is_marked_on_the_first() -> None:
    """Carets stop at the end of the first line."""
    assert quote("a: b c\n  d\n", "c\n  d") == ["   1 | a: b c", "     |      ^"]


def test_carets_keep_tabs_and_reckon_with_wide_characters() -> None:
    """The caret stands under its character on a terminal."""
    assert quote("\tx: 日本 é", "é") == ["   1 | \tx: 日本 é", "     | \t        ^"]


def test_a_blank_line_is_not_quoted() -> None:
    """There is nothing to see on it."""
    assert Source("x.yaml", "a:\n\n").span(3, 3).quote() == []


def test_control_characters_are_not_sent_to_the_terminal() -> None:
    """A hostile file cannot move the cursor of whoever checks it."""
    assert quote("a: \x1b[2J", "a")[0] == "   1 | a: \N{REPLACEMENT CHARACTER}[2J"


def test_a_very_long_line_is_cut_around_the_place() -> None:
    """A file of one line does not fill the screen."""
    line, carets = quote("x" * 5000 + "hnad" + "y" * 5000, "hnad")
    assert len(line) < 200
    assert line[carets.index("^") : carets.rindex("^") + 1] == "hnad"


def test_spans_join() -> None:
    """The place from one part to another holds both."""
    source = Source("x.yaml", "a + b")
    assert source.span(0, 1).to(source.span(4, 5)).text == "a + b"


@given(
    st.text(alphabet=st.sampled_from("ab\n\r\t\ufeff\x00é日"), max_size=40), st.data()
)
def test_every_place_has_a_line_and_a_column(text: str, data: st.DataObject) -> None:
    """The character at a line and column is the character at the offset."""
    start = data.draw(st.integers(0, len(text)))
    span = Source("x.yaml", text).span(start, data.draw(st.integers(start, len(text))))
    span.quote()
    line = span.source.line_text(span.line)
    at = text[start : start + 1]
    if at not in ("", "\n", "\r", "\ufeff"):
        assert line[span.column - 1] == at
