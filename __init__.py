"""Card games whose rules are written as data.

The names are those of ``cardrun.interpreter``, fetched at first use, so that
the command line starts without loading the parsers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .interpreter import *  # noqa: F403 - one list of names, kept there


def __getattr__(name: str) -> object:
    interpreter = import_module(".interpreter", __name__)
    if name not in interpreter.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(interpreter, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module(".interpreter", __name__).__all__})
