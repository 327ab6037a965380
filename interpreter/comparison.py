"""Say what differs between two rulesets, part by part and in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import zip_longest
from os.path import basename
from typing import Final, Literal

from .basis import WORD, rename_back
from .compose import Composed
from .loan import name_of
from .printer import print_node
from .source import Span
from .tree import Mapping, Node, Scalar, Sequence

Kind = Literal["changed", "added", "removed"]
_SHORT: Final = 3  # longer parts are shown by the lines that differ
_TITLES: Final = {"changed": "Changed", "added": "Added", "removed": "Removed"}
# Keys of a game that say nothing about how it is played.
_ASIDE: Final = ("cardrun", "name", "about", "family")


@dataclass(frozen=True, slots=True)
class Difference:
    """One part that one of two rulesets has, or has otherwise."""

    kind: Kind
    part: str
    words: str
    now: tuple[str, ...]
    was: tuple[str, ...]
    place: Span

    def render(self) -> list[str]:
        """Return the lines that say so."""
        span = self.place
        where = f"({basename(span.source.path)}:{span.line})"
        head = f"  {self.part}{f': {self.words}' if self.words else ''}  {where}"
        if self.kind == "changed" and min(len(self.now), len(self.was)) > _SHORT:
            return [head, *_indent("", tuple(_mark_lines(self.was, self.now)))]
        if self.kind == "changed":
            return [head, *_indent("now: ", self.now), *_indent("was: ", self.was)]
        return [head, *_indent("", self.now or self.was)]

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
    options = list(_compare_options(first, second))
    return [*options, *_compare_parts(first.root, second.root, ())]


def render_comparison(first: Composed, second: Composed) -> str:
    """Return what is otherwise in the second of two rulesets, in words."""
    found = compare(first, second)
    lines = [f"{second.name}, compared with {first.name}"]
    about = second.root.get("about")
    if isinstance(about, Scalar) and about.text != _text(first.root.get("about")):
        lines.append(about.text)
    if not found:
        return "\n".join([*lines, "", "The rules are the same."])
    for kind, title in _TITLES.items():
        chosen = [difference for difference in found if difference.kind == kind]
        if chosen:
            lines += ["", title]
            lines += [line for difference in chosen for line in difference.render()]
    return "\n".join(lines)


def _mark_lines(was: tuple[str, ...], now: tuple[str, ...]) -> Iterator[str]:
    """Return the lines that differ, marked, between their neighbours."""
    for line in unified_diff(was, now, lineterm="", n=1):
        if not line.startswith(("---", "+++")):
            yield "…" if line.startswith("@@") else line


def _indent(head: str, lines: tuple[str, ...]) -> list[str]:
    gap = " " * len(head)
    return [f"    {gap if index else head}{line}" for index, line in enumerate(lines)]


def _compare_options(first: Composed, second: Composed) -> Iterator[Difference]:
    """Find options that both have, with other values unless chosen."""
    options = second.root.get("options")
    before = first.root.get("options")
    for key, node in options.entries if isinstance(options, Mapping) else ():
        old = before.get(key.text) if isinstance(before, Mapping) else None
        if not isinstance(node, Mapping) or not isinstance(old, Mapping):
            continue
        now = second.chosen.get(key.text) or node.get("default")
        was = first.chosen.get(key.text) or old.get("default")
        if now is not None and was is not None and _text(now) != _text(was):
            about = _text(node.get("about"))
            part = f"options.{key.text}"
            yield Difference(
                "changed", part, about, (_text(now),), (_text(was),), now.span
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
        if before is None:
            if not (is_define and _is_kept(key, node, old)):
                yield _tell("added", words, key, node, new)
        elif not _is_same(before, node):
            yield from _compare_part(before, node, words, (key, new))
    for key, node in old.entries:
        if (above or key.text not in _ASIDE) and _find(new, key, is_define) is None:
            yield _tell("removed", (*above, key.text), key, node, old)


def _compare_part(
    old: Node, new: Node, words: tuple[str, ...], where: tuple[Scalar, Mapping]
) -> Iterator[Difference]:
    key, table = where
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        found = list(_compare_parts(old, new, words))
        is_option = len(words) == 2 and words[0] == "options"
        yield from (d for d in found if not (is_option and d.part.endswith("default")))
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
