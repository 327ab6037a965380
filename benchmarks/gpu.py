"""Play one game a thread on a graphics processor: python benchmarks/gpu.py [NAME...].

The emitted source runs there as it is, by numba-cuda, on the same vectors; the rows
of the games are compared with those of plain Python. Without numba-cuda or a
graphics processor it says so and ends well.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import time
from typing import Any

from cardrun.interpreter import Game, load
from cardrun.interpreter.engine.backend import Playouts, play_in_python
from cardrun.interpreter.language.program import TALLY_HEAD, write_playouts

NAMES = ("hearts", "spit", "goofspiel")
GAMES = 200_000
COMPARED = 200
BLOCK = 64
ROUNDS = 3
ROOT = 7

# One game a thread: each has a row of every vector to itself. Counters of uses stay
# with the thread, for there is one tally a game.
KERNEL = """

@cuda.jit
def play_games(A, low, high, first, S, B, R, T, W):
    game = cuda.grid(1)
    if game < S.shape[0]:
        play_batch(
            A, low, high, first + game, 1, S[game], B[game], R[game], T[game], W[game]
        )
"""
# The instructions of the device for numbers of bits.
BITS = """from numba import cuda
from numpy import array, int64


@cuda.jit(device=True)
def bits(mask):
    return cuda.popc(mask)


@cuda.jit(device=True)
def length(mask):
    return 64 - cuda.clz(mask)

"""
TABLE = re.compile(r"([A-Z]\w*) = (\(.*\))")
COPY = "    S[:SIZE] = A"
LOOP = "    for i in range(SIZE):\n        S[i] = A[i]"


def find_obstacle() -> str:
    """Return why nothing can be played here, or nothing."""
    if importlib.util.find_spec("numba") is None:
        return "Numba is not installed"
    if importlib.util.find_spec("numba.cuda") is None:
        return "numba-cuda is not installed (pip install numba-cuda)"
    cuda: Any = importlib.import_module("numba.cuda")
    if not cuda.is_available():
        return "there is no graphics processor that numba-cuda can use"
    return ""


def write_module(source: str) -> str:
    """Return a source as numba-cuda takes it: tables as constants of the device."""
    lines = [BITS]
    for line in source.replace(COPY, LOOP).split("\n"):
        table = TABLE.fullmatch(line)
        if line.startswith("def "):
            lines.append("@cuda.jit(device=True)")
        lines.append(f"{table[1]} = array({table[2]}, int64)" if table else line)
    return "\n".join(lines) + KERNEL


def load_kernel(game: Game) -> Any:
    """Return what plays games of a ruleset on the device."""
    names: dict[str, Any] = {}
    source = write_module(write_playouts(game.program))
    exec(compile(source, "<emitted kernel>", "exec"), names)
    return names["play_games"]


def play(game: Game, kernel: Any, first: int, number: int) -> tuple[Any, float]:
    """Play some games; return their rows, and how long the device took."""
    cuda: Any = importlib.import_module("numba.cuda")
    numpy: Any = importlib.import_module("numpy")
    shape = Playouts(game, "python", {}, list)
    one = [len(numbers) for numbers in shape._vectors(1)]
    start = cuda.to_device(numpy.array(game.unshuffled, dtype=numpy.int64))
    # The last two tell of one game each: a tally, and a row.
    vectors = [
        cuda.to_device(numpy.zeros((number, width), dtype=numpy.int64))
        for width in one[1:]
    ]
    blocks = -(-number // BLOCK)
    cuda.synchronize()
    begun = time.perf_counter()
    kernel[blocks, BLOCK](start, ROOT, 0, first, *vectors)
    cuda.synchronize()
    return vectors[-1].copy_to_host(), time.perf_counter() - begun


def report(name: str) -> bool:
    """Play a ruleset and print how fast; tell whether Python plays the same."""
    numpy: Any = importlib.import_module("numpy")
    game = load(name)
    begun = time.perf_counter()
    kernel = load_kernel(game)
    rows, _ = play(game, kernel, 0, COMPARED)
    compiled = time.perf_counter() - begun
    expected = play_in_python(game).play(ROOT, 0, COMPARED).rows
    is_same = numpy.array_equal(rows.ravel(), numpy.array(expected))
    bytes_a_game = 8 * (
        2 * len(game.unshuffled) + len(game.buffer()) + TALLY_HEAD + 1000
    )
    number = min(GAMES, 8_000_000_000 // bytes_a_game)
    best = 0.0
    for index in range(ROUNDS):
        rows, seconds = play(game, kernel, index * number, number)
        best = max(best, int(rows[:, 2].sum()) / seconds)
    verdict = "as in Python" if is_same else "NOT AS IN PYTHON"
    print(
        f"{name}: {best:,.0f} decisions a second, {number:,} games at once, "
        f"compiled in {compiled:.1f} s; {COMPARED} games {verdict}",
        flush=True,
    )
    return is_same


def main() -> int:
    """Play the rulesets that are named, or some."""
    if obstacle := find_obstacle():
        print(f"skipped: {obstacle}")
        return 0
    verdicts = [report(name) for name in sys.argv[1:] or NAMES]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
