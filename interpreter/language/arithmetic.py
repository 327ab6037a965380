"""Compile arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..text.parser import Phrase
from . import groups
from .scope import Rule, Scope
from .values import BIG, Value, number

if TYPE_CHECKING:
    from .expressions import Compiler


def _compile_added(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    first = compiler.compile(phrase.part(0), scope)
    second = compiler.compile(phrase.part(1), scope)
    if phrase.words[0] == "+" and first.is_group:
        return groups.join_groups(compiler, first, second, phrase, scope)
    return _arithmetic(compiler, phrase, (first, second), phrase.words[0])


def _arithmetic(
    compiler: Compiler, phrase: Phrase, values: tuple[Value, Value], sign: str
) -> Value:
    first, second = (
        compiler.expect(value, "number", phrase.part(index))
        for index, value in enumerate(values)
    )
    if first.constant is not None and second.constant is not None:
        one, other = first.constant, second.constant
        result = {"+": one + other, "-": one - other, "*": one * other}[sign]
        if abs(result) <= BIG:
            return number(result)
    if sign == "*" and first.constant is None and second.constant is None:
        return Value("number", f"product({first.code}, {second.code})")
    return Value("number", f"({first.code} {sign} {second.code})")


def _compile_times(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    first = compiler.compile(phrase.part(0), scope)
    second = compiler.compile(phrase.part(1), scope)
    return _arithmetic(compiler, phrase, (first, second), "*")


def _compile_divided(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    return _divide(compiler, phrase, scope, "//")


def _compile_remainder(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    return _divide(compiler, phrase, scope, "%")


def _divide(compiler: Compiler, phrase: Phrase, scope: Scope, sign: str) -> Value:
    first = compiler.compile(phrase.part(0), scope, "number")
    second = compiler.compile(phrase.part(1), scope, "number")
    if second.kind != "unknown" and (second.constant or 0) <= 0:
        if second.constant is None and second.code.startswith("("):
            code = f"max(1, {second.code})"
            return Value("number", f"({first.code} {sign} {code})")
        return compiler.report(
            "divided-by-variable",
            f"'{phrase.part(1).span.text}' is not a number above 0",
            phrase.part(1).span,
            "Divide by a number that is fixed before the game.",
        )
    if first.constant is not None and second.constant:
        quotient, rest = divmod(first.constant, second.constant)
        return number(quotient if sign == "//" else rest)
    return Value("number", f"({first.code} {sign} {second.code})")


def _compile_minus(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    value = compiler.compile(phrase.part(0), scope, "number")
    if value.constant is not None:
        return number(-value.constant)
    return Value("number", f"(-{value.code})")


RULES: Final[dict[str, Rule]] = {
    "added": _compile_added,
    "times": _compile_times,
    "divided": _compile_divided,
    "remainder": _compile_remainder,
    "minus": _compile_minus,
}
