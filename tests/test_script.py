"""The blocks of a script are joined without changing where the game goes."""

from __future__ import annotations

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
