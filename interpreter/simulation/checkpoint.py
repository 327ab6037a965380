"""A long run as a file: what it is, and what it has come to so far.

The file is written anew as a whole under another name and then renamed, so that
whatever happens there is a whole one, old or new; a checksum tells if it was changed.
A run keeps its file locked, where there are locks, so that no other writes it too.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from ..engine.game import Game
from ..locks import HAS_LOCKS, lock
from ..version import __version__
from .simulate import Batch, Outcome, Pairs, load_batch
from .statistics import Spread
from .tally import read_totals

_FORMAT: Final = 2
# What differs, where it is not called as in a batch.
_NAMES: Final = {
    "cardrun": "version of cardrun",
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


class Keeper:
    """Keeps the checkpoint of a run in a file, and other runs away from it."""

    def __init__(self, path: Path, batches: Sequence[Batch]) -> None:
        """Take the file, if it is there.

        Raises:
            CheckpointTrouble: Another run goes on with it.
        """
        self._path = path
        self._identity = _identify(batches)
        self._file = _take(path)

    def close(self) -> None:
        """Let others have it."""
        if self._file is not None:
            self._file.close()

    def read(self) -> Checkpoint | None:
        """Return what the run has come to, or None if it has not begun.

        Raises:
            CheckpointTrouble: The file is damaged, or belongs to another run.
        """
        if self._file is None:
            return None
        self._file.seek(0)
        run = _read_run(self._file.read())
        _compare(run["batches"], self._identity)
        pairs = tuple(map(_read_pairs, run["pairs"]))
        outcome = Outcome(tuple(map(read_totals, run["totals"])), pairs)
        return Checkpoint(outcome, run["table"])

    def save(self, checkpoint: Checkpoint) -> None:
        """Write what the run has come to, in one step."""
        run = {
            "batches": self._identity,
            "table": checkpoint.table,
            "totals": [totals.as_json() for totals in checkpoint.outcome.totals],
            "pairs": [asdict(pairs) for pairs in checkpoint.outcome.pairs],
        }
        found = {"format": _FORMAT, "sum": _sum(run), "run": run}
        apart = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        file = apart.open("w+b")
        try:
            lock(file)
            file.write(json.dumps(found).encode())
            file.flush()
            os.fsync(file.fileno())
            if not HAS_LOCKS:
                file.close()  # there no open file can be renamed
            apart.replace(self._path)
        except BaseException:
            file.close()
            apart.unlink(missing_ok=True)
            raise
        if self._file is not None:
            self._file.close()
        self._file = file


def read_seed(path: Path) -> int | None:
    """Return the seed of the run that a file tells of, or None if it has not begun.

    Raises:
        CheckpointTrouble: The file is damaged.
    """
    if not path.is_file():
        return None
    seed: int = _read_run(path.read_bytes())["batches"][0]["seed"]
    return seed


def _take(path: Path) -> IO[bytes] | None:
    """Open and lock a file; one that is replaced meanwhile is not the one."""
    while path.exists():
        if not path.is_file():
            raise CheckpointTrouble("it is no ordinary file")
        file = path.open("rb")
        try:
            lock(file)
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        except BlockingIOError as error:
            file.close()
            raise CheckpointTrouble("another run is going on with it") from error
        except FileNotFoundError:
            pass
        file.close()
    return None


def _read_run(data: bytes) -> dict[str, Any]:
    """Return what a file holds of a run.

    Raises:
        CheckpointTrouble: It is damaged, or of another version.
    """
    try:
        found: dict[str, Any] = json.loads(data)
        is_ours = found["format"] == _FORMAT
        run: dict[str, Any] = found["run"] if is_ours else {}
        is_sound = not is_ours or found["sum"] == _sum(run)
    except (ValueError, KeyError, TypeError, RecursionError):
        is_ours, is_sound, run = True, False, {}
    if not is_ours:
        raise CheckpointTrouble("another version of cardrun wrote it")
    if not is_sound:
        raise CheckpointTrouble(
            "it is damaged, or no checkpoint; to begin anew, delete it"
        )
    return run


def _compare(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> None:
    """Compare what a file is of with what is to be played.

    Raises:
        CheckpointTrouble: They differ.
    """
    if len(old) != len(new):
        raise CheckpointTrouble("it is of a run with another number of rulesets")
    for one, other in zip(old, new, strict=True):
        for key, value in other.items():
            if one.get(key) != value:
                what = _NAMES.get(key, key)
                raise CheckpointTrouble(f"it is of a run with another {what}")


def _identify(batches: Sequence[Batch]) -> list[dict[str, Any]]:
    """Return all that the results of batches depend on, as JSON gives it back."""
    found = []
    for batch in batches:
        parts = asdict(batch)
        del parts["path"], parts["text"], parts["house_rules"]
        rules = _hash_rules(load_batch(batch))
        found.append({"cardrun": __version__, **parts, "ruleset": rules})
    read: list[dict[str, Any]] = json.loads(json.dumps(found))
    return read


def _hash_rules(game: Game) -> str:
    """Return a hash of what runs, wherever its rules are written."""
    lines = game.code.split("\n")
    code = (line for line in lines if not line.lstrip().startswith("#"))
    return hashlib.sha256("\n".join(code).encode()).hexdigest()


def _sum(run: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(run).encode()).hexdigest()


def _read_pairs(found: dict[str, Any]) -> Pairs:
    return Pairs(
        Spread(**found["decisions"]),
        tuple(Spread(**spread) for spread in found["wins"]),
        tuple(Spread(**spread) for spread in found["scores"]),
    )
