"""YAML is read as text, every node knows its place, no file does harm."""

from __future__ import annotations

import time
from collections.abc import Iterator
from textwrap import dedent

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cardrun.interpreter.sheets.explanations import CODES
from cardrun.interpreter.text.errors import Problem
from cardrun.interpreter.text.reader import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    decode,
    read,
)
from cardrun.interpreter.text.source import Source


def load(text: str) -> Node:
    """Read a sound text."""
    node, problems = read(Source("x.yaml", dedent(text)))
    assert problems == []
    assert node is not None
    return node


def complain(text: str) -> list[Problem]:
    """Read an unsound text."""
    return read(Source("x.yaml", text))[1]


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below it."""
    yield node
    match node:
        case Sequence():
            for item in node.items:
                yield from walk(item)
        case Mapping():
            for key, value in node.entries:
                yield key
                yield from walk(value)


def simplify(node: Node) -> object:
    """Return a node as plain lists, dicts and texts."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [simplify(item) for item in node.items]
        case Mapping():
            return {key.text: simplify(value) for key, value in node.entries}


TRAPS = [
    "no",
    "on",
    "off",
    "017",
    "1:30",
    "2026-11-30",
    "=",
    "~",
    "null",
    "1e3",
    "0x1F",
]


@pytest.mark.parametrize("text", TRAPS)
def test_every_scalar_stays_text(text: str) -> None:
    """What other programs take for a truth value or a date is text here."""
    assert simplify(load(f"{text}: [{text}]")) == {text: [text]}


def test_an_empty_value_is_an_empty_text() -> None:
    """A key with nothing after it has a value, and the value has a place."""
    node = load("a:\nb: 1\n")
    assert isinstance(node, Mapping)
    value = node.get("a")
    assert isinstance(value, Scalar)
    assert (value.text, value.span.line, value.span.column) == ("", 1, 3)


def test_a_mapping_gives_its_keys_in_order() -> None:
    """A key that is not there gives None."""
    node = load("b: 1\na: {c: 2}\n")
    assert isinstance(node, Mapping)
    assert node.keys() == ("b", "a")
    assert node.get("c") is None
    assert [key.span.line for key, _ in node.entries] == [1, 2]


def test_nodes_know_their_places() -> None:
    """A block ends where its last value ends, a flow with its bracket."""
    node = load("a:\n  - b: 1\n  - {c: 2 }\n\n# end\n")
    texts = [part.span.text for part in walk(node)]
    assert texts == [
        "a:\n  - b: 1\n  - {c: 2 }",
        "a",
        "- b: 1\n  - {c: 2 }",
        "b: 1",
        "b",
        "1",
        "{c: 2 }",
        "c",
        "2",
    ]


def test_an_anchor_is_no_part_of_a_place() -> None:
    """The place begins with the value, and an alias shares the node."""
    node = load("a: &x  # twice\n  [b]\nc: *x\nd: &y text\n")
    assert isinstance(node, Mapping)
    assert simplify(node) == {"a": ["b"], "c": ["b"], "d": "text"}
    assert [value.span.text for _, value in node.entries] == ["[b]", "[b]", "text"]


def test_a_byte_order_mark_is_skipped() -> None:
    """A file saved by an editor on Windows reads like any other."""
    node = load("\ufeffname: Spit\r\ndeck: french\r\n")
    assert simplify(node) == {"name": "Spit", "deck": "french"}
    assert [part.span.text for part in walk(node)][1:3] == ["name", "Spit"]


def test_quotes_are_remembered() -> None:
    """Only quotes count: a block scalar may hold an expression."""
    node = load("a: x\nb: 'x'\nc: \"x\"\nd: |\n  x\n")
    assert isinstance(node, Mapping)
    quoted = [value.quoted for _, value in node.entries if isinstance(value, Scalar)]
    assert quoted == [False, True, True, False]


INSIDE = [
    "any(hand, suit == led)",
    "'any(hand, suit == led)'",
    '"any(hand, suit == led)"',
    "'it''s any(hand, suit == led)'",
    r'"\"\u0041\x41\n\t any(hand, suit == led)"',
    "|\n    # no comment\n      any(hand,\n    suit == led)",
    "|-\n\n    any(hand,\n\n      suit == led)",
    ">\n    any(hand,\n    suit == led)",
    "any(hand,\n    suit == led)",
    "'any(hand,\n\n    suit == led)'",
    '"any(hand,\\\n    suit == led)"',
]


@pytest.mark.parametrize("written", INSIDE)
def test_a_place_inside_a_scalar_is_a_place_in_the_file(written: str) -> None:
    """However a value is written, its third word is found in the file."""
    node = load(f"rule:\n  if: {written}\n")
    scalar = list(walk(node))[-1]
    assert isinstance(scalar, Scalar)
    for part in ("any", "suit", "led"):
        start = scalar.text.index(part)
        assert scalar.at(start, start + len(part)).text == part


def test_a_text_that_is_not_in_the_file_is_placed_as_a_whole() -> None:
    """A scalar made by a program points at what it was made from."""
    span = Source("x.yaml", "fits(c)").span(0, 7)
    assert Scalar("other", span).at(1, 2) == span


BAD = {
    "a: 1\nb: 2\na: 3": "3:1 duplicate-key",
    "{a: 1, 'a': 2}": "1:8 duplicate-key",
    "? [a]\n: b": "1:3 key-not-text",
    "{a: b}: c": "1:1 key-not-text",
    "&a x: 1\n*a : 2": "2:1 key-not-text",
    "a: !!int 3": "1:4 explicit-tag",
    "a: !!str 3": "1:4 explicit-tag",
    "a: !!map {b: 1}": "1:4 explicit-tag",
    "a: !x\n  - b": "1:4 explicit-tag",
    "a: ! b": "1:4 explicit-tag",
    "a: &a [*a]": "1:8 self-reference",
    "a: *hand": "1:4 unknown-alias",
    "a: &x 1\nb: &x 2": "2:7 duplicate-anchor",
    "a: 1\n---\nb: 2": "2:1 second-document",
    "x: &b {a: 1}\ny: {<<: *b}": "2:5 merge-key",
    "a: \x00": "1:4 control-character",
    "a: \u2028": "1:4 control-character",
    "a: \ud800": "1:4 control-character",
    "a: \ufeff": "1:4 control-character",
    "": "1:1 empty-file",
    "\ufeff": "1:1 empty-file",
    "# Hearts\n": "1:1 empty-file",
    "a:\n\tb: c": "2:1 tab-indentation",
    "a:\n \tb": "2:2 tab-indentation",
    "a: b: c": "1:5 yaml-syntax",
    "a: 'x": "1:6 yaml-syntax",
    "a: @b": "1:4 yaml-syntax",
    "a: [1, 2": "1:9 yaml-syntax",
    "a: 'x' y": "1:8 yaml-syntax",
    ": x": "1:1 yaml-syntax",
    "a: 1\n b: 2": "2:3 yaml-syntax",
    "{if: any(hand, suit == led), cards: hand}": "1:6 split-expression",
    "{cards: hand, suit == led}": "1:15 split-expression",
    "- [set(a, b), c]": "1:4 split-expression",
    "[" * 41: "1:41 too-deep",
    "- " * 41: "1:81 too-deep",
    "{a: " * 41: "1:161 too-deep",
    "x" * 1_000_001: "1:1 file-too-large",
    "é" * 500_001: "1:1 file-too-large",
}


@pytest.mark.parametrize(("text", "fact"), BAD.items(), ids=lambda text: text[:30])
def test_a_mistake_is_found_at_its_place(text: str, fact: str) -> None:
    """One mistake is one problem, with a hint."""
    found = [
        f"{problem.span.line}:{problem.span.column} {problem.code}"
        for problem in complain(text)
        if problem.hint
    ]
    assert found == [fact]


def test_every_code_of_the_reader_is_explained() -> None:
    """``cardrun explain`` knows what the reader says."""
    assert {fact.split()[1] for fact in BAD.values()} <= CODES.keys()


def test_a_duplicate_key_names_both_lines() -> None:
    """The first place is a note."""
    (problem,) = complain("a: 1\nb: 2\na: 3\n")
    assert problem.message == "the key 'a' stands on line 1 and again on line 3"
    assert [note.span.line for note in problem.notes] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "{if: any(hand, suit == led)}",
        "{if: hand[1]}",
        "{cards: hand, suit == led}",
        "a: {b: c: d}",
        "a: [b, c\nd: e",
    ],
)
def test_inside_brackets_the_hint_says_what_helps(text: str) -> None:
    """The comma that cuts an expression in two is the commonest trap."""
    (problem,) = complain(text)
    assert "quote it or use block style" in problem.hint


@pytest.mark.parametrize(
    "text",
    [
        "{a: , b: 1}",
        "{size(1.spit): 5}",
        "[play 8C centre.2, 'f(a', f(b)]",
        "{because: '(a, b)', a: (b)}",
        "{1: {includes: [play 4S 4C]}}",
    ],
)
def test_sound_brackets_are_left_alone(text: str) -> None:
    """Keys, moves and quoted texts are no halves of an expression."""
    load(text)


def test_the_tree_is_deep_enough() -> None:
    """Forty levels are allowed, aliases included."""
    load("[" * 40 + "]" * 40)
    assert complain("a: &a " + "[" * 30 + "]" * 30 + "\nb: [[[[[[[[[[[*a]]]]]]]]]]]")


def test_long_files_without_aliases_are_no_bombs() -> None:
    """Aliases alone are counted as what they unfold to."""
    load("\n".join(f"key{number}: [a, b]" for number in range(15_000)))


HOSTILE = {
    "billion laughs": "a0: &a0 [x, x]\n"
    + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60)),
    "many aliases": f"a: &a x\nb: [{'*a,' * 240_000}]",
    "a chain of aliases": "a0: &a0 [x]\n"
    + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 20_000)),
    "open brackets": "[" * 900_000,
    "open braces": "{" * 900_000,
    "dashes": "- " * 450_000,
    "question marks": "? " * 450_000,
    "colons": ": " * 450_000,
    "many items": "- a\n" * 240_000,
    "many commas": f"[{'a,' * 450_000}]",
    "one duplicate after another": "a: 1\n" * 190_000,
    "unknown aliases": "- *z\n" * 190_000,
    "tags": "- !a\n" * 190_000,
    "documents": "---\n" * 240_000,
    "directives": "%a\n" * 300_000,
    "spaces after an anchor": f"&a {' ' * 900_000}b",
    "line breaks": "\n" * 999_999,
    "a quote": '"' * 900_001,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_given_up_soon(text: str) -> None:
    """A file of 1 MB takes about a second at most, whatever it holds."""
    start = time.process_time()
    read(Source("x.yaml", text))
    assert time.process_time() - start < 3


@pytest.mark.parametrize("name", ["CSafeLoader", "SafeLoader"])
def test_both_loaders_of_pyyaml_serve(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where PyYAML was built without libyaml its own parser does the same."""
    if name == "SafeLoader":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    text = "a: &x 'b'\nc: [*x, {d: \"e\"}]\nf: |\n  g\n"
    node = load(text)
    assert simplify(node) == {"a": "b", "c": ["b", {"d": "e"}], "f": "g\n"}
    assert [part.span.text for part in walk(node)][1:3] == ["a", "'b'"]
    assert [problem.code for problem in complain("[" * 2000)] in (
        ["too-deep"],
        ["yaml-syntax"],
    )
    assert [problem.code for problem in complain("a: [b: c: d")] == ["yaml-syntax"]


def test_bytes_decode_as_utf_8() -> None:
    """The first byte that does not is shown, and the rest can be quoted."""
    source, problems = decode("x.yaml", "name: Café".encode("latin-1"))
    assert [(problem.code, problem.span.column) for problem in problems] == [
        ("not-utf-8", 10)
    ]
    assert source.text == "name: Caf\N{REPLACEMENT CHARACTER}"
    assert decode("x.yaml", "é".encode()) == (Source("x.yaml", "é"), [])


SIGNS = st.sampled_from("ab:-,[]{}&*!|>'\"%@`#?<=~ \n\t\r\\\ufeff\x00é")
TEXTS = st.one_of(st.text(SIGNS, max_size=60), st.text(max_size=60))


@given(TEXTS)
def test_no_text_raises(text: str) -> None:
    """Any text gives nodes or problems, and every problem prints."""
    node, problems = read(Source("x.yaml", text))
    assert (node is None) <= bool(problems)
    assert all(problem.render() for problem in problems)
    for part in walk(node) if node else ():
        assert 0 <= part.span.start <= part.span.end <= len(text)


@given(st.binary(max_size=60))
def test_no_bytes_raise(data: bytes) -> None:
    """Bytes of any kind are text or a problem that prints."""
    source, problems = decode("x.yaml", data)
    assert all(problem.render() for problem in [*problems, *read(source)[1]])


@given(TEXTS)
def test_every_scalar_quotes_back(text: str) -> None:
    """Each visible character of a scalar is found where ``at`` says it is."""
    node, _ = read(Source("x.yaml", text))
    for part in walk(node) if node else ():
        if not isinstance(part, Scalar) or part.span.text.startswith('"'):
            continue
        for index, character in enumerate(part.text):
            if not character.isspace():
                assert part.at(index, index + 1).text == character


@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"))))
def test_quoted_text_comes_back(text: str) -> None:
    """What an author puts between single quotes is the value."""
    if "\ufeff" in text or "\ufffe" in text or "\uffff" in text:
        return
    written = text.replace("'", "''")
    assert simplify(load(f"a: '{written}'")) == {"a": text}
