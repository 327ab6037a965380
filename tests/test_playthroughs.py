"""The first decisions of a seeded game of every shipped ruleset."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cardrun.interpreter import load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng

FOLDER = Path(__file__).parent / "playthroughs"
RULESETS = [path.stem for path in shipped()]
SEED = 7
DECISIONS = 25


def write_playthrough(name: str) -> str:
    """Return who could do what at each decision, and what was done."""
    state = load(name).new(seed=SEED)
    lines = [f"{name}: {state.game.players} players, seed {SEED}"]
    rng = Rng(SEED, 1)
    for number in range(1, DECISIONS + 1):
        decision = state.decision
        if decision is None:
            break
        lines += ["", f"{number}. {decision.path}"]
        able = []
        for seat in state.to_act:
            moves = state.moves(seat)
            lines.append(f"  {seat} may: {', '.join(map(str, moves)) or 'nothing'}")
            if moves:
                able.append((seat, moves))
        seat, moves = rng.choice(able)
        move = rng.choice(moves)
        lines.append(f"  {seat} chose: {move}")
        state.apply(seat, move)
    lines += ["", "then"]
    for pile in state.game.layout.piles:
        names = [state.game.deck.name(card) for card in state.cards(pile.index)]
        lines.append(f"  {pile.text}: {' '.join(names) or 'empty'}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", RULESETS)
def test_a_game_goes_as_it_went(name: str) -> None:
    """GOLDEN=write writes the files anew; read the difference before keeping it."""
    found = write_playthrough(name)
    path = FOLDER / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(found, encoding="utf-8", newline="\n")
    assert path.is_file(), f"{name} has no playthrough: run with GOLDEN=write"
    assert found == path.read_text(encoding="utf-8")


def test_there_are_no_other_playthroughs() -> None:
    """Each file belongs to a shipped ruleset."""
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(RULESETS)
