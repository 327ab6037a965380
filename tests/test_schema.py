"""The schema is sound, closed, and the same for editors and for us."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from cardrun.interpreter.text.reader import Node, decode, read
from cardrun.interpreter.text.schema import SCHEMA_FILE, find_breaches, load_definitions

ROOT = Path(__file__).parent.parent
SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
RULESETS = sorted(
    path for path in (ROOT / "rulesets").rglob("*.yaml") if path.parent.name != "text"
)
EXAMPLES = [*RULESETS, *sorted((ROOT / "tests" / "invalid").glob("*.yaml"))]


def walk(part: object) -> Iterator[dict[str, Any]]:
    """Yield every object in a schema."""
    if isinstance(part, dict):
        yield part
        part = list(part.values())
    for child in part if isinstance(part, list) else ():
        yield from walk(child)


def read_node(path: Path) -> Node | None:
    """Read the nodes of a file, or nothing if it is not YAML."""
    source, problems = decode(path.name, path.read_bytes())
    node, found = read(source)
    return None if problems or found else node


def name_keys(value: object) -> object:
    """Turn the keys of YAML into the texts that they are in JSON."""
    if isinstance(value, dict):
        words = {True: "yes", False: "no"}
        return {
            words[key] if isinstance(key, bool) else str(key): name_keys(inner)
            for key, inner in value.items()
        }
    return [name_keys(inner) for inner in value] if isinstance(value, list) else value


def test_the_schema_is_a_schema() -> None:
    """It obeys the rules of its draft."""
    Draft202012Validator.check_schema(SCHEMA)


def test_every_mapping_is_closed() -> None:
    """An object that lists keys allows no others, or says what they hold."""
    is_open = [
        part
        for part in walk(SCHEMA)
        if isinstance(part.get("properties"), dict)
        and part.get("type") == "object"
        and "additionalProperties" not in part
    ]
    assert is_open == []


def test_there_is_no_keyword_that_explains_itself_badly() -> None:
    """Choices are made by a key, so that a mistake has one message."""
    used = {keyword for part in walk(SCHEMA) for keyword in part}
    assert used.isdisjoint({"oneOf", "allOf", "unevaluatedProperties", "$dynamicRef"})


def test_every_key_has_a_text_for_editors() -> None:
    """Hovering over a key shows what it is for."""
    silent = [
        key
        for part in walk(SCHEMA)
        if part.get("type") == "object"
        for key, value in part.get("properties", {}).items()
        if value and not (value.get("description") or describe(value))
    ]
    assert silent == []


def describe(value: dict[str, Any]) -> str:
    """Return the text of the definition that a key refers to."""
    definition = load_definitions()[value["$ref"].removeprefix("#/$defs/")]
    return str(definition.get("description", ""))


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_editors_accept_the_shipped_rulesets(path: Path) -> None:
    """With YAML's numbers and truth values, too, nothing is amiss."""
    typed = name_keys(yaml.safe_load(path.read_text(encoding="utf-8")))
    assert list(Draft202012Validator(SCHEMA).iter_errors(typed)) == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_our_shortcut_agrees_with_the_schema_as_written(path: Path) -> None:
    """Unfolding the references changes no verdict."""
    node = read_node(path)
    if node is None:
        return
    plain = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    written = Draft202012Validator(SCHEMA).iter_errors(plain)
    places = {tuple(error.absolute_path) for error in written}
    assert {breach.place for breach in find_breaches(node)} == places
