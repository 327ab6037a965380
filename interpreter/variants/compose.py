"""Put a ruleset, its variants and house rules together into one ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ..text.errors import Note, Problem, RulesError, suggest
from ..text.shape import check_shape
from ..text.source import Source
from ..text.spelling import shorten
from ..text.tree import Mapping, Node, Scalar
from .lineage import (
    HOUSE_RULES,
    MAX_FILES,
    SHIPPED,
    File,
    ReadSource,
    follow,
    list_places,
    parse_file,
    read_base,
)
from .loan import lend
from .path import Missing, find, get
from .revision import (
    Conflicts,
    Draft,
    Replaced,
    apply,
    check_removed,
    fingerprint,
    read_changes,
)

__all__ = ["HOUSE_RULES", "MAX_FILES", "SHIPPED", "Composed", "compose"]

# A variant without any of these is the game that it extends.
_CHANGES: Final = ("players", "options", "replace", "add", "remove")


@dataclass(frozen=True, slots=True)
class Composed:
    """A whole ruleset, and the option values that its variants chose.

    The sources go from the file that was asked for down to the base, then to its
    libraries and to the house rules laid over it, so many. The authored ones are
    those that must use what they declare: libraries need not, nor a base that
    others change. Definitions that were replaced are listed under the names of
    today.
    """

    name: str
    root: Mapping
    chosen: dict[str, Scalar]
    sources: tuple[Source, ...]
    authored: tuple[Source, ...] = ()
    replaced: tuple[Replaced, ...] = ()
    overlaid: int = 0

    @property
    def is_library(self) -> bool:
        """Whether this is a library: parts of rulesets, but no game."""
        return self.root.get("library") is not None


@dataclass(frozen=True, slots=True)
class _Layer:
    """One file to be laid over those that it builds on."""

    file: File
    ancestors: frozenset[str] = frozenset()
    is_house_rule: bool = False


@dataclass
class _Stack:
    """Layers from the base up, and what lies on them so far."""

    draft: Draft
    layers: list[_Layer] = field(default_factory=list)
    chosen: dict[str, tuple[Scalar, File]] = field(default_factory=dict)


def compose(
    path: Path,
    read_source: ReadSource,
    house_rules: Sequence[Path] = (),
    choice: int | None = None,
) -> tuple[Composed | None, list[Problem]]:
    """Return the ruleset that a file, its bases and house rules make.

    Args:
        path: The file asked for.
        read_source: Returns the text of a file. An OSError that it raises for
            a base becomes a problem of the file that extends it; those of a
            RulesError are reported as they are.
        house_rules: Files that are laid over it, in this order.
        choice: Which of several bases the file is laid over.

    Returns:
        The ruleset, unless something is wrong, and what is wrong.

    Raises:
        OSError: The file asked for, or a house rule, cannot be read.
    """
    files, problems = follow(path, read_source, choice or 0)
    if files and len(files[0].bases) > 1 and choice is None:
        problems.append(_report_bases(files[0]))
    if not problems:
        problems += [problem for file in files for problem in _check_empty(file)]
    if problems:
        return None, problems
    layers = _list_layers(files)
    for house_rule in house_rules:
        found, wrong = _attach(house_rule, layers, read_source)
        layers += found
        problems += wrong
    problems += _check_conflicts(layers)
    if problems:
        return None, problems
    stack, problems = _pile_up(layers)
    return (None, problems) if problems else (_finish(stack, files, layers), [])


def _finish(stack: _Stack, files: list[File], layers: list[_Layer]) -> Composed:
    root = stack.draft.root
    sources = [file.source for file in files]
    sources += [library.source for file in files for library in file.libraries]
    laid_over = [layer.file.source for layer in layers if layer.is_house_rule]
    sources += laid_over
    name = _read_text(root, "name") or _read_text(root, "library")
    chosen = {option: value for option, (value, _) in stack.chosen.items()}
    authored = tuple(layer.file.source for layer in layers[1:] or layers)
    replaced = tuple(stack.draft.replaced.values())
    return Composed(
        name, root, chosen, tuple(sources), authored, replaced, len(laid_over)
    )


# The files to lay over one another


def _list_layers(files: list[File]) -> list[_Layer]:
    """Return a base and its variants as layers, the base first."""
    layers: list[_Layer] = []
    for file in reversed(files):
        layers.append(_Layer(file, _name_places(layers)))
    return layers


def _name_places(layers: list[_Layer]) -> frozenset[str]:
    """Return where the files of some layers lie, and those of their libraries."""
    files = [layer.file for layer in layers]
    files += [library for file in files for library in file.libraries]
    return frozenset(str(file.place) for file in files)


def _attach(
    path: Path, layers: list[_Layer], read_source: ReadSource, depth: int = 0
) -> tuple[list[_Layer], list[Problem]]:
    """Return the layers that a house rule adds to those of a game.

    Raises:
        OSError: The file cannot be read.
    """
    try:
        file, problems = parse_file(path, read_source(path))
    except RulesError as error:
        return [], list(error.problems)
    if file is None or problems or str(file.place) in _name_places(layers):
        return [], problems
    if not file.bases:
        return [], [_report_whole(file)]
    if problems := list(_check_empty(file)):
        return [], problems
    if (ancestors := _find_base(file, layers)) is not None:
        return [_Layer(file, ancestors, is_house_rule=True)], []
    return _attach_base(file, layers, read_source, depth)


def _find_base(file: File, layers: list[_Layer]) -> frozenset[str] | None:
    """Return what a house rule builds on, if that is there already."""
    for link in file.bases:
        for place in list_places(file, link):
            for layer in layers:
                known = [layer.file, *layer.file.libraries]
                if any(other.place == place.resolve() for other in known):
                    return layer.ancestors | _name_places([layer])
    return None


def _attach_base(
    file: File, layers: list[_Layer], read_source: ReadSource, depth: int
) -> tuple[list[_Layer], list[Problem]]:
    """Attach the house rule that another one builds on, then that one."""
    link = file.bases[0]
    try:
        base, source = read_base([file], link, read_source)
    except RulesError as error:
        return [], list(error.problems)
    found, problems = parse_file(base, source)
    if problems:
        return [], problems
    if found is None or not found.bases or len(file.bases) > 1 or depth > MAX_FILES:
        return [], [_report_other_game(file, layers)]
    below, problems = _attach(base, layers, read_source, depth + 1)
    if problems:
        return [], problems
    ancestors = _find_base(file, [*layers, *below]) or frozenset()
    return [*below, _Layer(file, ancestors, is_house_rule=True)], []


def _check_conflicts(layers: list[_Layer]) -> Iterator[Problem]:
    """Find house rules that say that they cannot be combined."""
    places = {str(layer.file.place): layer.file for layer in layers}
    for layer in layers:
        node = layer.file.root.get("conflicts_with")
        for link in getattr(node, "items", (node,)):
            if not isinstance(link, Scalar):
                continue
            ways = [*list_places(layer.file, link), HOUSE_RULES / f"{link.text}.yaml"]
            there = [way for way in ways if way.is_file()]
            if not there:
                yield _report_no_rule(link)
            elif other := places.get(str(there[0].resolve())):
                yield _report_conflict(layer.file, other, link)


def _check_empty(file: File) -> Iterator[Problem]:
    """Find a variant that says nothing."""
    if file.bases and all(file.root.get(key) is None for key in _CHANGES):
        yield Problem(
            "changes-nothing",
            f"'{file.path.name}' changes nothing of what it extends",
            file.bases[0].span,
            "Give it options, players, or something to replace, add or remove.",
        )


def _report_bases(file: File) -> Problem:
    return Problem(
        "several-bases",
        f"'{file.path.name}' fits {len(file.bases)} rulesets",
        file.bases[0].span,
        f"Lay it over one of them: cardrun {file.bases[0].text} --with "
        f"{file.path.name}.",
    )


def _report_whole(file: File) -> Problem:
    return Problem(
        "not-a-house-rule",
        f"'{file.path.name}' is a game of its own, not a house rule",
        file.root.entries[0][0].span,
        "A house rule says with 'extends' what it changes.",
    )


def _report_other_game(file: File, layers: list[_Layer]) -> Problem:
    names = " or ".join(f"'{link.text}'" for link in file.bases)
    # A copy of a game has its name, and is told apart by where it lies.
    path = layers[0].file.path
    game = path.name if f"'{path.name}'" not in names else str(path)
    return Problem(
        "other-game",
        f"'{file.path.name}' is a house rule for {names}, not for '{game}'",
        file.bases[0].span,
        "Play that game with it, or list this game under 'extends' too.",
    )


def _report_no_rule(link: Scalar) -> Problem:
    return Problem(
        "missing-base",
        f"there is no file '{shorten(link.text)}' to be in conflict with",
        link.span,
        "Give the path of a house rule, or the name of a shipped one.",
    )


def _report_conflict(file: File, other: File, link: Scalar) -> Problem:
    return Problem(
        "conflicting-rules",
        f"'{file.path.name}' cannot be combined with '{other.path.name}'",
        link.span,
        "Leave one of them out.",
    )


# Laying them over one another


def _pile_up(layers: list[_Layer]) -> tuple[_Stack, list[Problem]]:
    """Return what layers make, from the base up, and what is wrong with it."""
    base = layers[0].file
    root, problems = lend(base)
    stack = _Stack(Draft(root), [layers[0]])
    if base.libraries and not problems:
        problems += check_shape(root)
    if problems:
        return stack, problems
    for layer in layers[1:]:
        _lay(stack, layer)
        stack.layers.append(layer)
    problems += stack.draft.problems
    problems += check_removed(stack.draft)
    if stack.draft.changed and not problems:
        problems += check_shape(stack.draft.root)
    return stack, problems


def _lay(stack: _Stack, layer: _Layer) -> None:
    """Lay one file over the others."""
    draft = stack.draft
    changes, problems = read_changes(layer.file)
    draft.problems += [*problems, *_check_fingerprints(stack, layer)]
    conflicts = Conflicts(layer.ancestors)
    for change in changes:
        apply(draft, layer.file, change, conflicts)
    draft.problems += _choose_options(stack, layer)
    draft.problems += _check_players(stack, layer)
    if layer.is_house_rule:
        draft.root = _overlay(draft.root, _name_together(stack, layer.file.root))
    else:
        draft.root = _overlay(draft.root, layer.file.root)


def _check_fingerprints(stack: _Stack, layer: _Layer) -> Iterator[Problem]:
    """Find rules that have changed since a variant was written against them."""
    changes, _ = read_changes(layer.file)
    marked = [change for change in changes if change.was is not None]
    if not marked:
        return
    below = [other for other in stack.layers if _is_below(other, layer)]
    root = stack.draft.root
    if len(below) < len(stack.layers):
        root = _pile_up(below)[0].draft.root
    for change in marked:
        steps = find(root, change.words)
        assert change.was is not None
        if isinstance(steps, Missing):
            continue
        mark = fingerprint(get(root, steps))
        if mark != change.was.text:
            yield Problem(
                "base-changed",
                f"'{shorten(change.name.text)}' is not what it was when this "
                "replacement was written",
                change.was.span,
                f"Compare the two; if this still fits, let 'was' be {mark}.",
                notes=(Note("what it is now", get(root, steps).span),),
            )


def _is_below(other: _Layer, layer: _Layer) -> bool:
    return str(other.file.place) in layer.ancestors


def _choose_options(stack: _Stack, layer: _Layer) -> Iterator[Problem]:
    """Take the option values of a file; find those that cannot be taken."""
    section = stack.draft.root.get("options")
    declared = section.keys() if isinstance(section, Mapping) else ()
    for name, value in _read_values(layer.file):
        if name.text not in declared:
            message = f"unknown option '{shorten(name.text)}'"
            hint = suggest(name.text, declared, "options")
            yield Problem("unknown-option", message, name.span, hint)
            continue
        before = stack.chosen.get(name.text)
        if before and before[0].text != value.text:
            other = before[1]
            if str(other.place) not in layer.ancestors:
                yield _report_two_values(name, value, layer.file, before)
                continue
        stack.chosen[name.text] = value, layer.file


def _report_two_values(
    name: Scalar, value: Scalar, file: File, before: tuple[Scalar, File]
) -> Problem:
    return Problem(
        "option-set-twice",
        f"'{file.path.name}' and '{before[1].path.name}' set the option "
        f"'{name.text}' to two values",
        value.span,
        "Leave one of them out.",
        notes=(Note("the earlier value", before[0].span),),
    )


def _check_players(stack: _Stack, layer: _Layer) -> Iterator[Problem]:
    """Find player counts of a variant that what it extends does not have."""
    players, whole = layer.file.root.get("players"), stack.draft.root.get("players")
    if players is None or whole is None:
        return
    allowed = set(_read_counts(whole))
    excess = [count for count in _read_counts(players) if count not in allowed]
    if allowed and excess:
        yield _report_players(excess[0], players, whole)


def _name_together(stack: _Stack, house_rule: Mapping) -> Mapping:
    """Return a house rule as one that says its name after that of the game."""
    name = _read_text(house_rule, "name")
    for layer in stack.layers:
        game = _read_text(layer.file.root, "name")
        for joint in (", ", ": ", " "):
            name = name.removeprefix(f"{game}{joint}")
    name = f"{_read_text(stack.draft.root, 'name')}, {name}"
    entries = tuple(
        (key, Scalar(name, value.span) if key.text == "name" else value)
        for key, value in house_rule.entries
        if key.text in ("name", "players")
    )
    return Mapping(entries, house_rule.span)


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
    """Return the counts of a variant with what the base says of them."""
    counts = {str(count) for count in _read_counts(variant)}
    entries = _spell_out(variant)
    has_default = any(key.text == "default" for key, _ in entries)
    for key, value in _spell_out(base):
        if key.text == "default":
            usual = value.text if isinstance(value, Scalar) else ""
            if not has_default and usual in counts:
                entries.append((key, value))
        elif key.text == "partners":
            entries.append((key, _restrict(value, counts)))
        elif key.text == "direction":
            entries.append((key, value))
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
