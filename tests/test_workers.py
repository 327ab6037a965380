"""Processes share the work; one that is killed loses and repeats nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from cardrun.interpreter.simulation.crew import Crew, CrewTrouble, gather_processes
from cardrun.interpreter.simulation.simulate import Batch, simulate

BATCH = Batch("cribbage", 2, (), ("random", "random"), 1)
GAMES = 1000
PROGRAM = "import sys; from cardrun.cli import main; sys.exit(main())"

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@posix
def test_a_process_that_is_killed_loses_and_repeats_nothing() -> None:
    """In the middle of a run; every game comes once and in order."""
    seen: list[int] = []
    played = simulate(
        [BATCH],
        GAMES,
        gather_processes(2),
        take=lambda more: seen.extend(record.index for record in more[0]),
    )
    assert next(played).games < GAMES / 4
    os.kill(active_children()[0].pid or 0, signal.SIGKILL)
    *_, outcome = played
    assert seen == list(range(GAMES))
    *_, alone = simulate([BATCH], GAMES, Crew())
    assert outcome == alone


class Doomed(Executor):
    """Its workers are killed by whatever they begin."""

    def submit(
        self, task: Callable[..., Any], /, *words: Any, **named: Any
    ) -> Future[Any]:
        """Take a task and die."""
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor())
        return future


def test_workers_that_die_again_and_again_are_given_up() -> None:
    """It says what may be the reason, rather than go on for ever."""
    started = []

    @contextmanager
    def start() -> Iterator[Executor]:
        started.append(1)
        yield Doomed()

    with pytest.raises(CrewTrouble, match="too little memory"):
        list(simulate([BATCH], GAMES, Crew(2, start=start)))
    assert len(started) == 4


@posix
def test_workers_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    """Even where it was killed: none stays behind and holds its output open."""
    saved = tmp_path / "run"
    words = [sys.executable, "-c", PROGRAM, "simulate", "cribbage", "--seed", "1"]
    words += ["--games", "9999999", "--jobs", "2", "--backend", "python"]
    words += ["--checkpoint", str(saved)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not saved.exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.communicate(timeout=60)
