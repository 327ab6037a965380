"""What holds in every game of every shipped ruleset, whatever is played."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardrun.interpreter import Game, IllegalMove, Result, State, UnknownMove, load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng

RULESETS = [path.stem for path in shipped()]
STEPS = 8
SKIPPED = 80

of_every_ruleset = pytest.mark.parametrize("name", RULESETS)
with_examples = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@lru_cache(maxsize=200)
def load_game(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Game:
    """Return a game, compiled once."""
    return load(name, players=players, options=dict(options))


@st.composite
def draw_table(draw: st.DrawFn, name: str) -> Game:
    """Return a ruleset for some player count, with some option values."""
    default = load_game(name, load(name).players, ())
    players = draw(st.sampled_from(default.player_counts))
    chosen = [
        (option.name, draw(st.sampled_from(list(option.values())[:2])))
        for option in default.option_table
    ]
    return load_game(name, players, tuple(chosen))


def play_one(state: State, rng: Rng) -> None:
    """Make a random move of a random seat that has one."""
    able = [(seat, moves) for seat in state.to_act if (moves := state.moves(seat))]
    seat, moves = rng.choice(able)
    state.apply(seat, rng.choice(moves))


def draw_state(data: st.DataObject, name: str) -> tuple[State, Rng]:
    """Return a state of a random game, not always near its beginning."""
    game = data.draw(draw_table(name))
    seed = data.draw(st.integers(0, 2**32), label="seed")
    skipped = data.draw(st.integers(0, SKIPPED), label="skipped")
    state, rng = game.new(seed), Rng(seed, 1)
    for _ in range(skipped):
        if state.over:
            return game.new(seed), rng
        play_one(state, rng)
    return state, rng


def walk(data: st.DataObject, name: str) -> Any:
    """Yield a random game's state, again and again, as it goes on."""
    state, rng = draw_state(data, name)
    for _ in range(STEPS):
        yield state, rng
        if state.over:
            return
        play_one(state, rng)
    yield state, rng


def find_cards(state: State) -> list[int]:
    """Return every card of every pile."""
    return [
        card for pile in state.game.layout.piles for card in state.cards(pile.index)
    ]


def assert_cards_are_kept(state: State) -> None:
    """The places of cards, by card and by pile, say the same."""
    game, slots = state.game, state.game.layout.slots
    assert sorted(find_cards(state)) == list(range(game.deck.size))
    for pile in game.layout.piles:
        cards = state.cards(pile.index)
        assert state.vector[slots["count"] + pile.index] == len(cards)
        assert all(state.vector[slots["where"] + c] == pile.index for c in cards)
        if pile.sorted:
            assert list(cards) == sorted(cards)
        for card in cards:
            known = state.vector[slots["known"] + card]
            assert known & pile.viewers == pile.viewers
            assert 0 <= known <= game.layout.everyone
            assert not (pile.face != "none" and state.face_up(card)) or (
                known == game.layout.everyone
            )


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_cards_are_conserved(name: str, data: st.DataObject) -> None:
    """No card is lost or doubled, and what sees a card knows it."""
    for state, _ in walk(data, name):
        assert_cards_are_kept(state)


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_some_seat_can_always_move(name: str, data: st.DataObject) -> None:
    """A game that is not over waits for a seat that has a legal move."""
    for state, _ in walk(data, name):
        if state.over:
            assert state.to_act == ()
            assert state.decision is None
        else:
            decision = state.decision
            assert decision is not None
            able = [bool(state.moves(seat)) for seat in state.to_act]
            assert any(able) if decision.kind == "race" else all(able)
            assert able


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_legal_moves_read_back(name: str, data: st.DataObject) -> None:
    """A legal move's text names it alone, and nothing refuses it."""
    for state, rng in walk(data, name):
        for seat in state.to_act:
            moves = state.moves(seat)
            texts = [str(move) for move in moves]
            assert len(set(texts)) == len(texts)
            for move in some_of(list(moves), rng):
                assert state.parse(seat, str(move)) == move
                assert state.refusal(seat, move) is None


def some_of(items: list[Any], rng: Rng) -> list[Any]:
    """Return at most six of some items."""
    rng.shuffle(items)
    return items[:6]


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_other_moves_are_refused_with_a_reason(name: str, data: st.DataObject) -> None:
    """A text that is not among the legal ones changes nothing and says why."""
    seen: set[str] = set(load(name).move_names)
    for state, rng in walk(data, name):
        for seat in state.to_act:
            seen |= {str(move) for move in state.moves(seat)}
        pool = sorted(seen)
        for seat in range(1, state.game.players + 1):
            legal = {str(move) for move in state.moves(seat)}
            for text in some_of(pool, rng):
                if text not in legal:
                    assert_refused(state, seat, text, legal)


def assert_refused(state: State, seat: int, text: str, legal: set[str]) -> None:
    """A move that is not legal is refused, and nothing changes."""
    before = state.copy()
    try:
        move = state.parse(seat, text)
    except UnknownMove as error:
        reason = str(error)
        move = None
    if move is None:
        assert reason
        return
    if str(move) in legal:  # the cards were written in another order
        return
    refusal = state.refusal(seat, move)
    assert refusal is not None
    assert refusal.rule
    assert refusal.because.strip()
    with pytest.raises(IllegalMove) as raised:
        state.apply(seat, move)
    assert str(raised.value)
    assert state == before


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_a_view_shows_nothing_hidden(name: str, data: st.DataObject) -> None:
    """What a seat cannot know may change; what it sees and may do stays."""
    for state, rng in walk(data, name):
        for seat in range(1, state.game.players + 1):
            other = state.determinize(seat, rng)
            assert_cards_are_kept(other)
            assert other.view(seat) == state.view(seat)
            assert other.moves(seat) == state.moves(seat)


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_a_determinized_game_goes_on(name: str, data: st.DataObject) -> None:
    """It can be played like any other, and leaves the first one alone."""
    state, rng = draw_state(data, name)
    before = state.copy()
    for seat in range(1, state.game.players + 1):
        other = state.determinize(seat, rng)
        for _ in range(STEPS):
            if other.over:
                break
            play_one(other, rng)
            assert_cards_are_kept(other)
    assert state == before


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_a_view_is_ready_for_json(name: str, data: st.DataObject) -> None:
    """It comes back from JSON as it was."""
    for state, _ in walk(data, name):
        for seat in range(1, state.game.players + 1):
            view = state.view(seat)
            assert json.loads(json.dumps(view, allow_nan=False)) == view


@of_every_ruleset
@with_examples
@given(data=st.data())
def test_a_game_ends_with_a_result(name: str, data: st.DataObject) -> None:
    """Scores and places are of all seats, and the best have won."""
    game = data.draw(draw_table(name))
    root = data.draw(st.integers(0, 2**32), label="root")
    start = game.new(root)
    assert start.result is None
    state, tally = game.play_random(root, 0)
    result = state.result
    assert result is not None
    assert_cards_are_kept(state)
    assert state.decisions == tally[0] <= game.limit
    assert result.unfinished == state.unfinished
    assert_well_formed(result, game)


def assert_well_formed(result: Result, game: Game) -> None:
    """A result speaks of all seats, or of none if the game is unfinished."""
    if result.unfinished:
        assert (result.winners, result.scores, result.places) == ((), {}, {})
        return
    seats = list(range(1, game.players + 1))
    assert list(result.scores) == seats
    assert list(result.places) == seats
    assert min(result.places.values()) == 1
    best = min if game.low_wins else max
    for seat in seats:
        score = result.scores[seat]
        assert (result.places[seat] == 1) == (score == best(result.scores.values()))
        assert result.places[seat] <= game.players
    assert set(result.winners) <= {s for s in seats if result.places[s] == 1}
    for points in result.lines.values():
        assert list(points) == seats
