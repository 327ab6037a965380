"""What ``cardrun show`` prints is the same ruleset, with its places."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardrun
from cardrun.interpreter.text.reader import read
from cardrun.interpreter.text.schema import strip
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.tree import Mapping, Node, Scalar, Sequence
from cardrun.interpreter.variants.compose import Composed, compose
from cardrun.interpreter.variants.printer import print_ruleset, ruleset_as_json

RULESETS = sorted((Path(cardrun.__file__).parent / "rulesets").glob("*.yaml"))
SPAN = Source("made.yaml", "").span(0, 0)
LETTERS = "ab1: #-'\"{}[],&*!|>%@`~?\\\t\nä♠"
SCALARS = st.text(LETTERS, max_size=6).map(lambda text: Scalar(text, SPAN))
KEYS = st.text(LETTERS, min_size=1, max_size=6).map(lambda text: Scalar(text, SPAN))


def make_mapping(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Make mappings whose keys are all different."""
    entries = st.lists(st.tuples(KEYS, nodes), unique_by=lambda entry: entry[0].text)
    return entries.map(lambda made: Mapping(tuple(made), SPAN))


def make_sequence(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """Make lists."""
    return st.lists(nodes).map(lambda items: Sequence(tuple(items), SPAN))


TREES = st.recursive(
    SCALARS,
    lambda nodes: st.one_of(make_mapping(nodes), make_sequence(nodes)),
    max_leaves=10,
)


def read_source(path: Path) -> Source:
    """Read a file as a source."""
    return Source(path.name, path.read_text(encoding="utf-8"))


def read_tree(text: str) -> object:
    """Read a text back as plain lists and dicts."""
    root, problems = read(Source("shown.yaml", text))
    assert problems == []
    assert root is not None
    return strip(root)


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_a_shipped_ruleset_reads_back_the_same(path: Path) -> None:
    """Nothing is lost and nothing added."""
    composed, _ = compose(path, read_source)
    assert composed is not None
    assert read_tree(print_ruleset(composed)) == strip(composed.root)


@settings(max_examples=50)
@given(
    st.lists(
        st.tuples(KEYS, TREES), min_size=1, max_size=4, unique_by=lambda e: e[0].text
    )
)
def test_any_tree_reads_back_the_same(entries: list[tuple[Scalar, Node]]) -> None:
    """Whatever needs quotes gets them."""
    root = Mapping(tuple(entries), SPAN)
    text = print_ruleset(Composed("made", root, {}, ()))
    assert read_tree(text) == strip(root)


def test_parts_name_the_file_they_come_from() -> None:
    """A variant's name is its own; its option value is put into the base."""
    base = "name: Base\noptions:\n  size: {default: 4, among: [4, 5]}\n"
    root, _ = read(Source("base.yaml", base))
    assert isinstance(root, Mapping)
    chosen = {"size": Scalar("5", SPAN)}
    composed = Composed("Variant", root, chosen, ())
    assert print_ruleset(composed) == (
        "name: Base                                                    # base.yaml:1\n"
        "\n"
        "options:                                                      # base.yaml:2\n"
        "  size: {default: 5, among: [4, 5]}                           # base.yaml:3\n"
    )
    assert ruleset_as_json(composed)["places"] == {
        "name": "base.yaml:1",
        "options": "base.yaml:2",
        "options.size": "base.yaml:3",
    }
