"""What can go wrong, and how it prints."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .source import Span, show

Severity = Literal["error", "warning"]
_LONGEST_LIST = 16


@dataclass(frozen=True, slots=True)
class Note:
    """A second place that a problem speaks of."""

    message: str
    span: Span

    def render(self) -> str:
        """Return the note as printed, with its line quoted."""
        return "\n".join(
            [f"{_locate(self.span)}: note: {self.message}", *self.span.quote()]
        )


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a file: what is wrong, where, and what to do."""

    code: str
    message: str
    span: Span
    hint: str = ""
    severity: Severity = "error"
    notes: tuple[Note, ...] = ()

    def render(self) -> str:
        """Return the problem as printed, with its line quoted."""
        message = show(self.message)
        head = f"{_locate(self.span)}: {self.severity}: {message} [{self.code}]"
        hint = [f"   hint: {show(self.hint)}"] if self.hint else []
        notes = [note.render() for note in self.notes]
        return "\n".join([head, *self.span.quote(), *hint, *notes])

    def as_json(self) -> dict[str, str | int]:
        """Return the fields that ``--json`` prints."""
        return {
            "file": self.span.source.path,
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
            "severity": self.severity,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
        }


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems by file, line and column; ties keep their order."""
    return sorted(problems, key=_place)


def render_problems(problems: Iterable[Problem]) -> str:
    """Return the sorted report of all problems."""
    return "\n".join(problem.render() for problem in sort_problems(problems))


class CardrunError(Exception):
    """Any failure that cardrun reports, with the places it concerns."""

    def __init__(self, message: str = "", problems: Iterable[Problem] = ()) -> None:
        """Keep the problems, sorted; without a message they are the message."""
        self.problems = tuple(sort_problems(problems))
        self.message = message or render_problems(self.problems)
        super().__init__(self.message, self.problems)

    def __str__(self) -> str:
        """Return the message."""
        return self.message


class RulesError(CardrunError):
    """A ruleset that cannot be played, with every mistake found in it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems, sorted, and their report as the message."""
        super().__init__("", problems)
        self.args = (self.problems,)


class IllegalMove(CardrunError):
    """A move that the rules refuse.

    Attributes:
        rule: The id of the row or guard that refuses it, or an empty text.
        because: The reason a player reads, or an empty text.
        place: The file and line of that row or guard, or an empty text.
    """

    def __init__(
        self, message: str, rule: str = "", because: str = "", place: str = ""
    ) -> None:
        """Keep the message, the id of the refusing row, its reason and its place."""
        super().__init__(message)
        self.rule = rule
        self.because = because
        self.place = place
        self.args = (message, rule, because, place)


class GameFault(CardrunError):
    """A game that its own rules bring to a halt.

    Attributes:
        seed: The seed that reaches the fault, where one is known.
    """

    def __init__(
        self,
        message: str,
        seed: int | None = None,
        problems: Iterable[Problem] = (),
    ) -> None:
        """Keep the message, the seed and the places in the ruleset."""
        super().__init__(message, problems)
        self.seed = seed
        self.args = (message, seed, self.problems)


class ScenarioError(CardrunError):
    """A scenario file that cannot be run as it is written."""


class SavedGameError(CardrunError):
    """A saved game that is damaged, foreign or of an unknown version."""


def closest(word: str, choices: Iterable[str]) -> list[str]:
    """Return up to three choices spelt nearly like a word, nearest first.

    A choice of the same letters in another order is nearest.
    """
    by_folded: dict[str, str] = {}
    for choice in choices:
        by_folded.setdefault(choice.casefold(), choice)
    folded = word[:60].casefold()
    matches = difflib.get_close_matches(folded, by_folded, n=9, cutoff=0.6)
    matches.sort(key=lambda match: sorted(match) != sorted(folded))
    return [by_folded[match] for match in matches[:3]]


def suggest(word: str, choices: Iterable[str], noun: str = "names") -> str:
    """Return a hint: the nearest choice, then all of them.

    The noun is plural and lower case: with ``zones`` the hint reads "did you
    mean 'hand'? Zones here: deck, hand."
    """
    names = sorted(set(choices))
    if not names:
        return f"There are no {noun} here."
    near = closest(word, names)
    question = f"did you mean '{near[0]}'? " if near else ""
    more = ", …" if len(names) > _LONGEST_LIST else ""
    listed = ", ".join(names[:_LONGEST_LIST])
    return f"{question}{noun[0].upper()}{noun[1:]} here: {listed}{more}."


def _locate(span: Span) -> str:
    return f"{span.source.path}:{span.line}:{span.column}"


def _place(problem: Problem) -> tuple[str, int, int]:
    return problem.span.source.path, problem.span.line, problem.span.column


class UnknownMove(IllegalMove):
    """A text names no move that the ruleset knows."""


class UnreadableFile(CardrunError):
    """A file is not there, or cannot be read."""
