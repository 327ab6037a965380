"""The pipeline in one screen: from a path to a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from errno import ENOENT
from itertools import zip_longest
from pathlib import Path
from typing import Final

from .engine.game import Game
from .language.compiler import compile_ruleset
from .language.declarations import (
    Option,
    convert_option,
    read_options,
    read_players,
    text,
)
from .text import tree
from .text.errors import (
    Note,
    Problem,
    RulesError,
    UnreadableFile,
    sort_problems,
    suggest,
)
from .text.parser import parse_action, parse_expression
from .text.phrases import find_phrases
from .text.reader import MAX_BYTES, decode
from .text.source import Source, Span
from .variants.compose import HOUSE_RULES, SHIPPED, Composed, compose
from .variants.lineage import ReadSource, parse_file

# One for each player count, and for each value of each option.
MOST_TABLES: Final = 150


def load(
    path: str | Path,
    *,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    house_rules: Sequence[str | Path] = (),
) -> Game:
    """Load a ruleset for a number of players, with options and house rules.

    Args:
        path: A file, or the bare name of a shipped ruleset.
        players: The ruleset's default unless given.
        options: Values by name: texts, numbers or yes/no as bool.
        house_rules: Files, or bare names of shipped ones, in the order in which
            they are laid over the ruleset.

    Raises:
        RulesError: With every problem of the ruleset, or of what was asked for.
        UnreadableFile: There is no such file, or it cannot be read.
    """
    rules = tuple(map(find_house_rule, house_rules))
    return _load(find(path), read_source, players, options or {}, rules)


def load_text(
    rules: str,
    path: str,
    *,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
) -> Game:
    """Load a whole ruleset from its text, known by a path that is not read.

    Raises:
        RulesError: As ``load`` does; also where the text extends other files.
    """

    def read(file: Path) -> Source:
        if file != Path(path):
            raise FileNotFoundError(ENOENT, "a text stands for itself", str(file))
        source, problems = decode(path, rules.encode(errors="replace"))
        if problems:
            raise RulesError(problems)
        return source

    # What a whole ruleset does not use was lent to it, or left by a house rule.
    return _load(Path(path), read, players, options or {}, forgive=("never-used",))


def _load(
    file: Path,
    read: ReadSource,
    players: int | None,
    options: Mapping[str, object],
    house_rules: tuple[Path, ...] = (),
    forgive: tuple[str, ...] = (),
) -> Game:
    composed, problems = _compose(file, read, house_rules)
    if composed is not None and composed.is_library:
        problems.append(_report_library(composed))
    if composed is None or problems:
        raise RulesError(problems)
    root = composed.root
    counts, default = read_players(root, problems)
    seats = default if players is None else players
    declared = read_options(root, seats, problems)
    chosen = _choose(composed, declared, problems)
    place = composed.sources[0].span(0, 0)
    chosen |= _ask(options, declared, place, problems)
    if seats not in counts:
        plural = "" if seats == 1 else "s"
        message = f"{composed.name} is not for {seats} player{plural}"
        most = f" to {counts[-1]}" if len(counts) > 1 else ""
        hint = f"It is for {counts[0]}{most} players."
        problems.append(Problem("wrong-players", message, place, hint))
    if problems:
        raise RulesError(sort_problems(problems))
    program = compile_ruleset(root, seats, declared, chosen, composed.replaced)
    problems += _sift(program.problems, composed)
    problems = [problem for problem in problems if problem.code not in forgive]
    if errors := find_errors(problems):
        raise RulesError(sort_problems(errors))
    return Game(
        text(root.get("name")),
        text(root.get("family")),
        text(root.get("about")),
        str(file),
        counts,
        tuple(declared.values()),
        program,
        composed,
        tuple(map(str, house_rules)),
    )


def check_file(
    path: str | Path,
    house_rules: Sequence[str | Path] = (),
    options: Mapping[str, object] | None = None,
) -> list[Problem]:
    """Return all problems of a ruleset, for all its player counts and options.

    Every player count is checked with the default options, and every value of
    each option with the default count; an option that is given keeps its value.
    A house rule for several rulesets is checked with each of them.

    Raises:
        UnreadableFile: There is no such file, or it cannot be read.
    """
    file, rules = find(path), tuple(map(find_house_rule, house_rules))
    links = _list_bases(file)
    found = [
        _check_composed(*_compose(file, read_source, rules, choice), options or {})
        for choice in range(max(1, len(links)))
    ]
    return sort_problems(dict.fromkeys(_name_bases(found, links)))


def _check_composed(
    composed: Composed | None, problems: list[Problem], options: Mapping[str, object]
) -> list[Problem]:
    """Return all problems of a ruleset that has been put together."""
    if composed is None:
        return problems
    if composed.is_library:
        return list(_check_phrases(composed.root))
    counts, default = read_players(composed.root, problems)
    declared = read_options(composed.root, default, problems)
    chosen = _choose(composed, declared, problems)
    fixed = _ask(options, declared, composed.sources[0].span(0, 0), problems)
    free = [option for name, option in declared.items() if name not in fixed]
    tables = list(_list_tables(counts, default, free, {**chosen, **fixed}))
    if len(tables) > MOST_TABLES:
        node = composed.root.get("options") or composed.root
        message = f"more than {MOST_TABLES} tables would have to be looked at"
        hint = "Use fewer options, with fewer values."
        problems.append(Problem("ruleset-too-large", message, node.span, hint))
    for seats, values in tables:
        if find_errors(problems):
            break
        options = read_options(composed.root, seats, problems)
        if find_errors(problems):
            break
        program = compile_ruleset(
            composed.root, seats, options, values, composed.replaced, is_played=False
        )
        problems += _sift(program.problems, composed)
    # What is unused may only be misspelt where it should be used.
    return find_errors(problems) or problems


def find_errors(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems that are more than warnings."""
    return [problem for problem in problems if problem.severity == "error"]


def _sift(problems: Iterable[Problem], composed: Composed) -> Iterator[Problem]:
    """Return the problems but for unused parts that others may have a use for."""
    for problem in problems:
        if problem.code != "never-used" or problem.span.source in composed.authored:
            yield problem


def _list_bases(file: Path) -> tuple[tree.Scalar, ...]:
    """Return the rulesets that a file is to be checked with."""
    try:
        known, _ = parse_file(file, read_source(file))
    except (OSError, RulesError):
        return ()
    return known.bases if known else ()


def _name_bases(
    found: list[list[Problem]], links: tuple[tree.Scalar, ...]
) -> Iterator[Problem]:
    """Return problems; those with some of several rulesets say with which."""
    for problems, link in zip_longest(found, links):
        for problem in problems or ():
            if link is None or all(problem in other for other in found):
                yield problem
            else:
                note = Note("it is one with this ruleset", link.span)
                yield replace(problem, notes=(*problem.notes, note))


def _report_library(composed: Composed) -> Problem:
    return Problem(
        "not-a-game",
        f"'{composed.name}' is a library, not a game",
        composed.root.entries[0][0].span,
        f"A ruleset takes it in with 'use: {composed.name}'.",
    )


def _check_phrases(root: tree.Mapping) -> Iterator[Problem]:
    """Find what cannot be read in a library; what names mean only a game tells."""
    for scalar, form in find_phrases(root):
        is_action = form == "action"
        parsed = parse_action(scalar) if is_action else parse_expression(scalar)
        if isinstance(parsed, Problem):
            yield parsed


def _list_tables(
    counts: tuple[int, ...],
    default: int,
    free: Sequence[Option],
    chosen: Mapping[str, bool | int | str],
) -> Iterator[tuple[int, dict[str, bool | int | str]]]:
    """Return the tables of players and options that a check looks at."""
    yield default, dict(chosen)
    for count in counts:
        if count != default:
            yield count, dict(chosen)
    for option in free:
        present = chosen.get(option.name, option.default)
        for value in option.values():
            if value != present:
                yield default, {**chosen, option.name: value}


def _compose(
    path: Path,
    read: ReadSource,
    house_rules: Sequence[Path] = (),
    choice: int | None = None,
) -> tuple[Composed | None, list[Problem]]:
    try:
        return compose(path, read, house_rules, choice)
    except RulesError as error:
        return None, list(error.problems)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        name = error.filename or path
        raise UnreadableFile(f"cannot read '{name}': {reason}") from error


def read_source(path: Path) -> Source:
    """Read a file's text.

    Raises:
        OSError: It cannot be read.
        RulesError: It is not text.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    source, problems = decode(path.as_posix(), data)
    if problems:
        raise RulesError(problems)
    return source


def shipped() -> list[Path]:
    """Return the files of the shipped games, by name; libraries lie elsewhere."""
    return sorted(SHIPPED.glob("*.yaml"))


def shipped_house_rules() -> list[Path]:
    """Return the files of the shipped house rules, by name."""
    return sorted(HOUSE_RULES.glob("*.yaml"))


def find(path: str | Path) -> Path:
    """Return the file of a path, or of the bare name of a shipped ruleset.

    Raises:
        UnreadableFile: There is neither; the message suggests close names.
    """
    return _find(path, shipped(), "game")


def find_house_rule(path: str | Path) -> Path:
    """Return the file of a path, or of the bare name of a shipped house rule.

    Raises:
        UnreadableFile: There is neither; the message suggests close names.
    """
    return _find(path, shipped_house_rules(), "house rule")


def _find(path: str | Path, known: list[Path], noun: str) -> Path:
    file = Path(path)
    names = {other.stem: other for other in known}
    is_path = file.suffix or len(file.parts) > 1
    if file.exists() and (is_path or str(path) not in names):
        return file
    if str(path) in names:
        return names[str(path)]
    hint = suggest(file.stem, names, f"{noun}s")
    what = "file" if is_path else noun
    raise UnreadableFile(f"there is no {what} '{path}': {hint}")


def _choose(
    composed: Composed, declared: Mapping[str, Option], problems: list[Problem]
) -> dict[str, bool | int | str]:
    """Return the option values that variants give."""
    found: dict[str, bool | int | str] = {}
    for name, scalar in composed.chosen.items():
        if name in declared:
            try:
                found[name] = convert_option(declared[name], scalar.text)
            except ValueError as error:
                problems.append(
                    Problem(
                        "wrong-option-value",
                        str(error),
                        scalar.span,
                        "Give it one of the values that it allows.",
                    )
                )
    return found


def _ask(
    options: Mapping[str, object],
    declared: Mapping[str, Option],
    place: Span,
    problems: list[Problem],
) -> dict[str, bool | int | str]:
    """Return the option values that a caller asks for."""
    found: dict[str, bool | int | str] = {}
    for name, value in options.items():
        if name not in declared:
            message = f"unknown option '{name}'"
            hint = suggest(name, list(declared), "options")
            problems.append(Problem("unknown-option", message, place, hint))
            continue
        try:
            found[name] = convert_option(declared[name], value)
        except ValueError as error:
            words = ["yes", "no"] if declared[name].kind == "yes/no" else ()
            words = words or list(map(str, declared[name].values()))
            hint = suggest(str(value), words, "values")
            problems.append(Problem("wrong-option-value", str(error), place, hint))
    return found
