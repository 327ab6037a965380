"""Write Python source: lines, indentation and names of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

_OWN_NAME: Final = re.compile(r"\b[a-z](\d+)\b")


@dataclass
class _Region:
    """Where a region of lines begins, and the last name that was there before."""

    lines: list[str]
    start: int
    depth: int
    names: int


class Emitter:
    """Collects the lines of a function or block.

    Temporary names come from a counter that all emitters of one function share,
    so that lines can be written apart and joined.
    """

    def __init__(self, counter: list[int] | None = None) -> None:
        """Start without lines; a shared counter continues its names."""
        self.lines: list[str] = []
        self.depth = 0
        self._counter = counter if counter is not None else [0]
        self._regions: list[_Region] = []

    def line(self, text: str) -> None:
        """Add a line at the present indentation."""
        self.lines.append("    " * self.depth + text)

    def name(self, stem: str) -> str:
        """Return a name that nothing else in the function has."""
        self._counter[0] += 1
        return f"{stem}{self._counter[0]}"

    @property
    def names(self) -> int:
        """Return how many names there are."""
        return self._counter[0]

    def rename(self, texts: list[str], names: int) -> list[str]:
        """Give names of their own to texts written when there were so many names."""
        renamed: dict[str, str] = {}

        def change(match: re.Match[str]) -> str:
            if int(match[1]) <= names:
                return match[0]
            if match[0] not in renamed:
                renamed[match[0]] = self.name(match[0].rstrip("0123456789"))
            return renamed[match[0]]

        return [_OWN_NAME.sub(change, text) for text in texts]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a head such as ``if x:`` and indent what follows."""
        self.line(head)
        before = len(self.lines)
        self.depth += 1
        yield
        if all(line.lstrip().startswith("#") for line in self.lines[before:]):
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def region(self) -> Iterator[None]:
        """Begin what a test inside may be put around, if it depends on nothing here."""
        depth, names = self.depth, self._counter[0]
        self._regions.append(_Region(self.lines, len(self.lines), depth, names))
        yield
        self._regions.pop()
        self.depth = depth

    @contextmanager
    def test(self, code: str) -> Iterator[None]:
        """Write a test around what follows, before the region if it can be there."""
        region = self._regions[-1] if self._regions else None
        if region is None or region.lines is not self.lines:
            is_early = False
        else:
            is_early = newest_name([code]) <= region.names
        if not is_early or region is None:
            with self.block(f"if {code}:"):
                yield
            return
        inside = ["    " + line for line in self.lines[region.start :]]
        head = "    " * region.depth + f"if {code}:"
        self.lines[region.start :] = [head, *inside]
        region.start += 1
        region.depth += 1
        # The region's end takes the indentation back.
        self.depth += 1
        yield

    @contextmanager
    def apart(self) -> Iterator[list[str]]:
        """Collect lines into a list of their own instead."""
        lines, self.lines = self.lines, []
        depth, self.depth = self.depth, 0
        collected = self.lines
        try:
            yield collected
        finally:
            self.lines, self.depth = lines, depth

    def add(self, lines: list[str]) -> None:
        """Add lines that were collected apart, at the present indentation."""
        for line in lines:
            self.line(line)


def newest_name(codes: Iterable[str]) -> int:
    """Return the number of the newest name that an emitter gave in some codes."""
    numbers = (number for code in codes for number in _OWN_NAME.findall(code))
    return max(map(int, numbers), default=0)
