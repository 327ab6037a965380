"""Expressions and actions are told from words for people."""

from __future__ import annotations

from cardrun.interpreter.text.phrases import find_embedded, find_phrases
from cardrun.interpreter.text.reader import read
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.tree import Mapping

TEXT = """\
about: a game
zones: {hand: {per: player, seen_by: owner}}
state: {dealer: {type: player, start: players.last}, open: no}
define:
  led: trick.first.suit
  worth(c): {high: {if: c.rank == K, is: 2}, else: {is: 0}}
moves:
  play:
    label: play {card}
    pick: {card: {from: hand, by: follow}, way: {choice: [up, down]}}
    when: {fits: {test: fits(card), because: "{card} is too low"}}
    do: [move card to pile]
play:
  - for: p in players
    do: [shuffle p.hand, {run: refill}]
  - choose: [play]
steps: {refill: [deal 1 to hand each]}
"""


def read_root() -> Mapping:
    """Read the text above."""
    root, problems = read(Source("x.yaml", TEXT))
    assert problems == []
    assert isinstance(root, Mapping)
    return root


def test_every_expression_and_action_is_found() -> None:
    """Names, types and words for people are neither."""
    found = [(scalar.text, form) for scalar, form in find_phrases(read_root())]
    expressions = [
        *("players.last", "no", "trick.first.suit", "c.rank == K", "2", "0"),
        *("hand", "follow", "fits(card)"),
    ]
    assert [text for text, form in found if form == "expression"] == [
        *expressions,
        "p in players",
    ]
    assert [text for text, form in found if form == "action"] == [
        "move card to pile",
        "shuffle p.hand",
        "deal 1 to hand each",
    ]


def test_expressions_inside_texts_are_found() -> None:
    """Labels and reasons hold expressions in braces."""
    assert [text for _, text in find_embedded(read_root())] == ["card", "card"]
