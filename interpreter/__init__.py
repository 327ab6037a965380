"""Load a ruleset and play it: the names that callers need."""

from __future__ import annotations

from .errors import (
    CardrunError,
    GameFault,
    IllegalMove,
    Note,
    Problem,
    RulesError,
    SavedGameError,
    ScenarioError,
)
from .source import Source, Span
from .version import __version__

__all__ = [
    "CardrunError",
    "GameFault",
    "IllegalMove",
    "Note",
    "Problem",
    "RulesError",
    "SavedGameError",
    "ScenarioError",
    "Source",
    "Span",
    "__version__",
]
