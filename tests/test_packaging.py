"""The wheel holds what the tree holds, under one name."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path
from typing import Any

import pytest

import cardrun
import cardrun.interpreter

ROOT = Path(__file__).parent.parent
INSTALLED = Path(cardrun.__file__).parent
DATA = ("rulesets/**/*.yaml", "grammar/*.lark", "schemas/*.json", "py.typed")


def load_config() -> dict[str, Any]:
    """Read pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_package_is_listed() -> None:
    """A folder of code that pyproject.toml leaves out would miss the wheel."""
    listed = set(load_config()["tool"]["setuptools"]["packages"])
    folders = {
        path.parent.relative_to(ROOT) for path in ROOT.glob("interpreter/**/*.py")
    }
    assert {".".join(("cardrun", *folder.parts)) for folder in folders} <= listed


def test_every_folder_of_code_is_a_package() -> None:
    """A folder without ``__init__.py`` nests a namespace, which installs badly."""
    folders = {path.parent for path in ROOT.glob("interpreter/**/*.py")}
    assert [path for path in folders if not (path / "__init__.py").exists()] == []


def test_cli_is_the_only_module_at_the_top() -> None:
    """Setuptools would install any other one as part of the package."""
    assert {path.name for path in ROOT.glob("*.py")} <= {"__init__.py", "cli.py"}


def test_install_adds_one_name() -> None:
    """Nothing called ``interpreter`` or ``cli`` lands in site-packages."""
    owners = packages_distributions()
    assert [name for name, dists in owners.items() if "cardrun" in dists] == ["cardrun"]


@pytest.mark.parametrize("pattern", DATA)
def test_every_data_file_is_installed(pattern: str) -> None:
    """Each shipped file of the tree lies beside the installed code."""
    names = [path.relative_to(ROOT) for path in ROOT.glob(pattern)]
    assert [name for name in names if not (INSTALLED / name).is_file()] == []


def test_every_file_of_the_data_folders_is_shipped() -> None:
    """A data file of another kind would miss the wheel."""
    shipped = {path for pattern in DATA for path in ROOT.glob(pattern)}
    folders = ("rulesets", "grammar", "schemas")
    files = {path for name in folders for path in (ROOT / name).rglob("*.*")}
    assert {path for path in files if path.is_file()} <= shipped


def test_the_version_is_written_once() -> None:
    """The installed metadata agrees with ``version.py``."""
    assert version("cardrun") == cardrun.__version__


def test_the_public_names_stand_at_the_top() -> None:
    """``cardrun.NAME`` is ``cardrun.interpreter.NAME`` for every public name."""
    names = cardrun.interpreter.__all__
    assert cardrun.__all__ == names
    assert [getattr(cardrun, name) for name in names] == [
        getattr(cardrun.interpreter, name) for name in names
    ]


def test_a_name_that_is_not_public_is_not_at_the_top() -> None:
    """An unknown name raises the usual error, under the package's own name."""
    with pytest.raises(
        AttributeError, match="module 'cardrun' has no attribute 'hnad'"
    ):
        getattr(cardrun, "hnad")  # noqa: B009 - mypy knows it is not there


def test_importing_the_package_loads_no_parser() -> None:
    """The command line starts fast: ``import cardrun`` is all but free."""
    code = "import sys, cardrun; print({'yaml', 'lark', 'jsonschema'} & {*sys.modules})"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout == "set()\n"


def test_the_extra_and_the_group_for_developers_agree() -> None:
    """Old pip installs the extra, new pip and uv the group: one list."""
    config = load_config()
    extra = config["project"]["optional-dependencies"]["test"]
    assert extra == config["dependency-groups"]["dev"]
