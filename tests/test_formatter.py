"""The one form of a ruleset: spaces are settled, words and comments stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cardrun.cli import cardrun
from cardrun.interpreter.loader import check_file
from cardrun.interpreter.text.reader import read
from cardrun.interpreter.text.schema import strip
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.variants.formatter import format_text

ROOT = Path(__file__).parent.parent
RULESETS = sorted(
    path for path in (ROOT / "rulesets").rglob("*.yaml") if path.parent.name != "text"
)
# Spaces, and an order of sections, that nobody would want.
SPOIL = (("{", "{ "), (": {", ":   {"), ("  # ", "     # "), ("\n\n", "\n\n\n"))

UGLY = """\
# a game
cardrun: 1
name:   Test
deck: { kind: french ,ring: yes }
zones:
    stock:  {face: down,holds: deck}   # here
    # all that was played
    pile: {  face: up}


moves:
   lay:
      pick:
        card: hand
      do:
      - move card to pile     # the only thing
play: [ shuffle stock,  { run: rest } ]
define:
  long: >
    if x then 1
    else 2
  short: 3
players: 2
"""
TIDY = """\
# a game
cardrun: 1
name: Test
players: 2
deck: {kind: french, ring: yes}

zones:
  stock: {face: down, holds: deck}                   # here
  # all that was played
  pile:  {face: up}

define:
  long: >
    if x then 1
    else 2
  short: 3

moves:
  lay:
    pick:
      card: hand
    do:
      - move card to pile                            # the only thing

play: [shuffle stock, {run: rest}]
"""


def tidy(text: str) -> str:
    """Return a text in its one form."""
    made, problems = format_text(Source("x.yaml", text))
    assert problems == []
    return made


def test_spaces_and_order_are_settled() -> None:
    """Sections stand as on a rule sheet, values and comments in columns."""
    assert tidy(UGLY) == TIDY


def test_the_one_form_stays() -> None:
    """Formatting again changes nothing."""
    assert tidy(TIDY) == TIDY


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_a_shipped_file_keeps_what_it_says(path: Path) -> None:
    """It is in the one form; however it was spoilt, it comes out the same."""
    text = path.read_text(encoding="utf-8")
    made = tidy(text)
    assert made == text
    root, _ = read(Source("x.yaml", text))
    again, _ = read(Source("x.yaml", made))
    assert root is not None
    assert again is not None
    assert dict(strip(again)) == dict(strip(root))  # type: ignore[arg-type]
    spoilt = text
    for old, new in SPOIL:
        spoilt = spoilt.replace(old, new)
    wrong, problems = read(Source("x.yaml", spoilt))
    if wrong is not None and not problems and strip(wrong) == strip(root):
        assert tidy(spoilt) == made


@pytest.mark.parametrize(
    "text",
    [
        "a: &x {b: c}\nd: *x\n",
        "a:\n  - - b\n    - c\n  - {d: e}\n",
        'a: "b # c"   # d\n',
        "a: [b,\n  c]   # d\n",
        "a: |\n  # no comment\n  b\nc: d\n",
        "a:\n# left\n  b: c\n  # last\n",
    ],
)
def test_odd_texts_keep_what_they_say(text: str) -> None:
    """Where the form is not sure, the text stays as it is."""
    text = f"cardrun: 1\n{text}"
    root, _ = read(Source("x.yaml", text))
    again, _ = read(Source("x.yaml", tidy(text)))
    assert root is not None
    assert again is not None
    assert strip(again) == strip(root)
    assert tidy(text).count("#") == text.count("#")


def test_the_command_writes_or_only_says(tmp_path: Path) -> None:
    """With --check the file stays, and the exit code tells."""
    path = tmp_path / "game.yaml"
    path.write_text(UGLY, encoding="utf-8")
    runner = CliRunner()
    told = runner.invoke(cardrun, ["fmt", "--check", str(path)], standalone_mode=False)
    assert told.return_value == 1
    assert path.read_text(encoding="utf-8") == UGLY
    done = runner.invoke(cardrun, ["fmt", str(path)], standalone_mode=False)
    assert done.return_value == 0
    assert path.read_text(encoding="utf-8") == TIDY


def test_what_is_no_ruleset_stays_as_it_is(tmp_path: Path) -> None:
    """Scenario files and translations have lines of their author's own."""
    path = tmp_path / "scenarios.yaml"
    text = "ruleset: game.yaml\nscenarios:\n  - {name:  a deal,   deck: [2C,  3C]}\n"
    path.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cardrun, ["fmt", str(path)], standalone_mode=False)
    assert done.return_value == 1
    assert "no ruleset" in done.output
    assert path.read_text(encoding="utf-8") == text


def test_replacements_in_the_long_form_get_their_mark(tmp_path: Path) -> None:
    """A mark that is there stays, so that a changed base is still noticed."""
    path = tmp_path / "rule.yaml"
    text = """\
extends: idiot.yaml
name: Idiot, mine
replace:
  define.special(c): {now: c.rank == 2 or base(c)}
  define.out(p):
    now: base(p)
  define.burns: {now: base, was: 00000000}
"""
    path.write_text(text, encoding="utf-8")
    CliRunner().invoke(cardrun, ["fmt", str(path)])
    made = path.read_text(encoding="utf-8")
    assert made.count("was: ") == 3
    assert [problem.code for problem in check_file(path)] == ["base-changed"]
    path.write_text(made.replace(", was: 00000000", ""), encoding="utf-8")
    assert check_file(path) == []
