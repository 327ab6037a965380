"""Compile a ruleset for one table: the source of its game, and its layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as Chosen
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ..text.errors import Problem, Severity, closest, suggest
from ..text.parser import Phrase
from ..text.phrases import find_changes, find_mentions
from ..text.tree import Mapping, Node, Scalar
from ..variants.loan import find_state
from ..variants.revision import Replaced
from . import declarations as read
from . import masks
from .actions import Surroundings
from .decisions import Decision, find_picked
from .declarations import Option, entries, text
from .emitter import Emitter
from .expressions import Compiler
from .layout import ENGINE, WORD, Layout
from .moves import Move, MoveCompiler
from .packs import check_deck_values, find_deck_options, read_deck
from .refusals import Reason
from .scope import Mark, Meaning, Scope
from .script import ScriptCompiler
from .statements import StatementCompiler
from .values import LOGS, Value, log_of, plus

RUNTIME: Final = Path(__file__).parent / "runtime.py"
# A line of the runtime that stands for the loop of draw_from.
_SPIN: Final = re.compile(r"( *)product = spin\((\w+)\)")
# Lines of the runtime that pick a card from a set.
_PICKS: Final = re.compile(
    r"        if IS_PICKED.*?\n(.*?)        else:\n            o \*= WIDTH\n", re.DOTALL
)
# What is for races, and what is for turns.
_RACES: Final = re.compile(r" *# RACE\n(.*?) *# TURN\n(.*?) *# END\n", re.DOTALL)
DEFAULT_LIMIT: Final = 10_000
MAX_LEVELS: Final = 80
# Sections whose names must stand somewhere else too.
_DECLARED: Final = {"options": "option", "values": "name", "zones": "zone"}
BEST: Final = ("highest", "lowest")


@dataclass(frozen=True)
class Program:
    """A compiled ruleset: sound when it has no problems.

    Where its numbers do not fit words of 64 bits, Python alone runs it.
    """

    source: str
    layout: Layout
    moves: tuple[Move, ...]
    reasons: tuple[Reason, ...]
    decisions: tuple[Decision, ...]
    width: int
    buffer: int
    limit: int
    low_wins: bool
    ranked_by: str
    unit: int
    lines: tuple[str, ...]
    options: dict[str, bool | int | str]
    problems: tuple[Problem, ...]
    marks: tuple[Mark, ...]
    reveals: tuple[str, ...]
    root: Mapping
    fits_words: bool = True

    @property
    def idle(self) -> tuple[Move, ...]:
        """Return the moves that may unblock nothing in a race."""
        return tuple(move for move in self.moves if move.may_idle)


def compile_ruleset(
    root: Mapping,
    seats: int,
    options: Chosen[str, Option],
    chosen: Chosen[str, bool | int | str],
    replaced: Sequence[Replaced] = (),
    *,
    is_played: bool = True,
) -> Program:
    """Compile a ruleset whose shape is sound, for seats and option values.

    What is only looked at for problems need not be fast, and is not played.

    Definitions that took the place of others must be of the same kind. Where zones
    turn out to be better kept as lists than as sets it is compiled once more.
    """
    lists: frozenset[str] = frozenset()
    while True:
        program = _compile_once(
            root, seats, options, chosen, replaced, lists, is_played=is_played
        )
        if program.layout.better_lists <= lists:
            return program
        lists |= program.layout.better_lists


def _compile_once(
    root: Mapping,
    seats: int,
    options: Chosen[str, Option],
    chosen: Chosen[str, bool | int | str],
    replaced: Sequence[Replaced],
    lists: frozenset[str],
    *,
    is_played: bool,
) -> Program:
    problems: list[Problem] = []
    teams = read.read_teams(root, seats, problems)
    words = read.option_words(options, chosen)
    deck = read_deck(root, seats, words, problems)
    check_deck_values(root, options, problems)
    meaning = Meaning(deck, read.new_layout(deck, seats, teams), problems=problems)
    meaning.used.update(words.keys() & set(find_deck_options(root)))
    if deck.size == 0 or any(p.code == "wrong-deck" for p in problems):
        return _failed(meaning, root)
    read.bind_options(meaning, options, chosen)
    meaning.layout.lists.update(lists)
    meaning.is_played = is_played
    players = root.get("players")
    way = players.get("direction") if isinstance(players, Mapping) else None
    meaning.layout.step = read.read_direction(way, meaning, 1)
    read.read_values(root, meaning)
    read.read_attributes(root, meaning)
    read.read_zones(root, meaning)
    if not meaning.layout.piles:
        return _failed(meaning, root)
    read.read_state(root, meaning)
    read.read_definitions(root, meaning)
    read.read_replaced(replaced, meaning)
    read.read_named(root, meaning)
    return _Build(root, meaning).program()


def _failed(meaning: Meaning, root: Mapping) -> Program:
    return Program(
        "", meaning.layout, (), (), (), 1, 1, 1, False, "", 1, (), {},
        tuple(meaning.problems), (), (), root,
    )  # fmt: skip


class _Build:
    """One compilation, from meanings to source."""

    def __init__(self, root: Mapping, meaning: Meaning) -> None:
        self.root = root
        self.meaning = meaning
        self.layout = meaning.layout
        self.layout.place_cards()
        self.layout.chosen_width = self._widest()
        self.layout.reserve("chosen", self.layout.seats * self._widest())
        self.compiler = Compiler(meaning, Emitter())
        self.moves = MoveCompiler(self.compiler, _where, self._widest())
        self.statements = StatementCompiler(self.compiler, _where)
        self.script = ScriptCompiler(self.compiler, self.moves.result, self.statements)
        self.lines: list[str] = []
        # Scoring lines that never count, for these players and options.
        self.ruled_out: set[str] = set()

    def _widest(self) -> int:
        """Return how many slots the widest move needs."""
        widths = [
            1 + len(list(entries(move.get("pick"))))
            for move in self.meaning.moves.values()
            if isinstance(move, Mapping)
        ]
        return max([2, *widths])

    def program(self) -> Program:
        """Compile everything and put the source together."""
        self._reserve_items()
        for name, node in self.meaning.moves.items():
            if isinstance(node, Mapping):
                self.moves.compile(name, node, self._run_do)
        scoring = self._scoring()
        self.script.compile(self.root.get("play"))
        body = self.script.emit()
        start = self._start()
        result = self._result()
        reveals = self._reveals()
        self._check_use()
        moves = self.moves.result
        called = "\n".join(body)
        moves.uncalled |= {
            name
            for name in moves.functions
            if name.startswith("can_") and f"{name}(" not in called
        }
        source = "\n".join(
            [
                *self._head(),
                *_runtime(self._picked(), has_races=self._has_races()),
                *moves.source,
                *scoring,
                *result,
                *body,
                *start,
            ]
        )
        self._check_depth(source)
        return Program(
            source + "\n",
            self.layout,
            tuple(moves.moves.values()),
            tuple(self.moves.refuser.reasons),
            tuple(waiting.decision for waiting in self.script.waiting),
            self._widest(),
            self._buffer(),
            self._limit(),
            self._lowest_wins(),
            self._spec("result", "rank_by"),
            read.read_unit(self.root),
            tuple(self.lines),
            dict(self.meaning.option_values),
            tuple(self.meaning.problems),
            tuple(self.meaning.marks),
            reveals,
            self.root,
            self._fits_words(),
        )

    def _reserve_items(self) -> None:
        """Reserve a slot for each scoring line and player."""
        scoring = self.root.get("scoring")
        lines = list(_lines(scoring))
        self.lines = [name for name, _ in lines]
        groups = [name for name, _ in _groups(scoring)]
        self.meaning.scoring = (*self.lines, *groups)
        for index, (name, node) in enumerate(lines):
            if name in groups or name in self.lines[:index]:
                self.meaning.report(
                    "name-taken",
                    f"'{name}' is declared twice",
                    node.span,
                    "Each scoring line and group needs a name of its own.",
                )
        count = len(self.lines) * self.layout.team_count
        self.layout.reserve("items", count)

    def _run_do(self, node: Node | None, scope: Scope, around: Surroundings) -> None:
        self.statements.plain_list(node, scope, around)

    def _buffer(self) -> int:
        """Return how many rows the longest list of legal moves can have."""
        moves = self.moves.result.moves
        rows = [
            sum(moves[name].bound for name in waiting.decision.moves)
            for waiting in self.script.waiting
        ]
        return max([1, *rows])

    def _limit(self) -> int:
        node = self.root.get("limit")
        node = node.get("decisions") if isinstance(node, Mapping) else node
        written = text(node)
        if not written:
            return DEFAULT_LIMIT
        if written.isdecimal() and 0 < len(written) < 8 and int(written) > 0:
            return int(written)
        self.meaning.report(
            "not-a-number",
            f"'{written}' is no limit of decisions",
            (node or self.root).span,
            "Write a number from 1 to 9999999.",
        )
        return DEFAULT_LIMIT

    def _reveals(self) -> tuple[str, ...]:
        """Return the moves and rows whose legality may depend on hidden cards."""
        meaning = self.meaning
        names = list(meaning.moves)
        for table, node in meaning.rows.items():
            names += [f"{table}.{key.text}" for key, _ in entries(node)]
        found = read.texts(self.root.get("reveals"))
        for item in found:
            if item.text not in names:
                meaning.report(
                    "unknown-move",
                    f"unknown move or row '{item.text}'",
                    item.span,
                    suggest(item.text, names, "moves and rows"),
                )
        return tuple(item.text for item in found)

    def _spec(self, section: str, key: str) -> str:
        node = self.root.get(section)
        return text(node.get(key)) if isinstance(node, Mapping) else ""

    # Scoring and result

    def _scoring(self) -> list[str]:
        """Emit the scoring lines: one function each, and one for all."""
        source: list[str] = []
        calls: list[str] = []
        for index, (name, node) in enumerate(_lines(self.root.get("scoring"))):
            emitter = Emitter()
            with self.compiler.writing(emitter):
                self._line(node, index, Scope())
            source += ["", "", f"# {_where(node)}", f"def score_{name}(S):"]
            if name in self.ruled_out:
                source.append("    return")
                continue
            body = self.compiler.share(emitter.lines or ["pass"])
            source += [f"    {line}" for line in body]
            calls.append(f"    score_{name}(S)")
        source += ["", "", "def score(S):", *(calls or ["    return"])]
        for name, names in _groups(self.root.get("scoring")):
            source += ["", "", f"def score_{name}(S):"]
            counted = [line for line in names if line not in self.ruled_out]
            source += [f"    score_{line}(S)" for line in counted] or ["    return"]
        return source

    def _line(self, node: Mapping, index: int, scope: Scope) -> None:
        """Write one scoring line, inside the loops of its ``for``."""
        heads = read.texts(node.get("for"))
        self._line_loops(node, heads, index, scope)

    def _line_loops(
        self, node: Mapping, heads: list[Scalar], index: int, scope: Scope
    ) -> None:
        if not heads:
            self._line_points(node, index, scope)
            return
        loop = Mapping(((Scalar("for", heads[0].span), heads[0]),), node.span)
        found = self.statements.for_group(loop, scope)
        if found is None or found[3].kind == "unknown":
            return
        name, whole, condition, group = found

        def body(item: str) -> None:
            inner = scope.naming(name, self.statements.item_value(whole, item))
            if condition is not None:
                named = self.statements.named(whole, item, name, scope)
                inner = inner.knowing(self.compiler.facts(condition, True, named))
            self._line_loops(node, heads[1:], index, inner)

        self.compiler.loop(group, body)

    def _line_points(self, node: Mapping, index: int, scope: Scope) -> None:
        compiler = self.compiler
        condition = self.compiler.read(node.get("if"))
        if condition is not None:
            test = compiler.compile(condition, scope, "yes/no")
            inner = scope.knowing(compiler.facts(condition, True, scope))
            if test.constant == 0:
                self.ruled_out.add(self.lines[index])
            with compiler.emitter.block(f"if {test.code}:"):
                self._line_add(node, index, inner, test.constant == 0)
        else:
            self._line_add(node, index, scope, False)

    def _line_add(
        self, node: Mapping, index: int, scope: Scope, is_ruled_out: bool
    ) -> None:
        compiler = self.compiler
        to = self.compiler.read(node.get("to"))
        points = self.compiler.read(node.get("points"))
        if to is None or points is None:
            return
        who = compiler.compile(to, scope)
        amount = compiler.compile(points, scope, "number")
        if who.kind not in ("player", "team", "unknown"):
            compiler.expect(who, "player", to)
            return
        if "unknown" in (who.kind, amount.kind):
            return
        who = compiler.sure(who, to, scope)
        emitter, slots = compiler.emitter, self.layout.slots
        if not is_ruled_out:
            compiler.mark("scoring line", self.lines[index], node.span)
        team, value = emitter.name("w"), emitter.name("n")
        code = compiler.team_of(who.code) if who.kind == "player" else who.code
        emitter.line(f"{team} = {code}")
        emitter.line(f"{value} = {amount.code}")
        score = plus(str(slots["score"]), team)
        items = plus(str(slots["items"] + index * self.layout.team_count), team)
        with ExitStack() as tests:
            if amount.constant is None:
                tests.enter_context(emitter.block(f"if {value}:"))
            emitter.line(f"S[{score}] = limited(S[{score}] + {value})")
            emitter.line(f"S[{items}] = limited(S[{items}] + {value})")

    def _result(self) -> list[str]:
        """Emit the number that players are ranked by, and what parts equals."""
        ranked = self._rank_lines("rank_by")
        if self._spec("result", "winner"):
            ranked = [f"return S[{self.layout.slots['winners']}] >> p & 1"]
        source = []
        parted = self._rank_lines("then_by")
        for name, lines in (("ranked", ranked), ("ranked_then", parted)):
            body = lines or ["return 0"]
            source += ["", "", f"def {name}(S, p):", *(f"    {line}" for line in body)]
        return source

    def _rank_lines(self, key: str) -> list[str]:
        """Write the number of a player that a key of the result names."""
        emitter = Emitter()
        node = self.root.get("result")
        named = node.get(key) if isinstance(node, Mapping) else None
        phrase = self.compiler.read(named)
        if phrase is not None and phrase.rule == "name":
            with self.compiler.writing(emitter):
                self._rank(phrase)
        elif phrase is not None:
            self.compiler.report(
                "wrong-kind",
                f"'{phrase.span.text}' is not a name",
                phrase.span,
                "Rank by score, a variable or a definition of a player.",
            )
        return emitter.lines

    def _lowest_wins(self) -> bool:
        """Tell whether the lowest wins, which options may decide."""
        node = self.root.get("result")
        best = node.get("best") if isinstance(node, Mapping) else None
        phrase = self._choose_by_options(self.compiler.read(best))
        if phrase is None:
            return False
        word = phrase.span.text
        if word not in BEST:
            hint = suggest(word, BEST, "words")
            message = f"'{word}' does not say who wins"
            self.compiler.report("unknown-best", message, phrase.span, hint)
        return word == BEST[1]

    def _choose_by_options(self, phrase: Phrase | None) -> Phrase | None:
        """Return the arm of ``if … then … else …`` that holds in every game."""
        while phrase is not None and phrase.rule == "choice":
            test = phrase.part(0)
            with self.compiler.writing(Emitter()):
                value = self.compiler.compile(test, Scope(), "yes/no")
            if value.constant is None and value.kind != "unknown":
                message = f"'{test.span.text}' is not fixed before the game"
                hint = "What is best may depend on options and players only."
                self.compiler.report("not-an-option", message, test.span, hint)
            if value.constant is None:
                return None
            phrase = phrase.part(1 if value.constant else 2)
        return phrase

    def _rank(self, phrase: Phrase) -> None:
        compiler, word = self.compiler, phrase.words[0]
        player = Value("player", "p")
        if word in self.meaning.definitions:
            params = self.meaning.definitions[word].params
            scope = Scope(me="p")
            arguments = (player,) if params else ()
            value = compiler.expand(word, arguments, phrase, scope)
        else:
            value = compiler.attribute(player, word, phrase, Scope(me="p"))
        value = compiler.expect(value, "number", phrase)
        compiler.emitter.line(f"return {value.code}")

    def _start(self) -> list[str]:
        """Emit the start of a game: variables, then the script."""
        emitter = Emitter()
        with self.compiler.writing(emitter):
            # A block's start may need what only its place knows: then the block
            # itself sets it, and here it is none.
            outer = [key.text for key, _ in entries(self.root.get("state"))]
            for key, node in find_state(self.root):
                if key.text in outer:
                    self.statements.reset(key.text, node, Scope())
                else:
                    problems = list(self.meaning.problems)
                    self.statements.reset(key.text, node, Scope(me="0", lenient=True))
                    self.meaning.problems[:] = problems
        lines = [*_drop_zeros(emitter.lines), "run(S)"]
        return ["", "", "def start(S):", *(f"    {line}" for line in lines)]

    # The head of the source

    def _head(self) -> list[str]:
        layout, deck = self.layout, self.meaning.deck
        slots = layout.slots
        constants = {
            "SEATS": layout.seats,
            "CAPACITY": deck.size,
            "WIDTH": self._widest(),
            "LIMIT": self._limit(),
            "RNG": slots["rng0"],
            "DECISION": slots["decision"],
            "TO_ACT": slots["to_act"],
            "RACE": slots["race"],
            "OVER": slots["over"],
            "FAULT": slots["fault"],
            "COUNT": slots["count"],
            "WHERE": slots["where"],
            "KNOWN": slots["known"],
            "FACE": slots["face"],
            "BY": slots["by"],
            "STACKED": slots["stacked"],
            "SCORE": slots["score"],
            "TEAMS": layout.team_count,
            "DECK": layout.deck_pile.index,
            "ALL": layout.everyone,
            "RING": len(deck.ranks) if deck.ring else 0,
            "STEP": layout.step % layout.seats,
            "ENDS": len(self._kept()),
        }
        name = text(self.root.get("name")).replace("\n", " ")
        head = [f"# {name}: emitted from its ruleset. S is the state, B a buffer of"]
        head += [
            "# moves, o a place in it, F what a refusal names. bits counts the ones of"
        ]
        head += ["# an integer, length its binary digits.", "#"]
        head += [f"# slot {first}: {slot}" for slot, first in self._slot_names()]
        head += ["#"]
        head += [f"# pile {pile.index}: {pile.text}" for pile in layout.piles]
        head += [f"{key} = {value}" for key, value in constants.items()]
        tables = self._tables()
        head += [f"{key} = {_tuple(value)}" for key, value in tables.items()]
        head += [
            f"{name} = {mask}  # cards: {test}"
            for mask, (name, test) in self.meaning.sets.items()
        ]
        return head

    def _slot_names(self) -> list[tuple[str, int]]:
        named = [
            (name, slot)
            for name, slot in self.layout.slots.items()
            if "/" not in name and "for " not in name
        ]
        return sorted(named, key=lambda pair: pair[1])

    def _kept(self) -> list[int]:
        """Return first and last slot of the ranges that a digest is made of.

        The first two, variables and how many cards piles have, nearly always show a
        change; the others are all that a state consists of, but for the script's own
        position.
        """
        slots = self.layout.slots
        counts = slots["count"]
        short = [len(ENGINE), slots["where"], counts, counts + len(self.layout.piles)]
        chosen_end = slots["chosen"] + self.layout.seats * self.layout.chosen_width
        whole = [(slots["rng0"], slots["rng0"] + 4), (len(ENGINE), slots["chosen"])]
        whole += self.layout.find_kept(chosen_end)
        return [*short, *(slot for each in whole for slot in each)]

    def _picked(self) -> list[bool]:
        return find_picked(self.moves.result, self.script.waiting)

    def _has_races(self) -> bool:
        """Tell whether the game waits in a race anywhere."""
        return any(each.decision.kind == "race" for each in self.script.waiting)

    def _fits_words(self) -> bool:
        """Tell whether no number is too large for processors."""
        is_small = self.meaning.deck.size <= WORD
        return (is_small or not self._selects()) and self.meaning.bits <= WORD + 1

    def _selects(self) -> bool:
        """Tell whether a move picks several cards at once."""
        moves = self.moves.result.moves.values()
        return any(part.form == "cards" for move in moves for part in move.parts)

    def _tables(self) -> dict[str, list[int]]:
        layout, deck = self.layout, self.meaning.deck
        zones, ranks = layout.zones, len(deck.ranks)
        neighbours = [0] * (ranks * ranks)
        for one in range(ranks):
            for other in range(ranks):
                step = abs(one - other)
                near = step == 1 or (deck.ring and step == ranks - 1 and ranks > 2)
                neighbours[one * ranks + other] = int(near)
        copies = [
            int(index > 0 and deck.name(index) == deck.name(index - 1))
            for index in range(deck.size)
        ]
        tables = {
            "VIEW": [pile.viewers for pile in layout.piles],
            "SORTED": [int(pile.sorted) for pile in layout.piles],
            "IS_SET": [int(pile.is_set) for pile in layout.piles],
            "PLACE": [pile.base for pile in layout.piles],
            "FACING": [{"up": 1, "down": 0}.get(p.face, 0) for p in layout.piles],
            "PILE_NUMBER": [pile.number or 1 for pile in layout.piles],
            "PILE_OWNER": [(pile.owner or 0) - 1 for pile in layout.piles],
            **masks.card_tables(self.meaning),
            "NEIGHBOURS": neighbours,
            "TEAM": list(layout.teams),
            "PARTNER": [_find_partner(layout, seat) for seat in range(layout.seats)],
            "LOG": _logs(),
            "RANK_MASK": self._masks([rank for rank, _, _ in deck.cards], ranks),
            "SUIT_MASK": self._masks(
                [suit for _, suit, _ in deck.cards], len(deck.suits)
            ),
            "IS_PICKED": [int(is_picked) for is_picked in self._picked()],
            "USED": [1 + len(move.parts) for move in self.moves.result.moves.values()],
            "KEPT": self._kept(),
        }
        for name, (words, values) in self.meaning.attributes.items():
            tables[f"ATTRIBUTE_{name}_MASK"] = self._masks(values, len(words))
        if self.meaning.deputed:
            tables["PILE_PLAYER"] = [
                pile.owner - 1
                if pile.owner and zones[pile.zone].per == "player"
                else -1
                for pile in layout.piles
            ]
        if self._has_masks():
            tables["LATER"] = [
                sum(1 << c for c, is_copy in enumerate(copies) if is_copy)
            ]
        return tables | self._profiles()

    def _has_masks(self) -> bool:
        """Tell whether sets of cards are masks somewhere."""
        return self.meaning.deck.size <= WORD or self._selects()

    def _masks(self, values: Sequence[int], number: int) -> list[int]:
        """Return the cards that have each of so many values, and those that have -1."""
        if not self._has_masks():
            return [0] * (number + 1)
        return [
            sum(1 << card for card, value in enumerate(values) if value == index)
            for index in (*range(number), -1)
        ]

    def _profiles(self) -> dict[str, list[int]]:
        """Return what each rank adds to a number that compares groups of cards."""
        tables = {}
        base = self.meaning.deck.most_alike + 1
        for name, places in self.meaning.orders.items():
            count = max(places)
            # A joker has rank -1: the last entry stands for it.
            tables[f"LOW_{name}"] = [
                base ** (count - place) if place else 0 for place in (*places, 0)
            ]
            tables[f"HIGH_{name}"] = [
                base ** (place - 1) if place else 0 for place in (*places, 0)
            ]
        return tables

    # What is declared and never used

    def _check_depth(self, source: str) -> None:
        """Refuse what would nest deeper than Python's own limit of 100 levels."""
        if " " * 4 * MAX_LEVELS in source:
            self.meaning.report(
                "ruleset-too-large",
                f"the rules nest more than {MAX_LEVELS} tests inside one another",
                self.root.span,
                "Use shorter tables of rows, and fewer conditions inside conditions.",
            )

    def _check_use(self) -> None:
        meaning = self.meaning
        if meaning.problems:
            # What is unused may only be misspelt where it should be used.
            return
        for key, _ in entries(self.root.get("moves")):
            if f"move {key.text}" not in meaning.used:
                self._unused(key, "move", "no decision offers it")
        for key, _ in entries(self.root.get("steps")):
            if key.text not in meaning.used:
                self._unused(key, "step", "nothing runs it")
        for key, _ in entries(self.root.get("rows")):
            if key.text not in meaning.used:
                self._unused(key, "rows", "no part goes by them")
        for key, _ in entries(self.root.get("define")):
            name = key.text.partition("(")[0].strip()
            ranked = {self._spec("result", key) for key in ("rank_by", "then_by")}
            known = {*meaning.used, *ranked, "suit", "rank"}
            if name not in known:
                self._unused(key, "definition", "nothing refers to it")
        self._check_mentions()
        scoring = self.root.get("scoring")
        if scoring is not None and "score action" not in meaning.used:
            place = scoring.span
            if isinstance(scoring, Mapping) and scoring.entries:
                place = scoring.entries[0][0].span
            meaning.report(
                "never-scored",
                "the script never says 'score', so no line ever counts",
                place,
                "Add the action 'score' where the points are counted.",
            )

    def _check_mentions(self) -> None:
        """Report what is declared and stands nowhere else."""
        mentions = Counter(find_mentions(self.root))
        # The language itself refers to these.
        implied = {"order", "dealer", self.layout.deck_zone}
        declared = [
            (key, noun)
            for section, noun in _DECLARED.items()
            for key, _ in entries(self.root.get(section))
        ]
        declared += [(key, "variable") for key, _ in find_state(self.root)]
        for key, noun in declared:
            if mentions[key.text] < 2 and key.text not in implied:
                self._unused(key, noun, "nothing refers to it", "warning")
        changes = Counter(find_changes(self.root))
        for key, node in find_state(self.root):
            is_used = mentions[key.text] - 1 > changes[key.text]
            if changes[key.text] and not is_used and key.text not in implied:
                why = "it is set, but nothing asks for it"
                self._unused(key, "variable", why, "warning")
            kind = node.get("type") if isinstance(node, Mapping) else None
            is_begun = isinstance(node, Mapping) and node.get("start") is not None
            is_open = text(kind).endswith("none") and not key.span.source.is_library
            if is_open and not (changes[key.text] or is_begun):
                self._never_set(key)

    def _never_set(self, key: Scalar) -> None:
        self.meaning.report(
            "never-set",
            f"variable '{key.text}' is never set, and always none",
            key.span,
            "Set it where it gets its value; perhaps a name elsewhere is misspelt.",
            "warning",
        )

    def _unused(
        self, key: Scalar, noun: str, why: str, severity: Severity = "error"
    ) -> None:
        """Report what is never used; what a library has may be meant instead."""
        name = key.text.partition("(")[0]
        lent = [
            other.text.partition("(")[0]
            for section in ("define", "rows", "moves", "steps")
            for other, _ in entries(self.root.get(section))
            if other.span.source.is_library
        ]
        hint = "Use it, or remove it; perhaps a name elsewhere is misspelt."
        if near := closest(name, lent):
            hint = f"did you mean to take the place of '{near[0]}' of a library?"
        message = f"{noun} '{name}' is never used: {why}"
        self.meaning.report("never-used", message, key.span, hint, severity)


def _lines(scoring: Node | None) -> list[tuple[str, Mapping]]:
    """Return the scoring lines by name; those of a first_of exclude the others."""
    found: list[tuple[str, Mapping]] = []
    for key, node in entries(scoring):
        if not isinstance(node, Mapping):
            continue
        inner = node.get("first_of")
        if key.text == "first_of" or isinstance(inner, Mapping):
            rows = inner if isinstance(inner, Mapping) else node
            found += _exclude(list(entries(rows)))
        elif isinstance(node.get("all_of"), Mapping):
            found += _lines(node.get("all_of"))
        else:
            found.append((key.text, node))
    return found


def _groups(scoring: Node | None) -> list[tuple[str, list[str]]]:
    """Return the groups of scoring lines that have a name, with their lines."""
    return [
        (key.text, [name for name, _ in _lines(group)])
        for key, node in entries(scoring)
        if isinstance(node, Mapping)
        for group in (node.get("all_of"), _alone(node.get("first_of")))
        if group is not None
    ]


def _alone(rows: Node | None) -> Mapping | None:
    """Return a ``first_of`` as if it were the whole scoring."""
    if rows is None:
        return None
    return Mapping(((Scalar("first_of", rows.span), rows),), rows.span)


def _exclude(rows: list[tuple[Scalar, Node]]) -> list[tuple[str, Mapping]]:
    """Give each line the failed tests of those before it."""
    found: list[tuple[str, Mapping]] = []
    earlier: list[str] = []
    for key, node in rows:
        if not isinstance(node, Mapping):
            continue
        condition = node.get("if")
        tests = [f"not ({test})" for test in earlier]
        if isinstance(condition, Scalar):
            tests.append(f"({condition.text})")
            earlier.append(condition.text)
        kept = [(k, v) for k, v in node.entries if k.text != "if"]
        if tests:
            span = condition.span if condition is not None else node.span
            kept.append((Scalar("if", span), Scalar(" and ".join(tests), span)))
        found.append((key.text, Mapping(tuple(kept), node.span)))
    return found


def _where(node: Node) -> str:
    span = node.span
    name = Path(span.source.path).name
    # It stands in a comment of the emitted source, which must end with its line.
    safe = "".join(letter if letter.isprintable() else "?" for letter in name)
    return f"{safe}:{span.line}"


def _tuple(values: list[int]) -> str:
    return f"({', '.join(map(str, values))},)" if values else "(0,)"


def _find_partner(layout: Layout, seat: int) -> int:
    """Return the next seat of the same team, clockwise; a lone seat is its own."""
    around = [(seat + step) % layout.seats for step in range(1, layout.seats + 1)]
    return next(other for other in around if layout.teams[other] == layout.teams[seat])


def _drop_zeros(lines: list[str]) -> Iterator[str]:
    """Return the lines of a start without those that set 0 where nothing else was."""
    written: set[str] = set()
    for line in lines:
        slot, _, code = line.partition(" = ")
        if code != "0" or slot in written:
            yield line
        written.add(slot)


def _dedent(text: str) -> str:
    """Return lines that stand one level further out."""
    return "".join(line[4:] for line in text.splitlines(keepends=True))


@cache
def _logs() -> list[int]:
    """Return for each rest of a power of two by LOGS which power it is."""
    found = [0] * LOGS
    for bit in range(LOGS - 1):
        found[(1 << bit) % LOGS] = bit
    return found


def _runtime(picked: list[bool], *, has_races: bool) -> list[str]:
    """Return the text of the runtime, from its mark on, each spin written out.

    Where nothing is picked from sets all legal moves are listed, and none where
    everything is.
    """
    text = RUNTIME.read_text(encoding="utf-8").split("# BEGIN\n", 1)[1]
    text = text.replace("lowest(mask)", log_of("mask"))
    if not any(picked):
        text = _PICKS.sub("        o *= WIDTH\n", text).replace("offer(", "legal(")
    elif all(picked):
        text = _PICKS.sub(lambda match: _dedent(match[1]), text)
    if has_races:
        text = _RACES.sub(r"\1\2", text)
    else:
        text = _RACES.sub(lambda match: _dedent(match[2]), text)
    lines = text.rstrip("\n").split("\n")
    first, last = lines.index("    while True:"), lines.index("            break")
    found = [""]
    for line in lines:
        match = _SPIN.fullmatch(line)
        if match is None:
            found.append(line)
            continue
        indent, bound = match.groups()
        for inner in lines[first : last + 1]:
            found.append(indent + re.sub(r"\bbound\b", bound, inner[4:]))
    return found
