"""Draw rows of a table as styled text that can be clicked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.style import Style
from rich.text import Text

from .spread import Row, Thing

if TYPE_CHECKING:
    from ..deck import Deck

_SUITS: Final = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
# Four colours, so that suits are told apart at a glance; the sign says it too.
_COLOURS: Final = {
    "spades": "black",
    "hearts": "red3",
    "diamonds": "dark_orange3",
    "clubs": "green4",
}
_LABEL_WIDTH: Final = 12
# Where a click finds the key of what it has hit.
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

    def style(self, card: str) -> Style:
        """Return the colours of a card."""
        if self.is_plain:
            return Style(reverse=True)
        colour = _COLOURS.get(self._suit(card), "black")
        return Style(color=colour, bgcolor="grey93", bold=True)

    def _letter(self, suit: str) -> str:
        return self.deck.letters[self.deck.suits.index(suit)]

    def _suit(self, card: str) -> str:
        for number in self.deck.parse(card)[:1]:
            suit = self.deck.cards[number][1]
            return self.deck.suits[suit] if suit >= 0 else ""
        return ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is needed to draw: the look, keys by words, and what can be picked."""

    look: Look
    keys: Mapping[tuple[str, ...], str]
    wanted: Collection[str]
    picked: Collection[str]
    width: int

    def draw_row(self, row: Row, title: str) -> list[Text]:
        """Return the lines of a row: its title, and its things, wrapped."""
        label = f"{title[: _LABEL_WIDTH - 2]:<{_LABEL_WIDTH}}"
        lines = [Text().append(label, style="" if self.look.is_plain else "dim")]
        if not row.things:
            lines[0].append("empty", style="dim")
        for thing in row.things:
            piece = self.draw_thing(thing)
            if lines[-1].cell_len + piece.cell_len + 1 > self.width:
                lines.append(Text(" " * _LABEL_WIDTH))
            lines[-1].append_text(piece)
            lines[-1].append(" ")
        return lines

    def draw_player(self, name: str, rows: Sequence[Row]) -> list[Text]:
        """Return the lines of a player whose zones all stand in one, wrapped."""
        lines = [Text().append(f"{name:<{_LABEL_WIDTH}}", style="bold")]
        for row in rows:
            pieces = [self.draw_thing(thing) for thing in row.things]
            word = Text().append(row.zone.replace("_", " "), style="dim")
            for piece in (word, *pieces):
                if lines[-1].cell_len + piece.cell_len + 1 > self.width:
                    lines.append(Text(" " * _LABEL_WIDTH))
                lines[-1].append_text(piece)
                lines[-1].append(" ")
        return lines

    def draw_thing(self, thing: Thing) -> Text:
        """Return a card or pile: its key if it can be picked, its face, its note."""
        key = self.keys.get(thing.words, "")
        is_wanted = any(word in self.wanted for word in thing.words)
        is_picked = any(word in self.picked for word in thing.words)
        text = Text()
        if is_picked:
            text.append("*", style="bold")
        elif key and is_wanted:
            text.append(f"{key}>", style="bold reverse" if key else "")
        elif key:
            text.append(f"{key} ", style="dim")
        if thing.is_empty:
            text.append("[ ]" if self.look.is_ascii else "▕ ▏", style="dim")
        elif thing.card is None:
            back = "##" if self.look.is_ascii else "▒▒"
            text.append(back, style="" if self.look.is_plain else "blue")
        else:
            face = self.look.face(thing.card)
            style = self.look.style(thing.card)
            text.append(f" {face} ", style=style + Style(underline=is_wanted))
        if thing.note:
            text.append(f":{thing.note}")
        if key:
            text.stylize(Style(meta={PICK: key}))
        return text

    def draw_buttons(self, buttons: Sequence[tuple[str, str]]) -> list[Text]:
        """Return the lines of what can be picked beside cards: key and word each."""
        lines = [Text("")]
        for key, word in buttons:
            piece = Text(f"{key}> {word}", style="bold")
            piece.stylize(Style(meta={PICK: key}))
            if lines[-1].cell_len + piece.cell_len + 3 > self.width:
                lines.append(Text(""))
            lines[-1].append_text(piece)
            lines[-1].append("   ")
        return lines
