"""A compiled ruleset for one table: where games begin."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from ..draws import begin_game
from ..language.compiler import Program
from ..language.decisions import Decision
from ..language.deck import Deck
from ..language.declarations import Option
from ..language.layout import Layout, Variable, in_parts
from ..language.moves import Move as Compiled
from ..language.parts import Part
from ..language.program import Machine, watch
from ..rng import scramble
from ..variants.compose import Composed
from ..variants.printer import print_ruleset
from .state import Move, State, parse_number

__all__ = ["Decision", "Game", "Move", "Option", "State"]

# Moves whose texts are remembered: bots look at the same ones again and again.
_MOST_ROWS: Final = 65_536
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Game:
    """A ruleset with its players and options fixed. Games share it."""

    name: str
    family: str
    about: str
    path: str
    player_counts: tuple[int, ...]
    option_table: tuple[Option, ...]
    program: Program
    composed: Composed
    house_rules: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """Return the number of players."""
        return self.layout.seats

    @property
    def layout(self) -> Layout:
        """Return where everything is in a state's vector."""
        return self.program.layout

    @property
    def deck(self) -> Deck:
        """Return the cards."""
        return self.layout.deck

    @property
    def options(self) -> dict[str, bool | int | str]:
        """Return the options and their values."""
        return self.program.options

    @property
    def code(self) -> str:
        """Return the emitted source."""
        return self.program.source

    @property
    def base_path(self) -> str:
        """Return the file of the game itself, below all variants of it."""
        sources = [source for source in self.composed.sources if not source.is_library]
        return sources[-1 - self.composed.overlaid].path

    @cached_property
    def ruleset(self) -> str:
        """Return the whole ruleset as YAML, whatever files it comes from."""
        return print_ruleset(self.composed)

    @cached_property
    def hash(self) -> str:
        """Return the hash of the emitted source."""
        return hashlib.sha256(self.code.encode()).hexdigest()

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """Return every place where the game waits for players."""
        return self.program.decisions

    @property
    def move_names(self) -> tuple[str, ...]:
        """Return the names of the moves."""
        return tuple(move.name for move in self.program.moves)

    @cached_property
    def moves_by_name(self) -> dict[str, Compiled]:
        """Return the compiled moves by name."""
        return {move.name: move for move in self.program.moves}

    @property
    def limit(self) -> int:
        """Return after how many decisions a game ends unfinished."""
        return self.program.limit

    @property
    def low_wins(self) -> bool:
        """Tell whether the lowest is best."""
        return self.program.low_wins

    @property
    def unit(self) -> int:
        """Return how many parts of one the scores are kept in: 2 for halves."""
        return self.program.unit

    @cached_property
    def own_piles(self) -> tuple[tuple[int, ...], ...]:
        """Return the piles that each seat has of its own."""
        zones = self.layout.zones
        return tuple(
            tuple(
                pile.index
                for pile in self.layout.piles
                if pile.owner == seat and zones[pile.zone].per == "player"
            )
            for seat in range(1, self.players + 1)
        )

    @property
    def row_width(self) -> int:
        """Return how many integers a move takes in a buffer."""
        return self.program.width

    @property
    def teams(self) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each team."""
        teams = self.layout.teams
        return tuple(
            tuple(seat + 1 for seat, t in enumerate(teams) if t == team)
            for team in range(self.layout.team_count)
        )

    @cached_property
    def machine(self) -> Machine:
        """Return the emitted functions."""
        return Machine(self.program)

    def watch(self) -> Game:
        """Return the same game, counting the uses of its marked parts."""
        return replace(self, program=watch(self.program))

    @property
    def fired(self) -> list[int]:
        """Return how often each mark of a watched game was come by."""
        fired: list[int] = self.machine.names["FIRED"]
        return fired

    @property
    def filled(self) -> list[int]:
        """Return how many cards came to each pile in games of a watched game."""
        filled: list[int] = self.machine.names["FILLED"]
        return filled

    @cached_property
    def legal(self) -> Callable[..., int]:
        """Return the emitted function that lists moves."""
        return self.machine.function("legal")

    @cached_property
    def apply(self) -> Callable[..., None]:
        """Return the emitted function that makes a move."""
        return self.machine.function("apply")

    @cached_property
    def read_move(self) -> Callable[[tuple[int, ...], int], Move]:
        """Return what reads the row of a move of a seat; it remembers the last."""
        return lru_cache(maxsize=_MOST_ROWS)(self._read_move)

    def _read_move(self, row: tuple[int, ...], seat: int) -> Move:
        compiled = self.program.moves[row[0]]
        used = row[: 1 + len(compiled.parts)]
        args = [
            text
            for part, value in zip(compiled.parts, used[1:], strict=True)
            for text in self.part_text(part, value, seat)
        ]
        return Move(compiled.name, tuple(args), used)

    def buffer(self) -> list[int]:
        """Return room for every legal move."""
        return [0] * (self.program.buffer + 1) * self.row_width

    @contextmanager
    def lend_buffer(self) -> Iterator[list[int]]:
        """Lend room for every legal move, which others have used before."""
        spare = self._spare_buffers
        try:
            buffer = spare.pop()
        except IndexError:
            buffer = self.buffer()
        yield buffer
        spare.append(buffer)

    def new(self, seed: int | None = None, stacked: Sequence[int] = ()) -> State:
        """Begin a game.

        Args:
            seed: Fixes the deal and every later chance; without one it is drawn.
            stacked: Cards that the first shuffle of the deck leaves to be dealt
                first, in this order.

        Raises:
            GameFault: The rules lead to a dead end before anybody has acted.
        """
        if seed is None:
            seed = secrets.randbits(48)
        state = State(self, seed, self._blank(seed))
        if stacked:
            self._stack(state, stacked)
        self.machine.function("start")(state.vector)
        state.check()
        return state

    def _blank(self, seed: int) -> list[int]:
        """Return a vector with all cards in the zone that holds the deck."""
        vector = self.unshuffled[:]
        first = self.layout.slots["rng0"]
        vector[first : first + 4] = scramble(seed)
        return vector

    @cached_property
    def unshuffled(self) -> list[int]:
        """Return what all games begin with, whatever their seed."""
        layout, slots = self.layout, self.layout.slots
        vector = [0] * layout.size
        pile = layout.deck_pile
        vector[slots["next"]] = -1
        vector[slots["count"] + pile.index] = self.deck.size
        for card in range(self.deck.size):
            vector[pile.base + card] = card
            vector[slots["where"] + card] = pile.index
            vector[slots["known"] + card] = pile.viewers
            vector[slots["by"] + card] = -1
            vector[slots["face"] + card] = int(pile.face == "up")
        return vector

    def _stack(self, state: State, stacked: Sequence[int]) -> None:
        slots, pile = self.layout.slots, self.layout.deck_pile
        self.machine.function("shuffle")(state.vector, pile.index)
        rest = [card for card in state.cards(pile.index) if card not in stacked]
        cards = [*rest, *reversed(stacked)]
        state.vector[pile.base : pile.base + len(cards)] = cards
        state.vector[slots["stacked"]] = 1

    def play_random(self, root: int, index: int) -> tuple[State, tuple[int, ...]]:
        """Play game ``index`` of a batch with random moves.

        Returns:
            The last state, and decisions, choices, legal moves over decisions,
            over choices, and the most at once.
        """
        seed, words, draw = begin_game(root, index)
        start, play, first = self._player
        vector, tally = self.unshuffled[:], [0] * 5
        vector[first : first + 4] = words
        spare = self._spare_buffers
        buffer = spare.pop() if spare else self.buffer()
        start(vector)
        play(vector, buffer, draw, tally)
        spare.append(buffer)
        state = State(self, seed, vector)
        state.check()
        return state, tuple(tally)

    @cached_property
    def _player(self) -> tuple[Callable[..., Any], Callable[..., Any], int]:
        names = self.machine.names
        return names["start"], names["play_drawn"], self.layout.slots["rng0"]

    @cached_property
    def _spare_buffers(self) -> list[list[int]]:
        return []

    # Texts

    def part_text(self, part: Part, value: int, seat: int) -> list[str]:
        """Return how a part of a move reads."""
        if part.may_lack and value < 0:
            return []
        if part.form == "cards":
            return [
                self.deck.name(card)
                for card in range(self.deck.size)
                if value >> card & 1
            ]
        if part.form == "place":
            return [f"{part.zone}.{value + 1}"]
        if part.form == "choice":
            return [part.choices[value]]
        if part.form == "pile":
            pile = self.layout.piles[value]
            own = pile.owner == seat and self.layout.zones[pile.zone].per == "player"
            return [pile.text.split(".", 1)[1] if own else pile.text]
        return [self.value_text(part.form, value)]

    def fill_text(
        self,
        pieces: Sequence[tuple[str, str]],
        filled: Sequence[int],
        parts: Mapping[str, str],
        words: Callable[[str], str],
    ) -> str:
        """Return a text for people from its pieces, values and parts of a move.

        It is put into other words as it is written, with its placeholders.
        """
        values = iter(filled)
        told = {
            piece: parts[piece]
            if kind == "part"
            else words(self.value_text(kind, next(values)))
            for kind, piece in pieces
            if kind != "text"
        }
        text = "".join(
            piece if kind == "text" else f"{{{piece}}}" for kind, piece in pieces
        )
        return _PLACEHOLDER.sub(lambda found: told.get(found[1], found[0]), words(text))

    def part_value(
        self,
        part: Part,
        word: str,
        seat: int,
        nearest: Callable[[Iterable[int], int], int],
    ) -> int | None:
        """Return the number that a word stands for as a part, or None."""
        if part.form == "card":
            cards = self.deck.parse(word)
            return nearest(cards, seat) if cards else None
        if part.form == "place":
            match = re.fullmatch(rf"(?:{seat}\.)?{re.escape(part.zone)}\.(\d+)", word)
            return int(match[1]) - 1 if match and int(match[1]) > 0 else None
        if part.form == "pile":
            pile = self.layout.pile(f"{seat}.{word}") or self.layout.pile(word)
            return pile.index if pile else None
        if part.form == "choice":
            return part.choices.index(word) if word in part.choices else None
        if part.form == "player":
            number = parse_number(word)
            return number - 1 if number and 1 <= number <= self.players else None
        if part.form == "rank":
            word = "10" if word.upper() == "T" else word.upper()
            ranks = [rank.upper() for rank in self.deck.ranks]
            return ranks.index(word) if word in ranks else None
        if part.form == "suit":
            return self._suit(word)
        return parse_number(word)

    def _suit(self, word: str) -> int | None:
        if word.lower() in self.deck.suits:
            return self.deck.suits.index(word.lower())
        letters = self.deck.letters
        return letters.index(word.upper()) if word.upper() in letters else None

    def value_text(self, kind: str, value: int) -> str:
        """Return how a value of a kind reads in a text."""
        if kind == "number":
            return str(value)
        if kind == "yes/no":
            return "yes" if value else "no"
        if value < 0:
            return "nothing"
        if kind == "card":
            return self.deck.name(value)
        if kind == "player":
            return str(value + 1)
        if kind == "team":
            return f"team {value + 1}"
        if kind == "pile":
            return self.layout.piles[value].text
        names = {"rank": self.deck.ranks, "suit": self.deck.suits}.get(kind)
        return names[value] if names else str(value)

    def value_number(self, variable: Variable, value: Any) -> int:
        """Return the integer that a variable holds for a value.

        Raises:
            ValueError: The variable cannot hold it.
        """
        kind = variable.kind
        if value is None and variable.maybe:
            return -1
        found: int | None = None
        if kind == "yes/no" and isinstance(value, bool):
            found = int(value)
        elif kind == "number" and isinstance(value, int | float):
            found = in_parts(value, variable.unit)
        elif kind in ("player", "team") and isinstance(value, int):
            top = self.players if kind == "player" else self.layout.team_count
            found = value - 1 if 1 <= value <= top else None
        elif kind == "choice" and value in variable.choices:
            found = variable.choices.index(value)
        elif kind == "pile":
            pile = self.layout.pile(str(value))
            found = pile.index if pile else None
        elif kind == "card":
            cards = self.deck.parse(str(value))
            found = cards[0] if cards else None
        elif kind == "rank" and value in self.deck.ranks:
            found = self.deck.ranks.index(value)
        elif kind == "suit" and value in self.deck.suits:
            found = self.deck.suits.index(value)
        if found is None:
            raise ValueError(f"'{variable.text}' cannot be {value}")
        return found
