"""The command line: parse arguments, call one function, print.

What a command needs is imported inside it, so that ``cardrun --help`` is quick.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from cardrun.interpreter.tables import arguments, output
from cardrun.interpreter.tables.options import (
    backend_option,
    color_option,
    json_option,
    language_option,
    level_option,
    players_option,
    ruleset_argument,
    seed_option,
    setting_option,
    with_option,
)
from cardrun.interpreter.text.errors import CardrunError, UnreadableFile, suggest

if TYPE_CHECKING:
    from cardrun.interpreter.clock import Reaction
    from cardrun.interpreter.tables.sitting import Opponents, Sitting
    from cardrun.interpreter.testing.check import Check
    from cardrun.interpreter.text.errors import Problem


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command that the words give, and leave with its exit code."""
    output.open_streams()
    code = run(words)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = output.report_output(error)
    sys.exit(code)


def run(words: Sequence[str] | None) -> int:
    """Run a command and return its exit code; every failure ends here."""
    try:
        code = cardrun.main(words, prog_name="cardrun", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        return output.INTERRUPTED
    except arguments.ClosedPipe:
        return output.report_output(BrokenPipeError())
    except OSError as error:
        return output.report_output(error)
    except CardrunError as error:
        output.complain(str(error))
        return (
            output.UNREADABLE if isinstance(error, UnreadableFile) else output.FINDINGS
        )
    except Exception:  # whatever is left is a fault of this program
        output.report_fault()
        return output.OUR_FAULT
    return code if isinstance(code, int) else output.FINE


@click.group(cls=arguments.Commands)
@color_option
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=arguments.show_version,
    help="Print the version.",
)
def cardrun() -> None:
    """Play card games whose rules are written as data.

    cardrun FILE plays the game of a ruleset; FILE is a path or the name of a
    shipped game, as `cardrun list` has them.
    """


@cardrun.command()
@click.argument(
    "file", metavar="FILE", required=False, shell_complete=arguments.complete_ruleset
)
@players_option
@click.option(
    "--seats",
    type=arguments.read_words(arguments.SEATS),
    metavar="LIST",
    help=f"Who sits where, such as human,bot,bot: {', '.join(arguments.SEATS)}.",
)
@click.option(
    "--bot",
    type=arguments.read_word(arguments.BOTS),
    metavar="BOT",
    default="greedy",
    show_default=True,
    shell_complete=arguments.complete_words(arguments.BOTS),
    help=f"Which bots: {', '.join(arguments.BOTS)}.",
)
@level_option
@setting_option
@with_option
@seed_option
@click.option(
    "--pace",
    type=arguments.read_pace,
    default="normal",
    show_default=True,
    metavar="PACE",
    help="How fast bots race: relaxed, normal, fast or 0.4s; turns take a quarter.",
)
@backend_option
@click.option(
    "--save",
    metavar="NAME",
    help="Save the game at every act, under a name or into a file.",
)
@click.option(
    "--resume", metavar="NAME", help="Go on with a saved game, under its own rules."
)
@click.option("--plain", is_flag=True, help="Play line by line, even in a pipe.")
@click.option(
    "--verbose", is_flag=True, help="Name the rule, and its line, that refuses a move."
)
@click.option("--ascii", "is_ascii", is_flag=True, help="Draw cards with letters only.")
@language_option
@click.option("--auto", is_flag=True, help="Seat bots everywhere; print the game.")
@json_option
@color_option
def play(
    file: str | None,
    players: int | None,
    seats: tuple[str, ...] | None,
    bot: str,
    level: str,
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    seed: int | None,
    pace: Reaction,
    backend: str,
    save: str | None,
    resume: str | None,
    plain: bool,
    verbose: bool,
    is_ascii: bool,
    lang: str,
    auto: bool,
    as_json: bool,
) -> int:
    """Play a game at the terminal: you in seat 1, bots in the others.

    Where standard input is no terminal, bots play all seats (--auto), unless
    --plain is given.
    """
    is_auto = auto or not (plain or sys.stdin.isatty())
    if as_json and not is_auto:
        raise click.UsageError("--json goes with --auto: it waits for nobody.")
    from cardrun.interpreter.tables import sitting

    if resume is not None:
        given = (players, save, seed, *settings, *house_rules)
        if any(word is not None for word in given) or file is not None:
            raise click.UsageError(
                "--resume goes on with a game as it was saved: it needs no FILE, "
                "--players, --set, --with, --seed or --save."
            )
        table = sitting.resume(resume, seats)
        speech = None
    elif file is None:
        raise click.UsageError("Missing argument 'FILE': which game?")
    else:
        game = arguments.load_game(
            file, players or (len(seats) if seats else None), settings, house_rules
        )
        kinds = arguments.seat_players(game, seats)
        speech = arguments.choose_speech(game, lang)
        table = sitting.begin(game, arguments.choose_seed(seed), kinds, save)
    table.is_verbose = verbose
    opponents = sitting.Opponents(bot, level, backend)
    with closing(table):
        table.speech = speech or arguments.choose_speech(table.state.game, lang)
        try:
            if is_auto:
                return _play_auto(table, opponents, as_json)
            if plain or not sitting.fits_a_screen(table):
                from cardrun.interpreter.tables.plain import play_here

                play_here(table, opponents, pace)
                return output.FINE
            _play_on_screen(table, opponents, pace, is_ascii)
        finally:
            table.tell_how_to_resume()
    return output.FINE


def _play_on_screen(
    table: Sitting, opponents: Opponents, pace: Reaction, is_ascii: bool
) -> None:
    from cardrun.interpreter.simulation.match import render_result
    from cardrun.interpreter.tables.screen import play_on_screen

    has_colors = click.get_current_context().color is not False
    state = play_on_screen(
        table, opponents, pace, is_ascii=is_ascii, has_colors=has_colors
    )
    if state.over:
        click.echo(render_result(state, table.speech.rule))


def _play_auto(table: Sitting, opponents: Opponents, as_json: bool) -> int:
    from cardrun.interpreter.simulation.match import (
        act_as_json,
        render_result,
        result_as_json,
    )

    state, game = table.state, table.state.game
    acts = []
    for act in table.play_bots(opponents):
        acts.append(act)
        if not as_json:
            click.echo(act.render())
    if not as_json:
        click.echo(f"\n{render_result(state, table.speech.rule)}")
        return output.FINE
    output.print_json(
        {
            "format": 1,
            "game": game.name,
            "file": game.path,
            "players": game.players,
            "options": dict(game.options),
            "bots": table.name_bots(opponents.bot),
            "seed": state.seed,
            "acts": [act_as_json(act) for act in acts],
            "result": result_as_json(state),
        }
    )
    return output.FINE


@cardrun.command()
@click.argument(
    "files",
    metavar="FILE…",
    nargs=-1,
    required=True,
    shell_complete=arguments.complete_ruleset,
)
@setting_option
@with_option
@click.option("--watch", is_flag=True, help="Check again whenever a file is saved.")
@json_option
@color_option
def validate(
    files: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    watch: bool,
    as_json: bool,
) -> int:
    """Check rulesets, house rules and translations and print all their problems."""
    if watch and as_json:
        raise click.UsageError("--watch is for people to read: leave --json out.")
    if not watch:
        return _validate(files, settings, house_rules, as_json)
    from cardrun.interpreter.tables.watch import each_change

    for _ in each_change():
        click.clear()
        _validate(files, settings, house_rules, as_json)
        click.echo("\nWaiting for a change; Ctrl-C ends.", err=True)
    return output.FINE


def _validate(
    files: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    as_json: bool,
) -> int:
    from cardrun.interpreter.loader import check_file
    from cardrun.interpreter.sheets.translation import check_translation, is_translation
    from cardrun.interpreter.text.errors import sort_problems

    problems: list[Problem] = []
    code = output.FINE
    for file in files:
        try:
            if is_translation(file):
                found = check_translation(file)
            else:
                found = check_file(file, house_rules, dict(settings))
            arguments.refuse_asked(found)
        except UnreadableFile as error:
            output.complain(str(error))
            code = output.UNREADABLE
            continue
        problems += found
        if not found and not as_json:
            click.echo(f"{file}: sound")
    problems = sort_problems(problems)
    if as_json:
        output.print_json([problem.as_json() for problem in problems])
    elif problems:
        click.echo("\n".join(output.paint(problem.render()) for problem in problems))
    has_errors = any(problem.severity == "error" for problem in problems)
    return code or (output.FINDINGS if has_errors else output.FINE)


@cardrun.command()
@click.argument("paths", metavar="[FILE|DIR]…", nargs=-1, type=click.Path())
@json_option
@color_option
def test(paths: tuple[str, ...], as_json: bool) -> int:
    """Run scenario files: those given, or all in the folders given or in this one."""
    from cardrun.interpreter.testing.scenario import find_scenario_files
    from cardrun.interpreter.testing.trial import run_file

    verdicts = []
    code = output.FINE
    for path in paths or (".",):
        try:
            files = find_scenario_files(Path(path))
            if not files:
                output.complain(f"no scenario files in '{path}'")
                code = output.FINDINGS
            for file in files:
                for verdict in run_file(file):
                    verdicts.append(verdict)
                    if not verdict.passed and not as_json:
                        click.echo(output.paint(verdict.render()))
        except OSError as error:
            code = output.report_unreadable(error, path)
    passed = sum(verdict.passed for verdict in verdicts)
    failed = len(verdicts) - passed
    if as_json:
        scenarios = [verdict.as_json() for verdict in verdicts]
        output.print_json({"passed": passed, "failed": failed, "scenarios": scenarios})
    else:
        color = "red" if failed else "green"
        click.secho(f"{passed} passed, {failed} failed", fg=color)
    return code or (output.FINDINGS if failed else output.FINE)


@cardrun.command()
@click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    shell_complete=arguments.complete_ruleset,
)
@click.option(
    "--games",
    type=click.IntRange(1),
    metavar="N",
    help="How many games; 1000 unless --until-ci says when to stop.",
)
@seed_option
@click.option(
    "--vary",
    type=arguments.read_variation,
    multiple=True,
    metavar="OPTION=VALUE,...",
    help="Play these values side by side, on the same deals; players=3,4 too. "
    "Repeatable.",
)
@click.option(
    "--until-ci",
    "until",
    type=arguments.read_width,
    metavar="X",
    help="Stop when every win share is known to within so much: 0.01.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many processes share the work; the result is the same.",
)
@click.option(
    "--on",
    "address",
    type=arguments.read_address,
    metavar="ADDRESS",
    help="Share the work by Dask: dask://host:port, or local for --jobs workers here.",
)
@backend_option
@click.option(
    "--bots",
    type=arguments.read_words(arguments.BOTS),
    default="random",
    show_default=True,
    metavar="LIST",
    help=f"One for all seats or one for each: {', '.join(arguments.BOTS)}.",
)
@level_option
@click.option(
    "--reactions",
    type=arguments.read_reactions,
    metavar="LIST",
    help="Reaction times in races: mean or mean:spread in ms, for all or each seat.",
)
@players_option
@setting_option
@with_option
@json_option
@click.option(
    "--csv",
    "table",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a line for each game.",
)
@click.option(
    "--report",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a page with plots: FILE.html.",
)
@click.option(
    "--checkpoint",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep there what has come out so far, and go on from it.",
)
@color_option
def simulate(
    files: tuple[str, ...],
    games: int | None,
    seed: int | None,
    vary: tuple[tuple[str, tuple[str, ...]], ...],
    until: float | None,
    jobs: int,
    address: str | None,
    backend: str,
    bots: tuple[str, ...],
    level: str,
    reactions: tuple[Reaction, ...] | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    as_json: bool,
    table: str | None,
    report: str | None,
    checkpoint: Path | None,
) -> int:
    """Play many games between bots and print what they add up to."""
    if as_json and table == "-":
        raise click.UsageError("--json and --csv - both print: give one a file.")
    from cardrun.interpreter.tables import campaign
    from cardrun.interpreter.tables import files as written
    from cardrun.interpreter.tables import plan as asked

    loaded = arguments.load_variants(files, vary, players, settings, house_rules)
    root = asked.choose_seed(seed, checkpoint)
    runs = tuple(
        asked.seat_run(label, game, root, bots, reactions or (), level)
        for label, game in loaded
    )
    usual = 1000 if until is None else asked.UNTIL_PRECISE
    plan = asked.Plan(runs, games or usual, backend, until, table, checkpoint, report)
    asked.check_files(plan)
    finding = campaign.carry_out(plan, jobs, address)
    if as_json:
        output.print_json(finding.shown.as_json())
    else:
        click.echo(finding.shown.render(), err=table == "-")
    if finding.why:
        output.complain(finding.why)
    if report is not None:
        written.write_page(report, finding.shown)
    return finding.code


@cardrun.command()
@click.argument("file", metavar="NAME|FILE")
@click.option("--verify", is_flag=True, help="Only check that the game is sound.")
@click.option(
    "--step", is_flag=True, help="Act by act: Enter for the next, b for back."
)
@click.option(
    "--speed",
    type=click.FloatRange(0.001),
    metavar="X",
    help="Let it run by itself, so many times as fast as it was played.",
)
@click.option(
    "--seat",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Whose cards are seen.",
)
@language_option
@json_option
@color_option
def replay(
    file: str,
    verify: bool,
    step: bool,
    speed: float | None,
    seat: int,
    lang: str,
    as_json: bool,
) -> int:
    """Watch a saved game, or verify it: print its acts, or go through them."""
    from cardrun.interpreter.tables import replayed
    from cardrun.interpreter.tables.record import find_save, read_record

    if sum((verify, step, speed is not None, as_json)) > 1:
        raise click.UsageError("Give one of --verify, --step, --speed and --json.")
    record = read_record(find_save(file))
    game = record.load()
    if seat > game.players:
        raise click.UsageError(f"The game has {game.players} players.")
    speech = arguments.choose_speech(game, lang)
    if step or speed is not None:
        from cardrun.interpreter.tables.console import Terminal

        replay = replayed.Replay(record, game, seat, Terminal(), speech)
        if speed is None:
            replay.step()
        else:
            replay.run(speed)
        return output.FINE
    lines = list(replayed.list_acts(record, game, speech))
    if as_json:
        output.print_json(replayed.as_json(record, game))
    elif verify:
        sound = speech.say("{count} acts, all sound.", count=len(record.acts))
        click.echo(f"{sound} {lines[-1]}")
    else:
        click.echo("\n".join(lines))
    return output.FINE


@cardrun.command()
@click.option(
    "--delete", metavar="NAME", multiple=True, help="Delete a saved game. Repeatable."
)
@json_option
@color_option
def saves(delete: tuple[str, ...], as_json: bool) -> int:
    """List the games saved by name, and where they are; or delete some."""
    from cardrun.interpreter.tables.record import delete_record, saves_folder
    from cardrun.interpreter.tables.sitting import list_saves

    found = list(list_saves())
    paths = {name: path for name, path, _ in found}
    for name in delete:
        if name not in paths:
            hint = suggest(name, list(paths), "saved games")
            raise UnreadableFile(f"there is no saved game '{name}': {hint}")
    for name in dict.fromkeys(delete):
        try:
            delete_record(paths[name])
        except BlockingIOError as error:
            raise click.UsageError(f"A table goes on with '{name}'.") from error
        click.echo(f"deleted {paths[name]}", err=True)
    kept = [saved for saved in found if saved[0] not in delete]
    if as_json:
        output.print_json(
            [
                {
                    "name": name,
                    "file": str(path),
                    "game": record.header.game if record else None,
                    "acts": len(record.acts) if record else None,
                }
                for name, path, record in kept
            ]
        )
        return output.FINE
    for name, _, record in kept:
        told = "it cannot be read: see cardrun replay"
        if record:
            told = f"{record.header.game}, {record.header.players} players, "
            told += f"{len(record.acts)} acts"
        click.echo(f"{name}  {told}")
    if not kept:
        click.echo("There are no saved games.")
    click.echo(f"folder: {saves_folder()}", err=True)
    return output.FINE


@cardrun.command()
@ruleset_argument
@click.option(
    "--games",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    metavar="N",
    help="How many games at each table.",
)
@seed_option
@players_option
@setting_option
@with_option
@click.option(
    "--every",
    is_flag=True,
    help="Check every player count, every option value and every pair of them.",
)
@json_option
@color_option
def check(
    file: str,
    games: int,
    seed: int | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    every: bool,
    as_json: bool,
) -> int:
    """Prove a ruleset by play: random games, and what must hold in every state.

    No card is lost, somebody can always move, what is listed is legal and nothing
    else, nobody learns what is hidden, games end and repeat. What does not hold is
    printed with the seed and the fewest moves that show it; then the parts of the
    rules that no game had a use for.
    """
    from cardrun.interpreter.testing.check import Check, list_tables

    game = arguments.load_game(file, players, settings, house_rules)
    counts = () if players else game.player_counts
    tables = list_tables(game, dict(settings), counts, is_every=every)
    checked = Check(game, games, arguments.choose_seed(seed), tables)
    broken_off = _run_check(checked)
    if as_json:
        output.print_json({**checked.as_json(), "interrupted": bool(broken_off)})
    else:
        click.echo(output.paint(checked.render()))
    return broken_off or (output.FINDINGS if checked.findings else output.FINE)


def _run_check(checked: Check) -> int:
    """Play the games of a check while a bar shows how far it is.

    Returns:
        The exit code if a signal such as Ctrl-C ended them early.
    """
    from cardrun.interpreter.tables.endings import Endings
    from cardrun.interpreter.tables.progress import Progress

    with Endings() as endings, Progress(checked.total) as progress:
        try:
            for _ in checked.run():
                progress.advance(1)
        except KeyboardInterrupt:
            return endings.code
    return output.FINE


@cardrun.command("list")
@click.argument(
    "name", metavar="[GAME]", required=False, shell_complete=arguments.complete_ruleset
)
@json_option
@color_option
def list_games(name: str | None, as_json: bool) -> int:
    """List the shipped games and house rules; or a game with its options."""
    from cardrun.interpreter.sheets.catalogue import list_game, list_shipped

    entries = list_game(name) if name else list_shipped()
    if as_json:
        output.print_json([entry.as_json() for entry in entries])
        return output.FINE
    widths = [max(len(entry.as_row()[i]) for entry in entries) for i in range(3)]
    for entry in entries:
        *cells, about = entry.as_row()
        padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
        click.echo("  ".join([*padded, about]))
    return output.FINE


@cardrun.command()
@click.option("--json", is_flag=True, expose_value=False, help="It is JSON anyway.")
@color_option
def schema() -> int:
    """Print the JSON Schema of rulesets, for editors."""
    from cardrun.interpreter.text.schema import SCHEMA_FILE

    click.echo(SCHEMA_FILE.read_text(encoding="utf-8"), nl=False)
    return output.FINE


@cardrun.command()
@ruleset_argument
@players_option
@setting_option
@with_option
@click.option("--code", is_flag=True, help="Print the Python source that runs.")
@json_option
@color_option
def show(
    file: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    code: bool,
    as_json: bool,
) -> int:
    """Print the ruleset that runs, each part with the place it came from."""
    if code:
        game = arguments.load_game(file, players, settings, house_rules)
        if as_json:
            output.print_json({"game": game.name, "file": game.path, "code": game.code})
        else:
            click.echo(game.code)
        return output.FINE
    from cardrun.interpreter.sheets.catalogue import read_ruleset
    from cardrun.interpreter.variants.printer import print_ruleset, ruleset_as_json

    composed = read_ruleset(file, house_rules)
    if as_json:
        output.print_json(ruleset_as_json(composed))
    else:
        click.echo(print_ruleset(composed), nl=False)
    return output.FINE


@cardrun.command()
@click.argument("first", metavar="A", shell_complete=arguments.complete_ruleset)
@click.argument(
    "second", metavar="[B]", required=False, shell_complete=arguments.complete_ruleset
)
@players_option
@setting_option
@with_option
@json_option
@color_option
def diff(
    first: str,
    second: str | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    as_json: bool,
) -> int:
    """Say what is different in ruleset B, or in A with options and house rules."""
    from cardrun.interpreter.sheets.contrast import contrast
    from cardrun.interpreter.tables.sheets import render_contrast

    if second is None and not house_rules and not settings:
        message = "Missing argument 'B', or --with or --set: compared with what?"
        raise click.UsageError(message)
    other = arguments.load_game(second or first, players, settings, house_rules)
    one = arguments.load_beside(first, other.players)
    found = contrast(one, other)
    if as_json:
        output.print_json(found.as_json())
    else:
        click.echo(render_contrast(found))
    return output.FINE


@cardrun.command()
@click.argument("name", metavar="NAME", type=click.Path())
@click.option(
    "--extends",
    "base",
    metavar="BASE",
    shell_complete=arguments.complete_ruleset,
    help="Begin a house rule for this game: a file, or a shipped one.",
)
@json_option
@color_option
def new(name: str, base: str | None, as_json: bool) -> int:
    """Write a commented file to begin with: a game, or a house rule."""
    from cardrun.interpreter.sheets.catalogue import read_ruleset
    from cardrun.interpreter.sheets.sheet import tell_parts
    from cardrun.interpreter.text.schema import link_schema
    from cardrun.interpreter.variants.starter import write_game, write_house_rule

    if not Path(name).name:
        raise click.UsageError("Give the new file a name.")
    path = Path(name if Path(name).suffix else f"{name}.yaml")
    title = path.stem.replace("_", " ").replace("-", " ")
    schema_link = link_schema(path.parent)
    if base is None:
        text = write_game(title.capitalize(), schema_link)
    else:
        link = arguments.link_base(path, base)
        text = write_house_rule(
            title,
            read_ruleset(base),
            link,
            schema_link,
            tell_parts(arguments.load_game(base, None, ())),
        )
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise output.FileTrouble(
            f"cannot write '{path}': {output.reason(error)}"
        ) from error
    if as_json:
        output.print_json({"file": str(path), "extends": base})
    else:
        command = shlex.join(["cardrun", "validate", str(path)])
        click.echo(f"{path}: written; check it with: {command}")
    return output.FINE


@cardrun.command()
@ruleset_argument
@players_option
@setting_option
@with_option
@language_option
@click.option("--html", is_flag=True, help="Print a page, for a browser or a printer.")
@json_option
@color_option
def rules(
    file: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    house_rules: tuple[str, ...],
    lang: str,
    html: bool,
    as_json: bool,
) -> int:
    """Print the rule sheet, in words, of exactly what runs."""
    from cardrun.interpreter.sheets.sheet import write_sheet
    from cardrun.interpreter.sheets.translation import load_translation
    from cardrun.interpreter.tables import sheets

    game = arguments.load_game(file, players, settings, house_rules)
    sheet = write_sheet(game)
    words = load_translation(Path(game.base_path), lang)
    if as_json:
        output.print_json(sheets.as_json(sheet, words))
    elif html:
        click.echo(sheets.render_html(sheet, words))
    else:
        click.echo(sheets.render_text(sheet, words))
    return output.FINE


@cardrun.command("fmt")
@click.argument(
    "files",
    metavar="FILE…",
    nargs=-1,
    required=True,
    shell_complete=arguments.complete_ruleset,
)
@click.option("--check", "is_check", is_flag=True, help="Only say what would change.")
@json_option
@color_option
def format_files(files: tuple[str, ...], is_check: bool, as_json: bool) -> int:
    """Bring rulesets into the one form; comments and line breaks stay."""
    from cardrun.interpreter.sheets.catalogue import tidy_file

    changed: list[str] = []
    problems: list[Problem] = []
    code = output.FINE
    for file in files:
        try:
            before, after, found = tidy_file(Path(file))
            problems += found
            if before != after and not is_check:
                Path(file).write_text(after, encoding="utf-8", newline="\n")
        except OSError as error:
            code = output.report_unreadable(error, file)
            continue
        changed += [file] if before != after else []
    if as_json:
        output.print_json({"changed": changed, "problems": len(problems)})
    else:
        verb = "would be changed" if is_check else "changed"
        lines = [f"{file}: {verb}" for file in changed]
        lines += [output.paint(problem.render()) for problem in problems]
        if lines or not code:
            click.echo("\n".join(lines or ["nothing to change"]))
    is_wrong = problems or (is_check and changed)
    return code or (output.FINDINGS if is_wrong else output.FINE)


@cardrun.command()
@click.argument("code", metavar="[CODE]", required=False)
@json_option
@color_option
def explain(code: str | None, as_json: bool) -> int:
    """Say what a problem's code means, with an example and the remedy.

    Without a code all codes are listed.
    """
    from dataclasses import asdict

    from cardrun.interpreter.sheets import explanations

    if code is None:
        finds = {key: found.finds for key, found in sorted(explanations.CODES.items())}
        width = max(map(len, finds))
        if as_json:
            output.print_json([{"code": key, "finds": finds[key]} for key in finds])
        else:
            click.echo("\n".join(f"{key:<{width}}  {finds[key]}" for key in finds))
        return output.FINE
    page = explanations.explain(code)
    if as_json:
        output.print_json({"code": code, **asdict(explanations.CODES[code])})
    else:
        click.echo(page)
    return output.FINE


if __name__ == "__main__":
    main()
