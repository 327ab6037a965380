"""Run emitted source: its functions, ready to be called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .compiler import Program


@dataclass(frozen=True)
class Machine:
    """The functions of one compiled game, over vectors of integers."""

    program: Program

    @cached_property
    def names(self) -> dict[str, Any]:
        """Return what the emitted source defines."""
        names: dict[str, Any] = {
            "__builtins__": {"range": range, "abs": abs, "min": min, "max": max}
        }
        exec(compile(self.program.source, "<emitted game>", "exec"), names)
        return names

    def function(self, name: str) -> Callable[..., Any]:
        """Return an emitted function."""
        function: Callable[..., Any] = self.names[name]
        return function
