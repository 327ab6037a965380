"""Feed bytes to the loader and the parser: python tests/fuzz/loader.py FOLDER.

Whatever the bytes are, the answer is a list of problems with places or a sound
ruleset, and never another exception. Options are those of libFuzzer.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["cardrun"]):
    from cardrun.interpreter.loader import check_file
    from cardrun.interpreter.text.errors import CardrunError, Problem
    from cardrun.interpreter.text.parser import Phrase, parse_action, parse_expression
    from cardrun.interpreter.text.source import Source
    from cardrun.interpreter.text.tree import Scalar

FILE = Path(tempfile.mkdtemp()) / "fuzzed.yaml"


def answer(data: bytes) -> None:
    """Load the bytes as a ruleset, and parse them as an expression and an action."""
    FILE.write_bytes(data)
    try:
        problems = check_file(FILE)
    except CardrunError:
        problems = []
    for problem in problems:
        assert problem.span.line >= 1
        assert problem.render()
    text = data.decode("utf-8", "replace")
    scalar = Scalar(text, Source("fuzzed", text).span(0, len(text)))
    for parse in (parse_expression, parse_action):
        assert isinstance(parse(scalar), (Phrase, Problem))


if __name__ == "__main__":
    atheris.Setup(sys.argv, answer)
    atheris.Fuzz()
