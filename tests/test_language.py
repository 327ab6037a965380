"""What the language says: small rulesets, a move, the right answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import RulesError, State, load

RULESET = """\
cardrun: 1
name: Small
players: 2
deck: {{kind: french, jokers: [little, big]}}
values:
  high: [2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A]
zones:
  stock: {{face: down, holds: deck}}
  table: {{face: up}}
state:
  flag: no
  rank_seen: {{type: rank, start: 2}}
  asked: {{type: rank or none}}
  amount: 0
define:
  sure(n): if n == 1 then yes else no
moves:
  go: {{do: [{action}]}}
play:
  - turns: {{from: players.first, each: once}}
    do:
      - choose: [go]
  - if: sure(1)
    then: [win players.first]
result: {{winner: stated}}
"""


def play(tmp_path: Path, action: str, dealt: tuple[str, ...] = ()) -> State:
    """Return the game after the first move, which does one action."""
    file = tmp_path / "small.yaml"
    file.write_text(RULESET.format(action=action), encoding="utf-8")
    game = load(file)
    stacked = [game.deck.parse(name)[0] for name in dealt]
    state = game.new(seed=1)
    table = game.layout.pile("table")
    assert table is not None
    rest = [card for card in range(game.deck.size) if card not in stacked]
    state.arrange(
        {
            table.index: [(card, True, None) for card in stacked],
            game.layout.deck_pile.index: [(card, None, None) for card in rest],
        }
    )
    state.apply_text("1 go")
    return state


def value(state: State, name: str) -> object:
    """Return what a variable holds."""
    variable = state.game.layout.variable(name)
    assert variable is not None
    return state.value(variable)


@pytest.mark.parametrize(
    ("action", "name", "expected"),
    [
        ("set flag to yes", "flag", True),
        ("set flag to not no", "flag", True),
        ("set flag to sure(2)", "flag", False),
        ("set rank_seen to 10", "rank_seen", "10"),
        ("set rank_seen to (if asked != none then asked else A)", "rank_seen", "A"),
        ("set amount to 7 div 2 + 7 mod 2", "amount", 4),
        ("add -3 to amount", "amount", -3),
    ],
)
def test_an_action_sets_a_variable(
    tmp_path: Path, action: str, name: str, expected: object
) -> None:
    """A variable takes yes, no, a rank or a number, as its type says."""
    assert value(play(tmp_path, action), name) == expected


@pytest.mark.parametrize(
    ("expression", "dealt", "expected"),
    [
        ("count(table, is_joker)", ("little", "9H", "big"), 2),
        ("distinct(table, rank)", ("little", "9H", "9S"), 2),
        ("distinct(table, suit)", ("4H", "9H", "9S"), 2),
        ("equal_on_top(table)", ("9C", "4H", "9H", "9S"), 2),
        ("equal_on_top(table)", (), 0),
        ("run_on_top(table)", ("2C", "8H", "7S", "9C"), 3),
        ("run_on_top(table)", ("little", "7S"), 1),
        ("if consecutive(table) then 1 else 0", ("8H", "7S", "9C"), 1),
        ("if consecutive(table) then 1 else 0", ("8H", "8S", "9C"), 0),
        ("if consecutive(table) then 1 else 0", ("8H", "little", "9C"), 0),
        ("if same(table, suit) then 1 else 0", ("8H", "KH"), 1),
        ("if same(table, suit) then 1 else 0", ("8H", "KS"), 0),
        ("count(table.rest)", ("8H", "KS", "2C"), 2),
        (
            "count(if flag then table else only_best(table, place(it.rank, high)))",
            ("8H", "KS", "KC"),
            2,
        ),
    ],
)
def test_a_function_counts_what_its_definition_says(
    tmp_path: Path, expression: str, dealt: tuple[str, ...], expected: int
) -> None:
    """Functions of cards give what docs/language.md defines, jokers included."""
    state = play(tmp_path, f'"set amount to {expression}"', dealt)
    assert value(state, "amount") == expected


def test_yes_is_no_number(tmp_path: Path) -> None:
    """A number does not take yes or no."""
    with pytest.raises(RulesError) as caught:
        play(tmp_path, "set amount to yes")
    assert [problem.code for problem in caught.value.problems] == ["wrong-kind"]


@pytest.mark.parametrize(
    ("expression", "dealt", "expected"),
    [
        ("longest_runs(table)", ("6C", "7C", "7H", "8S"), 6),
        ("longest_runs(table)", ("6C", "7C", "8H", "9S"), 4),
        ("longest_runs(table)", ("6C", "7C", "9H", "10S"), 0),
        ("longest_runs(table)", ("2C", "3C", "4H", "9S", "10S", "JS"), 6),
        ("pairs(table)", ("5C", "5D", "5S", "JH", "5H"), 6),
        ("pairs(table)", ("little", "big"), 0),
        ("combinations_with_sum(table, 5, 15)", ("5C", "5D", "5S", "JH"), 4),
        ("combinations_with_sum(table, 0, 0)", ("5C", "5D"), 3),
        ("combinations_with_sum(table, 5, 300)", ("5C", "5D"), 0),
    ],
)
def test_scoring_counts_combinations(
    tmp_path: Path, expression: str, dealt: tuple[str, ...], expected: int
) -> None:
    """Runs, pairs and sums count every different selection."""
    state = play(tmp_path, f'"set amount to {expression}"', dealt)
    assert value(state, "amount") == expected


@pytest.mark.parametrize(
    "action", ["move 1 from stock to table", "move stock to table"]
)
def test_a_card_is_played_by_whoever_moved_it(tmp_path: Path, action: str) -> None:
    """Some from the top of a pile, or all of it."""
    note = '"set amount to if not table.empty then table.top.played_by.seat else 0"'
    assert value(play(tmp_path, f"{action}, {note}"), "amount") == 1


def test_what_is_shuffled_was_played_by_nobody(tmp_path: Path) -> None:
    """Whoever turned it up before."""
    action = "move 1 from stock to table, move table to stock, shuffle stock"
    state = play(tmp_path, f"{action}, move 1 from stock to table")
    played = play(tmp_path, "move stock to table, move table to stock, shuffle stock")
    assert [state.played_by(card) for card in state.cards(1)] == [1]
    assert {played.played_by(card) for card in range(played.game.deck.size)} == {0}


def test_setting_a_variable_leaves_what_is_known_of_a_pile(tmp_path: Path) -> None:
    """A card that is moved may be the last one; a number moves no card."""
    then = '[{}, "add place(table.top.rank, high) to amount"]'
    action = "if: not table.empty, then: " + then
    state = play(tmp_path, "{" + action.format("set amount to 5") + "}", ("4C",))
    assert value(state, "amount") == 8
    with pytest.raises(RulesError) as caught:
        play(tmp_path, "{" + action.format("move table to stock") + "}", ("4C",))
    assert [problem.code for problem in caught.value.problems] == ["may-be-empty"]


@pytest.mark.parametrize(
    "test",
    ["table.size >= 2", "not table.rest.empty", "count(table) > 0 and table.size > 1"],
)
def test_a_size_says_that_a_card_lies_below_the_top(tmp_path: Path, test: str) -> None:
    """What may be empty must be tested, and this is a test."""
    below = "if table.rest.last.rank == 5 then 1 else 2"
    action = f'"set amount to if {test} then {below} else 0"'
    with pytest.raises(RulesError) as caught:
        play(tmp_path, action.replace(test, "not no"))
    assert [problem.code for problem in caught.value.problems] == ["may-be-empty"]
    assert value(play(tmp_path, action, ("5C", "9D")), "amount") == 1


PARTNERS = """\
cardrun: 1
name: Partners
players: {count: 6, partners: PARTNERS}
deck: {kind: french}
zones: {stock: {face: down, holds: deck}}
state: {mate: {type: player, start: players.last.partner}}
moves: {stay: {}}
play:
  - choose: [stay]
    by: mate
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("partners", "teams", "mate"),
    [
        ("opposite", ((1, 4), (2, 5), (3, 6)), 3),
        ("alternate", ((1, 3, 5), (2, 4, 6)), 2),
    ],
)
def test_partners_sit_opposite_or_in_every_second_seat(
    tmp_path: Path, partners: str, teams: tuple[tuple[int, ...], ...], mate: int
) -> None:
    """Six players make three teams or two; a partner is the next of the team."""
    file = tmp_path / "partners.yaml"
    file.write_text(PARTNERS.replace("PARTNERS", partners), encoding="utf-8")
    state = load(file).new(seed=1)
    assert state.game.teams == teams
    assert state.to_act == (mate,)
