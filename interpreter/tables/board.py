"""A seat's view of a game in lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from ..deck import Deck
from ..layout import Layout

_MOST_CARDS: Final = 14
_LAST_CARDS: Final = 4
_EMPTY: Final = "empty"
View = dict[str, Any]  # what State.view returns: ready for JSON


def describe_view(view: View, layout: Layout) -> Iterator[str]:
    """Yield what a seat sees: common piles, the others, its own, what is counted."""
    for zone, piles in groupby(_select(view, None), lambda pile: pile["zone"]):
        yield f"  {zone}: {_describe_piles(list(piles), zone)}"
    own = view["seat"]
    owners = {pile["owner"] for pile in view["piles"]} - {None, own}
    for owner in (*sorted(owners), own):
        zones = groupby(_select(view, owner), lambda pile: pile["zone"])
        parts = [
            f"{zone} {text}"
            for zone, piles in zones
            if (text := _describe_piles(list(piles), zone)) != _EMPTY
        ]
        who = "you" if owner == own else f"player {owner}"
        yield f"  {who}: {'; '.join(parts) or 'no cards'}"
    if values := list(describe_values(view, layout)):
        yield f"  {', '.join(values)}"


def name_known_cards(view: View) -> set[str]:
    """Return the names of all cards that a seat can see."""
    return {card for pile in view["piles"] for card in pile["cards"] if card}


def name_shared_cards(views: Iterable[View]) -> set[str]:
    """Return the names of the cards that every one of some seats can see."""
    seen = [name_known_cards(view) for view in views]
    return set.intersection(*seen) if seen else set()


def hide_cards(move: str, known: set[str], deck: Deck) -> str:
    """Return a move's text with a question mark for each card that is not known."""
    return " ".join(
        "?" if word not in known and deck.parse(word) else word for word in move.split()
    )


def _select(view: View, owner: int | None) -> Iterable[View]:
    return (pile for pile in view["piles"] if pile["owner"] == owner)


def _describe_piles(piles: list[View], zone: str) -> str:
    """Return the cards of a zone, a family of piles with their numbers."""
    if len(piles) == 1 and piles[0]["pile"].rpartition(".")[2] == zone:
        return _describe_cards(piles[0]["cards"])
    return " | ".join(
        f"{pile['pile'].rpartition('.')[2]}: {_describe_cards(pile['cards'])}"
        for pile in piles
    )


def _describe_cards(cards: list[str | None]) -> str:
    """Return cards from bottom to top; of a high pile only the last."""
    if not cards:
        return _EMPTY
    if not any(cards):
        return "1 card" if len(cards) == 1 else f"{len(cards)} cards"
    if len(cards) > _MOST_CARDS and cards[-1]:
        last = " ".join(card or "?" for card in cards[-_LAST_CARDS:])
        return f"{len(cards)} cards, last {last}"
    parts = []
    for is_known, run in groupby(cards, lambda card: card is not None):
        known = list(run)
        shown = " ".join(card for card in known if card)
        parts.append(shown if is_known else f"({len(known)} face down)")
    return " ".join(parts)


def describe_values(view: View, layout: Layout) -> Iterator[str]:
    """Yield the variables that the seat sees, and that say something.

    What is none or no, and scores while all are nothing, would only be in the way.
    """
    values = dict(view["variables"])
    scores = {name: value for name, value in values.items() if _is_score(name)}
    for name, value in values.items():
        if value is None or value is False:
            continue
        if name in scores and not any(scores.values()):
            continue
        variable = layout.variable(name)
        text = "yes" if value is True else value
        if variable and variable.kind in ("player", "team"):
            text = f"{variable.kind} {value}"
        owner, _, bare = name.rpartition(".")
        yield f"{bare} of player {owner} {text}" if owner else f"{name} {text}"


def _is_score(name: str) -> bool:
    return name.rpartition(".")[2] == "score"
