"""The cards of a game: their names, ranks, suits and other marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

_RANGE: Final = re.compile(
    r"(?P<stem>[A-Za-z]*)(?P<low>\d{1,3})\.\.(?P<again>[A-Za-z]*)(?P<high>\d{1,3})"
)
SUIT_SIGNS: Final = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}


class Suit(NamedTuple):
    """The letter and colour of a suit, and its ranks where they are its own."""

    letter: str
    colour: str = ""
    ranks: tuple[str, ...] = ()


class Kind(NamedTuple):
    """A pack that people know by name."""

    ranks: tuple[str, ...]
    suits: dict[str, Suit]
    jokers: tuple[str, ...] = ()
    courts: tuple[str, ...] = ()  # with names, where letters alone may be unknown


FRENCH: Final = {
    "clubs": Suit("C", "black"),
    "diamonds": Suit("D", "red"),
    "hearts": Suit("H", "red"),
    "spades": Suit("S", "black"),
}
ITALIAN: Final = {
    "coins": Suit("O"),
    "cups": Suit("U"),
    "swords": Suit("W"),
    "batons": Suit("B"),
}
_PLAIN: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_TRUMPS: Final = tuple(f"t{number}" for number in range(1, 22))
KINDS: Final = {
    "french": Kind(_PLAIN, FRENCH),
    "piquet": Kind(_PLAIN[5:], FRENCH),
    "euchre": Kind(_PLAIN[7:], FRENCH),
    "italian": Kind(
        ("A", *_PLAIN[:6], "J", "C", "K"),
        ITALIAN,
        courts=("J jack", "C knight", "K king"),
    ),
    "tarot": Kind(
        ("A", *_PLAIN[:9], "J", "C", "Q", "K"),
        {**ITALIAN, "trumps": Suit("", "", _TRUMPS)},
        ("FOOL",),
        ("J jack", "C knight", "Q queen", "K king"),
    ),
}


def expand_ranks(text: str) -> tuple[str, ...]:
    """Return the ranks of a range, up or down: ``2..10``, ``t21..t1``."""
    match = _RANGE.fullmatch(text)
    if match is None or match["stem"] != match["again"]:
        return (text,)
    low, high = int(match["low"]), int(match["high"])
    step = 1 if low <= high else -1
    return tuple(f"{match['stem']}{n}" for n in range(low, high + step, step))


@dataclass(frozen=True)
class Deck:
    """Every card of a game, in the order of the deck.

    A card is a number from 0: rank by rank (low to high), suit by suit within a
    rank, copy by copy; jokers come last. Ranks and suits are numbered alike;
    a joker has rank and suit -1. ``by_suit`` names the ranks of each suit, where
    suits differ in them.
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    letters: tuple[str, ...]
    colours: tuple[str, ...]
    jokers: tuple[str, ...]
    copies: int
    ring: bool
    removed: frozenset[str]
    by_suit: tuple[tuple[str, ...], ...] = ()

    @cached_property
    def faces(self) -> tuple[tuple[int, int, str], ...]:
        """Return rank, suit and name of every card with a suit, once each."""
        return tuple(
            (rank, suit, name + self.letters[suit])
            for rank, name in enumerate(self.ranks)
            for suit in range(len(self.suits))
            if name in self.ranks_of(suit)
        )

    def ranks_of(self, suit: int) -> tuple[str, ...]:
        """Return the ranks of a suit by name."""
        return self.by_suit[suit] if self.by_suit else self.ranks

    @cached_property
    def cards(self) -> tuple[tuple[int, int, str], ...]:
        """Return rank, suit and name of every card."""
        kept = []
        for rank, suit, name in self.faces:
            if name not in self.removed:
                kept += [(rank, suit, name)] * self.copies
        for joker in self.jokers:
            if joker not in self.removed:
                kept += [(-1, -1, joker)] * self.copies
        return tuple(kept)

    @property
    def size(self) -> int:
        """Return how many cards there are."""
        return len(self.cards)

    @property
    def most_alike(self) -> int:
        """Return how many cards of a rank there are at most."""
        return len(self.suits) * self.copies

    def name(self, card: int) -> str:
        """Return what a card reads as: ``10H``."""
        return self.cards[card][2]

    @cached_property
    def by_name(self) -> dict[str, tuple[int, ...]]:
        """Return the cards of each name: as many as there are copies."""
        found: dict[str, list[int]] = {}
        for card, (_, _, name) in enumerate(self.cards):
            found.setdefault(name, []).append(card)
        return {name: tuple(cards) for name, cards in found.items()}

    def parse(self, text: str) -> tuple[int, ...]:
        """Return the cards that a text names, or none: ``10h``, ``TH``, ``10♥``."""
        for sign, letter in SUIT_SIGNS.items():
            text = text.replace(sign, letter)
        if text in self.by_name:
            return self.by_name[text]
        upper = text.upper()
        if re.fullmatch(r"T[A-Z]", upper) and "10" in self.ranks:
            upper = "10" + upper[1]
        return self.by_name.get(upper, self.by_name.get(text.lower(), ()))

    def find(self, rank: str, suit: str) -> tuple[int, ...]:
        """Return the cards of a rank and suit, both by name."""
        if suit not in self.suits:
            return ()
        return self.by_name.get(rank + self.letters[self.suits.index(suit)], ())
