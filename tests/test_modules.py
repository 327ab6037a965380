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
    "locks",
    "rng",
    "draws",
    "clock",
    "text",
    "text.source",
    "text.errors",
    "text.tree",
    "text.syntax",
    "text.reader",
    "text.schema",
    "text.spelling",
    "text.shape",
    "text.phrases",
    "text.parser",
    "variants",
    "variants.lineage",
    "variants.loan",
    "variants.path",
    "variants.basis",
    "variants.revision",
    "variants.compose",
    "variants.printer",
    "variants.formatter",
    "variants.starter",
    "language",
    "language.deck",
    "language.layout",
    "language.emitter",
    "language.sharing",
    "language.values",
    "language.scope",
    "language.masks",
    "language.library",
    "language.facts",
    "language.names",
    "language.groups",
    "language.choices",
    "language.logic",
    "language.arithmetic",
    "language.calls",
    "language.expressions",
    "language.actions",
    "language.declarations",
    "language.packs",
    "language.selections",
    "language.parts",
    "language.picks",
    "language.settling",
    "language.wording",
    "language.refusals",
    "language.moves",
    "language.statements",
    "language.blocks",
    "language.decisions",
    "language.turns",
    "language.waits",
    "language.script",
    "language.runtime",
    "language.playouts",
    "language.lookahead",
    "language.compiler",
    "language.program",
    "engine",
    "engine.state",
    "engine.game",
    "engine.lowering",
    "engine.backend",
    "loader",
    "bots.random",
    "bots.mind",
    "bots.horizon",
    "bots.greedy",
    "bots.ismcts",
    "bots",
    "sheets",
    "sheets.comparison",
    "sheets.catalogue",
    "sheets.sheet",
    "sheets.contrast",
    "sheets.translation",
    "sheets.explanations",
    "simulation",
    "simulation.statistics",
    "simulation.tally",
    "simulation.match",
    "simulation.crew",
    "simulation.simulate",
    "simulation.summary",
    "simulation.plots",
    "simulation.report",
    "simulation.checkpoint",
    "simulation.cluster",
    "testing",
    "testing.findings",
    "testing.proof",
    "testing.rehearsal",
    "testing.shrinker",
    "testing.check",
    "testing.scenario",
    "testing.position",
    "testing.trial",
    "tables",
    "tables.record",
    "tables.output",
    "tables.speech",
    "tables.arguments",
    "tables.options",
    "tables.board",
    "tables.console",
    "tables.progress",
    "tables.compiling",
    "tables.endings",
    "tables.ledger",
    "tables.plan",
    "tables.files",
    "tables.campaign",
    "tables.typed",
    "tables.watch",
    "tables.sheets",
    "tables.sitting",
    "tables.replayed",
    "tables.history",
    "tables.racing",
    "tables.plain",
    "tables.thinking",
    "tables.host",
    "tables.chooser",
    "tables.pickable",
    "tables.spread",
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
