"""Bring the text of a ruleset into its one form: spaces, not words.

Line breaks, quotes and comments stay the author's. Indentation, the spaces around
values, the columns of tables and comments, blank lines and the order of sections
are always the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ..text.errors import Problem
from ..text.reader import read
from ..text.schema import strip
from ..text.source import Source
from ..text.tree import Mapping, Node, Scalar, Sequence
from .loan import place_of_section

COMMENT_COLUMN: Final = 53
_GAP: Final = 4  # before a comment behind a long line
_VARIANT: Final = (
    *("cardrun", "extends", "name", "family", "about", "players"),
    *("conflicts_with", "options", "replace", "add", "remove"),
)
_MARKS: Final = ("cardrun", "extends", "library")  # one of them is in every ruleset
_ANCHOR: Final = re.compile(r"(^|[\s,\[{:])[&*]\w")
# Mappings whose keys are names that the author chose: their values stand in a column.
_TABLES: Final = frozenset(
    [
        *("options", "values", "zones", "state", "define", "rows", "moves", "steps"),
        *("scoring", "when", "pick", "suits", "first_of", "all_of"),
    ]
)
_TABLES_OF_TABLES: Final = ("rows", "define")


@dataclass
class _Line:
    """A line to be written: what stands before its comment, and the comment."""

    text: str
    comment: str = ""

    def render(self) -> str:
        """Return the line with its comment in the column of comments."""
        if not self.comment:
            return self.text.rstrip()
        if not self.text.strip():
            return f"{self.text}{self.comment}"
        width = len(self.text)
        column = COMMENT_COLUMN if width < COMMENT_COLUMN else width + _GAP
        return f"{self.text.ljust(column)}{self.comment}"


def format_text(source: Source) -> tuple[str, list[Problem]]:
    """Return the text of a ruleset in its one form, or what is wrong with it.

    A text that cannot be brought into that form without a change of meaning is
    returned as it is.
    """
    root, problems = read(source)
    if root is None or problems or not isinstance(root, Mapping):
        return source.text, problems
    if not any(root.get(key) for key in _MARKS):
        return source.text, [_report_other_file(root)]
    made = _Formatter(source).format(root)
    again, wrong = read(Source(source.path, made))
    is_same = again is not None and not wrong and _sort(again) == _sort(root)
    if not is_same or _list_comments(made) != _list_comments(source.text):
        return source.text, []
    return made, []


def _report_other_file(root: Mapping) -> Problem:
    message = "this is no ruleset, and stays as it is"
    hint = "A game or library says 'cardrun:', a house rule 'extends:'."
    return Problem("missing-key", message, root.span, hint)


def _sort(root: Node) -> object:
    """Return a tree as plain texts, whatever the order of its sections."""
    plain = strip(root)
    return sorted(plain.items()) if isinstance(plain, dict) else plain


def _list_comments(text: str) -> list[str]:
    """Return all that may be a comment, sorted."""
    return sorted(match[0].strip() for match in re.finditer(r"(?m)(^|\s)#.*$", text))


@dataclass
class _Formatter:
    """Writes the parts of one file, with what stands between them."""

    source: Source
    done: int = 0  # the last line that has been written
    ends: dict[int, int] = field(default_factory=dict)

    def format(self, root: Mapping) -> str:
        """Return the whole text."""
        blocks = self._list_sections(root)
        tail = list(self._between(self.source.text.count("\n") + 2, 0))
        is_variant = root.get("extends") is not None

        def place(block: tuple[str, list[_Line]]) -> int:
            if is_variant:
                known = block[0] in _VARIANT
                return _VARIANT.index(block[0]) if known else len(_VARIANT)
            return place_of_section(block[0])

        head = self._take_head(blocks)
        keys = [key for key, _ in blocks]
        if "library" not in keys and "use" not in keys:
            blocks.sort(key=place)
        lines = [line.render() for line in head]
        was_long = False
        for number, (_, block) in enumerate(blocks):
            is_long = sum(bool(line.text.strip()) for line in block) > 1
            while block and not block[0].text and not block[0].comment:
                block = block[1:]
                is_long = True
            if (is_long or was_long) and not is_variant and (number or head):
                lines.append("")
            was_long = sum(bool(line.text.strip()) for line in block) > 1
            lines += [line.render() for line in block]
        lines += [line.render() for line in tail]
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
        return text.strip("\n") + "\n"

    def _take_head(self, blocks: list[tuple[str, list[_Line]]]) -> list[_Line]:
        """Return the comments at the top of the file, and take them from there."""
        first = blocks[0][1]
        head = []
        while first and not first[0].text:
            head.append(first.pop(0))
        return head

    def _list_sections(self, root: Mapping) -> list[tuple[str, list[_Line]]]:
        blocks = []
        width = 0
        for key, value in root.entries:
            lines = list(self._entry(key, value, 0, width, ""))
            blocks.append((key.text, lines))
        return blocks

    # Lines between parts

    def _between(self, line: int, indent: int) -> Iterator[_Line]:
        """Return the comments and blank lines before a line."""
        for number in range(self.done + 1, line):
            text = self.source.line_text(number) if number <= self._last else ""
            words = text.strip()
            if words.startswith("#"):
                yield _Line(" " * indent, words)
            elif not words and number <= self._last:
                yield _Line("")
        self.done = max(self.done, line - 1)

    @property
    def _last(self) -> int:
        return self.source.text.count("\n") + 1

    def _comment_behind(self, line: int, end: int) -> str:
        """Return the comment that stands behind an offset, in its line."""
        rest = self.source.text[end:].split("\n", 1)[0]
        match = re.search(r"(?:^|\s)(#.*)$", rest)
        assert line <= self._last
        return match[1].rstrip() if match else ""

    # Parts

    def _mapping(self, node: Mapping, indent: int, under: str) -> Iterator[_Line]:
        width = 0
        if under in _TABLES:
            heads = [
                len(key.span.text) + 1
                for key, value in node.entries
                if self._is_inline(key, value)
            ]
            width = max(heads, default=0)
        for key, value in node.entries:
            yield from self._entry(key, value, indent, width, under)

    def _is_inline(self, key: Scalar, value: Node) -> bool:
        """Return whether a value stands behind its key, in one line."""
        raw = self._raw(key)
        return bool(raw) and raw[0] not in "|>" and not self._is_long(key, value)

    def _is_long(self, key: Scalar, value: Node) -> bool:
        is_here = value.span.source == self.source and value.span.start > key.span.end
        return is_here and value.span.end_line > key.span.line

    def _raw(self, key: Scalar) -> str:
        """Return what stands behind a key in its line, without a comment."""
        rest = self.source.text[key.span.end :].split("\n", 1)[0]
        rest = rest.lstrip().removeprefix(":")
        if re.match(r"\s*#", rest):
            return ""
        return rest.strip()

    def _entry(
        self, key: Scalar, value: Node, indent: int, width: int, under: str
    ) -> Iterator[_Line]:
        yield from self._between(key.span.line, indent)
        yield from self._value(key, value, (" " * indent, indent), width, under)

    def _value(
        self,
        key: Scalar,
        value: Node,
        margin: tuple[str, int],
        width: int,
        under: str,
    ) -> Iterator[_Line]:
        """Write a key and its value behind a margin that ends at an indent."""
        before, indent = margin
        head = f"{before}{key.span.text}:"
        raw = self._raw(key)
        line = key.span.line
        self.done = max(self.done, line)
        if self._is_inline(key, value):
            text, end = self._inline(value, raw, key)
            pad = f"{key.span.text}:".ljust(width)
            shown = f"{before}{pad} {text}" if text else head
            yield _Line(shown, self._comment_behind(line, end))
        elif raw:
            yield from self._raw_lines(key, value, margin)
        else:
            colon = self.source.text.index(":", key.span.end)
            yield _Line(head, self._comment_behind(line, colon + 1))
            inner = under if under in _TABLES_OF_TABLES else key.text
            yield from self._block(
                value, indent + 2, self._name_table(key, inner, under)
            )

    def _name_table(self, key: Scalar, inner: str, under: str) -> str:
        """Return what the mapping below a key is a table of, if it is one."""
        if under in _TABLES_OF_TABLES:
            return "first_of"
        return key.text if key.text in _TABLES else inner if inner in _TABLES else ""

    def _block(self, value: Node, indent: int, under: str) -> Iterator[_Line]:
        if isinstance(value, Mapping) and value.entries:
            yield from self._mapping(value, indent, under)
        elif isinstance(value, Sequence) and value.items:
            for item in value.items:
                yield from self._item(item, indent)
        elif value.span.text:
            yield from self._shift(value.span.line, value.span.end_line, indent)

    def _item(self, item: Node, indent: int) -> Iterator[_Line]:
        line = item.span.line
        yield from self._between(line, indent)
        dash = " " * indent + "- "
        is_flow = item.span.text[:1] in ("{", "[")
        if isinstance(item, Mapping) and not is_flow:
            (key, value), *rest = item.entries
            self.done = line
            yield from self._value(key, value, (dash, indent + 2), 0, "")
            for key, value in rest:
                yield from self._entry(key, value, indent + 2, 0, "")
        elif item.span.end_line == line:
            self.done = line
            text = self._flow(item)
            yield _Line(dash + text, self._comment_behind(line, item.span.end))
        else:
            yield from self._shift(line, item.span.end_line, indent)

    def _inline(self, value: Node, raw: str, key: Scalar) -> tuple[str, int]:
        """Return a value in one line, and where it ends in the file."""
        start = self.source.text.index(raw, key.span.end)
        if raw[0] in "&*!" or value.span.source != self.source:
            words = re.split(r"\s#", raw)[0].rstrip()
            return words, start + len(words)
        if not value.span.text:
            return "", key.span.end + 1
        return self._flow(value), value.span.end

    def _flow(self, node: Node) -> str:
        """Return a node of one line with the usual spaces."""
        text = node.span.text
        if isinstance(node, Scalar) or "\n" in text or _ANCHOR.search(text):
            return text
        if isinstance(node, Sequence):
            return f"[{', '.join(map(self._flow_item, node.items))}]"
        parts = (
            f"{key.span.text}: {self._flow(value)}".rstrip()
            for key, value in node.entries
        )
        return f"{{{', '.join(parts)}}}"

    def _flow_item(self, node: Node) -> str:
        """Return an item of a list, which may be a mapping without braces."""
        if isinstance(node, Mapping) and not node.span.text.startswith("{"):
            return self._flow(node)[1:-1]
        return self._flow(node)

    # What is kept as it is

    def _raw_lines(
        self, key: Scalar, value: Node, margin: tuple[str, int]
    ) -> Iterator[_Line]:
        """Write a value of several lines as it stands, moved with its key."""
        before, indent = margin
        raw = self._raw(key)
        line, last = key.span.line, max(key.span.line, value.span.end_line)
        if value.span.end_column == 1:
            last -= 1
        yield _Line(f"{before}{key.span.text}: {raw}")
        yield from self._shift(line + 1, last, indent, key.span.column - 1)

    def _shift(
        self, first: int, last: int, indent: int, old: int | None = None
    ) -> Iterator[_Line]:
        """Write lines as they stand, moved to another indent."""
        start = self.source.line_text(first) if first <= self._last else ""
        old = len(start) - len(start.lstrip()) if old is None else old
        for number in range(first, last + 1):
            text = self.source.line_text(number)
            gap = len(text) - len(text.lstrip())
            yield _Line(" " * max(0, gap + indent - old) + text.strip())
        self.done = max(self.done, last)
