"""The rule sheet of exactly what runs: sections of lines in people's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from collections.abc import Mapping as Table
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ..language.deck import KINDS
from ..language.settling import Settler
from ..language.wording import teach
from ..text.parser import Phrase, parse_action, parse_expression
from ..text.tree import Mapping, Node, Scalar, Sequence
from ..variants.path import SHORT_FORMS
from .catalogue import describe_house_rule

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..language.deck import Deck

_PARTS_OF_ONE: Final = {2: "halves", 4: "quarters", 8: "eighths"}
OPTION: Final = "{option}: {value}"
REASON: Final = "(else: {reason})"
# How a part of a move is picked, by what it is picked from.
_PICKED: Final = {
    "from": "is from {}",
    "place": "is chosen unseen from {}",
    "pile": "is one of {}",
    "player": "is one of {}",
    "number": "is {}",
    "suit": "is one of {}",
    "rank": "is one of {}",
    "choice": "is {}",
}
# What is asked of cards alone, and what parameters of one letter usually are.
_OF_CARDS: Final = (
    *("rank", "suit", "printed_rank", "printed_suit", "is_joker"),
    *("colour", "played_by", "face_up", "face_down"),
)
_USUAL: Final = {"c": "card", "p": "player", "t": "team", "r": "rank", "s": "suit"}
_MINUS: Final = "\N{MINUS SIGN}"
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a sheet: how deep it stands, and whether a house rule wrote it.

    The part is the one of the ruleset that it tells of: ``moves.play``. The text
    may hold placeholders in braces. Their meanings are texts themselves, which may
    hold those that come after them.
    """

    text: str
    depth: int = 0
    is_house: bool = False
    meanings: tuple[tuple[str, str], ...] = ()
    part: str = ""

    @property
    def texts(self) -> list[str]:
        """Return all that a translation has to know: the line and its meanings."""
        meanings = [told for _, told in self.meanings if told and not told.isdigit()]
        return [self.text, *meanings]

    def fill(self, translate: Callable[[str], str] = str) -> str:
        """Return the line, translated, with the placeholders filled in."""
        found = translate(self.text)
        for placeholder, meaning in self.meanings:
            if not meaning:
                found = found.replace(f" {{{placeholder}}}", "")
            found = found.replace(f"{{{placeholder}}}", translate(meaning))
        return found


@dataclass(frozen=True, slots=True)
class PickedPart:
    """What a part of a move is called: first (a card), and from then on (that card)."""

    one: str
    it: str


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
    house_rules: tuple[str, ...] = ()

    @property
    def parts(self) -> list[str]:
        """Return the parts that it tells of, in its order."""
        return list(
            dict.fromkeys(line.part for part in self.sections for line in part.lines)
        )

    def lines_of(self, part: str) -> list[Line]:
        """Return the lines that tell of a part of the ruleset."""
        return [
            line
            for section in self.sections
            for line in section.lines
            if line.part == part
        ]


def write_sheet(
    game: Game, options: Table[str, bool | int | str] | None = None
) -> Sheet:
    """Return the rule sheet of a game with its players, options and house rules.

    Args:
        game: The game.
        options: Values of options to tell of, if not those of the game. Its deck
            and piles stay.
    """
    return _Writer(game, options or game.options).sheet()


def tell_parts(game: Game) -> dict[str, str]:
    """Return what definitions, guards and scoring lines say, by their names."""
    return dict(_Writer(game, game.options).tell_parts())


class Teaching:
    """Says expressions of a game as its rule sheet does."""

    def __init__(self, game: Game) -> None:
        """Speak of a game as its options are set."""
        self._writer = _Writer(game, game.options)

    def reduce(self, phrase: Phrase) -> Phrase:
        """Return a phrase without what options settle."""
        return self._writer.settler.reduce(phrase)

    def tell(self, phrase: Phrase) -> str:
        """Return a phrase in English."""
        return self._writer.teller.tell(phrase)

    def deny(self, phrase: Phrase) -> str:
        """Return in English that a test fails."""
        return self._writer.teller.deny(phrase)

    def is_test(self, name: str) -> bool:
        """Tell whether a definition is a test."""
        return name in self._writer.teller.tests

    def definition(self, name: str) -> list[Line]:
        """Return the lines that say what a definition means, needed or not."""
        return list(self._writer.define(name))

    def subject(self, key: Scalar, node: Node) -> str:
        """Return what a definition says of what: A card c fits; Starter."""
        name, _, rest = key.text.partition("(")
        of = f" of {self._writer.introduce(rest, node)}" if rest else ""
        plain = f"{self._writer.teller.noun(name.strip())}{of}"
        title = self._writer.title(name.strip(), rest, plain, node)
        return title.removesuffix(":").removesuffix(" if").removesuffix(" means that")


def _tag(part: str, lines: Iterable[Line]) -> Iterator[Line]:
    """Return lines that tell of a part."""
    return (replace(line, part=part) for line in lines)


class _Writer:
    """Writes the sheet of one game, section by section."""

    def __init__(self, game: Game, options: Table[str, bool | int | str]) -> None:
        self.game = game
        self.root = game.composed.root
        sources = game.composed.sources
        # The game itself and its libraries; what else there is changes it.
        self._own = {source.path for source in sources if source.is_library}
        self._own.add(game.base_path)
        bodies: dict[str, Phrase] = {}
        parameters: dict[str, str] = {}
        for key, node in self._entries("define"):
            name, _, rest = key.text.partition("(")
            parameters[name.strip()] = rest.rstrip(") ")
            body = parse_expression(node) if isinstance(node, Scalar) else None
            if isinstance(body, Phrase):
                bodies[name.strip()] = body
        has_jokers = any(rank < 0 for rank, _, _ in game.deck.cards)
        self.settler = Settler(options, bodies, parameters, has_jokers)
        for key, node in self._entries("define"):
            body = self._first_row(node)
            if body is not None:
                bodies[key.text.partition("(")[0].strip()] = body
        self._tables = {
            key.text
            for key, table in self._entries("values")
            if isinstance(table, Mapping)
        }
        self._run: set[str] = set()
        items = self._find_items(self.root.get("play"), self.root.get("steps"))
        self.teller = replace(teach(game.layout, self.settler), named=items)

    def _first_row(self, table: Node) -> Phrase | None:
        """Return what a table of a definition is, where options leave one row."""
        for _, row in table.entries if isinstance(table, Mapping) else ():
            if not isinstance(row, Mapping):
                return None
            held = self._holds(row.get("if"))
            value = row.get("is")
            if held and isinstance(value, Scalar):
                body = parse_expression(value)
                return body if isinstance(body, Phrase) else None
            if held is None:
                return None
        return None

    def _find_items(self, *nodes: Node | None) -> dict[str, str]:
        """Return what the items of loops are called: the pile, p."""
        found: dict[str, str] = {}
        for node in nodes:
            if isinstance(node, Sequence):
                found |= self._find_items(*node.items)
            elif isinstance(node, Mapping):
                found |= self._find_items(*(value for _, value in node.entries))
                loop = node.get("for")
                if isinstance(loop, Scalar):
                    name = loop.text.split()[0]
                    found[name] = _called(name)
        return found

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
            tuple(self._house_rules()),
        )

    # Reading the ruleset

    def _entries(self, section: str) -> tuple[tuple[Scalar, Node], ...]:
        node = self.root.get(section)
        return node.entries if isinstance(node, Mapping) else ()

    def _line(self, node: Node, text: str, depth: int = 0) -> Line:
        """Return a line about a part of the ruleset, written as it is."""
        for end in ".:,":
            text = text.replace(f",{end}", end)
        meanings = self._meanings(text, node, self.teller.named)
        return Line(text, depth, self._is_house(node), meanings)

    def _is_house(self, node: Node) -> bool:
        return node.span.source.path not in self._own

    def _meanings(
        self, text: str, node: Node, parts: Table[str, str]
    ) -> tuple[tuple[str, str], ...]:
        """Return what the placeholders of a label or a reason stand for."""
        meanings = []
        for match in _PLACEHOLDER.finditer(text):
            phrase = parse_expression(Scalar(match[1], node.span))
            told = match[1]
            if told in parts:
                told = parts[told]
            elif isinstance(phrase, Phrase):
                told = self.teller.tell(phrase)
            meanings.append((match[1], told))
        return tuple(meanings)

    def _reason(self, because: Node | None, depth: int) -> Iterator[Line]:
        if isinstance(because, Scalar):
            told = self._meanings(because.text, because, self.teller.named)
            meanings = (("reason", because.text), *told)
            yield Line(REASON, depth, self._is_house(because), meanings)

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
        phrase = parse_expression(node) if isinstance(node, Scalar) else None
        return self.settler.holds(phrase) if isinstance(phrase, Phrase) else None

    # Sections

    def _players(self) -> Iterator[Line]:
        yield from _tag("players", self._seats())

    def _seats(self) -> Iterator[Line]:
        game = self.game
        counts = game.player_counts
        span = self.root.get("players") or self.root
        told = "For {players} players."
        if len(counts) > 1:
            told = "For {least} to {most} players; here {players} play."
        numbers = {"least": counts[0], "most": counts[-1], "players": game.players}
        meanings = tuple((name, str(number)) for name, number in numbers.items())
        yield Line(told, 0, self._is_house(span), meanings)
        if len(game.teams) < game.players:
            teams = [" and ".join(map(str, team)) for team in game.teams]
            yield self._line(span, f"Partners are players {'; '.join(teams)}.")

    def _cards(self) -> Iterator[Line]:
        yield from _tag("deck", self._deck())
        for key, value in self._entries("values"):
            yield from _tag(f"values.{key.text}", self._table(key, value))

    def _deck(self) -> Iterator[Line]:
        deck = self.game.deck
        node = self.root.get("deck") or self.root
        yield self._line(node, f"{deck.size} cards: {_join(deck.suits)}.")
        if told := self._letters():
            yield self._line(node, f"Letters on the cards: {told}.")
        values = self.root.get("values")
        order = values.get("order") if isinstance(values, Mapping) else None
        ranked = deck.ranks
        if isinstance(order, Sequence):
            ranked = tuple(_expand(_texts(order), deck.ranks))
        ranks = self._ranks()
        how = ", low to high" if [r for r in ranked if r in ranks] == ranks else ""
        yield self._line(node, f"Ranks{how}: {', '.join(ranks)}.")
        if deck.ring:
            yield self._line(
                node, f"{deck.ranks[-1]} and {deck.ranks[0]} are next to each other."
            )
        if deck.jokers:
            yield self._line(node, f"Jokers: {_join(deck.jokers)}.")
        if deck.copies > 1:
            yield self._line(node, f"{deck.copies} packs are shuffled together.")
        if deck.removed:
            yield self._line(node, f"Left out: {', '.join(_list_removed(deck))}.")

    def _letters(self) -> str:
        """Return what letters on the cards mean, where that is not plain to see."""
        deck = self.game.deck
        node = self.root.get("deck")
        kind = node.get("kind") if isinstance(node, Mapping) else None
        known = KINDS[kind.text].courts if isinstance(kind, Scalar) else ()
        courts = [name for name in known if name[0] in deck.ranks]
        told = [
            f"{letter} {suit.replace('_', ' ')}"
            for letter, suit in zip(deck.letters, deck.suits, strict=True)
            if letter
        ]
        if all(text[0] == text.partition(" ")[2][0].upper() for text in told):
            told = []
        return "; ".join(", ".join(part) for part in (told, courts) if part)

    def _ranks(self) -> list[str]:
        """Return the ranks that some card has, low to high."""
        deck = self.game.deck
        there = {rank for rank, _, _ in deck.cards}
        return [rank for index, rank in enumerate(deck.ranks) if index in there]

    def _table(self, key: Scalar, node: Node) -> Iterator[Line]:
        name = key.text.replace("_", " ")
        if isinstance(node, Sequence):
            ranks = _expand(_texts(node), self.game.deck.ranks)
            if key.text == "order":
                if ranks == list(self.game.deck.ranks) or ranks == self._ranks():
                    return
                name = "order of the ranks"
            yield self._line(node, f"{_upper(name)}, low to high: {', '.join(ranks)}.")
        elif isinstance(node, Mapping):
            told = _join_equal(
                (entry.text, value.text.replace("-", _MINUS))
                for entry, value in node.entries
                if isinstance(value, Scalar)
            )
            yield self._line(node, f"{_upper(name)}: {told}.")

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
            meanings = (("option", about), ("value", str(said).replace("_", " ")))
            part = f"options.{option.name}"
            yield Line(OPTION, is_house=True, meanings=meanings, part=part)
        for told in self._house_rules():
            yield Line(told, is_house=True)

    def _house_rules(self) -> Iterator[str]:
        """Return what the house rules that are laid over the game say of themselves."""
        for path in self.game.house_rules:
            entry = describe_house_rule(Path(path))
            title = entry.title.removeprefix(self.game.name.partition(",")[0])
            title = _upper(title.removeprefix(",").strip()) or entry.name
            yield f"{title}: {entry.about}" if entry.about else title

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
            line = self._line(node, f"{_upper(self.teller.noun(key.text))}: {told}.")
            yield replace(line, part=f"zones.{key.text}")

    def _script(self) -> Iterator[Line]:
        yield from _tag("play", self._statements(self.root.get("play"), 0))
        # Steps are told that something runs: the script, a move, another step.
        for _ in self._moves():
            pass
        told: dict[str, list[Line]] = {}
        steps = dict(self._entries("steps"))
        names = {key.text: node for key, node in steps.items()}
        while left := [name for name in names if name in self._run - set(told)]:
            for name in left:
                told[name] = list(self._statements(names[name], 1))
        for name, node in names.items():
            if name in told:
                title = self._line(node, f"{name.replace('_', ' ').capitalize()}:")
                yield from _tag(f"steps.{name}", [title, *told[name]])

    def _statements(self, node: Node | None, depth: int) -> Generator[Line, None, bool]:
        """Yield the lines of a script, and return whether it ends a block for sure."""
        items = node.items if isinstance(node, Sequence) else (node,)
        for item in items:
            ends = False
            if isinstance(item, Scalar):
                action = parse_action(item)
                if isinstance(action, Phrase):
                    yield self._line(item, _sentence(self.teller.act(action)), depth)
                    ends = action.rule == "end"
            elif isinstance(item, Mapping):
                ends = yield from self._control(item, depth)
            if ends:
                return True
        return False

    def _control(self, node: Mapping, depth: int) -> Generator[Line, None, bool]:
        if node.get("if") is not None:
            return (yield from self._tell_if(node, depth))
        if node.get("first_of") is not None:
            return (yield from self._tell_first_of(node, depth))
        head = self._head(node)
        if head:
            yield self._line(node, head, depth)
        yield from self._statements(node.get("do"), depth + bool(head))
        for key, told in (
            ("stuck", "When nobody can go on:"),
            ("otherwise", "If nothing is possible:"),
        ):
            if node.get(key) is not None:
                yield self._line(node, told, depth + 1)
                yield from self._statements(node.get(key), depth + 2)
        return False

    def _head(self, node: Mapping) -> str:
        """Return how a block, loop or decision begins."""
        until = self._tell(node.get("until"))
        end = f", until {until}" if until else ""
        if isinstance(step := node.get("run"), Scalar):
            named = self.root.get("steps")
            body = named.get(step.text) if isinstance(named, Mapping) else None
            if body is not None and self._is_silent(body):
                return ""
            self._run.add(step.text)
            return f"{step.text.replace('_', ' ').capitalize()} (see below)."
        if isinstance(phrase := node.get("for"), Scalar):
            return self._tell_for(phrase)
        if node.get("repeat") is not None:
            times = self._tell(node.get("times"))
            return "" if times == "1" else f"{_upper(times)} times:"
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
        who = f"{_upper(by)} chooses" if by else "Choose"
        return f"{who}: {self._list(node.get('choose'))}."

    def _is_silent(self, body: Node) -> bool:
        """Tell whether a step does nothing, as options are set."""
        known = set(self._run)
        is_silent = next(self._statements(body, 0), None) is None
        self._run = known
        return is_silent

    def _tell_for(self, node: Scalar) -> str:
        phrase = parse_expression(node)
        if not isinstance(phrase, Phrase):
            return f"For each {node.text}:"
        base = phrase.part(0) if phrase.rule == "filtered" else phrase
        name = base.part(0).words[0].replace("_", " ")
        group = base.part(1)
        told = self.teller.tell(group)
        if group.rule == "interval":
            return f"For each {name} from {told}:"
        if group.rule == "call" and group.part(0).words == ("clockwise",):
            first = self.teller.tell(group.part(1))
            when = ""
            if phrase.rule == "filtered":
                when = f", if {self.teller.tell(phrase.part(1))}"
            return f"For each player {name}, beginning with {first}{when}:"
        one = f"player {name}" if told == "the players" else f"{name} of {told}"
        if len(name) > 1 and told == "the players":
            one = f"player ({_called(name)})"
        when = ""
        if phrase.rule == "filtered":
            when = f", if {self.teller.tell(phrase.part(1))}"
        return f"For each {one}{when}:"

    def _tell_turns(self, turns: Mapping) -> str:
        until = self._tell(turns.get("until"))
        skipped = turns.get("skip")
        phrase = parse_expression(skipped) if isinstance(skipped, Scalar) else None
        skip = ""
        if isinstance(phrase, Phrase) and self._holds(skipped) is None:
            skip = f" (no turn for {self.teller.tell_those(phrase)})"
        start = self._tell(turns.get("from"))
        told = f"In turn, beginning with {start}"
        told += ", once each" if turns.get("each") is not None else ""
        told += f", until {until}" if until else ""
        return f"{told}{skip}:"

    def _list(self, node: Node | None) -> str:
        """Return the moves of a decision by their labels, or names of a choice."""
        items = node.items if isinstance(node, Sequence) else ()
        names = [
            item.text
            for item in items
            if isinstance(item, Scalar) and not self._is_off(item.text)
        ]
        return _join([self._label(name) for name in names], "or")

    def _is_off(self, name: str) -> bool:
        """Tell whether options alone keep a move from being legal."""
        moves = self.root.get("moves")
        move = moves.get(name) if isinstance(moves, Mapping) else None
        when = move.get("when") if isinstance(move, Mapping) else None
        for _, guard in when.entries if isinstance(when, Mapping) else ():
            test, condition = guard, None
            if isinstance(guard, Mapping):
                test, condition = guard.get("test") or guard, guard.get("if")
            if self._holds(condition) and self._holds(test) is False:
                return True
        return False

    def _label(self, name: str) -> str:
        """Return what people call a move, with what it picks."""
        moves = self.root.get("moves")
        move = moves.get(name) if isinstance(moves, Mapping) else None
        label = move.get("label") if isinstance(move, Mapping) else None
        if not isinstance(label, Scalar) or not isinstance(move, Mapping):
            return name.replace("_", " ")
        parts = _name_parts(move.get("pick"), self._tell, self._holds)
        meanings = self._meanings(label.text, label, _list_articles(label.text, parts))
        return Line(label.text, meanings=meanings).fill().removesuffix("!")

    def _tell_if(self, node: Mapping, depth: int) -> Generator[Line, None, bool]:
        test = node.get("if")
        holds = self._holds(test)
        if holds is not None:
            chosen = node.get("then" if holds else "else")
            return (yield from self._statements(chosen, depth))
        yield self._line(node, f"If {self._tell(test)}:", depth)
        yield from self._statements(node.get("then"), depth + 1)
        if node.get("else") is not None:
            yield self._line(node, "Otherwise:", depth)
            yield from self._statements(node.get("else"), depth + 1)
        return False

    def _tell_first_of(self, node: Mapping, depth: int) -> Generator[Line, None, bool]:
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
                return (yield from self._statements(case.get("do"), depth))
            told = "Otherwise:" if holds else f"{head} {self._tell(test)}:"
            yield self._line(case, told, depth)
            yield from self._statements(case.get("do"), depth + 1)
            head = "Or if"
            if holds:
                break
        return False

    def _definitions(self) -> Iterator[Line]:
        for key, node in self._entries("define"):
            name = key.text.partition("(")[0].strip()
            yield from _tag(f"define.{name}", self._definition(key, node))

    def tell_parts(self) -> Iterator[tuple[str, str]]:
        """Yield the names of parts, as a house rule has them, with their lines."""
        for key, node in self._entries("define"):
            lines = list(self._definition(key, node, is_needed=True))
            yield f"define.{key.text}", lines[0].fill()
        for move, node in self._entries("moves"):
            guards = node.get("when") if isinstance(node, Mapping) else None
            for key, guard in guards.entries if isinstance(guards, Mapping) else ():
                with self._naming(node):
                    lines = list(self._guard(guard))
                name = f"moves.{move.text}.when.{key.text}"
                if lines:
                    yield name, lines[0].fill()
                    yield f"{name}.{SHORT_FORMS['when']}", lines[0].fill()
        for key, node in self._entries("scoring"):
            lines = list(self._score(key, node, 0))
            if lines:
                yield f"scoring.{key.text}.points", lines[0].fill()

    @contextmanager
    def _naming(self, move: Node) -> Iterator[dict[str, PickedPart]]:
        """Call the parts of a move that card, that pile … for a while."""
        pick = move.get("pick") if isinstance(move, Mapping) else None
        parts = _name_parts(pick, self._tell, self._holds)
        known = self.teller
        called = {name: part.it for name, part in parts.items()}
        self.teller = replace(known, named={**known.named, **called})
        yield parts
        self.teller = known

    def define(self, name: str) -> Iterator[Line]:
        """Tell what a name means, though its uses may say it all."""
        for key, node in self._entries("define"):
            if key.text.partition("(")[0].strip() == name:
                yield from self._definition(key, node, is_needed=True)

    def _definition(
        self, key: Scalar, node: Node, *, is_needed: bool = False
    ) -> Iterator[Line]:
        name, _, rest = key.text.partition("(")
        of = f" of {self.introduce(rest, node)}" if rest else ""
        title = f"{self.teller.noun(name.strip())}{of}".replace(" of of ", " of ")
        body = self.settler.bodies.get(name.strip())
        if body is not None:
            if is_needed or self._is_worth_saying(name.strip()):
                title = self.title(name.strip(), rest, title, node)
                yield self._line(node, f"{self._mean(name.strip(), title, body)}.")
            return
        yield self._line(node, f"{_upper(title)}, the first that holds:")
        for _, row in node.entries if isinstance(node, Mapping) else ():
            if not isinstance(row, Mapping) or self._holds(row.get("if")) is False:
                continue
            told = self._tell(row.get("is"))
            test = row.get("if")
            when = f" if {self._tell(test)}" if test is not None else ""
            yield self._line(row, f"{told}{when}", 1)

    def _mean(self, name: str, title: str, body: Phrase) -> str:
        """Return what a name means, behind the title that its line begins with."""
        told = self.teller.tell(body)
        if name not in self.teller.tests:
            return f"{title} {told}"
        subject = title.removesuffix(" if").removesuffix(" means that")
        held = self.settler.holds(body)
        if held is not None:
            return f"{subject}: {'always' if held else 'never'}"
        body = self.settler.reduce(body)
        if body.rule != "choice":
            return f"{title} {told}"
        test, yes, no = (self.teller.tell(body.part(index)) for index in range(3))
        if subject == title.removesuffix(" means that"):
            return f"{title}, if {test}, {yes}, and else {no}"
        return f"If {test}, {_lower(subject)} if {yes}; else if {no}"

    def _is_worth_saying(self, name: str) -> bool:
        """Tell whether a reader needs a definition: its uses do not say it all."""
        return not self.settler.is_idle(name) and not self.settler.is_counter(name)

    def introduce(self, rest: str, node: Node) -> str:
        """Return the parameters of a definition, with what they are: a card c."""
        params = [word.strip() for word in rest.rstrip(") ").split(",")]
        told = [self._parameter(word, node) for word in params]
        return " and ".join(told)

    def _parameter(self, word: str, node: Node) -> str:
        """Return what a parameter is, by what is asked of it: a card c."""
        asked: set[str] = set()
        for scalar in _list_scalars(node):
            phrase = parse_expression(scalar)
            if isinstance(phrase, Phrase):
                asked |= _find_asked(phrase, word)
        zones, kind = self.game.layout.zones, ""
        per = {zones[name].per for name in asked & set(zones)}
        if asked & {*_OF_CARDS, *self._tables}:
            kind = "card"
        elif asked & {"partner", "team", "seat"} or "player" in per:
            kind = "player"
        elif "players" in asked or "team" in per:
            kind = "team"
        elif word in _USUAL:
            kind = _USUAL[word]
        if kind and len(word) == 1:
            return f"a {kind} {word}"
        if word == f"{kind}s":
            return word
        return word if len(word) < 3 else f"the {word.replace('_', ' ')}"

    def title(self, name: str, rest: str, plain: str, node: Node) -> str:
        """Return how the line of a definition begins: a player p is out if."""
        if name not in self.teller.tests:
            return f"{_upper(plain)}:"
        if not rest:
            return f"{_upper(plain)} means that"
        params = [word.strip() for word in rest.rstrip(") ").split(",")]
        told = [self._parameter(word, node) for word in params]
        said = self.teller.tell_test(name, told)
        return f"{said if len(told[0]) < 3 else _upper(said)} if"

    def _moves(self) -> Iterator[Line]:
        for key, node in self._entries("moves"):
            if isinstance(node, Mapping) and not self._is_off(key.text):
                yield from _tag(f"moves.{key.text}", self._move(key, node))

    def _move(self, key: Scalar, node: Mapping) -> Iterator[Line]:
        label = node.get("label")
        name = key.text.replace("_", " ")
        title = label.text if isinstance(label, Scalar) else name
        with self._naming(node) as parts:
            meanings = self._meanings(title, node, _list_articles(title, parts))
            yield Line(_upper(title), 0, self._is_house(node), meanings)
            yield from self._parts_asked(node.get("pick"), parts)
            when = node.get("when")
            for _, guard in when.entries if isinstance(when, Mapping) else ():
                yield from self._guard(guard)
            yield from self._after_others(node.get("only_if_no"))
            yield from self._unblocks(node.get("unblocks"))
            if node.get("do") is not None:
                yield self._line(node, "Then:", 1)
                yield from self._statements(node.get("do"), 2)

    def _unblocks(self, test: Node | None) -> Iterator[Line]:
        """Tell when a move of a race helps those who can do nothing else."""
        held = self._holds(test)
        if test is None or held:
            return
        if held is False:
            yield self._line(test, "Who can do nothing else is stuck", 1)
            return
        told = f"Who can do nothing else is stuck, unless {self._tell(test)}"
        yield self._line(test, told, 1)

    def _parts_asked(
        self, pick: Node | None, parts: Table[str, PickedPart]
    ) -> Iterator[Line]:
        """Tell what each part is picked from, and when, if not always."""
        for key, node in pick.entries if isinstance(pick, Mapping) else ():
            part = parts[key.text]
            if not part.one:
                continue
            if " of " not in part.it or isinstance(node, Mapping):
                yield self._line(node, f"{_upper(part.it)} {self._picked(node)}", 1)
            condition = node.get("if") if isinstance(node, Mapping) else None
            if condition is not None and self._holds(condition) is None:
                told = f"{_upper(part.it)} is chosen only if {self._tell(condition)}"
                yield self._line(condition, told, 1)
            if isinstance(node, Mapping):
                yield from self._reason(node.get("because"), 2)

    def _picked(self, node: Node) -> str:
        """Return what a part is picked from."""
        if not isinstance(node, Mapping):
            return f"is from {self._tell(node)}"
        where = node.get("where")
        for key, form in _PICKED.items():
            source = node.get(key)
            if source is None:
                continue
            if isinstance(source, Sequence):
                return form.format(self._list(source))
            group = self._group(source, where)
            if key == "from" and is_several(node):
                form = "are from {}" + self._agreement(node)
            if isinstance(by := node.get("by"), Scalar):
                told = by.text.replace("_", " ")
                return f"is from {group}, as “{told.capitalize()}” below allows"
            return form.format(group)
        return "is chosen"

    def _group(self, source: Node, where: Node | None) -> str:
        group = parse_expression(source) if isinstance(source, Scalar) else None
        test = parse_expression(where) if isinstance(where, Scalar) else None
        if not isinstance(group, Phrase):
            return self._tell(source)
        if not isinstance(test, Phrase) or self.settler.holds(test):
            return self.teller.tell(group)
        if group.rule == "interval":
            told = replace(self.teller, item="it").tell(test)
            return f"{self.teller.tell(group)}, if {told}"
        return self.teller.those(group, test)

    def _agreement(self, node: Mapping) -> str:
        """Return what selected cards have in common."""
        told = ""
        size, same = node.get("size"), node.get("same")
        if isinstance(size, Scalar):
            many = self._tell(size)
            is_plain = many.replace(" to ", "").isdigit()
            told += f", {many} of them" if is_plain else f", as many as {many}"
        if isinstance(same, Scalar):
            told += f", all of the same {same.text}"
        shape, total = node.get("shape"), node.get("sum")
        if isinstance(shape, Sequence):
            kinds = [item.text for item in shape.items if isinstance(item, Scalar)]
            told += f", which make a {_join([_shape(kind) for kind in kinds], 'or')}"
        if isinstance(total, Mapping):
            of, number = self._tell(total.get("of")), self._tell(total.get("is"))
            told += f", whose {of} is together {number}"
        return told

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
        if self._holds(test):
            return
        yield self._line(test, f"{when}{self._tell(test)}", 1)
        yield from self._reason(because, 2)

    def _after_others(self, node: Node | None) -> Iterator[Line]:
        moves = node.get("moves") if isinstance(node, Mapping) else node
        unless = node.get("unless") if isinstance(node, Mapping) else None
        if moves is None or (unless is not None and self._holds(unless)):
            return
        yield self._line(moves, f"Only if you cannot {self._list(moves)}", 1)
        if isinstance(node, Mapping):
            yield from self._reason(node.get("because"), 2)

    def _rows(self) -> Iterator[Line]:
        asked = self._find_tables(self.root.get("moves"))
        asked |= self._find_tables(self.root.get("rows"))
        for key, table in self._entries("rows"):
            if key.text not in asked or not isinstance(table, Mapping):
                continue
            yield from _tag(f"rows.{key.text}", self._rows_of(key, table))

    def _rows_of(self, key: Scalar, table: Mapping) -> Iterator[Line]:
        name = key.text.replace("_", " ").capitalize()
        rows = list(self._rows_in_force(table))
        if len(rows) == 1 and rows[0].get("by") is None:
            told = self._allowed(rows[0])
            yield self._line(rows[0], f"{name}: you may play {told}")
            yield from self._reason(rows[0].get("because"), 1)
            return
        yield self._line(table, f"{name}, the first that holds:")
        for row in rows:
            yield from self._row(row)

    def _rows_in_force(self, table: Mapping) -> Iterator[Mapping]:
        """Return the rows that can apply, as options are set."""
        for _, row in table.entries:
            if not isinstance(row, Mapping):
                continue
            held = self._holds(row.get("if"))
            if held is not False:
                yield row
            if held:
                return

    def _find_tables(self, node: Node | None) -> set[str]:
        """Return the tables of rows that moves or other rows go by."""
        if not isinstance(node, Mapping):
            return set()
        found = {by.text} if isinstance(by := node.get("by"), Scalar) else set()
        return found.union(*(self._find_tables(value) for _, value in node.entries))

    def _row(self, row: Mapping) -> Iterator[Line]:
        test = row.get("if")
        when = "Otherwise" if self._holds(test) else f"If {self._tell(test)}"
        if isinstance(by := row.get("by"), Scalar):
            other = by.text.replace("_", " ").capitalize()
            yield self._line(row, f"{when}: as “{other}” says", 1)
            return
        yield self._line(row, f"{when}: you may play {self._allowed(row)}", 1)
        yield from self._reason(row.get("because"), 2)

    def _allowed(self, row: Mapping) -> str:
        """Return the cards that a row allows."""
        told = self._tell(row.get("cards"))
        return f"any card of {told}" if told.startswith("your ") else told

    def _scoring(self) -> Iterator[Line]:
        for key, node in self._entries("scoring"):
            if isinstance(node, Mapping):
                yield from _tag(f"scoring.{key.text}", self._scoring_line(key, node))

    def _scoring_line(self, key: Scalar, node: Mapping) -> Iterator[Line]:
        inner = node.get("first_of") or node.get("all_of")
        if key.text != "first_of" and not isinstance(inner, Mapping):
            yield from self._score(key, node, 0)
            return
        group = inner if isinstance(inner, Mapping) else node
        is_first = inner is None or node.get("first_of") is not None
        lines = [
            line for name, part in group.entries for line in self._score(name, part, 1)
        ]
        head = "the first of these that holds" if is_first else "all of these"
        if inner is not None:
            head = f"{key.text.replace('_', ' ')}, {head}"
        if lines:
            yield self._line(node, f"{_upper(head)}:")
        yield from lines

    def _score(self, key: Scalar, node: Node, depth: int) -> Iterator[Line]:
        if not isinstance(node, Mapping) or self._holds(node.get("if")) is False:
            return
        test = node.get("if")
        points, to = self._tell(node.get("points")), self._tell(node.get("to"))
        if points == "0":
            return
        when = f", if {self._tell(test)}" if self._holds(test) is None else ""
        name = key.text.replace("_", " ").capitalize()
        if points.isdigit():
            points += " point" if points == "1" else " points"
        items = self._tell_group(node.get("for"))
        to = items.format(to) if items and len(to) == 1 else to
        gets = "get" if to == "you" else "gets"
        yield self._line(node, f"{name}: {to} {gets} {points}{when}.", depth)

    def _tell_group(self, node: Node | None) -> str:
        """Return what the items of ``p in players`` are: every player."""
        phrase = parse_expression(node) if isinstance(node, Scalar) else None
        if not isinstance(phrase, Phrase):
            return ""
        base = phrase.part(0) if phrase.rule == "filtered" else phrase
        if base.rule != "member":
            return ""
        group, kind = base.part(1), self.teller.kind(base.part(1))
        told = self.teller.tell(group)
        return f"every {kind} {{}}{f' of {told}' if told != f'the {kind}s' else ''}"

    def _result(self) -> Iterator[Line]:
        yield from _tag("result", self._winners())

    def _winners(self) -> Iterator[Line]:
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


def _list_removed(deck: Deck) -> Iterator[str]:
    """Return the cards that are left out, whole ranks and suits as such."""
    left = set(deck.removed)
    for index, rank in enumerate(deck.ranks):
        cards = {name for r, _, name in deck.faces if r == index}
        if len(cards) > 1 and cards <= left:
            left -= cards
            yield f"every {rank}"
    for index, suit in enumerate(deck.suits):
        cards = {name for _, s, name in deck.faces if s == index} & left
        there = any(s == index for _, s, _ in deck.cards)
        if len(cards) > 1 and not there:
            left -= cards
            yield f"all {suit}"
    yield from (name for _, _, name in deck.faces if name in left)
    yield from (name for name in deck.jokers if name in left)


def _join_equal(pairs: Iterable[tuple[str, str]]) -> str:
    """Return what cards count, those that count the same together: J, Q and K = 10."""
    groups: list[tuple[list[str], str]] = []
    for name, value in pairs:
        if groups and _follows(groups[-1], name, value):
            groups[-1] = ([groups[-1][0][0], name], "as printed")
        elif groups and groups[-1][1] == value and name != "otherwise":
            groups[-1][0].append(name)
        else:
            groups.append(([name], value))
    return ", ".join(
        " to ".join(names) + f" {value}"
        if value == "as printed"
        else f"{_join(names).replace('otherwise', 'any other')} = {value}"
        for names, value in groups
    )


def _follows(group: tuple[list[str], str], name: str, value: str) -> bool:
    """Tell whether a rank counts what is printed, as the one before it does."""
    names, before = group
    is_run = before == "as printed" or names == [before]
    return is_run and name == value and name.isdigit() and names[-1].isdigit()


def _list_scalars(node: Node) -> Iterator[Scalar]:
    """Return the expressions of a definition, those of a table's rows as well."""
    if isinstance(node, Scalar):
        yield node
    for _, value in node.entries if isinstance(node, Mapping) else ():
        yield from _list_scalars(value)


def _find_asked(phrase: Phrase, name: str) -> set[str]:
    """Return the attributes that a phrase asks of a name."""
    found = set()
    if phrase.rule == "attribute" and phrase.part(0).words == (name,):
        found.add(phrase.words[0])
    return found.union(*(_find_asked(part, name) for part in phrase.parts if part))


def _expand(words: list[str], ranks: tuple[str, ...]) -> list[str]:
    """Return ranks with their ranges written out: 2..4 is 2, 3, 4."""
    found: list[str] = []
    for word in words:
        low, dots, high = word.partition("..")
        if dots and low in ranks and high in ranks:
            found += ranks[ranks.index(low) : ranks.index(high) + 1]
        else:
            found.append(word)
    return found


def _texts(node: Sequence) -> list[str]:
    return [item.text for item in node.items if isinstance(item, Scalar)]


def _shape(kind: str) -> str:
    """Return a shape in words: set 3..4 is a set of 3 to 4."""
    name, _, span = kind.partition(" ")
    size, _, rest = span.partition(" ")
    low, dots, high = size.partition("..")
    many = f"{low} to {high}" if high else f"{low} or more" if dots else low
    return f"{name} of {many}{f' ({rest})' if rest else ''}"


def _upper(text: str) -> str:
    """Return a sentence with a capital, unless it begins with the name of an item."""
    if text[:1].isalpha() and not text[1:2].isalpha():
        return f"A{text[1:]}" if text.startswith("a ") else text
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _called(name: str) -> str:
    """Return how the item of a loop is called: a letter stands for itself."""
    return name if len(name) == 1 else f"the {name.replace('_', ' ')}"


def is_several(part: Node) -> bool:
    """Tell whether a part of a move picks several cards."""
    if not isinstance(part, Mapping):
        return False
    return any(part.get(key) is not None for key in ("size", "same", "shape", "sum"))


def _name_parts(
    pick: Node | None,
    tell: Callable[[Node | None], str],
    holds: Callable[[Node | None], bool | None],
) -> dict[str, PickedPart]:
    """Return what the parts of a move are called, by their kinds."""
    entries = pick.entries if isinstance(pick, Mapping) else ()
    nouns = {key.text: _noun(node) for key, node in entries}
    found = {}
    for key, node in entries:
        noun = nouns[key.text]
        source = node.get("from") if isinstance(node, Mapping) else node
        of = ""
        if list(nouns.values()).count(noun) > 1:
            of = f" of {tell(source)}" if source else f" {key.text.replace('_', ' ')}"
        condition = node.get("if") if isinstance(node, Mapping) else None
        choice = node.get("choice") if isinstance(node, Mapping) else None
        if condition is not None and holds(condition) is False:
            found[key.text] = PickedPart("", "nothing")
        elif isinstance(choice, Sequence):
            names = [word.replace("_", " ") for word in _texts(choice)]
            found[key.text] = PickedPart(_join(names, "or"), "that choice")
        elif condition is not None and holds(condition) is None:
            found[key.text] = PickedPart(f"(with a {noun})", f"that {noun}{of}")
        elif noun == "cards":
            found[key.text] = PickedPart(f"cards{of}", f"those cards{of}")
        else:
            found[key.text] = PickedPart(f"a {noun}{of}", f"that {noun}{of}")
    return found


def _list_articles(label: str, parts: Table[str, PickedPart]) -> dict[str, str]:
    """Return what parts are called in a label: a number, and next to it of what."""
    found = {name: part.one for name, part in parts.items()}
    for number, choice in re.findall(r"\{(\w+)\} \{(\w+)\}", label):
        is_choice = choice in parts and parts[choice].it == "that choice"
        if is_choice and found.get(number) == "a number":
            found[choice] = f"of {found[choice]}"
    return found


def _noun(node: Node) -> str:
    if is_several(node):
        return "cards"
    for kind in ("pile", "player", "number", "suit", "rank", "choice"):
        if isinstance(node, Mapping) and node.get(kind) is not None:
            return kind
    return "card"


def _join(words: tuple[str, ...] | list[str], last: str = "and") -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
