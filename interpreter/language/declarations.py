"""Read a ruleset's declarations: players, deck, options, values, zones, state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Chosen
from dataclasses import dataclass
from typing import Final

from ..text.errors import Problem, suggest
from ..text.parser import Phrase, parse_expression
from ..text.phrases import find_ended
from ..text.spelling import shorten
from ..text.tree import Mapping, Node, Scalar, Sequence
from ..variants.loan import find_state
from ..variants.revision import Replaced
from .deck import Deck, expand_ranks
from .layout import ENGINE, Layout, Looks, Variable, Zone
from .scope import Definition, Known, Meaning
from .values import Value, number, truth

MAX_SEATS: Final = 20
MAX_PILES: Final = 400
DIRECTIONS: Final = {"clockwise": 1, "counter_clockwise": -1}
KINDS_OF_STATE: Final = [
    "yes/no",
    "number",
    "player",
    "team",
    "pile",
    "card",
    "rank",
    "suit",
]


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it is declared: what it may be, and what it is unless chosen."""

    name: str
    kind: str
    default: bool | int | str
    choices: tuple[int | str, ...] | None
    low: int
    high: int
    about: str
    declared: Node

    def values(self) -> tuple[bool | int | str, ...]:
        """Return the values worth trying one by one."""
        if self.kind == "yes/no":
            return (False, True)
        if self.choices is not None:
            return self.choices
        return tuple(sorted({self.low, int(self.default), self.high}))


def text(node: Node | None) -> str:
    """Return the text of a scalar, or nothing."""
    return node.text if isinstance(node, Scalar) else ""


def entries(node: Node | None) -> Iterator[tuple[Scalar, Node]]:
    """Return the entries of a mapping, or none."""
    if isinstance(node, Mapping):
        yield from node.entries


def texts(node: Node | None) -> list[Scalar]:
    """Return the scalars of a list, or a lone scalar."""
    if isinstance(node, Scalar):
        return [node]
    items = node.items if isinstance(node, Sequence) else ()
    return [item for item in items if isinstance(item, Scalar)]


def is_number(word: str) -> bool:
    """Tell whether a text is a whole number, from 0 to 999,999,999."""
    return re.fullmatch("[0-9]{1,9}", word) is not None


def is_signed(word: str) -> bool:
    """Tell whether a text is a whole number, which may be below zero."""
    return is_number(word.removeprefix("-"))


def read_interval(
    node: Node | None, is_end: Callable[[str], bool] = is_number
) -> tuple[int, int] | None:
    """Return both ends of ``4`` or ``2..5``."""
    low, _, high = text(node).partition("..")
    if not is_end(low.strip()) or not is_end((high or low).strip()):
        return None
    return int(low), int(high or low)


def for_count(node: Node | None, seats: int) -> Node | None:
    """Return a node, or what a mapping of player counts has for so many."""
    if not isinstance(node, Mapping):
        return node
    found = node.get(str(seats))
    return node.get("otherwise") if found is None else found


# Players


def read_players(root: Mapping, problems: list[Problem]) -> tuple[tuple[int, ...], int]:
    """Return the player counts of a ruleset and the default one."""
    node = root.get("players")
    count = node.get("count") if isinstance(node, Mapping) else node
    ends = read_interval(count)
    if ends is None or not 1 <= ends[0] <= ends[1] <= MAX_SEATS:
        span = (count or root).span
        message = f"'{text(count)}' is no count of players"
        hint = f"Write 4 or 2..5, with at most {MAX_SEATS}."
        problems.append(Problem("wrong-players", message, span, hint))
        return (2,), 2
    counts = tuple(range(ends[0], ends[1] + 1))
    default = node.get("default") if isinstance(node, Mapping) else None
    if default is None:
        return counts, counts[0]
    if text(default) not in map(str, counts):
        problems.append(
            Problem(
                "wrong-players",
                f"the default '{text(default)}' is not among {text(count)}",
                default.span,
                "Choose one of the counts.",
            )
        )
        return counts, counts[0]
    return counts, int(text(default))


def read_teams(root: Mapping, seats: int, problems: list[Problem]) -> tuple[int, ...]:
    """Return the team of each seat; without partners each has one of its own."""
    node = root.get("players")
    partners = node.get("partners") if isinstance(node, Mapping) else None
    partners = for_count(partners, seats)
    if partners is None:
        return tuple(range(seats))
    apart = {"opposite": seats // 2, "alternate": 2}.get(text(partners), 0)
    if not apart or seats % 2:
        problems.append(
            Problem(
                "wrong-partners",
                f"{seats} players cannot be partners '{text(partners)}'",
                partners.span,
                "Partners sit opposite or in every second seat: their number is even.",
            )
        )
        return tuple(range(seats))
    return tuple(seat % apart for seat in range(seats))


def read_direction(node: Node | None, meaning: Meaning, unsaid: int) -> int:
    """Return the step from seat to seat that a direction or an option says."""
    if node is None:
        return unsaid
    word = text(node)
    if word in meaning.options:
        meaning.used.add(word)
        word = str(meaning.option_values[word])
    if word not in DIRECTIONS:
        meaning.report(
            "unknown-direction",
            f"unknown direction '{word}'",
            node.span,
            suggest(word, list(DIRECTIONS), "directions"),
        )
    return DIRECTIONS.get(word, unsaid)


def read_ranks(node: Node | None) -> list[tuple[str, Scalar]]:
    """Return the ranks of a list, ranges written out, each with its place."""
    return [(rank, item) for item in texts(node) for rank in expand_ranks(item.text)]


# Options


def read_options(
    root: Mapping, seats: int, problems: list[Problem]
) -> dict[str, Option]:
    """Return the options that a ruleset declares, for so many players."""
    found = {}
    for key, node in entries(root.get("options")):
        option = _read_option(key, node, seats, problems)
        if option is not None:
            found[key.text] = option
    return found


def _read_option(
    key: Scalar, node: Node, seats: int, problems: list[Problem]
) -> Option | None:
    spec = node if isinstance(node, Mapping) else Mapping((), node.span)
    default = spec.get("default") if isinstance(node, Mapping) else node
    default = for_count(default, seats)
    value = text(default)
    about = text(spec.get("about"))
    among = [item.text for item in texts(spec.get("among"))]
    limits = read_interval(spec.get("range"), is_signed)
    range_of = spec.get("range")
    if range_of is not None and limits is None:
        message = f"'{shorten(text(range_of))}' is no range of numbers"
        hint = "Write its ends, such as 0..500."
        problems.append(Problem("wrong-option-value", message, range_of.span, hint))
        return None
    if among:
        choices: tuple[int | str, ...] = tuple(among)
        kind = key.text
        if all(map(is_signed, among)):
            choices, kind = tuple(int(choice) for choice in among), "number"
        option = Option(key.text, kind, value, choices, 0, 0, about, node)
    elif value in ("yes", "no"):
        return Option(key.text, "yes/no", value == "yes", None, 0, 1, about, node)
    else:
        low, high = limits or (0, 1_000_000)
        option = Option(key.text, "number", value, None, low, high, about, node)
    try:
        chosen = convert_option(option, value)
    except ValueError as error:
        place = default.span if default is not None else key.span
        hint = "The default must be one of the values that the option allows."
        problems.append(Problem("wrong-option-value", str(error), place, hint))
        return None
    return Option(
        key.text,
        option.kind,
        chosen,
        option.choices,
        option.low,
        option.high,
        about,
        node,
    )


def convert_option(option: Option, value: object) -> bool | int | str:
    """Return an option's value from a text, number or bool.

    Raises:
        ValueError: The option does not allow it; the message says what it does.
    """
    written = {True: "yes", False: "no"}.get(value) if isinstance(value, bool) else None
    word = written or str(value)
    if option.kind == "yes/no":
        if word.lower() in ("yes", "no", "true", "false", "on", "off"):
            return word.lower() in ("yes", "true", "on")
        raise ValueError(f"option '{option.name}' is yes or no, not '{word}'")
    if option.choices is not None:
        for choice in option.choices:
            if str(choice) == word:
                return choice
        allowed = ", ".join(map(str, option.choices))
        raise ValueError(f"option '{option.name}' is one of {allowed}, not '{word}'")
    if is_signed(word) and option.low <= int(word) <= option.high:
        return int(word)
    raise ValueError(
        f"option '{option.name}' is a number from {option.low} to {option.high}, "
        f"not '{word}'"
    )


def option_words(
    options: Chosen[str, Option], chosen: Chosen[str, bool | int | str]
) -> dict[str, str]:
    """Return the values of options as rulesets write them."""
    values = {
        name: chosen.get(name, option.default) for name, option in options.items()
    }
    words = {True: "yes", False: "no"}
    return {
        name: words[value] if isinstance(value, bool) else str(value)
        for name, value in values.items()
    }


def bind_options(
    meaning: Meaning,
    options: Chosen[str, Option],
    chosen: Chosen[str, bool | int | str],
) -> None:
    """Make options known to expressions, with the values they have."""
    for name, option in options.items():
        value = chosen.get(name, option.default)
        meaning.option_values[name] = value
        if option.kind == "yes/no":
            meaning.options[name] = truth(bool(value))
        elif option.kind == "number":
            meaning.options[name] = number(int(value))
        else:
            names = tuple(map(str, option.choices or ()))
            meaning.choices[name] = names
            index = names.index(str(value))
            meaning.options[name] = Value(name, str(index), constant=index)


# Values and attributes of cards


def read_values(root: Mapping, meaning: Meaning) -> None:
    """Read the orders of ranks and the tables of numbers on cards."""
    for key, node in entries(root.get("values")):
        if isinstance(node, Sequence):
            meaning.orders[key.text] = _read_order(node, meaning)
        else:
            meaning.tables[key.text] = _read_table(node, meaning)


def _read_order(node: Node, meaning: Meaning) -> tuple[int, ...]:
    """Return the place of each rank of the deck, from 1; 0 if it has none."""
    ranks = meaning.deck.ranks
    places = [0] * len(ranks)
    for place, (rank, item) in enumerate(read_ranks(node), 1):
        if rank not in ranks:
            meaning.report(
                "unknown-rank",
                f"unknown rank '{rank}'",
                item.span,
                suggest(rank, list(ranks), "ranks"),
            )
        elif places[ranks.index(rank)]:
            meaning.report(
                "duplicate-rank",
                f"rank '{rank}' stands twice in this order",
                item.span,
                "Each rank has one place.",
            )
        else:
            places[ranks.index(rank)] = place
    return tuple(places)


def _read_table(node: Node, meaning: Meaning) -> tuple[int, ...]:
    """Return a number for each card, from entries by card, rank or suit."""
    deck = meaning.deck
    by_card: dict[str, int] = {}
    by_class: dict[str, int] = {}
    for key, value in entries(node):
        amount = _read_amount(value, meaning)
        word = key.text
        name = word
        if " of " in word:
            of_rank, of_suit = (part.strip() for part in word.split(" of ", 1))
            if of_suit in deck.suits:
                name = of_rank + deck.letters[deck.suits.index(of_suit)]
        if word == "otherwise" or word in deck.ranks or word in deck.suits:
            by_class[word] = amount
        elif name in deck.by_name or name in deck.removed:
            by_card[name] = amount
        else:
            names = [*deck.suits, *deck.ranks, "otherwise"]
            meaning.report(
                "unknown-card",
                f"there is no card, rank or suit '{word}'",
                key.span,
                suggest(word, names, "names"),
            )
    found = []
    for rank, suit, name in deck.cards:
        if name in by_card:
            found.append(by_card[name])
            continue
        classes = [deck.ranks[rank], deck.suits[suit]] if rank >= 0 else []
        hits = [by_class[word] for word in classes if word in by_class]
        if len(hits) > 1:
            meaning.report(
                "two-values",
                f"{name} has a number by its rank and another by its suit",
                node.span,
                f"Give {name} an entry of its own.",
            )
        found.append(hits[0] if hits else by_class.get("otherwise", 0))
    return tuple(found)


def _read_amount(node: Node, meaning: Meaning) -> int:
    word = text(node)
    if is_signed(word):
        return int(word)
    meaning.report(
        "not-a-number", f"'{word}' is not a number", node.span, "Write a whole number."
    )
    return 0


def read_attributes(root: Mapping, meaning: Meaning) -> None:
    """Read what else cards have: colours, and attributes of the deck."""
    deck = meaning.deck
    colours = tuple(dict.fromkeys(colour for colour in deck.colours if colour))
    if colours:
        marks = []
        for _, suit, _name in deck.cards:
            colour = deck.colours[suit] if suit >= 0 else ""
            marks.append(colours.index(colour) if colour else -1)
        meaning.attributes["colour"] = (colours, tuple(marks))
    node = root.get("deck")
    declared = node.get("attributes") if isinstance(node, Mapping) else None
    for key, values in entries(declared):
        names = tuple(value.text for value, _ in entries(values))
        found = [-1] * deck.size
        for index, (_, members) in enumerate(entries(values)):
            for member in texts(members):
                for card, (rank, suit, name) in enumerate(deck.cards):
                    places = [name]
                    if rank >= 0:
                        places += [deck.ranks[rank], deck.suits[suit]]
                    if member.text in places:
                        found[card] = index
        meaning.attributes[key.text] = (names, tuple(found))


# Zones


def read_zones(root: Mapping, meaning: Meaning) -> None:
    """Give every zone its piles."""
    layout = meaning.layout
    for key, node in entries(root.get("zones")):
        if isinstance(node, Mapping):
            _read_zone(key, node, meaning)
    holders = [
        key for key, node in entries(root.get("zones"))
        if isinstance(node, Mapping) and text(node.get("holds")) == "deck"
    ]  # fmt: skip
    if len(holders) != 1:
        place = root.get("zones") or root
        meaning.report(
            "one-deck",
            "exactly one zone holds the deck",
            holders[1].span if holders else place.span,
            "Write 'holds: deck' at the zone in which the cards start.",
        )
        if not layout.piles:
            return
    layout.deck_zone = holders[0].text if holders else layout.piles[0].zone
    if layout.zones[layout.deck_zone].per or layout.zones[layout.deck_zone].is_family:
        meaning.report(
            "one-deck",
            "the zone that holds the deck is a single pile of the table",
            holders[0].span if holders else root.span,
            "Leave out 'per' and 'piles' there.",
        )


def _read_zone(key: Scalar, node: Mapping, meaning: Meaning) -> None:
    layout = meaning.layout
    face = text(node.get("face")) or "none"
    seen = text(node.get("seen_by"))
    is_hand = face == "none" and seen in ("owner", "team")
    piles, family, grows = _read_piles(node.get("piles"), meaning)
    per = text(node.get("per"))
    owners = {"player": layout.seats, "team": layout.team_count}.get(per, 1)
    if len(layout.piles) + piles * owners > MAX_PILES:
        meaning.report(
            "too-many-piles",
            f"these are more than {MAX_PILES} piles",
            (node.get("piles") or node).span,
            "Use fewer piles.",
        )
        piles = 1
    if seen in ("owner", "team") and not per:
        meaning.report(
            "no-owner",
            f"zone '{key.text}' has no owner who could see it",
            (node.get("seen_by") or node).span,
            "Add 'per: player', or say 'seen_by: all'.",
        )
    layout.add_zone(
        Zone(
            key.text,
            per,
            piles,
            family,
            face,
            seen or ("all" if face == "up" else "nobody"),
            is_hand or text(node.get("sorted")) == "yes",
            len(layout.piles),
            grows,
            _read_looks(node),
        )
    )


def _read_looks(node: Mapping) -> Looks:
    """Return what a ruleset says of how a zone is shown; rules never ask for it."""
    return Looks(
        text(node.get("shown")) != "no",
        text(node.get("place")),
        text(node.get("sort")),
        int(text(node.get("columns")) or 0),
    )


def _read_piles(node: Node | None, meaning: Meaning) -> tuple[int, bool, bool]:
    if node is None:
        return 1, False, False
    low, dots, high = text(node).partition("..")
    word = (high if dots else low).strip()
    value: int | None = None
    if word.isdecimal() and len(word) < 9:
        value = int(word)
    elif word in meaning.options and meaning.options[word].kind == "number":
        meaning.used.add(word)
        value = meaning.options[word].constant
    if value is None or value < 1:
        meaning.report(
            "not-a-number",
            f"'{text(node)}' is no number of piles",
            node.span,
            "Write a number from 1, a number option, or 0..n.",
        )
        value = 1
    return value, True, bool(dots)


# State


def read_unit(root: Mapping) -> int:
    """Return how many parts of one the scores are kept in: 2 for ``unit: 1/2``."""
    result = root.get("result")
    unit = text(result.get("unit")) if isinstance(result, Mapping) else ""
    return int(unit.removeprefix("1/") or 1)


def read_state(root: Mapping, meaning: Meaning) -> None:
    """Give every variable its slot, wherever in the script it is declared."""
    for name in ENGINE:
        meaning.layout.reserve(name)
    meaning.layout.reserve("score", meaning.layout.team_count)
    meaning.layout.reserve("winners")
    found: list[Variable] = []
    for key, node in find_state(root):
        known = _read_variable(key, node, meaning)
        if known is not None:
            meaning.variables[key.text] = known
            found += _name_variables(known, node, meaning)
    for team in range(meaning.layout.team_count):
        slot = meaning.layout.slots["score"] + team
        found.append(
            Variable(
                "score",
                f"{team + 1}.score",
                slot,
                "number",
                owner=team + 1,
                unit=read_unit(root),
                per="team",
            )
        )
    meaning.layout.variables = tuple(found)


def _read_variable(key: Scalar, node: Node, meaning: Meaning) -> Known | None:
    spec = node if isinstance(node, Mapping) else Mapping((), node.span)
    start = spec.get("start") if isinstance(node, Mapping) else node
    per = text(spec.get("per"))
    kind, maybe, choices = _read_type(spec.get("type"), start, key, meaning)
    if key.text in meaning.variables or key.text in meaning.layout.zones:
        meaning.report(
            "name-taken",
            f"'{key.text}' is declared twice",
            key.span,
            "Names are unique in the whole ruleset.",
        )
        return None
    owners = {"player": meaning.layout.seats, "team": meaning.layout.team_count}
    slot = meaning.layout.reserve(f"variable {key.text}", owners.get(per, 1))
    return Known(key.text, slot, kind, per, maybe, choices, key.span)


def _read_type(
    node: Node | None, start: Node | None, key: Scalar, meaning: Meaning
) -> tuple[str, bool, tuple[str, ...]]:
    if isinstance(node, Sequence):
        names = tuple(item.text for item in texts(node))
        meaning.choices[key.text] = names
        return key.text, False, names
    word = text(node)
    if not word:
        return ("yes/no" if text(start) in ("yes", "no") else "number"), False, ()
    maybe = word.endswith(" or none")
    word = word.removesuffix(" or none").strip()
    if word in meaning.choices:
        meaning.used.add(word)
        return word, maybe, meaning.choices[word]
    if word not in KINDS_OF_STATE:
        assert node is not None
        meaning.report(
            "unknown-type",
            f"unknown type '{word}'",
            node.span,
            suggest(word, [*KINDS_OF_STATE, *meaning.choices], "types"),
        )
        return "unknown", maybe, ()
    return word, maybe, ()


def _name_variables(known: Known, node: Node, meaning: Meaning) -> list[Variable]:
    spec = node if isinstance(node, Mapping) else Mapping((), node.span)
    seen, is_shown = text(spec.get("seen_by")), text(spec.get("shown")) != "no"
    owners: list[int | None] = [None]
    if known.per:
        count = meaning.layout.seats
        if known.per == "team":
            count = meaning.layout.team_count
        owners = list(range(1, count + 1))
    kind = "choice" if known.choices else known.kind
    return [
        Variable(
            known.name,
            known.name if owner is None else f"{owner}.{known.name}",
            known.slot + index,
            kind,
            known.maybe,
            known.choices,
            owner,
            seen or "all",
            per=known.per,
            is_shown=is_shown,
        )
        for index, owner in enumerate(owners)
    ]


# Definitions


def read_definitions(root: Mapping, meaning: Meaning) -> None:
    """Read the named expressions and first-match tables."""
    for key, node in entries(root.get("define")):
        definition = _read_definition(key, node, meaning)
        name = definition.name
        if name in meaning.variables or name in meaning.layout.zones:
            meaning.report(
                "name-taken",
                f"'{name}' is declared twice",
                key.span,
                "Names are unique in the whole ruleset.",
            )
        meaning.definitions[name] = definition


def read_replaced(replaced: Iterable[Replaced], meaning: Meaning) -> None:
    """Read what definitions took the place of, to compare their kinds."""
    for key, node in replaced:
        definition = _read_definition(key, node, meaning)
        meaning.replaced[definition.name] = definition


def _read_definition(key: Scalar, node: Node, meaning: Meaning) -> Definition:
    name, _, rest = key.text.partition("(")
    params = tuple(p.strip() for p in rest.rstrip(") ").split(",") if p.strip())
    if not isinstance(node, Scalar):
        table = tuple(_read_definition_rows(node, meaning))
        return Definition(name.strip(), params, None, table, key.span)
    body = parse_expression(node)
    if isinstance(body, Problem):
        meaning.problems.append(body)
        return Definition(name.strip(), params, None, (), key.span)
    return Definition(name.strip(), params, body, (), key.span)


def _read_definition_rows(
    node: Node, meaning: Meaning
) -> Iterator[tuple[Phrase | None, Phrase]]:
    for _, row in entries(node):
        if not isinstance(row, Mapping):
            continue
        condition, result = row.get("if"), row.get("is")
        parsed = []
        for part in (condition, result):
            phrase = parse_expression(part) if isinstance(part, Scalar) else None
            if isinstance(phrase, Problem):
                meaning.problems.append(phrase)
                phrase = None
            parsed.append(phrase)
        if parsed[1] is not None:
            yield parsed[0], parsed[1]


def read_named(root: Mapping, meaning: Meaning) -> None:
    """Read the sections of rows, moves and steps: each node by its name."""
    for section, target in (
        ("rows", meaning.rows),
        ("moves", meaning.moves),
        ("steps", meaning.steps),
    ):
        for key, node in entries(root.get(section)):
            target[key.text] = node
    meaning.ended = frozenset(find_ended(root, meaning.steps))
    meaning.deputed = frozenset(_find_deputed(root))


def _find_deputed(node: Node | None) -> Iterator[str]:
    """Yield the moves of all decisions that say who decides."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _find_deputed(item)
    elif isinstance(node, Mapping):
        if node.get("choose") is not None and node.get("by") is not None:
            yield from (move.text for move in texts(node.get("choose")))
        for _, value in node.entries:
            yield from _find_deputed(value)


def new_layout(deck: Deck, seats: int, teams: tuple[int, ...]) -> Layout:
    """Return a layout without zones yet."""
    return Layout(deck, seats, teams)
