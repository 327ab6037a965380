"""Put a variant and what it extends together into one ruleset."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from .errors import Note, Problem, RulesError, suggest
from .reader import read
from .shape import check_shape
from .source import Source
from .spelling import shorten
from .tree import Mapping, Node, Scalar

SHIPPED: Final = Path(__file__).parent.parent / "rulesets"
MAX_FILES: Final = 8

ReadSource = Callable[[Path], Source]


@dataclass(frozen=True, slots=True)
class Composed:
    """A whole ruleset, and the option values that its variants chose.

    The sources go from the file that was asked for down to the base.
    """

    name: str
    root: Mapping
    chosen: dict[str, Scalar]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class _File:
    """One file of a chain that leads from a variant to its base."""

    path: Path
    source: Source
    root: Mapping

    @property
    def extends(self) -> Scalar | None:
        """The path of the next file, as this one writes it."""
        path = self.root.get("extends")
        return path if isinstance(path, Scalar) and path.text else None


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
    files, problems = _follow(path, read_source)
    if files and files[-1].root.get("extends") is None:
        problems += _check_options(files)
        problems += _check_players(files)
    if problems:
        return None, problems
    *variants, base = files
    root, chosen = base.root, dict[str, Scalar]()
    for variant in reversed(variants):
        root = _overlay(root, variant.root)
        chosen |= {name.text: value for name, value in _read_values(variant)}
    sources = tuple(file.source for file in files)
    return Composed(_read_text(root, "name"), root, chosen, sources), []


def _follow(path: Path, read_source: ReadSource) -> tuple[list[_File], list[Problem]]:
    """Return the files from a variant to its base, as far as they can be read."""
    try:
        source = read_source(path)
    except RulesError as error:
        return [], list(error.problems)
    file, problems = _parse(path, source)
    files = [file] if file else []
    while file and (link := file.extends):
        try:
            base, source = _read_base(files, link, read_source)
        except RulesError as error:
            return files, [*problems, *error.problems]
        file, found = _parse(base, source)
        problems += found
        files += [file] if file else []
    return files, problems


def _parse(path: Path, source: Source) -> tuple[_File | None, list[Problem]]:
    """Return a file, unless it is no mapping, and what is wrong with it alone."""
    root, problems = read(source)
    if root is None or problems:
        return None, problems
    problems = check_shape(root)
    return (_File(path, source, root) if isinstance(root, Mapping) else None), problems


def _read_base(
    files: list[_File], link: Scalar, read_source: ReadSource
) -> tuple[Path, Source]:
    """Read what the last file extends: beside it, else among the shipped.

    Raises:
        RulesError: There is no such file, or it may not be read.
    """
    for path in _list_places(files[-1], link):
        try:
            _check_link(files, link, path)
            return path, read_source(path)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or "it is no path"
            raise RulesError([_report_unreadable(link, reason)]) from error
    raise RulesError([_report_missing(link)])


def _list_places(file: _File, link: Scalar) -> Iterator[Path]:
    yield Path(os.path.normpath(file.path.parent / link.text))
    if ".." not in Path(link.text).parts:
        yield SHIPPED / link.text


def _check_link(files: list[_File], link: Scalar, path: Path) -> None:
    """Refuse a base that lies outside, extends itself, or is too far away."""
    # Links between folders are followed, so that none leads out unseen.
    folders = (files[-1].path.parent.resolve(), SHIPPED.resolve())
    place = path.resolve()
    if not any(place.is_relative_to(folder) for folder in folders):
        raise RulesError([_report_outside(link)])
    known = [file.path.resolve() for file in files]
    if place in known:
        raise RulesError([_report_circle(files[known.index(place) :], link)])
    if len(files) == MAX_FILES:
        raise RulesError([_report_depth(link)])


def _report_missing(link: Scalar) -> Problem:
    return Problem(
        "missing-base",
        f"there is no file '{shorten(link.text)}' to extend",
        link.span,
        "Give the path of a ruleset as seen from the folder of this file, or the "
        "name of a shipped one.",
    )


def _report_unreadable(link: Scalar, reason: str) -> Problem:
    return Problem(
        "unreadable-base",
        f"cannot read '{shorten(link.text)}': {reason.lower()}",
        link.span,
        "Give the path of a ruleset file.",
    )


def _report_outside(link: Scalar) -> Problem:
    return Problem(
        "base-outside",
        f"'{shorten(link.text)}' leads out of the folder of this file",
        link.span,
        "A base lies in the same folder or below it, or among the shipped rulesets.",
    )


def _report_circle(circle: list[_File], link: Scalar) -> Problem:
    names = [file.path.name for file in circle]
    return Problem(
        "base-circle",
        f"'{names[0]}' extends itself: {' > '.join([*names, names[0]])}",
        link.span,
        "One of these files must be a whole ruleset, without 'extends'.",
        notes=tuple(_note_links(circle[:-1])),
    )


def _note_links(files: list[_File]) -> Iterator[Note]:
    for file in files:
        if file.extends:
            yield Note(f"'{file.path.name}' extends this", file.extends.span)


def _report_depth(link: Scalar) -> Problem:
    return Problem(
        "too-many-bases",
        f"more than {MAX_FILES} files extend one another",
        link.span,
        "Let the variants extend the base itself.",
    )


def _check_options(files: list[_File]) -> Iterator[Problem]:
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


def _check_players(files: list[_File]) -> Iterator[Problem]:
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


def _read_values(variant: _File) -> Iterator[tuple[Scalar, Scalar]]:
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
