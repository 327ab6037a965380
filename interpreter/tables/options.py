"""Options and arguments that several commands share."""

from __future__ import annotations

import os

import click

from . import arguments


def _set_color(ctx: click.Context, param: click.Parameter, when: str | None) -> None:
    """Decide on colours for the whole run: ``--color``, else the environment."""
    root = ctx.find_root()
    if when in ("always", "never"):
        root.color = when == "always"
    elif when is None and root.color is None:
        if os.environ.get("NO_COLOR"):
            root.color = False
        elif os.environ.get("FORCE_COLOR"):
            root.color = True
    ctx.color = root.color


def _note_json(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """Keep whether problems are to be printed as JSON too."""
    ctx.meta[arguments.JSON] = value
    return value


color_option = click.option(
    "--color",
    type=arguments.read_word(arguments.COLORS),
    metavar="WHEN",
    shell_complete=arguments.complete_words(arguments.COLORS),
    expose_value=False,
    is_eager=True,
    callback=_set_color,
    help="Use colours: auto, always or never.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, callback=_note_json, help="Print JSON."
)
ruleset_argument = click.argument(
    "file", metavar="FILE", shell_complete=arguments.complete_ruleset
)
players_option = click.option(
    "--players", type=click.IntRange(1), metavar="N", help="How many play."
)
setting_option = click.option(
    "--set",
    "settings",
    type=arguments.read_setting,
    multiple=True,
    metavar="OPTION=VALUE",
    help="Choose the value of an option of the rules. Repeatable.",
)
with_option = click.option(
    "--with",
    "house_rules",
    multiple=True,
    metavar="HOUSE-RULE",
    shell_complete=arguments.complete_house_rule,
    help="Lay a house rule over the ruleset: a file, or a shipped one. Repeatable.",
)
level_option = click.option(
    "--level",
    type=arguments.read_word(arguments.LEVELS),
    metavar="LEVEL",
    default="normal",
    show_default=True,
    shell_complete=arguments.complete_words(arguments.LEVELS),
    help=f"How long the bot ismcts thinks: {', '.join(arguments.LEVELS)}.",
)
backend_option = click.option(
    "--backend",
    type=arguments.read_word(arguments.BACKENDS),
    default="auto",
    show_default=True,
    metavar="BACKEND",
    shell_complete=arguments.complete_words(arguments.BACKENDS),
    help="What plays random games, and bots think by: auto, python or numba.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, 2**64 - 1),
    metavar="N",
    help="Deal the cards of this seed; without it, new ones.",
)
language_option = click.option(
    "--lang", metavar="CODE", default="en", help="In which language: ar, kmr, no, ps."
)
