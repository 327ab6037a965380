"""What a name may look like, and what is wrong with one that does not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from .errors import Problem
from .schema import load_definitions
from .source import Span
from .tree import Scalar

_PIECE = re.compile(r"\s*([^(),]*[^(),\s])")


@cache
def words_of_the_language() -> frozenset[str]:
    """Return the words that no name may be."""
    return frozenset(load_definitions()["name"]["not"]["enum"])


def is_name(text: str) -> bool:
    """Return whether a text may name a part of a ruleset."""
    rule = load_definitions()["name"]
    is_short = len(text) <= rule["maxLength"]
    is_spelt = re.fullmatch(r"[a-z][a-z0-9_]*", text) is not None
    return is_short and is_spelt and text not in words_of_the_language()


def check_name(scalar: Scalar) -> Iterator[Problem]:
    """Find what is wrong with a name."""
    yield from _check_part(scalar, 0, len(scalar.text))


def check_signature(scalar: Scalar) -> Iterator[Problem]:
    """Find bad names in a name that may have parameters: ``out(p)``."""
    for piece in _PIECE.finditer(scalar.text):
        yield from _check_part(scalar, *piece.span(1))


def shorten(text: str) -> str:
    """Return a text fit for a one-line message."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def _check_part(scalar: Scalar, start: int, end: int) -> Iterator[Problem]:
    text = scalar.text[start:end]
    if is_name(text):
        return
    for place, letter in enumerate(text, start):
        if letter.isalnum() and not letter.isascii():
            yield _refuse_letter(text, letter, scalar.at(place, place + 1))
            return
    yield _refuse_name(text, scalar.at(start, end))


def _refuse_letter(text: str, letter: str, span: Span) -> Problem:
    name = unicodedata.name(letter, f"U+{ord(letter):04X}")
    return Problem(
        "bad-name",
        f"the name '{shorten(text)}' has a letter that names cannot have",
        span,
        f"This is {name}; names have a to z, 0 to 9 and _ only.",
    )


def _refuse_name(text: str, span: Span) -> Problem:
    longest = load_definitions()["name"]["maxLength"]
    tidy = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    message = f"'{shorten(text)}' is not a name"
    hint = "Names are lower-case words joined by _" + (
        f", such as '{tidy}'." if is_name(tidy) else "."
    )
    if text in words_of_the_language():
        message = f"'{text}' is a word of the language and cannot be a name"
        hint = "Choose another name."
    elif len(text) > longest:
        message = f"the name '{shorten(text)}' is longer than {longest} letters"
        hint = "Shorten it."
    return Problem("bad-name", message, span, hint)
