"""Bots choose legal moves, from what they may know alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from textwrap import dedent

import pytest

from cardrun.interpreter.bots import BOTS, LEVELS, IsmctsBot, Minds, make_bot
from cardrun.interpreter.engine.game import Game
from cardrun.interpreter.engine.state import Move, State
from cardrun.interpreter.loader import find_house_rule, load
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.simulation.match import play_bots, seat_bots
from cardrun.interpreter.tables.arguments import BOTS as TYPED_BOTS
from cardrun.interpreter.tables.arguments import LEVELS as TYPED_LEVELS

GRAB = """\
    cardrun: 1
    name: Grab
    players: 2
    deck: {kind: french}
    values: {worth: {A: 5, otherwise: 1}}
    zones:
      stock: {face: down, holds: deck}
      pool:  {face: up}
      hand:  {per: player, seen_by: owner}
    moves:
      grab: {pick: {card: pool}, do: [move card to hand, add card.worth to me.score]}
      pass: {label: pass}
    play:
      - shuffle stock
      - deal 6 to pool
      - turns: {name: round, from: players.first, each: once}
        do: [{choose: [pass, grab]}]
    result: {rank_by: score}
    """


def test_the_command_line_knows_every_bot() -> None:
    """It lists them itself, so as not to load them for ``--help``."""
    assert BOTS == TYPED_BOTS
    assert tuple(LEVELS) == TYPED_LEVELS


# How many acts of a game are looked at: one that thinks ahead takes its time.
ACTS = {"random": 52, "greedy": 52, "ismcts": 8}


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("path", ["hearts", "idiot", "spit"])
def test_bots_play_games(name: str, path: str) -> None:
    """Their every move is legal; the same seed gives the same game."""
    game = load(path)
    logs = []
    for _ in range(2):
        bots = seat_bots([name] * game.players, "easy")
        acts = play_bots(game.new(3), bots, {})
        logs.append([act.render() for act in islice(acts, ACTS[name])])
    assert logs[0] == logs[1]
    assert len(logs[0]) == ACTS[name]


def test_the_greedy_bot_takes_what_scores_most(tmp_path: Path) -> None:
    """An ace, if one is there."""
    path = tmp_path / "grab.yaml"
    path.write_text(dedent(GRAB), encoding="utf-8")
    game = load(path)
    stacked = [game.deck.parse(name)[0] for name in ("2C", "3C", "AH", "4C")]
    state = game.new(1, stacked=stacked)
    assert str(make_bot("greedy").choose(state, 1, Rng(1))) == "grab AH"


WAIT = """\
    cardrun: 1
    name: Wait
    players: 2
    deck: {kind: french}
    zones:
      stock: {face: down, holds: deck}
    state:
      waited: {per: player, start: no}
    moves:
      nibble:  {label: nibble, do: [add 1 to me.score]}
      wait:    {label: wait, do: [set me.waited to yes]}
      collect: {label: collect, do: [add (if me.waited then 3 else 0) to me.score]}
    play:
      - turns: {name: first, from: players.first, each: once}
        do: [{choose: [nibble, wait]}]
      - turns: {name: second, from: players.first, each: once}
        do: [{choose: [collect]}]
    result: {rank_by: score}
    """


@pytest.mark.parametrize("name", ["greedy", "ismcts"])
def test_bots_look_past_a_point_that_is_scored_at_once(
    name: str, tmp_path: Path
) -> None:
    """Another may be worth more before the deal is over."""
    path = tmp_path / "wait.yaml"
    path.write_text(dedent(WAIT), encoding="utf-8")
    game = load(path)
    for seat in (1, 2):
        state = game.new(1)
        if seat == 2:
            state.apply(1, state.moves(1)[0])
        assert str(make_bot(name).choose(state, seat, Rng(1))) == "wait"


TAP = """\
    cardrun: 1
    name: Tap
    players: 2
    deck: {kind: french}
    zones:
      stock: {face: down, holds: deck}
      hand:  {per: player, seen_by: owner}
      pool:  {face: up}
    moves:
      tap:  {label: "tap {place}", pick: {place: {player: players}}, unblocks: no}
      play:
        pick: {card: hand}
        when: {red: card.colour == red}
        do: [move card to pool]
    play:
      - shuffle stock
      - deal 4 to hand each
      - race: [tap, play]
        until: any(players, it.hand.empty)
        stuck: [end game]
    result: {rank_by: score}
    """


@pytest.mark.parametrize("name", ["greedy", "ismcts"])
def test_bots_in_a_race_make_no_move_that_unblocks_nothing(
    name: str, tmp_path: Path
) -> None:
    """They play a card if they can, even where that is worth as much as anything."""
    path = tmp_path / "tap.yaml"
    path.write_text(dedent(TAP), encoding="utf-8")
    game = load(path)
    names = ("2H", "2C", "3D", "3S", "4H", "4C", "5C", "5S")
    state = game.new(1, stacked=[game.deck.parse(card)[0] for card in names])
    red = [move for move in state.moves(1) if str(move).startswith("play")]
    assert 0 < len(red) < len(state.moves(1))
    for seed in range(8):
        assert make_bot(name, "easy").choose(state, 1, Rng(seed)) in red


def test_of_equally_good_moves_one_is_drawn(tmp_path: Path) -> None:
    """Every one comes up in the long run."""
    path = tmp_path / "grab.yaml"
    path.write_text(dedent(GRAB), encoding="utf-8")
    game = load(path)
    names = ("2C", "3C", "4C", "5C", "6C", "7C")
    state = game.new(1, stacked=[game.deck.parse(name)[0] for name in names])
    rng = Rng(1)
    chosen = {str(make_bot("greedy").choose(state, 1, rng)) for _ in range(80)}
    assert chosen == {f"grab {name}" for name in names}


def test_greedy_bots_come_to_play_a_game_of_bids() -> None:
    """Until the tricks are won no score tells them what a bid is worth."""
    game = load("back_alley")
    acts = play_bots(game.new(3), seat_bots(["greedy"] * 4), {})
    words = [act.render().split()[1] for act in islice(acts, 80)]
    assert "bid" in words
    assert words.count("pass") < 40
    assert words.count("play") >= 40


def play_acts(game: Game, names: Sequence[str], minds: Minds, most: int) -> list[str]:
    """Return the first acts of a game between easy bots."""
    bots = seat_bots(names, "easy", None, minds)
    return [act.render() for act in islice(play_bots(game.new(3), bots, {}), most)]


@pytest.mark.parametrize(
    "path", ["leduc_poker", "goofspiel", "speed"], ids=["turns", "together", "race"]
)
def test_bots_think_alike_in_machine_code(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They make the same moves by either backend."""
    pytest.importorskip("numba", reason="Numba is not installed")
    monkeypatch.setenv("CARDRUN_CACHE", str(tmp_path))
    game = load(path)
    names = ("ismcts", "greedy", "ismcts")[: game.players]
    logs = []
    for backend in ("numba", "python"):
        minds = Minds(backend)
        assert minds.take(game).backend == backend
        logs.append(play_acts(game, names, minds, 40))
    assert logs[0] == logs[1]
    assert len(logs[0]) > 3
    assert Minds("auto").take(game).backend == "numba"


def test_bots_by_themselves_wait_for_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no machine code is kept, bots think in Python."""
    monkeypatch.setenv("CARDRUN_CACHE", str(tmp_path))
    assert Minds("auto").take(load("hearts")).backend == "python"


def test_bots_choose_alike_in_every_process() -> None:
    """A seed and a number of iterations fix every move."""
    command = [sys.executable, "-m", "cardrun.cli", "play", "leduc_poker", "--auto"]
    command += ["--seed", "8", "--bot", "ismcts", "--level", "easy"]
    texts = {
        subprocess.run(
            [*command, "--backend", "python"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1


class Ticking:
    """A clock that goes on by a tenth of a second whenever it is looked at."""

    def __init__(self) -> None:
        """Start at an hour that means nothing."""
        self.now = 5000.0

    def __call__(self) -> float:
        """Return the time."""
        self.now += 0.1
        return self.now


@pytest.mark.parametrize(("path", "most"), [("hearts", 1.0), ("spit", 0.1)])
def test_a_bot_answers_when_its_time_is_over(path: str, most: float) -> None:
    """Soon in a race, where the others go on meanwhile; else in its seconds."""
    game = load(path)
    clock = Ticking()
    state = game.new(11)
    seat = state.to_act[0]
    start = clock.now
    move = IsmctsBot(100_000, 1.0, clock).choose(state, seat, Rng(1))
    assert move in state.moves(seat)
    # It looks at the clock when it starts, and last when the time is over.
    assert clock.now - start <= most + 0.2001


HOUSE_RULES = [
    ("back_alley", "rainbow"),
    ("hearts", "hearts-clean-first-trick"),
    ("idiot", "quad-beats-all"),
    ("idiot", "mix-zones"),
]


@pytest.mark.parametrize(("path", "rule"), HOUSE_RULES)
@pytest.mark.parametrize("name", ["greedy", "ismcts"])
def test_bots_play_by_house_rules(path: str, rule: str, name: str) -> None:
    """Their moves are legal there; play_bots refuses others."""
    game = load(path, house_rules=(find_house_rule(rule),))
    assert len(play_acts(game, [name] * game.players, Minds("python"), 12)) == 12


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_bots_play_with_every_number_of_players(players: int) -> None:
    """A table of Idiot seats up to five."""
    game = load("idiot", players=players)
    names = ["ismcts", *["greedy"] * (players - 1)]
    assert len(play_acts(game, names, Minds("python"), 12)) == 12


def test_the_greedy_bot_beats_one_that_draws_its_moves() -> None:
    """In Idiot, whose rules score nothing before a player is out."""
    game = load("idiot", players=2)
    won = 0
    for number in range(4):
        names = ["random", "random"]
        names[number % 2] = "greedy"
        state = game.new(number)
        for _ in play_bots(state, seat_bots(names, minds=Minds("python")), {}):
            pass
        assert state.result is not None
        won += state.result.winners == (number % 2 + 1,)
    assert won == 4


class Watched(State):
    """A state that tells what a bot asks of it."""

    __slots__ = ()

    def apply(self, seat: int, move: Move) -> None:
        """Refuse: a bot must try its moves on copies only."""
        raise AssertionError("the real state was changed")


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_does_not_depend_on_what_is_hidden(name: str) -> None:
    """Where the others hold other cards, the same bot makes the same move."""
    game = load("hearts")
    state = game.new(11)
    for _ in range(6):
        (seat,) = state.to_act
        state.apply(seat, state.moves(seat)[0])
    (seat,) = state.to_act
    choices = set()
    for seed in range(4):
        other = state.determinize(seat, Rng(seed))
        watched = Watched(game, other.seed, other.vector)
        choices.add(make_bot(name, "easy").choose(watched, seat, Rng(9)))
    assert len(choices) == 1
