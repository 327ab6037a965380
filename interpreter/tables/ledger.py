"""The table of a run: a CSV file with a line for each game.

It is written as the games come, so that it holds whole games as far as the run has
come, whatever ends it. In a pipe nothing can be taken back; all else is the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import click

from ..simulation.tally import Record, name_columns
from .output import FileTrouble, reason

STREAM: Final = "-"
_TAIL: Final = 4000  # a line is shorter


@dataclass(frozen=True)
class Begun:
    """How long a table is that is gone on with, and the last game in it."""

    length: int
    game: int
    seed: int


class Ledger:
    """A table that is written; lines are of game 0 of every run, then of 1."""

    def __init__(
        self, path: str, labels: Sequence[str], players: int, begun: Begun | None = None
    ) -> None:
        """Open it with its header, or go on with one that was begun.

        Where there are several runs each line begins with the label of one.

        Raises:
            FileTrouble: It cannot be written.
            UsageError: What is there is not what was begun.
        """
        self._path = path
        self._labels = labels if len(labels) > 1 else ()
        self._players = players
        head = [*(["run"] if self._labels else []), *name_columns(players)]
        try:
            if path == STREAM:
                self._file = io.FileIO(1, "w", closefd=False)
            else:
                self._file = io.FileIO(path, "r+" if begun else "w")
            if begun:
                self._go_on(begun, _render([head]))
        except FileNotFoundError as error:
            raise (self._miss() if begun else self._refuse(error)) from error
        except OSError as error:
            raise self._refuse(error) from error
        self.length = begun.length if begun else 0
        if begun is None:
            self._write([head])

    def _go_on(self, begun: Begun, head: bytes) -> None:
        """Come to the end of what was begun, if that is what is there."""
        found = self._file.read(len(head))
        start = max(begun.length - _TAIL, 0)
        self._file.seek(start)
        tail = self._file.read(begun.length - start)
        last = tail.decode(errors="replace").split("\n")[-2:]
        row = next(csv.reader(last[:1]), [])
        place = 1 if self._labels else 0
        expected = [str(begun.game), str(begun.seed)]
        if found != head or last[1:] != [""] or row[place : place + 2] != expected:
            self._file.close()
            raise self._miss()
        self._file.truncate(begun.length)
        self._file.seek(begun.length)

    def write(self, records: Sequence[Sequence[Record]]) -> None:
        """Write some games of each run."""
        fields = self._players + len(name_columns(0))
        rows = []
        for games in zip(*records, strict=True):
            for number, record in enumerate(games):
                row = record.as_row()
                row += [""] * (fields - len(row))
                rows.append([self._labels[number], *row] if self._labels else row)
        self._write(rows)

    def close(self, length: int | None) -> None:
        """Leave as much as belongs to a run, if it can be told."""
        try:
            if length is not None and self._file.seekable():
                self._file.truncate(length)
        except OSError as error:
            raise self._refuse(error) from error
        finally:
            self._file.close()

    def _write(self, rows: Iterable[Sequence[str]]) -> None:
        left = memoryview(_render(rows))
        size = len(left)
        try:
            while left:
                left = left[self._file.write(left) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise self._refuse(error) from error
        self.length += size

    def _miss(self) -> click.UsageError:
        return click.UsageError(
            f"Cannot go on with '{self._path}': it does not hold the games that were "
            "played before. Give --csv the file that the run began with."
        )

    def _refuse(self, error: OSError) -> FileTrouble:
        return FileTrouble(f"cannot write '{self._path}': {reason(error)}")


def _render(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
