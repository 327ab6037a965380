"""Compile choices: definitions, tables of rows, and if … then … else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..text.parser import Phrase
from . import groups
from .emitter import newest_name
from .scope import Definition, Rule, Scope
from .values import UNKNOWN, Value, name_kind

if TYPE_CHECKING:
    from .expressions import Compiler


# Kinds that stand for one another: cards may be one card, or all of a pile.
_ALIKE: Final = (("card", "cards", "pile"), ("player", "players"), ("pile", "piles"))
# Compiles one arm of a choice, where the test is known to have come out.
Arm = Callable[[Scope], Value]


def expand(
    compiler: Compiler,
    word: str,
    arguments: tuple[Value, ...],
    phrase: Phrase,
    scope: Scope,
) -> Value:
    """Compile a definition in the place where it is used."""
    definition = compiler.meaning.definitions[word]
    compiler.meaning.used.add(word)
    if word in scope.defining:
        circle = " > ".join([*scope.defining, word])
        return compiler.report(
            "definition-circle",
            f"'{word}' is defined by itself: {circle}",
            definition.span,
            "A definition may use others, but not itself.",
        )
    if len(arguments) != len(definition.params):
        wanted = ", ".join(definition.params)
        return compiler.report(
            "wrong-number-of-arguments",
            f"'{word}' takes {count_arguments(len(definition.params))}, not "
            f"{len(arguments)}",
            phrase.span,
            f"Write {word}({wanted})." if wanted else f"Write {word}.",
        )
    value = _unfold(compiler, definition, arguments, scope)
    if word in compiler.meaning.replaced:
        return _compare(compiler, definition, value, arguments, scope)
    return value


def _unfold(
    compiler: Compiler,
    definition: Definition,
    arguments: tuple[Value, ...],
    scope: Scope,
) -> Value:
    """Compile a definition, or write once more what it was compiled to before."""
    meaning, emitter = compiler.meaning, compiler.emitter
    inner = replace(
        scope,
        names=dict(zip(definition.params, arguments, strict=True)),
        items=(),
        defining=(*scope.defining, definition.name),
    )
    key = (id(definition), inner.signature())
    if key in meaning.unfolded:
        value, lines, names = meaning.unfolded[key]
        if compiler.has_unfolded(definition.span, lines, value.code):
            return UNKNOWN
        *lines, code = emitter.rename([*lines, value.code], names)
        emitter.add(lines)
        return replace(value, code=code)
    names, problems = emitter.names, len(meaning.problems)
    with emitter.apart() as lines:
        value = _compile_definition(compiler, definition, inner)
    if compiler.has_unfolded(definition.span, lines, value.code):
        return UNKNOWN
    emitter.add(lines)
    is_plain = not (value.is_group or value.kind == "unknown" or value.alike)
    codes = [scope.me or "", *(argument.code for argument in arguments)]
    # Lines that are only looked at may use names that their emitter has not given.
    is_whole = newest_name(codes) <= names
    if is_plain and is_whole and len(meaning.problems) == problems:
        meaning.unfolded[key] = (value, lines, names)
    return value


def _compile_definition(
    compiler: Compiler, definition: Definition, inner: Scope
) -> Value:
    if definition.body is not None:
        return compiler.compile(definition.body, inner)
    return _table(compiler, definition.table, inner)


def _compare(
    compiler: Compiler,
    definition: Definition,
    value: Value,
    arguments: tuple[Value, ...],
    scope: Scope,
) -> Value:
    """Return the value of a definition if it is of the kind of the one before."""
    before = compiler.meaning.replaced[definition.name]
    with compiler.trying():
        wanted = _unfold(compiler, before, arguments, scope).kind
    alike = [{value.kind, wanted} <= set(kinds) for kinds in _ALIKE]
    if "unknown" in (value.kind, wanted) or value.kind == wanted or any(alike):
        return value
    return compiler.report(
        "other-kind",
        f"'{definition.name}' is {name_kind(value.kind)} here; what it replaces is "
        f"{name_kind(wanted)}",
        definition.span,
        f"Let it give {name_kind(wanted)}: whatever uses it counts on that.",
    )


def _table(
    compiler: Compiler, rows: tuple[tuple[Phrase | None, Phrase], ...], scope: Scope
) -> Value:
    """Compile the first row whose test holds, down to the last."""
    if not rows:
        # It could not be read, which has been reported where it stands.
        return UNKNOWN
    test, result = rows[0]
    if test is None or len(rows) == 1:
        return compiler.compile(result, scope)
    return _choose(
        compiler,
        test,
        scope,
        lambda inner: compiler.compile(result, inner),
        lambda inner: _table(compiler, rows[1:], inner),
        result,
    )


def _compile_choice(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    test, one, other = phrase.part(0), phrase.part(1), phrase.part(2)
    return _choose(
        compiler,
        test,
        scope,
        lambda inner: compiler.compile(one, inner),
        lambda inner: compiler.compile(other, inner),
        other,
    )


def _choose(
    compiler: Compiler, test: Phrase, scope: Scope, one: Arm, other: Arm, phrase: Phrase
) -> Value:
    """Compile ``if … then … else …`` from functions that compile its arms."""
    condition = compiler.compile(test, scope, "yes/no")
    yes = scope.knowing(compiler.facts(test, True, scope))
    no = scope.knowing(compiler.facts(test, False, scope))
    if condition.constant is not None:
        with compiler.emitter.apart():  # the other arm, for its problems only
            (other(no) if condition.constant else one(yes))
        return one(yes) if condition.constant else other(no)
    with compiler.emitter.apart() as yes_lines:
        first = _known(one(yes), yes)
    with compiler.emitter.apart() as no_lines:
        second = _known(other(no), no)
    if first.is_group and not (first.kind == second.kind == "pile"):
        chosen = condition.code
        if yes_lines or no_lines:
            chosen = compiler.emitter.name("t")
            compiler.emitter.line(f"{chosen} = {condition.code}")
            for head, lines in ((f"if {chosen}:", yes_lines), ("else:", no_lines)):
                with compiler.emitter.block(head):
                    compiler.emitter.add(lines)
        return groups.choose_group(compiler, chosen, first, second, phrase)
    kind = _common(compiler, first, second, phrase)
    code = f"({first.code} if {condition.code} else {second.code})"
    if yes_lines or no_lines:
        code = compiler.emitter.name("t")
        with compiler.emitter.block(f"if {condition.code}:"):
            compiler.emitter.add(yes_lines)
            compiler.emitter.line(f"{code} = {first.code}")
        with compiler.emitter.block("else:"):
            compiler.emitter.add(no_lines)
            compiler.emitter.line(f"{code} = {second.code}")
    zones = first.zones | second.zones
    if kind == "pile":
        return replace(compiler.pile(code, zones), maybe=first.maybe or second.maybe)
    return Value(kind, code, first.maybe or second.maybe, zones=zones)


def _known(value: Value, scope: Scope) -> Value:
    """Return an arm's value; what its test says is there cannot be none."""
    is_there = value.maybe and f"is:{value.code}" in scope.facts
    return replace(value, maybe=False) if is_there else value


def _common(compiler: Compiler, first: Value, second: Value, phrase: Phrase) -> str:
    kinds = {first.kind, second.kind} - {"none"}
    if "unknown" in kinds:
        return "unknown"
    if len(kinds) > 1:
        return groups.report_difference(compiler, first, second, phrase).kind
    return kinds.pop() if kinds else "none"


def count_arguments(number: int) -> str:
    """Return how people read a number of arguments."""
    return "1 argument" if number == 1 else f"{number} arguments"


RULES: Final[dict[str, Rule]] = {
    "choice": _compile_choice,
}
