"""A run of many games at the terminal: what it writes, and where it refuses to."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from cardrun.cli import main
from cardrun.interpreter.simulation.statistics import estimate_share
from cardrun.interpreter.tables.endings import Endings
from cardrun.interpreter.tables.progress import fit_line, tell_progress
from cardrun.interpreter.testing.check import Check

PROGRAM = "import sys; from cardrun.cli import main; sys.exit(main())"
HEARTS = ("simulate", "hearts", "--backend", "python", "--seed", "1")
HEAD = "game,seed,finished,decisions,choices,winners,score_1,score_2,score_3,score_4\n"
FULL = Path("/dev/full")

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows is otherwise")


class Run:
    """Runs commands within this process, and keeps what the last one printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Know who captures."""
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *words: str) -> object:
        """Run a command and return its exit code."""
        with pytest.raises(SystemExit) as left:
            main(words)
        self.out, self.err = self._capsys.readouterr()
        return left.value.code


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs commands."""
    return Run(capsys)


def spawn(*words: str) -> subprocess.Popen[bytes]:
    """Run a command in a process of its own, in a group as a terminal makes it."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the lines of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_table_tells_deal_by_deal(run: Run, tmp_path: Path) -> None:
    """A line for each run, and as many fields in each whoever plays it."""
    path = tmp_path / "games.csv"
    words = ("simulate", "hearts", "goofspiel", "--games", "2", "--seed", "1")
    assert run(*words, "--csv", str(path)) == 0
    rows = read_rows(path)
    assert [(row["run"], row["game"]) for row in rows] == [
        ("hearts", "0"),
        ("goofspiel", "0"),
        ("hearts", "1"),
        ("goofspiel", "1"),
    ]
    assert rows[0]["seed"] == rows[1]["seed"] != rows[2]["seed"]
    assert rows[1]["score_2"] != ""
    assert rows[1]["score_3"] == rows[1]["score_4"] == ""


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_a_table_is_the_same_for_any_number_of_workers(
    run: Run, tmp_path: Path, jobs: str
) -> None:
    """To the last byte, with several runs side by side too; and so is the page."""
    words = (*HEARTS, "--vary", "deals=1,2", "--games", "60")
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    for path, more in ((alone, "1"), (shared, jobs)):
        files = ("--csv", f"{path}.csv", "--report", f"{path}.html")
        assert run(*words, *files, "--jobs", more) == 0
    for suffix in (".csv", ".html"):
        one, other = (Path(f"{path}{suffix}") for path in (alone, shared))
        assert one.read_bytes() == other.read_bytes()


@posix
def test_a_table_goes_into_a_pipe() -> None:
    """On standard output what it adds up to is told on standard error."""
    process = spawn(*HEARTS, "--games", "2", "--csv", "-")
    out, err = process.communicate()
    first = "0,5897051620597574,1,52,40,4,4,3,19,0\n"
    assert out.decode().startswith(HEAD + first)
    assert out.decode().count("\n") == 3
    assert err.decode().startswith("Hearts, 4 players, ")


@posix
def test_a_pipe_that_nobody_reads_ends_a_run() -> None:
    """Without a word, as with any command."""
    with spawn(*HEARTS, "--games", "99999999", "--csv", "-") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_no_file_is_written_over_another(run: Run, tmp_path: Path) -> None:
    """Not by two results, and never the rules."""
    rules = tmp_path / "my.yaml"
    text = ENDLESS
    rules.write_text(text, encoding="utf-8")
    words = ("simulate", str(rules), "--games", "1", "--seed", "1")
    for option in ("--csv", "--report", "--checkpoint"):
        assert run(*words, option, str(rules)) == 2
        assert f"{option} would write over the rules in " in run.err
    assert rules.read_text(encoding="utf-8") == text
    same = str(tmp_path / "same")
    assert run(*words, "--csv", same, "--report", same) == 2
    assert "--csv and --report are the same file" in run.err
    assert not Path(same).exists()


def test_a_folder_that_is_not_there_is_told_first(run: Run) -> None:
    """Not after an hour."""
    assert run(*HEARTS, "--games", "99999999", "--report", "nowhere/page.html") == 3
    assert "cannot write 'nowhere/page.html': there is no such folder" in run.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--csv", "-", "--json"), "--json and --csv - both print"),
        (("--csv", "-", "--checkpoint", "run"), "--csv needs the name of a file"),
        (("--report", "-"), "--report needs the name of a file"),
        (("--until-ci", "nan"), "'nan' is not like 0.01"),
        (("--vary", "deals=1,1"), "has the same value twice"),
        (("--vary", "players=3,x"), "'x' is no number of players"),
        (("--vary", "players=3,4", "--players", "3"), "to --players and to --vary"),
    ],
)
def test_what_cannot_be_is_refused(run: Run, words: tuple[str, ...], told: str) -> None:
    """With the reason."""
    assert run(*HEARTS, *words) == 2
    assert told in run.err


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is full")
def test_a_page_that_cannot_be_written_takes_nothing_away(run: Run) -> None:
    """What came out is printed all the same."""
    assert run(*HEARTS, "--games", "3", "--report", str(FULL)) == 3
    assert run.out.startswith("Hearts, 4 players, ")
    assert "cannot write '/dev/full': no space left" in run.err


def test_a_table_is_gone_on_with_or_not_at_all(run: Run, tmp_path: Path) -> None:
    """One without the games before, or that is another, is refused and left alone."""
    saved, table = tmp_path / "run", tmp_path / "games.csv"
    words = (*HEARTS, "--checkpoint", str(saved))
    assert run(*words, "--games", "3") == 0
    assert run(*words, "--games", "5", "--csv", str(table)) == 2
    assert "it is of a run without --csv" in run.err
    saved.unlink()
    assert run(*words, "--games", "3", "--csv", str(table)) == 0
    assert run(*words, "--games", "5") == 2
    assert "it is of a run with --csv" in run.err
    whole = table.read_text(encoding="utf-8")
    for damaged in ("", whole[:-9], whole.replace("\n2,", "\n7,"), "x" + whole[1:]):
        table.write_text(damaged, encoding="utf-8")
        assert run(*words, "--games", "5", "--csv", str(table)) == 2
        assert "does not hold the games that were played before" in run.err
        assert table.read_text(encoding="utf-8") == damaged
    table.write_text(f"{whole}3,cut", encoding="utf-8")
    assert run(*words, "--games", "5", "--csv", str(table)) == 0
    assert [row["game"] for row in read_rows(table)] == ["0", "1", "2", "3", "4"]
    table.unlink()
    assert run(*words, "--games", "6", "--csv", str(table)) == 2


def test_a_run_goes_on_with_its_seed(run: Run, tmp_path: Path) -> None:
    """Nobody need note the one that the first run was dealt."""
    words = ("simulate", "goofspiel", "--checkpoint", str(tmp_path / "run"))
    assert run(*words, "--games", "3") == 0
    seed = re.fullmatch(r"seed: (\d+)\n", run.err)
    assert seed is not None
    assert run(*words, "--games", "5") == 0
    assert run.err == ""
    assert f", 5 games, seed {seed[1]}\n" in run.out
    assert run(*words, "--games", "2") == 0
    assert ", 5 games, " in run.out
    assert "5 games were played before, and none now" in run.err
    assert "decisions a second" not in run.out


def test_numbers_of_players_side_by_side(run: Run) -> None:
    """They are compared in the seats that both have."""
    words = ("simulate", "oh_hell", "--vary", "players=3,4", "--games", "5")
    assert run(*words, "--seed", "1") == 0
    assert "players=4, compared with players=3: 5 pairs" in run.out
    *_, compared = run.out.partition("compared with")
    assert "seat 3 wins" in compared
    assert "seat 4 wins" not in compared


@posix
@pytest.mark.parametrize("where", [(), ("--on", "local")])
def test_ctrl_c_waits_for_no_slow_game(where: tuple[str, ...]) -> None:
    """Workers hear nothing of it from the terminal, and drop a game of many minutes."""
    if where:
        pytest.importorskip("distributed", reason="Dask is not installed")
    words = ("simulate", "hearts", "--set", "deals=99", "--backend", "python")
    slow = ("--bots", "ismcts", "--level", "hard", "--jobs", "2", "--seed", "1")
    with spawn(*words, *slow, *where) as process:
        time.sleep(3)  # whenever it comes, this is what happens
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=120)
        finally:
            process.kill()
    assert b"Traceback" not in err
    assert process.returncode == 130
    assert out == b"" or b"0 games, seed 1" in out


@posix
def test_an_ending_that_was_swallowed_is_not_forgotten() -> None:
    """A compiler may catch it; a second one is not ours."""
    with Endings() as endings:
        endings.ask()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        with pytest.raises(KeyboardInterrupt):
            endings.ask()
        assert endings.code == 130


def test_what_was_swallowed_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption alone: any other is a fault, and told as ever."""
    told: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lambda found: told.append(found.exc_type))
    with Endings():
        for kind in (KeyboardInterrupt, ValueError):
            found = SimpleNamespace(exc_type=kind)
            sys.unraisablehook(found)
    assert told == [ValueError]


def test_progress_fits_the_terminal() -> None:
    """With a bar where there is room for one, and never wider than it is."""
    told, share = tell_progress(250, 1000, "games", 0.5)
    assert (told, share) == ("250 of 1000 games, 6 min left", 0.25)
    assert fit_line(told, share, 60) == f"[{'#' * 6}{'.' * 21}] {told}"
    assert fit_line(told, share, 40) == told
    assert fit_line(told, share, 20) == told[:19]
    assert tell_progress(7, None, "games", 1.0) == ("7 games", None)
    assert tell_progress(1, 20_001, "games", 1.0)[0].endswith(", 6 h left")
    assert tell_progress(60, 50, "games", 1.0)[0].endswith(", 0 s left")


def test_games_that_never_end_are_told_of(run: Run, tmp_path: Path) -> None:
    """A run that stops when it knows enough would never stop."""
    assert estimate_share(0, 0) == (0.0, 1.0)
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS, encoding="utf-8")
    words = ("simulate", str(path), "--seed", "1", "--until-ci", "0.01")
    assert run(*words, "--games", "300") == 0
    assert "none of the first 100 games was finished" in run.err


ENDLESS = """\
cardrun: 1
name: Endless
players: 2
deck: {kind: french}
zones:
  stock: {face: down, holds: deck}
moves:
  wait: {do: [add 1 to me.score]}
limit: 5
play:
  - turns: {from: players.first, until: stock.empty}
    do:
      - choose: [wait]
result: {rank_by: score}
"""


@posix
def test_a_check_that_is_ended_says_what_it_found(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a signal of any kind; the exit code tells which."""

    def end(checked: Check) -> Iterator[None]:
        signal.raise_signal(signal.SIGTERM)
        yield

    monkeypatch.setattr(Check, "run", end)
    assert run("check", "goofspiel", "--seed", "1", "--json") == 143
    assert json.loads(run.out)["interrupted"] is True
