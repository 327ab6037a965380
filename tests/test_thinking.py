"""Bots think on a thread of their own, and nothing that they do there is in the way."""

from __future__ import annotations

from threading import Event

import pytest

from cardrun.interpreter import Move, State, load
from cardrun.interpreter.bots import make_bot
from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.simulation.match import seat_bots
from cardrun.interpreter.tables.host import Host
from cardrun.interpreter.tables.thinking import Thinker, Thought

MOST = 30.0  # seconds that nothing here ever takes


class Brooder:
    """A bot that looks at the clock for as long as anybody waits for it."""

    def __init__(self, thinker: Thinker) -> None:
        """Think by a clock."""
        self.thinker = thinker
        self.has_begun = Event()

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Never answer."""
        self.has_begun.set()
        while True:
            self.thinker.clock()


class Quick:
    """A bot that takes the last move and draws a number."""

    def __init__(self) -> None:
        """Have answered nothing yet."""
        self.has_answered = Event()

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Play the move on its own copy too."""
        move = state.moves(seat)[-1]
        rng.below(6)
        state.apply(seat, move)
        self.has_answered.set()
        return move


class Faulty:
    """A bot with a mistake in it."""

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Fail."""
        raise ZeroDivisionError


def test_a_thought_that_is_dropped_ends_and_makes_room() -> None:
    """The next is not kept waiting by it."""
    thinker, quick = Thinker(), Quick()
    brooder = Brooder(thinker)
    state, stream = load("hearts").new(3), Rng(1)
    first = Thought(brooder, state, 1, stream)
    second = Thought(quick, state, 1, stream)
    thinker.begin(first)
    thinker.begin(second)
    assert brooder.has_begun.wait(MOST)
    assert not quick.has_answered.is_set()
    first.drop()
    assert quick.has_answered.wait(MOST)
    assert not first.is_ready


def test_a_thought_changes_nothing_until_it_is_taken() -> None:
    """Neither the game nor what the bot draws from."""
    state, stream = load("hearts").new(3), Rng(1)
    before, words = state.copy(), stream.words
    thought = Thought(Quick(), state, 1, stream)
    thought.run()
    assert (state, stream.words) == (before, words)
    assert thought.take() == state.moves(1)[-1]
    assert stream.words != words


def test_what_goes_wrong_is_told_to_the_table() -> None:
    """Where it ends the game as it does elsewhere."""
    thought = Thought(Faulty(), load("hearts").new(3), 1, Rng(1))
    thought.run()
    with pytest.raises(ZeroDivisionError):
        thought.take()


def test_bots_that_think_beside_the_table_play_as_they_do_at_it() -> None:
    """However long it takes, and however often a thought was in vain."""
    assert play_slowly(late=3) == play_slowly(late=0)


def play_slowly(late: int) -> list[str]:
    """Let bots play, each thought run so many looks after it was begun."""
    now = 0.0
    waiting: list[Thought] = []
    state = load("hearts").new(3)
    bots = seat_bots(["ismcts"] * 4, "easy")
    host = Host(state, [], bots, Reaction(100, 0), lambda: now, begin=waiting.append)
    made = []
    for look in range(60):
        now += 1
        if late and look % 7 == 5:
            host.rest()
        if look % (late + 1) == late:
            while waiting:
                waiting.pop(0).run()
        if (done := host.step()) is not None:
            made.append(f"{done.seat} {done.move}")
    return made[:8]


def test_a_bot_that_thinks_ahead_ends_when_nobody_waits() -> None:
    """In the midst of its tries."""
    thinker = Thinker()
    state = load("hearts").new(3)
    looks = 0

    def clock() -> float:
        nonlocal looks
        looks += 1
        if looks == 3:
            thought.drop()
        thinker._thought = thought
        return thinker.clock()

    thought = Thought(make_bot("ismcts", "hard", clock), state, 1, Rng(1))
    thought.run()
    assert (thought.is_ready, looks) == (False, 3)
