"""Draw rows of a table as styled text that can be clicked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.filter import LineFilter

from .person import Mark, Person
from .spread import TIMES, Row, Thing

if TYPE_CHECKING:
    from textual.color import Color

    from ..language.deck import Deck

_SUITS: Final = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
# Four colours, so that suits are told apart at a glance; the sign says it too.
_COLOURS: Final = {
    "spades": "black",
    "hearts": "red3",
    "diamonds": "blue3",
    "clubs": "green4",
    "coins": "dark_orange3",
    "cups": "red3",
    "swords": "blue3",
    "batons": "green4",
    "trumps": "purple4",
}
_TIMES: Final = "\N{MULTIPLICATION SIGN}"
# Where a click finds the seat and the key of what it has hit.
PICK: Final = "pick"


@dataclass(frozen=True, slots=True)
class Look:
    """How cards are drawn: with signs of suits or letters, in colours or without."""

    deck: Deck
    is_ascii: bool = False
    is_plain: bool = False

    def face(self, card: str) -> str:
        """Return how a card reads."""
        suit = self._suit(card)
        if self.is_ascii or suit not in _SUITS:
            return card
        return card[: -len(self._letter(suit))] + _SUITS[suit]

    def show(self, text: str) -> str:
        """Return a text with the cards in it as they read on the table."""
        if self.is_ascii:
            return text
        return re.sub(r"\w+", lambda word: self._show(word[0]), text)

    def _show(self, word: str) -> str:
        cards = self.deck.parse(word)
        return self.face(word) if cards and self.deck.name(cards[0]) == word else word

    def style(self, card: str) -> Style:
        """Return the colours of a card."""
        if self.is_plain:
            return Style(reverse=True)
        colour = _COLOURS.get(self._suit(card), "black")
        return Style(color=colour, bgcolor="grey93", bold=True)

    @property
    def faint(self) -> Style:
        """Return the style of what is beside the point."""
        return Style() if self.is_plain else Style(dim=True)

    def sign(self, text: str, letters: str) -> str:
        """Return a sign, or letters for it where there are no signs."""
        return letters if self.is_ascii else text

    def _letter(self, suit: str) -> str:
        return self.deck.letters[self.deck.suits.index(suit)]

    def _suit(self, card: str) -> str:
        for number in self.deck.parse(card)[:1]:
            suit = self.deck.cards[number][1]
            return self.deck.suits[suit] if suit >= 0 else ""
        return ""


class Bare(LineFilter):
    """Leaves no colour at all to a screen, not even greys."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return segments in the terminal's own two colours."""
        del background
        return [
            Segment(text, _strip(style) if style else None, control)
            for text, style, control in segments
        ]


def _strip(style: Style) -> Style:
    """Return what is left of a style without colours: what a click hits, too."""
    return Style(
        bold=style.bold,
        reverse=style.reverse,
        underline=style.underline,
        meta=style.meta,
    )


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is needed to draw: the look, the people, the width, and the direction.

    Names of players are by seat, long and short; what lay in a pile that has been
    cleared is by its zone.
    """

    look: Look
    people: Sequence[Person]
    width: int
    label_width: int = 12
    is_right_to_left: bool = False
    names: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    swept: Mapping[str, str] = field(default_factory=dict)

    def draw_row(self, row: Row, title: str) -> list[Text]:
        """Return the lines of a row: its title, and its things, wrapped.

        Who has played what is said in full where that takes no more lines.
        """
        things, columns = self._sort(row), row.zone.looks.columns
        lines: list[Text] = []
        for is_long in (True, False):
            pieces = [self._draw_thing(row, thing, is_long=is_long) for thing in things]
            if not pieces:
                words = ["-", *self.swept.get(row.zone.name, "").split()]
                pieces = [Text(word, style=self.look.faint) for word in words]
            lines = self.wrap(self.label(title), pieces, columns)
            if len(lines) == 1:
                break
        return lines

    def draw_player(
        self, name: Text, rows: Sequence[tuple[Row, str]], last: str
    ) -> list[Text]:
        """Return the lines of a player whose zones all stand in one, wrapped."""
        pieces = []
        for row, title in rows:
            pieces.append(Text(title, style=self.look.faint))
            columns = row.zone.looks.columns
            for number, thing in enumerate(self._sort(row)):
                if columns and number and number % columns == 0:
                    pieces.append(Text("/", style=self.look.faint))
                pieces.append(self._draw_thing(row, thing))
        if last:
            pieces.append(Text(last))
        return self.wrap(name, pieces)

    def label(self, title: str) -> Text:
        """Return the title of a row, cut to its column."""
        return Text(title[: self.label_width - 2], style=self.look.faint)

    def wrap(self, label: Text, pieces: Sequence[Text], columns: int = 0) -> list[Text]:
        """Return pieces in lines of the width, the label before the first.

        Args:
            label: What stands before the first line.
            pieces: Cards, piles or words, which are never broken.
            columns: How many go side by side; as many as there is room for if 0.
        """
        lines: list[list[Text]] = [[]]
        used = self.label_width
        for piece in pieces:
            is_full = bool(columns) and len(lines[-1]) == columns
            if lines[-1] and (is_full or used + piece.cell_len > self.width):
                lines.append([])
                used = self.label_width
            lines[-1].append(piece)
            used += piece.cell_len + 1
        return [
            self._join(label if number == 0 else Text(), line)
            for number, line in enumerate(lines)
        ]

    def _join(self, label: Text, pieces: list[Text]) -> Text:
        """Return a line: the label in its column, then the pieces, in reading order."""
        gap = " " * max(self.label_width - label.cell_len, 1)
        if not self.is_right_to_left:
            return Text.assemble(label, gap, Text(" ").join(pieces))
        return Text.assemble(Text(" ").join(reversed(pieces)), gap, label)

    def _sort(self, row: Row) -> list[Thing]:
        """Return the things of a row in the order in which they are shown."""
        if self.people and self.people[0].keeps_keys:
            person = next((p for p in self.people if p.seat == row.seat), None)
            return (person or self.people[0]).sort(row)
        return list(row.things)

    def _draw_thing(self, row: Row, thing: Thing, *, is_long: bool = False) -> Text:
        """Return a card or pile: its keys if it can be picked, its face, its note."""
        marks = [(person, person.mark(row, thing)) for person in self.people]
        text = Text()
        for person, mark in marks[:1]:
            text.append_text(self._draw_mark(person, mark, "{key}>", "{key} "))
        text.append_text(self._draw_face(thing, [mark for _, mark in marks]))
        for person, mark in marks[1:]:
            text.append_text(self._draw_mark(person, mark, "<{key}", " {key}"))
        if thing.player is None or thing.player not in self.names:
            return text
        long, short = self.names[thing.player]
        name = Text(f"({long if is_long else short})", style=self.look.faint)
        if self.is_right_to_left:
            return Text.assemble(name, text)
        return text.append_text(name)

    def _draw_face(self, thing: Thing, marks: Sequence[Mark]) -> Text:
        is_wanted = any(mark.is_wanted for mark in marks)
        text = Text()
        if thing.is_empty:
            text.append(self.look.sign("▕ ▏", "[ ]"), style=self.look.faint)
        elif thing.card is None:
            back = self.look.sign("▒▒", "##")
            text.append(back, style="" if self.look.is_plain else "blue")
        else:
            face = self.look.face(thing.card)
            style = self.look.style(thing.card)
            text.append(f" {face} ", style=style + Style(underline=is_wanted))
        if thing.note:
            text.append(thing.note.replace(TIMES, self.look.sign(_TIMES, TIMES)))
        usable = sorted(
            (pair for pair in zip(self.people, marks, strict=True) if pair[1].key),
            key=lambda pair: not pair[1].is_wanted,
        )
        for person, mark in usable[:1]:
            text.stylize(_meta(person, mark))
        return text

    def _draw_mark(self, person: Person, mark: Mark, wanted: str, known: str) -> Text:
        """Return the key by which a person picks something."""
        if not mark.key:
            return Text()
        if mark.is_picked:
            text = Text("*", style="bold")
        elif mark.is_wanted:
            text = Text(wanted.format(key=mark.key), style="bold reverse")
        else:
            text = Text(known.format(key=mark.key), style=self.look.faint)
        text.stylize(_meta(person, mark))
        return text

    def draw_buttons(self, person: Person, names: Sequence[str]) -> list[Text]:
        """Return the lines of what can be picked beside cards: key and word each.

        What is not all in one line begins a new one with each part of the moves.
        """
        pieces = {}
        for (key, word), name in zip(person.buttons, names, strict=True):
            piece = Text(f"{key}> {name}  ", style="bold")
            piece.stylize(_meta(person, Mark(key, is_wanted=True, is_picked=False)))
            pieces[word] = piece
        lines = self.wrap(Text(), list(pieces.values()))
        if len(lines) == 1:
            return lines
        steps = [
            [pieces[word] for word in step if word in pieces]
            for step in person.chooser.steps()
        ]
        return [line for step in steps if step for line in self.wrap(Text(), step)]


def _meta(person: Person, mark: Mark) -> Style:
    """Return a style that tells a click what it has hit."""
    return Style(meta={PICK: (person.seat, mark.key)})
