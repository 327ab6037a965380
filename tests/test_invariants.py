"""What holds in every game of every shipped ruleset, whatever is played.

The properties are those of ``cardrun check``; here Hypothesis chooses the table,
the moves and what is tried between them.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cardrun.interpreter import Game, IllegalMove, RulesError, State, load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.testing.proof import (
    ALWAYS,
    examine,
    make_up,
    probe_listed,
    probe_result,
    probe_views,
)

RULESETS = [path.stem for path in shipped()]
SKIPPED = 80

in_short = settings(
    max_examples=5,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
at_length = settings(in_short, max_examples=60, stateful_step_count=40)


@lru_cache(maxsize=200)
def load_game(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Game:
    """Return a watched game, compiled once."""
    return load(name, players=players, options=dict(options)).watch()


def draw_table(data: st.DataObject, name: str) -> Game:
    """Return a ruleset for some player count, with a few option values."""
    default = load(name)
    players = data.draw(st.sampled_from(default.player_counts), label="players")
    chosen = data.draw(
        st.lists(st.sampled_from(default.option_table), max_size=2, unique=True)
        if default.option_table
        else st.just([])
    )
    values = [
        (option.name, data.draw(st.sampled_from(option.values()), label=option.name))
        for option in chosen
    ]
    try:
        return load_game(name, players, tuple(values))
    except RulesError:  # some values do not go together, and are refused
        return load_game(name, default.players, ())


class Play(RuleBasedStateMachine):
    """A game that goes on by legal moves, while what must not change it is tried."""

    name = ""

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Deal at some table, and play a little at random."""
        self.game = draw_table(data, self.name)
        self.seed = data.draw(st.integers(0, 2**32), label="seed")
        self.state = self.game.new(self.seed)
        self.moves: list[str] = []
        self.rng = Rng(self.seed, 1)
        for _ in range(data.draw(st.integers(0, SKIPPED), label="skipped")):
            if not self.state.over:
                seat, moves = self.rng.choice(self.able())
                self.act(seat, self.rng.choice(moves))

    def able(self) -> list[tuple[int, tuple[Any, ...]]]:
        """Return the seats that have a legal move, with all they have."""
        seats = self.state.to_act
        return [(seat, moves) for seat in seats if (moves := self.state.moves(seat))]

    def act(self, seat: int, move: Any) -> None:
        """Make a move and keep its text."""
        self.moves.append(f"{seat} {move}")
        self.state.apply(seat, move)

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        """Let somebody make a legal move."""
        seat, moves = data.draw(st.sampled_from(self.able()), label="seat")
        self.act(seat, data.draw(st.sampled_from(moves), label="move"))

    @rule(data=st.data())
    def try_what_is_made_up(self, data: st.DataObject) -> None:
        """Make any move of any seat: it is taken if listed, and else refused."""
        seat = data.draw(st.integers(1, self.game.players), label="seat")
        compiled = data.draw(st.sampled_from(self.game.program.moves), label="move")
        text = make_up(self.state, seat, compiled, self.rng)
        if text is None:
            return
        before = self.state.copy()
        is_listed = text in map(str, self.state.moves(seat))
        try:
            self.state.apply_text(f"{seat} {text}")
        except IllegalMove:
            assert not is_listed
            assert self.state == before
        else:
            self.moves.append(f"{seat} {text}")

    @rule()
    def look_closely(self) -> None:
        """Examine the state in full."""
        assert list(examine(self.state, self.rng, in_full=True)) == []

    @rule(seat=st.integers(1, 9))
    def imagine(self, seat: int) -> None:
        """Play on from a state that a seat cannot tell from this one."""
        before = self.state.copy()
        seat = (seat - 1) % self.game.players + 1
        other = self.state.determinize(seat, self.rng)
        assert list(probe_views(other, self.rng)) == []
        for _ in range(3):
            if not other.over:
                acting = next(s for s in other.to_act if other.moves(s))
                other.apply(acting, self.rng.choice(other.moves(acting)))
                for probe in ALWAYS:
                    assert list(probe(other, self.rng)) == []
        assert self.state == before

    @rule()
    def start_again(self) -> None:
        """Play the same moves from the same seed: the same state comes of it."""
        other = self.game.new(self.seed)
        for text in self.moves:
            other.apply_text(text)
        assert other == self.state
        self.state = other

    @rule(seat=st.integers(1, 9))
    def write_down(self, seat: int) -> None:
        """A view comes back from JSON as it was."""
        view = self.state.view((seat - 1) % self.game.players + 1)
        assert json.loads(json.dumps(view, allow_nan=False)) == view

    @invariant()
    def is_sound(self) -> None:
        """Hold cards, decisions and results to what holds everywhere."""
        for probe in ALWAYS:
            assert list(probe(self.state, self.rng)) == []

    def teardown(self) -> None:
        """Play a game that is nearly over to its end."""
        if not hasattr(self, "state"):
            return
        for _ in range(SKIPPED):
            if self.state.over:
                break
            seat, moves = self.rng.choice(self.able())
            self.act(seat, self.rng.choice(moves))
        assert list(probe_result(self.state, self.rng)) == []


def run_machine(name: str, how: settings) -> None:
    """Let Hypothesis play a ruleset."""
    run_state_machine_as_test(type("Play", (Play,), {"name": name}), settings=how)


@pytest.mark.parametrize("name", RULESETS)
def test_every_game_keeps_its_promises(name: str) -> None:
    """At any table, whatever is done."""
    run_machine(name, in_short)


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULESETS)
def test_every_game_keeps_its_promises_at_length(name: str) -> None:
    """The same with more and longer games."""
    run_machine(name, at_length)


@pytest.mark.parametrize("name", RULESETS)
def test_whole_random_games_end_with_a_result(name: str) -> None:
    """Within their limit, of every seat."""
    game = load_game(name, load(name).players, ())
    for index in range(3):
        state, tally = game.play_random(5, index)
        assert state.over
        assert state.decisions == tally[0] <= game.limit
        for probe in (*ALWAYS, probe_listed):
            assert list(probe(state, Rng(index))) == []


def test_a_state_of_another_game_is_another_state() -> None:
    """Equal vectors of two compilations are not compared."""
    one, two = load("hearts"), load("hearts")
    assert one.new(1) != two.new(1)
    assert one.new(1) == one.new(1)
    assert State(one, 1, list(one.new(1).vector)) == one.new(1)
