"""Selections of cards: exactly those of the shape, each once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardrun.interpreter import Game, State, load

RULESET = """\
cardrun: 1
name: Selections
players: 2
deck: {{kind: french, ranks: [A, 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K]{ring}}}
values:
  pips: {{A: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9, 10: 10, otherwise: 0}}
zones:
  stock: {{face: down, holds: deck}}
  hand:  {{per: player, seen_by: owner}}
  out:   {{face: up}}
moves:
  lay:
    pick:
      cards: {{from: hand, {part}}}
    do: [move cards to out]
  stop: {{}}
play:
  - turns: {{from: players.first, each: once}}
    do:
      - choose: [lay, stop]
result: {{rank_by: score}}
"""
SETS_AND_RUNS = "shape: [set 3..4, run 3..]"
MIXED_RUNS = "shape: [run 3.. mixed]"
FIFTEEN = "sum: {of: pips, is: 15}"
TWO_SUITED = "same: suit, size: 2"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def load_part(folder: Path, part: str, ring: str = "") -> Game:
    """Return the game whose move lays a selection of one kind."""
    file = folder / "selections.yaml"
    file.write_text(RULESET.format(part=part, ring=ring), encoding="utf-8")
    return load(file)


def hold(game: Game, names: list[str]) -> State:
    """Return the state in which player 1 holds these cards."""
    state = game.new(seed=1)
    cards = [game.deck.parse(name)[0] for name in names]
    hand = game.layout.pile("1.hand")
    assert hand is not None
    rest = [card for card in range(game.deck.size) if card not in cards]
    state.arrange(
        {
            hand.index: [(card, None, None) for card in cards],
            game.layout.deck_pile.index: [(card, None, None) for card in rest],
        }
    )
    return state


def listed(state: State) -> list[frozenset[str]]:
    """Return the selections of player 1's legal moves."""
    return [frozenset(move.args) for move in state.moves(1) if move.name == "lay"]


def place(name: str) -> int:
    """Return where a card's rank stands, from 0."""
    return RANKS.index(name[:-1])


def is_set_or_run(cards: tuple[str, ...]) -> bool:
    """Say so from the definition: three or four of a rank, or a run in a suit."""
    ranks = sorted(place(card) for card in cards)
    if len(cards) in (3, 4) and len(set(ranks)) == 1:
        return True
    in_suit = len({card[-1] for card in cards}) == 1
    return len(cards) >= 3 and in_suit and ranks[-1] - ranks[0] == len(cards) - 1


def is_mixed_run(cards: tuple[str, ...]) -> bool:
    """Say so from the definition: different ranks without a gap."""
    ranks = sorted(place(card) for card in cards)
    return 3 <= len(set(ranks)) == len(cards) == ranks[-1] - ranks[0] + 1


def is_fifteen(cards: tuple[str, ...]) -> bool:
    """Say so from the definition: pips add up to 15; courts have none."""
    pips = [place(card) + 1 for card in cards]
    return max(pips) <= 10 and sum(pips) == 15


def is_pair_of_a_suit(cards: tuple[str, ...]) -> bool:
    """Say so from the definition."""
    return len(cards) == 2 and cards[0][-1] == cards[1][-1]


ALL_CARDS = [rank + suit for rank in RANKS for suit in "CDHS"]


@pytest.mark.parametrize(
    ("part", "fits"),
    [
        (SETS_AND_RUNS, is_set_or_run),
        (MIXED_RUNS, is_mixed_run),
        (FIFTEEN, is_fifteen),
        (TWO_SUITED, is_pair_of_a_suit),
    ],
)
def test_a_search_finds_what_trying_all_subsets_finds(
    part: str, fits: Callable[[tuple[str, ...]], bool], tmp_path_factory: object
) -> None:
    """Every selection of the kind is listed, and once."""
    assert isinstance(tmp_path_factory, pytest.TempPathFactory)
    game = load_part(tmp_path_factory.mktemp("part"), part)

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(st.sampled_from(ALL_CARDS), min_size=1, max_size=9, unique=True))
    def check(names: list[str]) -> None:
        found = listed(hold(game, names))
        expected = {
            frozenset(cards)
            for size in range(1, len(names) + 1)
            for cards in combinations(names, size)
            if fits(cards)
        }
        assert set(found) == expected
        assert len(found) == len(expected)

    check()


def test_a_run_goes_around_the_corner_of_a_ring(tmp_path: Path) -> None:
    """Q-K-A is a run in a ring and none without."""
    names = ["QH", "KH", "AH"]
    assert listed(hold(load_part(tmp_path, SETS_AND_RUNS), names)) == []
    ring = load_part(tmp_path, SETS_AND_RUNS, ", ring: yes")
    assert listed(hold(ring, names)) == [frozenset(names)]


def test_a_mixed_run_goes_around_the_corner_of_a_ring(tmp_path: Path) -> None:
    """Q-K-A of three suits, with each of two kings."""
    names = ["QH", "KC", "KH", "AS"]
    assert listed(hold(load_part(tmp_path, MIXED_RUNS), names)) == []
    ring = load_part(tmp_path, MIXED_RUNS, ", ring: yes")
    assert listed(hold(ring, names)) == [
        frozenset(["QH", "KC", "AS"]),
        frozenset(["QH", "KH", "AS"]),
    ]


def test_a_mixed_run_takes_one_of_two_equal_cards(tmp_path: Path) -> None:
    """Two packs hold every card twice: a selection is one of printed cards."""
    file = tmp_path / "packs.yaml"
    deck = "deck: {kind: euchre, copies: 2}"
    text = RULESET.format(part=MIXED_RUNS, ring="").split("\n")
    text[3] = deck
    rules = [line for line in text if not line.startswith(("values", "  pips"))]
    file.write_text("\n".join(rules), encoding="utf-8")
    game = load(file)
    state = game.new(seed=1)
    hand = game.layout.pile("1.hand")
    assert hand is not None
    cards = [*game.deck.parse("9C"), *game.deck.parse("10D"), *game.deck.parse("JC")]
    rest = [card for card in range(game.deck.size) if card not in cards]
    state.arrange(
        {
            hand.index: [(card, None, None) for card in cards],
            game.layout.deck_pile.index: [(card, None, None) for card in rest],
        }
    )
    assert listed(state) == [frozenset(["9C", "10D", "JC"])]


@pytest.mark.parametrize("part", ["size: 1..2", FIFTEEN, SETS_AND_RUNS])
def test_of_equal_cards_either_is_the_same_selection(tmp_path: Path, part: str) -> None:
    """No two moves read the same, and the second of two packs alone will do."""
    file = tmp_path / "packs.yaml"
    text = RULESET.format(part=part, ring="")
    text = text.replace("{kind: french, ranks: [A,", "{ranks: [A,")
    suits = "suits: {clubs: {letter: C}, diamonds: {letter: D}}, copies: 2}"
    file.write_text(text.replace("K]}", f"K], {suits}"), encoding="utf-8")
    game = load(file)
    state = game.new(seed=1)
    hand = game.layout.pile("1.hand")
    assert hand is not None
    (five, _), (ten, same_ten) = game.deck.parse("5C"), game.deck.parse("10C")
    other = game.deck.parse("10D")[1]
    cards = [five, ten, same_ten, other]
    rest = [card for card in range(game.deck.size) if card not in cards]
    state.arrange(
        {
            hand.index: [(card, None, None) for card in cards],
            game.layout.deck_pile.index: [(card, None, None) for card in rest],
        }
    )
    laid = [str(move) for move in state.moves(1) if move.name == "lay"]
    assert (
        sorted(laid)
        == {
            "size: 1..2": [
                "lay 10C",
                "lay 10C 10C",
                "lay 10C 10D",
                "lay 10D",
                "lay 5C",
                "lay 5C 10C",
                "lay 5C 10D",
            ],
            FIFTEEN: ["lay 5C 10C", "lay 5C 10D"],
            SETS_AND_RUNS: ["lay 10C 10C 10D"],
        }[part]
    )


@pytest.mark.parametrize(
    ("part", "text", "rule"),
    [
        (SETS_AND_RUNS, "lay 5C 5D", "lay.cards.shape"),
        (SETS_AND_RUNS, "lay 5C 6C 8C", "lay.cards.shape"),
        (SETS_AND_RUNS, "lay 5C 5D KH", "lay.cards.shape"),
        (SETS_AND_RUNS, "lay 2S 3S 4S", "lay.cards"),
        (FIFTEEN, "lay 5C 8C", "lay.cards.sum"),
        (TWO_SUITED, "lay 5C 5D", "lay.cards.same"),
        (TWO_SUITED, "lay 5C 6C 8C", "lay.cards.size"),
    ],
)
def test_a_refusal_names_what_the_selection_lacks(
    tmp_path: Path, part: str, text: str, rule: str
) -> None:
    """Shape, sum, sameness, size, or that a card is not there."""
    state = hold(load_part(tmp_path, part), ["5C", "5D", "6C", "8C", "KH"])
    refusal = state.refusal(1, state.parse(1, text))
    assert refusal is not None
    assert refusal.rule == rule
    assert refusal.because


def test_a_large_deck_has_selections_too(tmp_path: Path) -> None:
    """Three packs are 156 cards: a set of four kings of them is one move."""
    text = RULESET.format(part="same: rank, size: 2..4", ring="")
    text = text.replace("{kind: french,", "{kind: french, copies: 3,")
    file = tmp_path / "packs.yaml"
    file.write_text(text, encoding="utf-8")
    game = load(file)
    assert not game.program.fits_words
    state = game.new(seed=1)
    hand = game.layout.pile("1.hand")
    assert hand is not None
    kings = [
        *game.deck.parse("KC")[:2],
        game.deck.parse("KD")[2],
        game.deck.parse("KS")[0],
    ]
    rest = [card for card in range(game.deck.size) if card not in kings]
    state.arrange(
        {
            hand.index: [(card, None, None) for card in kings],
            game.layout.deck_pile.index: [(card, None, None) for card in rest],
        }
    )
    laid = [str(move) for move in state.moves(1) if move.name == "lay"]
    assert sorted(laid) == [
        "lay KC KC",
        "lay KC KC KD",
        "lay KC KC KD KS",
        "lay KC KC KS",
        "lay KC KD",
        "lay KC KD KS",
        "lay KC KS",
        "lay KD KS",
    ]
    state.apply_text("1 lay KC KS KC KD")
    assert len(state.cards(hand.index)) == 0
