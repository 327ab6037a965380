"""What a batch of games shows, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from textwrap import wrap
from typing import Final

from ..engine.game import Game
from ..language.layout import in_ones
from .simulate import Batch, Outcome, Pairs
from .statistics import Spread, estimate_share
from .tally import WIN, Example, Totals

# The kinds of parts whose uses are worth telling, and what they are called.
PARTS: Final = {"scoring line": "scoring_lines", "row": "rows"}
_LEAST_SHARE: Final = 100  # openings that fewer than one in so many games reach


@dataclass(frozen=True, slots=True)
class Use:
    """How often a move or a part of the rules was used in all games."""

    name: str
    times: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The outcome of a batch, as it prints."""

    game: Game
    batch: Batch
    totals: Totals
    seconds: float
    backend: str = "python"
    label: str = ""
    earlier: int | float = 0  # decisions made before the run that took the seconds

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.totals.games

    @property
    def speed(self) -> float:
        """Decisions a second in this run, all workers together."""
        made = self.totals.decisions.total - self.earlier
        return made / self.seconds if self.seconds else 0.0

    @property
    def title(self) -> str:
        """The game with its players and options."""
        options = "".join(
            f", {name}={show_option(value)}" for name, value in self.batch.options
        )
        return f"{self.game.name}, {self.batch.players} players{options}"

    @property
    def has_scores(self) -> bool:
        """Tell whether the result ranks by a number, and not by who won alone."""
        return self.game.program.ranked_by != ""

    @property
    def moves(self) -> list[Use]:
        """How often each move was made, most often first."""
        return _sort_uses(zip(self.game.move_names, self.totals.moves, strict=False))

    def parts(self, kind: str) -> list[Use]:
        """Return how often each part of a kind was used, most often first."""
        marks = zip(self.game.program.marks, self.totals.marks, strict=False)
        times: dict[str, int] = {}
        for mark, count in marks:
            if mark.kind == kind:
                times[mark.name] = times.get(mark.name, 0) + count
        return _sort_uses(times.items())

    @property
    def openings(self) -> list[tuple[int, float]]:
        """For each decision that enough games reach: how many, and legal moves."""
        least = max(self.games / _LEAST_SHARE, 1)
        pairs = self.totals.openings
        return [(games, moves / games) for games, moves in pairs if games >= least]

    def scores(self, seat: int) -> Spread:
        """Return the scores of a seat, in ones."""
        return self.totals.seats[seat - 1].scores.divide(self.game.unit)

    def wins(self, seat: int) -> tuple[float, float, float]:
        """Return the share of games that a seat won, and its interval."""
        wins = self.totals.seats[seat - 1].wins / WIN
        low, high = estimate_share(wins, self.totals.finished)
        return _divide(wins, self.totals.finished), low, high

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """What else the games were played under, where it is not as usual."""
        batch, found = self.batch, []
        if self.game.house_rules:
            names = (Path(path).stem for path in self.game.house_rules)
            found.append(("house rules", ", ".join(names)))
        if "ismcts" in batch.bots:
            found.append(("level", batch.level))
        if batch.reactions:
            times = (f"{time.mean}:{time.spread}" for time in batch.reactions)
            found.append(("reactions", f"{', '.join(times)} ms"))
        return found

    @property
    def examples(self) -> list[tuple[str, tuple[Example, ...], str]]:
        """Games worth looking at by what they are, and by what that is measured.

        Where all are as long, none is long or short.
        """
        found, lengths = self.totals.examples, self.totals.decisions
        listed = []
        if lengths.least < lengths.greatest:
            listed.append(("longest", found.longest, "decisions"))
            listed.append(("shortest", found.shortest, "decisions"))
        if self.has_scores:
            listed.append(("closest", found.closest, "margin"))
        return listed

    def as_json(self) -> dict[str, object]:
        """Return the object that ``--json`` prints."""
        totals, games = self.totals, self.games
        return {
            "format": 1,
            "game": self.game.name,
            "file": self.batch.path,
            "players": self.batch.players,
            "options": dict(self.batch.options),
            "house_rules": list(self.game.house_rules),
            "level": self.batch.level,
            "games": games,
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
            "lead_changes": _show_spread(totals.leads),
            "moves": _show_uses(self.moves, games),
            **{key: _show_uses(self.parts(kind), games) for kind, key in PARTS.items()},
            "openings": [
                {"games": games, "moves": round(moves, 4)}
                for games, moves in self.openings
            ],
            "examples": {
                "longest": self._show_examples(totals.examples.longest, "decisions"),
                "shortest": self._show_examples(totals.examples.shortest, "decisions"),
                "closest": self._show_examples(totals.examples.closest, "margin"),
            },
            "seconds": round(self.seconds, 3),
            "decisions_per_second": round(self.speed),
            "backend": self.backend,
        }

    def _show_seat(self, seat: int) -> dict[str, object]:
        share, low, high = self.wins(seat)
        scores = self.scores(seat)
        return {
            "seat": seat,
            "bot": self.batch.bots[seat - 1],
            "reaction": self._show_reaction(seat),
            "wins": share,
            "wins_low": round(low, 4),
            "wins_high": round(high, 4),
            "score_mean": round(scores.mean, 4) if scores.count else None,
            "score_sd": round(scores.deviation, 4) if scores.count else None,
            "score_min": scores.least if scores.count else None,
            "score_max": scores.greatest if scores.count else None,
        }

    def _show_reaction(self, seat: int) -> dict[str, int] | None:
        if not self.batch.reactions:
            return None
        time = self.batch.reactions[seat - 1]
        return {"mean": time.mean, "sd": time.spread}

    def _show_examples(
        self, examples: Sequence[Example], measure: str
    ) -> list[dict[str, object]]:
        return [
            {"seed": e.seed, "game": e.game, measure: self.measure(e, measure)}
            for e in examples
        ]

    def measure(self, example: Example, measure: str) -> int | float:
        """Return what a game is remarkable for: its decisions, or its margin."""
        if measure == "decisions":
            return abs(example.measure)
        return in_ones(example.measure, self.game.unit)

    def render(self) -> str:
        """Return the outcome in words and tables."""
        totals, batch = self.totals, self.batch
        branching = _divide(totals.branching, totals.decisions.total)
        at_choices = _divide(totals.choices_branching, totals.choices.total)
        return "\n".join(
            [
                f"{self.title}, {self.games} games, seed {batch.seed}",
                *(f"  {name:<13}  {value}" for name, value in self.conditions),
                f"  finished       {totals.finished}",
                f"  unfinished     {totals.unfinished}",
                f"  decisions      {describe_spread(totals.decisions)}",
                f"  choices        {describe_spread(totals.choices)}",
                f"  legal moves    {branching:.2f} at a decision, {at_choices:.2f} "
                f"at a choice, at most {totals.most}",
                f"  lead changes   {describe_spread(totals.leads)}",
                f"  shared wins    {_divide(totals.ties, totals.finished):.1%}",
                *self._render_speed(),
                "",
                "  seat  bot       wins  95 % interval     score (sd; least to most)",
                *(self._render_seat(seat) for seat in range(1, batch.players + 1)),
                "",
                *(f"  {sentence}" for sentence in self.say_wins()),
                *self._render_uses("move", self.moves),
                *self._render_uses("scoring line", self.parts("scoring line")),
                *self._render_uses("row in force", self.parts("row")),
                *self._render_examples(),
            ]
        )

    def _render_speed(self) -> list[str]:
        if not self.speed:
            return []
        speed = f"{self.speed:,.0f} decisions a second ({self.backend})"
        return [f"  speed          {speed}"]

    def _render_seat(self, seat: int) -> str:
        share, low, high = self.wins(seat)
        return (
            f"  {seat:>4}  {self.batch.bots[seat - 1]:<8} {share:>6.1%}  "
            f"{low:>5.1%} to {high:>6.1%}   {_describe_score(self.scores(seat))}"
        ).rstrip()

    def say_wins(self) -> list[str]:
        """Return in words whether a seat has more or less than an even share."""
        game = self.game
        if not self.totals.finished:
            return ["No game was finished, so nothing is known of who wins."]
        if len(game.teams) == 1:
            return ["All play together, so there is no share to compare."]
        fair = 1 / len(game.teams)
        told = []
        for team in game.teams:
            share, low, high = self.wins(team[0])
            if low <= fair <= high:
                continue
            *before, last = map(str, team)
            seats = f"{', '.join(before)} and {last}" if before else last
            who = f"Seats {seats} win" if team[1:] else f"Seat {seats} wins"
            word = "more" if share > fair else "less"
            told.append(
                f"{who} clearly {word} than an even share of {fair:.1%}: "
                f"{share:.1%} ({low:.1%} to {high:.1%})."
            )
        if not told:
            told = [
                f"No seat wins clearly more or less than an even share, {fair:.1%}."
            ]
        if self.totals.ties:
            told.append("Shared wins are split, so the intervals are approximate.")
        return told

    def _render_uses(self, head: str, uses: Sequence[Use]) -> list[str]:
        if not uses or not self.games:
            return []
        width = max(len(head), *(len(use.name) for use in uses))
        lines = [
            f"  {use.name:<{width}}  {use.times / self.games:>8.3f}" for use in uses
        ]
        return ["", f"  {head:<{width}}    a game", *lines]

    def _render_examples(self) -> list[str]:
        lines = []
        for name, found, measure in self.examples:
            if found:
                told = (f"{e.seed}\xa0({self.measure(e, measure):g})" for e in found)
                head = f"  {name:<9} {measure:<9}  "
                lines += wrap(
                    ", ".join(told),
                    79,
                    initial_indent=head,
                    subsequent_indent=" " * len(head),
                )
        lines = [line.replace("\xa0", " ") for line in lines]
        return ["", "  Seeds of games to look at", *lines] if lines else []


@dataclass(frozen=True, slots=True)
class Difference:
    """How one number of a batch differs from that of the first: its mean, and error.

    The error is half the 95 % interval, of the differences game by game.
    """

    name: str
    first: float
    other: float
    mean: float
    error: float

    @property
    def is_clear(self) -> bool:
        """Tell whether the interval leaves no difference out."""
        return abs(self.mean) > self.error

    @property
    def is_known(self) -> bool:
        """Tell whether there are enough pairs for an interval."""
        return isfinite(self.error)

    @property
    def interval(self) -> tuple[float, float]:
        """The ends of the interval."""
        return self.mean - self.error, self.mean + self.error

    def as_json(self) -> dict[str, object]:
        """Return the difference as ``--json`` prints it."""
        low, high = self.interval
        return {
            "what": self.name,
            "first": round(self.first, 4),
            "other": round(self.other, 4),
            "difference": round(self.mean, 4),
            "low": round(low, 4) if self.is_known else None,
            "high": round(high, 4) if self.is_known else None,
        }

    def render(self, width: int) -> str:
        """Return the line that tells it, in columns so wide."""
        low, high = self.interval
        told = f"{low:+.3f} to {high:+.3f}" if self.is_known else "too few pairs"
        perhaps = "" if self.is_clear or not self.is_known else "  (perhaps none)"
        return (
            f"  {self.name:<14}  {self.first:>{width}.3f}  {self.other:>{width}.3f}"
            f"  {self.mean:>+10.3f}, {told}{perhaps}"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several batches on the same deals."""

    summaries: tuple[Summary, ...]
    outcome: Outcome

    def differences(self, index: int) -> list[Difference]:
        """Return how a batch differs from the first one, on the same deals."""
        first, other = self.summaries[0], self.summaries[index]
        pairs = self.outcome.pairs[index - 1]
        found = [
            _differ(
                "decisions",
                first.totals.decisions.mean,
                other.totals.decisions.mean,
                pairs.decisions,
            )
        ]
        return found + list(self._seat_differences(first, other, pairs))

    def _seat_differences(
        self, first: Summary, other: Summary, pairs: Pairs
    ) -> Iterator[Difference]:
        unit = first.game.unit * other.game.unit
        for seat, (wins, scores) in enumerate(
            zip(pairs.wins, pairs.scores, strict=True), 1
        ):
            yield _differ(
                f"seat {seat} wins",
                first.wins(seat)[0],
                other.wins(seat)[0],
                wins.divide(WIN),
            )
            if not (first.has_scores and other.has_scores):
                continue
            yield _differ(
                f"seat {seat} score",
                first.scores(seat).mean,
                other.scores(seat).mean,
                scores.divide(unit),
            )

    def as_json(self) -> dict[str, object]:
        """Return the object that ``--json`` prints."""
        return {
            "format": 1,
            "runs": [
                {"label": summary.label, **summary.as_json()}
                for summary in self.summaries
            ],
            "differences": [
                {
                    "first": self.summaries[0].label,
                    "other": self.summaries[index].label,
                    "pairs": self.outcome.pairs[index - 1].decisions.count,
                    "of": [found.as_json() for found in self.differences(index)],
                }
                for index in range(1, len(self.summaries))
            ],
        }

    def render(self) -> str:
        """Return all outcomes, and then how they differ."""
        parts = [summary.render() for summary in self.summaries]
        parts += [
            "\n".join(self._render_differences(index))
            for index in range(1, len(self.summaries))
        ]
        return "\n\n".join(parts)

    def _render_differences(self, index: int) -> Iterator[str]:
        first, other = self.summaries[0].label, self.summaries[index].label
        pairs = self.outcome.pairs[index - 1].decisions.count
        width = max(12, len(first), len(other))
        yield f"{other}, compared with {first}: {pairs} pairs on the same deals"
        heads = f"{first:>{width}}  {other:>{width}}"
        yield f"  {'':<14}  {heads}  difference, 95 % interval"
        found = self.differences(index)
        yield from (difference.render(width) for difference in found)
        yield ""
        yield from (f"  {sentence}" for sentence in self.say_differences(index))

    def say_differences(self, index: int) -> list[str]:
        """Return in words how a batch differs from the first one."""
        length, *rest = self.differences(index)
        if not length.is_known:
            return ["There are too few pairs of finished games to tell a difference."]
        wins = [found for found in rest if found.name.endswith("wins")]
        return [_say_length(length), *_say_wins(wins)]


def summarise(
    batches: Sequence[tuple[str, Game, Batch]],
    outcome: Outcome,
    seconds: float,
    backend: str,
    before: Outcome | None = None,
) -> Summary | Comparison:
    """Return what an outcome shows: of one batch, or of several compared.

    What had come out before was not played in these seconds.
    """
    earlier: list[int | float] = [0] * len(outcome.totals)
    if before is not None:
        earlier = [totals.decisions.total for totals in before.totals]
    summaries = tuple(
        Summary(game, batch, totals, seconds, backend, label, made)
        for (label, game, batch), totals, made in zip(
            batches, outcome.totals, earlier, strict=True
        )
    )
    return summaries[0] if len(summaries) == 1 else Comparison(summaries, outcome)


def _say_length(found: Difference) -> str:
    """Return in words whether games are longer, and by how much."""
    low, high = found.interval
    if not found.is_clear:
        if low == high:
            return "Games are as long."
        return (
            "Games may be as long: the difference is between "
            f"{low:+,.1f} and {high:+,.1f} decisions."
        )
    word = "longer" if found.mean > 0 else "shorter"
    least, most = sorted((abs(low), abs(high)))
    share = f", {abs(found.mean) / found.first:.0%}" if found.first else ""
    return (
        f"Games are {word}: by {abs(found.mean):,.1f} decisions{share} "
        f"(between {least:,.1f} and {most:,.1f})."
    )


def _say_wins(wins: Sequence[Difference]) -> list[str]:
    """Return in words which seats win more or less often."""
    clear = [found for found in wins if found.is_clear]
    if not clear:
        return ["No seat clearly wins more or less often."]
    told = []
    for found in clear:
        low, high = found.interval
        word = "more" if found.mean > 0 else "less"
        told.append(
            f"{found.name.removesuffix(' wins').capitalize()} wins {word} often: "
            f"{found.other:.1%} instead of {found.first:.1%} "
            f"(a difference between {low:+.1%} and {high:+.1%})."
        )
    return told


def _differ(name: str, first: float, other: float, pairs: Spread) -> Difference:
    return Difference(name, first, other, pairs.mean, pairs.error)


def _sort_uses(uses: Iterable[tuple[str, int]]) -> list[Use]:
    found = [Use(name, times) for name, times in uses]
    return sorted(found, key=lambda use: -use.times)


def _show_uses(uses: Sequence[Use], games: int) -> dict[str, dict[str, float]]:
    return {
        use.name: {"times": use.times, "a_game": _divide(use.times, games)}
        for use in uses
    }


def _divide(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def _show_spread(spread: Spread) -> dict[str, float]:
    return {
        "mean": round(spread.mean, 4),
        "sd": round(spread.deviation, 4),
        "min": spread.least if spread.count else 0,
        "max": spread.greatest if spread.count else 0,
    }


def describe_spread(spread: Spread) -> str:
    """Return mean, deviation and range in words."""
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
        f"{scores.least:g} to {scores.greatest:g})"
    )


def show_option(value: bool | int | str) -> str:
    """Return the value of an option as a ruleset writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
