"""What differs between two games is said in sentences."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cardrun.cli import cardrun
from cardrun.interpreter import Game, load
from cardrun.interpreter.loader import shipped_house_rules
from cardrun.interpreter.sheets.catalogue import describe_house_rule
from cardrun.interpreter.sheets.contrast import contrast
from cardrun.interpreter.tables.sheets import render_contrast

GOLDENS = Path(__file__).parent / "goldens" / "diffs"
HOUSE_RULES = {path.stem: path for path in shipped_house_rules()}


def compare(game: Game, base: str) -> str:
    """Return what differs in a game, in words."""
    return render_contrast(contrast(load(base, players=None), game))


def find_base(rule: Path) -> str:
    """Return the game that a house rule is for, though it builds on another one."""
    name = describe_house_rule(rule).games[0]
    return find_base(HOUSE_RULES[name]) if name in HOUSE_RULES else name


def tell(game: Game, base: str) -> str:
    """Return what differs in a game as one long line."""
    return " ".join(compare(game, base).split())


@pytest.mark.parametrize("path", sorted(GOLDENS.glob("*.txt")), ids=lambda p: p.stem)
def test_a_house_rule_is_told_as_recorded(path: Path) -> None:
    """Each as a family would have it read to them; GOLDEN=write records anew."""
    rule = HOUSE_RULES[path.stem]
    told = compare(load(rule), find_base(rule)) + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", HOUSE_RULES.values(), ids=lambda path: path.stem)
def test_every_house_rule_is_told_in_words(rule: Path) -> None:
    """None as the ruleset writes it, and none that differs is left out."""
    found = contrast(load(find_base(rule)), load(rule))
    entries = [entry for chapter in found.chapters for entry in chapter.entries]
    assert found.is_related
    assert entries
    assert [
        text
        for entry in entries
        for _, text in entry.lines
        if re.match(r"(now|was): |[a-z]+\.[a-z_.]+:$", text)
    ] == []
    items = {re.sub(r"^(\w+\.\w+).*", r"\1", part.part) for part in found.differences}
    told = {entry.part for entry in entries}
    assert {item for item in items if item.partition(".")[0] == "define"} <= told


def test_an_option_is_told_as_a_rule() -> None:
    """What it means, and what was so before."""
    changed = load(
        "spit", options={"alternate_colours": True, "claim": "winner_chooses"}
    )
    told = tell(changed, "spit")
    assert told.startswith("Spit, compared with what is usual")
    assert (
        "A card played must differ in colour from the card it covers (was: need not)."
        in told
    )
    assert "find their owners: winner chooses (was: slap)." in told
    usual = load("speed", options={"wrap": False, "side_piles": 5})
    told = tell(usual, "speed")
    assert "Cards in each side pile: 5 (was: 10)." in told
    assert "No longer: aces and kings go on each other." in told


def test_a_definition_goes_on_from_what_it_was() -> None:
    """An exception, one more case and one more condition each have their words."""
    exception = tell(load(HOUSE_RULES["seven-low"]), "idiot")
    assert "is 7, a card c fits only if" in exception
    assert "else as before (was: a card c fits if c is special" in exception
    case = tell(load(HOUSE_RULES["three-mirror"]), "idiot")
    assert "A card c fits also if the rank of c is 3 (was:" in case
    assert "whose rank is not 3 (was: the pile)." in case
    limit = tell(load(HOUSE_RULES["ten-not-on-seven"]), "idiot")
    assert "A card c fits only if, besides, the rank of c is not 10" in limit


def test_a_limit_is_told_with_its_reason(tmp_path: Path) -> None:
    """The number where it is another, and why it is meant."""
    rule = tmp_path / "shorter.yaml"
    text = "extends: idiot.yaml\nname: Shorter\nreplace:\n  limit: "
    rule.write_text(text + "500\n", encoding="utf-8")
    base = tmp_path / "idiot.yaml"
    base.write_text(load("idiot").composed.sources[0].text, encoding="utf-8")
    told = tell(load(rule), str(base))
    assert "A game ends unfinished after 500 decisions (was: 30000)." in told
    assert "Games at random" not in told
    rule.write_text(
        text + "{decisions: 30000, because: it goes round}\n", encoding="utf-8"
    )
    told = tell(load(rule), str(base))
    assert "A game ends unfinished" not in told
    assert "Games at random may go on so long: it goes round." in told


def test_what_a_move_does_is_told_where_it_differs() -> None:
    """New guards with their reasons, new things done, and other numbers."""
    told = tell(load(HOUSE_RULES["auto-turn"]), "spit")
    assert "new: turn tops (see below)." in told
    assert "No longer: turn up the top of a pile." in told
    told = tell(load(HOUSE_RULES["must-play"]), "spit")
    assert "new: only if you cannot play a card on a pile" in told
    assert "(else: you can play a card)" in told


def test_what_only_another_option_shows_is_told_with_it() -> None:
    """The rules for three turn side piles over otherwise, where that is chosen."""
    told = tell(load(HOUSE_RULES["speed-for-three"]), "speed")
    assert "How new side piles come from the middle: turn over" not in told
    assert "With “how new side piles come from the middle: turn over”:" in told


def test_a_copy_that_was_changed_is_compared_part_by_part(tmp_path: Path) -> None:
    """Whoever copies a game and edits it reads what they changed."""
    original = Path(load("spit").path).read_text(encoding="utf-8")
    copy = tmp_path / "my_spit.yaml"
    old = "alternate_colours:     {default: no"
    assert old in original
    copy.write_text(original.replace(old, old.replace("no", "yes")), encoding="utf-8")
    told = tell(load(copy), "spit")
    assert "must differ in colour from the card it covers (was: need not)." in told
    assert "different games" not in told


def test_games_that_are_not_related_are_told_in_short() -> None:
    """Who plays, with which cards and who wins, and not each rule of both."""
    told = compare(load("hearts"), "idiot")
    assert told.startswith("Hearts and Idiot are different games")
    assert "For 3 to 7 players; here 4 play." in told
    assert "The lowest place wins." in told
    assert len(told.splitlines()) < 30


def test_the_same_game_is_the_same() -> None:
    """That is said, too."""
    assert "The rules are the same." in compare(load("idiot"), "idiot")


def test_the_command_compares_files_options_and_house_rules() -> None:
    """One file with --set or --with, or two files; and says what is missing."""
    runner = CliRunner()
    alone = runner.invoke(cardrun, ["diff", "idiot", "--with", "seven-low"])
    assert alone.exit_code == 0
    assert "Seven or lower: On a seven goes a seven or lower, or a two." in alone.output
    chosen = runner.invoke(cardrun, ["diff", "idiot", "--set", "risk_any_time=yes"])
    assert "by a player who could play (was: may" in chosen.output
    assert runner.invoke(cardrun, ["diff", "idiot"]).exit_code == 2
    rule = str(HOUSE_RULES["seven-low"])
    found = json.loads(runner.invoke(cardrun, ["diff", "idiot", rule, "--json"]).output)
    (fits,) = [part for part in found if part["part"] == "define.fits(c)"]
    assert fits["kind"] == "changed"
    assert fits["words"].startswith("If the pile is not empty")
    assert "base(c)" in fits["now"]
    assert fits["file"] == rule
