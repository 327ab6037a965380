"""Emit what serves the decisions of a script: legal moves, stuck, and applying."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..text.errors import suggest
from ..text.phrases import find_ended
from ..text.source import Span
from .emitter import Emitter
from .expressions import Compiler
from .moves import Moves
from .values import plus, times


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
    in the blocks around it, rounds those of these blocks that go once around.
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

    def _emit_offer(self) -> list[str]:
        """Emit the writing of a set in place of a list, where the moves are one."""
        if not any(find_picked(self.moves, self.waiting)):
            return []
        emitter = Emitter()
        emitter.line("def offer(S, seat, B):")
        emitter.depth = 1
        emitter.line(f"d = S[{self.slot('decision')}]")
        picked = find_picked(self.moves, self.waiting)
        for waiting, is_picked in zip(self.waiting, picked, strict=True):
            if not is_picked:
                continue
            (name,) = waiting.decision.moves
            with emitter.block(f"if d == {waiting.decision.index}:"):
                emitter.line(f"# {waiting.decision.path}")
                emitter.line(f"B[0] = {self.moves.moves[name].number}")
                emitter.line(f"B[1] = set_{name}(S, seat)")
                emitter.line("return bits(B[1])")
        emitter.line("return legal(S, seat, B)")
        return ["", "", *emitter.lines]

    def _emit_legal(self) -> list[str]:
        emitter = Emitter()
        emitter.line("def legal(S, seat, B):")
        emitter.depth = 1
        emitter.line(f"d = S[{self.slot('decision')}]")
        emitter.line("o = 0")
        for waiting in self.waiting:
            index = waiting.decision.index
            with emitter.block(f"{'elif' if index else 'if'} d == {index}:"):
                emitter.line(f"# {waiting.decision.path}")
                self._list_moves(waiting.decision, emitter)
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
            call = f"o = list_{name}(S, seat, B, o)"
            if waits_for and not move.after_unless:
                with emitter.block(f"if {' and '.join(waits_for)}:"):
                    emitter.line(call)
            else:
                emitter.line(call)
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
        emitter = Emitter()
        emitter.line("def apply(S, seat, B, o):")
        emitter.depth = 1
        emitter.line(f"S[{self.slot('made')}] += 1")
        emitter.line(f"d = S[{self.slot('decision')}]")
        for waiting in self.waiting:
            index = waiting.decision.index
            with emitter.block(f"{'elif' if index else 'if'} d == {index}:"):
                emitter.line(f"# {waiting.decision.path}")
                if waiting.decision.kind == "together":
                    self._apply_together(waiting, emitter)
                else:
                    self._apply_one(waiting, emitter, "seat", "B", "o")
        with emitter.block(
            f"if S[{self.slot('over')}] == 0 and S[{self.slot('made')}] >= LIMIT:"
        ):
            emitter.line(f"S[{self.slot('over')}] = 2")
            emitter.line(f"S[{self.slot('to_act')}] = 0")
            emitter.line("return")
        emitter.line("run(S)")
        return ["", "", *emitter.lines]

    def _apply_one(
        self, waiting: Waiting, emitter: Emitter, seat: str, buffer: str, at: str
    ) -> None:
        emitter.line(f"S[{self.slot('pc')}] = {waiting.after}")
        for index, name in enumerate(waiting.decision.moves):
            move = self.moves.moves[name]
            head = "if" if index == 0 else "elif"
            with emitter.block(f"{head} {buffer}[{at}] == {move.number}:"):
                call = f"do_{name}(S, {seat}, {buffer}, {at})"
                ends = self._ends_of(name)
                if not ends:
                    emitter.line(call)
                    continue
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
        width = self.compiler.meaning.layout.slots["scratch"] - chosen
        width //= self._seats
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
            self._apply_one(waiting, emitter, "who", "S", "o")


def find_picked(moves: Moves, waiting: list[Waiting]) -> list[bool]:
    """Tell for each decision whether its moves are one for each card of a set."""
    found = []
    for each in waiting:
        names = each.decision.moves
        found.append(len(names) == 1 and moves.moves[names[0]].is_set)
    return found
