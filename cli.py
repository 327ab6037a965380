"""The command line: parse arguments, call one function, print."""

from __future__ import annotations

import click

from cardrun.interpreter.version import __version__


@click.group()
@click.version_option(__version__, prog_name="cardrun")
def main() -> None:
    """Play card games whose rules are written as data."""


if __name__ == "__main__":
    main()
