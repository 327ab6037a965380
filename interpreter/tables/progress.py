"""A line on standard error that says how far a long task is."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

import click

_FIRST_AFTER = 1.0
_EVERY = 0.1
_USUAL_WIDTH = 80
_WIDEST_BAR = 30
_LEAST_BAR = 8


class Progress:
    """Counts up to a total; shows itself after a second, on a terminal only."""

    def __init__(self, total: int | None, noun: str = "games") -> None:
        """Be ready to count, up to a total if there is one; time runs from ``with``."""
        self._total = total
        self._noun = noun
        self._done = 0
        self._before = 0
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

    def begin_with(self, count: int) -> None:
        """Say how much was done before, in no time."""
        self._done = self._before = count

    def advance(self, count: int) -> None:
        """Count on, and show how far that is."""
        self._done += count
        now = self.seconds
        if now < _FIRST_AFTER or now < self._shown + _EVERY or not _is_shown():
            return
        self._shown = now
        told = tell_progress(
            self._done, self._total, self._noun, now / max(self._done - self._before, 1)
        )
        line = fit_line(*told, _measure_terminal())
        click.echo(f"\r{line}\x1b[K", nl=False, err=True, color=True)


def tell_progress(
    done: int, total: int | None, noun: str, seconds: float
) -> tuple[str, float | None]:
    """Return in words how far it is, where one takes so many seconds, and the share."""
    if total is None:
        return f"{done} {noun}", None
    left = _tell_time(max(total - done, 0) * seconds)
    return f"{done} of {total} {noun}, {left} left", min(done / total, 1.0)


def fit_line(told: str, share: float | None, width: int) -> str:
    """Return a line that is no wider than it may be, with a bar if there is room."""
    room = min(width - len(told) - 4, _WIDEST_BAR)
    if share is None or room < _LEAST_BAR:
        return told[: width - 1]
    full = int(share * room)
    return f"[{'#' * full}{'.' * (room - full)}] {told}"


def _tell_time(seconds: float) -> str:
    """Return a time in the unit that reads best."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def _measure_terminal() -> int:
    """Return how wide the terminal of standard error is."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _USUAL_WIDTH
    except (OSError, ValueError):
        return _USUAL_WIDTH


def _is_shown() -> bool:
    return sys.stderr.isatty()
