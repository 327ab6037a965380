"""What the cards, piles and values of a scenario mean, and the state they make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..language.layout import Pile, Variable, in_ones, in_parts
from ..rng import Rng
from ..text.errors import Note, Problem, ScenarioError, closest, suggest
from ..text.shape import describe
from ..text.source import Span
from ..text.tree import Node, Scalar, Sequence
from .scenario import YES_NO, Entry, Scenario

if TYPE_CHECKING:
    from ..engine.game import Decision, Game
    from ..engine.state import Placing, State

Value = bool | int | float | str | None

_CARD: Final = re.compile(r"(?:(?P<seat>\d+)\s+)?(?P<down>\()?(?P<name>[^()]+?)\)?")
_SEATS: Final = ("player", "team")


@dataclass(frozen=True, slots=True)
class Placed:
    """A card as a scenario writes it: ``8C``, ``(8C)`` face down, ``1 8C``."""

    name: str
    span: Span
    is_up: bool | None
    played_by: int | None


class Lexicon:
    """Gives the texts of scenarios their meaning in a game; collects problems."""

    def __init__(self, game: Game) -> None:
        """Know a game's cards, piles and variables."""
        self.game = game
        self.problems: list[Problem] = []

    def find_place(self, key: Scalar) -> Pile | Variable | None:
        """Return the pile or variable of a name."""
        layout = self.game.layout
        if place := layout.pile(key.text) or layout.variable(key.text):
            return place
        names = [pile.text for pile in layout.piles]
        names += [variable.text for variable in layout.variables]
        hint = suggest(key.text, names, "piles and variables")
        message = f"no pile or variable '{key.text}' in {self.game.name}"
        self.report("unknown-place", message, key.span, hint)
        return None

    def find_pile(self, name: Scalar) -> Pile | None:
        """Return the pile of a name."""
        pile = self.game.layout.pile(name.text)
        if pile is None:
            names = [pile.text for pile in self.game.layout.piles]
            message = f"no pile '{name.text}' in {self.game.name}"
            hint = suggest(name.text, names, "piles")
            self.report("unknown-place", message, name.span, hint)
        return pile

    def find_decision(self, at: Scalar) -> Decision | None:
        """Return the decision whose path ends with a text."""
        decisions = self.game.decisions
        found = [item for item in decisions if _is_tail(at.text, item.path)]
        if not found:
            found = [item for item in decisions if at.text in item.moves]
        paths = [item.path for item in found or decisions]
        if len(found) == 1:
            return found[0]
        if found:
            listed = ", ".join(f"'{path}'" for path in paths)
            message = f"'{at.text}' is the end of {len(found)} decisions"
            hint = f"Write enough to tell them apart: {listed}."
            self.report("ambiguous-decision", message, at.span, hint)
            return None
        message = f"no decision '{at.text}' in {self.game.name}"
        tails = {path.rpartition(".")[2]: path for path in paths}
        near = [tails[tail] for tail in closest(at.text, tails)]
        hint = f"did you mean '{near[0]}'? " if near else ""
        hint += f"Decisions here: {', '.join(paths)}."
        self.report("unknown-decision", message, at.span, hint)
        return None

    def read_cards(self, node: Sequence, pile: Pile | None) -> list[Placed]:
        """Return the cards of a list; a pile says what facing they may have."""
        found = (self.read_card(item, pile) for item in node.items)
        return [card for card in found if card]

    def read_card(self, node: Node, pile: Pile | None) -> Placed | None:
        """Return a card as the file writes it."""
        match = _CARD.fullmatch(node.text) if isinstance(node, Scalar) else None
        if match is None:
            message = f"expected a card, found {describe(node)}"
            hint = "Write it like 8C, or (8C) for a card that lies face down."
            self.report("wrong-shape", message, node.span, hint)
            return None
        cards = self.game.deck.parse(match["name"])
        if not cards:
            names = {self.game.deck.name(card) for card in range(self.game.deck.size)}
            near = closest(match["name"], names)
            hint = f"did you mean '{near[0]}'?" if near else ""
            message = f"no card '{match['name']}' in this deck"
            self.report("unknown-card", message, node.span, hint)
            return None
        if match["down"] and pile and pile.face == "none":
            message = f"a card of '{pile.text}' has no side that is up"
            self.report("wrong-shape", message, node.span, "Leave out ( and ).")
        seat = int(match["seat"]) if match["seat"] else None
        self._check_seat(seat, node.span)
        is_up = self._read_facing(bool(match["down"]), pile)
        return Placed(self.game.deck.name(cards[0]), node.span, is_up, seat)

    def read_value(self, variable: Variable, node: Node) -> Value:
        """Return what a variable is to hold, as ``state.value`` gives it."""
        text = node.text if isinstance(node, Scalar) else ""
        if text == "none":
            return None
        if variable.kind == "yes/no" and text in YES_NO:
            return YES_NO[text]
        if variable.kind == "number" and re.fullmatch(r"-?\d+(\.\d+)?", text):
            parts = in_parts(float(text), variable.unit)
            if parts is not None:
                return in_ones(parts, variable.unit)
        if variable.kind in _SEATS and text.isdecimal():
            return int(text)
        if variable.kind == "card" and (cards := self.game.deck.parse(text)):
            return self.game.deck.name(cards[0])
        if variable.kind == "pile" and self.game.layout.pile(text):
            return text
        if text and self._is_listed(variable, text):
            return text
        title = variable.kind if variable.kind != "choice" else "one of its names"
        message = f"'{variable.text}' needs {title}, found {describe(node)}"
        hint = suggest(text, variable.choices, "names") if variable.choices else ""
        self.report("wrong-shape", message, node.span, hint)
        return None

    def _is_listed(self, variable: Variable, text: str) -> bool:
        deck = self.game.deck
        listed = {"rank": deck.ranks, "suit": deck.suits, "choice": variable.choices}
        return text in listed.get(variable.kind, ())

    def _read_facing(self, is_down: bool, pile: Pile | None) -> bool | None:
        """Return which side a card shows, or None where that means nothing.

        The cards of the pile that is dealt from are written without ( ).
        """
        if is_down:
            return False
        if pile is None or pile.face == "none":
            return None
        return None if pile == self.game.layout.deck_pile else True

    def _check_seat(self, seat: int | None, span: Span) -> None:
        if seat is not None and not 1 <= seat <= self.game.players:
            message = f"there is no seat {seat} with {self.game.players} players"
            self.report("unknown-seat", message, span)

    def report(self, code: str, message: str, span: Span, hint: str = "") -> None:
        """Keep a problem."""
        self.problems.append(Problem(code, message, span, hint))


def set_up(game: Game, scenario: Scenario) -> State:
    """Return the state that a scenario begins with.

    Raises:
        ScenarioError: Something in the scenario means nothing in this game.
    """
    position = _Position(game, scenario)
    state = position.build()
    if position.problems:
        raise ScenarioError("", position.problems)
    return state


class _Position(Lexicon):
    """One scenario's ``given`` or ``deck`` on the way to a state."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        super().__init__(game)
        self.scenario = scenario
        self.turn: int | None = None
        self.placed: dict[int, list[Placing]] = {}
        self.counts: list[tuple[Pile, int, Span]] = []
        self.values: list[tuple[Variable, Value]] = []
        self.first_use: dict[int, Span] = {}

    def build(self) -> State:
        scenario = self.scenario
        if scenario.deck is not None:
            return self.game.new(scenario.seed, stacked=self._stack(scenario.deck))
        state = self.game.new(scenario.seed)
        if scenario.at is None:
            return state
        self._read_given(scenario.given)
        decision = self.find_decision(scenario.at)
        self._place_rest()
        if decision is None or self.problems:
            return state
        state.arrange(self.placed)
        for variable, value in self.values:
            state.assign(variable, value)
        state.stop_at(decision, self.turn)
        return state

    def _stack(self, cards: Iterable[Scalar]) -> tuple[int, ...]:
        found = [self.read_card(card, None) for card in cards]
        taken = [self._take(card) for card in found if card]
        return tuple(card for card in taken if card is not None)

    def _read_given(self, given: Iterable[Entry]) -> None:
        for key, node in given:
            if key.text == "turn":
                self._read_turn(node)
        for key, node in given:
            if key.text == "turn":
                continue
            place = self.find_place(key)
            if isinstance(place, Pile):
                self._read_pile(place, node)
            elif place is not None:
                self.values.append((place, self.read_value(place, node)))

    def _read_turn(self, node: Node) -> None:
        text = node.text if isinstance(node, Scalar) else ""
        if text.isdecimal() and 1 <= int(text) <= self.game.players:
            self.turn = int(text)
            return
        message = f"'turn' needs a seat, found {describe(node)}"
        self.report("unknown-seat", message, node.span)

    def _read_pile(self, pile: Pile, node: Node) -> None:
        if isinstance(node, Sequence):
            cards = self.read_cards(node, pile)
            self.placed[pile.index] = list(self._attribute(pile, cards))
        elif isinstance(node, Scalar) and node.text.isdecimal():
            self.counts.append((pile, int(node.text), node.span))
        else:
            message = f"'{pile.text}' needs a list of cards, found {describe(node)}"
            hint = "A number stands for that many of the cards not placed."
            self.report("wrong-shape", message, node.span, hint)

    def _attribute(self, pile: Pile, cards: list[Placed]) -> Iterable[Placing]:
        """Yield the cards of a pile, each with the seat that played it.

        In a pile that all share they count as played by the seats before the
        one to act, the last card by the seat just before.
        """
        is_shared = pile.owner is None and pile.face == "up"
        for distance, placed in zip(range(len(cards), 0, -1), cards, strict=True):
            seat = placed.played_by
            if seat is None and is_shared and self.turn is not None:
                back = distance * self.game.layout.step
                seat = (self.turn - 1 - back) % self.game.players + 1
            card = self._take(placed)
            if card is not None:
                yield card, placed.is_up, seat

    def _take(self, placed: Placed) -> int | None:
        """Return a copy of a card that is not yet used; report that none is left."""
        copies = self.game.deck.parse(placed.name)
        free = [card for card in copies if card not in self.first_use]
        if free:
            self.first_use[free[0]] = placed.span
            return free[0]
        many = "" if len(copies) == 1 else f" more than {len(copies)} times"
        message = f"the card {placed.name} is placed{many or ' twice'}"
        note = Note("the first is here", self.first_use[copies[0]])
        self.problems.append(Problem("card-twice", message, placed.span, notes=(note,)))
        return None

    def _place_rest(self) -> None:
        """Put the cards not placed where they belong, at the bottom."""
        deck = range(self.game.deck.size)
        rest = [card for card in deck if card not in self.first_use]
        Rng(self.scenario.seed).shuffle(rest)
        for pile, count, span in self.counts:
            if count > len(rest):
                message = f"'{pile.text}' needs {count} cards, {len(rest)} are left"
                self.report("wrong-shape", message, span)
            self.placed[pile.index] = [(card, None, None) for card in rest[:count]]
            del rest[:count]
        holder = self._find_rest()
        if holder is not None:
            below: list[Placing] = [(card, None, None) for card in rest]
            self.placed[holder.index] = below + self.placed.get(holder.index, [])

    def _find_rest(self) -> Pile | None:
        rest = self.scenario.rest
        if rest is None:
            return self.game.layout.deck_pile
        return None if rest.text == "nowhere" else self.find_pile(rest)


def show_cards(cards: Iterable[tuple[str, bool | None]]) -> str:
    """Return cards with their facing as a scenario writes them."""
    texts = [f"({name})" if is_up is False else name for name, is_up in cards]
    return f"[{', '.join(texts)}]"


def _is_tail(tail: str, path: str) -> bool:
    return path == tail or path.endswith(f".{tail}")


def show_value(value: Value | Mapping[int, float]) -> str:
    """Return a value as a scenario writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
