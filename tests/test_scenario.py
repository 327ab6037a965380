"""Scenario files are read whole, and every mistake in one is shown."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from cardrun.interpreter.testing.scenario import (
    ScenarioFile,
    find_scenario_files,
    load_scenarios,
)
from cardrun.interpreter.text.errors import Problem

FULL = """\
    ruleset: ../rules.yaml
    scenarios:
      - name: a jack is lower than a queen
        rule: I1
        players: 3
        options: {claim: slap}
        with: []
        at: play
        given:
          turn: 1
          pile: [4C, (QD)]
          rest: burned
          seed: 4
        do:
          - 1 play QH
          - refused: 2 play JS
            because: lower
          - {refused: 2 fly, no_such_move: yes}
        legal:
          1: [play QH, take]
          2: {includes: [take], excludes: [risk]}
        then: {turn: 1, size(pile): 2}
    """


def load(folder: Path, text: str) -> tuple[ScenarioFile | None, list[Problem]]:
    """Write a scenario file and load it."""
    path = folder / "case.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return load_scenarios(path)


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    """Each part lands where it belongs, still as text."""
    file, problems = load(tmp_path, FULL)
    assert problems == []
    assert file is not None
    assert file.ruleset == tmp_path / "../rules.yaml"
    (made,) = file.scenarios
    assert (made.name, made.rule) == ("a jack is lower than a queen", "I1")
    assert (made.players, made.seed, made.deck) == (3, 4, None)
    assert made.at is not None
    assert made.rest is not None
    assert (made.at.text, made.rest.text) == ("play", "burned")
    assert [(key.text, value.text) for key, value in made.options] == [
        ("claim", "slap")
    ]
    assert [key.text for key, _ in made.given] == ["turn", "pile"]
    assert [step.render() for step in made.steps] == [
        "1 play QH",
        "refused: 2 play JS",
        "refused: 2 fly",
    ]
    assert [step.is_unknown for step in made.steps] == [False, False, True]
    assert [legal.is_whole for legal in made.legal] == [True, False]
    assert [key.text for key, _ in made.then] == ["turn", "size(pile)"]


@pytest.mark.parametrize(
    ("old", "new", "report"),
    [
        (
            "given:",
            "givn:",
            "10:5: error: unknown key 'givn' in a scenario [unknown-key]",
        ),
        (
            "- name: a jack is lower than a queen\n        rule: I1",
            "- rule: I1",
            "4:5: error: a scenario needs 'name' [missing-key]",
        ),
        (
            "name: a",
            "nme: a",
            "4:5: error: unknown key 'nme' in a scenario [unknown-key]",
        ),
        (
            "- 1 play QH",
            "- play QH",
            "16:9: error: expected a seat and a move, found 'play QH' [wrong-shape]",
        ),
        (
            "players: 3",
            "players: three",
            "6:14: error: expected a number of players, found 'three' [wrong-shape]",
        ),
        (
            "at: play",
            "deck: [8C]",
            "9:11: error: 'deck' plays from the start, 'at' and 'given' do not "
            "[wrong-shape]",
        ),
        (
            "no_such_move: yes",
            "no_such_move: perhaps",
            "19:40: error: expected yes or no, found 'perhaps' [wrong-shape]",
        ),
        (
            "ruleset: ../rules.yaml",
            "",
            "3:1: error: a scenario file needs 'ruleset' [missing-key]",
        ),
        (
            "- refused: 2 play JS\n            because: lower",
            "- because: lower",
            "17:9: error: a step that is no text needs 'refused' [missing-key]",
        ),
    ],
)
def test_a_mistake_is_shown_with_its_place(
    tmp_path: Path, old: str, new: str, report: str
) -> None:
    """The file is then not run at all."""
    file, problems = load(tmp_path, "\n" + FULL.replace(old, new, 1))
    lines = [
        problem.render().splitlines()[0].removeprefix(f"{tmp_path}/case.yaml:")
        for problem in problems
    ]
    assert file is None
    assert report in lines


def test_an_unknown_key_has_a_suggestion(tmp_path: Path) -> None:
    """A typing error costs one more try."""
    _, problems = load(tmp_path, FULL.replace("given:", "givn:"))
    assert problems[0].hint.startswith("did you mean 'given'?")


def test_folders_are_searched_for_scenario_files(tmp_path: Path) -> None:
    """Rulesets, other YAML files and hidden folders are passed over."""
    texts = {
        "b.yaml": "ruleset: x.yaml\nscenarios: []\n",
        "deep/a.yml": "# first\nscenarios: []\n",
        "spit.yaml": "cardrun: 1\nname: Spit\n",
        ".hidden/c.yaml": "ruleset: x.yaml\nscenarios: []\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = [path.relative_to(tmp_path) for path in find_scenario_files(tmp_path)]
    assert found == [Path("b.yaml"), Path("deep/a.yml")]


def test_a_file_that_is_named_is_taken(tmp_path: Path) -> None:
    """Whatever it holds: what is wrong with it is then shown."""
    assert find_scenario_files(tmp_path / "x.txt") == [tmp_path / "x.txt"]


def test_the_shipped_scenarios_are_sound() -> None:
    """None of them is left out for a mistake in its file."""
    folder = Path(__file__).parent / "scenarios"
    files = find_scenario_files(folder)
    assert files
    assert [load_scenarios(file)[1] for file in files] == [[]] * len(files)
