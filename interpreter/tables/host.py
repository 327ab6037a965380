"""Runs one game at a table: whose act is next, and when bots act in real time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..simulation.match import list_able, seed_bots
from ..text.errors import IllegalMove
from .board import Played, View, find_swept, hide_cards, name_shared_cards
from .sitting import save_act
from .speech import Speech
from .thinking import Thought

if TYPE_CHECKING:
    from ..bots import Bot
    from ..clock import Reaction
    from ..engine.state import Move, State
    from .record import Recorder

# Where bots take turns they need this part of their time in a race: people want to
# follow, not to win.
_PART_IN_TURNS: Final = 0.25


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was made: by whom, what, and what others may be told of it.

    The label is what people call it; cards that not all of them can see are left
    out. What was swept lay in piles that the act has cleared.
    """

    seat: int
    move: Move
    label: str
    is_unseen: bool
    swept: Mapping[str, list[Played]]


@dataclass(slots=True)
class _Aim:
    """What a bot thinks of doing in a race, and when it would act."""

    time: float
    thought: Thought


@dataclass
class Host:
    """One game: people act through it, and bots act when their time has come.

    In a race a bot aims at a move and keeps to it; if that has become illegal
    when its time comes it was beaten to it, and aims anew. No two acts are made
    at one step. Bots think as ``begin`` has it: at once, or beside the table.
    """

    state: State
    humans: Sequence[int]
    bots: Mapping[int, Bot]
    pace: Reaction
    now: Callable[[], float]
    recorder: Recorder | None = None
    speech: Speech = field(default_factory=Speech)
    warning: str = ""
    begin: Callable[[Thought], None] = Thought.run
    _thought: tuple[tuple[int, int], Thought] | None = None
    _aims: dict[int, _Aim] = field(default_factory=dict)
    _able: tuple[int, list[int]] = (-1, [])
    _last: float = 0.0
    _began: float = 0.0
    _looked: float = 0.0
    _raced: float = 0.0
    _is_racing: bool = False

    def __post_init__(self) -> None:
        """Let the time begin."""
        self._streams = seed_bots(self.state, list(self.bots))
        self._began = self._last = self._looked = self.now()

    @property
    def race_time(self) -> int:
        """Return how many seconds the race has been on, pauses apart."""
        return int(self._raced)

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
        label = self.state.label(seat, move, self.speech.rule)
        known, before = self._list_known(), self._look()
        self.state.apply(seat, move)
        known |= self._list_known()
        label = hide_cards(label, known, self.state.game.deck)
        cards = [word for word in move.args if word in known]
        layout = self.state.game.layout
        swept = find_swept(before, self._look(), layout, seat, cards)
        self._last = self.now()
        self._aims.pop(seat, None)
        time = round((self._last - self._began) * 1000)
        self._save(seat, move, time if is_race else None)
        is_unseen = decision is not None and decision.kind == "together"
        return Done(seat, move, label, is_unseen, swept)

    def _look(self) -> View:
        """Return what the first of the people can see."""
        return self.state.view(self.humans[0] if self.humans else 1)

    def _list_known(self) -> set[str]:
        """Return the cards that all people at the table can see."""
        seats = self.humans or [1]
        return name_shared_cards(self.state.view(seat) for seat in seats)

    def step(self) -> Done | None:
        """Let the bot act whose time has come, if there is one."""
        if self.state.over:
            return None
        self._time_race()
        if self.state.is_race:
            return self._step_race()
        self._forget(self._aims)
        able = self._list_able()
        bots = [seat for seat in able if seat not in self.humans]
        if able[0] in self.humans and not self._choose_unseen():
            return None
        if not bots:
            return None
        thought = self._think_here(bots[0])
        wait = self.pace.mean / 1000 * _PART_IN_TURNS
        if not thought.is_ready or self.now() < self._last + wait:
            return None
        return self.act(bots[0], thought.take())

    def _think_here(self, seat: int) -> Thought:
        """Return what a bot thinks of the position; its time to wait is for that."""
        place = self.state.decisions, seat
        if self._thought is None or self._thought[0] != place:
            self._drop_thought()
            self._thought = place, self._think(seat)
        return self._thought[1]

    def _think(self, seat: int) -> Thought:
        """Let a bot begin to think."""
        thought = Thought(self.bots[seat], self.state, seat, self._streams[seat])
        self.begin(thought)
        return thought

    def _drop_thought(self) -> None:
        if self._thought is not None:
            self._thought[1].drop()
        self._thought = None

    def _forget(self, seats: Collection[int]) -> None:
        """Let bots aim no longer."""
        for seat in list(seats):
            self._aims.pop(seat).thought.drop()

    def _choose_unseen(self) -> bool:
        """Tell whether bots choose while people still think: all choose unseen."""
        decision = self.state.decision
        return decision is not None and decision.kind == "together"

    def _time_race(self) -> None:
        """Let the time of a race go on; another race begins at 0."""
        now, is_racing = self.now(), self.state.is_race
        if is_racing and not self._is_racing:
            self._raced = 0.0
        elif is_racing:
            self._raced += now - self._looked
        self._looked, self._is_racing = now, is_racing

    def rest(self) -> None:
        """Begin to wait anew, as after a pause: no bot has gained by it.

        What bots were thinking is dropped, and no act is later for it.
        """
        self._forget(self._aims)
        self._drop_thought()
        self._able = (-1, [])
        now = self.now()
        self._began += now - self._looked
        self._last = self._looked = now

    def _step_race(self) -> Done | None:
        able = self._list_able()
        now = self.now()
        for seat in able:
            if seat not in self.humans and seat not in self._aims:
                self._aim(seat, now)
        self._forget(set(self._aims) - set(able))
        due = [
            (aim.time, seat)
            for seat, aim in self._aims.items()
            if aim.time <= now and aim.thought.is_ready
        ]
        if not due:
            return None
        _, seat = min(due)
        move = self._aims[seat].thought.take()
        try:
            return self.act(seat, move)
        except IllegalMove:
            self._aim(seat, now)
            return None

    def _aim(self, seat: int, now: float) -> None:
        delay = self.pace.draw(self._streams[seat]) / 1000
        self._aims[seat] = _Aim(now + delay, self._think(seat))

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
