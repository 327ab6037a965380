"""Turn the text of an expression or action into a tree of located phrases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from ..folders import find_cache
from ..version import __version__
from .errors import Problem
from .source import Span
from .tree import Scalar

GRAMMAR: Final = Path(__file__).parents[2] / "grammar" / "expression.lark"
MAX_LENGTH: Final = 4_000
MAX_DEPTH: Final = 60

# What a token is called by people, where its name would not tell.
_WORDS: Final = {"COMPARE": "a comparison", "NAME": "a name", "NUMBER": "a number"}
# Spellings of other languages, and ours.
_SPELLINGS: Final = (
    ("&&", "Write 'and'."),
    ("||", "Write 'or'."),
    ("?", "Write 'if … then … else …'."),
    ("!", "Write 'not', or '!=' between two things."),
    ("=", "Write '==' to compare; 'set x to …' changes a variable."),
    ("[", "Piles of a family are counted in parentheses: stock(2)."),
    ("'", "There are no texts in expressions: write names without quotes."),
    ('"', "There are no texts in expressions: write names without quotes."),
    ("/", "Write 'div' and 'mod'."),
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """One node of a parsed expression or action.

    The rule is the grammar's (``call``, ``attribute``, ``move`` …). Words are
    its names and numbers, parts its smaller phrases; a part left out is None.
    """

    rule: str
    words: tuple[str, ...]
    parts: tuple[Phrase | None, ...]
    span: Span

    def part(self, index: int) -> Phrase:
        """Return a part that the rule always has."""
        part = self.parts[index]
        assert part is not None
        return part


def parse_expression(scalar: Scalar) -> Phrase | Problem:
    """Parse a text as an expression."""
    return _parse(scalar, "expression")


def parse_action(scalar: Scalar) -> Phrase | Problem:
    """Parse a text as an action, such as ``move card to pile``."""
    return _parse(scalar, "action")


def _place_tables() -> str | bool:
    """Return the file that keeps the parser's tables, if there can be one.

    Making them takes longer than all else in checking a ruleset.
    """
    folder = find_cache()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return str(folder / f"grammar-{__version__}.tables")


@cache
def _load_grammar() -> Any:
    from lark import Lark

    return Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        start=["expression", "action"],
        propagate_positions=True,
        maybe_placeholders=True,
        cache=_place_tables(),
    )


# A check compiles a ruleset for several tables, from the same texts.
@lru_cache(maxsize=4096)
def _parse(scalar: Scalar, start: str) -> Phrase | Problem:
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    text = scalar.text
    if not text.strip():
        return Problem(
            "empty-expression", f"there is no {start} here", scalar.span, "Write one."
        )
    if len(text) > MAX_LENGTH or _depth(text) > MAX_DEPTH:
        return Problem(
            "long-expression",
            f"this {start} is too long or nested too deeply",
            scalar.span,
            "Give parts of it names under define.",
        )
    try:
        tree = _load_grammar().parse(text, start=start)
    except UnexpectedCharacters as error:
        return _unreadable(scalar, error.pos_in_stream, start, ())
    except UnexpectedEOF as error:
        return _unreadable(scalar, len(text), start, error.expected)
    except UnexpectedToken as error:
        ended = error.token.type == "$END"
        place = len(text) if ended else (error.token.start_pos or 0)
        return _unreadable(scalar, place, start, error.accepts or error.expected)
    return _convert(tree, scalar)


def _depth(text: str) -> int:
    """Return how deeply a text can nest: by parentheses and prefix words."""
    depth = deepest = 0
    for character in text:
        depth += (character == "(") - (character == ")")
        deepest = max(deepest, depth)
    words = text.split()
    prefixes = sum(word.lstrip("(") in ("not", "-", "if") for word in words)
    return deepest + prefixes + text.count("--")


def _unreadable(
    scalar: Scalar, place: int | None, start: str, expected: object
) -> Problem:
    text = scalar.text
    place = len(text) if place is None else place
    rest = text[place:].split()
    if not rest:
        message = f"the {start} ends too early"
        is_open = text.count("(") > text.count(")")
        cause = "A '(' is not closed" if is_open else "Something must follow"
        return Problem(
            "unfinished-expression",
            message,
            scalar.at(max(len(text) - 1, 0), len(text)),
            f"{cause}; if a comma split the text, quote it.",
        )
    word = rest[0]
    hint = next((hint for mark, hint in _SPELLINGS if word.startswith(mark)), "")
    if not hint and text[:place].rstrip().endswith("="):
        hint = "Write '==' to compare; 'set x to …' changes a variable."
    if not hint:
        hint = _expect(expected, start)
    return Problem(
        "unreadable-expression",
        f"'{word}' cannot stand here",
        scalar.at(place, place + len(word)),
        hint,
    )


def _expect(expected: object, start: str) -> str:
    names = expected if isinstance(expected, (set, frozenset, list, tuple)) else ()
    words = sorted(
        _WORDS.get(name, f"'{name.lower()}'")
        for name in map(str, names)
        if name.isalpha() and name not in ("RPAR", "LPAR", "DOT", "MINUS", "STAR")
    )
    if start == "action" and len(words) > 6:
        return f"An action begins with {', '.join(words)}."
    if words and len(words) < 8:
        return f"Here may stand {', '.join(words)}."
    return "See docs/language.md for how expressions and actions are written."


def _convert(tree: Any, scalar: Scalar) -> Phrase:
    """Turn Lark's tree into phrases that know their place in the file."""
    from lark import Token, Tree

    words: list[str] = []
    parts: list[Phrase | None] = []
    for child in tree.children:
        if isinstance(child, Token):
            words.append(str(child))
        elif child is None:
            parts.append(None)
        elif isinstance(child, Tree) and child.data == "arguments":
            parts += [_convert(argument, scalar) for argument in child.children]
        elif isinstance(child, Tree) and child.data == "facing":
            words.append(str(child.children[0]))
        else:
            parts.append(_convert(child, scalar))
    meta = tree.meta
    span = scalar.span if meta.empty else scalar.at(meta.start_pos, meta.end_pos)
    return Phrase(str(tree.data), tuple(words), tuple(parts), span)


def walk(phrase: Phrase, visit: Callable[[Phrase], None]) -> None:
    """Call a function for a phrase and all that it holds."""
    visit(phrase)
    for part in phrase.parts:
        if part is not None:
            walk(part, visit)
