"""What many games show, as a page to be looked at and handed on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from ..version import __version__
from .plots import Interval, draw_bars, draw_curve, draw_histogram, draw_intervals
from .summary import (
    PARTS,
    Comparison,
    Difference,
    Summary,
    describe_spread,
    show_option,
)

_MOST_BARS: Final = 16
_MOST_BINS: Final = 48
_BINS_OF_SCORES: Final = 40
_STYLE: Final = """\
:root { --ink: #1d2430; --soft: #5b6577; --line: #d9dee7; --paper: #fff;
  --back: #f4f6f9; --main: #2563a8; --mark: #b4552d; --fill: #2563a822; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf1; --soft: #9aa5b8;
  --line: #333c4b; --paper: #1a202b; --back: #12161e; --main: #6fa8e8;
  --mark: #e59468; --fill: #6fa8e833; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; margin: 0; line-height: 1.2; }
h2 { font-size: 1.35rem; margin: 3rem 0 1rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
p { margin: .25rem 0 .75rem; color: var(--soft); max-width: 70ch; }
ul.options { list-style: none; padding: 0; margin: .75rem 0; display: flex;
  flex-wrap: wrap; gap: .4rem; }
ul.options li { border: 1px solid var(--line); border-radius: 1rem;
  padding: .05rem .7rem; font-size: .85rem; background: var(--paper); }
.figures { display: grid; gap: .75rem; margin: 1.25rem 0;
  grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); }
.figures div, section.plot { background: var(--paper); border: 1px solid var(--line);
  border-radius: .6rem; padding: 1rem 1.1rem; }
.figures b { display: block; font-size: 1.45rem; line-height: 1.25;
  font-variant-numeric: tabular-nums; }
.figures span { font-size: .85rem; color: var(--soft); }
.plots { columns: 2 430px; column-gap: 1rem; }
section.plot { break-inside: avoid; margin-bottom: 1rem; overflow-wrap: anywhere; }
section.plot p { font-size: .88rem; }
svg { width: 100%; max-width: 600px; height: auto; display: block; }
svg text { fill: var(--soft); font: 12px system-ui, sans-serif; }
svg text.name { fill: var(--ink); }
h1, h2, p { overflow-wrap: anywhere; }
.grid { stroke: var(--line); } .axis { stroke: var(--soft); }
.reference { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 5 4; }
.interval { stroke-width: 2; } .loud .interval { stroke: var(--main); }
.loud circle { fill: var(--main); } .quiet .interval { stroke: var(--soft); }
.quiet circle { fill: var(--soft); } .bar { fill: var(--main); opacity: .85; }
.bar:hover { opacity: 1; } .area { fill: var(--fill); }
.curve { fill: none; stroke: var(--main); stroke-width: 2; }
table { border-collapse: collapse; width: 100%; font-size: .9rem;
  font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0;
  border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; }
footer { margin-top: 3rem; font-size: .85rem; color: var(--soft); }
@media (max-width: 560px) { main { padding: 1.25rem .75rem 2.5rem; }
  .figures { grid-template-columns: repeat(3, 1fr); gap: .5rem; }
  .figures div, section.plot { padding: .7rem .75rem; }
  .figures b { font-size: 1.15rem; } .figures span { font-size: .75rem; }
  h1 { font-size: 1.6rem; } h2 { margin-top: 2rem; } table { font-size: .8rem; } }
@media print { body { background: none; } section.plot { break-inside: avoid; } }
"""


def write_report(shown: Summary | Comparison) -> str:
    """Return the page: one file, which needs nothing else."""
    if isinstance(shown, Summary):
        title, body = shown.game.name, list(_write_summary(shown, 1))
        batch = shown.batch
    else:
        names = dict.fromkeys(summary.game.name for summary in shown.summaries)
        title, body = ", ".join(names), list(_write_comparison(shown))
        batch = shown.summaries[0].batch
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}: many games</title>",
            f"<style>\n{_STYLE}</style></head><body><main>",
            *body,
            f"<footer>Played by cardrun {__version__} from seed {batch.seed}: the same "
            "seed gives the same numbers. Intervals are of 95 %.</footer>",
            "</main></body></html>\n",
        ]
    )


def _write_comparison(shown: Comparison) -> Iterator[str]:
    """Write what is different first, then each run by itself."""
    names = dict.fromkeys(summary.game.name for summary in shown.summaries)
    first = shown.summaries[0]
    yield f"<h1>{escape(', '.join(names))}: {len(shown.summaries)} side by side</h1>"
    yield (
        f"<p>{first.games:,} games of each, on the same deals. A difference is of two "
        "games from one deal, averaged; where its interval leaves zero out, it is "
        "hardly chance, and its dot is coloured.</p>"
    )
    for index in range(1, len(shown.summaries)):
        other = shown.summaries[index]
        yield f"<h2>{escape(other.label)}, compared with {escape(first.label)}</h2>"
        yield f"<p>{escape(' '.join(shown.say_differences(index)))}</p>"
        yield '<div class="plots">'
        yield from _draw_differences(shown.differences(index))
        yield "</div>"
    for summary in shown.summaries:
        yield f"<h2>{escape(summary.label)}</h2>"
        yield from _write_summary(summary, 2)


def _draw_differences(differences: Sequence[Difference]) -> Iterator[str]:
    kinds = {
        "Decisions a game": [d for d in differences if d.name == "decisions"],
        "Wins": [d for d in differences if d.name.endswith("wins")],
        "Scores": [d for d in differences if d.name.endswith("score")],
    }
    for title, found in kinds.items():
        if not found:
            continue
        rows = [
            Interval(d.name, d.mean, d.mean - d.error, d.mean + d.error, not d.is_clear)
            for d in found
            if d.is_known
        ]
        if not rows:
            continue

        def write(number: float, is_share: bool = title == "Wins") -> str:
            return f"{number:+.1%}" if is_share else f"{number:+,.4g}"

        yield from _plot(
            f"{title}: the difference",
            "; ".join(
                f"{d.name} {_plain(d.first, title)} and {_plain(d.other, title)}"
                for d in found
            ),
            draw_intervals(rows, 0.0, write, title),
        )


def _plain(number: float, title: str) -> str:
    return f"{number:.1%}" if title == "Wins" else f"{number:,.2f}"


def _write_summary(summary: Summary, level: int) -> Iterator[str]:
    if level == 1:
        yield f"<h1>{escape(summary.game.name)}</h1>"
        yield f"<p>{escape(summary.game.about)}</p>"
    bots = ", ".join(dict.fromkeys(summary.batch.bots))
    chosen = [
        f"{summary.batch.players} players",
        *(f"{name}: {show_option(value)}" for name, value in summary.batch.options),
        f"played by: {bots}",
        *(f"{name}: {value}" for name, value in summary.conditions),
    ]
    items = "".join(f"<li>{escape(text)}</li>" for text in chosen)
    yield f'<ul class="options">{items}</ul>'
    yield from _write_figures(summary)
    yield '<div class="plots">'
    yield from _draw_wins(summary)
    yield from _draw_lengths(summary)
    yield from _draw_scores(summary)
    yield from _draw_openings(summary)
    yield from _draw_uses(summary)
    yield from _write_examples(summary)
    yield "</div>"


def _write_figures(summary: Summary) -> Iterator[str]:
    totals = summary.totals
    figures = [
        (f"{summary.games:,}", "games"),
        (f"{totals.decisions.mean:,.1f}", "decisions a game"),
        (
            f"{totals.branching / max(totals.decisions.total, 1):.2f}",
            "legal moves each",
        ),
        (f"{totals.leads.mean:.2f}", "lead changes a game"),
        (f"{totals.ties / max(totals.finished, 1):.1%}", "shared wins"),
        (f"{totals.unfinished / max(summary.games, 1):.1%}", "unfinished"),
    ]
    cells = "".join(
        f"<div><b>{number}</b><span>{of}</span></div>" for number, of in figures
    )
    yield f'<div class="figures">{cells}</div>'


def _plot(title: str, about: str, drawing: str) -> Iterator[str]:
    yield f'<section class="plot"><h3>{escape(title)}</h3><p>{escape(about)}</p>'
    yield f"{drawing}</section>"


def _draw_wins(summary: Summary) -> Iterator[str]:
    if not summary.totals.finished:
        return
    rows = []
    fair = 1 / len(summary.game.teams)
    for seat, bot in enumerate(summary.batch.bots, 1):
        share, low, high = summary.wins(seat)
        rows.append(
            Interval(f"seat {seat}, {bot}", share, low, high, low < fair < high)
        )
    yield from _plot(
        "Who wins",
        "The share of games that each seat wins, with its interval; the broken line is "
        "an even share, and seats that may well have it are grey."
        + " ".join(["", *summary.say_wins()]),
        draw_intervals(rows, fair, lambda n: f"{n:.1%}", "Win share by seat"),
    )


def _draw_lengths(summary: Summary) -> Iterator[str]:
    totals = summary.totals
    spans = totals.lengths.spans(_MOST_BINS)
    if len(spans) < 2:
        return
    yield from _plot(
        "How long games are",
        f"Decisions: {describe_spread(totals.decisions)}.",
        draw_histogram(_open(spans, 1), "Decisions in a game"),
    )


def _draw_scores(summary: Summary) -> Iterator[str]:
    if not summary.has_scores:
        return
    unit = summary.game.unit
    drawings = []
    for seat, totals in enumerate(summary.totals.seats, 1):
        spans = totals.histogram.spans(_BINS_OF_SCORES)
        if len(spans) > 1:
            scores = summary.scores(seat)
            about = f"mean {scores.mean:.2f}, sd {scores.deviation:.2f}"
            drawings.append(f"<p>Seat {seat}: {about}</p>")
            drawings.append(draw_histogram(_open(spans, unit), f"Seat {seat}", 80))
    if drawings:
        best = "Fewest" if summary.game.low_wins else "Most"
        yield from _plot("Scores", f"{best} points win.", "".join(drawings))


def _open(
    spans: Sequence[tuple[int, int, int]], unit: int
) -> list[tuple[float, float, int]]:
    """Return bins from where to below where, in ones."""
    return [(low / unit, (high + 1) / unit, count) for low, high, count in spans]


def _draw_openings(summary: Summary) -> Iterator[str]:
    points = [(n, moves) for n, (_, moves) in enumerate(summary.openings, 1)]
    if len(points) > 2:
        yield from _plot(
            "How much there is to choose from",
            "Legal moves at each decision from the start, in games that came to it.",
            draw_curve(points, "Legal moves by decision"),
        )


def _draw_uses(summary: Summary) -> Iterator[str]:
    named = {
        "Moves": ("How often each is made, a game.", summary.moves),
        "What scores": (
            "How often each scoring line counts, a game.",
            summary.parts("scoring line"),
        ),
        "Rules in force": (
            "How often each row decides what is legal, a game.",
            summary.parts("row"),
        ),
    }
    assert len(named) == 1 + len(PARTS)
    for title, (about, uses) in named.items():
        rows = [(use.name, use.times / max(summary.games, 1)) for use in uses]
        if rows:
            rest = len(rows) - _MOST_BARS
            more = f" {rest} more are left out." if rest > 0 else ""
            drawing = draw_bars(rows[:_MOST_BARS], _write_rate, title)
            yield from _plot(title, about + more, drawing)


def _write_rate(number: float) -> str:
    return f"{number:,.2f}" if number >= 0.1 or not number else f"{number:.2g}"


def _write_examples(summary: Summary) -> Iterator[str]:
    rows = []
    for name, found, measure in summary.examples:
        rows += [
            f"<tr><td>{name}</td>"
            f'<td class="number">{summary.measure(example, measure):g} '
            f'{measure}</td><td class="number">{example.seed}</td></tr>'
            for example in found
        ]
    if rows:
        head = (
            '<tr><th></th><th class="number">by</th><th class="number">seed</th></tr>'
        )
        about = "Their seeds deal them again: cardrun play … --seed SEED."
        yield from _plot(
            "Games to look at", about, f"<table>{head}{''.join(rows)}</table>"
        )
