"""Functions made up at random do the same in Python and as machine code."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrun.interpreter.engine import backend
from cardrun.interpreter.engine.lowering import Source

pytest.importorskip("numba", reason="Numba is not installed")

# What the functions stand on. Whatever is kept or multiplied is clipped, so that
# nothing outgrows a word.
HEAD = """\
TABLE = (3, -1, -4, 1, 5, 0)
NUMBER = -2


def clip(a):
    if a > 1000000:
        return 1000000
    if a < -1000000:
        return -1000000
    return a


def swap(S, V, a):
    S[a & 7] = V[a & 7]
    V[-a & 7] ^= 5
    return S[1] - a


def count(S, a):
    S[a & 7] = clip(S[a & 7] + 1)
    return S[0] if a & 1 else a


def turn(V, S, a):
    return swap(S, V, a) + count(V, a)
"""
NAMES = ("a", "b", "c", "i", "j")
DIVISORS = (1, 2, 3, 7, 8, -1, -3, -8)
NUMBERS = (-2147483648, -1000, -7, -1, 0, 1, 2, 5, 8, 63, 255, 1000003)


@st.composite
def write_value(draw: Callable[..., Any], depth: int = 2) -> str:
    """Write an expression."""
    forms = LEAVES if depth == 0 else FORMS + NAMES
    text: str = draw(st.sampled_from(forms))
    for mark in ("{}", "{}", "{}"):
        if mark in text:
            text = text.replace(mark, draw(write_value(depth - 1)), 1)
    text = text.replace("@", str(draw(st.sampled_from(DIVISORS))))
    return text.replace("#", str(draw(st.sampled_from(NUMBERS))))


LEAVES = (*NAMES, "#", "NUMBER", "True", "S[#& 7]", "V[a & 7]", "TABLE[-2]")
FORMS = (
    *(f"({{}} {sign} {{}})" for sign in ("+", "-", "&", "|", "^")),
    *(f"({{}} {sign} {{}})" for sign in ("==", "!=", "<", "<=", ">", ">=")),
    "clip({}) * clip({})",
    "(clip({}) << ({} & 15))",
    "({} >> ({} & 63))",
    "({} // @)",
    "({} % @)",
    "({} // ({} or 3))",
    "({} % ({} or -3))",
    "({} and {})",
    "({} or {} or {})",
    "({} and not {})",
    "(not ({} or {}))",
    "({} < {} <= {})",
    "({} if {} else {})",
    "(-{})",
    "(~{})",
    "S[{} & 7]",
    "TABLE[{} % 6]",
    "TABLE[-1 - {} % 6]",
    "bits({} & 65535)",
    "length({} & 1048575)",
    "min({}, {})",
    "max({}, {}, {})",
    "abs({})",
    "count(V, {})",
    "turn(S, V, {})",
)


@st.composite
def write_place(draw: Callable[..., Any]) -> str:
    """Write a name, or a place in a vector that may depend on what is called for."""
    place: str = draw(st.sampled_from((*NAMES, "S[{} & 7]", "V[{} & 7]")))
    return place.replace("{}", draw(write_value(1)))


@st.composite
def write_body(draw: Callable[..., Any], depth: int, *, in_loop: bool) -> list[str]:
    """Write some statements, which may have others inside."""
    lines = []
    for _ in range(draw(st.sampled_from((3, 2, 1) if in_loop else (5, 3)))):
        lines += draw(write_statement(depth, in_loop=in_loop))
    return lines


@st.composite
def write_statement(
    draw: Callable[..., Any], depth: int, *, in_loop: bool
) -> list[str]:
    """Write one statement."""
    value, place = write_value(), write_place()
    simple = ["change", "set", "both", "call", "change", "set"]
    if in_loop:
        simple += ["break", "continue", "return", "pass"]
    inner = ["for", "if", "step", "else", "while"] if depth else []
    match draw(st.sampled_from(inner * 2 + simple)):
        case "set":
            return [f"{draw(place)} = clip({draw(value)})"]
        case "change":
            change = draw(st.sampled_from(CHANGES))
            text = change.replace("{}", f"clip({draw(value)})")
            return [f"{draw(place)} {text}"]
        case "both":
            return [f"{draw(place)} = {draw(place)} = clip({draw(value)})"]
        case "call":
            return [f"count(S, {draw(value)})"]
        case "return":
            return [draw(st.sampled_from(("return", f"return {draw(value)}")))]
        case "if":
            return [f"if {draw(value)}:", *draw(write_inside(depth, in_loop=in_loop))]
        case "else":
            one, other = (draw(write_inside(depth, in_loop=in_loop)) for _ in "ab")
            return [f"if {draw(value)}:", *one, "else:", *other]
        case "for":
            return [
                f"for {draw(st.sampled_from('ij'))} in range({draw(value)} & 7):",
                *draw(write_inside(depth, in_loop=True)),
            ]
        case "step":
            first, last, step = draw(st.sampled_from(STEPS))
            ends = f"{draw(value)} {first}, {draw(value)} {last}, {step}"
            return [
                f"for {draw(st.sampled_from('ij'))} in range({ends}):",
                *draw(write_inside(depth, in_loop=True)),
            ]
        case "while":
            # It ends: whatever is done inside, its own count goes on.
            name = f"n{depth}"
            return [
                f"{name} = {draw(st.integers(0, 6))}",
                f"while {name} and {draw(value)}:",
                f"    {name} -= 1",
                *draw(write_inside(depth, in_loop=True)),
            ]
        case word:
            return [str(word)]


CHANGES = (">>= 2", "//= 3", "%= -7", "-= {}", "&= {}", "|= {}", "^= {}", "+= {}")
STEPS = (("& 7", "& 15", 2), ("& 15", "& 7", -3), ("& 7", "- 5 & 7", -1))


@st.composite
def write_inside(draw: Callable[..., Any], depth: int, *, in_loop: bool) -> list[str]:
    """Write statements one step further in."""
    return [f"    {line}" for line in draw(write_body(depth - 1, in_loop=in_loop))]


@st.composite
def write_program(draw: Callable[..., Any]) -> str:
    """Write the source of a function of two vectors and two numbers."""
    lines = ["c = i = j = 0", *draw(write_body(2, in_loop=False))]
    lines.append(f"return {draw(write_value())} + a + 3 * b - 5 * c + 7 * i + 9 * j")
    return "\n".join([HEAD, "", "def f(S, V, a, b):", *(f"    {x}" for x in lines), ""])


def compare(text: str) -> None:
    """Compare what a program returns, and what it leaves in its vectors."""
    lowered = Source(text, backend._name_pointer()).lower(("f",), "way", lambda: None)
    enter = backend._load(backend._compile(lowered, "way"), "way")
    call = backend._give_entry(enter, 0)
    names: dict[str, Any] = {"bits": int.bit_count, "length": int.bit_length}
    exec(compile(text, "<source>", "exec"), names)
    for a, b in product((-9, 3, 0, -70000, 1 << 40), repeat=2):
        plain = [*range(8)], [*range(-4, 4)]
        vectors = [backend.make_array(each) for each in plain]
        assert call(*vectors, a, b) == (names["f"](*plain, a, b) or 0)
        assert tuple(each.tolist() for each in vectors) == plain


@settings(max_examples=30, derandomize=True, deadline=None)
@given(write_program())
def test_a_program_does_the_same_as_machine_code(text: str) -> None:
    """Whatever stands in it."""
    compare(text)


@pytest.mark.nightly
@settings(max_examples=1000, deadline=None)
@given(write_program())
def test_many_programs_do_the_same_as_machine_code(text: str) -> None:
    """Others every time."""
    compare(text)
