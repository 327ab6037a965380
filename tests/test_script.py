"""The blocks of a script are joined without changing where the game goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter import load
from cardrun.interpreter.script import join_blocks


def test_a_block_that_one_jump_leads_to_takes_its_place() -> None:
    """Only positions from which the game goes on, or joins, stay apart."""
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
            "    pc = 3",
            "    continue",
            "else:",
            "    two",
            "    pc = 3",
            "    continue",
        ],
        3: ["three", "return"],
    }


def test_an_entry_stays_though_one_jump_leads_to_it() -> None:
    """The game may go on from there."""
    blocks = [["pc = 1", "continue"], ["return"]]
    assert join_blocks(blocks, {0, 1}) == {0: blocks[0], 1: blocks[1]}


def test_a_long_chain_of_tests_does_not_run_off_to_the_right() -> None:
    """Python allows a hundred levels, and a rule table may have more rows."""
    length = 300
    blocks = [["return"]]
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
