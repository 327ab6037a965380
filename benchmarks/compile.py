"""Measure how long machine code takes: python benchmarks/compile.py [NAME...].

For each game, in processes and with a cache of their own: fifty random games as they
are first played by Numba, and again when their machine code is kept; and the same for
what bots think by, without a game. Seconds are of the processor, for whole processes
from start to end, so other work on the machine changes them little. Without names all
shipped games are measured, and docs/compile-times.md is written.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

from cardrun.interpreter.loader import shipped

ROOT = Path(__file__).parent.parent
HEADS = ("game", "cold", "kept", "bots, cold", "bots, kept")
RANDOM = (
    "import sys; from cardrun.cli import main; sys.exit(main(['simulate', {name!r},"
    " '--games', '50', '--backend', 'numba', '--seed', '1']))"
)
BOTS = (
    "from cardrun.interpreter import load; from cardrun.interpreter.bots import Minds;"
    "Minds('numba').take(load({name!r}))"
)
# What a first result may take, and one with kept machine code.
MOST = (15.0, 1.5)


def time_process(code: str, cache: str) -> float:
    """Return the processor's seconds for a process that runs some Python."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "CARDRUN_CACHE": cache},
    )
    after = os.times()
    return (
        after.children_user
        + after.children_system
        - before.children_user
        - before.children_system
    )


def measure(name: str) -> list[float]:
    """Return the seconds of a game, first and then kept; and the same for bots."""
    found = []
    for code in (RANDOM, BOTS):
        with tempfile.TemporaryDirectory() as cache:
            found += [time_process(code.format(name=name), cache) for _ in range(2)]
    return found


def write_page(rows: dict[str, list[float]]) -> str:
    """Return the page with the table."""
    lines = [
        "# How long compiling takes",
        "",
        "Written by `python benchmarks/compile.py`: seconds of the processor for whole"
        " processes, from start to end, with a fresh",
        f"cache. Python {platform.python_version()}, {platform.machine()},"
        f" numba {metadata.version('numba')}.",
        "",
        "*Cold* and *kept* are `cardrun simulate GAME --games 50 --backend numba`,"
        " first and then with its machine code kept;",
        f"at most {MOST[0]:g} and {MOST[1]:g} seconds are the aim. *Bots* are the same"
        " for what bots think by, without a game.",
        "",
        f"| {' | '.join(HEADS)} |",
        f"|---|{'---:|' * (len(HEADS) - 1)}",
    ]
    for name, seconds in rows.items():
        cells = " | ".join(f"{each:.2f}" for each in seconds)
        lines.append(f"| {name} | {cells} |")
    most = [max(column) for column in zip(*rows.values(), strict=True)]
    lines.append(f"| **most** | {' | '.join(f'{each:.2f}' for each in most)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure, print, and write the page if all games are measured."""
    names = sys.argv[1:] or [path.stem for path in shipped()]
    rows = {}
    print("".join(f"{head:>14}" for head in HEADS))
    for name in names:
        rows[name] = measure(name)
        cells = "".join(f"{each:14.2f}" for each in rows[name])
        print(f"{name:>14}{cells}", flush=True)
    if not sys.argv[1:]:
        page = ROOT / "docs" / "compile-times.md"
        page.write_text(write_page(rows), encoding="utf-8")
    is_met = all(
        cold <= MOST[0] and kept <= MOST[1] for cold, kept, *_ in rows.values()
    )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
