"""Compile expressions: one pass gives each its kind, its code and its problems."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from ..text.errors import Problem
from ..text.parser import Phrase, parse_expression
from ..text.source import Span
from ..text.tree import Node, Scalar
from . import arithmetic, calls, choices, facts, groups, library, logic, masks, names
from .emitter import Emitter
from .layout import WORD, Zone
from .scope import MAX_LETTERS, MAX_PHRASES, Mark, Meaning, Rule, Scope
from .sharing import share
from .values import (
    GROUP_OF,
    UNKNOWN,
    Body,
    Value,
    difference,
    leave,
    log_of,
    loop_mask,
    name_kind,
    narrow,
    plus,
    times,
)

# How often the innermost of some loops may be gone through, all loops together,
# and one over numbers whose ends are known in play only (see `bounded`).
MOST_PASSES: Final = 5_000_000
MOST_WORK: Final = 20_000_000
MOST_NUMBERS: Final = 1_000
# What a comment begins with that marks the use of a part of the rules.
SIGN: Final = "#: "

# Instead of a loop over so many fixed items moves are written out for each.
FEW: Final = 2
# Instead of a search through so many fixed items one test is written for all.
MOST_EVERY: Final = 6
# How each rule of the grammar is compiled.
_RULES: Final[dict[str, Rule]] = {
    **names.RULES,
    **groups.RULES,
    **choices.RULES,
    **logic.RULES,
    **arithmetic.RULES,
    **calls.RULES,
}


class Compiler:
    """Compiles the expressions of one ruleset into an emitter's lines."""

    def __init__(self, meaning: Meaning, emitter: Emitter) -> None:
        """Compile with these meanings, into this emitter."""
        self.meaning = meaning
        self.emitter = emitter
        self._around = -1
        self._is_ruled_out = False
        self._nest = 1
        self._looks = 0
        self._has_too_much = False
        self._last: Phrase | None = None
        self._depth = 0

    def mark(self, kind: str, name: str, span: Span, move: str = "") -> int:
        """Write that here begins the use of a part of the rules, as a comment.

        What options rule out has no marks: that it is never used is no news.
        """
        if self._is_ruled_out:
            return self._around
        number = self.meaning.mark(Mark(kind, name, span, move, self._around))
        self.emitter.line(f"{SIGN}{number} {kind} {name}")
        return number

    @contextmanager
    def part(
        self, kind: str, name: str, span: Span, *, is_ruled_out: bool = False
    ) -> Iterator[None]:
        """Mark the use of a part of the rules, and what is written inside it."""
        before = self._around, self._is_ruled_out
        self._is_ruled_out |= is_ruled_out
        self._around = self.mark(kind, name, span)
        yield
        self._around, self._is_ruled_out = before

    @contextmanager
    def writing(self, emitter: Emitter) -> Iterator[None]:
        """Write into another emitter for a while."""
        before, self.emitter = self.emitter, emitter
        try:
            yield
        finally:
            self.emitter = before

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Compile for what it tells only: lines and problems are dropped."""
        problems = list(self.meaning.problems)
        with self.emitter.apart():
            yield
        self.meaning.problems[:] = problems

    def report(self, code: str, message: str, span: Span, hint: str = "") -> Value:
        """Note a problem; the value that results silences later ones."""
        self.meaning.report(code, message, span, hint)
        return UNKNOWN

    # Entry points

    def read(self, node: Node | None) -> Phrase | None:
        """Parse an expression of the file, or note what is wrong with it."""
        if not isinstance(node, Scalar):
            return None
        parsed = parse_expression(node)
        if isinstance(parsed, Problem):
            self.meaning.problems.append(parsed)
            return None
        return parsed

    def compile(self, phrase: Phrase, scope: Scope, kind: str = "") -> Value:
        """Compile an expression; with a kind, one that must be of it."""
        outer, self._last = self._last, phrase
        self._depth += 1
        self.meaning.phrases += 1
        if self.meaning.phrases > MAX_PHRASES:
            is_news = self.meaning.letters <= MAX_LETTERS
            if is_news and self.meaning.phrases == MAX_PHRASES + 1:
                self._report_too_large(phrase.span)
            self._depth -= 1
            return UNKNOWN
        value = self.literal(phrase, kind) or _RULES[phrase.rule](self, phrase, scope)
        self._depth -= 1
        if self._depth:
            self._last = outer
        return self.expect(value, kind, phrase) if kind else value

    def has_unfolded(self, span: Span, lines: list[str], code: str) -> bool:
        """Count what a definition came to; return whether all of them are too much."""
        is_first = self.meaning.letters <= MAX_LETTERS
        self.meaning.letters += sum(map(len, lines)) + len(code)
        if self.meaning.letters <= MAX_LETTERS:
            return False
        if is_first:
            self._report_too_large(span)
        return True

    def _report_too_large(self, span: Span) -> None:
        self.report(
            "ruleset-too-large",
            "the definitions used here unfold to too much",
            span,
            "Use fewer definitions inside definitions.",
        )

    def expect(self, value: Value, kind: str, phrase: Phrase) -> Value:
        """Return a value that is of a kind, or report that it is not."""
        if "unknown" in (value.kind, kind):
            return UNKNOWN
        if value.kind == kind:
            return value
        if kind == "cards" and value.kind == "pile":
            return value
        if kind == "cards" and value.kind == "card":
            return self.single(value)
        if kind in GROUP_OF.values() and value.kind == "listed":
            return value
        return self.report(
            "wrong-kind",
            f"'{phrase.span.text}' is {name_kind(value.kind)}, not {name_kind(kind)}",
            phrase.span,
            f"Here stands {name_kind(kind)}.",
        )

    def test(self, phrase: Phrase, scope: Scope) -> str:
        """Compile a test and return its code."""
        return self.compile(phrase, scope, "yes/no").code

    def sure(self, value: Value, phrase: Phrase, scope: Scope) -> Value:
        """Return a value that cannot be none, or report that it may be."""
        if value.maybe and not scope.lenient and f"is:{value.code}" not in scope.facts:
            return self.report(
                "may-be-none",
                f"'{phrase.span.text}' may be none here",
                phrase.span,
                f"Test it first: {phrase.span.text} != none and …",
            )
        return replace(value, maybe=False) if value.maybe else value

    def some(self, group: Value, phrase: Phrase, scope: Scope) -> bool:
        """Tell whether a group cannot be empty here; report it if it can."""
        if group.kind == "unknown" or group.sure or scope.lenient:
            return True
        if f"some:{group.code}" in scope.facts:
            return True
        self.report(
            "may-be-empty",
            f"'{phrase.span.text}' may be empty here",
            phrase.span,
            f"Test it first, such as: not {phrase.span.text}.empty and …"
            if phrase.rule in ("name", "attribute", "call")
            else "Test it first with any(…).",
        )
        return False

    # Groups

    def single(self, card: Value) -> Value:
        """Return the group of one card."""
        known = card.constant
        mask = str(1 << known) if known is not None else ""

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            name = emitter.name("c")
            emitter.line(f"{name} = {card.code}")
            body(name)

        return Value(
            "cards",
            f"only {card.code}",
            zones=card.zones,
            loop=loop,
            holds=lambda emitter, item: f"({item} == {card.code})",
            sure=True,
            size="1",
            masks=() if known is None or self.meaning.deck.size > WORD else (mask,),
        )

    def range_of(
        self, phrase: Phrase, scope: Scope
    ) -> tuple[Value, str | None, Phrase | None]:
        """Return group, name and condition of ``[name in] group [where test]``."""
        condition = None
        if phrase.rule == "filtered":
            phrase, condition = phrase.part(0), phrase.part(1)
        name = None
        if phrase.rule == "member" and phrase.part(0).rule == "name":
            name = phrase.part(0).words[0]
            phrase = phrase.part(1)
        return self.group(phrase, scope), name, condition

    def group(self, phrase: Phrase, scope: Scope) -> Value:
        """Compile an expression that must be a group."""
        value = self.compile(phrase, scope)
        if value.kind == "card":
            return self.single(self.sure(value, phrase, scope))
        if value.kind == "pile":
            value = self.sure(value, phrase, scope)
        if value.is_group or value.kind == "unknown":
            return value
        return self.report(
            "wrong-kind",
            f"'{phrase.span.text}' is {name_kind(value.kind)}, not a group",
            phrase.span,
            "Here stands a group, such as a hand, a pile, or players.",
        )

    def filter(
        self, group: Value, name: str | None, condition: Phrase, scope: Scope
    ) -> Value:
        """Return the items of a group for which a condition holds."""
        if group.kind == "unknown":
            return group

        def passes(emitter: Emitter, item: str) -> str:
            inner = scope.visiting(self.item(group, item), name, group)
            with self.writing(emitter):
                return self.test(condition, inner)

        key = (id(condition), name, group.identity, scope.signature())
        known = self.meaning.narrowed.get(key)
        if known is None:
            test, lines, found = self._look(group, passes)
            # An empty code: for these options every item passes.
            code = "" if test == "True" else f"{group.code} where {lines}{test}"
            known = self.meaning.narrowed[key] = (condition, code, found)
        return narrow(group, known[1], passes, masks=known[2]) if known[1] else group

    def _look(
        self, group: Value, passes: Callable[[Emitter, str], str]
    ) -> tuple[str, str, tuple[str, ...]]:
        """Return the code of a test, its lines, and the masks of what passes it."""
        apart, item = Emitter(), f"it{self._looks}"
        self._looks += 1
        test = passes(apart, item)
        self._looks -= 1
        found = () if apart.lines else self._masks(group, test, item)
        lines = "; ".join(apart.lines)
        return test.replace(item, "it"), lines.replace(item, "it"), found

    def _masks(self, group: Value, test: str, item: str) -> tuple[str, ...]:
        """Return the codes of the sets of a group's cards that pass a test, if any."""
        found = masks.find_set(self.meaning, test, item) if group.masks else ""
        if found:
            self.use_as_set(group)
        return tuple(f"({mask} & {found})" for mask in group.masks if found)

    def use_as_set(self, group: Value) -> None:
        """Note that it pays to keep the cards of a group as sets."""
        if group.masks:
            self.meaning.layout.asked.update(group.zones)

    def narrow(self, group: Value, passes: Callable[[Emitter, str], str]) -> Value:
        """Return the items of a group that pass a test, as a set if it can be one."""
        return narrow(group, "", passes, masks=self._look(group, passes)[2])

    def item(self, group: Value, code: str) -> Value:
        """Return the value of one item of a group."""
        if group.kind == "listed":
            return replace(group.items[0], code=code, constant=None)
        if group.item_kind == "pile":
            return self.pile(code, group.zones)
        return Value(group.item_kind, code, zones=group.zones)

    def loop(self, group: Value, body: Body, stop: str = "") -> None:
        """Write a loop over a group."""
        if group.loop:
            with self.repeating(self._count_passes(group)):
                group.loop(self.emitter, body, stop)

    @contextmanager
    def repeating(self, passes: int) -> Iterator[None]:
        """Count what is written as done so many times; refuse what is too often."""
        before = self._nest
        self._nest = before * max(passes, 1)
        self.meaning.work += self._nest
        is_too_much = self._nest > MOST_PASSES or self.meaning.work > MOST_WORK
        if is_too_much and self._last is not None and not self._has_too_much:
            self._has_too_much = True
            self.report(
                "too-much-work",
                "these loops inside one another go through too much",
                self._last.span,
                "Count once what is needed often, or loop over fewer things.",
            )
        yield
        self._nest = before

    def _count_passes(self, group: Value) -> int:
        """Return over how many items a loop goes at most."""
        layout = self.meaning.layout
        most = {
            "card": layout.deck.size,
            "player": layout.seats,
            "team": layout.team_count,
            "pile": len(layout.piles),
            "suit": len(layout.deck.suits),
            "rank": len(layout.deck.ranks),
        }
        return group.passes or most.get(group.item_kind, MOST_NUMBERS)

    def pile(self, code: str, zones: frozenset[str]) -> Value:
        """Return a pile by the code of its number: a group of cards too."""
        slots = self.meaning.layout.slots

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            pile = code
            if " if " in code:
                pile = emitter.name("p")
                emitter.line(f"{pile} = {code}")
            if self.is_set(zones):
                loop_mask(emitter, f"S[{self.place(pile, zones)}]", body, stop)
            else:
                self._loop_list(emitter, pile, zones, body, stop)

        def holds(emitter: Emitter, item: str) -> str:
            return f"(S[{plus(item, str(slots['where']))}] == {code})"

        return Value(
            "pile",
            code,
            zones=zones,
            loop=loop,
            holds=holds,
            whole_pile=True,
            distinct=True,
            size=self.size(code),
            masks=(f"S[{self.place(code, zones)}]",) if self.is_set(zones) else (),
        )

    def _loop_list(
        self,
        emitter: Emitter,
        pile: str,
        zones: frozenset[str],
        body: Body,
        stop: str,
    ) -> None:
        """Write a loop over the cards of a pile by their places."""
        index, card = emitter.name("i"), emitter.name("c")
        if not self.is_list(zones):
            self.meaning.layout.mixed.update(zones)
            with emitter.block(f"for {index} in range({self.size(pile)}):"):
                emitter.line(f"{card} = card_at(S, {pile}, {index})")
                body(card)
                leave(emitter, stop)
            return
        at = self.place(pile, zones)
        if " " in at or "[" in at:
            at, start = emitter.name("a"), at
            emitter.line(f"{at} = {start}")
        with emitter.block(f"for {index} in range({at}, {plus(at, self.size(pile))}):"):
            emitter.line(f"{card} = S[{index}]")
            body(card)
            leave(emitter, stop)

    def _zones(self, names: frozenset[str]) -> list[Zone]:
        """Return the zones that a pile may belong to: any, if none is named."""
        zones = self.meaning.layout.zones
        return [zones[name] for name in names or zones]

    def is_set(self, zones: frozenset[str]) -> bool:
        """Tell whether a pile of these zones is kept as a set of cards."""
        return all(zone.is_set for zone in self._zones(zones))

    def is_list(self, zones: frozenset[str]) -> bool:
        """Tell whether a pile of these zones is kept as a list of cards."""
        return not any(zone.is_set for zone in self._zones(zones))

    def place(self, pile: str, zones: frozenset[str]) -> str:
        """Return the code of the slot where the cards of a pile begin."""
        found = self._zones(zones)
        if len(found) > 1:
            return f"PLACE[{pile}]"
        zone = found[0]
        return plus(times(plus(pile, str(-zone.first)), zone.stride), str(zone.base))

    def size(self, pile: str) -> str:
        """Return the code of how many cards a pile has."""
        return f"S[{plus(pile, str(self.meaning.layout.slots['count']))}]"

    def top(self, pile: str, zones: frozenset[str]) -> str:
        """Return the code of the top card of a pile that has one."""
        if self.is_set(zones):
            return f"(length(S[{self.place(pile, zones)}]) - 1)"
        if not self.is_list(zones):
            return f"top_of(S, {pile})"
        at = plus(self.place(pile, zones), "-1")
        return f"S[{plus(at, self.size(pile))}]"

    def bottom(self, pile: str, zones: frozenset[str]) -> str:
        """Return the code of the bottom card of a pile that has one."""
        if self.is_set(zones):
            return log_of(f"S[{self.place(pile, zones)}]")
        return self.card_at(pile, "0", zones)

    def card_at(self, pile: str, place: str, zones: frozenset[str]) -> str:
        """Return the code of the card at a place of a pile, from 0."""
        if not self.is_list(zones):
            return f"card_at(S, {pile}, {place})"
        return f"S[{plus(self.place(pile, zones), place)}]"

    def numbers(
        self, kind: str, first: str, last: str, *, zones: frozenset[str] = frozenset()
    ) -> Value:
        """Return the group of all numbers from first to last, as items of a kind."""
        count = difference(plus(last, "1"), first)
        end = plus(last, "1")
        if count is None:
            end = f"bounded(S, {first}, {end})"
        passes = 0 if count is None else max(count, 1)

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            item = emitter.name(kind[0])
            with emitter.block(f"for {item} in range({first}, {end}):"):
                body(item)
                leave(emitter, stop)

        def holds(emitter: Emitter, item: str) -> str:
            return f"({first} <= {item} <= {last})"

        few: tuple[str, ...] = ()
        if first.isdigit() and count and count <= FEW:
            few = tuple(plus(first, str(step)) for step in range(count))
        every: tuple[str, ...] = ()
        if first.isdigit() and count and count <= MOST_EVERY:
            every = tuple(plus(first, str(step)) for step in range(count))
        return Value(
            kind,
            f"{kind} {first} to {last}",
            zones=zones,
            loop=loop,
            holds=holds,
            sure=bool(count and count > 0),
            few=few,
            every=every,
            size=str(max(count, 0)) if count is not None else "",
            passes=passes,
        )

    def mask_of(self, players: Value) -> str:
        """Return the code of the mask of some players, which may take some lines."""
        if players.every and not players.test:
            return str(sum(1 << int(player) for player in players.every))
        mask = self.emitter.name("m")
        self.emitter.line(f"{mask} = 0")
        self.loop(players, lambda each: self.emitter.line(f"{mask} |= 1 << {each}"))
        return mask

    def share(self, lines: list[str]) -> list[str]:
        """Return the lines of a function that works out everything once."""
        if not self.meaning.is_played:
            return lines
        layout = self.meaning.layout
        score, items = layout.slots["score"], layout.slots["items"]
        teams = layout.team_count
        ends = items + teams * len(self.meaning.scoring)
        return share(lines, range(score, score + teams), range(items, ends))

    # What other modules say, for all that compile

    def literal(self, phrase: Phrase, kind: str) -> Value | None:
        """Return what a bare word or number means where a kind is expected."""
        return names.literal(self, phrase, kind)

    def stored(self, word: str, owner: str) -> Value:
        """Return a variable's value, of an owner if it has one."""
        return names.stored(self, word, owner)

    def zone(self, word: str, owner: str) -> Value:
        """Return the pile, or family of piles, that an owner has in a zone."""
        return names.zone(self, word, owner)

    def team_of(self, player: str) -> str:
        """Return the code of a player's team."""
        return names.team_of(self, player)

    def placed(self, rank: Value, phrase: Phrase, order: str, scope: Scope) -> str:
        """Return the code of a rank's place in an order that must have it."""
        return logic.placed(self, rank, phrase, order, scope)

    def expand(
        self, word: str, arguments: tuple[Value, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """Compile a definition in the place where it is used."""
        return choices.expand(self, word, arguments, phrase, scope)

    def card_attributes(self) -> dict[str, str]:
        """Return what a card has, and the kind of each."""
        return calls.card_attributes(self)

    def attribute(self, base: Value, word: str, phrase: Phrase, scope: Scope) -> Value:
        """Compile an attribute of a value."""
        return library.attribute(self, base, word, phrase, scope)

    def facts(self, phrase: Phrase, holds: bool, scope: Scope) -> set[str]:
        """Return what is known once a test has come out true (or false)."""
        return facts.find_facts(self, phrase, holds, scope)
