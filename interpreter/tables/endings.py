"""Signals that end a long run early: Ctrl-C, and what asks a process to end."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType, TracebackType
from typing import Any, Final

# What ends a command, and how it is called in the exit code: 128 and its number.
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_OFFSET: Final = 128


class Endings:
    """Turns the first signal into KeyboardInterrupt, and remembers it.

    What was called may have swallowed the exception, as a compiler does with those
    in its callbacks; so whoever goes on asks first. A second signal ends the process
    as ever.
    """

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._number = 0
        self._before: dict[int, Any] = {}
        self._report = sys.unraisablehook

    def __enter__(self) -> Endings:
        """Listen; only the main thread can."""
        self._report, sys.unraisablehook = sys.unraisablehook, self._pass_over
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                # What is ignored, as in a shell's background, stays so.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Listen no more."""
        sys.unraisablehook = self._report
        self._let_go()

    @property
    def code(self) -> int:
        """The exit code that tells which one came."""
        return _OFFSET + (self._number or signal.SIGINT)

    def ask(self) -> None:
        """Go on unless one has come.

        Raises:
            KeyboardInterrupt: One has, and it was swallowed.
        """
        if self._number:
            raise KeyboardInterrupt

    def _pass_over(self, found: sys.UnraisableHookArgs) -> None:
        """Say nothing of what was swallowed, if it is ours."""
        if found.exc_type is not KeyboardInterrupt:
            self._report(found)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self._number = number
        self._let_go()
        raise KeyboardInterrupt

    def _let_go(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
