"""Compare random playouts with those of other programs: python benchmarks/peers.py.

Every game that we and a peer both have is played in this one run, for the same
number of players, with the options that come nearest; how many decisions a game has,
and how many moves there are at each, tells whether it is the same game. Times are of
the processor, not of the clock, and the best of some rounds that take turns, so that
other work on the machine counts little. A decision is a player's; chance is part of
the time.

Prints the tables and writes docs/performance.md; with --game NAME it plays that one
alone, and only prints. Peers that are not installed are
left out, and said to be: pip install open_spiel rlcard numba; npm install boardgame.io
here, or in the folder that --boardgame names; cc for the games written by hand.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import importlib.util
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cardrun.interpreter import Game, load
from cardrun.interpreter.engine.backend import BackendTrouble, Workshop

ROOT = Path(__file__).parent.parent
ROUNDS = 3
SECONDS = 0.7
COPIES = 3000
FEW_COPIES = 100
GAMES_LOOKED_AT = 2000
MACHINE_GAMES = 2000
PLAYERS = ("python", "numba", "openspiel", "legal", "rlcard", "steps", "boardgame", "c")
TITLES = {
    "python": "cardrun, Python",
    "numba": "cardrun, Numba",
    "openspiel": "OpenSpiel",
    "legal": "OpenSpiel, by legal actions",
    "rlcard": "RLCard",
    "steps": "RLCard, by steps",
    "boardgame": "boardgame.io",
    "c": "by hand in C",
}


@dataclass(frozen=True)
class Shared:
    """A game that others have too: its options here and there, and what differs."""

    name: str
    players: int
    options: dict[str, object]
    openspiel: str
    differs: str
    house_rules: tuple[str, ...] = ()
    rlcard: str = ""
    outside: tuple[str, ...] = ()

    def load(self) -> Game:
        """Return the game as it is played here."""
        return load(
            self.name,
            players=self.players,
            options=self.options,
            house_rules=self.house_rules,
        )


GAMES = (
    Shared(
        "hearts",
        4,
        {
            "first_lead": "two_of_clubs",
            "queen_breaks": "yes",
        },
        "hearts(pass_cards=false)",
        "The same rules in all. OpenSpiel deals card by card, each a chance node.",
        house_rules=("hearts-clean-first-trick",),
        outside=("boardgame", "c"),
    ),
    Shared(
        "goofspiel",
        2,
        {"ties": "discard"},
        "goofspiel(num_cards=13,points_order=random,players=2)",
        "The same rules. Both bids are one step in OpenSpiel; they count as two, and "
        "the last two cards are played without asking.",
        outside=("boardgame", "c"),
    ),
    Shared(
        "leduc_poker",
        2,
        {},
        "leduc_poker(players=2)",
        "The same rules; RLCard's bets are the same sizes, but there one may fold "
        "when nothing is to be paid, so that its games are shorter.",
        rlcard="leduc-holdem",
        outside=("boardgame",),
    ),
    Shared(
        "euchre",
        4,
        {},
        "euchre(stick_the_dealer=true)",
        "OpenSpiel asks in decisions of their own whether to play alone and what the "
        "dealer discards.",
    ),
    Shared(
        "cribbage",
        2,
        {"target": 121},
        "cribbage",
        "OpenSpiel chooses both cards for the crib in one decision too; it pegs "
        "to 121 alike. Saying go is a decision there, which here happens by itself.",
    ),
    Shared(
        "crazy_eights",
        5,
        {"drawing": "until_one_fits"},
        "crazy_eights(players=5,max_draw_cards=5)",
        "OpenSpiel names a suit in a decision of its own, lets draw who could play, "
        "draws five at most, never turns the pile over, and ends after 100 turns: "
        "as long, but with more to choose from.",
    ),
    Shared(
        "oh_hell",
        4,
        {"missed": "tricks"},
        "oh_hell(players=4,num_tricks_fixed=10)",
        "The same rules: ten cards each, and who fails scores the tricks. OpenSpiel "
        "draws for the deal, and deals card by card, each a chance node.",
    ),
    Shared(
        "bridge",
        4,
        {"vulnerable": "none"},
        "bridge(use_double_dummy_result=false)",
        "The same calls and cards. RLCard draws for the deal, and scores the tricks, "
        "not by the laws; OpenSpiel deals card by card, each a chance node.",
        rlcard="bridge",
    ),
    Shared(
        "blackjack",
        1,
        {},
        "blackjack",
        "The same rules, without bets, insurance and naturals, and with one player. "
        "Of two or three decisions to a game much is the deal. RLCard's bank draws "
        "even when nobody is left.",
        house_rules=("blackjack-plain",),
        rlcard="blackjack",
    ),
    Shared(
        "go_fish",
        4,
        {},
        "go_fish(players=4)",
        "The same rules, but for a player whom all others have left without cards: "
        "here one draws, there the next does. OpenSpiel's cards have no suits.",
        house_rules=("go-fish-to-the-end",),
    ),
)

Play = Callable[[], int]


@dataclass
class Shape:
    """What games were like: how many, their decisions, and the moves at these."""

    games: int = 0
    decisions: int = 0
    moves: int = 0

    def add(self, decisions: int, moves: int) -> None:
        """Count a game."""
        self.games += 1
        self.decisions += decisions
        self.moves += moves

    @property
    def length(self) -> float:
        """The mean of decisions in a game."""
        return self.decisions / self.games

    @property
    def branching(self) -> float:
        """The mean of moves at a decision."""
        return self.moves / self.decisions


@dataclass
class Measured:
    """One program's playing of one game: the best rate, its states and its games."""

    play: Play
    size: str
    copy_us: float
    shape: Shape = field(default_factory=Shape)
    rate: float = 0.0

    def measure(self) -> None:
        """Play for a while, and keep the rate if it is the best."""
        decisions, start = 0, time.process_time()
        while (spent := time.process_time() - start) < SECONDS:
            decisions += self.play()
        self.rate = max(self.rate, decisions / spent)


def time_copies(copy_state: Callable[[], object]) -> float:
    """Return the microseconds that a copy takes, the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        copies, start, spent = 0, time.process_time(), 0.0
        while copies < COPIES and spent < SECONDS:
            for _ in range(FEW_COPIES):
                copy_state()
            copies += FEW_COPIES
            spent = time.process_time() - start
        best = min(best, spent / copies * 1e6)
    return best


def measure_python(game: Game) -> Measured:
    """Play by the emitted source as it is."""
    index = 0

    def play() -> int:
        nonlocal index
        index += 1
        return game.play_random(1, index)[1][0]

    state = game.new(1)
    size = f"{len(state.vector)} integers"
    return Measured(play, size, time_copies(state.copy))


def measure_numba(game: Game) -> Measured:
    """Play by the emitted source as machine code, many games at a time."""
    numpy: Any = importlib.import_module("numpy")
    playouts = Workshop(game).make()
    first = 0

    def play() -> int:
        nonlocal first
        harvest = playouts.play(1, first, MACHINE_GAMES)
        first += MACHINE_GAMES
        return sum(harvest.rows[2 :: playouts.row_width])

    vector = numpy.array(game.new(1).vector, dtype=numpy.int64)
    return Measured(play, f"{len(vector)} integers", time_copies(vector.copy))


def begin_openspiel(game: Any) -> Any:
    """Return the state in which chance first has something to draw.

    Hearts lists four ways to pass cards as outcomes, of which only one is legal.
    """
    state = game.new_initial_state()
    while state.is_chance_node() and len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
    return state


def measure_openspiel(name: str, *, by_legal_actions: bool = False) -> Measured:
    """Play OpenSpiel's game from Python, as its own examples do.

    They ask for the outcomes of chance with how likely each is. Where all are equally
    likely it is quicker to draw from the legal actions.
    """
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    choose, rng, shape = random.choice, random.Random(1), Shape()
    start, is_even = begin_openspiel(game), draws_evenly(name)

    def play() -> int:
        state, decisions, moves = start.clone(), 0, 0
        while not state.is_terminal():
            if state.is_chance_node():
                if by_legal_actions:
                    state.apply_action(choose(state.legal_actions()))
                    continue
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                if is_even:
                    state.apply_action(choose(actions))
                else:
                    state.apply_action(rng.choices(actions, chances)[0])
            elif state.is_simultaneous_node():
                legal = [state.legal_actions(p) for p in range(game.num_players())]
                state.apply_actions([choose(actions) for actions in legal])
                decisions += len(legal)
                moves += sum(map(len, legal))
            else:
                actions = state.legal_actions()
                state.apply_action(choose(actions))
                decisions += 1
                moves += len(actions)
        shape.add(decisions, moves)
        return decisions

    state = start.clone()
    while state.is_chance_node():
        state.apply_action(choose([action for action, _ in state.chance_outcomes()]))
    return Measured(play, "", time_copies(state.clone), shape)


def draws_evenly(name: str) -> bool:
    """Tell whether all that chance does in OpenSpiel's game is equally likely."""
    pyspiel: Any = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name)
    for _ in range(20):
        state = begin_openspiel(game)
        while not state.is_terminal():
            if state.is_chance_node():
                chances = [chance for _, chance in state.chance_outcomes()]
                if min(chances) != max(chances):
                    return False
            state.apply_action(random.choice(state.legal_actions()))
    return True


def measure_rlcard(name: str) -> Measured:
    """Let RLCard's environment play with its random agents, as its own examples do."""
    rlcard: Any = importlib.import_module("rlcard")
    agents: Any = importlib.import_module("rlcard.agents")
    environment = rlcard.make(name, config={"seed": 1})
    seats = range(environment.num_players)
    environment.set_agents([agents.RandomAgent(environment.num_actions) for _ in seats])

    def play() -> int:
        trajectories, _ = environment.run(is_training=False)
        # States and actions in turns, and the last state.
        return sum(len(trajectory) // 2 for trajectory in trajectories)

    game = environment.game
    play()
    return Measured(play, "", time_copies(lambda: copy.deepcopy(game)))


def measure_rlcard_steps(name: str) -> Measured:
    """Step through RLCard's environment, and choose moves here."""
    rlcard: Any = importlib.import_module("rlcard")
    environment, shape = rlcard.make(name, config={"seed": 1}), Shape()

    def play() -> int:
        state, _ = environment.reset()
        decisions = moves = 0
        while not environment.is_over():
            actions = list(state["legal_actions"])
            state, _ = environment.step(random.choice(actions))
            decisions += 1
            moves += len(actions)
        shape.add(decisions, moves)
        return decisions

    return Measured(play, "", 0, shape)


def find_boardgame(modules: Path) -> str:
    """Return the version of boardgame.io that node finds, and its own, or nothing."""
    if shutil.which("node") is None:
        return ""
    find = "require.resolve('boardgame.io/package.json', {paths: [process.argv[1]]})"
    script = f"console.log(require({find}).version, 'in Node', process.version)"
    words = ["node", "-e", script, str(modules)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def find_programs(folder: Path, modules: Path) -> dict[str, list[str]]:
    """Return the commands of games by hand, and of those for boardgame.io."""
    found = {}
    here = Path(__file__).parent
    if compiler := shutil.which("cc"):
        found["c"] = [str(folder / "limit")]
        options = ["-O3", "-march=native", "-o", *found["c"]]
        subprocess.run([compiler, *options, str(here / "limit.c")], check=True)
    else:
        say("without the games by hand: there is no cc")
    if find_boardgame(modules):
        found["boardgame"] = ["node", str(here / "boardgame.js")]
    else:
        say(f"without boardgame.io: node does not find it from {modules}")
    return found


class Program:
    """One that measures itself: it prints what it finds."""

    def __init__(self, command: list[str], name: str, modules: Path) -> None:
        """Know how a game is played by a command."""
        self._words = [*command, name, str(SECONDS), str(modules)]
        self.measured = Measured(lambda: 0, "", 0.0)
        self.branching = 0.0

    def measure(self) -> None:
        """Play for a while, and keep the rate if it is the best."""
        done = subprocess.run(self._words, check=True, capture_output=True, text=True)
        rate, self.branching, size, copy_ns = map(float, done.stdout.split())
        self.measured.rate = max(self.measured.rate, rate)
        self.measured.size = f"{size:.0f} bytes"
        self.measured.copy_us = copy_ns / 1000


def say(words: str) -> None:
    """Say something beside the results."""
    print(words, file=sys.stderr)


def has(module: str) -> bool:
    """Tell whether a module is installed."""
    return importlib.util.find_spec(module) is not None


def measure(shared: Shared, programs: dict[str, Program]) -> dict[str, Measured]:
    """Measure all that have a game, in turns."""
    game = shared.load()
    found = {"python": measure_python(game)}
    try:
        found["numba"] = measure_numba(game)
    except BackendTrouble as error:
        say(f"without Numba: {error}")
    if has("pyspiel"):
        found["openspiel"] = measure_openspiel(shared.openspiel)
        if draws_evenly(shared.openspiel):
            legal = measure_openspiel(shared.openspiel, by_legal_actions=True)
            found["legal"] = legal
    if shared.rlcard and has("rlcard"):
        found["rlcard"] = measure_rlcard(shared.rlcard)
        found["steps"] = measure_rlcard_steps(shared.rlcard)
    for one in found.values():
        one.play()
    for _ in range(ROUNDS):
        for one in found.values():
            one.measure()
        for program in programs.values():
            program.measure()
    found["python"].shape = ours = look_at_games(game)
    for name, program in programs.items():
        found[name] = program.measured
        # A program of ours for another that does not play the same game is wrong.
        if abs(ours.branching - program.branching) > 0.02 * ours.branching:
            branching = (
                f"{ours.branching:.3f} legal moves here, {program.branching:.3f}"
            )
            say(f"{game.name}: {branching} {TITLES[name]}")
    return found


def look_at_games(game: Game) -> Shape:
    """Return what random games here are like."""
    shape = Shape()
    for index in range(GAMES_LOOKED_AT):
        decisions, _, moves = game.play_random(1, index)[1][:3]
        shape.add(decisions, moves)
    return shape


def write_table(results: dict[str, dict[str, Measured]]) -> list[str]:
    """Return the table of rates, and of ratios to OpenSpiel."""
    players = [player for player in PLAYERS if has_any(player, results)]
    lines = ["| game | " + " | ".join(TITLES[player] for player in players) + " |"]
    lines.append("|---|" + "---:|" * len(players))
    for name, found in results.items():
        cells = []
        for player in players:
            one, peer = found.get(player), found.get("openspiel")
            cell = f"{one.rate:,.0f}" if one else ""
            if one and peer and one is not peer:
                cell += f" ({one.rate / peer.rate:.3g})"
            cells.append(cell)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def write_states(results: dict[str, dict[str, Measured]]) -> list[str]:
    """Return the table of states: how large, and how long a copy takes."""
    players = [
        p for p in PLAYERS if p not in ("legal", "steps") and has_any(p, results)
    ]
    told = [p for p in players if any(f[p].size for f in results.values() if p in f)]
    told.remove("numba")  # the same as in Python
    heads = [f"{TITLES[p]}: size" for p in told] + [
        f"{TITLES[p]}: copy" for p in players
    ]
    lines = [f"| game | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    for name, found in results.items():
        sizes = [found[p].size if p in found else "" for p in told]
        copies = [f"{found[p].copy_us:.3g}" if p in found else "" for p in players]
        lines.append(f"| {name} | {' | '.join([*sizes, *copies])} |")
    return lines


def write_shapes(results: dict[str, dict[str, Measured]]) -> list[str]:
    """Return the table of how long games are, and how many moves there are."""
    players = [
        player
        for player in ("python", "openspiel", "steps")
        if has_any(player, results)
    ]
    heads = [TITLES[player].partition(",")[0] for player in players]
    lines = [f"| game | {' | '.join(heads)} |", "|---|" + "---:|" * len(heads)]
    for name, found in results.items():
        shapes = [found[p].shape if p in found else None for p in players]
        cells = [f"{s.length:.1f}; {s.branching:.2f}" if s else "" for s in shapes]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def has_any(player: str, results: dict[str, dict[str, Measured]]) -> bool:
    """Tell whether a program has played any of the games."""
    return any(player in found for found in results.values())


def compare(
    results: dict[str, dict[str, Measured]], one: str, other: str
) -> list[float]:
    """Return how many times as fast one is as another, in each game both have."""
    return [
        found[one].rate / found[other].rate
        for found in results.values()
        if one in found and other in found
    ]


def write_findings(results: dict[str, dict[str, Measured]]) -> list[str]:
    """Return what was to be reached, and what is."""
    lines = []
    for one, other, aim in (
        ("numba", "openspiel", "at least 20"),
        ("python", "openspiel", "at least 0.5"),
        ("numba", "legal", ""),
        ("python", "legal", ""),
        ("python", "rlcard", "at least 4"),
        ("python", "steps", ""),
        ("python", "boardgame", ""),
    ):
        if ratios := compare(results, one, other):
            median = statistics.median(ratios)
            lines.append(
                f"- {TITLES[one]} is {median:.3g} times as fast as {TITLES[other]} "
                f"(median of {len(ratios)}{aim and f'; aim: {aim}'})."
            )
    for name, ratios in (
        (name, compare({name: found}, "c", "numba")) for name, found in results.items()
    ):
        aim = "; aim: at most 4" if name == "hearts" else ""
        lines += [
            f"- {name} by hand in C is {ratio:.3g} times as fast as Numba here{aim}."
            for ratio in ratios
        ]
    return lines


def write_versions(modules: Path) -> str:
    """Return what was measured, by its version."""
    from importlib.metadata import PackageNotFoundError, version

    found = [f"Python {platform.python_version()}", platform.machine()]
    for package in ("numba", "open_spiel", "rlcard"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    if boardgame := find_boardgame(modules):
        found.append(f"boardgame.io {boardgame}")
    return ", ".join(found)


def write_page(results: dict[str, dict[str, Measured]], versions: str) -> str:
    """Return the page of the documentation."""
    rules = [f"- **{g.name}**, {g.players} players: {g.differs}" for g in GAMES]
    return "\n".join(
        [
            "# How fast it is",
            "",
            "Written by `python benchmarks/peers.py`, in one run on one core of a "
            "machine with other work to do:",
            f"{versions}. Decisions a second of random playouts, by the "
            "processor's time, the best of",
            f"{ROUNDS} rounds of {SECONDS:g} s; in brackets the ratio to OpenSpiel, "
            "which is driven from Python.",
            "",
            *write_table(results),
            "",
            *write_findings(results),
            "",
            "## States",
            "",
            "How large a state is, and how many microseconds a copy of it takes. Those "
            "of OpenSpiel and RLCard are objects",
            "of many parts, whose size is not told; that of boardgame.io is told as "
            "JSON, and is never changed, so need not be copied.",
            "",
            *write_states(results),
            "",
            "## What differs",
            "",
            "A random game has so many decisions, with so many moves to choose from "
            "at each:",
            "",
            *write_shapes(results),
            "",
            *rules,
            "- OpenSpiel's own examples ask for the outcomes of chance with how likely "
            "each is, and so do we. Where all are equally",
            "  likely it is quicker to draw from the legal actions: this is told too.",
            "- RLCard's own examples let its environment play with random agents, so "
            "we do. To step through it is quicker:",
            "  this is told too.",
            "- RLCard also writes an observation at every step, and OpenSpiel crosses "
            "from C++ to Python at every step:",
            "  that is how they are used. Numba here plays whole games without Python, "
            "as the program in C does.",
            "- boardgame.io has no card games: ours for it (`benchmarks/boardgame.js`) "
            "are written as its documentation has it.",
            "  They are played by its reducer, as by its own bots, in Node as it is "
            "for production, without undo or network.",
            "- The games written by hand (`benchmarks/limit.c`) know nothing of who",
            "  saw which card, of how a move is refused, or of other rules: the "
            "practical limit.",
            "",
        ]
    )


def main() -> None:
    """Measure, print the table and write the page."""
    parser = argparse.ArgumentParser(description="Compare random playouts with others.")
    parser.add_argument(
        "--boardgame",
        type=Path,
        default=ROOT,
        metavar="FOLDER",
        help="the folder in which npm installed boardgame.io",
    )
    parser.add_argument(
        "--game",
        action="append",
        choices=[shared.name for shared in GAMES],
        help="play this one alone (repeatable), and write no page",
    )
    arguments = parser.parse_args()
    modules = arguments.boardgame.absolute()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        commands = find_programs(Path(folder), modules)
        for shared in GAMES:
            if arguments.game and shared.name not in arguments.game:
                continue
            programs = {
                name: Program(commands[name], shared.name, modules)
                for name in shared.outside
                if name in commands
            }
            found = results[shared.name] = measure(shared, programs)
            say(f"{shared.name} {[f'{n} {m.rate:,.0f}' for n, m in found.items()]}")
    tables = [*write_table(results), "", *write_shapes(results)]
    print("\n".join([*tables, "", *write_findings(results)]))
    if arguments.game:
        return
    page = ROOT / "docs" / "performance.md"
    text = write_page(results, write_versions(modules))
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
