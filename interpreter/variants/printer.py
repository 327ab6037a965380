"""The ruleset that runs, as YAML that says where each part comes from.

What is printed reads back as the same tree. Sections, and the parts of sections,
carry a comment with their file and line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os.path import basename
from typing import Final

from ..text.schema import Plain, strip
from ..text.source import Source, Span
from ..text.tree import Mapping, Node, Scalar, Sequence
from .compose import Composed

_WIDTH: Final = 88
_COMMENT_COLUMN: Final = 60
# How deep the parts of a ruleset carry their place: moves, then move by move.
_PLACED_DEPTH: Final = 2
_NOWHERE: Final = Source("", "").span(0, 0)
_PLAIN: Final = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`=~][^\n\r\t]*|-?\d[^\n\r\t]*")
_NOT_PLAIN: Final = re.compile(r": |:$| #|^\s|\s$")
_NOT_IN_FLOW: Final = re.compile(r"[,\[\]{}]")


def print_ruleset(composed: Composed) -> str:
    """Return a whole ruleset as YAML with comments."""
    root = _choose_options(composed)
    return "".join(f"{line}\n" for line in _print_mapping(root, 0, is_top=True))


def print_text(text: str) -> str:
    """Return a text as YAML behind a key, with quotes if it needs them."""
    return _quote(Scalar(text, _NOWHERE), in_flow=False)


def print_node(node: Node) -> list[str]:
    """Return a part of a ruleset as lines of YAML, without comments."""
    flow = _print_flow(node)
    if isinstance(node, Scalar):
        return [node.text]
    if len(flow) <= _WIDTH:
        return [flow]
    if isinstance(node, Mapping):
        lines = _print_mapping(node, _PLACED_DEPTH)
    else:
        lines = _print_sequence(node, _PLACED_DEPTH)
    return [line.removeprefix("  " * _PLACED_DEPTH) for line in lines]


def ruleset_as_json(composed: Composed) -> dict[str, Plain]:
    """Return a whole ruleset as plain texts, and the place of each part."""
    root = _choose_options(composed)
    places: dict[str, Plain] = {}
    for key, value in root.entries:
        places[key.text] = _place(key.span)
        for part, _ in value.entries if isinstance(value, Mapping) else ():
            places[f"{key.text}.{part.text}"] = _place(part.span)
    return {"name": composed.name, "ruleset": strip(root), "places": places}


def _choose_options(composed: Composed) -> Mapping:
    """Return the ruleset with the values its variants chose as defaults."""
    entries = [
        (key, _set_defaults(value, composed.chosen) if key.text == "options" else value)
        for key, value in composed.root.entries
    ]
    return Mapping(tuple(entries), composed.root.span)


def _set_defaults(options: Node, chosen: dict[str, Scalar]) -> Node:
    if not isinstance(options, Mapping):
        return options
    return Mapping(
        tuple(
            (name, _set_default(node, chosen.get(name.text)))
            for name, node in options.entries
        ),
        options.span,
    )


def _set_default(option: Node, value: Scalar | None) -> Node:
    if value is None or not isinstance(option, Mapping):
        return option
    entries = tuple(
        (key, value if key.text == "default" else node) for key, node in option.entries
    )
    return Mapping(entries, option.span)


def _print_mapping(node: Mapping, depth: int, is_top: bool = False) -> Iterator[str]:
    indent = "  " * depth
    for number, (key, value) in enumerate(node.entries):
        if is_top and number and not isinstance(value, Scalar):
            yield ""
        head = f"{indent}{_quote(key, in_flow=False)}:"
        is_placed = depth < _PLACED_DEPTH or key.span.source != node.span.source
        place = _place(key.span) if is_placed else ""
        yield from _print_value(head, value, depth + 1, place)


def _print_sequence(node: Sequence, depth: int) -> Iterator[str]:
    for item in node.items:
        place = _place(item.span) if depth <= 1 else ""
        head = f"{'  ' * depth}-"
        flow = _print_flow(item)
        is_short = len(head) + 1 + len(flow) <= _WIDTH and _is_of_one_file(item)
        if is_short or not isinstance(item, Mapping):
            yield from _print_value(head, item, depth + 1, place)
            continue
        lines = list(_print_mapping(item, depth + 1))
        lines[0] = f"{head} {lines[0].lstrip()}"
        yield _annotate(lines[0], place)
        yield from lines[1:]


def _print_value(head: str, value: Node, depth: int, place: str) -> Iterator[str]:
    """Print a value behind its head: on the same line if it is short."""
    flow = (
        _quote(value, in_flow=False)
        if isinstance(value, Scalar)
        else _print_flow(value)
    )
    is_section = depth == 1 and not _is_flat(value)
    fits = len(head) + 1 + len(flow) <= _WIDTH and not is_section
    fits = fits and _is_of_one_file(value)
    if isinstance(value, Scalar) or fits or not _has_parts(value):
        yield _annotate(f"{head} {flow}", place)
        return
    yield _annotate(head, place)
    if isinstance(value, Mapping):
        yield from _print_mapping(value, depth)
    elif isinstance(value, Sequence):
        yield from _print_sequence(value, depth)


def _print_flow(node: Node) -> str:
    """Return a node on one line."""
    match node:
        case Scalar():
            return _quote(node, in_flow=True)
        case Sequence():
            return f"[{', '.join(map(_print_flow, node.items))}]"
        case Mapping():
            parts = (
                f"{_print_flow(key)}: {_print_flow(value)}"
                for key, value in node.entries
            )
            return f"{{{', '.join(parts)}}}"


def _quote(scalar: Scalar, in_flow: bool) -> str:
    """Return a text with quotes if YAML needs them."""
    text = scalar.text
    is_plain = (
        _PLAIN.fullmatch(text)
        and not _NOT_PLAIN.search(text)
        and not (in_flow and (_NOT_IN_FLOW.search(text) or ":" in text))
    )
    if is_plain:
        return text
    if re.search(r"[\x00-\x1f\x7f-\xa0\u2028\u2029]", text):
        return '"' + "".join(map(_escape, text)) + '"'
    if "'" in text and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _escape(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\u{ord(character):04x}"


def _is_of_one_file(node: Node) -> bool:
    """Return whether all keys of a node come from the file that it comes from."""
    if isinstance(node, Sequence):
        return all(map(_is_of_one_file, node.items))
    entries = node.entries if isinstance(node, Mapping) else ()
    return all(
        key.span.source == node.span.source and _is_of_one_file(value)
        for key, value in entries
    )


def _has_parts(node: Node) -> bool:
    return bool(
        node.entries if isinstance(node, Mapping) else getattr(node, "items", ())
    )


def _is_flat(node: Node) -> bool:
    """Return whether all parts of a node are texts."""
    if isinstance(node, Mapping):
        return all(isinstance(value, Scalar) for _, value in node.entries)
    return isinstance(node, Scalar) or all(isinstance(i, Scalar) for i in node.items)


def _annotate(line: str, place: str) -> str:
    if not place:
        return line
    return f"{line.ljust(_COMMENT_COLUMN)}  # {place}"


def _place(span: Span) -> str:
    return f"{basename(span.source.path)}:{span.line}"
