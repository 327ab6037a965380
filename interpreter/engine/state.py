"""One position of a game: who may act, what is legal, what each seat may know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import basename
from typing import TYPE_CHECKING, Any, Final

from ..language.declarations import is_number
from ..language.layout import Pile, Variable, cards_of, in_ones
from ..language.parts import Part
from ..language.refusals import MOST_FILLED
from ..rng import Rng
from ..text.errors import GameFault, IllegalMove, Problem, UnknownMove, closest, suggest
from ..text.source import Span

if TYPE_CHECKING:
    from ..language.decisions import Decision
    from .game import Game

# What the emitted code may find wrong with the rules: code and message.
FAULTS: Final = {
    0: ("dead-decision", "nobody who is to act has a legal move"),
    1: ("endless-script", "a loop of the script never ends"),
    2: ("no-room-for-pile", "there is no room for a new pile"),
    3: ("too-many-legal-moves", "there are too many legal moves at once"),
    5: ("range-too-large", "a loop goes over more than 1000 numbers"),
    4: ("stuck-in-vain", "the stuck script leaves everything as it was"),
}

Placing = tuple[int, bool | None, int | None]
# Puts a text into other words, such as those of another language.
Words = Callable[[str], str]
_UNFINISHED: Final = 2
_FAULT: Final = 3


@dataclass(frozen=True, slots=True)
class Move:
    """A move: its name, and its parts as they are written."""

    name: str
    args: tuple[str, ...]
    row: tuple[int, ...]

    def __str__(self) -> str:
        """Return the text form: ``play 8C centre.2``."""
        return " ".join((self.name, *self.args))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not legal: the rule's name, its reason and where it is written."""

    rule: str
    because: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: scores, places (1 is best) and scoring lines by seat."""

    winners: tuple[int, ...]
    scores: dict[int, int | float]
    places: dict[int, int]
    unfinished: bool
    lines: dict[str, dict[int, int | float]]


class State:
    """A game as it stands. Copies share nothing."""

    __slots__ = ("game", "seed", "vector")

    def __init__(self, game: Game, seed: int, vector: list[int]) -> None:
        """Hold a vector; use ``Game.new`` to begin a game."""
        self.game = game
        self.seed = seed
        self.vector = vector

    def __eq__(self, other: object) -> bool:
        """Compare all that counts: not the scratch space."""
        if not isinstance(other, State):
            return NotImplemented
        if self.game is not other.game:
            return False
        return all(
            self.vector[start:end] == other.vector[start:end]
            for start, end in self.game.layout.find_kept(0)
        )

    __hash__ = None  # type: ignore[assignment]  # states change

    def copy(self) -> State:
        """Return a state that goes its own way."""
        return State(self.game, self.seed, self.vector[:])

    def _slot(self, name: str) -> int:
        return self.vector[self.game.layout.slots[name]]

    # Who may act, and how

    @property
    def over(self) -> bool:
        """Tell whether the game has ended, finished or not."""
        return self._slot("over") != 0

    @property
    def unfinished(self) -> bool:
        """Tell whether the game ended at its limit of decisions."""
        return self._slot("over") == _UNFINISHED

    @property
    def decisions(self) -> int:
        """Return how many decisions have been made."""
        return self._slot("made")

    @property
    def decision(self) -> Decision | None:
        """Return what the game waits for."""
        return None if self.over else self.game.decisions[self._slot("decision")]

    @property
    def to_act(self) -> tuple[int, ...]:
        """Return the seats that may act now, from 1. In a race: all its players."""
        if self.over:
            return ()
        mask = self._slot("to_act")
        return tuple(s + 1 for s in range(self.game.players) if mask >> s & 1)

    def moves(self, seat: int) -> tuple[Move, ...]:
        """Return a seat's legal moves, in the order that the language documents."""
        if seat not in self.to_act:
            return ()
        game = self.game
        width = game.row_width
        with game.lend_buffer() as buffer:
            count = game.legal(self.vector, seat - 1, buffer)
            self.check()
            rows = [
                tuple(buffer[at : at + width]) for at in range(0, count * width, width)
            ]
        return tuple(game.read_move(row, seat) for row in rows)

    def apply(self, seat: int, move: Move) -> None:
        """Make a move.

        Raises:
            IllegalMove: It is not among the legal ones; nothing has changed.
            GameFault: The rules lead to a dead end, with the seed that shows it.
        """
        if move not in self.moves(seat):
            refusal = self.refusal(seat, move)
            rule, because, place = ("", "", "")
            if refusal is not None:
                rule, because, place = refusal.rule, refusal.because, refusal.place
            raise IllegalMove(f"{seat} {move}: {because}", rule, because, place)
        self.make(seat, move)

    def make(self, seat: int, move: Move) -> None:
        """Make a move that is known to be legal: one of those that ``moves`` returns.

        Raises:
            GameFault: The rules lead to a dead end, with the seed that shows it.
        """
        row = list(move.row) + [0] * self.game.row_width
        self.game.apply(self.vector, seat - 1, row, 0)
        self.check()

    def check(self) -> None:
        """Report a fault of the ruleset that the game has run into."""
        if self._slot("over") == _FAULT:
            raise self.fault(self._slot("fault"))

    def fault(self, number: int) -> GameFault:
        """Return a fault of the ruleset at the last decision, by its number."""
        code, message = FAULTS[number]
        program = self.game.program
        place = program.root.span
        if program.decisions:
            last = program.decisions[self._slot("decision")]
            place, message = last.span, f"{message} (last asked: '{last.path}')"
        problem = Problem(code, message, place)
        return GameFault(f"{message} (seed {self.seed})", self.seed, [problem])

    def apply_text(self, text: str) -> None:
        """Make a move written with its seat: ``1 play 8C centre.2``.

        Raises:
            IllegalMove: The move is not legal.
            UnknownMove: The text names no move.
        """
        seat, _, rest = text.strip().partition(" ")
        if not is_number(seat) or not 1 <= int(seat) <= self.game.players:
            seats = f"a seat from 1 to {self.game.players}"
            raise UnknownMove(f"'{text}' does not begin with {seats}", "unknown-move")
        self.apply(int(seat), self.parse(int(seat), rest))

    # Texts of moves

    def parse(self, seat: int, text: str) -> Move:
        """Return the move that a text names, legal or not.

        Raises:
            UnknownMove: The text names none.
        """
        words = text.split()
        compiled = self.game.moves_by_name.get(words[0].lower() if words else "")
        if compiled is None:
            word = words[0] if words else ""
            hint = suggest(word, list(self.game.moves_by_name), "moves")
            raise UnknownMove(f"there is no move '{word}': {hint}", "unknown-move")
        values: list[int] = []
        rest = words[1:]
        for index, part in enumerate(compiled.parts):
            later = compiled.parts[index + 1 :]
            value, used = self._parse_part(part, rest, later, seat)
            if value is None:
                message = f"'{compiled.name}' {_tell_missing(part, rest)}"
                raise UnknownMove(message, "unknown-move")
            values.append(value)
            rest = rest[used:]
        if rest:
            message = f"'{' '.join(rest)}' is too much for '{compiled.name}'"
            raise UnknownMove(message, "unknown-move")
        move = self.game.read_move((compiled.number, *values), seat)
        return self._with_legal_copies(seat, move)

    def _with_legal_copies(self, seat: int, move: Move) -> Move:
        """Return the legal move that reads the same, where cards have copies."""
        if self.game.deck.copies == 1 or seat not in self.to_act:
            return move
        alike = (it for it in self.moves(seat) if self._same_faces(move, it))
        return next(alike, move)

    def _parse_part(
        self, part: Part, words: list[str], later: Sequence[Part], seat: int
    ) -> tuple[int | None, int]:
        """Return the number that some words stand for, and how many they are.

        Where more cards are to be chosen from elsewhere, those of one pile go
        together.
        """
        if part.form == "cards":
            mask = used = 0
            pile: int | None = None
            for word in words[: len(words) - len(later)]:
                copies = [c for c in self.game.deck.parse(word) if not mask >> c & 1]
                if not copies:
                    break
                card = self._nearest(copies, seat)
                place = self._known_pile(card, seat)
                if used and place != pile and any(p.form == "cards" for p in later):
                    break
                pile = place
                mask |= 1 << card
                used += 1
            return (mask if used else None), used
        found = None
        if words:
            found = self.game.part_value(part, words[0], seat, self._nearest)
        if found is None and part.may_lack:
            return -1, 0
        return found, 1

    def _known_pile(self, card: int, seat: int) -> int | None:
        """Return the pile of a card that a seat knows, or None."""
        slots = self.game.layout.slots
        if self.vector[slots["known"] + card] >> (seat - 1) & 1:
            return self.vector[slots["where"] + card]
        return None

    def _nearest(self, cards: Iterable[int], seat: int) -> int:
        """Return of equal cards the first of a seat's own that it knows, or the first.

        Of its own cards some may lie where the seat cannot see them, too.
        """
        found = list(cards)
        piles = self.game.layout.piles
        where = self.game.layout.slots["where"]
        for card in found:
            is_own = piles[self.vector[where + card]].owner == seat
            if is_own and self._known_pile(card, seat) is not None:
                return card
        return found[0]

    def label(self, seat: int, move: Move, words: Words = str) -> str:
        """Return what people call a legal move; its words if it has no label.

        Args:
            seat: Who makes it.
            move: The move.
            words: Puts a text of the rules, placeholders and all, into other words.
        """
        game = self.game
        compiled = game.moves_by_name[move.name]
        parts = {
            part.name: " ".join(self._read_part(part, value, seat, words))
            for part, value in zip(compiled.parts, move.row[1:], strict=False)
        }
        if not compiled.label:
            return " ".join(
                [move.name.replace("_", " "), *filter(None, parts.values())]
            )
        filled = [0] * MOST_FILLED
        if any(kind not in ("text", "part") for kind, _ in compiled.label):
            fill = game.machine.function(f"label_{move.name}")
            fill(self.vector, seat - 1, list(move.row), 0, filled)
        return " ".join(game.fill_text(compiled.label, filled, parts, words).split())

    def _read_part(
        self, part: Part, value: int, seat: int, words: Words
    ) -> Iterator[str]:
        """Yield a part of a move as people call it: a choice in words of its own."""
        for text in self.game.part_text(part, value, seat):
            name = text.replace("_", " ")
            yield words(name) if part.form == "choice" else text

    def refusal(self, seat: int, move: Move, words: Words = str) -> Refusal | None:
        """Return why a move is not legal, or None if it is.

        Args:
            seat: Who would make it.
            move: The move.
            words: Puts a text of the rules, placeholders and all, into other words.
        """
        if self.over:
            return Refusal("not-allowed-now", words("the game is over"))
        decision = self.decision
        assert decision is not None
        if seat not in self.to_act:
            return Refusal("not-your-turn", words("it is not your turn"))
        reason = self._broken_rule(seat, move, words)
        if move.name not in decision.moves:
            because = words("'{move}' is not possible now").format(move=move.name)
            if reason is None:
                return Refusal("not-allowed-now", because)
            because += f": {reason.because}"
            return Refusal("not-allowed-now", because, reason.place)
        if reason is not None:
            return reason
        legal = self.moves(seat)
        if any(self._same_faces(move, known) for known in legal):
            return None
        compiled = self.game.moves_by_name[move.name]
        names = {known.name for known in legal}
        if names & set(compiled.after) and not compiled.after_unless:
            place = _tell_place(compiled.after_place) if compiled.after_place else ""
            because = words(compiled.after_because)
            return Refusal(f"{move.name}.only_if_no", because, place)
        return Refusal(move.name, words("it is not among the legal moves"))

    def _same_faces(self, move: Move, other: Move) -> bool:
        return move.name == other.name and move.args == other.args

    def _broken_rule(self, seat: int, move: Move, words: Words) -> Refusal | None:
        game = self.game
        filled = [0] * MOST_FILLED
        row = list(move.row) + [0] * game.row_width
        why = game.machine.function(f"why_{move.name}")
        number = why(self.vector, seat - 1, row, 0, filled)
        if not number:
            return None
        reason = game.program.reasons[number - 1]
        because = game.fill_text(reason.pieces, filled, {}, words)
        return Refusal(reason.rule, because, _tell_place(reason.span))

    # What is there

    def cards(self, pile: int) -> tuple[int, ...]:
        """Return the cards of a pile, bottom to top."""
        layout = self.game.layout
        found = layout.piles[pile]
        if found.is_set:
            return cards_of(self.vector[found.base])
        size = self.vector[layout.slots["count"] + pile]
        return tuple(self.vector[found.base : found.base + size])

    def _lay(self, pile: Pile, cards: Sequence[int]) -> None:
        """Let a pile consist of cards, bottom to top; a sorted one sorts them."""
        if pile.is_set:
            self.vector[pile.base] = sum(1 << card for card in cards)
        else:
            found = sorted(cards) if pile.sorted else cards
            self.vector[pile.base : pile.base + len(cards)] = found

    def face_up(self, card: int) -> bool:
        """Tell whether a card lies face up."""
        return self.vector[self.game.layout.slots["face"] + card] != 0

    def played_by(self, card: int) -> int:
        """Return the seat whose move last moved a card; 0 for none since a shuffle."""
        return self.vector[self.game.layout.slots["by"] + card] + 1

    def value(self, variable: Variable) -> bool | int | float | str | None:
        """Return what a variable holds: a number, a seat, or the text of a thing."""
        number = self.vector[variable.slot]
        if variable.maybe and number < 0:
            return None
        if variable.kind == "yes/no":
            return number != 0
        if variable.kind in ("player", "team"):
            return number + 1
        if variable.kind == "choice":
            return variable.choices[number]
        if variable.kind == "number":
            return in_ones(number, variable.unit)
        return self.game.value_text(variable.kind, number)

    @property
    def is_race(self) -> bool:
        """Tell whether all its players may act at any moment."""
        decision = self.decision
        return decision is not None and decision.kind == "race"

    @property
    def stuck(self) -> bool:
        """Tell whether a race has nobody with a legal act that unblocks."""
        decision = self.decision
        if decision is None or not self.is_race:
            return False
        return bool(self.game.machine.function("is_stuck")(self.vector, decision.index))

    @property
    def result(self) -> Result | None:
        """Return scores and places once the game is over."""
        if not self.over:
            return None
        game = self.game
        seats = range(1, game.players + 1)
        if self.unfinished:
            return Result((), {}, {}, True, {})
        ranked = game.machine.function("ranked")
        ranks = {seat: ranked(self.vector, seat - 1) for seat in seats}
        then = game.machine.function("ranked_then")
        sign = 1 if game.low_wins else -1
        order = {
            seat: (sign * rank, sign * then(self.vector, seat - 1))
            for seat, rank in ranks.items()
        }
        places = {
            seat: 1 + sum(order[s] < order[seat] for s in seats) for seat in seats
        }
        winners = tuple(seat for seat in seats if places[seat] == 1)
        if not any(ranks.values()) and game.program.ranked_by == "":
            winners = ()
        scores = {seat: in_ones(rank, game.unit) for seat, rank in ranks.items()}
        return Result(winners, scores, places, False, self._lines())

    def _lines(self) -> dict[str, dict[int, int | float]]:
        layout, unit = self.game.layout, self.game.unit
        found: dict[str, dict[int, int | float]] = {}
        for index, name in enumerate(self.game.program.lines):
            base = layout.slots["items"] + index * layout.team_count
            points = {
                seat: in_ones(self.vector[base + layout.teams[seat - 1]], unit)
                for seat in range(1, layout.seats + 1)
            }
            if any(points.values()):
                found[name] = points
        return found

    def standing(self, seat: int) -> tuple[float, ...]:
        """Return how well a seat stands, as far as rules can tell: more is better.

        The rank if the game is over, then the score as if the deal ended now,
        then fewer cards in the seat's own zones.
        """
        game, vector = self.game, self.vector
        lead = 0.0
        if self.over or game.program.ranked_by == "score":
            other = vector
            if not self.over:
                other = vector[:]
                game.machine.function("score")(other)
            lead = self._lead(seat, other)
        count = game.layout.slots["count"]
        held = sum(vector[count + pile] for pile in game.own_piles[seat - 1])
        return lead, float(-held)

    def _lead(self, seat: int, vector: list[int]) -> float:
        """Return by how much a seat's rank is above that of its best rival."""
        game, teams = self.game, self.game.layout.teams
        ranked = game.machine.function("ranked")
        sign = -1 if game.low_wins else 1
        values = [sign * ranked(vector, s) for s in range(game.players)]
        rivals = [v for s, v in enumerate(values) if teams[s] != teams[seat - 1]]
        return float(values[seat - 1] - max(rivals, default=0))

    # What one seat may know

    def view(self, seat: int) -> dict[str, Any]:
        """Return what a seat may know, as plain dicts and lists.

        Cards that the seat cannot see are None; a sorted zone that it cannot
        see shows only how many there are.

        Raises:
            ValueError: There is no such seat.
        """
        game = self.game
        if not 1 <= seat <= game.players:
            raise ValueError(f"there is no seat {seat}: {game.players} play")
        variables = {
            variable.text: self.value(variable)
            for variable in game.layout.variables
            if variable.seen_by == "all"
            or (variable.seen_by == "owner" and variable.owner == seat)
        }
        return {
            "seat": seat,
            "players": game.players,
            "decision": self.decision.path if self.decision else None,
            "race": self.is_race,
            "to_act": self._view_actors(seat),
            "over": self.over,
            "piles": [self._view_pile(pile.index, seat) for pile in game.layout.piles],
            "variables": variables,
        }

    def _view_actors(self, seat: int) -> list[int]:
        """Return who may act, as a seat may know it.

        Where all choose unseen nobody knows of another whether they have chosen.
        """
        decision = self.decision
        if decision is None or decision.kind != "together":
            return list(self.to_act)
        mask = self.vector[decision.who[0]]
        return [
            other
            for other in range(1, self.game.players + 1)
            if mask >> (other - 1) & 1 and (other != seat or other in self.to_act)
        ]

    def _view_pile(self, index: int, seat: int) -> dict[str, Any]:
        pile = self.game.layout.piles[index]
        everyone = self.game.layout.everyone
        cards = self.cards(index)
        has_face = pile.face != "none"
        # Of cards that are laid together face down nobody sees who laid which.
        is_told = pile.face != "down"
        viewer = 1 << (seat - 1)
        shown = [
            (self.game.deck.name(card), (is_told and self.played_by(card)) or None)
            if pile.seen_by(everyone, is_up=self.face_up(card)) & viewer
            else (None, None)
            for card in cards
        ]
        names = [name for name, _ in shown]
        if pile.sorted and None in names:
            shown.sort(key=lambda one: (one[0] is None, one[0] or ""))
            names = [name for name, _ in shown]
        return {
            "pile": pile.text,
            "zone": pile.zone,
            "owner": pile.owner,
            "size": len(cards),
            "cards": names,
            "by": [player for _, player in shown],
            "up": [has_face and self.face_up(card) for card in cards]
            if not pile.sorted
            else [name is not None and pile.face == "up" for name in names],
        }

    def determinize(self, seat: int, rng: Rng) -> State:
        """Return a full state that a seat cannot tell from this one.

        The cards that the seat does not know change places at random; the
        generator and choices not yet shown are drawn anew.
        """
        other, game = self.copy(), self.game
        words = list(rng.words)
        scratch = [0] * 6 * game.deck.size
        with game.lend_buffer() as buffer:
            redraw = game.machine.lookahead["redraw"]
            redraw(other.vector, seat - 1, buffer, words, scratch)
        rng.words = (words[0], words[1], words[2], words[3])
        return other

    def _mark(self, card: int, pile: int, marks: tuple[int, int, int]) -> None:
        slots = self.game.layout.slots
        self.vector[slots["where"] + card] = pile
        for name, mark in zip(("known", "face", "by"), marks, strict=True):
            self.vector[slots[name] + card] = mark

    # Setting up a position

    def arrange(self, piles: Mapping[int, Iterable[Placing]]) -> None:
        """Lay cards into piles, by index: every card of the deck exactly once.

        Args:
            piles: For each pile its cards bottom to top, with their facing and
                the seat that played them; None is what the zone says, and nobody.
        """
        layout = self.game.layout
        slots = layout.slots
        for pile in layout.piles:
            placed = list(piles.get(pile.index, ()))
            self.vector[slots["count"] + pile.index] = len(placed)
            self._lay(pile, [card for card, _, _ in placed])
            for card, is_up, seat in placed:
                up = pile.face == "up" if is_up is None else is_up
                known = pile.seen_by(layout.everyone, is_up=up)
                self._mark(card, pile.index, (known, int(up), (seat or 0) - 1))

    def assign(
        self, variable: Variable, value: bool | int | float | str | None
    ) -> None:
        """Give a variable a value, of the kind that ``value`` returns.

        Raises:
            ValueError: The variable cannot hold it.
        """
        self.vector[variable.slot] = self.game.value_number(variable, value)

    def stop_at(self, decision: Decision, turn: int | None) -> None:
        """Let the game wait at a decision, with a seat at turn.

        Where rules say who decides, that is told from the variables. Without a turn
        around such a decision, whose seat this is may be given all the same.
        """
        slots = self.game.layout.slots
        self.vector[slots["over"]] = 0
        self.vector[slots["decision"]] = decision.index
        self.vector[slots["pc"]] = decision.label
        self.vector[slots["race"]] = int(decision.kind == "race")
        everyone = self.game.layout.everyone
        seat = (turn or 1) - 1
        is_one = decision.kind == "choose"
        self.vector[slots["to_act"]] = 1 << seat if is_one else everyone
        self.vector[slots["pending"]] = everyone
        self.vector[slots["next"]] = -1
        for slot in decision.me:
            self.vector[slot] = seat
        first = self.game.machine.function("first_of_round")
        for turns in decision.rounds:
            passed = seat - first(self.vector, turns.first)
            passed = passed * turns.step % self.game.players
            self.vector[turns.left] = self.game.players - passed
        if decision.by is not None and (turn is None or len(decision.me) > 1):
            found = self.game.machine.function("decider")(self.vector, decision.by)
            decider = found if 0 <= found < self.game.players else seat
            self.vector[decision.me[-1]] = decider
            self.vector[slots["to_act"]] = 1 << decider
        for any_decision in self.game.decisions:
            for slot in any_decision.who:
                self.vector[slot] = everyone


def _tell_place(span: Span) -> str:
    """Return the file and line that a part of the rules is written in."""
    return f"{basename(span.source.path)}:{span.line}"


def _tell_missing(part: Part, rest: Sequence[str]) -> str:
    """Return which part a text lacks where these words are left of it.

    Words that are a choice but for the spaces in it are taken for it.
    """
    noun = "card" if part.form == "cards" else part.form
    message = f"needs a {noun}"
    if not rest:
        return message
    message += f", and '{rest[0]}' names none"
    if part.form != "choice":
        return message
    tries = ("_".join(rest[:count]) for count in range(len(rest), 0, -1))
    meant = next((text for text in tries if closest(text, part.choices)), rest[0])
    return f"{message}: {suggest(meant, part.choices, 'choices')}"


def parse_number(text: str) -> int | None:
    """Return a whole number, or None."""
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else None
