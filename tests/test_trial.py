"""Scenarios are run, and what fails says what was expected and what is there."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from cardrun.interpreter.testing.trial import Verdict, run_file

RULES = """\
    cardrun: 1
    name: Lay
    players: 2..3
    deck: {kind: french}
    options: {any_card: {default: yes, about: any card may be laid}}
    zones:
      stock: {face: down, holds: deck}
      pile:  {face: up}
      tray:  {per: player, face: down}
      hand:  {per: player, seen_by: owner}
    state:
      laid: {per: player, start: 0}
      called: {type: suit or none}
    moves:
      lay:
        pick: {card: hand}
        when:
          fits: {if: not any_card, test: card.suit == hearts, because: hearts only}
        do: [move card to pile, add 1 to me.laid, add 2 to me.score]
      call: {pick: {suit: {suit: suits}}, do: [set called to suit]}
    play:
      - shuffle stock
      - deal 2 to hand each
      - turns: {name: round, from: players.first, until: "any(players, it.hand.empty)"}
        do:
          - choose: [lay, call]
    result: {rank_by: score}
    """
POSITION = """\
    at: lay
    given:
      turn: 2
      pile: [4C, 9D]
      1.hand: [8C, 8D]
      2.hand: [KH, 2S]
      1.tray: [(3C), 5C]
      stock: [6C, 7C]
    """


def run(folder: Path, scenario: str) -> list[Verdict]:
    """Run a file with one scenario."""
    (folder / "lay.yaml").write_text(dedent(RULES), encoding="utf-8")
    body = indent(dedent(scenario), "    ").lstrip()
    text = f"ruleset: lay.yaml\nscenarios:\n  - name: case\n    {body}"
    path = folder / "case.yaml"
    path.write_text(text, encoding="utf-8")
    return run_file(path)


def report(folder: Path, scenario: str) -> str:
    """Return what is printed of a scenario, its folder left out."""
    (verdict,) = run(folder, scenario)
    return "" if verdict.passed else verdict.render().replace(f"{folder}/", "")


def check(folder: Path, more: str) -> str:
    """Return what is printed of a scenario in the usual position."""
    return report(folder, dedent(POSITION) + dedent(more))


@pytest.mark.parametrize(
    "more",
    [
        "then: {turn: 2, pile: [4C, 9D], 1.tray: [(3C), 5C], over: no}",
        "then: {1.hand: [8D, 8C], 2.laid: 0, called: none, size(pile): 2}",
        "then: {pile: [2 4C, 1 9D]}",
        "legal: {2: [lay KH, lay 2S, call clubs, call D, call hearts, call S], 1: []}",
        "legal: {2: {includes: [lay kh, lay 2♠], excludes: [lay 8C]}}",
        "do: [2 lay KH]\nthen: {pile: [4C, 9D, KH], 2.laid: 1, turn: 1}",
        "do: [2 lay KH, 1 lay 8C, 2 lay 2S]\n"
        "then: {over: yes, winner: 2, scores: {1: 2, 2: 4}}",
        "do: [2 call hearts]\nthen: {called: hearts}",
        "do: [{refused: 1 lay 8C}]",
        "do: [{refused: 2 lay 9D}]",
        "do: [{refused: 2 fly, no_such_move: yes}]",
        "options: {any_card: no}\ndo: [{refused: 2 lay 2S, because: Hearts}]",
    ],
)
def test_a_right_answer_passes(tmp_path: Path, more: str) -> None:
    """Moves, values, piles, sizes, legal moves and the end are compared."""
    assert check(tmp_path, more) == ""


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            "do: [2 lay 9D]",
            "case.yaml:12:10: failed: step 1: 2 lay 9D\n   expected: a legal move\n",
        ),
        (
            "do: [{refused: 2 lay KH}]",
            "failed: step 1: refused: 2 lay KH\n"
            "   expected: a refusal\n   found:    the move is legal",
        ),
        (
            "do: [{refused: 2 fly}]",
            "expected: a move that is refused\n   found:    there is no move 'fly'",
        ),
        (
            "do: [{refused: 2 lay 8C, no_such_move: yes}]",
            "expected: no such move\n",
        ),
        (
            "options: {any_card: no}\ndo: [{refused: 2 lay 2S, because: spades}]",
            "expected: because: spades\n   found:    hearts only",
        ),
        (
            "then: {pile: [9D, 4C]}",
            "failed: then: pile\n   expected: [9D, 4C]\n   found:    [4C, 9D]",
        ),
        (
            "then: {1.tray: [3C, (5C)]}",
            "   expected: [3C, (5C)]\n   found:    [(3C), 5C]",
        ),
        ("then: {1.hand: [8C]}", "   expected: [8C]\n   found:    [8C, 8D]"),
        ("then: {turn: 1}", "   expected: 1\n   found:    2"),
        ("then: {called: clubs}", "   expected: clubs\n   found:    none"),
        ("then: {over: yes}", "   expected: yes\n   found:    no"),
        ("then: {winner: 1}", "   expected: 1\n   found:    the game is not over"),
        (
            "legal: {2: [lay KH, lay 8C]}",
            "failed: legal: moves of player 2\n"
            "   expected: lay KH, lay 8C\n"
            "   found:    lay 2S, lay KH, call clubs, call diamonds, call hearts, "
            "call spades (missing: lay 8C; too many: lay 2S, call clubs, ",
        ),
        (
            "legal: {2: {excludes: [lay KH]}}",
            "   expected: without: lay KH\n",
        ),
        ("legal: {2: [fly]}", "'fly' names no move"),
    ],
)
def test_a_wrong_answer_is_told(tmp_path: Path, more: str, line: str) -> None:
    """The step, what was expected, and what is there."""
    assert line in check(tmp_path, more)


def test_all_wrong_answers_are_told_at_once(tmp_path: Path) -> None:
    """But nothing after a step that fails."""
    assert check(tmp_path, "then: {turn: 1, pile: []}").count("failed:") == 2
    assert check(tmp_path, "do: [1 lay 8C]\nthen: {pile: []}").count("failed:") == 1


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "pile: [4C, 9D]",
            "pil: [4C, 9D]",
            "7:7: error: no pile or variable 'pil' in Lay [unknown-place]",
        ),
        (
            "[8C, 8D]",
            "[8C, 9D]",
            "8:20: error: the card 9D is placed twice [card-twice]",
        ),
        (
            "[KH, 2S]",
            "[KH, 1S]",
            "9:20: error: no card '1S' in this deck [unknown-card]",
        ),
        (
            "[KH, 2S]",
            "[KH, (2S)]",
            "9:20: error: a card of '2.hand' has no side that is up [wrong-shape]",
        ),
        (
            "turn: 2",
            "turn: 3",
            "6:13: error: 'turn' needs a seat, found '3' [unknown-seat]",
        ),
        ("at: lay", "at: ly", "4:9: error: no decision 'ly' in Lay [unknown-decision]"),
        (
            "[6C, 7C]",
            "70",
            "11:14: error: 'stock' needs 70 cards, 44 are left [wrong-shape]",
        ),
    ],
)
def test_what_means_nothing_is_a_problem(
    tmp_path: Path, old: str, new: str, line: str
) -> None:
    """It has its place, and the scenario fails."""
    assert old in POSITION
    assert f"case.yaml:{line}" in report(tmp_path, POSITION.replace(old, new))


def test_a_wrong_option_is_shown_in_the_scenario(tmp_path: Path) -> None:
    """Not in the ruleset, which is sound."""
    printed = check(tmp_path, "options: {any: no}")
    assert "case.yaml:12:15: error: unknown option 'any' [unknown-option]" in printed
    assert "Options here: any_card." in printed


def test_a_number_stands_for_cards_not_placed(tmp_path: Path) -> None:
    """The seed fixes which."""
    assert (
        report(
            tmp_path,
            """\
            at: lay
            given: {turn: 1, 1.hand: 3, pile: 5, rest: 2.tray, seed: 3}
            then: {size(1.hand): 3, size(pile): 5, size(2.tray): 44, size(stock): 0}
            """,
        )
        == ""
    )


def test_cards_can_be_taken_out(tmp_path: Path) -> None:
    """``rest: nowhere`` leaves what is placed."""
    more = "rest: nowhere\nthen: {size(stock): 2, size(2.tray): 0}"
    assert check(tmp_path, more) == ""


def test_a_stacked_deck_is_dealt_from_its_first_card(tmp_path: Path) -> None:
    """One at a time, around the table; the game has just begun."""
    text = "deck: [AC, 2C, 3C]\nlegal: {1: {includes: [lay AC, lay 3C]}}\n"
    assert report(tmp_path, text) == ""


def test_a_missing_ruleset_is_a_problem(tmp_path: Path) -> None:
    """Shown where the scenario file names it."""
    path = tmp_path / "case.yaml"
    path.write_text("ruleset: x.yaml\nscenarios: [{name: a}]\n", encoding="utf-8")
    (verdict,) = run_file(path)
    assert verdict.problems[0].code == "missing-ruleset"
    assert verdict.problems[0].span.line == 1


def test_a_shipped_game_is_named_without_its_path(tmp_path: Path) -> None:
    """As ``with`` names shipped house rules."""
    path = tmp_path / "case.yaml"
    text = "ruleset: whist\nscenarios: [{name: a, then: {turn: 1}}]\n"
    path.write_text(text, encoding="utf-8")
    (verdict,) = run_file(path)
    assert verdict.passed


def test_a_verdict_gives_its_fields_to_programs(tmp_path: Path) -> None:
    """The keys are a promise to scripts."""
    (verdict,) = run(tmp_path, dedent(POSITION) + "rule: L1\nthen: {turn: 1}")
    assert verdict.as_json() == {
        "file": str(tmp_path / "case.yaml"),
        "name": "case",
        "rule": "L1",
        "passed": False,
        "failures": [
            {
                "line": 13,
                "column": 12,
                "step": "then: turn",
                "expected": "1",
                "found": "2",
            }
        ],
        "problems": [],
    }
