"""Proof by play: random games of a ruleset, and what they show to be wrong.

Game *i* is dealt from the seed of the check and from *i* alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as Chosen
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from ..loader import load
from ..rng import seed_of_game
from ..simulation.statistics import NOTHING, Spread
from ..simulation.summary import show_option
from ..text.errors import Problem, RulesError, sort_problems
from ..text.tree import Mapping, Scalar
from .findings import Finding, Setting, Table
from .proof import place_of
from .rehearsal import Usage, play, play_alike
from .shrinker import Shrinker

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import State

# Games that are played twice to see whether an option changes anything.
_COMPARED: Final = range(20, 200)
_STATES_COMPARED: Final = 2_000
# A larger share of games that reach the limit is worth a warning.
_USUAL_SHARE: Final = 0.02
_HINT: Final = "Is it misspelt, or ruled out by another rule? Or play more games."
_OF_LENGTH: Final = "Random players may need long; if people do not, never mind."
_UNUSED: Final = {
    "row": "row '{name}' never applied",
    "guard": "guard '{name}' never refused a move",
    "case": "{name} was never carried out",
    "step": "step '{name}' was never run",
    "decision": "nobody was ever asked at '{name}'",
    "otherwise": "'otherwise' of '{name}' was never carried out",
    "stuck": "'stuck' of '{name}' was never carried out",
    "scoring line": "scoring line '{name}' never counted",
}


@dataclass
class Played:
    """What the games at one table add up to."""

    table: Table
    games: int = 0
    states: int = 0
    unfinished: int = 0
    lengths: Spread = NOTHING
    longest_seed: int = 0

    def add(self, state: State) -> None:
        """Count a game that has come to its end."""
        if state.decisions > self.lengths.greatest:
            self.longest_seed = state.seed
        self.lengths = self.lengths.add(state.decisions)
        self.unfinished += state.unfinished

    @property
    def share(self) -> float:
        """The share of games that reached the limit."""
        return self.unfinished / self.lengths.count if self.lengths.count else 0.0

    def render(self) -> str:
        """Return the table's line of the report."""
        head = f"  {self.table.render()}: {self.games} games"
        if not self.lengths.count:
            return head
        return (
            f"{head}, {self.states} states; {self.share:.1%} reach the limit; "
            f"the longest takes {self.lengths.greatest} decisions "
            f"(seed {self.longest_seed})"
        )

    def as_json(self) -> dict[str, object]:
        """Return the fields that ``--json`` prints."""
        has_games = self.lengths.count > 0
        return {
            "players": self.table.players,
            "options": dict(self.table.options),
            "games": self.games,
            "ended": self.lengths.count,
            "states": self.states,
            "unfinished": self.unfinished,
            "decisions": {
                "mean": round(self.lengths.mean, 4) if has_games else 0,
                "min": self.lengths.least if has_games else 0,
                "max": self.lengths.greatest if has_games else 0,
            },
            "longest_seed": self.longest_seed if has_games else None,
        }


class Check:
    """Plays the games of a check, one at a time, and collects what they show.

    After any of them the report says what is known so far.
    """

    def __init__(
        self,
        game: Game,
        games: int,
        seed: int,
        tables: Sequence[Table],
    ) -> None:
        """Be ready to play so many games at each table."""
        self.game = game
        self.games = games
        self.seed = seed
        self.tables = tuple(tables)
        self.played: list[Played] = []
        self.found: dict[tuple[str, int], Finding] = {}
        self.refused: list[Table] = []
        self.usage = Usage()
        self.without_effect: list[Problem] = []

    @property
    def total(self) -> int:
        """How many games there are to play."""
        return self.games * len(self.tables)

    def run(self) -> Iterator[None]:
        """Play all games, find short ways to what is wrong, compare options."""
        for table in self.tables:
            try:
                game = self._load(table)
            except RulesError:
                self.refused.append(table)
                continue
            played = Played(table)
            self.played.append(played)
            for index in range(self.games):
                played.games += 1
                self._play(game, seed_of_game(self.seed, index), played)
                yield
            self.usage.take(game)
            self._judge_lengths(game, played)
        for finding in list(self.found.values()):
            self._keep(Shrinker(self._load(finding.table), finding).shrink())
        self._compare_options()

    def _load(self, table: Table) -> Game:
        game = load(
            self.game.path,
            players=table.players,
            options=dict(table.options),
            house_rules=self.game.house_rules,
        )
        return game.watch()

    def _play(self, game: Game, seed: int, played: Played) -> None:
        moves: list[str] = []
        for state, breaches in play(game, seed, moves, self.usage):
            if state is not None:
                played.states += 1
                if state.over:
                    played.add(state)
            for breach in breaches:
                path = (*moves, breach.last) if breach.last else tuple(moves)
                self._keep(Finding(breach.problem, played.table, seed, path))
                return

    def _keep(self, finding: Finding) -> None:
        """Keep a finding if it is new, or shorter than the one known."""
        known = self.found.get(finding.key)
        if known is None or len(finding.moves) < len(known.moves):
            self.found[finding.key] = finding

    def _judge_lengths(self, game: Game, played: Played) -> None:
        """Report that no game at a table comes to an end, save where that is meant."""
        if played.unfinished and played.share == 1 and not _reason_of(game):
            message = f"no game ends within {game.limit} decisions"
            hint = "Say what ends the game, or give it a higher 'limit:'."
            place = place_of(game, "play", "")
            problem = Problem("endless-game", message, place, hint)
            self._keep(Finding(problem, played.table, played.longest_seed, ()))

    def _compare_options(self) -> None:
        """Find options none of whose values changes a game."""
        base = self.tables[0]
        if base in self.refused or any(not item.moves for item in self.findings):
            return
        for option in self.game.option_table:
            present = self.game.options[option.name]
            rest = [
                (name, given) for name, given in base.options if name != option.name
            ]
            for value in option.values():
                if value != present:
                    other = Table(base.players, (*rest, (option.name, value)))
                    self._compare(option.name, value, base, other)

    def _compare(self, name: str, value: Setting, base: Table, other: Table) -> None:
        try:
            one, two = self._load(base), self._load(other)
        except RulesError:
            return
        games = states = 0
        while games < min(self.games, _COMPARED.start) or (
            games < _COMPARED.stop and states < _STATES_COMPARED
        ):
            alike = play_alike(one, two, seed_of_game(self.seed, games))
            if not alike:
                return
            games, states = games + 1, states + alike
        message = (
            f"option '{name}' has no effect: {games} games are the same with "
            f"{show_option(value)}"
        )
        place = place_of(one, "options", name)
        hint = "Use it in a rule; or play more games, if what it changes is rare."
        self.without_effect.append(
            Problem("no-effect", message, place, hint, "warning")
        )

    # What there is to say

    @property
    def findings(self) -> list[Finding]:
        """What does not hold, by its place in the ruleset."""
        problems = sort_problems(item.problem for item in self.found.values())
        by_problem = {item.problem: item for item in self.found.values()}
        return [by_problem[problem] for problem in problems]

    @property
    def notes(self) -> list[Problem]:
        """What an author may want to know: parts of the rules without a use."""
        found = [*self._list_unused(), *self.without_effect, *self._list_long()]
        return sort_problems(dict.fromkeys(found))

    def _list_unused(self) -> Iterator[Problem]:
        times = f"in {sum(played.games for played in self.played)} games"
        for mark in self.usage.list_unused():
            if mark.kind in _UNUSED:
                message = f"{_UNUSED[mark.kind].format(name=mark.name)} {times}"
                yield Problem("never-fired", message, mark.span, _HINT, "warning")
        for name in sorted(self.usage.offered - self.usage.legal):
            message = f"move '{name}' was never legal {times}"
            place = place_of(self.game, "moves", name)
            yield Problem("never-legal", message, place, _HINT, "warning")
        for zone, is_filled in self.usage.filled.items():
            if not is_filled:
                message = f"no card ever came to zone '{zone}' {times}"
                place = place_of(self.game, "zones", zone)
                yield Problem("never-filled", message, place, _HINT, "warning")

    def _list_long(self) -> Iterator[Problem]:
        reason = _reason_of(self.game)
        for played in self.played:
            if played.share == 1 if reason else _USUAL_SHARE < played.share < 1:
                message = (
                    f"{played.unfinished} of {played.lengths.count} games reached the "
                    f"limit of {self.game.limit} decisions"
                )
                place = place_of(self.game, "limit", "")
                hint = f"The ruleset says: {reason}." if reason else _OF_LENGTH
                yield Problem("limit-reached", message, place, hint, "warning")

    def render(self) -> str:
        """Return the report: games, findings, notes and a last line that counts."""
        tables = [played.render() for played in self.played]
        tables += [
            f"  {table.render()}: refused by 'cardrun validate'"
            for table in self.refused
        ]
        findings = [finding.render() for finding in self.findings]
        notes = [note.render() for note in self.notes]
        count = f"{_count(findings, 'finding')}, {_count(notes, 'note')}"
        head = f"{self.game.name}, seed {self.seed}"
        return "\n".join([head, *tables, *findings, *notes, count])

    def as_json(self) -> dict[str, object]:
        """Return the object that ``--json`` prints."""
        return {
            "format": 1,
            "game": self.game.name,
            "file": self.game.path,
            "seed": self.seed,
            "games": sum(played.games for played in self.played),
            "tables": [played.as_json() for played in self.played],
            "refused": [
                {"players": table.players, "options": dict(table.options)}
                for table in self.refused
            ],
            "findings": [finding.as_json() for finding in self.findings],
            "notes": [note.as_json() for note in self.notes],
        }


def list_tables(
    game: Game, chosen: Chosen[str, Setting], counts: Iterable[int], *, is_every: bool
) -> list[Table]:
    """Return the tables to play at: that of the game, or every one of interest.

    These are all of the player counts, every value of each option that is not
    chosen, and every pair of values of two of them.
    """
    fixed = tuple(chosen.items())
    found = [Table(game.players, fixed)]
    if not is_every:
        return found
    found += [Table(count, fixed) for count in counts]
    changes = [
        [(option.name, value) for value in option.values() if value != option.default]
        for option in game.option_table
        if option.name not in chosen
    ]
    for group in (*((values,) for values in changes), *combinations(changes, 2)):
        for values in product(*group):
            found.append(Table(game.players, (*fixed, *values)))
    return list(dict.fromkeys(found))


def _reason_of(game: Game) -> str:
    """Return why games may go on up to the limit, if the ruleset says that they may."""
    limit = game.program.root.get("limit")
    reason = limit.get("because") if isinstance(limit, Mapping) else None
    return reason.text if isinstance(reason, Scalar) else ""


def _count(items: Sequence[object], noun: str) -> str:
    return f"{len(items)} {noun}{'' if len(items) == 1 else 's'}"
