"""The rule sheet of exactly what runs: sections of lines in people's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from .catalogue import describe_house_rule
from .parser import Phrase, parse_action, parse_expression
from .tree import Mapping, Node, Scalar, Sequence
from .wording import Teller, find_tests

if TYPE_CHECKING:
    from .game import Game

_PARTS_OF_ONE: Final = {2: "halves", 4: "quarters", 8: "eighths"}
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
# Parts of moves by their usual names, as a label reads before anything is picked.
_PARTS: Final = {
    "card": "a card",
    "cards": "cards",
    "pile": "a pile",
    "player": "a player",
    "suit": "a suit",
    "rank": "a rank",
    "number": "a number",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a sheet: how deep it stands, and whether a house rule wrote it.

    The text may hold placeholders in braces, whose meanings are told in English.
    """

    text: str
    depth: int = 0
    is_house: bool = False
    meanings: tuple[tuple[str, str], ...] = ()

    def fill(self, text: str = "") -> str:
        """Return the line, or its translation, with the placeholders filled in."""
        found = text or self.text
        for placeholder, meaning in self.meanings:
            found = found.replace(f"{{{placeholder}}}", meaning)
        return found


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines."""

    heading: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole rule sheet."""

    name: str
    about: str
    sections: tuple[Section, ...]


def write_sheet(game: Game) -> Sheet:
    """Return the rule sheet of a game with its players, options and house rules."""
    return _Writer(game).sheet()


class _Writer:
    """Writes the sheet of one game, section by section."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.root = game.composed.root
        sources = game.composed.sources
        # The game itself and its libraries; what else there is changes it.
        self._own = {source.path for source in sources if source.is_library}
        self._own.add(game.base_path)
        kinds = dict.fromkeys(game.layout.zones, "zone")
        kinds |= {variable.name: "variable" for variable in game.layout.variables}
        owned = {zone.name for zone in game.layout.zones.values() if zone.per}
        owned |= {v.name for v in game.layout.variables if v.owner}
        kinds |= {
            key.text.partition("(")[0].strip(): "definition"
            for key, _ in self._entries("define")
        }
        bodies = {
            key.text.partition("(")[0].strip(): phrase
            for key, node in self._entries("define")
            if isinstance(node, Scalar)
            and isinstance(phrase := parse_expression(node), Phrase)
        }
        self.teller = Teller(kinds, frozenset(owned), find_tests(bodies))

    def sheet(self) -> Sheet:
        """Return the sections in the order of a rules page."""
        sections = [
            ("Players", self._players),
            ("Cards", self._cards),
            ("House rules in force", self._chosen),
            ("The table", self._zones),
            ("How it is played", self._script),
            ("What the words mean", self._definitions),
            ("What you may do", self._moves),
            ("Which cards you may play", self._rows),
            ("Scoring", self._scoring),
            ("Who wins", self._result),
        ]
        found = [Section(heading, tuple(write())) for heading, write in sections]
        return Sheet(
            self.game.name,
            self.game.about,
            tuple(section for section in found if section.lines),
        )

    # Reading the ruleset

    def _entries(self, section: str) -> tuple[tuple[Scalar, Node], ...]:
        node = self.root.get(section)
        return node.entries if isinstance(node, Mapping) else ()

    def _line(self, node: Node, text: str, depth: int = 0) -> Line:
        """Return a line about a part of the ruleset, written as it is."""
        is_house = node.span.source.path not in self._own
        meanings = []
        for match in _PLACEHOLDER.finditer(text):
            inside = Scalar(match[1], node.span)
            phrase = parse_expression(inside)
            told = match[1]
            if match[1] in _PARTS:
                told = _PARTS[match[1]]
            elif isinstance(phrase, Phrase):
                told = self.teller.tell(phrase)
            meanings.append((match[1], told))
        return Line(text, depth, is_house, tuple(meanings))

    def _tell(self, node: Node | None, item: str = "") -> str:
        if not isinstance(node, Scalar):
            return ""
        phrase = parse_expression(node)
        teller = replace(self.teller, item=item)
        return teller.tell(phrase) if isinstance(phrase, Phrase) else node.text

    def _holds(self, node: Node | None) -> bool | None:
        """Return what a test of options alone comes to; None if it asks for more."""
        if node is None:
            return True
        if not isinstance(node, Scalar):
            return None
        phrase = parse_expression(node)
        return self._settle(phrase) if isinstance(phrase, Phrase) else None

    def _settle(self, phrase: Phrase) -> bool | None:
        options = self.game.options
        if phrase.rule == "name":
            value = options.get(phrase.words[0])
            return value if isinstance(value, bool) else None
        if phrase.rule == "negated":
            inner = self._settle(phrase.part(0))
            return None if inner is None else not inner
        if phrase.rule == "compared" and phrase.words[0] in ("==", "!="):
            one, other = phrase.part(0), phrase.part(1)
            if one.rule == "name" and one.words[0] in options and other.words:
                is_same = str(options[one.words[0]]) == other.words[0]
                return is_same == (phrase.words[0] == "==")
        if phrase.rule in ("both", "either"):
            parts = [self._settle(phrase.part(0)), self._settle(phrase.part(1))]
            deciding = phrase.rule == "either"
            if deciding in parts:
                return deciding
            return None if None in parts else not deciding
        return None

    # Sections

    def _players(self) -> Iterator[Line]:
        game = self.game
        counts = game.player_counts
        span = self.root.get("players") or self.root
        if len(counts) > 1:
            told = f"{counts[0]} to {counts[-1]} can play; here {game.players} do."
        else:
            told = f"{game.players} play."
        yield self._line(span, told)
        if len(game.teams) < game.players:
            teams = [" and ".join(map(str, team)) for team in game.teams]
            yield self._line(span, f"Partners sit at {'; '.join(teams)}.")

    def _cards(self) -> Iterator[Line]:
        deck = self.game.deck
        node = self.root.get("deck") or self.root
        yield self._line(node, f"{deck.size} cards: {_join(deck.suits)}.")
        yield self._line(node, f"Ranks, low to high: {', '.join(deck.ranks)}.")
        if deck.ring:
            yield self._line(
                node, f"{deck.ranks[-1]} and {deck.ranks[0]} are next to each other."
            )
        if deck.jokers:
            yield self._line(node, f"Jokers: {_join(deck.jokers)}.")
        if deck.removed:
            yield self._line(node, f"Left out: {', '.join(sorted(deck.removed))}.")
        for key, value in self._entries("values"):
            yield from self._table(key, value)

    def _table(self, key: Scalar, node: Node) -> Iterator[Line]:
        name = key.text.replace("_", " ")
        if isinstance(node, Sequence):
            ranks = [item.text for item in node.items if isinstance(item, Scalar)]
            yield self._line(node, f"{name}, low to high: {', '.join(ranks)}.")
        elif isinstance(node, Mapping):
            parts = [
                f"{entry.text} {value.text}"
                for entry, value in node.entries
                if isinstance(value, Scalar)
            ]
            yield self._line(node, f"{name}: {', '.join(parts)}.")

    def _chosen(self) -> Iterator[Line]:
        """Yield the options that are not as usual, and the house rules."""
        for option in self.game.option_table:
            value = self.game.options[option.name]
            about = option.about or option.name.replace("_", " ")
            if value == option.default:
                continue
            said = value
            if isinstance(value, bool):
                said = "yes" if value else "no"
            yield Line(f"{about}: {said}", is_house=True)
        for path in self.game.house_rules:
            entry = describe_house_rule(Path(path))
            yield Line(f"{entry.name}: {entry.about}", is_house=True)

    def _zones(self) -> Iterator[Line]:
        for key, node in self._entries("zones"):
            zone = self.game.layout.zones[key.text]
            whose = {
                "player": "each player has one",
                "team": "each team has one",
            }.get(zone.per, "")
            if zone.is_family:
                whose = f"{zone.piles} piles" + {
                    "player": " for each player",
                    "team": " for each team",
                }.get(zone.per, "")
            seen = {
                "all": "everybody sees it",
                "owner": "only its owner sees it",
                "team": "its team sees it",
                "nobody": "nobody looks at it",
            }[zone.seen_by]
            parts = [whose, f"face {zone.face}" if zone.face != "none" else "", seen]
            told = "; ".join(filter(None, parts))
            yield self._line(node, f"{key.text.replace('_', ' ')}: {told}.")

    def _script(self) -> Iterator[Line]:
        yield from self._statements(self.root.get("play"), 0)
        for key, node in self._entries("steps"):
            yield self._line(node, f"{key.text.replace('_', ' ').capitalize()}:")
            yield from self._statements(node, 1)

    def _statements(self, node: Node | None, depth: int) -> Iterator[Line]:
        items = node.items if isinstance(node, Sequence) else (node,)
        for item in items:
            if isinstance(item, Scalar):
                action = parse_action(item)
                if isinstance(action, Phrase):
                    yield self._line(item, _sentence(self.teller.act(action)), depth)
            elif isinstance(item, Mapping):
                yield from self._control(item, depth)

    def _control(self, node: Mapping, depth: int) -> Iterator[Line]:
        for key, tell in (
            ("if", self._tell_if),
            ("first_of", self._tell_first_of),
        ):
            if node.get(key) is not None:
                yield from tell(node, depth)
                return
        head = self._head(node)
        if head:
            yield self._line(node, head, depth)
        yield from self._statements(node.get("do"), depth + 1)
        for key, told in (
            ("stuck", "When nobody can go on:"),
            ("otherwise", "If nothing is possible:"),
        ):
            if node.get(key) is not None:
                yield self._line(node, told, depth + 1)
                yield from self._statements(node.get(key), depth + 2)

    def _head(self, node: Mapping) -> str:
        """Return how a block, loop or decision begins."""
        until = self._tell(node.get("until"))
        end = f", until {until}" if until else ""
        if isinstance(step := node.get("run"), Scalar):
            return f"{step.text.replace('_', ' ').capitalize()} (see below)."
        if isinstance(phrase := node.get("for"), Scalar):
            return self._tell_for(phrase)
        if node.get("repeat") is not None:
            return f"{self._tell(node.get('times')).capitalize()} times:"
        if node.get("loop") is not None:
            return f"Again and again{end}:"
        if node.get("block") is not None:
            return ""
        if isinstance(turns := node.get("turns"), Mapping):
            return self._tell_turns(turns)
        if (moves := node.get("race")) is not None:
            return f"All at once, as fast as they can{end}: {self._list(moves)}."
        if (moves := node.get("together")) is not None:
            return f"All choose unseen, then all show: {self._list(moves)}."
        by = self._tell(node.get("by"))
        who = f"{by.capitalize()} chooses" if by else "Choose"
        return f"{who}: {self._list(node.get('choose'))}."

    def _tell_for(self, node: Scalar) -> str:
        phrase = parse_expression(node)
        if not isinstance(phrase, Phrase):
            return f"For each {node.text}:"
        base = phrase.part(0) if phrase.rule == "filtered" else phrase
        name = base.part(0).words[0].replace("_", " ")
        return f"For each {name} of {self.teller.tell_group(phrase)}:"

    def _tell_turns(self, turns: Mapping) -> str:
        until = self._tell(turns.get("until"))
        skip = self._tell(turns.get("skip"), "a player")
        start = self._tell(turns.get("from"))
        told = f"In turn from {start}"
        told += ", once each" if turns.get("each") is not None else ""
        told += f", until {until}" if until else ""
        return f"{told}{f', skipped where {skip}' if skip else ''}:"

    def _list(self, node: Node | None) -> str:
        """Return the moves of a decision by what people call them."""
        items = node.items if isinstance(node, Sequence) else ()
        names = [item.text for item in items if isinstance(item, Scalar)]
        return _join([name.replace("_", " ") for name in names], "or")

    def _tell_if(self, node: Mapping, depth: int) -> Iterator[Line]:
        test = node.get("if")
        holds = self._holds(test)
        if holds is not None:
            chosen = node.get("then" if holds else "else")
            yield from self._statements(chosen, depth)
            return
        yield self._line(node, f"If {self._tell(test)}:", depth)
        yield from self._statements(node.get("then"), depth + 1)
        if node.get("else") is not None:
            yield self._line(node, "Otherwise:", depth)
            yield from self._statements(node.get("else"), depth + 1)

    def _tell_first_of(self, node: Mapping, depth: int) -> Iterator[Line]:
        cases = node.get("first_of")
        head = "If"
        for _, case in cases.entries if isinstance(cases, Mapping) else ():
            if not isinstance(case, Mapping):
                continue
            test = case.get("if")
            holds = self._holds(test)
            if holds is False:
                continue
            if holds and head == "If":
                yield from self._statements(case.get("do"), depth)
                return
            told = "Otherwise:" if holds else f"{head} {self._tell(test)}:"
            yield self._line(case, told, depth)
            yield from self._statements(case.get("do"), depth + 1)
            head = "Or if"
            if holds:
                return

    def _definitions(self) -> Iterator[Line]:
        for key, node in self._entries("define"):
            name, _, rest = key.text.partition("(")
            of = f" of {rest.rstrip(') ')}" if rest else ""
            title = f"{name.strip().replace('_', ' ')}{of}"
            if isinstance(node, Scalar):
                yield self._line(node, f"{title}: {self._tell(node)}.")
                continue
            yield self._line(node, f"{title}, the first that holds:")
            for _, row in node.entries if isinstance(node, Mapping) else ():
                if not isinstance(row, Mapping) or self._holds(row.get("if")) is False:
                    continue
                told = self._tell(row.get("is"))
                test = row.get("if")
                when = f" if {self._tell(test)}" if test is not None else ""
                yield self._line(row, f"{told}{when}", 1)

    def _moves(self) -> Iterator[Line]:
        for key, node in self._entries("moves"):
            if not isinstance(node, Mapping):
                continue
            label = node.get("label")
            name = key.text.replace("_", " ")
            title = label.text if isinstance(label, Scalar) else name
            yield self._line(node, _upper(title))
            yield from self._parts_asked(node.get("pick"))
            when = node.get("when")
            for _, guard in when.entries if isinstance(when, Mapping) else ():
                yield from self._guard(guard)
            yield from self._after_others(node.get("only_if_no"))
            if node.get("do") is not None:
                yield self._line(node, "Then:", 1)
                yield from self._statements(node.get("do"), 2)

    def _parts_asked(self, pick: Node | None) -> Iterator[Line]:
        """Tell of each part that is not always picked when it is."""
        for key, part in pick.entries if isinstance(pick, Mapping) else ():
            condition = part.get("if") if isinstance(part, Mapping) else None
            if condition is not None and self._holds(condition) is None:
                name = key.text.replace("_", " ")
                told = f"The {name} is chosen only if {self._tell(condition)}"
                yield self._line(condition, told, 1)

    def _guard(self, guard: Node) -> Iterator[Line]:
        test, because, condition = guard, None, None
        if isinstance(guard, Mapping):
            written = guard.get("test")
            test = written if written is not None else guard
            because, condition = guard.get("because"), guard.get("if")
        if self._holds(condition) is False:
            return
        when = (
            f"If {self._tell(condition)}, only if "
            if self._holds(condition) is None
            else "Only if "
        )
        yield self._line(test, f"{when}{self._tell(test)}", 1)
        if isinstance(because, Scalar):
            yield self._line(because, f"(else: {because.text})", 2)

    def _after_others(self, node: Node | None) -> Iterator[Line]:
        moves = node.get("moves") if isinstance(node, Mapping) else node
        unless = node.get("unless") if isinstance(node, Mapping) else None
        if moves is None or (unless is not None and self._holds(unless)):
            return
        yield self._line(moves, f"Only if you cannot {self._list(moves)}", 1)

    def _rows(self) -> Iterator[Line]:
        for key, table in self._entries("rows"):
            yield self._line(
                table,
                f"{key.text.replace('_', ' ').capitalize()}, the first that holds:",
            )
            for _, row in table.entries if isinstance(table, Mapping) else ():
                if isinstance(row, Mapping) and self._holds(row.get("if")) is not False:
                    yield from self._row(row)

    def _row(self, row: Mapping) -> Iterator[Line]:
        test = row.get("if")
        when = "Otherwise" if test is None else f"If {self._tell(test)}"
        if isinstance(by := row.get("by"), Scalar):
            yield self._line(row, f"{when}: as for {by.text.replace('_', ' ')}", 1)
            return
        yield self._line(row, f"{when}: {self._tell(row.get('cards'))}", 1)
        because = row.get("because")
        if isinstance(because, Scalar):
            yield self._line(because, f"(else: {because.text})", 2)

    def _scoring(self) -> Iterator[Line]:
        for key, node in self._entries("scoring"):
            if not isinstance(node, Mapping):
                continue
            inner = node.get("first_of") or node.get("all_of")
            if key.text == "first_of" or isinstance(inner, Mapping):
                group = inner if isinstance(inner, Mapping) else node
                if inner is None or node.get("first_of") is not None:
                    yield self._line(node, "The first of these that holds:")
                for name, line in group.entries:
                    yield from self._score(name, line, 1)
            else:
                yield from self._score(key, node, 0)

    def _score(self, key: Scalar, node: Node, depth: int) -> Iterator[Line]:
        if not isinstance(node, Mapping) or self._holds(node.get("if")) is False:
            return
        test = node.get("if")
        points, to = self._tell(node.get("points")), self._tell(node.get("to"))
        when = f", if {self._tell(test)}" if self._holds(test) is None else ""
        name = key.text.replace("_", " ").capitalize()
        yield self._line(node, f"{name}: {points} to {to}{when}.", depth)

    def _result(self) -> Iterator[Line]:
        node = self.root.get("result") or self.root
        if not isinstance(node, Mapping) or node.get("winner") is not None:
            yield self._line(node, "The rules above say who wins.")
            return
        best = "lowest" if self.game.low_wins else "highest"
        for key, head in (("rank_by", "The"), ("then_by", "Of equals the")):
            named = node.get(key)
            if isinstance(named, Scalar):
                name = named.text.replace("_", " ")
                yield self._line(named, f"{head} {best} {name} wins.")
        if part := _PARTS_OF_ONE.get(self.game.unit):
            example = f"{self.game.unit + 1} of them are {1 + 1 / self.game.unit}"
            yield self._line(node, f"Points are counted in {part}: {example}.")


def _sentence(text: str) -> str:
    return f"{_upper(text)}."


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _join(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
