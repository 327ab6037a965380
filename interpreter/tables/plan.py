"""What a run of many games is asked to do, and whether that can be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from ..clock import Reaction
from ..engine.game import Game
from ..simulation.checkpoint import CheckpointTrouble, read_seed
from ..simulation.simulate import Batch
from . import arguments, output
from .ledger import STREAM

# The most games of a run that stops when it is precise enough.
UNTIL_PRECISE: Final = 100_000_000
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
    report: str | None = None

    @property
    def batches(self) -> tuple[Batch, ...]:
        """Return what is played."""
        return tuple(batch for _, _, batch in self.runs)


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


def choose_seed(seed: int | None, checkpoint: Path | None) -> int:
    """Return a given seed, else that of a run that is gone on with, else a new one."""
    if seed is None and checkpoint is not None:
        try:
            seed = read_seed(checkpoint)
        except CheckpointTrouble as error:
            raise refuse_checkpoint(checkpoint, error) from error
    return arguments.choose_seed(seed)


def check_files(plan: Plan) -> None:
    """Look at where results are to go before anything is played.

    Raises:
        FileTrouble: There is no such folder.
        UsageError: One would write over another, or over the rules.
    """
    given = {
        "--csv": plan.table,
        "--report": plan.report,
        "--checkpoint": plan.checkpoint and str(plan.checkpoint),
    }
    paths = {option: path for option, path in given.items() if path}
    rules = {Path(path).resolve() for path in _list_sources(plan)}
    seen: dict[Path, str] = {}
    for option, path in paths.items():
        if path == STREAM:
            _check_stream(option, plan)
            continue
        real = Path(path).resolve()
        if real in rules:
            raise click.UsageError(f"{option} would write over the rules in '{path}'.")
        if real in seen:
            message = f"{seen[real]} and {option} are the same file, '{path}'."
            raise click.UsageError(message)
        seen[real] = option
        if not real.parent.is_dir():
            raise output.FileTrouble(f"cannot write '{path}': there is no such folder")
    table = Path(plan.table or "")
    if plan.checkpoint and table.exists() and plan.table and not table.is_file():
        raise click.UsageError(
            f"--checkpoint goes on with the table too, and '{table}' is no file."
        )


def _check_stream(option: str, plan: Plan) -> None:
    """Refuse standard output, but for a table alone."""
    if option != "--csv":
        raise click.UsageError(f"{option} needs the name of a file.")
    if plan.checkpoint:
        raise click.UsageError(
            "--checkpoint goes on with the table too: --csv needs the name of a file."
        )


def _list_sources(plan: Plan) -> Iterator[str]:
    """Return the files that the rules come from."""
    for _, game, _ in plan.runs:
        for source in game.composed.sources:
            yield source.path


def refuse_checkpoint(path: Path | None, error: CheckpointTrouble) -> click.UsageError:
    """Return why a run cannot go on from its checkpoint."""
    return click.UsageError(f"Cannot go on from '{path}': {error}.")
