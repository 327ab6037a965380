"""The plain nodes of a YAML file, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .source import Span

_ESCAPE = re.compile(r"x..|u.{4}|U.{8}|\r?\n[ \t]*|.")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text, as written: never a number, a date or a truth value.

    A text that was made from the one in the file knows where each of its
    characters, and its end, come from.
    """

    text: str
    span: Span
    quoted: bool = False
    places: tuple[int, ...] = ()

    def at(self, start: int, end: int) -> Span:
        """Return where a part of the text stands in the file.

        The part is exact in a plain, quoted or block scalar on one line or on
        several; where no part can be told apart it is the whole scalar.
        """
        places = self.locate()
        if not places:
            return self.span
        last = len(self.text)
        start, end = min(max(start, 0), last), min(max(end, 0), last)
        first = places[start]
        return Span(
            self.span.source, first, places[end - 1] + 1 if end > start else first
        )

    def locate(self) -> list[int]:
        """Return the offset of each character and of the end, or nothing.

        Nothing is returned for a text that is not the one in the file.
        """
        return list(self.places) or _locate_characters(self)


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes."""

    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and their nodes, in the order of the file."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span

    def get(self, key: str) -> Node | None:
        """Return the node of a key, or None if there is no such key."""
        return next((node for name, node in self.entries if name.text == key), None)

    def keys(self) -> tuple[str, ...]:
        """Return the texts of the keys, in the order of the file."""
        return tuple(name.text for name, _ in self.entries)


Node = Scalar | Sequence | Mapping


def _locate_characters(scalar: Scalar) -> list[int]:
    """Return the offset of each character and of the end, or nothing.

    Nothing is returned for a text that is not the one in the file.
    """
    span = scalar.span
    if span.text == scalar.text:
        return list(range(span.start, span.end + 1))
    places: list[int] = []
    written = _unquote(scalar)
    place, character = next(written, (span.end, ""))
    for wanted in scalar.text:
        while character != wanted and character.isspace() and not wanted.isspace():
            place, character = next(written, (span.end, ""))
        if character != wanted and not (wanted.isspace() and character.isspace()):
            if not wanted.isspace():
                return []
            places.append(place)
            continue
        places.append(place)
        place, character = next(written, (span.end, ""))
    return [*places, places[-1] + 1 if places else span.start]


def _unquote(scalar: Scalar) -> Iterator[tuple[int, str]]:
    """Yield the place and meaning of each character of a scalar as written."""
    raw, start = scalar.span.text, scalar.span.start
    position, end = 0, len(raw)
    if scalar.quoted:
        position, end = 1, end - 1
    elif raw[:1] in ("|", ">"):
        position = raw.find("\n") + 1 or end
    while position < end:
        width, meaning = 1, raw[position]
        if scalar.quoted and raw[0] == "'" and meaning == "'":
            width = 2
        elif scalar.quoted and raw[0] == '"' and meaning == "\\":
            escape = _ESCAPE.match(raw, position + 1)
            width = 1 + len(escape[0]) if escape else 1
            meaning = _mean(raw[position + 1 : position + width])
        if meaning:
            yield start + position, meaning
        position += width


def _mean(escape: str) -> str:
    """Return the character that an escape, its backslash left out, stands for."""
    if escape[:1] in ("x", "u", "U"):
        return chr(int(escape[1:], 16))
    if escape[:1] in ("\r", "\n"):
        return ""
    names = dict(
        zip("0abtnvfre_NLP", "\0\a\b\t\n\v\f\r\x1b\xa0\x85\u2028\u2029", strict=True)
    )
    return names.get(escape, escape)
