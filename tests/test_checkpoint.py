"""A run that was broken off goes on as if nothing had happened."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardrun.interpreter.simulation.checkpoint import (
    Checkpoint,
    CheckpointTrouble,
    read_checkpoint,
    save_checkpoint,
)
from cardrun.interpreter.simulation.crew import Crew
from cardrun.interpreter.simulation.simulate import Batch, Outcome, simulate

BATCHES = [
    Batch(name, 2, (), ("random", "random"), 1) for name in ("cribbage", "goofspiel")
]
PROGRAM = "import sys; from cardrun.cli import main; sys.exit(main())"
SIMULATE = [
    *(sys.executable, "-c", PROGRAM, "simulate", "hearts"),
    *("--seed", "1", "--backend", "python", "--json"),
]


def play(games: int, before: Outcome | None = None) -> Outcome:
    """Play games side by side, from where an earlier run ended."""
    *_, outcome = simulate(BATCHES, games, Crew(), before)
    return outcome


def test_a_run_in_two_parts_is_one_run(tmp_path: Path) -> None:
    """Through a file, to the last count."""
    path = tmp_path / "run.json"
    save_checkpoint(path, BATCHES, Checkpoint(play(30), 77))
    found = read_checkpoint(path, BATCHES)
    assert found == Checkpoint(play(30), 77)
    assert found is not None
    assert play(70, found.outcome) == play(70)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_run_that_has_not_begun_has_no_checkpoint(tmp_path: Path) -> None:
    """There is no file."""
    assert read_checkpoint(tmp_path / "run.json", BATCHES) is None


def test_another_run_is_refused(tmp_path: Path) -> None:
    """It says what is different."""
    path = tmp_path / "run.json"
    save_checkpoint(path, BATCHES, Checkpoint(play(3)))
    for changed, why in (
        ([replace(batch, seed=2) for batch in BATCHES], "another seed"),
        ([replace(BATCHES[1]), BATCHES[1]], "another ruleset"),
        (BATCHES[:1], "another number of rulesets"),
    ):
        with pytest.raises(CheckpointTrouble, match=why):
            read_checkpoint(path, changed)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"batches": 3}', "\\x00"])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    """And left as it is."""
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CheckpointTrouble, match="damaged"):
        read_checkpoint(path, BATCHES)
    assert path.read_text(encoding="utf-8") == text


def run(*words: str) -> dict[str, Any]:
    """Run the command to its end and return what it shows."""
    done = subprocess.run([*SIMULATE, *words], check=True, capture_output=True)
    shown: dict[str, Any] = json.loads(done.stdout)
    del shown["seconds"], shown["decisions_per_second"]
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no Ctrl-C to one")
def test_ctrl_c_prints_what_is_there(tmp_path: Path) -> None:
    """With its checkpoint and table; the next run goes on to the very same end."""
    saved, table, whole = (str(tmp_path / name) for name in ("run", "csv", "whole"))
    kept = ["--checkpoint", saved, "--csv", table]
    process = subprocess.Popen(
        [*SIMULATE, "--games", "9999999", *kept],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not Path(saved).exists():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    games = json.loads(out)["games"]
    assert process.returncode == 130
    assert f"broken off after {games} games" in err.decode()
    more = str(games + 40)
    assert run("--games", more, *kept) == run("--games", more, "--csv", whole)
    assert Path(table).read_bytes() == Path(whole).read_bytes()
