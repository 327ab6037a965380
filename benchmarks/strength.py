"""Measure how strong bots are: pairings on the same deals, seats changed round.

Run ``python benchmarks/strength.py RESULTS.jsonl`` to play, and again to go on with
what was left; ``--table`` prints what the file holds as a table. Bot and opponents
play each deal once for every side that the bot can be on, so that no side has the
better cards. All bots have iterations for a budget, so that results can be had again.

``python benchmarks/strength.py --latency`` prints instead how long answers take.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import pairwise
from math import inf, sqrt
from operator import itemgetter
from pathlib import Path
from time import process_time

from cardrun.interpreter.bots import LEVELS, Bot, GreedyBot, IsmctsBot, Minds, RandomBot
from cardrun.interpreter.bots.ismcts import RACING
from cardrun.interpreter.engine.game import Game
from cardrun.interpreter.engine.state import State
from cardrun.interpreter.loader import load
from cardrun.interpreter.rng import Rng, seed_of_game
from cardrun.interpreter.simulation.match import play_bots
from cardrun.interpreter.simulation.statistics import estimate_share

ROOT = 2026
USUAL = 300
# Where two bots hold each other up for so many decisions the game is given up.
MOST_DECISIONS = 3000
WITH_INTERVAL = 1.96
# What pairings besides the chief ones may take.
BUDGET = 90.0


@dataclass(frozen=True)
class Pairing:
    """One bot against others of one kind, over a number of games."""

    game: str
    players: int
    one: str
    other: str
    games: int
    iterations: int = USUAL
    others_iterations: int = USUAL
    options: tuple[tuple[str, int], ...] = ()
    # A variable of each player: who is the first to have it set has won.
    decided_by: str = ""
    # After so many seconds of the processor no further deal is begun.
    seconds: float = inf

    @property
    def name(self) -> str:
        """Return what tells it from other pairings."""
        one, other = self.label(self.one), self.label(self.other, True)
        return f"{self.table} {self.players} {one} {other}"

    @property
    def table(self) -> str:
        """Return the game with its options."""
        chosen = "".join(f", {name} {value}" for name, value in self.options)
        decided = f", first with a {self.decided_by}" if self.decided_by else ""
        return f"{self.game}{chosen}{decided}"

    def label(self, bot: str, is_other: bool = False) -> str:
        """Return a bot's name with its budget."""
        number = self.others_iterations if is_other else self.iterations
        return f"ismcts {number}" if bot == "ismcts" else bot


CHIEF = (("idiot", 2), ("hearts", 4), ("back_alley", 4), ("idiot", 4))
# A match of 13 short deals instead of 26 makes the pairing three times as fast.
SHORT = (("most_cards", 7),)
RACES = (("spit", 2), ("speed", 2))
# Where much is luck 500 games do not tell bots apart.
LUCKY = {
    "agram",
    "blackjack",
    "crazy_eights",
    "cuckoo",
    "go_fish",
    "leduc_poker",
    "speed",
}
REST = (
    *(("agram", 3), ("blackjack", 3), ("bridge", 4), ("briscola", 2)),
    *(("crazy_eights", 3), ("cribbage", 2), ("cuckoo", 4), ("euchre", 4)),
    *(("go_fish", 3), ("golf", 3), ("goofspiel", 2), ("klaverjassen", 4)),
    *(("leduc_poker", 2), ("oh_hell", 4), ("pitch", 4), ("president", 4)),
    *(("rummy", 2), ("scarto", 3), ("schwimmen", 3), ("scopa", 2)),
    *(("skitgubbe", 3), ("sueca", 4), ("whist", 4)),
)


def list_pairings() -> Iterator[Pairing]:
    """Return all pairings, those that matter most first."""
    for game, players in CHIEF:
        # With four at the table the last two may go on for ever, for nothing but the
        # last place.
        decided_by = "place" if (game, players) == ("idiot", 4) else ""
        yield Pairing(*(game, players, "greedy", "random", 500), decided_by=decided_by)
        # Long games get by with fewer iterations.
        iterations = {("hearts", 4): 500, ("idiot", 2): 200, ("idiot", 4): 500}
        number = iterations.get((game, players), USUAL)
        options = SHORT if game == "back_alley" else ()
        yield Pairing(
            *(game, players, "ismcts", "greedy", 500, number),
            options=options,
            decided_by=decided_by,
        )
    for game, players in RACES:
        games = count_games(game)
        yield Pairing(game, players, "greedy", "random", games)
        yield Pairing(game, players, "ismcts", "greedy", games)
        # As many tries as plain Python has time for in a race at a table.
        yield Pairing(game, players, "ismcts", "greedy", games, 100)
    for game, players in CHIEF[:2]:
        games = 1000 if game == "hearts" else 200
        for fewer, more in pairwise(iterations for iterations, _ in LEVELS.values()):
            yield Pairing(game, players, "ismcts", "ismcts", games, more, fewer)
    for game, players in REST:
        games = count_games(game)
        yield Pairing(game, players, "greedy", "random", games, seconds=BUDGET)
        yield Pairing(game, players, "ismcts", "greedy", games, seconds=BUDGET)


def count_games(game: str) -> int:
    """Return how many games tell two bots apart."""
    return 2000 if game in LUCKY else 500


def play(pairing: Pairing, done: int, spent: float) -> Iterator[dict[str, object]]:
    """Play what is left of a pairing; yield what came out of each game.

    Args:
        pairing: Who plays, and what.
        done: How many games have been played.
        spent: How many seconds they took.
    """
    options = dict(pairing.options)
    game = load(pairing.game, players=pairing.players, options=options)
    sides = len(game.teams)
    minds = Minds("numba")
    minds.take(game)
    one = make_bot(pairing.one, pairing.iterations, minds)
    other = make_bot(pairing.other, pairing.others_iterations, minds)
    for number in range(done, pairing.games):
        if number % sides == 0 and spent > pairing.seconds:
            return
        side = game.teams[number % sides]
        seats = range(1, game.players + 1)
        bots = {seat: one if seat in side else other for seat in seats}
        start = process_time()
        state = game.new(seed_of_game(ROOT, number // sides))
        length = 0
        first = 0
        for length, _ in enumerate(play_bots(state, bots, {}), 1):
            first = find_first(state, pairing.decided_by)
            if first or length == MOST_DECISIONS:
                break
        result = None if first else state.result
        row: dict[str, object] = {"pairing": pairing.name, "sides": sides}
        row |= {"number": number, "decisions": length}
        taken = process_time() - start
        spent += taken
        row["seconds"] = round(taken, 3)
        if first:
            row["share"] = int(first in side)
        if result is not None and not result.unfinished:
            ours = [seat for seat in result.winners if seat in side]
            row["share"] = len(ours) / len(result.winners) if result.winners else 0
            row["lead"] = measure_lead(game, result.scores, side)
        yield row


def find_first(state: State, name: str) -> int:
    """Return the seat that a variable of each player is set for; 0 for none."""
    if not name:
        return 0
    named = [v for v in state.game.layout.variables if v.name == name]
    return next((v.owner or 0 for v in named if state.vector[v.slot]), 0)


def make_bot(name: str, iterations: int, minds: Minds) -> Bot:
    """Return a bot by its name; without a clock."""
    if name == "ismcts":
        return IsmctsBot(iterations, minds=minds)
    return GreedyBot(minds=minds) if name == "greedy" else RandomBot()


def measure_lead(
    game: Game, scores: dict[int, int | float], side: tuple[int, ...]
) -> float:
    """Return the mean score of one side above that of all others; more is better."""
    ours = [score for seat, score in scores.items() if seat in side]
    theirs = [score for seat, score in scores.items() if seat not in side]
    if not theirs:
        return ours[0]
    lead = sum(ours) / len(ours) - sum(theirs) / len(theirs)
    return -lead if game.low_wins else lead


def read_rows(path: Path) -> dict[str, list[dict[str, float]]]:
    """Return the games played before, by pairing."""
    found: dict[str, list[dict[str, float]]] = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found.setdefault(row["pairing"], []).append(row)
    return found


def write_line(pairing: Pairing, rows: list[dict[str, float]]) -> str:
    """Return a pairing as a line of a table."""
    ended = [row for row in rows if "share" in row]
    fair = 1 / rows[0]["sides"]
    share, (low, high) = "", (0.0, 1.0)
    if ended:
        wins = sum(row["share"] for row in ended)
        low, high = estimate_share(wins, len(ended))
        share = f"{wins / len(ended):.3f} ({low:.3f} to {high:.3f})"
    lead, (least, most) = estimate_lead(ended, int(rows[0]["sides"]))
    verdict = "even within the interval"
    if low > fair or least > 0:
        verdict = "better"
    elif high < fair or most < 0:
        verdict = "worse"
    length = sum(row["decisions"] for row in rows) / len(rows)
    unfinished = len(rows) - len(ended)
    cells = [
        *(pairing.table, str(pairing.players), pairing.label(pairing.one)),
        *(pairing.label(pairing.other, True), str(len(rows)), str(unfinished)),
        *(f"{fair:.3f}", share, lead, f"{length:.0f}", verdict),
    ]
    return f"| {' | '.join(cells)} |"


def estimate_lead(
    rows: list[dict[str, float]], sides: int
) -> tuple[str, tuple[float, float]]:
    """Return the mean lead with its interval, over deals that all sides have played."""
    deals: dict[int, list[float]] = {}
    for row in rows:
        if "lead" in row:
            deals.setdefault(int(row["number"]) // sides, []).append(row["lead"])
    means = [sum(leads) / sides for leads in deals.values() if len(leads) == sides]
    if len(means) < 2:
        return "", (0.0, 0.0)
    mean = sum(means) / len(means)
    variance = sum((m - mean) ** 2 for m in means) / (len(means) - 1)
    off = WITH_INTERVAL * sqrt(variance / len(means))
    return f"{mean:+.2f} ± {off:.2f}", (mean - off, mean + off)


# Games whose states have many legal moves, or whose rules take long.
HEAVY = (
    *(("idiot", 5), ("rummy", 2), ("rummy", 6), ("cribbage", 2), ("pitch", 4)),
    *(("president", 4), ("scopa", 2), ("hearts", 4), ("back_alley", 4)),
    *(("bridge", 4), ("klaverjassen", 4), ("skitgubbe", 3), ("go_fish", 4)),
    *(("spit", 2), ("speed", 2)),
)
HEAVY_STATES = 3
SECONDS = 0.2


def find_heavy(game: Game) -> list[tuple[int, State, int]]:
    """Return the states with the most legal moves in three random games."""
    found: list[tuple[int, State, int]] = []
    bots = dict.fromkeys(range(1, game.players + 1), RandomBot())
    for number in range(3):
        state = game.new(seed_of_game(ROOT, number))
        acts = play_bots(state, bots, {})
        for _ in range(MOST_DECISIONS):
            for seat in state.to_act:
                found.append((len(state.moves(seat)), state.copy(), seat))
            found = nlargest(HEAVY_STATES, found, key=itemgetter(0))
            if next(acts, None) is None:
                break
    return found


def time_answers(players: tuple[str, int], backend: str) -> str:
    """Return the longest answers in a game's heaviest states as a line of a table."""
    game = load(players[0], players=players[1])
    minds = Minds(backend)
    minds.take(game)
    most, late, longest = 0, 0.0, 0.0
    for moves, state, seat in find_heavy(game):
        most = max(most, moves)
        # As many tries as the hardest level has, in the time of the easiest.
        tries = max(iterations for iterations, _ in LEVELS.values())
        seconds = min(SECONDS, RACING) if state.is_race else SECONDS
        searcher = IsmctsBot(tries, seconds, process_time, minds)
        start = process_time()
        searcher.choose(state, seat, Rng(1))
        late = max(late, process_time() - start - seconds)
        start = process_time()
        GreedyBot(minds=minds).choose(state, seat, Rng(1))
        longest = max(longest, process_time() - start)
    after = f"{1000 * late:.1f}" if late else "none"
    cells = (*map(str, players), backend, str(most), after, f"{1000 * longest:.1f}")
    return f"| {' | '.join(cells)} |"


LATENCY_HEAD = """\
| game | players | backend | legal moves | ms after the budget | ms of a greedy move |
|---|---:|---|---:|---:|---:|"""

HEAD = """\
| game | players | bot | against | games | unfinished | fair share | share of wins \
(95 %) | mean lead in score (95 %) | decisions | |
|---|---:|---|---|---:|---:|---:|---:|---:|---:|---|"""


def main() -> None:
    """Play what is left to play, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("results", type=Path, nargs="?")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--latency", action="store_true")
    parser.add_argument("--only", default="", help="names of games, by commas")
    given = parser.parse_args()
    if given.latency:
        print(LATENCY_HEAD)
        for players in HEAVY:
            for backend in ("python", "numba"):
                print(time_answers(players, backend), flush=True)
        return
    if given.results is None:
        parser.error("a file for the results is needed")
    wanted = given.only.split(",") if given.only else None
    rows = read_rows(given.results)
    pairings = [p for p in list_pairings() if wanted is None or p.game in wanted]
    if given.table:
        print(HEAD)
        for pairing in pairings:
            if found := rows.get(pairing.name):
                print(write_line(pairing, found))
        return
    with given.results.open("a", encoding="utf-8") as file:
        for pairing in pairings:
            found = rows.setdefault(pairing.name, [])
            spent = sum(row["seconds"] for row in found)
            for row in play(pairing, len(found), spent):
                file.write(json.dumps(row) + "\n")
                file.flush()
                found.append(row)  # type: ignore[arg-type]
            print(write_line(pairing, found), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
