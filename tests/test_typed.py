"""Short texts find the moves that they may mean."""

from __future__ import annotations

import pytest

from cardrun.interpreter.language.deck import FRENCH, KINDS, Deck
from cardrun.interpreter.loader import load
from cardrun.interpreter.tables.typed import find_moves, list_names, spell

DECK = Deck(
    ranks=KINDS["french"][0],
    suits=tuple(FRENCH),
    letters=("C", "D", "H", "S"),
    colours=("black", "red", "red", "black"),
    jokers=("little", "big"),
    copies=1,
    ring=False,
    removed=frozenset(),
)
MOVES = [
    "play 8C centre.1",
    "play 8C centre.2",
    "play 10H centre.2",
    "play 4C",
    "play 4C 4S",
    "shift 9D stock.3",
    "take",
    "turn stock.5",
    "play little",
    "bid 3 no_trump",
    "lay_down 5D",
]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("play 8C centre.2", ["play 8C centre.2"]),
        ("8c 2", ["play 8C centre.2"]),
        ("8♣ centre.1", ["play 8C centre.1"]),
        ("8C", ["play 8C centre.1", "play 8C centre.2"]),
        ("th", ["play 10H centre.2"]),
        ("pl 10h", ["play 10H centre.2"]),
        ("4c", ["play 4C"]),
        ("4c 4s", ["play 4C 4S"]),
        ("ta", ["take"]),
        ("t", ["take", "turn stock.5"]),
        ("tu 5", ["turn stock.5"]),
        ("sh", ["shift 9D stock.3"]),
        ("li", ["play little"]),
        ("lit", ["play little"]),
        ("bid 3 no trump", ["bid 3 no_trump"]),
        ("BID 3 No_Trump", ["bid 3 no_trump"]),
        ("3 no tr", ["bid 3 no_trump"]),
        ("b no", ["bid 3 no_trump"]),
        ("no trump bid", []),
        ("lay down 5d", ["lay_down 5D"]),
        ("lay 5d", ["lay_down 5D"]),
        ("lay up 5d", []),
        ("9C", []),
        ("play 8C centre.2 now", []),
        ("stock.4", []),
    ],
)
def test_a_short_text_means_some_moves(text: str, meant: list[str]) -> None:
    """Parts may be cut short, and left out where they are clear."""
    assert find_moves(text, MOVES, DECK) == meant


@pytest.mark.parametrize(
    ("game", "typed", "spelt"),
    [
        ("bridge", "bid 3 no trump", "bid 3 no_trump"),
        ("bridge", " Bid 3  NO TRUMP", "bid 3 no_trump"),
        ("bridge", "bid 3 no_trump", "bid 3 no_trump"),
        ("bridge", "bid 3 Hearts", "bid 3 hearts"),
        ("bridge", "bid 3 no", "bid 3 no"),
        ("bridge", "play 10h", "play 10h"),
        ("euchre", "order up With Partner", "order_up with_partner"),
    ],
)
def test_names_may_be_typed_as_they_are_shown(
    game: str, typed: str, spelt: str
) -> None:
    """With spaces and in any case; what is cut short is left for later."""
    assert spell(typed, list_names(load(game))) == spelt
