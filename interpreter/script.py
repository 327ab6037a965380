"""Compile the script: a control-flow graph that stops at every decision."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from .actions import Surroundings
from .blocks import dispatch, join_blocks
from .decisions import Decision, DecisionEmitter, Round, Waiting
from .declarations import read_direction, text
from .emitter import Emitter
from .errors import suggest
from .expressions import Compiler
from .moves import Moves
from .parser import Phrase
from .scope import Meaning, Scope
from .source import Span
from .statements import MAX_STEPS, Row, StatementCompiler, read_arms, read_rows
from .tree import Mapping, Node, Scalar, Sequence
from .values import Value

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
        turns = node.get("turns")
        spec = turns if isinstance(turns, Mapping) else node
        name = text(spec.get("name")) or text(node.get("loop"))
        until = self.compiler.read(spec.get("until"))
        is_left_early = spec.get("each") is not None
        is_left_early |= self._skip(spec, scope) is not None
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

    # Plain statements: Python's own control flow

    # Statements that wait

    def _split(self, node: Node, scope: Scope) -> None:
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
            ("choose", self._choose),
            ("turns", self._turns),
            ("together", self._together),
            ("race", self._race),
        ):
            if node.get(key) is not None:
                method(node, scope)
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
        }.get(group.item_kind, 64)
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
        self.statements(node.get("do"), scope.naming(name, item))
        self.goto(head)
        self.begin(after)

    def _enter(self, node: Mapping, name: str, after: int) -> dict[str, int]:
        """Enter a block that `end` can leave; return what was known outside."""
        outside = dict(self.exits)
        if name:
            self.exits[name] = after
            self.path.append(name)
        return outside

    def _leave(self, name: str, outside: dict[str, int]) -> None:
        self.exits = outside
        if name:
            self.path.pop()

    def _split_block(self, node: Mapping, scope: Scope) -> None:
        """Do a block once: it has variables of its own, and ``end`` leaves it."""
        name = text(node.get("block"))
        after = self.label()
        outside = self._enter(node, name, after)
        self.simple.reset_all(node, scope)
        self.statements(node.get("do"), scope)
        self.goto(after)
        self._leave(name, outside)
        self.begin(after)

    def _split_loop(self, node: Mapping, scope: Scope) -> None:
        name = text(node.get("loop"))
        head, body, after = self.label(), self.label(), self.label()
        outside = self._enter(node, name, after)
        self.simple.reset_all(node, scope)
        self.goto(head)
        self.begin(head)
        inner = replace(scope, facts=frozenset())
        self._until(node.get("until"), inner, body, after)
        self.begin(body)
        self.statements(node.get("do"), self._inside(node, inner))
        self.goto(head)
        self._leave(name, outside)
        self.begin(after)

    def _inside(self, node: Mapping, scope: Scope) -> Scope:
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
        outside = self._enter(node, name, after)
        self.emitter.line(f"S[{slot}] = {self.simple.times(node, scope)}")
        self.simple.reset_all(node, scope)
        self.goto(head)
        self.begin(head)
        self.branch(f"S[{slot}] > 0", body, after)
        self.begin(body)
        self.emitter.line(f"S[{slot}] -= 1")
        inner = replace(scope, facts=frozenset())
        self.statements(node.get("do"), inner)
        self.goto(head)
        self._leave(name, outside)
        self.begin(after)

    # Decisions

    def _decide(
        self, node: Mapping, kind: str, label: int, after: int, who: str = ""
    ) -> Decision:
        """Register a decision and write the waiting for it."""
        listed = node.get(kind)
        items = listed.items if isinstance(listed, Sequence) else ()
        names = []
        for item in items:
            if not isinstance(item, Scalar):
                continue
            if item.text not in self.moves.moves:
                self.compiler.report(
                    "unknown-move",
                    f"unknown move '{item.text}'",
                    item.span,
                    suggest(item.text, list(self.moves.moves), "moves"),
                )
                continue
            self.meaning.used.add(f"move {item.text}")
            names.append(item.text)
        name = text(node.get("name")) or (names[0] if names else kind)
        decision = Decision(
            len(self.waiting),
            ".".join([*self.path, name]),
            kind,
            tuple(names),
            node.span,
            label,
            tuple(self.me_slots),
            tuple(self.rounds),
            (int(who[2:-1]),) if who else (),
        )
        self.waiting.append(Waiting(decision, after, dict(self.exits), who))
        return decision

    def _wait(self, decision: Decision, to_act: str, *, is_race: bool = False) -> None:
        emitter = self.emitter
        self.compiler.mark("decision", decision.path, decision.span)
        emitter.line(f"S[{self.slot('decision')}] = {decision.index}")
        emitter.line(f"S[{self.slot('to_act')}] = {to_act}")
        emitter.line(f"S[{self.slot('race')}] = {int(is_race)}")
        emitter.line(f"S[{self.slot('pc')}] = {decision.label}")
        emitter.line("return")

    def _choose(self, node: Mapping, scope: Scope) -> None:
        by = self.compiler.read(node.get("by"))
        label, after = self.label(), self.label()
        actor = self.meaning.layout.reserve("actor")
        if by is not None:
            player = self.compiler.compile(by, scope, "player")
            player = self.compiler.sure(player, by, scope)
            self.emitter.line(f"S[{actor}] = {player.code}")
        elif scope.me is not None:
            self.emitter.line(f"S[{actor}] = {scope.me}")
        else:
            self.compiler.report(
                "nobody-acts",
                "nobody is at turn here to choose",
                node.span,
                "Say who, with 'by:', or put it inside 'turns'.",
            )
        self.goto(label)
        self.begin(label)
        self.me_slots.append(actor)
        decision = self._decide(node, "choose", label, after)
        self.me_slots.pop()
        otherwise = node.get("otherwise")
        if otherwise is not None:
            tests = [f"can_{m}(S, S[{actor}])" for m in decision.moves] or ["False"]
            wait, other = self.label(), self.label()
            self.branch(f"({' or '.join(tests)})", wait, other)
            self.begin(other)
            place = _place_of(node, "otherwise")
            with self.compiler.part("otherwise", decision.path, place):
                self.statements(otherwise, replace(scope, facts=frozenset()))
            self.goto(after)
            self.begin(wait)
        self._wait(decision, f"1 << S[{actor}]")
        self.begin(after)

    def _turns(self, node: Mapping, scope: Scope) -> None:
        spec = node.get("turns")
        assert isinstance(spec, Mapping)
        layout = self.meaning.layout
        name = text(spec.get("name"))
        me, left = layout.reserve("me"), layout.reserve("turns left")
        first = self.compiler.read(spec.get("from"))
        if first is None:
            return
        start = self.compiler.compile(first, scope, "player")
        start = self.compiler.sure(start, first, scope)
        if spec.get("each") is None and spec.get("until") is None:
            self.compiler.report(
                "endless-turns",
                "these turns never end",
                spec.span,
                "Say 'each: once', or 'until:' and a test.",
            )
        head, body, step, after = (self.label() for _ in range(4))
        outside = self._enter(node, name, after)
        self.emitter.line(f"S[{me}] = {start.code}")
        self.emitter.line(f"S[{left}] = {layout.seats}")
        self.emitter.line(f"S[{self.slot('next')}] = -1")
        inner = replace(scope, me=f"S[{me}]", facts=frozenset())
        self.simple.reset_all(node, inner)
        self.goto(head)
        self.begin(head)
        self._turn_head(spec, inner, me, left, (body, after))
        self.begin(body)
        self.me_slots.append(me)
        outer = list(self.rounds)
        if spec.get("each") is not None:
            self.rounds.append(self._round(spec, first, scope, left))
        self.statements(node.get("do"), inner)
        self.me_slots.pop()
        self.rounds = outer
        self.goto(step)
        self.begin(step)
        self._next_turn(spec, me, left)
        self.goto(head)
        self._leave(name, outside)
        self.begin(after)

    def _round(self, spec: Mapping, first: Phrase, scope: Scope, left: int) -> Round:
        """Keep how to tell who has the first turn, for games set up in the middle."""
        emitter = Emitter()
        problems = list(self.meaning.problems)  # they have been found before
        with self.compiler.writing(emitter):
            emitter.line(f"return {self.compiler.compile(first, scope, 'player').code}")
        self.meaning.problems[:] = problems
        self.firsts.append(emitter)
        return Round(left, len(self.firsts) - 1, self._step(spec))

    def _turn_head(
        self, spec: Mapping, scope: Scope, me: int, left: int, labels: tuple[int, int]
    ) -> None:
        """Write who is next: tests of until, of once around, and skipping."""
        emitter = self.emitter
        body, after = labels
        skip = self._skip(spec, scope)
        is_once = spec.get("each") is not None
        until = self.compiler.read(spec.get("until"))
        if until is not None:
            with emitter.block(f"if {self.compiler.test(until, scope)}:"):
                self.goto(after)
        if skip is not None:
            tries = emitter.name("k")
            emitter.line(f"{tries} = 0")
            with emitter.block(f"while {tries} < {self.meaning.layout.seats}:"):
                item = Value("player", f"S[{me}]")
                test = self.compiler.test(skip, scope.visiting(item, None))
                with emitter.block(f"if not {test}:"):
                    emitter.line("break")
                emitter.line(f"S[{me}] = {self._neighbour(spec, me)}")
                emitter.line(f"S[{left}] -= 1")
                emitter.line(f"{tries} += 1")
            with emitter.block(f"if {tries} == {self.meaning.layout.seats}:"):
                self.goto(after)
        if is_once:
            self.branch(f"S[{left}] > 0", body, after)
        else:
            self.goto(body)

    def _skip(self, spec: Mapping, scope: Scope) -> Phrase | None:
        """Return the test of who is skipped, if anybody can be for these options."""
        skip = self.compiler.read(spec.get("skip"))
        if skip is None:
            return None
        with self.compiler.trying():
            item = scope.visiting(Value("player", "it"), None)
            test = self.compiler.compile(skip, item, "yes/no")
        return None if test.code == "False" else skip

    def _neighbour(self, spec: Mapping, me: int) -> str:
        seats = self.meaning.layout.seats
        return f"(S[{me}] + {self._step(spec) % seats}) % {seats}"

    def _step(self, spec: Mapping) -> int:
        """Return the step from a player at turn to the next one."""
        way = spec.get("direction")
        return read_direction(way, self.meaning, self.meaning.layout.step)

    def _next_turn(self, spec: Mapping, me: int, left: int) -> None:
        emitter, slot = self.emitter, self.slot("next")
        emitter.line(f"S[{left}] -= 1")
        with emitter.block(f"if S[{slot}] >= 0:"):
            emitter.line(f"S[{me}] = S[{slot}]")
            emitter.line(f"S[{slot}] = -1")
        with emitter.block("else:"):
            emitter.line(f"S[{me}] = {self._neighbour(spec, me)}")

    def _players(self, node: Mapping, scope: Scope) -> str:
        """Write the mask of the players named by ``who``; return its code."""
        who = self.compiler.read(node.get("who"))
        if who is None:
            return str(self.meaning.layout.everyone)
        group = self.compiler.expect(self.compiler.group(who, scope), "players", who)
        mask = self.emitter.name("m")
        self.emitter.line(f"{mask} = 0")
        self.compiler.loop(
            group, lambda player: self.emitter.line(f"{mask} |= 1 << {player}")
        )
        return mask

    def _together(self, node: Mapping, scope: Scope) -> None:
        label, after = self.label(), self.label()
        slot = self.meaning.layout.reserve("who acts together")
        self.emitter.line(f"S[{slot}] = {self._players(node, scope)}")
        self.emitter.line(f"S[{self.slot('pending')}] = S[{slot}]")
        self.branch(f"S[{slot}] == 0", after, label)
        self.begin(label)
        decision = self._decide(node, "together", label, after, f"S[{slot}]")
        self._wait(decision, f"S[{self.slot('pending')}]")
        self.begin(after)

    def _race(self, node: Mapping, scope: Scope) -> None:
        head, label, stuck, after = (self.label() for _ in range(4))
        name = text(node.get("name"))
        slot = self.meaning.layout.reserve("who races")
        self.emitter.line(f"S[{slot}] = {self._players(node, scope)}")
        self.simple.reset_all(node, scope)
        outside = self._enter(node, name, after)
        if name:
            self.path.pop()
        self.goto(head)
        self.begin(head)
        inner = replace(scope, facts=frozenset())
        until = self.compiler.read(node.get("until"))
        if until is not None:
            with self.emitter.block(f"if {self.compiler.test(until, inner)}:"):
                self.goto(after)
        decision = self._decide(node, "race", head, head, f"S[{slot}]")
        if node.get("stuck") is not None:
            self.branch(f"is_stuck(S, {decision.index})", stuck, label)
            self.begin(stuck)
            if name:
                self.path.append(name)
            before = self._remember()
            place = _place_of(node, "stuck")
            with self.compiler.part("stuck", decision.path, place):
                self.statements(node.get("stuck"), inner)
            self._compare(before)
            if name:
                self.path.pop()
        self.goto(head if node.get("stuck") is not None else label)
        self.begin(label)
        self._wait(decision, f"S[{slot}]", is_race=True)
        if name:
            self.path.append(name)
        self._leave(name, outside)
        self.begin(after)

    def _remember(self) -> int:
        """Write the state's digest into a slot, which itself counts as 0.

        The next slot says whether it is of all that the state consists of.
        """
        slot = self.meaning.layout.reserve("digest", 2)
        self.emitter.line(f"S[{slot}] = 0")
        self.emitter.line(f"S[{slot}] = digest(S, S[{slot + 1}])")
        return slot

    def _compare(self, slot: int) -> None:
        """Write the fault of a state that is still as it was remembered.

        Where it seems to be, by its short digest, the next time it is looked at whole.
        """
        emitter, before = self.emitter, self.emitter.name("n")
        emitter.line(f"{before} = S[{slot}]")
        emitter.line(f"S[{slot}] = 0")
        with emitter.block(f"if {before} != digest(S, S[{slot + 1}]):"):
            emitter.line(f"S[{slot + 1}] = 0")
        with emitter.block(f"elif S[{slot + 1}] == 0:"):
            emitter.line(f"S[{slot + 1}] = 1")
        with emitter.block("else:"):
            emitter.line("fault(S, 4)")
            emitter.line("return")

    # The emitted functions

    def emit(self) -> list[str]:
        """Return the functions that run the script and serve its decisions."""
        return [
            *DecisionEmitter(self.compiler, self.moves, self.waiting).emit(),
            *self._emit_firsts(),
            *self._emit_run(),
        ]

    def _emit_firsts(self) -> list[str]:
        """Emit who has the first turn of each round, as things are."""
        emitter = Emitter()
        emitter.line("def first_of_round(S, n):")
        emitter.depth = 1
        for index, first in enumerate(self.firsts):
            with emitter.block(f"if n == {index}:"):
                emitter.add(first.lines)
        emitter.line("return 0")
        return ["", "", *emitter.lines]

    def _emit_run(self) -> list[str]:
        emitter = Emitter()
        emitter.line("def run(S):")
        emitter.depth = 1
        emitter.line(f"pc = S[{self.slot('pc')}]")
        emitter.line("fuel = 100000")
        with emitter.block("while True:"):
            emitter.line("fuel -= 1")
            with emitter.block("if fuel == 0:"):
                emitter.line("fault(S, 1)")
                emitter.line("return")
            blocks = join_blocks(
                [block.lines or ["return"] for block in self.blocks], self._entries()
            )
            dispatch(sorted(blocks.items()), emitter)
        return ["", "", *emitter.lines]

    def _entries(self) -> set[int]:
        """Return the positions at which the game begins or goes on."""
        found = {0}
        for waiting in self.waiting:
            found |= {waiting.decision.label, waiting.after, *waiting.exits.values()}
        return found


def _place_of(node: Mapping, name: str) -> Span:
    """Return where a key stands."""
    return next((key.span for key, _ in node.entries if key.text == name), node.span)


def _leaves(node: Node) -> bool:
    return isinstance(node, Scalar) and node.text.split()[:1] == ["end"]
