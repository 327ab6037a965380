"""Print how fast games load, play, copy and start: python benchmarks/playouts.py.

Decisions a second are of random playouts on one core, by the time that this process
had on it. Bytecodes are those that Python carries out for a decision: no other work
on the machine changes them, so versions can be compared. With Numba installed, a last
column plays the same games by the emitted source as machine code.
"""

from __future__ import annotations

import importlib.util
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from cardrun.interpreter import Game, load
from cardrun.interpreter.engine.backend import Workshop

ROOT = Path(__file__).parent.parent
NAMES = ("hearts", "spit", "idiot")
ROUNDS = 3
SECONDS = 1.5
COPIES = 20_000
TRACED = 3
MACHINE_GAMES = 2000


def time_load(name: str) -> float:
    """Return the seconds of load, check and compile in a process of its own.

    Later loads in one process are quicker: parsed texts are kept.
    """
    code = (
        "import time; from cardrun.interpreter import load; t = time.perf_counter();"
        f"load({name!r}).machine; print(time.perf_counter() - t)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def time_copy(game: Game) -> float:
    """Return the microseconds that a copy of a state takes, the best of some."""
    state = game.new(seed=1)
    times = []
    for _ in range(COPIES // 1000):
        start = time.process_time()
        for _ in range(1000):
            state.copy()
        times.append(time.process_time() - start)
    return min(times) * 1000


def count_decisions(play: Callable[[int], int]) -> float:
    """Return decisions a second over as many games as the time allows."""
    play(0)
    decisions = index = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < SECONDS:
        index += 1
        decisions += play(index)
    return decisions / spent


def play_python(game: Game) -> Callable[[int], int]:
    """Return what plays one game in Python and counts its decisions."""
    return lambda index: game.play_random(1, index)[1][0]


def count_bytecodes(play: Callable[[int], int]) -> float:
    """Return how many bytecodes a decision takes, over some games."""
    number = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal number
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        number += event == "opcode"
        return trace

    play(0)
    sys.settrace(trace)
    decisions = sum(play(index) for index in range(TRACED))
    sys.settrace(None)
    return number / decisions


def play_numba(game: Game) -> Callable[[int], int]:
    """Return what plays many games as machine code and counts their decisions."""
    playouts = Workshop(game).make()

    def play(index: int) -> int:
        harvest = playouts.play(1, index * MACHINE_GAMES, MACHINE_GAMES)
        return sum(harvest.rows[2 :: playouts.row_width])

    return play


def time_command(*arguments: str) -> float:
    """Return the seconds of a whole process of the command, the best of some."""
    code = "import sys; from cardrun.cli import main; sys.exit(main())"
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code, *arguments],
            check=True,
            capture_output=True,
            cwd=ROOT,
        )
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Measure, and print the table."""
    has_numba = importlib.util.find_spec("numba") is not None
    print(f"Python {platform.python_version()}, {platform.machine()}, one core")
    heads = [
        "ruleset",
        "load s",
        "copy us",
        "decisions/s",
        "bytecodes",
        *["Numba"] * has_numba,
    ]
    print("".join(f"{head:>14}" for head in heads))
    for name in NAMES:
        seconds = min(time_load(name) for _ in range(ROUNDS))
        game = load(name)
        cells = [name, f"{seconds:.3f}", f"{time_copy(game):.2f}"]
        cells.append(f"{count_decisions(play_python(game)):,.0f}")
        cells.append(f"{count_bytecodes(play_python(game)):,.0f}")
        if has_numba:
            cells.append(f"{count_decisions(play_numba(game)):,.0f}")
        print("".join(f"{cell:>14}" for cell in cells), flush=True)
    print()
    for arguments in (("validate", "rulesets/spit.yaml"), ("--help",)):
        seconds = time_command(*arguments)
        print(f"cardrun {' '.join(arguments)}: {seconds:.3f} s as a whole process")


if __name__ == "__main__":
    main()
