"""Say in sentences what is otherwise in one game than in another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher, unified_diff
from typing import TYPE_CHECKING, Final

from ..loader import load
from ..text.parser import Phrase, parse_expression
from ..text.source import Span
from ..text.tree import Mapping, Scalar
from ..variants.loan import name_of
from ..variants.printer import print_node
from .comparison import Difference, compare, count_parts
from .sheet import Line, Sheet, Teaching, write_sheet

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..language.declarations import Option

# Where the parts of a ruleset stand on a sheet, in its order.
_HEADINGS: Final = {
    "players": "Players",
    "deck": "Cards",
    "values": "Cards",
    "options": "What has been chosen",
    "zones": "The table",
    "play": "How it is played",
    "steps": "How it is played",
    "state": "What is remembered",
    "define": "What the words mean",
    "moves": "What you may do",
    "rows": "Which cards you may play",
    "scoring": "Scoring",
    "result": "Who wins",
    "limit": "How long it takes",
    "reveals": "What moves may tell",
}
# What was so of a rule that is on now, by the first such word that tells of it.
_OPPOSITES: Final = {"must": "need not", "may": "may not", "can": "cannot"}
# A part is said as a whole up to one of these.
_JOINTS: Final = (": ", " if ", " means that ", " until ")
_LEAST: Final = 3  # games with fewer than one part in so many alike are not related
_FEW: Final = 3  # words that differ
_ALIKE: Final = 0.6  # of the words of two lines
Said = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said of one part: lines with their depth, and where it is written."""

    part: str
    lines: tuple[Said, ...]
    place: Span


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading and what is otherwise there."""

    heading: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Contrast:
    """All that is otherwise; of games that are not related, only what they are."""

    title: str
    about: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    differences: tuple[Difference, ...] = ()
    is_related: bool = True

    def as_json(self) -> list[dict[str, str | int | None]]:
        """Return the fields that ``--json`` prints: each part, and its sentences."""
        told = {
            entry.part: "\n".join(text for _, text in entry.lines)
            for chapter in self.chapters
            for entry in chapter.entries
        }
        return [
            {**found.as_json(), "words": told.get(_item_of(found.part), "")}
            for found in self.differences
        ]


def contrast(first: Game, second: Game) -> Contrast:
    """Return what is otherwise in the second of two games."""
    found = tuple(_compare(first, second))
    title = f"{second.name}, compared with {first.name}"
    if first.name == second.name:
        title = f"{second.name}, compared with what is usual"
    if not _are_related(first, second, found):
        return _introduce(first, second, found)
    about = _tell_about(first, second)
    if not found:
        return Contrast(title, (*about, "The rules are the same."), ())
    teller = _Contraster(first, second, found)
    return Contrast(title, about, tuple(teller.chapters()), found)


def _tell_about(first: Game, second: Game) -> tuple[str, ...]:
    """Return what the second game, or each house rule over it, says of itself."""
    own = (second.about,) if second.about not in ("", first.about) else ()
    rules = write_sheet(second).house_rules
    return (
        *own,
        *(rule for rule in rules if rule not in write_sheet(first).house_rules),
    )


def _compare(first: Game, second: Game) -> Iterator[Difference]:
    """Find the parts that differ, and the options that are set otherwise."""
    parts = compare(first.composed, second.composed)
    usual = {option.name: option for option in first.option_table}
    for option in second.option_table:
        before, now = first.options.get(option.name), second.options[option.name]
        if option.name in usual and before != now:
            part = f"options.{option.name}"
            span = next(
                (d.place for d in parts if d.part == part), option.declared.span
            )
            shown = (show_value(now),), (show_value(before),)
            yield Difference("changed", part, option.about, *shown, span)
    told = re.compile(r"options\.\w+(\.default)?")
    yield from (
        part
        for part in parts
        if not (told.fullmatch(part.part) and part.kind == "changed")
    )


def show_value(value: bool | int | str | None) -> str:
    """Return the value of an option as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def _are_related(first: Game, second: Game, found: Iterable[Difference]) -> bool:
    """Tell whether one game is a variant of the other, or much of them is the same."""
    if first.base_path == second.base_path:
        return True
    parts = count_parts(first.composed.root), count_parts(second.composed.root)
    changed = len({_item_of(difference.part) for difference in found})
    same = sum(parts) - changed
    return same * _LEAST >= min(parts) * 2


def _introduce(first: Game, second: Game, found: tuple[Difference, ...]) -> Contrast:
    """Return what two games are that have little in common."""
    chapters = []
    for game in (second, first):
        sheet = write_sheet(game)
        lines = [(0, game.about)]
        lines += [
            (0, line.fill())
            for section in sheet.sections
            for line in section.lines
            if line.part in ("players", "deck", "result")
        ]
        entry = Entry("", tuple(lines), game.composed.root.span)
        chapters.append(Chapter(game.name, (entry,)))
    title = f"{second.name} and {first.name} are different games"
    about = "'cardrun rules' tells the whole of each."
    return Contrast(title, (about,), tuple(chapters), found, is_related=False)


def _item_of(part: str) -> str:
    """Return the part that is told as a whole: moves.play of moves.play.when.low."""
    section, _, rest = part.partition(".")
    if section in ("players", "deck", "result", "play", "limit", "reveals"):
        return section
    return f"{section}.{name_of(rest.partition('.')[0])}"


@dataclass
class _Contraster:
    """Tells item by item what differs, in the order of a rule sheet."""

    first: Game
    second: Game
    found: tuple[Difference, ...]
    old: Sheet = field(init=False)
    new: Sheet = field(init=False)

    def __post_init__(self) -> None:
        self.old, self.new = write_sheet(self.first), write_sheet(self.second)

    def chapters(self) -> Iterator[Chapter]:
        """Yield what differs, under the headings of a rule sheet."""
        entries: dict[str, list[Entry]] = {
            heading: [] for heading in _HEADINGS.values()
        }
        items: dict[str, list[Difference]] = {}
        for difference in self.found:
            items.setdefault(_item_of(difference.part), []).append(difference)
        order = [*self.new.parts, *self.old.parts]
        for item in sorted(items, key=lambda part: _place(part, order)):
            lines = self._tell(item, items[item])
            heading = _HEADINGS[item.partition(".")[0]]
            entries[heading].append(Entry(item, tuple(lines), items[item][0].place))
        for heading, told in entries.items():
            if told:
                yield Chapter(heading, tuple(told))

    def _tell(self, item: str, differences: list[Difference]) -> list[Said]:
        """Return what is said of an item; its expressions, if no words tell it."""
        section = item.partition(".")[0]
        if section == "options":
            return list(self._tell_option(item.partition(".")[2], differences))
        if section == "state":
            return list(self._tell_variable(differences))
        if section in ("limit", "reveals"):
            return list(_tell_plainly(section, differences))
        if section == "define" and (lines := self._tell_extended(item)):
            return lines
        lines = list(_weave(*(self._lines_of(game, item) for game in self._games())))
        lines += _tell_states(differences)
        lines += self._tell_otherwise(item, {text for _, text in lines})
        lines = lines or list(self._tell_for_others(item))
        if lines:
            return lines
        return [said for difference in differences for said in _quote(difference)]

    def _games(self) -> tuple[Game, Game]:
        return self.first, self.second

    def _lines_of(self, game: Game, item: str) -> list[Line]:
        """Return what is said of an item; of definitions even what need not be."""
        if item.startswith("define."):
            return Teaching(game).definition(item.partition(".")[2])
        return (self.old if game is self.first else self.new).lines_of(item)

    # Options and variables

    def _tell_option(self, name: str, differences: list[Difference]) -> Iterator[Said]:
        options = {option.name: option for option in self.second.option_table}
        if name not in options:
            about = _about(self.first, name)
            yield 0, f"No longer to be chosen: {about}."
            return
        option = options[name]
        about = option.about or name.replace("_", " ")
        changed = [found for found in differences if found.part == f"options.{name}"]
        if not changed:
            yield 0, f"{_upper(about)} may now be {_range_of(option)}."
            return
        now = self.second.options[name]
        if changed[0].kind == "added":
            others = _range_of(option, but=now)
            yield 0, f"New: {about}: {show_value(now)} (or {others})."
        elif isinstance(now, bool):
            yield 0, _tell_switch(about, is_on=now)
        else:
            was = show_value(self.first.options[name])
            yield 0, f"{_upper(about)}: {show_value(now)} (was: {was})."

    def _tell_variable(self, differences: list[Difference]) -> Iterator[Said]:
        for found in differences:
            name = found.part.split(".")[1].replace("_", " ")
            if found.kind == "added":
                yield 0, f"New: “{name}”{_scope(found.now)}."
            elif found.kind == "removed":
                yield 0, f"No longer: “{name}”."
            else:
                yield from _quote(found)

    # Definitions that go on from what they were

    def _tell_extended(self, item: str) -> list[Said]:
        """Return how a definition goes on from the old one, if it plainly does."""
        name = item.partition(".")[2]
        table = self.second.composed.root.get("define")
        before = self._lines_of(self.first, item)
        if not before or not isinstance(table, Mapping):
            return []
        for key, node in table.entries:
            if name_of(key.text) == name and isinstance(node, Scalar):
                said = self._extend(key, node)
                return _join_was(0, said, before[0].fill()) if said else []
        return []

    def _extend(self, key: Scalar, node: Scalar) -> str:
        phrase = parse_expression(node)
        if not isinstance(phrase, Phrase):
            return ""
        teaching = Teaching(self.second)
        phrase = teaching.reduce(phrase)
        name = name_of(key.text)
        subject = teaching.subject(key, node)
        parts = [part for part in phrase.parts if part is not None]
        old = [index for index, part in enumerate(parts) if _is_base(part, name)]
        if len(old) != 1 or phrase.rule not in ("either", "both", "choice"):
            return ""
        others = [part for index, part in enumerate(parts) if index != old[0]]
        told = [teaching.tell(part) for part in others]
        if phrase.rule == "either":
            return f"{subject} also if {told[0]}."
        if phrase.rule == "both":
            return f"{subject} only if, besides, {told[0]}."
        test = told[0] if old[0] == 2 else teaching.deny(others[0])
        if old[0] == 0:
            return ""
        if teaching.is_test(name):
            return f"If {test}, {_lower(subject)} only if {told[1]}; else as before."
        return f"{subject}: {told[1]} if {test}, else as before."

    # What other numbers of players and values of options show

    def _tell_for_others(self, item: str) -> Iterator[Said]:
        """Yield what differs with another number of players alone."""
        told: dict[tuple[Said, ...], list[int]] = {}
        for players in self.second.player_counts:
            if players in self.first.player_counts and players != self.second.players:
                games = [_seat(game, players) for game in self._games()]
                sheets = [write_sheet(game).lines_of(item) for game in games]
                told.setdefault(tuple(_weave(*sheets)), []).append(players)
        for lines, counts in told.items():
            if lines:
                *most, last = map(str, counts)
                numbers = " or ".join(filter(None, [", ".join(most), last]))
                yield 0, f"With {numbers} players:"
                yield from ((depth + 1, text) for depth, text in lines)

    def _tell_otherwise(self, item: str, known: set[str]) -> list[Said]:
        """Return what differs only with other values of the options it speaks of."""
        lines: list[Said] = []
        for option in self.second.option_table:
            # Other numbers change little but numbers.
            if option.kind == "number" and known:
                continue
            if not self._speaks_of(item, option.name):
                continue
            for value in option.values():
                if value == self.second.options[option.name]:
                    continue
                told = [
                    (depth + 1, text)
                    for depth, text in self._weave_with(item, option.name, value)
                ]
                fresh = [text for depth, text in told[1:] or told if text not in known]
                if fresh:
                    about = option.about or option.name.replace("_", " ")
                    lines.append((0, f"With “{about}: {show_value(value)}”:"))
                    lines += told
                    known.update(text for _, text in told)
        return lines

    def _speaks_of(self, item: str, option: str) -> bool:
        """Tell whether a part refers to an option, in either game."""
        word = re.compile(rf"(?<![.\w]){re.escape(option)}\b")
        section, _, name = item.partition(".")
        for game in self._games():
            node = game.composed.root.get(section)
            for key, inner in (
                node.entries if isinstance(node, Mapping) and name else ()
            ):
                if name_of(key.text) == name:
                    node = inner
            if node is not None and any(map(word.search, print_node(node))):
                return True
        return False

    def _weave_with(
        self, item: str, name: str, value: bool | int | str
    ) -> Iterator[Said]:
        found = []
        for game in (self.first, self.second):
            options = {**game.options, name: value} if name in game.options else None
            found.append(write_sheet(game, options).lines_of(item))
        return _weave(*found)


def _seat(game: Game, players: int) -> Game:
    """Return the same game for another number of players."""
    return load(
        game.path, players=players, options=game.options, house_rules=game.house_rules
    )


def _weave(before: list[Line], now: list[Line]) -> Iterator[Said]:
    """Yield what is said of lines that were others, or not there, before."""
    was = [(line.depth, line.fill()) for line in before]
    told = [(line.depth, line.fill()) for line in now]
    if [text for _, text in was] == [text for _, text in told]:
        return
    if not was or not told:
        yield from _tell_whole(was, told)
    elif len(was) == len(told) == 1:
        yield from _join_was(0, told[0][1], was[0][1])
    else:
        yield from _weave_lines(was, told)


def _tell_whole(was: list[Said], told: list[Said]) -> Iterator[Said]:
    """Yield a part that is new, whole, or the name of one that is gone."""
    if told:
        yield 0, f"New: {_lower(told[0][1])}"
        yield from told[1:]
    elif was[0][1].endswith((".", ":")):
        yield 0, f"No longer: {_lower(was[0][1]).removesuffix(':')}"
    else:
        yield 0, f"No longer: {_lower(was[0][1])}."


def _weave_lines(was: list[Said], told: list[Said]) -> Iterator[Said]:
    """Yield the lines that differ, each under those that it belongs to."""
    shown: set[int] = set()
    matcher = SequenceMatcher(a=was, b=told, autojunk=False)
    for kind, low, high, start, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        depths = [depth for depth, _ in (*was[low:high], *told[start:end])]
        for place in _find_above(told, start, min(depths)):
            if place not in shown:
                shown.add(place)
                yield told[place]
        yield from _pair(was[low:high], told[start:end])


def _pair(old: list[Said], new: list[Said]) -> Iterator[Said]:
    """Yield lines that took the place of others, with the most alike before them."""
    done = 0
    for line in new:
        likest = max(
            range(done, len(old)),
            key=lambda place: _likeness(line, old[place]),
            default=-1,
        )
        if likest < 0 or _likeness(line, old[likest]) < _ALIKE:
            yield from _mark("new: ", [line], new)
            continue
        yield from _mark("no longer: ", old[done:likest], old)
        yield from _join_was(line[0], line[1], old[likest][1])
        done = likest + 1
    yield from _mark("no longer: ", old[done:], old)


def _likeness(one: Said, other: Said) -> float:
    """Return how alike two lines are, of those that stand equally deep."""
    names = {_name_of_line(text) for _, text in (one, other)}
    if one[0] != other[0] or len(names) > 1:
        return 0
    return SequenceMatcher(a=one[1].split(), b=other[1].split(), autojunk=False).ratio()


def _find_above(lines: list[Said], place: int, depth: int) -> list[int]:
    """Return the places of the lines that a line at a place belongs to."""
    found: list[int] = []
    for index in range(place - 1, -1, -1):
        if lines[index][0] < depth:
            depth = lines[index][0]
            found.append(index)
    return found[::-1]


def _name_of_line(text: str) -> str:
    """Return what a line calls itself in a word or two: Flush, Called."""
    head, joint, _ = re.sub(r"\d+", "", text).partition(": ")
    return head if joint and len(head.split()) <= _FEW else ""


def _mark(head: str, lines: list[Said], among: list[Said]) -> Iterator[Said]:
    """Yield lines that are new or gone: the outermost among them say so."""
    least = min((depth for depth, _ in among), default=0)
    for depth, text in lines:
        marked = head if depth else _upper(head)
        is_marked = depth == least and not text.startswith("(")
        yield depth, f"{marked}{_lower(text)}" if is_marked else text


def _join_was(depth: int, now: str, was: str) -> list[Said]:
    """Return a line with what it was; alone what differs, where that is clear."""
    old = _cut(now, was).rstrip(".:")
    if now.startswith("("):
        return [(depth, f"{now[:-1]} (was: {old.removesuffix(')')}))")]
    if now.endswith((".", ":")):
        return [(depth, f"{now[:-1]} (was: {old}){now[-1]}")]
    return [(depth, f"{now} (was: {old})")]


def _cut(now: str, was: str) -> str:
    """Return what of an old line has to be said."""
    words, old = now.split(), was.split()
    start = 0
    while start < min(len(words), len(old)) and words[start] == old[start]:
        start += 1
    end = 0
    while (
        end < min(len(words), len(old)) - start
        and words[len(words) - 1 - end] == old[len(old) - 1 - end]
    ):
        end += 1
    middle = old[start : len(old) - end]
    is_short = 0 < len(middle) <= _FEW and len(words) - start - end <= _FEW
    if is_short and start:
        return " ".join(middle).strip(",.")
    same = " ".join(old[:start]) + " "
    cut = max(
        (same.rfind(joint) + len(joint) for joint in _JOINTS if joint in same),
        default=0,
    )
    if not cut and _name_of(now) == _name_of(was):
        cut = _find_joint(was)
    rest = was[cut:]
    return rest if cut and rest.strip() else _lower(was)


def _name_of(text: str) -> str:
    """Return what a line says the meaning of, whatever lies there."""
    return text[: _find_joint(text)].removesuffix(": ").removesuffix(" cards")


def _find_joint(text: str) -> int:
    """Return where it begins what a definition means."""
    for joint in (": ", " means that "):
        if (place := text.find(joint)) > 0:
            return place + len(joint)
    return 0


def _tell_switch(about: str, *, is_on: bool) -> str:
    """Return that a rule that may be chosen is in force, or not any more."""
    if not is_on:
        return f"No longer: {about}."
    word = next((word for word in about.split() if word in _OPPOSITES), "")
    return f"{_upper(about)} (was: {_OPPOSITES.get(word, 'no')})."


def _tell_plainly(section: str, differences: list[Difference]) -> Iterator[Said]:
    for found in differences:
        now, was = ", ".join(found.now), ", ".join(found.was)
        if section == "limit":
            is_reason = found.part == "limit.because"
            old, new = ("", "") if is_reason else map(_find_number, (was, now))
            if old != new:
                yield 0, f"A game ends unfinished after {new} decisions (was: {old})."
            reason = now if is_reason else found.words
            if found.kind != "removed" and reason:
                yield 0, f"Games at random may go on so long: {reason}."
        else:
            told = now.strip("[]").replace("_", " ") or "nothing"
            yield 0, f"What these moves and rows tell of hidden cards is meant: {told}."


def _find_number(limit: str) -> str:
    """Return how many decisions a limit is written for, or how many there are else."""
    found = re.search(r"\d+", limit)
    return found[0] if found else "10000"


def _tell_states(differences: list[Difference]) -> Iterator[Said]:
    """Yield what blocks of a script remember that they did not, or do no more."""
    for found in differences:
        if found.part.partition(".")[0] not in ("play", "steps"):
            continue
        old, new = _find_states(found.was), _find_states(found.now)
        for name, scope in new.items():
            if name not in old:
                yield 0, f"New to remember: “{name.replace('_', ' ')}”{scope}."
        for name in old:
            if name not in new:
                yield 0, f"No longer to remember: “{name.replace('_', ' ')}”."


def _find_states(lines: tuple[str, ...]) -> dict[str, str]:
    """Return the variables that a printed script declares, and whose they are."""
    found: dict[str, str] = {}
    deep = -1
    for line in lines:
        place = len(line) - len(line.lstrip(" -"))
        for name, rest in re.findall(r"state: \{(\w+): (.*)", line):
            found[name] = _scope((rest,))
        if 0 <= deep < place and (match := re.match(r"[ -]*(\w+): (.*)", line)):
            found[match[1]] = _scope((match[2],))
        else:
            deep = place if line.strip(" -") == "state:" else -1
    return found


def _quote(difference: Difference) -> Iterator[Said]:
    """Yield a difference as the ruleset writes it, where no words tell it."""
    yield 0, f"{difference.part}:"
    now, was = list(difference.now), list(difference.was)
    for line in unified_diff(was, now, lineterm="", n=0):
        if line.startswith(("+++", "---", "@@")):
            continue
        yield 1, f"{'now' if line[0] == '+' else 'was'}: {line[1:].strip(' -')}"


def _scope(text: tuple[str, ...]) -> str:
    """Return whose a variable is, by how it is declared."""
    whole = " ".join(text)
    match = re.search(r"per: (player|team)", whole)
    return f", for each {match[1]}" if match else ""


def _about(game: Game, name: str) -> str:
    known = {option.name: option.about for option in game.option_table}
    return known.get(name) or name.replace("_", " ")


def _range_of(option: Option, but: bool | int | str | None = None) -> str:
    """Return the values that an option may have, without one of them."""
    if option.kind == "number" and option.choices is None:
        return f"{option.low} to {option.high}"
    values = option.choices or option.values()
    names = [show_value(value) for value in values if value != but]
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _is_base(phrase: Phrase, name: str) -> bool:
    """Tell whether a phrase is what a definition was before."""
    head = phrase.part(0) if phrase.rule == "call" else phrase
    words = head.words if head.rule == "name" else ()
    return bool(words) and re.fullmatch(rf"base_{name}(_\d+)?", words[0]) is not None


def _place(part: str, order: list[str]) -> tuple[int, int]:
    section = part.partition(".")[0]
    sections = list(_HEADINGS)
    place = order.index(part) if part in order else len(order)
    return sections.index(section), place


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """Return a sentence as it stands behind a colon."""
    is_name = len(text) > 1 and not text[1].islower() and text[1] != " "
    return text if is_name else text[:1].lower() + text[1:]
