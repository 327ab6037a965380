"""A long run as a file: what it is, and what it has come to so far.

The file is written anew as a whole under another name and then renamed, so that
whatever happens there is a whole one, old or new.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from .simulate import Batch, Outcome, Pairs, load_batch
from .statistics import Spread
from .tally import read_totals

_FORMAT: Final = 1
# What differs, where it is not called as in a batch.
_NAMES: Final = {
    "players": "number of players",
    "options": "choice of options",
    "bots": "choice of bots",
    "reactions": "choice of reaction times",
    "level": "strength of bots",
}


class CheckpointTrouble(Exception):
    """A file is no checkpoint of this run; says why."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a run has come to, and how long its table was then, in bytes."""

    outcome: Outcome
    table: int | None = None

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.outcome.games


def save_checkpoint(
    path: Path, batches: Sequence[Batch], checkpoint: Checkpoint
) -> None:
    """Write what a run has come to, in one step."""
    found = {
        "format": _FORMAT,
        "batches": _identify(batches),
        "table": checkpoint.table,
        "totals": [totals.as_json() for totals in checkpoint.outcome.totals],
        "pairs": [asdict(pairs) for pairs in checkpoint.outcome.pairs],
    }
    apart = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        apart.write_text(json.dumps(found), encoding="utf-8")
        apart.replace(path)
    finally:
        apart.unlink(missing_ok=True)


def read_checkpoint(path: Path, batches: Sequence[Batch]) -> Checkpoint | None:
    """Return what a run has come to, or None if it has not begun.

    Raises:
        CheckpointTrouble: The file is damaged, or belongs to another run.
    """
    if not path.exists():
        return None
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        identity = found["batches"]
        pairs = tuple(map(_read_pairs, found["pairs"]))
        outcome = Outcome(tuple(map(read_totals, found["totals"])), pairs)
        checkpoint = Checkpoint(outcome, found["table"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CheckpointTrouble(
            "it is damaged, or no checkpoint; to begin anew, delete it"
        ) from error
    if found["format"] != _FORMAT:
        raise CheckpointTrouble("another version of cardrun wrote it")
    for old, new in zip(identity, _identify(batches), strict=False):
        for key, value in new.items():
            if old.get(key) != value:
                what = _NAMES.get(key, key)
                raise CheckpointTrouble(f"it is of a run with another {what}")
    if len(identity) != len(batches):
        raise CheckpointTrouble("it is of a run with another number of rulesets")
    return checkpoint


def _identify(batches: Sequence[Batch]) -> list[dict[str, Any]]:
    """Return all that the results of batches depend on, as JSON gives it back."""
    found = []
    for batch in batches:
        parts = asdict(batch)
        del parts["path"], parts["text"], parts["house_rules"]
        found.append({**parts, "ruleset": load_batch(batch).hash})
    read: list[dict[str, Any]] = json.loads(json.dumps(found))
    return read


def _read_pairs(found: dict[str, Any]) -> Pairs:
    return Pairs(
        Spread(**found["decisions"]),
        tuple(Spread(**spread) for spread in found["wins"]),
        tuple(Spread(**spread) for spread in found["scores"]),
    )
