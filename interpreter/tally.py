"""What the games of a batch add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from .statistics import NOTHING, Spread

# A win shared by up to sixteen is a whole number of these.
WIN: Final = 720_720


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
    """One game: how long it was and how it ended; winners are empty if it did not."""

    index: int
    seed: int
    finished: bool
    lengths: Lengths
    winners: tuple[int, ...]
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


@dataclass(frozen=True, slots=True)
class SeatTotals:
    """What one seat won and scored; wins are counted in units of WIN."""

    wins: int = 0
    scores: Spread = NOTHING

    def merge(self, other: SeatTotals) -> SeatTotals:
        """Return the totals of both."""
        return SeatTotals(self.wins + other.wins, self.scores.merge(other.scores))


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums over some games."""

    seats: tuple[SeatTotals, ...]
    finished: int = 0
    unfinished: int = 0
    ties: int = 0
    decisions: Spread = NOTHING
    choices: Spread = NOTHING
    branching: int = 0
    choices_branching: int = 0
    most: int = 0

    def merge(self, other: Totals) -> Totals:
        """Return the totals of both."""
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
        )


def count_record(record: Record, teams: Sequence[Sequence[int]]) -> Totals:
    """Return the totals of one game."""
    winning = [team for team in teams if set(team) & set(record.winners)]
    share = WIN // len(winning) if winning else 0
    won = {seat for team in winning for seat in team}
    seats = enumerate(record.scores, 1)
    lengths = record.lengths
    return Totals(
        tuple(
            SeatTotals(
                share if seat in won else 0,
                NOTHING if score is None else NOTHING.add(score),
            )
            for seat, score in seats
        ),
        int(record.finished),
        int(not record.finished),
        int(len(winning) > 1),
        NOTHING.add(lengths.decisions),
        NOTHING.add(lengths.choices),
        lengths.branching,
        lengths.choices_branching,
        lengths.most,
    )
