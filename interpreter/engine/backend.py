"""What plays batches of random games: plain Python, or machine code by Numba.

Both run the same source and give the same numbers. Numba's code generator is given
the functions of a game as LLVM (see lowering.py), for its own way from Python to LLVM
takes ten times as long; what it makes is loaded by llvmlite, which it stands on.

Machine code is kept in the user's cache directory, a file for each source, under the
versions it was made by and the hash of the source. A file is put in place whole, and
begins with its checksum: processes that make the same one at once do not meet, and
one that is damaged, or that somebody else may have written, is made anew.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.util
import os
import re
import sys
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..draws import begin_game
from ..folders import find_cache
from ..language.program import DEPTH, ROW_HEAD, TALLY_HEAD, run_source, write_playouts
from ..language.values import LOGS
from ..rng import MASK
from ..version import __version__
from . import lowering
from .lowering import NotLowered, Source

if TYPE_CHECKING:
    from ..language.compiler import Program
    from .game import Game

BACKENDS: Final = ("auto", "python", "numba")
# From this version on LLVM's pointers do not say to what.
_OPAQUE: Final = 17
# How long a checksum is, in bytes.
_SUM: Final = 32
# Bits of a file's mode that let others write it.
_WRITABLE: Final = 0o022
# How many entries are kept.
_MOST_KEPT: Final = 200
_FAULT: Final = 3
# Decisions a second in Python, lines that are lowered and optimized in one, and the
# seconds until that begins, and that it takes to load what is kept: about what an
# ordinary machine does. They only decide whether compiling is worth its time.
SPEED: Final = 60_000
_LINES: Final = 1500
_COLD: Final = 0.5
_WARM: Final = 0.1
_LOWEST: Final = re.compile(rf"LOG\[\((.+?) & -\1\) % {LOGS}\]")
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
    """

    write: Callable[[Program], str]
    entries: tuple[str, ...]


BATCH: Final = Kind(write_playouts, ("play_batch",))


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
        """Return the source as it is lowered: with what processors do at once."""
        source = self.kind.write(self.game.program)
        return _LOWEST.sub(r"lowest(\1)", source.replace(_COPY, _LOOP))

    @cached_property
    def symbol(self) -> str:
        """Return the name of the way in: no other source has it."""
        return f"game_{hashlib.sha256(self.source.encode()).hexdigest()[:32]}"

    @cached_property
    def file(self) -> Path:
        """Return where the machine code of this source is kept."""
        return (self.cache or find_cache()) / _name_maker() / self.symbol

    @property
    def is_kept(self) -> bool:
        """Tell whether there is machine code for later, of which nothing is wrong."""
        return _take(self.file) is not None

    def seconds(self) -> float:
        """Return about how long it takes until machine code can be run."""
        if self.is_kept:
            return _WARM
        return _COLD + self.source.count("\n") / _LINES

    def make(self, report: Report | None = None) -> Playouts:
        """Return what plays the game's batches as machine code.

        Raises:
            BackendTrouble: It cannot be had.
        """
        return Playouts(self.game, "numba", self.compile(report), make_array)

    def compile(self, report: Report | None = None) -> dict[str, Any]:
        """Return the functions as machine code, compiled or kept.

        Raises:
            BackendTrouble: Numba is missing, switched off, or fails; or some
                numbers of the game have no room in a word.
        """
        if not self.game.program.fits_words:
            raise BackendTrouble(
                f"with {self.game.deck.size} cards some numbers of this game are too "
                "large for machine code"
            )
        _check_numba()
        code = _take(self.file)
        if code is None:
            code = _compile(self.lower(report), self.symbol)
            _keep(code, self.file)
        enter = _load(code, self.symbol)
        entries = enumerate(self.kind.entries)
        return {name: _give_entry(enter, which) for which, name in entries}

    def lower(self, report: Report | None = None) -> str:
        """Return the functions as LLVM; report each.

        Raises:
            BackendTrouble: They are not of the subset that has machine code.
        """
        source = Source(self.source, _name_pointer())
        total = len(source.find_needed(self.kind.entries))
        done = 0

        def tell() -> None:
            nonlocal done
            done += 1
            if report is not None:
                report(done, total)

        try:
            return source.lower(self.kind.entries, self.symbol, tell)
        except NotLowered as error:
            raise BackendTrouble(f"there is no machine code for '{error}'") from error


def _give_entry(enter: Callable[[int, int], int], which: int) -> Callable[..., int]:
    """Return a function that is called by its number, with words and vectors."""

    def call(*given: Any) -> int:
        # The vectors live as long as the call, and with them their addresses.
        words = array(
            "q",
            [each if type(each) is int else each.buffer_info()[0] for each in given],
        )
        return enter(which, words.buffer_info()[0])

    return call


def _name_pointer() -> str:
    """Return how this LLVM writes the type of an address of words."""
    binding: Any = importlib.import_module("llvmlite.binding")
    return "ptr" if binding.llvm_version_info[0] >= _OPAQUE else "i64*"


def _check_numba() -> None:
    """Make sure that there is Numba.

    Raises:
        BackendTrouble: It is not there, or may not compile.
    """
    if not has_numba():
        raise BackendTrouble("Numba is not installed (pip install 'cardrun[fast]')")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        raise BackendTrouble("Numba is switched off by NUMBA_DISABLE_JIT")


def _compile(text: str, symbol: str) -> bytes:
    """Return the machine code of a module in LLVM.

    Raises:
        BackendTrouble: Numba cannot be imported, or fails.
    """
    binding = _import_binding()
    try:
        registry: Any = importlib.import_module("numba.core.registry")
        lock: Any = importlib.import_module("numba.core.compiler_lock")
        context = registry.cpu_target.target_context
        with lock.global_compiler_lock:
            library = context.codegen().create_library(symbol)
            library.enable_object_caching()
            library.add_llvm_module(binding.parse_assembly(text))
            library.finalize()
            code: bytes = library.serialize_using_object_code()[2][0]
    except (ImportError, RuntimeError, AttributeError, TypeError) as error:
        # The last two if another version of Numba calls these things otherwise.
        reason = str(error).strip().split("\n")[0]
        raise BackendTrouble(f"Numba cannot compile this game: {reason}") from error
    return code


def _load(code: bytes, symbol: str) -> Callable[[int, int], int]:
    """Return a function of machine code, which takes and returns words."""
    binding = _import_binding()
    triple = binding.get_process_triple()
    machine = binding.Target.from_triple(triple).create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    word = ctypes.c_int64
    kind = ctypes.CFUNCTYPE(word, word, word)
    enter = kind(engine.get_function_address(symbol))
    # What is loaded goes with its engine.
    enter.engine = engine  # type: ignore[attr-defined]
    return enter


def _import_binding() -> Any:
    """Return the binding of LLVM, ready for this processor.

    Raises:
        BackendTrouble: It cannot be imported.
    """
    try:
        binding: Any = importlib.import_module("llvmlite.binding")
    except (ImportError, OSError) as error:
        raise BackendTrouble(f"Numba cannot be imported: {error}") from error
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


def make_array(numbers: list[int]) -> array[int]:
    """Return numbers as machine code takes them."""
    return array("q", numbers)


def _name_maker() -> str:
    """Name all that machine code depends on besides its source."""
    _check_numba()
    binding = _import_binding()
    features = binding.get_host_cpu_features().flatten()
    processor = f"{binding.get_host_cpu_name()} {features}".encode()
    rules = Path(lowering.__file__).read_bytes()
    number = hashlib.sha256(processor + rules).hexdigest()[:12]
    return f"{__version__}-numba-{metadata.version('numba')}-{number}"


def _take(file: Path) -> bytes | None:
    """Return the machine code that is kept in a file, unless it is damaged.

    What somebody else may have written is not run.
    """
    try:
        with file.open("rb") as opened:
            is_own = _is_own(os.fstat(opened.fileno()))
            kept = opened.read() if is_own else b""
    except OSError:
        return None
    code = kept[_SUM:]
    return code if _sum_up(code, file) == kept[:_SUM] else None


def _is_own(status: os.stat_result) -> bool:
    """Tell whether nobody but the user may have written a file."""
    if sys.platform == "win32":
        return True  # there the user's folders are closed to others
    return status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE


def _sum_up(code: bytes, file: Path) -> bytes:
    """Return the checksum of machine code and of the name that it is kept by."""
    return hashlib.sha256(file.name.encode() + code).digest()


def _keep(code: bytes, file: Path) -> None:
    """Put machine code in its place, whole; drop the oldest.

    Where the disk is full, or a file stands in the way, nothing is kept.
    """
    apart = file.with_name(f"{file.name}-{os.getpid()}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        apart.write_bytes(_sum_up(code, file) + code)
        apart.chmod(0o600)
        apart.replace(file)
        _drop_oldest(file.parent.parent)
    except OSError:
        with suppress(OSError):
            apart.unlink(missing_ok=True)


def _drop_oldest(cache: Path) -> None:
    """Drop the machine code that was made first, by whatever versions."""
    kept = sorted(cache.glob("*/game_*"), key=lambda path: path.stat().st_mtime)
    for old in kept[:-_MOST_KEPT]:
        old.unlink(missing_ok=True)
        with suppress(OSError):
            old.parent.rmdir()  # where it was the last
