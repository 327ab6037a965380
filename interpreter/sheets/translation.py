"""The wording of rule sheets in other languages, from files beside the rulesets.

A file holds texts by what they are in English, as the English sheet has them. So a
rule that a house rule words anew, or that has changed since, is in English until
somebody translates it, and never keeps the words of the old rule. Numbers are filled
in: what is said of three cards is said of six.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Texts
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from ..loader import read_source
from ..text.errors import Problem, RulesError, UnreadableFile, sort_problems, suggest
from ..text.reader import read
from ..text.tree import Mapping, Scalar
from ..variants.lineage import SHIPPED

FOLDER: Final = SHIPPED / "text"
ENGLISH: Final = "en"
# The files of what the table itself says.
TABLE: Final = "table"
_NAME: Final = re.compile(r"(.+)\.([a-z]{2,3})\.yaml")
_KEYS: Final = ("language", "direction", "texts")
_NUMBER: Final = re.compile(r"\d+")
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Translation:
    """Texts of one language, by the English ones."""

    language: str = ENGLISH
    is_right_to_left: bool = False
    texts: Texts[str, str] = field(default_factory=dict)

    def translate(self, text: str) -> str:
        """Return a text in this language, or as it is if there is none."""
        found = self._find(text)
        return text if found is None else found

    def has(self, text: str) -> bool:
        """Tell whether a text is there in this language."""
        return self.language == ENGLISH or self._find(text) is not None

    def _find(self, text: str) -> str | None:
        """Return a text in this language, or that of one with other numbers."""
        if text in self.texts:
            return self.texts[text]
        for other in self.shapes.get(_blank(text), ()):
            told = _renumber(self.texts[other], other, text)
            if told is not None:
                return told
        return None

    @cached_property
    def shapes(self) -> Texts[str, list[str]]:
        """The texts that there are, by what they are without their numbers."""
        found: dict[str, list[str]] = {}
        for text in self.texts:
            found.setdefault(_blank(text), []).append(text)
        return found


def list_languages(folder: Path, game: str) -> list[str]:
    """Return the languages that a game's sheet can be in, English first."""
    found = {
        match[2]
        for path in folder.glob("*.yaml")
        if (match := _NAME.fullmatch(path.name)) and match[1] == game
    }
    return [ENGLISH, *sorted(found)]


def load_translation(game: Path, language: str) -> Translation:
    """Return the texts of a game in a language: of its own file and the common one.

    Args:
        game: The game's file; its texts are in the folder ``text`` beside it.
        language: Its two-letter code.

    Raises:
        UnreadableFile: There are none; the message says which there are.
        RulesError: A file of texts is damaged.
    """
    if language == ENGLISH:
        return Translation()
    folder = game.parent / "text"
    known = list_languages(folder, game.stem)
    if language not in known:
        hint = suggest(language, known, "languages")
        raise UnreadableFile(
            f"there is no sheet of {game.stem} in '{language}': {hint}"
        )
    return _read_files(language, [folder / "common", folder / game.stem])


def load_table_words(game: Path, language: str) -> Translation:
    """Return what a table says in a language, with the texts of a game if it has any.

    Args:
        game: The game's file.
        language: Its two-letter code.

    Raises:
        UnreadableFile: No table speaks it; the message says which there are.
        RulesError: A file of texts is damaged.
    """
    if language == ENGLISH:
        return Translation()
    known = list_languages(FOLDER, TABLE)
    folder = game.parent / "text"
    if language not in known and language not in list_languages(folder, game.stem):
        hint = suggest(language, known, "languages")
        raise UnreadableFile(f"no table speaks '{language}': {hint}")
    files = [FOLDER / TABLE, FOLDER / "common", folder / "common", folder / game.stem]
    return _read_files(language, files)


def _read_files(language: str, files: Iterable[Path]) -> Translation:
    """Return the texts of some files, without their endings; the later ones prevail."""
    texts: dict[str, str] = {}
    is_right_to_left = False
    for file in files:
        path = file.with_name(f"{file.name}.{language}.yaml")
        if path.exists():
            root = _read(path)
            is_right_to_left |= _text(root, "direction") == "rtl"
            texts |= _read_texts(root)
    return Translation(language, is_right_to_left, texts)


def is_translation(path: str) -> bool:
    """Tell by its name and folder whether a file holds texts: text/idiot.no.yaml."""
    file = Path(path)
    return file.parent.name == "text" and _NAME.fullmatch(file.name) is not None


def check_translation(path: str) -> list[Problem]:
    """Return all problems of a file of texts.

    Raises:
        UnreadableFile: There is no such file, or it cannot be read.
    """
    root, problems = read(read_source(Path(path)))
    if isinstance(root, Mapping):
        problems += [*_check_keys(root, path), *_check_texts(root)]
    elif root is not None:
        message = "a file of texts is a mapping"
        problems.append(Problem("wrong-shape", message, root.span))
    return sort_problems(problems)


def _check_keys(root: Mapping, path: str) -> Iterator[Problem]:
    for key, _ in root.entries:
        if key.text not in _KEYS:
            message = f"unknown key '{key.text}' in a file of texts"
            hint = suggest(key.text, _KEYS, "keys")
            yield Problem("unknown-key", message, key.span, hint)
    for name in ("language", "texts"):
        if root.get(name) is None:
            message = f"a file of texts needs '{name}'"
            yield Problem("missing-key", message, root.span)
    named, language = _NAME.fullmatch(Path(path).name), root.get("language")
    if named and language is not None and _text(root, "language") != named[2]:
        message = f"the file's name says that its language is '{named[2]}'"
        yield Problem("wrong-shape", message, language.span)


def _check_texts(root: Mapping) -> Iterator[Problem]:
    """Yield what is no text, and placeholders that the English text has otherwise."""
    texts = root.get("texts")
    if texts is not None and not isinstance(texts, Mapping):
        message = "'texts' is a mapping of English texts to others"
        yield Problem("wrong-shape", message, texts.span)
        return
    for key, value in texts.entries if texts else ():
        if not isinstance(value, Scalar):
            message = "what is said in the place of a text is a text"
            yield Problem("wrong-shape", message, value.span)
            continue
        known, used = list_placeholders(key.text), list_placeholders(value.text)
        for name in sorted(set(used) - set(known)):
            message = f"the English text has no {name}"
            hint = suggest(name, known, "placeholders")
            yield Problem("unknown-name", message, value.span, hint)
        for name in sorted(set(known) - set(used)):
            message = f"{name} of the English text is left out"
            yield Problem("never-used", message, value.span)


def list_placeholders(text: str) -> list[str]:
    """Return what a text fills in, sorted: ``{card}``."""
    return sorted(_PLACEHOLDER.findall(text))


def _blank(text: str) -> str:
    return _NUMBER.sub("#", text)


def _renumber(told: str, text: str, other: str) -> str | None:
    """Return what is said of a text with the numbers of another one.

    It is None where one number would become two, or the words have none of it.
    """
    pairs = dict[str, str]()
    for old, new in zip(_NUMBER.findall(text), _NUMBER.findall(other), strict=True):
        if pairs.setdefault(old, new) != new:
            return None
    known = set(_NUMBER.findall(told))
    if any(old != new and old not in known for old, new in pairs.items()):
        return None
    return _NUMBER.sub(lambda match: pairs.get(match[0], match[0]), told)


def _read(path: Path) -> Mapping:
    root, problems = read(read_source(path))
    if problems or not isinstance(root, Mapping):
        raise RulesError(problems)
    return root


def _text(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _read_texts(root: Mapping) -> dict[str, str]:
    texts = root.get("texts")
    return {
        key.text: value.text
        for key, value in (texts.entries if isinstance(texts, Mapping) else ())
        if isinstance(value, Scalar)
    }
