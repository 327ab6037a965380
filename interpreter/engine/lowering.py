"""Write the functions of a source as LLVM, the language of the compiler behind Numba.

Emitted code is integers, flat vectors and bounded loops: there are no types to infer
and no objects to look after, which is what Numba takes most of its time for. Every
value is a word of 64 bits here, every vector the address of its first. Numba makes
machine code of the text, as of a module of its own.

What Python does that processors do otherwise is kept: division rounds down, and a
table that is asked for a place before its first counts from its end. As in machine
code by Numba nothing looks whether a place is in its vector, and numbers have 64
bits: tests look that emitted code asks for no other places and numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

# What a source is given, as instructions: a number of ones, and of binary digits.
_BUILT_IN: Final = {
    "bits": "call i64 @llvm.ctpop.i64(i64 {0})",
    "length": "sub i64 64, {zeros}",
    "lowest": "call i64 @llvm.cttz.i64(i64 {0}, i1 false)",
    "abs": "call i64 @llvm.abs.i64(i64 {0}, i1 false)",
    "min": "call i64 @llvm.smin.i64(i64 {0}, i64 {1})",
    "max": "call i64 @llvm.smax.i64(i64 {0}, i64 {1})",
}
_DECLARED: Final = """\
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
"""
_OPERATIONS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "ashr",
}
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}


_BITS: Final = 64
# What no word has room for, from here on.
_LIMIT: Final = 1 << _BITS - 1


class NotLowered(Exception):
    """Source that is not of the subset; says what it is."""


def _write_word(number: int) -> str:
    """Return a number as LLVM reads it, which would cut off what has no room."""
    if not -_LIMIT <= number < _LIMIT:
        raise NotLowered(str(number))
    return str(int(number))


class Source:
    """The functions of a source, with its numbers and tables.

    Args:
        text: The source.
        pointer: How this LLVM writes the type of an address of words.
    """

    def __init__(self, text: str, pointer: str) -> None:
        """Read a source; find out which parameters are vectors."""
        self.pointer = pointer
        self.numbers: dict[str, int] = {}
        self.tables: dict[str, tuple[int, ...]] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.Assign):
                assert isinstance(node.targets[0], ast.Name)
                self._define(node.targets[0].id, ast.literal_eval(node.value))
        self.vectors: dict[str, set[int]] = {}
        self._find_vectors()

    def _define(self, name: str, value: int | tuple[int, ...]) -> None:
        if isinstance(value, tuple):
            self.tables[name] = value
        else:
            self.numbers[name] = value

    def parameters(self, name: str) -> list[str]:
        """Return the names of a function's parameters."""
        return [each.arg for each in self.functions[name].args.args]

    def _find_vectors(self) -> None:
        """Note what is asked for its places, or is given on as such or taken so."""
        for name, function in self.functions.items():
            asked = {
                node.value.id
                for node in ast.walk(function)
                if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)
            }
            given = enumerate(self.parameters(name))
            self.vectors[name] = {at for at, each in given if each in asked}
        same = [*self._find_same()]
        is_settled = False
        while not is_settled:
            is_settled = True
            for here, at, there, place in same:
                if (at in self.vectors[here]) != (place in self.vectors[there]):
                    self.vectors[here].add(at)
                    self.vectors[there].add(place)
                    is_settled = False

    def _find_same(self) -> Iterator[tuple[str, int, str, int]]:
        """Return which parameters are given on as which of other functions."""
        for name, function in self.functions.items():
            places = {each: at for at, each in enumerate(self.parameters(name))}
            for node in ast.walk(function):
                if not isinstance(node, ast.Call) or not isinstance(
                    node.func, ast.Name
                ):
                    continue
                if node.func.id in self.functions:
                    for at, given in enumerate(node.args):
                        if isinstance(given, ast.Name) and given.id in places:
                            yield name, places[given.id], node.func.id, at

    def find_needed(self, entries: Sequence[str]) -> tuple[str, ...]:
        """Return the functions that are called by way of some."""
        found = [*entries]
        for name in found:
            used = self._find_names(name)
            found += [id for id in used if id in self.functions and id not in found]
        return tuple(found)

    def _find_names(self, function: str) -> dict[str, None]:
        """Return the names that stand in a function, in their order."""
        nodes = ast.walk(self.functions[function])
        return dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name))

    def lower(
        self, entries: Sequence[str], symbol: str, tell: Callable[[], None]
    ) -> str:
        """Return the text of a module with one function for all entries.

        That one takes the number of an entry, and the address of the words that the
        entry takes. Each function that is written is told.
        """
        parts = [_DECLARED]
        needed = self.find_needed(entries)
        used = {name for function in needed for name in self._find_names(function)}
        for name, table in self.tables.items():
            if name in used:
                words = ", ".join(f"i64 {_write_word(word)}" for word in table)
                kind = f"[{len(table)} x i64]"
                parts.append(
                    f"@{name} = private unnamed_addr constant {kind} [{words}]\n"
                )
        for name in needed:
            parts.append(_Function(self, name).write())
            tell()
        parts.append(_write_entry(self, entries, symbol))
        return "\n".join(parts)

    def signature(self, name: str, names: Iterable[str]) -> str:
        """Return what a function is given, as its definition and calls write it."""
        kinds = self.vectors[name]
        return ", ".join(
            f"{self.pointer if at in kinds else 'i64'} {each}"
            for at, each in enumerate(names)
        )


def _write_entry(source: Source, entries: Sequence[str], symbol: str) -> str:
    pointer = source.pointer
    cases = " ".join(f"i64 {at}, label %entry{at}" for at in range(len(entries)))
    lines = [
        f"define weak_odr i64 @{symbol}(i64 %which, i64 %words) noinline {{",
        f"  %at = inttoptr i64 %words to {pointer}",
        f"  switch i64 %which, label %none [{cases}]",
        "none:",
        "  ret i64 0",
    ]
    for at, name in enumerate(entries):
        lines.append(f"entry{at}:")
        names = []
        for place, _ in enumerate(source.parameters(name)):
            value = f"%v{at}.{place}"
            names.append(value)
            lines.append(
                f"  {value}.at = getelementptr i64, {pointer} %at, i64 {place}"
            )
            if place in source.vectors[name]:
                lines.append(f"  {value}.word = load i64, {pointer} {value}.at")
                lines.append(f"  {value} = inttoptr i64 {value}.word to {pointer}")
            else:
                lines.append(f"  {value} = load i64, {pointer} {value}.at")
        given = source.signature(name, names)
        lines.append(f"  %r{at} = call i64 @f.{name}({given})")
        lines.append(f"  ret i64 %r{at}")
    return "\n".join([*lines, "}", ""])


class _Function:
    """Writes one function, statement by statement.

    Local names are places on the stack, of which LLVM makes registers.
    """

    def __init__(self, source: Source, name: str) -> None:
        self.source = source
        self.node = source.functions[name]
        self.name = name
        self.given = source.parameters(name)
        self.taken = {self.given[at] for at in source.vectors[name]}
        stored = {
            node.id
            for node in ast.walk(self.node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        self.local = sorted(stored | set(self.given) - self.taken)
        self.here = ".0"
        self.lines = [f"{self.here}:"]
        self.number = 0
        self.is_open = True
        # Where ``continue`` and ``break`` lead, innermost last.
        self.loops: list[tuple[str, str]] = []

    def write(self) -> str:
        """Return the text of the function."""
        source, pointer = self.source, self.source.pointer
        for name in self.local:
            self.add(f"%{name} = alloca i64")
        for name in self.given:
            if name not in self.taken:
                self.add(f"store i64 %p.{name}, {pointer} %{name}")
        self.statements(self.node.body)
        self.end("ret i64 0")
        names = [f"%{'' if n in self.taken else 'p.'}{n}" for n in self.given]
        head = source.signature(self.name, names)
        lines = "\n".join(self.lines)
        return f"define internal i64 @f.{self.name}({head}) nounwind {{\n{lines}\n}}\n"

    # Lines

    def add(self, line: str) -> None:
        """Add an instruction to the present block."""
        self.lines.append("  " + line)

    def give(self, instruction: str) -> str:
        """Add an instruction; return the name of its result."""
        self.number += 1
        name = f"%.{self.number}"
        self.add(f"{name} = {instruction}")
        return name

    def label(self) -> str:
        """Return the name of a new block."""
        self.number += 1
        return f".{self.number}"

    def begin(self, label: str) -> None:
        """Begin a block, to which the one before leads on if it is not ended."""
        self.go(label)
        self.lines.append(f"{label}:")
        self.here, self.is_open = label, True

    def end(self, line: str) -> None:
        """End the present block, unless it is ended."""
        if self.is_open:
            self.lines.append("  " + line)
            self.is_open = False

    def go(self, label: str) -> None:
        """End the present block by going to another."""
        self.end(f"br label %{label}")

    # Statements

    def statements(self, nodes: Iterable[ast.stmt]) -> None:
        """Write statements, one after the other, as far as they can be come to."""
        for node in nodes:
            if not self.is_open:
                return
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        """Write one statement."""
        match node:
            case ast.Assign(targets=targets, value=value):
                word = self.value(value)
                for target in targets:
                    self.store(self.place_to_write(target), word)
            case ast.AugAssign(target=target, op=operation, value=value):
                place = self.place_to_write(target)
                word = self.load(place)
                self.store(place, self.operate(operation, word, value))
            case ast.Expr(value=value):
                self.value(value)
            case ast.Return(value=None):
                self.end("ret i64 0")
            case ast.Return(value=ast.expr() as value):
                self.end(f"ret i64 {self.value(value)}")
            case ast.If():
                self.write_if(node)
            case ast.While(test=test, body=body, orelse=[]):
                head, inside, after = self.label(), self.label(), self.label()
                self.begin(head)
                self.test(test, inside, after)
                self.loop(inside, body, head, after)
                self.go(head)
                self.begin(after)
            case ast.For():
                self.write_for(node)
            case ast.Continue():
                self.go(self.loops[-1][0])
            case ast.Break():
                self.go(self.loops[-1][1])
            case ast.Pass():
                pass
            case _:
                raise NotLowered(ast.unparse(node))

    def write_if(self, node: ast.If) -> None:
        """Write a test with what follows from it."""
        yes, no, after = self.label(), self.label(), self.label()
        self.test(node.test, yes, no)
        self.begin(yes)
        self.statements(node.body)
        self.go(after)
        self.begin(no)
        self.statements(node.orelse)
        self.begin(after)

    def write_for(self, node: ast.For) -> None:
        """Write a loop over a range, whose ends are worked out once."""
        match node:
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range"), args=args),
                orelse=[],
            ):
                pass
            case _:
                raise NotLowered(ast.unparse(node.iter))
        first = "0" if len(args) == 1 else self.value(args[0])
        last = self.value(args[0 if len(args) == 1 else 1])
        step = self.read_step(args[2]) if len(args) > 2 else 1
        before = self.here
        head, inside, more, after = (self.label() for _ in range(4))
        self.begin(head)
        self.number += 1
        index = f"%.{self.number}"
        self.add(f"{index} = phi i64 [ {first}, %{before} ], [ {index}.then, %{more} ]")
        test = self.give(f"icmp {'slt' if step > 0 else 'sgt'} i64 {index}, {last}")
        self.end(f"br i1 {test}, label %{inside}, label %{after}")
        self.loops.append((more, after))
        self.begin(inside)
        self.store(f"%{name}", index)
        self.statements(node.body)
        self.loops.pop()
        self.begin(more)
        self.add(f"{index}.then = add i64 {index}, {step}")
        self.go(head)
        self.begin(after)

    def read_step(self, node: ast.expr) -> int:
        """Return the step of a range, which is known; its sign says how it ends."""
        word = self.value(node)
        if word.startswith("%") or int(word) == 0:
            raise NotLowered(ast.unparse(node))
        return int(word)

    def loop(self, inside: str, body: list[ast.stmt], again: str, after: str) -> None:
        """Write what a loop does each time."""
        self.loops.append((again, after))
        self.begin(inside)
        self.statements(body)
        self.loops.pop()

    # Places

    def place(self, node: ast.expr) -> str:
        """Return the address of a name or of a place in a vector or table."""
        match node:
            case ast.Name(id=name):
                return f"%{name}"
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                if name in self.taken:
                    word = self.value(index)
                    kind = self.source.pointer
                    return self.give(f"getelementptr i64, {kind} %{name}, i64 {word}")
                return self.place_in_table(name, index)
        raise NotLowered(ast.unparse(node))

    def place_to_write(self, node: ast.expr) -> str:
        """Return the address of a place that is not in a table."""
        match node:
            case ast.Subscript(value=ast.Name(id=name)) if name not in self.taken:
                raise NotLowered(ast.unparse(node))
        return self.place(node)

    def place_in_table(self, name: str, index: ast.expr) -> str:
        """Return the address of a place in a table, which counts from both ends."""
        if name not in self.source.tables:
            raise NotLowered(name)
        size = len(self.source.tables[name])
        word = self.value(index)
        if word.startswith("-"):
            word = str(size + int(word))
        elif word.startswith("%"):
            is_before = self.give(f"icmp slt i64 {word}, 0")
            behind = self.give(f"add i64 {word}, {size}")
            word = self.give(f"select i1 {is_before}, i64 {behind}, i64 {word}")
        kind = f"[{size} x i64]"
        table = kind + "*" if self.source.pointer.endswith("*") else "ptr"
        return self.give(f"getelementptr {kind}, {table} @{name}, i64 0, i64 {word}")

    def load(self, place: str) -> str:
        """Return what is at a place."""
        return self.give(f"load i64, {self.source.pointer} {place}")

    def store(self, place: str, word: str) -> None:
        """Write a word to a place."""
        self.add(f"store i64 {word}, {self.source.pointer} {place}")

    # Values

    def value(self, node: ast.expr) -> str:
        """Return a word: a number, or the name of what holds it."""
        match node:
            case ast.Constant(value=None):
                return "0"
            case ast.Constant(value=bool() | int() as number):
                return _write_word(number)
            case ast.Name(id=name):
                if name in self.local:
                    return self.load(f"%{name}")
                if name in self.source.numbers:
                    return _write_word(self.source.numbers[name])
                raise NotLowered(name)
            case ast.Subscript():
                return self.load(self.place(node))
            case ast.BinOp(left=left, op=operation, right=right):
                return self.operate(operation, self.value(left), right)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as word)):
                return _write_word(-word)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.give(f"sub i64 0, {self.value(operand)}")
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self.give(f"xor i64 {self.value(operand)}, -1")
            case ast.Compare(left=left, ops=[operation], comparators=[right]):
                return self.give(
                    f"zext i1 {self.compare(left, operation, right)} to i64"
                )
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return self.choose(node, lambda: "1", lambda: "0")
            case ast.BoolOp(op=operation, values=values):
                return self.connect(isinstance(operation, ast.And), values)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.choose(
                    test, lambda: self.value(body), lambda: self.value(orelse)
                )
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self.call(name, args)
        raise NotLowered(ast.unparse(node))

    def call(self, name: str, args: list[ast.expr]) -> str:
        """Return what a function returns."""
        if name in self.source.functions and name not in _BUILT_IN:
            kinds = self.source.vectors[name]
            words = [
                f"%{arg.id}"
                if at in kinds and isinstance(arg, ast.Name)
                else self.value(arg)
                for at, arg in enumerate(args)
            ]
            return self.give(
                f"call i64 @f.{name}({self.source.signature(name, words)})"
            )
        if name not in _BUILT_IN:
            raise NotLowered(name)
        first, *others = map(self.value, args)
        if name == "length":
            zeros = self.give(f"call i64 @llvm.ctlz.i64(i64 {first}, i1 false)")
            return self.give(_BUILT_IN[name].format(zeros=zeros))
        for other in others or ("",):
            first = self.give(_BUILT_IN[name].format(first, other))
        return first

    def operate(self, operation: ast.operator, left: str, right: ast.expr) -> str:
        """Return what an operation makes of two words."""
        word = self.value(right)
        is_shift = isinstance(operation, ast.LShift | ast.RShift)
        if is_shift and not word.startswith("%") and not 0 <= int(word) < _BITS:
            raise NotLowered(ast.unparse(right))
        if type(operation) in _OPERATIONS:
            return self.give(f"{_OPERATIONS[type(operation)]} i64 {left}, {word}")
        is_whole = isinstance(operation, ast.FloorDiv)
        if not is_whole and not isinstance(operation, ast.Mod):
            raise NotLowered(type(operation).__name__)
        if not word.startswith("%"):
            return self.divide_by(left, int(word), is_whole)
        # Who divides has made sure that it is by something; a processor stops at 0.
        is_zero = self.give(f"icmp eq i64 {word}, 0")
        word = self.give(f"select i1 {is_zero}, i64 1, i64 {word}")
        rest = self.give(f"srem i64 {left}, {word}")
        differs = self.give(f"xor i64 {rest}, {word}")
        is_other = self.give(f"icmp slt i64 {differs}, 0")
        is_some = self.give(f"icmp ne i64 {rest}, 0")
        is_below = self.give(f"and i1 {is_other}, {is_some}")
        return self.round_down(left, word, rest, is_below, is_whole)

    def divide_by(self, left: str, divisor: int, is_whole: bool) -> str:
        """Return a quotient or rest by a number that is known."""
        if divisor > 0 and divisor & (divisor - 1) == 0:
            if is_whole:
                return self.give(f"ashr i64 {left}, {divisor.bit_length() - 1}")
            return self.give(f"and i64 {left}, {divisor - 1}")
        rest = self.give(f"srem i64 {left}, {divisor}")
        side = "slt" if divisor > 0 else "sgt"
        is_below = self.give(f"icmp {side} i64 {rest}, 0")
        return self.round_down(left, str(divisor), rest, is_below, is_whole)

    def round_down(
        self, left: str, word: str, rest: str, is_below: str, is_whole: bool
    ) -> str:
        """Return the quotient or rest of Python, from those of a processor."""
        if is_whole:
            quotient = self.give(f"sdiv i64 {left}, {word}")
            less = self.give(f"sext i1 {is_below} to i64")
            return self.give(f"add i64 {quotient}, {less}")
        more = self.give(f"select i1 {is_below}, i64 {word}, i64 0")
        return self.give(f"add i64 {rest}, {more}")

    # Tests

    def compare(self, left: ast.expr, operation: ast.cmpop, right: ast.expr) -> str:
        """Return the bit of a comparison."""
        return self.compare_words(self.value(left), operation, self.value(right))

    def compare_words(self, one: str, operation: ast.cmpop, other: str) -> str:
        """Return the bit of a comparison of words."""
        if type(operation) not in _COMPARISONS:
            raise NotLowered(type(operation).__name__)
        return self.give(f"icmp {_COMPARISONS[type(operation)]} i64 {one}, {other}")

    def test(self, node: ast.expr, yes: str, no: str) -> None:
        """End the present block one way or the other."""
        match node:
            case ast.Constant(value=value):
                self.go(yes if value else no)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.test(operand, no, yes)
            case ast.BoolOp(op=operation, values=[*firsts, last]):
                for first in firsts:
                    then = self.label()
                    if isinstance(operation, ast.And):
                        self.test(first, then, no)
                    else:
                        self.test(first, yes, then)
                    self.begin(then)
                self.test(last, yes, no)
            case ast.Compare(left=left, ops=[operation], comparators=[right]):
                bit = self.compare(left, operation, right)
                self.end(f"br i1 {bit}, label %{yes}, label %{no}")
            case ast.Compare(left=left, ops=operations, comparators=rights):
                self.test_chain(
                    self.value(left), [*zip(operations, rights, strict=True)], yes, no
                )
            case _:
                bit = self.give(f"icmp ne i64 {self.value(node)}, 0")
                self.end(f"br i1 {bit}, label %{yes}, label %{no}")

    def test_chain(
        self,
        left: str,
        rest: list[tuple[ast.cmpop, ast.expr]],
        yes: str,
        no: str,
    ) -> None:
        """Compare each word of a chain with the next, as long as that holds."""
        for index, (operation, right) in enumerate(rest):
            word = self.value(right)
            bit = self.compare_words(left, operation, word)
            then = yes if index + 1 == len(rest) else self.label()
            self.end(f"br i1 {bit}, label %{then}, label %{no}")
            if then != yes:
                self.begin(then)
            left = word

    def choose(
        self, test: ast.expr, one: Callable[[], str], other: Callable[[], str]
    ) -> str:
        """Return one word or the other, of which only that one is worked out."""
        yes, no, after = self.label(), self.label(), self.label()
        self.test(test, yes, no)
        found = []
        for label, give in ((yes, one), (no, other)):
            self.begin(label)
            word = give()
            found.append(f"[ {word}, %{self.here} ]")
            self.go(after)
        self.begin(after)
        return self.give(f"phi i64 {', '.join(found)}")

    def connect(self, is_and: bool, values: Sequence[ast.expr]) -> str:
        """Return the first word that decides whether all hold, or any; or the last."""
        after = self.label()
        found = []
        for value in values[:-1]:
            word = self.value(value)
            found.append(f"[ {word}, %{self.here} ]")
            bit = self.give(f"icmp ne i64 {word}, 0")
            then = self.label()
            yes, no = (then, after) if is_and else (after, then)
            self.end(f"br i1 {bit}, label %{yes}, label %{no}")
            self.begin(then)
        word = self.value(values[-1])
        found.append(f"[ {word}, %{self.here} ]")
        self.begin(after)
        return self.give(f"phi i64 {', '.join(found)}")
