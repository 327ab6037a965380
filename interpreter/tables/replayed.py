"""Watch a saved game: act by act, forwards and back, at its own speed or another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..simulation.match import act_as_json, render_act, render_result, result_as_json
from .board import describe_view, list_filled
from .record import FORMAT
from .speech import Speech

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import State
    from .console import Console
    from .record import Record

# Seconds between two acts of which no times are recorded.
_USUAL_GAP: Final = 1.0
HELP: Final = (
    "  Enter: the next act   b: one back   a number: that act   q: leave   ?: this help"
)


def list_acts(record: Record, game: Game) -> Iterator[str]:
    """Yield the acts of a record as lines, verified, and how the game stands.

    Raises:
        SavedGameError: An act does not lead where it did.
    """
    states = record.replay(game)
    state = next(states)
    for act, _ in zip(record.acts, states, strict=True):
        yield render_act(act)
    yield ""
    yield render_end(state)


def as_json(record: Record, game: Game) -> dict[str, object]:
    """Return a saved game as ``--json`` prints it.

    Raises:
        SavedGameError: An act does not lead where it did.
    """
    *_, state = record.replay(game)
    header = record.header
    return {
        "format": FORMAT,
        "game": header.game,
        "file": header.file,
        "players": header.players,
        "options": header.options,
        "seats": list(header.seats),
        "seed": header.seed,
        "acts": [act_as_json(act) for act in record.acts],
        "result": result_as_json(state) if state.over else None,
    }


def render_end(state: State) -> str:
    """Return the result, or that there is none yet."""
    if state.over:
        return render_result(state)
    seats = ", ".join(map(str, state.to_act))
    return f"The game goes on: player {seats} to act."


@dataclass(slots=True)
class Replay:
    """A saved game that is being watched from one seat."""

    record: Record
    game: Game
    seat: int
    console: Console
    _filled: set[str] = field(default_factory=set)

    def step(self) -> None:
        """Let a person go through the acts, one at a time.

        Raises:
            SavedGameError: An act does not lead where it did.
        """
        place = 0
        self.console.write(HELP)
        self._show(place)
        while True:
            try:
                line = (self.console.read(None) or "").strip().casefold()
            except EOFError:
                return
            if line in ("q", "quit"):
                return
            place = self._go(line, place)

    def _go(self, line: str, place: int) -> int:
        """Show what a line asks for; return the act that is shown then."""
        if line in ("?", "help"):
            self.console.write(HELP)
            return place
        if line.isdecimal():
            wanted = int(line)
        elif line in ("", "b"):
            wanted = place - 1 if line == "b" else place + 1
        else:
            self.console.write(HELP)
            return place
        if not 0 <= wanted <= len(self.record.acts):
            self.console.write(f"  There are acts 0 to {len(self.record.acts)}.")
            return place
        self._show(wanted)
        return wanted

    def run(self, speed: float) -> None:
        """Show all acts by themselves, so many times as fast as they were made.

        Enter pauses. Without a person at the input nothing waits.

        Raises:
            SavedGameError: An act does not lead where it did.
        """
        states = self.record.replay(self.game)
        state = next(states)
        self._describe(0, state)
        before = 0
        for number, act in enumerate(self.record.acts, 1):
            gap = _USUAL_GAP
            if act.milliseconds is not None:
                gap = max(act.milliseconds - before, 0) / 1000
                before = act.milliseconds
            if self._wait(gap / speed):
                return
            next(states)
            self._describe(number, state)

    def _wait(self, seconds: float) -> bool:
        """Wait for the next act; return whether the person leaves instead."""
        try:
            line = self.console.read(seconds)
            if line is not None and not line.strip():
                self.console.write("  Paused: Enter goes on, q leaves.")
                line = self.console.read(None)
        except EOFError:
            return False
        return (line or "").strip().casefold() in ("q", "quit")

    def _show(self, place: int) -> None:
        """Show the game after so many acts."""
        states = self.record.replay(self.game)
        state = next(states)
        for _ in range(place):
            next(states)
        self._describe(place, state)

    def _describe(self, place: int, state: State) -> None:
        acts = self.record.acts
        said = render_act(acts[place - 1]) if place else "the deal"
        self.console.write(f"\n{place} of {len(acts)}: {said}")
        view = state.view(self.seat)
        for line in describe_view(view, self.game.layout, Speech(), self._filled):
            self.console.write(line)
        self._filled = list_filled(view)
        if place == len(acts):
            self.console.write(render_end(state))
