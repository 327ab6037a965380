"""Many games from one seed, tallied.

Game *i* of a batch depends on the seed of the batch and on *i* alone, and all
totals merge in any order, so the result is the same for any number of workers.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, reduce
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

from .clock import Reaction
from .loader import load
from .match import play_bots, seat_bots
from .rng import seed_of_game
from .statistics import Spread, estimate_share
from .tally import WIN, Lengths, Record, SeatTotals, Totals, count_record

if TYPE_CHECKING:
    from .game import Game
    from .state import State

_CHUNKS_PER_WORKER: Final = 16
_LARGEST_CHUNK: Final = 500
_LARGEST_CHUNK_ALONE: Final = 20  # nothing is sent about: report more often


@dataclass(frozen=True, slots=True)
class Batch:
    """What is played: picklable, and enough for a worker to play any game of it.

    There is a bot for every seat; without reactions all have the usual one.
    """

    path: str
    players: int
    options: tuple[tuple[str, bool | int | str], ...]
    bots: tuple[str, ...]
    seed: int
    reactions: tuple[Reaction, ...] = ()
    house_rules: tuple[str, ...] = ()
    level: str = "normal"


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a batch, as it prints."""

    game: str
    batch: Batch
    totals: Totals
    seconds: float

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.totals.finished + self.totals.unfinished

    @property
    def speed(self) -> float:
        """Decisions a second, all workers together."""
        return self.totals.decisions.total / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, object]:
        """Return the object that ``--json`` prints."""
        totals = self.totals
        return {
            "format": 1,
            "game": self.game,
            "file": self.batch.path,
            "players": self.batch.players,
            "options": dict(self.batch.options),
            "games": self.games,
            "seed": self.batch.seed,
            "finished": totals.finished,
            "unfinished": totals.unfinished,
            "decisions": _show_spread(totals.decisions),
            "choices": _show_spread(totals.choices),
            "branching": {
                "mean": _divide(totals.branching, totals.decisions.total),
                "choices_mean": _divide(totals.choices_branching, totals.choices.total),
                "max": totals.most,
            },
            "seats": [
                self._show_seat(seat) for seat in range(1, len(totals.seats) + 1)
            ],
            "ties": _divide(totals.ties, totals.finished),
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(self.speed),
            "backend": "python",
        }

    def _show_seat(self, seat: int) -> dict[str, object]:
        totals = self.totals.seats[seat - 1]
        wins = totals.wins / WIN
        low, high = estimate_share(wins, self.totals.finished)
        scores = totals.scores
        return {
            "seat": seat,
            "bot": self.batch.bots[seat - 1],
            "wins": _divide(wins, self.totals.finished),
            "wins_low": round(low, 4),
            "wins_high": round(high, 4),
            "score_mean": round(scores.mean, 4) if scores.count else None,
            "score_sd": round(scores.deviation, 4) if scores.count else None,
            "score_min": scores.least if scores.count else None,
            "score_max": scores.greatest if scores.count else None,
        }

    def render(self) -> str:
        """Return the outcome in words and a table."""
        totals, batch = self.totals, self.batch
        branching = _divide(totals.branching, totals.decisions.total)
        at_choices = _divide(totals.choices_branching, totals.choices.total)
        options = "".join(
            f", {name}={show_option(value)}" for name, value in batch.options
        )
        return "\n".join(
            [
                f"{self.game}, {batch.players} players{options}, "
                f"{self.games} games, seed {batch.seed}",
                f"  finished       {totals.finished}",
                f"  unfinished     {totals.unfinished}",
                f"  decisions      {_describe_spread(totals.decisions)}",
                f"  choices        {_describe_spread(totals.choices)}",
                f"  legal moves    {branching:.2f} at a decision, {at_choices:.2f} "
                f"at a choice, at most {totals.most}",
                f"  shared wins    {_divide(totals.ties, totals.finished):.1%}",
                f"  speed          {self.speed:,.0f} decisions a second",
                "",
                "  seat  bot       wins  95 % interval     score (sd; least to most)",
                *(self._render_seat(seat) for seat in range(1, batch.players + 1)),
                *self._render_caveat(),
            ]
        )

    def _render_seat(self, seat: int) -> str:
        totals = self.totals.seats[seat - 1]
        wins = totals.wins / WIN
        low, high = estimate_share(wins, self.totals.finished)
        share = _divide(wins, self.totals.finished)
        return (
            f"  {seat:>4}  {self.batch.bots[seat - 1]:<8} {share:>6.1%}  "
            f"{low:>5.1%} to {high:>6.1%}   {_describe_score(totals.scores)}"
        ).rstrip()

    def _render_caveat(self) -> list[str]:
        if not self.totals.ties:
            return []
        return ["", "  Shared wins are split, so the intervals are approximate."]


def simulate(
    batch: Batch,
    games: int,
    jobs: int,
    take: Callable[[Sequence[Record]], None],
) -> Totals:
    """Play games in some processes and return their totals.

    Records are handed on in the order of the games, a chunk at a time, however
    the work is shared out.

    Raises:
        GameFault: The rules bring a game to a halt.
    """
    game = _load_game(batch.path, batch.players, batch.options, batch.house_rules)
    totals = Totals((SeatTotals(),) * batch.players)
    teams = game.teams
    for records in _play_chunks(batch, games, jobs):
        take(records)
        counted = (count_record(record, teams) for record in records)
        totals = reduce(Totals.merge, counted, totals)
    return totals


def _play_chunks(batch: Batch, games: int, jobs: int) -> Iterator[list[Record]]:
    """Yield the records of all games in order, some at a time."""
    largest = _LARGEST_CHUNK if jobs > 1 else _LARGEST_CHUNK_ALONE
    size = min(max(games // (jobs * _CHUNKS_PER_WORKER), 1), largest)
    chunks = (range(at, min(at + size, games)) for at in range(0, games, size))
    if jobs == 1:
        for chunk in chunks:
            yield play_chunk(batch, chunk)
        return
    # Spawned, not forked, so that every platform does the same.
    executor = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts
    )
    waiting: list[Future[list[Record]]] = []
    try:
        for chunk in chunks:
            waiting.append(executor.submit(play_chunk, batch, chunk))
            if len(waiting) > 2 * jobs:
                yield waiting.pop(0).result()
        while waiting:
            yield waiting.pop(0).result()
    finally:
        executor.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Let the process that waits for this worker deal with Ctrl-C alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_chunk(batch: Batch, indices: range) -> list[Record]:
    """Play some games of a batch; a worker's whole task."""
    return [play_game(batch, index) for index in indices]


def play_game(batch: Batch, index: int) -> Record:
    """Play one game of a batch."""
    game = _load_game(batch.path, batch.players, batch.options, batch.house_rules)
    if set(batch.bots) == {"random"} and not batch.reactions:
        state, tally = game.play_random(batch.seed, index)
        return _record(state, index, Lengths(*tally))
    state = game.new(seed_of_game(batch.seed, index))
    reactions = dict(enumerate(batch.reactions, 1))
    acts = play_bots(state, seat_bots(batch.bots, batch.level), reactions)
    counts = [act.choices for act in acts]
    choices = [count for count in counts if count > 1]
    most = max(counts, default=0)
    lengths = Lengths(len(counts), len(choices), sum(counts), sum(choices), most)
    return _record(state, index, lengths)


def _record(state: State, index: int, lengths: Lengths) -> Record:
    """Return the record of a game that is over."""
    result = state.result
    assert result is not None
    finished = not result.unfinished
    seats = range(1, state.game.players + 1)
    scores = [result.scores.get(seat) if finished else None for seat in seats]
    winners = result.winners if finished else ()
    return Record(index, state.seed, finished, lengths, winners, tuple(scores))


@cache
def _load_game(
    path: str,
    players: int,
    options: tuple[tuple[str, bool | int | str], ...],
    house_rules: tuple[str, ...],
) -> Game:
    return load(path, players=players, options=dict(options), house_rules=house_rules)


def _divide(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _show_spread(spread: Spread) -> dict[str, float]:
    return {
        "mean": round(spread.mean, 4),
        "sd": round(spread.deviation, 4),
        "min": spread.least if spread.count else 0,
        "max": spread.greatest if spread.count else 0,
    }


def _describe_spread(spread: Spread) -> str:
    if not spread.count:
        return "none"
    return (
        f"{spread.mean:.1f} a game (sd {spread.deviation:.1f}; "
        f"{spread.least} to {spread.greatest})"
    )


def _describe_score(scores: Spread) -> str:
    if not scores.count:
        return ""
    return (
        f"{scores.mean:.2f} ({scores.deviation:.2f}; "
        f"{scores.least} to {scores.greatest})"
    )


def show_option(value: bool | int | str) -> str:
    """Return the value of an option as a ruleset writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
