"""Compile actions: sentences that change the state, one each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from ..text.errors import suggest
from ..text.parser import Phrase
from ..text.source import Span
from .expressions import Compiler
from .library import members
from .scope import Scope
from .values import Body, Value, difference, name_kind, plus

MAX_SNAPSHOTS: Final = 4


@dataclass
class Surroundings:
    """What an action needs to know of the script around it."""

    compiler: Compiler
    marks_player: bool = False
    is_deputed: bool = False
    ends: list[str] = field(default_factory=list)
    scratch: int = 0


def compile_action(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    """Write one action."""
    _ACTIONS[phrase.rule](phrase, scope, around)


def _destination(phrase: Phrase, scope: Scope, compiler: Compiler) -> Value:
    """Return the pile that cards go to; write the search for a new one."""
    if phrase.rule != "new_pile":
        value = compiler.compile(phrase, scope, "pile")
        return compiler.sure(value, phrase, scope)
    family = compiler.compile(phrase.part(0), scope, "piles")
    if family.kind == "unknown":
        return family
    found = compiler.emitter.name("p")
    compiler.emitter.line(f"{found} = -1")

    def visit(pile: str) -> None:
        with compiler.emitter.block(f"if {found} < 0 and {compiler.size(pile)} == 0:"):
            compiler.emitter.line(f"{found} = {pile}")

    compiler.loop(family, visit)
    compiler.emitter.line(f"{found} = {found} if {found} >= 0 else fault(S, 2)")
    return compiler.pile(found, family.zones)


def visit_snapshot(
    group: Value, place: Span, around: Surroundings, visit: Body
) -> None:
    """Write a loop over cards that may move meanwhile: they are noted first."""
    with _noting(group, place, around) as noted:
        if noted is None:
            return
        compiler, emitter = around.compiler, around.compiler.emitter
        index, card = emitter.name("i"), emitter.name("c")
        head = f"for {index} in range({noted}):"
        with compiler.repeating(compiler.meaning.deck.size), emitter.block(head):
            emitter.line(f"{card} = S[{index}]")
            visit(card)


@contextmanager
def _noting(group: Value, place: Span, around: Surroundings) -> Iterator[str | None]:
    """Write a loop that notes cards; return where, unless loops are too deep."""
    compiler = around.compiler
    emitter = compiler.emitter
    if around.scratch == MAX_SNAPSHOTS:
        compiler.report(
            "too-many-loops",
            "loops over cards are nested too deeply",
            place,
            f"Use at most {MAX_SNAPSHOTS} inside one another.",
        )
        yield None
        return
    base = compiler.meaning.layout.find_scratch(around.scratch)
    number = emitter.name("n")
    emitter.line(f"{number} = {base}")

    def note(item: str) -> None:
        compiler.emitter.line(f"S[{number}] = {item}")
        compiler.emitter.line(f"{number} += 1")

    compiler.loop(group, note)
    around.scratch += 1
    yield f"{base}, {number}"
    around.scratch -= 1


def _move(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    what, source, target = phrase.part(0), phrase.parts[1], phrase.part(2)
    facing = phrase.words[0] if phrase.words else ""
    if source is not None:
        _move_some((what, source, target), facing, scope, around)
        return
    value = compiler.compile(what, scope)
    if value.kind == "card" or value.whole_pile:
        value = compiler.sure(value, what, scope)
    if not _is_cards(value) and value.kind not in ("card", "piles", "unknown"):
        compiler.expect(value, "cards", what)
        return
    pile = _destination(target, scope, compiler)
    if "unknown" not in (value.kind, pile.kind):
        _move_value(value, what.span, pile, facing, "move", scope, around)


def _is_cards(value: Value) -> bool:
    return value.is_group and value.item_kind == "card"


def _move_value(
    value: Value,
    place: Span,
    pile: Value,
    facing: str,
    helper: str,
    scope: Scope,
    around: Surroundings,
) -> None:
    compiler, emitter = around.compiler, around.compiler.emitter
    if value.kind == "card":
        card = emitter.name("c")
        emitter.line(f"{card} = {value.code}")
        _move_card(card, pile, facing, helper, scope, around)
    elif value.kind == "piles":

        def move(each: str) -> None:
            one = compiler.pile(each, value.zones)
            _move_value(one, place, pile, facing, helper, scope, around)

        compiler.loop(value, move)
    elif value.whole_pile and not facing and helper == "move":
        _move_all(value.code, pile, scope, around)
    elif helper == "move" and not facing and _is_plain(pile, scope, around):
        with _noting(value, place, around) as noted:
            if noted is not None:
                emitter.line(f"move_each(S, {noted}, {pile.code})")
    else:
        visit_snapshot(
            value,
            place,
            around,
            lambda card: _move_card(card, pile, facing, helper, scope, around),
        )


def _is_plain(pile: Value, scope: Scope, around: Surroundings) -> bool:
    """Tell whether cards are moved to one pile, and nobody is noted as their mover."""
    is_noted = around.marks_player and scope.me is not None
    return not is_noted and "[" not in pile.code


def _move_all(source: str, pile: Value, scope: Scope, around: Surroundings) -> None:
    _mark(around.compiler.size(source), source, scope, around)
    around.compiler.emitter.line(f"move_all(S, {source}, {pile.code})")


def _mark(number: str, source: str, scope: Scope, around: Surroundings) -> None:
    """Note who moves so many cards from the top of a pile, if a player's move does."""
    if around.marks_player and scope.me is not None:
        player = scope.me
        if around.is_deputed:
            owner = f"PILE_PLAYER[{source}]"
            player = f"{owner} if {owner} >= 0 else {scope.me}"
        around.compiler.emitter.line(f"mark_top(S, {number}, {source}, {player})")


def _move_card(
    card: str,
    pile: Value,
    facing: str,
    helper: str,
    scope: Scope,
    around: Surroundings,
) -> None:
    compiler = around.compiler
    emitter, slots = compiler.emitter, compiler.meaning.layout.slots
    player, is_down = scope.me, facing == "down"
    if is_down:
        # Nobody learns what it is, wherever such cards lie face up by rule.
        source, known = emitter.name("p"), emitter.name("k")
        emitter.line(f"{source} = S[{plus(card, str(slots['where']))}]")
        emitter.line(f"{known} = S[{plus(card, str(slots['known']))}]")
    if around.marks_player and around.is_deputed:
        # Who decides for another plays the other's card.
        owner = emitter.name("p")
        where = f"S[{plus(card, str(slots['where']))}]"
        emitter.line(f"{owner} = PILE_PLAYER[{where}]")
        player = f"{owner} if {owner} >= 0 else {scope.me}"
    emitter.line(f"{helper}(S, {card}, {pile.code})")
    if is_down:
        emitter.line(f"lay_down(S, {card}, {source}, {known})")
    elif facing:
        emitter.line(f"turn(S, {card}, 1)")
    if around.marks_player and scope.me is not None:
        emitter.line(f"S[{plus(card, str(slots['by']))}] = {player}")


def _move_some(
    parts: tuple[Phrase, Phrase, Phrase],
    facing: str,
    scope: Scope,
    around: Surroundings,
) -> None:
    """Move so many cards from the top of a pile; those that are turned, one by one."""
    compiler, (what, source, target) = around.compiler, parts
    amount = compiler.compile(what, scope, "number")
    pile = compiler.compile(source, scope, "pile")
    pile = compiler.sure(pile, source, scope)
    to = _destination(target, scope, compiler)
    if "unknown" in (amount.kind, pile.kind, to.kind):
        return
    emitter = compiler.emitter
    if amount.constant == 1 and not facing:
        _mark("1", pile.code, scope, around)
        emitter.line(f"deal(S, {pile.code}, {to.code})")
        return
    number = emitter.name("n")
    emitter.line(f"{number} = {amount.code}")
    if not facing:
        _mark(number, pile.code, scope, around)
        emitter.line(f"move_some(S, {number}, {pile.code}, {to.code})")
        return
    card = emitter.name("c")
    with emitter.block(f"while {number} > 0 and {compiler.size(pile.code)} > 0:"):
        emitter.line(f"{card} = {compiler.top(pile.code, pile.zones)}")
        _move_card(card, to, facing, "move", scope, around)
        emitter.line(f"{number} -= 1")


def _move_under(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    value = compiler.compile(phrase.part(0), scope)
    pile = _destination(phrase.part(1), scope, compiler)
    if not _is_cards(value) and value.kind not in ("card", "unknown"):
        compiler.expect(value, "cards", phrase.part(0))
    elif "unknown" not in (value.kind, pile.kind):
        _move_value(value, phrase.part(0).span, pile, "", "move_under", scope, around)


def _deal(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    layout = compiler.meaning.layout
    amount = compiler.compile(phrase.part(0), scope, "number")
    is_each = bool(phrase.words)
    if phrase.parts[1] is not None:
        source = compiler.compile(phrase.part(1), scope, "pile")
        source = compiler.sure(source, phrase.part(1), scope)
    else:
        source = compiler.zone(layout.deck_zone, "0")
    seats = layout.seats if is_each else 1
    if amount.constant is not None and amount.constant * seats > layout.deck.size:
        compiler.report(
            "deal-does-not-fit",
            f"{amount.constant} cards for each of {seats} are more than the "
            f"{layout.deck.size} there are"
            if is_each
            else f"there are only {layout.deck.size} cards",
            phrase.span,
            "Deal fewer, or use more copies of the deck.",
        )
    if not is_each:
        to = _destination(phrase.part(2), scope, compiler)
        if "unknown" not in (amount.kind, to.kind):
            line = f"move_some(S, {amount.code}, {source.code}, {to.code})"
            if amount.constant == 1:
                line = f"deal(S, {source.code}, {to.code})"
            compiler.emitter.line(line)
        return
    _deal_around(phrase, amount, source, scope, around)


def _deal_around(
    phrase: Phrase, amount: Value, source: Value, scope: Scope, around: Surroundings
) -> None:
    compiler = around.compiler
    emitter, layout = compiler.emitter, compiler.meaning.layout
    dealer = compiler.meaning.variables.get("dealer")
    way = "+" if layout.step > 0 else "-"
    first = "0"
    if dealer and dealer.kind == "player":
        first = f"S[{dealer.slot}] {way} 1"
    turn, player = emitter.name("k"), emitter.name("p")
    seats = layout.seats
    many = amount.code
    if not many.isdigit():
        many = f"min({many}, {layout.deck.size})"
    inner = Scope(scope.names, player, scope.items, scope.facts)
    with emitter.apart() as lines:
        to = _destination(phrase.part(2), inner, compiler)
    pile = difference(to.code, player)
    if pile is not None and not lines:
        # The piles of the seats stand one behind the other.
        number = f"{many} * {seats}"
        emitter.line(f"deal_around(S, {number}, {source.code}, {pile}, {first})")
        return
    with emitter.block(f"for {turn} in range({many} * {seats}):"):
        emitter.line(f"{player} = ({first} {way} {turn}) % {seats}")
        emitter.add(lines)
        emitter.line(f"deal(S, {source.code}, {to.code})")


def _gather(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    emitter, layout = around.compiler.emitter, around.compiler.meaning.layout
    pile = emitter.name("p")
    with emitter.block(f"for {pile} in range({len(layout.piles)}):"):
        emitter.line(f"move_all(S, {pile}, {layout.deck_pile.index})")


def _shuffle(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    pile = compiler.compile(phrase.part(0), scope, "pile")
    pile = compiler.sure(pile, phrase.part(0), scope)
    layout = compiler.meaning.layout
    zones = (layout.zones[name] for name in pile.zones or layout.zones)
    layout.lists.update(zone.name for zone in zones if zone.is_set)
    compiler.emitter.line(f"shuffle(S, {pile.code})")


def _turn(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    facing = int(phrase.words[0] == "up")
    group = compiler.group(phrase.part(0), scope)
    if compiler.expect(group, "cards", phrase.part(0)).kind != "unknown":
        compiler.loop(
            group, lambda card: compiler.emitter.line(f"turn(S, {card}, {facing})")
        )


def _swap(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    values = [
        compiler.sure(compiler.compile(part, scope), part, scope)
        for part in (phrase.part(0), phrase.part(1))
    ]
    kinds = {value.kind for value in values}
    if "unknown" in kinds:
        return
    if kinds not in ({"card"}, {"pile"}):
        compiler.report(
            "wrong-kind",
            "only two cards or two piles can be swapped",
            phrase.span,
            "Name two cards, or two piles.",
        )
        return
    helper = "swap_cards" if kinds == {"card"} else "swap_piles"
    compiler.emitter.line(f"{helper}(S, {values[0].code}, {values[1].code})")


def _slot_of(phrase: Phrase, scope: Scope, compiler: Compiler) -> tuple[Value, str]:
    """Return the present value of a variable and its slot."""
    meaning = compiler.meaning
    word = phrase.words[0] if phrase.words else ""
    is_variable = word in meaning.variables or word == "score"
    if phrase.rule not in ("name", "attribute") or not is_variable:
        known = [*meaning.variables, "score"]
        compiler.report(
            "not-a-variable",
            f"'{phrase.span.text}' is no variable",
            phrase.span,
            suggest(word, known, "variables"),
        )
        return Value("unknown", "0"), ""
    used = word in meaning.used
    value = compiler.compile(phrase, scope)
    if not used:
        meaning.used.discard(word)
    code = value.code.removeprefix("(").removesuffix(" != 0)")
    return value, code


def _set(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    target, slot = _slot_of(phrase.part(0), scope, compiler)
    what = phrase.part(1)
    if not slot:
        return
    if what.rule == "random":
        value = _random(what, scope, compiler)
    else:
        value = compiler.literal(what, target.kind) or compiler.compile(what, scope)
    known = compiler.meaning.variables.get(phrase.part(0).words[0])
    if known:
        compiler.meaning.layout.assigned.add(known.name)
    if value.kind == "none" and known and known.maybe:
        compiler.emitter.line(f"{slot} = -1")
        return
    value = compiler.expect(value, target.kind, what)
    if value.kind == "unknown":
        return
    if value.maybe and known and not known.maybe:
        value = compiler.sure(value, what, scope)
    compiler.emitter.line(f"{slot} = {stored_code(value)}")


def stored_code(value: Value) -> str:
    """Return the code of a value as the state keeps it."""
    if value.constant is not None:
        return str(value.constant)
    if value.kind == "yes/no":
        return f"1 if {value.code} else 0"
    if value.kind == "number":
        return f"limited({value.code})"
    return value.code


def _random(phrase: Phrase, scope: Scope, compiler: Compiler) -> Value:
    """Write the drawing of one item of a group."""
    emitter = compiler.emitter
    group = compiler.group(phrase.part(0), scope)
    if group.kind == "unknown":
        return group
    compiler.some(group, phrase.part(0), scope)
    total, chosen, item_name = emitter.name("n"), emitter.name("n"), emitter.name("b")
    emitter.line(f"{total} = 0")
    compiler.loop(group, lambda _: emitter.line(f"{total} += 1"))
    emitter.line(f"{chosen} = draw(S, {total})")
    emitter.line(f"{item_name} = -1")

    def pick(item: str) -> None:
        with emitter.block(f"if {chosen} == 0:"):
            emitter.line(f"{item_name} = {item}")
        emitter.line(f"{chosen} -= 1")

    compiler.loop(group, pick)
    return Value(group.item_kind, item_name, zones=group.zones)


def _add(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    amount = compiler.compile(phrase.part(0), scope, "number")
    target, slot = _slot_of(phrase.part(1), scope, compiler)
    if not slot or compiler.expect(target, "number", phrase.part(1)).kind == "unknown":
        return
    if amount.kind == "unknown":
        return
    if amount.constant is not None:
        compiler.emitter.line(f"{slot} += {amount.code}")
    else:
        compiler.emitter.line(f"{slot} = limited({slot} + {amount.code})")


def _show(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    emitter = compiler.emitter
    cards = compiler.expect(
        compiler.group(phrase.part(0), scope), "cards", phrase.part(0)
    )
    to = compiler.compile(phrase.part(1), scope)
    if "unknown" in (cards.kind, to.kind):
        return
    mask = emitter.name("m")
    if to.kind == "player":
        emitter.line(f"{mask} = 1 << {compiler.sure(to, phrase.part(1), scope).code}")
    elif to.kind == "players":
        mask = compiler.mask_of(to)
    else:
        compiler.report(
            "wrong-kind",
            f"cards are shown to players, not to {name_kind(to.kind)}",
            phrase.part(1).span,
            "Name a player, or players.",
        )
        return
    known = compiler.meaning.layout.slots["known"]
    compiler.loop(
        cards, lambda card: emitter.line(f"S[{plus(card, str(known))}] |= {mask}")
    )


def _score(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    meaning = around.compiler.meaning
    name = phrase.words[0] if phrase.words else ""
    meaning.used.add("score action")
    if name and name not in meaning.scoring:
        around.compiler.report(
            "unknown-scoring-line",
            f"unknown scoring line '{name}'",
            phrase.span,
            suggest(name, meaning.scoring, "scoring lines"),
        )
        return
    around.compiler.emitter.line(f"score{'_' + name if name else ''}(S)")


def _win(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    winner = compiler.compile(phrase.part(0), scope)
    if winner.kind not in ("player", "team", "unknown"):
        compiler.expect(winner, "player", phrase.part(0))
        return
    slot = compiler.meaning.layout.slots["winners"]
    if winner.kind == "team":
        compiler.loop(
            members(compiler, winner.code),
            lambda p: compiler.emitter.line(f"S[{slot}] |= 1 << {p}"),
        )
    elif winner.kind == "player":
        winner = compiler.sure(winner, phrase.part(0), scope)
        compiler.emitter.line(f"S[{slot}] |= 1 << {winner.code}")


def _next_turn(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    compiler = around.compiler
    player = compiler.compile(phrase.part(0), scope, "player")
    player = compiler.sure(player, phrase.part(0), scope)
    slot = compiler.meaning.layout.slots["next"]
    compiler.emitter.line(f"S[{slot}] = {player.code}")


def _end(phrase: Phrase, scope: Scope, around: Surroundings) -> None:
    """Leave a move's ``do``: the script does the rest."""
    name = phrase.words[0]
    if name not in around.ends:
        around.ends.append(name)
    around.compiler.emitter.line(f"return {around.ends.index(name) + 1}")


_ACTIONS = {
    "gather": _gather,
    "shuffle": _shuffle,
    "deal": _deal,
    "move": _move,
    "move_under": _move_under,
    "turn": _turn,
    "swap": _swap,
    "set": _set,
    "add": _add,
    "show": _show,
    "score": _score,
    "win": _win,
    "next_turn": _next_turn,
    "end": _end,
}
