"""A run of many games at the terminal: backend, progress, table and checkpoint."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import click

from ..engine.backend import BackendTrouble, has_numba
from ..simulation.crew import Crew, gather_processes
from ..simulation.simulate import (
    FIRST_LOOK,
    Outcome,
    choose_backend,
    compile_batches,
    find_workshop,
    play_pilot,
    simulate,
)
from ..simulation.summary import Comparison, Summary, summarise
from ..text.errors import CardrunError
from . import output
from .compiling import announce, show_compiling
from .endings import Endings
from .files import Files
from .plan import Plan
from .progress import Progress


@dataclass(frozen=True)
class Finding:
    """What came out, the exit code, and why the run was broken off if it was."""

    shown: Summary | Comparison
    code: int
    why: str


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


def _play(plan: Plan, crew: Crew) -> Finding:
    code, why, backend = output.FINE, "", "python"
    files = Files(plan)
    before = files.reached.outcome
    start = time.perf_counter()
    with Endings() as endings:
        try:
            with files:
                backend = _settle_backend(
                    plan, files.reached.outcome, crew.workers, endings
                )
                endings.ask()
                start = time.perf_counter()
                for _ in _go_on(plan, replace(crew, backend=backend), files):
                    endings.ask()
        except KeyboardInterrupt:
            code, why = endings.code, f"broken off after {files.reached.games} games"
        except output.FileTrouble as error:
            code = error.exit_code
            why = f"{error.message}: ended after {files.reached.games} games"
        except CardrunError as error:
            if not files.reached.games:
                raise
            code = output.FINDINGS
            why = f"{error}: ended after {files.reached.games} games"
    seconds = time.perf_counter() - start
    shown = summarise(plan.runs, files.reached.outcome, seconds, backend, before)
    return Finding(shown, code, why)


def _go_on(plan: Plan, crew: Crew, files: Files) -> Iterator[None]:
    """Play, and keep what comes out; give control back after each share."""
    before = files.reached.outcome
    if before.games > plan.games:
        output.complain(f"{before.games} games were played before, and none now")
    with Progress(plan.games) as progress:
        progress.begin_with(before.games)
        take = files.write if plan.table else None
        for found in simulate(plan.batches, plan.games, crew, before, plan.until, take):
            if plan.until is not None:
                progress.set_total(_guess_games(found, plan))
                _warn_of_endless(found, files.reached.games)
            progress.advance(found.games - files.reached.games)
            files.reach(found)
            yield


def _guess_games(found: Outcome, plan: Plan) -> int:
    """Return about how many games make win shares as precise as is wanted."""
    assert plan.until is not None
    return min(int(found.games * max(found.width / plan.until, 1) ** 2), plan.games)


def _warn_of_endless(found: Outcome, before: int) -> None:
    """Say once that games have no winners, so that there is nothing to wait for."""
    is_first = before < FIRST_LOOK <= found.games
    if is_first and not all(totals.finished for totals in found.totals):
        output.complain(
            f"none of the first {found.games} games was finished: win shares may never "
            "be known so well"
        )


def _settle_backend(plan: Plan, before: Outcome, workers: int, endings: Endings) -> str:
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
        endings.ask()  # it may be the trouble
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
                f"machine code cannot be kept in '{workshop.file.parent}': "
                "it is compiled anew each time"
            )
