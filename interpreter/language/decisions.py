"""Emit what serves the decisions of a script: legal moves, stuck, and applying."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from ..text.errors import suggest
from ..text.phrases import find_ended
from ..text.source import Span
from .emitter import Emitter
from .expressions import Compiler
from .moves import Moves
from .values import plus, times

# Lines of a move that stands in several decisions are copied up to this many.
MOST_COPIED: Final = 4
_OUTSIDE: Final = re.compile(r"\b(me|B)\b")


class Round(NamedTuple):
    """Turns once around: what counts those left, and who has the first.

    First is a number that the emitted ``first_of_round`` takes.
    """

    left: int
    first: int
    step: int


@dataclass(frozen=True, slots=True)
class Decision:
    """A place where the game waits for players.

    The label is the script position, me the slots that hold the player at turn
    in the blocks around it and who decides, rounds those of these blocks that go once
    around. Where rules say who decides by is the number that the emitted ``decider``
    takes.
    """

    index: int
    path: str
    kind: str
    moves: tuple[str, ...]
    span: Span
    label: int = 0
    me: tuple[int, ...] = ()
    rounds: tuple[Round, ...] = ()
    who: tuple[int, ...] = ()
    by: int | None = None


@dataclass
class Waiting:
    """What the emitted functions must do at one decision."""

    decision: Decision
    after: int
    exits: dict[str, int]
    who: str = ""


@dataclass(frozen=True)
class DecisionEmitter:
    """Emits the functions that serve the places where the game waits."""

    compiler: Compiler
    moves: Moves
    waiting: list[Waiting]

    def slot(self, name: str) -> int:
        """Return the slot of something that the engine keeps."""
        return int(self.compiler.meaning.layout.slots[name])

    @property
    def _seats(self) -> int:
        return self.compiler.meaning.layout.seats

    def emit(self) -> list[str]:
        """Return the functions, one after the other."""
        return [
            *self._emit_legal(),
            *self._emit_offer(),
            *self._emit_stuck(),
            *self._emit_apply(),
        ]

    @cached_property
    def _uses(self) -> Counter[str]:
        """Return in how many decisions each move stands."""
        return Counter(name for each in self.waiting for name in each.decision.moves)

    def _put(self, function: str, emitter: Emitter, me: str, buffer: str = "B") -> bool:
        """Write a function of a move in place of a call of it; tell whether it can be.

        A move that stands in one decision needs no function, and short ones are copied.
        """
        uses = self._uses[function.partition("_")[2]]
        lines = self.moves.bodies.get(function)
        if lines is None or (uses > 1 and len(lines) > MOST_COPIED):
            return False
        self.moves.uncalled.add(function)
        outside = {"me": me, "B": buffer}
        for line in emitter.rename(lines, 0):
            emitter.line(_OUTSIDE.sub(lambda match: outside[match[1]], line))
        return True

    @contextmanager
    def _at(self, index: int, emitter: Emitter, is_last: bool) -> Iterator[None]:
        """Write what is for one decision, where there may be others."""
        if len(self.waiting) == 1:
            yield
            return
        head = f"{'elif' if index else 'if'} d == {index}:"
        with emitter.block("else:" if is_last else head):
            yield

    def _begin(self, head: str) -> Emitter:
        """Begin a function that asks which decision it is."""
        emitter = Emitter()
        emitter.line(f"def {head}:")
        emitter.depth = 1
        if len(self.waiting) > 1:
            emitter.line(f"d = S[{self.slot('decision')}]")
        return emitter

    def _emit_offer(self) -> list[str]:
        """Emit the writing of a set in place of a list, where the moves are one."""
        picked = find_picked(self.moves, self.waiting)
        if not any(picked):
            return []
        emitter = self._begin("offer(S, seat, B)")
        for waiting, is_picked in zip(self.waiting, picked, strict=True):
            if not is_picked:
                continue
            (name,) = waiting.decision.moves
            index = waiting.decision.index
            with ExitStack() as around:
                if len(self.waiting) > 1:
                    around.enter_context(emitter.block(f"if d == {index}:"))
                emitter.line(f"# {waiting.decision.path}")
                emitter.line(f"B[0] = {self.moves.moves[name].number}")
                emitter.line(f"B[1] = set_{name}(S, seat)")
                emitter.line("return bits(B[1])")
        if not all(picked):
            emitter.line("return legal(S, seat, B)")
        return ["", "", *emitter.lines]

    def _emit_legal(self) -> list[str]:
        emitter = self._begin("legal(S, seat, B)")
        emitter.line("o = 0")
        for waiting in self.waiting:
            decision = waiting.decision
            with self._at(decision.index, emitter, waiting is self.waiting[-1]):
                emitter.line(f"# {decision.path}")
                within = Emitter()
                self._list_moves(decision, within)
                emitter.add(self.compiler.share(within.lines))
        emitter.line("return o // WIDTH")
        return ["", "", *emitter.lines]

    def _list_moves(self, decision: Decision, emitter: Emitter) -> None:
        counted = {
            name for move in decision.moves for name in self.moves.moves[move].after
        }
        done: list[str] = []
        for name in decision.moves:
            move = self.moves.moves[name]
            for before in move.after:
                if before in decision.moves and before not in done:
                    self.compiler.report(
                        "only-if-no-order",
                        f"'{before}' must stand before '{name}' in this decision",
                        decision.span,
                        f"Move '{name}' behind '{before}' in the list.",
                    )
            waits_for = [f"o_{before} == 0" for before in move.after if before in done]
            if name in counted:
                emitter.line(f"o_{name} = o")
            with ExitStack() as around:
                if waits_for and not move.after_unless:
                    test = f"if {' and '.join(waits_for)}:"
                    around.enter_context(emitter.block(test))
                if not self._put(f"list_{name}", emitter, "seat"):
                    emitter.line(f"o = list_{name}(S, seat, B, o)")
            if name in counted:
                emitter.line(f"o_{name} = o - o_{name}")
            done.append(name)

    def _emit_stuck(self) -> list[str]:
        emitter = Emitter()
        emitter.line("def is_stuck(S, d):")
        emitter.depth = 1
        for waiting in self.waiting:
            if waiting.decision.kind != "race":
                continue
            tests = [f"can_{name}(S, seat)" for name in waiting.decision.moves]
            with emitter.block(f"if d == {waiting.decision.index}:"):
                with emitter.block(f"for seat in range({self._seats}):"):
                    can = " or ".join(tests) or "False"
                    mask = f"{waiting.who} >> seat & 1"
                    with emitter.block(f"if {mask} and ({can}):"):
                        emitter.line("return False")
                emitter.line("return True")
        emitter.line("return False")
        return ["", "", *emitter.lines]

    def _emit_apply(self) -> list[str]:
        emitter = self._begin("apply(S, seat, B, o)")
        emitter.line(f"S[{self.slot('made')}] += 1")
        for waiting in self.waiting:
            decision = waiting.decision
            with self._at(decision.index, emitter, waiting is self.waiting[-1]):
                emitter.line(f"# {decision.path}")
                within = Emitter()
                if decision.kind == "together":
                    self._apply_together(waiting, within)
                else:
                    self._apply_one(waiting, within, "seat", "B")
                emitter.add(self.compiler.share(within.lines))
        with emitter.block(
            f"if S[{self.slot('made')}] >= LIMIT and S[{self.slot('over')}] == 0:"
        ):
            emitter.line(f"S[{self.slot('over')}] = 2")
            emitter.line(f"S[{self.slot('to_act')}] = 0")
            emitter.line("return")
        emitter.line("run(S)")
        return ["", "", *emitter.lines]

    def _apply_one(
        self, waiting: Waiting, emitter: Emitter, seat: str, buffer: str
    ) -> None:
        """Write what each move of a decision does, by the row of the one made."""
        emitter.line(f"S[{self.slot('pc')}] = {waiting.after}")
        names = waiting.decision.moves
        for index, name in enumerate(names):
            move = self.moves.moves[name]
            with ExitStack() as around:
                if len(names) > 1:
                    head = f"{'elif' if index else 'if'} {buffer}[o] == {move.number}:"
                    is_last = index == len(names) - 1
                    around.enter_context(emitter.block("else:" if is_last else head))
                self._do(waiting, name, emitter, seat, buffer)

    def _do(
        self, waiting: Waiting, name: str, emitter: Emitter, seat: str, buffer: str
    ) -> None:
        """Write what a move does, and where the script goes on if it ends a block."""
        if self._put(f"do_{name}", emitter, seat, buffer):
            return
        call = f"do_{name}(S, {seat}, {buffer}, o)"
        ends = self._ends_of(name)
        if not ends:
            emitter.line(call)
            return
        emitter.line(f"end = {call}")
        for end in ends:
            number = self.moves.ends.index(end) + 1
            label = waiting.exits.get(end)
            if label is None:
                self.compiler.report(
                    "unknown-block",
                    f"move '{name}' ends '{end}', which is no block around "
                    "this decision",
                    waiting.decision.span,
                    suggest(end, list(waiting.exits), "blocks around this"),
                )
                continue
            with emitter.block(f"if end == {number}:"):
                emitter.line(f"S[{self.slot('pc')}] = {label}")

    def _ends_of(self, name: str) -> list[str]:
        meaning = self.compiler.meaning
        node = meaning.moves.get(name)
        ended = find_ended(node, meaning.steps) if node else set[str]()
        return [end for end in self.moves.ends if end in ended]

    def _apply_together(self, waiting: Waiting, emitter: Emitter) -> None:
        pending, chosen = self.slot("pending"), self.slot("chosen")
        # What a move does not use is left over in the buffer from another.
        width = self.compiler.meaning.layout.chosen_width
        moves = [self.moves.moves[name] for name in waiting.decision.moves]
        fewest = min((1 + len(move.parts) for move in moves), default=0)
        for column in range(width):
            slot = plus(times("seat", width), str(chosen + column))
            value = f"B[{plus('o', str(column))}]"
            if column >= fewest:
                value += f" if {column} < USED[B[o]] else 0"
            emitter.line(f"S[{slot}] = {value}")
        emitter.line(f"S[{pending}] ^= 1 << seat")
        emitter.line(f"S[{self.slot('to_act')}] = S[{pending}]")
        with emitter.block(f"if S[{pending}]:"):
            emitter.line("return")
        emitter.line(f"S[{self.slot('pc')}] = {waiting.after}")
        with (
            emitter.block(f"for who in range({self._seats}):"),
            emitter.block(f"if {waiting.who} >> who & 1:"),
        ):
            emitter.line(f"o = {chosen} + who * WIDTH")
            self._apply_one(waiting, emitter, "who", "S")


def find_picked(moves: Moves, waiting: list[Waiting]) -> list[bool]:
    """Tell for each decision whether its moves are one for each card of a set."""
    found = []
    for each in waiting:
        names = each.decision.moves
        found.append(len(names) == 1 and moves.moves[names[0]].is_set)
    return found
