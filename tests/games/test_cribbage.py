"""Cribbage against a second telling of its rules, over random games."""

from __future__ import annotations

from itertools import combinations

import pytest

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
GAMES = 100
HEELS = 2


def place(card: str) -> int:
    """Return a card's place in a run."""
    return RANKS.index(card[:-1]) + 1


def pips(group: list[str]) -> int:
    """Return the sum of cards."""
    return sum(min(place(card), 10) for card in group)


def is_run(group: list[str]) -> bool:
    """Tell whether cards are consecutive."""
    places = sorted(map(place, group))
    return places == list(range(places[0], places[0] + len(places)))


def score_play(laid: list[str]) -> int:
    """Return what the last card laid scores."""
    points = 2 * (pips(laid) in (15, 31))
    alike = 1
    while alike < len(laid) and laid[-alike - 1][:-1] == laid[-1][:-1]:
        alike += 1
    runs = [k for k in range(3, len(laid) + 1) if is_run(laid[-k:])]
    return points + alike * (alike - 1) + max(runs, default=0)


def score_show(four: list[str], starter: str, *, is_crib: bool) -> int:
    """Return what four cards and the starter score."""
    five = [*four, starter]
    groups = [list(g) for n in range(2, 6) for g in combinations(five, n)]
    points = sum(2 for group in groups if pips(group) == 15)
    points += sum(2 for a, b in combinations(five, 2) if a[:-1] == b[:-1])
    runs = [len(group) for group in groups if len(group) > 2 and is_run(group)]
    points += sum(length for length in runs if length == max(runs))
    suits = {card[-1] for card in four}
    if len(suits) == 1:
        points += 5 if starter[-1] in suits else 4 * (not is_crib)
    return points + (f"J{starter[-1]}" in four)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_score_is_that_of_the_cards_played_and_shown(players: int) -> None:
    """Play and show, counted from the moves alone, come to the same points."""
    game = load("cribbage", players=players)
    for seed in range(GAMES // players):
        table = _Table(game.new(seed), seed)
        while not table.state.over:
            table.move()
        table.show()
        state = table.state
        assert state.result is not None
        teams = state.game.layout.teams
        for seat, team in enumerate(teams, 1):
            mates = [other for other, t in enumerate(teams, 1) if t == team]
            points = sum(table.points[other] for other in mates)
            assert state.result.scores[seat] == points
        assert sum(map(len, table.hands.values())) == 4 * players
        assert table.pegged >= 1


class _Table:
    """A second scorer, who sees the moves and the cards dealt."""

    def __init__(self, state: State, seed: int) -> None:
        self.state, self.rng = state, Rng(seed, 9)
        self.points = dict.fromkeys(range(1, state.game.players + 1), 0)
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.points}
        self.laid: list[str] = []
        self.last, self.pegged, self.starter = 0, 0, ""

    def held(self, seat: int) -> list[str]:
        """Return the cards a player holds."""
        return self.cards(f"{seat}.hand")

    def cards(self, pile: str) -> list[str]:
        """Return the names of the cards of a pile."""
        found = self.state.game.layout.pile(pile)
        assert found is not None
        return [self.state.game.deck.name(c) for c in self.state.cards(found.index)]

    def move(self) -> None:
        """Make a random move, after a look at what is legal."""
        seat = self.state.to_act[0]
        moves = self.state.moves(seat)
        move = self.rng.choice(moves)
        if move.name != "lay_away":
            fits = [c for c in self.held(seat) if pips([*self.laid, c]) <= 31]
            assert [list(m.args) for m in moves] == ([[c] for c in fits] or [[]])
        self.state.apply(seat, move)
        if move.name == "play":
            self.hands[seat].append(move.args[0])
            self.laid.append(move.args[0])
            self.peg(seat, score_play(self.laid))
            self.last = seat
            self.begin_count()
        elif move.name == "lay_away" and self.state.decision:
            self.starter = "".join(self.cards("starter"))
            if self.starter[:-1] == "J":
                self.points[self.state.game.players] += HEELS

    def begin_count(self) -> None:
        """Begin a new count if nobody can add to this one."""
        rest = [c for seat in self.points for c in self.held(seat)]
        if not any(pips([*self.laid, card]) <= 31 for card in rest):
            self.peg(self.last, int(pips(self.laid) < 31))
            self.laid = []
            if not self.state.over:
                able = [s for s in self.points if self.held(s)]
                seats = len(self.points)
                nearest = min(able, key=lambda s: (s - self.last - 1) % seats)
                assert self.state.to_act == (nearest,)

    def peg(self, seat: int, points: int) -> None:
        """Count points of the play."""
        self.points[seat] += points
        self.pegged += points

    def show(self) -> None:
        """Count all hands and the crib, which is the dealer's."""
        for seat, hand in self.hands.items():
            self.points[seat] += score_show(hand, self.starter, is_crib=False)
        crib = self.cards("crib")
        assert len(crib) == 4
        dealer = len(self.points)
        self.points[dealer] += score_show(crib, self.starter, is_crib=True)


def test_some_values_of_hands_do_not_exist() -> None:
    """No hand is worth 19, 25, 26, 27 or more than 29."""
    lines = ("fifteens", "pairs", "runs", "flush", "his_nob")
    game, found = load("cribbage"), set()
    for seed in range(2 * GAMES):
        state, _ = game.play_random(seed, 0)
        assert state.result is not None
        scored = state.result.lines
        found.add(sum(scored[line][1] for line in lines if line in scored))
    assert found <= {*range(19), *range(20, 25), 28, 29}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_side_reaches_the_target(players: int) -> None:
    """The game ends at once, so nobody else is there."""
    game = load("cribbage", players=players, options={"target": 61})
    for index in range(20):
        state, _ = game.play_random(5, index)
        assert state.result is not None
        best = {s for s, score in state.result.scores.items() if score >= 61}
        assert best == set(state.result.winners)
        assert len({game.layout.teams[seat - 1] for seat in best}) == 1
