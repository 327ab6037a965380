"""The shipped games, each in a line, without compiling them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .compose import Composed, compose
from .errors import RulesError
from .loader import find, read_source, shipped
from .tree import Mapping, Scalar


@dataclass(frozen=True, slots=True)
class Entry:
    """What a list of games says of one of them."""

    name: str
    title: str
    players: str
    family: str
    about: str

    def as_row(self) -> tuple[str, str, str, str]:
        """Return the columns: what to type, players, family and one line."""
        about = f"{self.title}: {self.about}" if self.about else self.title
        return self.name, f"{self.players} players", self.family, about

    def as_json(self) -> dict[str, str]:
        """Return the fields that ``--json`` prints."""
        return {
            "name": self.name,
            "title": self.title,
            "players": self.players,
            "family": self.family,
            "about": self.about,
        }


def list_shipped() -> list[Entry]:
    """Return the shipped games by the names that are typed."""
    return sorted(map(_describe, shipped()), key=lambda entry: entry.name)


def read_ruleset(name: str) -> Composed:
    """Return a ruleset with all it extends, its keys checked but not its meaning.

    Raises:
        RulesError: The file, or one it extends, is not a ruleset.
        OSError: The file cannot be read.
    """
    composed, problems = compose(find(name), read_source)
    if composed is None:
        raise RulesError(problems)
    return composed


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


def _read(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text if isinstance(node, Scalar) else ""
