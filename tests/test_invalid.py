"""Each mistake in ``tests/invalid`` is reported as the file beside it says.

A case is a pair: ``CODE_case.yaml``, a file that is wrong, and ``.txt``, the
whole report. Bases that cases extend lie in ``bases``, as do house rules, which
a first line ``# with: NAME …`` lays over the case; libraries lie in ``lib``. With
GOLDEN=write in the environment the reports are written anew, to be looked at
before they are committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardrun.interpreter.loader import check_file
from cardrun.interpreter.sheets.explanations import CODES
from cardrun.interpreter.text.errors import Problem, render_problems

ROOT = Path(__file__).parent.parent
CASES = sorted((ROOT / "tests" / "invalid").glob("*.yaml"))
# Codes whose shortest case is a file that nobody wants to keep.
TOO_LONG_TO_KEEP = {"file-too-large", "too-many-nodes"}
# Codes of the modules that these cases are about.
CODES_OF_FILES = tuple(CODES)[: tuple(CODES).index("unreadable-base") + 1]


def check(path: Path) -> list[Problem]:
    """Return what is wrong with a case, as seen from the top of the repository."""
    first = path.read_bytes().split(b"\n")[0].decode(errors="replace")
    names = first.partition("# with: ")[2].split()
    case = path.relative_to(ROOT)
    rules = [case.parent / "bases" / f"rule_{name}.yaml" for name in names]
    return check_file(case, rules)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_report_is_as_recorded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths in a report are those given, seen from the top of the repository."""
    monkeypatch.chdir(ROOT)
    actual = render_problems(check(path)) + "\n"
    golden = path.with_suffix(".txt")
    if os.environ.get("GOLDEN") == "write":
        golden.write_text(actual, encoding="utf-8", newline="\n")
    assert actual == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_code_is_that_of_the_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A case shows one kind of mistake, and is named after it."""
    monkeypatch.chdir(ROOT)
    codes = {problem.code for problem in check(path)}
    assert codes == {path.stem.split("_")[0]}


def test_every_code_of_files_has_a_case() -> None:
    """Each code of reader, shape and compose has a case, if it can be kept."""
    shown = {path.stem.split("_")[0] for path in CASES}
    assert set(CODES_OF_FILES) - shown == TOO_LONG_TO_KEEP


def test_no_report_is_left_without_its_case() -> None:
    """A case that goes takes its report with it."""
    reports = {path.stem for path in (ROOT / "tests" / "invalid").glob("*.txt")}
    assert reports == {path.stem for path in CASES}
