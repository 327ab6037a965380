"""The user's folders: one for what can be made again, one for what is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def find_cache() -> Path:
    """Return the folder of this program in the user's cache directory."""
    if folder := os.environ.get("CARDRUN_CACHE"):
        return Path(folder)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or _find_home()
        return Path(local) / "cardrun" / "Cache"
    if sys.platform == "darwin":
        return _find_home() / "Library" / "Caches" / "cardrun"
    return _find_base("XDG_CACHE_HOME", ".cache") / "cardrun"


def find_data() -> Path:
    """Return the folder of this program for what the user keeps."""
    return _find_base("XDG_DATA_HOME", ".local/share") / "cardrun"


def _find_base(variable: str, usual: str) -> Path:
    """Return the folder that a variable names, which counts only if it is whole."""
    folder = os.environ.get(variable, "")
    return Path(folder) if os.path.isabs(folder) else _find_home() / usual


def _find_home() -> Path:
    """Return the user's home, or where no folder can be made if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.devnull)
