"""Compile statements without decisions: Python's own control flow."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from ..text.errors import Problem, suggest
from ..text.parser import Phrase, parse_action, parse_expression
from ..text.source import Span
from ..text.tree import Mapping, Node, Scalar, Sequence
from .actions import Surroundings, compile_action, stored_code, visit_snapshot
from .emitter import Emitter
from .expressions import MOST_NUMBERS, Compiler
from .scope import Scope
from .values import Value, narrow, truth

MAX_STEPS: Final = 12
# Statements after steps have been put where they are run.
MOST_STATEMENTS: Final = 3_000


class Row(NamedTuple):
    """A row of a ``first_of``, or an arm of an ``if``: what it does, and when."""

    test: Phrase | None
    do: Node | None
    name: str
    span: Span


@dataclass
class StatementCompiler:
    """Compiles what waits for nobody; where names a node's place."""

    compiler: Compiler
    where: Callable[[Node], str]
    running: list[str] = field(default_factory=list)

    def count(self, node: Node) -> bool:
        """Count a statement; report it and say no if there are far too many."""
        meaning = self.compiler.meaning
        meaning.statements += 1
        if meaning.statements == MOST_STATEMENTS + 1:
            meaning.report(
                "ruleset-too-large",
                f"the script unfolds to more than {MOST_STATEMENTS} statements",
                node.span,
                "Steps that run steps that run steps grow fast: use loops.",
            )
        return meaning.statements <= MOST_STATEMENTS

    def plain(self, node: Node, scope: Scope, around: Surroundings) -> None:
        """Write a statement without decisions."""
        if not self.count(node):
            return
        if isinstance(node, Scalar):
            action = parse_action(node)
            if isinstance(action, Problem):
                self.compiler.meaning.problems.append(action)
                return
            self.compiler.emitter.line(f"# {self.where(node)}")
            compile_action(action, scope, around)
        elif isinstance(node, Mapping):
            self._plain_control(node, scope, around)

    def plain_list(self, node: Node | None, scope: Scope, around: Surroundings) -> None:
        """Write a list of statements without decisions."""
        items = node.items if isinstance(node, Sequence) else ()
        if isinstance(node, (Scalar, Mapping)):
            items = (node,)
        for item in items:
            self.plain(item, scope, around)
            scope = self.after(item, scope)

    def after(self, node: Node, scope: Scope) -> Scope:
        """Return the scope once an action is done, with the facts it leaves."""
        facts = facts_kept(node, scope.facts)
        if isinstance(node, Scalar) and node.text.split() == ["gather"]:
            pile = self.compiler.meaning.layout.deck_pile.index
            facts = frozenset({f"some:{pile}"})
        return replace(scope, facts=facts)

    def _plain_control(self, node: Mapping, scope: Scope, around: Surroundings) -> None:
        if node.get("if") is not None:
            self._plain_if(node, scope, around)
        elif node.get("for") is not None:
            self._plain_for(node, scope, around)
        elif node.get("run") is not None:
            self.run(node, lambda steps: self.plain_list(steps, scope, around))
        elif node.get("first_of") is not None:
            self._plain_rows(read_rows(node), scope, around)
        elif node.get("block") is not None:
            self.reset_all(node, scope)
            self.plain_list(node.get("do"), scope, around)
        elif node.get("repeat") is not None:
            times = self.times(node, scope)
            self.reset_all(node, scope)
            turn = self.compiler.emitter.name("k")
            passes = int(times) if times.isdigit() else MOST_NUMBERS
            if not times.isdigit():
                times = f"bounded(S, 0, {times})"
            with (
                self.compiler.repeating(passes),
                self.compiler.emitter.block(f"for {turn} in range({times}):"),
            ):
                inner = replace(scope, facts=frozenset())
                self.plain_list(node.get("do"), inner, around)
        else:
            self.compiler.report(
                "waits-inside-move",
                "a move cannot wait for players",
                node.span,
                "Put decisions into the script, after the one that offers the move.",
            )

    def _plain_if(self, node: Mapping, scope: Scope, around: Surroundings) -> None:
        condition = self.compiler.read(node.get("if"))
        if condition is not None:
            self._plain_rows(read_arms(node, condition), scope, around)

    def _plain_rows(self, rows: list[Row], scope: Scope, around: Surroundings) -> None:
        if not rows:
            return
        condition, do, *_ = row = rows[0]
        if condition is None:
            with self.part(row):
                self.plain_list(do, scope, around)
            return
        test = self.compiler.compile(condition, scope, "yes/no")
        yes = scope.knowing(self.compiler.facts(condition, True, scope))
        no = scope.knowing(self.compiler.facts(condition, False, scope))
        emitter = self.compiler.emitter
        if test.constant is not None:
            self._choose(row, rows[1:], (yes, no), around, bool(test.constant))
            return
        with emitter.block(f"if {test.code}:"), self.part(row, test):
            self.plain_list(do, yes, around)
        if rows[1:]:
            with emitter.block("else:"):
                self._plain_rows(rows[1:], no, around)

    def _choose(
        self,
        row: Row,
        rest: list[Row],
        scopes: tuple[Scope, Scope],
        around: Surroundings,
        is_taken: bool,
    ) -> None:
        """Write the one of two arms that is taken in every game of this table.

        The other is only looked at for its problems.
        """
        emitter = self.compiler.emitter
        with emitter.apart() as lines, self.part(row, truth(is_taken)):
            self.plain_list(row.do, scopes[0], around)
        with emitter.apart() as others:
            self._plain_rows(rest, scopes[1], around)
        emitter.add(lines if is_taken else others)

    def part(self, row: Row, test: Value | None = None) -> AbstractContextManager[None]:
        """Mark the use of a row of a ``first_of``, or of an arm of an ``if``."""
        name = f"{row.name} in line {row.span.line}"
        is_ruled_out = test is not None and test.constant == 0
        return self.compiler.part("case", name, row.span, is_ruled_out=is_ruled_out)

    def for_group(
        self, node: Mapping, scope: Scope
    ) -> tuple[str, Value, Phrase | None, Value] | None:
        """Return name, whole group, condition and filtered group of a ``for``."""
        phrase = self.compiler.read(node.get("for"))
        if phrase is None:
            return None
        base = phrase.part(0) if phrase.rule == "filtered" else phrase
        if base.rule != "member" or base.part(0).rule != "name":
            self.compiler.report(
                "wrong-for",
                "'for' wants a name and a group",
                phrase.span,
                "Write: for: p in players where …",
            )
            return None
        group, name, condition = self.compiler.range_of(phrase, scope)
        assert name is not None
        whole = group
        if condition is not None:
            # In a `for` the item goes by its name and by `it`.
            group = self._filter_named(group, name, condition, scope)
        return name, whole, condition, group

    def _filter_named(
        self, group: Value, name: str, condition: Phrase, scope: Scope
    ) -> Value:
        compiler = self.compiler
        if group.kind == "unknown":
            return group

        def passes(emitter: Emitter, item: str) -> str:
            with compiler.writing(emitter):
                return compiler.test(condition, self.named(group, item, name, scope))

        return narrow(group, f"{group.code} where", passes)

    def named(self, group: Value, item: str, name: str, scope: Scope) -> Scope:
        """Return the scope of an item that goes by a name and by ``it``."""
        value = self.item_value(group, item)
        return scope.naming(name, value).visiting(value, None)

    def item_value(self, group: Value, code: str) -> Value:
        """Return the value of one item of a group, piles included."""
        if group.item_kind == "pile":
            return self.compiler.pile(code, group.zones)
        return self.compiler.item(group, code)

    def _plain_for(self, node: Mapping, scope: Scope, around: Surroundings) -> None:
        found = self.for_group(node, scope)
        if found is None:
            return
        name, whole, condition, group = found
        if group.kind == "unknown":
            return
        compiler = self.compiler

        def body(item: str) -> None:
            facts: set[str] = set()
            if condition is not None:
                named = self.named(whole, item, name, scope)
                facts = compiler.facts(condition, True, named)
            inner = scope.naming(name, self.item_value(whole, item)).knowing(facts)
            if whole.kind == "numbers":
                inner = inner.knowing({item})
            self.plain_list(node.get("do"), inner, around)

        if group.item_kind == "card":
            visit_snapshot(group, node.span, around, body)
        else:
            compiler.loop(group, body)

    def times(self, node: Mapping, scope: Scope) -> str:
        """Return the code of how often a block is repeated."""
        phrase = self.compiler.read(node.get("times"))
        if phrase is None:
            return "0"
        return self.compiler.compile(phrase, scope, "number").code

    def run(self, node: Mapping, body: Callable[[Node | None], None]) -> None:
        """Do something with the statements of a step, which cannot run itself."""
        step = node.get("run")
        assert isinstance(step, Scalar)
        if step.text not in self.compiler.meaning.steps:
            self.compiler.report(
                "unknown-step",
                f"unknown step '{step.text}'",
                step.span,
                suggest(step.text, list(self.compiler.meaning.steps), "steps"),
            )
            return
        self.compiler.meaning.used.add(step.text)
        if step.text in self.running or len(self.running) >= MAX_STEPS:
            self.compiler.report(
                "step-circle",
                f"'{step.text}' runs itself: {' > '.join([*self.running, step.text])}",
                step.span,
                "A step may run others, but not itself; use a loop.",
            )
            return
        self.running.append(step.text)
        with self.compiler.part("step", step.text, step.span):
            body(self.compiler.meaning.steps[step.text])
        self.running.pop()

    def reset_all(self, node: Mapping, scope: Scope) -> None:
        """Write the fresh start of a block's variables."""
        state = node.get("state")
        for key, spec in state.entries if isinstance(state, Mapping) else ():
            self.reset(key.text, spec, scope)

    def reset(self, name: str, spec: Node, scope: Scope) -> None:
        """Write the start of one variable."""
        known = self.compiler.meaning.variables.get(name)
        if known is None:
            return
        start = spec if isinstance(spec, Scalar) else None
        if isinstance(spec, Mapping):
            written = spec.get("start")
            start = written if isinstance(written, Scalar) else None
        code = "-1" if known.maybe else "0"
        if start is not None:
            phrase = self.compiler.read(start)
            if phrase is None:
                return
            value = self._start_value(phrase, known.kind, scope)
            code = stored_code(value)
        owners = {"player": self.compiler.meaning.layout.seats}.get(known.per, 1)
        if known.per == "team":
            owners = self.compiler.meaning.layout.team_count
        for index in range(owners):
            self.compiler.emitter.line(f"S[{known.slot + index}] = {code}")

    def _start_value(self, phrase: Phrase, kind: str, scope: Scope) -> Value:
        literal = self.compiler.literal(phrase, kind)
        value = literal or self.compiler.compile(phrase, scope)
        if value.kind == "none":
            return value
        return self.compiler.expect(value, kind, phrase)


def read_arms(node: Mapping, condition: Phrase) -> list[Row]:
    """Return the arms of an ``if``."""
    found = []
    for key, value in node.entries:
        if key.text in ("then", "else"):
            test = condition if key.text == "then" else None
            found.append(Row(test, value, f"'{key.text}'", key.span))
    return sorted(found, key=lambda row: row.test is None)


def read_rows(node: Mapping, compiler: Compiler | None = None) -> list[Row]:
    """Return the rows of a ``first_of``."""
    rows = node.get("first_of")
    found: list[Row] = []
    for key, row in rows.entries if isinstance(rows, Mapping) else ():
        if not isinstance(row, Mapping):
            continue
        condition = row.get("if")
        parsed = parse_expression(condition) if isinstance(condition, Scalar) else None
        if isinstance(parsed, Problem):
            if compiler is not None:
                compiler.meaning.problems.append(parsed)
            parsed = None
        found.append(Row(parsed, row.get("do"), f"'{key.text}'", key.span))
    return found


def facts_kept(node: Node, facts: frozenset[str]) -> frozenset[str]:
    """Return the facts that an action leaves as they are.

    A variable that is set, a card that is turned or a shuffle empties no pile: what is
    known of a pile stays, unless a variable chooses the pile.
    """
    verb = node.text.split()[:1] if isinstance(node, Scalar) else []
    if verb in (["show"], ["score"], ["win"], ["next"]):
        return facts
    if verb in (["set"], ["add"], ["turn"], ["shuffle"]):
        return frozenset(f for f in facts if f.removeprefix("some:").isdecimal())
    return frozenset()
