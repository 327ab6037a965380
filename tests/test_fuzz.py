"""Bytes that a fuzzer makes up from the shipped rulesets never raise by surprise."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cardrun.interpreter.loader import shipped

SCRIPT = Path(__file__).parent / "fuzz" / "loader.py"


@pytest.mark.nightly
def test_the_fuzzer_finds_nothing(tmp_path: Path) -> None:
    """It begins with whole rulesets, changes them, and follows what is new."""
    pytest.importorskip("atheris", reason="atheris fuzzes, where it is installed")
    for path in shipped():
        shutil.copy(path, tmp_path)
    limits = ["-runs=20000", "-max_total_time=300", "-timeout=20", "-rss_limit_mb=2048"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path), *limits],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
