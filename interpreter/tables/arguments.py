"""What may be typed on the command line, with help for what is mistyped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from ..text.errors import CardrunError, RulesError, closest
from ..version import __version__
from .output import FINDINGS, print_json

if TYPE_CHECKING:
    from ..clock import Reaction
    from ..engine.game import Game
    from ..text.errors import Problem
    from .speech import Speech

BOTS: Final = ("random", "greedy", "ismcts")
BACKENDS: Final = ("auto", "python", "numba")
LEVELS: Final = ("easy", "normal", "hard")
HUMAN: Final = "human"
# Where a context keeps whether it is to print JSON, problems included.
JSON: Final = "cardrun.json"
SEATS: Final = (HUMAN, "bot", *BOTS)
# What --vary calls the number of players, which no option is called.
PLAYERS: Final = "players"
COLORS: Final = ("auto", "always", "never")
_RULESETS: Final = Path(__file__).parent.parent.parent / "rulesets"
Item = TypeVar("Item")
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
# Mean times of a bot in a race, in milliseconds.
PACES: Final = {"relaxed": 5000, "normal": 3000, "fast": 1500}


class ClosedPipe(Exception):
    """Nobody reads standard output any more."""


class Commands(click.Group):
    """Commands; a ruleset in the place of a command is played."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names or stands for."""
        word = args[0]
        if self.get_command(ctx, word):
            return super().resolve_command(ctx, args)
        if word.startswith("-"):
            raise click.NoSuchOption(word, ctx=ctx)
        if _is_ruleset(word):
            return "play", self.get_command(ctx, "play"), args
        known = [*self.list_commands(ctx), *_list_shipped()]
        raise click.UsageError(
            f"No command, file or shipped game '{word}'.{_ask(word, known)}", ctx=ctx
        )

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; click would call a closed pipe a failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ClosedPipe from error
        except CardrunError as error:
            if not error.problems or not ctx.meta.get(JSON):
                raise
            print_json([problem.as_json() for problem in error.problems])
            return FINDINGS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order they were added."""
        return list(self.commands)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[CompletionItem]:
        """Complete a command, a shipped game or a file."""
        return [
            *super().shell_complete(ctx, incomplete),
            *complete_ruleset(ctx, self.params[0], incomplete),
        ]


def read_word(words: Sequence[str]) -> Callable[[str], str]:
    """Return a reader of one of some words."""

    def word(text: str) -> str:
        if text not in words:
            raise click.BadParameter(_refuse(text, words))
        return text

    return word


def read_words(words: Sequence[str]) -> Callable[[object], tuple[str, ...]]:
    """Return a reader of some of these words, with commas between them."""

    def word_list(value: object) -> tuple[str, ...]:
        read = read_word(words)
        return tuple(read(text.strip()) for text in str(value).split(","))

    return word_list


def read_setting(value: object) -> tuple[str, str]:
    """Return an option and its value from ``option=value``."""
    option, sign, chosen = str(value).partition("=")
    if not sign or not option.strip() or not chosen.strip():
        raise click.BadParameter(f"'{value}' is not like option=value.")
    return option.strip(), chosen.strip()


def read_variation(value: object) -> tuple[str, tuple[str, ...]]:
    """Return an option and its values from ``option=value,value``."""
    option, values = read_setting(value)
    listed = tuple(text.strip() for text in values.split(","))
    if not all(listed):
        raise click.BadParameter(f"'{value}' is not like option=value,value.")
    if len(set(listed)) < len(listed):
        raise click.BadParameter(f"'{value}' has the same value twice.")
    return option, listed


def read_width(value: object) -> float:
    """Return how far off a share may be: above 0, up to 1."""
    try:
        width = float(str(value))
    except ValueError:
        width = 0.0
    if not 0 < width <= 1:
        raise click.BadParameter(f"'{value}' is not like 0.01: above 0, at most 1.")
    return width


def read_address(value: object) -> str:
    """Return where workers are: ``local``, or ``dask://host:port``."""
    text = str(value)
    if text != "local" and not re.fullmatch(r"dask://[^/\s]+:\d+", text):
        raise click.BadParameter(f"'{text}' is not like dask://host:port, or local.")
    return text


def read_pace(text: str) -> Reaction:
    """Return how fast bots act in a race: a word, or a mean time in seconds."""
    from ..clock import Reaction

    match = re.fullmatch(r"(\d+(?:\.\d+)?)s?", text)
    mean = round(float(match[1]) * 1000) if match else PACES.get(text, 0)
    if not mean:
        message = f"'{text}' is not {', '.join(PACES)} or a time like 0.4s."
        raise click.BadParameter(message + _ask(text, tuple(PACES)))
    return Reaction(mean, mean // 2)


def read_reactions(value: object) -> tuple[Reaction, ...]:
    """Return reaction times: a mean or mean:spread, in milliseconds, by seat."""
    return tuple(_read_reaction(text.strip()) for text in str(value).split(","))


def _read_reaction(text: str) -> Reaction:
    from ..clock import Reaction

    match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    mean = int(match[1]) if match else 0
    spread = int(match[2]) if match and match[2] else mean // 2
    reaction = Reaction(mean, spread)
    if not reaction.is_possible():
        raise click.BadParameter(
            f"'{text}' is not like 800 or 800:300: a mean in milliseconds, and a "
            "spread of at most two thirds of it."
        )
    return reaction


def complete_words(words: Sequence[str]) -> Completer:
    """Return a completer of some words."""

    def complete(
        ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]

    return complete


def complete_ruleset(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a shipped game or a file."""
    names = [name for name in _list_shipped() if name.startswith(incomplete)]
    return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


def complete_house_rule(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a shipped house rule or a file."""
    known = sorted(path.stem for path in (_RULESETS / "house").glob("*.yaml"))
    names = [name for name in known if name.startswith(incomplete)]
    return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


def show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the version and leave."""
    if value and not ctx.resilient_parsing:
        click.echo(f"cardrun {__version__}")
        ctx.exit()


def _is_ruleset(word: str) -> bool:
    """Return whether a word can only be meant as a ruleset."""
    is_path = "/" in word or "\\" in word or word.endswith((".yaml", ".yml"))
    return is_path or word in _list_shipped() or Path(word).is_file()


def _list_shipped() -> list[str]:
    return sorted(path.stem for path in _RULESETS.glob("*.yaml"))


def _refuse(word: str, words: Sequence[str]) -> str:
    return f"'{word}' is not one of {', '.join(words)}.{_ask(word, words)}"


def _ask(word: str, words: Sequence[str]) -> str:
    near = closest(word, words)
    return f" Did you mean '{near[0]}'?" if near else ""


def load_game(
    file: str,
    players: int | None,
    settings: Iterable[tuple[str, str]],
    house_rules: Sequence[str] = (),
) -> Game:
    """Load a ruleset with the options and house rules given."""
    from ..loader import load

    options: dict[str, str] = {}
    for name, value in settings:
        if options.setdefault(name, value) != value:
            raise click.UsageError(f"--set gives '{name}' two values.")
    try:
        return load(file, players=players, options=options, house_rules=house_rules)
    except RulesError as error:
        refuse_asked(error.problems)
        raise


def refuse_asked(problems: Sequence[Problem]) -> None:
    """Refuse a command if all problems are of what it asks for, not of a file."""
    if problems and all(map(_is_asked, problems)):
        asked = (f"{item.message}: {item.hint}" for item in problems)
        raise click.UsageError("\n".join(asked))


def load_beside(file: str, players: int) -> Game:
    """Load a ruleset for as many players as another one, or as is usual for it."""
    try:
        return load_game(file, players, ())
    except click.UsageError:
        return load_game(file, None, ())


def load_variants(
    files: Sequence[str],
    variations: Sequence[tuple[str, tuple[str, ...]]],
    players: int | None,
    settings: Sequence[tuple[str, str]],
    house_rules: Sequence[str] = (),
) -> list[tuple[str, Game]]:
    """Load each ruleset with each choice of values, and a label for each."""
    names = [option for option, _ in variations]
    if len(set(names)) < len(names):
        raise click.UsageError("--vary gives an option twice: list its values in one.")
    for name, _ in settings:
        if name in names:
            raise click.UsageError(f"'{name}' is given to --set and to --vary.")
    if PLAYERS in names and players is not None:
        raise click.UsageError("How many play is given to --players and to --vary.")
    found = []
    for file in files:
        for values in product(*(values for _, values in variations)):
            chosen = dict(zip(names, values, strict=True))
            label = " ".join(f"{name}={value}" for name, value in chosen.items())
            if len(files) > 1:
                label = f"{file} {label}".strip()
            count = _read_count(chosen.pop(PLAYERS)) if PLAYERS in chosen else players
            settled = [*settings, *chosen.items()]
            game = load_game(file, count, settled, house_rules)
            found.append((label or game.name, game))
    return found


def _read_count(text: str) -> int:
    """Return how many play, where that is varied."""
    if not text.isascii() or not text.isdigit() or not int(text):
        raise click.UsageError(f"--vary {PLAYERS}: '{text}' is no number of players.")
    return int(text)


def _is_asked(problem: Problem) -> bool:
    """Return whether a problem is of what was asked for, not of a file."""
    codes = ("unknown-option", "wrong-option-value", "wrong-players")
    return problem.code in codes and problem.span.end == 0


def link_base(file: Path, base: str) -> str:
    """Return how a new file names the game that it extends."""
    from ..loader import find

    known = find(base)
    if known.resolve().parent == _RULESETS.resolve():
        return known.name
    try:
        link = known.resolve().relative_to(file.parent.resolve())
    except ValueError as error:
        message = f"'{base}' must lie in the folder of '{file}', or below it."
        raise click.UsageError(message) from error
    return link.as_posix()


def choose_speech(game: Game, language: str) -> Speech:
    """Return what a table says in a language, with the texts of a game."""
    from ..sheets.translation import load_table_words
    from .speech import Speech

    return Speech(load_table_words(Path(game.base_path), language))


def seat_players(game: Game, seats: tuple[str, ...] | None) -> tuple[str, ...]:
    """Return who sits where: a person in seat 1 unless said otherwise."""
    if seats is None:
        return (HUMAN, *["bot"] * (game.players - 1))
    if len(seats) != game.players:
        message = f"{game.players} play, but --seats lists {len(seats)}."
        raise click.UsageError(message)
    return seats


def spread(option: str, items: tuple[Item, ...], game: Game) -> tuple[Item, ...]:
    """Return an item for each seat: one stands for all."""
    if len(items) == 1:
        return items * game.players
    if items and len(items) != game.players:
        message = f"{game.players} play, but {option} lists {len(items)}."
        raise click.UsageError(message)
    return items


def choose_seed(seed: int | None) -> int:
    """Return the seed, or one from the operating system, and say which."""
    if seed is not None:
        return seed
    import secrets

    seed = secrets.randbits(32)
    click.echo(f"seed: {seed}", err=True)
    return seed
