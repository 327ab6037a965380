"""What plays batches of random games: plain Python, or machine code by Numba.

Both run the same source and give the same numbers. Machine code is kept in the
user's cache directory, under the versions it was made by and the hash of its
source. An entry is made apart and put in place whole, with checksums: processes
that make the same one at once do not meet, and a damaged one is made anew.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..draws import begin_game
from ..folders import find_cache
from ..language.program import DEPTH, ROW_HEAD, TALLY_HEAD, run_source, write_playouts
from ..language.values import LOGS
from ..rng import MASK
from ..version import __version__

if TYPE_CHECKING:
    from ..language.compiler import Program
    from .game import Game

BACKENDS: Final = ("auto", "python", "numba")
_SOURCE: Final = "game.py"
_MODULE: Final = "cardrun_game_"
_CACHED: Final = "cache=True, "
_SUMS: Final = "SUMS"
_MOST_KEPT: Final = 200
_FAULT: Final = 3
# Decisions a second in Python, and lines that Numba compiles in one: about what
# an ordinary machine does. They only decide whether compiling is worth its time.
SPEED: Final = 60_000
_LINES: Final = 110
_WARM: Final = 1.5
_TABLE: Final = re.compile(r"([A-Z]\w*) = (\(.*\))")
# What stands before a source: numbers of bits, for which processors have instructions.
_BITS: Final = """from numba import njit, types
from numba.extending import intrinsic
from numpy import array, int64


@intrinsic
def bits(context, mask):
    def write(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), write


@intrinsic
def length(context, mask):
    def write(context, builder, signature, arguments):
        word = arguments[0].type
        zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, 0))
        return builder.sub(word(64), zeros)

    return types.int64(types.int64), write


@intrinsic
def lowest(context, mask):
    def write(context, builder, signature, arguments):
        word = arguments[0].type
        zeros = builder.cttz(arguments[0], context.get_constant(types.boolean, 0))
        return builder.and_(zeros, word(63))

    return types.int64(types.int64), write

"""
_LOWEST: Final = re.compile(rf"LOG\[\((.+?) & -\1\) % {LOGS}\]")
# Functions allocate nothing, so that vectors need no counts of references, which would
# take a quarter of the time; and Python calls none of them but the entry.
_INNER: Final = "@njit(_nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)"
_COPY: Final = "    S[:SIZE] = A"
_LOOP: Final = "    for i in range(SIZE):\n        S[i] = A[i]"

# Makes a vector of numbers.
Vector = Callable[[list[int]], Any]
# Told how many functions are compiled, and how many there are.
Report = Callable[[int, int], None]


class BackendTrouble(Exception):
    """Machine code cannot be had; says why."""


@dataclass(frozen=True, slots=True)
class Harvest:
    """What a number of games left behind.

    Rows are flat, each as wide as the head of a row and the number of seats. The
    uses are of moves, then for each decision from the start of a game how many
    games came to it and how many legal moves it offered, then of marks.
    """

    rows: list[int]
    uses: list[int]

    def add(self, other: Harvest) -> Harvest:
        """Return the games of both, one after the other."""
        uses = map(sum, zip(self.uses, other.uses, strict=True))
        return Harvest(self.rows + other.rows, [*uses])


@dataclass(frozen=True)
class Playouts:
    """Plays the random games of a batch by functions over vectors."""

    game: Game
    backend: str
    functions: dict[str, Any]
    vector: Vector

    @property
    def row_width(self) -> int:
        """Return how many numbers tell of one game."""
        return ROW_HEAD + self.game.players

    def play(self, root: int, first: int, number: int) -> Harvest:
        """Play some games of the batch that a seed begins.

        Raises:
            GameFault: The rules bring a game to a halt.
        """
        start, state, buffer, words, tally, rows = self._vectors(number)
        if self.backend == "python":
            # What games begin with is worked out for many at once.
            begun = [begin_game(root, game) for game in range(first, first + number)]
            done = self.functions["play_begun"](
                start, begun, state, buffer, tally, rows
            )
        else:
            done = self.functions["play_batch"](
                *(start, root & MASK, root >> 32 & MASK, first, number),
                *(state, buffer, words, tally, rows),
            )
        if done < number:
            self.game.play_random(root, first + int(done))
        return self._gather(state, tally, rows)

    def repeat(self, seed: int, acts: Sequence[tuple[int, Sequence[int]]]) -> Harvest:
        """Play a known game: its seed, and the seat (from 1) and row of each act."""
        start, state, buffer, words, tally, rows = self._vectors(1)
        width = self.game.row_width
        known: list[int] = []
        for seat, row in acts:
            known += [seat - 1, *row, *[0] * (width - len(row))]
        self.functions["play_again"](
            *(start, seed, known, len(acts), state, buffer, words, tally, rows)
        )
        return self._gather(state, tally, rows)

    def _vectors(self, number: int) -> list[Any]:
        """Return vectors of their own for a call, so that calls do not meet."""
        game = self.game
        start = game.unshuffled
        return [
            self.vector(numbers)
            for numbers in (
                start,
                start + [0] * len(game.program.marks),
                game.buffer(),
                [0] * 4,
                [0] * (TALLY_HEAD + len(game.program.moves) + 2 * DEPTH),
                [0] * (number * self.row_width),
            )
        ]

    def _gather(self, state: Any, tally: Any, rows: Any) -> Harvest:
        if self.backend == "numba":
            state, tally, rows = (found.tolist() for found in (state, tally, rows))
        uses = [*tally[TALLY_HEAD:], *state[self.game.layout.size :]]
        return Harvest(rows, uses)


def play_in_python(game: Game) -> Playouts:
    """Return what plays a game's batches without compiling."""
    functions = run_source(write_playouts(game.program), "<emitted batch>")
    return Playouts(game, "python", functions, list)


@dataclass(frozen=True)
class Kind:
    """What machine code is made of, and from where it is called.

    Args:
        write: Returns the source, of which only what the entries call is compiled.
        entries: The functions that Python calls.
        warm_up: Calls each of them with nothing to do.
    """

    write: Callable[[Program], str]
    entries: tuple[str, ...]
    warm_up: Callable[[Game, dict[str, Any], Vector], object]


def _play_nothing(game: Game, functions: dict[str, Any], vector: Vector) -> Harvest:
    return Playouts(game, "numba", functions, vector).play(0, 0, 0)


BATCH: Final = Kind(write_playouts, ("play_batch",), _play_nothing)


def has_numba() -> bool:
    """Tell whether Numba is installed, without importing it."""
    return importlib.util.find_spec("numba") is not None


@dataclass(frozen=True)
class Workshop:
    """Makes machine code of one game, or takes what is kept.

    Args:
        game: What is to be played.
        cache: The folder for all that is kept, or None for the user's own.
        kind: What it is for.
    """

    game: Game
    cache: Path | None = None
    kind: Kind = BATCH

    @cached_property
    def source(self) -> str:
        """Return the source as Numba takes it: a module of its own."""
        return _write_module(self.kind.write(self.game.program), self.kind.entries)

    @cached_property
    def functions(self) -> tuple[str, ...]:
        """Return the names of the functions that are compiled."""
        return _find_needed(self.source, self.kind.entries)

    @cached_property
    def folder(self) -> Path:
        """Return where the machine code of this source is kept."""
        hash = hashlib.sha256(self.source.encode()).hexdigest()
        return (self.cache or find_cache()) / _name_maker() / hash[:32]

    @property
    def is_kept(self) -> bool:
        """Tell whether there is machine code for later."""
        return os.path.isfile(self.folder / _SUMS)  # False too where none may look

    def seconds(self) -> float:
        """Return about how long it takes until machine code can be run."""
        if self.is_kept:
            return _WARM
        return _WARM + self.source.count("\n") / _LINES

    def make(self, report: Report | None = None) -> Playouts:
        """Return what plays the game's batches as machine code.

        Raises:
            BackendTrouble: It cannot be had.
        """
        return Playouts(self.game, "numba", self.compile(report), make_array)

    def compile(self, report: Report | None = None) -> dict[str, Any]:
        """Return the functions as machine code, compiled or kept.

        Raises:
            BackendTrouble: Numba is missing, switched off, or fails; or the game's
                selections of cards have no room in a word.
        """
        if not self.game.program.fits_words:
            raise BackendTrouble(
                f"moves that pick several cards from {self.game.deck.size} are too "
                "large for machine code"
            )
        numba = _import_numba()
        try:
            functions = self._take_kept()
            if functions is None:
                functions = self._compile(report)
        except (numba.core.errors.NumbaError, RuntimeError, ImportError) as error:
            reason = str(error).strip().split("\n")[0]
            raise BackendTrouble(f"Numba cannot compile this game: {reason}") from error
        return functions

    def _take_kept(self) -> dict[str, Any] | None:
        """Return the functions that are kept, unless there are none or damaged ones."""
        if not os.path.isdir(self.folder):  # where nobody may look there is none
            return None
        if not _is_sound(self.folder, self.source):
            _remove(self.folder)
            return None
        try:
            functions = _run_module(self.folder / _SOURCE)
        except OSError:
            # Another process has taken it away meanwhile.
            return None
        self._warm_up(functions)
        return functions

    def _compile(self, report: Report | None) -> dict[str, Any]:
        """Compile apart, and put the result in its place unless it cannot be kept."""
        apart = _make_room(self.folder.parent)
        try:
            functions = _write_functions(apart, self.source)
            with _tell(report, len(self.functions)):
                is_written = self._warm_up_writing(functions)
            if apart is not None and is_written:
                _keep(apart, self.folder)
        finally:
            if apart is not None:
                shutil.rmtree(apart, ignore_errors=True)
        return functions

    def _warm_up_writing(self, functions: dict[str, Any]) -> bool:
        """Compile, and tell whether the result was written: a disk may be full."""
        try:
            self._warm_up(functions)
        except OSError:
            # It is compiled all the same.
            self._warm_up(functions)
            return False
        return True

    def _warm_up(self, functions: dict[str, Any]) -> None:
        """Call all entries, which compiles or takes what is kept."""
        with _settings():
            self.kind.warm_up(self.game, functions, make_array)


def _import_numba() -> Any:
    """Return Numba.

    Raises:
        BackendTrouble: It is not there, or may not compile.
    """
    if not has_numba():
        raise BackendTrouble("Numba is not installed (pip install 'cardrun[fast]')")
    try:
        numba: Any = importlib.import_module("numba")
    except ImportError as error:
        raise BackendTrouble(f"Numba cannot be imported: {error}") from error
    if numba.config.DISABLE_JIT:
        raise BackendTrouble("Numba is switched off by NUMBA_DISABLE_JIT")
    return numba


def make_array(numbers: list[int]) -> Any:
    """Return numbers as machine code takes them."""
    numpy: Any = importlib.import_module("numpy")
    return numpy.array(numbers, dtype=numpy.int64)


def _name_maker() -> str:
    """Name all that machine code depends on besides its source."""
    numba = _import_numba()
    binding: Any = importlib.import_module("llvmlite.binding")
    features = binding.get_host_cpu_features().flatten()
    processor = f"{binding.get_host_cpu_name()} {features}"
    number = hashlib.sha256(processor.encode()).hexdigest()[:12]
    python = sys.implementation.cache_tag
    return f"{__version__}-{python}-numba-{numba.__version__}-{number}"


def _write_module(source: str, entries: Sequence[str]) -> str:
    """Return a source as a module: tables as arrays, functions to be compiled."""
    lines = [_BITS]
    heads = tuple(f"def {name}(" for name in entries)
    source = _LOWEST.sub(r"lowest(\1)", source.replace(_COPY, _LOOP))
    for line in source.split("\n"):
        table = _TABLE.fullmatch(line)
        if line.startswith(heads):
            lines.append("@njit(cache=True, nogil=True, _nrt=False)")
        elif line.startswith("def "):
            lines.append(_INNER)
        lines.append(f"{table[1]} = array({table[2]}, int64)" if table else line)
    return "\n".join(lines)


def _find_needed(source: str, entries: Sequence[str]) -> tuple[str, ...]:
    """Return the functions of a source that are called by way of its entries."""
    body = ast.parse(source).body
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    found = [*entries]
    for name in found:
        used = (n.id for n in ast.walk(functions[name]) if isinstance(n, ast.Name))
        found += dict.fromkeys(id for id in used if id in functions and id not in found)
    return tuple(found)


def _run_module(path: Path) -> dict[str, Any]:
    """Run a module's file; what is kept of it names the module."""
    name = f"{_MODULE}{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), module.__dict__)
    return module.__dict__


@contextmanager
def _settings() -> Iterator[None]:
    """Compile for little time rather than the last percent, and keep it here."""
    config = _import_numba().config
    kept = config.OPT, config.CACHE_DIR
    config.OPT, config.CACHE_DIR = type(config.OPT)(1), ""
    try:
        yield
    finally:
        config.OPT, config.CACHE_DIR = kept


@contextmanager
def _tell(report: Report | None, total: int) -> Iterator[None]:
    """Report each function that is compiled."""
    if report is None:
        yield
        return
    tell = report
    event: Any = importlib.import_module("numba.core.event")
    base: Any = event.Listener
    done = 0

    class Listener(base):  # type: ignore[misc]  # Numba has no types
        def on_start(self, found: Any) -> None:
            """Wait for its end."""

        def on_end(self, found: Any) -> None:
            """Count it, if it is one of ours."""
            nonlocal done
            name = found.data["dispatcher"].py_func.__module__
            if name.startswith(_MODULE):
                done += 1
                tell(min(done, total), total)

    with event.install_listener("numba:compile", Listener()):
        yield


def _list_files(folder: Path) -> list[Path]:
    """Return the files of an entry, but for the one with their checksums."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path for path in files if path.name != _SUMS)


def _write_sums(folder: Path) -> None:
    lines = [
        f"{_sum(path)}  {path.relative_to(folder)}" for path in _list_files(folder)
    ]
    (folder / _SUMS).write_text("\n".join(lines), encoding="utf-8")


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _is_sound(folder: Path, source: str) -> bool:
    """Tell whether an entry holds what was put there, and for this source."""
    try:
        lines = (folder / _SUMS).read_text(encoding="utf-8").splitlines()
        pairs = [line.split("  ", 1) for line in lines]
        named = [folder / name for _, name in pairs]
        return (
            all(sum == _sum(path) for (sum, _), path in zip(pairs, named, strict=True))
            and named == _list_files(folder)
            and (folder / _SOURCE).read_text(encoding="utf-8") == source
        )
    except (OSError, ValueError):
        return False


def _remove(folder: Path) -> None:
    """Take an entry away, in one step for whoever else looks at it."""
    away = folder.with_name(f"{folder.name}-{os.getpid()}-old")
    try:
        folder.rename(away)
    except OSError:
        return
    shutil.rmtree(away, ignore_errors=True)


def _make_room(above: Path) -> Path | None:
    """Return a new folder to compile in, beside the entries if that can be."""
    try:
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="making-", dir=above))
    except OSError:
        return None


def _write_functions(folder: Path | None, source: str) -> dict[str, Any]:
    """Return the functions of a source, which is written if that can be."""
    if folder is not None:
        with suppress(OSError):
            (folder / _SOURCE).write_text(source, encoding="utf-8")
            return _run_module(folder / _SOURCE)
    names: dict[str, Any] = {"__name__": f"{_MODULE}unkept"}
    exec(compile(source.replace(_CACHED, ""), "<emitted batch>", "exec"), names)
    return names


def _keep(apart: Path, folder: Path) -> None:
    """Give an entry its name, unless another process was first; drop the oldest.

    Where the disk is full, or another process drops entries too, nothing is kept.
    """
    try:
        _write_sums(apart)
        apart.rename(folder)
        entries = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)
    except OSError:
        return
    for old in entries[:-_MOST_KEPT]:
        _remove(old)
