"""The shipped games and house rules, each in a line, without compiling them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..loader import find, find_house_rule, read_source, shipped, shipped_house_rules
from ..text.errors import Problem, RulesError
from ..text.source import Source
from ..text.tree import Mapping, Scalar
from ..variants.compose import Composed, compose
from ..variants.formatter import format_text
from ..variants.lineage import MAX_FILES, File, list_places, parse_file
from ..variants.printer import print_node
from ..variants.starter import add_marks


@dataclass(frozen=True, slots=True)
class Entry:
    """What a list says of a game, or of a house rule and the games it is for."""

    name: str
    title: str
    players: str
    family: str
    about: str
    games: tuple[str, ...] = ()
    is_option: bool = False

    def as_row(self) -> tuple[str, str, str, str]:
        """Return the columns: what to type, players, family and one line."""
        told = filter(None, (self.title, self.about))
        about = ": ".join(told)
        if self.is_option:
            return self.name, "option", f"of {self.games[0]}", about
        if self.games:
            return self.name, "house rule", f"for {', '.join(self.games)}", about
        return self.name, f"{self.players} players", self.family, about

    def as_json(self) -> dict[str, str | list[str]]:
        """Return the fields that ``--json`` prints."""
        if self.is_option:
            return {
                "name": self.name,
                "option_of": self.games[0],
                "about": self.about,
            }
        if self.games:
            return {
                "name": self.name,
                "title": self.title,
                "house_rule_for": list(self.games),
                "about": self.about,
            }
        return {
            "name": self.name,
            "title": self.title,
            "players": self.players,
            "family": self.family,
            "about": self.about,
        }


def list_shipped() -> list[Entry]:
    """Return the shipped games by the names that are typed, then the house rules."""
    games = sorted(map(_describe, shipped()), key=lambda entry: entry.name)
    rules = map(describe_house_rule, shipped_house_rules())
    return [*games, *sorted(rules, key=lambda entry: (entry.games, entry.name))]


def list_game(name: str) -> list[Entry]:
    """Return a game, each of its options, and the shipped house rules for it.

    Raises:
        UnreadableFile: There is no such game.
        RulesError: It is not a ruleset.
    """
    path = find(name)
    composed = read_ruleset(str(path))
    rules = [entry for entry in list_shipped() if path.stem in entry.games]
    return [_describe(path), *_describe_options(composed, path.stem), *rules]


def _describe_options(composed: Composed, game: str) -> Iterator[Entry]:
    section = composed.root.get("options")
    for key, node in section.entries if isinstance(section, Mapping) else ():
        if isinstance(node, Mapping):
            default = composed.chosen.get(key.text) or node.get("default")
            shown = print_node(default)[0] if default else ""
            among = node.get("among") or node.get("range")
            values = print_node(among)[0].strip("[]") if among else "yes, no"
            about = f"{_read(node, 'about')} ({values}; {shown} unless chosen)"
            yield Entry(key.text, "", "", "", about, (game,), is_option=True)


def read_ruleset(name: str, house_rules: Sequence[str] = ()) -> Composed:
    """Return a ruleset with all it extends, its keys checked but not its meaning.

    Raises:
        RulesError: The file, or one it extends, is not a ruleset.
        OSError: The file cannot be read.
    """
    rules = tuple(map(find_house_rule, house_rules))
    composed, problems = compose(find(name), read_source, rules)
    if composed is None:
        raise RulesError(problems)
    return composed


def tidy_file(path: Path) -> tuple[str, str, list[Problem]]:
    """Return the text of a file as it is and in its one form, and what is wrong.

    Replacements in the long form get the mark of what they replace.

    Raises:
        OSError: The file cannot be read.
        RulesError: It is not text.
    """
    source = read_source(path)
    made, problems = format_text(source)
    if problems:
        return source.text, source.text, problems
    file, problems = parse_file(path, Source(source.path, made))
    if file is None or problems or not file.bases:
        return source.text, made, []
    places = [way for way in list_places(file, file.bases[0]) if way.is_file()]
    if places:
        composed, _ = compose(places[0], read_source)
        made = add_marks(file, composed.root) if composed else made
    return source.text, made, []


def _describe(path: Path) -> Entry:
    composed = read_ruleset(str(path))
    root = composed.root
    players = root.get("players")
    if isinstance(players, Mapping):
        players = players.get("count")
    return Entry(
        path.stem,
        composed.name,
        players.text if isinstance(players, Scalar) else "",
        _read(root, "family"),
        _read(root, "about"),
    )


def describe_house_rule(path: Path) -> Entry:
    """Return what a file says of the house rule in it.

    Raises:
        RulesError: It is not one.
        OSError: It cannot be read.
    """
    file, problems = parse_file(path, read_source(path))
    if file is None or problems:
        raise RulesError(problems)
    name, about = _read(file.root, "name"), _read(file.root, "about")
    return Entry(path.stem, name, "", "", about, tuple(_find_games(file)))


def _find_games(file: File, depth: int = MAX_FILES) -> Iterator[str]:
    """Yield the games that a house rule is for, through those that it builds on."""
    for link in file.bases:
        beside = next(list_places(file, link))
        base = parse_file(beside, read_source(beside))[0] if beside.is_file() else None
        if base is not None and base.bases and depth:
            yield from _find_games(base, depth - 1)
        else:
            yield Path(link.text).stem


def _read(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text if isinstance(node, Scalar) else ""
