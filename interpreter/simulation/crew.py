"""Those who share the work: processes here, or an executor that has them elsewhere.

Work is given out by shares of the games and comes back in their order. Where workers
are killed others take over all that has not come back. Who works hears nothing of
Ctrl-C, which is for the process that gives the work out; that one tells them.
"""

from __future__ import annotations

import os
import signal
import threading
from _thread import interrupt_main
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from types import FrameType
from typing import Final, Generic, TypeVar

from ..text.errors import CardrunError

_WAITING_OF_A_WORKER: Final = 3
# How often all workers may die before one share of the games is played.
_MOST_DEATHS: Final = 3

Found = TypeVar("Found")
Start = Callable[[], AbstractContextManager[Executor]]


@dataclass(frozen=True)
class Crew:
    """Who plays: how many workers, what starts them, and by which backend.

    Fatal is what tells that workers die for good.
    """

    workers: int = 1
    backend: str = "python"
    start: Start | None = None
    fatal: tuple[type[BaseException], ...] = ()


class CrewTrouble(CardrunError):
    """Those who play are killed again and again."""


@contextmanager
def hold_interrupts() -> Iterator[None]:
    """Start processes that never hear of Ctrl-C: it waits until they are there."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Which is started by the first process, and lets go of what was held back.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Workers(Generic[Found]):
    """Those who share the work; where one is killed, new ones take all of it over."""

    def __init__(
        self, crew: Crew, start: Start, play: Callable[[range], Found]
    ) -> None:
        """Know how workers are started, and what they do with a share."""
        self._start = start
        self._fatal = crew.fatal
        self._most = crew.workers * _WAITING_OF_A_WORKER
        self._play = partial(_work, play)
        self._stack = ExitStack()
        self._waiting: deque[tuple[range, Future[Found]]] = deque()
        self._deaths = 0

    def __enter__(self) -> Workers[Found]:
        """Start them."""
        self._executor = self._stack.enter_context(self._start())
        return self

    def __exit__(self, *error: object) -> None:
        """Drop what was begun, and let them go."""
        for _, future in self._waiting:
            future.cancel()
        self._stack.close()

    def hand_out(self, chunks: Iterator[range]) -> Iterator[Found]:
        """Give the shares in order, with some more begun than there are workers."""
        for chunk in chunks:
            self._waiting.append((chunk, self._submit(chunk)))
            if len(self._waiting) >= self._most:
                yield self._take()
        while self._waiting:
            yield self._take()

    def _take(self) -> Found:
        """Wait for the first share."""
        while True:
            try:
                share = self._waiting[0][1].result()
            except BrokenExecutor as error:
                self._replace(error)
                continue
            except self._fatal as error:
                raise CrewTrouble("the workers of the cluster are gone") from error
            self._waiting.popleft()
            self._deaths = 0
            return share

    def _submit(self, chunk: range) -> Future[Found]:
        try:
            return self._begin(chunk)
        except BrokenExecutor as error:
            self._replace(error)
            return self._begin(chunk)

    def _begin(self, chunk: range) -> Future[Found]:
        with hold_interrupts():  # an executor starts processes when there is work
            return self._executor.submit(self._play, chunk)

    def _replace(self, error: BrokenExecutor) -> None:
        """Start others, who begin with what the dead have not given back.

        Raises:
            CrewTrouble: That was done before, and to no avail.
        """
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            raise CrewTrouble(
                "the processes that play are killed again and again: perhaps there is "
                "too little memory for so many (--jobs)"
            ) from error
        self._stack.close()
        self._executor = self._stack.enter_context(self._start())
        chunks = [chunk for chunk, _ in self._waiting]
        self._waiting.clear()
        self._waiting.extend((chunk, self._submit(chunk)) for chunk in chunks)


def gather_processes(jobs: int) -> Crew:
    """Return a crew of so many processes, or of this one alone."""
    return Crew() if jobs == 1 else Crew(jobs, start=lambda: _start_processes(jobs))


@contextmanager
def _start_processes(jobs: int) -> Iterator[Executor]:
    # Spawned, not forked, so that every platform does the same.
    context = get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    with reader, writer:
        executor = ProcessPoolExecutor(
            jobs, context, initializer=_prepare_worker, initargs=(reader,)
        )
        try:
            yield executor
        finally:
            # Games may be long: nobody waits for those that are not wanted any more.
            writer.close()
            executor.shutdown(cancel_futures=True)


class _Dropped(Exception):
    """The share is not wanted any more."""


@dataclass
class _Worker:
    """What this process knows, where it is one that works for another."""

    is_working: bool = False
    is_told: bool = False

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Stop where the other process has said so, but not for Ctrl-C alone."""
        if self.is_told and self.is_working:
            raise _Dropped


_HERE: Final = _Worker()


def _work(play: Callable[[range], Found], chunk: range) -> Found:
    """Play a share, unless it is dropped meanwhile."""
    _HERE.is_working = True
    try:
        if _HERE.is_told:
            raise _Dropped
        return play(chunk)
    finally:
        _HERE.is_working = False


def _prepare_worker(line: Connection) -> None:
    """Work until the line to the process that waits is cut: by it, or by its end."""
    signal.signal(signal.SIGINT, _HERE.hear)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        with suppress(EOFError, OSError):
            line.recv()
        _HERE.is_told = True
        interrupt_main()
        parent.join()
        # Nobody is left who could be told.
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
