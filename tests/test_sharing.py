"""Emitted functions work out once what their definitions say more than once."""

from __future__ import annotations

import pytest

from cardrun.interpreter.language.sharing import share

SCORES, ITEMS = range(14, 18), range(90, 98)
TOTAL = """\
nA = 0
for iB in range(50, S[40] + 50):
    cC = S[iB]
    nA += TABLE_pips[cC]
"""


def total(first: int) -> str:
    """Return the lines of a sum, with names from a number on."""
    numbered = TOTAL.replace("nA", f"n{first}").replace("iB", f"i{first + 1}")
    return numbered.replace("cC", f"c{first + 2}")


def shared(text: str) -> str:
    """Return a function's body as it is after sharing."""
    return "\n".join(share(text.strip("\n").split("\n"), SCORES, ITEMS)) + "\n"


def indent(text: str) -> str:
    """Return lines one step further in."""
    return "".join(f"    {line}\n" for line in text.splitlines())


def test_what_is_known_is_not_worked_out_again() -> None:
    """The second sum is the first, under its name."""
    text = f"{total(1)}{total(4)}if n1 == n4:\n    return True\n"
    assert shared(text) == f"{total(1)}if n1 == n1:\n    return True\n"


def test_a_loop_does_not_repeat_what_it_does_not_change() -> None:
    """A sum that is the same for each card stands before the loop over them."""
    loop = "for i8 in range(S[41]):\n    c9 = S[i8]\n"
    test = "    if TABLE_pips[c9] + n1 <= 31:\n        B[o] = c9\n"
    assert shared(loop + indent(total(1)) + test) == total(1) + loop + test


def test_what_depends_on_the_loop_stays_in_it() -> None:
    """A sum over the pile of each player is one for each."""
    text = "for p8 in range(0, 4):\n" + indent(total(1).replace("S[40]", "S[p8 + 40]"))
    assert shared(text) == text


@pytest.mark.parametrize(
    "change",
    [
        "S[40] = 3\n",
        "move(S, 7, 2)\n",
        "if S[3]:\n    S[40] += 1\n",
        "shuffle(S, 1)\n",
    ],
)
def test_a_change_of_the_state_makes_all_new(change: str) -> None:
    """After cards have moved the sum may be another."""
    text = f"{total(1)}{change}{total(4)}S[20] = n1 + n4\n"
    assert shared(text) == text


def test_a_loop_that_changes_the_state_keeps_its_sums() -> None:
    """Each time around they may be others, also what was known before."""
    text = total(1) + "for p8 in range(0, 4):\n" + indent(total(5) + "S[40] = n5\n")
    assert shared(text) == text


def test_points_change_scores_and_nothing_else() -> None:
    """A sum of cards is the same after points are added; one of scores is not."""
    points = (
        "S[w9 + 14] = limited(S[w9 + 14] + 2)\nS[w9 + 90] = limited(S[w9 + 90] + 2)\n"
    )
    known = f"{total(1)}{points}{total(4)}S[20] = n1 + n4\n"
    assert shared(known) == f"{total(1)}{points}S[20] = n1 + n1\n"
    scores = [total(n).replace("TABLE_pips[", "S[14 + ") for n in (1, 4)]
    other = f"{scores[0]}{points}{scores[1]}S[20] = n1 + n4\n"
    assert shared(other) == other


def test_what_one_arm_knows_the_other_does_not() -> None:
    """After ``if`` and ``else`` only what stands before them is known."""
    text = (
        "if S[3]:\n"
        + indent(total(1) + "S[20] = n1\n")
        + "else:\n"
        + indent(total(4) + "S[20] = n4\n")
    )
    assert shared(text) == text


def test_numbers_that_change_later_are_not_shared() -> None:
    """A rest that a loop uses up is a new one each time."""
    text = "m1 = S[60] & (S[61] | S[62])\nwhile m1:\n    m1 &= m1 - 1\n    B[o] = 1\n"
    twice = text + text.replace("m1", "m2")
    assert shared(twice) == twice


def test_tests_that_ask_alike_are_one() -> None:
    """What two moves of a decision ask is asked once, if nothing changes between."""
    one = "if (S[4] == 0):\n    B[o] = 0\n    o += 2\n"
    other = "if (S[4] == 0):\n    B[o] = 1\n    o += 2\n"
    both = one + indent(other.split("\n", 1)[1].replace("    ", ""))
    assert shared(one + other) == both
    changed = one.replace("B[o] = 0", "S[4] = 1") + other
    assert shared(changed) == changed


def test_a_dear_part_of_two_tests_gets_a_name() -> None:
    """It is worked out before the first of them, and is another after a change."""
    part = "(S[19] + S[20] - S[me + 21])"
    text = f"if ({part} == 0):\n    B[o] = 0\nif ({part} > 0):\n    B[o] = 1\n"
    assert shared(text) == f"n1 = {part}\n" + text.replace(part, "n1")
    changed = text.replace("B[o] = 0", "S[20] = 5")
    assert shared(changed) == changed
