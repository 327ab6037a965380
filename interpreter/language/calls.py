"""Compile calls, piles of families, and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..text.parser import Phrase
from . import library, names
from .scope import Rule, Scope
from .values import UNKNOWN, Value, plus

if TYPE_CHECKING:
    from .expressions import Compiler


def _compile_call(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    head = phrase.part(0)
    arguments = tuple(part for part in phrase.parts[1:] if part is not None)
    if head.rule == "name":
        word = head.words[0]
        if word in compiler.meaning.definitions and word not in scope.names:
            values = tuple(compiler.compile(part, scope) for part in arguments)
            if any(value.kind == "unknown" for value in values):
                return UNKNOWN
            return compiler.expand(word, values, phrase, scope)
        if word in library.FUNCTIONS and word not in scope.names:
            return library.call(compiler, word, arguments, phrase, scope)
    return _index(compiler, head, arguments, phrase, scope)


def _index(
    compiler: Compiler,
    head: Phrase,
    arguments: tuple[Phrase, ...],
    phrase: Phrase,
    scope: Scope,
) -> Value:
    """Compile ``p.stock(2)``, a pile of a family."""
    if head.rule == "name" and not _is_known(compiler, head.words[0], scope):
        known = [*library.FUNCTIONS, *compiler.meaning.definitions]
        known += [z.name for z in compiler.meaning.layout.zones.values() if z.is_family]
        return names.report_unknown(
            compiler, head, head.words[0], known, "unknown-function"
        )
    family = compiler.compile(head, scope)
    if family.kind == "unknown":
        return UNKNOWN
    if family.kind != "piles" or len(arguments) != 1:
        return compiler.report(
            "not-a-function",
            f"'{head.span.text}' is no function and no family of piles",
            phrase.span,
            "Only functions, definitions and families of piles take parentheses.",
        )
    index = compiler.compile(arguments[0], scope, "number")
    (name,) = family.zones or frozenset({""})
    piles = compiler.meaning.layout.zones[name].piles if name else 1
    first = family.code.split(" ", 1)[1].rsplit(" to ", 1)[0]
    if index.constant is not None:
        if not 1 <= index.constant <= piles:
            return compiler.report(
                "no-such-pile",
                f"there is no pile {index.constant} in '{name}', which has {piles}",
                arguments[0].span,
                f"Piles are counted from 1 to {piles}.",
            )
        return compiler.pile(plus(first, str(index.constant - 1)), family.zones)
    inside = f"min({piles}, max(1, {index.code}))"
    if index.code.startswith(("n", "(p")) or index.code in scope.facts:
        inside = index.code
    name = compiler.emitter.name("p")
    compiler.emitter.line(f"{name} = {plus(first, '-1')} + {inside}")
    return compiler.pile(name, family.zones)


def _is_known(compiler: Compiler, word: str, scope: Scope) -> bool:
    return word in scope.names or word in compiler.meaning.layout.zones


def card_attributes(compiler: Compiler) -> dict[str, str]:
    """Return what a card has, and the kind of each."""
    found = dict(library.CARD_ATTRIBUTES)
    found |= {name: name for name in compiler.meaning.attributes}
    found |= dict.fromkeys(compiler.meaning.tables, "number")
    return found


def _compile_attribute(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    base = compiler.compile(phrase.part(0), scope)
    if base.kind == "unknown":
        return UNKNOWN
    if base.maybe:
        base = compiler.sure(base, phrase.part(0), scope)
    return compiler.attribute(base, phrase.words[0], phrase, scope)


def _compile_random(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    return compiler.report(
        "random-in-expression",
        "'random' is not part of an expression",
        phrase.span,
        "Chance stands in actions only: set x to random(players).",
    )


RULES: Final[dict[str, Rule]] = {
    "call": _compile_call,
    "attribute": _compile_attribute,
    "random": _compile_random,
}
