"""Find the files that a ruleset is made of: its bases, libraries and house rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..text.errors import Note, Problem, RulesError, closest, suggest
from ..text.reader import read
from ..text.shape import check_shape
from ..text.source import Source
from ..text.spelling import shorten
from ..text.tree import Mapping, Scalar, Sequence

SHIPPED: Final = Path(__file__).parents[2] / "rulesets"
LIBRARIES: Final = SHIPPED / "lib"
HOUSE_RULES: Final = SHIPPED / "house"
MAX_FILES: Final = 8

ReadSource = Callable[[Path], Source]


@dataclass(frozen=True, slots=True)
class File:
    """One file that a ruleset is made of, with the libraries that it uses."""

    path: Path
    source: Source
    root: Mapping
    libraries: tuple[File, ...] = ()

    @property
    def bases(self) -> tuple[Scalar, ...]:
        """The paths of the files it extends, as it writes them."""
        return _list_texts(self.root, "extends")

    @property
    def place(self) -> Path:
        """Where the file really lies."""
        return self.path.resolve()


def _list_texts(root: Mapping, key: str) -> tuple[Scalar, ...]:
    """Return the texts of a key that holds one or a list of them."""
    node = root.get(key)
    items = node.items if isinstance(node, Sequence) else (node,)
    return tuple(item for item in items if isinstance(item, Scalar) and item.text)


def parse_file(path: Path, source: Source) -> tuple[File | None, list[Problem]]:
    """Return a file, unless it is no mapping, and what is wrong with it alone."""
    root, problems = read(source)
    if root is None or problems:
        return None, problems
    problems = check_shape(root)
    return (File(path, source, root) if isinstance(root, Mapping) else None), problems


def follow(
    path: Path, read_source: ReadSource, choice: int = 0
) -> tuple[list[File], list[Problem]]:
    """Return the files from a variant to its base, as far as they can be read.

    Args:
        path: The file asked for.
        read_source: Returns the text of a file.
        choice: Which of the files that the first one extends, if several.

    Raises:
        OSError: The file asked for cannot be read.
    """
    try:
        source = read_source(path)
    except RulesError as error:
        return [], list(error.problems)
    file, problems = parse_file(path, source)
    files: list[File] = []
    while file:
        file, found = _borrow(file, read_source)
        problems += found
        files.append(file)
        if not file.bases:
            break
        link = file.bases[choice if len(files) == 1 else 0]
        try:
            base, source = read_base(files, link, read_source)
        except RulesError as error:
            return files, [*problems, *error.problems]
        file, found = parse_file(base, source)
        problems += found
    return files, problems


def _borrow(file: File, read_source: ReadSource) -> tuple[File, list[Problem]]:
    """Return a file with the libraries that it uses, as far as they can be read."""
    libraries: list[File] = []
    problems: list[Problem] = []
    for link in _list_texts(file.root, "use"):
        try:
            path, source = _read_library(file, link, read_source)
        except RulesError as error:
            problems += error.problems
            continue
        library, found = parse_file(path, replace(source, is_library=True))
        problems += found
        if library and library.root.get("library") is None and not found:
            problems.append(_report_no_library(link, library))
        elif library:
            libraries.append(library)
    return replace(file, libraries=tuple(libraries)), problems


def _read_library(
    file: File, link: Scalar, read_source: ReadSource
) -> tuple[Path, Source]:
    """Read a library: a shipped one by its name, or a file beside the ruleset.

    Raises:
        RulesError: There is none, or it may not be read.
    """
    is_name = "/" not in link.text and not link.text.endswith((".yaml", ".yml"))
    place = file.path.parent / link.text
    path = LIBRARIES / f"{link.text}.yaml" if is_name else Path(os.path.normpath(place))
    if not is_name:
        _check_inside(file, link, path)
    try:
        return path, read_source(path)
    except FileNotFoundError as error:
        raise RulesError([_report_missing_library(link)]) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise RulesError([_report_unreadable(link, error)]) from error


def read_base(
    files: list[File], link: Scalar, read_source: ReadSource
) -> tuple[Path, Source]:
    """Read what the last file extends: beside it, else among the shipped.

    Raises:
        RulesError: There is no such file, or it may not be read.
    """
    for path in list_places(files[-1], link):
        try:
            _check_inside(files[-1], link, path)
            _check_circle(files, link, path)
            return path, read_source(path)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RuntimeError) as error:
            raise RulesError([_report_unreadable(link, error)]) from error
    raise RulesError([_report_missing(link)])


def list_places(file: File, link: Scalar) -> Iterator[Path]:
    """Return where a path that a file gives may lead, the nearest first."""
    yield Path(os.path.normpath(file.path.parent / link.text))
    if ".." not in Path(link.text).parts:
        yield SHIPPED / link.text
        if not Path(link.text).suffix:
            yield SHIPPED / f"{link.text}.yaml"


def _check_inside(file: File, link: Scalar, path: Path) -> None:
    """Refuse a path that leads out of the folder of its file."""
    # Links between folders are followed, so that none leads out unseen.
    folders = (file.path.parent.resolve(), SHIPPED.resolve())
    if not any(path.resolve().is_relative_to(folder) for folder in folders):
        raise RulesError([_report_outside(link)])


def _check_circle(files: list[File], link: Scalar, path: Path) -> None:
    """Refuse a base that extends itself, or is too far away."""
    known = [file.place for file in files]
    if path.resolve() in known:
        raise RulesError([_report_circle(files[known.index(path.resolve()) :], link)])
    if len(files) == MAX_FILES:
        raise RulesError([_report_depth(link)])


def _report_missing(link: Scalar) -> Problem:
    near = closest(Path(link.text).stem, [path.stem for path in SHIPPED.glob("*.yaml")])
    question = f"did you mean '{near[0]}.yaml'? " if near else ""
    return Problem(
        "missing-base",
        f"there is no file '{shorten(link.text)}' to extend",
        link.span,
        f"{question}Give the path of a ruleset as seen from the folder of this "
        "file, or the name of a shipped one.",
    )


def _report_missing_library(link: Scalar) -> Problem:
    names = [path.stem for path in sorted(LIBRARIES.glob("*.yaml"))]
    return Problem(
        "missing-library",
        f"there is no library '{shorten(link.text)}'",
        link.span,
        suggest(link.text, names, "libraries"),
    )


def _report_no_library(link: Scalar, file: File) -> Problem:
    return Problem(
        "missing-library",
        f"'{shorten(link.text)}' is not a library",
        link.span,
        "A library begins with 'cardrun: 1' and 'library: NAME'.",
        notes=(Note("this is what it is", file.root.entries[0][0].span),),
    )


def _report_unreadable(link: Scalar, error: Exception) -> Problem:
    reason = getattr(error, "strerror", None) or "it is no path"
    return Problem(
        "unreadable-base",
        f"cannot read '{shorten(link.text)}': {reason.lower()}",
        link.span,
        "Give the path of a ruleset file.",
    )


def _report_outside(link: Scalar) -> Problem:
    return Problem(
        "base-outside",
        f"'{shorten(link.text)}' leads out of the folder of this file",
        link.span,
        "A base lies in the same folder or below it, or among the shipped rulesets.",
    )


def _report_circle(circle: list[File], link: Scalar) -> Problem:
    names = [file.path.name for file in circle]
    return Problem(
        "base-circle",
        f"'{names[0]}' extends itself: {' > '.join([*names, names[0]])}",
        link.span,
        "One of these files must be a whole ruleset, without 'extends'.",
        notes=tuple(_note_links(circle[:-1])),
    )


def _note_links(files: Iterable[File]) -> Iterator[Note]:
    for file in files:
        for link in file.bases[:1]:
            yield Note(f"'{file.path.name}' extends this", link.span)


def _report_depth(link: Scalar) -> Problem:
    return Problem(
        "too-many-bases",
        f"more than {MAX_FILES} files extend one another",
        link.span,
        "Let the variants extend the base itself.",
    )
