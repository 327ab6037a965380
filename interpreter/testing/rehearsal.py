"""Random games of watched rulesets, examined as they go, and what they made use of.

A game of a seed is that of ``cardrun play FILE --auto --bot random --seed``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..clock import Clock
from ..rng import Rng
from ..simulation.match import pick_seat, seed_bots
from ..text.errors import GameFault, Problem
from .proof import Breach, examine

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import Move, State
    from ..language.scope import Mark

_PROBE_STREAM: Final = 1_000
# One state in so many is examined in full, and fewer as a game goes on.
_FULLY: Final = 8


# What tells a part of the rules from others, at any table: kind, name and file.
Key = tuple[str, str, str]


@dataclass
class Usage:
    """Which parts of the rules were used in any game, over all tables."""

    marks: dict[Key, Mark] = field(default_factory=dict)
    used: set[Key] = field(default_factory=set)
    around: dict[Key, set[Key]] = field(default_factory=dict)
    legal: set[str] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)
    filled: dict[str, bool] = field(default_factory=dict)

    def take(self, game: Game) -> None:
        """Add what the marks of a watched game have counted, and start anew."""
        keys = [_identify(mark) for mark in game.program.marks]
        for key, mark, times in zip(keys, game.program.marks, game.fired, strict=True):
            self.marks.setdefault(key, mark)
            outer = self.around.setdefault(key, set())
            outer.update([keys[mark.around]] if mark.around >= 0 else [])
            if times:
                self.used.add(key)
        game.fired[:] = [0] * len(keys)
        for pile in game.layout.piles:
            is_used = game.filled[pile.index] > 0 or pile == game.layout.deck_pile
            self.filled[pile.zone] = self.filled.get(pile.zone, False) or is_used

    def list_unused(self) -> Iterator[Mark]:
        """Yield the marks of what was never used, outermost only."""
        for key, mark in self.marks.items():
            around = self.around[key]
            is_inside = bool(around) and not around & self.used
            is_of_move = mark.move == "" or mark.move in self.legal
            if key not in self.used and is_of_move and not is_inside:
                yield mark


def _identify(mark: Mark) -> Key:
    return mark.kind, mark.name, mark.span.source.path


def play(
    game: Game, seed: int, moves: list[str], usage: Usage | None
) -> Iterator[tuple[State | None, list[Breach]]]:
    """Play a random game of a watched game; yield each state with its breaches.

    The texts of the moves are added to the list. Without a usage the game is
    cut short by whoever plays it, and every state is examined in full.
    """
    rng = Rng(seed, _PROBE_STREAM)
    seen: set[str] = set()
    try:
        state = game.new(seed)
        streams = seed_bots(state, range(1, game.players + 1))
        clock = Clock(seed, {})
        while True:
            decision = state.decision
            path = decision.path if decision else ""
            rarely = _FULLY + len(moves) // _FULLY
            in_full = usage is None or path not in seen or rng.below(rarely) == 0
            seen.add(path)
            yield state, list(examine(state, rng, in_full=in_full))
            if decision is None:
                break
            seat, listed, _ = pick_seat(state, clock)
            if usage is not None:
                usage.offered.update(decision.moves)
                usage.legal.update(move.name for move in listed)
            move = streams[seat].choice(listed)
            moves.append(f"{seat} {move}")
            _make(state, seat, move)
    except GameFault as error:
        yield None, [Breach(error.problems[0])]
        return
    if usage is not None:
        yield None, list(_replay(game, state, moves))


def _make(state: State, seat: int, move: Move) -> None:
    """Make a move that is known to be legal."""
    row = list(move.row) + [0] * state.game.row_width
    state.game.apply(state.vector, seat - 1, row, 0)
    state.check()


def _replay(game: Game, last: State, moves: Sequence[str]) -> Iterator[Breach]:
    """Find a game that the same seed and moves do not bring to the same end."""
    state = game.new(last.seed)
    for text in moves:
        state.apply_text(text)
    if state != last:
        message = "the same seed and moves lead to another end"
        place = game.program.root.span
        yield Breach(Problem("not-repeatable", message, place))


def play_alike(one: Game, two: Game, seed: int) -> int:
    """Return how many states two games of a seed have, or 0 if they differ."""
    states = 0
    try:
        pair = [_tell(game, seed) for game in (one, two)]
        while True:
            here, there = (next(story, None) for story in pair)
            if here != there:
                return 0
            if here is None:
                return states
            states += 1
    except GameFault:
        return 0


def _tell(game: Game, seed: int) -> Iterator[object]:
    """Yield what the players of a random game meet, state by state."""
    state = game.new(seed)
    streams = seed_bots(state, range(1, game.players + 1))
    clock = Clock(seed, {})
    while not state.over:
        seat, listed, _ = pick_seat(state, clock)
        yield seat, state.to_act, [str(move) for move in listed]
        _make(state, seat, streams[seat].choice(listed))
    yield state.result
