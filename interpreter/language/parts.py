"""Read the parts that a move is made of, and the guards it is under."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from ..text.errors import suggest
from ..text.parser import Phrase, walk
from ..text.source import Span
from ..text.tree import Mapping, Node, Scalar, Sequence
from .expressions import Compiler
from .scope import Scope
from .selections import MAX_SELECTION, Search, Sum, read_shape

MAX_FORMS: Final = 50_000_000
MAX_LEGAL: Final = 25_000
USUAL_NUMBERS: Final = 100
_NONE = Scope()
Rows: TypeAlias = "list[Clause | Fork]"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a move: what is picked, and how its number reads as text.

    Form is card, place, cards, pile, player, number, suit, rank or choice. A part
    that may be left out is then -1.
    """

    name: str
    form: str
    choices: tuple[str, ...] = ()
    zone: str = ""
    may_lack: bool = False


class Clause(NamedTuple):
    """A named guard, or a named row: when it applies, and what it asks or allows."""

    rule: str
    condition: Phrase | None
    subject: Phrase
    because: Scalar | None
    span: Span


class Fork(NamedTuple):
    """A row that leaves it to other rows: when it applies, and which they are."""

    condition: Phrase | None
    rows: Rows


@dataclass
class Piece:
    """A part while it is compiled: what it is picked from, how, and if at all."""

    part: Part
    spec: Mapping
    group: Phrase | None
    where: Phrase | None
    rows: Rows
    search: Search | None = None
    condition: Phrase | None = None


def read_parts(compiler: Compiler, name: str, node: Mapping) -> list[Piece]:
    """Return the parts of a move, in order."""
    pick = node.get("pick")
    found = []
    for key, value in pick.entries if isinstance(pick, Mapping) else ():
        spec = value
        if isinstance(spec, Scalar):
            spec = Mapping(((Scalar("from", spec.span), spec),), spec.span)
        assert isinstance(spec, Mapping)
        piece = _read_part(compiler, key, spec)
        if piece is not None:
            piece.condition = compiler.read(spec.get("if"))
            may_lack = piece.condition is not None
            piece.part = replace(piece.part, may_lack=may_lack)
            found.append(piece)
    return found


def _read_part(compiler: Compiler, key: Scalar, spec: Mapping) -> Piece | None:
    where = compiler.read(spec.get("where"))
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
        compiler.meaning.choices[f"choice of {key.text}"] = choices
        return Piece(part, spec, None, where, [])
    group = compiler.read(value)
    if group is None:
        return None
    rows = _read_rows(compiler, spec)
    form = {"from": "card"}.get(kind, kind)
    zone = _place_zone(compiler, group) if kind == "place" else ""
    piece = Piece(Part(key.text, form, zone=zone), spec, group, where, rows)
    if kind == "from" and any(spec.get(k) for k in ("size", "same", "shape", "sum")):
        _read_selection(compiler, piece, spec)
    return piece


def _place_zone(compiler: Compiler, group: Phrase) -> str:
    """Return the zone in which a part picks a place."""
    with compiler.trying():
        pile = compiler.compile(group, Scope(me="me"))
    return next(iter(pile.zones), "") if len(pile.zones) == 1 else ""


def _read_selection(compiler: Compiler, piece: Piece, spec: Mapping) -> None:
    piece.part = replace(piece.part, form="cards")
    piece.search = search = _read_search(compiler, spec)
    by = spec.get("by")
    if by is not None:
        compiler.report(
            "rows-for-selection",
            "rows say which single card may be picked, not which selection",
            by.span,
            "Use 'where' and guards, or a move for each row.",
        )
    if search.same or search.shapes or search.sum is not None:
        return
    if any(spec.get(key) for key in ("same", "shape", "sum")):
        # What should narrow it cannot be read, which is a problem already.
        piece.search = replace(search, low=1, high=1)
    elif search.high > MAX_SELECTION:
        compiler.report(
            "selection-too-large",
            f"this part allows far too many selections of up to {search.high} cards",
            spec.span,
            f"Give it a size of at most {MAX_SELECTION}, or 'same: rank'.",
        )
        piece.search = replace(search, high=MAX_SELECTION)


def _read_search(compiler: Compiler, spec: Mapping) -> Search:
    """Return the size, shapes and sum that a selection must have."""
    low, high = 1, compiler.meaning.deck.size
    size, same, total = spec.get("size"), spec.get("same"), spec.get("sum")
    if isinstance(size, Scalar):
        first, _, last = size.text.partition("..")
        low, high = (
            _constant(compiler, size, text.strip()) for text in (first, last or first)
        )
        if not 1 <= low <= high:
            compiler.report(
                "wrong-size",
                f"'{size.text}' is no size of a selection",
                size.span,
                "Write 3, or 1..4: at least one card, and the lower end first.",
            )
            low = high = 1
    shape = spec.get("shape")
    items = shape.items if isinstance(shape, Sequence) else ()
    shapes = [
        read_shape(item.text, compiler.meaning.deck.size)
        for item in items
        if isinstance(item, Scalar)
    ]
    return Search(
        low,
        high,
        same.text if isinstance(same, Scalar) else "",
        tuple(shape for shape in shapes if shape is not None),
        _read_sum(compiler, total) if isinstance(total, Mapping) else None,
    )


def _read_sum(compiler: Compiler, node: Mapping) -> Sum | None:
    of, total = compiler.read(node.get("of")), compiler.read(node.get("is"))
    return None if of is None or total is None else Sum(of, total)


def _constant(compiler: Compiler, scalar: Scalar, text: str) -> int:
    phrase = compiler.read(Scalar(text, scalar.span))
    if phrase is None:
        return 1
    value = compiler.compile(phrase, _NONE, "number")
    if value.constant is None and value.kind != "unknown":
        compiler.report(
            "not-an-option",
            f"'{text}' is not fixed before the game",
            scalar.span,
            "Use a number or a number option.",
        )
    return 1 if value.constant is None else value.constant


def _read_rows(compiler: Compiler, spec: Mapping, *outer: str) -> Rows:
    """Return the rows that ``by`` names; outer are the tables that led there."""
    by = spec.get("by")
    if not isinstance(by, Scalar):
        return []
    table = compiler.meaning.rows.get(by.text)
    if by.text in outer:
        way = " > ".join([*outer, by.text])
        compiler.report(
            "rows-circle",
            f"rows '{by.text}' lead back to themselves: {way}",
            by.span,
            "Rows may leave it to others, but not to themselves.",
        )
        return []
    if not isinstance(table, Mapping):
        compiler.report(
            "unknown-rows",
            f"unknown rows '{by.text}'",
            by.span,
            suggest(by.text, list(compiler.meaning.rows), "rows"),
        )
        return []
    compiler.meaning.used.add(by.text)
    found: Rows = []
    for key, row in table.entries:
        assert isinstance(row, Mapping)
        condition = compiler.read(row.get("if"))
        if row.get("by") is not None:
            inner = _read_rows(compiler, row, *outer, by.text)
            found.append(Fork(condition, inner))
        elif (cards := compiler.read(row.get("cards"))) is not None:
            because = row.get("because")
            text = because if isinstance(because, Scalar) else None
            rule = f"{by.text}.{key.text}"
            found.append(Clause(rule, condition, cards, text, key.span))
    return found


def bound_rows(compiler: Compiler, pieces: list[Piece], node: Mapping) -> int:
    """Return how many rows the move can have at most, as far as is known."""
    deck, layout = compiler.meaning.deck, compiler.meaning.layout
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
            total *= _count_numbers(compiler, piece)
        else:
            total *= sizes.get(form, deck.size)
    if total > MAX_FORMS:
        compiler.report(
            "too-many-moves",
            f"this move can have more than {MAX_FORMS} legal forms",
            node.span,
            "Pick fewer or smaller parts.",
        )
    return total


def _count_numbers(compiler: Compiler, piece: Piece) -> int:
    """Return how many numbers a part has, where its ends are fixed."""
    phrase = piece.group
    if phrase is None or phrase.rule != "interval":
        return USUAL_NUMBERS
    with compiler.trying():
        first, last = (
            compiler.compile(end, _NONE, "number").constant
            for end in (phrase.part(0), phrase.part(1))
        )
    if first is None or last is None:
        return USUAL_NUMBERS
    return max(1, last - first + 1)


def read_guards(compiler: Compiler, name: str, node: Mapping) -> list[Clause]:
    """Return the guards of a move, in order."""
    found: list[Clause] = []
    when = node.get("when")
    for key, value in when.entries if isinstance(when, Mapping) else ():
        condition = because = None
        test: Node | None = value
        if isinstance(value, Mapping):
            condition = compiler.read(value.get("if"))
            test = value.get("test")
            text = value.get("because")
            because = text if isinstance(text, Scalar) else None
        phrase = compiler.read(test)
        if phrase is not None:
            rule = f"{name}.{key.text}"
            found.append(Clause(rule, condition, phrase, because, key.span))
    return found


def ready_at(guard: Clause, names: list[str]) -> int:
    """Return after how many parts a guard can be tested."""
    used = _find_names(guard.condition, guard.subject)
    places = [index + 1 for index, name in enumerate(names) if name in used]
    return max(places, default=0)


def list_early(pieces: list[Piece]) -> list[Piece]:
    """Return the later parts with a ``where`` that asks for no other part.

    Where nothing can be picked as one of them there is no move at all.
    """
    names = {piece.part.name for piece in pieces}
    return [
        piece
        for piece in pieces[1:]
        if piece.where is not None
        and piece.condition is None
        and piece.search is None
        and not piece.rows
        and not names & _find_names(piece.group, piece.where)
    ]


def _find_names(*phrases: Phrase | None) -> set[str]:
    """Return the names in some phrases."""
    found: set[str] = set()

    def visit(phrase: Phrase) -> None:
        if phrase.rule == "name":
            found.add(phrase.words[0])

    for phrase in phrases:
        if phrase is not None:
            walk(phrase, visit)
    return found
