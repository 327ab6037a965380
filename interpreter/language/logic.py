"""Compile tests: and, or, not, comparisons and membership."""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ..text.parser import Phrase
from .scope import Rule, Scope
from .values import UNKNOWN, Value, name_kind, negate, truth

if TYPE_CHECKING:
    from .expressions import Compiler


_ORDER: Final = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _compile_negated(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    value = compiler.compile(phrase.part(0), scope, "yes/no")
    if value.constant is not None:
        return truth(not value.constant)
    return Value("yes/no", negate(value.code))


def _compile_both(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    return _connect(compiler, phrase, scope, "and")


def _compile_either(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    return _connect(compiler, phrase, scope, "or")


def _connect(compiler: Compiler, phrase: Phrase, scope: Scope, word: str) -> Value:
    """Compile ``and``, ``or``: what stands on the right may rely on the left."""
    parts = _unchain(phrase)
    value = compiler.compile(parts[0], scope, "yes/no")
    inner = scope
    for before, part in pairwise(parts):
        inner = inner.knowing(compiler.facts(before, word == "and", scope))
        with compiler.emitter.apart() as lines:
            second = compiler.compile(part, inner, "yes/no")
        value = _connect_two(compiler, value, second, lines, word)
    return value


def _unchain(phrase: Phrase) -> list[Phrase]:
    """Return the parts of ``a and b and c``, which are one inside the other."""
    found = []
    rule = phrase.rule
    while phrase.rule == rule:
        found.append(phrase.part(1))
        phrase = phrase.part(0)
    return [phrase, *reversed(found)]


def _connect_two(
    compiler: Compiler, first: Value, second: Value, lines: list[str], word: str
) -> Value:
    """Return ``first and second``, where lines come before the second."""
    if first.constant is not None:
        if bool(first.constant) == (word == "or"):
            return first
        compiler.emitter.add(lines)
        return second
    if second.constant is not None and not lines:
        return second if bool(second.constant) == (word == "or") else first
    if not lines:
        return Value("yes/no", f"({first.code} {word} {second.code})")
    name = compiler.emitter.name("t")
    compiler.emitter.line(f"{name} = {first.code}")
    head = f"if {name}:" if word == "and" else f"if not {name}:"
    with compiler.emitter.block(head):
        compiler.emitter.add(lines)
        compiler.emitter.line(f"{name} = {second.code}")
    return Value("yes/no", name)


def _compile_compared(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    left, right, sign = phrase.part(0), phrase.part(1), phrase.words[0]
    if _is_bare(compiler, left, scope) and not _is_bare(compiler, right, scope):
        left, right, sign = right, left, _OPPOSITE[sign]
    first = compiler.compile(left, scope)
    kind = first.kind if first.kind in ("rank", *compiler.meaning.choices) else ""
    literal = compiler.literal(right, kind)
    second = literal or compiler.compile(right, scope)
    if "unknown" in (first.kind, second.kind):
        return UNKNOWN
    if first.kind != second.kind and "none" not in (first.kind, second.kind):
        return compiler.report(
            "never-equal",
            f"{name_kind(first.kind)} is compared with {name_kind(second.kind)}",
            phrase.span,
            "Such a comparison can never be true.",
        )
    if sign in ("==", "!="):
        return _equal(compiler, first, second, sign, phrase)
    return _order(compiler, first, second, sign, (left, right), phrase, scope)


def _is_bare(compiler: Compiler, phrase: Phrase, scope: Scope) -> bool:
    if phrase.rule == "number":
        return True
    return phrase.rule == "name" and (
        phrase.words[0] in compiler.meaning.deck.ranks
        or any(phrase.words[0] in names for names in compiler.meaning.choices.values())
    )


def _equal(
    compiler: Compiler, first: Value, second: Value, sign: str, phrase: Phrase
) -> Value:
    if first.is_group and first.kind != "pile":
        return compiler.report(
            "wrong-kind",
            "groups cannot be compared with '=='",
            phrase.span,
            "Compare their sizes, or use all(…).",
        )
    if first.kind == "yes/no":
        first, second = _as_number(first), _as_number(second)
    if first.constant is not None and second.constant is not None:
        return truth((first.constant == second.constant) == (sign == "=="))
    return Value("yes/no", f"({first.code} {sign} {second.code})")


def _order(
    compiler: Compiler,
    first: Value,
    second: Value,
    sign: str,
    sides: tuple[Phrase, Phrase],
    phrase: Phrase,
    scope: Scope,
) -> Value:
    if first.kind not in ("number", "rank"):
        return compiler.report(
            "wrong-kind",
            f"'{sign}' does not compare {name_kind(first.kind)}",
            phrase.span,
            "Only numbers and ranks have an order.",
        )
    codes = [
        compiler.sure(value, side, scope).code
        for value, side in zip((first, second), sides, strict=True)
    ]
    meaning = compiler.meaning
    if first.kind == "rank" and meaning.is_reordered:
        codes = [
            placed(compiler, value, side, "order", scope)
            for value, side in zip((first, second), sides, strict=True)
        ]
    one, other = first.constant, second.constant
    if first.kind == "number" and one is not None and other is not None:
        return truth(_ORDER[sign](one, other))
    return Value("yes/no", f"({codes[0]} {sign} {codes[1]})")


def placed(
    compiler: Compiler, rank: Value, phrase: Phrase, order: str, scope: Scope
) -> str:
    """Return the code of a rank's place in an order that must have it."""
    table = compiler.meaning.orders[order]
    for index, place in enumerate(table):
        known = rank.constant is not None and rank.constant != index
        fact = f"not:{rank.code}:{index}"
        if place or known or scope.lenient or fact in scope.facts:
            continue
        name = compiler.meaning.deck.ranks[index]
        compiler.report(
            "rank-not-in-order",
            f"'{phrase.span.text}' may be {name}, which has no place in '{order}'",
            phrase.span,
            f"Exclude it first: {phrase.span.text} == {name} or …",
        )
        break
    return f"ORDER_{order}[{rank.code}]"


def _compile_member(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    item = compiler.compile(phrase.part(0), scope)
    right = phrase.part(1)
    if right.rule == "listed":
        return _among(compiler, item, right, phrase, scope)
    group = compiler.group(right, scope)
    if "unknown" in (item.kind, group.kind):
        return UNKNOWN
    if group.item_kind != item.kind:
        return compiler.report(
            "never-equal",
            f"{name_kind(item.kind)} is never in a group of {group.item_kind}s",
            phrase.span,
            "Such a test can never be true.",
        )
    if group.holds:
        name = compiler.emitter.name("t")
        compiler.emitter.line(f"{name} = {item.code}")
        return Value("yes/no", group.holds(compiler.emitter, name))
    return UNKNOWN


def _among(
    compiler: Compiler, item: Value, right: Phrase, phrase: Phrase, scope: Scope
) -> Value:
    tests = []
    for part in right.parts:
        assert part is not None
        value = compiler.literal(part, item.kind) or compiler.compile(part, scope)
        if "unknown" in (item.kind, value.kind):
            return UNKNOWN
        if value.kind != item.kind:
            return compiler.report(
                "never-equal",
                f"{name_kind(item.kind)} is never {part.span.text}",
                part.span,
                "Such a test can never be true.",
            )
        tests.append(f"{item.code} == {value.code}")
    return Value("yes/no", f"({' or '.join(tests)})")


def _compile_not_member(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    value = _compile_member(compiler, phrase, scope)
    return Value(value.kind, f"(not {value.code})")


def _as_number(value: Value) -> Value:
    return Value("number", value.code, constant=value.constant)


RULES: Final[dict[str, Rule]] = {
    "negated": _compile_negated,
    "both": _compile_both,
    "either": _compile_either,
    "compared": _compile_compared,
    "member": _compile_member,
    "not_member": _compile_not_member,
}
