"""Zones whose order does not matter are kept and asked as sets of cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import Game, load
from cardrun.interpreter.language.layout import cards_of
from cardrun.interpreter.rng import Rng

RULESET = """\
cardrun: 1
name: Small
players: 2
deck: {kind: french, jokers: [little, big], copies: COPIES}
values:
  worth: {A: 11, K: 4, Q: 3, otherwise: 1}
  large: {A: 1000, otherwise: 1}
zones:
  stock: {face: down, holds: deck}
  table: {face: up}
  hand:  {per: player, seen_by: owner}
  bag:   {per: player, face: up, sorted: yes}
state: {number: 0, seen: no, drawn: {type: rank or none}}
moves:
  go:
    do:
      - if: not table.empty and not hand.empty
        then:
          - ACTION
play:
  - turns: {from: players.first, each: once}
    do: [{choose: [go]}]
  - win players.first
result: {winner: stated}
"""
# What is asked of a hand, and what the answer is for the cards it has.
QUESTIONS = (
    "set number to sum(hand, worth)",
    "set number to sum(hand, large)",
    "set number to sum(hand + me.bag, worth)",
    "set number to count(hand, suit == table.top.suit)",
    "set number to count(hand, suit != table.top.suit)",
    "set number to count(hand where rank == table.top.rank or is_joker)",
    "set number to count(hand + me.bag, rank == A and suit == hearts)",
    "set seen to any(hand, suit == hearts and rank != A)",
    "set seen to any(hand + me.bag, suit == table.top.suit and not is_joker)",
    "set seen to all(hand, suit == hearts or number == 0)",
    "set seen to all(me.bag, suit != table.top.suit)",
    "set drawn to if any(hand, rank > Q) then first(hand where rank > Q).rank else A",
    "set drawn to if any(hand, rank > Q) then last(hand where rank > Q).rank else A",
    "set drawn to hand.top.rank",
    "set drawn to hand.bottom.rank",
    "move hand where suit == table.top.suit to me.bag",
    "move me.bag to table",
    "move 2 from hand to me.bag",
    "move table to hand",
    "swap hand with me.bag",
    "swap hand with table",
    "swap table.top with hand.top",
    "gather",
)


def load_small(folder: Path, action: str, copies: int = 1) -> Game:
    """Return a game whose only move does an action."""
    file = folder / f"small{copies}.yaml"
    text = RULESET.replace("ACTION", action).replace("COPIES", str(copies))
    file.write_text(text, encoding="utf-8")
    return load(file)


def deal(game: Game, cards: list[int], seed: int) -> dict[str, list[str]]:
    """Return what lies where after a move, and what it has found out.

    Of each card the first copy is dealt; others stay in the stock.
    """
    rng, state, copies = Rng(seed), game.new(seed), game.deck.copies
    piles = {pile.text: pile.index for pile in game.layout.piles}
    fixed = {cards[0]: piles["table"], cards[1]: piles["1.hand"]}
    places: dict[int, list[tuple[int, None, None]]] = {}
    for card in range(game.deck.size):
        face, copy = divmod(card, copies)
        pile = rng.below(len(piles)) if face in cards and copy == 0 else 0
        place = fixed.get(face, pile) if copy == 0 else 0
        places.setdefault(place, []).append((card, None, None))
    state.arrange(places)
    state.apply_text("1 go")
    found = {
        name: [game.deck.name(card) for card in state.cards(pile)]
        for name, pile in piles.items()
    }
    return found | {v.text: [str(state.value(v))] for v in game.layout.variables}


@pytest.mark.parametrize("action", QUESTIONS)
def test_a_set_answers_as_a_list_does(tmp_path: Path, action: str) -> None:
    """A pack of 54 is kept in sets; of two packs the same 54 cards in lists."""
    one, two = (load_small(tmp_path, action, copies) for copies in (1, 2))
    assert [zone.is_set for zone in one.layout.zones.values()] == [False] * 2 + [
        True
    ] * 2
    assert not any(zone.is_set for zone in two.layout.zones.values())
    for seed in range(20):
        cards = list(range(54))
        Rng(seed).shuffle(cards)
        first = deal(one, cards[:20], seed)
        second = deal(two, cards[:20], seed)
        for name, found in first.items():
            if name != "stock":
                assert found == second[name], (name, seed)


def test_what_is_shuffled_is_kept_in_order(tmp_path: Path) -> None:
    """The top of a shuffled hand is any of its cards."""
    action = "shuffle hand\n          - move 1 from hand to table"
    game = load_small(tmp_path, action)
    assert not game.layout.zones["hand"].is_set
    assert game.layout.zones["bag"].is_set
    hand, table = game.layout.pile("1.hand"), game.layout.pile("table")
    assert hand
    assert table
    tops = set()
    for seed in range(30):
        state = game.new(seed)
        held = [(card, None, None) for card in range(5)]
        rest = [(card, None, None) for card in range(6, game.deck.size)]
        state.arrange(
            {
                hand.index: held,
                table.index: [(5, None, None)],
                game.layout.deck_pile.index: rest,
            }
        )
        state.apply_text("1 go")
        tops.add(state.cards(table.index)[-1])
    assert tops == set(range(5))


def test_the_cards_of_a_set_come_from_the_lowest() -> None:
    """A set reads as the cards whose bits it has."""
    assert cards_of(0) == ()
    assert cards_of(1 << 51 | 1 << 3 | 1) == (0, 3, 51)
    assert cards_of(1 << 61) == (61,)
