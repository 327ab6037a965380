"""Compile moves: their legal ones, why others are not, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Final

from ..text.errors import suggest
from ..text.source import Span
from ..text.tree import Mapping, Node, Scalar, Sequence
from .actions import Surroundings
from .emitter import Emitter
from .expressions import Compiler
from .library import is_any
from .parts import (
    MAX_LEGAL,
    Clause,
    Part,
    Piece,
    bound_rows,
    list_early,
    read_guards,
    read_parts,
    ready_at,
)
from .picks import (
    as_form,
    bind,
    either,
    enter,
    enter_either,
    enter_without,
    find_source,
    follow_rows,
    row_cards,
)
from .refusals import Refuser, fill_text
from .scope import Scope
from .selections import visit_selections
from .values import Value, loop_mask

# A mask of so many bits is an integer of one word everywhere.
MOST_BITS: Final = 62


@dataclass
class Move:
    """A compiled move.

    A piece of its label is a text, the name of a part, or the kind of a value
    that the emitted code fills in.
    """

    name: str
    number: int
    label: tuple[tuple[str, str], ...]
    parts: tuple[Part, ...]
    bound: int
    after: tuple[str, ...]
    after_unless: bool
    after_because: str
    after_place: Span | None = None
    # Whether its moves are one for each card of a set, which a function returns.
    is_set: bool = False
    # Whether it may unblock nothing in a race.
    may_idle: bool = False


@dataclass
class Moves:
    """All moves of a ruleset, and the source that plays them."""

    width: int = 2
    moves: dict[str, Move] = field(default_factory=dict)
    # Functions by name, and the lines of those that can stand in place of a call.
    functions: dict[str, list[str]] = field(default_factory=dict)
    bodies: dict[str, list[str]] = field(default_factory=dict)
    uncalled: set[str] = field(default_factory=set)
    ends: list[str] = field(default_factory=list)

    @property
    def source(self) -> list[str]:
        """Return the functions that are called."""
        called = self.functions.keys() - self.uncalled
        return [
            line
            for name, lines in self.functions.items()
            if name in called
            for line in lines
        ]


@dataclass
class _Guarding:
    """The guards that can be asked once a part is picked, and those asked already."""

    ready: list[Clause] = field(default_factory=list)
    passed: list[Clause] = field(default_factory=list)


class MoveCompiler:
    """Compiles the moves of one ruleset."""

    def __init__(
        self, compiler: Compiler, where: Callable[[Node], str], width: int
    ) -> None:
        """Compile into rows of a width; where names a node's place."""
        self.width = width
        self.compiler = compiler
        self.meaning = compiler.meaning
        self.where = where
        self.result = Moves()
        self.refuser = Refuser(compiler)
        # Whether all moves are listed, and then the masks of what can be picked.
        self.is_listing = False
        self.passing: dict[str, str] = {}
        # While the set of all that can be picked is written, the codes of its parts.
        self.sets: list[str] | None = None
        self.move = ""

    # One move

    def compile(self, name: str, node: Mapping, run_do: Callable[..., None]) -> None:
        """Compile a move into the functions that list, explain and make it."""
        self.move = name
        pieces = read_parts(self.compiler, name, node)
        guards = read_guards(self.compiler, name, node)
        number = len(self.result.moves)
        after, unless, because = self._read_only_if_no(node)
        move = Move(
            name,
            number,
            self._emit_label(name, node, pieces),
            tuple(piece.part for piece in pieces),
            min(MAX_LEGAL, bound_rows(self.compiler, pieces, node)),
            after,
            unless,
            because,
            others.span if (others := node.get("only_if_no")) else None,
            may_idle=node.get("unblocks") is not None,
        )
        self.result.moves[name] = move
        self.result.width = max(self.result.width, 1 + len(pieces))
        move.is_set = self._emit_set(move, node, pieces, guards)
        if move.is_set:
            self._emit_from_set(move, node)
        else:
            self._emit_list(move, node, pieces, guards)
            self._emit_can(move, node, pieces, guards)
        why = self.refuser.emit(name, pieces, guards)
        self._function(f"why_{name}(S, me, B, o, F)", node, why, "return 0")
        self._emit_do(move, node, pieces, run_do)

    def _read_only_if_no(self, node: Mapping) -> tuple[tuple[str, ...], bool, str]:
        value = node.get("only_if_no")
        unless, because = False, "you can make another move"
        names = value
        if isinstance(value, Mapping):
            names = value.get("moves")
            condition = self.compiler.read(value.get("unless"))
            if condition is not None:
                test = self.compiler.compile(condition, Scope(), "yes/no")
                if test.constant is None and test.kind != "unknown":
                    self.compiler.report(
                        "not-an-option",
                        f"'{condition.span.text}' is not fixed before the game",
                        condition.span,
                        "'unless' asks for options only.",
                    )
                unless = bool(test.constant)
            text = value.get("because")
            because = text.text if isinstance(text, Scalar) else because
        items = names.items if isinstance(names, Sequence) else ()
        for item in items:
            if isinstance(item, Scalar) and item.text not in self.meaning.moves:
                self._unknown_move(item)
        return (
            tuple(item.text for item in items if isinstance(item, Scalar)),
            unless,
            because,
        )

    def _unknown_move(self, item: Scalar) -> None:
        self.compiler.report(
            "unknown-move",
            f"unknown move '{item.text}'",
            item.span,
            suggest(item.text, list(self.meaning.moves), "moves"),
        )

    # Parts

    # Binding a part's number to a value

    def _enter_row(self, piece: Piece, index: int, scope: Scope) -> Scope:
        """Write the reading of a part from a move's row; return the scope with it."""
        emitter = self.compiler.emitter
        code = emitter.name("x")
        emitter.line(f"{code} = B[o + {index + 1}]")
        with self.compiler.trying():
            group = find_source(self.compiler, piece, scope)
        if piece.part.form == "place":
            group = find_source(self.compiler, piece, scope)
            place, code = code, emitter.name("c")
            emitter.line(
                f"{code} = {self.compiler.card_at(group.code, place, group.zones)}"
            )
        return enter_either(self.compiler, piece, code, scope, group)

    # Listing

    def _emit_list(
        self,
        move: Move,
        node: Mapping,
        pieces: list[Piece],
        guards: list[Clause],
    ) -> None:
        emitter = Emitter()
        codes: list[str] = []
        # Where the bound is a guess, more moves than that are a fault.
        is_exact = move.bound < MAX_LEGAL and not any(
            piece.part.form == "number"
            or (piece.search is not None and piece.search.sum is not None)
            for piece in pieces
        )
        if not is_exact:
            emitter.line(f"most = o + {move.bound * self.width}")

        def found(_: Scope) -> None:
            if not is_exact:
                with emitter.block("if o == most:"):
                    emitter.line("return fault(S, 3)")
            emitter.line(f"B[o] = {move.number}")
            for index, code in enumerate(codes):
                emitter.line(f"B[o + {index + 1}] = {code}")
            emitter.line(f"o += {self.width}")

        self.is_listing = True
        with self.compiler.writing(emitter):
            self._enumerate(pieces, 0, guards, Scope(me="me"), codes, found)
        self.is_listing = False
        self._function(f"list_{move.name}(S, me, B, o)", node, emitter, "return o")

    def _emit_set(
        self,
        move: Move,
        node: Mapping,
        pieces: list[Piece],
        guards: list[Clause],
    ) -> bool:
        """Emit the set of all cards that may be picked; tell whether there is one."""
        is_one = [piece.part.form for piece in pieces] == ["card"]
        is_plain = node.get("unblocks") is None and not self.meaning.problems
        if not (is_one and is_plain) or pieces[0].condition is not None:
            return False
        emitter, sets = Emitter(), list[str]()
        self.sets = sets
        with self.compiler.writing(emitter):
            self._enumerate(pieces, 0, guards, Scope(me="me"), [], lambda _: None)
        self.sets = None
        if not sets or not all(sets):
            return False
        self._function(f"set_{move.name}(S, me)", node, emitter, "return 0")
        return True

    def _emit_from_set(self, move: Move, node: Mapping) -> None:
        """Emit the functions that list the moves of a set, and tell if there is one."""
        emitter = Emitter()

        def found(card: str) -> None:
            emitter.line(f"B[o] = {move.number}")
            emitter.line(f"B[o + 1] = {card}")
            emitter.line(f"o += {self.width}")

        loop_mask(emitter, f"set_{move.name}(S, me)", found)
        self._function(f"list_{move.name}(S, me, B, o)", node, emitter, "return o")
        last = f"return set_{move.name}(S, me) != 0"
        self._function(f"can_{move.name}(S, me)", node, Emitter(), last)

    def _emit_can(
        self,
        move: Move,
        node: Mapping,
        pieces: list[Piece],
        guards: list[Clause],
    ) -> None:
        """Emit whether the move is there at all, and unblocks."""
        emitter = Emitter()
        unblocks = self.compiler.read(node.get("unblocks"))

        def found(scope: Scope) -> None:
            if unblocks is None:
                emitter.line("return True")
                return
            code = self.compiler.test(unblocks, scope)
            with emitter.block(f"if {code}:"):
                emitter.line("return True")

        with self.compiler.writing(emitter):
            self._enumerate(pieces, 0, guards, Scope(me="me"), [], found)
        self._function(f"can_{move.name}(S, me)", node, emitter, "return False")

    def _function(
        self, head: str, node: Node, emitter: Emitter, last: str = ""
    ) -> None:
        source = ["", "", f"# {self.where(node)}", f"def {head}:"]
        source += [f"    {line}" for line in self.compiler.share(emitter.lines)]
        if last:
            source.append(f"    {last}")
        name = head.partition("(")[0]
        self.result.functions[name] = source
        if not any("return" in line for line in emitter.lines):
            self.result.bodies[name] = [f"# {self.where(node)}", *emitter.lines]

    def _enumerate(
        self,
        pieces: list[Piece],
        index: int,
        guards: list[Clause],
        scope: Scope,
        codes: list[str],
        found: Callable[[Scope], None],
    ) -> None:
        """Write the loops over parts from one on, each guard as early as it can."""
        names = [piece.part.name for piece in pieces]
        ready = [g for g in guards if ready_at(g, names) == index]
        early = list_early(pieces) if index == 0 else []

        def body(inner: Scope) -> None:
            with ExitStack() as tests:
                for piece in early:
                    if some := self._look_early(piece, inner):
                        tests.enter_context(self.compiler.emitter.block(f"if {some}:"))
                self._next(pieces, index, guards, inner, codes, found)
                self.passing.clear()

        self._guarded(ready, scope, body)

    def _look_early(self, piece: Piece, scope: Scope) -> str:
        """Write whether there is something to pick as a part; return the code.

        Where it takes more than an expression to tell, all that can be picked is kept
        as a mask. There is no code where it depends on what is picked before.
        """
        compiler, emitter = self.compiler, self.compiler.emitter
        problems = self.meaning.problems
        with compiler.trying():
            before = len(problems)
            group = find_source(compiler, piece, scope)
            with emitter.apart() as lines:
                self._passes(piece, "it", group, scope)
            is_sound = len(problems) == before and group.loop is not None
        if not is_sound:
            return ""
        group = find_source(compiler, piece, scope)
        if lines and not self.is_listing:
            # One move is enough: it is found sooner without.
            return ""
        if not lines or not self._fits_mask(piece):

            def passes(within: Emitter, item: str) -> str:
                with compiler.writing(within):
                    return self._passes(piece, item, group, scope)

            return is_any(compiler, compiler.narrow(group, passes))
        mask = emitter.name("m")
        emitter.line(f"{mask} = 0")

        def keep(item: str) -> None:
            with emitter.block(f"if {self._passes(piece, item, group, scope)}:"):
                emitter.line(f"{mask} |= 1 << {item}")

        compiler.loop(group, keep)
        self.passing[piece.part.name] = mask
        return mask

    def _fits_mask(self, piece: Piece) -> bool:
        """Tell whether a mask has room for all that a part may be picked from."""
        sizes = {
            "card": self.meaning.deck.size,
            "pile": len(self.meaning.layout.piles),
            "player": self.meaning.layout.seats,
            "rank": len(self.meaning.deck.ranks),
            "suit": len(self.meaning.deck.suits),
        }
        return sizes.get(piece.part.form, MOST_BITS + 1) <= MOST_BITS

    def _guarded(
        self,
        guards: list[Clause],
        scope: Scope,
        body: Callable[[Scope], None],
    ) -> None:
        if not guards:
            body(scope)
            return
        _, condition, test, *_ = guards[0]
        compiler = self.compiler
        if condition is not None:
            applies = compiler.compile(condition, scope, "yes/no")
            if applies.constant == 0:
                with compiler.emitter.apart():
                    compiler.test(test, scope)
                self._guarded(guards[1:], scope, body)
                return
            if applies.constant is None:
                name = compiler.emitter.name("t")
                compiler.emitter.line(f"{name} = True")
                with compiler.emitter.block(f"if {applies.code}:"):
                    inner = scope.knowing(compiler.facts(condition, True, scope))
                    compiler.emitter.line(f"{name} = {compiler.test(test, inner)}")
                with compiler.emitter.block(f"if {name}:"):
                    self._guarded(guards[1:], scope, body)
                return
        code = compiler.test(test, scope)
        inner = scope.knowing(compiler.facts(test, True, scope))
        with compiler.emitter.test(code):
            self._guarded(guards[1:], inner, body)

    def _next(
        self,
        pieces: list[Piece],
        index: int,
        guards: list[Clause],
        scope: Scope,
        codes: list[str],
        found: Callable[[Scope], None],
    ) -> None:
        if index == len(pieces):
            found(scope)
            return
        piece = pieces[index]

        names = [piece.part.name for piece in pieces]
        ready = [guard for guard in guards if ready_at(guard, names) == index + 1]
        guarding = _Guarding(ready)

        def with_part(inner: Scope) -> None:
            def visit(code: str, group: Value | None, row_code: str = "") -> None:
                codes.append(row_code or code)
                entered = enter(self.compiler, piece, code, inner, group)
                rest = [guard for guard in guards if guard not in guarding.passed]
                for guard in guarding.passed:
                    if guard[1] is None:
                        facts = self.compiler.facts(guard[2], True, entered)
                        entered = entered.knowing(facts)
                self._enumerate(pieces, index + 1, rest, entered, codes, found)
                codes.pop()

            self._visit(piece, inner, visit, guarding)

        def without(inner: Scope) -> None:
            codes.append("-1")
            entered = enter_without(self.compiler, piece, inner)
            self._enumerate(pieces, index + 1, guards, entered, codes, found)
            codes.pop()

        either(self.compiler, piece.condition, scope, with_part, without)

    def _visit(
        self,
        piece: Piece,
        scope: Scope,
        visit: Callable[..., None],
        guarding: _Guarding,
    ) -> None:
        """Write the loop over all that a part may be."""
        if piece.part.form == "cards":
            self._visit_selections(piece, scope, visit)
        elif piece.part.form == "place":
            self._visit_places(piece, scope, visit)
        elif piece.rows:
            self._visit_rows(piece, scope, visit, guarding)
        else:
            self._visit_items(
                piece,
                find_source(self.compiler, piece, scope),
                scope,
                visit,
                guarding,
            )

    def _visit_items(
        self,
        piece: Piece,
        group: Value,
        scope: Scope,
        visit: Callable[..., None],
        guarding: _Guarding,
    ) -> None:
        compiler = self.compiler
        guarding.passed.clear()
        if group.kind == "unknown":
            return
        seen = ""
        if piece.part.form == "card" and self.meaning.deck.copies > 1:
            seen = compiler.emitter.name("m")
            compiler.emitter.line(f"{seen} = 0")
            self.meaning.need_bits(len(self.meaning.deck.by_name))

        def visit_new(item: str) -> None:
            if not seen:
                visit(item, group)
                return
            emitter = compiler.emitter
            with emitter.block(f"if {seen} >> FACE_OF[{item}] & 1 == 0:"):
                emitter.line(f"{seen} |= 1 << FACE_OF[{item}]")
                visit(item, group)

        def body(item: str) -> None:
            self._tested(piece, item, group, scope, lambda: visit_new(item))

        whole = self._passing(piece, group, scope)
        for guard in guarding.ready:
            narrowed = self._pass_guard(piece, whole, guard, scope)
            if narrowed.masks:
                whole = narrowed
                guarding.passed.append(guard)
        if self.sets is not None:
            is_whole = len(guarding.passed) == len(guarding.ready) and not seen
            found = whole.masks[0] if is_whole and len(whole.masks) == 1 else ""
            self.sets.append(found)
            compiler.emitter.line(f"return {found}")
            return
        if whole.masks and whole is not group:
            compiler.loop(whole, visit_new)
            return
        for item in group.few:
            body(item)
        if not group.few:
            compiler.loop(group, body)

    def _tested(
        self,
        piece: Piece,
        item: str,
        group: Value,
        scope: Scope,
        body: Callable[[], None],
    ) -> None:
        """Write a body under the part's ``where``, if it has one."""
        if piece.where is None:
            body()
            return
        mask = self.passing.get(piece.part.name)
        if mask is None:
            code = self._passes(piece, item, group, scope)
        else:
            code = f"{mask} >> {item} & 1"
        with self.compiler.emitter.block(f"if {code}:"):
            body()

    def _pass_guard(
        self, piece: Piece, group: Value, guard: Clause, scope: Scope
    ) -> Value:
        """Return the cards that a guard lets pass; perhaps there is a set of them."""
        if not group.masks or piece.part.form != "card":
            return replace(group, masks=())
        compiler, (_, condition, test, *_) = self.compiler, guard

        def passes(within: Emitter, item: str) -> str:
            inner = enter(compiler, piece, item, scope, group)
            with compiler.writing(within):
                if condition is None:
                    return compiler.test(test, inner)
                applies = compiler.test(condition, inner)
                inner = inner.knowing(compiler.facts(condition, True, inner))
                return f"({compiler.test(test, inner)} if {applies} else True)"

        return compiler.narrow(group, passes)

    def _passing(self, piece: Piece, group: Value, scope: Scope) -> Value:
        """Return what passes a part's ``where``; perhaps there is a set of it."""
        if piece.where is None or piece.part.name in self.passing or not group.masks:
            return group if piece.where is None else replace(group, masks=())

        def passes(within: Emitter, item: str) -> str:
            with self.compiler.writing(within):
                return self._passes(piece, item, group, scope)

        return self.compiler.narrow(group, passes)

    def _passes(self, piece: Piece, item: str, group: Value, scope: Scope) -> str:
        """Write whether an item of a part's group passes its ``where``."""
        assert piece.where is not None
        form = "card" if piece.part.form == "cards" else piece.part.form
        value = bind(self.compiler, as_form(piece, form), item, group)
        return self.compiler.test(piece.where, scope.visiting(value, None))

    def _visit_rows(
        self,
        piece: Piece,
        scope: Scope,
        visit: Callable[..., None],
        guarding: _Guarding,
    ) -> None:
        """Write the loop over the cards of the first row whose test holds."""

        def allowed(row: Clause, inner: Scope) -> None:
            self.compiler.mark("row", row.rule, row.span, self.move)
            cards = row_cards(self.compiler, row, inner)
            self._visit_items(piece, cards, inner, visit, guarding)

        follow_rows(self.compiler, piece.rows, scope, allowed)

    def _visit_places(
        self, piece: Piece, scope: Scope, visit: Callable[..., None]
    ) -> None:
        compiler = self.compiler
        pile = find_source(self.compiler, piece, scope)
        if pile.kind == "unknown":
            return
        emitter = compiler.emitter
        place, card = emitter.name("k"), emitter.name("c")
        with emitter.block(f"for {place} in range({compiler.size(pile.code)}):"):
            at = compiler.card_at(pile.code, place, pile.zones)
            emitter.line(f"{card} = {at}")
            visit(card, pile, place)

    def _visit_selections(
        self, piece: Piece, scope: Scope, visit: Callable[..., None]
    ) -> None:
        compiler = self.compiler
        emitter = compiler.emitter
        group = find_source(self.compiler, piece, scope)
        if group.kind == "unknown":
            return
        mask = emitter.name("m")
        whole = self._passing(piece, group, scope)
        if whole.masks:
            emitter.line(f"{mask} = {' | '.join(whole.masks)}")
        else:
            emitter.line(f"{mask} = 0")
            compiler.loop(
                group,
                lambda item: self._tested(
                    piece,
                    item,
                    group,
                    scope,
                    lambda: emitter.line(f"{mask} |= 1 << {item}"),
                ),
            )
        if piece.search is not None:
            visit_selections(
                compiler,
                piece.search,
                mask,
                scope,
                lambda chosen, alike: visit(chosen, replace(group, alike=alike)),
                group,
            )

    # Naming

    def _emit_label(
        self, name: str, node: Mapping, pieces: list[Piece]
    ) -> tuple[tuple[str, str], ...]:
        """Return the pieces of a move's label; emit what fills them in, if any."""
        label = node.get("label")
        if not isinstance(label, Scalar):
            return ()
        emitter = Emitter()
        scope = Scope(me="me", lenient=True)
        with self.compiler.writing(emitter):
            for index, piece in enumerate(pieces):
                scope = self._enter_row(piece, index, scope)
            names = [piece.part.name for piece in pieces]
            before = len(emitter.lines)
            found = fill_text(self.compiler, label, scope, names)
        if len(emitter.lines) > before:
            self._function(f"label_{name}(S, me, B, o, F)", node, emitter)
        return tuple(found)

    # Doing

    def _emit_do(
        self,
        move: Move,
        node: Mapping,
        pieces: list[Piece],
        run_do: Callable[..., None],
    ) -> None:
        emitter = Emitter()
        scope = Scope(me="me")
        with self.compiler.writing(emitter):
            for index, piece in enumerate(pieces):
                scope = self._enter_row(piece, index, scope)
            for guard in read_guards(self.compiler, move.name, node):
                if guard[1] is None:
                    scope = scope.knowing(self.compiler.facts(guard[2], True, scope))
            around = Surroundings(
                self.compiler,
                marks_player=True,
                is_deputed=move.name in self.compiler.meaning.deputed,
                ends=self.result.ends,
            )
            run_do(node.get("do"), scope, around)
        self._function(f"do_{move.name}(S, me, B, o)", node, emitter, "return 0")
