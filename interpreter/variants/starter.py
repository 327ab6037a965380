"""The text of a new file: a small game, or a house rule for another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Words
from typing import Final

from ..text.source import Source
from ..text.tree import Mapping, Node, Scalar, Sequence
from . import basis, path
from .compose import Composed
from .formatter import COMMENT_COLUMN, format_text
from .lineage import File
from .loan import name_of, parameters_of
from .path import SHORT_FORMS
from .printer import print_text
from .revision import fingerprint, read_changes

# What an editor goes by: the schema, for two kinds of editors.
_SCHEMA: Final = """\
# yaml-language-server: $schema={schema}
# $schema: {schema}
"""
GAME: Final = """\
# A game for cardrun: check it with `cardrun validate`, play it with `cardrun FILE`.
# Sections stand in the order of a rule sheet; docs/language.md has them all.
cardrun: 1
name: {name}
family: trick-taking                   # racing, shedding, trick-taking …
about: Each plays a card; the highest of the suit led takes them.
players: {{count: 2..6, default: 4}}

deck: {{kind: french}}                   # 52 cards; also piquet, euchre, italian

options:                               # what may be chosen: --set cards_each=7
  cards_each: {{default: 5, range: 1..8, about: cards dealt to each player}}

values:
  order: [2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, A]    # low to high

zones:                                 # where cards lie, and who sees them
  stock: {{face: down, holds: deck}}
  hand:  {{per: player, seen_by: owner}}
  trick: {{face: up}}
  won:   {{per: player, face: down}}

state:                                 # what has to be remembered
  leader: {{type: player, start: players.first}}

define:                                # names for what the rules speak of
  led:         trick.first.suit
  strength(c): if c.suit == led then place(c.rank, order) else 0

rows:                                  # the first row that holds says what is legal
  follow:
    lead: {{if: trick.empty, cards: hand}}
    follow_suit:
      if: any(hand, suit == led)
      cards: hand where suit == led
      because: you hold {{led}} and must follow suit
    anything: {{cards: hand}}

moves:                                 # what a player may do
  play:
    label: play {{card}}
    pick: {{card: {{from: hand, by: follow}}}}
    do: [move card to trick]

play:                                  # the script of the game
  - shuffle stock
  - deal cards_each to hand each
  - loop: deal
    until: all(players, it.hand.empty)
    do:
      - turns: {{name: trick, from: leader, until: trick.size == players.size}}
        do:
          - choose: [play]
      - set leader to best(trick, strength).played_by
      - move trick to leader.won
  - score

scoring:                               # named lines, so that a total can be explained
  each_card: {{for: p in players, to: p, points: p.won.size}}

result: {{rank_by: score, best: highest}}
"""
_HEAD: Final = """\
# A house rule: what is different in {game}. Check it with `cardrun validate`,
# play it with `cardrun FILE`, or lay it over the game: `cardrun {link} --with FILE`.
extends: {link}
name: {name}
about: What is different, in one line.
"""
_OPTIONS: Final = """
# Options of the game, with the values they have; leave out what stays.
options:
"""
_PARTS: Final = """
# Parts of the game that people argue about. Take away a '# ', and change what stands
# behind 'now:'; 'base' is the rule as it was. 'was' tells when the game has changed.
# 'add' and 'remove' work alike: docs/language.md, section 7.
"""


def write_game(name: str, schema: str) -> str:
    """Return the text of a small game that can be played as it is.

    Args:
        name: What people call it.
        schema: Where an editor finds the schema.
    """
    return _tidy(_SCHEMA.format(schema=schema) + GAME.format(name=print_text(name)))


def write_house_rule(
    name: str, game: Composed, link: str, schema: str, told: Words[str, str]
) -> str:
    """Return the text of a house rule for a game, which changes nothing yet.

    Args:
        name: What people call it.
        game: The game.
        link: How the house rule names its file.
        schema: Where an editor finds the schema.
        told: What parts of the game say in words, by their names.
    """
    head = _SCHEMA.format(schema=schema) + _HEAD.format(
        game=game.name, link=print_text(link), name=print_text(f"{game.name}, {name}")
    )
    options = list(_list_options(game))
    parts = list(_list_parts(game.root))
    lines = [
        _remark(f"#   {name}: {{now: {now}, was: {was}}}", told.get(name, ""))
        for name, now, was in parts
    ]
    if any(not line.startswith("  #") for line in options) or not lines:
        text = _OPTIONS + "".join(options) + _PARTS + _join("# replace:", lines)
        return _tidy(head + text)
    lines[0] = lines[0].replace("#", " ", 1)
    return _tidy(head + _PARTS + _join("replace:", lines))


def _remark(line: str, words: str) -> str:
    """Return a line with what the part says now behind it."""
    return f"{line.ljust(COMMENT_COLUMN)}  # {words}" if words else line


def _tidy(text: str) -> str:
    """Return the text in the form that ``cardrun fmt`` leaves as it is."""
    made, problems = format_text(Source("new", text))
    assert not problems
    return made


def add_marks(rule: File, base: Mapping) -> str:
    """Return the text of a house rule with a mark beside each ``now`` without one."""
    text = rule.source.text
    changes, _ = read_changes(rule)
    places = []
    for change in changes:
        steps = path.find(base, change.words)
        node = rule.root.get("replace")
        long_form = node.get(change.name.text) if isinstance(node, Mapping) else None
        is_long = isinstance(long_form, Mapping) and long_form.get("now") is not None
        if change.was is None and is_long and not isinstance(steps, path.Missing):
            assert isinstance(long_form, Mapping)
            mark = f"was: {fingerprint(path.get(base, steps))}"
            places.append(_place_mark(long_form, mark, text))
    for place, mark in sorted(places, reverse=True):
        text = text[:place] + mark + text[place:]
    return text


def _place_mark(long_form: Mapping, mark: str, text: str) -> tuple[int, str]:
    """Return where a mark is put in, and with what around it."""
    if long_form.span.text.startswith("{"):
        return long_form.span.end - 1, f", {mark}"
    key = long_form.entries[0][0].span
    start = text.rfind("\n", 0, key.start) + 1
    return start, f"{' ' * (key.column - 1)}{mark}\n"


def _join(first: str, lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in (first, *lines))


def _list_options(game: Composed) -> Iterator[str]:
    """Return each option with its value, and what it means.

    One whose value goes by the count of players is marked out, with its first.
    """
    section = game.root.get("options")
    for key, node in section.entries if isinstance(section, Mapping) else ():
        default: Node | None = game.chosen.get(key.text)
        about = None
        if isinstance(node, Mapping):
            default = default or node.get("default")
            about = _scalar(node.get("about"))
        mark = ""
        if isinstance(default, Mapping):
            mark, default = "# ", default.entries[0][1]
        value = print_text(default.text) if isinstance(default, Scalar) else ""
        line = f"  {mark}{key.text}: {value}"
        yield f"{line.ljust(34)} # {about.text}\n" if about else f"{line}\n"


def _list_parts(root: Mapping) -> Iterator[tuple[str, str, str]]:
    """Return the name, a beginning and the fingerprint of parts worth replacing."""
    for words, now in _find_parts(root):
        steps = path.find(root, words)
        assert not isinstance(steps, path.Missing)
        yield ".".join(words), now, fingerprint(path.get(root, steps))


def _find_parts(root: Mapping) -> Iterator[tuple[tuple[str, ...], str]]:
    base = basis.WORD
    for key, _ in _entries(root.get("define")):
        arguments = ", ".join(parameters_of(key.text))
        call = f"{base}({arguments})" if arguments else base
        if not re.match(r"base_", name_of(key.text)):
            yield ("define", key.text), f'"{call}"' if "," in call else call
    for table, rows in _entries(root.get("rows")):
        for row, spec in _entries(rows):
            if isinstance(spec, Mapping) and spec.get("cards") is not None:
                yield ("rows", table.text, row.text, "cards"), base
    for move, spec in _entries(root.get("moves")):
        guards = spec.get("when") if isinstance(spec, Mapping) else None
        for guard, test in _entries(guards):
            words = ("moves", move.text, "when", guard.text)
            is_long = isinstance(test, Mapping)
            yield (*words, SHORT_FORMS["when"]) if is_long else words, base
    for step, script in _entries(root.get("steps")):
        if isinstance(script, Sequence):
            yield ("steps", step.text), f"[run: {base}]"
    for line, spec in _entries(root.get("scoring")):
        if isinstance(spec, Mapping) and spec.get("points") is not None:
            yield ("scoring", line.text, "points"), base


def _entries(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    return node.entries if isinstance(node, Mapping) else ()


def _scalar(node: Node | None) -> Scalar | None:
    return node if isinstance(node, Scalar) else None
