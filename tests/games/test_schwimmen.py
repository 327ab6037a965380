"""Schwimmen against a second telling of its rules, over random games."""

from __future__ import annotations

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

WORTH = {"A": 11, "9": 9, "8": 8, "7": 7}
GAMES = 120
POSSIBLE = {*range(8, 12), *range(15, 22), *range(24, 32), 30.5, 32}


def cards(state: State, pile: str) -> list[str]:
    """Return the names of the cards of a pile."""
    found = state.game.layout.pile(pile)
    assert found is not None
    return [state.game.deck.name(card) for card in state.cards(found.index)]


def value(hand: list[str]) -> float:
    """Return what three cards are worth."""
    ranks = {card[:-1] for card in hand}
    if len(ranks) == 1:
        return 32 if "A" in ranks else 30.5
    suits = {card[-1] for card in hand}
    return max(
        sum(WORTH.get(card[:-1], 10) for card in hand if card[-1] == suit)
        for suit in suits
    )


class _Table:
    """A second umpire, who follows a deal move by move."""

    def __init__(self, state: State, seed: int) -> None:
        self.state, self.rng = state, Rng(seed, 9)
        self.players = state.game.players
        self.closer, self.passes, self.middles = 0, 0, 0

    def hand(self, seat: int) -> list[str]:
        return cards(self.state, f"{seat}.hand")

    def play(self) -> None:
        """Play the deal and compare each decision and the end."""
        assert set(self.choose(self.players)) == {"swap", "keep"}
        seat = 1
        while not self.is_won():
            middle = cards(self.state, "middle")
            singles = {f"exchange {a} {b}" for a in self.hand(seat) for b in middle}
            wanted = singles | {"exchange_all", "pass"}
            assert set(self.choose(seat)) == wanted
            if not self.closer and not self.is_won():
                assert set(self.choose(seat)) == {"close", "go_on"}
            seat = seat % self.players + 1
            if seat == self.closer or not self.renew():
                break
        assert self.state.result is not None
        scores = {s: value(self.hand(s)) for s in range(1, self.players + 1)}
        assert self.state.result.scores == scores
        assert set(scores.values()) <= POSSIBLE
        assert self.middles <= (32 - 3 * self.players - 3) // 3

    def is_won(self) -> bool:
        """Tell whether somebody holds thirty-one or three aces."""
        seats = range(1, self.players + 1)
        return any(value(self.hand(seat)) in (31, 32) for seat in seats)

    def choose(self, seat: int) -> list[str]:
        """Return a seat's legal moves, and make one of them: mostly a quiet one."""
        assert self.state.to_act == (seat,)
        moves = self.state.moves(seat)
        idle = [move for move in moves if move.name in ("pass", "go_on")]
        move = self.rng.choice(idle if idle and self.rng.below(8) else moves)
        self.passes = self.passes + 1 if move.name == "pass" else self.passes
        if move.name.startswith("exchange") or move.name == "close":
            self.passes = 0
        if move.name == "close":
            self.closer = seat
        self.before = cards(self.state, "middle"), cards(self.state, "stock")
        self.state.apply(seat, move)
        return [str(move) for move in moves]

    def renew(self) -> bool:
        """Tell whether the deal goes on, and expect a new middle when due."""
        if self.passes < self.players:
            return True
        self.passes = 0
        if len(self.before[1]) < 3:
            return False
        self.middles += 1
        assert set(cards(self.state, "middle")) == set(self.before[1][-3:])
        return True


@pytest.mark.parametrize("players", [2, 5, 9])
def test_a_deal_goes_as_the_rules_say(players: int) -> None:
    """Moves, turns, new middles, the end and all hands agree."""
    game = load("schwimmen", players=players)
    for seed in range(GAMES // players):
        _Table(game.new(seed), seed).play()


@pytest.mark.parametrize("fire", [False, True])
def test_one_player_is_left_when_lives_are_lost(fire: bool) -> None:
    """Everybody else has lost all lives and once more."""
    game = load(
        "schwimmen",
        options={"lives": 2, "fire": fire},
        house_rules=["schwimmen-lives"],
    )
    for index in range(20):
        state, _ = game.play_random(5, index)
        assert state.result is not None
        scores = sorted(state.result.scores.values())
        assert scores[:4] == [-1] * 4
        assert 0 <= scores[4] <= 2
