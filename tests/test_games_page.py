"""The page of all games says what the games are, and its figures are true."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from cardrun.interpreter import load
from cardrun.interpreter.loader import shipped

FOLDER = Path(__file__).parent.parent / "docs"
TEXT = (FOLDER / "games.md").read_text(encoding="utf-8")
NAMES = [path.stem for path in shipped()]


@pytest.fixture(scope="module")
def make() -> ModuleType:
    """Return the script that writes the page."""
    spec = spec_from_file_location("make", FOLDER / "games" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_script_writes(make: ModuleType) -> None:
    """But for the figures; if not: python docs/games/make.py --keep."""
    assert make.render(make.read_figures(TEXT)) == TEXT


@pytest.mark.parametrize("name", NAMES)
def test_a_game_is_listed_as_it_loads(name: str) -> None:
    """Its row has players, family and how many options; its part tells of each."""
    game = load(name)
    row = next(line for line in TEXT.splitlines() if f"](#{name}) |" in line)
    title, players, family, options, *_ = (cell.strip() for cell in row.split("|")[1:])
    assert title == f"[{game.name}](#{name})"
    counts = game.player_counts
    assert players == "-".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
    assert family == game.family
    assert int(options) == len(game.option_table)
    part = TEXT.split(f'<a id="{name}"></a>')[1].split("\n## ")[0]
    assert all(f"\n- `{option.name}`: " in part for option in game.option_table)


@pytest.mark.parametrize("name", ["agram", "cuckoo"])
def test_figures_of_the_page_are_those_of_the_games(
    make: ModuleType, name: str
) -> None:
    """Two hundred games from the seed that the page names give its figures."""
    assert make.play(name) == make.read_figures(TEXT)[name]
