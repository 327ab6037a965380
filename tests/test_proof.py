"""Each probe finds what it looks for, in games whose emitted code is spoilt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cardrun.interpreter import Game, RulesError, load
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.simulation.match import play_bots, seat_bots
from cardrun.interpreter.testing.check import Check, list_tables
from cardrun.interpreter.testing.findings import Table
from cardrun.interpreter.testing.proof import examine
from cardrun.interpreter.testing.rehearsal import play

BROKEN = Path(__file__).parent / "broken"
TELLING = BROKEN / "leaking-legality_guard.yaml"


def spoil(name: str, old: str, new: str) -> Game:
    """Return a watched game with another text in its emitted source."""
    game = load(name).watch()
    source = game.program.source
    assert old in source
    return replace(game, program=replace(game.program, source=source.replace(old, new)))


def find_codes(game: Game, games: int = 3) -> set[str]:
    """Return the codes of all that is wrong in some games."""
    codes = set()
    for seed in range(games):
        for _, breaches in play(game, seed, [], None):
            codes |= {breach.problem.code for breach in breaches}
            if codes:
                break
    return codes


def test_sound_games_have_nothing_wrong() -> None:
    """Nothing is found where nothing is spoilt."""
    assert find_codes(load("hearts").watch(), 1) == set()


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        (
            "hearts",
            "    S[WHERE + card] = pile\n",
            "    S[WHERE + card] = 0\n",
            "cards-not-conserved",
        ),
        (
            "hearts",
            "def why_play(S, me, B, o, F):\n",
            "def why_play(S, me, B, o, F):\n    return 1\n",
            "legal-and-apply-disagree",
        ),
        (
            "hearts",
            "def apply(S, seat, B, o):\n",
            "def apply(S, seat, B, o):\n    S[STACKED] = FIRED[0]\n    FIRED[0] += 1\n",
            "not-repeatable",
        ),
        (
            "hearts",
            "def legal(S, seat, B):\n",
            "def legal(S, seat, B):\n    return 0\n",
            "dead-decision",
        ),
        (
            "idiot",
            "    S[KNOWN + card] |= VIEW[pile]\n",
            "    S[KNOWN + card] = 0\n",
            "leaking-view",
        ),
    ],
)
def test_what_is_spoilt_is_found(name: str, old: str, new: str, code: str) -> None:
    """Each probe has one thing that only it finds, or finds first."""
    assert code in find_codes(spoil(name, old, new))


def test_a_result_that_contradicts_itself_is_found(tmp_path: Path) -> None:
    """Partners share a score."""
    text = (BROKEN / "never-fired_parts.yaml").read_text(encoding="utf-8")
    partners = "players: {count: 4, partners: opposite}"
    file = tmp_path / "partners.yaml"
    file.write_text(text.replace("players: 2", partners), encoding="utf-8")
    game = spoil(str(file), "def ranked(S, p):\n", "def ranked(S, p):\n    return p\n")
    assert find_codes(game) == {"malformed-result"}


def test_equals_may_be_parted() -> None:
    """With ``then_by`` one of several best scores may come first alone."""
    game = load("schwimmen", house_rules=["schwimmen-ties-by-rank"])
    assert find_codes(game.watch(), 30) == set()


def test_a_game_is_the_one_that_bots_play() -> None:
    """A seed that is printed can be played again with ``--bot random``."""
    for name in ("hearts", "spit"):
        game, moves = load(name), list[str]()
        for _ in play(game.watch(), 7, moves, None):
            if len(moves) > 60:
                break
        state = game.new(7)
        bots = seat_bots(["random"] * game.players)
        acts = [
            f"{act.seat} {act.move}"
            for act, _ in zip(play_bots(state, bots, {}), moves, strict=False)
        ]
        assert acts == moves[: len(acts)]


def test_counting_changes_no_game() -> None:
    """A watched game is the same game."""
    game = load("idiot")
    there, _ = game.watch().play_random(5, 0)
    here, _ = game.play_random(5, 0)
    assert there.vector == here.vector


def test_examining_leaves_a_state_as_it_is() -> None:
    """Probes work on copies."""
    state = load("spit").watch().new(3)
    before = state.copy()
    assert list(examine(state, Rng(1), in_full=True)) == []
    assert state == before


def write_telling(tmp_path: Path, line: str) -> Path:
    """Write the ruleset whose guard asks for hidden cards, with one more line."""
    file = tmp_path / "telling.yaml"
    file.write_text(TELLING.read_text(encoding="utf-8") + line, encoding="utf-8")
    return file


def test_a_move_that_is_declared_to_tell_may_do_so(tmp_path: Path) -> None:
    """Under ``reveals`` it is left out of the comparison; others are not."""
    told = load(write_telling(tmp_path, "reveals: [play]\n")).watch()
    assert find_codes(told) == set()
    silent = load(write_telling(tmp_path, "reveals: [pass]\n")).watch()
    assert find_codes(silent) == {"leaking-legality"}


def test_a_row_that_is_declared_to_tell_may_do_so(tmp_path: Path) -> None:
    """The moves it gives are left out where it is in force."""
    text = (BROKEN / "leaking-legality_row.yaml").read_text(encoding="utf-8")
    file = tmp_path / "row.yaml"
    line = "reveals: [follow.ace_about]\n"
    file.write_text(text + line, encoding="utf-8")
    assert find_codes(load(file).watch()) == set()


def test_what_reveals_must_exist(tmp_path: Path) -> None:
    """A misspelt name is answered with the nearest."""
    with pytest.raises(RulesError, match="did you mean 'play'"):
        load(write_telling(tmp_path, "reveals: [paly]\n"))


def make_check(name: str, games: int = 2) -> Check:
    """Return a check of a shipped game's usual table."""
    game = load(name)
    return Check(game, games, 1, list_tables(game, {}, (), is_every=False))


def test_a_check_reports_what_is_known_so_far() -> None:
    """It can be ended after any game."""
    check = make_check("hearts", 5)
    next(check.run())
    assert check.render().splitlines()[1].startswith("  4 players: 1 games, 53 states")


def test_a_check_of_one_seed_is_always_the_same() -> None:
    """Nothing is drawn from elsewhere."""
    reports = []
    for _ in range(2):
        check = make_check("hearts")
        for _ in check.run():
            pass
        reports.append(check.render())
    assert reports[0] == reports[1]


def test_every_table_is_every_count_value_and_pair() -> None:
    """What is asked for stays as it is."""
    game = load("goofspiel")
    free = [option for option in game.option_table if option.name != "target"]
    counts = game.player_counts
    tables = list_tables(game, {}, counts, is_every=True)
    assert {table.players for table in tables} == set(counts)
    assert tables[0] == Table(game.players, ())
    values = {
        (option.name, value)
        for option in game.option_table
        for value in option.values()
        if value != option.default
    }
    assert {table.options[0] for table in tables if len(table.options) == 1} == values
    pairs = [set(table.options) for table in tables if len(table.options) == 2]
    for one in values:
        for other in values:
            assert ({one, other} in pairs) == (one[0] != other[0])
    name = free[0].name
    fixed = list_tables(game, {name: "yes"}, (), is_every=True)
    assert {dict(table.options)[name] for table in fixed} == {"yes"}
    assert {table.players for table in fixed} == {game.players}


def test_a_table_names_the_options_chosen() -> None:
    """As a ruleset and the command line write them."""
    table = Table(3, (("moon", "minus"), ("passing", True)))
    assert table.render() == "3 players, moon=minus, passing=yes"
