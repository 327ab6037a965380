"""Load a ruleset and play it: the names that callers need.

Each is fetched at first use, so that a module such as ``text.errors`` can be had
without the parsers and the compiler. The packages stand in this order, each upon
those before it: text, variants, language, engine; then bots, sheets, simulation,
testing and tables. ``loader`` is the way from a file to a game.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from .engine.game import Game
    from .engine.state import Move, Refusal, Result, State
    from .loader import check_file, load
    from .text.errors import (
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
    from .text.source import Source, Span
    from .version import __version__
else:
    _MODULES = (
        "text.errors",
        "text.source",
        "version",
        "engine.state",
        "engine.game",
        "loader",
    )

    def __getattr__(name):
        if name in __all__:
            for module in _MODULES:
                found = vars(import_module(f".{module}", __name__)).get(name)
                if found is not None:
                    return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
