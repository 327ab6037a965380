"""A file's text, places in it, and the quoted line with carets."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

BYTE_ORDER_MARK = "\ufeff"
_WIDEST_QUOTE = 160
# Letters of some scripts are joined or kept apart by these.
_JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Source:
    """A text and the path it is known by; libraries are marked as such."""

    path: str
    text: str = field(repr=False)
    is_library: bool = False

    def line_of(self, offset: int) -> int:
        """Return the 1-based line that holds the character at an offset."""
        return bisect_right(_find_line_starts(self.text), offset)

    def column_of(self, offset: int) -> int:
        """Return the 1-based column of an offset; a byte order mark has none."""
        return max(offset - self._start_of_line(self.line_of(offset)), 0) + 1

    def line_text(self, line: int) -> str:
        """Return a line, counted from 1, without its line break."""
        starts = _find_line_starts(self.text)
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[self._start_of_line(line) : end].rstrip("\r\n")

    def span(self, start: int, end: int) -> Span:
        """Return a place in this text."""
        return Span(self, start, end)

    def _start_of_line(self, line: int) -> int:
        start = _find_line_starts(self.text)[line - 1]
        return start + self.text.startswith(BYTE_ORDER_MARK, start, start + 1)


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source: character offsets, the end not included."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """The 1-based line on which the place begins."""
        return self.source.line_of(self.start)

    @property
    def column(self) -> int:
        """The 1-based column at which the place begins."""
        return self.source.column_of(self.start)

    @property
    def end_line(self) -> int:
        """The 1-based line on which the place ends."""
        return self.source.line_of(self.end)

    @property
    def end_column(self) -> int:
        """The 1-based column just after the place."""
        return self.source.column_of(self.end)

    @property
    def text(self) -> str:
        """The characters at the place."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """Return the place from the start of this one to the end of another."""
        return Span(self.source, self.start, max(other.end, self.start))

    def quote(self) -> list[str]:
        """Return the line and its carets behind a gutter, or nothing if blank."""
        line = self.source.line_text(self.line)
        if not line.strip():
            return []
        first = min(self.column - 1, len(line))
        last = self.end_column - 1 if self.end_line == self.line else len(line)
        last = max(min(last, len(line)), first)
        marked = line[first:last].rstrip()
        before, marked, after = _clip(line[:first], marked, line[first + len(marked) :])
        number = str(self.line)
        carets = "^" * max(_measure(marked), 1)
        return [
            f"   {number} | {show(before + marked + after)}",
            f"   {' ' * len(number)} | {_blank(before)}{carets}",
        ]


@lru_cache(maxsize=64)
def _find_line_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    for line in text.replace("\r\n", " \n").replace("\r", "\n").split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return tuple(starts[:-1])


def _clip(before: str, marked: str, after: str) -> tuple[str, str, str]:
    """Cut a very long line down to what stands around the marked part."""
    if len(before) + len(marked) + len(after) <= _WIDEST_QUOTE:
        return before, marked, after
    third = _WIDEST_QUOTE // 3
    if len(before) > third:
        before = "…" + before[-third:]
    marked = marked[:third]
    if len(after) > third:
        after = after[:third] + "…"
    return before, marked, after


def show(line: str) -> str:
    """Replace what a terminal would obey instead of print."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if _is_control(character) else character
        for character in line
    )


def _is_control(character: str) -> bool:
    is_plain = character == "\t" or character in _JOINERS
    return not is_plain and unicodedata.category(character) in ("Cc", "Cf", "Cs")


def _blank(text: str) -> str:
    """Return white space as wide as a text, its tabs kept."""
    return "".join("\t" if char == "\t" else " " * _measure(char) for char in text)


def _measure(text: str) -> int:
    """Count the terminal columns of a text."""
    return sum(map(_measure_character, text))


def _measure_character(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
