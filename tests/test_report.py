"""The page of a run holds what it shows, and needs nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from cardrun.interpreter.simulation.crew import Crew
from cardrun.interpreter.simulation.plots import (
    Interval,
    draw_histogram,
    draw_intervals,
)
from cardrun.interpreter.simulation.report import write_report
from cardrun.interpreter.simulation.simulate import Batch, load_batch, simulate
from cardrun.interpreter.simulation.summary import summarise

# Tags that are never closed.
OPEN = {"meta"}


class Reader(HTMLParser):
    """Follows what is open, and reads the words."""

    def __init__(self) -> None:
        """Begin outside of everything."""
        super().__init__()
        self.open: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a tag."""
        if tag not in OPEN:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the one that was opened last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Read on."""
        self.words += data


def make_page(names: list[str], seats: int = 2) -> str:
    """Play some games of rulesets side by side and write their page."""
    batches = [Batch(name, seats, (), ("random",) * seats, 1) for name in names]
    runs = [(batch.path, load_batch(batch), batch) for batch in batches]
    *_, outcome = simulate(batches, 40, Crew())
    return write_report(summarise(runs, outcome, 1.0, "python"))


@pytest.fixture(scope="module")
def page() -> str:
    """Write the page of Cribbage."""
    return make_page(["cribbage"])


def test_the_page_is_whole(page: str) -> None:
    """Every tag is closed in turn."""
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    for heading in ("Who wins", "Scores", "Moves", "What scores", "Games to look at"):
        assert heading in reader.words


def test_the_page_needs_nothing_else(page: str) -> None:
    """No script, no picture, no font from elsewhere."""
    assert re.search(r"https?:|<script|<img|<link|@import|url\(", page) is None


def test_rulesets_side_by_side_begin_with_what_differs() -> None:
    """Then each by itself."""
    page = make_page(["goofspiel", "cribbage"])
    assert "cribbage, compared with goofspiel" in page
    assert page.index("compared with") < page.index("Who wins")


def test_names_of_a_ruleset_are_only_text() -> None:
    """Whatever an author calls a game."""
    batch = Batch("goofspiel", 2, (), ("random", "random"), 1)
    game = replace(load_batch(batch), name="<b>Goof</b>", about="a & b")
    *_, outcome = simulate([batch], 5, Crew())
    page = write_report(summarise([("", game, batch)], outcome, 1.0, "python"))
    assert "&lt;b&gt;Goof&lt;/b&gt;" in page
    assert "<b>Goof" not in page
    assert "a &amp; b" in page


def test_an_interval_is_drawn_where_it_lies() -> None:
    """Greater is further to the right, and the dot is between its ends."""
    rows = [Interval("one", 0.2, 0.1, 0.3), Interval("two", 0.6, 0.5, 0.7)]
    svg = ElementTree.fromstring(draw_intervals(rows, 0.5, str, "shares"))
    dots = [float(dot.get("cx", "")) for dot in svg.iter("circle")]
    assert dots[0] < dots[1]
    for group, dot in zip(svg.iter("g"), dots, strict=True):
        bar = next(group.iter("line"))
        assert float(bar.get("x1", "")) < dot < float(bar.get("x2", ""))


def test_a_bin_is_as_high_as_it_is_full() -> None:
    """Twice the games, twice the height."""
    svg = ElementTree.fromstring(draw_histogram([(0, 1, 10), (1, 2, 20)], "lengths"))
    heights = [float(bar.get("height", "")) for bar in svg.iter("rect")]
    assert heights[1] == pytest.approx(2 * heights[0], rel=0.01)
