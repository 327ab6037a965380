"""Card games whose rules are written as data.

The names are those of ``cardrun.interpreter``, fetched at first use, so that
the command line starts without loading the parsers.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["__version__"]

if TYPE_CHECKING:
    from .interpreter import __version__
else:

    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(".interpreter", __name__), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
