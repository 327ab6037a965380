"""Say what is known once a test has come out one way."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..text.parser import Phrase
from .scope import Meaning, Scope
from .values import Value

if TYPE_CHECKING:
    from .expressions import Compiler


def find_facts(
    compiler: Compiler, phrase: Phrase, holds: bool, scope: Scope
) -> set[str]:
    """Return what is known once a test has come out true (or false)."""
    if not _may_tell(compiler.meaning, phrase, ()):
        return set()
    if phrase.rule == "negated":
        return find_facts(compiler, phrase.part(0), not holds, scope)
    if phrase.rule in ("both", "either"):
        first = find_facts(compiler, phrase.part(0), holds, scope)
        second = find_facts(compiler, phrase.part(1), holds, scope)
        if (phrase.rule == "both") == holds:
            return first | second
        return first & second
    key = (id(phrase), holds, scope.signature())
    told = compiler.meaning.told.get(key)
    if told is None:
        with compiler.trying():
            told = phrase, _simple_facts(compiler, phrase, holds, scope)
        compiler.meaning.told[key] = told
    return told[1]


def _may_tell(meaning: Meaning, phrase: Phrase, within: tuple[str, ...]) -> bool:
    """Tell whether a test is of a form that says more than itself.

    Most are not: to know it before they are compiled once more saves much time.
    """
    known = meaning.telling.get(id(phrase))
    if known is None:
        known = (phrase, _finds_form(meaning, phrase, within))
        # What a definition within itself says is not known yet.
        if not within:
            meaning.telling[id(phrase)] = known
    return known[1]


def _finds_form(meaning: Meaning, phrase: Phrase, within: tuple[str, ...]) -> bool:
    rule = phrase.rule
    if rule in ("negated", "both", "either"):
        return any(_may_tell(meaning, part, within) for part in phrase.parts if part)
    if rule in ("member", "not_member"):
        return True
    if rule == "attribute":
        return phrase.words[0] == "empty"
    if rule == "compared":
        return _may_compared_tell(meaning, phrase.part(0), phrase.part(1))
    head = phrase.part(0) if rule == "call" else phrase
    if rule not in ("call", "name") or head.rule != "name":
        return False
    word = head.words[0]
    definition = meaning.definitions.get(word)
    if definition is None or definition.body is None or word in within:
        return word == "any"
    return _may_tell(meaning, definition.body, (*within, word))


def _may_compared_tell(meaning: Meaning, left: Phrase, right: Phrase) -> bool:
    if right.rule in ("name", "number"):
        word = right.words[0]
        if word == "none" or word in meaning.deck.ranks:
            return True
    if left.rule == "attribute":
        return left.words[0] == "size"
    return left.rule == "call" and left.part(0).words == ("count",)


def _simple_facts(
    compiler: Compiler, phrase: Phrase, holds: bool, scope: Scope
) -> set[str]:
    if phrase.rule == "attribute" and phrase.words[0] == "empty" and not holds:
        return _nonempty(compiler, phrase.part(0), None, scope)
    if phrase.rule == "compared":
        return _compared_facts(compiler, phrase, holds, scope)
    if phrase.rule in ("member", "not_member"):
        inside = holds == (phrase.rule == "member")
        return _member_facts(compiler, phrase, inside, scope)
    if phrase.rule == "call" and phrase.part(0).rule == "name":
        return _call_facts(compiler, phrase, holds, scope)
    if phrase.rule == "name":
        return _defined_facts(compiler, phrase.words[0], (), holds, scope)
    return set()


def _nonempty(
    compiler: Compiler, phrase: Phrase, test: Phrase | None, scope: Scope
) -> set[str]:
    group, name, condition = compiler.range_of(phrase, scope)
    found = {f"some:{group.code}", f"some:{group.code.removeprefix('rest of ')}"}
    for part in (condition, test):
        if part is not None:
            group = compiler.filter(group, name, part, scope)
            found.add(f"some:{group.code}")
    return found


def _compared_facts(
    compiler: Compiler, phrase: Phrase, holds: bool, scope: Scope
) -> set[str]:
    left, right, sign = phrase.part(0), phrase.part(1), phrase.words[0]
    if right.rule == "name" and right.words[0] == "none":
        if (sign == "!=") == holds:
            return {f"is:{compiler.compile(left, scope).code}"}
        return set()
    if (sign == "==") != holds and sign in ("==", "!="):
        literal = compiler.literal(right, "rank")
        value = compiler.compile(left, scope) if literal else None
        if literal is None or value is None or value.kind != "rank":
            return set()
        return {f"not:{value.code}:{literal.constant}"}
    return _size_facts(compiler, left, right, sign, holds, scope)


def _size_facts(
    compiler: Compiler,
    left: Phrase,
    right: Phrase,
    sign: str,
    holds: bool,
    scope: Scope,
) -> set[str]:
    """``count(x) >= 1``, ``x.size > 0``, ``count(x) == 1`` say x has some."""
    is_size = left.rule == "attribute" and left.words[0] == "size"
    is_count = left.rule == "call" and left.part(0).words == ("count",)
    limit = compiler.compile(right, scope).constant if is_size or is_count else None
    if limit is None:
        return set()
    if not holds:
        sign = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!="}.get(sign, "==")
    least = {">": limit + 1, ">=": limit, "==": limit, "!=": 1 - abs(limit)}
    if least.get(sign, 0) < 1:
        return set()
    if is_size:
        found = _nonempty(compiler, left.part(0), None, scope)
        if least[sign] > 1:
            # Of two cards one lies below the top.
            found.add(f"some:rest of {compiler.group(left.part(0), scope).code}")
        return found
    test = left.parts[2] if len(left.parts) > 2 else None
    return _nonempty(compiler, left.part(1), test, scope)


def _member_facts(
    compiler: Compiler, phrase: Phrase, inside: bool, scope: Scope
) -> set[str]:
    item, right = phrase.part(0), phrase.part(1)
    value = compiler.compile(item, scope)
    if right.rule != "listed":
        return {f"some:{compiler.group(right, scope).code}"} if inside else set()
    if inside or value.kind != "rank":
        return set()
    literals = [compiler.literal(part, "rank") for part in right.parts if part]
    return {f"not:{value.code}:{lit.constant}" for lit in literals if lit}


def _call_facts(
    compiler: Compiler, phrase: Phrase, holds: bool, scope: Scope
) -> set[str]:
    word = phrase.part(0).words[0]
    arguments = [part for part in phrase.parts[1:] if part is not None]
    if word in compiler.meaning.definitions:
        values = tuple(compiler.compile(part, scope) for part in arguments)
        return _defined_facts(compiler, word, values, holds, scope)
    if word == "any" and holds and arguments:
        test = arguments[1] if len(arguments) > 1 else None
        return _nonempty(compiler, arguments[0], test, scope)
    return set()


def _defined_facts(
    compiler: Compiler, word: str, values: tuple[Value, ...], holds: bool, scope: Scope
) -> set[str]:
    definition = compiler.meaning.definitions.get(word)
    if (
        definition is None
        or definition.body is None
        or word in scope.names
        or word in scope.defining
        or len(values) != len(definition.params)
    ):
        return set()
    inner = replace(
        scope,
        names=dict(zip(definition.params, values, strict=True)),
        items=(),
        defining=(*scope.defining, word),
    )
    return find_facts(compiler, definition.body, holds, inner)
