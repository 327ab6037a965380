"""The command line keeps its promises: streams, exit codes, JSON, suggestions."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import cardrun
from cardrun.cli import main
from cardrun.interpreter.sheets.explanations import CODES
from cardrun.interpreter.version import __version__

PROGRAM = [sys.executable, "-c", "from cardrun.cli import main; main()"]
HERE = Path(__file__).parent
BROKEN = "cardrun: 1\nname: Broken\nplayrs: 2\n"
FULL = Path("/dev/full")


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        """Keep all three."""
        self.code, self.out, self.err = code, out, err

    def json(self) -> Any:
        """Return what was printed as data."""
        return json.loads(self.out)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Return what runs a command within this process."""

    def run_here(*words: str) -> Ran:
        with pytest.raises(SystemExit) as left:
            main(words)
        captured = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Ran(left.value.code, captured.out, captured.err)

    return run_here


def spawn(*words: str, typed: str = "", **more: str) -> Ran:
    """Run a command in a process of its own, with text as its input."""
    done = subprocess.run(
        [*PROGRAM, *words],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **more},
        timeout=60,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_help_and_version(run: Any) -> None:
    """On standard output."""
    assert run("--version").out == f"cardrun {__version__}\n"
    shown = run("--help")
    assert shown.code == 0
    commands = re.findall(r"^  ([a-z]+) ", shown.out.split("Commands:")[1], re.M)
    assert commands == [
        *("play", "validate", "test", "simulate", "replay", "saves", "check"),
        *("list", "schema", "show", "diff", "new", "rules", "fmt", "explain"),
    ]


def test_help_loads_no_parser() -> None:
    """It must be quick."""
    code = (
        "import sys, cardrun.cli as cli\n"
        "try: cli.main(['--help'])\n"
        "except SystemExit: print({'yaml', 'lark', 'jsonschema'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.endswith("set()\n")


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        (("plya", "spit"), "Did you mean 'play'?"),
        (("spitt",), "Did you mean 'spit'?"),
        (("play", "spit", "--sede", "1"), "--seed"),
        (("play", "spit", "--bot", "greddy"), "Did you mean 'greedy'?"),
        (("play", "spit", "--pace", "relxed"), "Did you mean 'relaxed'?"),
        (("play", "spit", "--seats", "humn,bot"), "Did you mean 'human'?"),
        (("play", "spit", "--set", "clam=slap"), "did you mean 'claim'?"),
        (("play", "spit", "--set", "claim=slp"), "did you mean 'slap'?"),
        (("play", "spit", "--set", "claim"), "'claim' is not like option=value."),
        (("play", "spit", "--players", "3"), "Spit is not for 3 players"),
        (("play", "spit", "--seats", "human"), "not for 1 player:"),
        (("play", "idiot", "--players", "3", "--seats", "bot,bot"), "3 play"),
        (("play", "spit", "--color", "nver"), "Did you mean 'never'?"),
        (("simulate", "spit", "--bots", "randm"), "Did you mean 'random'?"),
        (("simulate", "hearts", "--bots", "random,random"), "4 play"),
        (("simulate", "spit", "--reactions", "10:10"), "at most two thirds"),
        (("simulate", "spit", "--games", "0"), "--games"),
        (("simulate", "cuckoo", "--players", "2"), "It is for 3 to 20 players."),
        (("play", "spit", "--set", "alternate_colours=ys"), "did you mean 'yes'?"),
        (("new", ""), "a name"),
    ],
)
def test_what_is_mistyped_is_a_usage_error(
    run: Any, words: tuple[str, ...], asked: str
) -> None:
    """Exit code 2, with a suggestion, and nothing on standard output."""
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert asked in ran.err


@pytest.mark.parametrize(
    "words",
    [
        ("play", "nowhere.yaml"),
        ("nowhere/spit.yaml",),
        ("play", "sipt"),
        ("validate", "nowhere.yaml"),
        ("simulate", "nowhere.yaml", "--games", "1"),
        ("show", "nowhere.yaml"),
        ("test", "nowhere.yaml"),
        ("simulate", "hearts", "--games", "1", "--csv", "nowhere/out.csv"),
    ],
)
def test_a_file_that_cannot_be_read_or_written(
    run: Any, words: tuple[str, ...]
) -> None:
    """Exit code 3, named on standard error."""
    ran = run(*words)
    assert ran.code == 3
    assert "nowhere" in ran.err or "did you mean 'spit'?" in ran.err


def test_a_whole_game_is_printed(run: Any) -> None:
    """One line an act, and the result."""
    ran = run("hearts", "--auto", "--seed", "1", "--bot", "random")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert all(re.fullmatch(r"[1-4] play \w+", line) for line in lines[:52])
    assert re.search(r"wins?\.$", lines[53])
    assert [line[:11] for line in lines[54:]] == [
        f"  player {n}:" for n in (1, 2, 3, 4)
    ]


def test_acts_in_a_race_have_times(run: Any) -> None:
    """Seconds of the clock, before the seat."""
    ran = run("spit", "--auto", "--seed", "1", "--bot", "random")
    assert ran.out.splitlines()[:2] == ["1 ready", "2 ready"]
    assert re.fullmatch(
        r"\d+\.\d{3} [12] (play|turn|shift) .+", ran.out.splitlines()[2]
    )


def test_a_game_without_a_seed_says_which_it_took(run: Any) -> None:
    """The same seed gives the same game."""
    first = run("play", "hearts", "--auto", "--bot", "random")
    seed = re.fullmatch(r"seed: (\d+)\n", first.err)
    assert seed is not None
    again = run("play", "hearts", "--auto", "--bot", "random", "--seed", seed[1])
    assert (again.out, again.err) == (first.out, "")


def test_a_pipe_is_not_a_person() -> None:
    """Without --plain bots play; what is in the pipe is not read."""
    ran = spawn("hearts", "--seed", "1", "--bot", "random", typed="quit\n")
    assert ran.out.startswith("1 play ")


def test_a_pipe_can_play_in_line_mode() -> None:
    """And leave."""
    ran = spawn("hearts", "--seed", "1", "--plain", typed="1\nquit\n")
    assert ran.code == 0
    assert ran.out.startswith("Hearts, 4 players. You are player 1.\n")
    assert ran.out.endswith("You have left the game.\n")


def test_who_leaves_a_saved_game_is_told_how_to_go_on(tmp_path: Path) -> None:
    """By the command that does."""
    file = tmp_path / "one.jsonl"
    ran = spawn("hearts", "--plain", "--save", str(file), typed="1\nquit\n")
    assert ran.err.endswith(f"go on with it: cardrun play --resume {file}\n")


def test_several_people_are_greeted() -> None:
    """By the seats that they take."""
    ran = spawn("hearts", "--plain", "--seats", "human,bot,human,bot", typed="")
    assert "You are players 1 and 3." in ran.out


def test_a_race_in_a_pipe_ends_with_its_input() -> None:
    """Then bots play on, as fast as they can."""
    ran = spawn("spit", "--seed", "3", "--plain", "--bot", "random", typed="\n1\n")
    assert ran.code == 0
    assert "bots play on for player 1" in ran.out
    assert "place 2" in ran.out


def test_json_of_a_game(run: Any) -> None:
    """Its acts and its result."""
    shown = run("idiot", "--auto", "--seed", "6", "--json", "--players", "3").json()
    assert (shown["game"], shown["players"], shown["seed"]) == ("Idiot", 3, 6)
    assert set(shown["acts"][0]) == {"seat", "move", "ms"}
    assert sorted(shown["result"]["places"].values()) == [1, 2, 3]


def test_json_does_not_wait_for_a_person(run: Any, monkeypatch: Any) -> None:
    """With --plain there is one."""
    assert run("spit", "--plain", "--json").code == 2


def test_sound_rulesets_validate(run: Any) -> None:
    """By name or by path."""
    ran = run("validate", "spit", "hearts")
    assert (ran.code, ran.out) == (0, "spit: sound\nhearts: sound\n")
    assert run("validate", "spit", "--json").json() == []


def test_a_value_that_is_given_stays_while_others_are_tried(
    run: Any, tmp_path: Path
) -> None:
    """What is wrong with another value of that option is not asked for."""
    file = tmp_path / "rule.yaml"
    file.write_text(
        "extends: speed.yaml\nname: X\nadd: {options.more: {default: 9, "
        "among: [9, 90], about: x}}\nreplace: {steps.gather: [deal more to hand each]}"
        "\n",
        encoding="utf-8",
    )
    path = str(file)
    assert run("validate", path).code == 1
    assert run("validate", path, "--set", "more=9").code == 0
    wrong = run("validate", path, "--set", "mor=9")
    assert (wrong.code, "did you mean 'more'?" in wrong.err) == (2, True)


def test_problems_of_all_files_are_printed(run: Any, tmp_path: Path) -> None:
    """On standard output, sorted; exit code 1."""
    for name in ("b.yaml", "a.yaml"):
        (tmp_path / name).write_text(BROKEN, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("b.yaml", "a.yaml")]
    ran = run("validate", *files)
    places = re.findall(r"^\S*/(\w\.yaml:\d+:\d+): error:", ran.out, re.M)
    assert ran.code == 1
    assert places == sorted(places)
    assert {place[0] for place in places} == {"a", "b"}
    keys = ("file", "line", "column", "end_line", "end_column")
    more = ("severity", "code", "message", "hint")
    assert tuple(run("validate", *files, "--json").json()[0]) == (*keys, *more)


def test_a_broken_ruleset_cannot_be_played(run: Any, tmp_path: Path) -> None:
    """Its problems are then no result: they go to standard error."""
    path = tmp_path / "broken.yaml"
    path.write_text(BROKEN, encoding="utf-8")
    ran = run("play", str(path), "--auto")
    assert (ran.code, ran.out) == (1, "")
    assert "unknown key 'playrs'" in ran.err


@pytest.mark.parametrize("command", ["check", "simulate", "rules", "show", "play"])
def test_problems_are_json_where_json_is_asked_for(
    run: Any, tmp_path: Path, command: str
) -> None:
    """They are what a script then reads, whichever command found them."""
    file = tmp_path / "broken.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    ran = run(command, str(file), "--json")
    assert ran.code == 1
    assert "unknown-key" in {problem["code"] for problem in ran.json()}


def test_scenarios_are_counted(run: Any) -> None:
    """The last line is the promised one."""
    ran = run("test", str(HERE / "scenarios" / "goofspiel.yaml"))
    assert ran.code == 0
    assert re.fullmatch(r"\d+ passed, 0 failed\n", ran.out)


def test_a_failing_scenario(run: Any, tmp_path: Path) -> None:
    """Exit code 1, and what was expected; with --json as data."""
    path = tmp_path / "case.yaml"
    path.write_text(
        "ruleset: hearts.yaml\nscenarios:\n  - {name: wrong, then: {turn: 9}}\n",
        encoding="utf-8",
    )
    rules = Path(cardrun.__file__).parent / "rulesets" / "hearts.yaml"
    (tmp_path / "hearts.yaml").write_bytes(rules.read_bytes())
    ran = run("test", str(tmp_path))
    assert ran.code == 1
    assert "expected: 9\n   found:    1\n" in ran.out
    assert ran.out.endswith("0 passed, 1 failed\n")
    shown = run("test", str(tmp_path), "--json").json()
    assert (shown["passed"], shown["failed"]) == (0, 1)


def test_a_folder_without_scenarios_fails(run: Any, tmp_path: Path) -> None:
    """Nothing tested must not look like success."""
    ran = run("test", str(tmp_path))
    assert (ran.code, ran.out) == (1, "0 passed, 0 failed\n")
    assert "no scenario files" in ran.err


def test_simulate_prints_json_and_a_table(run: Any, tmp_path: Path) -> None:
    """A row for each game, in order; the seed of a row plays it again."""
    path = tmp_path / "games.csv"
    words = ("simulate", "hearts", "--games", "5", "--seed", "1")
    shown = run(*words, "--json", "--csv", str(path)).json()
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert (shown["games"], shown["seed"], shown["finished"]) == (5, 1, 5)
    assert [row["game"] for row in rows] == ["0", "1", "2", "3", "4"]
    assert run(*words).out.startswith("Hearts, 4 players, ")


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is full")
def test_a_full_disk_is_reported() -> None:
    """With exit code 3 and no traceback."""
    ran = spawn("simulate", "hearts", "--games", "3", "--csv", str(FULL))
    assert ran.code == 3
    assert "cannot write '/dev/full': no space left" in ran.err
    assert "Traceback" not in ran.err


def test_the_list_of_games(run: Any) -> None:
    """A line each; as data with --json."""
    assert re.search(r"^spit +2 players +racing +Spit: ", run("list").out, re.M)
    entries = run("list", "--json").json()
    names = [entry["name"] for entry in entries if "players" in entry]
    assert {"hearts", "idiot", "spit"} <= set(names)
    assert names == sorted(names)


def test_the_schema_is_json(run: Any) -> None:
    """Ready for an editor."""
    assert run("schema").json()["$schema"].startswith("https://json-schema.org/")


def test_show_prints_the_ruleset_or_its_code(run: Any) -> None:
    """Both name the lines they come from."""
    assert re.search(r"^  play: +# spit.yaml:\d+$", run("show", "spit").out, re.M)
    assert re.search(r"# (rulesets/)?spit.yaml:\d+", run("show", "spit", "--code").out)
    assert run("show", "spit", "--json").json()["name"] == "Spit"
    assert "def " in run("show", "spit", "--code", "--json").json()["code"]


def test_explain_prints_a_page(run: Any) -> None:
    """Or suggests a code."""
    assert run("explain", "card-twice").out.startswith("card-twice\n\nWhat it finds\n")
    assert run("explain", "card-twice", "--json").json()["code"] == "card-twice"
    listed = run("explain").out.splitlines()
    assert [line.split()[0] for line in listed] == sorted(CODES)
    ran = run("explain", "card-twise")
    assert (ran.code, ran.out) == (1, "")
    assert "did you mean 'card-twice'?" in ran.err


@pytest.mark.parametrize(
    ("words", "more", "is_coloured"),
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        ((), {"FORCE_COLOR": "1"}, True),
        (("--color", "never"), {"FORCE_COLOR": "1"}, False),
        ((), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
    ],
)
def test_colours(
    run: Any,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    more: dict[str, str],
    is_coloured: bool,
) -> None:
    """The option is stronger than the environment; a pipe has none."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in more.items():
        monkeypatch.setenv(name, value)
    path = str(HERE / "scenarios" / "hearts.yaml")
    assert ("\x1b[" in run("test", path, *words).out) == is_coloured
    assert ("\x1b[" in run(*words, "test", path).out) == is_coloured


def test_our_own_fault_asks_for_a_report(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 70 and all that a report should hold."""

    def fail(*_: object) -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr("cardrun.interpreter.sheets.catalogue.list_shipped", fail)
    ran = run("list")
    assert ran.code == 70
    for part in ("by nought", "Please report it", f"cardrun {__version__}, Python"):
        assert part in ran.err


def test_check_tells_a_sound_ruleset_from_a_broken_one(run: Any) -> None:
    """By its exit code, its last line and its findings."""
    sound = run("check", "hearts", "--games", "3", "--seed", "1")
    assert sound.code == 0
    assert re.fullmatch(r"0 findings, \d+ notes?", sound.out.splitlines()[-1])
    file = str(HERE / "broken" / "dead-decision_follow.yaml")
    broken = run("check", file, "--games", "3", "--seed", "1", "--json")
    assert broken.code == 1
    found = broken.json()
    assert found["seed"] == 1
    assert found["tables"][0]["games"] == 3
    (finding,) = found["findings"]
    assert (finding["code"], finding["line"]) == ("dead-decision", 23)
    assert len(finding["moves"]) == 1
    assert not found["interrupted"]


def test_check_looks_at_the_table_asked_for(run: Any) -> None:
    """Players and options are as given, and an unknown one is refused."""
    words = ("check", "hearts", "--games", "1", "--seed", "1", "--json")
    ran = run(*words, "--players", "5", "--set", "passing=rotate")
    (table,) = ran.json()["tables"]
    assert table["players"] == 5
    assert table["options"]["passing"] == "rotate"
    assert run("check", "hearts", "--set", "pasing=rotate").code == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interrupted_game_ends_with_130() -> None:
    """Without a traceback."""
    process = subprocess.Popen(
        [*PROGRAM, "hearts", "--plain", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    while "1. play" not in process.stdout.readline():
        pass
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err.strip()) == (130, "")


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise there")
def test_a_closed_pipe_is_no_failure() -> None:
    """Who has read enough may leave."""
    process = subprocess.Popen(
        [*PROGRAM, "spit", "--auto", "--seed", "1", "--bot", "random"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=20) == 0
    process.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="streams are closed otherwise there")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["hearts --seed 1", "hearts --plain", "list"])
def test_a_closed_stream_reads_and_prints_nothing(words: str, closed: str) -> None:
    """It is no fault of ours, and none of the caller's."""
    line = f"{shlex.join(PROGRAM)} {words} {closed}"
    done = subprocess.run(
        line, shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_a_shell_can_complete() -> None:
    """Commands, games and words."""
    asked = {"_CARDRUN_COMPLETE": "bash_complete"}

    def complete(*words: str) -> set[str]:
        line = " ".join(("cardrun", *words))
        ran = spawn(**asked, COMP_WORDS=line, COMP_CWORD=str(len(words)))
        return {item.partition(",")[2] for item in ran.out.splitlines()}

    assert {"simulate"} <= complete("sim")
    assert {"spit"} <= complete("play", "sp")
    assert complete("play", "spit", "--bot", "gr") == {"greedy"}
