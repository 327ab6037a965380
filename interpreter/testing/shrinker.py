"""Look for the shortest list of moves that shows what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..rng import Rng, seed_of_game
from ..text.errors import GameFault, IllegalMove, Problem
from .findings import Finding
from .proof import examine
from .rehearsal import play

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import State

# How much is tried.
_MOST_REPLAYS: Final = 300
_MOST_STEPS: Final = 60_000
_OTHER_SEEDS: Final = 100


class Shrinker:
    """Looks for a shorter way to a finding, within a bounded number of tries."""

    def __init__(self, game: Game, finding: Finding) -> None:
        """Shrink a finding of a watched game."""
        self.game = game
        self.finding = finding
        self.replays = _MOST_REPLAYS
        self.steps = _MOST_STEPS

    def shrink(self) -> Finding:
        """Return the finding with fewer moves, if that can be."""
        if self.finding.problem.code in ("endless-game", "not-repeatable"):
            return self.finding
        self._shorten()
        self._try_other_seeds()
        self._shorten()
        return self.finding

    def _shorten(self) -> None:
        """Leave out some moves at a time, first many and then single ones."""
        size = max(len(self.finding.moves) // 2, 1)
        while size:
            start = 0
            while start < len(self.finding.moves):
                moves = self.finding.moves
                rest = (*moves[:start], *moves[start + size :])
                if not self._accept(rest):
                    start += size
                if not self.replays:
                    return
            size //= 2

    def _accept(self, moves: Sequence[str]) -> bool:
        """Take over moves that lead to the finding, if they are fewer."""
        self.replays -= 1
        made = self._reproduce(moves)
        if made is None or len(made) >= len(self.finding.moves):
            return False
        self.finding = replace(self.finding, moves=made)
        return True

    def _reproduce(self, moves: Sequence[str]) -> tuple[str, ...] | None:
        """Make those moves that are legal; return them up to the finding."""
        made: list[str] = []
        state: State | None = None
        for text in (None, *moves):
            if text is not None:
                made.append(text)
            try:
                if state is None:
                    state = self.game.new(self.finding.seed)
                elif text is not None:
                    state.apply_text(text)
            except IllegalMove:
                made.pop()
                continue
            except GameFault as error:
                return tuple(made) if self._is_it(error.problems[0]) else None
            is_last = text is (moves[-1] if moves else None)
            if self._shows(state, made, in_full=is_last):
                return tuple(made)
        return None

    def _shows(self, state: State, made: list[str], *, in_full: bool) -> bool:
        self.steps -= 1
        rng = Rng(self.finding.seed, len(made))
        for breach in examine(state, rng, in_full=in_full):
            if self._is_it(breach.problem):
                made += [breach.last] if breach.last else []
                return True
        return False

    def _is_it(self, problem: Problem) -> bool:
        return (problem.code, problem.span.start) == self.finding.key

    def _try_other_seeds(self) -> None:
        """Look for a game that shows the finding earlier."""
        for index in range(_OTHER_SEEDS):
            most = len(self.finding.moves) - 1
            if most < 1:
                return
            seed, moves = seed_of_game(self.finding.seed, index), list[str]()
            for _, breaches in play(self.game, seed, moves, None):
                self.steps -= 1
                hits = [b for b in breaches if self._is_it(b.problem)]
                path = [*moves, *(b.last for b in hits[:1] if b.last)]
                if hits and len(path) <= most:
                    self.finding = replace(
                        self.finding,
                        seed=seed,
                        moves=tuple(path),
                        problem=hits[0].problem,
                    )
                if breaches or len(moves) >= most or self.steps < 0:
                    break
