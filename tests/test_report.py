"""The page of a run holds what it shows, and needs nothing else."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.simulation.crew import Crew
from cardrun.interpreter.simulation.plots import (
    Interval,
    draw_bars,
    draw_histogram,
    draw_intervals,
)
from cardrun.interpreter.simulation.report import write_report
from cardrun.interpreter.simulation.simulate import Batch, load_batch, simulate
from cardrun.interpreter.simulation.summary import Summary, summarise

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


def test_a_long_name_is_written_out() -> None:
    """Above its bar, where there is room for all of it."""
    name = "a_name_of_forty_letters_that_must_be_seen"
    svg = ElementTree.fromstring(draw_bars([(name, 2.0), ("b", 1.0)], str, "moves"))
    assert [text.text for text in svg.iter("text")] == [name, "2.0", "b", "1.0"]
    wide, narrow = (float(bar.get("width", "")) for bar in svg.iter("rect"))
    assert wide == 2 * narrow


def show_spit(*bots: str) -> Summary:
    """Play Spit between hands of unlike speed, under a house rule."""
    reactions = (Reaction(500, 250), Reaction(900, 100))
    rules = ("must-play",)
    batch = Batch("spit", 2, (), bots, 1, reactions, rules, "easy")
    *_, outcome = simulate([batch], 1, Crew())
    shown = summarise([("", load_batch(batch), batch)], outcome, 1.0, "python")
    assert isinstance(shown, Summary)
    return shown


def test_it_says_what_the_games_were_played_under() -> None:
    """Reaction times and house rules, in words, as data and on the page."""
    shown = show_spit("random", "random")
    for text in (shown.render(), write_report(shown)):
        assert re.search(r"reactions:? +500:250, 900:100 ms", text)
        assert re.search(r"house rules:? +must-play", text)
    data: Any = shown.as_json()
    assert [seat["reaction"] for seat in data["seats"]] == [
        {"mean": 500, "sd": 250},
        {"mean": 900, "sd": 100},
    ]
    assert [Path(rule).name for rule in data["house_rules"]] == ["must-play.yaml"]


def test_games_of_one_length_are_neither_long_nor_short(page: str) -> None:
    """Those of Goofspiel are; those of Cribbage are not."""
    assert "longest" in page
    assert "longest" not in make_page(["goofspiel"])
    assert "closest" in make_page(["goofspiel"])
