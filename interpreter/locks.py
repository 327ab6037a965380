"""Locks on files, so that no second program writes what one is writing."""

from __future__ import annotations

from typing import IO, Final

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows has no fcntl
    flock = None  # type: ignore[assignment]  # there files are not locked

HAS_LOCKS: Final = flock is not None


def lock(file: IO[bytes]) -> None:
    """Lock a file until it is closed, where that can be.

    Raises:
        BlockingIOError: Somebody else has locked it.
    """
    if not HAS_LOCKS:
        return
    try:
        flock(file, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return  # some file systems, such as those of networks, know no locks
