"""Golf, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import play_turns

from cardrun.interpreter import State, load

GAMES = 60
POINTS = {"A": 1, "2": -2, "J": 10, "Q": 10, "K": 0} | {str(n): n for n in range(3, 11)}


def cards(state: State, pile: str) -> list[tuple[str, bool]]:
    """Return the cards of a pile, each with whether it lies open."""
    found = state.game.layout.pile(pile)
    assert found
    deck = state.game.deck
    return [(deck.name(c), state.face_up(c)) for c in state.cards(found.index)]


def grid(state: State, seat: int) -> list[tuple[str, bool]]:
    """Return the six cards of a player."""
    return [card for n in range(1, 7) for card in cards(state, f"{seat}.grid.{n}")]


def points(names: list[str]) -> int:
    """Return the points of six cards."""
    ranks = [name[:-1] for name in names]
    return sum(
        0 if top == below else POINTS[top] + POINTS[below]
        for top, below in zip(ranks[:3], ranks[3:], strict=True)
    )


@pytest.mark.parametrize("players", [2, 4, 7])
def test_the_deal_ends_when_one_grid_lies_open(players: int) -> None:
    """Then all cards are turned and counted; before that no grid is complete."""
    game = load("golf", players=players)
    for seed in range(GAMES):
        for state, seat, _ in play_turns(game, seed):
            if not seat:
                break
            for p in range(1, players + 1):
                assert not all(is_open for _, is_open in grid(state, p))
        grids = [grid(state, p) for p in range(1, players + 1)]
        assert all(is_open for cells in grids for _, is_open in cells)
        scores = [points([name for name, _ in cells]) for cells in grids]
        assert state.result is not None
        assert list(state.result.scores.values()) == scores


def test_moves_are_those_of_the_rules() -> None:
    """Six and five places to open, two ways to draw, seven or six to go on."""
    game = load("golf")
    for seed in range(GAMES):
        opened, last = 0, ""
        for state, seat, move in play_turns(game, seed):
            if not seat:
                break
            count = len(state.moves(seat))
            stock = cards(state, "stock")
            if opened < 8:
                assert count == 6 - opened % 2
                assert seat == opened // 2 + 1
                opened += 1
            elif last in ("draw", "take"):
                assert count == (7 if last == "draw" else 6)
            else:
                assert count == (2 if stock else 1)
                assert all(len(grid(state, p)) == 6 for p in range(1, 5))
                assert 24 + len(stock) + len(cards(state, "discard")) == 52
            last = move


def test_an_open_card_stays_open_where_it_is() -> None:
    """What is replaced goes to the discards, whatever way it lay."""
    game = load("golf")
    for seed in range(GAMES):
        before: list[list[tuple[str, bool]]] = []
        move = ""
        for state, _, following in play_turns(game, seed):
            grids = [grid(state, p) for p in range(1, 5)]
            if before and not state.over:
                changes = [
                    (old, new)
                    for mine, now in zip(before, grids, strict=True)
                    for old, new in zip(mine, now, strict=True)
                    if old != new
                ]
                assert all(new[1] for _, new in changes)
                assert len(changes) == int(move.split()[0] in ("turn", "place"))
                if move.startswith("place"):
                    assert cards(state, "discard")[-1][0] == changes[0][0][0]
            before, move = grids, following
