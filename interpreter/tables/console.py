"""Lines to and from a person, as they come."""

from __future__ import annotations

import codecs
import os
import queue
import shutil
import sys
import threading
import time
from typing import Final, Protocol

import click

_BLOCK: Final = 4096
# Lines that push what was shown out of sight, where a terminal tells no height.
_SCREEN: Final = 50
# Erases what has been pushed out of sight, and then the screen.
_ERASE: Final = "\x1b[3J\x1b[H\x1b[2J"


class Console(Protocol):
    """Where a person reads and types, and the time there."""

    def write(self, line: str) -> None:
        """Show a line."""

    def hide(self) -> None:
        """Put all that was shown out of sight, before another looks here."""

    def read(self, timeout: float | None) -> str | None:
        """Return the next line typed, or None when so many seconds have passed.

        Raises:
            EOFError: Nothing more will be typed.
        """

    def now(self) -> float:
        """Return the time in seconds."""


class Terminal:
    """Standard input and output.

    A thread of its own reads, so that the game can go on meanwhile. It reads
    the file and not ``sys.stdin``, whose lock it would still hold at the end.
    """

    def __init__(self) -> None:
        """Begin to read at the first question."""
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._is_reading = False
        self._is_over = False

    def write(self, line: str) -> None:
        """Print a line."""
        click.echo(line)

    def hide(self) -> None:
        """Push all out of sight, and out of what a terminal scrolls back to."""
        height = shutil.get_terminal_size((0, _SCREEN)).lines
        click.echo("\n" * max(height, _SCREEN))
        if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
            click.echo(_ERASE, nl=False)

    def read(self, timeout: float | None) -> str | None:
        """Return the next line typed, or None when so many seconds have passed."""
        if self._is_over:
            raise EOFError
        if not self._is_reading:
            self._is_reading = True
            threading.Thread(target=self._listen, daemon=True).start()
        if timeout is None and sys.stdin.isatty():
            click.echo("> ", nl=False)
        sys.stdout.flush()
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            return None
        if line is None:
            self._is_over = True
            raise EOFError
        return line

    def now(self) -> float:
        """Return a time that only goes forward."""
        return time.monotonic()

    def _listen(self) -> None:
        """Pass on what is typed, line by line, and then that there is no more."""
        decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        begun = ""
        while block := _read_block():
            *lines, begun = (begun + decode(block)).split("\n")
            for line in lines:
                self._lines.put(line.rstrip("\r"))
        if begun:
            self._lines.put(begun)
        self._lines.put(None)


def _read_block() -> bytes:
    """Return what can be read; nothing at the end, or if there is no input."""
    try:
        return os.read(sys.stdin.fileno(), _BLOCK)
    except (OSError, ValueError):
        return b""
