"""New files are sound from the start, and every line they offer is too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardrun.cli import cardrun
from cardrun.interpreter.loader import check_file, load, shipped
from cardrun.interpreter.sheets.catalogue import read_ruleset
from cardrun.interpreter.sheets.sheet import tell_parts
from cardrun.interpreter.text.schema import SCHEMA_FILE, link_schema
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.variants.formatter import format_text
from cardrun.interpreter.variants.lineage import SHIPPED
from cardrun.interpreter.variants.starter import write_game, write_house_rule

GAMES = [path.stem for path in shipped()]


def begin(game: str, told: dict[str, str]) -> str:
    """Return a new house rule for a game."""
    link = f"{game}.yaml"
    return write_house_rule("mine", read_ruleset(game), link, "ruleset.json", told)


def test_a_new_game_is_sound_and_ends(tmp_path: Path) -> None:
    """It can be played before anything is changed."""
    path = tmp_path / "mine.yaml"
    path.write_text(write_game("No: mine", "ruleset.json"), encoding="utf-8")
    assert check_file(path) == []
    game = load(path)
    state, _ = game.play_random(1, 0)
    assert game.name == "No: mine"
    assert state.result is not None


@pytest.mark.parametrize("game", GAMES)
def test_a_new_house_rule_changes_nothing(tmp_path: Path, game: str) -> None:
    """It plays the same game under another name."""
    path = tmp_path / "mine.yaml"
    text = write_house_rule(
        "mine", read_ruleset(game), f"{game}.yaml", "ruleset.json", {}
    )
    path.write_text(text, encoding="utf-8")
    first, second = load(game).play_random(3, 0), load(path).play_random(3, 0)
    assert first[1] == second[1]


@pytest.mark.parametrize("game", ["idiot", "hearts", "spit", "whist", "go_fish"])
def test_every_line_that_is_offered_is_sound(tmp_path: Path, game: str) -> None:
    """With all the marks taken away, the rules are those of the game still."""
    path = tmp_path / "mine.yaml"
    text = write_house_rule(
        "mine", read_ruleset(game), f"{game}.yaml", "ruleset.json", {}
    )
    whole = re.sub(r"^# (replace:|  \S+: \{now)", r"\1", text, flags=re.MULTILINE)
    assert whole.count(": {now: ") > 2
    path.write_text(whole, encoding="utf-8")
    assert check_file(path) == []
    assert load(game).play_random(3, 0)[1] == load(path).play_random(3, 0)[1]


@pytest.mark.parametrize("game", ["", *GAMES])
def test_a_new_file_is_in_the_one_form(tmp_path: Path, game: str) -> None:
    """Formatting it changes nothing, before and after the marks are taken away."""
    text = write_game("Mine", "ruleset.json")
    if game:
        text = write_house_rule(
            "mine", read_ruleset(game), f"{game}.yaml", "x.json", tell_parts(load(game))
        )
    assert format_text(Source("mine.yaml", text)) == (text, [])


def test_a_new_file_says_where_its_schema_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its address, or by its name where it was printed beside the file."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(cardrun, ["new", "far"]).exit_code == 0
    head = Path("far.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert head == f"# yaml-language-server: $schema={SCHEMA_FILE.resolve().as_uri()}"
    Path("ruleset.json").write_text(runner.invoke(cardrun, ["schema"]).output)
    assert runner.invoke(cardrun, ["new", "near", "--extends", "spit"]).exit_code == 0
    head = Path("near.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert head == "# yaml-language-server: $schema=ruleset.json"
    assert link_schema(SHIPPED) == "../schemas/ruleset.json"
    assert link_schema(SHIPPED / "house") == "../../schemas/ruleset.json"


def test_a_new_house_rule_says_what_each_part_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to read the ruleset to find the part to change."""
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(cardrun, ["new", "ours", "--extends", "idiot"])
    assert made.exit_code == 0
    text = Path("ours.yaml").read_text(encoding="utf-8")
    assert re.search(r"define\.fits\(c\): .* # A card c fits if c is special or", text)
    assert re.search(r"high_enough\.test: .* # Only if the first of those", text)


def test_a_file_is_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second time, the command fails and the file stays."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    first = runner.invoke(cardrun, ["new", "our_idiot", "--extends", "idiot"])
    assert first.exit_code == 0
    text = Path("our_idiot.yaml").read_text(encoding="utf-8")
    assert "extends: idiot.yaml\nname: Idiot, our idiot\n" in text
    again = runner.invoke(cardrun, ["new", "our_idiot"])
    assert again.exit_code == 3
    assert Path("our_idiot.yaml").read_text(encoding="utf-8") == text


def test_a_house_rule_lies_beside_its_game_or_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that would climb out of its folder is refused at once."""
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    assert runner.invoke(cardrun, ["new", "game"]).exit_code == 0
    (tmp_path / "below").mkdir()
    below = runner.invoke(cardrun, ["new", "below/x", "--extends", "game.yaml"])
    assert below.exit_code == 2
    beside = runner.invoke(cardrun, ["new", "x", "--extends", "game.yaml"])
    assert beside.exit_code == 0
    assert check_file(tmp_path / "x.yaml") == []
