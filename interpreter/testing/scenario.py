"""Scenario files: positions, moves and right answers, as plain data.

A file is read and checked here as far as that goes without its ruleset; what
its cards, piles and moves mean is for ``position.py`` and ``trial.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..text.errors import Problem, closest, suggest
from ..text.reader import decode, read
from ..text.shape import describe
from ..text.source import Span
from ..text.tree import Mapping, Node, Scalar
from ..text.tree import Sequence as Items

_FILE_KEYS: Final = ("ruleset", "scenarios")
_KEYS: Final = [
    "name",
    "rule",
    "players",
    "options",
    "with",
    "at",
    "given",
    "deck",
    "seed",
    "rest",
    "do",
    "legal",
    "then",
]
_STEP_KEYS: Final = ("refused", "because", "no_such_move")
_LEGAL_KEYS: Final = ("includes", "excludes")
_ASIDE: Final = ("seed", "rest")  # may stand within 'given' too
_ACT: Final = re.compile(r"(\d+)\s+(\S.*)")
YES_NO: Final = {"yes": True, "true": True, "no": False, "false": False}
Entry = tuple[Scalar, Node]


@dataclass(frozen=True, slots=True)
class Step:
    """A move to make, or one that must be refused."""

    text: str
    span: Span
    is_refused: bool = False
    because: str = ""
    is_unknown: bool = False

    def render(self) -> str:
        """Return the step as the file has it."""
        return f"refused: {self.text}" if self.is_refused else self.text


@dataclass(frozen=True, slots=True)
class Legal:
    """What a seat's legal moves must be, or must include and exclude."""

    seat: int
    span: Span
    is_whole: bool
    includes: tuple[Scalar, ...]
    excludes: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """One position with its moves and answers.

    Cards and values are still text: what they mean depends on the ruleset.
    """

    name: str
    rule: str
    span: Span
    players: int | None
    options: tuple[tuple[Scalar, Scalar], ...]
    house_rules: tuple[Scalar, ...]
    at: Scalar | None
    given: tuple[Entry, ...]
    deck: tuple[Scalar, ...] | None
    seed: int
    rest: Scalar | None
    steps: tuple[Step, ...]
    legal: tuple[Legal, ...]
    then: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A file of scenarios; what is wrong with it keeps it from being run."""

    path: str
    ruleset: Path
    ruleset_span: Span
    scenarios: tuple[Scenario, ...]


def find_scenario_files(path: Path) -> list[Path]:
    """Return a file, or the scenario files in a folder and below it, sorted.

    In a folder, YAML files without ``scenarios`` or ``ruleset`` at the top are
    something else, and hidden folders are passed over.
    """
    if not path.is_dir():
        return [path]
    found = [*path.rglob("*.yaml"), *path.rglob("*.yml")]
    return sorted(
        file
        for file in found
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
        and _is_scenario_file(file)
    )


def load_scenarios(path: Path) -> tuple[ScenarioFile | None, list[Problem]]:
    """Return the scenarios of a file and what is wrong with it.

    Raises:
        OSError: The file cannot be read.
    """
    source, problems = decode(str(path), path.read_bytes())
    if problems:
        return None, problems
    root, problems = read(source)
    if root is None:
        return None, problems
    form = _Form(problems)
    file = form.take_file(path, root)
    return (None if form.problems else file), form.problems


def _is_scenario_file(file: Path) -> bool:
    text = file.read_bytes()
    return re.search(rb"^(scenarios|ruleset)[ \t]*:", text, re.MULTILINE) is not None


class _Form:
    """Takes nodes for what they should be, and collects problems."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)

    def take_file(self, path: Path, root: Node) -> ScenarioFile | None:
        top = self._take_mapping(root, _FILE_KEYS, "a scenario file")
        ruleset = self._take_text(top.get("ruleset"), "the path of a ruleset")
        self._check_needed(top, _FILE_KEYS, root, "a scenario file")
        if ruleset is None:
            return None
        items = self._take_list(top.get("scenarios"), "a list of scenarios")
        scenarios = tuple(self._take_scenario(item) for item in items)
        target = path.parent / ruleset.text
        return ScenarioFile(str(path), target, ruleset.span, scenarios)

    def _take_scenario(self, node: Node) -> Scenario:
        parts = self._take_mapping(node, _KEYS, "a scenario")
        given = self._take_entries(parts.get("given"), "a position")
        extra = {key.text: value for key, value in given if key.text in _ASIDE}
        name = self._take_text(parts.get("name"), "a name")
        rule = self._take_text(parts.get("rule"), "a text")
        self._check_needed(parts, ("name",), node, "a scenario")
        self._check_parts(parts)
        return Scenario(
            name.text if name else "",
            rule.text if rule else "",
            (name or node).span,
            self._take_number(parts.get("players"), "a number of players"),
            tuple(self._take_options(parts.get("options"))),
            tuple(self._take_texts(parts.get("with"), "a list of files")),
            self._take_text(parts.get("at"), "a decision"),
            tuple(entry for entry in given if entry[0].text not in _ASIDE),
            self._take_deck(parts.get("deck")),
            self._take_number(extra.get("seed", parts.get("seed")), "a number") or 0,
            self._take_text(extra.get("rest", parts.get("rest")), "a pile"),
            tuple(self._take_steps(parts.get("do"))),
            tuple(self._take_legal(parts.get("legal"))),
            tuple(self._take_entries(parts.get("then"), "a list of answers")),
        )

    def _check_parts(self, parts: dict[str, Node]) -> None:
        """Find parts that do not go together."""
        at, given, deck = (parts.get(key) for key in ("at", "given", "deck"))
        if given is not None and at is None:
            message = "a position needs 'at', the decision the game waits at"
            hint = "Write 'at: play' for the decision in which 'play' may be chosen."
            self._report("missing-key", message, given.span, hint)
        if deck is not None and (given is not None or at is not None):
            message = "'deck' plays from the start, 'at' and 'given' do not"
            hint = "Keep 'deck', or 'at' with 'given'."
            self._report("wrong-shape", message, deck.span, hint)

    def _take_deck(self, node: Node | None) -> tuple[Scalar, ...] | None:
        if node is None:
            return None
        return tuple(self._take_texts(node, "a list of cards"))

    def _take_options(self, node: Node | None) -> Iterator[tuple[Scalar, Scalar]]:
        for key, value in self._take_entries(node, "values of options"):
            if text := self._take_text(value, "the value of an option"):
                yield key, text

    def _take_steps(self, node: Node | None) -> Iterator[Step]:
        for item in self._take_list(node, "a list of moves"):
            if isinstance(item, Scalar):
                yield from self._take_act(item)
            elif isinstance(item, Mapping):
                yield from self._take_refused(item)
            else:
                self._expect(item, "a move, or 'refused' with a move")

    def _take_refused(self, node: Mapping) -> Iterator[Step]:
        parts = self._take_mapping(node, _STEP_KEYS, "a refused move")
        self._check_needed(parts, ("refused",), node, "a step that is no text")
        because = self._take_text(parts.get("because"), "a text")
        is_unknown = self._take_yes_no(parts.get("no_such_move"))
        refused = self._take_text(parts.get("refused"), "a move")
        for act in self._take_act(refused) if refused else ():
            reason = because.text if because else ""
            yield Step(act.text, act.span, True, reason, is_unknown)

    def _take_act(self, scalar: Scalar) -> Iterator[Step]:
        if _ACT.fullmatch(scalar.text):
            yield Step(scalar.text, scalar.span)
            return
        message = f"expected a seat and a move, found '{scalar.text}'"
        hint = "Write it like '1 play 8C centre.2'."
        self._report("wrong-shape", message, scalar.span, hint)

    def _take_legal(self, node: Node | None) -> Iterator[Legal]:
        for key, value in self._take_entries(node, "a mapping of seats to moves"):
            seat = self._take_number(key, "a seat")
            if seat is None:
                continue
            if not isinstance(value, Mapping):
                moves = tuple(self._take_texts(value, "a list of moves"))
                yield Legal(seat, key.span, True, moves)
                continue
            parts = self._take_mapping(value, _LEGAL_KEYS, "a part of the legal moves")
            includes, excludes = (
                tuple(self._take_texts(parts.get(part), "a list of moves"))
                for part in _LEGAL_KEYS
            )
            yield Legal(seat, key.span, False, includes, excludes)

    def _take_mapping(
        self, node: Node, keys: Sequence[str], title: str
    ) -> dict[str, Node]:
        """Return the parts of a mapping; report keys that are not known."""
        entries = self._take_entries(node, title)
        for key, _ in entries:
            if key.text not in keys:
                message = f"unknown key '{key.text}' in {title}"
                hint = suggest(key.text, keys, "keys")
                self._report("unknown-key", message, key.span, hint)
        return {key.text: value for key, value in entries}

    def _check_needed(
        self, parts: dict[str, Node], keys: Sequence[str], node: Node, title: str
    ) -> None:
        """Report what is missing, save what another key was meant to be."""
        for key in keys:
            if (
                isinstance(node, Mapping)
                and key not in parts
                and not closest(key, parts)
            ):
                self._report("missing-key", f"{title} needs '{key}'", node.span)

    def _take_entries(self, node: Node | None, title: str) -> tuple[Entry, ...]:
        if isinstance(node, Mapping):
            return node.entries
        self._expect(node, title)
        return ()

    def _take_list(self, node: Node | None, title: str) -> tuple[Node, ...]:
        if isinstance(node, Items):
            return node.items
        self._expect(node, title)
        return ()

    def _take_texts(self, node: Node | None, title: str) -> Iterator[Scalar]:
        for item in self._take_list(node, title):
            if text := self._take_text(item, "a text"):
                yield text

    def _take_text(self, node: Node | None, title: str) -> Scalar | None:
        if isinstance(node, Scalar) and node.text:
            return node
        self._expect(node, title)
        return None

    def _take_number(self, node: Node | None, title: str) -> int | None:
        if isinstance(node, Scalar) and node.text.isdecimal():
            return int(node.text)
        self._expect(node, title)
        return None

    def _take_yes_no(self, node: Node | None) -> bool:
        if isinstance(node, Scalar) and node.text in YES_NO:
            return YES_NO[node.text]
        self._expect(node, "yes or no")
        return False

    def _expect(self, node: Node | None, title: str) -> None:
        """Report a node that is there and is not what it should be."""
        if node is not None:
            message = f"expected {title}, found {describe(node)}"
            self._report("wrong-shape", message, node.span)

    def _report(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.problems.append(Problem(code, message, span, hint))
