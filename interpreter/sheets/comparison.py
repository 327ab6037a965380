"""Say what differs between two rulesets, part by part and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal

from ..text.source import Span
from ..text.tree import Mapping, Node, Scalar, Sequence
from ..variants.basis import WORD, rename_back
from ..variants.compose import Composed
from ..variants.loan import name_of
from ..variants.printer import print_node

Kind = Literal["changed", "added", "removed"]
# Keys of a game that say nothing about how it is played.
_ASIDE: Final = ("cardrun", "name", "about", "family")
# Sections that are one part.
_WHOLE: Final = ("players", "deck", "result", "limit")


@dataclass(frozen=True, slots=True)
class Difference:
    """One part that one of two rulesets has, or has otherwise."""

    kind: Kind
    part: str
    words: str
    now: tuple[str, ...]
    was: tuple[str, ...]
    place: Span

    def as_json(self) -> dict[str, str | int | None]:
        """Return the fields that ``--json`` prints."""
        return {
            "kind": self.kind,
            "part": self.part,
            "words": self.words,
            "now": "\n".join(self.now) or None,
            "was": "\n".join(self.was) or None,
            "file": self.place.source.path,
            "line": self.place.line,
        }


def compare(first: Composed, second: Composed) -> list[Difference]:
    """Return what is otherwise in the second of two rulesets."""
    return list(_compare_parts(first.root, second.root, ()))


def count_parts(root: Mapping) -> int:
    """Return how many parts a ruleset has that can differ one by one."""
    return sum(
        1 if key.text in _WHOLE or not isinstance(node, Mapping) else len(node.entries)
        for key, node in root.entries
        if key.text not in _ASIDE
    )


def _compare_parts(
    old: Mapping, new: Mapping, above: tuple[str, ...]
) -> Iterator[Difference]:
    """Find the parts of two mappings that differ, in the order of the new one."""
    is_define = above == ("define",)
    for key, node in new.entries:
        if not above and key.text in _ASIDE:
            continue
        words = (*above, key.text)
        before = _find(old, key, is_define)
        if before is None and _is_section(words, node):
            before = Mapping((), node.span)
        if before is None:
            if not (is_define and _is_kept(key, node, old)):
                yield _tell("added", words, key, node, new)
        elif not _is_same(before, node):
            yield from _compare_part(before, node, words, (key, new))
    for key, node in old.entries:
        if (above or key.text not in _ASIDE) and _find(new, key, is_define) is None:
            words = (*above, key.text)
            if isinstance(node, Mapping) and _is_section(words, node):
                yield from _compare_parts(node, Mapping((), node.span), words)
                continue
            yield _tell("removed", words, key, node, old)


def _is_section(words: tuple[str, ...], node: Node) -> bool:
    """Tell whether a part is a section of named parts."""
    return len(words) == 1 and words[0] not in _WHOLE and isinstance(node, Mapping)


def _compare_part(
    old: Node, new: Node, words: tuple[str, ...], where: tuple[Scalar, Mapping]
) -> Iterator[Difference]:
    key, table = where
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from _compare_parts(old, new, words)
        return
    name = name_of(key.text)
    now = rename_back(new, name) if words[:-1] == ("define",) else new
    yield Difference(
        "changed",
        ".".join(words),
        _say(new, table if words[1:] else None),
        tuple(print_node(now)),
        tuple(print_node(old)),
        key.span,
    )


def _tell(
    kind: Kind, words: tuple[str, ...], key: Scalar, node: Node, table: Mapping
) -> Difference:
    text = tuple(print_node(node))
    now, was = (text, ()) if kind == "added" else ((), text)
    return Difference(
        kind,
        ".".join(words),
        _say(node, table if words[1:] else None),
        now,
        was,
        key.span,
    )


def _say(node: Node, table: Mapping | None) -> str:
    """Return what a part says of itself, or what its table says of it."""
    for place in (node, table):
        for key in ("about", "because", "label"):
            text = _text(place.get(key)) if isinstance(place, Mapping) else ""
            if text and text != _text(node):
                return text
    return ""


def _find(table: Mapping, key: Scalar, is_define: bool) -> Node | None:
    if not is_define:
        return table.get(key.text)
    name = name_of(key.text)
    return next((node for k, node in table.entries if name_of(k.text) == name), None)


def _is_kept(key: Scalar, node: Node, old: Mapping) -> bool:
    """Tell whether a definition is an old one that `base` goes on to mean."""
    is_old = any(_is_same(node, before) for _, before in old.entries)
    return key.text.startswith(f"{WORD}_") and is_old


def _is_same(old: Node, new: Node) -> bool:
    """Tell whether two parts say the same, whatever their blanks."""
    if isinstance(old, Scalar) and isinstance(new, Scalar):
        return old.text.split() == new.text.split()
    if isinstance(old, Sequence) and isinstance(new, Sequence):
        pairs = zip_longest(old.items, new.items)
        return all(a is not None and b is not None and _is_same(a, b) for a, b in pairs)
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return old.keys() == new.keys() and all(
            _is_same(a, b)
            for (_, a), (_, b) in zip(old.entries, new.entries, strict=True)
        )
    return False


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) else ""
