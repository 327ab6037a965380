"""Put what a ruleset takes from libraries in its sections, as if written there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..text.errors import Note, Problem, closest
from ..text.tree import Mapping, Node, Scalar, Sequence
from .lineage import File

SECTIONS: Final = (
    "options",
    "values",
    "zones",
    "state",
    "define",
    "rows",
    "moves",
    "steps",
    "scoring",
)
# Sections of a whole ruleset, in the order in which they are printed.
_ORDER: Final = (
    "cardrun",
    "name",
    "family",
    "about",
    "players",
    "deck",
    "options",
    "values",
    "zones",
    "state",
    "define",
    "rows",
    "moves",
    "play",
    "steps",
    "scoring",
    "result",
    "limit",
)
_NEAR: Final = 3  # scoring lines this alike are taken for one misspelt

Entry = tuple[Scalar, Node]


def lend(file: File) -> tuple[Mapping, list[Problem]]:
    """Return a ruleset with all of its libraries, and what does not fit."""
    problems: list[Problem] = []
    sections = {
        key.text: (key, value) for key, value in file.root.entries if key.text != "use"
    }
    for name in SECTIONS:
        lent = list(_collect(file, name, problems))
        if not lent:
            continue
        own = file.root.get(name)
        parts = own.entries if isinstance(own, Mapping) else ()
        problems += _check_section(name, parts, lent)
        taken = tuple(find_state(file.root)) if name == "state" else parts
        kept = [entry for entry in lent if find_entry(taken, entry[0].text) is None]
        key = sections[name][0] if name in sections else Scalar(name, lent[0][0].span)
        span = own.span if own else lent[0][1].span
        sections[name] = key, Mapping((*kept, *parts), span)
    ordered = sorted(
        sections.values(), key=lambda entry: place_of_section(entry[0].text)
    )
    if not file.libraries:
        ordered = list(sections.values())
    return Mapping(tuple(ordered), file.root.span), problems


def find_state(root: Mapping) -> Iterator[Entry]:
    """Return every declaration of a variable, the game's first."""
    own = root.get("state")
    yield from own.entries if isinstance(own, Mapping) else ()
    for section in ("play", "steps"):
        yield from _find_inside(root.get(section))


def name_of(signature: str) -> str:
    """Return the name of ``out(p)``: ``out``."""
    return signature.partition("(")[0].strip()


def parameters_of(signature: str) -> tuple[str, ...]:
    """Return the parameters of ``out(p)``: ``p``."""
    inside = signature.partition("(")[2].rstrip(") ")
    return tuple(word.strip() for word in inside.split(",") if word.strip())


def find_entry(entries: tuple[Entry, ...], signature: str) -> Entry | None:
    """Return the entry of a name, whatever parameters it has."""
    name = name_of(signature)
    return next((entry for entry in entries if name_of(entry[0].text) == name), None)


def place_of_section(section: str) -> int:
    """Return where a section stands among those of a ruleset."""
    return _ORDER.index(section) if section in _ORDER else len(_ORDER)


def _find_inside(node: Node | None) -> Iterator[Entry]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _find_inside(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            if key.text != "state":
                yield from _find_inside(value)
            elif isinstance(value, Mapping):
                yield from value.entries


def _collect(file: File, section: str, problems: list[Problem]) -> Iterator[Entry]:
    """Return what the libraries have of a section; two of one name are a problem."""
    found: dict[str, Scalar] = {}
    own = file.root.get(section)
    declared = own.entries if isinstance(own, Mapping) else ()
    for library in file.libraries:
        node = library.root.get(section)
        for key, value in node.entries if isinstance(node, Mapping) else ():
            name = name_of(key.text)
            if name in found and find_entry(declared, name) is None:
                problems.append(_report_clash(section, key, found[name]))
            found[name] = key
            yield key, value


def _report_clash(section: str, key: Scalar, other: Scalar) -> Problem:
    return Problem(
        "libraries-clash",
        f"two libraries have '{name_of(key.text)}' in {section}",
        key.span,
        "Use one of them, or declare the name in the ruleset itself.",
        notes=(Note("the other one", other.span),),
    )


def _check_section(
    section: str, own: tuple[Entry, ...], lent: list[Entry]
) -> Iterator[Problem]:
    """Find what takes a library's place without fitting in it."""
    for key, _ in own:
        taken = find_entry(tuple(lent), key.text)
        if taken is not None:
            if len(parameters_of(key.text)) != len(parameters_of(taken[0].text)):
                yield _report_parameters(key, taken[0])
        elif section == "scoring":
            names = [name_of(other.text) for other, _ in lent]
            near = closest(key.text, names)
            if near and _distance(key.text, near[0]) < _NEAR:
                other = next(k for k, _ in lent if k.text == near[0])
                yield _report_near(key, other)


def _distance(one: str, other: str) -> int:
    """Return how many letters must be changed to turn one text into another."""
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, wanted in enumerate(other, 1):
            least = min(row[j] + 1, row[j - 1] + 1, before + (letter != wanted))
            before, row[j] = row[j], least
    return row[-1]


def _report_parameters(key: Scalar, taken: Scalar) -> Problem:
    return Problem(
        "other-parameters",
        f"'{key.text}' takes the place of '{taken.text}', which has other parameters",
        key.span,
        f"Give it as many parameters as '{taken.text}' has, or another name.",
        notes=(Note("what is replaced", taken.span),),
    )


def _report_near(key: Scalar, other: Scalar) -> Problem:
    return Problem(
        "name-too-near",
        f"'{key.text}' is added to the line '{other.text}' of a library, which is "
        "spelt nearly alike",
        key.span,
        f"Write '{other.text}' to take its place; else choose a name less like it.",
        notes=(Note("the line of the library", other.span),),
    )
