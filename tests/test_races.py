"""Races under stress: acts from all seats, in any order and at equal times.

Each player aims at the table as it was a while ago, so that many acts are stale
when they arrive. An act is taken or refused for a reason that is stated, and
what was taken, written to a file, leads to the same state again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cardrun.interpreter import Game, IllegalMove, State, UnknownMove, load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.tables.record import (
    begin_record,
    checksum,
    describe_game,
    read_record,
)
from cardrun.interpreter.testing.proof import ALWAYS, make_up

RACES = [
    path.stem
    for path in shipped()
    if any(decision.kind == "race" for decision in load(path).decisions)
]
# How long an act may take to arrive, in acts; how often it is made up.
LATEST = 6
MADE_UP_EVERY = 9


@dataclass(frozen=True, slots=True)
class Aimed:
    """An act on its way: when it arrives, whose it is and what it says."""

    time: int
    seat: int
    text: str


@dataclass
class Tally:
    """How many acts of each kind there were."""

    taken: int = 0
    refused: int = 0
    ties: int = 0
    games: int = 0


def aim(state: State, time: int, rng: Rng) -> Iterator[Aimed]:
    """Yield acts of all seats, aimed at the state as it is now."""
    for seat in range(1, state.game.players + 1):
        moves = [str(move) for move in state.moves(seat)]
        if rng.below(MADE_UP_EVERY) == 0:
            compiled = rng.choice(state.game.program.moves)
            moves = [text] if (text := make_up(state, seat, compiled, rng)) else []
        if moves:
            yield Aimed(time + rng.below(LATEST), seat, rng.choice(moves))


def take_stock(state: State, rng: Rng) -> None:
    """See that everything holds that holds in every state."""
    for probe in ALWAYS:
        assert list(probe(state, rng)) == []


def arrive(state: State, act: Aimed, tally: Tally) -> bool:
    """Let an act arrive; return whether it was taken."""
    before = state.copy()
    listed = {str(move) for move in state.moves(act.seat)}
    try:
        state.apply_text(f"{act.seat} {act.text}")
    except IllegalMove as error:
        refusal = error
    else:
        tally.taken += 1
        return True
    assert isinstance(refusal, UnknownMove) or refusal.rule
    assert str(refusal).rpartition(":")[2].strip()
    assert act.text not in listed
    assert state == before
    tally.refused += 1
    return False


def race(game: Game, acts: int, seed: int, folder: Path) -> Tally:
    """Let so many acts arrive, in as many games as it takes."""
    rng, tally = Rng(seed), Tally()
    while tally.taken + tally.refused < acts:
        state = game.new(seed + tally.games)
        path = folder / f"{tally.games}.jsonl"
        seats = ("bot",) * game.players
        recorder = begin_record(path, describe_game(game, state.seed, seats))
        flying: list[Aimed] = []
        time = 0
        while not state.over and tally.taken + tally.refused < acts:
            flying += aim(state, time, rng)
            rng.shuffle(flying)  # of equal times any may come first
            time = min(act.time for act in flying)
            due = [act for act in flying if act.time == time]
            flying = [act for act in flying if act.time != time]
            tally.ties += len(due) - 1
            for act in due:
                if arrive(state, act, tally):
                    recorder.note(state, act.seat, act.text, time)
                take_stock(state, rng)
        recorder.close()
        tally.games += 1
        *_, last = read_record(path).replay(game)
        assert last == state
        assert checksum(last) == checksum(state)
    return tally


@pytest.mark.parametrize("name", RACES)
def test_acts_in_any_order_leave_a_race_sound(name: str, tmp_path: Path) -> None:
    """A few hundred of them."""
    tally = race(load(name), 400, 1, tmp_path)
    assert tally.taken > 50
    assert tally.refused > 50
    assert tally.ties > 50


@pytest.mark.nightly
@pytest.mark.parametrize("name", RACES)
def test_ten_thousand_acts_leave_a_race_sound(name: str, tmp_path: Path) -> None:
    """Ten thousand, many of them stale."""
    tally = race(load(name), 10_000, 2, tmp_path)
    assert tally.taken > 1_000
    assert tally.refused > 1_000
    assert tally.games > 1
