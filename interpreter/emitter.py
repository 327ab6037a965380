"""Write Python source: lines, indentation and names of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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

    def line(self, text: str) -> None:
        """Add a line at the present indentation."""
        self.lines.append("    " * self.depth + text)

    def name(self, stem: str) -> str:
        """Return a name that nothing else in the function has."""
        self._counter[0] += 1
        return f"{stem}{self._counter[0]}"

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write a head such as ``if x:`` and indent what follows."""
        self.line(head)
        before = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

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
