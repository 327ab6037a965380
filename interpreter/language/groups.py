"""Compile groups that are written out, joined, narrowed or chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..text.parser import Phrase
from .emitter import Emitter
from .scope import Rule, Scope
from .values import GROUP_OF, UNKNOWN, Body, Value, name_kind, plus

if TYPE_CHECKING:
    from .expressions import Compiler


def _compile_filtered(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    group, name, condition = compiler.range_of(phrase, scope)
    assert condition is not None
    return compiler.filter(group, name, condition, scope)


def _compile_interval(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    first = compiler.compile(phrase.part(0), scope, "number")
    last = compiler.compile(phrase.part(1), scope, "number")
    return compiler.numbers("numbers", first.code, last.code)


def _compile_listed(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    items = tuple(compiler.compile(part, scope) for part in phrase.parts if part)
    if any(item.kind == "unknown" for item in items):
        return UNKNOWN
    if len({item.kind for item in items}) > 1:
        return report_difference(compiler, items[0], items[1], phrase)

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        for item in items:
            if stop:
                with emitter.block(f"if not {stop}:"):
                    body(item.code)
            else:
                body(item.code)

    def holds(emitter: Emitter, item: str) -> str:
        return f"({' or '.join(f'{item} == {value.code}' for value in items)})"

    codes = ", ".join(item.code for item in items)
    return Value("listed", f"({codes})", loop=loop, holds=holds, sure=True, items=items)


def join_groups(
    compiler: Compiler, first: Value, second: Value, phrase: Phrase, scope: Scope
) -> Value:
    """Compile ``one + other``: the items of both."""
    if second.kind == "card":
        second = compiler.single(compiler.sure(second, phrase.part(1), scope))
    if "unknown" in (first.kind, second.kind):
        return UNKNOWN
    if not second.is_group or first.item_kind != second.item_kind:
        return report_difference(compiler, first, second, phrase)

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        if first.loop:
            first.loop(emitter, body, stop)
        if second.loop and stop:
            with emitter.block(f"if not {stop}:"):
                second.loop(emitter, body, stop)
        elif second.loop:
            second.loop(emitter, body, stop)

    def holds(emitter: Emitter, item: str) -> str:
        assert first.holds
        assert second.holds
        one, other = first.holds(emitter, item), second.holds(emitter, item)
        return f"({one} or {other})"

    return Value(
        GROUP_OF[first.item_kind],
        f"{first.code} + {second.code}",
        zones=first.zones | second.zones,
        loop=loop,
        holds=holds,
        sure=first.sure or second.sure,
        size=f"({plus(first.size, second.size)})" if first.size and second.size else "",
        masks=first.masks + second.masks if first.masks and second.masks else (),
        distinct=first.distinct
        and second.distinct
        and not first.zones & second.zones
        and bool(first.zones and second.zones),
    )


def choose_group(
    compiler: Compiler, test: str, first: Value, second: Value, phrase: Phrase
) -> Value:
    """Return the one group where a test holds, else the other."""
    if "unknown" in (first.kind, second.kind):
        return UNKNOWN
    if first.item_kind != second.item_kind:
        return report_difference(compiler, first, second, phrase)

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        for head, group in ((f"if {test}:", first), ("else:", second)):
            with emitter.block(head):
                if group.loop:
                    group.loop(emitter, body, stop)

    def holds(emitter: Emitter, item: str) -> str:
        found = emitter.name("t")
        for head, group in ((f"if {test}:", first), ("else:", second)):
            with emitter.block(head):
                assert group.holds
                emitter.line(f"{found} = {group.holds(emitter, item)}")
        return found

    kind = GROUP_OF[first.item_kind]
    code = f"if {test} then {first.code} else {second.code}"
    zones = first.zones | second.zones
    masks: tuple[str, ...] = ()
    if len(first.masks) == len(second.masks) == 1:
        masks = (f"({first.masks[0]} if {test} else {second.masks[0]})",)
    found = Value(kind, code, False, None, zones, loop, holds, masks=masks)
    return replace(found, distinct=first.distinct and second.distinct)


def report_difference(
    compiler: Compiler, first: Value, second: Value, phrase: Phrase
) -> Value:
    """Report that two things which must be of one kind are not."""
    return compiler.report(
        "wrong-kind",
        f"the results are {name_kind(first.kind)} and {name_kind(second.kind)}",
        phrase.span,
        "Both must be of one kind.",
    )


RULES: Final[dict[str, Rule]] = {
    "filtered": _compile_filtered,
    "interval": _compile_interval,
    "listed": _compile_listed,
}
