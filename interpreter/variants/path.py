"""Names of parts, such as ``moves.play.when.fits.test``, and what they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..text.tree import Mapping, Node, Scalar, Sequence
from .loan import name_of

Step = str | int
Steps = tuple[Step, ...]

# Where a text stands for a mapping with one key.
SHORT_FORMS: Final = {"when": "test", "pick": "from", "state": "start"}
SCRIPTS: Final = ("do", "then", "else", "otherwise", "stuck")


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that leads nowhere: the word at fault, and what there is instead."""

    word: str
    names: tuple[str, ...]
    times: int = 0  # how many parts the word names, where it names several


def split(text: str) -> tuple[str, ...]:
    """Return the words of a name."""
    return tuple(word.strip() for word in text.split("."))


def find(root: Mapping, words: tuple[str, ...]) -> Steps | Missing:
    """Return the way from the root to what the words name."""
    node: Node = root
    steps: Steps = ()
    for word in words:
        found = _find_word(node, word, is_define=steps == ("define",))
        if isinstance(found, Missing):
            return found
        steps += found
        node = get(root, steps)
    return steps


def get(root: Node, steps: Steps) -> Node:
    """Return the node at the end of a way."""
    node = root
    for step in steps:
        inner = _step(node, step)
        assert inner is not None
        node = inner
    return node


def get_key(root: Node, steps: Steps) -> Scalar:
    """Return the key that a node stands under; of an item of a list its node."""
    above = get(root, steps[:-1])
    if isinstance(above, Mapping):
        return next(key for key, _ in above.entries if key.text == steps[-1])
    node = get(root, steps)
    return node if isinstance(node, Scalar) else Scalar("", node.span)


def put(root: Mapping, steps: Steps, node: Node, key: Scalar | None = None) -> Mapping:
    """Return a tree with another node at the end of a way.

    A list in the place of an item of a list is put in item by item.
    """
    result = _put(root, steps, node, key)
    assert isinstance(result, Mapping)
    return result


def drop(root: Mapping, steps: Steps) -> Mapping:
    """Return a tree without what is at the end of a way."""
    above = get(root, steps[:-1])
    if isinstance(above, Mapping):
        kept = tuple(entry for entry in above.entries if entry[0].text != steps[-1])
        return _replace(root, steps[:-1], Mapping(kept, above.span))
    assert isinstance(above, Sequence)
    items = tuple(item for i, item in enumerate(above.items) if i != steps[-1])
    return _replace(root, steps[:-1], Sequence(items, above.span))


def insert(
    root: Mapping, steps: Steps, entry: tuple[Scalar, Node], index: int
) -> Mapping:
    """Return a tree with one more entry in the mapping at the end of a way."""
    above = get(root, steps)
    assert isinstance(above, Mapping)
    entries = (*above.entries[:index], entry, *above.entries[index:])
    return _replace(root, steps, Mapping(entries, above.span))


def unfold(root: Mapping, words: tuple[str, ...]) -> Mapping:
    """Return a tree in which short forms on a way are written out."""
    for length in range(2, len(words)):
        steps = find(root, words[:length])
        if isinstance(steps, Missing) or len(steps) < 2:
            return root
        node, above = get(root, steps), steps[-2]
        if isinstance(node, Scalar) and above in SHORT_FORMS:
            key = Scalar(SHORT_FORMS[str(above)], node.span)
            root = put(root, steps, Mapping(((key, node),), node.span))
    return root


def find_named(script: Node, name: str) -> Iterator[Steps]:
    """Return the ways to the blocks, decisions and rows of a name in a script."""
    for index, item in enumerate(script.items if isinstance(script, Sequence) else ()):
        if isinstance(item, Mapping):
            if name_of_statement(item) == name:
                yield (index,)
            yield from ((index, *rest) for rest in _find_inside(item, name))


def _find_inside(statement: Mapping, name: str) -> Iterator[Steps]:
    for key, value in statement.entries:
        if key.text in SCRIPTS:
            yield from ((key.text, *rest) for rest in find_named(value, name))
    rows = statement.get("first_of")
    for key, row in rows.entries if isinstance(rows, Mapping) else ():
        if key.text == name:
            yield ("first_of", name)
        if isinstance(row, Mapping):
            found = find_named(row.get("do") or row, name)
            yield from (("first_of", key.text, "do", *rest) for rest in found)


def name_of_statement(statement: Node) -> str:
    """Return the name of a block or decision, or nothing."""
    if not isinstance(statement, Mapping):
        return ""
    turns = statement.get("turns")
    places = (
        turns.get("name") if isinstance(turns, Mapping) else None,
        statement.get("name"),
        statement.get("loop"),
        statement.get("repeat"),
        statement.get("block"),
    )
    return next((place.text for place in places if isinstance(place, Scalar)), "")


def list_named(script: Node) -> Iterator[str]:
    """Return the names that stand in a script."""
    for item in script.items if isinstance(script, Sequence) else ():
        if not isinstance(item, Mapping):
            continue
        if name := name_of_statement(item):
            yield name
        for key, value in item.entries:
            if key.text in SCRIPTS:
                yield from list_named(value)
        rows = item.get("first_of")
        for key, row in rows.entries if isinstance(rows, Mapping) else ():
            yield key.text
            if isinstance(row, Mapping):
                yield from list_named(row.get("do") or row)


def _find_word(node: Node, word: str, *, is_define: bool) -> Steps | Missing:
    if isinstance(node, Sequence):
        ways = list(find_named(node, word))
        if len(ways) == 1:
            return ways[0]
        return Missing(word, tuple(list_named(node)), len(ways))
    entries = node.entries if isinstance(node, Mapping) else ()
    for key, _ in entries:
        if key.text == word or (is_define and name_of(key.text) == name_of(word)):
            return (key.text,)
    names = tuple(key.text for key, _ in entries)
    turns = node.get("turns") if isinstance(node, Mapping) else None
    if isinstance(turns, Mapping):
        names += turns.keys()
        if turns.get(word) is not None:
            return ("turns", word)
    return Missing(word, names)


def _step(node: Node, step: Step) -> Node | None:
    if isinstance(node, Sequence) and isinstance(step, int):
        return node.items[step]
    if isinstance(node, Mapping) and isinstance(step, str):
        return node.get(step)
    return None


def _replace(root: Mapping, steps: Steps, node: Mapping | Sequence) -> Mapping:
    if not steps:
        assert isinstance(node, Mapping)
        return node
    return put(root, steps, node)


def _put(above: Node, steps: Steps, node: Node, key: Scalar | None) -> Node:
    step, rest = steps[0], steps[1:]
    if isinstance(above, Sequence):
        assert isinstance(step, int)
        if rest:
            made: tuple[Node, ...] = (_put(above.items[step], rest, node, key),)
        else:
            made = node.items if isinstance(node, Sequence) else (node,)
        items = (*above.items[:step], *made, *above.items[step + 1 :])
        return Sequence(items, above.span)
    assert isinstance(above, Mapping)
    entries = tuple(
        entry
        if entry[0].text != step
        else (entry[0], _put(entry[1], rest, node, key))
        if rest
        else (key or entry[0], node)
        for entry in above.entries
    )
    return Mapping(entries, above.span)
