"""Rulesets that are sound to read and wrong to play are found out by play.

A case in ``tests/broken`` is a pair: ``CODE_case.yaml`` and the report beside
it. With GOLDEN=write in the environment the reports are written anew, to be
looked at before they are committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardrun.interpreter import load
from cardrun.interpreter.testing.check import Check, list_tables

ROOT = Path(__file__).parent.parent
CASES = sorted((ROOT / "tests" / "broken").glob("*.yaml"))


def run_check(path: Path, games: int = 15, seed: int = 1) -> Check:
    """Return a check of a ruleset's usual table, run to its end."""
    game = load(path)
    check = Check(game, games, seed, list_tables(game, {}, (), is_every=False))
    for _ in check.run():
        pass
    return check


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_report_is_as_recorded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names the place, the seed and few moves; paths are as they were given."""
    monkeypatch.chdir(ROOT)
    check = run_check(path.relative_to(ROOT))
    found = [*(f.render() for f in check.findings), *(n.render() for n in check.notes)]
    actual = "\n".join(found) + "\n"
    golden = path.with_suffix(".txt")
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == golden.read_text(encoding="utf-8")
    problems = [finding.problem for finding in check.findings] + check.notes
    assert path.stem.split("_")[0] in {problem.code for problem in problems}


def test_games_that_may_go_on_by_what_the_ruleset_says_are_no_fault(
    tmp_path: Path,
) -> None:
    """Where some games end, a reason for the limit leaves nothing to say."""
    text = (ROOT / "tests" / "broken" / "limit-reached_sometimes.yaml").read_text(
        encoding="utf-8"
    )
    file = tmp_path / "game.yaml"
    file.write_text(text, encoding="utf-8")
    assert {note.code for note in run_check(file).notes} == {"limit-reached"}
    file.write_text(
        text.replace("limit: 18", "limit: {decisions: 18, because: some need long}"),
        encoding="utf-8",
    )
    check = run_check(file)
    assert 0 < check.played[0].unfinished < check.played[0].games
    assert check.findings == []
    assert check.notes == []
