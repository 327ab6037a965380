"""What a YAML parser complains of, in an author's words."""

from __future__ import annotations

QUOTE_OR_BLOCK = (
    "Inside { } and [ ] a comma or a bracket ends the value: "
    "quote it or use block style, one key a line."
)

# What the YAML parsers say, and what an author is told instead.
_SYNTAX = (
    (
        "mapping values are not allowed",
        "a key cannot stand here",
        "Line up the keys of one mapping; the line above may lack its ':'.",
    ),
    (
        "expected ':'",
        "this line has no ':' after its key",
        "Write 'key: value', or indent the line to go on with the one before.",
    ),
    (
        "unexpected end of stream",
        "a quote is never closed",
        "Close the quote, or remove the one that opens it.",
    ),
    (
        "document separator",
        "a quote is never closed",
        "Close the quote, or remove the one that opens it.",
    ),
    (
        "expected key",
        "this line does not fit the lines above it",
        "Line up the keys of one mapping; quote a value that goes on over a comment.",
    ),
    (
        "expected '-' indicator",
        "this line does not fit the list above it",
        "Line up the '-' of one list, and indent what belongs to an item.",
    ),
    (
        "sequence entries are not allowed",
        "a list cannot begin here",
        "Begin the list on its own line, or quote the '-'.",
    ),
    (
        "escape",
        "this is no escape that YAML knows",
        "Between double quotes write \\\\ for a backslash, or use single quotes.",
    ),
    (
        "expected ',' or",
        "a list or mapping in brackets is not closed here",
        QUOTE_OR_BLOCK,
    ),
    (
        "expected <document start>",
        "the ruleset has ended before this line",
        "Check the indentation, and quote a value that begins with a quote.",
    ),
    (
        "tag",
        "'!' begins a YAML tag, which rulesets do not have",
        "To mean the sign itself, quote the text.",
    ),
    (
        "anchor",
        "'&' begins a YAML anchor, which needs a name",
        "Write 'and' in an expression; to mean the sign itself, quote the text.",
    ),
    (
        "alias",
        "'*' begins a YAML alias, which needs a name",
        "To mean the sign itself, quote the text.",
    ),
)


def explain_syntax(fact: str, before: str, character: str) -> tuple[str, str]:
    """Return a message and a hint for what the YAML parser says.

    The text before the place, on its line, and the character at it tell apart
    what the parser calls by one name.
    """
    if "cannot start any token" in fact:
        return (
            f"a value cannot begin with '{character}'",
            "To mean the sign itself, quote the text.",
        )
    if character == ":" and not before.strip(" {"):
        return (
            "the key before ':' is missing",
            "Write a key, or quote the text if the ':' belongs to it.",
        )
    if "mapping values are not allowed" in fact and ":" in before:
        return (
            "a second ':' in one value",
            "Quote the value, or begin the inner key on its own line.",
        )
    if "expected key" in fact and before.strip():
        return (
            f"the value has ended before '{character}'",
            "Quote the whole value, or remove what follows its closing quote.",
        )
    for needle, message, hint in _SYNTAX:
        if needle in fact:
            return message, hint
    return "this is not YAML", "Check the indentation, quotes and colons around here."
