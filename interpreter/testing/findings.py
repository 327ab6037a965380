"""What a check finds, at which table, and how it prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..simulation.summary import show_option
from ..text.errors import Problem

Setting = bool | int | str
Options = tuple[tuple[str, Setting], ...]

_WIDTH: Final = 88


@dataclass(frozen=True, slots=True)
class Table:
    """How many play, and the options that have been chosen."""

    players: int
    options: Options

    def render(self) -> str:
        """Return the table in words."""
        chosen = [f", {name}={show_option(value)}" for name, value in self.options]
        return f"{self.players} players{''.join(chosen)}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold, and the shortest way to it that is known."""

    problem: Problem
    table: Table
    seed: int
    moves: tuple[str, ...]

    @property
    def key(self) -> tuple[str, int]:
        """What is found twice only if it is the same mistake."""
        return self.problem.code, self.problem.span.start

    def render(self) -> str:
        """Return the finding as it prints: the place, the game and its moves."""
        game = f"   game: {self.table.render()}, seed {self.seed}"
        return "\n".join([self.problem.render(), game, *self._render_moves()])

    def _render_moves(self) -> Iterator[str]:
        """Yield the moves in lines that do not break any of them."""
        if not self.moves:
            yield "   before anybody has moved"
            return
        line = "   after:"
        for number, move in enumerate(self.moves, 1):
            word = f" {move}" + (";" if number < len(self.moves) else "")
            if len(line) + len(word) > _WIDTH:
                yield line
                line = "         "
            line += word
        yield line

    def as_json(self) -> dict[str, object]:
        """Return the fields that ``--json`` prints."""
        return {
            **self.problem.as_json(),
            "players": self.table.players,
            "options": dict(self.table.options),
            "seed": self.seed,
            "moves": list(self.moves),
        }
