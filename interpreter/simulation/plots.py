"""Plots as SVG, which a page holds as they are: no script, no font, no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10
from typing import Final

# So narrow that the letters can be read on a phone too.
_WIDTH: Final = 460
_LEFT: Final = 106
_RIGHT: Final = 58
_EDGE: Final = 14
_TOP: Final = 8
_ROW: Final = 26
_AXIS: Final = 26
_CHARACTERS: Final = 16
_BAR: Final = 8
_BAR_ROW: Final = 34
_MOST_CHARACTERS: Final = 52
_TICKS: Final = 5

Write = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with its interval, as one row of a plot; quiet ones are grey."""

    label: str
    value: float
    low: float
    high: float
    is_quiet: bool = False


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where numbers lie between two places."""

    low: float
    high: float
    start: float
    end: float

    def place(self, number: float) -> float:
        """Return the place of a number."""
        span = self.high - self.low or 1.0
        share = (number - self.low) / span
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Return round numbers from end to end, about as many as read well."""
        step = _round_step((self.high - self.low or 1.0) / _TICKS)
        first = floor(self.low / step)
        numbers = [n * step for n in range(first, first + 3 * _TICKS)]
        slack = step / 1e6
        return [n for n in numbers if self.low - slack <= n <= self.high + slack]


def draw_intervals(
    rows: Sequence[Interval], reference: float | None, write: Write, name: str
) -> str:
    """Draw numbers as dots on their intervals, beside a line for what is expected."""
    ends = [end for row in rows for end in (row.low, row.high)]
    ends += [] if reference is None else [reference]
    gap = (max(ends) - min(ends)) * 0.06 or 0.5
    scale = _across(min(ends) - gap, max(ends) + gap)
    height = _TOP + _ROW * len(rows)
    parts = list(_draw_grid(scale, height, write))
    if reference is not None:
        x = scale.place(reference)
        parts.append(_line(x, _TOP, x, height, "reference"))
    for number, row in enumerate(rows):
        y = _TOP + _ROW * number + _ROW / 2
        low, high = scale.place(row.low), scale.place(row.high)
        told = (
            f"{row.label}: {write(row.value)} ({write(row.low)} to {write(row.high)})"
        )
        kind = "quiet" if row.is_quiet else "loud"
        parts += [
            f'<g class="{kind}"><title>{escape(told)}</title>',
            _line(low, y, high, y, "interval"),
            *(_line(x, y - 4, x, y + 4, "interval") for x in (low, high)),
            f'<circle cx="{scale.place(row.value)}" cy="{y}" r="4.5"/></g>',
            _text(_LEFT - 10, y + 4, _cut(row.label), "end"),
            _text(_WIDTH - _RIGHT + 10, y + 4, write(row.value), "start"),
        ]
    return _frame(parts, height + _AXIS, name)


def draw_bars(rows: Sequence[tuple[str, float]], write: Write, name: str) -> str:
    """Draw numbers as bars, one below the other."""
    most = max((number for _, number in rows), default=0.0) or 1.0
    scale = _Scale(0.0, most, 0, _WIDTH)
    parts = []
    for number, (label, value) in enumerate(rows):
        y = _BAR_ROW * number
        width = max(scale.place(value), 1)
        parts += [
            f"<g><title>{escape(label)}: {escape(write(value))}</title>",
            _text(0, y + 14, _cut(label, _MOST_CHARACTERS), "start", "name"),
            _text(_WIDTH, y + 14, write(value), "end"),
            f'<rect class="bar" x="0" y="{y + 20}" width="{width:g}" '
            f'height="{_BAR}" rx="2"/></g>',
        ]
    return _frame(parts, _BAR_ROW * len(rows), name)


def draw_histogram(
    spans: Sequence[tuple[float, float, int]], name: str, height: int = 170
) -> str:
    """Draw how many numbers fell from where to where."""
    most = max((count for _, _, count in spans), default=1) or 1
    total = sum(count for _, _, count in spans) or 1
    step = spans[0][1] - spans[0][0]
    scale = _across(spans[0][0], spans[-1][1], _EDGE, _EDGE)
    up = _Scale(0, most, height, _TOP + 6)
    parts = list(_draw_grid(scale, height, lambda n: f"{n:,g}"))
    for low, high, count in spans:
        x, end = scale.place(low), scale.place(high)
        y = up.place(count)
        whole = step <= 1
        told = f"{low:g}" if whole else f"{low:g} to below {high:g}"
        parts.append(
            f"<g><title>{told}: {count:,} ({count / total:.1%})</title>"
            f'<rect class="bar" x="{x + 0.5:g}" y="{y:g}" '
            f'width="{max(end - x - 1, 0.8):.1f}" height="{height - y:.1f}"/></g>'
        )
    parts.append(_line(_EDGE, height, _WIDTH - _EDGE, height, "axis"))
    return _frame(parts, height + _AXIS, name)


def draw_curve(points: Sequence[tuple[float, float]], name: str) -> str:
    """Draw numbers that follow one another, from zero up."""
    height = 190
    scale = _across(points[0][0], points[-1][0], 34, _EDGE)
    up = _Scale(0, max(y for _, y in points) * 1.08 or 1, height, _TOP)
    parts = list(_draw_grid(scale, height, lambda n: f"{n:,g}"))
    for tick in up.ticks():
        y = up.place(tick)
        parts += [_line(34, y, _WIDTH - _EDGE, y, "grid")]
        parts += [_text(28, y + 4, f"{tick:g}", "end")]
    places = [(scale.place(x), up.place(y)) for x, y in points]
    path = " ".join(f"{x:g},{y:g}" for x, y in places)
    base = f"{places[-1][0]:g},{height} {places[0][0]:g},{height}"
    parts += [
        f'<polygon class="area" points="{path} {base}"/>',
        f'<polyline class="curve" points="{path}"/>',
    ]
    return _frame(parts, height + _AXIS, name)


def _across(low: float, high: float, left: int = _LEFT, right: int = _RIGHT) -> _Scale:
    return _Scale(low, high, left, _WIDTH - right)


def _draw_grid(scale: _Scale, height: float, write: Write) -> Iterator[str]:
    for tick in scale.ticks():
        x = scale.place(tick)
        yield _line(x, _TOP, x, height, "grid")
        yield _text(x, height + 17, write(tick), "middle")


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def _text(x: float, y: float, text: str, anchor: str, kind: str = "number") -> str:
    place = f'class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(text)}</text>"


def _frame(parts: Sequence[str], height: float, name: str) -> str:
    head = f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img"'
    return f'{head} aria-label="{escape(name)}">{"".join(parts)}</svg>'


def _cut(label: str, most: int = _CHARACTERS) -> str:
    """Return a label, shortened to what there is room for."""
    return label if len(label) <= most else label[: most - 1] + "…"


def _round_step(step: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least as large as a step."""
    power: float = 10.0 ** floor(log10(step))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= step * 0.999)
