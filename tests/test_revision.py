"""House rules change the named parts of a game, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardrun.interpreter.engine.game import Game
from cardrun.interpreter.loader import check_file, load, load_text
from cardrun.interpreter.sheets.catalogue import read_ruleset
from cardrun.interpreter.text.errors import RulesError
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.tree import Mapping, Scalar
from cardrun.interpreter.variants.printer import print_ruleset
from cardrun.interpreter.variants.revision import fingerprint

BASE = """\
cardrun: 1
name: Heap
family: shedding
players: 2..4
deck: {kind: french}
options:
  hand_size: {default: 4, range: 1..9, about: cards dealt}
values:
  order: [2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A]
zones:
  stock: {face: down, holds: deck}
  heap:  {face: up}
  hand:  {per: player, seen_by: owner}
state:
  rounds: 0
define:
  fits(c): heap.empty or c.suit == heap.top.suit
rows:
  allowed:
    fitting: {if: "any(hand, fits(it))", cards: hand where fits(it)}
    any_card: {cards: hand}
moves:
  lay:
    pick: {card: {from: hand, by: allowed}}
    when: {own: card in hand}
    do: [move card to heap]
play:
  - run: hand_out
  - loop: game
    until: all(players, it.hand.empty)
    do:
      - turns: {name: round, from: players.first, each: once, skip: it.hand.empty}
        do:
          - choose: [lay]
      - add 1 to rounds
steps:
  hand_out: [shuffle stock, deal hand_size to hand each]
scoring:
  none_yet: {for: p in players, to: p, points: 0}
result: {rank_by: rounds_of}
"""
BASE = BASE.replace("scoring:\n  none_yet: {for: p in players, to: p, points: 0}\n", "")
BASE = BASE.replace("  fits(c)", "  rounds_of(p): rounds + p.seat\n  fits(c)")

SPAN = Source("x.yaml", "").span(0, 0)

Compose = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Compose:
    """Return a function that writes the base, and house rules beside it."""
    (tmp_path / "heap.yaml").write_text(BASE, encoding="utf-8")

    def write_rule(text: str, name: str = "rule", extends: str = "heap.yaml") -> Path:
        path = tmp_path / f"{name}.yaml"
        whole = f"extends: {extends}\nname: Heap, {name}\n{text}"
        path.write_text(whole, encoding="utf-8")
        return path

    return write_rule


def play_on(game: Game, *cards: str) -> set[str]:
    """Return the legal moves after some cards that are laid in turn."""
    state = game.new(seed=1)
    for card in cards:
        state.apply_text(card)
    return {str(move) for move in state.moves(state.to_act[0])}


def lay_first(game: Game) -> tuple[str, set[str]]:
    """Lay the first card of player 1; return it and what player 2 may lay."""
    state = game.new(seed=5)
    move = state.moves(1)[0]
    state.apply(1, move)
    return str(move).split()[1], {str(m).split()[1] for m in state.moves(2)}


def test_a_replaced_definition_is_what_counts(write: Compose) -> None:
    """With rank in the place of suit, other cards may be laid."""
    rule = write("replace:\n  define.fits(c): heap.empty or c.suit != heap.top.suit\n")
    assert check_file(rule) == []
    card, may = lay_first(load(rule))
    assert card[-1] not in {name[-1] for name in may}
    plain_card, plain = lay_first(load(rule.parent / "heap.yaml"))
    assert plain_card == card
    assert plain != may


def test_base_is_the_definition_that_is_replaced(write: Compose) -> None:
    """Either rule may hold: by suit, or by rank; more cards fit than before."""
    rule = write("replace:\n  define.fits(c): base(c) or c.rank >= heap.top.rank\n")
    assert check_file(rule) == []
    card, may = lay_first(load(rule))
    plain_card, plain = lay_first(load(rule.parent / "heap.yaml"))
    assert plain_card == card
    assert plain < may


def test_base_in_a_guard_is_the_test_that_is_replaced(write: Compose) -> None:
    """The short form of a guard has a test too; the place of a mistake is kept."""
    rule = write("replace:\n  moves.lay.when.own.test: base and card.rank != A\n")
    assert check_file(rule) == []
    shown = print_ruleset(read_ruleset(str(rule)))
    assert "(card in hand) and card.rank != A" in shown
    wrong = write("replace:\n  moves.lay.when.own: base and card.rnk != A\n")
    (problem,) = check_file(wrong)
    assert problem.span.text == "rnk"
    assert problem.span.line == 4


def test_base_in_a_row_is_the_same_key_of_the_row(write: Compose) -> None:
    """Of a replaced row, `cards: base` are the cards of the old one."""
    rule = write(
        "replace:\n  rows.allowed.any_card:\n    cards: base where rank != A\n"
    )
    shown = print_ruleset(read_ruleset(str(rule)))
    assert "any_card: {cards: hand where rank != A}" in shown


def test_a_script_runs_what_it_replaces(write: Compose) -> None:
    """`run: base` stands for the whole script, in the place of that line."""
    text = "replace:\n  steps.hand_out: [run: base, deal 1 to hand each]\n"
    rule = write(text)
    assert check_file(rule) == []
    assert len(load(rule).new(seed=1).moves(1)) == 5
    loop = write("replace:\n  play.round.skip: base or it.hand.size == 1\n", "skip")
    assert "it.hand.empty or it.hand.size == 1" in print_ruleset(
        read_ruleset(str(loop))
    )


def test_a_block_of_a_script_is_replaced_by_its_name(write: Compose) -> None:
    """Its own list can hold `run: base` too."""
    text = "replace:\n  play.round.do: [run: base, shuffle stock]\n"
    rule = write(text)
    assert check_file(rule) == []
    shown = print_ruleset(read_ruleset(str(rule)))
    assert shown.index("choose: [lay]") < shown.rindex("shuffle stock")


def test_other_parts_are_replaced_by_name(write: Compose) -> None:
    """Options, zones, values and the result have names as well."""
    text = """replace:
  options.hand_size.default: 6
  zones.heap: {face: up, sorted: yes}
  values.order: [A, 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K]
  result: {rank_by: rounds_of, best: lowest}
"""
    rule = write(text)
    assert check_file(rule) == []
    game = load(rule)
    assert game.options == {"hand_size": 6}
    assert game.program.low_wins


def test_a_new_move_is_offered_beside_another(write: Compose) -> None:
    """A move that is added after one stands behind it in every decision."""
    text = """add:
  moves.rest:
    now: {label: rest, do: [move 1 from hand to heap]}
    after: lay
"""
    rule = write(text)
    assert check_file(rule) == []
    assert "rest" in play_on(load(rule))


def test_a_new_step_runs_beside_another(write: Compose) -> None:
    """A step added before a block runs before it; after a step, after it."""
    text = """add:
  steps.first_card: {now: [move 1 from stock to heap], after: hand_out}
  steps.last_card: {now: [move 1 from stock to heap], before: round}
"""
    rule = write(text)
    assert check_file(rule) == []
    shown = print_ruleset(read_ruleset(str(rule)))
    order = ("run: hand_out", "run: first_card", "run: last_card", "name: round")
    places = [shown.index(words) for words in order]
    assert places == sorted(places)


def test_rows_are_added_in_their_place(write: Compose) -> None:
    """Before the first row, a new one decides first."""
    text = """add:
  rows.allowed.first:
    now: {if: heap.empty, cards: hand where rank >= 2}
    before: fitting
"""
    rule = write(text)
    shown = print_ruleset(read_ruleset(str(rule)))
    assert shown.index("first:") < shown.index("fitting:")


def test_a_removed_move_is_offered_no_more(write: Compose) -> None:
    """Its place in decisions goes with it; another use would be an error."""
    add = "add:\n  moves.rest: {now: {label: rest}, after: lay}\n"
    first = write(add, "first")
    second = write("remove: [moves.rest]\n", "second", "first.yaml")
    assert check_file(first) == []
    assert check_file(second) == []
    assert "rest" not in play_on(load(second))


def test_sections_that_the_base_lacks_can_be_added_to(write: Compose) -> None:
    """A game without scoring gets lines, which it must also count."""
    text = """add:
  scoring.cards: {for: p in players, to: p, points: p.hand.size}
"""
    rule = write(text)
    assert [problem.code for problem in check_file(rule)] == ["never-scored"]
    both = write(
        text.replace("add:", "add:\n  steps.count: {now: [score], after: game}")
    )
    assert check_file(both) == []


def test_house_rules_stack(write: Compose) -> None:
    """Each `base` is the rule below it; options and parts add up."""
    low = write("replace:\n  define.fits(c): base(c) or c.rank == 2\n", "low")
    high = write("replace:\n  define.fits(c): base(c) or c.rank == A\n", "high")
    more = write("options: {hand_size: 9}\n", "more")
    game = load(low.parent / "heap.yaml", house_rules=[low, high, more])
    assert game.name == "Heap, low, high, more"
    assert game.options == {"hand_size": 9}
    assert check_file(low.parent / "heap.yaml", [low, high]) == []
    again = load_text(game.ruleset, "saved", players=2)
    assert lay_first(again) == lay_first(game)


def test_a_variant_and_a_house_rule_stack(write: Compose) -> None:
    """A house rule for the base goes with a variant of it."""
    variant = write("options: {hand_size: 2}\n", "short")
    rule = write("replace:\n  define.fits(c): base(c) or c.rank == 2\n", "low")
    assert load(variant, house_rules=[rule]).options == {"hand_size": 2}
    assert load(variant, house_rules=[rule, rule]).options == {"hand_size": 2}


def test_a_house_rule_of_a_house_rule_brings_it_along(write: Compose) -> None:
    """What it extends is laid below it, once."""
    write("options: {hand_size: 2}\n", "few")
    rule = write("replace:\n  define.fits(c): c.rank == 2\n", "fewer", "few.yaml")
    game = load(rule.parent / "heap.yaml", house_rules=[rule])
    assert game.options == {"hand_size": 2}


def test_a_house_rule_for_several_games(write: Compose) -> None:
    """It is checked with each, and played with the one that is named."""
    other = write("", "x").parent / "other.yaml"
    other.write_text(BASE.replace("Heap", "Other"), encoding="utf-8")
    rule = write("options: {hand_size: 2}\n", "both", "[heap.yaml, other.yaml]")
    assert check_file(rule) == []
    assert load(other, house_rules=[rule]).name == "Other, Heap, both"
    wrong = write("options: {hand_size: many}\n", "wrong", "[heap.yaml, other.yaml]")
    assert [problem.notes for problem in check_file(wrong)] == [()]
    with pytest.raises(RulesError, match="fits 2 rulesets"):
        load(rule)


def test_a_house_rule_for_all_that_use_a_library(tmp_path: Path) -> None:
    """It extends the library, and goes with each game that uses it."""
    library = tmp_path / "laying.yaml"
    library.write_text(
        "cardrun: 1\nlibrary: laying\ndefine: {fits(c): c.rank == 2}\n", "utf-8"
    )
    game = tmp_path / "game.yaml"
    used = BASE.replace("name: Heap", "name: Heap\nuse: laying.yaml")
    line = "  fits(c): heap.empty or c.suit == heap.top.suit\n"
    game.write_text(used.replace(line, ""), "utf-8")
    rule = tmp_path / "rule.yaml"
    text = (
        "extends: laying.yaml\nname: threes\nreplace:\n  define.fits(c): c.rank == 3\n"
    )
    rule.write_text(text, "utf-8")
    assert check_file(rule) == []
    assert check_file(game, [rule]) == []
    assert "c.rank == 3" in print_ruleset(read_ruleset(str(game), [str(rule)]))


def test_what_a_house_rule_leaves_unused_is_no_mistake(write: Compose) -> None:
    """The base used it; the house rule need not remove it as well."""
    rule = write("replace:\n  rows.allowed: {any_card: {cards: hand}}\n")
    assert check_file(rule) == []
    game = load(rule)
    assert load_text(game.ruleset, "saved").name == game.name


def test_a_mark_tells_whether_the_base_is_still_the_same(write: Compose) -> None:
    """Blanks and comments do not matter; another rule does."""
    body = Scalar("heap.empty  or c.suit == heap.top.suit", SPAN)
    mark = fingerprint(body)
    text = f"replace:\n  define.fits(c): {{now: c.rank == 2, was: {mark}}}\n"
    rule = write(text)
    assert check_file(rule) == []
    base = rule.parent / "heap.yaml"
    base.write_text(BASE.replace("c.suit ==", "c.suit !="), encoding="utf-8")
    assert [problem.code for problem in check_file(rule)] == ["base-changed"]


def test_a_mark_is_of_the_rule_that_a_file_extends(write: Compose) -> None:
    """Another house rule below does not make it look changed."""
    mark = fingerprint(Scalar("heap.empty or c.suit == heap.top.suit", SPAN))
    first = write("replace:\n  define.fits(c): base(c) or c.rank == 2\n", "first")
    text = f"replace:\n  define.fits(c): {{now: base(c), was: {mark}}}\n"
    second = write(text, "second")
    assert check_file(first.parent / "heap.yaml", [first, second]) == []


def test_places_of_what_is_put_in_are_those_of_the_house_rule(write: Compose) -> None:
    """The tree that results knows the file of each part."""
    rule = write("replace:\n  define.fits(c): base(c) or c.rank == 2\n")
    define = read_ruleset(str(rule)).root.get("define")
    assert isinstance(define, Mapping)
    files = {key.text: Path(key.span.source.path).name for key, _ in define.entries}
    assert files == {
        "rounds_of(p)": "heap.yaml",
        "base_fits(c)": "heap.yaml",
        "fits(c)": "rule.yaml",
    }
