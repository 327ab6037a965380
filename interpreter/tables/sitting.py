"""A game that people sit down to: a new one or a saved one, saved or not."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..simulation.match import Act, play_bots, seat_bots
from ..text.errors import CardrunError
from .arguments import BOTS, HUMAN, SEATS
from .compiling import make_minds
from .output import FileTrouble, reason
from .record import (
    SUFFIX,
    Record,
    Recorder,
    begin_record,
    continue_record,
    describe_game,
    find_save,
    read_record,
    saves_folder,
)
from .speech import Speech

if TYPE_CHECKING:
    from ..bots import Bot
    from ..engine.game import Game
    from ..engine.state import Move, State


@dataclass(frozen=True, slots=True)
class Opponents:
    """Which bots play where none is named, how long they think, and by what."""

    bot: str = "greedy"
    level: str = "normal"
    backend: str = "auto"


@dataclass(slots=True)
class Sitting:
    """A state to play on from, who sits where, and where it is saved, if it is."""

    state: State
    kinds: tuple[str, ...]
    recorder: Recorder | None
    is_verbose: bool = False
    speech: Speech = field(default_factory=Speech)

    def play_bots(self, opponents: Opponents) -> Iterator[Act]:
        """Let bots play on in all seats; yield and save each act."""
        bots = self.seat_bots(opponents, None)
        for act in play_bots(self.state, bots, {}):
            self._note(act)
            yield act

    def seat_bots(
        self, opponents: Opponents, clock: Callable[[], float] | None
    ) -> dict[int, Bot]:
        """Return a bot for every seat, ready to play."""
        names = self.name_bots(opponents.bot)
        minds = make_minds(self.state.game, names, opponents.backend)
        return seat_bots(names, opponents.level, clock, minds)

    def name_bots(self, bot: str) -> list[str]:
        """Return the bot of each seat; this one where none is named."""
        return [kind if kind in BOTS else bot for kind in self.kinds]

    @property
    def humans(self) -> list[int]:
        """Return the seats of people."""
        return [seat for seat, kind in enumerate(self.kinds, 1) if kind == HUMAN]

    def _note(self, act: Act) -> None:
        if self.recorder is None:
            return
        lost = save_act(self.recorder, self.state, act.seat, act.move, act.milliseconds)
        if lost:
            click.echo(f"cardrun: {lost}", err=True)
            self.recorder = None

    def renew(self) -> str:
        """Deal the next game: all move up a seat, so that the deal passes on.

        It is saved beside the last one if that was.

        Returns:
            Where it is saved, or why it is not; nothing if the last one was not.
        """
        game = self.state.game
        path = self.recorder.path if self.recorder is not None else None
        self.close()
        self.kinds = turn_seats(self.kinds, game.layout.step)
        seed = (self.state.seed + 1) % 2**64
        self.state = game.new(seed)
        if path is None:
            return ""
        path = _next_path(path)
        try:
            self.recorder = begin_record(path, describe_game(game, seed, self.kinds))
        except OSError as error:
            return self.speech.say("not saved: {reason}", reason=reason(error))
        return self.speech.say("saved in {path}", path=path)

    def tell_how_to_resume(self) -> None:
        """Say how to go on with a saved game that was left."""
        if self.recorder is None or self.state.over:
            return
        path = self.recorder.path
        is_named = path == find_save(path.stem)
        command = ["cardrun", "play", "--resume", path.stem if is_named else str(path)]
        told = self.speech.say("go on with it: {command}", command=shlex.join(command))
        click.echo(told, err=True)

    def close(self) -> None:
        """Save no more."""
        if self.recorder is not None:
            self.recorder.close()
            self.recorder = None


def explain(
    state: State, seat: int, move: Move, speech: Speech, *, is_verbose: bool
) -> str:
    """Return why a move is refused, or nothing if it is legal.

    The rule's name and its line go with it if they are asked for.
    """
    refusal = state.refusal(seat, move, speech.rule)
    if refusal is None:
        return ""
    because = refusal.because
    told = speech.say("{move} is refused: {because}", move=move, because=because)
    if is_verbose and refusal.place:
        told += f" ({refusal.rule}, {refusal.place})"
    elif is_verbose and refusal.rule:
        told += f" ({refusal.rule})"
    return told


def save_act(
    recorder: Recorder, state: State, seat: int, move: Move, milliseconds: int | None
) -> str:
    """Save an act, after it.

    Returns:
        What to tell people if the game can be saved no longer, when the recorder
        is closed and the game goes on without it; else nothing.
    """
    try:
        recorder.note(state, seat, str(move), milliseconds)
    except OSError as error:
        recorder.close()
        return (
            f"the game can no longer be saved ({reason(error)}): it goes on unsaved, "
            f"saved up to here in {recorder.path}"
        )
    return ""


def turn_seats(kinds: tuple[str, ...], step: int) -> tuple[str, ...]:
    """Return who sits where when all have moved up so that the deal passes on.

    Whoever sat in the first seat after the dealer, the last one, is there now.
    """
    return kinds[step:] + kinds[:step]


def _next_path(path: Path) -> Path:
    """Return the first name like that of a saved game which is free."""
    stem, _, number = path.stem.rpartition("-")
    if not (stem and number.isdecimal()):
        stem, number = path.stem, "1"
    count = int(number) + 1
    while (found := path.with_name(f"{stem}-{count}{path.suffix}")).exists():
        count += 1
    return found


def begin(game: Game, seed: int, kinds: tuple[str, ...], save: str | None) -> Sitting:
    """Begin a game, saved under a name or a path if one is given.

    Raises:
        click.UsageError: There is such a file already.
        FileTrouble: It cannot be written.
    """
    recorder = None
    if save is not None:
        path = _find(save)
        try:
            recorder = begin_record(path, describe_game(game, seed, kinds))
        except OSError as error:
            if isinstance(error, FileExistsError) and path.is_file():
                command = shlex.join(["cardrun", "play", "--resume", save])
                raise click.UsageError(
                    f"There is a file '{path}' already. To go on with the game in "
                    f"it: {command}"
                ) from error
            raise _refuse_writing(path, error) from error
        click.echo(f"saved in {path}", err=True)
    return Sitting(game.new(seed), kinds, recorder)


def _find(name: str) -> Path:
    """Return the path of a saved game, by a name that can be read and typed again."""
    path = find_save(name)
    is_listed = path.parent == saves_folder()
    if not name.strip("./ ") or (is_listed and not name.isprintable()):
        raise click.UsageError(f"{name!r} is no name of a saved game.")
    return path


def _refuse_writing(path: Path, error: OSError) -> FileTrouble:
    return FileTrouble(f"cannot write '{path}': {reason(error)}")


def resume(name: str, seats: tuple[str, ...] | None) -> Sitting:
    """Go on with a saved game, under the rules it was saved with.

    Args:
        name: Its name or path.
        seats: Who sits where now; those who sat there if not given.

    Raises:
        click.UsageError: There are too many or too few seats, or another table
            goes on with it.
        FileTrouble: It cannot be written.
        OSError: It cannot be read.
        SavedGameError: It cannot be gone on with; nothing has changed.
    """
    record = read_record(_find(name))
    game = record.load()
    *_, state = record.replay(game)
    kinds = seats or tuple(
        kind if kind in SEATS else "bot" for kind in record.header.seats
    )
    if len(kinds) != game.players:
        raise click.UsageError(f"The saved game is for {game.players} players.")
    try:
        recorder = continue_record(record)
    except BlockingIOError as error:
        raise click.UsageError("Another table goes on with this game.") from error
    except OSError as error:
        raise _refuse_writing(record.path, error) from error
    click.echo(
        f"{game.name}: {len(record.acts)} acts played; saved in {record.path}", err=True
    )
    return Sitting(state, kinds, recorder)


def has_race(game: Game) -> bool:
    """Tell whether all act at once at some time in a game."""
    return any(decision.kind == "race" for decision in game.decisions)


def fits_a_screen(sitting: Sitting) -> bool:
    """Tell whether a game can be played on the whole terminal; say so if not.

    A keyboard has two halves: more than two people in one race need lines.
    """
    if not sys.stdout.isatty():
        return False
    if len(sitting.humans) > 2 and has_race(sitting.state.game):
        click.echo(
            "More than two people in one race play line by line (--plain).", err=True
        )
        return False
    return True


def list_saves() -> Iterator[tuple[str, Path, Record | None]]:
    """Yield name, path and what is in it of each game saved by a bare name."""
    for path in sorted(saves_folder().glob(f"*{SUFFIX}")):
        record = None
        with suppress(CardrunError, OSError):
            record = read_record(path)
        yield path.stem, path, record
