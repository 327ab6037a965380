"""What lies on the table as people see it: rows of places with things to pick."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, takewhile
from typing import TYPE_CHECKING, Final

from .board import View, place_card, shows_players
from .pickable import RANK

if TYPE_CHECKING:
    from ..language.deck import Deck
    from ..language.layout import Layout, Zone

# Before how many cards a pile has.
TIMES: Final = "x"
ABOVE: Final = 0
BETWEEN: Final = 1
BELOW: Final = 2
_PLACES: Final = {"above": ABOVE, "between": BETWEEN, "below": BELOW}
_MOST_SPREAD: Final = 26
_MOST_BELOW: Final = 6


@dataclass(frozen=True, slots=True)
class Thing:
    """A card or a pile: how it shows, and the words by which moves may mean it.

    The card is None where it cannot be seen; the note is what a pile adds, and the
    player who has played it, where that counts. What has no words is there to be
    seen only.
    """

    card: str | None
    note: str
    words: tuple[str, ...]
    is_empty: bool = False
    player: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A zone of the table, a team or a player: where it is, and what is there.

    The seat is that of the player whose it is, or who is a team alone; None if it
    is common, or of several.
    """

    zone: Zone
    owner: int | None
    seat: int | None
    place: int
    things: tuple[Thing, ...]


def lay_out(
    view: View, layout: Layout, seats: Sequence[int], wanted: Collection[str]
) -> list[Row]:
    """Return the rows of a view: other players', then common ones, then one's own.

    Args:
        view: What is seen.
        layout: The zones.
        seats: The people who look, the one whose cards are below first.
        wanted: Words that may be picked: cards meant by them are shown one by one.
    """
    own = view["seat"]
    rows = []
    for (name, owner), piles in groupby(
        view["piles"], lambda pile: (pile["zone"], pile["owner"])
    ):
        zone = layout.zones[name]
        if not zone.looks.is_shown:
            continue
        is_own = zone.per == "player" and owner in seats
        deck = layout.deck
        listed = _sort(_list_things(list(piles), is_own, zone, wanted), zone, deck)
        if is_own:
            listed = [_add_rank(thing, deck, wanted) for thing in listed]
        things = tuple(listed)
        seat = _find_seat(layout, zone, owner)
        is_needed = seat is None and name != layout.deck_zone
        if things or is_needed:
            place = _find_place(zone, seat, own)
            rows.append(Row(zone, owner, seat, place, things))

    def order(row: Row) -> tuple[int, int]:
        distance = 0 if row.seat is None else (row.seat - own) % view["players"]
        # What is common stands nearest to the middle of the table.
        return row.place, 99 if row.place == ABOVE and not distance else distance

    return sorted(rows, key=order)


def _add_rank(thing: Thing, deck: Deck, wanted: Collection[str]) -> Thing:
    """Return one's own card with its rank as a word, where ranks can be picked."""
    for number in deck.parse(thing.card or "")[:1]:
        rank = deck.cards[number][0]
        word = RANK + deck.ranks[rank] if rank >= 0 else ""
        if word in wanted and thing.words:
            return replace(thing, words=(*thing.words, word))
    return thing


def _find_seat(layout: Layout, zone: Zone, owner: int | None) -> int | None:
    """Return the player to whom a pile belongs alone."""
    if owner is None or zone.per == "player":
        return owner
    seats = [seat for seat, team in enumerate(layout.teams, 1) if team == owner - 1]
    return seats[0] if len(seats) == 1 else None


def _find_place(zone: Zone, seat: int | None, own: int) -> int:
    if seat is None:
        return _PLACES.get(zone.looks.place, BETWEEN)
    if zone.looks.place == "between":
        return BETWEEN
    return BELOW if seat == own else ABOVE


def _list_things(
    piles: list[View], is_own: bool, zone: Zone, wanted: Collection[str]
) -> Iterator[Thing]:
    for pile in piles:
        word = pile["pile"]
        if is_own:
            word = word.split(".", 1)[1]
        names = (word, pile["pile"])
        cards = pile["cards"]
        players = pile["by"] if shows_players(zone) else [None] * len(cards)
        if _is_spread(pile, zone, wanted):
            yield from _spread(pile, zone, players)
        elif cards:
            is_whole = not pile["owner"] and not zone.is_family
            below = _count_below(cards) if is_whole else 0
            for at in range(len(cards) - 1 - below, len(cards) - 1):
                yield Thing(cards[at], "", (), player=players[at])
            is_counted = len(cards) > max(below + 1, 1)
            note = f"{TIMES}{len(cards)}" if is_counted else ""
            words = (*names, cards[-1]) if cards[-1] else names
            yield Thing(cards[-1], note, words, player=players[-1])
        elif zone.is_family and not zone.grows:
            yield Thing(None, "", names, is_empty=True)


def _sort(things: Iterator[Thing], zone: Zone, deck: Deck) -> list[Thing]:
    """Return things as the zone wants its cards sorted, those unseen last."""
    if not zone.looks.sort:
        return list(things)

    return sorted(things, key=lambda thing: place_card(thing.card, zone, deck))


def _count_below(cards: list[str | None]) -> int:
    """Return how many cards below the top of a common pile are shown, if seen.

    So a whole trick is in sight, and what the last cards of a pile were.
    """
    seen = takewhile(lambda card: card, reversed(cards[:-1]))
    return sum(1 for _ in islice(seen, _MOST_BELOW))


def _is_spread(pile: View, zone: Zone, wanted: Collection[str]) -> bool:
    """Tell whether each card of a pile is shown, and not its top alone."""
    cards = pile["cards"]
    if not cards:
        return False
    if zone.looks.columns and not zone.is_family:
        return True
    seen = [card for card in cards if card]
    if seen and (zone.is_sorted or any(card in wanted for card in cards[:-1] if card)):
        return len(seen) <= _MOST_SPREAD
    places = {f"{zone.name}.{number}" for number in range(1, len(cards) + 1)}
    return not zone.is_family and bool(places & set(wanted))


def _spread(pile: View, zone: Zone, players: Sequence[int | None]) -> Iterator[Thing]:
    """Yield each card of a pile; of a meld the pile's number too."""
    pile_word = (pile["pile"],)
    for number, card in enumerate(pile["cards"], 1):
        words = (card,) if card else (f"{zone.name}.{number}",)
        note = ""
        if zone.is_family and number == 1:
            note = f"#{pile['pile'].rpartition('.')[2]}"
            words = (*words, *pile_word)
        yield Thing(card, note, words, player=players[number - 1])
