"""Compile moves: their legal ones, why others are not, and what they do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from .actions import Surroundings
from .emitter import Emitter
from .errors import suggest
from .expressions import Compiler
from .parser import Phrase, walk
from .scope import Scope
from .selections import (
    MAX_SELECTION,
    Search,
    list_faults,
    read_shape,
    visit_selections,
)
from .tree import Mapping, Node, Scalar, Sequence
from .values import Body, Value

MAX_LEGAL: Final = 100_000
MAX_FORMS: Final = 50_000_000
USUAL_NUMBERS: Final = 100
# How many values a text for people may name.
MOST_FILLED: Final = 16
_NONE = Scope()


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a move: what is picked, and how its number reads as text.

    Form is card, place, cards, pile, player, number, suit, rank or choice.
    """

    name: str
    form: str
    choices: tuple[str, ...] = ()
    zone: str = ""


class Clause(NamedTuple):
    """A named guard, or a named row: when it applies, and what it asks or allows."""

    rule: str
    condition: Phrase | None
    subject: Phrase
    because: Scalar | None


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is refused: the rule's name and the pieces of its text.

    A piece is a text, or the kind of a value that the emitted code fills in.
    """

    rule: str
    pieces: tuple[tuple[str, str], ...]


@dataclass
class Move:
    """A compiled move.

    A piece of its label is a text, the number of a part, or the kind of a value
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


@dataclass
class Moves:
    """All moves of a ruleset, and the source that plays them."""

    width: int = 2
    moves: dict[str, Move] = field(default_factory=dict)
    reasons: list[Reason] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)


@dataclass
class _Piece:
    """A part while it is compiled."""

    part: Part
    spec: Mapping
    group: Phrase | None
    where: Phrase | None
    rows: list[Clause]
    search: Search | None = None


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

    # One move

    def compile(self, name: str, node: Mapping, run_do: Callable[..., None]) -> None:
        """Compile a move into the functions that list, explain and make it."""
        pieces = self._read_parts(name, node)
        guards = self._read_guards(name, node)
        number = len(self.result.moves)
        after, unless, because = self._read_only_if_no(node)
        move = Move(
            name,
            number,
            self._emit_label(name, node, pieces),
            tuple(piece.part for piece in pieces),
            min(MAX_LEGAL, self._bound(pieces, node)),
            after,
            unless,
            because,
        )
        self.result.moves[name] = move
        self.result.width = max(self.result.width, 1 + len(pieces))
        self._emit_list(move, node, pieces, guards)
        self._emit_can(move, node, pieces, guards)
        self._emit_why(move, node, pieces, guards)
        self._emit_do(move, node, pieces, run_do)

    def _read_only_if_no(self, node: Mapping) -> tuple[tuple[str, ...], bool, str]:
        value = node.get("only_if_no")
        unless, because = False, "you can make another move"
        names = value
        if isinstance(value, Mapping):
            names = value.get("moves")
            condition = self.compiler.read(value.get("unless"))
            if condition is not None:
                test = self.compiler.compile(condition, _NONE, "yes/no")
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
        from .errors import suggest

        self.compiler.report(
            "unknown-move",
            f"unknown move '{item.text}'",
            item.span,
            suggest(item.text, list(self.meaning.moves), "moves"),
        )

    def _read_guards(self, name: str, node: Mapping) -> list[Clause]:
        found: list[Clause] = []
        when = node.get("when")
        for key, value in when.entries if isinstance(when, Mapping) else ():
            condition = because = None
            test: Node | None = value
            if isinstance(value, Mapping):
                condition = self.compiler.read(value.get("if"))
                test = value.get("test")
                text = value.get("because")
                because = text if isinstance(text, Scalar) else None
            phrase = self.compiler.read(test)
            if phrase is not None:
                found.append(Clause(f"{name}.{key.text}", condition, phrase, because))
        return found

    # Parts

    def _read_parts(self, name: str, node: Mapping) -> list[_Piece]:
        pick = node.get("pick")
        found = []
        for key, value in pick.entries if isinstance(pick, Mapping) else ():
            spec = value
            if isinstance(spec, Scalar):
                spec = Mapping(((Scalar("from", spec.span), spec),), spec.span)
            assert isinstance(spec, Mapping)
            piece = self._read_part(key, spec)
            if piece is not None:
                found.append(piece)
        return found

    def _read_part(self, key: Scalar, spec: Mapping) -> _Piece | None:
        where = self.compiler.read(spec.get("where"))
        kind = next(
            (
                form
                for form in [
                    "from",
                    "place",
                    "pile",
                    "player",
                    "number",
                    "suit",
                    "rank",
                    "choice",
                ]
                if spec.get(form) is not None
            ),
            "from",
        )
        value = spec.get(kind)
        if kind == "choice":
            names = value.items if isinstance(value, Sequence) else ()
            choices = tuple(n.text for n in names if isinstance(n, Scalar))
            part = Part(key.text, "choice", choices)
            self.meaning.choices[f"choice of {key.text}"] = choices
            return _Piece(part, spec, None, where, [])
        group = self.compiler.read(value)
        if group is None:
            return None
        rows = self._read_rows(spec)
        form = {"from": "card"}.get(kind, kind)
        zone = self._place_zone(group) if kind == "place" else ""
        piece = _Piece(Part(key.text, form, zone=zone), spec, group, where, rows)
        if kind == "from" and any(
            spec.get(k) for k in ("size", "same", "shape", "sum")
        ):
            self._read_selection(piece, spec)
        return piece

    def _place_zone(self, group: Phrase) -> str:
        """Return the zone in which a part picks a place."""
        with self.compiler.trying():
            pile = self.compiler.compile(group, Scope(me="me"))
        return next(iter(pile.zones), "") if len(pile.zones) == 1 else ""

    def _read_selection(self, piece: _Piece, spec: Mapping) -> None:
        piece.part = replace(piece.part, form="cards")
        piece.search = search = self._read_search(spec)
        by = spec.get("by")
        if by is not None:
            self.compiler.report(
                "rows-for-selection",
                "rows say which single card may be picked, not which selection",
                by.span,
                "Use 'where' and guards, or a move for each row.",
            )
        if self.meaning.deck.size > 62:
            self.compiler.report(
                "deck-too-large",
                "selections of cards are for decks of at most 62 cards",
                spec.span,
                "Let players move one card at a time.",
            )
        is_narrow = search.same or search.shapes or search.sum_of is not None
        if not is_narrow and search.high > MAX_SELECTION:
            self.compiler.report(
                "selection-too-large",
                f"this part allows far too many selections of up to {search.high} "
                "cards",
                spec.span,
                f"Give it a size of at most {MAX_SELECTION}, or 'same: rank'.",
            )
            piece.search = replace(search, high=MAX_SELECTION)

    def _read_search(self, spec: Mapping) -> Search:
        """Return the size, shapes and sum that a selection must have."""
        low, high = 1, self.meaning.deck.size
        size, same, total = spec.get("size"), spec.get("same"), spec.get("sum")
        if isinstance(size, Scalar):
            first, _, last = size.text.partition("..")
            low, high = (
                self._constant(size, text.strip()) for text in (first, last or first)
            )
        shape = spec.get("shape")
        items = shape.items if isinstance(shape, Sequence) else ()
        shapes = [
            read_shape(item.text, self.meaning.deck.size)
            for item in items
            if isinstance(item, Scalar)
        ]
        sums = total if isinstance(total, Mapping) else Mapping((), spec.span)
        return Search(
            low,
            high,
            same.text if isinstance(same, Scalar) else "",
            tuple(shape for shape in shapes if shape is not None),
            self.compiler.read(sums.get("of")),
            self.compiler.read(sums.get("is")),
        )

    def _constant(self, scalar: Scalar, text: str) -> int:
        phrase = self.compiler.read(Scalar(text, scalar.span))
        if phrase is None:
            return 1
        value = self.compiler.compile(phrase, _NONE, "number")
        if value.constant is None and value.kind != "unknown":
            self.compiler.report(
                "not-an-option",
                f"'{text}' is not fixed before the game",
                scalar.span,
                "Use a number or a number option.",
            )
        return value.constant or 0

    def _read_rows(self, spec: Mapping) -> list[Clause]:
        by = spec.get("by")
        if not isinstance(by, Scalar):
            return []
        table = self.meaning.rows.get(by.text)
        if not isinstance(table, Mapping):
            self.compiler.report(
                "unknown-rows",
                f"unknown rows '{by.text}'",
                by.span,
                suggest(by.text, list(self.meaning.rows), "rows"),
            )
            return []
        self.meaning.used.add(by.text)
        found = []
        for key, row in table.entries:
            assert isinstance(row, Mapping)
            cards = self.compiler.read(row.get("cards"))
            because = row.get("because")
            if cards is not None:
                found.append(
                    Clause(
                        f"{by.text}.{key.text}",
                        self.compiler.read(row.get("if")),
                        cards,
                        because if isinstance(because, Scalar) else None,
                    )
                )
        return found

    def _bound(self, pieces: list[_Piece], node: Mapping) -> int:
        """Return how many rows the move can have at most, as far as is known."""
        deck, layout = self.meaning.deck, self.meaning.layout
        sizes = {
            "player": layout.seats,
            "suit": len(deck.suits),
            "rank": len(deck.ranks),
            "pile": len(layout.piles),
        }
        total = 1
        for piece in pieces:
            form = piece.part.form
            if piece.search is not None:
                total *= piece.search.bound(
                    len(deck.ranks), len(deck.suits), deck.size, deck.copies
                )
            elif form == "choice":
                total *= max(1, len(piece.part.choices))
            elif form == "number":
                total *= self._count_numbers(piece)
            else:
                total *= sizes.get(form, deck.size)
        if total > MAX_FORMS:
            self.compiler.report(
                "too-many-moves",
                f"this move can have more than {MAX_FORMS} legal forms",
                node.span,
                "Pick fewer or smaller parts.",
            )
        return total

    def _count_numbers(self, piece: _Piece) -> int:
        """Return how many numbers a part has, where its ends are fixed."""
        phrase = piece.group
        if phrase is None or phrase.rule != "interval":
            return USUAL_NUMBERS
        with self.compiler.trying():
            first, last = (
                self.compiler.compile(end, _NONE, "number").constant
                for end in (phrase.part(0), phrase.part(1))
            )
        if first is None or last is None:
            return USUAL_NUMBERS
        return max(1, last - first + 1)

    # Binding a part's number to a value

    def _value(self, piece: _Piece, code: str, group: Value | None) -> Value:
        compiler = self.compiler
        form = piece.part.form
        zones = group.zones if group else frozenset()
        if form == "cards":
            return self._selection(code, zones)
        if form == "pile":
            return compiler.pile(code, zones)
        if form == "choice":
            return Value(f"choice of {piece.part.name}", code)
        if form in ("card", "place"):
            return Value("card", code, zones=zones)
        return Value(form, code)

    def _selection(self, mask: str, zones: frozenset[str]) -> Value:
        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            rest, card = emitter.name("m"), emitter.name("c")
            emitter.line(f"{rest} = {mask}")
            with emitter.block(f"while {rest}:"):
                emitter.line(f"{card} = LOG[({rest} & -{rest}) % 67]")
                emitter.line(f"{rest} &= {rest} - 1")
                body(card)
                if stop:
                    with emitter.block(f"if {stop}:"):
                        emitter.line("break")

        return Value(
            "cards",
            f"mask {mask}",
            zones=zones,
            loop=loop,
            holds=lambda emitter, item: f"({mask} >> {item} & 1 != 0)",
            sure=True,
        )

    def _enter(
        self, piece: _Piece, code: str, scope: Scope, group: Value | None
    ) -> Scope:
        """Return the scope in which a part is picked, knowing its ``where``."""
        value = self._value(piece, code, group)
        inner = scope.naming(piece.part.name, value)
        if piece.where is not None and piece.part.form != "cards":
            facts = self.compiler.facts(piece.where, True, inner.visiting(value, None))
            inner = inner.knowing(facts)
        return inner

    def _enter_row(self, piece: _Piece, index: int, scope: Scope) -> Scope:
        """Write the reading of a part from a move's row; return the scope with it."""
        emitter = self.compiler.emitter
        code = emitter.name("x")
        emitter.line(f"{code} = B[o + {index + 1}]")
        with self.compiler.trying():
            group = self._source(piece, scope)
        if piece.part.form == "place":
            group = self._source(piece, scope)
            place, code = code, emitter.name("c")
            emitter.line(f"{code} = {self.compiler.card_at(group.code, place)}")
        return self._enter(piece, code, scope, group)

    # Listing

    def _emit_list(
        self,
        move: Move,
        node: Mapping,
        pieces: list[_Piece],
        guards: list[Clause],
    ) -> None:
        emitter = Emitter()
        codes: list[str] = []
        # Where the bound is a guess, more moves than that are a fault.
        is_exact = move.bound < MAX_LEGAL and not any(
            piece.part.form == "number"
            or (piece.search is not None and piece.search.sum_of is not None)
            for piece in pieces
        )
        if not is_exact:
            emitter.line(f"most = n + {move.bound}")

        def found(_: Scope) -> None:
            at = f"n * {self.width}"
            if not is_exact:
                with emitter.block("if n == most:"):
                    emitter.line("return fault(S, 3)")
            emitter.line(f"B[{at}] = {move.number}")
            for index, code in enumerate(codes):
                emitter.line(f"B[{at} + {index + 1}] = {code}")
            emitter.line("n += 1")

        with self.compiler.writing(emitter):
            self._enumerate(pieces, 0, guards, Scope(me="me"), codes, found)
        self._function(f"list_{move.name}(S, me, B, n)", node, emitter, "return n")

    def _emit_can(
        self,
        move: Move,
        node: Mapping,
        pieces: list[_Piece],
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
        source = self.result.source
        source += ["", "", f"# {self.where(node)}", f"def {head}:"]
        source += [f"    {line}" for line in emitter.lines]
        if last:
            source.append(f"    {last}")

    def _enumerate(
        self,
        pieces: list[_Piece],
        index: int,
        guards: list[Clause],
        scope: Scope,
        codes: list[str],
        found: Callable[[Scope], None],
    ) -> None:
        """Write the loops over parts from one on, each guard as early as it can."""
        names = [piece.part.name for piece in pieces]
        ready = [g for g in guards if _ready_at(g, names) == index]
        self._guarded(
            ready,
            scope,
            lambda inner: self._next(pieces, index, guards, inner, codes, found),
        )

    def _guarded(
        self,
        guards: list[Clause],
        scope: Scope,
        body: Callable[[Scope], None],
    ) -> None:
        if not guards:
            body(scope)
            return
        _, condition, test, _ = guards[0]
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
        with compiler.emitter.block(f"if {code}:"):
            self._guarded(guards[1:], inner, body)

    def _next(
        self,
        pieces: list[_Piece],
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

        def visit(code: str, group: Value | None, row_code: str = "") -> None:
            codes.append(row_code or code)
            inner = self._enter(piece, code, scope, group)
            self._enumerate(pieces, index + 1, guards, inner, codes, found)
            codes.pop()

        if piece.part.form == "cards":
            self._visit_selections(piece, scope, visit)
        elif piece.part.form == "place":
            self._visit_places(piece, scope, visit)
        elif piece.rows:
            self._visit_rows(piece, scope, visit)
        else:
            self._visit_items(piece, self._source(piece, scope), scope, visit)

    def _source(self, piece: _Piece, scope: Scope) -> Value:
        """Return the group that a part is picked from."""
        compiler, form = self.compiler, piece.part.form
        if form == "choice":
            last = str(len(piece.part.choices) - 1)
            return compiler.numbers("numbers", "0", last)
        assert piece.group is not None
        wanted = {"card": "cards", "cards": "cards", "place": "pile"}.get(
            form, form + "s"
        )
        value = compiler.group(piece.group, scope)
        return compiler.expect(value, wanted, piece.group)

    def _visit_items(
        self,
        piece: _Piece,
        group: Value,
        scope: Scope,
        visit: Callable[..., None],
    ) -> None:
        compiler = self.compiler
        if group.kind == "unknown":
            return
        seen = ""
        if piece.part.form == "card" and self.meaning.deck.copies > 1:
            seen = compiler.emitter.name("m")
            compiler.emitter.line(f"{seen} = 0")

        def body(item: str) -> None:
            def tested() -> None:
                if not seen:
                    visit(item, group)
                    return
                emitter = compiler.emitter
                with emitter.block(f"if {seen} >> FACE_OF[{item}] & 1 == 0:"):
                    emitter.line(f"{seen} |= 1 << FACE_OF[{item}]")
                    visit(item, group)

            self._tested(piece, item, group, scope, tested)

        compiler.loop(group, body)

    def _tested(
        self,
        piece: _Piece,
        item: str,
        group: Value,
        scope: Scope,
        body: Callable[[], None],
    ) -> None:
        """Write a body under the part's ``where``, if it has one."""
        if piece.where is None:
            body()
            return
        form = "card" if piece.part.form == "cards" else piece.part.form
        value = self._value(replace_form(piece, form), item, group)
        code = self.compiler.test(piece.where, scope.visiting(value, None))
        with self.compiler.emitter.block(f"if {code}:"):
            body()

    def _visit_rows(
        self, piece: _Piece, scope: Scope, visit: Callable[..., None]
    ) -> None:
        """Write the loop over the cards of the first row whose test holds."""

        def allowed(row: Clause, inner: Scope) -> None:
            cards = self._row_cards(row, inner)
            self._visit_items(piece, cards, inner, visit)

        self._first_row(piece.rows, scope, allowed)

    def _row_cards(self, row: Clause, scope: Scope) -> Value:
        """Return the cards that a row allows."""
        group = self.compiler.group(row.subject, scope)
        return self.compiler.expect(group, "cards", row.subject)

    def _first_row(
        self,
        rows: list[Clause],
        scope: Scope,
        allowed: Callable[[Clause, Scope], None],
    ) -> None:
        """Write the first row whose test holds, down to the last."""
        if not rows:
            return
        compiler, row = self.compiler, rows[0]
        if row.condition is None:
            allowed(row, scope)
            return
        test = compiler.compile(row.condition, scope, "yes/no")
        yes = scope.knowing(compiler.facts(row.condition, True, scope))
        no = scope.knowing(compiler.facts(row.condition, False, scope))
        if test.constant == 0:
            with compiler.emitter.apart():  # for its problems only
                self._row_cards(row, yes)
            self._first_row(rows[1:], no, allowed)
        elif test.constant is not None:
            allowed(row, yes)
        else:
            with compiler.emitter.block(f"if {test.code}:"):
                allowed(row, yes)
            with compiler.emitter.block("else:"):
                self._first_row(rows[1:], no, allowed)

    def _visit_places(
        self, piece: _Piece, scope: Scope, visit: Callable[..., None]
    ) -> None:
        compiler = self.compiler
        pile = self._source(piece, scope)
        if pile.kind == "unknown":
            return
        emitter = compiler.emitter
        place, card = emitter.name("k"), emitter.name("c")
        with emitter.block(f"for {place} in range({compiler.size(pile.code)}):"):
            emitter.line(f"{card} = {compiler.card_at(pile.code, place)}")
            visit(card, pile, place)

    def _visit_selections(
        self, piece: _Piece, scope: Scope, visit: Callable[..., None]
    ) -> None:
        compiler = self.compiler
        emitter = compiler.emitter
        group = self._source(piece, scope)
        if group.kind == "unknown":
            return
        mask = emitter.name("m")
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
                lambda chosen: visit(chosen, group),
                group,
            )

    # Refusing

    def _emit_why(
        self,
        move: Move,
        node: Mapping,
        pieces: list[_Piece],
        guards: list[Clause],
    ) -> None:
        """Emit the first rule that a move breaks: its number from 1, or 0."""
        emitter = Emitter()
        scope = Scope(me="me", lenient=True)
        names = [piece.part.name for piece in pieces]
        with self.compiler.writing(emitter):
            for index, piece in enumerate(pieces):
                self._refuse_guards(guards, names, index, scope)
                scope = self._refuse_part(move, piece, index, scope)
            self._refuse_guards(guards, names, len(pieces), scope)
        head = f"why_{move.name}(S, me, B, o, F)"
        self._function(head, node, emitter, "return 0")

    def _refuse_guards(
        self,
        guards: list[Clause],
        names: list[str],
        index: int,
        scope: Scope,
    ) -> None:
        compiler = self.compiler
        for guard in guards:
            if _ready_at(guard, names) != index:
                continue
            rule, condition, test, because = guard
            if condition is not None:
                applies = compiler.compile(condition, scope, "yes/no")
                if applies.constant == 0:
                    continue
                with compiler.emitter.block(f"if {applies.code}:"):
                    self._refuse_unless(rule, test, because, scope)
            else:
                self._refuse_unless(rule, test, because, scope)

    def _refuse_unless(
        self, rule: str, test: Phrase, because: Scalar | None, scope: Scope
    ) -> None:
        code = self.compiler.test(test, scope)
        with self.compiler.emitter.block(f"if not {code}:"):
            self._refuse(rule, because, f"not so: {test.span.text}", scope)

    def _refuse(
        self, rule: str, because: Scalar | None, otherwise: str, scope: Scope
    ) -> None:
        """Write the return of a reason, its values filled in."""
        emitter = self.compiler.emitter
        pieces = [("text", otherwise)]
        if because is not None:
            pieces = self._fill(because, scope, [])
        self.result.reasons.append(Reason(rule, tuple(pieces)))
        emitter.line(f"return {len(self.result.reasons)}")

    def _fill(
        self, words: Scalar, scope: Scope, parts: list[str]
    ) -> list[tuple[str, str]]:
        """Return the pieces of a text; write what fills in its {expressions}.

        An expression that is no more than the name of a part is left as its number.
        """
        pieces: list[tuple[str, str]] = []
        filled = place = 0
        for match in re.finditer(r"\{([^{}]*)\}", words.text):
            pieces.append(("text", words.text[place : match.start()]))
            place = match.end()
            if match[1] in parts:
                pieces.append(("part", str(parts.index(match[1]))))
                continue
            inside = Scalar(match[1], words.at(match.start(1), match.end(1)))
            phrase = self.compiler.read(inside)
            if phrase is None:
                continue
            value = self.compiler.compile(phrase, scope)
            if value.is_group and value.kind != "pile":
                self.compiler.report(
                    "wrong-kind",
                    f"'{match[1]}' is a group, which a text cannot name",
                    inside.span,
                    "Name one card, rank, suit, player or number.",
                )
                continue
            if filled == MOST_FILLED:
                self.compiler.report(
                    "too-many-values",
                    f"this text names more than {MOST_FILLED} values",
                    inside.span,
                    "Leave some out: people read it in a moment.",
                )
                break
            self.compiler.emitter.line(f"F[{filled}] = {value.code}")
            filled += 1
            pieces.append((value.kind, ""))
        return [*pieces, ("text", words.text[place:])]

    # Naming

    def _emit_label(
        self, name: str, node: Mapping, pieces: list[_Piece]
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
            found = self._fill(label, scope, names)
        if len(emitter.lines) > before:
            self._function(f"label_{name}(S, me, B, o, F)", node, emitter)
        return tuple(found)

    def _refuse_part(
        self, move: Move, piece: _Piece, index: int, scope: Scope
    ) -> Scope:
        """Write the tests of one part; return the scope that has it."""
        compiler = self.compiler
        emitter = compiler.emitter
        code = emitter.name("x")
        emitter.line(f"{code} = B[o + {index + 1}]")
        rule = f"{move.name}.{piece.part.name}"
        strict = replace(scope, lenient=False)
        if piece.part.form == "place":
            group = self._source(piece, strict)
            with emitter.block(f"if {code} >= {compiler.size(group.code)}:"):
                self._refuse(rule, None, "there is no card at that place", scope)
            card = emitter.name("c")
            emitter.line(f"{card} = {compiler.card_at(group.code, code)}")
            return self._enter(piece, card, scope, group)
        group = self._source(piece, strict)
        if group.kind == "unknown":
            return self._enter(piece, code, scope, group)
        if piece.part.form == "cards":
            self._refuse_selection(rule, piece, code, group, scope)
        elif piece.part.form != "choice":
            assert group.holds
            inside = group.holds(emitter, code)
            with emitter.block(f"if not {inside}:"):
                self._refuse(rule, None, self._missing(piece), scope)
            self._refuse_rows(piece.rows, code, scope)
        self._refuse_where(rule, piece, code, group, scope)
        return self._enter(piece, code, scope, group)

    def _missing(self, piece: _Piece) -> str:
        group = piece.group.span.text if piece.group else ""
        if piece.part.form == "card":
            return f"that card is not there to be played ({group})"
        return f"that {piece.part.form} is not among {group}"

    def _refuse_where(
        self, rule: str, piece: _Piece, code: str, group: Value, scope: Scope
    ) -> None:
        if piece.where is None:
            return
        because = piece.spec.get("because")
        text = because if isinstance(because, Scalar) else None
        if piece.part.form == "cards":

            def visit(card: str) -> None:
                value = Value("card", card, zones=group.zones)
                assert piece.where is not None
                inner = scope.visiting(value, None)
                self._refuse_unless(f"{rule}.where", piece.where, text, inner)

            self.compiler.loop(self._selection(code, group.zones), visit)
            return
        value = self._value(piece, code, group)
        inner = scope.visiting(value, None)
        self._refuse_unless(f"{rule}.where", piece.where, text, inner)

    def _refuse_rows(self, rows: list[Clause], code: str, scope: Scope) -> None:
        """Write the refusal of a card that the row in force does not allow."""

        def allowed(row: Clause, inner: Scope) -> None:
            cards = self._row_cards(row, inner)
            if cards.holds:
                inside = cards.holds(self.compiler.emitter, code)
                with self.compiler.emitter.block(f"if not {inside}:"):
                    text = f"only {row.subject.span.text} may be played"
                    self._refuse(row.rule, row.because, text, inner)

        self._first_row(rows, scope, allowed)

    def _refuse_selection(
        self, rule: str, piece: _Piece, code: str, group: Value, scope: Scope
    ) -> None:
        compiler = self.compiler
        emitter = compiler.emitter
        selection = self._selection(code, group.zones)

        def visit(card: str) -> None:
            assert group.holds
            inside = group.holds(emitter, card)
            with emitter.block(f"if not {inside}:"):
                text = f"one of these cards is not there ({group_text(piece)})"
                self._refuse(rule, None, text, scope)

        compiler.loop(selection, visit)
        assert piece.search is not None
        faults = list_faults(compiler, piece.search, code, selection, scope)
        for name, test, text in faults:
            with emitter.block(f"if {test}:"):
                self._refuse(f"{rule}.{name}", None, text, scope)

    # Doing

    def _emit_do(
        self,
        move: Move,
        node: Mapping,
        pieces: list[_Piece],
        run_do: Callable[..., None],
    ) -> None:
        emitter = Emitter()
        scope = Scope(me="me")
        with self.compiler.writing(emitter):
            for index, piece in enumerate(pieces):
                scope = self._enter_row(piece, index, scope)
            for guard in self._read_guards(move.name, node):
                if guard[1] is None:
                    scope = scope.knowing(self.compiler.facts(guard[2], True, scope))
            around = Surroundings(
                self.compiler, marks_player=True, ends=self.result.ends
            )
            run_do(node.get("do"), scope, around)
        self._function(f"do_{move.name}(S, me, B, o)", node, emitter, "return 0")


def group_text(piece: _Piece) -> str:
    """Return how a ruleset writes the group of a part."""
    return piece.group.span.text if piece.group else piece.part.name


def replace_form(piece: _Piece, form: str) -> _Piece:
    """Return a part as if it were of another form."""
    return replace(piece, part=replace(piece.part, form=form))


def _ready_at(guard: Clause, names: list[str]) -> int:
    """Return after how many parts a guard can be tested."""
    used: set[str] = set()

    def visit(phrase: Phrase) -> None:
        if phrase.rule == "name":
            used.add(phrase.words[0])

    for phrase in (guard[1], guard[2]):
        if phrase is not None:
            walk(phrase, visit)
    places = [index + 1 for index, name in enumerate(names) if name in used]
    return max(places, default=0)
