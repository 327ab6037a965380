"""A seed deals the same cards on every platform, for ever."""

from __future__ import annotations

import os
from pathlib import Path

from cardrun.interpreter import load
from cardrun.interpreter.loader import shipped

GOLDEN = Path(__file__).parent / "goldens" / "deals.txt"
SEED = 7


def write_deals() -> str:
    """Return the deal of every shipped ruleset: each pile, bottom to top."""
    lines = []
    for path in shipped():
        state = load(path.stem).new(seed=SEED)
        lines.append(f"{path.stem}: {state.game.players} players, seed {SEED}")
        for pile in state.game.layout.piles:
            names = [state.game.deck.name(card) for card in state.cards(pile.index)]
            if names:
                lines.append(f"  {pile.text}: {' '.join(names)}")
    return "\n".join(lines) + "\n"


def test_deals_are_pinned() -> None:
    """GOLDEN=write writes them anew, when a ruleset is added."""
    found = write_deals()
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(found, encoding="utf-8", newline="\n")
    assert found == GOLDEN.read_text(encoding="utf-8")
