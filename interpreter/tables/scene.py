"""The table as it is drawn: title, board and what is asked, from what may be known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.text import Text

from .board import View, describe_common, describe_player
from .drawn import Drawing
from .person import Person
from .pickable import PLAYER, type_part
from .speech import Speech
from .spread import BETWEEN, Row

if TYPE_CHECKING:
    from ..engine.state import State

_GAP: Final = " · "


class Fit(NamedTuple):
    """How much room a board takes.

    Gaps are between all players (2), above and below what is common (1), or none.
    """

    is_close: bool
    gaps: int
    has_values: bool


# From the roomiest on: the first that fits is taken.
_FITS: Final = (
    Fit(is_close=False, gaps=2, has_values=True),
    Fit(is_close=False, gaps=1, has_values=True),
    Fit(is_close=True, gaps=1, has_values=True),
    Fit(is_close=True, gaps=0, has_values=True),
    Fit(is_close=True, gaps=0, has_values=False),
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What people see of a game: nothing but their views of it.

    The people are those before the screen, the one whose cards are below first.
    """

    state: State
    view: View
    rows: Sequence[Row]
    people: Sequence[Person]
    drawing: Drawing
    speech: Speech

    def draw(self, room: int) -> Text:
        """Return the board, as roomy as so many lines allow."""
        lines: list[Text] = []
        for fit in _FITS:
            lines = list(self._list_lines(fit))
            if len(lines) <= room:
                break
        return Text("\n").join(lines)

    def _list_lines(self, fit: Fit) -> Iterator[Text]:
        """Yield the lines of the board: others above, common piles, one's own below.

        Where room is short each player has one line, and nothing stands between.
        """
        seen: set[int] = set()
        last: int | None = None
        for (place, seat), grouped in groupby(
            self.rows, lambda row: (row.place, row.seat)
        ):
            rows = [row for row in grouped if not fit.is_close or self._has_news(row)]
            if not rows:
                continue
            if seat is not None:
                seen.add(seat)
            is_apart = fit.gaps > 1 or place != last
            if fit.gaps and is_apart and last is not None:
                yield Text("")
            last = place
            values = ""
            if fit.has_values and seat is not None:
                values = self._describe(seat)
            yield from self._draw_group(seat, place, rows, values, fit)
        gap = [Text("")] if fit.gaps else []
        if fit.has_values:
            yield from self._draw_common(gap, seen)
        for person in self.people:
            if person.buttons:
                yield from gap
                names = [self._name_button(person, word) for _, word in person.buttons]
                yield from self.drawing.draw_buttons(person, names)

    def _has_news(self, row: Row) -> bool:
        """Tell whether something lies there, or has just been cleared away."""
        return bool(row.things) or row.zone.name in self.drawing.swept

    def _draw_group(
        self,
        seat: int | None,
        place: int,
        rows: Sequence[Row],
        values: str,
        fit: Fit,
    ) -> Iterator[Text]:
        """Yield the lines of one player, or of what is common in one place."""
        titled = [(row, self.speech.name(row.zone.name)) for row in rows]
        is_near = any(person.seat == seat for person in self.people)
        if seat is not None and fit.is_close and not is_near and place != BETWEEN:
            name = Text(f"{self._point(seat)}{self._call(seat)}", style="bold")
            yield from self.drawing.draw_player(name, titled, values)
            return
        if seat is not None and (fit.has_values or len(self.people) > 1):
            head = Text(f"{self._point(seat)}{self._call(seat)}", style="bold")
            head.append(f"  {values}" if values else "", style=self.drawing.look.faint)
            yield head
        for row, title in titled:
            yield from self.drawing.draw_row(row, title + self._call_team(row))

    def _call_team(self, row: Row) -> str:
        """Return whose a team's zone is: of players 1 and 3."""
        if row.seat is not None or row.owner is None:
            return ""
        return f" {'+'.join(map(str, self.state.game.teams[row.owner - 1]))}"

    def _point(self, seat: int) -> str:
        """Return a sign before who is to act, where that is not everybody."""
        actors = self.view["to_act"]
        if self.state.is_race or len(actors) == self.state.game.players:
            return ""
        if seat not in actors:
            return ""
        return self.drawing.look.sign("▸ ", "> ")

    def _call(self, seat: int) -> str:
        if len(self.people) == 1 and self.people[0].seat == seat:
            return self.speech.say("you")
        name = self.speech.call(seat)
        for person, keys in zip(self.people, self._list_halves(), strict=False):
            if person.seat == seat and len(self.people) > 1:
                name += f" ({keys})"
        return name

    def _list_halves(self) -> list[str]:
        """Return which keys each of two people has."""
        return [
            self.speech.say("keys at the left"),
            self.speech.say("keys at the right"),
        ]

    def _describe(self, seat: int) -> str:
        layout = self.state.game.layout
        values = describe_player(self.view, layout, seat, self.speech)
        return self.drawing.look.show(_GAP.join(values))

    def _draw_common(self, gap: list[Text], seen: set[int]) -> Iterator[Text]:
        """Yield what is remembered for all, and of players without any cards."""
        layout = self.state.game.layout
        values = list(describe_common(self.view, layout, self.speech))
        for seat in range(1, self.state.game.players + 1):
            if seat not in seen and (told := self._describe(seat)):
                values.append(f"{self._call(seat)}: {told}")
        if values:
            yield from gap
            look = self.drawing.look
            pieces = [Text(look.show(value), style=look.faint) for value in values]
            yield from self.drawing.wrap(self.drawing.label(""), pieces)

    def _name_button(self, person: Person, word: str) -> str:
        """Return what a button says: the label of a move, or the word itself."""
        for move in person.chooser.moves:
            if move.name == word and not move.args:
                label = self.state.label(person.seat, move, self.speech.rule)
                return self.drawing.look.show(label)
        if word.startswith(PLAYER):
            return self.speech.call(int(word.removeprefix(PLAYER)))
        return self.speech.name(type_part(word))
