"""A person at the table: their seat, their keys, and what they have picked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from .chooser import Chooser
from .pickable import type_part

if TYPE_CHECKING:
    from .spread import Row, Thing

_LOWER: Final = "qwertyuiopasdfghjklzxcvbnm"
# Keys for what can be picked, in the order in which it lies there; p and u are the
# table's own.
ALL_KEYS: Final = "".join(
    key for key in f"1234567890{_LOWER}{_LOWER.upper()}" if key not in "pu"
)
# Of two people at one keyboard each has a half.
LEFT_KEYS: Final = "12345qwertasdfgzxcvbQWERTASDFGZXCVB"
RIGHT_KEYS: Final = "67890yuiohjklnmYUIOPHJKLNM"


class Mark(NamedTuple):
    """How one person picks a thing: the key, and what may or has been done with it."""

    key: str
    is_wanted: bool
    is_picked: bool


Place = tuple[int | None, str, str]


@dataclass
class Person:
    """One of the people before the screen.

    In a race whatever lies there keeps its key for as long as it lies there.
    """

    seat: int
    keyboard: str = ALL_KEYS
    keeps_keys: bool = False
    note: str = ""
    chooser: Chooser = field(default_factory=Chooser)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    _wanted: frozenset[str] = frozenset()
    _keys: dict[Place, str] = field(default_factory=dict)
    _words: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _slots: dict[tuple[int | None, str], dict[str, int]] = field(default_factory=dict)
    _rooms: dict[tuple[int | None, str], int] = field(default_factory=dict)

    def give_keys(self, rows: Sequence[Row], pickable: Collection[str]) -> None:
        """Give keys to all that can be picked.

        Args:
            rows: What lies on the table.
            pickable: The zones from which moves may pick at some time.
        """
        self._keys, self._words = {}, {}
        self._wanted = frozenset(self.chooser.words())
        keys = iter(self.keyboard)
        for row in sorted(rows, key=lambda row: row.seat != self.seat):
            things = [t for t in row.things if self._is_near(row, t, pickable)]
            slots = self._give_slots(row, things)
            spare = [next(keys, "") for _ in range(self._room(row, slots))]
            for thing in things:
                key = spare[slots[thing.words[0]]]
                self._keys[_place(row, thing)] = key
                self._words.setdefault(key, self._words_of(row, thing))
        shown = {word for words in self._words.values() for word in words}
        free = [word for word in self.chooser.words() if word not in shown]
        self.buttons = list(self._give_buttons(free))

    def _give_buttons(self, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the key of each word that is no thing on the table, and the word.

        A digit has itself as a key, even where that would tell why a card cannot be
        picked; other words have one of their letters, if it is free.
        """
        needed = {
            key
            for key, names in self._words.items()
            if not self._wanted.isdisjoint(names)
        }
        for word in words:
            short = type_part(word)
            letters = [key for key in short if key not in self._words]
            usable = set(self.keyboard) - needed
            for key in (short, *letters, *self.keyboard):
                if key in usable and (key == short or key not in self._words):
                    needed.add(key)
                    yield key, word
                    break

    def _is_near(self, row: Row, thing: Thing, pickable: Collection[str]) -> bool:
        """Tell whether a thing has a key: it can be picked, now or another time."""
        if not thing.words:
            return False
        if not self._wanted.isdisjoint(self._words_of(row, thing)):
            return True
        return row.zone.name in pickable and row.seat in (self.seat, None)

    def _words_of(self, row: Row, thing: Thing) -> tuple[str, ...]:
        """Return what moves call a thing; short names are of one's own piles."""
        if row.seat in (self.seat, None):
            return thing.words
        return tuple(word for word in thing.words if not _is_short(word, row))

    def _give_slots(self, row: Row, things: Sequence[Thing]) -> dict[str, int]:
        """Return the place among the keys of a row for each of its things."""
        names = [thing.words[0] for thing in things]
        if not self.keeps_keys:
            return {name: number for number, name in enumerate(dict.fromkeys(names))}
        before = self._slots.get((row.owner, row.zone.name), {})
        kept = {name: slot for name, slot in before.items() if name in names}
        free = (n for n in range(len(names)) if n not in kept.values())
        slots = {name: kept[name] if name in kept else next(free) for name in names}
        self._slots[row.owner, row.zone.name] = slots
        return slots

    def _room(self, row: Row, slots: dict[str, int]) -> int:
        """Return how many keys a row has; in a race as many as it ever had."""
        room = max(slots.values(), default=-1) + 1
        if self.keeps_keys:
            known = self._rooms.get((row.owner, row.zone.name), 0)
            room = self._rooms[row.owner, row.zone.name] = max(room, known)
        return room

    def mark(self, row: Row, thing: Thing) -> Mark:
        """Return how the person picks a thing."""
        key = self._keys.get(_place(row, thing), "") if thing.words else ""
        words = self._words_of(row, thing) if key else ()
        return Mark(
            key,
            not self._wanted.isdisjoint(words),
            any(word in self.chooser.picked for word in words),
        )

    def sort(self, row: Row) -> list[Thing]:
        """Return the things of a row in the order of their keys, where these stay."""
        slots = self._slots.get((row.owner, row.zone.name), {})
        if not slots:
            return list(row.things)
        return sorted(
            row.things,
            key=lambda thing: slots.get(thing.words[0], 99) if thing.words else -1,
        )

    def find_words(self, key: str) -> tuple[str, ...]:
        """Return the words that a key stands for."""
        button = next((word for known, word in self.buttons if known == key), "")
        return (button,) if button else self._words.get(key, ())

    def list_keys(self) -> list[str]:
        """Return the keys of all that can be picked now."""
        wanted = self.chooser.words()
        keys = [
            key
            for key, words in self._words.items()
            if key and any(word in wanted for word in words)
        ]
        return keys + [key for key, _ in self.buttons]


def _place(row: Row, thing: Thing) -> Place:
    return row.owner, row.zone.name, thing.words[0]


def _is_short(word: str, row: Row) -> bool:
    """Tell whether a word names a pile without its owner."""
    return word.split(".")[0] == row.zone.name
