"""Search the selections of cards that a part of a move allows.

A selection is a mask of cards. Each way of searching visits every selection
once, in an order that is fixed: it never tries all subsets of a group.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Final

from ..text.parser import Phrase
from .expressions import Compiler
from .scope import Scope
from .values import Value, log_of, loop_mask

MAX_SELECTION: Final = 8
# A search by sum has no small bound: a group may hold many such selections.
MOST_SUMS: Final = 500
# Nor has one of runs in mixed suits: four suits give 4 ** length of each.
MOST_RUNS: Final = 20_000
_SHAPE: Final = re.compile(r"(set|run) (\d+)(?:(\.\.)(\d*))?( by suit| mixed)?")

# Takes the code of a selection, and the rank or suit that its cards have in common.
Visit = Callable[[str, tuple[str, str] | None], None]


@dataclass(frozen=True, slots=True)
class Shape:
    """A set of equal ranks or a run, with its sizes; a run may mix suits."""

    kind: str
    low: int
    high: int
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """What is added up of the cards of a selection, and what it must come to."""

    of: Phrase
    total: Phrase


@dataclass(frozen=True, slots=True)
class Search:
    """What a selection must be: its size, and what its cards have in common."""

    low: int
    high: int
    same: str = ""
    shapes: tuple[Shape, ...] = ()
    sum: Sum | None = None

    def bound(self, ranks: int, suits: int, cards: int, copies: int) -> int:
        """Return how many selections there can be at most."""
        if self.sum is not None:
            return MOST_SUMS
        sets = ranks * (1 << suits * copies)
        if any(shape.mixed for shape in self.shapes):
            return MOST_RUNS
        if self.shapes:
            return sets + suits * ranks * ranks
        if self.same == "rank":
            return sets
        ways = total = 1
        for taken in range(min(self.high, cards)):
            ways = ways * (cards - taken) // (taken + 1)
            total += ways
        return total


def read_shape(text: str, most: int) -> Shape | None:
    """Return the shape of ``set 3..4`` or ``run 3.. by suit``, if this is one.

    Runs are in one suit unless the text says ``mixed``.
    """
    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        return None
    kind, low, dots, high, suits = match.groups()
    top = int(high) if high else (most if dots else int(low))
    is_mixed = kind == "run" and suits == " mixed"
    return Shape(kind, int(low), min(top, most), is_mixed)


def visit_selections(
    compiler: Compiler,
    search: Search,
    mask: str,
    scope: Scope,
    visit: Visit,
    group: Value,
) -> None:
    """Write the loops over all selections from a mask of cards."""
    if search.sum is not None:
        _visit_sums(compiler, search, mask, scope, visit, group)
    elif search.shapes:
        for shape in search.shapes:
            if shape.kind == "set":
                _visit_alike(compiler, "rank", (shape.low, shape.high), mask, visit)
            elif shape.mixed:
                _visit_mixed_runs(compiler, shape, mask, visit)
            else:
                _visit_runs(compiler, shape, mask, visit)
    elif search.same:
        sizes = (search.low, search.high)
        _visit_alike(compiler, search.same, sizes, mask, visit)
    else:
        _visit_any(compiler, search, mask, visit)


def _visit_alike(
    compiler: Compiler, same: str, sizes: tuple[int, int], mask: str, visit: Visit
) -> None:
    """Write every selection of one rank (suit), smallest mask first."""
    deck, emitter = compiler.meaning.deck, compiler.emitter
    low, high = sizes
    values = len(deck.ranks if same == "rank" else deck.suits)
    most = len(deck.suits) * deck.copies if same == "rank" else deck.size
    value, alike = emitter.name("r"), emitter.name("m")
    with emitter.block(f"for {value} in range({values}):"):
        emitter.line(f"{alike} = {mask} & {same.upper()}_MASK[{value}]")
        with emitter.block(f"if {alike}:"), emitter.region():
            chosen = emitter.name("m")
            emitter.line(f"{chosen} = -{alike} & {alike}")
            with emitter.block(f"while {chosen}:"):
                tests = []
                if low > 1:
                    tests.append(f"bits({chosen}) >= {low}")
                if high < most:
                    tests.append(f"bits({chosen}) <= {high}")
                if deck.copies > 1:
                    # Of equal cards the earlier copy is taken first.
                    earlier = f"({chosen} & LATER[0]) >> 1"
                    tests.append(f"({earlier}) & {alike} & ~{chosen} == 0")
                has_tests = emitter.block(f"if {' and '.join(tests)}:")
                with has_tests if tests else nullcontext():
                    visit(chosen, (same, value))
                emitter.line(f"{chosen} = ({chosen} - {alike}) & {alike}")


@contextmanager
def _each_run(
    compiler: Compiler, first: str, length: str, run: str, cards: str
) -> Iterator[None]:
    """Write the loops over runs of the lowest cards: by first rank, then length.

    Args:
        compiler: What writes.
        first: The name of the first rank.
        length: The name of the length, less one.
        run: The name of the mask of the run.
        cards: The code of the cards that it is made of.
    """
    deck, emitter = compiler.meaning.deck, compiler.emitter
    ranks, one = len(deck.ranks), emitter.name("m")
    last = str(ranks) if deck.ring else f"{ranks} - {first}"
    with emitter.block(f"for {first} in range({ranks}):"):
        emitter.line(f"{run} = 0")
        with emitter.block(f"for {length} in range({last}):"):
            rank = f"({first} + {length}) % {ranks}"
            emitter.line(f"{one} = {cards} & RANK_MASK[{rank}]")
            with emitter.block(f"if {one} == 0:"):
                emitter.line("break")
            emitter.line(f"{run} |= {one} & -{one}")
            yield


def _test_run(compiler: Compiler, shape: Shape, first: str, length: str) -> str:
    """Return the test that a run is of the shape's size, and is not met again."""
    deck = compiler.meaning.deck
    tests = [f"{length} >= {shape.low - 1}", f"{length} < {shape.high}"]
    if deck.ring:
        # The whole ring is one run, whichever rank it is begun at.
        tests.append(f"({first} == 0 or {length} < {len(deck.ranks) - 1})")
    return " and ".join(tests)


def _visit_runs(compiler: Compiler, shape: Shape, mask: str, visit: Visit) -> None:
    """Write every run in one suit, by suit, lowest rank and length."""
    emitter = compiler.emitter
    suit, first, length, chosen = (emitter.name(stem) for stem in "srkm")
    cards = f"{mask} & SUIT_MASK[{suit}]"
    with (
        emitter.block(f"for {suit} in range({len(compiler.meaning.deck.suits)}):"),
        _each_run(compiler, first, length, chosen, cards),
        emitter.block(f"if {_test_run(compiler, shape, first, length)}:"),
    ):
        visit(chosen, None)


def _visit_mixed_runs(
    compiler: Compiler, shape: Shape, mask: str, visit: Visit
) -> None:
    """Write every run, whatever its suits: by lowest rank, length, then cards."""
    deck, emitter = compiler.meaning.deck, compiler.emitter
    first, length, start, chosen, step = (emitter.name(stem) for stem in "rkmmk")
    if deck.copies > 1:
        # Of equal cards the earlier copy is taken.
        every, mask = mask, emitter.name("m")
        emitter.line(f"{mask} = {every} & ~(({every} << 1) & LATER[0])")
    with (
        _each_run(compiler, first, length, start, mask),
        emitter.block(f"if {_test_run(compiler, shape, first, length)}:"),
    ):
        emitter.line(f"{chosen} = {start}")
        emitter.line(f"{step} = {length}")
        with emitter.block(f"while {step} >= 0:"):
            visit(chosen, None)
            _move_on(compiler, mask, (first, length), chosen, step)


def _move_on(
    compiler: Compiler, mask: str, run: tuple[str, str], chosen: str, step: str
) -> None:
    """Write the step from one choice of a run's cards to the next.

    Of each rank one card is chosen, like the digits of a number: the last rank
    goes through its cards first, then the one before it moves on.
    """
    emitter, (first, length) = compiler.emitter, run
    ranks = len(compiler.meaning.deck.ranks)
    of_rank, one = emitter.name("m"), emitter.name("m")
    emitter.line(f"{step} = {length}")
    with emitter.block(f"while {step} >= 0:"):
        place = f"RANK_MASK[({first} + {step}) % {ranks}]"
        emitter.line(f"{of_rank} = {mask} & {place}")
        emitter.line(f"{one} = {chosen} & {of_rank}")
        emitter.line(f"{chosen} ^= {one}")
        emitter.line(f"{one} = {of_rank} & -({one} << 1)")
        with emitter.block(f"if {one}:"):
            emitter.line(f"{chosen} |= {one} & -{one}")
            emitter.line("break")
        emitter.line(f"{chosen} |= {of_rank} & -{of_rank}")
        emitter.line(f"{step} -= 1")


def _visit_any(compiler: Compiler, search: Search, mask: str, visit: Visit) -> None:
    """Write every selection of a size, card by card from the lowest."""
    emitter, every = compiler.emitter, compiler.emitter.name("m")
    has_copies = compiler.meaning.deck.copies > 1

    def deeper(taken: str, rest: str, depth: int) -> None:
        if depth >= search.low:
            visit(taken, None)
        if depth == search.high:
            return
        left, one, both = emitter.name("m"), emitter.name("m"), emitter.name("m")
        emitter.line(f"{left} = {rest}")
        with emitter.block(f"while {left}:"):
            emitter.line(f"{one} = {left} & -{left}")
            emitter.line(f"{left} &= {left} - 1")
            # Of equal cards the earlier copy is taken first.
            earlier = f"({one} & LATER[0]) >> 1 & {every}"
            is_first = emitter.block(f"if {earlier} & ~{taken} == 0:")
            with is_first if has_copies else nullcontext():
                emitter.line(f"{both} = {taken} | {one}")
                deeper(both, left, depth + 1)

    emitter.line(f"{every} = {mask}")
    deeper("0", every, 0)


def _visit_sums(
    compiler: Compiler,
    search: Search,
    mask: str,
    scope: Scope,
    visit: Visit,
    group: Value,
) -> None:
    """Write a search with backtracking: a branch ends once it is over the total.

    Cards whose number is not above 0 take no part.
    """
    emitter, layout = compiler.emitter, compiler.meaning.layout
    cards, amounts, stack = (layout.find_scratch(part) for part in range(3))
    wanted = search.sum
    assert wanted is not None
    target, total, count, depth, index = (emitter.name(stem) for stem in "nnnki")
    chosen = emitter.name("m")
    total_of = compiler.compile(wanted.total, scope, "number")
    emitter.line(f"{target} = {total_of.code}")
    emitter.line(f"{count} = 0")

    def note(card: str) -> None:
        item = Value("card", card, zones=group.zones)
        inner = scope.visiting(item, None)
        amount = compiler.compile(wanted.of, inner, "number")
        emitter.line(f"S[{amounts} + {count}] = {amount.code}")
        emitter.line(f"S[{cards} + {count}] = {card}")
        with emitter.block(f"if S[{amounts} + {count}] > 0:"):
            emitter.line(f"{count} += 1")

    every = emitter.name("m")
    emitter.line(f"{every} = {mask}")
    loop_mask(emitter, every, note)
    for name in (total, chosen, depth, index):
        emitter.line(f"{name} = 0")
    with emitter.block("while True:"):
        tests = [
            f"{index} < {count} and {depth} < {search.high}",
            f"{total} + S[{amounts} + {index}] <= {target}",
        ]
        if compiler.meaning.deck.copies > 1:
            # Of equal cards the earlier copy is taken first.
            left = f"({every} & ~{chosen}) << 1 & LATER[0]"
            tests.append(f"({left}) >> S[{cards} + {index}] & 1 == 0")
        with emitter.block(f"if {' and '.join(tests)}:"):
            emitter.line(f"S[{stack} + {depth}] = {index}")
            emitter.line(f"{depth} += 1")
            emitter.line(f"{total} += S[{amounts} + {index}]")
            emitter.line(f"{chosen} |= 1 << S[{cards} + {index}]")
            with emitter.block(f"if {total} == {target} and {depth} >= {search.low}:"):
                visit(chosen, None)
            emitter.line(f"{index} += 1")
        with emitter.block(f"elif {index} < {count}:"):
            emitter.line(f"{index} += 1")
        with emitter.block(f"elif {depth} == 0:"):
            emitter.line("break")
        with emitter.block("else:"):
            emitter.line(f"{depth} -= 1")
            emitter.line(f"{index} = S[{stack} + {depth}]")
            emitter.line(f"{total} -= S[{amounts} + {index}]")
            emitter.line(f"{chosen} ^= 1 << S[{cards} + {index}]")
            emitter.line(f"{index} += 1")


def list_faults(
    compiler: Compiler, search: Search, code: str, selection: Value, scope: Scope
) -> list[tuple[str, str, str]]:
    """Write what is needed to test a selection.

    Returns:
        For each rule that it may break its name, the code of the test that says
        so, and the reason.
    """
    emitter = compiler.emitter
    size = emitter.name("n")
    emitter.line(f"{size} = bits({code})")
    low, high = search.low, search.high
    sizes = f"{low} to {high}" if low != high else f"{low}"
    wrong_size = f"{size} < {low} or {size} > {high}"
    found = [("size", wrong_size, f"choose {sizes} cards")]
    if search.same:
        unlike = _write_unlike(compiler, search.same, code, selection)
        found.append(("same", unlike, f"the cards are not all of one {search.same}"))
    if search.shapes:
        found.append(_test_shapes(compiler, search, code, selection, size))
    if (wanted := search.sum) is not None:
        total = emitter.name("n")
        emitter.line(f"{total} = 0")

        def add(card: str) -> None:
            inner = scope.visiting(Value("card", card, zones=selection.zones), None)
            amount = compiler.compile(wanted.of, inner, "number")
            compiler.emitter.line(f"{total} += {amount.code}")

        compiler.loop(selection, add)
        target = compiler.compile(wanted.total, scope, "number")
        text = f"the cards do not add up to {wanted.total.span.text}"
        found.append(("sum", f"{total} != {target.code}", text))
    return found


def _write_unlike(compiler: Compiler, same: str, code: str, selection: Value) -> str:
    """Write whether the cards of a selection differ in rank (suit)."""
    emitter, table = compiler.emitter, same.upper()
    unlike = emitter.name("t")
    emitter.line(f"{unlike} = False")

    def compare(card: str) -> None:
        first = log_of(code)
        with compiler.emitter.block(f"if {table}[{card}] != {table}[{first}]:"):
            compiler.emitter.line(f"{unlike} = True")

    compiler.loop(selection, compare)
    return unlike


def _test_shapes(
    compiler: Compiler, search: Search, code: str, selection: Value, size: str
) -> tuple[str, str, str]:
    """Write whether a selection has none of the shapes."""
    emitter, deck = compiler.emitter, compiler.meaning.deck
    ranks = emitter.name("m")
    emitter.line(f"{ranks} = 0")
    compiler.loop(
        selection,
        lambda card: compiler.emitter.line(f"{ranks} |= 2 << max(0, RANK[{card}])"),
    )
    ring = len(deck.ranks) if deck.ring else 0
    tests = []
    for shape in search.shapes:
        sized = f"{shape.low} <= {size} <= {shape.high}"
        if shape.kind == "set":
            unlike = _write_unlike(compiler, "rank", code, selection)
            tests.append(f"({sized} and not {unlike})")
        else:
            run = f"is_run({ranks} >> 1, {size}, {ring})"
            if not shape.mixed:
                unlike = _write_unlike(compiler, "suit", code, selection)
                run = f"not {unlike} and {run}"
            tests.append(f"({sized} and {run})")
    names = " or ".join(dict.fromkeys(f"a {shape.kind}" for shape in search.shapes))
    return "shape", f"not ({' or '.join(tests)})", f"these cards are not {names}"
