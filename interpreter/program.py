"""Run emitted source: its functions, ready to be called."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .compiler import Program
from .expressions import SIGN

_MARKED = re.compile(rf"^( *){re.escape(SIGN)}(\d+) .*$", re.MULTILINE)
_FILLS = re.compile(rf"^( *){re.escape(SIGN)}fills$", re.MULTILINE)


def watch(program: Program) -> Program:
    """Return a program that counts the uses of its marked parts.

    ``FIRED`` counts for each mark, ``FILLED`` the cards that came to each pile.
    """
    counting = _MARKED.sub(r"\1FIRED[\2] += 1", program.source)
    counting = _FILLS.sub(r"\1FILLED[pile] += 1", counting)
    counters = f"FIRED = [0] * {len(program.marks)}\n"
    counters += f"FILLED = [0] * {len(program.layout.piles)}\n"
    return replace(program, source=counters + counting)


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
