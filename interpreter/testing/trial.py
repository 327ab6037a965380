"""Run scenarios: make their moves and compare what is there with the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..language.layout import Pile
from ..loader import find_house_rule, load
from ..text.errors import (
    GameFault,
    IllegalMove,
    Problem,
    RulesError,
    ScenarioError,
    UnknownMove,
    UnreadableFile,
)
from ..text.source import Span
from ..text.tree import Node, Scalar, Sequence
from .position import Lexicon, Placed, set_up, show_cards, show_value
from .scenario import YES_NO, Legal, Scenario, ScenarioFile, Step, load_scenarios

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import State


@dataclass(frozen=True, slots=True)
class Failure:
    """One answer of a scenario that the game does not give."""

    span: Span
    step: str
    expected: str
    found: str

    def render(self) -> str:
        """Return the failure as it prints, with its place."""
        place = f"{self.span.source.path}:{self.span.line}:{self.span.column}"
        return "\n".join(
            [
                f"{place}: failed: {self.step}",
                f"   expected: {self.expected}",
                f"   found:    {self.found}",
            ]
        )

    def as_json(self) -> dict[str, str | int]:
        """Return the fields that ``--json`` prints."""
        return {
            "line": self.span.line,
            "column": self.span.column,
            "step": self.step,
            "expected": self.expected,
            "found": self.found,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a scenario holds; without failures and problems it does."""

    path: str
    name: str
    rule: str
    failures: tuple[Failure, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was found wrong."""
        return not self.failures and not self.problems

    def render(self) -> str:
        """Return what is wrong, below the scenario's name."""
        rule = f" ({self.rule})" if self.rule else ""
        parts: list[Problem | Failure] = [*self.problems, *self.failures]
        return "\n".join(
            [f"FAILED {self.name}{rule}", *(part.render() for part in parts)]
        )

    def as_json(self) -> dict[str, object]:
        """Return the fields that ``--json`` prints."""
        return {
            "file": self.path,
            "name": self.name,
            "rule": self.rule,
            "passed": self.passed,
            "failures": [failure.as_json() for failure in self.failures],
            "problems": [problem.as_json() for problem in self.problems],
        }


def run_file(path: Path) -> list[Verdict]:
    """Return a verdict on every scenario of a file.

    A file that cannot be run as it is written is one scenario that fails.

    Raises:
        OSError: The file cannot be read.
    """
    file, problems = load_scenarios(path)
    if file is None:
        return [Verdict(str(path), path.name, "", (), tuple(problems))]
    games: dict[tuple[object, ...], Game] = {}
    return [_run(file, scenario, games) for scenario in file.scenarios]


def _run(
    file: ScenarioFile,
    scenario: Scenario,
    games: dict[tuple[object, ...], Game],
) -> Verdict:
    """Run one scenario; games already loaded are used again."""
    options = tuple((name.text, value.text) for name, value in scenario.options)
    rules = tuple(rule.text for rule in scenario.house_rules)
    key = (scenario.players, options, rules)
    failures: list[Failure] = []
    try:
        if key not in games:
            games[key] = load(
                _find_ruleset(file),
                players=scenario.players,
                options=dict(options),
                house_rules=tuple(_find_rules(file, scenario)),
            )
        trial = _Trial(games[key], scenario)
        failures = trial.run()
        problems = trial.problems
    except (RulesError, ScenarioError) as error:
        problems = [_locate(problem, scenario) for problem in error.problems]
    except UnreadableFile as error:
        problems = [Problem("missing-ruleset", str(error), file.ruleset_span)]
    except GameFault as error:
        failures = [Failure(scenario.span, "start", "a game that goes on", str(error))]
        problems = []
    return Verdict(
        file.path, scenario.name, scenario.rule, tuple(failures), tuple(problems)
    )


def _find_ruleset(file: ScenarioFile) -> Path:
    """Return the ruleset of a file: one as seen from it, else a shipped name."""
    beside = file.ruleset.parent == Path(file.path).parent
    if beside and not file.ruleset.exists():
        return Path(file.ruleset.name)
    return file.ruleset


def _find_rules(file: ScenarioFile, scenario: Scenario) -> Iterator[Path]:
    """Return the house rules of a scenario: beside its file, else shipped ones.

    Raises:
        ScenarioError: There is no such house rule.
    """
    for rule in scenario.house_rules:
        beside = Path(file.path).parent / rule.text
        try:
            yield beside if beside.is_file() else find_house_rule(rule.text)
        except UnreadableFile as error:
            problem = Problem("missing-ruleset", str(error), rule.span)
            raise ScenarioError("", [problem]) from error


def _locate(problem: Problem, scenario: Scenario) -> Problem:
    """Return a problem of what a scenario asks of its ruleset at its place there."""
    asked = ("unknown-option", "wrong-option-value", "wrong-players")
    if problem.code not in asked or problem.span.end:
        return problem
    named = (
        name for name, _ in scenario.options if f"'{name.text}'" in problem.message
    )
    place = next((name.span for name in named), scenario.span)
    return replace(problem, span=place)


class _Trial(Lexicon):
    """One scenario being played and judged."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        super().__init__(game)
        self.scenario = scenario
        self.state: State = set_up(game, scenario)

    def run(self) -> list[Failure]:
        """Return what fails: the first step that does, else all wrong answers."""
        for number, step in enumerate(self.scenario.steps, 1):
            if failure := self._take(number, step):
                return [failure]
        failures = [
            failure
            for legal in self.scenario.legal
            for failure in self._compare_legal(legal)
        ]
        for key, node in self.scenario.then:
            failures += self._compare(key, node)
        return failures

    def _take(self, number: int, step: Step) -> Failure | None:
        """Make a move, or see it refused."""
        title = f"step {number}: {step.render()}"
        try:
            self.state.apply_text(step.text)
        except IllegalMove as error:
            if not step.is_refused:
                return Failure(step.span, title, "a legal move", str(error))
            return _compare_refusal(title, step, error)
        except GameFault as error:
            return Failure(step.span, title, "a game that goes on", str(error))
        if step.is_refused:
            return Failure(step.span, title, "a refusal", "the move is legal")
        return None

    def _compare_legal(self, legal: Legal) -> Iterator[Failure]:
        found = [str(move) for move in self.state.moves(legal.seat)]
        title = f"legal: moves of player {legal.seat}"
        included, unknown = self._name_moves(legal.seat, legal.includes)
        excluded, more = self._name_moves(legal.seat, legal.excludes)
        for text in (*unknown, *more):
            expected = f"a move of {self.game.name}"
            yield Failure(text.span, title, expected, f"'{text.text}' names no move")
        missing = [move for move in included if move not in found]
        extra = [
            move
            for move in found
            if move in excluded or (legal.is_whole and move not in included)
        ]
        if missing or extra:
            parts = [("missing", missing), ("too many", extra)]
            note = "; ".join(
                f"{name}: {', '.join(moves)}" for name, moves in parts if moves
            )
            expected = _show_expected(legal, included, excluded)
            yield Failure(legal.span, title, expected, f"{_list(found)} ({note})")

    def _name_moves(
        self, seat: int, texts: tuple[Scalar, ...]
    ) -> tuple[list[str], list[Scalar]]:
        """Return moves in their own spelling, and the texts that name none."""
        names, unknown = [], []
        for text in texts:
            try:
                names.append(str(self.state.parse(seat, text.text)))
            except UnknownMove:
                unknown.append(text)
        return names, unknown

    def _compare(self, key: Scalar, node: Node) -> Iterator[Failure]:
        """Compare one answer of ``then``."""
        special: dict[str, Callable[[Node], tuple[str, str] | None]] = {
            "over": self._compare_over,
            "winner": self._compare_winner,
            "turn": self._compare_turn,
            "stuck": self._compare_stuck,
            "scores": self._compare_scores,
        }
        if key.text in special:
            wrong = special[key.text](node)
        elif key.text.startswith("size(") and key.text.endswith(")"):
            wrong = self._compare_size(key, node)
        else:
            wrong = self._compare_place(key, node)
        if wrong:
            yield Failure(key.span, f"then: {key.text}", *wrong)

    def _compare_over(self, node: Node) -> tuple[str, str] | None:
        return self._compare_yes_no(node, self.state.over)

    def _compare_stuck(self, node: Node) -> tuple[str, str] | None:
        return self._compare_yes_no(node, self.state.stuck)

    def _compare_yes_no(self, node: Node, found: bool) -> tuple[str, str] | None:
        text = node.text if isinstance(node, Scalar) else ""
        if text not in YES_NO:
            self.report("wrong-shape", "expected yes or no", node.span)
            return None
        return _differ(show_value(YES_NO[text]), show_value(found))

    def _compare_winner(self, node: Node) -> tuple[str, str] | None:
        items = node.items if isinstance(node, Sequence) else (node,)
        seats = [item.text for item in items if isinstance(item, Scalar)]
        result = self.state.result
        winners = sorted(map(str, result.winners)) if result else []
        found = " ".join(winners) or ("nobody" if result else "the game is not over")
        return _differ(" ".join(sorted(seats)), found)

    def _compare_turn(self, node: Node) -> tuple[str, str] | None:
        expected = node.text if isinstance(node, Scalar) else "a seat"
        return _differ(expected, _list([str(seat) for seat in self.state.to_act]))

    def _compare_scores(self, node: Node) -> tuple[str, str] | None:
        wanted = {
            key.text: value.text
            for key, value in getattr(node, "entries", ())
            if isinstance(value, Scalar)
        }
        result = self.state.result
        if result is None:
            return _show_scores(wanted), "the game is not over"
        scores = {str(seat): score for seat, score in result.scores.items()}
        found = {seat: show_value(scores.get(seat)) for seat in wanted}
        return _differ(_show_scores(wanted), _show_scores(found))

    def _compare_size(self, key: Scalar, node: Node) -> tuple[str, str] | None:
        name = Scalar(key.text[5:-1].strip(), key.at(5, len(key.text) - 1))
        pile = self.find_pile(name)
        if pile is None:
            return None
        expected = node.text if isinstance(node, Scalar) else "a number"
        return _differ(expected, str(len(self.state.cards(pile.index))))

    def _compare_place(self, key: Scalar, node: Node) -> tuple[str, str] | None:
        place = self.find_place(key)
        if place is None:
            return None
        if isinstance(place, Pile):
            return self._compare_pile(place, node)
        expected = self.read_value(place, node)
        return _differ(show_value(expected), show_value(self.state.value(place)))

    def _compare_pile(self, pile: Pile, node: Node) -> tuple[str, str] | None:
        if not isinstance(node, Sequence):
            message = f"'{pile.text}' needs a list of cards"
            hint = f"For a number of cards write size({pile.text})."
            self.report("wrong-shape", message, node.span, hint)
            return None
        wanted = self.read_cards(node, pile)
        cards = list(self.state.cards(pile.index))
        if pile.sorted:
            cards, wanted = sorted(cards), sorted(wanted, key=self._order)
        players = any(card.played_by for card in wanted)
        expected = show_cards(_describe(card, players) for card in wanted)
        has_face = any(card.is_up is not None for card in wanted)
        found = show_cards(
            (self._name(card, players), self.state.face_up(card) if has_face else None)
            for card in cards
        )
        return _differ(expected, found)

    def _order(self, placed: Placed) -> int:
        return self.game.deck.parse(placed.name)[0]

    def _name(self, card: int, with_player: bool) -> str:
        name = self.game.deck.name(card)
        return f"{self.state.played_by(card)} {name}" if with_player else name


def _compare_refusal(title: str, step: Step, error: IllegalMove) -> Failure | None:
    """Return what is wrong about a refusal, if anything is."""
    reason = error.because or str(error)
    if isinstance(error, UnknownMove) != step.is_unknown:
        expected = "no such move" if step.is_unknown else "a move that is refused"
        return Failure(step.span, title, expected, str(error))
    if step.because.casefold() not in reason.casefold():
        return Failure(step.span, title, f"because: {step.because}", reason)
    return None


def _differ(expected: str, found: str) -> tuple[str, str] | None:
    """Return both texts if they are not the same."""
    return None if expected == found else (expected, found)


def _describe(placed: Placed, with_player: bool) -> tuple[str, bool | None]:
    name = f"{placed.played_by} {placed.name}" if with_player else placed.name
    return name, placed.is_up


def _show_expected(legal: Legal, included: list[str], excluded: list[str]) -> str:
    if legal.is_whole:
        return _list(included)
    parts = {"among them": included, "without": excluded}
    return "; ".join(
        f"{name}: {_list(moves)}" for name, moves in parts.items() if moves
    )


def _show_scores(scores: dict[str, str]) -> str:
    return ", ".join(f"{seat}: {score}" for seat, score in sorted(scores.items()))


def _list(texts: list[str]) -> str:
    return ", ".join(texts) or "nothing"
