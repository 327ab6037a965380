"""A seat's view of a game in lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from ..language.deck import Deck
from ..language.layout import Layout, Variable, Zone
from .speech import Speech

_MOST_CARDS: Final = 14
_LAST_CARDS: Final = 4
View = dict[str, Any]  # what State.view returns: ready for JSON
Played = tuple[str, int | None]  # a card, and the player whose it was


def describe_view(
    view: View,
    layout: Layout,
    speech: Speech,
    told: Collection[str] | None = None,
) -> Iterator[str]:
    """Yield what a seat sees: common piles, the others, its own, what is counted.

    Args:
        view: What the seat sees; that of seat 0 tells of all players alike.
        layout: The zones and variables.
        speech: The language.
        told: The common zones that are told of even if they are empty; all of
            them if not given.
    """
    for zone, grouped in groupby(_select(view, layout, None), _zone_of):
        piles = list(grouped)
        text = _describe_piles(piles, layout, speech)
        if shows_players(layout.zones[zone]):
            text = _describe_played(piles[0], view["seat"], speech)
        if text or told is None or zone in told:
            yield f"  {speech.name(zone)}: {text or speech.say('empty')}"
    own, seats = view["seat"], view["players"]
    for step in range(1, seats + 1):
        seat = (own - 1 + step) % seats + 1
        parts = [
            f"{speech.name(zone)} {text}"
            for zone, piles in groupby(_select(view, layout, seat), _zone_of)
            if (text := _describe_piles(list(piles), layout, speech))
        ]
        parts += describe_player(view, layout, seat, speech)
        who = speech.say("you") if seat == own else speech.call(seat)
        yield f"  {who}: {'; '.join(parts) or speech.say('no cards')}"
    if values := list(describe_common(view, layout, speech)):
        yield f"  {', '.join(values)}"


def see(views: Sequence[View]) -> View:
    """Return what the people before one screen see together, as the first's view."""
    first, *others = views
    piles = [
        max(
            (pile, *(other["piles"][index] for other in others)),
            key=lambda seen: sum(card is not None for card in seen["cards"]),
        )
        for index, pile in enumerate(first["piles"])
    ]
    return {**first, "piles": piles}


def list_filled(view: View) -> set[str]:
    """Return the common zones in which cards lie."""
    return {pile["zone"] for pile in view["piles"] if pile["size"]}


def name_known_cards(view: View) -> set[str]:
    """Return the names of all cards that a seat can see."""
    return set(count_known_cards(view))


def count_known_cards(view: View) -> Counter[str]:
    """Return how many cards of each name a seat can see."""
    return Counter(card for pile in view["piles"] for card in pile["cards"] if card)


def name_shared_cards(views: Iterable[View]) -> set[str]:
    """Return the names of the cards that every one of some seats can see."""
    seen = [name_known_cards(view) for view in views]
    return set.intersection(*seen) if seen else set()


def hide_cards(move: str, known: set[str], deck: Deck) -> str:
    """Return a move's text with a question mark for each card that is not known."""
    return " ".join(
        "?" if word not in known and deck.parse(word) else word for word in move.split()
    )


def shows_players(zone: Zone) -> bool:
    """Tell whether cards are played into a zone one upon another, before all."""
    is_common = not zone.per and not zone.is_family
    return is_common and zone.face == "up" and not zone.is_sorted


def place_card(card: str | None, zone: Zone, deck: Deck) -> tuple[int, int]:
    """Return what cards are sorted by, as the zone wants it; those unseen come last."""
    for number in deck.parse(card or "")[:1]:
        rank, suit = deck.cards[number][:2]
        suit = suit if suit >= 0 else len(deck.suits)
        return (suit, rank) if zone.looks.sort == "suit" else (rank, suit)
    return len(deck.ranks) + len(deck.suits), 0


def find_swept(
    before: View, after: View, layout: Layout, seat: int, cards: Sequence[str]
) -> dict[str, list[Played]]:
    """Return what lay in the piles that an act of a seat has cleared, by their zones.

    A card of the act itself lay there too, if only for a moment: the last of a
    trick. It is among the cards of the move, or lies open where the others went.
    """
    found = {}
    for old, new in zip(before["piles"], after["piles"], strict=True):
        if (
            not old["size"]
            or new["size"]
            or not shows_players(layout.zones[old["zone"]])
        ):
            continue
        more = [*cards, *_find_gained(before, after, layout, old["cards"])]
        played = [*zip(old["cards"], old["by"], strict=True)]
        played += [
            (card, seat) for card in dict.fromkeys(more) if card not in old["cards"]
        ]
        found[old["zone"]] = [(card, by) for card, by in played if card]
    return found


def _find_gained(
    before: View, after: View, layout: Layout, swept: Sequence[str]
) -> list[str]:
    """Return the cards that have come into an open pile together with others."""
    for old, new in zip(before["piles"], after["piles"], strict=True):
        is_open = layout.zones[new["zone"]].face == "up"
        if is_open and set(swept) <= set(new["cards"]):
            return [card for card in new["cards"] if card and card not in old["cards"]]
    return []


def _zone_of(pile: View) -> str:
    return str(pile["zone"])


def _select(view: View, layout: Layout, owner: int | None) -> Iterator[View]:
    """Yield the piles of a seat, its team's with them, or those of nobody."""
    for pile in view["piles"]:
        zone = layout.zones[pile["zone"]]
        whose = pile["owner"]
        if zone.per == "team" and owner is not None:
            whose = owner if layout.teams[owner - 1] == whose - 1 else 0
        if whose == owner and zone.looks.is_shown:
            yield pile


def _describe_piles(piles: list[View], layout: Layout, speech: Speech) -> str:
    """Return the cards of a zone, a family of piles with their numbers."""
    zone = layout.zones[piles[0]["zone"]]
    if len(piles) == 1 and piles[0]["pile"].rpartition(".")[2] == zone.name:
        cards = piles[0]["cards"]
        if zone.is_sorted and zone.looks.sort:
            cards = sorted(cards, key=lambda card: place_card(card, zone, layout.deck))
        return _describe_cards(cards, speech)
    told = [
        f"{pile['pile'].rpartition('.')[2]}: {text}"
        for pile in piles
        if (text := _describe_cards(pile["cards"], speech))
    ]
    return " | ".join(told)


def _describe_cards(cards: list[str | None], speech: Speech) -> str:
    """Return cards from bottom to top; of a high pile only the last."""
    if not cards:
        return ""
    count = speech.say("{count} cards", count=len(cards))
    if not any(cards):
        return speech.say("1 card") if len(cards) == 1 else count
    if len(cards) > _MOST_CARDS and cards[-1]:
        last = " ".join(card or "?" for card in cards[-_LAST_CARDS:])
        return f"{count}, {speech.say('last {cards}', cards=last)}"
    parts = []
    for is_known, run in groupby(cards, lambda card: card is not None):
        known = list(run)
        shown = " ".join(card for card in known if card)
        hidden = speech.say("({count} face down)", count=len(known))
        parts.append(shown if is_known else hidden)
    return " ".join(parts)


def _describe_played(pile: View, own: int, speech: Speech) -> str:
    """Return the cards of a pile, and after those of a player who played them."""
    cards, players = pile["cards"], pile["by"]
    if not any(players) or not all(cards):
        return _describe_cards(cards, speech)
    first = max(len(cards) - _LAST_CARDS, 0) if len(cards) > _MOST_CARDS else 0
    parts = []
    played = zip(players[first:], cards[first:], strict=True)
    for player, run in groupby(played, lambda one: one[0]):
        parts += [card for _, card in run]
        if player is not None:
            name = speech.say("you") if player == own else speech.call(player)
            parts.append(f"({name})")
    told = " ".join(parts)
    if not first:
        return told
    count = speech.say("{count} cards", count=len(cards))
    return f"{count}, {speech.say('last {cards}', cards=told)}"


# What is counted and remembered


def describe_player(
    view: View, layout: Layout, seat: int, speech: Speech
) -> Iterator[str]:
    """Yield what a player is, and has besides cards: dealer, score 12.

    What a team has is said of each of its players.
    """
    for variable, value in _list_values(view, layout):
        if variable.owner is None:
            if variable.kind == "player" and value == seat:
                yield speech.name(variable.name)
        elif _owns(variable, layout, seat):
            yield _name_value(variable, value, speech)


def describe_common(view: View, layout: Layout, speech: Speech) -> Iterator[str]:
    """Yield what is remembered for all: trump spades, passes 2.

    A suit or rank that is none is told of, where the rules ever set it: that there
    are no trumps counts as much as which there are.
    """
    told = {v.name: value for v, value in _list_values(view, layout)}
    for variable in layout.variables:
        if variable.owner is not None or not variable.is_shown:
            continue
        if variable.name in told and variable.kind != "player":
            yield _name_value(variable, told[variable.name], speech)
        elif _is_missing(view, layout, variable):
            yield f"{speech.name(variable.name)} {speech.say('none')}"


def _list_values(
    view: View, layout: Layout
) -> Iterator[tuple[Variable, bool | float | str]]:
    """Yield the variables that the seat sees, and that say something.

    What is none or no, and numbers that are 0 for every player, would only be in
    the way.
    """
    values = view["variables"]
    said = {v.name for v in layout.variables if values.get(v.text)}
    for variable in layout.variables:
        value = values.get(variable.text)
        is_said = value is not None and value is not False
        if is_said and variable.is_shown and variable.name in said:
            yield variable, value


def _is_missing(view: View, layout: Layout, variable: Variable) -> bool:
    """Tell whether a seat sees that a suit or rank is none, and it may be one."""
    is_seen = variable.text in view["variables"]
    is_none = is_seen and view["variables"][variable.text] is None
    is_kind = variable.kind in ("suit", "rank")
    return is_none and is_kind and variable.name in layout.assigned


def _owns(variable: Variable, layout: Layout, seat: int) -> bool:
    if variable.per == "team":
        return variable.owner == layout.teams[seat - 1] + 1
    return variable.owner == seat


def _name_value(variable: Variable, value: bool | float | str, speech: Speech) -> str:
    """Return a variable and its value as people say it: a yes by its name alone."""
    name = speech.name(variable.name)
    if value is True:
        return name
    if variable.kind == "player":
        return f"{name} {speech.call(int(value))}"
    if variable.kind == "team":
        return f"{name} {speech.say('team {team}', team=value)}"
    return f"{name} {speech.name(value) if isinstance(value, str) else value}"
