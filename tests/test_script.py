"""The blocks of a script are joined without changing where the game goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.language.blocks import join_blocks

LONG = [*(f"step {number}" for number in range(9)), "return"]


def test_a_block_that_one_jump_leads_to_takes_its_place() -> None:
    """Only positions from which the game goes on, or joins, stay apart."""
    blocks = [
        ["pc = 1 if a else 2", "continue"],
        ["one", "pc = 3", "continue"],
        ["two", "pc = 3", "continue"],
        LONG,
    ]
    assert join_blocks(blocks, {0}) == {
        0: [
            "if a:",
            "    one",
            "    pc = 3",
            "    continue",
            "else:",
            "    two",
            "    pc = 3",
            "    continue",
        ],
        3: LONG,
    }


def test_a_short_block_is_copied_to_every_jump() -> None:
    """No jump is left, and nothing leads to the block itself."""
    blocks = [
        ["pc = 1 if a else 2", "continue"],
        ["one", "pc = 3", "continue"],
        ["two", "pc = 3", "continue"],
        ["three", "return"],
    ]
    assert join_blocks(blocks, {0}) == {
        0: [
            "if a:",
            "    one",
            "    three",
            "    return",
            "else:",
            "    two",
            "    three",
            "    return",
        ],
    }


def test_a_jump_to_a_jump_goes_where_that_goes() -> None:
    """A test that leads to two jumps stays one line."""
    blocks = [["pc = 1 if a else 2", "continue"], ["pc = 3", "continue"], LONG, LONG]
    joined = join_blocks(blocks, {0, 2, 3})
    assert joined[0] == ["pc = 3 if a else 2", "continue"]


def test_short_blocks_that_go_round_end_in_a_jump() -> None:
    """Copies do not go on for ever."""
    joined = join_blocks([["one", "pc = 1", "continue"], ["pc = 0", "continue"]], {0})
    assert joined == {0: ["one", "pc = 0", "continue"]}


def test_an_entry_stays_though_one_jump_leads_to_it() -> None:
    """The game may go on from there."""
    blocks = [["pc = 1", "continue"], LONG]
    assert join_blocks(blocks, {0, 1}) == {0: blocks[0], 1: blocks[1]}


def test_a_long_chain_of_tests_does_not_run_off_to_the_right() -> None:
    """Python allows a hundred levels, and a rule table may have more rows."""
    length = 300
    blocks = [LONG]
    for label in range(1, length):
        blocks.append([f"pc = 0 if a else {label + 1}", "continue"])
    blocks.append(["return"])
    joined = join_blocks(blocks, {1})
    widest = max(len(line) for lines in joined.values() for line in lines)
    assert widest < 130
    ends = [line for lines in joined.values() for line in lines if "return" in line]
    assert len(ends) == 2


TURNS = """\
cardrun: 1
name: Turns
players: 3
deck: {kind: piquet}
options:
  way: {default: counter_clockwise, among: [clockwise, counter_clockwise]}
zones:
  stock: {face: down, holds: deck}
moves:
  nod: {}
play:
  - turns: {from: players.first, each: once, direction: way}
    do:
      - choose: [nod]
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("way", "seats"), [("clockwise", [1, 2, 3]), ("counter_clockwise", [1, 3, 2])]
)
def test_an_option_may_give_the_direction(
    tmp_path: Path, way: str, seats: list[int]
) -> None:
    """Turns pass to the left or to the right."""
    file = tmp_path / "turns.yaml"
    file.write_text(TURNS, encoding="utf-8")
    state = load(file, options={"way": way}).new(seed=1)
    found: list[int] = []
    while not state.over:
        found += state.to_act
        state.apply_text(f"{state.to_act[0]} nod")
    assert found == seats


@pytest.mark.parametrize(
    ("way", "seats"), [("clockwise", [2, 3]), ("counter_clockwise", [2])]
)
def test_a_round_set_up_in_the_middle_ends_where_it_would(
    tmp_path: Path, way: str, seats: list[int]
) -> None:
    """Those who come before the player at turn have had theirs."""
    file = tmp_path / "turns.yaml"
    file.write_text(TURNS, encoding="utf-8")
    game = load(file, options={"way": way})
    state = game.new(seed=1)
    state.stop_at(game.decisions[0], 2)
    found: list[int] = []
    while not state.over:
        found += state.to_act
        state.apply_text(f"{state.to_act[0]} nod")
    assert found == seats


FOR_ANOTHER = """\
cardrun: 1
name: For another
players: 3
deck: {kind: piquet}
zones:
  stock: {face: down, holds: deck}
  hand:  {per: player, seen_by: owner}
  table: {face: up}
state:
  helper: {type: player or none}
define:
  at_hand: if table.empty and helper == me then players.first.hand else hand
  decider: if helper != none and me.seat == 1 then helper else me
moves:
  lay:  {pick: {card: at_hand}, do: [move card to table]}
  draw: {do: [move 1 from stock to table, move 1 from stock to table]}
  stop: {}
play:
  - deal 2 to hand each
  - turns: {name: round, from: players.first, each: once}
    do: [{choose: [lay, draw], by: decider}]
  - choose: [stop]
    by: worst(players, it.hand.size)
result: {rank_by: score}
"""


def set_up(tmp_path: Path, path: str, turn: int | None, helper: int | None) -> State:
    """Return a game that waits at a decision, with a seat at turn."""
    file = tmp_path / "another.yaml"
    file.write_text(FOR_ANOTHER, encoding="utf-8")
    game = load(file)
    state = game.new(seed=1)
    variable = game.layout.variable("helper")
    assert variable
    state.assign(variable, helper)
    decision = next(d for d in game.decisions if d.path == path)
    state.stop_at(decision, turn)
    return state


@pytest.mark.parametrize(
    ("turn", "helper", "decider"), [(1, 3, 3), (1, None, 1), (2, 3, 2), (None, 2, 2)]
)
def test_a_position_begins_with_whoever_decides_for_the_player_at_turn(
    tmp_path: Path, turn: int | None, helper: int | None, decider: int
) -> None:
    """And after that the turn passes on from the player at turn."""
    state = set_up(tmp_path, "round.lay", turn, helper)
    assert state.to_act == (decider,)
    state.apply(decider, state.moves(decider)[0])
    assert state.to_act == ((turn or 1) + 1,)


@pytest.mark.parametrize(("turn", "decider"), [(None, 2), (3, 3)])
def test_a_position_without_turns_may_say_who_decides(
    tmp_path: Path, turn: int | None, decider: int
) -> None:
    """Else that is told from what is there."""
    state = set_up(tmp_path, "round.lay", 2, None)
    state.apply(2, state.moves(2)[0])
    stop = next(d for d in state.game.decisions if d.path == "stop")
    state.stop_at(stop, turn)
    assert state.to_act == (decider,)


def test_a_card_is_played_by_whose_it_was(tmp_path: Path) -> None:
    """Not by who decided for another; what was nobody's is played by the mover."""
    state = set_up(tmp_path, "round.lay", 1, 3)
    state.apply(3, state.moves(3)[0])
    state.apply_text("2 draw")
    state.apply(3, state.moves(3)[0])
    (pile,) = [pile for pile in state.view(2)["piles"] if pile["pile"] == "table"]
    assert pile["by"] == [1, 2, 2, 3]


ROUND = """\
cardrun: 1
name: Round
players: {count: 4, direction: way}
deck: {kind: piquet}
options:
  way: {default: clockwise, among: [clockwise, counter_clockwise]}
zones:
  stock: {face: down, holds: deck}
  hand:  {per: player, seen_by: owner}
  table: {face: up}
state:
  dealer: {type: player, start: players.last}
  next_dealer: {type: player, start: before(dealer)}
moves:
  lay: {pick: {card: hand}, do: [move card to table]}
play:
  - deal 1 to hand each
  - turns: {from: after(dealer), each: once}
    do:
      - choose: [lay]
  - gather
  - shuffle stock
  - set dealer to stock.top.played_by
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("way", "seats", "before"),
    [("clockwise", [1, 2, 3, 4], 3), ("counter_clockwise", [3, 2, 1, 4], 1)],
)
def test_deal_and_turn_go_round_in_the_direction_of_the_game(
    tmp_path: Path, way: str, seats: list[int], before: int
) -> None:
    """The player after the dealer gets the first card, and the first turn."""
    file = tmp_path / "round.yaml"
    file.write_text(ROUND, encoding="utf-8")
    game = load(file, options={"way": way})
    state = game.new(seed=1)
    hands = [game.layout.pile(f"{seat}.hand") for seat in seats]
    cards = [state.cards(hand.index) for hand in hands if hand]
    assert cards == [(31,), (30,), (29,), (28,)]  # from the top of the deck
    variable = game.layout.variable("next_dealer")
    assert variable
    assert state.value(variable) == before
    found: list[int] = []
    while not state.over:
        (seat,) = state.to_act
        (move,) = state.moves(seat)
        found.append(seat)
        state.apply(seat, move)
    assert found == seats


def test_gathered_cards_are_all_in_the_deck(tmp_path: Path) -> None:
    """Wherever they were, and it is known there to be a card."""
    file = tmp_path / "round.yaml"
    file.write_text(ROUND, encoding="utf-8")
    game = load(file)
    state, _ = game.play_random(1, 0)
    assert len(state.cards(game.layout.deck_pile.index)) == game.deck.size


BLOCKS = """\
cardrun: 1
name: Blocks
players: 2
deck: {kind: piquet}
zones:
  stock: {face: down, holds: deck}
state:
  turns: 0
  sum: 0
moves:
  more: {do: [add 1 to taken]}
  stop: {do: [end turn]}
  leave: {do: [end game]}
play:
  - turns: {from: players.first, until: turns == 3}
    do:
      - block: turn
        state: {taken: 0}
        do:
          - choose: [more, stop, leave]
          - choose: [more, stop, leave]
            name: again
      - add taken to sum
      - add 1 to turns
  - score
scoring:
  all: {to: players.first, points: 100}
result: {rank_by: score}
"""


def play(tmp_path: Path, *moves: str) -> State:
    """Return the game of blocks after some moves."""
    file = tmp_path / "blocks.yaml"
    file.write_text(BLOCKS, encoding="utf-8")
    state = load(file).new(seed=1)
    for move in moves:
        state.apply_text(move)
    return state


def test_a_block_is_done_once_and_its_state_starts_afresh(tmp_path: Path) -> None:
    """Two of the first turn and one of the second make three."""
    state = play(tmp_path, "1 more", "1 more", "2 more", "2 stop")
    assert state.view(1)["variables"]["sum"] == 3
    assert state.to_act == (1,)
    assert state.decision is not None
    assert state.decision.path == "turn.more"


def test_a_move_may_end_the_block_around_its_decision(tmp_path: Path) -> None:
    """Who stops at once has taken nothing."""
    state = play(tmp_path, "1 stop", "2 stop", "1 more", "1 stop")
    assert state.over
    assert state.result is not None
    assert state.result.scores[1] == 100


def test_the_whole_script_is_a_block_called_game(tmp_path: Path) -> None:
    """Ending it leaves out what would follow, such as the score."""
    state = play(tmp_path, "1 more", "1 leave")
    assert state.over
    assert state.result is not None
    assert state.result.scores[1] == 0


SEATS = """\
cardrun: 1
name: Seats
players: 5
deck: {kind: french}
zones:
  stock: {face: down, holds: deck}
state:
  trump: {type: suit or none}
moves:
  ask:
    pick: {number: {number: -6..6}, suit: {suit: suits}}
    do:
      - set trump to suit
      - if: trump != none and trump.colour == red
        then: ["add 1 to left(me, number).score"]
        else: ["add 1 to right(me, number).score"]
play:
  - choose: [ask]
    by: players.first
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("move", "seat"),
    [
        ("ask 0 hearts", 1),
        ("ask 3 hearts", 4),
        ("ask 6 diamonds", 2),
        ("ask -1 hearts", 5),
        ("ask 3 spades", 3),
        ("ask 6 clubs", 5),
    ],
)
def test_places_round_the_table_and_colours_of_suits(
    tmp_path: Path, move: str, seat: int
) -> None:
    """Red counts to the left, black to the right, as far as one likes."""
    file = tmp_path / "seats.yaml"
    file.write_text(SEATS, encoding="utf-8")
    state = load(file).new(seed=1)
    state.apply_text(f"1 {move}")
    assert state.result is not None
    assert [s for s, points in state.result.scores.items() if points] == [seat]


LINES = """\
cardrun: 1
name: Lines
players: 2
deck: {kind: piquet}
zones:
  stock: {face: down, holds: deck}
moves:
  play: {}
  settle: {}
play:
  - choose: [play, settle]
    by: players.first
  - score show
  - score settle
scoring:
  show:
    all_of:
      pairs: {to: players.first, points: 1}
      runs:  {to: players.first, points: 2}
  settle:
    first_of:
      never: {if: stock.empty, to: players.last, points: 30}
      else:  {to: players.last, points: 40}
  other: {to: players.first, points: 500}
result: {rank_by: score}
"""


def test_a_group_of_scoring_lines_is_scored_by_its_name(tmp_path: Path) -> None:
    """The lines of other groups do not count."""
    file = tmp_path / "lines.yaml"
    file.write_text(LINES.replace("else:  ", "all: "), encoding="utf-8")
    state = load(file).new(seed=1)
    state.apply_text("1 play")
    assert state.result is not None
    assert state.result.scores == {1: 3, 2: 40}
    assert state.result.lines["runs"][1] == 2


TURN_OVER = """\
cardrun: 1
name: Turning over
players: 1
deck: {kind: piquet}
zones:
  stock: {face: down, holds: deck}
  pile:  {face: up}
moves:
  nod: {}
play:
  - move 5 from stock to pile
  - loop: turning_over
    until: not pile.size >= 2
    do: [move pile.rest.last to stock]
  - choose: [nod]
    by: players.first
result: {rank_by: score}
"""


def test_a_pass_of_a_loop_relies_on_its_test(tmp_path: Path) -> None:
    """What a loop ends without, each pass has: here, a card below the top."""
    file = tmp_path / "turn_over.yaml"
    file.write_text(TURN_OVER, encoding="utf-8")
    state = load(file).new(seed=1)
    sizes = [len(state.cards(pile.index)) for pile in state.game.layout.piles]
    assert sizes == [31, 1]
