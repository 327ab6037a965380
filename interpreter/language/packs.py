"""Read a ruleset's deck: its cards for some players and some options."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Chosen
from dataclasses import replace
from itertools import chain
from typing import Final

from ..text.errors import Problem, suggest
from ..text.spelling import shorten
from ..text.tree import Mapping, Node, Scalar
from .deck import FRENCH, KINDS, Deck, Suit
from .declarations import (
    Option,
    convert_option,
    entries,
    for_count,
    read_ranks,
    text,
    texts,
)

MAX_CARDS: Final = 432
MAX_COPIES: Final = 20
# What may be given by the count of players, or by the values of an option.
BY_TABLE: Final = ("copies", "jokers", "remove")


def read_deck(
    root: Mapping, seats: int, values: Chosen[str, str], problems: list[Problem]
) -> Deck:
    """Return the deck for a number of players and the values of options."""
    node = root.get("deck")
    spec = node if isinstance(node, Mapping) else Mapping((), root.span)
    parts = {
        name: _choose_part(spec.get(name), seats, values, problems) for name in BY_TABLE
    }
    kind = KINDS.get(text(spec.get("kind")), KINDS["french"])
    ranks, suits, jokers = kind.ranks, kind.suits, kind.jokers
    if spec.get("ranks") is not None:
        ranks = tuple(rank for rank, _ in read_ranks(spec.get("ranks")))
    if spec.get("suits") is not None:
        suits = _read_suits(spec.get("suits"))
    if spec.get("jokers") is not None:
        jokers = tuple(item.text for item in texts(parts["jokers"]))
    copies = _read_copies(parts["copies"], values, problems)
    by_suit = tuple(suit.ranks or ranks for suit in suits.values())
    deck = Deck(
        tuple(dict.fromkeys(chain(ranks, *by_suit))),
        tuple(suits),
        tuple(suit.letter for suit in suits.values()),
        tuple(suit.colour for suit in suits.values()),
        jokers,
        copies,
        text(spec.get("ring")) == "yes",
        frozenset(),
        by_suit,
    )
    deck = replace(deck, removed=_read_removed(deck, parts["remove"], problems))
    for message, hint in _find_deck_faults(deck):
        problems.append(Problem("wrong-deck", message, spec.span, hint))
    return deck


def _read_copies(
    node: Node | None, values: Chosen[str, str], problems: list[Problem]
) -> int:
    """Return how many packs there are: a number, or that of an option."""
    if node is None:
        return 1
    word = values.get(text(node), text(node))
    if re.fullmatch("[0-9]{1,3}", word) and 1 <= int(word) <= MAX_COPIES:
        return int(word)
    message = f"'{shorten(text(node))}' is no number of packs"
    hint = f"Write a number from 1 to {MAX_COPIES}, or a number option."
    problems.append(Problem("wrong-deck", message, node.span, hint))
    return 1


def _choose_part(
    node: Node | None, seats: int, values: Chosen[str, str], problems: list[Problem]
) -> Node | None:
    """Return a part of the deck as the count of players and the options have it."""
    while isinstance(node, Mapping):
        options = [key for key, _ in node.entries if not _is_count(key.text)]
        unknown = [key for key in options if key.text not in values]
        if unknown:
            message = f"unknown option '{unknown[0].text}'"
            hint = suggest(unknown[0].text, values, "options")
            problems.append(Problem("unknown-option", message, unknown[0].span, hint))
            return None
        if not options:
            node = for_count(node, seats)
            continue
        if len(node.entries) > 1:
            message = "a part of the deck goes by one option, or by the players"
            hint = "Put one table into the other: {pack: {24: {3: …, 4: …}}}."
            problems.append(Problem("wrong-deck", message, node.span, hint))
            return None
        inner = node.get(options[0].text)
        if not isinstance(inner, Mapping):
            return None
        found = inner.get(values[options[0].text])
        node = inner.get("otherwise") if found is None else found
    return node


def _is_count(word: str) -> bool:
    return word.isdecimal() or word == "otherwise"


def find_deck_options(root: Mapping) -> Iterator[str]:
    """Return the names that say how the deck depends on options."""
    node = root.get("deck")
    for name in BY_TABLE:
        part = node.get(name) if isinstance(node, Mapping) else None
        yield from (key.text for key, _ in entries(part))
        if name == "copies":
            yield text(part)


def check_deck_values(
    root: Mapping, options: Chosen[str, Option], problems: list[Problem]
) -> None:
    """Report values of an option that parts of the deck go by and it cannot have."""
    node = root.get("deck")
    for name in BY_TABLE:
        part = node.get(name) if isinstance(node, Mapping) else None
        for option, inner in entries(part):
            for key, _ in entries(inner) if option.text in options else ():
                if key.text != "otherwise":
                    _check_value(options[option.text], key, problems)


def _check_value(option: Option, key: Scalar, problems: list[Problem]) -> None:
    try:
        convert_option(option, key.text)
    except ValueError as error:
        hint = suggest(key.text, map(str, option.values()), "values")
        problems.append(Problem("wrong-option-value", str(error), key.span, hint))


def _read_removed(
    deck: Deck, node: Node | None, problems: list[Problem]
) -> frozenset[str]:
    """Return the names of cards left out: single ones, or all of a rank."""
    names = [name for _, _, name in deck.faces] + list(deck.jokers)
    found: set[str] = set()
    for word, item in read_ranks(node):
        of_rank = [name for rank, _, name in deck.faces if deck.ranks[rank] == word]
        if word not in names and not of_rank:
            hint = suggest(word, sorted(names), "cards")[:200]
            message = f"there is no card '{word}' in this deck"
            problems.append(Problem("unknown-card", message, item.span, hint))
        found.update(of_rank or [word])
    return frozenset(found)


def _find_deck_faults(deck: Deck) -> Iterator[tuple[str, str]]:
    names = [name for _, _, name in deck.faces] + list(deck.jokers)
    if not 1 <= len(names) * deck.copies <= MAX_CARDS or not deck.size:
        message = f"a deck of {len(names) * deck.copies} cards cannot be played with"
        yield message, f"A deck has from 1 to {MAX_CARDS} cards."
    if any(len(set(group)) < len(group) for group in (names, *deck.by_suit)):
        message = "two ranks or two suits of this deck have the same name"
        yield message, "Give each its own name or letter."
    for rank in deck.ranks:
        if ".." in rank:
            hint = "Write 2..10, or t1..t21: numbers, with the same word before both."
            yield f"'{rank}' is no range of ranks", hint
    if deck.ring and set(deck.by_suit) != {deck.ranks}:
        message = "the ranks are no ring: some suits have other ranks than the rest"
        yield message, "Leave out 'ring', or the ranks of single suits."


def _read_suits(node: Node | None) -> dict[str, Suit]:
    found: dict[str, Suit] = {}
    for item in texts(node):
        found[item.text] = FRENCH.get(item.text, Suit(item.text[:1].upper()))
    for key, value in entries(node):
        known = FRENCH.get(key.text, Suit(key.text[:1].upper()))
        if isinstance(value, Scalar) and value.text:
            known = known._replace(letter=value.text)
        if isinstance(value, Mapping):
            own = tuple(rank for rank, _ in read_ranks(value.get("ranks")))
            # Cards of ranks that no other suit has need no letter.
            letter = text(value.get("letter")) or ("" if own else known.letter)
            known = Suit(letter, text(value.get("colour")) or known.colour, own)
        found[key.text] = known
    return found
