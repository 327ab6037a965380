"""What names mean at one place of a ruleset, and what is known to hold there."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..text.errors import Problem, Severity
from ..text.parser import Phrase
from ..text.source import Span
from ..text.tree import Node
from .deck import Deck
from .layout import Layout
from .values import Value

if TYPE_CHECKING:
    from .expressions import Compiler

MAX_PROBLEMS = 100
MAX_PHRASES = 20_000
# So many letters of code may the uses of definitions come to.
MAX_LETTERS = 2_000_000


@dataclass(frozen=True, slots=True)
class Scope:
    """The names and facts at one place.

    Facts are texts about codes: ``some:`` a group or pile is not empty, ``is:``
    a value is not none, ``not:`` a rank is excluded.
    """

    names: dict[str, Value] = field(default_factory=dict)
    me: str | None = None
    items: tuple[Value, ...] = ()
    facts: frozenset[str] = frozenset()
    lenient: bool = False
    defining: tuple[str, ...] = ()

    def knowing(self, facts: frozenset[str] | set[str]) -> Scope:
        """Return the scope where more facts hold."""
        if facts <= self.facts:
            return self
        return self._with(self.names, self.items, self.facts | facts)

    def naming(self, name: str, value: Value) -> Scope:
        """Return the scope with one more name."""
        return self._with({**self.names, name: value}, self.items, self.facts)

    def visiting(
        self, item: Value, name: str | None, group: Value | None = None
    ) -> Scope:
        """Return the scope inside a range, whose item may have a name.

        That there is an item says that its group is not empty.
        """
        scope = self.knowing({f"some:{group.code}"}) if group else self
        if name is not None:
            return scope.naming(name, item)
        return self._with(scope.names, (*scope.items, item), scope.facts)

    def _with(
        self,
        names: dict[str, Value],
        items: tuple[Value, ...],
        facts: frozenset[str],
    ) -> Scope:
        """Return the scope with others of what changes most often."""
        return Scope(names, self.me, items, facts, self.lenient, self.defining)

    def signature(self) -> tuple[Hashable, ...]:
        """Return what tells this scope from others in which a phrase means more."""
        names = ((name, value.identity) for name, value in self.names.items())
        items = (item.identity for item in self.items)
        rest = (self.me, self.facts, self.lenient, self.defining)
        return (*names, None, *items, *rest)


# Compiles what one rule of the grammar says.
Rule = Callable[["Compiler", Phrase, Scope], Value]


@dataclass(frozen=True, slots=True)
class Known:
    """A declared variable as expressions use it."""

    name: str
    slot: int
    kind: str
    per: str
    maybe: bool
    choices: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """A named expression, or first-match table of rows (test, result)."""

    name: str
    params: tuple[str, ...]
    body: Phrase | None
    table: tuple[tuple[Phrase | None, Phrase], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of the rules whose use can be counted, such as a row.

    In emitted source a comment stands where it is used. The move is the one it
    belongs to, around the number of the part of the script that it stands in.
    """

    kind: str
    name: str
    span: Span
    move: str = ""
    around: int = -1


@dataclass
class Meaning:
    """All that the names of one ruleset mean, for one table of players."""

    deck: Deck
    layout: Layout
    options: dict[str, Value] = field(default_factory=dict)
    option_values: dict[str, Any] = field(default_factory=dict)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    orders: dict[str, tuple[int, ...]] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    attributes: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = field(
        default_factory=dict
    )
    variables: dict[str, Known] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    replaced: dict[str, Definition] = field(default_factory=dict)
    rows: dict[str, Node] = field(default_factory=dict)
    moves: dict[str, Node] = field(default_factory=dict)
    steps: dict[str, Node] = field(default_factory=dict)
    # Scoring lines and groups of them: what `score` may name.
    scoring: tuple[str, ...] = ()
    ended: frozenset[str] = frozenset()
    # Moves that some decision leaves to a player whom it names.
    deputed: frozenset[str] = frozenset()
    problems: list[Problem] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    marks: dict[Mark, int] = field(default_factory=dict)
    work: int = 0
    statements: int = 0
    phrases: int = 0
    letters: int = 0
    is_played: bool = True
    telling: dict[int, tuple[Phrase, bool]] = field(default_factory=dict)
    told: dict[Hashable, tuple[Phrase, set[str]]] = field(default_factory=dict)
    unfolded: dict[Hashable, tuple[Value, list[str], int]] = field(default_factory=dict)
    narrowed: dict[Hashable, tuple[Phrase, str, tuple[str, ...]]] = field(
        default_factory=dict
    )
    # What is known of each card, and sets of cards by name, each with its test.
    card_tables: dict[str, list[int]] = field(default_factory=dict)
    sets: dict[int, tuple[str, str]] = field(default_factory=dict)
    # How many bits the largest numbers have that emitted code works with.
    bits: int = 0

    def need_bits(self, number: int) -> None:
        """Note that code works with numbers of so many bits."""
        self.bits = max(self.bits, number)

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        hint: str = "",
        severity: Severity = "error",
    ) -> None:
        """Note a problem, once a place."""
        problem = Problem(code, message, span, hint, severity)
        if len(self.problems) >= MAX_PROBLEMS:
            return
        if all(known.span != span or known.code != code for known in self.problems):
            self.problems.append(problem)

    @property
    def is_reordered(self) -> bool:
        """Tell whether ranks compare by an order other than that of the deck."""
        natural = self._deck_order()
        return self.orders.get("order", natural) != natural

    def find_order(self, name: str) -> tuple[int, ...] | None:
        """Return the places of ranks in an order; ``order`` is there unsaid."""
        if name == "order":
            return self.orders.setdefault(name, self._deck_order())
        return self.orders.get(name)

    def _deck_order(self) -> tuple[int, ...]:
        return tuple(range(1, len(self.deck.ranks) + 1))

    def mark(self, mark: Mark) -> int:
        """Return the number of a mark; the same part has the same number."""
        return self.marks.setdefault(mark, len(self.marks))

    def names(self) -> list[str]:
        """Return every name that a bare word may be."""
        found = [*self.options, *self.variables, *self.layout.zones]
        found += [*self.definitions, *self.orders, *self.tables, *self.attributes]
        found += [*self.deck.suits, *self.deck.jokers]
        found += [word for words in self.choices.values() for word in words]
        found += ["me", "it", "none", "players", "teams", "suits", "ranks"]
        return found
