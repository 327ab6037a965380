"""Runs one game at a table: whose act is next, and when bots act in real time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..errors import GameFault, IllegalMove
from ..match import seed_bots
from .sitting import report_unsaved

if TYPE_CHECKING:
    from ..bots import Bot
    from ..clock import Reaction
    from ..record import Recorder
    from ..state import Move, State

# Seconds that a bot takes where it is its turn, so that people can follow.
TURN_PAUSE: Final = 0.7


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was made: by whom, what, and what others may be told of it."""

    seat: int
    move: Move
    is_unseen: bool


@dataclass(slots=True)
class _Aim:
    """What a bot is about to do in a race, and when."""

    time: float
    move: Move


@dataclass
class Host:
    """One game: people act through it, and bots act when their time has come.

    In a race a bot aims at a move and keeps to it; if that has become illegal
    when its time comes it was beaten to it, and aims anew. No two acts are made
    at one step.
    """

    state: State
    humans: Sequence[int]
    bots: Mapping[int, Bot]
    pace: Reaction
    now: Callable[[], float]
    recorder: Recorder | None = None
    warning: str = ""
    _aims: dict[int, _Aim] = field(default_factory=dict)
    _last: float = 0.0
    _began: float = 0.0

    def __post_init__(self) -> None:
        """Let the time begin."""
        self._streams = seed_bots(self.state, list(self.bots))
        self._began = self._last = self.now()

    def is_race(self) -> bool:
        """Tell whether all may act at any moment."""
        decision = self.state.decision
        return decision is not None and decision.kind == "race"

    def asked(self) -> int:
        """Return the person whose turn it is; 0 if it is a bot's, or a race."""
        if self.state.over or self.is_race():
            return 0
        seat = self._able()[0]
        return seat if seat in self.humans else 0

    def act(self, seat: int, move: Move) -> Done:
        """Make a move and save it.

        Raises:
            IllegalMove: The rules refuse it; nothing has changed.
        """
        decision = self.state.decision
        is_race = self.is_race()
        self.state.apply(seat, move)
        self._last = self.now()
        self._aims.pop(seat, None)
        self._save(seat, move, round((self._last - self._began) * 1000), is_race)
        is_unseen = decision is not None and decision.kind == "together"
        return Done(seat, move, is_unseen)

    def step(self) -> Done | None:
        """Let the bot act whose time has come, if there is one."""
        if self.state.over:
            return None
        if self.is_race():
            return self._step_race()
        self._aims.clear()
        seat = self._able()[0]
        if seat in self.humans or self.now() < self._last + TURN_PAUSE:
            return None
        return self.act(seat, self._choose(seat))

    def rest(self) -> None:
        """Begin to wait anew, as after a pause: no bot has gained by it."""
        self._aims.clear()
        self._last = self.now()

    def _step_race(self) -> Done | None:
        able = self._able()
        now = self.now()
        for seat in able:
            if seat not in self.humans and seat not in self._aims:
                self._aim(seat, now)
        for seat in set(self._aims) - set(able):
            del self._aims[seat]
        due = [(aim.time, seat) for seat, aim in self._aims.items() if aim.time <= now]
        if not due:
            return None
        _, seat = min(due)
        try:
            return self.act(seat, self._aims[seat].move)
        except IllegalMove:
            self._aim(seat, now)
            return None

    def _aim(self, seat: int, now: float) -> None:
        delay = self.pace.draw(self._streams[seat]) / 1000
        self._aims[seat] = _Aim(now + delay, self._choose(seat))

    def _choose(self, seat: int) -> Move:
        return self.bots[seat].choose(self.state, seat, self._streams[seat])

    def _able(self) -> list[int]:
        able = [seat for seat in self.state.to_act if self.state.moves(seat)]
        if not able:
            raise GameFault("nobody can act", self.state.seed)
        return able

    def _save(self, seat: int, move: Move, time: int, is_race: bool) -> None:
        if self.recorder is None:
            return
        try:
            milliseconds = time if is_race else None
            self.recorder.note(self.state, seat, str(move), milliseconds)
        except OSError as error:
            self.warning = report_unsaved(self.recorder, error)
            self.recorder.close()
            self.recorder = None
