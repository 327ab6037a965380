"""Parts of moves that are picked only when something holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import IllegalMove, RulesError, State, load

RULES = """\
cardrun: 1
name: Wild
players: 2
deck: {kind: piquet}
options:
  partners: {default: no, about: a partner may be taken along}
zones:
  stock: {face: down, holds: deck}
  pile:  {face: up}
  hand:  {per: player, seen_by: owner}
state:
  named: {type: suit or none}
moves:
  play:
    label: play {card} {suit} {how}
    pick:
      card: hand
      suit:
        suit: suits
        if: card.rank == 8
        where: it != spades
        because: spades are never named
      how:  {choice: [alone, together], if: partners}
    do:
      - move card to pile
      - if: suit != none
        then: [set named to suit]
play:
  - deal 2 to hand each
  - turns: {from: players.first, each: once}
    do:
      - choose: [play]
result: {rank_by: score}
"""


def write(folder: Path, old: str = "", new: str = "") -> Path:
    """Return the file of the ruleset with one thing changed."""
    file = folder / "wild.yaml"
    file.write_text(RULES.replace(old, new), encoding="utf-8")
    return file


def deal(file: Path, **options: bool) -> State:
    """Return the game with an eight and a nine in the first hand."""
    game = load(file, options=options)
    state = game.new(seed=1)
    hand = game.layout.pile("1.hand")
    assert hand is not None
    cards = [game.deck.parse(name)[0] for name in ("8C", "9D")]
    rest = [card for card in range(game.deck.size) if card not in cards]
    state.arrange(
        {
            hand.index: [(card, None, None) for card in cards],
            game.layout.deck_pile.index: [(card, None, None) for card in rest],
        }
    )
    return state


def test_a_part_is_picked_where_its_test_holds(tmp_path: Path) -> None:
    """An eight names a suit, a nine does not."""
    state = deal(write(tmp_path))
    assert [str(move) for move in state.moves(1)] == [
        "play 8C clubs",
        "play 8C diamonds",
        "play 8C hearts",
        "play 9D",
    ]


def test_a_part_that_is_left_out_is_none(tmp_path: Path) -> None:
    """The actions can tell whether it was picked."""
    named = load(write(tmp_path)).layout.variable("named")
    assert named is not None
    for text, expected in (("1 play 9D", None), ("1 play 8C hearts", "hearts")):
        state = deal(write(tmp_path))
        state.apply_text(text)
        assert state.value(named) == expected


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("1 play 8C", "choose a suit too"),
        ("1 play 8C spades", "spades are never named"),
        ("1 play 9D hearts", "no suit is chosen here"),
        ("1 play 9C", "you do not hold 9C"),
        ("1 play 8C hearts alone", "no choice is chosen here"),
    ],
)
def test_a_part_too_few_or_too_many_is_refused(
    tmp_path: Path, text: str, because: str
) -> None:
    """The refusal says what is to be chosen."""
    with pytest.raises(IllegalMove) as raised:
        deal(write(tmp_path)).apply_text(text)
    assert raised.value.because == because


def test_an_option_may_say_whether_a_part_is_picked(tmp_path: Path) -> None:
    """Then every move has it, or none."""
    state = deal(write(tmp_path), partners=True)
    (*_, move, _) = state.moves(1)
    assert str(move) == "play 9D alone"
    assert state.label(1, move) == "play 9D alone"
    with pytest.raises(IllegalMove) as raised:
        state.apply_text("1 play 9D")
    assert raised.value.because == "choose alone or together too"


def test_what_may_be_none_must_be_tested(tmp_path: Path) -> None:
    """A part that may be left out is no suit before that."""
    file = write(tmp_path, "{type: suit or none}", "{type: suit, start: clubs}")
    load(file)
    rules = file.read_text(encoding="utf-8")
    file.write_text(rules.replace("if: suit != none", "if: partners"), encoding="utf-8")
    with pytest.raises(RulesError) as raised:
        load(file)
    assert {problem.code for problem in raised.value.problems} == {"may-be-none"}


FORK = """\
cardrun: 1
name: Fork
players: 2
deck: {kind: piquet}
options:
  held_back: {default: yes, about: hearts are not led while there is another card}
zones:
  stock: {face: down, holds: deck}
  trick: {face: up}
  hand:  {per: player, seen_by: owner}
define:
  led: trick.first.suit
rows:
  lead:
    others:
      if: held_back and any(hand, suit != hearts)
      cards: hand where suit != hearts
      because: hearts come last
    any: {cards: hand}
  follow:
    lead: {if: trick.empty, by: lead}
    suit:
      if: any(hand, suit == led)
      cards: hand where suit == led
      because: follow suit
    any:  {cards: hand}
moves:
  play:
    pick: {card: {from: hand, by: follow}}
    do: [move card to trick]
play:
  - deal 2 to hand each
  - turns: {from: players.first, each: once}
    do:
      - choose: [play]
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("held_back", "trick", "legal", "because"),
    [
        (True, [], ["9S"], "hearts come last"),
        (False, [], ["8H", "9S"], ""),
        (True, ["10H"], ["8H"], "follow suit"),
        (True, ["10C"], ["8H", "9S"], ""),
    ],
)
def test_rows_may_leave_it_to_other_rows(
    tmp_path: Path, held_back: bool, trick: list[str], legal: list[str], because: str
) -> None:
    """What may be led is a table of its own, and a refusal cites its row."""
    file = tmp_path / "fork.yaml"
    file.write_text(FORK, encoding="utf-8")
    game = load(file, options={"held_back": held_back})
    state = game.new(seed=1)
    placed = {"1.hand": ["8H", "9S"], "trick": trick}
    used = [game.deck.parse(name)[0] for names in placed.values() for name in names]
    rest = [card for card in range(game.deck.size) if card not in used]
    piles = {game.layout.deck_pile.index: [(card, None, None) for card in rest]}
    for name, names in placed.items():
        pile = game.layout.pile(name)
        assert pile is not None
        piles[pile.index] = [(game.deck.parse(n)[0], None, None) for n in names]
    state.arrange(piles)
    assert [str(move) for move in state.moves(1)] == [f"play {c}" for c in legal]
    for card in {"8H", "9S"} - set(legal):
        with pytest.raises(IllegalMove, match=because):
            state.apply_text(f"1 play {card}")


def test_a_part_that_may_be_left_out_stops_no_move(tmp_path: Path) -> None:
    """A nine is played though nothing could be named with an eight."""
    state = deal(write(tmp_path, "where: it != spades", "where: it == none"))
    assert [str(move) for move in state.moves(1)] == ["play 9D"]


@pytest.mark.parametrize(
    "second", ["any(c in pile, c.rank == it)", "it == pile.top.rank"]
)
def test_a_later_part_may_rely_on_a_guard(tmp_path: Path, second: str) -> None:
    """The guard is tested before anything is asked of what it speaks of."""
    file = write(
        tmp_path,
        "        suit: suits\n        if: card.rank == 8\n"
        "        where: it != spades\n",
        f"        rank: ranks\n        where: {second}\n",
    )
    file.write_text(
        file.read_text(encoding="utf-8")
        .replace(
            "    do:\n      - move card",
            "    when: {begun: not pile.empty}\n    do:\n      - move card",
            1,
        )
        .replace("      - if: suit != none\n        then: [set named to suit]\n", "")
        .replace("  named: {type: suit or none}", "  named: 0"),
        encoding="utf-8",
    )
    state = deal(file)
    assert state.moves(1) == ()
