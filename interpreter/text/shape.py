"""Check a ruleset file's sections and keys, not yet what they mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from .errors import Problem, closest, suggest
from .schema import Breach, Fault, Schema, find_breaches, load_definitions
from .spelling import check_name, check_signature, shorten
from .tree import Mapping, Node, Scalar, Sequence

# Keys of variants only.
COMPOSITION_KEYS: Final = ("replace", "add", "remove", "conflicts_with")
_OF_VARIANTS: Final = "Only a file that 'extends' another one changes its parts."
_WRITE_LIST: Final = "Write a list: each item on its own line, after '- '."
_WRITE_KEYS: Final = "Write a mapping: each key on its own line, without '- '."
_QUOTE: Final = "YAML reads { } and [ ] as a mapping or a list: put the text in quotes."
_SPLIT: Final = "A comma split this text: quote it or use block style."
MAX_PROBLEMS: Final = 100
# How many parts a list or table may have: any, one of rows, and some by name.
MOST_PARTS: Final = 400
MOST_ROWS: Final = 60
_MOST_OF: Final = {"first_of": MOST_ROWS, "among": 60, "options": 50}
# Of several faults of one text, the first of these is the mistake.
_ORDER: Final = ("type", "enum", "minLength", "minItems", "minProperties")


def check_shape(root: Node) -> list[Problem]:
    """Find the keys, lists and texts that stand where they should not."""
    if too_large := list(islice(_check_sizes(root), MAX_PROBLEMS)):
        return too_large
    found = (problem for breach in find_breaches(root) for problem in _explain(breach))
    return list(islice(chain(found, _check_signatures(root)), MAX_PROBLEMS))


def _check_sizes(root: Node) -> Iterator[Problem]:
    """Find lists and tables with more parts than any game has use for."""
    yield from _check_size(root, MOST_PARTS)
    for section in ("rows", "define"):
        tables = root.get(section) if isinstance(root, Mapping) else None
        for _, table in tables.entries if isinstance(tables, Mapping) else ():
            yield from _check_size(table, MOST_ROWS)


def _check_size(node: Node, most: int) -> Iterator[Problem]:
    if isinstance(node, Scalar):
        return
    parts = (
        [(key.text, value, key.span) for key, value in node.entries]
        if isinstance(node, Mapping)
        else [("", item, item.span) for item in node.items]
    )
    if len(parts) > most:
        yield Problem(
            "ruleset-too-large",
            f"these are more than {most}",
            parts[most][2],
            "Say it with fewer: rules that differ in a number can share a definition.",
        )
        return
    for name, part, _ in parts:
        yield from _check_size(part, _MOST_OF.get(name, MOST_PARTS))


def _explain(breach: Breach) -> Iterator[Problem]:
    """Say what is wrong with one node, one problem a mistake."""
    node = breach.node
    if not isinstance(node, Mapping) or _select(breach, "type", "enum"):
        yield _explain_value(node, min(breach.faults, key=_rank))
        return
    unknown = list(_explain_unknown(breach, node))
    missing = list(_explain_missing(breach, node))
    yield from unknown
    yield from missing
    yield from _explain_keys(breach, node)
    if not unknown and not missing:
        for fault in _select(breach, "minProperties"):
            yield _explain_value(node, fault)


def _select(breach: Breach, *keywords: str) -> list[Fault]:
    """Return the faults of the node itself by some keywords."""
    return [
        fault
        for fault in breach.faults
        if fault.keyword in keywords and fault.key is None
    ]


def _find_unknown(breach: Breach, node: Mapping) -> list[tuple[Scalar, Fault]]:
    return [
        (key, fault)
        for fault in _select(breach, "additionalProperties")
        for key, _ in node.entries
        if key.text not in fault.schema["properties"]
    ]


def _explain_unknown(breach: Breach, node: Mapping) -> Iterator[Problem]:
    for key, fault in _find_unknown(breach, node):
        text = shorten(key.text)
        if fault.title == "a variant" and key.text in _known_keys("game"):
            message = f"a variant cannot have '{text}'"
            hint = f"Write its parts under 'replace' or 'add', as '{text}.NAME'."
            yield Problem("unknown-key", message, key.span, hint)
            continue
        hint = suggest(key.text, _list_keys(fault.schema), "keys")
        if key.text in COMPOSITION_KEYS:
            hint = _OF_VARIANTS
        if node.span.text.startswith("{") and _is_blank(node.get(key.text)):
            hint = _SPLIT
        message = f"unknown key '{text}' in {fault.title}"
        yield Problem("unknown-key", message, key.span, hint)


def _explain_missing(breach: Breach, node: Mapping) -> Iterator[Problem]:
    """Report what is missing, save what an unknown key was meant to be."""
    unknown = [key.text for key, _ in _find_unknown(breach, node)]
    first = node.entries[0][0] if node.entries else node
    span = (breach.label or first).span
    wanted: dict[str, list[str]] = {}
    for fault in _select(breach, "required"):
        wanted[fault.title] = [
            key
            for key in fault.schema["required"]
            if node.get(key) is None and not closest(key, unknown)
        ]
    for title, keys in wanted.items():
        if keys:
            message = f"{title} needs {_join(keys, 'and')}"
            yield Problem("missing-key", message, span)
    for fault in _select(breach, "anyOf"):
        keys = [choice["required"][0] for choice in fault.schema["anyOf"]]
        if not unknown:
            message = f"{fault.title} needs {_join(keys, 'or')}"
            yield Problem("missing-key", message, span)


def _explain_keys(breach: Breach, node: Mapping) -> Iterator[Problem]:
    """Report keys that are not what keys must be here."""
    faults = {fault.key: fault for fault in breach.faults if fault.key is not None}
    for key, _ in node.entries:
        if key.text not in faults:
            continue
        if faults[key.text].title == "a name, or a name with parameters":
            yield from _explain_signature(key)
        else:
            yield _explain_value(key, faults[key.text])


def _explain_signature(key: Scalar) -> Iterator[Problem]:
    problems = list(check_signature(key))
    yield from problems
    if not problems:
        message = f"'{shorten(key.text)}' is not a name with parameters"
        yield Problem("bad-name", message, key.span, "Write it like out(p) or f(a, b).")


def _explain_value(node: Node, fault: Fault) -> Problem:
    """Say what should stand here instead."""
    if fault.title == "a name" and isinstance(node, Scalar) and node.text:
        return next(check_name(node))
    found = describe(node)
    if fault.title == "the language version, 1" and isinstance(node, Scalar):
        message = f"there is no version {found} of the language"
        return Problem("unknown-version", message, node.span, "Write 'cardrun: 1'.")
    return Problem(
        "wrong-shape",
        f"expected {fault.title}, found {found}",
        node.span,
        _advise(node, fault.schema),
    )


def describe(node: Node) -> str:
    """Return what a node is, for the end of a sentence."""
    match node:
        case Scalar():
            if node.text:
                return f"'{shorten(node.text)}'"
            return "an empty text" if node.quoted else "nothing"
        case Sequence():
            return "a list" if node.items else "an empty list"
        case Mapping():
            return "a mapping" if node.entries else "an empty mapping"


def _advise(node: Node, schema: Schema) -> str:
    """Return a hint, or nothing where the message says it all."""
    if isinstance(node, Scalar):
        return "" if _is_blank(node) else _advise_text(node.text, schema)
    if isinstance(node, Mapping) and schema.get("type") == "array":
        return _WRITE_LIST
    if isinstance(node, Sequence) and schema.get("type") == "object":
        return _WRITE_KEYS
    if "examples" in schema:
        return _quote_examples(schema)
    return _QUOTE if node.span.text[:1] in ("{", "[") and _is_text(schema) else ""


def _advise_text(text: str, schema: Schema) -> str:
    if "enum" in schema:
        words = [word for word in schema["enum"] if isinstance(word, str)]
        near = closest(text, words)
        return f"did you mean '{near[0]}'?" if near else f"Write {_join(words, 'or')}."
    if "examples" in schema:
        return _quote_examples(schema)
    if schema.get("type") == "array":
        return _WRITE_LIST
    keys = [] if schema.get("additionalProperties") else _list_keys(schema)
    return f"Its keys are {_join(keys, 'and')}." if keys else ""


def _quote_examples(schema: Schema) -> str:
    return f"Write it like {' or '.join(schema['examples'])}."


def _is_text(schema: Schema) -> bool:
    kinds: Any = schema.get("type", ())
    return "string" in kinds


def _check_signatures(root: Node) -> Iterator[Problem]:
    """Find words of the language among the names of definitions."""
    rule = load_definitions()["define"]["propertyNames"]
    section = root.get("define") if isinstance(root, Mapping) else None
    for key, _ in section.entries if isinstance(section, Mapping) else ():
        if re.search(rule["pattern"], key.text):
            yield from check_signature(key)


def _known_keys(definition: str) -> tuple[str, ...]:
    return tuple(load_definitions()[definition]["properties"])


def _list_keys(schema: Schema) -> list[str]:
    """Return the keys worth proposing: not those that go with another one."""
    known = schema.get("properties", {})
    return [key for key in known if "$comment" not in known[key]]


def _is_blank(node: Node | None) -> bool:
    return isinstance(node, Scalar) and not node.text and not node.quoted


def _rank(fault: Fault) -> int:
    return _ORDER.index(fault.keyword) if fault.keyword in _ORDER else len(_ORDER)


def _join(words: list[str], last: str) -> str:
    """Return quoted words as they stand in a sentence."""
    quoted = [f"'{word}'" for word in words]
    return f" {last} ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
