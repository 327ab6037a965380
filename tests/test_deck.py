"""What decks hold: packs with a name, suits with ranks of their own, ranges."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import Game, RulesError, load
from cardrun.interpreter.language.deck import expand_ranks

RULESET = """\
cardrun: 1
name: Small
players: 2
deck: {deck}
values:
  points: {{{points}}}
  order: [{order}]
zones:
  stock: {{face: down, holds: deck}}
  table: {{face: up}}
state:
  found: 0
moves:
  go: {{do: ["set found to {found}"]}}
play:
  - move stock to table
  - choose: [go]
    by: players.first
  - win players.first
result: {{winner: stated}}
"""


def build(
    tmp_path: Path,
    deck: str,
    found: str = "0",
    points: str = "otherwise: 0",
    order: str = "A, K",
) -> Game:
    """Return a game with a deck."""
    file = tmp_path / "small.yaml"
    text = RULESET.format(deck=deck, found=found, points=points, order=order)
    file.write_text(text, encoding="utf-8")
    return load(file)


def find(game: Game) -> object:
    """Return the number that the only move finds."""
    state = game.new(seed=1)
    state.apply_text("1 go")
    variable = game.layout.variable("found")
    assert variable is not None
    return state.value(variable)


def names(game: Game) -> list[str]:
    """Return the names of all cards, in the order of the deck."""
    return [game.deck.name(card) for card in range(game.deck.size)]


def test_a_tarot_pack_has_four_suits_trumps_and_the_fool(tmp_path: Path) -> None:
    """Trumps have ranks of their own and are called by them."""
    cards = names(build(tmp_path, "{kind: tarot}"))
    assert len(cards) == 78
    assert cards[:5] == ["AO", "AU", "AW", "AB", "2O"]
    assert cards[55:58] == ["KB", "t1", "t2"]
    assert cards[-2:] == ["t21", "FOOL"]
    assert sum(card.startswith("C") for card in cards) == 4


def test_a_card_is_found_by_what_is_printed_on_it(tmp_path: Path) -> None:
    """As people type it."""
    deck = build(tmp_path, "{kind: tarot}").deck
    for text, name in {"t20": "t20", "T20": "t20", "fool": "FOOL", "cw": "CW"}.items():
        assert [deck.name(card) for card in deck.parse(text)] == [name]
    assert deck.parse("t22") == ()
    assert deck.parse("t1W") == ()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("count(table, suit == trumps)", 21),
        ("count(table, suit == cups)", 14),
        ("count(table, rank == t20)", 1),
        ("count(table, rank in (t1, t2, K))", 6),
        ("if t20 in table and t21 of trumps in table then 7 else 0", 7),
        ("count(suits) * 100 + count(ranks)", 535),
        ("sum(table, points)", 47),
        ("place(t20, order) * 10 + place(t21, order)", 54),
    ],
)
def test_trumps_are_a_suit_like_others(
    tmp_path: Path, expression: str, expected: int
) -> None:
    """A name that is a card and a rank is what is asked for there."""
    points = "K: 4, Q: 3, C: 2, J: 1, t20: 4, FOOL: 3"
    order = "t17..t19, t21, t20, A"
    game = build(tmp_path, "{kind: tarot}", expression, points, order)
    assert find(game) == expected


def test_an_order_may_be_written_with_ranges(tmp_path: Path) -> None:
    """Up and down."""
    order = "10..2, A, J, C, Q, K"
    expression = "place(10, order) * 10000 + place(2, order) * 100 + place(K, order)"
    game = build(tmp_path, "{kind: tarot}", expression, order=order)
    assert find(game) == 10914


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("2..4", ("2", "3", "4")),
        ("3..1", ("3", "2", "1")),
        ("t9..t11", ("t9", "t10", "t11")),
        ("K", ("K",)),
        ("t1..s3", ("t1..s3",)),
        ("J..K", ("J..K",)),
    ],
)
def test_ranges_are_of_numbers_with_one_stem(text: str, ranks: tuple[str, ...]) -> None:
    """Anything else is left as it stands, and then no rank."""
    assert expand_ranks(text) == ranks


def test_a_suit_may_have_ranks_of_its_own(tmp_path: Path) -> None:
    """With a letter its cards are called as others are."""
    suits = "{red: {letter: R}, winds: {letter: W, ranks: [E, S]}, stars: {ranks: [X]}}"
    deck = f"{{suits: {suits}, ranks: [1..3], copies: 2}}"
    cards = names(build(tmp_path, deck, points="X: 5", order="1, E"))
    assert cards[::2] == ["1R", "2R", "3R", "EW", "SW", "X"]
    assert cards[1::2] == cards[::2]


def test_a_card_of_a_suit_without_the_rank_is_unknown(tmp_path: Path) -> None:
    """The hint lists the ranks of that suit."""
    with pytest.raises(RulesError) as caught:
        build(tmp_path, "{kind: tarot}", "count(table where it == K of trumps)")
    (problem,) = caught.value.problems
    assert problem.code == "unknown-rank"
    assert "t1" in problem.hint


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("{kind: french, ranks: [2..Q9]}", "range"),
        ("{suits: {a: {ranks: [X]}, b: {ranks: [X]}}, ranks: [1]}", "same name"),
        ("{suits: {a: {ranks: [X, X]}}, ranks: [1]}", "same name"),
        ("{kind: tarot, ring: yes}", "ring"),
        ("{kind: french, ranks: [1..999]}", "3996 cards"),
    ],
)
def test_a_wrong_deck_is_refused(tmp_path: Path, deck: str, message: str) -> None:
    """With what is wrong."""
    with pytest.raises(RulesError) as caught:
        build(tmp_path, deck)
    found = [p.message for p in caught.value.problems if p.code == "wrong-deck"]
    assert any(message in text for text in found)


OPTIONAL = """\
cardrun: 1
name: Optional
players: 2..3
deck:
  kind: piquet
  copies: packs
  jokers: {fools: {yes: [fool, jester]}}
  remove: {pack: {24: [7, 8], 28: [7], otherwise: {3: [7C, 7D]}}}
options:
  pack:  {default: 32, among: [24, 28, 32]}
  fools: {default: no}
  packs: {default: 1, range: 1..3}
zones:
  stock: {face: down, holds: deck}
moves:
  go: {}
play:
  - choose: [go]
    by: players.first
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("options", "players", "size"),
    [
        ({}, 2, 32),
        ({"pack": 28}, 2, 28),
        ({"pack": 24}, 2, 24),
        ({"fools": True}, 2, 34),
        ({"packs": 2, "pack": 28}, 2, 56),
        ({}, 3, 30),
        ({"pack": 24}, 3, 24),
    ],
)
def test_options_may_decide_what_a_deck_holds(
    tmp_path: Path, options: dict[str, int], players: int, size: int
) -> None:
    """Ranks and cards left out, jokers, and the number of packs."""
    file = tmp_path / "optional.yaml"
    file.write_text(OPTIONAL, encoding="utf-8")
    assert load(file, players=players, options=options).deck.size == size


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("remove: {pack:", "remove: {pak:", "unknown option 'pak'"),
        ("28: [7]", "28: [6]", "there is no card '6'"),
        ("fools: {yes", "2: [fool], fools: {yes", "one option, or by the players"),
    ],
)
def test_mistakes_in_such_tables_are_found(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """What names no option, no card, or two things at once."""
    file = tmp_path / "optional.yaml"
    file.write_text(OPTIONAL.replace(old, new), encoding="utf-8")
    with pytest.raises(RulesError, match=message):
        load(file, options={"pack": 28})
