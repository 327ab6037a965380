"""The cards of a game: their names, ranks, suits and other marks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

SUIT_SIGNS: Final = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
FRENCH: Final = {
    "clubs": ("C", "black"),
    "diamonds": ("D", "red"),
    "hearts": ("H", "red"),
    "spades": ("S", "black"),
}
ITALIAN: Final = {
    "coins": ("O", ""),
    "cups": ("U", ""),
    "swords": ("W", ""),
    "batons": ("B", ""),
}
_PLAIN: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
KINDS: Final = {
    "french": (_PLAIN, FRENCH),
    "piquet": (_PLAIN[5:], FRENCH),
    "euchre": (_PLAIN[7:], FRENCH),
    "italian": (("A", "2", "3", "4", "5", "6", "7", "J", "C", "K"), ITALIAN),
}


@dataclass(frozen=True)
class Deck:
    """Every card of a game, in the order of the deck.

    A card is a number from 0: rank by rank (low to high), suit by suit within a
    rank, copy by copy; jokers come last. Ranks and suits are numbered alike;
    a joker has rank and suit -1.
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    letters: tuple[str, ...]
    colours: tuple[str, ...]
    jokers: tuple[str, ...]
    copies: int
    ring: bool
    removed: frozenset[str]

    @cached_property
    def cards(self) -> tuple[tuple[int, int, str], ...]:
        """Return rank, suit and name of every card."""
        kept = []
        for rank, rank_name in enumerate(self.ranks):
            for suit, letter in enumerate(self.letters):
                name = rank_name + letter
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
