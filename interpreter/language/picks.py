"""Say what a part of a move is picked from, and what is known of what is picked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ..text.parser import Phrase
from .expressions import Compiler
from .parts import Clause, Fork, Piece, Rows
from .scope import Scope
from .values import Value, from_mask


def bind(compiler: Compiler, piece: Piece, code: str, group: Value | None) -> Value:
    """Return what a part's number stands for."""
    form = piece.part.form
    zones = group.zones if group else frozenset()
    if form == "cards":
        return from_mask(code, zones, group.alike if group else None)
    if form == "pile":
        return compiler.pile(code, zones)
    if form == "choice":
        return Value(f"choice of {piece.part.name}", code)
    if form in ("card", "place"):
        return Value("card", code, zones=zones)
    return Value(form, code)


def enter(
    compiler: Compiler, piece: Piece, code: str, scope: Scope, group: Value | None
) -> Scope:
    """Return the scope in which a part is picked, knowing its ``where``."""
    value = bind(compiler, piece, code, group)
    inner = scope.naming(piece.part.name, value)
    if piece.where is not None and piece.part.form != "cards":
        facts = compiler.facts(piece.where, True, inner.visiting(value, None))
        inner = inner.knowing(facts)
    return inner


def enter_without(compiler: Compiler, piece: Piece, scope: Scope) -> Scope:
    """Return the scope in which a part is left out: it is none."""
    value = replace(bind(compiler, piece, "-1", None), maybe=True)
    return scope.naming(piece.part.name, value)


def enter_either(
    compiler: Compiler, piece: Piece, code: str, scope: Scope, group: Value | None
) -> Scope:
    """Return the scope in which a part may have been left out."""
    if piece.condition is None:
        return enter(compiler, piece, code, scope, group)
    value = replace(bind(compiler, piece, code, group), maybe=True)
    return scope.naming(piece.part.name, value)


def either(
    compiler: Compiler,
    condition: Phrase | None,
    scope: Scope,
    one: Callable[[Scope], None],
    other: Callable[[Scope], None],
) -> None:
    """Write what is done where a condition holds, and what where it does not."""
    if condition is None:
        one(scope)
        return
    test = compiler.compile(condition, scope, "yes/no")
    yes = scope.knowing(compiler.facts(condition, True, scope))
    no = scope.knowing(compiler.facts(condition, False, scope))
    if test.constant is not None:
        with compiler.emitter.apart():  # for its problems only
            (other(no) if test.constant else one(yes))
        (one(yes) if test.constant else other(no))
        return
    with compiler.emitter.block(f"if {test.code}:"):
        one(yes)
    with compiler.emitter.block("else:"):
        other(no)


def find_source(compiler: Compiler, piece: Piece, scope: Scope) -> Value:
    """Return the group that a part is picked from."""
    form = piece.part.form
    if form == "choice":
        last = str(len(piece.part.choices) - 1)
        return compiler.numbers("numbers", "0", last)
    assert piece.group is not None
    wanted = {"card": "cards", "cards": "cards", "place": "pile"}.get(form, form + "s")
    value = compiler.group(piece.group, scope)
    return compiler.expect(value, wanted, piece.group)


def row_cards(compiler: Compiler, row: Clause, scope: Scope) -> Value:
    """Return the cards that a row allows."""
    group = compiler.group(row.subject, scope)
    return compiler.expect(group, "cards", row.subject)


def follow_rows(
    compiler: Compiler,
    rows: Rows,
    scope: Scope,
    allowed: Callable[[Clause, Scope], None],
) -> None:
    """Write the first row whose test holds, down to the last."""
    if not rows:
        return
    row, later = rows[0], rows[1:]
    if row.condition is None:
        _follow_row(compiler, row, scope, allowed)
        return
    test = compiler.compile(row.condition, scope, "yes/no")
    yes = scope.knowing(compiler.facts(row.condition, True, scope))
    no = scope.knowing(compiler.facts(row.condition, False, scope))
    if test.constant == 0:
        with compiler.emitter.apart():  # for its problems only
            _follow_row(compiler, row, yes, partial(_check_row, compiler))
        follow_rows(compiler, later, no, allowed)
    elif test.constant is not None:
        _follow_row(compiler, row, yes, allowed)
    else:
        with compiler.emitter.block(f"if {test.code}:"):
            _follow_row(compiler, row, yes, allowed)
        with compiler.emitter.block("else:"):
            follow_rows(compiler, later, no, allowed)


def _check_row(compiler: Compiler, row: Clause, scope: Scope) -> None:
    row_cards(compiler, row, scope)


def _follow_row(
    compiler: Compiler,
    row: Clause | Fork,
    scope: Scope,
    allowed: Callable[[Clause, Scope], None],
) -> None:
    """Write what a row allows, or the rows that it leaves it to."""
    if isinstance(row, Fork):
        follow_rows(compiler, row.rows, scope, allowed)
    else:
        allowed(row, scope)


def as_form(piece: Piece, form: str) -> Piece:
    """Return a part as if it were of another form."""
    return replace(piece, part=replace(piece.part, form=form))
