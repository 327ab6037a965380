"""The emitted source plays the same games compiled by Numba as it does in Python."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import pytest

from cardrun.interpreter import Game, load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import scramble, seed_of_game

numba: Any = pytest.importorskip("numba", reason="Numba is not installed")
numpy: Any = pytest.importorskip("numpy", reason="NumPy is not installed")

RULESETS = [path.stem for path in shipped()]
SEEDS = 20
ROOT = 2024


def compile_all(game: Game) -> dict[str, Any]:
    """Return the emitted functions as machine code, their tables as arrays."""
    names: dict[str, Any] = {
        "__builtins__": {"range": range, "abs": abs, "min": min, "max": max}
    }
    exec(compile(game.code, "<emitted game>", "exec"), names)
    for name, value in names.items():
        if isinstance(value, tuple):
            names[name] = vector(value)
        elif isinstance(value, FunctionType):
            names[name] = numba.njit(value)
    return names


def vector(numbers: Any) -> Any:
    """Return numbers as an array of 64-bit integers."""
    return numpy.array(numbers, dtype=numpy.int64)


def without(part: slice, numbers: list[int]) -> list[int]:
    """Return a vector's numbers but for its scratch space."""
    return numbers[: part.start] + numbers[part.stop :]


@pytest.mark.parametrize("name", RULESETS)
def test_numba_plays_the_same_games(name: str) -> None:
    """Twenty random games end in the same vector, with the same tally."""
    game = load(name)
    names = compile_all(game)
    slots = game.layout.slots
    scratch = slice(slots["scratch"], slots["scratch"] + 4 * slots["scratch unit"])
    buffer = vector(game.buffer())
    for index in range(SEEDS):
        expected, tally = game.play_random(ROOT, index)
        seed = seed_of_game(ROOT, index)
        state = vector(game._blank(seed))
        names["start"](state)
        assert without(scratch, state.tolist()) == without(
            scratch, game.new(seed).vector
        )
        counts = vector([0] * 5)
        names["play_random"](state, buffer, vector(scramble(seed, 1)), counts)
        assert without(scratch, state.tolist()) == without(scratch, expected.vector)
        assert tuple(counts.tolist()) == tally


@pytest.mark.parametrize("name", RULESETS)
def test_emitted_source_has_integers_only(name: str) -> None:
    """No text of a ruleset reaches the source, except in names and comments."""
    game = load(name)
    code = compile(game.code, "<emitted game>", "exec")
    kinds = {type(constant) for constant in constants(code)}
    assert kinds <= {int, bool, type(None), tuple, type(code)}


def constants(code: Any) -> list[Any]:
    """Return the constants of code and of what it defines."""
    found: list[Any] = []
    for constant in code.co_consts:
        # The names of a definition's parameters and defaults are no values.
        if hasattr(constant, "co_consts"):
            found += constants(constant)
        else:
            found.append(constant)
    return found
