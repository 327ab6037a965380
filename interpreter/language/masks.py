"""Turn tests and numbers of single cards into sets of cards.

A zone whose order does not matter is kept as one integer with a bit for each card.
What is asked of its cards is then asked of all at once: those of a suit are
``hand & SUIT_MASK[suit]``. What depends on nothing but the card is worked out here,
and stands at the head of the emitted source as a set with a name.
"""

from __future__ import annotations

import ast
import copy
import re
from types import CodeType
from typing import Final

from .layout import WORD
from .scope import Meaning

# Numbers of cards are added up by their binary digits, if there are no more.
MOST_DIGITS: Final = 5
_MASKED: Final = ("SUIT", "RANK")
# Where a table is asked for what lies somewhere, which may be nothing.
_RISKY: Final = re.compile(r"\w\[[^]]*S\[")
_CALLS: Final = {"min": min, "max": max, "abs": abs}
# A set that is known, or the code of one.
Found = int | str


def card_tables(meaning: Meaning) -> dict[str, list[int]]:
    """Return the tables that say something of each card, rank or suit."""
    deck = meaning.deck
    faces = list(dict.fromkeys(name for _, _, name in deck.cards))
    # The colours of cards are numbered likewise.
    colours = [*dict.fromkeys(colour for colour in deck.colours if colour)]
    tables = {
        "RANK": [rank for rank, _, _ in deck.cards],
        "SUIT": [suit for _, suit, _ in deck.cards],
        "SUIT_COLOUR": [
            # A joker has suit -1: the last entry stands for it.
            *(colours.index(colour) if colour else -1 for colour in deck.colours),
            -1,
        ],
        "FACE_OF": [faces.index(name) for _, _, name in deck.cards],
    }
    for name, values in meaning.tables.items():
        tables[f"TABLE_{name}"] = list(values)
    for name, (_, values) in meaning.attributes.items():
        tables[f"ATTRIBUTE_{name}"] = list(values)
    for name, places in meaning.orders.items():
        # A joker has rank -1: the last entry stands for it.
        tables[f"ORDER_{name}"] = [*places, 0]
    return tables


def find_set(meaning: Meaning, test: str, item: str) -> str:
    """Return the code of the set of all cards that pass a test, or nothing.

    Cards that do not exist may be in it: it is there to be joined with others.
    """
    if meaning.deck.size > WORD:
        return ""
    node = ast.parse(test, mode="eval").body
    found = _convert(meaning, node, item)
    return "" if found is None else _name(meaning, found, node, item)


def find_digits(meaning: Meaning, number: str, item: str) -> list[tuple[int, str]]:
    """Return the sets of cards whose number has a binary digit, with its worth.

    There are none if the number depends on more than the card, is below 0 or large.
    """
    node = ast.parse(number, mode="eval").body
    values = _evaluate(meaning, node, item)
    if values is None or min(values) < 0 or max(values) >= 1 << MOST_DIGITS:
        return []
    found = []
    for digit in range(max(values).bit_length()):
        cards = sum(1 << c for c, value in enumerate(values) if value >> digit & 1)
        found.append((1 << digit, _name(meaning, cards, node, item)))
    return found


def _name(meaning: Meaning, found: Found, node: ast.expr, item: str) -> str:
    """Return the code of a set; one that is known gets a name."""
    if isinstance(found, str):
        return found
    if found in (-1, 0):
        return str(found)
    if found not in meaning.sets:
        tree = copy.deepcopy(node)
        told = ast.unparse(_Renamed(item).visit(tree))
        meaning.sets[found] = (f"SET_{len(meaning.sets)}", told)
    return meaning.sets[found][0]


class _Renamed(ast.NodeTransformer):
    """Calls the card of a test by the name that people read."""

    def __init__(self, item: str) -> None:
        self.item = item

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """Return a name, or that of the card."""
        return ast.Name("card") if node.id == self.item else node


def _convert(meaning: Meaning, node: ast.expr, item: str) -> Found | None:
    if isinstance(node, ast.Constant):
        return -1 if node.value else 0
    if not _names(node, item):
        return f"(-1 if ({ast.unparse(node)}) else 0)"
    values = _evaluate(meaning, node, item)
    if values is not None:
        found = sum(1 << card for card, value in enumerate(values) if value)
        return -1 if all(values) else found
    if isinstance(node, ast.BoolOp):
        return _join(meaning, node, item)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        found_inside = _convert(meaning, node.operand, item)
        return None if found_inside is None else _oppose(meaning, found_inside)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _compare(meaning, node, item)
    if isinstance(node, ast.IfExp) and not _names(node.test, item):
        return _choose(meaning, node, item)
    return None


def _choose(meaning: Meaning, node: ast.IfExp, item: str) -> Found | None:
    """Return the cards of one test or another, by a third."""
    if isinstance(node.test, ast.Constant):
        return _convert(meaning, node.body if node.test.value else node.orelse, item)
    one = _convert(meaning, node.body, item)
    other = _convert(meaning, node.orelse, item)
    if one is None or other is None:
        return None
    codes = [_name(meaning, one, node.body, item)]
    codes.append(_name(meaning, other, node.orelse, item))
    return f"({codes[0]} if ({ast.unparse(node.test)}) else {codes[1]})"


def _join(meaning: Meaning, node: ast.BoolOp, item: str) -> Found | None:
    """Return the cards that pass both tests of ``and``, or either of ``or``.

    What does not depend on the card is asked first where it stands first: the rest
    may rely on it.
    """
    is_both = isinstance(node.op, ast.And)
    joined: Found = -1 if is_both else 0
    for part in reversed(_unnest(node)):
        if not _names(part, item) and not isinstance(part, ast.Constant):
            rest = _name(meaning, joined, node, item)
            test = f"({ast.unparse(part)})"
            joined = (
                f"({rest} if {test} else 0)"
                if is_both
                else f"(-1 if {test} else {rest})"
            )
            continue
        found = _convert(meaning, part, item)
        if found is None:
            return None
        joined = _combine(meaning, found, joined, is_both, node, item)
    return joined


def _unnest(node: ast.BoolOp) -> list[ast.expr]:
    """Return what ``and`` (``or``) joins, however it is nested."""
    found: list[ast.expr] = []
    for part in node.values:
        is_same = isinstance(part, ast.BoolOp) and type(part.op) is type(node.op)
        found += _unnest(part) if is_same and isinstance(part, ast.BoolOp) else [part]
    return found


def _combine(
    meaning: Meaning, one: Found, other: Found, is_both: bool, node: ast.expr, item: str
) -> Found:
    if isinstance(one, int) and isinstance(other, int):
        return one & other if is_both else one | other
    neutral = -1 if is_both else 0
    if neutral in (one, other):
        return other if one == neutral else one
    sign = "&" if is_both else "|"
    codes = (_name(meaning, found, node, item) for found in (one, other))
    return f"({f' {sign} '.join(codes)})"


def _oppose(meaning: Meaning, found: Found) -> Found:
    if isinstance(found, str):
        return f"~{found}"
    return ~found & ((1 << meaning.deck.size) - 1)


def _compare(meaning: Meaning, node: ast.Compare, item: str) -> Found | None:
    """Return the cards whose rank or suit is one that is known in play."""
    left, sign, right = node.left, node.ops[0], node.comparators[0]
    if not isinstance(sign, ast.Eq | ast.NotEq):
        return None
    for side, other in ((left, right), (right, left)):
        if _names(other, item):
            continue
        if isinstance(side, ast.IfExp):
            return _compare_either(meaning, side, sign, other, item)
        table, sep, index = ast.unparse(side).partition("[")
        is_known = table in _MASKED or table.startswith("ATTRIBUTE_")
        if sep and is_known and index == f"{item}]":
            prefix = "" if isinstance(sign, ast.Eq) else "~"
            return f"{prefix}{table}_MASK[{ast.unparse(other)}]"
    return None


def _compare_either(
    meaning: Meaning, side: ast.IfExp, sign: ast.cmpop, other: ast.expr, item: str
) -> Found | None:
    """Return the cards for which one of two things is what is known in play."""
    arms = (side.body, side.orelse)
    if any(_RISKY.search(ast.unparse(arm)) for arm in arms):
        return None
    test = _convert(meaning, side.test, item)
    one, two = (
        _convert(meaning, ast.Compare(arm, [sign], [other]), item) for arm in arms
    )
    if test is None or one is None or two is None:
        return None
    first = _combine(meaning, test, one, True, side, item)
    second = _combine(meaning, _oppose(meaning, test), two, True, side, item)
    return _combine(meaning, first, second, False, side, item)


def _names(node: ast.AST, item: str) -> bool:
    """Tell whether a name stands in some code."""
    return any(isinstance(n, ast.Name) and n.id == item for n in ast.walk(node))


def _evaluate(meaning: Meaning, node: ast.expr, item: str) -> list[int] | None:
    """Return what some code gives for each card, if it asks for nothing else."""
    if not meaning.card_tables:
        meaning.card_tables.update(card_tables(meaning))
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    if names - {item, *meaning.card_tables, *_CALLS}:
        return None
    code: CodeType = compile(ast.Expression(node), "<test of a card>", "eval")
    known = {"__builtins__": _CALLS, **meaning.card_tables}
    try:
        return [
            int(eval(code, known, {item: card})) for card in range(meaning.deck.size)
        ]
    except (ArithmeticError, IndexError):
        return None
