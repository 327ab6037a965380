"""Compile the places where the script waits: choose, together, race."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..text.errors import suggest
from ..text.source import Span
from ..text.tree import Mapping, Scalar, Sequence
from .decisions import Decision, Waiting
from .declarations import text
from .scope import Scope
from .turns import write_player

if TYPE_CHECKING:
    from .script import ScriptCompiler


def register_decision(
    script: ScriptCompiler,
    node: Mapping,
    kind: str,
    label: int,
    after: int,
    who: str = "",
    by: int | None = None,
) -> Decision:
    """Register a decision and write the waiting for it."""
    listed = node.get(kind)
    items = listed.items if isinstance(listed, Sequence) else ()
    names = []
    for item in items:
        if not isinstance(item, Scalar):
            continue
        if item.text not in script.moves.moves:
            script.compiler.report(
                "unknown-move",
                f"unknown move '{item.text}'",
                item.span,
                suggest(item.text, list(script.moves.moves), "moves"),
            )
            continue
        script.meaning.used.add(f"move {item.text}")
        names.append(item.text)
    name = text(node.get("name")) or (names[0] if names else kind)
    decision = Decision(
        len(script.waiting),
        ".".join([*script.path, name]),
        kind,
        tuple(names),
        node.span,
        label,
        tuple(script.me_slots),
        tuple(script.rounds),
        (int(who[2:-1]),) if who else (),
        by,
    )
    script.waiting.append(Waiting(decision, after, dict(script.exits), who))
    return decision


def write_wait(
    script: ScriptCompiler, decision: Decision, to_act: str, *, is_race: bool = False
) -> None:
    """Write that the game waits at a decision, and for whom."""
    emitter = script.emitter
    script.compiler.mark("decision", decision.path, decision.span)
    emitter.line(f"S[{script.slot('decision')}] = {decision.index}")
    emitter.line(f"S[{script.slot('to_act')}] = {to_act}")
    emitter.line(f"S[{script.slot('race')}] = {int(is_race)}")
    emitter.line(f"S[{script.slot('pc')}] = {decision.label}")
    emitter.line("return")


def compile_choose(script: ScriptCompiler, node: Mapping, scope: Scope) -> None:
    """Compile the choice of one player."""
    by = script.compiler.read(node.get("by"))
    label, after = script.label(), script.label()
    actor = script.meaning.layout.reserve("actor")
    decider: int | None = None
    if by is not None:
        player = script.compiler.compile(by, scope, "player")
        player = script.compiler.sure(player, by, scope)
        script.emitter.line(f"S[{actor}] = {player.code}")
        if not scope.names:  # what a loop goes over is not there in the middle of it
            decider = len(script.deciders)
            script.deciders.append(write_player(script, by, scope))
    elif scope.me is not None:
        script.emitter.line(f"S[{actor}] = {scope.me}")
    else:
        script.compiler.report(
            "nobody-acts",
            "nobody is at turn here to choose",
            node.span,
            "Say who, with 'by:', or put it inside 'turns'.",
        )
    script.goto(label)
    script.begin(label)
    script.me_slots.append(actor)
    decision = register_decision(script, node, "choose", label, after, by=decider)
    script.me_slots.pop()
    otherwise = node.get("otherwise")
    if otherwise is not None:
        tests = [f"can_{m}(S, S[{actor}])" for m in decision.moves] or ["False"]
        wait, other = script.label(), script.label()
        script.branch(f"({' or '.join(tests)})", wait, other)
        script.begin(other)
        place = _place_of(node, "otherwise")
        with script.compiler.part("otherwise", decision.path, place):
            script.statements(otherwise, replace(scope, facts=frozenset()))
        script.goto(after)
        script.begin(wait)
    write_wait(script, decision, f"1 << S[{actor}]")
    script.begin(after)


def _players(script: ScriptCompiler, node: Mapping, scope: Scope) -> str:
    """Write the mask of the players named by ``who``; return its code."""
    who = script.compiler.read(node.get("who"))
    if who is None:
        return str(script.meaning.layout.everyone)
    group = script.compiler.expect(script.compiler.group(who, scope), "players", who)
    return script.compiler.mask_of(group)


def compile_together(script: ScriptCompiler, node: Mapping, scope: Scope) -> None:
    """Compile a decision that all take unseen before it takes effect."""
    label, after = script.label(), script.label()
    slot = script.meaning.layout.reserve("who acts together")
    script.emitter.line(f"S[{slot}] = {_players(script, node, scope)}")
    script.emitter.line(f"S[{script.slot('pending')}] = S[{slot}]")
    script.branch(f"S[{slot}] == 0", after, label)
    script.begin(label)
    decision = register_decision(script, node, "together", label, after, f"S[{slot}]")
    write_wait(script, decision, f"S[{script.slot('pending')}]")
    script.begin(after)


def compile_race(script: ScriptCompiler, node: Mapping, scope: Scope) -> None:
    """Compile a race: all act at any time, until nobody can."""
    head, label, stuck, after = (script.label() for _ in range(4))
    name = text(node.get("name"))
    slot = script.meaning.layout.reserve("who races")
    script.emitter.line(f"S[{slot}] = {_players(script, node, scope)}")
    script.simple.reset_all(node, scope)
    outside = script.enter(node, name, after)
    if name:
        script.path.pop()
    script.goto(head)
    script.begin(head)
    inner = replace(scope, facts=frozenset())
    until = script.compiler.read(node.get("until"))
    if until is not None:
        with script.emitter.block(f"if {script.compiler.test(until, inner)}:"):
            script.goto(after)
    decision = register_decision(script, node, "race", head, head, f"S[{slot}]")
    if node.get("stuck") is not None:
        script.branch(f"is_stuck(S, {decision.index})", stuck, label)
        script.begin(stuck)
        if name:
            script.path.append(name)
        before = _remember(script)
        place = _place_of(node, "stuck")
        part = script.compiler.part("stuck", decision.path, place)
        with part, script.using_fuel():
            script.statements(node.get("stuck"), inner)
        _compare(script, before)
        if name:
            script.path.pop()
    script.goto(head if node.get("stuck") is not None else label)
    script.begin(label)
    write_wait(script, decision, f"S[{slot}]", is_race=True)
    if name:
        script.path.append(name)
    script.leave(name, outside)
    script.begin(after)


def _remember(script: ScriptCompiler) -> int:
    """Write the state's digest into a slot, which itself counts as 0.

    The next slot says whether it is of all that the state consists of.
    """
    slot = script.meaning.layout.reserve("digest", 2)
    script.emitter.line(f"S[{slot}] = 0")
    script.emitter.line(f"S[{slot}] = digest(S, S[{slot + 1}])")
    return slot


def _compare(script: ScriptCompiler, slot: int) -> None:
    """Write the fault of a state that is still as it was remembered.

    Where it seems to be, by its short digest, the next time it is looked at whole.
    """
    emitter, before = script.emitter, script.emitter.name("n")
    emitter.line(f"{before} = S[{slot}]")
    emitter.line(f"S[{slot}] = 0")
    with emitter.block(f"if {before} != digest(S, S[{slot + 1}]):"):
        emitter.line(f"S[{slot + 1}] = 0")
    with emitter.block(f"elif S[{slot + 1}] == 0:"):
        emitter.line(f"S[{slot + 1}] = 1")
    with emitter.block("else:"):
        emitter.line("fault(S, 4)")
        emitter.line("return")


def _place_of(node: Mapping, name: str) -> Span:
    """Return where a key stands."""
    return next((key.span for key, _ in node.entries if key.text == name), node.span)
