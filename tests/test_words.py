"""Numbers of emitted code have room in words of 64 bits, and places are there.

Machine code looks after neither: it cuts numbers off, and reads what lies before a
vector. So the source that machine code is made of is run as Python that looks.
"""

from __future__ import annotations

import ast
from typing import Any

import pytest

from cardrun.interpreter import Game, load
from cardrun.interpreter.bots import LOOKAHEAD
from cardrun.interpreter.bots.mind import Mind
from cardrun.interpreter.engine.backend import (
    BATCH,
    Kind,
    Playouts,
    Workshop,
    play_in_python,
)
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng

RULESETS = [path.stem for path in shipped()]
ROOT = 5
GAMES = 2
GAMES_NIGHTLY = 100
# What a bounded draw makes of 32 bits and a bound, of which the lower half counts,
# and the upper one without its sign.
UNSIGNED = "product"


class Vector(list[int]):
    """A vector that counts from its beginning, and has words."""

    def __getitem__(self, place: Any) -> Any:
        """Return what is at a place."""
        assert isinstance(place, slice) or place >= 0, place
        return super().__getitem__(place)

    def __setitem__(self, place: Any, word: Any) -> None:
        """Write a word, or some."""
        assert isinstance(place, slice) or (place >= 0 and fit(word) == word), place
        super().__setitem__(place, word)


def fit(number: int) -> int:
    """Return a number that has room in a word."""
    assert -(1 << 63) <= number < 1 << 63, number
    return number


def fit_unsigned(number: int) -> int:
    """Return a number that has room in a word without a sign."""
    assert 0 <= number < 1 << 64, number
    return number


def shift_by(number: int) -> int:
    """Return by how much a processor shifts."""
    assert 0 <= number < 64, number
    return number


def divide_by(number: int) -> int:
    """Return what a processor divides by."""
    assert number != 0
    return number


def bits(mask: int) -> int:
    """Return how many ones a number has that is not below 0."""
    assert mask >= 0, mask
    return fit(mask).bit_count()


def length(mask: int) -> int:
    """Return how many digits a number has that is not below 0."""
    assert mask >= 0, mask
    return fit(mask).bit_length()


def lowest(mask: int) -> int:
    """Return the place of the lowest one of a number that has any."""
    assert mask != 0
    return (mask & -mask).bit_length() - 1


KNOWN = (fit, fit_unsigned, shift_by, divide_by, bits, length, lowest)


class Looking(ast.NodeTransformer):
    """Has every operation look whether a processor does the same."""

    def visit_BinOp(self, node: ast.BinOp, fitting: str = "fit") -> ast.expr:
        """Look at what comes out, and at what shifts and divides."""
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift | ast.RShift):
            node.right = call("shift_by", node.right)
        elif isinstance(node.op, ast.FloorDiv | ast.Mod):
            node.right = call("divide_by", node.right)
        return call(fitting, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Look at what comes out."""
        self.generic_visit(node)
        return node if isinstance(node.op, ast.Not) else call("fit", node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """Look at what comes out: a vector does so itself."""
        if isinstance(node.target, ast.Name):
            name = node.target.id
            binary = ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value)
            return ast.Assign([node.target], self.visit_BinOp(binary))
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Look at what comes out, with a sign or not."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value):
                fitting = "fit_unsigned" if name == UNSIGNED else "fit"
                node.value = self.visit_BinOp(value, fitting)
                return node
        self.generic_visit(node)
        return node


def call(name: str, node: ast.expr) -> ast.Call:
    """Return a call of a function with one value."""
    return ast.Call(ast.Name(name, ast.Load()), [node], [])


def run_looking(game: Game, kind: Kind) -> dict[str, Any]:
    """Return the functions that machine code is made of, as Python that looks."""
    tree = Looking().visit(ast.parse(Workshop(game, kind=kind).source))
    names: dict[str, Any] = {known.__name__: known for known in KNOWN}
    exec(compile(ast.fix_missing_locations(tree), "<source>", "exec"), names)
    return names


def play_looking(game: Game, games: int) -> None:
    """Play some games, and compare them with others."""
    playouts = Playouts(game, "looking", run_looking(game, BATCH), Vector)
    assert playouts.play(ROOT, 0, games) == play_in_python(game).play(ROOT, 0, games)


@pytest.mark.parametrize("name", RULESETS)
def test_games_fit_words(name: str) -> None:
    """Each shipped one."""
    play_looking(load(name), GAMES)


@pytest.mark.nightly
@pytest.mark.parametrize("name", RULESETS)
def test_many_games_fit_words(name: str) -> None:
    """Each shipped one, more often."""
    play_looking(load(name), GAMES_NIGHTLY)


@pytest.mark.parametrize("name", RULESETS)
def test_what_bots_think_fits_words(name: str) -> None:
    """They try moves, and grow a tree, here and there in a game."""
    game = load(name)
    mind = Mind(game, "looking", run_looking(game, LOOKAHEAD), Vector)
    plain = Mind(game, "python", game.machine.lookahead, list)
    state, rng = game.new(ROOT), Rng(ROOT)
    for _ in range(3):
        for _ in range(9):
            if not state.over:
                acting = [seat for seat in state.to_act if state.moves(seat)]
                seat = rng.choice(acting)
                state.apply(seat, rng.choice(state.moves(seat)))
        if not state.over:
            assert think(mind, state) == think(plain, state)


def think(mind: Mind, state: Any) -> tuple[Any, ...]:
    """Return what a mind makes of a state."""
    seat = next(seat for seat in state.to_act if state.moves(seat))
    moves = state.moves(seat)[:8]
    rng = Rng(ROOT)
    mind.look_at(state)
    with mind.drawing(rng):
        found = mind.try_moves(seat, moves, 20, 2)
        mind.begin_search(moves, 12)
        mind.try_firsts(seat, 20)
        mind.iterate(seat, 20, 8)
    return found, mind.count_tries(), rng.words


@pytest.mark.parametrize(
    "line",
    [
        "return S[a - 1]",
        "S[a - 1] = 2",
        "S[0] = 1 << 63",
        "S[0] += 4 << 61",
        "a -= 1 << 63\n    a -= 1",
        "return (a + 5) << 64",
        "return 5 >> (a - 1)",
        "return 5 % a",
        "return bits(a - 1)",
        "return length(~a)",
        "return lowest(a)",
    ],
)
def test_what_does_not_fit_is_seen(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it stands."""
    source = f"def f(S, a):\n    {line}\n"
    monkeypatch.setattr(Workshop, "source", source)
    run = run_looking(load("leduc_poker"), BATCH)["f"]
    with pytest.raises(AssertionError):
        run(Vector([0]), 0)
