"""Many games from one seed, tallied; several batches side by side on the same deals.

Game *i* of a batch depends on the seed of the batch and on *i* alone, and all
totals merge in any order, so the result is the same for any number of workers and
whatever plays the games. Where a run stops early, it stops after a number of games
that depends on the results alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from ..bots import LOOKAHEAD, Bot, Minds
from ..clock import Reaction
from ..engine.backend import (
    BATCH,
    SPEED,
    BackendTrouble,
    Playouts,
    Workshop,
    play_in_python,
)
from ..loader import load, load_text
from ..rng import seed_of_game
from .crew import Crew, Workers
from .match import play_bots, seat_bots
from .statistics import NOTHING, Spread, count_numbers, estimate_share
from .tally import (
    FINISHED,
    WIN,
    Record,
    Rows,
    Totals,
    count_harvest,
    nothing_of,
    share_win,
)

if TYPE_CHECKING:
    from ..engine.backend import Harvest, Report
    from ..engine.game import Game

# Games that are played first, and tell how long games are.
_PILOT: Final = 20
# Decisions a second, about: they only decide how large a share of work is.
_SPEEDS: Final = {
    "numba": 2_000_000,
    "python": SPEED,
    "random": 10_000,
    "greedy": 100,
    "ismcts": 4,
}
# How many times as fast bots are that think in machine code.
_FASTER: Final = 20
_SECONDS_ALONE: Final = 0.2
_SECONDS_SHARED: Final = 1.0
_LARGEST_CHUNK: Final = 50_000
_SHARES_OF_A_WORKER: Final = 8
# Whether a run is precise enough is looked at after so many games, and then after
# a tenth more each time.
FIRST_LOOK: Final = 100


@dataclass(frozen=True, slots=True)
class Batch:
    """What is played: picklable, and enough for a worker to play any game of it.

    There is a bot for every seat; without reactions all have the usual one. Where
    the files are not at hand, the text holds the whole ruleset.
    """

    path: str
    players: int
    options: tuple[tuple[str, bool | int | str], ...]
    bots: tuple[str, ...]
    seed: int
    reactions: tuple[Reaction, ...] = ()
    house_rules: tuple[str, ...] = ()
    level: str = "normal"
    text: str = ""

    @property
    def is_random(self) -> bool:
        """Tell whether all play at random, for which there is machine code."""
        return set(self.bots) == {"random"} and not self.reactions

    @property
    def looks_ahead(self) -> bool:
        """Tell whether a bot tries moves out, which machine code does as well."""
        return not {"greedy", "ismcts"}.isdisjoint(self.bots)

    @property
    def compiles(self) -> bool:
        """Tell whether there is anything to compile for it."""
        return self.is_random or self.looks_ahead

    def speed(self, backend: str) -> int:
        """Return about how many decisions a second are played."""
        if self.is_random:
            return _SPEEDS[backend]
        slowest = min(_SPEEDS[bot] for bot in self.bots)
        return slowest * _FASTER if backend == "numba" else slowest


@dataclass(frozen=True, slots=True)
class Pairs:
    """How games of a batch differ from those of the first one on the same deals.

    Only pairs count of which both games finished: in decisions, in the wins of each
    seat (in units of WIN), and in its score, in parts of one.
    """

    decisions: Spread
    wins: tuple[Spread, ...]
    scores: tuple[Spread, ...]

    def merge(self, other: Pairs) -> Pairs:
        """Return the differences of both."""
        return Pairs(
            self.decisions.merge(other.decisions),
            tuple(map(Spread.merge, self.wins, other.wins)),
            tuple(map(Spread.merge, self.scores, other.scores)),
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What games from the first on add up to, for each batch; pairs but for one."""

    totals: tuple[Totals, ...]
    pairs: tuple[Pairs, ...]

    @property
    def games(self) -> int:
        """How many games of each batch were played."""
        return self.totals[0].games

    def merge(self, other: Outcome) -> Outcome:
        """Return both together."""
        return Outcome(
            tuple(map(Totals.merge, self.totals, other.totals)),
            tuple(map(Pairs.merge, self.pairs, other.pairs)),
        )

    @property
    def width(self) -> float:
        """How far off a win share may be at most."""
        return max(
            (high - low) / 2
            for totals in self.totals
            for seat in totals.seats
            for low, high in [estimate_share(seat.wins / WIN, totals.finished)]
        )


@dataclass(frozen=True, slots=True)
class Share:
    """What a worker has played: the outcome, and the records if they are wanted.

    Records are by batch.
    """

    outcome: Outcome
    records: tuple[tuple[Record, ...], ...]


# Is handed the records of some games, for each batch.
Take = Callable[[Sequence[Sequence[Record]]], None]


@dataclass(frozen=True, slots=True)
class Teller:
    """Who is told of compiling, and of its failure; all are equal to a cache."""

    report: Report | None = field(default=None, compare=False)
    is_strict: bool = field(default=False, compare=False)


_SILENT: Final = Teller()


def nothing_played(batches: Sequence[Batch]) -> Outcome:
    """Return the outcome of no games."""
    totals = tuple(nothing_of(batch.players) for batch in batches)
    pairs = [
        Pairs(NOTHING, *((NOTHING,) * _count_shared(batches[0], batch),) * 2)
        for batch in batches[1:]
    ]
    return Outcome(totals, tuple(pairs))


def _count_shared(one: Batch, other: Batch) -> int:
    """Return how many seats both have."""
    return min(one.players, other.players)


def load_batch(batch: Batch) -> Game:
    """Return the game that a batch plays; each is loaded once."""
    options = dict(batch.options)
    return _load(
        *(batch.path, batch.text, batch.players, batch.house_rules),
        tuple(sorted(options.items())),
    )


@cache
def _load(
    path: str,
    text: str,
    players: int,
    house_rules: tuple[str, ...],
    options: tuple[tuple[str, bool | int | str], ...],
) -> Game:
    chosen = dict(options)
    if text:
        return load_text(text, path, players=players, options=chosen)
    return load(path, players=players, options=chosen, house_rules=house_rules)


def simulate(
    batches: Sequence[Batch],
    games: int,
    crew: Crew,
    before: Outcome | None = None,
    until: float | None = None,
    take: Take | None = None,
) -> Iterator[Outcome]:
    """Play games, and yield what has come out so far, again and again.

    Args:
        batches: What is played, each on the same deals.
        games: The most games of each.
        crew: Who plays them.
        before: What an earlier run has come to; it is gone on with.
        until: How far off a win share may be at most for the run to stop.
        take: Is handed the records of each batch, in order.

    Raises:
        GameFault: The rules bring a game to a halt.
    """
    outcome = before or nothing_played(batches)
    looks = set(_list_looks(games)) if until is not None else set()

    def is_enough() -> bool:
        return until is not None and outcome.games in looks and outcome.width <= until

    if is_enough():
        # The earlier run has come to its end.
        yield outcome
        return
    chunks = _cut(batches, outcome, games, crew, looks)
    with _play_chunks(batches, chunks, crew, take is not None) as shares:
        for share in shares:
            outcome = outcome.merge(share.outcome)
            if take is not None:
                take(share.records)
            yield outcome
            if is_enough():
                return


def play_pilot(batches: Sequence[Batch], games: int) -> Outcome:
    """Play the first few games at random, which tells how long games are."""
    drawn = [replace(b, bots=("random",) * b.players, reactions=()) for b in batches]
    return play_share(drawn, range(min(_PILOT, games)), "python", False).outcome


def choose_backend(
    wanted: str, batches: Sequence[Batch], pilot: Outcome, games: int, workers: int
) -> tuple[str, float]:
    """Return which backend plays the rest soonest, and how long that one compiles.

    For ``auto`` the work is estimated from the first games, so that the same run
    chooses the same; any other is as wanted.
    """
    shops = [find_workshop(batch) for batch in batches if batch.compiles]
    if wanted == "python" or not shops:
        return "python", 0.0
    seconds = sum(shop.seconds() for shop in shops)
    if wanted == "numba":
        return "numba", seconds
    left = max(games - pilot.games, 0)
    in_python = sum(
        left * totals.decisions.mean / batch.speed("python") / workers
        for batch, totals in zip(batches, pilot.totals, strict=True)
        if batch.compiles
    )
    return ("numba", seconds) if in_python > 2 * seconds else ("python", 0.0)


def find_workshop(batch: Batch) -> Workshop:
    """Return what makes the machine code that a batch needs."""
    return Workshop(load_batch(batch), kind=BATCH if batch.is_random else LOOKAHEAD)


def compile_batches(batches: Sequence[Batch], report: Report | None) -> None:
    """Compile what the batches play, and keep it for all workers.

    Raises:
        BackendTrouble: Numba is missing or fails.
    """
    for batch in batches:
        if batch.is_random:
            _playouts(batch, "numba", Teller(report, True))
        elif batch.looks_ahead:
            _seat(batch, "numba", Teller(report, True))


def _list_looks(games: int) -> Iterator[int]:
    """Return after how many games precision is looked at."""
    number = FIRST_LOOK
    while number < games:
        yield number
        number += number // 10


def _cut(
    batches: Sequence[Batch], before: Outcome, games: int, crew: Crew, looks: set[int]
) -> Iterator[range]:
    """Cut games into shares of about a second, none across a look."""
    at = before.games
    ends = iter(sorted({*looks, games}))
    end = next(ends)
    size = _size_share(batches, before, games, crew)
    while at < games:
        while end <= at:
            end = next(ends)
        stop = min(at + size, end)
        yield range(at, stop)
        at = stop


def _size_share(
    batches: Sequence[Batch], before: Outcome, games: int, crew: Crew
) -> int:
    speed = min(batch.speed(crew.backend) for batch in batches)
    seconds = _SECONDS_ALONE if crew.start is None else _SECONDS_SHARED
    length = sum(totals.decisions.mean for totals in before.totals) or 100
    even = (games - before.games) // (crew.workers * _SHARES_OF_A_WORKER)
    most = games if crew.start is None else max(even, 1)
    return max(min(int(speed * seconds / length), most, _LARGEST_CHUNK), 1)


@contextmanager
def _play_chunks(
    batches: Sequence[Batch], chunks: Iterator[range], crew: Crew, wants_records: bool
) -> Iterator[Iterator[Share]]:
    """Give the shares in order; what was begun and is not wanted is dropped."""
    task = _Task(tuple(batches), crew.backend, wants_records)
    if crew.start is None:
        yield map(task.play, chunks)
        return
    with Workers(crew, crew.start, task.play) as workers:
        yield workers.hand_out(chunks)


@dataclass(frozen=True, slots=True)
class _Task:
    """What a worker does with any share of the games."""

    batches: tuple[Batch, ...]
    backend: str
    wants_records: bool

    def play(self, chunk: range) -> Share:
        """Play some games."""
        return play_share(self.batches, chunk, self.backend, self.wants_records)


def play_share(
    batches: Sequence[Batch], indices: range, backend: str, wants_records: bool
) -> Share:
    """Play some games of each batch; a worker's whole task."""
    games = [load_batch(batch) for batch in batches]
    harvests = [_play(batch, indices, backend) for batch in batches]
    rows = [
        Rows(game, harvest.rows, indices.start)
        for game, harvest in zip(games, harvests, strict=True)
    ]
    totals = [
        count_harvest(game, harvest, indices.start)
        for game, harvest in zip(games, harvests, strict=True)
    ]
    pairs = [
        _pair((games[0], rows[0]), other)
        for other in list(zip(games, rows, strict=True))[1:]
    ]
    records = [tuple(part.records()) for part in rows] if wants_records else ()
    return Share(Outcome(tuple(totals), tuple(pairs)), tuple(records))


def _play(batch: Batch, indices: range, backend: str) -> Harvest:
    if batch.is_random:
        playouts = _playouts(batch, backend)
        return playouts.play(batch.seed, indices.start, len(indices))
    return _play_with_bots(batch, indices, backend)


def _play_with_bots(batch: Batch, indices: range, backend: str) -> Harvest:
    """Let bots play, then each game again at speed by what counts its parts."""
    playouts = _playouts(batch, "python")
    bots = _seat(batch, backend)
    reactions = dict(enumerate(batch.reactions, 1))
    found: Harvest | None = None
    for index in indices:
        state = playouts.game.new(seed_of_game(batch.seed, index))
        acts = play_bots(state, bots, reactions)
        rows = [(act.seat, act.move.row) for act in acts]
        harvest = playouts.repeat(state.seed, rows)
        found = harvest if found is None else found.add(harvest)
    assert found is not None
    return found


@cache
def _playouts(batch: Batch, backend: str, teller: Teller = _SILENT) -> Playouts:
    """Return what plays the random games of a batch; each is made once.

    Without Numba it is Python that plays: whoever gave out the work has said so.
    """
    game = load_batch(batch)
    if backend == "numba":
        try:
            return Workshop(game).make(teller.report)
        except BackendTrouble:
            if teller.is_strict:
                raise
    return play_in_python(game)


@cache
def _seat(batch: Batch, backend: str, teller: Teller = _SILENT) -> dict[int, Bot]:
    """Return the bots of a batch, which think by a backend; without Numba in Python."""
    minds = Minds(backend)
    if batch.looks_ahead:
        try:
            minds.take(load_batch(batch), teller.report)
        except BackendTrouble:
            if teller.is_strict:
                raise
            minds = Minds("python")
    return seat_bots(batch.bots, batch.level, minds=minds)


def _pair(first: tuple[Game, Rows], second: tuple[Game, Rows]) -> Pairs:
    """Return the differences of games on the same deals: second less first."""
    (game, rows), (other_game, others) = first, second
    both = [
        here == there == FINISHED
        for here, there in zip(rows.overs, others.overs, strict=True)
    ]
    seats = range(1, min(game.players, other_game.players) + 1)
    unit, other_unit = game.unit, other_game.unit
    return Pairs(
        _differ(rows.lengths, others.lengths, both),
        tuple(
            _differ(_wins(game, rows, seat), _wins(other_game, others, seat), both)
            for seat in seats
        ),
        tuple(
            _differ(
                [score * other_unit for score in rows.scores(seat)],
                [score * unit for score in others.scores(seat)],
                both,
            )
            for seat in seats
        ),
    )


def _wins(game: Game, rows: Rows, seat: int) -> list[int]:
    worth = {mask: share_win(game, mask).get(seat, 0) for mask in set(rows.winners)}
    return [worth[mask] for mask in rows.winners]


def _differ(
    first: Sequence[int], second: Sequence[int], both: Sequence[bool]
) -> Spread:
    triples = zip(first, second, both, strict=True)
    return count_numbers(there - here for here, there, counts in triples if counts)[0]
