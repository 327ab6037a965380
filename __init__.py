"""Card games whose rules are written as data.

The names are those of ``cardrun.interpreter``, fetched at first use, so that
the command line starts without loading the parsers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

# Also in interpreter/__init__.py; a test holds the two lists together.
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
    from .interpreter import (
        CardrunError,
        Game,
        GameFault,
        IllegalMove,
        Move,
        Note,
        Problem,
        Refusal,
        Result,
        RulesError,
        SavedGameError,
        ScenarioError,
        Source,
        Span,
        State,
        UnknownMove,
        UnreadableFile,
        __version__,
        check_file,
        load,
    )
else:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(".interpreter", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
