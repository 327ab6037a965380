"""A run of many games at the terminal: backend, progress, table and checkpoint."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Final

import click

from ..clock import Reaction
from ..engine.backend import BackendTrouble, has_numba
from ..engine.game import Game
from ..simulation.checkpoint import (
    Checkpoint,
    CheckpointTrouble,
    read_checkpoint,
    save_checkpoint,
)
from ..simulation.crew import Crew, CrewTrouble, gather_processes
from ..simulation.simulate import (
    Batch,
    Outcome,
    choose_backend,
    compile_batches,
    find_workshop,
    nothing_played,
    play_pilot,
    simulate,
)
from ..simulation.summary import Comparison, Summary, summarise
from ..simulation.tally import Record
from . import arguments, output
from .compiling import announce, show_compiling
from .progress import Progress

# The most games of a run that stops when it is precise enough.
UNTIL_PRECISE: Final = 100_000_000
_SECONDS_BETWEEN_SAVES: Final = 2.0
Run = tuple[str, Game, Batch]


@dataclass(frozen=True)
class Plan:
    """What is to be played, until when, and where it is written.

    Runs are a label, a game and its batch each.
    """

    runs: tuple[Run, ...]
    games: int
    backend: str = "auto"
    until: float | None = None
    table: str | None = None
    checkpoint: Path | None = None

    @property
    def batches(self) -> tuple[Batch, ...]:
        """Return what is played."""
        return tuple(batch for _, _, batch in self.runs)


@dataclass(frozen=True)
class Finding:
    """What came out, the exit code, and why the run was broken off if it was."""

    shown: Summary | Comparison
    code: int
    why: str


def seat_run(
    label: str,
    game: Game,
    seed: int,
    bots: tuple[str, ...],
    reactions: tuple[Reaction, ...],
    level: str,
) -> Run:
    """Return a run of a game: who sits where, and how fast they are."""
    batch = Batch(
        game.path,
        game.players,
        tuple(game.options.items()),
        arguments.spread("--bots", bots, game),
        seed,
        arguments.spread("--reactions", reactions, game),
        game.house_rules,
        level,
    )
    return label, game, batch


def carry_out(plan: Plan, jobs: int, address: str | None) -> Finding:
    """Play with so many processes, or on the cluster of an address.

    What has come out is returned also when Ctrl-C ends it early.
    """
    if address is None:
        return _play(plan, gather_processes(jobs))
    from ..simulation.cluster import ClusterTrouble, carry_text, gather_cluster

    runs = tuple((label, game, carry_text(batch)) for label, game, batch in plan.runs)
    try:
        with gather_cluster(address, jobs) as crew:
            return _play(replace(plan, runs=runs), crew)
    except ClusterTrouble as error:
        raise click.UsageError(f"Cannot play on '{address}': {error}.") from error


def write_page(path: str, shown: Summary | Comparison) -> None:
    """Write the page with plots."""
    from ..simulation.report import write_report

    try:
        Path(path).write_text(write_report(shown), encoding="utf-8")
    except OSError as error:
        message = f"cannot write '{path}': {output.reason(error)}"
        raise output.FileTrouble(message) from error


def _play(plan: Plan, crew: Crew) -> Finding:
    before = _read(plan)
    start = time.perf_counter()
    reached = before or Checkpoint(nothing_played(plan.batches))
    code, why = output.FINE, ""
    backend = "python"
    with ExitStack() as stack:
        table = _Table(plan, before, stack)
        saver = _Saver(plan, reached)
        # Whatever ends the run, what has come out is kept.
        stack.callback(lambda: saver.save(reached))
        try:
            backend = _settle_backend(plan, reached.outcome, crew.workers)
            crew = replace(crew, backend=backend)
            start = time.perf_counter()
            total = plan.games if plan.until is None else None
            progress = stack.enter_context(Progress(total))
            progress.advance(reached.outcome.games)
            take = table.write if plan.table else None
            for found in simulate(
                plan.batches, plan.games, crew, reached.outcome, plan.until, take
            ):
                progress.advance(found.games - reached.outcome.games)
                # Both at once: a table is as long as its games, whenever it ends.
                reached = Checkpoint(found, table.measure())
                saver.save_sometimes(reached)
        except KeyboardInterrupt:
            code, why = output.INTERRUPTED, f"broken off after {reached.games} games"
        except CrewTrouble as error:
            code, why = output.FINDINGS, f"{error}: ended after {reached.games} games"
    seconds = time.perf_counter() - start
    shown = summarise(plan.runs, reached.outcome, seconds, backend)
    return Finding(shown, code, why)


def _read(plan: Plan) -> Checkpoint | None:
    if plan.checkpoint is None:
        return None
    try:
        return read_checkpoint(plan.checkpoint, plan.batches)
    except CheckpointTrouble as error:
        message = f"Cannot go on from '{plan.checkpoint}': {error}."
        raise click.UsageError(message) from error


def _settle_backend(plan: Plan, before: Outcome, workers: int) -> str:
    """Return the backend, compiled where it needs that; say what happens."""
    wanted = plan.backend
    if wanted == "auto" and not has_numba():
        return "python"
    if wanted == "numba" and not any(batch.compiles for batch in plan.batches):
        output.complain("random games with --reactions play in plain Python only")
        return "python"
    pilot = before
    if wanted == "auto" and not before.games:
        pilot = play_pilot(plan.batches, plan.games)
    try:
        backend, seconds = choose_backend(
            wanted, plan.batches, pilot, plan.games, workers
        )
        if backend == "numba":
            _compile(plan, seconds)
    except BackendTrouble as error:
        output.complain(f"{error}: playing in plain Python")
        return "python"
    return backend


def _compile(plan: Plan, seconds: float) -> None:
    names = " and ".join(dict.fromkeys(game.name for _, game, _ in plan.runs))
    if seconds > 2 * len(plan.runs):
        announce(names, seconds)
    for batch in plan.batches:
        with show_compiling() as report:
            compile_batches([batch], report)
        workshop = find_workshop(batch)
        if batch.compiles and not workshop.is_kept:
            output.complain(
                f"machine code cannot be kept in '{workshop.folder.parent}': "
                "it is compiled anew each time"
            )


class _Table:
    """The CSV file of a run, if there is one."""

    def __init__(self, plan: Plan, before: Checkpoint | None, stack: ExitStack) -> None:
        self._labels = [label for label, _, _ in plan.runs]
        self._file: IO[str] | None = None
        if plan.table is not None:
            players = max(batch.players for batch in plan.batches)
            start = before.table if before else None
            self._file = stack.enter_context(
                output.open_table(plan.table, players, len(plan.runs) > 1, start)
            )

    def write(self, records: Sequence[Sequence[Record]]) -> None:
        """Write the games of each batch, with its label if there are several."""
        assert self._file is not None
        for label, part in zip(self._labels, records, strict=True):
            head = [label] if len(self._labels) > 1 else []
            output.write_rows(self._file, ([*head, *r.as_row()] for r in part))

    def measure(self) -> int | None:
        """Return how long the file is, written out."""
        if self._file is None:
            return None
        self._file.flush()
        return self._file.tell()


class _Saver:
    """Saves a checkpoint now and then, if it is wanted."""

    def __init__(self, plan: Plan, reached: Checkpoint) -> None:
        self._plan = plan
        self._last = time.perf_counter()
        self._saved = reached

    def save_sometimes(self, reached: Checkpoint) -> None:
        """Save unless that was done a moment ago."""
        if time.perf_counter() - self._last >= _SECONDS_BETWEEN_SAVES:
            self.save(reached)

    def save(self, reached: Checkpoint) -> None:
        """Save."""
        if self._plan.checkpoint is None or reached is self._saved:
            return
        try:
            save_checkpoint(self._plan.checkpoint, self._plan.batches, reached)
        except OSError as error:
            path = self._plan.checkpoint
            message = f"cannot write '{path}': {output.reason(error)}"
            raise output.FileTrouble(message) from error
        self._last, self._saved = time.perf_counter(), reached
