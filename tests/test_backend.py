"""Machine code is kept for later, whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from cardrun.interpreter import Game, load
from cardrun.interpreter.engine import backend as module
from cardrun.interpreter.engine.backend import BackendTrouble, Workshop, play_in_python

RULESET: Final = """\
cardrun: 1
name: Short
players: 2
deck: {kind: french, ranks: [A, 2, 3]}
zones:
  stock: {face: down, holds: deck}
  hand:  {per: player, seen_by: owner}
  table: {face: up}
moves:
  play:
    pick: {card: {from: hand}}
    do: [move card to table, add 1 to me.score]
play:
  - shuffle stock
  - deal 6 to hand each
  - turns: {from: players.first, until: "table.size == 12"}
    do: [choose: [play]]
result: {rank_by: score}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """Load a game that is soon compiled."""
    path = tmp_path_factory.mktemp("rules") / "short.yaml"
    path.write_text(RULESET, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def workshop(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Give a workshop in whose cache the game is kept."""
    pytest.importorskip("numba", reason="Numba is not installed")
    found = Workshop(game, tmp_path_factory.mktemp("cache"))
    found.make()
    return found


def list_entries(workshop: Workshop) -> list[str]:
    """Return what the cache holds beside what it should."""
    folder = workshop.file.parent
    return [path.name for path in folder.iterdir()] if folder.exists() else []


def count_compiled(workshop: Workshop) -> int:
    """Return how many functions are compiled to play again."""
    told: list[int] = []
    playouts = workshop.make(lambda done, total: told.append(total))
    game = workshop.game
    assert playouts.play(1, 0, 30) == play_in_python(game).play(1, 0, 30)
    return len(told)


def test_nothing_is_compiled_twice(workshop: Workshop) -> None:
    """One entry, under the hash of the source."""
    assert count_compiled(workshop) == 0
    assert list_entries(workshop) == [workshop.file.name]
    assert workshop.seconds() < 2


@pytest.mark.parametrize("cut", [slice(0), slice(9), slice(9, None), slice(-9)])
def test_a_damaged_entry_is_made_anew(workshop: Workshop, cut: slice) -> None:
    """Wherever it was cut short."""
    workshop.file.write_bytes(workshop.file.read_bytes()[cut])
    check_made_anew(workshop)


def test_an_entry_of_zeros_is_made_anew(workshop: Workshop) -> None:
    """As a disk may leave one when the power fails."""
    workshop.file.write_bytes(bytes(workshop.file.stat().st_size))
    check_made_anew(workshop)


def test_an_entry_under_the_name_of_another_is_made_anew(
    workshop: Workshop, tmp_path: Path
) -> None:
    """It has no way in by that name."""
    path = tmp_path / "short.yaml"
    path.write_text(RULESET.replace("add 1 to", "add 3 to"), encoding="utf-8")
    other = Workshop(load(path), tmp_path)
    other.make()
    shutil.copy(other.file, workshop.file)
    check_made_anew(workshop)


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such modes there")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_an_entry_that_others_may_write_is_made_anew(
    workshop: Workshop, mode: int
) -> None:
    """What stands in it would be run as the user."""
    workshop.file.chmod(mode)
    check_made_anew(workshop)
    assert workshop.file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such owners there")
def test_an_entry_of_somebody_else_is_made_anew(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if nobody else may write it now."""
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert count_compiled(workshop) > 3
    monkeypatch.undo()
    assert count_compiled(workshop) == 0


def check_made_anew(workshop: Workshop) -> None:
    """Check that all is compiled, and then kept."""
    assert count_compiled(workshop) > 3
    assert count_compiled(workshop) == 0
    assert list_entries(workshop) == [workshop.file.name]


def test_the_oldest_entries_are_dropped(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of earlier versions too, with their folders; the rest of the cache stays."""
    monkeypatch.setattr(module, "_MOST_KEPT", 2)
    (tmp_path / "grammar").touch()
    for time, name in enumerate(("0.1/game_a", "0.1/game_b", "0.2/game_c")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
        os.utime(path, (time, time))
    here = Workshop(workshop.game, tmp_path)
    here.make()
    left = {path.relative_to(tmp_path) for path in tmp_path.glob("*/*")}
    assert left == {here.file.relative_to(tmp_path), Path("0.2/game_c")}
    assert not (tmp_path / "0.1").exists()
    assert (tmp_path / "grammar").exists()


def test_another_source_has_another_entry(workshop: Workshop, tmp_path: Path) -> None:
    """The rules decide, not the file."""
    path = tmp_path / "short.yaml"
    path.write_text(RULESET.replace("add 1 to", "add 2 to"), encoding="utf-8")
    assert Workshop(load(path), workshop.cache).file != workshop.file
    path.write_text(RULESET, encoding="utf-8")
    assert Workshop(load(path), workshop.cache).file == workshop.file


def test_processes_may_make_the_same_entry_at_once(
    workshop: Workshop, tmp_path: Path
) -> None:
    """All play the same, and one whole entry is left."""
    code = (
        "import sys, pathlib; from cardrun.interpreter import load;"
        "from cardrun.interpreter.engine import backend;"
        "shop = backend.Workshop(load(sys.argv[1]), pathlib.Path(sys.argv[2]));"
        "print(shop.make().play(1, 0, 3).rows)"
    )
    words = [sys.executable, "-c", code, workshop.game.path, str(tmp_path)]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(2)]
    outputs = {process.communicate()[0] for process in both}
    rows = play_in_python(workshop.game).play(1, 0, 3).rows
    assert outputs == {f"{rows}\n".encode()}
    here = Workshop(workshop.game, tmp_path)
    assert list_entries(here) == [here.file.name]
    assert count_compiled(here) == 0


@pytest.mark.parametrize("backend", ["numba", "python"])
def test_threads_play_at_once(workshop: Workshop, backend: str) -> None:
    """Each call has vectors of its own, and machine code runs beside Python."""
    plain = play_in_python(workshop.game)
    playouts = workshop.make() if backend == "numba" else plain
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(lambda first: playouts.play(3, first, 150), [0, 75] * 4)]
    alone = [plain.play(3, first, 150) for first in (0, 75)]
    assert found == alone * 4


def test_a_cache_that_cannot_be_written_costs_only_time(
    workshop: Workshop, tmp_path: Path
) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "file").touch()
    assert count_compiled(Workshop(workshop.game, tmp_path / "file")) > 3


@pytest.mark.parametrize("name", ["write_bytes", "replace"])
def test_a_full_disk_costs_only_time(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whether the file has no room, or its name."""

    def refuse(*words: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(Path, name, refuse)
    here = Workshop(workshop.game, tmp_path)
    assert count_compiled(here) > 3
    assert not here.is_kept
    assert list_entries(here) == []


def test_without_numba_it_says_what_to_install(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the name of the extra."""
    monkeypatch.setattr(module, "has_numba", lambda: False)
    with pytest.raises(BackendTrouble, match=r"pip install 'cardrun\[fast\]'"):
        Workshop(game).make()


def test_a_game_too_large_for_words_is_told_from_others(tmp_path: Path) -> None:
    """Selections from two packs have more bits than a word: Python plays them."""
    path = tmp_path / "packs.yaml"
    text = RULESET.replace("ranks: [A, 2, 3]", "copies: 2")
    text = text.replace("{card: {from: hand}}", "{cards: {from: hand, size: 1..2}}")
    text = text.replace("move card to", "move cards to")
    path.write_text(text.replace("table.size == 12", "table.size > 4"), "utf-8")
    with pytest.raises(BackendTrouble, match="too large for machine code"):
        Workshop(load(path), tmp_path).make()


MANY: Final = """\
cardrun: 1
name: Many ranks
players: 2
deck: {suits: {one: {letter: O}}, ranks: [RANKS]}
zones:
  stock: {face: down, holds: deck}
  hand:  {per: player, seen_by: owner}
  table: {face: up}
moves:
  play:
    pick: {card: {from: hand}}
    do: [move card to table, "add POINTS to me.score"]
play:
  - shuffle stock
  - deal 6 to hand each
  - turns: {from: players.first, until: "table.size == 12"}
    do: [choose: [play]]
result: {rank_by: score}
"""


@pytest.mark.parametrize(
    ("points", "is_too_large"),
    [
        ("table.size", False),
        ("run_on_top(table)", True),
        ("distinct(table, rank)", True),
    ],
)
def test_a_deck_of_many_ranks_is_compiled_where_no_word_has_a_bit_for_each(
    points: str, *, is_too_large: bool, tmp_path: Path
) -> None:
    """Elsewhere Python plays it: a processor would lose those that have no room."""
    pytest.importorskip("numba", reason="Numba is not installed")
    ranks = ", ".join(f"r{number}" for number in range(100))
    text = MANY.replace("RANKS", ranks).replace("POINTS", points)
    (tmp_path / "many.yaml").write_text(text, "utf-8")
    game = load(tmp_path / "many.yaml")
    if is_too_large:
        with pytest.raises(BackendTrouble, match="too large for machine code"):
            Workshop(game, tmp_path).make()
    else:
        found = Workshop(game, tmp_path).make().play(1, 0, 30)
        assert found == play_in_python(game).play(1, 0, 30)
