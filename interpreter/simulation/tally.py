"""What the games of a batch add up to.

A game comes as a row of whole numbers, which the batch's source writes (see
playouts.py), so that a great many can be added up quickly; scores are in parts of
one (see ``Game.unit``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from heapq import nsmallest
from itertools import compress, zip_longest
from operator import add
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..language.layout import in_ones
from ..language.program import DEPTH, ROW_HEAD
from .statistics import NO_NUMBERS, NOTHING, Histogram, Spread, count_numbers

if TYPE_CHECKING:
    from ..engine.backend import Harvest
    from ..engine.game import Game

# A win shared by up to sixteen is a whole number of these.
WIN: Final = 720_720
# Whether a game is over: as rules end, or at its limit.
FINISHED: Final = 1
_MOST_EXAMPLES: Final = 3


class Lengths(NamedTuple):
    """How long a game was, and how many legal moves it offered.

    Choices are decisions with two or more legal moves; branching sums the legal
    moves over all decisions, and over choices.
    """

    decisions: int
    choices: int
    branching: int
    choices_branching: int
    most: int


@dataclass(frozen=True, slots=True)
class Record:
    """One game: how long it was and how it ended; winners are empty if it did not.

    The margin is by how much the winner is ahead of the next team, by what the
    result ranks by; None where there is no other.
    """

    index: int
    seed: int
    finished: bool
    lengths: Lengths
    leads: int
    winners: tuple[int, ...]
    margin: int | float | None
    scores: tuple[int | float | None, ...]

    def as_row(self) -> list[str]:
        """Return the fields of a line of CSV, in the order of the header."""
        scores = ["" if score is None else str(score) for score in self.scores]
        winners = " ".join(map(str, self.winners))
        counts = [self.index, self.seed, int(self.finished)]
        lengths = [self.lengths.decisions, self.lengths.choices]
        return [*map(str, counts), *map(str, lengths), winners, *scores]


def name_columns(players: int) -> list[str]:
    """Return the header of the CSV file."""
    scores = [f"score_{seat}" for seat in range(1, players + 1)]
    return ["game", "seed", "finished", "decisions", "choices", "winners", *scores]


class Rows:
    """Some games of a batch, one after the other from an index on."""

    def __init__(self, game: Game, numbers: Sequence[int], first: int) -> None:
        """Hold rows as they come: flat."""
        self._game = game
        self._numbers = numbers
        self._width = ROW_HEAD + game.players
        self.first = first
        self._are_finished = set(self.overs) <= {FINISHED}

    def column(self, place: int) -> Sequence[int]:
        """Return one number of every game."""
        return self._numbers[place :: self._width]

    def records(self) -> list[Record]:
        """Return the games as records."""
        width = self._width
        return [
            self._read(self.first + at // width, self._numbers[at : at + width])
            for at in range(0, len(self._numbers), width)
        ]

    def _read(self, index: int, row: Sequence[int]) -> Record:
        seed, over, decisions, choices, listed, offered, most, leads = row[:8]
        mask, margin, *scores = row[8:]
        unit, finished = self._game.unit, over == FINISHED
        seats = range(1, self._game.players + 1)
        return Record(
            index,
            seed,
            finished,
            Lengths(decisions, choices, listed, offered, most),
            leads,
            tuple(seat for seat in seats if mask >> (seat - 1) & 1),
            in_ones(margin, unit) if finished and margin >= 0 else None,
            tuple(in_ones(score, unit) if finished else None for score in scores),
        )

    def of_finished(self, column: Sequence[int]) -> Sequence[int]:
        """Return a column without the games that did not finish."""
        if self._are_finished:
            return column
        return [*compress(column, (over == FINISHED for over in self.overs))]

    # The columns by name

    @property
    def seeds(self) -> Sequence[int]:
        """The seed of every game."""
        return self.column(0)

    @property
    def overs(self) -> Sequence[int]:
        """How every game ended."""
        return self.column(1)

    @property
    def lengths(self) -> Sequence[int]:
        """The decisions of every game."""
        return self.column(2)

    @property
    def winners(self) -> Sequence[int]:
        """The winners of every game: a mask of seats."""
        return self.column(8)

    @property
    def margins(self) -> Sequence[int]:
        """By how much every game was won, below 0 where nobody was beaten."""
        return self.column(9)

    def scores(self, seat: int) -> Sequence[int]:
        """Return the score of a seat in every game."""
        return self.column(ROW_HEAD + seat - 1)


@dataclass(frozen=True, slots=True)
class SeatTotals:
    """What one seat won and scored; wins are counted in units of WIN."""

    wins: int = 0
    scores: Spread = NOTHING
    histogram: Histogram = NO_NUMBERS

    def merge(self, other: SeatTotals) -> SeatTotals:
        """Return the totals of both."""
        return SeatTotals(
            self.wins + other.wins,
            self.scores.merge(other.scores),
            self.histogram.merge(other.histogram),
        )


class Example(NamedTuple):
    """A game worth looking at, its index and its seed; the least measure is first."""

    measure: int
    game: int
    seed: int


@dataclass(frozen=True, slots=True)
class Examples:
    """The longest games, the shortest, and those won by least; first ones first.

    They are measured by their decisions (below 0 for the longest) and their margin.
    """

    longest: tuple[Example, ...] = ()
    shortest: tuple[Example, ...] = ()
    closest: tuple[Example, ...] = ()

    def merge(self, other: Examples) -> Examples:
        """Return the most remarkable of both."""
        return Examples(
            _choose([*self.longest, *other.longest]),
            _choose([*self.shortest, *other.shortest]),
            _choose([*self.closest, *other.closest]),
        )


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums over some games.

    Moves and marks count uses, in the order of the program; openings hold for each
    decision from the start of a game how many games came to it and how many legal
    moves it offered in all.
    """

    seats: tuple[SeatTotals, ...]
    finished: int = 0
    unfinished: int = 0
    ties: int = 0
    decisions: Spread = NOTHING
    choices: Spread = NOTHING
    branching: int = 0
    choices_branching: int = 0
    most: int = 0
    leads: Spread = NOTHING
    lengths: Histogram = NO_NUMBERS
    moves: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()
    openings: tuple[tuple[int, int], ...] = ()
    examples: Examples = Examples()

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.finished + self.unfinished

    def merge(self, other: Totals) -> Totals:
        """Return the totals of both."""
        pairs = zip_longest(self.openings, other.openings, fillvalue=(0, 0))
        return Totals(
            tuple(map(SeatTotals.merge, self.seats, other.seats)),
            self.finished + other.finished,
            self.unfinished + other.unfinished,
            self.ties + other.ties,
            self.decisions.merge(other.decisions),
            self.choices.merge(other.choices),
            self.branching + other.branching,
            self.choices_branching + other.choices_branching,
            max(self.most, other.most),
            self.leads.merge(other.leads),
            self.lengths.merge(other.lengths),
            _add_up(self.moves, other.moves),
            _add_up(self.marks, other.marks),
            tuple((a + c, b + d) for (a, b), (c, d) in pairs),
            self.examples.merge(other.examples),
        )

    def as_json(self) -> dict[str, Any]:
        """Return the totals as what ``read_totals`` reads."""
        return asdict(self)


def count_harvest(game: Game, harvest: Harvest, first: int) -> Totals:
    """Return the totals of some games, from the one with an index on."""
    rows = Rows(game, harvest.rows, first)
    moves = len(game.program.moves)
    counts = harvest.uses[moves : moves + 2 * DEPTH]
    openings = zip(counts[::2], counts[1::2], strict=True)
    masks = Counter(rows.of_finished(rows.winners))
    decisions, lengths = count_numbers(rows.lengths)
    listed, offered, most = (rows.column(place) for place in (4, 5, 6))
    finished = sum(masks.values())
    return Totals(
        tuple(
            _count_seat(game, rows, seat, masks) for seat in range(1, game.players + 1)
        ),
        finished,
        len(rows.overs) - finished,
        sum(
            number
            for mask, number in masks.items()
            if len(_winning_teams(game, mask)) > 1
        ),
        decisions,
        count_numbers(rows.column(3))[0],
        sum(listed),
        sum(offered),
        max(most, default=0),
        count_numbers(rows.column(7))[0],
        lengths,
        tuple(harvest.uses[:moves]),
        tuple(harvest.uses[moves + 2 * DEPTH :]),
        tuple(pair for pair in openings if pair[0]),
        _find_examples(rows),
    )


def nothing_of(players: int) -> Totals:
    """Return the totals of no games."""
    return Totals((SeatTotals(),) * players)


def share_win(game: Game, mask: int) -> dict[int, int]:
    """Return what each winning seat of a mask has won, in units of WIN."""
    teams = _winning_teams(game, mask)
    return {seat: WIN // len(teams) for team in teams for seat in team}


def _winning_teams(game: Game, mask: int) -> list[tuple[int, ...]]:
    return [team for team in game.teams if any(mask >> (seat - 1) & 1 for seat in team)]


def _count_seat(game: Game, rows: Rows, seat: int, masks: Counter[int]) -> SeatTotals:
    scores = rows.of_finished(rows.scores(seat))
    wins = sum(
        number * share_win(game, mask).get(seat, 0) for mask, number in masks.items()
    )
    return SeatTotals(wins, *count_numbers(scores))


def _find_examples(rows: Rows) -> Examples:
    seeds = rows.of_finished(rows.seeds)
    indices = rows.of_finished(range(rows.first, rows.first + len(rows.overs)))
    lengths = rows.of_finished(rows.lengths)
    margins = rows.of_finished(rows.margins)
    longest, shortest, won = (
        zip(column, indices, seeds, strict=True)
        for column in ([-length for length in lengths], lengths, margins)
    )
    found = (longest, shortest, (triple for triple in won if triple[0] >= 0))
    return Examples(
        *(tuple(map(Example._make, nsmallest(_MOST_EXAMPLES, t))) for t in found)
    )


def _choose(examples: Iterable[Example]) -> tuple[Example, ...]:
    return tuple(nsmallest(_MOST_EXAMPLES, examples))


def _add_up(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(add, one, other)) if one and other else one or other


def read_totals(found: dict[str, Any]) -> Totals:
    """Return the totals that ``Totals.as_json`` gave, after JSON."""
    seats = tuple(
        SeatTotals(
            seat["wins"], Spread(**seat["scores"]), _read_histogram(seat["histogram"])
        )
        for seat in found["seats"]
    )
    spreads = {
        name: Spread(**found[name]) for name in ("decisions", "choices", "leads")
    }
    examples = {
        name: tuple(Example(*example) for example in listed)
        for name, listed in found["examples"].items()
    }
    rest = {
        "seats": seats,
        "lengths": _read_histogram(found["lengths"]),
        "moves": tuple(found["moves"]),
        "marks": tuple(found["marks"]),
        "openings": tuple((games, moves) for games, moves in found["openings"]),
        "examples": Examples(**examples),
    }
    return Totals(**{**found, **spreads, **rest})


def _read_histogram(found: dict[str, Any]) -> Histogram:
    bins = {int(bin): count for bin, count in found["bins"].items()}
    return Histogram(found["shift"], bins)
