"""A race in line mode: bots act in real time, people whenever they type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..simulation.match import list_able

if TYPE_CHECKING:
    from .console import Console
    from .plain import PlainTable


class Race:
    """A race at a table: bots aim and act in real time, people whenever they like.

    A bot keeps to the moment it has aimed at, whatever the others do, and looks
    only then which moves are legal.
    """

    def __init__(self, table: PlainTable, console: Console) -> None:
        """Begin a race that the table has come to."""
        self._table = table
        self._console = console
        self._state = table.state
        self._decision = table.state.decision
        self._aims: dict[int, float] = {}

    def run(self) -> None:
        """Let all act until something else than this race is to be decided."""
        self._table.race_began = self._table.now()
        for seat in self._table.humans[:1]:
            self._table.look(seat)
        while not self._state.over and self._state.decision is self._decision:
            self._aim()
            if self._table.humans:
                self._wait()
            else:
                self._act_first()

    def _aim(self) -> None:
        """Let bots that can act and have not aimed do so; forget the others."""
        able = list_able(self._state)
        bots = [seat for seat in able if seat not in self._table.humans]
        now = self._table.now()
        kept = {seat: time for seat, time in self._aims.items() if seat in bots}
        new = [seat for seat in bots if seat not in kept]
        self._aims = kept | {seat: now + self._table.draw_delay(seat) for seat in new}

    def _wait(self) -> None:
        """Take a line or the first bot's act, whichever is first."""
        timeout = None
        if self._aims:
            timeout = max(min(self._aims.values()) - self._table.now(), 0)
        try:
            line = self._console.read(timeout)
        except EOFError:
            self._table.hand_over()
            return
        if line is None:
            self._act_first()
            self._show_all()
        elif (heard := self._table.split(line)) and self._table.hear(*heard):
            self._show_all()

    def _act_first(self) -> None:
        seat = min(self._aims, key=lambda seat: self._aims[seat])
        del self._aims[seat]
        self._table.act(seat, self._table.choose(seat))

    def _show_all(self) -> None:
        people = self._table.humans
        is_on = not self._state.over and self._state.decision is self._decision
        if is_on and people:
            self._table.look_again(people[0])
