"""Compile the script: a control-flow graph that stops at every decision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from ..text.errors import suggest
from ..text.tree import Mapping, Node, Scalar, Sequence
from . import turns, waits
from .actions import Surroundings
from .blocks import dispatch, join_blocks
from .decisions import DecisionEmitter, Round, Waiting
from .declarations import text
from .emitter import Emitter
from .expressions import MOST_NUMBERS, Compiler
from .moves import Moves
from .scope import Meaning, Scope
from .statements import MAX_STEPS, Row, StatementCompiler, read_arms, read_rows

# How much inner loops may do before a pass of the outer one counts as two.
_WORK_OF_A_PASS: Final = 500
WAITING: Final = ("choose", "turns", "together", "race")
# The name of the block that is the whole script.
WHOLE: Final = "game"


@dataclass
class ScriptCompiler:
    """Compiles the script of one ruleset into blocks with numbers."""

    compiler: Compiler
    moves: Moves
    simple: StatementCompiler
    blocks: list[Emitter] = field(default_factory=list)
    waiting: list[Waiting] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    exits: dict[str, int] = field(default_factory=dict)
    me_slots: list[int] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    firsts: list[Emitter] = field(default_factory=list)
    deciders: list[Emitter] = field(default_factory=list)
    counter: list[int] = field(default_factory=lambda: [0])

    @property
    def meaning(self) -> Meaning:
        """Return the meanings of the ruleset."""
        return self.compiler.meaning

    @property
    def emitter(self) -> Emitter:
        """Return what the present block is written into."""
        return self.compiler.emitter

    def around(self) -> Surroundings:
        """Return the surroundings of an action in the script."""
        return Surroundings(self.compiler)

    # Blocks

    def label(self) -> int:
        """Return the number of a new block."""
        self.blocks.append(Emitter(self.counter))
        return len(self.blocks) - 1

    def begin(self, label: int) -> None:
        """Write into a block from here on."""
        self.compiler.emitter = self.blocks[label]

    def goto(self, label: int) -> None:
        """End the present block."""
        self.emitter.line(f"pc = {label}")
        self.emitter.line("continue")

    def branch(self, test: str, yes: int, no: int) -> None:
        """End the present block one way or the other."""
        if test in ("True", "False"):
            self.goto(yes if test == "True" else no)
            return
        self.emitter.line(f"pc = {yes} if {test} else {no}")
        self.emitter.line("continue")

    def compile(self, node: Node | None) -> None:
        """Compile the whole script, from block 0 to the end of the game.

        The script is itself a block, which ``end game`` leaves.
        """
        first, after = self.label(), self.label()
        self.exits[WHOLE] = after
        self.begin(first)
        self.statements(node, Scope())
        self.goto(after)
        self.begin(after)
        with self.emitter.block(f"if S[{self.slot('over')}] == 0:"):
            self.emitter.line(f"S[{self.slot('over')}] = 1")
        self.emitter.line("return")

    def slot(self, name: str) -> int:
        """Return the slot of something that the engine keeps."""
        return int(self.meaning.layout.slots[name])

    # Statements

    def statements(self, node: Node | None, scope: Scope) -> None:
        """Compile a list of actions and control."""
        items = node.items if isinstance(node, Sequence) else ()
        if isinstance(node, (Scalar, Mapping)):
            items = (node,)
        for index, item in enumerate(items):
            if self.waits(item):
                self._split(item, scope)
                after = replace(scope, facts=self._facts_after(item, scope))
                if _leaves(item):
                    if index + 1 < len(items):
                        self.compiler.report(
                            "unreachable-step",
                            "nothing after 'end' is ever carried out",
                            items[index + 1].span,
                            "Move it before 'end', or remove it.",
                        )
                    return
            else:
                self.simple.plain(item, scope, self.around())
                after = self.simple.after(item, scope)
            scope = after

    def _facts_after(self, node: Node, scope: Scope) -> frozenset[str]:
        """Return what a block's ``until`` says once it is left, if only by that."""
        if not isinstance(node, Mapping):
            return frozenset()
        inside = node.get("turns")
        spec = inside if isinstance(inside, Mapping) else node
        name = text(spec.get("name")) or text(node.get("loop"))
        until = self.compiler.read(spec.get("until"))
        is_left_early = spec.get("each") is not None
        is_left_early |= turns.read_skip(self, spec, scope) is not None
        if until is None or is_left_early or (name in self.meaning.ended):
            return frozenset()
        return frozenset(
            self.compiler.facts(until, True, replace(scope, facts=frozenset()))
        )

    def waits(self, node: Node | None, seen: tuple[str, ...] = ()) -> bool:
        """Tell whether a statement waits for players or leaves a block."""
        if isinstance(node, Scalar):
            return node.text.split()[:1] == ["end"]
        if isinstance(node, Sequence):
            return any(self.waits(item, seen) for item in node.items)
        if not isinstance(node, Mapping):
            return False
        if any(node.get(key) is not None for key in WAITING):
            return True
        step = node.get("run")
        if isinstance(step, Scalar):
            if step.text in seen or len(seen) > MAX_STEPS:
                return True
            return self.waits(self.meaning.steps.get(step.text), (*seen, step.text))
        if node.get("loop") is not None:
            return True
        return any(
            self.waits(value, seen)
            for key, value in node.entries
            if key.text in ("then", "else", "do")
        ) or (node.get("first_of") is not None and self._first_of_waits(node, seen))

    def _first_of_waits(self, node: Mapping, seen: tuple[str, ...]) -> bool:
        rows = node.get("first_of")
        return isinstance(rows, Mapping) and any(
            self.waits(row.get("do"), seen)
            for _, row in rows.entries
            if isinstance(row, Mapping)
        )

    # Statements that wait

    def _split(self, node: Node, scope: Scope) -> None:
        if not self.simple.count(node):
            return
        if isinstance(node, Scalar):
            self._end(node)
            return
        assert isinstance(node, Mapping)
        for key, method in (
            ("if", self._split_if),
            ("for", self._split_for),
            ("first_of", self._split_first_of),
            ("block", self._split_block),
            ("loop", self._split_loop),
            ("repeat", self._split_repeat),
        ):
            if node.get(key) is not None:
                method(node, scope)
                return
        for key, function in (
            ("choose", waits.compile_choose),
            ("turns", turns.compile_turns),
            ("together", waits.compile_together),
            ("race", waits.compile_race),
        ):
            if node.get(key) is not None:
                function(self, node, scope)
                return
        step = node.get("run")
        assert isinstance(step, Scalar)
        self.path.append(step.text)
        self.simple.run(node, lambda steps: self.statements(steps, scope))
        self.path.pop()

    def _end(self, node: Scalar) -> None:
        words = node.text.split()
        name = words[1] if len(words) == 2 else ""
        if name not in self.exits:
            self.compiler.report(
                "unknown-block",
                f"there is no block '{name}' to end here",
                node.span,
                suggest(name, list(self.exits), "blocks around this"),
            )
            return
        self.goto(self.exits[name])
        self.begin(self.label())

    def _split_if(self, node: Mapping, scope: Scope) -> None:
        condition = self.compiler.read(node.get("if"))
        if condition is not None:
            self._split_rows(read_arms(node, condition), scope)

    def _split_first_of(self, node: Mapping, scope: Scope) -> None:
        self._split_rows(read_rows(node, self.compiler), scope)

    def _split_rows(self, rows: list[Row], scope: Scope) -> None:
        after = self.label()
        for row in rows:
            condition, do, *_ = row
            if condition is None:
                with self.simple.part(row):
                    self.statements(do, scope)
                break
            test = self.compiler.compile(condition, scope, "yes/no")
            yes, no = self.label(), self.label()
            self.branch(test.code, yes, no)
            facts = self.compiler.facts(condition, True, scope)
            others = self.compiler.facts(condition, False, scope)
            self.begin(yes)
            with self.simple.part(row, test):
                self.statements(do, scope.knowing(facts))
            self.goto(after)
            self.begin(no)
            scope = scope.knowing(others)
        self.goto(after)
        self.begin(after)

    def _split_for(self, node: Mapping, scope: Scope) -> None:
        """Loop with decisions: the items are kept in slots of their own."""
        found = self.simple.for_group(node, scope)
        if found is None or found[3].kind == "unknown":
            return
        name, whole, _, group = found
        layout = self.meaning.layout
        room = {
            "card": layout.deck.size,
            "player": layout.seats,
            "team": layout.team_count,
            "pile": len(layout.piles),
        }.get(group.item_kind, min(whole.passes or MOST_NUMBERS, MOST_NUMBERS))
        if whole.passes > MOST_NUMBERS:
            self.compiler.report(
                "too-much-work",
                f"a loop that waits for players goes over {MOST_NUMBERS} numbers "
                "at most",
                node.span,
                "Use 'repeat', or 'loop' with 'until'.",
            )
            return
        base = layout.reserve(f"items of for {self.simple.where(node)}", room + 3)
        emitter = self.emitter
        emitter.line(f"S[{base}] = 0")
        emitter.line(f"S[{base + 1}] = 0")

        def keep(item: str) -> None:
            emitter.line(f"S[{base + 3} + S[{base + 1}]] = {item}")
            emitter.line(f"S[{base + 1}] += 1")

        self.compiler.loop(group, keep)
        head, body, after = self.label(), self.label(), self.label()
        self.goto(head)
        self.begin(head)
        self.branch(f"S[{base}] < S[{base + 1}]", body, after)
        self.begin(body)
        self.emitter.line(f"S[{base + 2}] = S[{base + 3} + S[{base}]]")
        self.emitter.line(f"S[{base}] += 1")
        item = self.simple.item_value(whole, f"S[{base + 2}]")
        with self.using_fuel():
            self.statements(node.get("do"), scope.naming(name, item))
        self.goto(head)
        self.begin(after)

    @contextmanager
    def using_fuel(self) -> Iterator[None]:
        """Let each pass cost as much as its inner loops may take."""
        before = self.meaning.work
        yield
        cost = (self.meaning.work - before) // _WORK_OF_A_PASS
        if cost > 0:
            self.emitter.line(f"fuel -= {cost}")

    def enter(self, node: Mapping, name: str, after: int) -> dict[str, int]:
        """Enter a block that `end` can leave; return what was known outside."""
        outside = dict(self.exits)
        if name:
            self.exits[name] = after
            self.path.append(name)
        return outside

    def leave(self, name: str, outside: dict[str, int]) -> None:
        """Leave a block again, for what was known outside."""
        self.exits = outside
        if name:
            self.path.pop()

    def _split_block(self, node: Mapping, scope: Scope) -> None:
        """Do a block once: it has variables of its own, and ``end`` leaves it."""
        name = text(node.get("block"))
        after = self.label()
        outside = self.enter(node, name, after)
        self.simple.reset_all(node, scope)
        self.statements(node.get("do"), scope)
        self.goto(after)
        self.leave(name, outside)
        self.begin(after)

    def _split_loop(self, node: Mapping, scope: Scope) -> None:
        name = text(node.get("loop"))
        head, body, after = self.label(), self.label(), self.label()
        outside = self.enter(node, name, after)
        self.simple.reset_all(node, scope)
        self.goto(head)
        self.begin(head)
        inner = replace(scope, facts=frozenset())
        self._until(node.get("until"), inner, body, after)
        self.begin(body)
        with self.using_fuel():
            self.statements(node.get("do"), self.inside(node, inner))
        self.goto(head)
        self.leave(name, outside)
        self.begin(after)

    def inside(self, node: Mapping, scope: Scope) -> Scope:
        """Return what each pass begins with: ``until`` does not hold."""
        until = self.compiler.read(node.get("until"))
        facts = self.compiler.facts(until, False, scope) if until is not None else set()
        return scope.knowing(facts)

    def _until(self, node: Node | None, scope: Scope, body: int, after: int) -> None:
        phrase = self.compiler.read(node)
        if phrase is None:
            self.goto(body)
            return
        self.branch(self.compiler.test(phrase, scope), after, body)

    def _split_repeat(self, node: Mapping, scope: Scope) -> None:
        name = text(node.get("repeat"))
        slot = self.meaning.layout.reserve(f"passes of {name}")
        head, body, after = self.label(), self.label(), self.label()
        outside = self.enter(node, name, after)
        self.emitter.line(f"S[{slot}] = {self.simple.times(node, scope)}")
        self.simple.reset_all(node, scope)
        self.goto(head)
        self.begin(head)
        self.branch(f"S[{slot}] > 0", body, after)
        self.begin(body)
        self.emitter.line(f"S[{slot}] -= 1")
        inner = replace(scope, facts=frozenset())
        with self.using_fuel():
            self.statements(node.get("do"), inner)
        self.goto(head)
        self.leave(name, outside)
        self.begin(after)

    # Decisions

    # The emitted functions

    def emit(self) -> list[str]:
        """Return the functions that run the script and serve its decisions."""
        return [
            *DecisionEmitter(self.compiler, self.moves, self.waiting).emit(),
            *_emit_players("first_of_round", self.firsts, "0"),
            *(_emit_players("decider", self.deciders, "-1") if self.deciders else ()),
            *self._emit_run(),
        ]

    def _emit_run(self) -> list[str]:
        emitter = Emitter()
        emitter.line("def run(S):")
        emitter.depth = 1
        emitter.line(f"pc = S[{self.slot('pc')}]")
        emitter.line("fuel = 100000")
        with emitter.block("while True:"):
            emitter.line("fuel -= 1")
            with emitter.block("if fuel <= 0:"):
                emitter.line("fault(S, 1)")
                emitter.line("return")
            blocks = join_blocks(
                [
                    self.compiler.share(block.lines or ["return"])
                    for block in self.blocks
                ],
                self._entries(),
            )
            dispatch(sorted(blocks.items()), emitter)
        return ["", "", *emitter.lines]

    def _entries(self) -> set[int]:
        """Return the positions at which the game begins or goes on."""
        found = {0}
        for waiting in self.waiting:
            found |= {waiting.decision.label, waiting.after, *waiting.exits.values()}
        return found


def _leaves(node: Node) -> bool:
    return isinstance(node, Scalar) and node.text.split()[:1] == ["end"]


def _emit_players(name: str, players: list[Emitter], otherwise: str) -> list[str]:
    """Emit which player something is, as things are, by its number."""
    emitter = Emitter()
    emitter.line(f"def {name}(S, n):")
    emitter.depth = 1
    for index, player in enumerate(players):
        with emitter.block(f"if n == {index}:"):
            emitter.add(player.lines)
    emitter.line(f"return {otherwise}")
    return ["", "", *emitter.lines]
