"""Replace, add and remove the named parts of a ruleset, as a variant says."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

from ..text.errors import Note, Problem, suggest
from ..text.phrases import find_embedded, find_phrases
from ..text.schema import Plain, strip
from ..text.source import Span
from ..text.spelling import shorten
from ..text.tree import Mapping, Node, Scalar, Sequence
from . import basis, path
from .lineage import File
from .loan import SECTIONS, find_entry, name_of, parameters_of, place_of_section
from .path import SHORT_FORMS, Missing, Steps

# A definition that another took the place of: its key, named as today, and body.
Replaced = tuple[Scalar, Node]
Verb = Literal["replace", "add", "remove"]
_LONG_FORMS: Final = {"replace": ("now", "was"), "add": ("now", "after", "before")}
# What is said of the whole game, not replaced like a part of it.
_OF_THE_WHOLE: Final = ("cardrun", "name", "family", "about", "extends", "use")
# Sections whose parts are found by their names elsewhere in the ruleset.
_NAMED: Final = tuple(part for part in SECTIONS if part != "scoring")
_DECISIONS: Final = ("choose", "together", "race")
_LENGTH: Final = 8


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that a variant does to a part of its base."""

    verb: Verb
    name: Scalar
    now: Node
    was: Scalar | None = None
    after: Scalar | None = None
    before: Scalar | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the part's name, without parameters."""
        return tuple(map(name_of, path.split(self.name.text)))

    @property
    def beside(self) -> Scalar | None:
        """The part that it is to stand next to."""
        return self.after or self.before


@dataclass
class Draft:
    """A ruleset while variants change it, and who changed what."""

    root: Mapping
    problems: list[Problem] = field(default_factory=list)
    changed: list[tuple[File, Change]] = field(default_factory=list)
    replaced: dict[str, Replaced] = field(default_factory=dict)

    def report(
        self, code: str, message: str, place: Scalar, hint: str, *notes: Note
    ) -> None:
        """Note a problem."""
        self.problems.append(Problem(code, message, place.span, hint, notes=notes))


def read_changes(file: File) -> tuple[list[Change], list[Problem]]:
    """Return what a variant changes: it replaces, then adds, then removes."""
    changes: list[Change] = []
    problems: list[Problem] = []
    verbs: tuple[Verb, ...] = ("replace", "add")
    for verb in verbs:
        node = file.root.get(verb)
        for name, value in node.entries if isinstance(node, Mapping) else ():
            changes.append(_read_change(verb, name, value, problems))
    node = file.root.get("remove")
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            changes.append(Change("remove", item, item))
    return changes, problems


def _read_change(
    verb: Verb, name: Scalar, value: Node, problems: list[Problem]
) -> Change:
    """Read the short form, a value alone, or the long one, with ``now``."""
    now = value.get("now") if isinstance(value, Mapping) else None
    if now is None or not isinstance(value, Mapping):
        return Change(verb, name, value)
    known = _LONG_FORMS[verb]
    for key, node in value.entries:
        if key.text not in known or not isinstance(node, Scalar | type(now)):
            message = f"unknown key '{shorten(key.text)}' beside 'now'"
            hint = suggest(key.text, known, "keys")
            problems.append(Problem("unknown-key", message, key.span, hint))
    texts = {key.text: node for key, node in value.entries if isinstance(node, Scalar)}
    return Change(
        verb, name, now, texts.get("was"), texts.get("after"), texts.get("before")
    )


def fingerprint(node: Node) -> str:
    """Return the mark of a part: the same as long as the rule is the same."""
    text = json.dumps(_tidy(strip(node)), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def _tidy(value: Plain) -> Plain:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, list):
        return [_tidy(item) for item in value]
    return {key: _tidy(inner) for key, inner in value.items()}


def apply(draft: Draft, file: File, change: Change, earlier: Conflicts) -> None:
    """Make one change, or note what keeps it from being made."""
    words = path.split(change.name.text)
    if words[0] in _OF_THE_WHOLE and len(words) == 1:
        draft.report(
            "unknown-part",
            f"'{words[0]}' is said of the whole game",
            change.name,
            "A variant gives it at the top of its file, if at all.",
        )
        return
    if earlier.refuses(draft, file, change):
        return
    before = len(draft.problems)
    if change.verb == "add":
        _add(draft, change, words)
    elif change.verb == "remove":
        _remove(draft, change, words)
    else:
        _replace(draft, change, words)
    if len(draft.problems) == before:
        draft.changed.append((file, change))


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Tells which earlier changes another file may not undo unawares."""

    ancestors: frozenset[str]

    def refuses(self, draft: Draft, file: File, change: Change) -> bool:
        """Report a change that would undo one of a file it does not build on."""
        for other, earlier in draft.changed:
            if str(other.place) in self.ancestors or other.place == file.place:
                continue
            if self._agree(earlier, change):
                continue
            draft.report(
                "house-rules-clash",
                f"'{file.path.name}' and '{other.path.name}' both "
                f"{_tell(earlier, change)} '{shorten(change.name.text)}'",
                change.name,
                "Leave one of them out, or let the later one call 'base', which is "
                "then the earlier one.",
                Note("the earlier one", earlier.name.span),
            )
            return True
        return False

    def _agree(self, earlier: Change, change: Change) -> bool:
        ours, theirs = change.words, earlier.words
        length = min(len(ours), len(theirs))
        if ours[:length] != theirs[:length]:
            return True
        if "remove" in (earlier.verb, change.verb):
            return earlier.verb == change.verb and ours == theirs
        if "add" in (earlier.verb, change.verb):
            # What is added to a whole that the other replaces would be lost.
            is_inner = change.verb == "add" and len(ours) > len(theirs)
            return is_inner or (ours != theirs and earlier.verb == change.verb)
        return len(ours) >= len(theirs) and basis.mentions(change.now)


def _tell(earlier: Change, change: Change) -> str:
    return change.verb if earlier.verb == change.verb else "change"


def _report_missing(draft: Draft, place: Scalar, missing: Missing) -> None:
    if missing.times:
        draft.report(
            "unknown-part",
            f"there are {missing.times} parts named '{missing.word}' here",
            place,
            "Replace the step or block that holds the one you mean.",
        )
        return
    draft.report(
        "unknown-part",
        f"there is no '{shorten(missing.word)}' for '{shorten(place.text)}'",
        place,
        suggest(
            missing.word,
            [name for name in missing.names if name not in _OF_THE_WHOLE],
            "names",
        ),
    )


# Replacing


def _replace(draft: Draft, change: Change, words: tuple[str, ...]) -> None:
    draft.root = path.unfold(draft.root, words)
    steps = path.find(draft.root, words)
    if isinstance(steps, Missing):
        _report_missing(draft, change.name, steps)
        return
    old, key = path.get(draft.root, steps), path.get_key(draft.root, steps)
    if steps[0] == "define" and len(steps) == 2:
        _redefine(draft, change, words[1], steps, key)
        return
    table = str(steps[-2]) if len(steps) > 1 else ""
    now = basis.fill(change.now, old, str(steps[-1]), table)
    draft.problems += basis.refuse(now)
    named = Scalar(key.text, change.name.span)
    draft.root = path.put(draft.root, steps, now, named)


def _redefine(
    draft: Draft, change: Change, signature: str, steps: Steps, old_key: Scalar
) -> None:
    """Replace a definition, keeping the old one under another name for ``base``."""
    if "(" not in signature:
        signature = old_key.text
    ours, theirs = parameters_of(signature), parameters_of(old_key.text)
    if len(ours) != len(theirs) or (set(ours) == set(theirs) and ours != theirs):
        draft.report(
            "other-parameters",
            f"'{signature}' takes the place of '{old_key.text}', which has other "
            "parameters",
            change.name,
            f"Give it the parameters of '{old_key.text}', in their order.",
            Note("what is replaced", old_key.span),
        )
        return
    old = path.get(draft.root, steps)
    now, name = change.now, name_of(signature)
    if basis.mentions(now):
        section = draft.root.get("define")
        assert isinstance(section, Mapping)
        kept = _name_base(name, section)
        now = basis.rename(now, kept)
        index = section.keys().index(old_key.text)
        rest = old_key.text[len(name_of(old_key.text)) :]
        entry = Scalar(kept + rest, old_key.span), old
        draft.root = path.insert(draft.root, ("define",), entry, index)
    key = Scalar(signature, change.name.span)
    rest = old_key.text[len(name_of(old_key.text)) :]
    draft.replaced.setdefault(name, (Scalar(name + rest, old_key.span), old))
    draft.root = path.put(draft.root, steps, now, key)


def _name_base(name: str, section: Mapping) -> str:
    """Return a free name for a definition that ``base`` means."""
    taken = set(map(name_of, section.keys()))
    stem = f"base_{name}"[:37]
    names = (stem, *(f"{stem}_{number}" for number in range(2, 100)))
    return next(name for name in names if name not in taken)


# Adding


def _add(draft: Draft, change: Change, words: tuple[str, ...]) -> None:
    draft.problems += basis.refuse(change.now)
    draft.root = path.unfold(draft.root, words)
    above = _find_above(draft, change, words)
    if above is None:
        return
    section = path.get(draft.root, above)
    assert isinstance(section, Mapping)
    taken = find_entry(section.entries, words[-1])
    if taken is not None:
        draft.report(
            "already-there",
            f"there is already a '{shorten(change.name.text)}'",
            change.name,
            "Replace it, or choose another name.",
            Note("it stands here", taken[0].span),
        )
        return
    index = _choose_index(draft, change, above, section)
    if index is None:
        return
    entry = Scalar(words[-1], change.name.span), change.now
    draft.root = path.insert(draft.root, above, entry, index)
    if above in (("steps",), ("moves",)) and change.beside:
        _place_in_script(draft, change, words[-1])


def _find_above(draft: Draft, change: Change, words: tuple[str, ...]) -> Steps | None:
    """Return the way to the table that a part is added to; make its section."""
    is_section = words[0] in SECTIONS
    if len(words) == 2 and draft.root.get(words[0]) is None and is_section:
        key = Scalar(words[0], change.name.span)
        order = [place_of_section(other.text) for other, _ in draft.root.entries]
        index = sum(place < place_of_section(words[0]) for place in order)
        empty = Mapping((), change.name.span)
        draft.root = path.insert(draft.root, (), (key, empty), index)
    for length in range(len(words) - 1, 0, -1):
        steps = path.find(draft.root, words[:length])
        if isinstance(steps, Missing):
            continue
        is_whole = length == len(words) - 1
        if is_whole and isinstance(path.get(draft.root, steps), Mapping):
            return steps
        if length == len(words) - 2 and words[-2] in SHORT_FORMS:
            key = Scalar(words[-2], change.name.span)
            above = path.get(draft.root, steps)
            if isinstance(above, Mapping):
                entry = key, Mapping((), change.name.span)
                draft.root = path.insert(draft.root, steps, entry, len(above.entries))
                return (*steps, words[-2])
        break
    missing = path.find(draft.root, words[:-1])
    if not isinstance(missing, Missing):
        missing = Missing(words[-1], ())
    _report_missing(draft, change.name, missing)
    return None


def _choose_index(
    draft: Draft, change: Change, above: Steps, section: Mapping
) -> int | None:
    """Return where in a table a part is added, or None if that is not said."""
    end = len(section.entries)
    if above in (("steps",), ("moves",)):
        return end
    if change.beside is None:
        if not _is_ordered(above):
            return end
        draft.report(
            "place-needed",
            f"'{shorten(change.name.text)}' needs a place: the order counts here",
            change.name,
            "Write it as {now: …, before: NAME} or {now: …, after: NAME}, with a name "
            f"of: {', '.join(map(name_of, section.keys()))}.",
        )
        return None
    names = list(map(name_of, section.keys()))
    if change.beside.text not in names:
        _report_beside(draft, change.beside, names)
        return None
    return names.index(change.beside.text) + (change.after is not None)


def _is_ordered(above: Steps) -> bool:
    """Tell whether the first of several entries counts, or what comes before."""
    first, last = above[0], above[-1]
    return (first in ("rows", "define") and len(above) == 2) or last in (
        "pick",
        "first_of",
    )


def _report_beside(draft: Draft, place: Scalar, names: list[str]) -> None:
    draft.report(
        "unknown-part",
        f"there is no '{shorten(place.text)}' to stand beside",
        place,
        suggest(place.text, names, "names"),
    )


def _place_in_script(draft: Draft, change: Change, name: str) -> None:
    """Run a new step, or offer a new move, wherever its neighbour stands."""
    beside = change.beside
    assert beside is not None
    is_step = change.words[0] == "steps"
    new: Node = Scalar(name, change.name.span)
    if is_step:
        key = Scalar("run", change.name.span)
        new = Mapping(((key, new),), change.name.span)
    placer = _Placer(beside.text, new, change.after is not None, is_step)
    draft.root = placer.place_all(draft.root)
    if not placer.times:
        _report_beside(draft, beside, sorted(placer.names))


@dataclass
class _Placer:
    """Puts something beside each mention of a name in the scripts of a ruleset."""

    beside: str
    new: Node
    is_after: bool
    is_step: bool
    times: int = 0
    names: set[str] = field(default_factory=set)

    def place_all(self, root: Mapping) -> Mapping:
        """Return a ruleset with the new thing in its scripts."""
        entries = tuple(
            (key, self._visit(node) if key.text in ("play", "steps") else node)
            for key, node in root.entries
        )
        return Mapping(entries, root.span)

    def _visit(self, node: Node, key: str = "") -> Node:
        if isinstance(node, Mapping):
            entries = tuple(
                (inner, self._visit(value, inner.text)) for inner, value in node.entries
            )
            return Mapping(entries, node.span)
        if not isinstance(node, Sequence) or (not self.is_step) != (key in _DECISIONS):
            if isinstance(node, Sequence):
                items = tuple(self._visit(item) for item in node.items)
                return Sequence(items, node.span)
            return node
        items_found: list[Node] = []
        for item in node.items:
            names = self._names_of(item)
            self.names |= set(names)
            around = [self._visit(item)]
            if self.beside in names:
                self.times += 1
                around.insert(len(around) if self.is_after else 0, self.new)
            items_found += around
        return Sequence(tuple(items_found), node.span)

    def _names_of(self, item: Node) -> list[str]:
        if not self.is_step:
            return [item.text] if isinstance(item, Scalar) else []
        step = item.get("run") if isinstance(item, Mapping) else None
        names = [step.text] if isinstance(step, Scalar) else []
        block = path.name_of_statement(item)
        return [*names, block] if block else names


# Removing


def _remove(draft: Draft, change: Change, words: tuple[str, ...]) -> None:
    draft.root = path.unfold(draft.root, words)
    steps = path.find(draft.root, words)
    if isinstance(steps, Missing):
        _report_missing(draft, change.name, steps)
        return
    draft.root = path.drop(draft.root, steps)
    if steps[0] == "moves" and len(steps) == 2:
        draft.root = _withdraw(draft.root, str(steps[1]))


def _withdraw(root: Mapping, move: str) -> Mapping:
    """Return a ruleset whose decisions no longer offer a move."""

    def visit(node: Node, key: str = "") -> Node:
        if isinstance(node, Mapping):
            entries = tuple((k, visit(value, k.text)) for k, value in node.entries)
            return Mapping(entries, node.span)
        if isinstance(node, Sequence):
            items = [
                visit(item)
                for item in node.items
                if key not in _DECISIONS
                or not isinstance(item, Scalar)
                or item.text != move
            ]
            return Sequence(tuple(items), node.span)
        return node

    entries = tuple(
        (key, visit(node) if key.text in ("play", "steps") else node)
        for key, node in root.entries
    )
    return Mapping(entries, root.span)


def check_removed(draft: Draft) -> Iterator[Problem]:
    """Find what was removed and is used all the same, with all its uses."""
    for _, change in draft.changed:
        words = change.words
        if change.verb != "remove" or len(words) != 2 or words[0] not in _NAMED:
            continue
        if not isinstance(path.find(draft.root, words), Missing):
            continue
        uses = tuple(_find_uses(draft.root, words[0], words[1]))
        if uses:
            yield Problem(
                "still-used",
                f"'{shorten(change.name.text)}' is removed but still used",
                change.name.span,
                "Replace what uses it too, or replace it instead of removing it.",
                notes=tuple(Note("it is used here", span) for span in uses),
            )


def _find_uses(root: Mapping, section: str, name: str) -> Iterator[Span]:
    """Return where the rest of a ruleset uses a part."""
    if section in ("rows", "moves", "steps"):
        key = {"rows": "by", "moves": "only_if_no", "steps": "run"}[section]
        yield from _find_names(root, key, name)
        return
    word = re.compile(rf"\b{re.escape(name)}\b")
    phrases = [scalar for scalar, _ in find_phrases(root)]
    phrases += dict.fromkeys(scalar for scalar, _ in find_embedded(root))
    for scalar in phrases:
        for match in word.finditer(scalar.text):
            yield scalar.at(*match.span())
    for key in ("piles", "rank_by", "direction", "type"):
        yield from _find_names(root, key, name)


def _find_names(node: Node, key: str, name: str, under: str = "") -> Iterator[Span]:
    """Return where a name stands under a key, alone or in a list."""
    if isinstance(node, Scalar):
        if under == key and node.text == name:
            yield node.span
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _find_names(item, key, name, under)
    else:
        for inner, value in node.entries:
            # The long form of `only_if_no` has its list under `moves`.
            is_long = under == key == "only_if_no" and inner.text == "moves"
            yield from _find_names(value, key, name, key if is_long else inner.text)
