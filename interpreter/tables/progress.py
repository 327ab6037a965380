"""A line on standard error that says how far a long task is."""

from __future__ import annotations

import sys
import time
from types import TracebackType

import click

_FIRST_AFTER = 1.0
_EVERY = 0.1


class Progress:
    """Counts up to a total; shows itself after a second, on a terminal only."""

    def __init__(self, total: int | None, noun: str = "games") -> None:
        """Be ready to count, up to a total if there is one; time runs from ``with``."""
        self._total = total
        self._noun = noun
        self._done = 0
        self._shown = 0.0

    def __enter__(self) -> Progress:
        """Start the time."""
        self._start = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wipe the line."""
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)

    @property
    def seconds(self) -> float:
        """The time since the start."""
        return time.perf_counter() - self._start

    def set_total(self, total: int) -> None:
        """Say how much there is, where that was not known before."""
        self._total = total

    def advance(self, count: int) -> None:
        """Count on, and show how far that is."""
        self._done += count
        now = self.seconds
        if now < _FIRST_AFTER or now < self._shown + _EVERY or not _is_shown():
            return
        self._shown = now
        line = f"{self._done} {self._noun}"
        if self._total is not None:
            left = (self._total - self._done) * now / self._done
            line = f"{self._done} of {self._total} {self._noun}, {left:.0f} s left"
        click.echo(f"\r{line}\x1b[K", nl=False, err=True, color=True)


def _is_shown() -> bool:
    return sys.stderr.isatty()
