"""Runs one game at a table: whose act is next, and when bots act in real time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..errors import IllegalMove
from ..match import list_able, seed_bots
from .sitting import save_act

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
    _able: tuple[int, list[int]] = (-1, [])
    _last: float = 0.0
    _began: float = 0.0

    def __post_init__(self) -> None:
        """Let the time begin."""
        self._streams = seed_bots(self.state, list(self.bots))
        self._began = self._last = self.now()

    def asked(self) -> int:
        """Return the person whose turn it is; 0 if it is a bot's, or a race."""
        if self.state.over or self.state.is_race:
            return 0
        seat = self._list_able()[0]
        return seat if seat in self.humans else 0

    def act(self, seat: int, move: Move) -> Done:
        """Make a move and save it.

        Raises:
            IllegalMove: The rules refuse it; nothing has changed.
        """
        decision = self.state.decision
        is_race = self.state.is_race
        self.state.apply(seat, move)
        self._last = self.now()
        self._aims.pop(seat, None)
        time = round((self._last - self._began) * 1000)
        self._save(seat, move, time if is_race else None)
        is_unseen = decision is not None and decision.kind == "together"
        return Done(seat, move, is_unseen)

    def step(self) -> Done | None:
        """Let the bot act whose time has come, if there is one."""
        if self.state.over:
            return None
        if self.state.is_race:
            return self._step_race()
        self._aims.clear()
        seat = self._list_able()[0]
        if seat in self.humans or self.now() < self._last + TURN_PAUSE:
            return None
        return self.act(seat, self._choose(seat))

    def rest(self) -> None:
        """Begin to wait anew, as after a pause: no bot has gained by it."""
        self._aims.clear()
        self._able = (-1, [])
        self._last = self.now()

    def _step_race(self) -> Done | None:
        able = self._list_able()
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

    def _list_able(self) -> list[int]:
        """Return who can act; it is looked up once a position, not at every step."""
        made = self.state.decisions
        if self._able[0] != made:
            self._able = (made, list_able(self.state))
        return self._able[1]

    def _save(self, seat: int, move: Move, milliseconds: int | None) -> None:
        if self.recorder is None:
            return
        self.warning = save_act(self.recorder, self.state, seat, move, milliseconds)
        if self.warning:
            self.recorder = None
