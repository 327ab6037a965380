"""What lies on the table as one seat sees it: rows of places with things to pick."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import groupby, islice, takewhile
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ..layout import Layout

View = dict[str, Any]  # what State.view returns
# Keys for what can be picked, in the order in which it lies there.
KEYS: Final = "1234567890qwertyuiopasdfghjklzxcvbnmQWERTYUIOPASDFGHJKLZXCVBNM"
# Keys of the table itself.
RESERVED: Final = "pu"
_MOST_SPREAD: Final = 26
_MOST_BELOW: Final = 6


@dataclass(frozen=True, slots=True)
class Thing:
    """A card or a pile: how it shows, and the words by which moves may mean it.

    The card is None where it cannot be seen; the note is what a pile adds. What
    has no words is there to be seen only.
    """

    card: str | None
    note: str
    words: tuple[str, ...]
    is_empty: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A zone of the table or of a player: its name, its owner, and what is there."""

    owner: int | None
    zone: str
    things: tuple[Thing, ...]


def lay_out(view: View, layout: Layout, wanted: Collection[str]) -> list[Row]:
    """Return the rows of a view: other players', then common ones, then one's own.

    Args:
        view: What the seat sees.
        layout: The zones.
        wanted: Words that may be picked: cards meant by them are shown one by one.
    """
    own = view["seat"]
    per_team = {zone.name for zone in layout.zones.values() if zone.per == "team"}
    rows = []
    for (zone, owner), piles in groupby(
        view["piles"], lambda pile: (pile["zone"], pile["owner"])
    ):
        is_own = owner == own and zone not in per_team
        things = tuple(_list_things(list(piles), is_own, zone, layout, wanted))
        if things or owner is None:
            rows.append(Row(owner, zone, things))

    def place(row: Row) -> tuple[int, int]:
        if row.owner is None:
            return (1, 0)
        if row.zone in per_team:
            return (1, row.owner)
        distance = (row.owner - own) % view["players"]
        return (2, 0) if distance == 0 else (0, distance)

    return sorted(rows, key=place)


def _list_things(
    piles: list[View],
    is_own: bool,
    zone: str,
    layout: Layout,
    wanted: Collection[str],
) -> Iterator[Thing]:
    declared = layout.zones[zone]
    for pile in piles:
        word = pile["pile"]
        if is_own:
            word = word.split(".", 1)[1]
        names = (word, pile["pile"])
        cards = pile["cards"]
        if _is_spread(pile, declared.is_sorted, declared.is_family, wanted):
            yield from _spread(pile, zone, declared.is_family)
        elif cards:
            below = [] if pile["owner"] or declared.is_family else _list_below(cards)
            for card in below:
                yield Thing(card, "", ())
            is_counted = len(cards) > len(below) + 1 or cards[-1] is None
            note = f"{len(cards)}" if is_counted else ""
            words = (*names, cards[-1]) if cards[-1] else names
            yield Thing(cards[-1], note, words)
        elif declared.is_family and not declared.grows:
            yield Thing(None, "", names, is_empty=True)


def _list_below(cards: list[str | None]) -> list[str]:
    """Return the last cards below the top of a common pile, as far as they are seen.

    So a whole trick is in sight, and what the last cards of a pile were.
    """
    seen = takewhile(lambda card: card, reversed(cards[:-1]))
    return [card for card in islice(seen, _MOST_BELOW) if card][::-1]


def _is_spread(
    pile: View, is_sorted: bool, is_family: bool, wanted: Collection[str]
) -> bool:
    """Tell whether each card of a pile is shown, and not its top alone."""
    cards = pile["cards"]
    if not cards:
        return False
    seen = [card for card in cards if card]
    if seen and (is_sorted or any(card in wanted for card in cards[:-1] if card)):
        return len(seen) <= _MOST_SPREAD
    places = {f"{pile['zone']}.{number}" for number in range(1, len(cards) + 1)}
    return not is_family and bool(places & set(wanted))


def _spread(pile: View, zone: str, is_family: bool) -> Iterator[Thing]:
    """Yield each card of a pile; of a meld the pile's number too."""
    pile_word = (pile["pile"],)
    for number, card in enumerate(pile["cards"], 1):
        words = (card,) if card else (f"{zone}.{number}",)
        note = ""
        if is_family and number == 1:
            note = pile["pile"].rpartition(".")[2]
            words = (*words, *pile_word)
        yield Thing(card, note, words)
