"""Watch a saved game: act by act, forwards and back, at its own speed or another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ..simulation.match import act_as_json, render_act, render_result, result_as_json
from ..text.errors import UnknownMove
from .board import describe_view, list_filled
from .record import FORMAT
from .speech import Speech

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import State
    from .console import Console
    from .record import Record, RecordedAct

# Seconds between two acts of which no times are recorded.
_USUAL_GAP: Final = 1.0
HELP: Final = (
    "  Enter: the next act   b: one back   a number: that act   q: leave   ?: this help"
)


def list_acts(record: Record, game: Game, speech: Speech) -> Iterator[str]:
    """Yield the acts of a record as lines, verified, and how the game stands.

    Acts are told as they are typed, in every language.

    Raises:
        SavedGameError: An act does not lead where it did.
    """
    states = record.replay(game)
    state = next(states)
    for act, _ in zip(record.acts, states, strict=True):
        yield render_act(act)
    yield ""
    yield render_end(state, speech)


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


def render_end(state: State, speech: Speech) -> str:
    """Return the result, or that there is none yet."""
    if state.over:
        return render_result(state, speech.rule)
    seats = ", ".join(map(str, state.to_act))
    return speech.say("The game goes on: player {seats} to act.", seats=seats)


@dataclass(slots=True)
class Replay:
    """A saved game that is being watched from one seat."""

    record: Record
    game: Game
    seat: int
    console: Console
    speech: Speech
    _filled: set[str] = field(default_factory=set)

    def step(self) -> None:
        """Let a person go through the acts, one at a time.

        Raises:
            SavedGameError: An act does not lead where it did.
        """
        place = 0
        self._say(HELP)
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
            self._say(HELP)
            return place
        if line.isdecimal():
            wanted = int(line)
        elif line in ("", "b"):
            wanted = place - 1 if line == "b" else place + 1
        else:
            self._say(HELP)
            return place
        last = len(self.record.acts)
        if not 0 <= wanted <= last:
            self._say("  There are acts 0 to {last}.", last=last)
            return place
        self._show(wanted)
        return wanted

    def _say(self, text: str, **values: object) -> None:
        self.console.write(self.speech.say(text, **values))

    def run(self, speed: float) -> None:
        """Show all acts by themselves, so many times as fast as they were made.

        Enter pauses. Without a person at the input nothing waits.

        Raises:
            SavedGameError: An act does not lead where it did.
        """
        states = self.record.replay(self.game)
        state = next(states)
        self._describe(0, state, "")
        before = 0
        for number, act in enumerate(self.record.acts, 1):
            gap = _USUAL_GAP
            if act.milliseconds is not None:
                gap = max(act.milliseconds - before, 0) / 1000
                before = act.milliseconds
            if self._wait(gap / speed):
                return
            said = self._tell(act, state)
            next(states)
            self._describe(number, state, said)

    def _wait(self, seconds: float) -> bool:
        """Wait for the next act; return whether the person leaves instead."""
        try:
            line = self.console.read(seconds)
            if line is not None and not line.strip():
                self._say("  Paused: Enter goes on, q leaves.")
                line = self.console.read(None)
        except EOFError:
            return False
        return (line or "").strip().casefold() in ("q", "quit")

    def _show(self, place: int) -> None:
        """Show the game after so many acts."""
        states = self.record.replay(self.game)
        state, said = next(states), ""
        for number, act in enumerate(self.record.acts[:place], 1):
            if number == place:
                said = self._tell(act, state)
            next(states)
        self._describe(place, state, said)

    def _tell(self, act: RecordedAct, state: State) -> str:
        """Return who does what, and when in a race, before it is done."""
        try:
            move = state.parse(act.seat, act.move)
        except UnknownMove:
            return act.move  # the next step says what is wrong with it
        label = state.label(act.seat, move, self.speech.rule)
        told = f"{self.speech.say('Player {seat}', seat=act.seat)}: {label}"
        if act.milliseconds is None:
            return told
        return f"{act.milliseconds / 1000:.3f} {told}"

    def _describe(self, place: int, state: State, said: str) -> None:
        """Show the game, after what has been said of the last act."""
        say, last = self.speech.say, len(self.record.acts)
        self.console.write("")
        text = "{place} of {last}: {act}"
        self._say(text, place=place, last=last, act=said or say("the deal"))
        view = state.view(self.seat)
        for line in describe_view(view, self.game.layout, self.speech, self._filled):
            self.console.write(line)
        self._filled = list_filled(view)
        if place == last:
            self.console.write(render_end(state, self.speech))
