"""What an expression stands for while it is compiled: its kind and its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Protocol

from .emitter import Emitter

# The kinds of single things, as authors read them.
ITEM_OF: Final = {
    "cards": "card",
    "players": "player",
    "teams": "team",
    "piles": "pile",
    "numbers": "number",
    "ranks": "rank",
    "suits": "suit",
}
# More than the cards of the largest deck.
LOGS: Final = 443
GROUP_OF: Final = {item: group for group, item in ITEM_OF.items()}

BIG: Final = 1_000_000_000
_IS_NONE: Final = re.compile(r"\((S\[[^][]*\]) ([=!]=) 0\)")
_OTHER: Final = {"==": "!=", "!=": "=="}

Body = Callable[[str], None]


class Loop(Protocol):
    """Writes a loop over a group, calling back with each item's code."""

    def __call__(self, emitter: Emitter, body: Body, stop: str) -> None:
        """Write it; no further item is visited once the stop variable is set."""


class Holds(Protocol):
    """Writes what is needed to test whether an item belongs to a group."""

    def __call__(self, emitter: Emitter, item: str) -> str:
        """Return the code of the test."""


@dataclass(frozen=True, slots=True)
class Value:
    """A compiled expression.

    Code is Python over the state; for a group it only identifies the group, and
    loop and holds do the work. A pile knows the zones it may belong to; a group
    perhaps the code of how many items it has, of its lowest card or, where they are
    few and fixed, of each of its items; cards perhaps the rank or suit that they have
    in common, with its code, and the codes of masks with a bit for each, the cards of
    one after those of the other. Where a group is made of a few fixed items it has the
    codes of every one, and the test that they are in it. In a distinct one no item is
    there twice.
    """

    kind: str
    code: str = ""
    maybe: bool = False
    constant: int | None = None
    zones: frozenset[str] = frozenset()
    loop: Loop | None = None
    holds: Holds | None = None
    sure: bool = False
    whole_pile: bool = False
    items: tuple[Value, ...] = field(default=())
    passes: int = 0
    lowest: str = ""
    alike: tuple[str, str] | None = None
    few: tuple[str, ...] = ()
    size: str = ""
    masks: tuple[str, ...] = ()
    every: tuple[str, ...] = ()
    distinct: bool = False
    test: Callable[[Emitter, str], str] | None = None

    @property
    def identity(self) -> Hashable:
        """Return what tells this value from others of another code or kind."""
        return self.kind, self.code, self.maybe, self.sure, self.zones

    @property
    def is_group(self) -> bool:
        """Tell whether this is a group, or a pile, which is a group of cards."""
        return self.kind in ITEM_OF or self.kind in ("pile", "listed")

    @property
    def item_kind(self) -> str:
        """Return the kind of a group's items."""
        if self.kind == "listed":
            return self.items[0].kind
        return "card" if self.kind == "pile" else ITEM_OF[self.kind]


UNKNOWN: Final = Value("unknown", "0", sure=True)


def number(value: int) -> Value:
    """Return a number that is known."""
    return Value("number", str(value), constant=value)


def truth(value: bool) -> Value:
    """Return a yes or no that is known."""
    return Value("yes/no", str(value), constant=int(value))


def negate(code: str) -> str:
    """Return the code of the opposite of a test."""
    if match := _IS_NONE.fullmatch(code):
        return f"({match[1]} {_OTHER[match[2]]} 0)"
    return f"(not {code})"


def plus(base: str, offset: str) -> str:
    """Return the code of a sum: what varies, then the numbers folded into one."""
    (one, first), (other, second) = _part(base), _part(offset)
    varies = " + ".join(part for part in (one, other) if part)
    fixed = first + second
    if not varies:
        return str(fixed)
    if not fixed:
        return varies
    return f"{varies} {'+' if fixed > 0 else '-'} {abs(fixed)}"


def times(base: str, factor: int) -> str:
    """Return the code of a product with a number, folded where it can be."""
    if factor == 1:
        return base
    varies, fixed = _part(base)
    if not varies:
        return str(fixed * factor)
    inner, sign, number = varies.rpartition(" * ")
    if sign and number.isdecimal() and _is_one_term(inner):
        product = f"{inner} * {int(number) * factor}"
    elif _is_one_term(varies):
        product = f"{varies} * {factor}"
    else:
        product = f"({varies}) * {factor}"
    return plus(product, str(fixed * factor))


def difference(one: str, other: str) -> int | None:
    """Return by how much one code is more than another, where that is fixed."""
    (varies, first), (same, second) = _part(one), _part(other)
    return first - second if varies == same else None


_SUM: Final = re.compile(r"(.+) ([+-]) (\d+)")


def _part(code: str) -> tuple[str, int]:
    """Part a sum into what varies, perhaps nothing, and the number at its end."""
    if code.removeprefix("-").isdecimal():
        return "", int(code)
    match = _SUM.fullmatch(code)
    if match is None:
        return code, 0
    return match[1], int(match[2] + match[3])


def _is_one_term(code: str) -> bool:
    """Tell whether no operator stands outside brackets."""
    depth = 0
    for letter in code:
        depth += (letter in "([") - (letter in ")]")
        if letter == " " and depth == 0:
            return False
    return True


def leave(emitter: Emitter, stop: str) -> None:
    """Write the end of a loop's body: no further item once a test holds.

    The test is a variable, or that it is not below 0. Where the last line sets it,
    the loop ends there.
    """
    if not stop:
        return
    last = emitter.lines[-1]
    indent = len(last) - len(last.lstrip())
    if last.startswith(f"{stop.partition(' ')[0]} = ", indent):
        emitter.lines.append(" " * indent + "break")
        return
    with emitter.block(f"if {stop}:"):
        emitter.line("break")


def narrow(
    group: Value,
    code: str,
    test: Callable[[Emitter, str], str],
    *,
    sure: bool = False,
    masks: tuple[str, ...] = (),
) -> Value:
    """Return the items of a group that pass a test.

    The test writes what it needs and returns its code; it may rely on the item
    being in the group. Perhaps there are the codes of masks of the items as well.
    """

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        if masks:
            loop_masks(emitter, masks, body, stop)
            return

        def tested(item: str) -> None:
            with emitter.block(f"if {test(emitter, item)}:"):
                body(item)

        if group.loop:
            group.loop(emitter, tested, stop)

    def holds(emitter: Emitter, item: str) -> str:
        assert group.holds
        found = emitter.name("t")
        emitter.line(f"{found} = {group.holds(emitter, item)}")
        with emitter.block(f"if {found}:"):
            emitter.line(f"{found} = {test(emitter, item)}")
        return found

    def both(emitter: Emitter, item: str) -> str:
        before = group.test(emitter, item) if group.test else "True"
        after = test(emitter, item)
        return after if before == "True" else f"({before} and {after})"

    return Value(
        GROUP_OF.get(group.item_kind, group.kind),
        code,
        zones=group.zones,
        loop=loop,
        holds=holds,
        sure=sure,
        items=group.items,
        passes=group.passes,
        masks=masks,
        every=group.every,
        distinct=group.distinct,
        test=both,
    )


def name_kind(kind: str) -> str:
    """Return how people read a kind: ``a card``, ``a number``."""
    if kind in ("cards", "players", "teams", "piles", "numbers", "ranks", "suits"):
        return kind
    if kind in ("yes/no", "none", "listed"):
        return {"yes/no": "yes or no", "listed": "a list"}.get(kind, kind)
    return f"a {kind}"


def log_of(mask: str) -> str:
    """Return the code of the number of the lowest card of a mask that has one.

    Powers of two leave all different rests by a prime that 2 generates.
    """
    return f"LOG[({mask} & -{mask}) % {LOGS}]"


def loop_mask(emitter: Emitter, mask: str, body: Body, stop: str = "") -> None:
    """Write a loop over the cards of a mask, from the lowest."""
    rest, card = emitter.name("m"), emitter.name("c")
    emitter.line(f"{rest} = {mask}")
    with emitter.block(f"while {rest}:"):
        emitter.line(f"{card} = {log_of(rest)}")
        emitter.line(f"{rest} &= {rest} - 1")
        body(card)
        leave(emitter, stop)


def loop_masks(emitter: Emitter, masks: tuple[str, ...], body: Body, stop: str) -> None:
    """Write a loop over the cards of some masks, one after the other."""
    loop_mask(emitter, masks[0], body, stop)
    for mask in masks[1:]:
        if stop:
            with emitter.block(f"if not {stop}:"):
                loop_mask(emitter, mask, body, stop)
        else:
            loop_mask(emitter, mask, body)


def from_mask(
    mask: str, zones: frozenset[str], alike: tuple[str, str] | None = None
) -> Value:
    """Return the group of the cards of a mask, which has at least one."""

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        loop_mask(emitter, mask, body, stop)

    return Value(
        "cards",
        f"mask {mask}",
        zones=zones,
        loop=loop,
        holds=lambda emitter, item: f"({mask} >> {item} & 1 != 0)",
        sure=True,
        lowest=log_of(mask),
        alike=alike,
        masks=(mask,),
    )
