"""Batches of games: the same totals however the work is shared out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.loader import load
from cardrun.interpreter.match import play_bots, seat_bots
from cardrun.interpreter.rng import seed_of_game
from cardrun.interpreter.simulate import Batch, Summary, play_game, simulate
from cardrun.interpreter.statistics import NOTHING
from cardrun.interpreter.tally import WIN, Lengths, Record, count_record, name_columns

SPIT = (
    ("stock_piles", 4),
    ("alternate_colours", False),
    ("claim", "slap"),
    ("win_needs_single_pile", False),
)
HEARTS = (
    ("passing", "none"),
    ("first_lead", "eldest"),
    ("moon", "minus"),
    ("target", 0),
)


def make_batch(*bots: str, path: str = "hearts", seed: int = 1) -> Batch:
    """Make a batch of Hearts, or of Spit with four piles."""
    options = HEARTS if path == "hearts" else SPIT
    return Batch(path, len(bots), options, bots, seed)


def play(batch: Batch, games: int, jobs: int = 1) -> tuple[Summary, list[Record]]:
    """Play a batch and keep every record."""
    records: list[Record] = []

    def take(more: Sequence[Record]) -> None:
        records.extend(more)

    totals = simulate(batch, games, jobs, take)
    return Summary("Game", batch, totals, 2.0), records


def test_the_result_does_not_depend_on_the_workers() -> None:
    """Records come in the order of the games, totals are the same."""
    batch = make_batch("random", "greedy", "random", path="hearts")
    alone, records = play(batch, 7)
    shared, same = play(batch, 7, jobs=2)
    assert (shared.as_json(), same) == (alone.as_json(), records)
    assert [record.index for record in records] == list(range(7))


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    """It can be played again by itself, and by its own seed."""
    batch = make_batch(*["random"] * 4)
    _, records = play(batch, 5)
    assert play_game(batch, 3) == records[3]
    assert records[3].seed == seed_of_game(1, 3)
    assert play(replace(batch, seed=2), 5)[1] != records


def test_random_bots_on_the_fast_path_play_the_same_kind_of_game() -> None:
    """Hearts has 52 decisions either way, and all points are dealt out."""
    fast, records = play(make_batch(*["random"] * 4), 40)
    assert fast.totals.decisions.least == fast.totals.decisions.greatest == 52
    assert all(sum(filter(None, record.scores)) in (26, -26) for record in records)


def test_json_has_the_promised_keys() -> None:
    """What scripts rely on."""
    summary, _ = play(make_batch(*["random"] * 4), 30)
    shown = json.loads(json.dumps(summary.as_json()))
    assert list(shown) == [
        *("format", "game", "file", "players", "options", "games", "seed"),
        *("finished", "unfinished", "decisions", "choices", "branching", "seats"),
        *("ties", "seconds", "decisions_per_second", "backend"),
    ]
    assert shown["decisions"] == {"mean": 52.0, "sd": 0.0, "min": 52, "max": 52}
    assert set(shown["branching"]) == {"mean", "choices_mean", "max"}
    assert sum(seat["wins"] for seat in shown["seats"]) == pytest.approx(1, abs=1e-3)
    for seat in shown["seats"]:
        assert seat["wins_low"] <= seat["wins"] <= seat["wins_high"]


def test_text_names_the_interval() -> None:
    """And says where it is approximate."""
    summary, _ = play(make_batch(*["random"] * 4), 30)
    text = summary.render()
    assert "95 % interval" in text
    assert "seed 1" in text
    assert ("approximate" in text) == (summary.totals.ties > 0)


def test_the_faster_hand_wins_more_often() -> None:
    """In a race between equal bots speed is what counts."""
    batch = make_batch("random", "random", path="spit")
    batch = replace(batch, reactions=(Reaction(400, 100), Reaction(800, 200)))
    summary, _ = play(batch, 5)
    assert summary.totals.seats[0].wins >= 4 * WIN


def test_a_race_between_bots_has_times() -> None:
    """Acts in a race carry the clock's time, others none."""
    game = load("spit")
    acts = list(play_bots(game.new(5), seat_bots(["random", "random"]), {}))
    times = [act.milliseconds for act in acts if act.milliseconds is not None]
    assert times == sorted(times)
    assert [act.milliseconds for act in acts[:2]] == [None, None]
    assert acts[0].render() == "1 ready"
    assert acts[2].render().split()[0] == f"{times[0] / 1000:.3f}"


def make_record(winners: tuple[int, ...], finished: bool = True) -> Record:
    """Make the record of a game for four."""
    scores = (5, 3, 5, 3) if finished else (None,) * 4
    return Record(0, 1, finished, Lengths(10, 6, 40, 36, 9), winners, scores)


def test_shared_wins_are_split() -> None:
    """Half a win each for two."""
    totals = count_record(make_record((1, 3)), [(1,), (2,), (3,), (4,)])
    assert [seat.wins for seat in totals.seats] == [WIN // 2, 0, WIN // 2, 0]
    assert totals.ties == 1


def test_both_seats_of_a_team_win() -> None:
    """That is no tie."""
    totals = count_record(make_record((1, 3)), [(1, 3), (2, 4)])
    assert [seat.wins for seat in totals.seats] == [WIN, 0, WIN, 0]
    assert totals.ties == 0


def test_an_unfinished_game_counts_in_no_seat() -> None:
    """But its decisions were made."""
    totals = count_record(make_record((), finished=False), [(1,), (2,), (3,), (4,)])
    assert (totals.finished, totals.unfinished) == (0, 1)
    assert {seat.scores for seat in totals.seats} == {NOTHING}
    assert totals.decisions.total == 10


def test_a_row_has_a_field_for_every_column() -> None:
    """Of a game that has ended, and of one that has not."""
    row = make_record((1, 3)).as_row()
    assert row == ["0", "1", "1", "10", "6", "1 3", "5", "3", "5", "3"]
    assert len(row) == len(name_columns(4))
    assert make_record((), finished=False).as_row()[-5:] == [""] * 5
