"""What rules may ask without defining it: functions and attributes.

Each entry of FUNCTIONS is one function of the language; its docstring is its
definition, and the reference in docs/language.md says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..text.errors import suggest
from ..text.parser import Phrase
from . import masks
from .emitter import Emitter
from .scope import Scope
from .values import (
    UNKNOWN,
    Body,
    Value,
    leave,
    log_of,
    narrow,
    negate,
    number,
    plus,
    times,
    truth,
)

if TYPE_CHECKING:
    from .expressions import Compiler

# Returns the code of the test of an item.
Test = Callable[[str], str]
Function = Callable[["Compiler", tuple[Phrase, ...], Phrase, Scope], Value]

CARD_ATTRIBUTES: Final = {
    "rank": "rank",
    "suit": "suit",
    "printed_rank": "rank",
    "printed_suit": "suit",
    "is_joker": "yes/no",
    "face_up": "yes/no",
    "face_down": "yes/no",
    "pile": "pile",
    "played_by": "player",
}
# A test of several items is one expression up to this length.
MOST_LETTERS: Final = 240
GROUP_ATTRIBUTES: Final = ("size", "empty", "first", "last")
PILE_ATTRIBUTES: Final = (*GROUP_ATTRIBUTES, "top", "bottom", "number", "owner", "rest")
PLAYER_ATTRIBUTES: Final = ("seat", "team", "partner", "score")
TEAM_ATTRIBUTES: Final = ("number", "players", "score")


def call(
    compiler: Compiler,
    word: str,
    arguments: tuple[Phrase, ...],
    phrase: Phrase,
    scope: Scope,
) -> Value:
    """Compile a call of a function of the language."""
    function, low, high = FUNCTIONS[word]
    if not low <= len(arguments) <= high:
        wanted = str(low) if low == high else f"{low} or {high}"
        return compiler.report(
            "wrong-number-of-arguments",
            f"'{word}' takes {wanted} argument{'' if wanted == '1' else 's'}, "
            f"not {len(arguments)}",
            phrase.span,
            f"See '{word}' in docs/language.md.",
        )
    return function(compiler, arguments, phrase, scope)


# Ranges


def _tested(
    compiler: Compiler, arguments: tuple[Phrase, ...], scope: Scope
) -> tuple[Value, str | None]:
    """Return the group of ``(group[, test])``, filtered, and its item's name."""
    group, name, condition = compiler.range_of(arguments[0], scope)
    for test in (condition, arguments[1] if len(arguments) > 1 else None):
        if test is not None:
            group = compiler.filter(group, name, test, scope)
    return group, name


def _any(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """Whether one is there, or passes."""
    group, _ = _tested(compiler, arguments, scope)
    if group.whole_pile:
        return Value("yes/no", f"({compiler.size(group.code)} > 0)")
    return Value("yes/no", is_any(compiler, group))


def is_any(compiler: Compiler, group: Value) -> str:
    """Write the search for an item of a group; return the code of the answer."""
    compiler.use_as_set(group)
    if len(group.masks) == 1:
        return f"({group.masks[0]} != 0)"
    if group.masks:
        return f"(({' | '.join(group.masks)}) != 0)"
    if codes := _test_every(compiler, group):
        return _join_tests(codes, "or")
    found = compiler.emitter.name("t")
    compiler.emitter.line(f"{found} = False")
    compiler.loop(group, lambda _: compiler.emitter.line(f"{found} = True"), found)
    return found


def _test_every(
    compiler: Compiler, group: Value, then: Test | None = None
) -> list[str]:
    """Return the tests of every item of a group, if they are few and expressions.

    With another test, items that pass the group's own must pass that one too.
    """
    codes: list[str] = []
    for item in group.every if group.test or then else ():
        with compiler.emitter.apart() as lines:
            code = group.test(compiler.emitter, item) if group.test else "True"
            if then is not None and code != "True":
                code = f"({negate(code)} or {then(item)})"
            elif then is not None:
                code = then(item)
        if lines:
            return []
        codes.append(code)
    return codes if sum(map(len, codes)) <= MOST_LETTERS else []


def _join_tests(codes: list[str], word: str) -> str:
    """Return the code of one test made of several."""
    settled, neutral = ("True", "False") if word == "or" else ("False", "True")
    if settled in codes:
        return settled
    left = [code for code in codes if code != neutral]
    return f"({f' {word} '.join(left)})" if left else neutral


def _all(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """Whether every one passes: yes for none at all."""
    group, name = _tested(compiler, arguments[:1], scope)

    def body(item: str) -> None:
        inner = scope.visiting(compiler.item(group, item), name, group)
        code = compiler.test(arguments[1], inner)
        with compiler.emitter.block(f"if not {code}:"):
            compiler.emitter.line(f"{failed} = True")

    if group.kind == "unknown":
        return UNKNOWN
    if group.masks:

        def fails(within: Emitter, item: str) -> str:
            inner = scope.visiting(compiler.item(group, item), name, group)
            with compiler.writing(within):
                return f"(not {compiler.test(arguments[1], inner)})"

        failing = compiler.narrow(group, fails)
        if failing.masks:
            return Value("yes/no", f"(not {is_any(compiler, failing)})")

    def passes(item: str) -> str:
        inner = scope.visiting(compiler.item(group, item), name, group)
        return compiler.test(arguments[1], inner)

    if codes := _test_every(compiler, group, passes):
        return Value("yes/no", _join_tests(codes, "and"))
    failed = compiler.emitter.name("t")
    compiler.emitter.line(f"{failed} = False")
    compiler.loop(group, body, failed)
    return Value("yes/no", f"(not {failed})")


def _count(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """How many there are, or pass."""
    group, _ = _tested(compiler, arguments, scope)
    return size(compiler, group)


def size(compiler: Compiler, group: Value) -> Value:
    """Return how many items a group has."""
    if group.size.isdecimal():
        return number(int(group.size))
    if group.size:
        return Value("number", group.size)
    if group.masks:
        compiler.use_as_set(group)
        counts = [f"bits({mask})" for mask in group.masks]
        return Value(
            "number", counts[0] if len(counts) == 1 else f"({' + '.join(counts)})"
        )
    if codes := _test_every(compiler, group):
        return Value("number", f"({' + '.join(f'({code})' for code in codes)})")
    total = compiler.emitter.name("n")
    compiler.emitter.line(f"{total} = 0")
    compiler.loop(group, lambda _: compiler.emitter.line(f"{total} += 1"))
    return Value("number", total)


def _measure(
    compiler: Compiler,
    arguments: tuple[Phrase, ...],
    scope: Scope,
    use: Callable[[str, str], None],
) -> Value:
    """Loop over ``(group, number)``, calling back with each item and number."""
    group, name = _tested(compiler, arguments[:1], scope)

    def body(item: str) -> None:
        inner = scope.visiting(compiler.item(group, item), name, group)
        use(item, _amount(compiler, arguments[1], inner))

    if group.kind != "unknown":
        compiler.loop(group, body)
    return group


def _amount(compiler: Compiler, phrase: Phrase, scope: Scope) -> str:
    """Return a number of the item: an expression, or a definition of one card."""
    if phrase.rule == "name" and phrase.words[0] not in scope.names:
        word = phrase.words[0]
        definition = compiler.meaning.definitions.get(word)
        if definition and len(definition.params) == 1:
            item = scope.items[-1] if scope.items else list(scope.names.values())[-1]
            value = compiler.expand(word, (item,), phrase, scope)
            return compiler.expect(value, "number", phrase).code
    return compiler.compile(phrase, scope, "number").code


def _amount_every(
    compiler: Compiler, arguments: tuple[Phrase, ...], scope: Scope
) -> list[str]:
    """Return the number of every item of ``(group, number)``.

    There are none unless the items are few and fixed, and their numbers expressions.
    """
    codes: list[str] = []
    with compiler.trying():
        group, name = _tested(compiler, arguments[:1], scope)
        for item in () if group.test else group.every:
            inner = scope.visiting(compiler.item(group, item), name, group)
            with compiler.emitter.apart() as lines:
                codes.append(_amount(compiler, arguments[1], inner))
            if lines:
                return []
    return codes if sum(map(len, codes)) <= MOST_LETTERS else []


def _sum(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """The total of a number over a group."""
    if digits := _digits(compiler, arguments, scope):
        return digits
    if codes := _amount_every(compiler, arguments, scope):
        with compiler.emitter.apart():
            _measure(compiler, arguments, scope, lambda *_: None)
        return Value("number", f"({' + '.join(codes)})")
    total = compiler.emitter.name("n")
    compiler.emitter.line(f"{total} = 0")
    _measure(
        compiler,
        arguments,
        scope,
        lambda _, amount: compiler.emitter.line(f"{total} += {amount}"),
    )
    return Value("number", total)


def _digits(
    compiler: Compiler, arguments: tuple[Phrase, ...], scope: Scope
) -> Value | None:
    """Return the total of a number over a set of cards, if a few counts give it."""
    with compiler.trying():
        group, name = _tested(compiler, arguments[:1], scope)
        if not group.masks:
            return None
        inner = scope.visiting(compiler.item(group, "its"), name, group)
        with compiler.emitter.apart() as lines:
            amount = _amount(compiler, arguments[1], inner)
    if lines:
        return None
    digits = masks.find_digits(compiler.meaning, amount, "its")
    if not digits:
        return None
    group, _ = _tested(compiler, arguments[:1], scope)
    compiler.use_as_set(group)
    counts = []
    for code in group.masks:
        mask = compiler.emitter.name("m")
        compiler.emitter.line(f"{mask} = {code}")
        for worth, cards in digits:
            times = f"{worth} * " if worth > 1 else ""
            counts.append(f"{times}bits({mask} & {cards})")
    return Value("number", f"({' + '.join(counts)})")


def _extreme(sign: str, *, item_wanted: bool, needs_some: bool) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """The item with the highest (lowest) number, or that number."""
        emitter = compiler.emitter
        codes = [] if item_wanted else _amount_every(compiler, arguments, scope)
        if codes:
            with emitter.apart():
                _measure(compiler, arguments, scope, lambda *_: None)
            return Value("number", _limit_of(codes, sign))
        chosen, highest = emitter.name("b"), emitter.name("n")
        emitter.line(f"{chosen} = -1")
        emitter.line(f"{highest} = 0")

        def use(item: str, amount: str) -> None:
            value = compiler.emitter.name("n")
            compiler.emitter.line(f"{value} = {amount}")
            test = f"if {chosen} < 0 or {value} {sign} {highest}:"
            with compiler.emitter.block(test):
                compiler.emitter.line(f"{chosen} = {item}")
                compiler.emitter.line(f"{highest} = {value}")

        group = _measure(compiler, arguments, scope, use)
        if not item_wanted:
            return Value("number", highest)
        if needs_some and group.kind != "unknown":
            with compiler.trying():
                whole, _ = _tested(compiler, arguments[:1], scope)
            compiler.some(whole, arguments[0], scope)
        return _item_value(compiler, group, chosen)

    return function


def _limit_of(codes: list[str], sign: str) -> str:
    """Return the code of the highest (lowest) of some numbers.

    Python chooses between two in a third of the time of a call.
    """
    if len(codes) == 2:
        one, other = codes
        return f"({one} if {one} {sign} {other} else {other})"
    return f"{'max' if sign == '>' else 'min'}({', '.join(codes)})"


def _item_value(compiler: Compiler, group: Value, code: str) -> Value:
    if group.kind == "unknown":
        return UNKNOWN
    if group.item_kind == "pile":
        return compiler.pile(code, group.zones)
    return Value(group.item_kind, code, zones=group.zones)


def _only_best(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """The items that share the highest number."""
    if found := _best_few(compiler, arguments, scope):
        return found
    highest = _extreme(">", item_wanted=False, needs_some=False)(
        compiler, arguments, phrase, scope
    )
    group, name = _tested(compiler, arguments[:1], scope)
    if group.kind == "unknown":
        return UNKNOWN

    def measured(emitter: Emitter, item: str) -> str:
        inner = scope.visiting(compiler.item(group, item), name, group)
        with compiler.writing(emitter):
            return f"{_amount(compiler, arguments[1], inner)} == {highest.code}"

    code = f"best {highest.code} of {group.code}"
    return narrow(group, code, measured, sure=group.sure)


def _best_few(
    compiler: Compiler, arguments: tuple[Phrase, ...], scope: Scope
) -> Value | None:
    """Write the search for the best of few players or teams, as one mask of them."""
    with compiler.trying():
        group, _ = _tested(compiler, arguments[:1], scope)
    if group.kind not in ("players", "teams") or not group.every:
        return None
    best, highest = compiler.emitter.name("m"), compiler.emitter.name("n")
    compiler.emitter.line(f"{best} = 0")
    compiler.emitter.line(f"{highest} = 0")

    def use(item: str, amount: str) -> None:
        emitter, value = compiler.emitter, compiler.emitter.name("n")
        emitter.line(f"{value} = {amount}")
        with emitter.block(f"if {best} == 0 or {value} > {highest}:"):
            emitter.line(f"{best} = 1 << {item}")
            emitter.line(f"{highest} = {value}")
        with emitter.block(f"elif {value} == {highest}:"):
            emitter.line(f"{best} |= 1 << {item}")

    group = _measure(compiler, arguments, scope, use)
    whole = compiler.numbers(group.kind, group.every[0], group.every[-1])
    code = f"best {best} of {group.code}"
    found = narrow(whole, code, lambda _, item: f"({best} >> {item} & 1 != 0)")
    return replace(found, sure=group.sure, size=f"bits({best})")


def _end(*, is_first: bool) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """The first (last) item of a group that has one."""
        group, _ = _tested(compiler, arguments, scope)
        if group.kind == "unknown":
            return UNKNOWN
        compiler.some(group, arguments[0], scope)
        return end_of(compiler, group, is_first=is_first)

    return function


def end_of(compiler: Compiler, group: Value, *, is_first: bool) -> Value:
    """Return the first or last item of a group that has one."""
    if group.whole_pile:
        end = compiler.bottom if is_first else compiler.top
        return Value("card", end(group.code, group.zones), zones=group.zones)
    if group.every and not group.test:
        return _item_value(compiler, group, group.every[0 if is_first else -1])
    if is_first and group.lowest:
        return Value("card", group.lowest, zones=group.zones, alike=group.alike)
    if len(group.masks) == 1:
        mask = compiler.emitter.name("m")
        compiler.emitter.line(f"{mask} = {group.masks[0]}")
        code = log_of(mask) if is_first else f"(length({mask}) - 1)"
        return Value("card", code, zones=group.zones, alike=group.alike)
    found = compiler.emitter.name("b")
    compiler.emitter.line(f"{found} = -1")

    compiler.loop(
        group,
        lambda item: compiler.emitter.line(f"{found} = {item}"),
        f"{found} >= 0" if is_first else "",
    )
    return _item_value(compiler, group, found)


# Numbers and ranks


def _limit(word: str) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """The smaller (larger) of two numbers."""
        one, other = (compiler.compile(part, scope, "number") for part in arguments)
        return Value("number", f"{word}({one.code}, {other.code})")

    return function


def _rank(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    value = compiler.compile(phrase, scope, "rank")
    return compiler.sure(value, phrase, scope)


def _next_to(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """Whether two ranks are neighbours in the deck, around the corner in a ring."""
    one, other = (_rank(compiler, part, scope) for part in arguments)
    ranks = len(compiler.meaning.deck.ranks)
    return Value("yes/no", f"NEIGHBOURS[{plus(times(one.code, ranks), other.code)}]")


def _distance(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """How many steps lie between two ranks, the shorter way in a ring."""
    one, other = (_rank(compiler, part, scope) for part in arguments)
    step = compiler.emitter.name("n")
    compiler.emitter.line(f"{step} = abs({one.code} - {other.code})")
    if compiler.meaning.deck.ring:
        ranks = len(compiler.meaning.deck.ranks)
        return Value("number", f"min({step}, {ranks} - {step})")
    return Value("number", step)


def _order_name(compiler: Compiler, phrase: Phrase) -> str | None:
    meaning = compiler.meaning
    if phrase.rule == "name" and meaning.find_order(phrase.words[0]):
        meaning.used.add(phrase.words[0])
        return phrase.words[0]
    compiler.report(
        "unknown-order",
        f"'{phrase.span.text}' is no order of ranks",
        phrase.span,
        suggest(phrase.span.text, [*meaning.orders, "order"], "orders"),
    )
    return None


def _place(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """The place of a rank in an order, from 1; 0 if it has none."""
    rank = _rank(compiler, arguments[0], scope)
    order = _order_name(compiler, arguments[1])
    return Value("number", f"ORDER_{order}[{rank.code}]") if order else UNKNOWN


def _compare(sign: str) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """Compare two ranks by a named order."""
        order = _order_name(compiler, arguments[2])
        ranks = [_rank(compiler, part, scope) for part in arguments[:2]]
        if order is None or any(rank.kind == "unknown" for rank in ranks):
            return UNKNOWN
        one, other = (
            compiler.placed(rank, part, order, scope)
            for rank, part in zip(ranks, arguments, strict=False)
        )
        return Value("yes/no", f"({one} {sign} {other})")

    return function


# Cards


def _cards(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    return compiler.expect(compiler.group(phrase, scope), "cards", phrase)


def _tops(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """The top cards of the piles that have one."""
    piles = compiler.expect(compiler.group(arguments[0], scope), "piles", arguments[0])
    if piles.kind == "unknown":
        return UNKNOWN

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        def visit(pile: str) -> None:
            number, card = emitter.name("n"), emitter.name("c")
            emitter.line(f"{number} = {compiler.size(pile)}")
            with emitter.block(f"if {number}:"):
                top = compiler.top(pile, piles.zones)
                emitter.line(f"{card} = {top.replace(compiler.size(pile), number)}")
                body(card)

        if piles.loop:
            piles.loop(emitter, visit, stop)

    def holds(emitter: Emitter, item: str) -> str:
        assert piles.holds
        where = f"S[{plus(item, str(compiler.meaning.layout.slots['where']))}]"
        inside = piles.holds(emitter, where)
        return f"({inside} and {compiler.top(where, piles.zones)} == {item})"

    code = f"tops of {piles.code}"
    return Value("cards", code, False, None, piles.zones, loop, holds)


def _attribute_word(compiler: Compiler, phrase: Phrase) -> str | None:
    if phrase.rule == "name" and phrase.words[0] in compiler.card_attributes():
        return phrase.words[0]
    compiler.report(
        "unknown-attribute",
        f"'{phrase.span.text}' is no attribute of a card",
        phrase.span,
        suggest(phrase.span.text, list(compiler.card_attributes()), "attributes"),
    )
    return None


def _marks(
    compiler: Compiler, cards: Value, word: str, phrase: Phrase, scope: Scope
) -> str:
    """Write a mask of the values that cards have in an attribute; name it."""
    mask = compiler.emitter.name("m")
    compiler.emitter.line(f"{mask} = 0")
    deck, attributes = compiler.meaning.deck, compiler.meaning.attributes
    most = {
        "rank": len(deck.ranks),
        "suit": len(deck.suits),
        **{kind: len(words) for kind, (words, _) in attributes.items()},
    }

    def body(item: str) -> None:
        value = attribute(compiler, compiler.item(cards, item), word, phrase, scope)
        place = f"{value.code} + 1"
        if value.kind in most:
            compiler.meaning.need_bits(most[value.kind] + 1)
        else:
            place = f"min(61, max(0, {place}))"
        compiler.emitter.line(f"{mask} |= 1 << {place}")

    compiler.loop(cards, body)
    return mask


def _agreement(kind: str, form: str) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """Whether cards agree in an attribute, or how many values they have."""
        cards = _cards(compiler, arguments[0], scope)
        word = _attribute_word(compiler, arguments[1])
        if cards.kind == "unknown" or word is None:
            return UNKNOWN
        mask = _marks(compiler, cards, word, arguments[1], scope)
        return Value(kind, form.format(mask=mask))

    return function


def _consecutive(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """Whether the ranks are all different and follow without a gap."""
    cards = _cards(compiler, arguments[0], scope)
    if cards.kind == "unknown":
        return UNKNOWN
    total = size(compiler, cards).code
    mask = _marks(compiler, cards, "rank", arguments[0], scope)
    ranks = len(compiler.meaning.deck.ranks) if compiler.meaning.deck.ring else 0
    return Value("yes/no", f"(is_run({mask} >> 1, {total}, {ranks}))")


def _pairs(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """How many pairs of equal rank there are: three equal cards make three."""
    cards = _cards(compiler, arguments[0], scope)
    if cards.kind == "unknown":
        return UNKNOWN
    total = compiler.emitter.name("n")
    compiler.emitter.line(f"{total} = 0")
    deck = compiler.meaning.deck
    if cards.distinct and len(deck.ranks) < 16 and deck.most_alike < 16:
        _count_alike(compiler, cards, total)
        return Value("number", total)

    def compare(one: str) -> None:
        def count(other: str) -> None:
            test = f"if {one} < {other} and RANK[{one}] == RANK[{other}] >= 0:"
            with compiler.emitter.block(test):
                compiler.emitter.line(f"{total} += 1")

        compiler.loop(cards, count)

    compiler.loop(cards, compare)
    return Value("number", total)


def _count_alike(compiler: Compiler, cards: Value, total: str) -> None:
    """Write the addition of how many cards of its rank went before each card.

    The cards of each rank are counted in four bits.
    """
    numbers, place = compiler.emitter.name("m"), compiler.emitter.name("n")
    compiler.emitter.line(f"{numbers} = 0")

    def count(card: str) -> None:
        emitter = compiler.emitter
        with emitter.block(f"if RANK[{card}] >= 0:"):
            emitter.line(f"{place} = 4 * RANK[{card}]")
            emitter.line(f"{total} += {numbers} >> {place} & 15")
            emitter.line(f"{numbers} += 1 << {place}")

    compiler.loop(cards, count)


def _longest_runs(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """The points of the longest runs: length times how many there are."""
    cards = _cards(compiler, arguments[0], scope)
    if cards.kind == "unknown":
        return UNKNOWN
    ranks = len(compiler.meaning.deck.ranks)
    if ranks > 15:
        return compiler.report(
            "too-many-ranks",
            "longest_runs is for decks of at most 15 ranks",
            phrase.span,
            "Use consecutive(…) or run_on_top(…).",
        )
    numbers = compiler.emitter.name("m")
    compiler.emitter.line(f"{numbers} = 0")

    def add(card: str) -> None:
        shift = f"4 * RANK[{card}]"
        with compiler.emitter.block(f"if RANK[{card}] >= 0:"):
            compiler.emitter.line(f"{numbers} += 1 << {shift}")

    compiler.loop(cards, add)
    return Value("number", f"longest_runs({numbers})")


def _combinations(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """How many selections of one card or more add up to a total below 256.

    A table of ways for every total is filled card by card, so that the work
    grows with the number of cards and not with that of their selections.
    """
    emitter, layout = compiler.emitter, compiler.meaning.layout
    total = compiler.compile(arguments[2], scope, "number")
    base = layout.reserve(f"for ways {phrase.span.start}", 256)
    index, top = emitter.name("i"), emitter.name("n")
    found, most = emitter.name("n"), emitter.name("n")
    emitter.line(f"{found} = {total.code}")
    emitter.line(f"{most} = min(max({found}, 0), 255)")
    clearing = f"for {index} in range({base}, {base} + {most} + 1):"
    # All these slots are 0 before, as they are after.
    emitter.line(f"S[{base}] = 1")
    emitter.line(f"{top} = 0")
    _measure(
        compiler,
        arguments[:2],
        scope,
        lambda _, amount: compiler.emitter.line(
            f"{top} = add_way(S, {base}, {most}, {top}, {amount})"
        ),
    )
    emitter.line(f"S[{base}] -= 1")
    inside = f"0 <= {found} < 256"
    emitter.line(f"{found} = S[{base} + {found}] if {inside} else 0")
    with emitter.block(clearing):
        emitter.line(f"S[{index}] = 0")
    return Value("number", found)


def _pile(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    value = compiler.compile(phrase, scope)
    if value.kind not in ("pile", "unknown"):
        return compiler.expect(value, "pile", phrase)
    return compiler.sure(value, phrase, scope)


def _on_top(helper: str) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """How many cards on top of a pile are equal in rank, or make a run."""
        pile = _pile(compiler, arguments[0], scope)
        number = compiler.emitter.name("n")
        compiler.emitter.line(f"{number} = {helper}(S, {pile.code})")
        if helper == "run_on_top":
            compiler.meaning.need_bits(len(compiler.meaning.deck.ranks))
        return Value("number", number)

    return function


def _profile(*, is_lowest: bool) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """A number that compares groups by their lowest card, then the next."""
        cards = _cards(compiler, arguments[0], scope)
        order = _order_name(compiler, arguments[1])
        if cards.kind == "unknown" or order is None:
            return UNKNOWN
        total = compiler.emitter.name("n")
        compiler.emitter.line(f"{total} = 0")
        table = "LOW" if is_lowest else "HIGH"
        meaning = compiler.meaning
        most = (meaning.deck.most_alike + 1) ** max(meaning.orders[order])
        meaning.need_bits(most.bit_length())

        def body(item: str) -> None:
            compiler.emitter.line(f"{total} += {table}_{order}[RANK[{item}]]")

        compiler.loop(cards, body)
        return Value("number", total)

    return function


# Players


def _player(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    value = compiler.compile(phrase, scope, "player")
    return compiler.sure(value, phrase, scope)


def _step(direction: int, *, in_turn: bool = False) -> Function:
    def function(
        compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
    ) -> Value:
        """The player so many places away, clockwise or as the turn goes round."""
        player = _player(compiler, arguments[0], scope)
        layout = compiler.meaning.layout
        seats = layout.seats
        way = direction * layout.step if in_turn else direction
        if len(arguments) == 1:
            return Value("player", f"(({player.code} + {way % seats}) % {seats})")
        places = compiler.compile(arguments[1], scope, "number")
        if places.constant is not None:
            steps = places.constant * way % seats
            return Value("player", f"(({player.code} + {steps}) % {seats})")
        sign = "+" if way > 0 else "-"
        return Value("player", f"(({player.code} {sign} {places.code}) % {seats})")

    return function


def around(compiler: Compiler, start: str, skipped: int) -> Value:
    """Return the players clockwise from a seat, without the first so many."""
    seats = compiler.meaning.layout.seats

    def loop(emitter: Emitter, body: Body, stop: str) -> None:
        step, player = emitter.name("k"), emitter.name("p")
        with emitter.block(f"for {step} in range({skipped}, {seats}):"):
            emitter.line(f"{player} = ({start} + {step}) % {seats}")
            body(player)
            leave(emitter, stop)

    def holds(emitter: Emitter, item: str) -> str:
        return f"({item} != {start})" if skipped else "True"

    code = f"clockwise from {start} + {skipped}"
    return Value("players", code, loop=loop, holds=holds, sure=seats > skipped)


def _clockwise(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """All players, clockwise from one."""
    player = _player(compiler, arguments[0], scope)
    return UNKNOWN if player.kind == "unknown" else around(compiler, player.code, 0)


def _others(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """All players but one, from that player's left."""
    player = _player(compiler, arguments[0], scope)
    return UNKNOWN if player.kind == "unknown" else around(compiler, player.code, 1)


def _other(
    compiler: Compiler, arguments: tuple[Phrase, ...], phrase: Phrase, scope: Scope
) -> Value:
    """The other of the two items of a group."""
    group = compiler.group(arguments[0], scope)
    if group.kind == "unknown":
        return UNKNOWN
    item = compiler.compile(arguments[1], scope, group.item_kind)
    item = compiler.sure(item, arguments[1], scope)
    found = compiler.emitter.name("b")
    compiler.emitter.line(f"{found} = {item.code}")

    def body(code: str) -> None:
        with compiler.emitter.block(f"if {code} != {item.code}:"):
            compiler.emitter.line(f"{found} = {code}")

    compiler.loop(group, body)
    return _item_value(compiler, group, found)


# Name: what compiles it, and how many arguments it takes at least and at most.
FUNCTIONS: Final[dict[str, tuple[Function, int, int]]] = {
    "any": (_any, 1, 2),
    "all": (_all, 2, 2),
    "count": (_count, 1, 2),
    "sum": (_sum, 2, 2),
    "first": (_end(is_first=True), 1, 2),
    "last": (_end(is_first=False), 1, 2),
    "best": (_extreme(">", item_wanted=True, needs_some=True), 2, 2),
    "worst": (_extreme("<", item_wanted=True, needs_some=True), 2, 2),
    "highest": (_extreme(">", item_wanted=False, needs_some=False), 2, 2),
    "lowest": (_extreme("<", item_wanted=False, needs_some=False), 2, 2),
    "only_best": (_only_best, 2, 2),
    "min": (_limit("min"), 2, 2),
    "max": (_limit("max"), 2, 2),
    "tops": (_tops, 1, 1),
    "same": (_agreement("yes/no", "({mask} & ({mask} - 1) == 0)"), 2, 2),
    "distinct": (_agreement("number", "bits({mask})"), 2, 2),
    "consecutive": (_consecutive, 1, 1),
    "pairs": (_pairs, 1, 1),
    "longest_runs": (_longest_runs, 1, 1),
    "combinations_with_sum": (_combinations, 3, 3),
    "equal_on_top": (_on_top("equal_on_top"), 1, 1),
    "run_on_top": (_on_top("run_on_top"), 1, 1),
    "next_to": (_next_to, 2, 2),
    "distance": (_distance, 2, 2),
    "place": (_place, 2, 2),
    "higher": (_compare(">"), 3, 3),
    "lower": (_compare("<"), 3, 3),
    "lowest_first": (_profile(is_lowest=True), 2, 2),
    "highest_first": (_profile(is_lowest=False), 2, 2),
    "left": (_step(1), 1, 2),
    "after": (_step(1, in_turn=True), 1, 2),
    "before": (_step(-1, in_turn=True), 1, 2),
    "right": (_step(-1), 1, 2),
    "clockwise": (_clockwise, 1, 1),
    "others": (_others, 1, 1),
    "other": (_other, 2, 2),
}


# Attributes


def attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase, scope: Scope
) -> Value:
    """Compile an attribute of a value."""
    if base.kind == "card":
        return _card_attribute(compiler, base, word, phrase, scope)
    if base.kind == "player":
        return _player_attribute(compiler, base, word, phrase)
    if base.kind == "team":
        return _team_attribute(compiler, base, word, phrase)
    if base.is_group:
        return _group_attribute(compiler, base, word, phrase, scope)
    if base.kind == "suit":
        return _suit_attribute(compiler, base, word, phrase)
    return _no_attribute(compiler, base, word, phrase, ())


def _no_attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase, known: tuple[str, ...]
) -> Value:
    hint = suggest(word, known, "attributes") if known else "It has no attributes."
    place = phrase.span
    if phrase.rule == "attribute":
        end = place.end
        place = replace(place, start=end - len(word))
    message = f"a {base.kind} has no '{word}'"
    return compiler.report("unknown-attribute", message, place, hint)


def _card_attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase, scope: Scope
) -> Value:
    meaning, card = compiler.meaning, base.code
    slots = meaning.layout.slots
    is_defined = word in ("rank", "suit") and word in meaning.definitions
    if is_defined and word not in scope.defining:
        return compiler.expand(word, (base,), phrase, scope)
    if word.removeprefix("printed_") in ("rank", "suit"):
        kind = word.removeprefix("printed_")
        if base.constant is not None:
            rank, suit, _ = meaning.deck.cards[base.constant]
            index = rank if kind == "rank" else suit
            return Value(kind, str(index), constant=index)
        if base.alike is not None and base.alike[0] == kind:
            return Value(kind, base.alike[1])
        return Value(kind, f"{kind.upper()}[{card}]")
    if word in meaning.attributes:
        meaning.used.add(word)
        return Value(word, f"ATTRIBUTE_{word}[{card}]")
    if word in meaning.tables:
        meaning.used.add(word)
        return Value("number", f"TABLE_{word}[{card}]")
    if word == "is_joker" and not meaning.deck.jokers:
        return truth(False)
    if word == "is_joker":
        return Value("yes/no", f"(RANK[{card}] < 0)")
    if word in ("face_up", "face_down"):
        sign = "!=" if word == "face_up" else "=="
        return Value("yes/no", f"(S[{plus(card, str(slots['face']))}] {sign} 0)")
    if word == "pile":
        where = f"S[{plus(card, str(slots['where']))}]"
        zones = base.zones or frozenset(meaning.layout.zones)
        return compiler.pile(where, zones)
    if word == "played_by":
        return Value("player", f"S[{plus(card, str(slots['by']))}]")
    known = tuple(compiler.card_attributes())
    return _no_attribute(compiler, base, word, phrase, known)


def _suit_attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase
) -> Value:
    if word == "colour" and word in compiler.meaning.attributes:
        return Value(word, f"SUIT_COLOUR[{base.code}]")
    return _no_attribute(compiler, base, word, phrase, ("colour",))


def _player_attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase
) -> Value:
    meaning, player = compiler.meaning, base.code
    layout = meaning.layout
    if word == "seat":
        return Value("number", f"({player} + 1)")
    if word == "team":
        return Value("team", compiler.team_of(player))
    if word == "partner":
        return Value("player", f"PARTNER[{player}]")
    if word == "score":
        slot = plus(str(layout.slots["score"]), compiler.team_of(player))
        return Value("number", f"S[{slot}]")
    meaning.used.add(word)
    if word in layout.zones and layout.zones[word].per == "player":
        return compiler.zone(word, player)
    if word in layout.zones and layout.zones[word].per == "team":
        return compiler.zone(word, compiler.team_of(player))
    if word in meaning.variables and meaning.variables[word].per:
        is_team = meaning.variables[word].per == "team"
        return compiler.stored(word, compiler.team_of(player) if is_team else player)
    owned = [z.name for z in layout.zones.values() if z.per]
    owned += [v.name for v in meaning.variables.values() if v.per]
    return _no_attribute(compiler, base, word, phrase, (*PLAYER_ATTRIBUTES, *owned))


def _team_attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase
) -> Value:
    meaning, team = compiler.meaning, base.code
    layout = meaning.layout
    if word == "number":
        return Value("number", f"({team} + 1)")
    if word == "score":
        return Value("number", f"S[{plus(str(layout.slots['score']), team)}]")
    if word == "players":
        return members(compiler, team)
    meaning.used.add(word)
    if word in layout.zones and layout.zones[word].per == "team":
        return compiler.zone(word, team)
    if word in meaning.variables and meaning.variables[word].per == "team":
        return compiler.stored(word, team)
    owned = [z.name for z in layout.zones.values() if z.per == "team"]
    owned += [v.name for v in meaning.variables.values() if v.per == "team"]
    return _no_attribute(compiler, base, word, phrase, (*TEAM_ATTRIBUTES, *owned))


def members(compiler: Compiler, team: str) -> Value:
    """Return the players of a team, by the code of its number."""
    players = compiler.numbers("players", "0", str(compiler.meaning.layout.seats - 1))

    return narrow(
        players,
        f"members of {team}",
        lambda emitter, player: f"{compiler.team_of(player)} == {team}",
        sure=True,
    )


def _group_attribute(
    compiler: Compiler, base: Value, word: str, phrase: Phrase, scope: Scope
) -> Value:
    if word == "size":
        return size(compiler, base)
    if word == "empty":
        if base.whole_pile:
            return Value("yes/no", f"({compiler.size(base.code)} == 0)")
        return Value("yes/no", f"(not {is_any(compiler, base)})")
    if word in ("first", "last") or (base.whole_pile and word in ("top", "bottom")):
        subject = phrase.part(0) if phrase.rule == "attribute" else phrase
        compiler.some(base, subject, scope)
        value = end_of(compiler, base, is_first=word in ("first", "bottom"))
        if scope.lenient and base.whole_pile:
            code = f"({value.code} if {compiler.size(base.code)} else -1)"
            return replace(value, code=code, maybe=True)
        return value
    if base.whole_pile and word == "number":
        return Value("number", f"PILE_NUMBER[{base.code}]")
    if base.whole_pile and word == "owner":
        return Value("player", f"PILE_OWNER[{base.code}]")
    if base.whole_pile and word == "rest":
        return _rest(compiler, base)
    known = PILE_ATTRIBUTES if base.whole_pile else GROUP_ATTRIBUTES
    return _no_attribute(compiler, base, word, phrase, known)


def _rest(compiler: Compiler, pile: Value) -> Value:
    """Return the cards below the top of a pile."""
    return narrow(
        pile,
        f"rest of {pile.code}",
        lambda emitter, card: f"{card} != {compiler.top(pile.code, pile.zones)}",
    )
