"""The schema of ruleset files, and where a file breaks it.

The schema in ``schemas/ruleset.json`` says which keys stand where; editors use
the same file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from .tree import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

SCHEMA_FILE: Final = Path(__file__).parents[2] / "schemas" / "ruleset.json"

Schema = dict[str, Any]
Plain = str | list["Plain"] | dict[str, "Plain"]
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One keyword of the schema that something breaks."""

    keyword: str
    schema: Schema
    key: str | None = None  # the key at fault, where it is not the value

    @property
    def title(self) -> str:
        """What the schema wants here, with its article."""
        return str(self.schema["title"])


@dataclass(frozen=True, slots=True)
class Breach:
    """All that the schema finds wrong with one node."""

    place: Place
    label: Scalar | None  # the key that the node stands under
    node: Node
    faults: tuple[Fault, ...]


def find_breaches(root: Node) -> list[Breach]:
    """Return the nodes that break the schema, outer before inner."""
    found: dict[Place, list[Fault]] = {}
    for error in _load_validator().iter_errors(strip(root)):
        found.setdefault(tuple(error.absolute_path), []).append(_read_error(error))
    return [
        Breach(place, *_locate(root, place), tuple(found[place]))
        for place in sorted(found, key=len)
    ]


@cache
def load_definitions() -> dict[str, Schema]:
    """Return the named parts of the schema as they stand in its file."""
    definitions: dict[str, Schema] = _read_schema()["$defs"]
    return definitions


def link_schema(folder: Path) -> str:
    """Return how a file in a folder names the schema, for an editor.

    A copy beside the file comes first, as ``cardrun schema > ruleset.json`` makes
    it; then the shipped schema, by a path where one can be written that survives
    a move of both, else by its address on this machine.
    """
    if (folder / SCHEMA_FILE.name).is_file():
        return SCHEMA_FILE.name
    root = SCHEMA_FILE.parent.parent.resolve()
    if folder.resolve().is_relative_to(root):
        link = os.path.relpath(SCHEMA_FILE.resolve(), folder.resolve())
        return link.replace(os.sep, "/")
    return SCHEMA_FILE.resolve().as_uri()


def _read_schema() -> Schema:
    schema: Schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return schema


@cache
def _load_validator() -> Draft202012Validator:
    # Imported here because it takes longer than all the rest of checking.
    from jsonschema import Draft202012Validator

    return Draft202012Validator(_unfold(_read_schema()))


def _unfold(schema: Schema) -> Schema:
    """Put the named parts where they are referred to, in place.

    The schema then holds itself, which a validator does not mind. Looking up
    references took three quarters of its time, and would hide the title that
    stands beside a reference.
    """
    definitions = schema.pop("$defs")
    for reference in list(_find_references([schema, definitions])):
        _fill(reference, definitions)
    return schema


def _find_references(part: object) -> Iterator[Schema]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part
        for value in part.values():
            yield from _find_references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _find_references(value)


def _fill(reference: Schema, definitions: dict[str, Schema]) -> None:
    """Merge what a reference means into it; what stands beside it wins."""
    if "$ref" not in reference:
        return
    target = definitions[reference.pop("$ref").removeprefix("#/$defs/")]
    _fill(target, definitions)
    for key, value in target.items():
        reference.setdefault(key, value)


def _read_error(error: ValidationError) -> Fault:
    assert isinstance(error.schema, dict)
    is_of_key = "propertyNames" in error.absolute_schema_path
    key = str(error.instance) if is_of_key else None
    return Fault(str(error.validator), error.schema, key)


def strip(node: Node) -> Plain:
    """Return a node as the plain texts, lists and dicts it is made of."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [strip(item) for item in node.items]
        case Mapping():
            return {key.text: strip(value) for key, value in node.entries}


def _locate(root: Node, place: Place) -> tuple[Scalar | None, Node]:
    """Return the node at a place and the nearest key above it."""
    label: Scalar | None = None
    node = root
    for step in place:
        if isinstance(node, Mapping):
            label, node = next(entry for entry in node.entries if entry[0].text == step)
        elif isinstance(node, Sequence) and isinstance(step, int):
            label, node = None, node.items[step]
    return label, node
