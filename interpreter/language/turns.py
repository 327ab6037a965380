"""Compile turns: who is next, who is skipped, and when they end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..text.parser import Phrase
from ..text.tree import Mapping
from .decisions import Round
from .declarations import read_direction, text
from .emitter import Emitter
from .scope import Scope
from .values import Value, negate

if TYPE_CHECKING:
    from .script import ScriptCompiler


def compile_turns(script: ScriptCompiler, node: Mapping, scope: Scope) -> None:
    """Compile turns: a block in which one player after the other is ``me``."""
    spec = node.get("turns")
    assert isinstance(spec, Mapping)
    layout = script.meaning.layout
    name = text(spec.get("name"))
    me, left = layout.reserve("me"), layout.reserve("turns left")
    first = script.compiler.read(spec.get("from"))
    if first is None:
        return
    start = script.compiler.compile(first, scope, "player")
    start = script.compiler.sure(start, first, scope)
    if spec.get("each") is None and spec.get("until") is None:
        script.compiler.report(
            "endless-turns",
            "these turns never end",
            spec.span,
            "Say 'each: once', or 'until:' and a test.",
        )
    head, body, step, after = (script.label() for _ in range(4))
    outside = script.enter(node, name, after)
    script.emitter.line(f"S[{me}] = {start.code}")
    script.emitter.line(f"S[{left}] = {layout.seats}")
    script.emitter.line(f"S[{script.slot('next')}] = -1")
    inner = replace(scope, me=f"S[{me}]", facts=frozenset())
    script.simple.reset_all(node, inner)
    script.goto(head)
    script.begin(head)
    _turn_head(script, spec, inner, me, left, (body, after))
    script.begin(body)
    script.me_slots.append(me)
    outer = list(script.rounds)
    if spec.get("each") is not None:
        script.rounds.append(_round(script, spec, first, scope, left))
    with script.using_fuel():
        script.statements(node.get("do"), inner)
    script.me_slots.pop()
    script.rounds = outer
    script.goto(step)
    script.begin(step)
    _next_turn(script, spec, me, left)
    script.goto(head)
    script.leave(name, outside)
    script.begin(after)


def _round(
    script: ScriptCompiler, spec: Mapping, first: Phrase, scope: Scope, left: int
) -> Round:
    """Keep how to tell who has the first turn, for games set up in the middle."""
    script.firsts.append(write_player(script, first, scope))
    return Round(left, len(script.firsts) - 1, _step(script, spec))


def write_player(script: ScriptCompiler, phrase: Phrase, scope: Scope) -> Emitter:
    """Write which player something is, for games set up in the middle."""
    emitter = Emitter()
    problems = list(script.meaning.problems)  # they have been found before
    with script.compiler.writing(emitter):
        emitter.line(f"return {script.compiler.compile(phrase, scope, 'player').code}")
    script.meaning.problems[:] = problems
    return emitter


def _turn_head(
    script: ScriptCompiler,
    spec: Mapping,
    scope: Scope,
    me: int,
    left: int,
    labels: tuple[int, int],
) -> None:
    """Write who is next: tests of until, of once around, and skipping."""
    emitter = script.emitter
    body, after = labels
    skip = read_skip(script, spec, scope)
    is_once = spec.get("each") is not None
    until = script.compiler.read(spec.get("until"))
    if until is not None:
        with emitter.block(f"if {script.compiler.test(until, scope)}:"):
            script.goto(after)
    if skip is not None:
        tries = emitter.name("k")
        emitter.line(f"{tries} = {script.meaning.layout.seats}")
        item = Value("player", f"S[{me}]")
        with emitter.apart() as lines:
            test = script.compiler.test(skip, scope.visiting(item, None))
        with emitter.block("while True:" if lines else f"while {test}:"):
            emitter.add(lines)
            if lines:
                with emitter.block(f"if {negate(test)}:"):
                    emitter.line("break")
            emitter.line(f"S[{me}] = {_neighbour(script, spec, me)}")
            emitter.line(f"S[{left}] -= 1")
            emitter.line(f"{tries} -= 1")
            with emitter.block(f"if {tries} == 0:"):
                emitter.line("break")
        with emitter.block(f"if {tries} == 0:"):
            script.goto(after)
    if is_once:
        script.branch(f"S[{left}] > 0", body, after)
    else:
        script.goto(body)


def read_skip(script: ScriptCompiler, spec: Mapping, scope: Scope) -> Phrase | None:
    """Return the test of who is skipped, if anybody can be for these options."""
    skip = script.compiler.read(spec.get("skip"))
    if skip is None:
        return None
    with script.compiler.trying():
        item = scope.visiting(Value("player", "it"), None)
        test = script.compiler.compile(skip, item, "yes/no")
    return None if test.code == "False" else skip


def _neighbour(script: ScriptCompiler, spec: Mapping, me: int) -> str:
    seats = script.meaning.layout.seats
    return f"(S[{me}] + {_step(script, spec) % seats}) % {seats}"


def _step(script: ScriptCompiler, spec: Mapping) -> int:
    """Return the step from a player at turn to the next one."""
    way = spec.get("direction")
    return read_direction(way, script.meaning, script.meaning.layout.step)


def _next_turn(script: ScriptCompiler, spec: Mapping, me: int, left: int) -> None:
    emitter, slot = script.emitter, script.slot("next")
    emitter.line(f"S[{left}] -= 1")
    with emitter.block(f"if S[{slot}] >= 0:"):
        emitter.line(f"S[{me}] = S[{slot}]")
        emitter.line(f"S[{slot}] = -1")
    with emitter.block("else:"):
        emitter.line(f"S[{me}] = {_neighbour(script, spec, me)}")
