"""Put a variant and what it extends together into one ruleset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from .errors import Note, Problem, suggest
from .lineage import MAX_FILES, SHIPPED, File, ReadSource, follow
from .loan import lend
from .shape import check_shape
from .source import Source
from .spelling import shorten
from .tree import Mapping, Node, Scalar

__all__ = ["MAX_FILES", "SHIPPED", "Composed", "compose"]


@dataclass(frozen=True, slots=True)
class Composed:
    """A whole ruleset, and the option values that its variants chose.

    The sources go from the file that was asked for down to the base.
    """

    name: str
    root: Mapping
    chosen: dict[str, Scalar]
    sources: tuple[Source, ...]

    @property
    def is_library(self) -> bool:
        """Whether this is a library: parts of rulesets, but no game."""
        return self.root.get("library") is not None


def compose(
    path: Path, read_source: ReadSource
) -> tuple[Composed | None, list[Problem]]:
    """Return the ruleset that a file and its bases make, and what is wrong.

    Args:
        path: The file asked for.
        read_source: Returns the text of a file. An OSError that it raises for
            a base becomes a problem of the file that extends it; those of a
            RulesError are reported as they are.

    Raises:
        OSError: The file asked for cannot be read.
    """
    files, problems = follow(path, read_source)
    if files and files[-1].root.get("extends") is None:
        problems += _check_options(files)
        problems += _check_players(files)
    if problems:
        return None, problems
    *variants, base = files
    root, problems = lend(base)
    if base.libraries:
        problems += check_shape(root)
    if problems:
        return None, problems
    chosen = dict[str, Scalar]()
    for variant in reversed(variants):
        root = _overlay(root, variant.root)
        chosen |= {name.text: value for name, value in _read_values(variant)}
    sources = tuple(file.source for file in files)
    sources += tuple(library.source for library in base.libraries)
    name = _read_text(root, "name") or _read_text(root, "library")
    return Composed(name, root, chosen, sources), []


def _check_options(files: list[File]) -> Iterator[Problem]:
    """Find values of options that the base does not declare."""
    *variants, base = files
    section = base.root.get("options")
    declared = section.keys() if isinstance(section, Mapping) else ()
    for variant in variants:
        for name, _ in _read_values(variant):
            if name.text not in declared:
                message = f"unknown option '{shorten(name.text)}'"
                hint = suggest(name.text, declared, "options")
                yield Problem("unknown-option", message, name.span, hint)


def _check_players(files: list[File]) -> Iterator[Problem]:
    """Find player counts of a variant that what it extends does not have."""
    told = [file for file in files if file.root.get("players") is not None]
    for variant, base in pairwise(told):
        players, whole = variant.root.get("players"), base.root.get("players")
        assert players is not None
        assert whole is not None
        allowed = set(_read_counts(whole))
        excess = [count for count in _read_counts(players) if count not in allowed]
        if allowed and excess:
            yield _report_players(excess[0], players, whole)


def _report_players(count: int, players: Node, whole: Node) -> Problem:
    return Problem(
        "extra-players",
        f"the base is not for {count} players",
        players.span,
        "A variant may leave out player counts, but not add any.",
        notes=(Note("the players of the base", whole.span),),
    )


def _read_values(variant: File) -> Iterator[tuple[Scalar, Scalar]]:
    section = variant.root.get("options")
    for name, value in section.entries if isinstance(section, Mapping) else ():
        if isinstance(value, Scalar):
            yield name, value


def _read_text(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _read_counts(players: Node) -> range:
    """Return the player counts of ``4``, ``2..5`` or a mapping with such a count."""
    if isinstance(players, Mapping):
        text = _read_text(players, "count")
    else:
        text = players.text if isinstance(players, Scalar) else ""
    low, _, high = text.partition("..")
    if not (low.isdecimal() and (high or low).isdecimal()):
        return range(0)
    return range(int(low), int(high or low) + 1)


def _overlay(base: Mapping, variant: Mapping) -> Mapping:
    """Return the base with what a variant says of the whole game."""
    entries: list[tuple[Scalar, Node]] = []
    for key, value in base.entries:
        if key.text == "name":
            entries += [
                (label, said)
                for label, said in variant.entries
                if label.text in ("name", "family", "about")
            ]
        elif key.text == "players" and (players := variant.get("players")):
            entries.append((key, _overlay_players(value, players)))
        elif key.text not in ("family", "about") or variant.get(key.text) is None:
            entries.append((key, value))
    return Mapping(tuple(entries), base.span)


def _overlay_players(base: Node, variant: Node) -> Mapping:
    """Return the counts of a variant with the default and partners of the base."""
    counts = {str(count) for count in _read_counts(variant)}
    entries = _spell_out(variant)
    if not any(key.text == "default" for key, _ in entries):
        entries += [
            (key, value)
            for key, value in _spell_out(base)
            if key.text == "default"
            and isinstance(value, Scalar)
            and value.text in counts
        ]
    for key, value in _spell_out(base):
        if key.text == "partners":
            entries.append((key, _restrict(value, counts)))
    return Mapping(tuple(entries), variant.span)


def _spell_out(players: Node) -> list[tuple[Scalar, Node]]:
    """Return the entries of the long form of ``players``."""
    if isinstance(players, Mapping):
        return list(players.entries)
    return [(Scalar("count", players.span), players)]


def _restrict(partners: Node, counts: set[str]) -> Node:
    if not isinstance(partners, Mapping):
        return partners
    kept = tuple(entry for entry in partners.entries if entry[0].text in counts)
    return Mapping(kept, partners.span)
