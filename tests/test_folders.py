"""Where the user's files lie."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cardrun.interpreter.folders import find_cache, find_data

VARIABLES = ("CARDRUN_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give a home, and no variable that says otherwise."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


def test_the_usual_folders_are_in_the_home(home: Path) -> None:
    """As other programs have theirs."""
    assert find_cache() == home / ".cache" / "cardrun"
    assert find_data() == home / ".local" / "share" / "cardrun"


def test_variables_name_other_folders(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """The user's own cache, or one for this program alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "xdg"))
    assert find_cache() == home / "xdg" / "cardrun"
    monkeypatch.setenv("CARDRUN_CACHE", str(home / "own"))
    assert find_cache() == home / "own"


def test_a_folder_that_depends_on_where_one_is_does_not_count(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    """It would be another one elsewhere."""
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert find_cache() == home / ".cache" / "cardrun"


def test_whoever_has_no_home_has_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder can be made there, which is no reason to stop."""

    def fail() -> Path:
        raise RuntimeError("could not determine home directory")

    monkeypatch.setattr(Path, "home", fail)
    with pytest.raises(OSError, match=r"."):
        find_cache().mkdir(parents=True)
    assert list(find_data().glob("*")) == []
