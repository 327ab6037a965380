"""A variant and what it extends become one ruleset."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardrun.interpreter.text.errors import Problem, RulesError
from cardrun.interpreter.text.shape import check_shape
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.tree import Mapping, Node, Scalar, Sequence
from cardrun.interpreter.variants.compose import MAX_FILES, Composed, compose

GAME = """\
cardrun: 1
name: Base
about: A game for tests.
players: {count: 3..7, default: 5, partners: {4: opposite, 6: opposite}}
deck: {kind: french}
options:
  piles: {default: 5, among: [4, 5]}
  claim: {default: slap, among: [slap, ask]}
zones: {stock: {face: down, holds: deck}}
moves: {pass: {}}
play: [shuffle stock]
result: {winner: stated}
"""


FOUR = "options: {piles: 4}\n"


def read_file(path: Path) -> Source:
    """Return the text of a file."""
    return Source(str(path), path.read_text(encoding="utf-8"))


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return a function that writes a file below a folder of this test."""

    def write_file(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write_file


Write = Callable[[str, str], Path]


def join(path: Path) -> Composed:
    """Compose files that have nothing wrong."""
    composed, problems = compose(path, read_file)
    assert problems == []
    assert composed is not None
    return composed


def complain(path: Path) -> list[Problem]:
    """Return what is wrong with files that cannot be composed."""
    composed, problems = compose(path, read_file)
    assert composed is None
    return problems


def simplify(node: Node | None) -> object:
    """Return a node as plain lists, dicts and texts."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [simplify(item) for item in node.items]
        case Mapping():
            return {key.text: simplify(value) for key, value in node.entries}
    return None


def read_values(composed: Composed) -> dict[str, str]:
    """Return the chosen option values as texts."""
    return {name: value.text for name, value in composed.chosen.items()}


def test_a_file_that_extends_nothing_is_itself(write: Write) -> None:
    """Composing a base changes nothing."""
    composed = join(write("base.yaml", GAME))
    assert (composed.name, composed.chosen) == ("Base", {})
    assert composed.root.span.text == GAME.strip()


def test_a_variant_chooses_values_of_options(write: Write) -> None:
    """The values keep the place where the variant gives them."""
    write("base.yaml", GAME)
    path = write("four.yaml", "extends: base.yaml\nname: Four\noptions: {piles: 4}\n")
    composed = join(path)
    assert read_values(composed) == {"piles": "4"}
    assert composed.chosen["piles"].span.source.path == str(path)
    assert [Path(source.path).name for source in composed.sources] == [
        "four.yaml",
        "base.yaml",
    ]


def test_a_variant_says_what_it_is_called(write: Write) -> None:
    """Name, family and about are the variant's; the rest stays."""
    write("base.yaml", GAME)
    text = "extends: base.yaml\nname: Mine\nfamily: racing\nabout: Another.\n" + FOUR
    composed = join(write("mine.yaml", text))
    assert composed.name == "Mine"
    assert composed.root.keys() == (
        *("cardrun", "name", "family", "about", "players", "deck", "options"),
        *("zones", "moves", "play", "result"),
    )
    assert simplify(composed.root.get("about")) == "Another."
    assert check_shape(composed.root) == []


@pytest.mark.parametrize(
    ("players", "whole"),
    [
        ("4", {"count": "4", "partners": {"4": "opposite"}}),
        (
            "4..6",
            {
                "count": "4..6",
                "default": "5",
                "partners": {"4": "opposite", "6": "opposite"},
            },
        ),
        ("{count: 3..4, default: 4}", None),
    ],
)
def test_a_variant_leaves_out_player_counts(
    write: Write, players: str, whole: object
) -> None:
    """Partners and the default stay as far as their counts do."""
    write("base.yaml", GAME)
    text = f"extends: base.yaml\nname: Mine\nplayers: {players}\n"
    composed = join(write("mine.yaml", text))
    whole = whole or {"count": "3..4", "default": "4", "partners": {"4": "opposite"}}
    assert simplify(composed.root.get("players")) == whole
    assert check_shape(composed.root) == []


def test_a_variant_with_fewer_players_goes_the_same_way_round(write: Write) -> None:
    """The direction of the base stays."""
    write("base.yaml", GAME.replace("{count: 3..7,", "{count: 3..7, direction: way,"))
    composed = join(write("mine.yaml", "extends: base.yaml\nname: M\nplayers: 4\n"))
    players = composed.root.get("players")
    assert isinstance(players, Mapping)
    assert simplify(players.get("direction")) == "way"


def test_a_variant_of_a_variant_has_the_last_word(write: Write) -> None:
    """Values add up along the chain; the outermost one wins."""
    write("base.yaml", GAME)
    write("a.yaml", "extends: base.yaml\nname: A\noptions: {piles: 4, claim: ask}\n")
    path = write("b.yaml", "extends: a.yaml\nname: B\noptions: {claim: slap}\n")
    assert read_values(join(path)) == {"piles": "4", "claim": "slap"}


def test_a_base_may_lie_in_a_folder_below(write: Write) -> None:
    """The path is seen from the folder of the variant."""
    write("games/base.yaml", GAME)
    text = "extends: games/base.yaml\nname: X\noptions: {piles: 4}\n"
    assert join(write("x.yaml", text)).name == "X"


def test_a_shipped_ruleset_can_be_extended_from_anywhere(write: Write) -> None:
    """What is not beside the variant is looked for among the shipped ones."""
    composed = join(
        write("x.yaml", "extends: spit.yaml\nname: Mine\noptions: {stock_piles: 4}\n")
    )
    assert Path(composed.sources[1].path).parent.name == "rulesets"


MISTAKES = {
    "extends: bace.yaml": "missing-base",
    "extends: ../base.yaml": "base-outside",
    "extends: /etc/passwd": "base-outside",
    "extends: below/../../base.yaml": "base-outside",
    "extends: x.yaml": "base-circle",
    "extends: ./below/../x.yaml": "base-circle",
    "extends: folder": "unreadable-base",
    'extends: "a\\0b"': "unreadable-base",
    f"extends: {'x' * 300}": "unreadable-base",
    "extends:": "wrong-shape",
    "extends: base.yaml\noptions: {pile: 4}": "unknown-option",
    "extends: base.yaml\nplayers: 2..4": "extra-players",
    "extends: base.yaml\nplay: [score]": "unknown-key",
}


@pytest.mark.parametrize(("text", "code"), MISTAKES.items(), ids=MISTAKES.values())
def test_one_mistake_is_one_problem(write: Write, text: str, code: str) -> None:
    """Each mistake of a variant is found at its place in the variant."""
    write("here/base.yaml", GAME)
    write("here/folder/x.yaml", "")
    path = write("here/x.yaml", f"name: X\n{text}\n")
    (problem,) = complain(path)
    assert (problem.code, problem.span.line) == (code, text.count("\n") + 2)
    assert problem.span.source.path == str(path)


def test_a_link_between_folders_does_not_lead_out(write: Write) -> None:
    """What counts is where a file really lies."""
    secret = write("base.yaml", GAME)
    path = write("here/x.yaml", "extends: link.yaml\nname: X\n")
    (path.parent / "link.yaml").symlink_to(secret)
    assert [problem.code for problem in complain(path)] == ["base-outside"]


def test_a_circle_is_shown_whole(write: Write) -> None:
    """The message names each file of the circle, in order."""
    write("b.yaml", "extends: c.yaml\nname: B\n")
    write("c.yaml", "extends: b.yaml\nname: C\n")
    (problem,) = complain(write("a.yaml", "extends: b.yaml\nname: A\n"))
    assert problem.message == "'b.yaml' extends itself: b.yaml > c.yaml > b.yaml"
    assert problem.span.source.path.endswith("c.yaml")


@pytest.mark.parametrize(("files", "codes"), [(MAX_FILES, []), (9, ["too-many-bases"])])
def test_chains_have_a_limit(write: Write, files: int, codes: list[str]) -> None:
    """Eight files in a row are enough."""
    write("0.yaml", GAME)
    for number in range(1, files - 1):
        write(f"{number}.yaml", f"extends: {number - 1}.yaml\nname: X\n{FOUR}")
    path = write("last.yaml", f"extends: {files - 2}.yaml\nname: X\n{FOUR}")
    _, problems = compose(path, read_file)
    assert [problem.code for problem in problems] == codes


def test_mistakes_of_all_files_are_reported(write: Write) -> None:
    """A mistake in the variant does not hide those in its base."""
    write("base.yaml", GAME.replace("about", "abuot"))
    path = write("x.yaml", "extends: base.yaml\nnme: X\noptions: {pils: 4}\n")
    assert [problem.code for problem in complain(path)] == [
        "unknown-key",
        "unknown-key",
    ]


def test_a_base_that_is_not_yaml_is_reported_there(write: Write) -> None:
    """The place is in the base, and nothing is said of its options."""
    write("base.yaml", "name: [")
    path = write("x.yaml", "extends: base.yaml\nname: X\noptions: {a: 1}\n")
    (problem,) = complain(path)
    assert problem.code == "yaml-syntax"
    assert problem.span.source.path.endswith("base.yaml")


@pytest.mark.parametrize("name", ["x.yaml", "base.yaml"])
def test_a_file_that_is_not_text_is_reported(write: Write, name: str) -> None:
    """What reading a file raises as problems comes through as such."""
    path = write("x.yaml", "extends: base.yaml\nname: X\n")
    problem = Problem("not-utf-8", "byte 0xff is not UTF-8", read_file(path).span(0, 0))

    def read_or_refuse(file: Path) -> Source:
        if file.name == name:
            raise RulesError([problem])
        return read_file(file)

    assert compose(path, read_or_refuse) == (None, [problem])


def test_a_file_that_does_not_exist_is_the_callers_business(tmp_path: Path) -> None:
    """The file asked for has no place at which its absence could be shown."""
    with pytest.raises(FileNotFoundError):
        compose(tmp_path / "none.yaml", read_file)
