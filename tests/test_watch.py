"""Rulesets are checked again when they are saved."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from cardrun.interpreter.tables.watch import each_change


def test_a_saved_file_is_noticed_and_nothing_else(tmp_path: Path) -> None:
    """At once, then when a ruleset changes, comes or goes; other files do not count."""
    file = tmp_path / "mine.yaml"
    file.write_text("a", encoding="utf-8")
    done: list[str] = []
    acts = iter(["other", "save", "new", "gone"])

    def wait(seconds: float) -> None:
        assert seconds > 0
        act = next(acts)
        done.append(act)
        if act == "other":
            (tmp_path / "notes.txt").write_text("b", encoding="utf-8")
        elif act == "save":
            os.utime(file, (1, 1))
        elif act == "new":
            (tmp_path / "two.yaml").write_text("c", encoding="utf-8")
        else:
            file.unlink()

    seen = [tuple(done) for _ in islice(each_change(tmp_path, wait), 4)]
    assert seen == [
        (),
        ("other", "save"),
        ("other", "save", "new"),
        ("other", "save", "new", "gone"),
    ]
