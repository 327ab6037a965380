"""The interpreter's modules stand in the order in which data flows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "interpreter"

# A module imports only what stands before it. Read loader first.
ORDER = [
    "version",
    "folders",
    "source",
    "errors",
    "tree",
    "syntax",
    "reader",
    "schema",
    "spelling",
    "shape",
    "lineage",
    "loan",
    "phrases",
    "path",
    "basis",
    "revision",
    "compose",
    "printer",
    "formatter",
    "starter",
    "comparison",
    "parser",
    "statistics",
    "rng",
    "clock",
    "deck",
    "layout",
    "emitter",
    "sharing",
    "values",
    "scope",
    "masks",
    "library",
    "facts",
    "names",
    "groups",
    "choices",
    "logic",
    "arithmetic",
    "calls",
    "expressions",
    "actions",
    "declarations",
    "packs",
    "selections",
    "parts",
    "picks",
    "settling",
    "wording",
    "refusals",
    "moves",
    "statements",
    "blocks",
    "decisions",
    "waits",
    "turns",
    "script",
    "runtime",
    "playouts",
    "lookahead",
    "compiler",
    "program",
    "state",
    "game",
    "loader",
    "backend",
    "record",
    "catalogue",
    "sheet",
    "contrast",
    "translation",
    "explanations",
    "tally",
    "bots.random",
    "bots.mind",
    "bots.horizon",
    "bots.greedy",
    "bots.ismcts",
    "bots",
    "match",
    "simulate",
    "summary",
    "plots",
    "report",
    "checkpoint",
    "cluster",
    "findings",
    "proof",
    "rehearsal",
    "shrinker",
    "check",
    "scenario",
    "position",
    "trial",
    "tables",
    "tables.output",
    "tables.speech",
    "tables.arguments",
    "tables.options",
    "tables.board",
    "tables.console",
    "tables.progress",
    "tables.compiling",
    "tables.campaign",
    "tables.typed",
    "tables.watch",
    "tables.sheets",
    "tables.sitting",
    "tables.replayed",
    "tables.history",
    "tables.plain",
    "tables.host",
    "tables.chooser",
    "tables.spread",
    "tables.pickable",
    "tables.person",
    "tables.drawn",
    "tables.held",
    "tables.scene",
    "tables.notice",
    "tables.screen",
]


def name_module(path: Path) -> str:
    """Return a module's name, without that of the folder itself."""
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {name_module(path): path for path in sorted(FOLDER.rglob("*.py"))}


def find_imports(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """Return relative imports, but for those that only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.ImportFrom) and child.level:
            yield child
        yield from find_imports(child)


def list_imported(name: str) -> set[str]:
    """Return the modules of the interpreter that a module imports."""
    path = MODULES[name]
    here = path.parent.relative_to(FOLDER).parts
    found = set()
    for node in find_imports(ast.parse(path.read_text(encoding="utf-8"))):
        base = here[: len(here) - node.level + 1]
        start = ".".join((*base, *(node.module or "").split("."))).strip(".")
        for alias in node.names:
            inner = f"{start}.{alias.name}".strip(".")
            found.add(inner if inner in MODULES else start)
    return found


def test_every_module_has_its_place() -> None:
    """The list names each module once, and nothing else."""
    assert sorted(ORDER) == sorted(name for name in MODULES if name)


@pytest.mark.parametrize("name", ORDER)
def test_a_module_imports_only_what_stands_before_it(name: str) -> None:
    """Nothing is imported from a later stage."""
    assert list_imported(name) - set(ORDER[: ORDER.index(name)]) == set()
