"""Bots choose legal moves, from what they may know alone."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from textwrap import dedent

import pytest

from cardrun.interpreter.bots import BOTS, LEVELS, make_bot
from cardrun.interpreter.loader import load
from cardrun.interpreter.match import play_bots, seat_bots
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.state import Move, State
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
