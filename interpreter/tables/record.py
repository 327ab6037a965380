"""A played game as a file: written act by act, read back, gone on with.

A record is JSON Lines: a header with the rules, then one act a line. The state
is not in it: it is played again from the acts, and compared after each with a
checksum, so that a record which was damaged or changed is found out by its line.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from ..folders import find_data
from ..loader import load_text
from ..locks import lock
from ..text.errors import CardrunError, Problem, SavedGameError, UnreadableFile, suggest
from ..text.source import Source
from ..version import __version__

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import State

FORMAT: Final = 1
SUFFIX: Final = ".jsonl"
_MOST_BYTES: Final = 256_000_000
_MOST_SHOWN: Final = 120
_MOST_MILLISECONDS: Final = 10**12


@dataclass(frozen=True, slots=True)
class Header:
    """What a game is played by: its rules, players, options, seed and seats."""

    game: str
    ruleset: str
    file: str
    players: int
    options: dict[str, bool | int | str]
    seed: int
    seats: tuple[str, ...]

    @property
    def hash(self) -> str:
        """Return the hash of the rules."""
        return hashlib.sha256(_encode(self.ruleset)).hexdigest()


@dataclass(frozen=True, slots=True)
class RecordedAct:
    """One act: who did what, when in a race, and the checksum after it."""

    seat: int
    move: str
    milliseconds: int | None
    check: str


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read: its acts, and how many bytes of the file are whole."""

    path: Path
    source: Source
    header: Header
    acts: tuple[RecordedAct, ...]
    whole: int
    size: int

    def load(self) -> Game:
        """Return the game under the rules that the record holds.

        Raises:
            SavedGameError: This version cannot read them.
        """
        header = self.header
        options = {
            name: {True: "yes", False: "no"}.get(value, value)
            if isinstance(value, bool)
            else value
            for name, value in header.options.items()
        }
        try:
            return load_text(
                header.ruleset, header.file, players=header.players, options=options
            )
        except CardrunError as error:
            raise self._error(
                "saved-rules",
                "this version of cardrun cannot play the rules it was saved with",
                0,
                f"Its rules say: {error}".splitlines()[0],
            ) from error

    def replay(self, game: Game) -> Iterator[State]:
        """Yield the state of the game at its start and after each act.

        It is one state, which changes: copy it to keep it.

        Raises:
            SavedGameError: An act is not legal, or leads elsewhere than it did.
        """
        state = game.new(self.header.seed)
        yield state
        for number, act in enumerate(self.acts, 1):
            try:
                state.apply_text(f"{act.seat} {act.move}")
            except CardrunError as error:
                raise self._error(
                    "saved-act",
                    f"this act is not possible: {error}",
                    number,
                    "The file was changed by hand, or belongs to another game.",
                ) from error
            check = checksum(state)
            # The time was not checked at first, and such games still go on.
            if act.check not in (check, _check_time(check, act.milliseconds)):
                raise self._error(
                    "saved-check",
                    "the game does not stand here as it did when it was saved",
                    number,
                    "This line, or one before it, was changed.",
                )
            yield state

    def _error(self, code: str, message: str, line: int, hint: str) -> SavedGameError:
        return _report(self.source, code, message, line, hint)


class Recorder:
    """Writes a game to a file as it is played; each act is flushed to the disk."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        """Append to an open file."""
        self.path = path
        self._file = file

    def note(
        self, state: State, seat: int, move: str, milliseconds: int | None = None
    ) -> None:
        """Write an act, after it.

        Raises:
            OSError: It cannot be written; the file ends with the act before it.
        """
        fields: dict[str, Any] = {"seat": seat, "move": move}
        if milliseconds is not None:
            fields["ms"] = milliseconds
        check = _check_time(checksum(state), milliseconds)
        self._write({**fields, "check": check})

    def mark(self) -> int:
        """Return how long the file is, to cut it there."""
        return self._file.tell()

    def cut(self, mark: int) -> None:
        """Take back all acts behind a mark.

        Raises:
            OSError: The file cannot be changed; it is as it was.
        """
        self._file.truncate(mark)
        self._file.seek(mark)
        with suppress(OSError):  # the acts are gone, whenever the disk hears of it
            os.fsync(self._file.fileno())

    def begin(self, header: Header) -> None:
        """Write the first line.

        Raises:
            OSError: It cannot be written.
        """
        fields = {
            "cardrun": FORMAT,
            "version": __version__,
            "game": header.game,
            "file": header.file,
            "players": header.players,
            "options": header.options,
            "seed": header.seed,
            "seats": header.seats,
            "hash": header.hash,
            "ruleset": header.ruleset,
        }
        self._write({**fields, "check": _check_fields(fields)})

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, fields: dict[str, Any]) -> None:
        data = _encode(_dump(fields) + "\n")
        while data:
            data = data[self._file.write(data) :]
        os.fsync(self._file.fileno())


def describe_game(game: Game, seed: int, seats: tuple[str, ...]) -> Header:
    """Return the header of a game's record."""
    return Header(
        game.name,
        game.ruleset,
        game.path,
        game.players,
        dict(game.options),
        seed,
        seats,
    )


def begin_record(path: Path, header: Header) -> Recorder:
    """Begin a file that is not there yet.

    Raises:
        FileExistsError: It is there already: nothing is ever overwritten.
        OSError: It cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    recorder = Recorder(path, _open_alone(path, "xb"))
    try:
        recorder.begin(header)
    except OSError:
        # Half a header would only be in the way of the next try.
        recorder.close()
        path.unlink()
        raise
    return recorder


def continue_record(record: Record) -> Recorder:
    """Go on writing behind the last whole line.

    Raises:
        BlockingIOError: Another table goes on with it, or has since it was read.
        OSError: It cannot be written.
    """
    file = _open_alone(record.path, "r+b")
    if os.fstat(file.fileno()).st_size != record.size:
        file.close()
        raise BlockingIOError
    file.truncate(record.whole)
    file.seek(record.whole)
    return Recorder(record.path, file)


def delete_record(path: Path) -> None:
    """Delete a file, unless somebody plays on in it.

    Raises:
        BlockingIOError: A table goes on with it.
        OSError: It cannot be deleted.
    """
    _open_alone(path, "rb").close()
    path.unlink()


def _open_alone(path: Path, mode: str) -> IO[bytes]:
    """Open a file, and keep a second table from writing into it where this can be.

    Raises:
        BlockingIOError: A table goes on with it.
    """
    file = path.open(mode, buffering=0)
    try:
        lock(file)
    except BlockingIOError:
        file.close()
        raise
    return file


def read_record(path: Path) -> Record:
    """Read a record up to its last whole line.

    Raises:
        UnreadableFile: There is none in the folder of saved games.
        OSError: It cannot be read.
        SavedGameError: It is no record, of another version, or damaged.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except FileNotFoundError as error:
        if path.parent != saves_folder():
            raise
        names = [known.stem for known in path.parent.glob(f"*{SUFFIX}")]
        hint = suggest(path.stem, names, "saved games")
        message = f"there is no saved game '{path.stem}': {hint}"
        raise UnreadableFile(message) from error
    whole = data.rfind(b"\n") + 1
    text = _decode(data[:whole])
    lines = text.split("\n")[:-1]
    # A report quotes the line it is about, and the first one holds all the rules.
    shown = [line[:_MOST_SHOWN] + "…" * (len(line) > _MOST_SHOWN) for line in lines]
    source = Source(path.as_posix(), "\n".join([*shown, ""]))
    if not lines:
        raise _report(
            source,
            "saved-nothing",
            "this file holds no saved game, not even its first line",
            0,
            "It was cut before the game began; there is nothing to lose.",
        )
    header = _read_header(source, lines[0])
    acts = tuple(
        _read_act(source, number, line) for number, line in enumerate(lines[1:], 1)
    )
    return Record(path, source, header, acts, whole, len(data))


def _decode(data: bytes) -> str:
    try:
        return data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return data.decode(errors="replace")  # its checksums tell where


def _read_header(source: Source, line: str) -> Header:
    if not line.startswith("{"):
        raise _foreign(source)
    fields = _read_fields(source, 0, line)
    version = fields.get("cardrun")
    if type(version) is not int or "ruleset" not in fields:
        raise _foreign(source)
    if version != FORMAT:
        raise _report(
            source,
            "saved-newer",
            f"this game was saved in format {version}, of cardrun "
            f"{fields.get('version')}; this is {__version__}",
            0,
            "Use that version, or a newer one.",
        )
    try:
        header = Header(
            str(fields["game"]),
            str(fields["ruleset"]),
            str(fields["file"]),
            int(fields["players"]),
            dict(fields["options"]),
            int(fields["seed"]),
            tuple(map(str, fields["seats"])),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _damaged(source, 0) from error
    if not all(isinstance(it, bool | int | str) for it in header.options.values()):
        raise _damaged(source, 0)
    if fields.get("hash") != header.hash:
        raise _report(
            source,
            "saved-hash",
            "the rules in this file are not those that the game was saved with",
            0,
            "They were changed by hand. Begin a new game with the new rules.",
        )
    check = fields.pop("check", None)  # the first games that were saved have none
    if check not in (None, _check_fields(fields)):
        raise _damaged(source, 0)
    return header


def _read_act(source: Source, number: int, line: str) -> RecordedAct:
    fields = _read_fields(source, number, line)
    seat, move, check = (fields.get(name) for name in ("seat", "move", "check"))
    time = fields.get("ms")
    if not (
        type(seat) is int
        and isinstance(move, str)
        and isinstance(check, str)
        and (time is None or (type(time) is int and 0 <= time < _MOST_MILLISECONDS))
    ):
        raise _damaged(source, number)
    return RecordedAct(seat, move, time, check)


def _read_fields(source: Source, number: int, line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damaged(source, number) from error
    if not isinstance(fields, dict):
        raise _damaged(source, number)
    return fields


def _foreign(source: Source) -> SavedGameError:
    return _report(
        source,
        "saved-foreign",
        "this is no saved game of cardrun",
        0,
        "Give the file that --save wrote.",
    )


def _damaged(source: Source, number: int) -> SavedGameError:
    return _report(
        source,
        "saved-damaged",
        "this line is damaged",
        number,
        "Cut the file before this line to go on from there."
        if number
        else "Without its first line a game cannot be gone on with.",
    )


def _report(
    source: Source, code: str, message: str, number: int, hint: str
) -> SavedGameError:
    """Return the error of a line, counted from 0."""
    start = 0
    for _ in range(number):
        start = source.text.index("\n", start) + 1
    end = source.text.find("\n", start)
    place = source.span(start, max(start, end))
    return SavedGameError("", (Problem(code, message, place, hint),))


def checksum(state: State) -> str:
    """Return a checksum of all that a state is, by names: not of how it is kept."""
    game, layout = state.game, state.game.layout
    piles = [
        [(game.deck.name(card), state.face_up(card)) for card in state.cards(number)]
        for number in range(len(layout.piles))
    ]
    values = [(known.text, state.value(known)) for known in layout.variables]
    first = layout.slots["rng0"]
    decision = state.decision.path if state.decision else ""
    whole = (piles, values, decision, state.to_act, state.vector[first : first + 4])
    return f"{zlib.crc32(repr(whole).encode()):08x}"


def _check_time(check: str, milliseconds: int | None) -> str:
    """Return a checksum of what another is of, and of the time of an act."""
    if milliseconds is None:
        return check
    return f"{zlib.crc32(str(milliseconds).encode(), int(check, 16)):08x}"


def _check_fields(fields: dict[str, Any]) -> str:
    """Return a checksum of all that a line says, however it is spaced."""
    return f"{zlib.crc32(_encode(_dump(fields))):08x}"


def _dump(fields: dict[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _encode(text: str) -> bytes:
    """Return a text in bytes, the name of a file that is no text among them."""
    return text.encode(errors="surrogatepass")


def saves_folder() -> Path:
    """Return the folder of the games saved by a bare name."""
    return find_data() / "saves"


def find_save(name: str) -> Path:
    """Return the path that a name of a saved game means.

    A bare name, without folder and ending, is in the folder of saved games.
    """
    path = Path(name)
    if path.suffix or path.name != name:
        return path
    return saves_folder() / f"{name}{SUFFIX}"
