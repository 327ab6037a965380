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
    UnknownMove,
    UnreadableFile,
)
from .game import Game
from .loader import check_file, load
from .source import Source, Span
from .state import Move, Refusal, Result, State
from .version import __version__

__all__ = [
    "CardrunError",
    "Game",
    "GameFault",
    "IllegalMove",
    "Move",
    "Note",
    "Problem",
    "Refusal",
    "Result",
    "RulesError",
    "SavedGameError",
    "ScenarioError",
    "Source",
    "Span",
    "State",
    "UnknownMove",
    "UnreadableFile",
    "__version__",
    "check_file",
    "load",
]
