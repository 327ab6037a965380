"""Compile expressions: one pass gives each its kind, its code and its problems."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from . import library
from .emitter import Emitter
from .errors import Problem, suggest
from .parser import Phrase, parse_expression
from .scope import MAX_PHRASES, Meaning, Scope
from .source import Span
from .tree import Node, Scalar
from .values import (
    GROUP_OF,
    UNKNOWN,
    Body,
    Value,
    narrow,
    number,
    plus,
    times,
    truth,
)

BIG: Final = 1_000_000_000
# Compiles one arm of a choice, where the test is known to have come out.
Arm = Callable[[Scope], Value]
_ORDER: Final = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_OPPOSITE: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Compiler:
    """Compiles the expressions of one ruleset into an emitter's lines."""

    def __init__(self, meaning: Meaning, emitter: Emitter) -> None:
        """Compile with these meanings, into this emitter."""
        self.meaning = meaning
        self.emitter = emitter

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
        self.meaning.phrases += 1
        if self.meaning.phrases > MAX_PHRASES:
            if self.meaning.phrases == MAX_PHRASES + 1:
                self.report(
                    "ruleset-too-large",
                    "the definitions used here unfold to too much",
                    phrase.span,
                    "Use fewer definitions inside definitions.",
                )
            return UNKNOWN
        value = self.literal(phrase, kind) or self._compile(phrase, scope)
        return self.expect(value, kind, phrase) if kind else value

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
        return replace(value, maybe=False)

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

        apart = Emitter()
        test = passes(apart, "it")
        lines = "; ".join(apart.lines)
        return narrow(group, f"{group.code} where {lines}{test}", passes)

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
            group.loop(self.emitter, body, stop)

    def pile(self, code: str, zones: frozenset[str]) -> Value:
        """Return a pile by the code of its number: a group of cards too."""
        slots = self.meaning.layout.slots
        capacity = self.meaning.deck.size

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            index, card = emitter.name("i"), emitter.name("c")
            at = plus(times(code, capacity), str(slots["at"]))
            with emitter.block(
                f"for {index} in range({at}, {at} + {self.size(code)}):"
            ):
                emitter.line(f"{card} = S[{index}]")
                body(card)
                if stop:
                    with emitter.block(f"if {stop}:"):
                        emitter.line("break")

        def holds(emitter: Emitter, item: str) -> str:
            return f"(S[{plus(item, str(slots['where']))}] == {code})"

        return Value("pile", code, zones=zones, loop=loop, holds=holds, whole_pile=True)

    def size(self, pile: str) -> str:
        """Return the code of how many cards a pile has."""
        return f"S[{plus(pile, str(self.meaning.layout.slots['count']))}]"

    def top(self, pile: str) -> str:
        """Return the code of the top card of a pile that has one."""
        layout = self.meaning.layout
        at = plus(times(pile, self.meaning.deck.size), str(layout.slots["at"] - 1))
        return f"S[{at} + {self.size(pile)}]"

    def bottom(self, pile: str) -> str:
        """Return the code of the bottom card of a pile that has one."""
        layout = self.meaning.layout
        at = plus(times(pile, self.meaning.deck.size), str(layout.slots["at"]))
        return f"S[{at}]"

    def card_at(self, pile: str, place: str) -> str:
        """Return the code of the card at a place of a pile, from 0."""
        layout = self.meaning.layout
        at = plus(times(pile, self.meaning.deck.size), str(layout.slots["at"]))
        return f"S[{at} + {place}]"

    def numbers(
        self, kind: str, first: str, last: str, *, zones: frozenset[str] = frozenset()
    ) -> Value:
        """Return the group of all numbers from first to last, as items of a kind."""

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            item = emitter.name(kind[0])
            with emitter.block(f"for {item} in range({first}, {plus(last, '1')}):"):
                body(item)
                if stop:
                    with emitter.block(f"if {stop}:"):
                        emitter.line("break")

        def holds(emitter: Emitter, item: str) -> str:
            return f"({first} <= {item} <= {last})"

        sure = first.isdigit() and last.isdigit() and int(first) <= int(last)
        return Value(
            kind, f"{kind} {first} to {last}", False, None, zones, loop, holds, sure
        )

    # Phrases

    def literal(self, phrase: Phrase, kind: str) -> Value | None:
        """Return what a bare word or number means where a kind is expected."""
        if phrase.rule not in ("number", "name"):
            return None
        word = phrase.words[0]
        if kind == "rank" and word in self.meaning.deck.ranks:
            index = self.meaning.deck.ranks.index(word)
            return Value("rank", str(index), constant=index)
        if kind in self.meaning.choices and word in self.meaning.choices[kind]:
            self.meaning.used.add(f"{kind}={word}")
            index = self.meaning.choices[kind].index(word)
            return Value(kind, str(index), constant=index)
        return None

    def _compile(self, phrase: Phrase, scope: Scope) -> Value:
        method = getattr(self, f"_compile_{phrase.rule}")
        value: Value = method(phrase, scope)
        return value

    def _compile_number(self, phrase: Phrase, scope: Scope) -> Value:
        word = phrase.words[0]
        if word.isdigit():
            if int(word) > BIG if len(word) < 12 else True:
                return self.report(
                    "number-too-large",
                    f"the number is larger than {BIG}",
                    phrase.span,
                    "Use a smaller one.",
                )
            return number(int(word))
        return self._card_named(word, phrase)

    def _card_named(self, word: str, phrase: Phrase) -> Value:
        cards = self.meaning.deck.by_name.get(word, ())
        if not cards:
            if word in self.meaning.deck.removed:
                return Value("card", "-1", maybe=True)
            return self._unknown(phrase, word)
        return self._one_card(cards, phrase)

    def _one_card(self, cards: tuple[int, ...], phrase: Phrase) -> Value:
        if len(cards) > 1:
            return self.report(
                "several-cards",
                f"there are {len(cards)} cards '{phrase.span.text}' in this deck",
                phrase.span,
                "Ask for rank and suit instead.",
            )
        return Value("card", str(cards[0]), constant=cards[0])

    def _compile_card(self, phrase: Phrase, scope: Scope) -> Value:
        rank, suit = phrase.words
        deck = self.meaning.deck
        if suit not in deck.suits:
            return self._unknown(phrase, suit, list(deck.suits), "unknown-suit")
        if rank not in deck.ranks:
            return self._unknown(phrase, rank, list(deck.ranks), "unknown-rank")
        cards = deck.find(rank, suit)
        if not cards:
            return Value("card", "-1", maybe=True)
        return self._one_card(cards, phrase)

    def _unknown(
        self,
        phrase: Phrase,
        word: str,
        names: list[str] | None = None,
        code: str = "unknown-name",
    ) -> Value:
        noun = code.removeprefix("unknown-")
        known = names if names is not None else self.meaning.names()
        return self.report(
            code,
            f"unknown {noun} '{word}'",
            phrase.span,
            suggest(word, known, f"{noun}s"),
        )

    def _compile_name(self, phrase: Phrase, scope: Scope) -> Value:
        word = phrase.words[0]
        if word in scope.names:
            return scope.names[word]
        if word == "it":
            return self._item(phrase, scope)
        item = scope.items[-1] if scope.items else None
        if item and item.kind == "card" and word in self.card_attributes():
            return self.attribute(item, word, phrase, scope)
        return self._global(word, phrase, scope)

    def _item(self, phrase: Phrase, scope: Scope) -> Value:
        if not scope.items:
            return self.report(
                "no-item",
                "there is no 'it' here",
                phrase.span,
                "'it' is the item inside where, any, all, count, sum, first, best …",
            )
        if len(scope.items) > 1:
            return self.report(
                "ambiguous-item",
                "'it' could be the item of either range",
                phrase.span,
                "Name the items: any(p in players, any(c in p.hand, …)).",
            )
        return scope.items[-1]

    def _global(self, word: str, phrase: Phrase, scope: Scope) -> Value:
        meaning = self.meaning
        meaning.used.add(word)
        if word == "me":
            if scope.me is None:
                return self.report(
                    "nobody-acts",
                    "nobody is acting here, so there is no 'me'",
                    phrase.span,
                    "Name the player, such as p.hand inside 'for: p in players'.",
                )
            return Value("player", scope.me)
        if word == "none":
            return Value("none", "-1", maybe=True)
        if word in ("yes", "no"):
            return truth(word == "yes")
        if word == "players":
            return self.numbers("players", "0", str(meaning.layout.seats - 1))
        if word == "teams":
            return self.numbers("teams", "0", str(meaning.layout.team_count - 1))
        if word == "suits":
            return self.numbers("suits", "0", str(len(meaning.deck.suits) - 1))
        if word == "ranks":
            return self.numbers("ranks", "0", str(len(meaning.deck.ranks) - 1))
        if word in meaning.options:
            return meaning.options[word]
        if word in meaning.variables:
            return self._variable(word, phrase, scope)
        if word in meaning.layout.zones:
            return self._zone(word, phrase, scope)
        if word in meaning.definitions:
            return self.expand(word, (), phrase, scope)
        return self._word_of_the_deck(word, phrase)

    def _word_of_the_deck(self, word: str, phrase: Phrase) -> Value:
        deck = self.meaning.deck
        if word in deck.suits:
            index = deck.suits.index(word)
            return Value("suit", str(index), constant=index)
        for name, (values, _) in self.meaning.attributes.items():
            if word in values:
                index = values.index(word)
                return Value(name, str(index), constant=index)
        if word in deck.ranks and not word.isdigit():
            index = deck.ranks.index(word)
            return Value("rank", str(index), constant=index)
        if word in deck.by_name or word in deck.removed:
            return self._card_named(word, phrase)
        for kind, names in self.meaning.choices.items():
            if word in names:
                index = names.index(word)
                return Value(kind, str(index), constant=index)
        return self._unknown(phrase, word)

    def _variable(self, word: str, phrase: Phrase, scope: Scope) -> Value:
        variable = self.meaning.variables[word]
        owner = ""
        if variable.per:
            if scope.me is None:
                return self._whose(word, phrase)
            owner = scope.me if variable.per == "player" else self.team_of(scope.me)
        return self.stored(word, owner)

    def stored(self, word: str, owner: str) -> Value:
        """Return a variable's value, of an owner if it has one."""
        variable = self.meaning.variables[word]
        slot = plus(str(variable.slot), owner) if owner else str(variable.slot)
        code = f"S[{slot}]"
        if variable.kind == "yes/no":
            return Value("yes/no", f"({code} != 0)")
        if variable.kind == "pile":
            zones = frozenset(self.meaning.layout.zones)
            return replace(self.pile(code, zones), maybe=variable.maybe)
        return Value(variable.kind, code, maybe=variable.maybe)

    def _whose(self, word: str, phrase: Phrase) -> Value:
        return self.report(
            "nobody-acts",
            f"whose '{word}'? Nobody is acting here",
            phrase.span,
            f"Name the player, such as p.{word} inside 'for: p in players'.",
        )

    def _zone(self, word: str, phrase: Phrase, scope: Scope) -> Value:
        zone = self.meaning.layout.zones[word]
        owner = "0"
        if zone.per:
            if scope.me is None:
                return self._whose(word, phrase)
            owner = scope.me if zone.per == "player" else self.team_of(scope.me)
        return self.zone(word, owner)

    def zone(self, word: str, owner: str) -> Value:
        """Return the pile, or family of piles, that an owner has in a zone."""
        zone = self.meaning.layout.zones[word]
        first = plus(str(zone.first), times(owner, zone.piles))
        if not zone.is_family:
            return self.pile(first, frozenset({word}))
        last = plus(first, str(zone.piles - 1))
        return self.numbers("piles", first, last, zones=frozenset({word}))

    def team_of(self, player: str) -> str:
        """Return the code of a player's team."""
        layout = self.meaning.layout
        if layout.teams == tuple(range(layout.seats)):
            return player
        if player.isdigit():
            return str(layout.teams[int(player)])
        return f"TEAM[{player}]"

    def expand(
        self, word: str, arguments: tuple[Value, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """Compile a definition in the place where it is used."""
        definition = self.meaning.definitions[word]
        self.meaning.used.add(word)
        if word in scope.defining:
            circle = " > ".join([*scope.defining, word])
            return self.report(
                "definition-circle",
                f"'{word}' is defined by itself: {circle}",
                definition.span,
                "A definition may use others, but not itself.",
            )
        if len(arguments) != len(definition.params):
            wanted = ", ".join(definition.params)
            return self.report(
                "wrong-number-of-arguments",
                f"'{word}' takes {count_arguments(len(definition.params))}, not "
                f"{len(arguments)}",
                phrase.span,
                f"Write {word}({wanted})." if wanted else f"Write {word}.",
            )
        inner = replace(
            scope,
            names=dict(zip(definition.params, arguments, strict=True)),
            items=(),
            defining=(*scope.defining, word),
        )
        if definition.body is not None:
            return self.compile(definition.body, inner)
        return self._table(definition.table, inner)

    def _table(
        self, rows: tuple[tuple[Phrase | None, Phrase], ...], scope: Scope
    ) -> Value:
        """Compile the first row whose test holds, down to the last."""
        if not rows:
            # It could not be read, which has been reported where it stands.
            return UNKNOWN
        test, result = rows[0]
        if test is None or len(rows) == 1:
            return self.compile(result, scope)
        return self._choose(
            test,
            scope,
            lambda inner: self.compile(result, inner),
            lambda inner: self._table(rows[1:], inner),
            result,
        )

    def _compile_choice(self, phrase: Phrase, scope: Scope) -> Value:
        test, one, other = phrase.part(0), phrase.part(1), phrase.part(2)
        return self._choose(
            test,
            scope,
            lambda inner: self.compile(one, inner),
            lambda inner: self.compile(other, inner),
            other,
        )

    def _choose(
        self, test: Phrase, scope: Scope, one: Arm, other: Arm, phrase: Phrase
    ) -> Value:
        """Compile ``if … then … else …`` from functions that compile its arms."""
        condition = self.compile(test, scope, "yes/no")
        yes = scope.knowing(self.facts(test, True, scope))
        no = scope.knowing(self.facts(test, False, scope))
        if condition.constant is not None:
            with self.emitter.apart():  # the other arm, for its problems only
                (other(no) if condition.constant else one(yes))
            return one(yes) if condition.constant else other(no)
        with self.emitter.apart() as yes_lines:
            first = one(yes)
        with self.emitter.apart() as no_lines:
            second = other(no)
        if first.is_group and not (first.kind == second.kind == "pile"):
            chosen = condition.code
            if yes_lines or no_lines:
                chosen = self.emitter.name("t")
                self.emitter.line(f"{chosen} = {condition.code}")
                for head, lines in ((f"if {chosen}:", yes_lines), ("else:", no_lines)):
                    with self.emitter.block(head):
                        self.emitter.add(lines)
            return self._choose_group(chosen, first, second, phrase)
        kind = self._common(first, second, phrase)
        code = f"({first.code} if {condition.code} else {second.code})"
        if yes_lines or no_lines:
            code = self.emitter.name("t")
            with self.emitter.block(f"if {condition.code}:"):
                self.emitter.add(yes_lines)
                self.emitter.line(f"{code} = {first.code}")
            with self.emitter.block("else:"):
                self.emitter.add(no_lines)
                self.emitter.line(f"{code} = {second.code}")
        zones = first.zones | second.zones
        if kind == "pile":
            return replace(self.pile(code, zones), maybe=first.maybe or second.maybe)
        return Value(kind, code, first.maybe or second.maybe, zones=zones)

    def _choose_group(
        self, test: str, first: Value, second: Value, phrase: Phrase
    ) -> Value:
        if "unknown" in (first.kind, second.kind):
            return UNKNOWN
        if first.item_kind != second.item_kind:
            return self._differ(first, second, phrase)

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            for head, group in ((f"if {test}:", first), ("else:", second)):
                with emitter.block(head):
                    if group.loop:
                        group.loop(emitter, body, stop)

        def holds(emitter: Emitter, item: str) -> str:
            found = emitter.name("t")
            for head, group in ((f"if {test}:", first), ("else:", second)):
                with emitter.block(head):
                    assert group.holds
                    emitter.line(f"{found} = {group.holds(emitter, item)}")
            return found

        kind = GROUP_OF[first.item_kind]
        code = f"if {test} then {first.code} else {second.code}"
        zones = first.zones | second.zones
        return Value(kind, code, False, None, zones, loop, holds)

    def _common(self, first: Value, second: Value, phrase: Phrase) -> str:
        kinds = {first.kind, second.kind} - {"none"}
        if "unknown" in kinds:
            return "unknown"
        if len(kinds) > 1:
            return self._differ(first, second, phrase).kind
        return kinds.pop() if kinds else "none"

    def _differ(self, first: Value, second: Value, phrase: Phrase) -> Value:
        return self.report(
            "wrong-kind",
            f"the results are {name_kind(first.kind)} and {name_kind(second.kind)}",
            phrase.span,
            "Both must be of one kind.",
        )

    # Logic

    def _compile_negated(self, phrase: Phrase, scope: Scope) -> Value:
        value = self.compile(phrase.part(0), scope, "yes/no")
        if value.constant is not None:
            return truth(not value.constant)
        return Value("yes/no", f"(not {value.code})")

    def _compile_both(self, phrase: Phrase, scope: Scope) -> Value:
        return self._connect(phrase, scope, "and")

    def _compile_either(self, phrase: Phrase, scope: Scope) -> Value:
        return self._connect(phrase, scope, "or")

    def _connect(self, phrase: Phrase, scope: Scope, word: str) -> Value:
        """Compile ``and``, ``or``: the right side may rely on the left."""
        first = self.compile(phrase.part(0), scope, "yes/no")
        facts = self.facts(phrase.part(0), word == "and", scope)
        inner = scope.knowing(facts)
        with self.emitter.apart() as lines:
            second = self.compile(phrase.part(1), inner, "yes/no")
        if first.constant is not None:
            if bool(first.constant) == (word == "or"):
                return first
            self.emitter.add(lines)
            return second
        if second.constant is not None and not lines:
            return second if bool(second.constant) == (word == "or") else first
        if not lines:
            return Value("yes/no", f"({first.code} {word} {second.code})")
        name = self.emitter.name("t")
        self.emitter.line(f"{name} = {first.code}")
        with self.emitter.block(f"if {name}:" if word == "and" else f"if not {name}:"):
            self.emitter.add(lines)
            self.emitter.line(f"{name} = {second.code}")
        return Value("yes/no", name)

    def _compile_compared(self, phrase: Phrase, scope: Scope) -> Value:
        left, right, sign = phrase.part(0), phrase.part(1), phrase.words[0]
        if self._is_bare(left, scope) and not self._is_bare(right, scope):
            left, right, sign = right, left, _OPPOSITE[sign]
        first = self.compile(left, scope)
        kind = first.kind if first.kind in ("rank", *self.meaning.choices) else ""
        literal = self.literal(right, kind)
        second = literal or self.compile(right, scope)
        if "unknown" in (first.kind, second.kind):
            return UNKNOWN
        if first.kind != second.kind and "none" not in (first.kind, second.kind):
            return self.report(
                "never-equal",
                f"{name_kind(first.kind)} is compared with {name_kind(second.kind)}",
                phrase.span,
                "Such a comparison can never be true.",
            )
        if sign in ("==", "!="):
            return self._equal(first, second, sign, phrase)
        return self._order(first, second, sign, (left, right), phrase, scope)

    def _is_bare(self, phrase: Phrase, scope: Scope) -> bool:
        if phrase.rule == "number":
            return True
        return phrase.rule == "name" and (
            phrase.words[0] in self.meaning.deck.ranks
            or any(phrase.words[0] in names for names in self.meaning.choices.values())
        )

    def _equal(self, first: Value, second: Value, sign: str, phrase: Phrase) -> Value:
        if first.is_group and first.kind != "pile":
            return self.report(
                "wrong-kind",
                "groups cannot be compared with '=='",
                phrase.span,
                "Compare their sizes, or use all(…).",
            )
        if first.kind == "yes/no":
            first, second = _as_number(first), _as_number(second)
        if first.constant is not None and second.constant is not None:
            return truth((first.constant == second.constant) == (sign == "=="))
        return Value("yes/no", f"({first.code} {sign} {second.code})")

    def _order(
        self,
        first: Value,
        second: Value,
        sign: str,
        sides: tuple[Phrase, Phrase],
        phrase: Phrase,
        scope: Scope,
    ) -> Value:
        if first.kind not in ("number", "rank"):
            return self.report(
                "wrong-kind",
                f"'{sign}' does not compare {name_kind(first.kind)}",
                phrase.span,
                "Only numbers and ranks have an order.",
            )
        codes = [
            self.sure(value, side, scope).code
            for value, side in zip((first, second), sides, strict=True)
        ]
        if first.kind == "rank" and "order" in self.meaning.orders:
            codes = [
                self.placed(value, side, "order", scope)
                for value, side in zip((first, second), sides, strict=True)
            ]
        one, other = first.constant, second.constant
        if first.kind == "number" and one is not None and other is not None:
            return truth(_ORDER[sign](one, other))
        return Value("yes/no", f"({codes[0]} {sign} {codes[1]})")

    def placed(self, rank: Value, phrase: Phrase, order: str, scope: Scope) -> str:
        """Return the code of a rank's place in an order that must have it."""
        table = self.meaning.orders[order]
        for index, place in enumerate(table):
            known = rank.constant is not None and rank.constant != index
            fact = f"not:{rank.code}:{index}"
            if place or known or scope.lenient or fact in scope.facts:
                continue
            name = self.meaning.deck.ranks[index]
            self.report(
                "rank-not-in-order",
                f"'{phrase.span.text}' may be {name}, which has no place in '{order}'",
                phrase.span,
                f"Exclude it first: {phrase.span.text} == {name} or …",
            )
            break
        return f"ORDER_{order}[{rank.code}]"

    def _compile_member(self, phrase: Phrase, scope: Scope) -> Value:
        item = self.compile(phrase.part(0), scope)
        right = phrase.part(1)
        if right.rule == "listed":
            return self._among(item, right, phrase, scope)
        group = self.group(right, scope)
        if "unknown" in (item.kind, group.kind):
            return UNKNOWN
        if group.item_kind != item.kind:
            return self.report(
                "never-equal",
                f"{name_kind(item.kind)} is never in a group of {group.item_kind}s",
                phrase.span,
                "Such a test can never be true.",
            )
        if group.holds:
            name = self.emitter.name("t")
            self.emitter.line(f"{name} = {item.code}")
            return Value("yes/no", group.holds(self.emitter, name))
        return UNKNOWN

    def _among(self, item: Value, right: Phrase, phrase: Phrase, scope: Scope) -> Value:
        tests = []
        for part in right.parts:
            assert part is not None
            value = self.literal(part, item.kind) or self.compile(part, scope)
            if "unknown" in (item.kind, value.kind):
                return UNKNOWN
            if value.kind != item.kind:
                return self.report(
                    "never-equal",
                    f"{name_kind(item.kind)} is never {part.span.text}",
                    part.span,
                    "Such a test can never be true.",
                )
            tests.append(f"{item.code} == {value.code}")
        return Value("yes/no", f"({' or '.join(tests)})")

    def _compile_not_member(self, phrase: Phrase, scope: Scope) -> Value:
        value = self._compile_member(phrase, scope)
        return Value(value.kind, f"(not {value.code})")

    # Numbers

    def _compile_added(self, phrase: Phrase, scope: Scope) -> Value:
        first = self.compile(phrase.part(0), scope)
        second = self.compile(phrase.part(1), scope)
        if phrase.words[0] == "+" and first.is_group:
            return self._union(first, second, phrase, scope)
        return self._arithmetic(phrase, (first, second), phrase.words[0])

    def _union(
        self, first: Value, second: Value, phrase: Phrase, scope: Scope
    ) -> Value:
        if second.kind == "card":
            second = self.single(self.sure(second, phrase.part(1), scope))
        if "unknown" in (first.kind, second.kind):
            return UNKNOWN
        if not second.is_group or first.item_kind != second.item_kind:
            return self._differ(first, second, phrase)

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            if first.loop:
                first.loop(emitter, body, stop)
            if second.loop and stop:
                with emitter.block(f"if not {stop}:"):
                    second.loop(emitter, body, stop)
            elif second.loop:
                second.loop(emitter, body, stop)

        def holds(emitter: Emitter, item: str) -> str:
            assert first.holds
            assert second.holds
            one, other = first.holds(emitter, item), second.holds(emitter, item)
            return f"({one} or {other})"

        return Value(
            GROUP_OF[first.item_kind],
            f"{first.code} + {second.code}",
            zones=first.zones | second.zones,
            loop=loop,
            holds=holds,
            sure=first.sure or second.sure,
        )

    def _arithmetic(
        self, phrase: Phrase, values: tuple[Value, Value], sign: str
    ) -> Value:
        first, second = (
            self.expect(value, "number", phrase.part(index))
            for index, value in enumerate(values)
        )
        if first.constant is not None and second.constant is not None:
            one, other = first.constant, second.constant
            result = {"+": one + other, "-": one - other, "*": one * other}[sign]
            if abs(result) <= BIG:
                return number(result)
        if sign == "*" and first.constant is None and second.constant is None:
            return Value("number", f"product({first.code}, {second.code})")
        return Value("number", f"({first.code} {sign} {second.code})")

    def _compile_times(self, phrase: Phrase, scope: Scope) -> Value:
        first = self.compile(phrase.part(0), scope)
        second = self.compile(phrase.part(1), scope)
        return self._arithmetic(phrase, (first, second), "*")

    def _compile_divided(self, phrase: Phrase, scope: Scope) -> Value:
        return self._divide(phrase, scope, "//")

    def _compile_remainder(self, phrase: Phrase, scope: Scope) -> Value:
        return self._divide(phrase, scope, "%")

    def _divide(self, phrase: Phrase, scope: Scope, sign: str) -> Value:
        first = self.compile(phrase.part(0), scope, "number")
        second = self.compile(phrase.part(1), scope, "number")
        if second.kind != "unknown" and (second.constant or 0) <= 0:
            if second.constant is None and second.code.startswith("("):
                code = f"max(1, {second.code})"
                return Value("number", f"({first.code} {sign} {code})")
            return self.report(
                "divided-by-variable",
                f"'{phrase.part(1).span.text}' is not a number above 0",
                phrase.part(1).span,
                "Divide by a number that is fixed before the game.",
            )
        if first.constant is not None and second.constant:
            quotient, rest = divmod(first.constant, second.constant)
            return number(quotient if sign == "//" else rest)
        return Value("number", f"({first.code} {sign} {second.code})")

    def _compile_minus(self, phrase: Phrase, scope: Scope) -> Value:
        value = self.compile(phrase.part(0), scope, "number")
        if value.constant is not None:
            return number(-value.constant)
        return Value("number", f"(-{value.code})")

    def _compile_interval(self, phrase: Phrase, scope: Scope) -> Value:
        first = self.compile(phrase.part(0), scope, "number")
        last = self.compile(phrase.part(1), scope, "number")
        return self.numbers("numbers", first.code, last.code)

    # Groups and names

    def _compile_filtered(self, phrase: Phrase, scope: Scope) -> Value:
        group, name, condition = self.range_of(phrase, scope)
        assert condition is not None
        return self.filter(group, name, condition, scope)

    def _compile_listed(self, phrase: Phrase, scope: Scope) -> Value:
        items = tuple(self.compile(part, scope) for part in phrase.parts if part)
        if any(item.kind == "unknown" for item in items):
            return UNKNOWN
        if len({item.kind for item in items}) > 1:
            return self._differ(items[0], items[1], phrase)

        def loop(emitter: Emitter, body: Body, stop: str) -> None:
            for item in items:
                if stop:
                    with emitter.block(f"if not {stop}:"):
                        body(item.code)
                else:
                    body(item.code)

        def holds(emitter: Emitter, item: str) -> str:
            return f"({' or '.join(f'{item} == {value.code}' for value in items)})"

        codes = ", ".join(item.code for item in items)
        return Value(
            "listed", f"({codes})", loop=loop, holds=holds, sure=True, items=items
        )

    def _compile_random(self, phrase: Phrase, scope: Scope) -> Value:
        return self.report(
            "random-in-expression",
            "'random' is not part of an expression",
            phrase.span,
            "Chance stands in actions only: set x to random(players).",
        )

    def _compile_call(self, phrase: Phrase, scope: Scope) -> Value:
        head = phrase.part(0)
        arguments = tuple(part for part in phrase.parts[1:] if part is not None)
        if head.rule == "name":
            word = head.words[0]
            if word in self.meaning.definitions and word not in scope.names:
                values = tuple(self.compile(part, scope) for part in arguments)
                if any(value.kind == "unknown" for value in values):
                    return UNKNOWN
                return self.expand(word, values, phrase, scope)
            if word in library.FUNCTIONS and word not in scope.names:
                return library.call(self, word, arguments, phrase, scope)
        return self._index(head, arguments, phrase, scope)

    def _index(
        self, head: Phrase, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """Compile ``p.stock(2)``, a pile of a family."""
        if head.rule == "name" and not self._is_known(head.words[0], scope):
            names = [*library.FUNCTIONS, *self.meaning.definitions]
            names += [z.name for z in self.meaning.layout.zones.values() if z.is_family]
            return self._unknown(head, head.words[0], names, "unknown-function")
        family = self.compile(head, scope)
        if family.kind == "unknown":
            return UNKNOWN
        if family.kind != "piles" or len(arguments) != 1:
            return self.report(
                "not-a-function",
                f"'{head.span.text}' is no function and no family of piles",
                phrase.span,
                "Only functions, definitions and families of piles take parentheses.",
            )
        index = self.compile(arguments[0], scope, "number")
        (name,) = family.zones or frozenset({""})
        piles = self.meaning.layout.zones[name].piles if name else 1
        first = family.code.split(" ", 1)[1].rsplit(" to ", 1)[0]
        if index.constant is not None:
            if not 1 <= index.constant <= piles:
                return self.report(
                    "no-such-pile",
                    f"there is no pile {index.constant} in '{name}', which has {piles}",
                    arguments[0].span,
                    f"Piles are counted from 1 to {piles}.",
                )
            return self.pile(plus(first, str(index.constant - 1)), family.zones)
        inside = f"min({piles}, max(1, {index.code}))"
        if index.code.startswith(("n", "(p")) or index.code in scope.facts:
            inside = index.code
        name = self.emitter.name("p")
        self.emitter.line(f"{name} = {plus(first, '-1')} + {inside}")
        return self.pile(name, family.zones)

    def _is_known(self, word: str, scope: Scope) -> bool:
        return word in scope.names or word in self.meaning.layout.zones

    def card_attributes(self) -> dict[str, str]:
        """Return what a card has, and the kind of each."""
        found = dict(library.CARD_ATTRIBUTES)
        found |= {name: name for name in self.meaning.attributes}
        found |= dict.fromkeys(self.meaning.tables, "number")
        return found

    def _compile_attribute(self, phrase: Phrase, scope: Scope) -> Value:
        base = self.compile(phrase.part(0), scope)
        if base.kind == "unknown":
            return UNKNOWN
        if base.maybe:
            base = self.sure(base, phrase.part(0), scope)
        return self.attribute(base, phrase.words[0], phrase, scope)

    def attribute(self, base: Value, word: str, phrase: Phrase, scope: Scope) -> Value:
        """Compile an attribute of a value."""
        return library.attribute(self, base, word, phrase, scope)

    # Facts

    def facts(self, phrase: Phrase, holds: bool, scope: Scope) -> set[str]:
        """Return what is known once a test has come out true (or false)."""
        if phrase.rule == "negated":
            return self.facts(phrase.part(0), not holds, scope)
        if phrase.rule in ("both", "either"):
            first = self.facts(phrase.part(0), holds, scope)
            second = self.facts(phrase.part(1), holds, scope)
            if (phrase.rule == "both") == holds:
                return first | second
            return first & second
        with self.trying():
            return self._simple_facts(phrase, holds, scope)

    def _simple_facts(self, phrase: Phrase, holds: bool, scope: Scope) -> set[str]:
        if phrase.rule == "attribute" and phrase.words[0] == "empty" and not holds:
            return self._nonempty(phrase.part(0), None, scope)
        if phrase.rule == "compared":
            return self._compared_facts(phrase, holds, scope)
        if phrase.rule in ("member", "not_member"):
            inside = holds == (phrase.rule == "member")
            return self._member_facts(phrase, inside, scope)
        if phrase.rule == "call" and phrase.part(0).rule == "name":
            return self._call_facts(phrase, holds, scope)
        if phrase.rule == "name":
            return self._defined_facts(phrase.words[0], (), holds, scope)
        return set()

    def _nonempty(self, phrase: Phrase, test: Phrase | None, scope: Scope) -> set[str]:
        group, name, condition = self.range_of(phrase, scope)
        found = {f"some:{group.code}", f"some:{group.code.removeprefix('rest of ')}"}
        for part in (condition, test):
            if part is not None:
                group = self.filter(group, name, part, scope)
                found.add(f"some:{group.code}")
        return found

    def _compared_facts(self, phrase: Phrase, holds: bool, scope: Scope) -> set[str]:
        left, right, sign = phrase.part(0), phrase.part(1), phrase.words[0]
        if right.rule == "name" and right.words[0] == "none":
            if (sign == "!=") == holds:
                return {f"is:{self.compile(left, scope).code}"}
            return set()
        if (sign == "==") != holds and sign in ("==", "!="):
            value = self.compile(left, scope)
            literal = self.literal(right, "rank") if value.kind == "rank" else None
            return {f"not:{value.code}:{literal.constant}"} if literal else set()
        return self._size_facts(left, right, sign, holds, scope)

    def _size_facts(
        self, left: Phrase, right: Phrase, sign: str, holds: bool, scope: Scope
    ) -> set[str]:
        """``count(x) >= 1``, ``x.size > 0``, ``count(x) == 1`` say x has some."""
        limit = self.compile(right, scope).constant
        if limit is None:
            return set()
        if not holds:
            sign = {">": "<=", "<": ">=", ">=": "<", "<=": ">", "==": "!="}.get(
                sign, "=="
            )
        least = {">": limit + 1, ">=": limit, "==": limit, "!=": 1 - abs(limit)}
        if least.get(sign, 0) < 1:
            return set()
        if left.rule == "attribute" and left.words[0] == "size":
            found = self._nonempty(left.part(0), None, scope)
            if least[sign] > 1:
                # Of two cards one lies below the top.
                found.add(f"some:rest of {self.group(left.part(0), scope).code}")
            return found
        if left.rule == "call" and left.part(0).words == ("count",):
            test = left.parts[2] if len(left.parts) > 2 else None
            return self._nonempty(left.part(1), test, scope)
        return set()

    def _member_facts(self, phrase: Phrase, inside: bool, scope: Scope) -> set[str]:
        item, right = phrase.part(0), phrase.part(1)
        value = self.compile(item, scope)
        if right.rule != "listed":
            return {f"some:{self.group(right, scope).code}"} if inside else set()
        if inside or value.kind != "rank":
            return set()
        literals = [self.literal(part, "rank") for part in right.parts if part]
        return {f"not:{value.code}:{lit.constant}" for lit in literals if lit}

    def _call_facts(self, phrase: Phrase, holds: bool, scope: Scope) -> set[str]:
        word = phrase.part(0).words[0]
        arguments = [part for part in phrase.parts[1:] if part is not None]
        if word in self.meaning.definitions:
            values = tuple(self.compile(part, scope) for part in arguments)
            return self._defined_facts(word, values, holds, scope)
        if word == "any" and holds and arguments:
            test = arguments[1] if len(arguments) > 1 else None
            return self._nonempty(arguments[0], test, scope)
        return set()

    def _defined_facts(
        self, word: str, values: tuple[Value, ...], holds: bool, scope: Scope
    ) -> set[str]:
        definition = self.meaning.definitions.get(word)
        if (
            definition is None
            or definition.body is None
            or word in scope.names
            or word in scope.defining
            or len(values) != len(definition.params)
        ):
            return set()
        inner = replace(
            scope,
            names=dict(zip(definition.params, values, strict=True)),
            items=(),
            defining=(*scope.defining, word),
        )
        return self.facts(definition.body, holds, inner)


def count_arguments(number: int) -> str:
    """Return how people read a number of arguments."""
    return "1 argument" if number == 1 else f"{number} arguments"


def name_kind(kind: str) -> str:
    """Return how people read a kind: ``a card``, ``a number``."""
    if kind in ("cards", "players", "teams", "piles", "numbers", "ranks", "suits"):
        return kind
    if kind in ("yes/no", "none", "listed"):
        return {"yes/no": "yes or no", "listed": "a list"}.get(kind, kind)
    return f"a {kind}"


def _as_number(value: Value) -> Value:
    return Value("number", value.code, constant=value.constant)
