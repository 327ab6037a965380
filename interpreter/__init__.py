"""Load a ruleset and play it: the names that callers need."""

from __future__ import annotations

from .version import __version__

__all__ = ["__version__"]
