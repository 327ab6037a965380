"""Batches of games: the same totals however the work is shared out."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.engine.backend import Harvest
from cardrun.interpreter.language.program import DEPTH
from cardrun.interpreter.loader import load
from cardrun.interpreter.rng import seed_of_game
from cardrun.interpreter.simulation.crew import gather_processes
from cardrun.interpreter.simulation.match import play_bots, seat_bots
from cardrun.interpreter.simulation.report import write_report
from cardrun.interpreter.simulation.simulate import Batch, Outcome, load_batch, simulate
from cardrun.interpreter.simulation.statistics import NOTHING
from cardrun.interpreter.simulation.summary import Comparison, Summary, summarise
from cardrun.interpreter.simulation.tally import (
    WIN,
    Record,
    Rows,
    Totals,
    count_harvest,
    name_columns,
    nothing_of,
)

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


def run(
    batches: Sequence[Batch], games: int, jobs: int = 1, until: float | None = None
) -> tuple[Outcome, list[Record]]:
    """Play batches side by side; keep the records of the first."""
    records: list[Record] = []

    def take(more: Sequence[Sequence[Record]]) -> None:
        records.extend(more[0])

    crew = gather_processes(jobs)
    *_, outcome = simulate(batches, games, crew, until=until, take=take)
    return outcome, records


def play(batch: Batch, games: int, jobs: int = 1) -> tuple[Summary, list[Record]]:
    """Play one batch and keep every record."""
    outcome, records = run([batch], games, jobs)
    game = load_batch(batch)
    return Summary(game, batch, outcome.totals[0], 2.0), records


def play_with_bots(batch: Batch) -> tuple[Summary, list[Record]]:
    """Play as bots do: move by move, with reaction times in mind."""
    return play(replace(batch, reactions=(Reaction(800, 400),) * batch.players), 5)


@pytest.mark.parametrize("bots", [("random", "greedy", "random"), ("random",) * 3])
def test_the_result_does_not_depend_on_the_workers(bots: tuple[str, ...]) -> None:
    """Records come in the order of the games, totals are the same."""
    batch = make_batch(*bots, path="hearts")
    alone, records = play(batch, 30)
    shared, same = play(batch, 30, jobs=2)
    assert (shared.as_json(), same) == (alone.as_json(), records)
    assert [record.index for record in records] == list(range(30))


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    """It can be played again by itself, and by its own seed."""
    batch = make_batch(*["random"] * 4)
    _, records = play(batch, 5)
    assert records[3].seed == seed_of_game(1, 3)
    assert play(batch, 3)[1] == records[:3]
    assert play(replace(batch, seed=2), 5)[1] != records


def test_bots_are_counted_like_random_games() -> None:
    """What is counted in a race between bots adds up: moves are decisions."""
    summary, records = play_with_bots(make_batch("random", "greedy", path="spit"))
    decisions = sum(record.lengths.decisions for record in records)
    assert sum(use.times for use in summary.moves) == decisions
    assert sum(games for games, _ in summary.totals.openings[:1]) == 5
    assert summary.totals.branching == sum(r.lengths.branching for r in records)


def test_a_run_stops_when_it_is_precise_enough() -> None:
    """After a number of games that does not depend on the workers."""
    batch = make_batch(*["random"] * 4)
    outcome, records = run([batch], 5_000, until=0.05)
    assert 0.03 < outcome.width <= 0.05
    assert 100 < outcome.games < 1_000
    assert run([batch], 5_000, jobs=2, until=0.05) == (outcome, records)
    again = simulate([batch], 5_000, gather_processes(1), outcome, until=0.05)
    assert list(again) == [outcome]


def compare_spit(games: int, stock_piles: int) -> Comparison:
    """Play Spit with four piles beside Spit with another number."""
    four = make_batch("random", "random", path="spit")
    other = replace(four, options=(("stock_piles", stock_piles), *SPIT[1:]))
    batches = [four, other]
    outcome, _ = run(batches, games)
    runs = [(str(batch.seed), load_batch(batch), batch) for batch in batches]
    shown = summarise(runs, outcome, 1.0, "python")
    assert isinstance(shown, Comparison)
    return shown


def test_the_same_rules_differ_in_nothing() -> None:
    """On the same deals every difference is none, and known to be."""
    differences = compare_spit(20, 4).differences(1)
    assert {(found.mean, found.error) for found in differences} == {(0.0, 0.0)}
    assert not any(found.is_clear for found in differences)


def test_a_fifth_pile_makes_random_spit_shorter() -> None:
    """The pairs show it, and by how much it may be."""
    comparison = compare_spit(100, 5)
    found = comparison.differences(1)[0]
    assert found.name == "decisions"
    assert found.mean == pytest.approx(found.other - found.first)
    assert found.is_clear
    shown = json.loads(json.dumps(comparison.as_json()))
    assert shown["differences"][0]["of"][0]["high"] < 0
    assert "pairs on the same deals" in comparison.render()
    length, wins = comparison.say_differences(1)
    low, high = found.interval
    assert length.startswith(f"Games are shorter: by {-found.mean:,.1f} decisions")
    assert length.endswith(f"(between {-high:,.1f} and {-low:,.1f}).")
    assert wins == "No seat clearly wins more or less often."


def test_one_pair_of_games_tells_no_difference() -> None:
    """Nor do none: there is no interval, in words or as JSON."""
    comparison = compare_spit(1, 5)
    found = comparison.differences(1)[0]
    assert found.mean != 0
    assert not found.is_clear
    assert (found.as_json()["low"], found.as_json()["high"]) == (None, None)
    assert "too few pairs" in found.render(8)
    (words,) = comparison.say_differences(1)
    assert words.startswith("There are too few pairs")
    assert "shorter" not in write_report(comparison)


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
        *("format", "game", "file", "players", "options", "house_rules", "level"),
        *("games", "seed"),
        *("finished", "unfinished", "decisions", "choices", "branching", "seats"),
        *("ties", "lead_changes", "moves", "scoring_lines", "rows", "openings"),
        *("examples", "seconds", "decisions_per_second", "backend"),
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


def make_game(path: str, mask: int, over: int = 1) -> tuple[list[Record], Totals]:
    """Make a game for four that some have won, by 2 points."""
    batch = Batch(path, 4, (), ("random",) * 4, 1)
    game = load_batch(batch)
    row = [1, over, 10, 6, 40, 36, 9, 3, mask, 2, 5, 3, 5, 3]
    uses = [0] * (len(game.program.moves) + 2 * DEPTH + len(game.program.marks))
    records = Rows(game, row, 0).records()
    return records, count_harvest(game, Harvest(row, uses), 0)


def test_shared_wins_are_split() -> None:
    """Half a win each for two."""
    _, totals = make_game("hearts", 0b0101)
    assert [seat.wins for seat in totals.seats] == [WIN // 2, 0, WIN // 2, 0]
    assert totals.ties == 1


def test_both_seats_of_a_team_win() -> None:
    """That is no tie."""
    _, totals = make_game("whist", 0b0101)
    assert [seat.wins for seat in totals.seats] == [WIN, 0, WIN, 0]
    assert totals.ties == 0


def say_wins(path: str, masks: dict[int, int], over: int = 1) -> list[str]:
    """Return what is said of games that some seats won, so many times each."""
    totals = nothing_of(4)
    for mask, times in masks.items():
        for _ in range(times):
            totals = totals.merge(make_game(path, mask, over)[1])
    batch = Batch(path, 4, (), ("random",) * 4, 1)
    return Summary(load_batch(batch), batch, totals, 1.0).say_wins()


def test_a_seat_with_less_than_its_share_is_named() -> None:
    """With the interval; an even share is a quarter of four seats."""
    assert say_wins("hearts", {1: 20, 2: 20, 4: 18, 8: 2}) == [
        "Seat 4 wins clearly less than an even share of 25.0%: 3.3% (0.9% to 11.4%)."
    ]


def test_seats_with_an_even_share_are_not_named() -> None:
    """Of few games nothing more can be said."""
    told = "No seat wins clearly more or less than an even share, 25.0%."
    assert say_wins("hearts", {1: 2, 2: 1, 4: 1}) == [told]


def test_a_team_is_named_by_its_seats() -> None:
    """Of two teams each has a half."""
    first, second = say_wins("whist", {0b0101: 19, 0b1010: 1})
    assert first.startswith("Seats 1 and 3 win clearly more than an even share of 50")
    assert second.startswith("Seats 2 and 4 win clearly less")


def test_of_unfinished_games_nobody_is_said_to_win() -> None:
    """Nor that all have an even share."""
    (told,) = say_wins("hearts", {0: 3}, over=2)
    assert told.startswith("No game was finished")


def test_an_unfinished_game_counts_in_no_seat() -> None:
    """But its decisions were made."""
    _, totals = make_game("hearts", 0, over=2)
    assert (totals.finished, totals.unfinished) == (0, 1)
    assert {seat.scores for seat in totals.seats} == {NOTHING}
    assert totals.decisions.total == 10
    assert totals.examples.longest == ()


def test_a_row_has_a_field_for_every_column() -> None:
    """Of a game that has ended, and of one that has not."""
    (record,), _ = make_game("hearts", 0b0101)
    row = record.as_row()
    assert row == ["0", "1", "1", "10", "6", "1 3", "5", "3", "5", "3"]
    assert len(row) == len(name_columns(4))
    (record,), _ = make_game("hearts", 0, over=2)
    assert record.as_row()[-5:] == [""] * 5


def test_the_lead_is_followed() -> None:
    """In Goofspiel prizes make it change; the closest games are won by least."""
    batch = Batch("goofspiel", 2, (), ("random",) * 2, 3)
    summary, records = play(batch, 50)
    assert summary.totals.leads.total == sum(record.leads for record in records)
    assert summary.totals.leads.greatest > 1
    margins = [r.margin for r in records if r.margin is not None]
    assert all(
        r.margin == abs((r.scores[0] or 0) - (r.scores[1] or 0)) for r in records
    )
    assert (
        summary.totals.examples.closest[0].measure == min(margins) * summary.game.unit
    )


def test_seeds_are_whole_on_a_terminal_of_eighty_columns() -> None:
    """Those of one kind go on below one another."""
    summary, _ = play(make_batch("random", "random", path="spit"), 5)
    *_, seeds = summary.render().partition("  Seeds of games to look at\n")
    found = re.findall(r"\b\d{10,} \([^)]+\)", seeds)
    assert len(found) >= 6
    assert max(map(len, seeds.splitlines())) < 80
    assert seeds.splitlines()[1].startswith(" " * 23)
