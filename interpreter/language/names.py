"""Compile words and numbers: what a name means where it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ..text.errors import suggest
from ..text.parser import Phrase
from .scope import Rule, Scope
from .values import BIG, Value, number, plus, times, truth

if TYPE_CHECKING:
    from .expressions import Compiler


def literal(compiler: Compiler, phrase: Phrase, kind: str) -> Value | None:
    """Return what a bare word or number means where a kind is expected."""
    if phrase.rule not in ("number", "name"):
        return None
    word = phrase.words[0]
    if kind == "rank" and word in compiler.meaning.deck.ranks:
        index = compiler.meaning.deck.ranks.index(word)
        return Value("rank", str(index), constant=index)
    if kind in compiler.meaning.choices and word in compiler.meaning.choices[kind]:
        compiler.meaning.used.add(f"{kind}={word}")
        index = compiler.meaning.choices[kind].index(word)
        return Value(kind, str(index), constant=index)
    return None


def _compile_number(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    word = phrase.words[0]
    if word.isdigit():
        if int(word) > BIG if len(word) < 12 else True:
            return compiler.report(
                "number-too-large",
                f"the number is larger than {BIG}",
                phrase.span,
                "Use a smaller one.",
            )
        return number(int(word))
    return _card_named(compiler, word, phrase)


def _compile_card(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    rank, suit = phrase.words
    deck = compiler.meaning.deck
    if suit not in deck.suits:
        return report_unknown(compiler, phrase, suit, list(deck.suits), "unknown-suit")
    ranks = deck.ranks_of(deck.suits.index(suit))
    if rank not in ranks:
        return report_unknown(compiler, phrase, rank, list(ranks), "unknown-rank")
    cards = deck.find(rank, suit)
    if not cards:
        return Value("card", "-1", maybe=True)
    return _one_card(compiler, cards, phrase)


def _card_named(compiler: Compiler, word: str, phrase: Phrase) -> Value:
    cards = compiler.meaning.deck.by_name.get(word, ())
    if not cards:
        if word in compiler.meaning.deck.removed:
            return Value("card", "-1", maybe=True)
        return report_unknown(compiler, phrase, word)
    return _one_card(compiler, cards, phrase)


def _one_card(compiler: Compiler, cards: tuple[int, ...], phrase: Phrase) -> Value:
    if len(cards) > 1:
        return compiler.report(
            "several-cards",
            f"there are {len(cards)} cards '{phrase.span.text}' in this deck",
            phrase.span,
            "Ask for rank and suit instead.",
        )
    return Value("card", str(cards[0]), constant=cards[0])


def report_unknown(
    compiler: Compiler,
    phrase: Phrase,
    word: str,
    names: list[str] | None = None,
    code: str = "unknown-name",
) -> Value:
    """Report a word that means nothing here, with those that would."""
    noun = code.removeprefix("unknown-")
    known = names if names is not None else compiler.meaning.names()
    return compiler.report(
        code,
        f"unknown {noun} '{word}'",
        phrase.span,
        suggest(word, known, f"{noun}s"),
    )


def _compile_name(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    word = phrase.words[0]
    if word in scope.names:
        return scope.names[word]
    if word == "it":
        return _item(compiler, phrase, scope)
    item = scope.items[-1] if scope.items else None
    declared = {**compiler.meaning.layout.zones, **compiler.meaning.variables}
    is_attribute = word not in declared and word in compiler.card_attributes()
    if item and item.kind == "card" and is_attribute:
        return compiler.attribute(item, word, phrase, scope)
    return _global(compiler, word, phrase, scope)


def _item(compiler: Compiler, phrase: Phrase, scope: Scope) -> Value:
    if not scope.items:
        return compiler.report(
            "no-item",
            "there is no 'it' here",
            phrase.span,
            "'it' is the item inside where, any, all, count, sum, first, best …",
        )
    if len(scope.items) > 1:
        return compiler.report(
            "ambiguous-item",
            "'it' could be the item of either range",
            phrase.span,
            "Name the items: any(p in players, any(c in p.hand, …)).",
        )
    return scope.items[-1]


def _global(compiler: Compiler, word: str, phrase: Phrase, scope: Scope) -> Value:
    meaning = compiler.meaning
    meaning.used.add(word)
    if word == "me":
        if scope.me is None:
            return compiler.report(
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
        return compiler.numbers("players", "0", str(meaning.layout.seats - 1))
    if word == "teams":
        return compiler.numbers("teams", "0", str(meaning.layout.team_count - 1))
    if word == "suits":
        return compiler.numbers("suits", "0", str(len(meaning.deck.suits) - 1))
    if word == "ranks":
        return compiler.numbers("ranks", "0", str(len(meaning.deck.ranks) - 1))
    if word in meaning.options:
        return meaning.options[word]
    if word in meaning.variables:
        return _variable(compiler, word, phrase, scope)
    if word in meaning.layout.zones:
        return _zone(compiler, word, phrase, scope)
    if word in meaning.definitions:
        return compiler.expand(word, (), phrase, scope)
    return _word_of_the_deck(compiler, word, phrase, scope)


def _word_of_the_deck(
    compiler: Compiler, word: str, phrase: Phrase, scope: Scope
) -> Value:
    deck = compiler.meaning.deck
    if word in deck.suits:
        index = deck.suits.index(word)
        return Value("suit", str(index), constant=index)
    for name, (values, _) in compiler.meaning.attributes.items():
        if word in values:
            index = values.index(word)
            return Value(name, str(index), constant=index)
    if word in deck.by_name or word in deck.removed:
        return _card_named(compiler, word, phrase)
    if word in deck.ranks and not word.isdigit():
        index = deck.ranks.index(word)
        return Value("rank", str(index), constant=index)
    for kind, names in compiler.meaning.choices.items():
        if word in names:
            index = names.index(word)
            return Value(kind, str(index), constant=index)
    known = [*scope.names, *compiler.meaning.names()]
    return report_unknown(compiler, phrase, word, known)


def _variable(compiler: Compiler, word: str, phrase: Phrase, scope: Scope) -> Value:
    variable = compiler.meaning.variables[word]
    owner = ""
    if variable.per:
        if scope.me is None:
            return _whose(compiler, word, phrase)
        owner = scope.me if variable.per == "player" else team_of(compiler, scope.me)
    return stored(compiler, word, owner)


def stored(compiler: Compiler, word: str, owner: str) -> Value:
    """Return a variable's value, of an owner if it has one."""
    variable = compiler.meaning.variables[word]
    slot = plus(str(variable.slot), owner) if owner else str(variable.slot)
    code = f"S[{slot}]"
    if variable.kind == "yes/no":
        return Value("yes/no", f"({code} != 0)")
    if variable.kind == "pile":
        zones = frozenset(compiler.meaning.layout.zones)
        return replace(compiler.pile(code, zones), maybe=variable.maybe)
    return Value(variable.kind, code, maybe=variable.maybe)


def _whose(compiler: Compiler, word: str, phrase: Phrase) -> Value:
    return compiler.report(
        "nobody-acts",
        f"whose '{word}'? Nobody is acting here",
        phrase.span,
        f"Name the player, such as p.{word} inside 'for: p in players'.",
    )


def _zone(compiler: Compiler, word: str, phrase: Phrase, scope: Scope) -> Value:
    per = compiler.meaning.layout.zones[word].per
    owner = "0"
    if per:
        if scope.me is None:
            return _whose(compiler, word, phrase)
        owner = scope.me if per == "player" else team_of(compiler, scope.me)
    return zone(compiler, word, owner)


def zone(compiler: Compiler, word: str, owner: str) -> Value:
    """Return the pile, or family of piles, that an owner has in a zone."""
    declared = compiler.meaning.layout.zones[word]
    first = plus(str(declared.first), times(owner, declared.piles))
    if not declared.is_family:
        return compiler.pile(first, frozenset({word}))
    last = plus(first, str(declared.piles - 1))
    return compiler.numbers("piles", first, last, zones=frozenset({word}))


def team_of(compiler: Compiler, player: str) -> str:
    """Return the code of a player's team."""
    layout = compiler.meaning.layout
    if layout.teams == tuple(range(layout.seats)):
        return player
    if player.isdigit():
        return str(layout.teams[int(player)])
    return f"TEAM[{player}]"


RULES: Final[dict[str, Rule]] = {
    "number": _compile_number,
    "card": _compile_card,
    "name": _compile_name,
}
