"""What libraries have becomes part of the rulesets that use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardrun.interpreter.loader import check_file, load
from cardrun.interpreter.sheets.catalogue import list_game, list_shipped, read_ruleset
from cardrun.interpreter.text.errors import RulesError
from cardrun.interpreter.variants.lineage import LIBRARIES
from cardrun.interpreter.variants.printer import print_ruleset

GAME = """\
cardrun: 1
name: Tricks
use: standard_trick
players: {count: 4, partners: opposite}
deck: {kind: french}
define:
  is_trump(c): c.suit == spades
play:
  - shuffle deck
  - deal 13 to hand each
  - repeat: deal
    times: 13
    do: [run: play_trick]
  - score
scoring:
  tricks: {for: t in teams, to: t, points: t.won.size div 4}
result: {rank_by: score}
"""


def write(folder: Path, text: str) -> Path:
    """Write a ruleset into a folder."""
    path = folder / "tricks.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_game_of_tricks_is_a_page(tmp_path: Path) -> None:
    """What the library has needs no mention; thirteen tricks are all won."""
    path = write(tmp_path, GAME)
    assert check_file(path) == []
    state, _ = load(path).play_random(1, 0)
    assert state.result is not None
    assert state.result.scores[1] + state.result.scores[2] == 13


def test_parts_of_a_library_name_their_file(tmp_path: Path) -> None:
    """Printed, each part says which file and line it came from."""
    shown = print_ruleset(read_ruleset(str(write(tmp_path, GAME))))
    lines = {line.split(":")[0].strip(): line for line in shown.splitlines()}
    assert "# standard_trick.yaml:" in lines["play_trick"]
    assert "# standard_trick.yaml:" in lines["led"]
    assert "# tricks.yaml:" in lines["is_trump(c)"]
    assert "use" not in lines


def test_the_ruleset_takes_the_place_of_a_name(tmp_path: Path) -> None:
    """Its own rows are the only ones of that name: any card may be played."""
    rows = "rows:\n  follow:\n    anything: {cards: hand}\nplay:\n"
    state = load(write(tmp_path, GAME.replace("play:\n", rows, 1))).new(seed=3)
    state.apply(1, state.moves(1)[0])
    assert len(state.moves(2)) == 13


def test_the_place_of_a_problem_is_in_the_library(tmp_path: Path) -> None:
    """Where a team leads, the library's turns cannot begin with a player."""
    leader = "state: {leader: {type: team, start: teams.first}}\ndefine:"
    problem, *_ = check_file(write(tmp_path, GAME.replace("define:", leader)))
    assert problem.span.source.path.endswith("lib/standard_trick.yaml")
    assert problem.span.text == "leader"


def test_a_variable_of_a_block_takes_the_place_of_a_name(tmp_path: Path) -> None:
    """Trumps may belong to a deal, and are then set anew in each."""
    deal = "times: 13\n    state: {trump: {type: suit, start: spades}}"
    text = GAME.replace("times: 13", deal).replace("spades\nplay", "trump\nplay")
    assert "c.suit == trump" in text
    assert check_file(write(tmp_path, text)) == []


def test_options_of_a_library_may_be_chosen(tmp_path: Path) -> None:
    """One that the ruleset declares itself takes the place of the library's."""
    text = GAME.replace("use: standard_trick", "use: [standard_trick, several_deals]")
    text = text.replace(
        "  - score\n", "  - loop: game\n    do: [score, run: next_deal]\n"
    )
    assert load(write(tmp_path, text)).options == {"deals": 1, "target": 0}
    own = "options: {target: {default: 5, among: [5, 7], about: tricks}}\ndefine:"
    game = load(write(tmp_path, text.replace("define:", own)), options={"deals": 3})
    assert game.options == {"deals": 3, "target": 5}


@pytest.mark.parametrize(("own", "place"), [("", 9), ("values: {order: [7, 2]}", 1)])
def test_the_order_of_the_deck_needs_no_mention(
    tmp_path: Path, own: str, place: int
) -> None:
    """In the deck the seven is the ninth rank, unless another order is declared."""
    deck = "deck: {kind: french, ranks: [2..6, Q, J, K, 7, A]}"
    text = GAME.replace("deck: {kind: french}", f"{deck}\n{own}")
    text = text.replace("t.won.size div 4", '"place(7, order)"')
    text = text.replace(
        "  - repeat: deal\n    times: 13", "  - repeat: deal\n    times: 1"
    )
    text = text.replace("deal 13", "deal 1")
    state, _ = load(write(tmp_path, text)).play_random(1, 0)
    assert state.result is not None
    assert set(state.result.scores.values()) == {place}


def test_a_library_beside_the_ruleset_is_used_by_its_path(tmp_path: Path) -> None:
    """A path is seen from the folder of the ruleset."""
    text = "cardrun: 1\nlibrary: trumps\ndefine: {is_trump(c): c.suit == hearts}\n"
    (tmp_path / "trumps.yaml").write_text(text, encoding="utf-8")
    game = GAME.replace("standard_trick", "[standard_trick, trumps.yaml]")
    assert check_file(write(tmp_path, game)) == []
    with_both = game.replace("  is_trump(c): c.suit == spades\n", "  x: 1\n")
    assert [problem.code for problem in check_file(write(tmp_path, with_both))] == [
        "libraries-clash"
    ]


def test_a_library_is_checked_alone_as_far_as_it_goes(tmp_path: Path) -> None:
    """Its keys and the spelling of its expressions need no game."""
    text = "cardrun: 1\nlibrary: odd\ndefine: {a: x == , b: y.z}\n"
    assert [problem.code for problem in check_file(write(tmp_path, text))] == [
        "unfinished-expression"
    ]


def test_a_game_is_listed_with_its_options_and_house_rules() -> None:
    """Whatever may be chosen of a game has a line."""
    entries = list_game("idiot")
    assert [entry.name for entry in entries[:3]] == [
        *("idiot", "voluntary_pickup", "risk_any_time"),
    ]
    assert entries[1].as_row()[1:3] == ("option", "of idiot")
    assert "seven-low" in [entry.name for entry in entries]


def test_a_library_is_no_game(tmp_path: Path) -> None:
    """It can be neither loaded nor found among the games."""
    path = LIBRARIES / "standard_trick.yaml"
    with pytest.raises(RulesError, match="is a library, not a game"):
        load(path)
    assert "standard_trick" not in [entry.name for entry in list_shipped()]
