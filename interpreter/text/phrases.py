"""The places of a ruleset where expressions and actions stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Named
from typing import Final, Literal

from .tree import Mapping, Node, Scalar, Sequence

Form = Literal["expression", "action"]
Steps = Named[str, Node]  # scripts by name

# Keys whose texts are words for people; expressions stand in braces there.
TEXTS: Final = ("label", "because")
# Keys whose texts are words for people, or names.
WORDS: Final = frozenset(
    [
        *("label", "because", "about", "name", "run", "loop", "repeat"),
        *("type", "per", "seen_by", "same", "direction", "each"),
    ]
)
_SCRIPTS: Final = frozenset(["do", "then", "else", "otherwise", "stuck", "play"])
_SECTIONS: Final = ("state", "define", "rows", "moves", "play", "steps", "scoring")
_CHANGE: Final = re.compile(
    r"\s*(?:set\s+(?:\S*\.)?(\w+)\s+to\b.*|add\s.*\sto\s+(?:\S*\.)?(\w+)\s*)", re.DOTALL
)
_WORD: Final = re.compile(r"[a-z_][a-z0-9_]*")
_INSIDE: Final = re.compile(r"\{([^{}]*)\}")


def find_phrases(root: Mapping) -> Iterator[tuple[Scalar, Form]]:
    """Return the texts of a ruleset that are expressions or actions."""
    for key, node in root.entries:
        if key.text == "steps":
            for _, script in node.entries if isinstance(node, Mapping) else ():
                yield from _find(script, is_script=True)
        elif key.text in _SECTIONS:
            yield from _find(node, is_script=key.text in _SCRIPTS)


def find_embedded(root: Node) -> Iterator[tuple[Scalar, str]]:
    """Return the expressions inside the texts for people, with their scalars."""
    if isinstance(root, Sequence):
        for item in root.items:
            yield from find_embedded(item)
    for key, node in root.entries if isinstance(root, Mapping) else ():
        if isinstance(node, Scalar) and key.text in TEXTS:
            for match in _INSIDE.finditer(node.text):
                yield node, match[1]
        else:
            yield from find_embedded(node)


def find_mentions(node: Node) -> Iterator[str]:
    """Yield every word that is not only for people to read."""
    if isinstance(node, Scalar):
        yield from _WORD.findall(node.text)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from find_mentions(item)
    else:
        for key, value in node.entries:
            yield from _WORD.findall(key.text)
            if isinstance(value, Scalar) and key.text in TEXTS:
                for inside in _INSIDE.findall(value.text):
                    yield from _WORD.findall(inside)
            else:
                yield from find_mentions(value)


def find_changes(node: Node) -> Iterator[str]:
    """Yield the names of variables at each place where one is set or added to."""
    if isinstance(node, Scalar):
        if match := _CHANGE.fullmatch(node.text):
            yield match[1] or match[2]
        return
    parts = node.items if isinstance(node, Sequence) else [v for _, v in node.entries]
    for part in parts:
        yield from find_changes(part)


def find_ended(node: Node, steps: Steps) -> set[str]:
    """Return the names of blocks that a part of a ruleset, or its steps, may end."""
    return set(_find_ended(node, steps, ()))


def _find_ended(node: Node, steps: Steps, running: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, Scalar):
        words = node.text.split()
        if len(words) == 2 and words[0] == "end":
            yield words[1]
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _find_ended(item, steps, running)
    else:
        for key, value in node.entries:
            if key.text == "run" and isinstance(value, Scalar):
                step = steps.get(value.text)
                if step is not None and value.text not in running:
                    yield from _find_ended(step, steps, (*running, value.text))
            elif not (isinstance(value, Scalar) and key.text in WORDS):
                yield from _find_ended(value, steps, running)


def _find(node: Node, *, is_script: bool = False) -> Iterator[tuple[Scalar, Form]]:
    if isinstance(node, Scalar):
        yield node, "action" if is_script else "expression"
    elif isinstance(node, Sequence):
        # Lists of other things than actions are lists of names.
        for item in node.items if is_script else ():
            yield from _find(item, is_script=True)
    else:
        for key, value in node.entries:
            if not (isinstance(value, Scalar) and key.text in WORDS):
                yield from _find(value, is_script=key.text in _SCRIPTS)
