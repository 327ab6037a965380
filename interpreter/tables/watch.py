"""Notice when rulesets are saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ..variants.lineage import SHIPPED

_LOOK: Final = 0.3  # seconds between two looks
_ENDING: Final = ".yaml"


def each_change(
    folder: Path | None = None, wait: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Yield at once, and then whenever a ruleset in reach has been saved.

    In reach are those in the folder, the present one if none is given, and the
    shipped ones: whatever a file there may extend or use.

    Args:
        folder: Where to look, folders in it included.
        wait: Lets so many seconds pass.
    """
    here = folder or Path()
    before: dict[Path, float] | None = None
    while True:
        now = _read_times(here)
        if now != before:
            before = now
            yield
        else:
            wait(_LOOK)


def _read_times(folder: Path) -> dict[Path, float]:
    found = {}
    for place in {folder.resolve(), SHIPPED.resolve()}:
        for path in place.rglob(f"*{_ENDING}"):
            try:
                found[path] = path.stat().st_mtime_ns / 1e9
            except OSError:  # it went while we looked
                continue
    return found
