"""A run that was broken off goes on as if nothing had happened."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardrun.interpreter.simulation.checkpoint import (
    Checkpoint,
    CheckpointTrouble,
    Keeper,
)
from cardrun.interpreter.simulation.cluster import carry_text
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


def save(path: Path, checkpoint: Checkpoint) -> None:
    """Save a checkpoint and let go of the file."""
    keeper = Keeper(path, BATCHES)
    keeper.save(checkpoint)
    keeper.close()


def read(path: Path, batches: list[Batch] = BATCHES) -> Checkpoint | None:
    """Read a checkpoint and let go of the file."""
    with closing(Keeper(path, batches)) as keeper:
        return keeper.read()


def test_a_run_in_two_parts_is_one_run(tmp_path: Path) -> None:
    """Through a file, to the last count."""
    path = tmp_path / "run.json"
    save(path, Checkpoint(play(30), 77))
    found = read(path)
    assert found == Checkpoint(play(30), 77)
    assert found is not None
    assert play(70, found.outcome) == play(70)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_a_run_that_has_not_begun_has_no_checkpoint(tmp_path: Path) -> None:
    """There is no file."""
    assert read(tmp_path / "run.json") is None


def test_another_run_is_refused(tmp_path: Path) -> None:
    """It says what is different."""
    path = tmp_path / "run.json"
    save(path, Checkpoint(play(3)))
    for changed, why in (
        ([replace(batch, seed=2) for batch in BATCHES], "another seed"),
        ([replace(BATCHES[1]), BATCHES[1]], "another ruleset"),
        (BATCHES[:1], "another number of rulesets"),
    ):
        with pytest.raises(CheckpointTrouble, match=why):
            read(path, changed)


def test_a_run_goes_on_where_its_rules_are_carried_along(tmp_path: Path) -> None:
    """They are the same rules, whatever file and line they stand in."""
    path = tmp_path / "run.json"
    save(path, Checkpoint(play(3)))
    carried = [carry_text(batch) for batch in BATCHES]
    assert carried[0].text
    assert read(path, carried) == Checkpoint(play(3))


def test_another_version_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bots may choose otherwise."""
    path = tmp_path / "run.json"
    save(path, Checkpoint(play(3)))
    place = "cardrun.interpreter.simulation.checkpoint.__version__"
    monkeypatch.setattr(place, "9.9")
    with pytest.raises(CheckpointTrouble, match="another version of cardrun"):
        read(path)


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"batches": 3}', "\\x00", "[" * 99999]
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    """And left as it is."""
    path = tmp_path / "run.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CheckpointTrouble, match="damaged"):
        read(path)
    assert path.read_text(encoding="utf-8") == text


def test_a_file_that_was_cut_or_changed_is_refused(tmp_path: Path) -> None:
    """At any place: a number that is another must not be believed."""
    path = tmp_path / "run.json"
    save(path, Checkpoint(play(3)))
    whole = path.read_bytes()
    for at in range(0, len(whole), 37):
        path.write_bytes(whole[:at])
        with pytest.raises(CheckpointTrouble, match="damaged"):
            read(path)
    for at in [at for at, byte in enumerate(whole) if byte in b"34567"]:
        path.write_bytes(whole[:at] + b"8" + whole[at + 1 :])
        with pytest.raises(CheckpointTrouble, match=r"damaged|another version"):
            read(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such locks")
def test_a_file_has_one_run_at_a_time(tmp_path: Path) -> None:
    """Also after it was replaced, which every save does."""
    path = tmp_path / "run.json"
    save(path, Checkpoint(play(3)))
    with closing(Keeper(path, BATCHES)) as keeper:
        for games in (4, 5):
            with pytest.raises(CheckpointTrouble, match="another run is going on"):
                Keeper(path, BATCHES)
            keeper.save(Checkpoint(play(games)))
    assert read(path) == Checkpoint(play(5))


def run(*words: str) -> dict[str, Any]:
    """Run the command to its end and return what it shows."""
    done = subprocess.run([*SIMULATE, *words], check=True, capture_output=True)
    shown: dict[str, Any] = json.loads(done.stdout)
    del shown["seconds"], shown["decisions_per_second"]
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_prints_what_is_there(tmp_path: Path, number: int) -> None:
    """With its checkpoint and table; the next run goes on to the very same end."""
    saved, table, whole = (str(tmp_path / name) for name in ("run", "csv", "whole"))
    kept = ["--checkpoint", saved, "--csv", table]
    process = subprocess.Popen(
        [*SIMULATE, "--games", "9999999", *kept],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not Path(table).exists() or Path(table).stat().st_size < 1000:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate()
    games = json.loads(out)["games"]
    assert games > 0
    assert process.returncode == 128 + number
    assert f"broken off after {games} games" in err.decode()
    assert len(Path(table).read_bytes().splitlines()) == games + 1
    more = str(games + 40)
    assert run("--games", more, *kept) == run("--games", more, "--csv", whole)
    assert Path(table).read_bytes() == Path(whole).read_bytes()
