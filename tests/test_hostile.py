"""Files that mean harm, or make no sense, get an answer: a place, and no more.

Never a traceback, never a file without an end, and what is accepted can be
played or is a fault of the rules with its place.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrun.interpreter import GameFault, RulesError, check_file, load
from cardrun.interpreter.loader import read_source, shipped
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.text.reader import read
from cardrun.interpreter.text.tree import Mapping, Node, Scalar

BASE = """\
cardrun: 1
name: Base
players: 2
deck: {kind: piquet}
options:
  n: {default: 3, range: 0..9, about: nothing}
zones:
  deck: {face: down, holds: deck}
  hand: {per: player, seen_by: owner}
  pile: {face: up}
state:
  x: 0
define:
  f(c): c.rank == A
rows:
  r:
    one: {cards: hand}
moves:
  play:
    label: play {card}
    pick: {card: {from: hand, by: r}}
    when:
      g: {test: pile.size < 40, because: "{pile.size} is full"}
    do: [move card to pile]
  pass: {do: []}
play:
  - shuffle deck
  - deal 3 to hand each
  - repeat: rounds
    times: 3
    do:
      - turns: {from: players.first, each: once}
        do:
          - choose: [play, pass]
  - score
scoring:
  s: {for: p in players, to: p, points: "count(p.hand, f(it))"}
result: {rank_by: score}
"""
DIGITS = "9" * 1000
HUGE = "1000000000"
RULESETS = [path.stem for path in shipped()]
STEPS = 12


def change(old: str, new: str, text: str = BASE) -> str:
    """Return a text with a part changed, which must be in it."""
    assert old in text
    return text.replace(old, new)


def as_guard(code: str) -> str:
    """Return a ruleset with an expression as its guard."""
    quoted = code.replace('"', '\\"')
    return change("pile.size < 40", f'"{quoted}"')


def nest(start: str, count: int, middle: str, end: str) -> str:
    """Return something put into itself again and again."""
    return start * count + middle + end * count


def name_loops(count: int) -> str:
    """Return ranges over all cards, one in the other."""
    heads = "".join(f"any(a{i} in deck, " for i in range(count))
    return heads + "no" + ")" * count + " or yes"


def write_steps(runs: int, last: str) -> str:
    """Return a ruleset whose steps each run the next one some times."""
    steps = "".join(f"  s{i}:\n" + f"    - run: s{i + 1}\n" * runs for i in range(11))
    return change("  - score", "  - run: s0\n  - score") + f"steps:\n{steps}{last}"


ALIASES = "a0: &a0 [x, x]\n" + "".join(
    f"a{i + 1}: &a{i + 1} [*a{i}, *a{i}]\n" for i in range(40)
)
PART = "pick: {card: {from: hand, by: r}}"
# Each is refused with a code.
REFUSED = {
    "aliases": (ALIASES, "alias-bomb"),
    "brackets": ("cardrun: 1\nname: " + "[" * 20_000, "yaml-syntax"),
    "closed brackets": ("name: " + "[" * 20_000 + "]" * 20_000, "yaml-syntax"),
    "deep mappings": (
        "".join("  " * i + f"a{i}:\n" for i in range(700)),
        "too-deep",
    ),
    "deep lists": ("- " * 20_000, "too-deep"),
    "parentheses": (
        as_guard(nest("(", 5_000, "yes", ")")),
        "long-expression",
    ),
    "nots": (as_guard("not " * 5_000 + "yes"), "long-expression"),
    "ands": (as_guard(" and ".join(["yes"] * 5_000)), "long-expression"),
    "attributes": (
        as_guard("pile" + ".rest" * 3_000 + ".empty"),
        "long-expression",
    ),
    "calls": (
        as_guard(nest("left(", 900, "me", ")") + " == me"),
        "long-expression",
    ),
    "nested ranges": (as_guard(name_loops(6)), "too-much-work"),
    "a range of numbers": (
        as_guard(f"any(i in 1..{HUGE}, i == 0)"),
        "too-much-work",
    ),
    "digits of players": (change("players: 2", f"players: {DIGITS}"), "wrong-shape"),
    "digits of a deal": (change("deal 3", f"deal {DIGITS}"), "number-too-large"),
    "digits of a test": (
        as_guard(f"pile.size < {DIGITS}"),
        "number-too-large",
    ),
    "digits of a limit": (BASE + f"limit: {DIGITS}\n", "not-a-number"),
    "digits of an option": (
        change("default: 3", f"default: {DIGITS}"),
        "wrong-option-value",
    ),
    "digits of a range": (change("0..9", f"0..{DIGITS}"), "wrong-option-value"),
    "packs": (
        change("{kind: piquet}", f"{{kind: piquet, copies: {HUGE}}}"),
        "wrong-deck",
    ),
    "piles": (
        change("pile: {face: up}", "pile: {face: up}\n  q: {piles: 1000000, face: up}"),
        "too-many-piles",
    ),
    "numbers to pick": (
        change(PART, f"pick: {{card: hand, z: {{number: 1..{HUGE}}}}}"),
        "too-many-moves",
    ),
    "a loop": (
        change(
            "  - score", f"  - for: i in 1..{HUGE}\n    do: [add 1 to x]\n  - score"
        ),
        "too-much-work",
    ),
    "a loop in a loop": (
        change(
            "  - score",
            "  - repeat: many\n    times: 90000\n    do:\n      - repeat: more\n"
            "        times: 90000\n        do: [add 1 to x]\n  - score",
        ),
        "too-much-work",
    ),
    "steps of steps": (
        write_steps(3, "  s11:\n    - choose: [pass]\n      by: players.first\n"),
        "ruleset-too-large",
    ),
    "rows": (
        change(
            "    one:",
            "".join(f"    o{i}: {{if: x == {i}, cards: hand}}\n" for i in range(3_000))
            + "    one:",
        ),
        "ruleset-too-large",
    ),
    "moves": (
        change(
            "  pass: {do: []}",
            "".join(f"  p{i}: {{do: []}}\n" for i in range(3_000)) + "  pass: {do: []}",
        ),
        "ruleset-too-large",
    ),
    "options": (
        change(
            "  n: {",
            "".join(f"  o{i}: {{default: no}}\n" for i in range(2_000)) + "  n: {",
        ),
        "ruleset-too-large",
    ),
    "anchors": (
        "".join(f"a{i}: &x{i} [1]\n" for i in range(20_000)),
        "ruleset-too-large",
    ),
    "a call of Python": (
        change("pile.size < 40", "__import__('os').system('true')"),
        "unreadable-expression",
    ),
    "what is behind a pile": (
        change("pile.size < 40", "pile.__class__.__mro__"),
        "unknown-attribute",
    ),
    "a name of Python": (change("  x: 0", "  __builtins__: 0"), "bad-name"),
    "a zero-width joiner": (change("  x: 0", "  x\u200d: 0"), "bad-name"),
    "a turned direction": (change("  x: 0", "  x\u202ey: 0"), "bad-name"),
    "a wide letter": (change("  x: 0", "  \uff58: 0"), "bad-name"),
    "a sign of temperature": (change("  x: 0", "  \u212a: 0"), "bad-name"),
    "digits of another script": (
        as_guard("pile.size < \u0664"),
        "unreadable-expression",
    ),
    "a default of another script": (
        change("default: 3", "default: \u0663"),
        "wrong-option-value",
    ),
    "texts in texts": (
        change('"{pile.size} is full"', '"{pile.__class__} {0} {x!r:>99999999}"'),
        "unknown-attribute",
    ),
    "the root of the disk": (
        "extends: ../../../../etc/passwd\nname: x\n",
        "base-outside",
    ),
    "a device": ("extends: /dev/zero\nname: x\n", "base-outside"),
    "the folder": ("extends: .\nname: x\n", "unreadable-base"),
    "itself": ("extends: case.yaml\nname: x\n", "base-circle"),
    "a library elsewhere": (
        change("name: Base", "name: Base\nuse: ../../etc/passwd"),
        "base-outside",
    ),
    "a constructor": ("!!python/object/apply:os.system ['x']\n", "explicit-tag"),
    "a null": (BASE + "\0", "control-character"),
    "two million letters": (BASE + "#" + "x" * 2_000_000, "file-too-large"),
}
# Each can be read, and is played or found at fault while it is played.
ACCEPTED = {
    "a repeat without end": (change("times: 3", f"times: {HUGE}"), None),
    "a loop without end": (
        change("  - score", "  - loop: ever\n    do: [add 1 to x]\n  - score"),
        "endless-script",
    ),
    "loops of a loop without end": (
        change(
            "  - score",
            "  - loop: ever\n    do:\n      - for: c in deck\n        do:\n"
            "          - for: d in deck\n            do: [add 1 to x]\n  - score",
        ),
        "endless-script",
    ),
    "a large variable": (
        change(
            "  - score",
            f"  - set x to {HUGE}\n  - repeat: many\n    times: x\n"
            "    do: [add 1 to x]\n  - score",
        ),
        "range-too-large",
    ),
    "a large deal": (
        change("  - deal 3", f"  - set x to {HUGE}\n  - deal x"),
        None,
    ),
    "many forms of a move": (
        change(PART, "pick: {card: hand, z: {number: 1..99999}}").replace(
            "rows:\n  r:\n    one: {cards: hand}\n", ""
        ),
        "too-many-legal-moves",
    ),
    "large products": (
        change("  x: 0", f"  x: {'*'.join([HUGE] * 50)}"),
        None,
    ),
    "definitions of definitions": (
        change(
            "  f(c): c.rank == A",
            "  d0: 1\n"
            + "".join(f"  d{i + 1}: d{i} + d{i}\n" for i in range(12))
            + "  f(c): d12 > 3 and c.rank == A",
        ),
        None,
    ),
    "a name with a line": (change("name: Base", 'name: "Base\\nimport os"'), None),
    "other ends of lines": (BASE.replace("\n", "\r"), None),
    "a byte order mark": ("\ufeff" + BASE, None),
}


def play(path: Path) -> str | None:
    """Play a few moves of a ruleset; return the code of a fault."""
    try:
        game = load(path)
        state, rng = game.new(1), Rng(1)
        for _ in range(STEPS):
            able = [(seat, m) for seat in state.to_act if (m := state.moves(seat))]
            if not able:
                break
            seat, moves = rng.choice(able)
            state.apply(seat, rng.choice(moves))
    except GameFault as error:
        (problem,) = error.problems
    else:
        return None
    assert problem.span.line >= 1
    return problem.code


def answer(path: Path) -> list[str]:
    """Return the codes of what is wrong with a file, each with a place."""
    problems = check_file(path)
    for problem in problems:
        assert problem.span.line >= 1
        assert problem.message
        assert problem.render()
    assert len(problems) < 500
    return [problem.code for problem in problems if problem.severity == "error"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_file_is_refused(name: str, tmp_path: Path) -> None:
    """With the code that says what is wrong, and where."""
    text, code = REFUSED[name]
    path = tmp_path / "case.yaml"
    path.write_text(text, encoding="utf-8")
    assert code in answer(path)


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_harmless_file_is_played(name: str, tmp_path: Path) -> None:
    """Or is found at fault where it is."""
    text, code = ACCEPTED[name]
    path = tmp_path / "case.yaml"
    path.write_bytes(text.encode())
    assert answer(path) == []
    assert play(path) == code


def test_a_file_name_cannot_become_code(tmp_path: Path) -> None:
    """It stands in comments of the emitted source, which end with their line."""
    path = tmp_path / "a\rimport os\u2028import sys.yaml"
    path.write_text(BASE, encoding="utf-8")
    code = load(path).code
    assert "a?import os?import sys.yaml" in code
    assert not re.search(r"^\s*import", code, re.M)


def test_no_control_reaches_the_terminal(tmp_path: Path) -> None:
    """What would turn the text around, or colour it, is shown as a mark."""
    path = tmp_path / "case.yaml"
    path.write_text(change("  x: 0", "  x\u202ey: 0"), encoding="utf-8")
    (problem,) = check_file(path)
    assert "\u202e" not in problem.render()


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.binary(max_size=300))
def test_random_bytes_are_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    """Whatever they are."""
    path = tmp_path_factory.mktemp("bytes") / "case.yaml"
    path.write_bytes(data)
    assert answer(path)


def judge(path: Path, text: str) -> None:
    """Check a changed ruleset, and play it if it is accepted."""
    path.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        load(path)
    except RulesError as error:
        for problem in error.problems:
            assert problem.span.line >= 1
            assert problem.render()
    else:
        play(path)


SIGNS = "abz_ 019:,.-#()[]{}'\"\n\t&*!|>%@`?=<+\u00e9\u202e\x00"


def change_letters(text: str, rng: random.Random) -> Iterator[str]:
    """Yield the text with one character changed, or left out, at each place."""
    for place in range(len(text)):
        yield text[:place] + rng.choice(SIGNS) + text[place + 1 :]
        yield text[:place] + text[place + 1 :]


def change_numbers(text: str) -> Iterator[str]:
    """Yield the text with one number replaced, at each place."""
    for match in re.finditer(r"(?<![\w.])\d+", text):
        for number in ("0", "-1", HUGE):
            yield text[: match.start()] + number + text[match.end() :]


def read_shipped(name: str) -> str:
    """Return the text of a shipped ruleset."""
    path = next(path for path in shipped() if path.stem == name)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RULESETS)
def test_a_few_changes_of_a_ruleset_get_an_answer(name: str, tmp_path: Path) -> None:
    """Some characters and numbers, other ones for every ruleset."""
    rng = random.Random(name)
    text = read_shipped(name)
    changed = rng.sample(list(change_letters(text, rng)), 6)
    for other in [*changed, *rng.sample(list(change_numbers(text)), 4)]:
        judge(tmp_path / "case.yaml", other)


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULESETS)
def test_every_number_of_a_ruleset_may_be_changed(name: str, tmp_path: Path) -> None:
    """To nothing, to less than nothing, to very much."""
    for text in change_numbers(read_shipped(name)):
        judge(tmp_path / "case.yaml", text)


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULESETS)
def test_every_letter_of_a_ruleset_may_be_changed(name: str, tmp_path: Path) -> None:
    """One at a time, everywhere."""
    for text in change_letters(read_shipped(name), random.Random(name)):
        judge(tmp_path / "case.yaml", text)


# Words that only people read.
TEXTS = {"about", "name", "label", "because", "family"}


def find_words(node: Node, is_text: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where the words of the rules begin and end."""
    if isinstance(node, Scalar):
        if not is_text:
            start = node.span.start
            for match in re.finditer(r"[A-Za-z_]\w{2,}", node.span.text):
                yield start + match.start(), start + match.end()
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from find_words(key)
            yield from find_words(value, is_text or key.text in TEXTS)
    else:
        for item in node.items:
            yield from find_words(item, is_text)


def misspell(word: str) -> str:
    """Return a word with two letters near its middle exchanged."""
    middle = (len(word) - 2) / 2
    for place in sorted(range(len(word) - 1), key=lambda at: abs(at - middle)):
        if word[place] != word[place + 1]:
            one, other = word[place], word[place + 1]
            return f"{word[:place]}{other}{one}{word[place + 2 :]}"
    return word + "q"


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULESETS)
def test_nearly_every_misspelt_word_is_refused(name: str, tmp_path: Path) -> None:
    """On its line, or with the misspelt declaration in the hint.

    A word that stands only once is a name that nothing else refers to, such as
    that of a row: any other would do, so it counts among the five in a hundred
    of all rulesets, but not here.
    """
    source = read_source(next(path for path in shipped() if path.stem == name))
    root, _ = read(source)
    assert root is not None
    path = tmp_path / "case.yaml"
    words = sorted(set(find_words(root)))
    times = Counter(source.text[start:end] for start, end in words)
    missed = []
    for start, end in words:
        if times[source.text[start:end]] == 1:
            continue
        wrong = misspell(source.text[start:end])
        path.write_text(
            source.text[:start] + wrong + source.text[end:], encoding="utf-8"
        )
        line = source.line_of(start)
        if not any(
            problem.span.line == line or wrong in problem.hint + problem.message
            for problem in check_file(path)
        ):
            missed.append((line, wrong))
    assert len(missed) <= len(words) * 0.05, missed
