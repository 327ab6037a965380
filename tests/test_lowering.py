"""Lowered functions give the numbers that Python gives."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from cardrun.interpreter.engine import backend
from cardrun.interpreter.engine.lowering import NotLowered, Source

pytest.importorskip("numba", reason="Numba is not installed")

NUMBERS = (-130, -7, -3, -1, 0, 1, 2, 5, 8, 64, 4294967295)
TABLE = "TABLE = (3, 1, -4, 1, 5, 0)\nNUMBER = -2\n"
TOO_LARGE = """\
LARGE = (1, 9223372036854775808)
LARGEST = 18446744073709551616
NEAR = (9223372036854775807, 0)
"""
# By what is asked of numbers a and b, which a loop goes over.
EXPRESSIONS = (
    "a + b - NUMBER * 3",
    "a // b if b else a // 7 + a // -3 + a // 8",
    "a % b if b else a % 7 - a % -3 + a % 8",
    "(a & 255) ^ (b | 4) ^ ~a",
    "(a << 3) + (b >> 2)",
    "TABLE[a % 6] + TABLE[-1 - b % 6] + TABLE[-2] + TABLE[0]",
    "a and b",
    "a or b or 9",
    "(a > 0 and b > 0) + (a < b or a == b)",
    "not a",
    "0 <= a <= b",
    "1 if a < b < 9 or not (a != b) and b >= 1 else NUMBER",
    "bits(a & 65535) + length(a & 65535)",
    "min(a, b) * 2 + max(a, b, 3) + abs(a)",
    "True + (a == b)",
)
# By what stands in a function of a and a vector S of eight places.
BODIES = (
    "for i in range(8):\n    if i == a:\n        continue\n"
    "    if i > 5:\n        break\n    S[i] += i * a\nreturn i",
    "for i in range(6, a, -2):\n    S[i & 7] = i\nreturn 0",
    "n = 0\nwhile True:\n    n += 1\n    if n * n > a:\n        return n",
    "while a > 3:\n    a //= 2\n    S[a & 7] ^= a\nreturn a",
    "if a == 1:\n    return\nelif a > 1:\n    S[1] = S[2] = a\nelse:\n    S[0] |= 6",
    "return helper(S, a) + helper(S, 2)",
    "for i in range(a & 7, 8):\n    for j in range(i):\n        S[i] += S[j] + 1\n"
    "return S[7]",
    "i = 40\nfor i in range(2, 2):\n    S[0] = 9\nreturn i",
)
HELPER = """
def helper(S, a):
    return pass_on(a, S) * a


def pass_on(a, S):
    S[a & 7] = S[3] + a
    return S[a & 7]
"""


def compile_both(text: str) -> tuple[Callable[..., Any], Callable[..., int]]:
    """Return the function ``f`` of a source, by Python and as machine code."""
    source = Source(text, backend._name_pointer())
    lowered = source.lower(("f",), "way_in", lambda: None)
    enter = backend._load(backend._compile(lowered, "way_in"), "way_in")
    names: dict[str, Any] = {"bits": int.bit_count, "length": int.bit_length}
    exec(compile(text, "<source>", "exec"), names)
    return names["f"], backend._give_entry(enter, 0)


def indent(body: str) -> str:
    """Return a function's body one step in."""
    return "".join(f"    {line}\n" for line in body.split("\n"))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_have_the_same_value(expression: str) -> None:
    """For numbers of either sign and size."""
    plain, lowered = compile_both(f"{TABLE}\ndef f(a, b):\n    return {expression}\n")
    for a, b in product(NUMBERS, NUMBERS):
        assert lowered(a, b) == plain(a, b), (a, b)


@pytest.mark.parametrize("body", BODIES)
def test_statements_do_the_same(body: str) -> None:
    """To the vector that they are given, and by what they return."""
    plain, lowered = compile_both(f"{HELPER}\ndef f(a, S):\n{indent(body)}")
    for a in (-2, 0, 1, 2, 5, 9, 30):
        here, there = [*range(8)], backend.make_array([*range(8)])
        assert lowered(a, there) == (plain(a, here) or 0)
        assert there.tolist() == here


def test_only_what_is_called_for_counts_as_work() -> None:
    """A part of a test that does not decide is not worked out."""
    count = "def count(S, a):\n    S[0] += 1\n    return a\n\n\n"
    test = "count(S, a) and count(S, a > 1) or a < 0 < count(S, 5)"
    plain, lowered = compile_both(f"{count}def f(S, a):\n    return {test}\n")
    for a in (-1, 0, 1, 2):
        here, there = [0], backend.make_array([0])
        assert lowered(there, a) == plain(here, a)
        assert there.tolist() == here


@pytest.mark.parametrize(
    "body",
    [
        "return [a]",
        "return a ** 2",
        "raise a",
        "for i in S:\n    a += i",
        "for i in range(0, 9, a):\n    a += i",
        "for i in range(0, 9, 0):\n    a += i",
        "return a in (1, 2)",
        "return 1 < a is 2",
        "return a + S",
        "return other[a]",
        "TABLE[a] = 1",
        "return 9223372036854775808 - a",
        "return -9223372036854775809 + a",
        "return LARGE[a]",
        "return a + LARGEST",
        "return a << 64",
    ],
)
def test_what_is_not_of_the_subset_is_refused(body: str) -> None:
    """By naming it."""
    with pytest.raises(NotLowered):
        compile_both(f"{TABLE}{TOO_LARGE}def f(a, S):\n    S[0] = 1\n{indent(body)}")


def test_a_table_too_large_for_words_does_no_harm_where_it_is_not_used() -> None:
    """Only what is called for is written; the ends of words are in them."""
    plain, lowered = compile_both(
        f"{TOO_LARGE}def f(a):\n    return -9223372036854775808 + a + NEAR[0]\n"
    )
    assert lowered(5) == plain(5) == 4


def test_what_is_not_come_to_is_not_written() -> None:
    """After a return, or at the end of a loop's body."""
    body = "for i in range(9):\n    if i == a:\n        break\n    continue\n"
    body += "    for j in range(3):\n        i += j\n"
    body += "return i\nfor j in range(3):\n    i += j\nreturn j or i"
    plain, lowered = compile_both(f"def f(a):\n{indent(body)}")
    for a in (0, 4, 20):
        assert lowered(a) == plain(a)
