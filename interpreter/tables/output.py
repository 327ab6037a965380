"""What commands print besides their results, and the codes they end with."""

from __future__ import annotations

import errno
import json
import os
import shlex
import sys
from contextlib import suppress
from typing import Final

import click

from ..version import __version__

FINE: Final = 0
FINDINGS: Final = 1
USAGE: Final = 2
UNREADABLE: Final = 3
OUR_FAULT: Final = 70
INTERRUPTED: Final = 130


class FileTrouble(click.ClickException):
    """A file that cannot be read or written."""

    exit_code = UNREADABLE


def open_streams() -> None:
    """Let streams that the caller closed read and print nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # It stays open for as long as the program runs.
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)


def print_json(value: object) -> None:
    """Print a value as JSON that people can read."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def paint(report: str) -> str:
    """Colour what leads the lines of a report; the words stay the same."""
    colors = {"error:": "red", "warning:": "yellow", "FAILED": "red", "failed:": "red"}
    colors |= {"hint:": "cyan", "note:": "cyan"}
    lines = report.split("\n")
    for number, line in enumerate(lines):
        for word, color in colors.items():
            head, found, tail = line.partition(word)
            if found and (" | " not in head):
                lines[number] = head + click.style(found, fg=color, bold=True) + tail
                break
    return "\n".join(lines)


def complain(message: str) -> None:
    """Say on standard error what is wrong."""
    click.echo(paint(f"cardrun: {message}"), err=True)


def reason(error: OSError) -> str:
    """Return why the system refused something, in its own words."""
    return (error.strerror or str(error)).lower()


def report_unreadable(error: OSError, path: str) -> int:
    """Say that a file cannot be read; return the exit code."""
    complain(f"cannot read '{error.filename or path}': {reason(error)}")
    return UNREADABLE


def report_output(error: OSError) -> int:
    """Report that a file, or standard output, failed; a closed pipe is no failure."""
    if error.filename is not None:
        return report_unreadable(error, error.filename)
    # Nothing more can be written: let the interpreter flush into nothing.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
        return FINE
    complain(f"cannot write: {reason(error)}")
    return UNREADABLE


def report_fault() -> None:
    """Say that the fault is ours, and what a report of it should hold."""
    import platform
    import traceback

    click.echo(
        f"{traceback.format_exc()}\n"
        "cardrun: this is a fault of cardrun, not of your ruleset. Please report it "
        "with the lines above\nand these:\n"
        f"  cardrun {__version__}, Python {platform.python_version()}, "
        f"{platform.platform()}\n"
        f"  command: {shlex.join(['cardrun', *sys.argv[1:]])}",
        err=True,
    )
