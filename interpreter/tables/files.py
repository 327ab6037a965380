"""What a run of many games writes: as it goes, and at its end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from ..rng import seed_of_game
from ..simulation.checkpoint import Checkpoint, CheckpointTrouble, Keeper
from ..simulation.simulate import Outcome, nothing_played
from ..simulation.summary import Comparison, Summary
from ..simulation.tally import Record
from . import output
from .ledger import Begun, Ledger
from .plan import Plan, refuse_checkpoint

_SECONDS_BETWEEN_SAVES: Final = 2.0


def write_page(path: str, shown: Summary | Comparison) -> None:
    """Write the page with plots."""
    from ..simulation.report import write_report

    try:
        Path(path).write_text(write_report(shown), encoding="utf-8")
    except OSError as error:
        message = f"cannot write '{path}': {output.reason(error)}"
        raise output.FileTrouble(message) from error


class Files:
    """What a run writes as it goes: its table and its checkpoint, if it has them."""

    def __init__(self, plan: Plan) -> None:
        """Open them, and find what the run has come to before.

        Raises:
            FileTrouble: One cannot be written.
            UsageError: One is of another run.
        """
        self.reached = Checkpoint(nothing_played(plan.batches))
        self._path = plan.checkpoint
        self._ledger: Ledger | None = None
        with ExitStack() as stack:
            self._keeper = self._open_checkpoint(plan, stack)
            if plan.table is not None:
                labels = [label for label, _, _ in plan.runs]
                players = max(batch.players for batch in plan.batches)
                begun = self._find_begun(plan)
                self._ledger = Ledger(plan.table, labels, players, begun)
            self._stack = stack.pop_all()
        self._start = self._ledger.length if self._ledger else None
        self._saved: Checkpoint | None = None
        self._last = time.perf_counter()

    def __enter__(self) -> Files:
        """Save a checkpoint, to find at once if that cannot be."""
        self._save()
        return self

    def __exit__(self, *error: object) -> None:
        """Keep what has come out, whatever ends the run."""
        with self._stack:
            if self._ledger is not None:
                self._ledger.close(self.reached.table or self._start)
            self._save()

    def write(self, records: Sequence[Sequence[Record]]) -> None:
        """Write some games into the table."""
        assert self._ledger is not None
        self._ledger.write(records)

    def reach(self, outcome: Outcome) -> None:
        """Note what the run has come to, and save it now and then."""
        # Both at once: a table is as long as its games, whenever it ends.
        length = self._ledger.length if self._ledger else None
        self.reached = Checkpoint(outcome, length)
        if time.perf_counter() - self._last >= _SECONDS_BETWEEN_SAVES:
            self._save()

    def _open_checkpoint(self, plan: Plan, stack: ExitStack) -> Keeper | None:
        if plan.checkpoint is None:
            return None
        try:
            keeper = Keeper(plan.checkpoint, plan.batches)
            stack.callback(keeper.close)
            self.reached = keeper.read() or self.reached
        except CheckpointTrouble as error:
            raise refuse_checkpoint(plan.checkpoint, error) from error
        if self.reached.games and (self.reached.table is None) != (plan.table is None):
            had = "without" if self.reached.table is None else "with"
            trouble = CheckpointTrouble(f"it is of a run {had} --csv")
            raise refuse_checkpoint(plan.checkpoint, trouble)
        return keeper

    def _find_begun(self, plan: Plan) -> Begun | None:
        """Return what the table holds already, if the run is gone on with."""
        if self.reached.table is None:
            return None
        last = self.reached.games - 1
        return Begun(self.reached.table, last, seed_of_game(plan.batches[0].seed, last))

    def _save(self) -> None:
        if self._keeper is None or self.reached is self._saved:
            return
        try:
            self._keeper.save(self.reached)
        except OSError as error:
            message = f"cannot write '{self._path}': {output.reason(error)}"
            raise output.FileTrouble(message) from error
        self._last, self._saved = time.perf_counter(), self.reached
