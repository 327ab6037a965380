"""Compiling at the terminal: what is said of it, and what bots think by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from ..bots import LOOKAHEAD, Minds
from ..engine.backend import BackendTrouble, Report, Workshop, has_numba
from ..engine.game import Game
from . import output
from .progress import Progress

# Compiling is announced if it takes longer, in seconds.
_LONG = 2.0


def announce(names: str, seconds: float) -> None:
    """Say that something is compiled, and about how long that takes."""
    click.echo(
        f"compiling {names} with Numba, once: about {seconds:.0f} s "
        "(--backend python does without)",
        err=True,
    )


@contextmanager
def show_compiling() -> Iterator[Report]:
    """Show how many functions have been compiled."""
    with Progress(None, "functions compiled") as progress:
        done = 0

        def report(now: int, total: int) -> None:
            nonlocal done
            progress.set_total(total)
            progress.advance(now - done)
            done = now

        yield report


def make_minds(game: Game, bots: Sequence[str], backend: str) -> Minds:
    """Return what the bots of a table think with, so that nobody waits later.

    ``auto`` takes machine code where a bot is seated that has more time to think
    than it needs otherwise.
    """
    is_worth_it = "ismcts" in bots and has_numba()
    if backend == "python" or (backend == "auto" and not is_worth_it):
        return Minds("python")
    minds = Minds("numba")
    try:
        seconds = Workshop(game, kind=LOOKAHEAD).seconds()
        if seconds > _LONG:
            announce(game.name, seconds)
        with show_compiling() as report:
            minds.take(game, report)
    except BackendTrouble as error:
        output.complain(f"{error}: bots think in plain Python")
        return Minds("python")
    return minds
