"""Saved games: written act by act, cut anywhere, changed by hand, gone on with."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

from cardrun.cli import run
from cardrun.interpreter import Game, load
from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.simulation.match import play_bots, seat_bots
from cardrun.interpreter.tables.history import History
from cardrun.interpreter.tables.host import Host
from cardrun.interpreter.tables.record import (
    Record,
    Recorder,
    begin_record,
    checksum,
    continue_record,
    describe_game,
    find_save,
    read_record,
    saves_folder,
)
from cardrun.interpreter.tables.sitting import Opponents, Sitting
from cardrun.interpreter.text.errors import SavedGameError, UnreadableFile


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


GAME = """\
cardrun: 1
name: Highest
players: 2
deck: {kind: euchre}
options:
  rounds: {default: 2, range: 1..5}
zones:
  stock: {face: down, holds: deck}
  table: {face: up}
  hand:  {per: player, seen_by: owner}
moves:
  play: {pick: {card: hand}, do: [move card to table]}
play:
  - shuffle stock
  - deal 5 to hand each
  - repeat: round
    times: rounds
    do:
      - turns: {from: players.first, each: once}
        do:
          - choose: [play]
  - if: not table.empty
    then: ["add 1 to best(table, place(it.rank, order)).played_by.score"]
values:
  order: [9, 10, J, Q, K, A]
result: {rank_by: score}
"""


def save(folder: Path, rounds: int = 2) -> Path:
    """Return the file of a whole game between bots."""
    rules = folder / "highest.yaml"
    rules.write_text(GAME, encoding="utf-8")
    game = load(rules, options={"rounds": rounds})
    file = folder / "game.jsonl"
    recorder = begin_record(file, describe_game(game, 7, ("random", "random")))
    state = game.new(7)
    for act in play_bots(state, seat_bots(["random", "random"]), {}):
        recorder.note(state, act.seat, str(act.move), act.milliseconds)
    recorder.close()
    return file


def verify(file: Path) -> None:
    """Play a saved game through."""
    record = read_record(file)
    list(record.replay(record.load()))


def spawn(*words: str, typed: str = "", home: str = "") -> Ran:
    """Run a command in a process of its own, with text as its input."""
    done = subprocess.run(
        [sys.executable, "-c", "from cardrun.cli import main; main()", *words],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "XDG_DATA_HOME": home},
        timeout=60,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def test_a_saved_game_plays_again_to_the_same_end(tmp_path: Path) -> None:
    """The rules, the options and the seed are in the file; the ruleset may go."""
    file = save(tmp_path, rounds=3)
    (tmp_path / "highest.yaml").unlink()
    record = read_record(file)
    *_, state = record.replay(record.load())
    assert state.over
    assert len(record.acts) == 6
    assert record.header.options == {"rounds": 3}


def test_a_file_cut_anywhere_goes_on_from_its_last_whole_line(tmp_path: Path) -> None:
    """Nothing but the line that was cut is lost."""
    data = save(tmp_path).read_bytes()
    first = data.index(b"\n") + 1
    cut = tmp_path / "cut.jsonl"
    game = None
    for length in range(first, len(data) + 1):
        cut.write_bytes(data[:length])
        record = read_record(cut)
        game = game or record.load()
        *_, state = record.replay(game)
        whole = data[:length].count(b"\n") - 1
        assert (len(record.acts), state.decisions) == (whole, whole)


def test_a_file_cut_in_its_first_line_holds_no_game(tmp_path: Path) -> None:
    """There is nothing to go on from, and the file stays as it is."""
    data = save(tmp_path).read_bytes()
    cut = tmp_path / "cut.jsonl"
    for length in range(0, data.index(b"\n") + 1, 7):
        cut.write_bytes(data[:length])
        with pytest.raises(SavedGameError) as caught:
            read_record(cut)
        assert caught.value.problems[0].code == "saved-nothing"
        assert cut.read_bytes() == data[:length]


def test_going_on_writes_behind_the_last_whole_line(tmp_path: Path) -> None:
    """The torn line goes; the game is whole in the end."""
    file = save(tmp_path)
    data = file.read_bytes()
    file.write_bytes(data[:-9])
    record = read_record(file)
    *_, state = record.replay(record.load())
    recorder = continue_record(record)
    move = state.moves(2)[0]
    state.apply(2, move)
    recorder.note(state, 2, str(move))
    recorder.close()
    again = read_record(file)
    *_, state = again.replay(again.load())
    assert state.over
    assert len(again.acts) == 4


@pytest.mark.parametrize(
    ("line", "change", "code"),
    [
        (0, {"cardrun": 2}, "saved-newer"),
        (0, {"cardrun": "1"}, "saved-foreign"),
        (0, {"seed": None}, "saved-damaged"),
        (0, {"options": {"rounds": [2]}}, "saved-damaged"),
        (0, {"options": {"rounds": 9}}, "saved-rules"),
        (0, {"ruleset": "cardrun: 1"}, "saved-hash"),
        (2, {"move": "play 2C"}, "saved-act"),
        (2, {"seat": 1}, "saved-act"),
        (2, {"check": "00000000"}, "saved-check"),
        (2, {"seat": "2"}, "saved-damaged"),
        (2, {"ms": -1}, "saved-damaged"),
        (2, {"ms": 10**400}, "saved-damaged"),
        (1, None, "saved-damaged"),
    ],
)
def test_a_changed_file_is_refused_with_its_line(
    tmp_path: Path, line: int, change: dict[str, object] | None, code: str
) -> None:
    """Whatever was changed, the file is left alone."""
    file = save(tmp_path)
    lines = file.read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[line]) | (change or {})
    if line == 0:
        del fields["check"]  # that of the whole line would hide what else is wrong
    lines[line] = json.dumps(fields) if change else "{not json"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(SavedGameError) as caught:
        verify(file)
    (problem,) = caught.value.problems
    assert (problem.code, problem.span.line) == (code, line + 1)
    assert file.read_bytes() == before


def test_every_changed_byte_is_found_in_its_line(tmp_path: Path) -> None:
    """It is refused there, or means the same: another case, the name of a check."""
    file = save(tmp_path)
    data = file.read_bytes()
    whole, states = replay(file)
    game = whole.load()
    with file.open("r+b", buffering=0) as out:
        for place, byte in enumerate(data[:-1]):
            out.seek(place)
            out.write(bytes([byte ^ 0x20 if chr(byte).isalpha() else byte ^ 1]))
            try:
                record, found = replay(file, game)
            except SavedGameError as error:
                (problem,) = error.problems
                assert problem.span.line == data.count(b"\n", 0, place) + 1
            else:
                assert (record.header, found) == (whole.header, states)
            out.seek(place)
            out.write(data[place : place + 1])


def replay(file: Path, known: Game | None = None) -> tuple[Record, list[str]]:
    """Return a saved game and the checksums of all its states, by a known game."""
    record = read_record(file)
    game = known or record.load()
    return record, [checksum(state) for state in record.replay(game)]


def test_the_time_of_an_act_in_a_race_is_checked(tmp_path: Path) -> None:
    """A replay keeps to it; the first games that were saved did not check it."""
    game = load("spit")
    file = tmp_path / "spit.jsonl"
    recorder = begin_record(file, describe_game(game, 7, ("random", "random")))
    state = game.new(7)
    for act in islice(play_bots(state, seat_bots(["random"] * 2), {}), 5):
        recorder.note(state, act.seat, str(act.move), act.milliseconds)
        check = checksum(state)
    recorder.close()
    verify(file)
    text = file.read_text(encoding="utf-8")
    changed = re.sub(
        r'"ms":\d(\d+),"check":"(\w+)"}\n$', r'"ms":9\1,"check":"\2"}\n', text
    )
    assert changed != text
    file.write_text(changed, encoding="utf-8")
    with pytest.raises(SavedGameError, match="does not stand here"):
        verify(file)
    file.write_text(re.sub(r'"\w+"}\n$', f'"{check}"}}\n', text), encoding="utf-8")
    verify(file)


@pytest.mark.parametrize("name", [path.stem for path in shipped()])
def test_each_game_goes_on_wherever_its_file_is_cut(tmp_path: Path, name: str) -> None:
    """Races with the times of their acts, and bids and melds of many words."""
    game = load(name)
    file = tmp_path / "game.jsonl"
    recorder = begin_record(file, describe_game(game, 7, ("random",) * game.players))
    state = game.new(7)
    checks = [checksum(state)]
    for act in islice(play_bots(state, seat_bots(["random"] * game.players), {}), 12):
        recorder.note(state, act.seat, str(act.move), act.milliseconds)
        checks.append(checksum(state))
    recorder.close()
    data = file.read_bytes()
    *_, first, _ = (place for place, byte in enumerate(data) if byte == ord("\n"))
    for length in range(first, len(data) + 1, 5):
        file.write_bytes(data[:length])
        record = read_record(file)
        *_, state = record.replay(game)
        assert checksum(state) == checks[data[:length].count(b"\n") - 1]


def test_what_is_no_saved_game_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    """There is nothing in it to cut and go on from."""
    file = tmp_path / "notes.md"
    file.write_text("# Notes\n", encoding="utf-8")
    with pytest.raises(SavedGameError, match="no saved game of cardrun"):
        read_record(file)


def test_a_mistyped_name_of_a_saved_game_is_answered_with_the_nearest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As every other name is."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = find_save("friday")
    begin_record(file, describe_game(load("hearts"), 1, ("human",) * 4)).close()
    with pytest.raises(UnreadableFile, match="did you mean 'friday'"):
        read_record(find_save("firday"))


def test_another_seed_in_the_header_shows_at_the_first_act(tmp_path: Path) -> None:
    """The cards are then others than those that were played.

    The first games that were saved have no checksum of the header.
    """
    file = save(tmp_path)
    text = file.read_text(encoding="utf-8").replace('"seed":7', '"seed":8')
    text = re.sub(r',"check":"\w+"\}', "}", text, count=1)
    file.write_text(text, encoding="utf-8")
    record = read_record(file)
    with pytest.raises(SavedGameError) as caught:
        list(record.replay(record.load()))
    assert caught.value.problems[0].span.line == 2


def test_a_checksum_tells_states_apart(tmp_path: Path) -> None:
    """It is of what is there, and moves with every act."""
    record = read_record(save(tmp_path))
    checks = [checksum(state) for state in record.replay(record.load())]
    assert len(set(checks)) == len(checks)


def test_what_cannot_be_begun_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is free again once there is room on the disk."""

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    file = tmp_path / "friday.jsonl"
    header = describe_game(load("hearts"), 1, ("human",) * 4)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="No space"):
            begin_record(file, header)
    assert not file.exists()
    begin_record(file, header).close()


def test_an_act_that_is_taken_back_is_not_in_the_file(tmp_path: Path) -> None:
    """What was saved before it stays, and the game goes on behind that."""
    file = tmp_path / "idiot.jsonl"
    state = load("idiot").new(3)
    header = describe_game(state.game, 3, ("human", "bot"))
    recorder = begin_record(file, header)
    history = History()
    for _ in range(2):
        move = state.moves(1)[0]
        history.note(state, 1, recorder)
        state.apply(1, move)
        recorder.note(state, 1, str(move))
    before = state.vector[:]
    assert history.take_back(state, 1, recorder) == ""
    assert state.vector != before
    assert len(read_record(file).acts) == 1
    assert history.take_back(state, 1, recorder) == ""
    assert history.take_back(state, 1, recorder) == "there is nothing to undo"
    again = state.moves(1)[0]
    state.apply(1, again)
    recorder.note(state, 1, str(again))
    recorder.close()
    record = read_record(file)
    *_, replayed = record.replay(record.load())
    assert checksum(replayed) == checksum(state)


def test_a_second_table_cannot_go_on_with_a_game(tmp_path: Path) -> None:
    """Two at once would write over each other."""
    file = save(tmp_path)
    recorder = continue_record(read_record(file))
    with pytest.raises(BlockingIOError):
        continue_record(read_record(file))
    recorder.close()
    continue_record(read_record(file)).close()


def test_a_game_that_another_table_went_on_with_is_read_again(tmp_path: Path) -> None:
    """What was played there since it was read would be lost."""
    file = save(tmp_path)
    data = file.read_bytes()
    file.write_bytes(data[: data.rindex(b"\n", 0, -1) + 1])
    record = read_record(file)
    file.write_bytes(data)
    with pytest.raises(BlockingIOError):
        continue_record(record)
    assert file.read_bytes() == data


def test_a_game_is_saved_where_files_cannot_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on some file systems of networks."""

    def refuse(file: object, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("cardrun.interpreter.locks.flock", refuse)
    file = save(tmp_path)
    continue_record(read_record(file)).close()
    verify(file)


def test_an_act_that_cannot_be_taken_back_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the game as in the file, and it may be tried again."""
    file = tmp_path / "idiot.jsonl"
    state = load("idiot").new(3)
    recorder = begin_record(file, describe_game(state.game, 3, ("human", "bot")))
    history = History()
    move = state.moves(1)[0]
    history.note(state, 1, recorder)
    state.apply(1, move)
    recorder.note(state, 1, str(move))

    def refuse(mark: int) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(recorder, "cut", refuse)
        with pytest.raises(OSError, match="Input"):
            history.take_back(state, 1, recorder)
    _, states = replay(file)
    assert states[-1] == checksum(state)
    assert history.take_back(state, 1, recorder) == ""
    recorder.close()


def test_the_next_game_is_saved_beside_the_last(tmp_path: Path) -> None:
    """With the cards of the next seed, and the people a seat further."""
    state = load("golf", players=2).new(3)
    kinds = ("human", "bot")
    header = describe_game(state.game, 3, kinds)
    recorder = begin_record(tmp_path / "friday.jsonl", header)
    sitting = Sitting(state, kinds, recorder)
    assert sitting.renew() == f"saved in {tmp_path / 'friday-2.jsonl'}"
    assert sitting.renew() == f"saved in {tmp_path / 'friday-3.jsonl'}"
    sitting.close()
    header = read_record(tmp_path / "friday-2.jsonl").header
    assert (header.seed, header.seats) == (4, ("bot", "human"))


# The command line


def test_a_game_is_saved_stopped_and_gone_on_with(tmp_path: Path) -> None:
    """A person plays two acts, leaves, comes back and plays on."""
    home = str(tmp_path)
    words = ("play", "hearts", "--plain", "--seed", "3", "--save", "monday")
    assert "saved in" in spawn(*words, typed="1\nquit\n", home=home).err
    file = tmp_path / "cardrun" / "saves" / "monday.jsonl"
    acts = len(read_record(file).acts)
    assert acts >= 4
    resumed = ("play", "--resume", "monday", "--plain")
    assert "acts played" in spawn(*resumed, typed="1\nquit\n", home=home).err
    assert len(read_record(file).acts) > acts
    assert spawn("saves", home=home).out.startswith("monday  Hearts, 4 players, ")
    twice = spawn("play", "hearts", "--auto", "--save", "monday", home=home)
    assert twice.code == 2
    assert "--resume monday" in twice.err
    spawn("saves", "--delete", "monday", home=home)
    assert not file.exists()


def test_a_game_between_bots_is_verified_and_watched(tmp_path: Path) -> None:
    """Its acts are printed as they were when it was played."""
    file = str(tmp_path / "spit.jsonl")
    played = spawn("play", "spit", "--auto", "--seed", "3", "--save", file)
    assert spawn("replay", file).out == played.out
    assert "all sound" in spawn("replay", file, "--verify").out
    stepped = spawn("replay", file, "--step", typed="\n\nb\n3\n99999\nq\n")
    shown = re.findall(r"^(\d+) of \d+:", stepped.out, re.M)
    assert shown == ["0", "1", "2", "1", "3"]
    assert "There are acts 0 to" in stepped.out


def test_a_replay_speaks_as_the_table_does(tmp_path: Path) -> None:
    """Acts, zones, and how it ended."""
    file = str(tmp_path / "spit.jsonl")
    spawn("play", "spit", "--auto", "--seed", "3", "--save", file)
    words = ("replay", file, "--lang", "no")
    stepped = spawn(*words, "--step", typed="3\nq\n").out
    assert "  Enter: neste trekk" in stepped
    assert re.search(r"^0 av \d+: given$", stepped, re.M)
    assert re.search(r"^3 av \d+: \d+\.\d+ Spiller \d: spill ", stepped, re.M)
    assert re.search(r"^  du: ", stepped, re.M)
    assert "alle i orden. Spiller" in spawn(*words, "--verify").out
    assert re.search(r"^Spiller \d vinner\.$", spawn(*words).out, re.M)


@pytest.mark.parametrize("name", ["", ".", "..", " ", "./", "a\nb", "\x1b[31m"])
def test_a_saved_game_has_a_name_that_can_be_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Others are refused, whether it begins or goes on."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(["play", "golf", "--auto", "--save", name]) == 2
    assert run(["play", "--auto", "--resume", name]) == 2
    assert not list(tmp_path.iterdir())


def test_a_name_with_a_folder_is_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the folder one is in, too."""
    monkeypatch.chdir(tmp_path)
    assert find_save("./friday") == Path("friday")
    assert find_save("games/friday") == Path("games/friday")
    assert find_save("friday").parent == saves_folder()


def test_a_file_in_the_way_is_no_game_to_go_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder, or a file where a folder is needed."""
    (tmp_path / "notes.md").write_text("# Notes\n", encoding="utf-8")
    for path in (tmp_path, tmp_path / "notes.md" / "friday.jsonl"):
        assert run(["play", "golf", "--auto", "--seed", "1", "--save", str(path)]) == 3
        assert "cannot write" in capsys.readouterr().err


def test_a_game_is_deleted_once_if_it_is_named_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is wrong then."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = find_save("friday")
    begin_record(file, describe_game(load("hearts"), 1, ("human",) * 4)).close()
    assert run(["saves", "--delete", "friday", "--delete", "friday"]) == 0
    assert not file.exists()


def test_a_pause_is_no_part_of_the_times_of_acts(tmp_path: Path) -> None:
    """Whoever watches the race need not wait for it."""
    time = 0.0
    state = load("spit").new(7)
    while not state.is_race:
        (seat, *_) = state.to_act
        state.apply(seat, state.moves(seat)[0])
    file = tmp_path / "spit.jsonl"
    recorder = begin_record(file, describe_game(state.game, 7, ("human", "bot")))
    bots = seat_bots(["random"] * 2)
    host = Host(state, [1], bots, Reaction(500, 0), lambda: time, recorder)
    for second in range(1, 8):
        time += 3600 if second == 4 else 1
        if second in (3, 4):
            host.rest()
        else:
            host.step()
    recorder.close()
    times = [act.milliseconds for act in read_record(file).acts]
    assert times == [2000, 4000]


def test_a_saved_game_cannot_be_watched_at_no_speed(tmp_path: Path) -> None:
    """Nor at one by which nothing would ever happen."""
    for speed in ("0", "-1", "1e-300"):
        assert run(["replay", str(save(tmp_path)), "--speed", speed]) == 2
        (tmp_path / "game.jsonl").unlink()


def test_a_game_is_not_deleted_while_it_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever plays it believes that it is saved."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    file = find_save("friday")
    recorder = begin_record(file, describe_game(load("hearts"), 1, ("human",) * 4))
    assert run(["saves", "--delete", "friday"]) == 2
    recorder.close()
    assert run(["saves", "--delete", "friday"]) == 0
    assert not file.exists()


def test_what_goes_on_takes_no_other_rules(tmp_path: Path) -> None:
    """A saved game keeps to the rules it holds."""
    file = str(save(tmp_path))
    assert run(["play", "spit", "--resume", file, "--auto"]) == 2
    assert run(["play", "--resume", file, "--set", "rounds=3", "--auto"]) == 2
    assert run(["play", "--resume", str(tmp_path / "none.jsonl"), "--auto"]) == 3


def test_a_full_disk_stops_the_saving_and_not_the_game() -> None:
    """The player is told once, and plays on."""
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no full disk to write to")
    record = Recorder(full, full.open("wb", buffering=0))
    state = load("spit").new(1)
    sitting = Sitting(state, ("random", "random"), record)
    assert len(list(sitting.play_bots(Opponents("random")))) > 100
    assert sitting.recorder is None
