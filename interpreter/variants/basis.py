"""What ``base`` means in a replacement: that which it takes the place of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..text.errors import Problem
from ..text.phrases import TEXTS, WORDS
from ..text.tree import Mapping, Node, Scalar, Sequence
from .path import SCRIPTS, SHORT_FORMS

WORD: Final = "base"
_BASE: Final = re.compile(r"(?<![.\w])base\b")
_INSIDE: Final = re.compile(r"\{[^{}]*\}")


def mentions(node: Node) -> bool:
    """Tell whether a replacement refers to what it replaces."""
    return next(_find(node), None) is not None


def rename(node: Node, name: str) -> Node:
    """Return a replacement that calls what it replaces by a name of its own."""
    if isinstance(node, Scalar):
        return _rewrite(node, name)
    if isinstance(node, Sequence):
        return Sequence(tuple(rename(item, name) for item in node.items), node.span)
    entries = tuple((key, rename(value, name)) for key, value in node.entries)
    return Mapping(entries, node.span)


def rename_back(node: Node, name: str) -> Node:
    """Return a definition that calls what it replaced ``base`` again."""
    word = re.compile(rf"(?<![.\w])base_{re.escape(name)}(_\d+)?\b")
    if isinstance(node, Scalar):
        return Scalar(word.sub(WORD, node.text), node.span, node.quoted)
    if isinstance(node, Sequence):
        items = tuple(rename_back(item, name) for item in node.items)
        return Sequence(items, node.span)
    entries = tuple((key, rename_back(value, name)) for key, value in node.entries)
    return Mapping(entries, node.span)


def fill(new: Node, old: Node, key: str, table: str) -> Node:
    """Return a replacement with what it replaces in the place of ``base``.

    Args:
        new: The replacement.
        old: What it replaces.
        key: The key of both.
        table: The key above, which says what a short form means.
    """
    return _fill(new, old, old, (table, key))


def refuse(node: Node) -> Iterator[Problem]:
    """Find ``base`` where there is nothing that it could mean."""
    return map(_report, _find(node))


def _report(scalar: Scalar) -> Problem:
    match = _BASE.search(scalar.text)
    span = scalar.at(*match.span()) if match else scalar.span
    return Problem(
        "nothing-replaced",
        "'base' has nothing here that it could stand for",
        span,
        "It stands for what is replaced: an expression for one in the same place, "
        "and 'run: base' for a script.",
    )


def _find(node: Node, key: str = "") -> Iterator[Scalar]:
    """Return the texts in which ``base`` stands as a word of the language."""
    if isinstance(node, Scalar):
        if key in TEXTS:
            parts = _INSIDE.findall(node.text)
        else:
            parts = [] if key in WORDS and key != "run" else [node.text]
        if any(map(_BASE.search, parts)):
            yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _find(item)
    else:
        for inner, value in node.entries:
            yield from _find(value, inner.text)


def _fill(new: Node, old: Node | None, whole: Node, keys: tuple[str, str]) -> Node:
    """Fill in one node; old is its counterpart in the whole that is replaced."""
    table, own = keys
    if isinstance(new, Scalar):
        if isinstance(old, Mapping) and table in SHORT_FORMS:
            old = old.get(SHORT_FORMS[table])
        return (
            _inline(new, old) if isinstance(old, Scalar) and own not in WORDS else new
        )
    if isinstance(new, Sequence):
        return _splice(new, old if isinstance(old, Sequence) else whole)
    if isinstance(old, Scalar) and table in SHORT_FORMS:
        old = Mapping(((Scalar(SHORT_FORMS[table], old.span), old),), old.span)
    parts = old if isinstance(old, Mapping) else Mapping((), new.span)
    entries = tuple(
        (key, _fill(value, parts.get(key.text), whole, (own, key.text)))
        for key, value in new.entries
    )
    return Mapping(entries, new.span)


def _splice(script: Sequence, base: Node) -> Sequence:
    """Return a script with what it replaces in the place of ``run: base``."""
    items: list[Node] = []
    for item in script.items:
        if _runs_base(item):
            items += base.items if isinstance(base, Sequence) else (base,)
        else:
            items.append(_splice_inside(item, base))
    return Sequence(tuple(items), script.span)


def _splice_inside(item: Node, base: Node) -> Node:
    if not isinstance(item, Mapping):
        return item
    entries: list[tuple[Scalar, Node]] = []
    for key, value in item.entries:
        if isinstance(value, Sequence) and key.text in SCRIPTS:
            entries.append((key, _splice(value, base)))
        else:
            entries.append((key, _splice_inside(value, base)))
    return Mapping(tuple(entries), item.span)


def _runs_base(item: Node) -> bool:
    step = item.get("run") if isinstance(item, Mapping) else None
    return isinstance(step, Scalar) and step.text == WORD


def _inline(new: Scalar, old: Scalar) -> Scalar:
    """Return an expression with another in the place of ``base``."""
    if new.text.strip() == WORD:
        return _substitute(new, old.text)
    is_simple = re.fullmatch(r"[\w.]+", old.text)
    return _rewrite(new, old.text if is_simple else f"({old.text})")


def _rewrite(scalar: Scalar, text: str) -> Scalar:
    return _substitute(scalar, text) if _BASE.search(scalar.text) else scalar


def _substitute(scalar: Scalar, text: str) -> Scalar:
    """Return a text with another in the place of ``base``.

    Each character of the other text stands where ``base`` does.
    """
    written = scalar.locate()
    whole, places, end = "", list[int](), 0
    for match in _BASE.finditer(scalar.text):
        whole += scalar.text[end : match.start()] + text
        if written:
            places += written[end : match.start()]
            first, last = written[match.start()], written[match.end() - 1]
            places += [first] * (len(text) - 1) + [last]
        end = match.end()
    whole += scalar.text[end:]
    places += written[end:]
    return Scalar(whole, scalar.span, scalar.quoted, tuple(places))
