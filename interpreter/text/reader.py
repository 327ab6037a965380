"""YAML text to plain nodes that know their places.

Every scalar stays the text that its author wrote: what ``no`` or ``017`` means
is for the schema to say. PyYAML's parser only delivers events; the nodes are
built here, so that nothing is resolved, constructed, merged or lost, and a
hostile file is given up at the first sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NoReturn, Protocol

import yaml

from .errors import Note, Problem, closest
from .source import BYTE_ORDER_MARK, Source, Span
from .syntax import QUOTE_OR_BLOCK, explain_syntax
from .tree import Mapping, Node, Scalar, Sequence

__all__ = ["Mapping", "Node", "Scalar", "Sequence", "decode", "read"]

MAX_BYTES = 1_000_000
MAX_DEPTH = 40
MAX_NODES = 80_000
MAX_NODES_THROUGH_ALIASES = 50_000
MAX_PROBLEMS = 100

_NOT_PRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    "\U00010000-\U0010ffff]"
)
_PROPERTIES = re.compile(
    r"(?:(?:!<[^>\s]*>|[&!][^\s,\[\]{}]*)(?:\s++|(?<=\s)#.*+)*+){1,2}"
)
_TAG_PREFIX = re.compile("^tag:yaml.org,2002:")
_NAME = re.compile(r"[\w.-]*")


def decode(path: str, data: bytes) -> tuple[Source, list[Problem]]:
    """Return the bytes of a file as a source; what is not UTF-8 is a problem."""
    try:
        return Source(path, data.decode("utf-8")), []
    except UnicodeDecodeError as error:
        good = len(data[: error.start].decode("utf-8"))
        source = Source(path, data[:MAX_BYTES].decode("utf-8", "replace"))
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        problem = Problem(
            "not-utf-8",
            message,
            source.span(min(good, len(source.text)), good + 1),
            "Save the file with the encoding UTF-8.",
        )
        return source, [problem]


def read(source: Source) -> tuple[Node | None, list[Problem]]:
    """Return a file's nodes and what is wrong with it as YAML.

    There are no nodes if the text cannot be read to its end. If there are both
    nodes and problems, the nodes lack what the problems tell of.
    """
    if problem := _check_text(source):
        return None, [problem]
    builder = _Builder(source)
    try:
        root = builder.build()
    except _Stop:
        root = None
    return root, builder.problems


def _check_text(source: Source) -> Problem | None:
    """Find what makes a text unfit for any YAML parser."""
    text = source.text
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "replace")) > MAX_BYTES:
        return Problem(
            "file-too-large",
            f"the file is larger than {MAX_BYTES:,} bytes",
            source.span(0, 0),
            "Is this a ruleset? Split it if it is.",
        )
    if match := _NOT_PRINTABLE.search(text, text.startswith(BYTE_ORDER_MARK)):
        return Problem(
            "control-character",
            f"the character U+{ord(match[0]):04X} cannot stand in a ruleset",
            source.span(*match.span()),
            "Delete it: it cannot be seen, or it breaks lines in some programs only.",
        )
    return None


class _Stop(Exception):
    """Reading cannot go on; the reason is among the problems."""


class _Events(Protocol):
    """The part of PyYAML's loaders that is used here."""

    def get_event(self) -> yaml.Event | None: ...


class _Mark(Protocol):
    """A place as PyYAML counts it."""

    @property
    def index(self) -> int: ...

    @property
    def line(self) -> int: ...


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end is still to come."""

    event: yaml.SequenceStartEvent | yaml.MappingStartEvent
    start: int
    end: int
    nodes: list[Node] = field(default_factory=list)
    aliases: set[int] = field(default_factory=set)
    weight: int = 1
    height: int = 1

    @property
    def is_flow(self) -> bool:
        return bool(self.event.flow_style)

    def expects_key(self) -> bool:
        is_mapping = isinstance(self.event, yaml.MappingStartEvent)
        return is_mapping and len(self.nodes) % 2 == 0


@dataclass(frozen=True, slots=True)
class _Anchored:
    """An anchored node; while it is still open there is no node."""

    span: Span
    node: Node | None = None
    weight: int = 1
    height: int = 0


class _Builder:
    """Builds nodes from the parser's events, and collects problems."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.shift = int(source.text.startswith(BYTE_ORDER_MARK))
        self.has_tabs = "\t" in source.text
        self.open: list[_Open] = []
        self.anchors: dict[str, _Anchored] = {}
        self.root: Node | None = None
        self.count = 0
        self.has_aliases = False

    def build(self) -> Node | None:
        documents = 0
        for event in self._parse():
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse_second_document(event)
            else:
                self._take(event)
        if self.root is None:
            self._stop(
                "empty-file",
                "the file is empty",
                self.source.span(0, 0),
                "A ruleset begins with the line 'cardrun: 1'.",
            )
        return self.root

    def _parse(self) -> Iterator[yaml.Event]:
        """Yield PyYAML's events; turn its errors into problems."""
        loader_class = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            loader: _Events = loader_class(self.source.text[self.shift :])
            while (event := loader.get_event()) is not None:
                yield event
                if isinstance(event, yaml.StreamEndEvent):
                    return
        except yaml.MarkedYAMLError as error:
            self._refuse_syntax(error)
        except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
            self._stop("yaml-syntax", "this is not YAML", self.source.span(0, 0))

    def _take(self, event: yaml.Event) -> None:
        match event:
            case yaml.ScalarEvent():
                self._take_scalar(event)
            case yaml.AliasEvent():
                self._take_alias(event)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._open_collection(event)
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                self._close_collection(event)

    def _take_scalar(self, event: yaml.ScalarEvent) -> None:
        start, end = self._start(event), self._offset(event.end_mark)
        scalar = Scalar(
            event.value,
            self.source.span(min(start, end), end),
            event.style in ("'", '"'),
        )
        self._check_start(event, scalar.span)
        if event.anchor:
            self._set_anchor(event.anchor, _Anchored(scalar.span, scalar))
        self._add(scalar, scalar.span)

    def _take_alias(self, event: yaml.AliasEvent) -> None:
        span = self.source.span(
            self._offset(event.start_mark), self._offset(event.end_mark)
        )
        self.has_aliases = True
        name = event.anchor or ""
        anchored = self.anchors.get(name)
        if anchored is None:
            self._report_unknown_alias(name, span)
        elif anchored.node is None:
            self._report(
                "self-reference",
                f"'*{name}' stands inside what it stands for",
                span,
                "A ruleset repeats with a loop, not with an alias.",
                Note(f"'&{name}' is set here", anchored.span),
            )
        if anchored is None or anchored.node is None:
            self._add(Scalar(span.text, span), span)
        elif self.open and self.open[-1].expects_key():
            self._report_key(span)
            self._add(Scalar(span.text, span), span)
        else:
            self._check_depth(anchored.height, span)
            self._add(anchored.node, span, anchored)

    def _open_collection(
        self, event: yaml.SequenceStartEvent | yaml.MappingStartEvent
    ) -> None:
        start = self._start(event)
        span = self.source.span(start, start + 1)
        self._check_start(event, span)
        self._check_depth(1, span)
        if event.anchor:
            self._set_anchor(event.anchor, _Anchored(span))
        self.open.append(_Open(event, start, start + 1))

    def _close_collection(
        self, event: yaml.SequenceEndEvent | yaml.MappingEndEvent
    ) -> None:
        done = self.open.pop()
        if done.is_flow:
            done.end = self._offset(event.end_mark)
        span = self.source.span(done.start, done.end)
        if done.is_flow:
            self._check_split(done)
        node: Node
        if isinstance(done.event, yaml.MappingStartEvent):
            node = Mapping(tuple(self._pair(done)), span)
        else:
            node = Sequence(tuple(done.nodes), span)
        anchored = _Anchored(span, node, done.weight, done.height)
        if done.event.anchor:
            self.anchors[done.event.anchor] = anchored
        self._add(node, span, anchored)

    def _add(self, node: Node, span: Span, known: _Anchored | None = None) -> None:
        """Put a node, or what an alias stands for, where it belongs."""
        weight, height = (known.weight, known.height) if known else (1, 0)
        self._count(span)
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.nodes.append(node)
        parent.end = max(parent.end, span.end)
        parent.weight += weight
        parent.height = max(parent.height, height + 1)
        if self.has_aliases and parent.weight > MAX_NODES_THROUGH_ALIASES:
            self._stop(
                "alias-bomb",
                f"aliases unfold to more than {MAX_NODES_THROUGH_ALIASES:,} parts",
                span,
                "Write the parts out, or name them under define.",
            )

    def _pair(self, done: _Open) -> Iterator[tuple[Scalar, Node]]:
        """Yield a mapping's sound entries; report the others."""
        first_of: dict[str, Scalar] = {}
        for key, value in zip(done.nodes[::2], done.nodes[1::2], strict=True):
            if not isinstance(key, Scalar):
                self._report_key(key.span)
            elif not key.text and not key.quoted:
                self._report_missing_key(key)
            elif key.text == "<<" and not key.quoted:
                self._report(
                    "merge-key",
                    "the key '<<' does not merge mappings here",
                    key.span,
                    "Write the keys out where they apply.",
                )
            elif key.text in first_of:
                self._report_duplicate(key, first_of[key.text])
            else:
                first_of[key.text] = key
                yield key, value

    def _check_start(
        self,
        event: yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent,
        span: Span,
    ) -> None:
        """Find a tag on a node, or a tab before it."""
        if event.tag is not None:
            at = self._offset(event.start_mark)
            tag = _shorten(_TAG_PREFIX.sub("!!", event.tag))
            self._report(
                "explicit-tag",
                f"the tag '{tag}' has no meaning here",
                self.source.span(at, max(span.start, at + 1)),
                "Remove the tag: the key says what the value is.",
            )
        if not self.has_tabs or self._is_in_flow():
            return
        line_start = self.source.text.rfind("\n", 0, span.start) + 1
        before = self.source.text[line_start : span.start]
        if "\t" in before and before.isspace():
            at = line_start + before.index("\t")
            self._report_tab(self.source.span(at, at + 1))

    def _check_depth(self, more: int, span: Span) -> None:
        if len(self.open) + more > MAX_DEPTH:
            self._stop(
                "too-deep",
                f"nested more than {MAX_DEPTH} levels deep",
                span,
                "Name the inner parts under steps or define.",
            )

    def _check_split(self, done: _Open) -> None:
        """Find an expression that a comma has cut in two."""
        is_mapping = isinstance(done.event, yaml.MappingStartEvent)
        for position, (node, after) in enumerate(pairwise([*done.nodes, None])):
            if not isinstance(node, Scalar) or node.quoted:
                continue
            is_open = node.text.count("(") > node.text.count(")")
            is_last = after is None or (is_mapping and position + 2 >= len(done.nodes))
            is_tail = (
                is_mapping
                and position % 2 == 0
                and isinstance(after, Scalar)
                and not (after.text or after.quoted)
                and not _NAME.fullmatch(node.text)
            )
            if is_tail or (is_open and not is_last):
                self._report_split(node, is_tail)
                return

    def _count(self, span: Span) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            self._stop(
                "too-many-nodes",
                f"the file has more than {MAX_NODES:,} keys and values",
                span,
                "Is this a ruleset? Split it if it is.",
            )

    def _set_anchor(self, name: str, anchored: _Anchored) -> None:
        if name in self.anchors:
            self._report(
                "duplicate-anchor",
                f"the anchor '&{name}' is set twice",
                anchored.span,
                "Give one of them another name.",
                Note("the first is here", self.anchors[name].span),
            )
        self.anchors[name] = anchored

    def _report_split(self, node: Scalar, is_tail: bool) -> None:
        text = _shorten(node.text)
        message = (
            f"'{text}' stands as a key without a value"
            if is_tail
            else f"a comma ends '{text}' before its bracket is closed"
        )
        self._report("split-expression", message, node.span, QUOTE_OR_BLOCK)

    def _report_duplicate(self, key: Scalar, first: Scalar) -> None:
        self._report(
            "duplicate-key",
            f"the key '{_shorten(key.text)}' stands on line {first.span.line} "
            f"and again on line {key.span.line}",
            key.span,
            "Keep one of the two, or rename one.",
            Note("the first is here", first.span),
        )

    def _report_key(self, span: Span) -> None:
        self._report(
            "key-not-text",
            "a key must be a piece of text",
            span,
            "If it is meant as text, quote it.",
        )

    def _report_missing_key(self, key: Scalar) -> None:
        self._report(
            "key-not-text",
            "the key before ':' is missing",
            key.span,
            "Write a key, or quote the text if the ':' belongs to it.",
        )

    def _report_tab(self, span: Span) -> None:
        self._report(
            "tab-indentation",
            "a tab cannot indent a line",
            span,
            "Indent with spaces.",
        )

    def _report_unknown_alias(self, name: str, span: Span) -> None:
        near = closest(name, self.anchors)
        hint = f"did you mean '*{near[0]}'?" if near else "To mean a star, quote it."
        self._report(
            "unknown-alias", f"no anchor '&{_shorten(name)}' stands before", span, hint
        )

    def _refuse_second_document(self, event: yaml.DocumentStartEvent) -> None:
        start = self._offset(event.start_mark)
        self._stop(
            "second-document",
            "a second document begins here",
            self.source.span(start, max(self._offset(event.end_mark), start + 1)),
            "A file holds one ruleset: move the rest to its own file.",
        )

    def _refuse_syntax(self, error: yaml.MarkedYAMLError) -> None:
        mark = error.problem_mark or error.context_mark
        at = self._offset(mark)
        character = self.source.text[at : at + 1]
        span = self.source.span(at, at + 1 if character.strip() else at)
        fact = f"{error.context or ''}; {error.problem or ''}"
        if character == "\t" and "cannot start any token" in fact:
            self._report_tab(self.source.span(at, at + 1))
            raise _Stop
        before = self.source.line_text(span.line)[: span.column - 1]
        message, hint = explain_syntax(fact, before, character)
        if (self._is_in_flow() or " flow " in fact) and "quote" not in message:
            hint = QUOTE_OR_BLOCK
        notes = []
        place = self._offset(error.context_mark)
        if error.context_mark and self.source.line_of(place) < span.line:
            notes = [Note("it begins here", self.source.span(place, place))]
        self._stop("yaml-syntax", message, span, hint, *notes)

    def _is_in_flow(self) -> bool:
        return bool(self.open) and self.open[-1].is_flow

    def _offset(self, mark: _Mark | None) -> int:
        index = mark.index if mark else 0
        return min(index + self.shift, len(self.source.text))

    def _start(
        self,
        event: yaml.ScalarEvent | yaml.SequenceStartEvent | yaml.MappingStartEvent,
    ) -> int:
        """Return where a node begins, its anchor and tag left out."""
        at = self._offset(event.start_mark)
        if event.anchor is None and event.tag is None:
            return at
        match = _PROPERTIES.match(self.source.text, at)
        return match.end() if match else at

    def _report(
        self, code: str, message: str, span: Span, hint: str = "", *notes: Note
    ) -> None:
        self.problems.append(Problem(code, message, span, hint, notes=notes))
        if len(self.problems) >= MAX_PROBLEMS:
            raise _Stop

    def _stop(
        self, code: str, message: str, span: Span, hint: str = "", *notes: Note
    ) -> NoReturn:
        self._report(code, message, span, hint, *notes)
        raise _Stop


def _shorten(text: str) -> str:
    """Return a text fit for a one-line message."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:59]}…"
