"""Keys, lists and texts stand where the language wants them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardrun.interpreter.text.errors import Problem, sort_problems
from cardrun.interpreter.text.reader import read
from cardrun.interpreter.text.schema import find_breaches, load_definitions
from cardrun.interpreter.text.shape import check_shape
from cardrun.interpreter.text.source import Source

RULESETS = sorted(
    path
    for path in (Path(__file__).parent.parent / "rulesets").rglob("*.yaml")
    if path.parent.name != "text"
)
SECTIONS = {
    "cardrun": "1",
    "name": "Test",
    "players": "2",
    "deck": "{kind: french}",
    "zones": "{stock: {face: down, holds: deck}}",
    "moves": "{pass: {label: pass}}",
    "play": "[shuffle stock]",
    "result": "{winner: stated}",
}


def check(text: str) -> list[Problem]:
    """Return what is wrong with the shape of a text that is sound YAML."""
    root, problems = read(Source("x.yaml", text))
    assert problems == []
    assert root is not None
    return sort_problems(check_shape(root))


def check_section(name: str, text: str) -> list[Problem]:
    """Return what is wrong with a game of which one section is given."""
    whole = SECTIONS | {name: "\n" + indent(dedent(text).strip(), "  ")}
    return check("".join(f"{key}: {value}\n" for key, value in whole.items()))


def sum_up(problems: list[Problem]) -> list[tuple[str, str]]:
    """Return the code and the marked text of each problem."""
    return [(problem.code, problem.span.text) for problem in problems]


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_the_shipped_rulesets_are_sound(path: Path) -> None:
    """No shipped file has a key in the wrong place."""
    assert check(path.read_text(encoding="utf-8")) == []


SOUND = [
    ("players", "2..5"),
    ("players", "{count: 3..7, default: 4, partners: {4: opposite}}"),
    ("players", "{count: 4, partners: opposite}"),
    ("deck", "{kind: french, ring: yes, jokers: [big], copies: 2, remove: [2D]}"),
    ("deck", "{kind: french, remove: {3: [2D], 5: [2D, 2C]}, ranks: [A, 10, J]}"),
    ("deck", "{suits: {cups: {letter: U, colour: red}}, ranks: [A, 2, C, K]}"),
    ("deck", "{kind: euchre, attributes: {weight: {heavy: [K], light: [hearts]}}}"),
    ("options", "{stock_piles: {default: 5, among: [4, 5], about: piles}}"),
    ("options", "{target: {default: 0, range: 0..500}}"),
    ("values", "{order: [3, 4, K], points: {Q of spades: 13, otherwise: -1}}"),
    ("zones", "{melds: {piles: 0..14, face: up, sorted: yes, per: team}}"),
    ("zones", "{hand: {per: player, seen_by: owner}, s: {piles: n, face: up}}"),
    ("state", "{broken: no, p: {type: pile or none}, c: {type: [ab, cd]}}"),
    ("state", "{place: {per: player, start: 0}, b: {type: yes/no, seen_by: nobody}}"),
    ("define", "{led: trick.first.suit, out(p): x, 'f(a, b)': {t: {if: x, is: 1}}}"),
    ("define", "{t: {low: {if: x, is: 1}, else: {is: 0}}}"),
    ("rows", "{follow: {lead: {if: x, cards: hand}, rest: {cards: y, because: no}}}"),
    ("moves", "{play: {pick: {card: hand}, when: {fits: x}, do: [move card to y]}}"),
    ("moves", "{play: {pick: {c: {from: hand, by: follow, where: x, because: y}}}}"),
    ("moves", "{play: {pick: {c: {from: h, size: 1..4, same: rank}}, unblocks: x}}"),
    ("moves", "{play: {pick: {c: {from: h, shape: [set 3..4, run 3.. by suit]}}}}"),
    ("moves", "{play: {pick: {c: {from: h, sum: {of: x, is: y}}}}}"),
    ("moves", "{play: {pick: {a: {place: x}, b: {pile: x}, c: {player: players}}}}"),
    (
        "moves",
        "{play: {pick: {d: {number: 0..12}, e: {suit: suits}, f: {rank: ranks}}}}",
    ),
    ("moves", "{play: {pick: {g: {choice: [alone, with_partner]}}}}"),
    ("moves", "{a: {only_if_no: [b]}, b: {when: {g: {if: x, test: y, because: z}}}}"),
    ("moves", "{a: {only_if_no: {moves: [b], unless: x, because: you can}}, b: {}}"),
    ("play", "[{if: x, then: [score], else: []}, {for: p in players, do: [win p]}]"),
    ("play", "[{repeat: deals, times: 25, state: {a: 0}, do: [{run: step}]}]"),
    ("play", "[{loop: game, until: x, state: {a: 0}, do: [end game]}]"),
    ("play", "[{first_of: {both: {if: x, do: [score]}, alone: {do: []}}}]"),
    ("play", "[{choose: [pass], by: x, otherwise: [score], name: passing}]"),
    (
        "play",
        "[{turns: {name: t, from: x, each: once, skip: y}, state: {a: 0}, do: []}]",
    ),
    ("play", "[{turns: {from: x, until: y, direction: clockwise}, do: []}]"),
    (
        "play",
        "[{together: [pass], who: x, name: y}, {race: [pass], until: x, stuck: []}]",
    ),
    ("steps", "{one: [shuffle stock], two: []}"),
    ("scoring", "{a: {for: p in players, if: x, to: p, points: -26}}"),
    ("scoring", "{a: {first_of: {b: {to: p, points: 1}}}}"),
    ("scoring", "{first_of: {b: {to: p, points: 1}}}"),
    ("result", "{rank_by: score, best: lowest}"),
    ("limit", "5000"),
    ("limit", "{decisions: 5000, because: it may go on}"),
]


@pytest.mark.parametrize(("section", "text"), SOUND)
def test_the_language_is_accepted(section: str, text: str) -> None:
    """Every form of the reference has a place in the schema."""
    assert check_section(section, text) == []


UNSOUND = [
    ("players", "3-5", "wrong-shape", "3-5"),
    ("players", "[2, 3]", "wrong-shape", "[2, 3]"),
    ("players", "{counts: 3}", "unknown-key", "counts"),
    ("players", "{count: 3, partners: {four: opposite}}", "wrong-shape", "four"),
    ("players", "{count: 3, partners: oposite}", "wrong-shape", "oposite"),
    ("deck", "french", "wrong-shape", "french"),
    ("deck", "{kind: frnch}", "wrong-shape", "frnch"),
    ("deck", "{kind: french, ring: true}", "wrong-shape", "true"),
    ("deck", "{ranks: [A, 2]}", "missing-key", "deck"),
    ("deck", "{kind: french, suits: {cups: {letter: cu}}}", "wrong-shape", "cu"),
    ("deck", "{kind: french, jokers: big}", "wrong-shape", "big"),
    ("deck", "{kind: french, jokers: [Big Joker]}", "bad-name", "Big Joker"),
    ("deck", "{kind: french, copies: 0}", "wrong-shape", "0"),
    ("options", "{stock: {about: piles}}", "missing-key", "stock"),
    ("options", "{stock: 4}", "wrong-shape", "4"),
    ("options", "{stock: {default: 4, range: 4-5}}", "wrong-shape", "4-5"),
    ("values", "{order: [two, 3]}", "wrong-shape", "two"),
    ("values", "{points: {hearts: one}}", "wrong-shape", "one"),
    ("values", "{points: 3}", "wrong-shape", "3"),
    ("zones", "{}", "wrong-shape", "{}"),
    ("zones", "[stock]", "wrong-shape", "[stock]"),
    ("zones", "{Stock: {face: up}}", "bad-name", "Stock"),
    ("zones", "{from: {face: up}}", "bad-name", "from"),
    ("zones", "{stock: {per: player}}", "missing-key", "stock"),
    ("zones", "{stock: {fase: up}}", "unknown-key", "fase"),
    ("zones", "{stock: {face: upp}}", "wrong-shape", "upp"),
    ("zones", "{stock: {face: up, seen_by: [a]}}", "wrong-shape", "[a]"),
    ("state", "{broken: [a, b]}", "wrong-shape", "[a, b]"),
    ("state", "{place: {per: player}}", "missing-key", "place"),
    ("state", "{place: {type: Pile}}", "wrong-shape", "Pile"),
    ("define", "{'out(p, it)': x}", "bad-name", "it"),
    ("define", "{out(p: x}", "bad-name", "out(p"),
    ("define", "{t: {low: {if: x}}}", "missing-key", "low"),
    ("define", "{t: [a]}", "wrong-shape", "[a]"),
    ("rows", "{follow: {lead: {if: x}}}", "missing-key", "lead"),
    ("rows", "{follow: {else: {cards: x}}}", "bad-name", "else"),
    ("moves", "{play: {lable: x}}", "unknown-key", "lable"),
    ("moves", "{play: {label: {card}}}", "wrong-shape", "{card}"),
    ("moves", "{play: {do: move card to y}}", "wrong-shape", "move card to y"),
    ("moves", "{play: {do: {if: x, then: []}}}", "wrong-shape", "{if: x, then: []}"),
    ("moves", "{play: {pick: {c: {frm: x}}}}", "unknown-key", "frm"),
    ("moves", "{play: {pick: {c: {where: x}}}}", "missing-key", "c"),
    ("moves", "{play: {pick: {c: {pile: x, size: 2}}}}", "unknown-key", "size"),
    ("moves", "{play: {pick: {c: {from: x, shape: [trio]}}}}", "wrong-shape", "trio"),
    ("moves", "{play: {pick: {c: {from: x, sum: {of: y}}}}}", "missing-key", "sum"),
    ("moves", "{play: {pick: {c: {choice: alone}}}}", "wrong-shape", "alone"),
    ("moves", "{play: {when: {g: {if: x}}}}", "missing-key", "g"),
    ("moves", "{play: {only_if_no: take}}", "wrong-shape", "take"),
    ("moves", "{play: {only_if_no: {unless: x}}}", "missing-key", "only_if_no"),
    ("play", "shuffle stock", "wrong-shape", "shuffle stock"),
    ("play", "[{}]", "missing-key", "{}"),
    ("play", "[{do: []}]", "missing-key", "do"),
    ("play", "[[score]]", "wrong-shape", "[score]"),
    ("play", "[{fro: p in players, do: []}]", "unknown-key", "fro"),
    ("play", "[{if: x}]", "missing-key", "if"),
    ("play", "[{if: x, than: []}]", "unknown-key", "than"),
    ("play", "[{choose: pass}]", "wrong-shape", "pass"),
    ("play", "[{choose: [pass], if: x}]", "unknown-key", "if"),
    ("play", "[{repeat: deals, do: []}]", "missing-key", "repeat"),
    ("play", "[{turns: {each: once}, do: []}]", "missing-key", "turns"),
    ("play", "[{run: Step}]", "bad-name", "Step"),
    ("scoring", "{a: {points: 1}}", "missing-key", "a"),
    ("scoring", "{a: {first_of: {b: {to: p}}}}", "missing-key", "b"),
    ("result", "{best: lowest}", "missing-key", "result"),
    ("limit", "0", "wrong-shape", "0"),
    ("limit", "{decisions: 5000}", "missing-key", "limit"),
    ("limit", "{decisions: many, because: it may go on}", "wrong-shape", "many"),
    ("zcoring", "{}", "unknown-key", "zcoring"),
    ("replace", "{}", "unknown-key", "replace"),
]


@pytest.mark.parametrize(("section", "text", "code", "marked"), UNSOUND)
def test_one_mistake_is_one_problem(
    section: str, text: str, code: str, marked: str
) -> None:
    """Each mistake is found, at its place, and raises no second problem."""
    assert sum_up(check_section(section, text)) == [(code, marked)]


def test_no_message_shows_how_it_was_found() -> None:
    """Neither Python nor the schema's own language reaches the author."""
    texts = [
        f"{problem.message} {problem.hint}"
        for section, text, *_ in UNSOUND
        for problem in check_section(section, text)
    ]
    odd = ("schema", "dict", "str", "None", "$", "^", "[a-z]", "is not of type")
    assert [text for text in texts for word in odd if word in text.split()] == []


def test_the_nearest_key_is_proposed() -> None:
    """A mistyped key is answered with what was meant."""
    (problem,) = check_section("zones", "{stock: {fase: up}}")
    assert problem.hint.startswith("did you mean 'face'?")


def test_only_verbs_are_proposed_for_a_verb() -> None:
    """A control that is not known is answered with the known ones."""
    (problem,) = check_section("play", "[{fro: p in players, do: []}]")
    assert problem.hint.startswith(
        "did you mean 'for'? Keys here: block, choose, first_of,"
    )
    assert "do" not in problem.hint.split(": ")[1].split(", ")


def test_a_comma_in_flow_style_is_pointed_out() -> None:
    """The tail of a text that YAML cut is not taken for a mistyped key."""
    (problem,) = check_section(
        "moves", "{a: {when: {g: {test: x, because: no, sorry}}}}"
    )
    assert problem.message == "unknown key 'sorry' in a guard"
    assert problem.hint == "A comma split this text: quote it or use block style."


def test_keys_of_a_deck_that_composition_uses_too_are_proposed() -> None:
    """What this version does not compose is hidden at the top only."""
    (problem,) = check_section("deck", "{kind: french, remov: [2D]}")
    assert problem.hint.startswith("did you mean 'remove'?")


def test_all_missing_sections_are_one_problem() -> None:
    """A file that has only begun is told once what is still to come."""
    (problem,) = check("cardrun: 1\nname: Test\nplay: [score]\n")
    assert problem.message == (
        "a ruleset needs 'players', 'deck', 'zones', 'moves' and 'result'"
    )


def test_another_version_is_named() -> None:
    """A file for a later version is not picked to pieces."""
    text = "".join(f"{key}: {value}\n" for key, value in SECTIONS.items())
    (problem,) = check(text.replace("cardrun: 1", "cardrun: 2"))
    assert problem.code == "unknown-version"


def test_a_variant_has_no_sections_of_its_own() -> None:
    """Sections of a game are refused in a variant, with the reason."""
    problems = check("extends: x.yaml\nname: X\noptions: {a: 1}\nzones: {}\nfoo: 1\n")
    assert sum_up(problems) == [("unknown-key", "zones"), ("unknown-key", "foo")]
    assert "Write its parts under 'replace' or 'add'" in problems[0].hint


def test_option_values_of_a_variant_are_single_values() -> None:
    """A declaration in a variant is refused."""
    problems = check("extends: x.yaml\nname: X\noptions: {a: {default: 1}}\n")
    assert sum_up(problems) == [("wrong-shape", "{default: 1}")]


@pytest.mark.parametrize("text", ["- a\n", "hello\n", "[]\n", "{}\n"])
def test_a_file_that_is_no_ruleset_is_one_problem(text: str) -> None:
    """Lists, texts and nothing at all are told apart from rulesets."""
    assert len(check(text)) == 1


KEYS = sorted(
    {key for part in load_definitions().values() for key in part.get("properties", ())}
)
PLAIN = st.recursive(
    st.sampled_from(["", "x", "3", "yes", "hand where it", "up"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*KEYS, "a", "A b"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), PLAIN))
def test_whatever_breaks_the_schema_is_reported(ruleset: object) -> None:
    """Nothing crashes, and no breach is passed over in silence."""
    root, _ = read(Source("x.yaml", json.dumps(ruleset)))
    assert root is not None
    assert len(check_shape(root)) >= len(find_breaches(root))


def test_the_validator_is_imported_only_when_used() -> None:
    """Commands that check nothing do not pay for it."""
    code = (
        "import sys, cardrun.interpreter.text.shape; print('jsonschema' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"
