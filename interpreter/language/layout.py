"""Give every zone, variable and mark its place in the vector of a state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from .deck import Deck

# Slots that every game has, in order: the engine's own.
ENGINE: Final = [
    "rng0",
    "rng1",
    "rng2",
    "rng3",
    "pc",
    "decision",
    "to_act",
    "race",
    "over",
    "made",
    "fault",
    "next",
    "stacked",
    "pending",
]


# The cards of a set that one word of 64 bits has room for.
WORD: Final = 62


@dataclass(frozen=True, slots=True)
class Looks:
    """How a table shows a zone or a variable, where the ruleset says it.

    A place is above, between or below (or nothing: where its owner is); cards are
    sorted by rank or suit (or nothing: as they lie); no columns are one line.
    """

    is_shown: bool = True
    place: str = ""
    sort: str = ""
    columns: int = 0


PLAIN_LOOKS: Final = Looks()


@dataclass(frozen=True, slots=True)
class Zone:
    """A declared zone: its first pile, and how many it has for each owner.

    The cards of a pile are a list, from its base on in slots of their own; or a set
    in one slot, where their order is that of the deck. Bases are as far apart as
    stride says.
    """

    name: str
    per: str
    piles: int
    is_family: bool
    face: str
    seen_by: str
    is_sorted: bool
    first: int
    grows: bool
    looks: Looks = PLAIN_LOOKS
    is_set: bool = False
    base: int = 0
    stride: int = 1

    def count(self, seats: int, teams: int) -> int:
        """Return how many piles there are in all."""
        owners = {"player": seats, "team": teams}.get(self.per, 1)
        return owners * self.piles


@dataclass(frozen=True, slots=True)
class Pile:
    """One pile as it is called in texts: ``pile``, ``1.hand``, ``2.stock.3``."""

    index: int
    text: str
    zone: str
    owner: int | None
    number: int | None
    sorted: bool
    face: str
    viewers: int
    is_set: bool = False
    base: int = 0

    def seen_by(self, everyone: int, *, is_up: bool) -> int:
        """Return who sees a card in it, which is face up or not.

        Where cards lie face up by rule, one that was put face down is hidden.
        """
        if self.face == "none":
            return self.viewers
        if is_up:
            return everyone
        return 0 if self.face == "up" else self.viewers


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable as it is called in texts: ``dealer``, ``1.place``.

    Kind is as a ruleset spells it, or ``choice``, whose names are then listed.
    A number is kept as so many parts of one as the unit says: 61 halves are 30.5.
    """

    name: str
    text: str
    slot: int
    kind: str
    maybe: bool = False
    choices: tuple[str, ...] = ()
    owner: int | None = None
    seen_by: str = "all"
    unit: int = 1
    per: str = ""
    is_shown: bool = True


def cards_of(mask: int) -> tuple[int, ...]:
    """Return the cards of a set, from the lowest."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return tuple(found)


def in_ones(number: int, unit: int) -> int | float:
    """Return what so many parts of one are: 61 halves are 30.5, 60 are 30."""
    return number / unit if number % unit else number // unit


def in_parts(number: float, unit: int) -> int | None:
    """Return how many parts of one a number is, or None: 30.5 is 61 halves."""
    parts = number * unit
    return int(parts) if parts == int(parts) else None


@dataclass
class Layout:
    """Where everything is in the vector. Filled by the compiler, then only read."""

    deck: Deck
    seats: int
    teams: tuple[int, ...]
    # Which way deal and turn go round: 1 is clockwise, -1 counter-clockwise.
    step: int = 1
    slots: dict[str, int] = field(default_factory=dict)
    size: int = 0
    zones: dict[str, Zone] = field(default_factory=dict)
    piles: tuple[Pile, ...] = ()
    variables: tuple[Variable, ...] = ()
    deck_zone: str = ""
    # Zones that are to be lists: they are shuffled, or stand for one pile with lists.
    lists: set[str] = field(default_factory=set)
    # Zones that are asked as sets; and that stand for one pile with others.
    asked: set[str] = field(default_factory=set)
    mixed: set[str] = field(default_factory=set)
    # Where parts of scratch space begin, of which a game has as many as it uses.
    scratch: list[int] = field(default_factory=list)
    # How many slots what each player has chosen takes.
    chosen_width: int = 0
    # Variables that the rules set to something, at some time.
    assigned: set[str] = field(default_factory=set)

    @property
    def team_count(self) -> int:
        """Return the number of teams."""
        return max(self.teams) + 1

    @property
    def better_lists(self) -> frozenset[str]:
        """Return the zones that are better kept as lists, once it is known why."""
        sets = {zone.name for zone in self.zones.values() if zone.is_set}
        return frozenset(self.lists | (self.mixed & sets) - self.asked)

    @property
    def everyone(self) -> int:
        """Return the mask of all seats."""
        return (1 << self.seats) - 1

    def reserve(self, name: str, count: int = 1) -> int:
        """Give so many slots a name and return the first."""
        first = self.size
        self.slots[name] = first
        self.size += count
        return first

    @property
    def scratch_unit(self) -> int:
        """Return how many slots a part of scratch space has: one for each card."""
        return max(self.deck.size, len(self.piles))

    def find_scratch(self, part: int) -> int:
        """Return where a part of scratch space begins, and reserve it if need be."""
        while len(self.scratch) <= part:
            name = f"scratch {len(self.scratch) + 1}"
            self.scratch.append(self.reserve(name, self.scratch_unit))
        return self.scratch[part]

    def find_kept(self, start: int) -> list[tuple[int, int]]:
        """Return first and last slot of the ranges from a slot on without scratch."""
        ends = [start, *(base + self.scratch_unit for base in self.scratch)]
        return [*zip(ends, [*self.scratch, self.size], strict=True)]

    def add_zone(self, zone: Zone) -> None:
        """Give a zone its piles."""
        self.zones[zone.name] = zone
        found = list(self.piles)
        owners: list[int | None] = [None]
        if zone.per == "player":
            owners = list(range(1, self.seats + 1))
        elif zone.per == "team":
            owners = list(range(1, self.team_count + 1))
        for owner in owners:
            for number in range(1, zone.piles + 1):
                prefix = "" if owner is None else f"{owner}."
                suffix = f".{number}" if zone.is_family else ""
                found.append(
                    Pile(
                        len(found),
                        prefix + zone.name + suffix,
                        zone.name,
                        owner,
                        number if zone.is_family else None,
                        zone.is_sorted,
                        zone.face,
                        self._viewers(zone, owner),
                    )
                )
        self.piles = tuple(found)

    def _viewers(self, zone: Zone, owner: int | None) -> int:
        if zone.seen_by == "all":
            return self.everyone
        if zone.seen_by == "nobody" or owner is None:
            return 0
        if zone.per == "team":
            return sum(1 << s for s, t in enumerate(self.teams) if t == owner - 1)
        if zone.seen_by == "team":
            team = self.teams[owner - 1]
            return sum(1 << s for s, t in enumerate(self.teams) if t == team)
        return 1 << (owner - 1)

    def place_cards(self) -> None:
        """Reserve the slots of cards and piles, once all zones are known."""
        cards = self.deck.size
        self.reserve("where", cards)
        self.reserve("known", cards)
        self.reserve("face", cards)
        self.reserve("by", cards)
        self.reserve("count", len(self.piles))
        self.slots["at"] = self.size
        for zone in self.zones.values():
            self._place_piles(zone)

    def _place_piles(self, zone: Zone) -> None:
        """Give the piles of a zone a slot each, or as many as there are cards."""
        is_set = zone.is_sorted and zone.name not in {self.deck_zone, *self.lists}
        is_set = is_set and self.deck.size <= WORD
        stride = 1 if is_set else self.deck.size
        count = zone.count(self.seats, self.team_count)
        base = self.size
        self.size += count * stride
        self.zones[zone.name] = replace(zone, is_set=is_set, base=base, stride=stride)
        own = slice(zone.first, zone.first + count)
        self.piles = (
            *self.piles[: own.start],
            *(
                replace(pile, is_set=is_set, base=base + index * stride)
                for index, pile in enumerate(self.piles[own])
            ),
            *self.piles[own.stop :],
        )

    def pile(self, text: str) -> Pile | None:
        """Return the pile that a text names."""
        return next((pile for pile in self.piles if pile.text == text), None)

    def variable(self, text: str) -> Variable | None:
        """Return the variable that a text names."""
        return next((v for v in self.variables if v.text == text), None)

    @property
    def deck_pile(self) -> Pile:
        """Return the pile that holds the deck at the start."""
        return self.piles[self.zones[self.deck_zone].first]
