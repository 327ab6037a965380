"""Emit why a move is refused: the first rule that it breaks."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from ..text.parser import Phrase
from ..text.source import Span
from ..text.tree import Scalar
from .emitter import Emitter
from .expressions import Compiler
from .parts import Clause, Piece, Rows, ready_at
from .picks import (
    bind,
    either,
    enter,
    enter_either,
    find_source,
    follow_rows,
    row_cards,
)
from .scope import Scope
from .selections import list_faults
from .settling import Settler
from .values import Value, from_mask
from .wording import Teller, teach

# How many values a text may name.
MOST_FILLED: Final = 16


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is refused: the rule's name and the pieces of its text.

    A piece is a text, or the kind of a value that the emitted code fills in, and
    how the ruleset writes it.
    """

    rule: str
    pieces: tuple[tuple[str, str], ...]
    span: Span


class Refuser:
    """Emits the functions that say why moves are refused; it numbers the reasons."""

    def __init__(self, compiler: Compiler) -> None:
        """Compile with a compiler of expressions."""
        self.compiler = compiler
        self.reasons: list[Reason] = []
        self._named: dict[str, str] = {}

    def emit(self, name: str, pieces: list[Piece], guards: list[Clause]) -> Emitter:
        """Write the return of the first rule that a move breaks: its number from 1."""
        emitter = Emitter()
        scope = Scope(me="me", lenient=True)
        names = [piece.part.name for piece in pieces]
        self._named = {piece.part.name: _that(piece) for piece in pieces}
        with self.compiler.writing(emitter):
            for index, piece in enumerate(pieces):
                self._refuse_guards(guards, names, index, scope)
                scope = self._refuse_part(name, piece, index, scope)
            self._refuse_guards(guards, names, len(pieces), scope)
        return emitter

    def _refuse_guards(
        self,
        guards: list[Clause],
        names: list[str],
        index: int,
        scope: Scope,
    ) -> None:
        compiler = self.compiler
        for guard in guards:
            if ready_at(guard, names) != index:
                continue
            if guard.condition is not None:
                applies = compiler.compile(guard.condition, scope, "yes/no")
                if applies.constant == 0:
                    continue
                with compiler.emitter.block(f"if {applies.code}:"):
                    self._refuse_unless(guard, "guard", scope)
            else:
                self._refuse_unless(guard, "guard", scope)

    @cached_property
    def _teller(self) -> Teller:
        """What says tests in English, where no reason is given."""
        meaning = self.compiler.meaning
        bodies = {
            name: definition.body
            for name, definition in meaning.definitions.items()
            if definition.body is not None
        }
        parameters = {
            name: ", ".join(definition.params)
            for name, definition in meaning.definitions.items()
        }
        has_jokers = any(rank < 0 for rank, _, _ in meaning.deck.cards)
        settler = Settler(meaning.option_values, bodies, parameters, has_jokers)
        return teach(meaning.layout, settler)

    def _tell(self, phrase: Phrase) -> str:
        """Return a group in English."""
        told = replace(self._teller, named=self._named).tell(phrase)
        is_whole = told.startswith("your ") and not told.endswith("s")
        is_whole = is_whole and " if " not in told
        return f"the cards of {told}" if is_whole else told

    def _tell_group(self, piece: Piece) -> str:
        """Return in English what a part is picked from."""
        return self._tell(piece.group) if piece.group else piece.part.name

    def _deny(self, test: Phrase, item: str) -> str:
        """Return in English that a test fails, of an item if it is a filter."""
        teller = replace(self._teller, item=item, named=self._named)
        return teller.deny(test)

    def _refuse_unless(
        self, guard: Clause, kind: str, scope: Scope, item: str = ""
    ) -> None:
        """Write the refusal of what fails a guard, or the filter of a part."""
        rule, _, test, because, span = guard
        code = self.compiler.test(test, scope)
        with self.compiler.emitter.block(f"if not {code}:"):
            self.compiler.mark(kind, rule, span, rule.partition(".")[0])
            text = "" if because is not None else self._deny(test, item)
            self._refuse(rule, because, text, scope, span)

    def _refuse(
        self,
        rule: str,
        because: Scalar | None,
        otherwise: str,
        scope: Scope,
        span: Span,
    ) -> None:
        """Write the return of a reason, its values filled in."""
        emitter = self.compiler.emitter
        pieces = [("text", otherwise)]
        if because is not None:
            pieces = fill_text(self.compiler, because, scope, [])
        self.reasons.append(Reason(rule, tuple(pieces), span))
        emitter.line(f"return {len(self.reasons)}")

    def _refuse_part(self, name: str, piece: Piece, index: int, scope: Scope) -> Scope:
        """Write the tests of one part; return the scope that has it."""
        compiler = self.compiler
        emitter = compiler.emitter
        code = emitter.name("x")
        emitter.line(f"{code} = B[o + {index + 1}]")
        rule = f"{name}.{piece.part.name}"
        strict = replace(scope, lenient=False)
        if piece.part.form == "place":
            group = find_source(self.compiler, piece, strict)
            with emitter.block(f"if {code} >= {compiler.size(group.code)}:"):
                text = "there is no card at that place"
                self._refuse(rule, None, text, scope, piece.spec.span)
            card = emitter.name("c")
            at = compiler.card_at(group.code, code, group.zones)
            emitter.line(f"{card} = {at}")
            return enter(self.compiler, piece, card, scope, group)
        group = find_source(self.compiler, piece, strict)
        if group.kind == "unknown":
            return enter_either(self.compiler, piece, code, scope, group)
        either(
            compiler,
            piece.condition,
            scope,
            lambda inner: self._refuse_item(rule, piece, code, group, inner),
            lambda inner: self._refuse_extra(rule, piece, code, inner),
        )
        return enter_either(self.compiler, piece, code, scope, group)

    def _refuse_extra(self, rule: str, piece: Piece, code: str, scope: Scope) -> None:
        """Write the refusal of a part where it is not asked for."""
        with self.compiler.emitter.block(f"if {code} >= 0:"):
            text = f"no {piece.part.form} is chosen here"
            self._refuse(rule, None, text, scope, piece.spec.span)

    def _refuse_item(
        self, rule: str, piece: Piece, code: str, group: Value, scope: Scope
    ) -> None:
        """Write the tests of a part that is asked for."""
        emitter = self.compiler.emitter
        if piece.part.may_lack:
            with emitter.block(f"if {code} < 0:"):
                wanted = " or ".join(piece.part.choices) or f"a {piece.part.form}"
                text = f"choose {wanted} too"
                self._refuse(rule, None, text, scope, piece.spec.span)
        if piece.part.form == "cards":
            self._refuse_selection(rule, piece, code, group, scope)
        elif piece.part.form != "choice":
            assert group.holds
            inside = group.holds(emitter, code)
            with emitter.block(f"if not {inside}:"):
                self._refuse_missing(rule, piece, code, group, scope)
            self._refuse_rows(piece.rows, code, scope)
        self._refuse_where(rule, piece, code, group, scope)

    def _ends(self, piece: Piece, scope: Scope) -> str:
        """Return the numbers of a range, if they are fixed before the game."""
        if piece.group is None or piece.group.rule != "interval":
            return ""
        parts = (piece.group.part(0), piece.group.part(1))
        with self.compiler.trying():
            ends = [self.compiler.compile(part, scope).constant for part in parts]
        return "" if None in ends else f"{ends[0]} to {ends[1]}"

    def _refuse_missing(
        self, rule: str, piece: Piece, code: str, group: Value, scope: Scope
    ) -> None:
        """Write the refusal of what is not in the group of a part."""
        words = self._ends(piece, scope) or self._tell_group(piece)
        if piece.part.form != "card":
            text = f"that {piece.part.form} is not among {words}"
            self._refuse(rule, None, text, scope, piece.spec.span)
        else:
            self._refuse_card(rule, piece, code, group)

    def _refuse_card(self, rule: str, piece: Piece, code: str, group: Value) -> None:
        """Write the refusal of a card that is not where it has to be."""
        known = self.compiler.meaning.layout.zones
        zones = [known[name] for name in group.zones]
        is_held = zones and all(
            zone.per == "player" and zone.seen_by == "owner" for zone in zones
        )
        named = (("text", "you do not hold "), ("card", ""))
        if not is_held:
            words = f" is not among {self._tell_group(piece)}"
            named = (("card", ""), ("text", words))
        self.compiler.emitter.line(f"F[0] = {code}")
        self.reasons.append(Reason(rule, named, piece.spec.span))
        self.compiler.emitter.line(f"return {len(self.reasons)}")

    def _refuse_where(
        self, rule: str, piece: Piece, code: str, group: Value, scope: Scope
    ) -> None:
        if piece.where is None:
            return
        because = piece.spec.get("because")
        text = because if isinstance(because, Scalar) else None
        where = piece.where
        clause = Clause(f"{rule}.where", None, where, text, where.span)
        if piece.part.form == "cards":

            def visit(card: str) -> None:
                value = Value("card", card, zones=group.zones)
                inner = scope.visiting(value, None)
                self._refuse_unless(clause, "filter", inner, "one of those cards")

            self.compiler.loop(from_mask(code, group.zones), visit)
            return
        value = bind(self.compiler, piece, code, group)
        inner = scope.visiting(value, None)
        self._refuse_unless(clause, "filter", inner, _that(piece))

    def _refuse_rows(self, rows: Rows, code: str, scope: Scope) -> None:
        """Write the refusal of a card that the row in force does not allow."""

        def allowed(row: Clause, inner: Scope) -> None:
            cards = row_cards(self.compiler, row, inner)
            if cards.holds:
                inside = cards.holds(self.compiler.emitter, code)
                with self.compiler.emitter.block(f"if not {inside}:"):
                    text = f"you may play only {self._tell(row.subject)}"
                    self._refuse(row.rule, row.because, text, inner, row.span)

        follow_rows(self.compiler, rows, scope, allowed)

    def _refuse_selection(
        self, rule: str, piece: Piece, code: str, group: Value, scope: Scope
    ) -> None:
        compiler = self.compiler
        emitter = compiler.emitter
        selection = from_mask(code, group.zones)

        def visit(card: str) -> None:
            assert group.holds
            inside = group.holds(emitter, card)
            with emitter.block(f"if not {inside}:"):
                self._refuse_card(rule, piece, card, group)

        compiler.loop(selection, visit)
        assert piece.search is not None
        faults = list_faults(compiler, piece.search, code, selection, scope)
        for name, test, text in faults:
            with emitter.block(f"if {test}:"):
                self._refuse(f"{rule}.{name}", None, text, scope, piece.spec.span)


def fill_text(
    compiler: Compiler, words: Scalar, scope: Scope, parts: list[str]
) -> list[tuple[str, str]]:
    """Return the pieces of a text; write what fills in its {expressions}.

    An expression that is no more than the name of a part is left as its name.
    """
    pieces: list[tuple[str, str]] = []
    filled = place = 0
    for match in re.finditer(r"\{([^{}]*)\}", words.text):
        pieces.append(("text", words.text[place : match.start()]))
        place = match.end()
        if match[1] in parts:
            pieces.append(("part", match[1]))
            continue
        inside = Scalar(match[1], words.at(match.start(1), match.end(1)))
        phrase = compiler.read(inside)
        if phrase is None:
            continue
        value = compiler.compile(phrase, scope)
        if value.is_group and value.kind != "pile":
            compiler.report(
                "wrong-kind",
                f"'{match[1]}' is a group, which a text cannot name",
                inside.span,
                "Name one card, rank, suit, player or number.",
            )
            continue
        if filled == MOST_FILLED:
            compiler.report(
                "too-many-values",
                f"this text names more than {MOST_FILLED} values",
                inside.span,
                "Leave some out: people read it in a moment.",
            )
            break
        compiler.emitter.line(f"F[{filled}] = {value.code}")
        filled += 1
        pieces.append((value.kind, match[1]))
    return [*pieces, ("text", words.text[place:])]


def _that(piece: Piece) -> str:
    """Return what is said of a part that is picked: that card."""
    form = piece.part.form
    return "those cards" if form == "cards" else f"that {form}"
