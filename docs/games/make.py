"""Write docs/games.md, the page of all shipped games: python docs/games/make.py.

With --keep no games are played: the figures stay as they are on the page.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from cardrun.interpreter.sheets.catalogue import Entry, list_game, list_shipped

PAGE = Path(__file__).parent.parent / "games.md"
GAMES = 200
SEED = 1
PAGAT = "https://www.pagat.com/"
SOURCES = {  # where the rules are written down: a page of pagat.com, or else in words
    "agram": "last/agram.html",
    "back_alley": "auctionwhist/backalley.html",
    "blackjack": "banking/blackjack.html",
    "bridge": "World Bridge Federation, *Laws of Duplicate Bridge 2017*",
    "briscola": "aceten/briscola.html",
    "crazy_eights": "eights/crazy8s.html",
    "cribbage": "adders/crib6.html",
    "cuckoo": "cuckoo/cuckoo.html",
    "euchre": "euchre/euchre.html",
    "go_fish": "quartet/gofish.html",
    "golf": "draw/golf.html",
    "goofspiel": "misc/gops.html",
    "hearts": "reverse/hearts.html",
    "idiot": "beating/shithead.html",
    "klaverjassen": "jass/klaverjassen.html",
    "leduc_poker": "Southey et al., *Bayes' Bluff: Opponent Modelling in Poker*, 2005",
    "oh_hell": "exact/ohhell.html",
    "pitch": "allfours/pitch.html",
    "president": "climbing/president.html",
    "rummy": "rummy/rummy.html",
    "scarto": "Dummett and McLeod, *A History of Games Played with the Tarot Pack*",
    "schwimmen": "commerce/schwimmen.html",
    "scopa": "fishing/scopa.html",
    "skitgubbe": "beating/skitgubbe.html",
    "speed": "patience/spit.html",
    "spit": "patience/spit.html",
    "sueca": "aceten/sueca.html",
    "whist": "whist/whist.html",
}
COLUMNS = (
    "| game | players | family | options | house rules "
    "| decisions | choices | branching | rules |\n"
    "| --- | --- | --- | --: | --: | --: | --: | --: | --- |"
)
HEAD = f"""\
# The games

Written by `python docs/games/make.py`. The figures are means of {GAMES} games at random
(`cardrun simulate NAME --games {GAMES} --seed {SEED}`), each with its usual players and
options: *decisions* are all moves made, *choices* those where there were two or more
to choose from, and *branching* is how many moves there were at a choice.

{COLUMNS}
"""
_ROW = re.compile(r"^\| \[[^]]*\]\(#(\w+)\) \|.*?\| (\d+\.\d \| \d+\.\d \| \d+\.\d) \|")


def render(figures: Mapping[str, str]) -> str:
    """Return the page, with the three cells of figures of each game."""
    games = [entry.name for entry in list_shipped() if entry.family]
    told = {name: list_game(name) for name in games}
    rows = [_show_row(entries, figures[name]) for name, entries in told.items()]
    parts = ["\n".join(_show_game(entries)) for entries in told.values()]
    return HEAD + "\n".join(rows) + "\n\n" + "\n\n".join(parts) + "\n"


def read_figures(text: str) -> dict[str, str]:
    """Return the figures on a page by the names of the games."""
    rows = filter(None, map(_ROW.match, text.splitlines()))
    return {row[1]: row[2] for row in rows}


def play(name: str) -> str:
    """Play many games at random, and return their figures as cells of the table."""
    games = ("--games", str(GAMES), "--seed", str(SEED))
    command = [sys.executable, "-m", "cardrun.cli", "simulate", name, *games, "--json"]
    found = json.loads(subprocess.check_output(command))
    branching = found["branching"]["choices_mean"]
    means = (found["decisions"]["mean"], found["choices"]["mean"], branching)
    return " | ".join(f"{mean:.1f}" for mean in means)


def _show_row(entries: list[Entry], figures: str) -> str:
    game, *rest = entries
    players = game.players.replace("..", "-")
    options = sum(entry.is_option for entry in rest)
    cells = [f"[{game.title}](#{game.name})", players, game.family]
    cells += [str(options), str(len(rest) - options), figures, _show_source(game.name)]
    return f"| {' | '.join(cells)} |"


def _show_source(name: str) -> str:
    source = SOURCES[name]
    return f"[pagat.com]({PAGAT}{source})" if source.endswith(".html") else source


def _show_game(entries: list[Entry]) -> Iterator[str]:
    game, *rest = entries
    yield f'## <a id="{game.name}"></a>{game.title}\n\n{game.about}'
    options = [entry for entry in rest if entry.is_option]
    rules = [entry for entry in rest if not entry.is_option]
    for head, listed in (("Options", options), ("House rules", rules)):
        if listed:
            yield f"\n{head} (`--{'set' if head == 'Options' else 'with'}`):\n"
        for entry in listed:
            title = f"{entry.title}. " if entry.title else ""
            yield f"- `{entry.name}`: {title}{entry.about}"


def main() -> None:
    """Write the page."""
    if "--keep" in sys.argv:
        figures = read_figures(PAGE.read_text(encoding="utf-8"))
    else:
        figures = {
            entry.name: play(entry.name) for entry in list_shipped() if entry.family
        }
    PAGE.write_text(render(figures), encoding="utf-8")


if __name__ == "__main__":
    main()
