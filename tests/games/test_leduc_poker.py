"""Leduc poker, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from cardrun.interpreter import State, load

CARDS = ["JC", "JD", "QC", "QD", "KC", "KD"]
STRENGTH = {"J": 1, "Q": 2, "K": 3}


@dataclass
class Table:
    """A hand of Leduc poker as its rules tell it."""

    paid: list[int] = field(default_factory=lambda: [1, 1])
    raised: list[bool] = field(default_factory=lambda: [False, False])
    acted: list[bool] = field(default_factory=lambda: [False, False])
    size: int = 2
    me: int = 0
    folded: int | None = None
    over: bool = False

    def options(self) -> list[str]:
        """Return what the player at turn may do."""
        if self.paid[self.me] == max(self.paid):
            return ["check", "bet"]
        return ["fold", "call"] + ([] if self.raised[self.me] else ["raise"])

    def act(self, action: str) -> None:
        """Carry one action out, and end the round when it is over."""
        self.acted[self.me] = True
        if action == "fold":
            self.folded, self.over = self.me, True
            return
        if action in ("bet", "raise"):
            self.raised[self.me] = True
            self.paid[self.me] = max(self.paid) + self.size
        elif action == "call":
            self.paid[self.me] = max(self.paid)
        self.me = 1 - self.me
        if all(self.acted) and self.paid[0] == self.paid[1]:
            self.over = self.size == 4
            self.raised, self.acted = [False, False], [False, False]
            self.size, self.me = 4, 0

    def score(self, own: list[str], board: str) -> list[int]:
        """Return what each has won or lost."""
        if self.folded is not None:
            lost = self.paid[self.folded]
            return [-lost, lost] if self.folded == 0 else [lost, -lost]
        value = [9 if card[0] == board[0] else STRENGTH[card[0]] for card in own]
        if value[0] == value[1]:
            return [0, 0]
        lost = min(self.paid)
        return [lost, -lost] if value[0] > value[1] else [-lost, lost]


def lines(table: list[str], state: State) -> Iterator[tuple[list[str], State]]:
    """Yield every way a deal can go, with its last state."""
    if state.over:
        yield table, state
        return
    (seat,) = state.to_act
    for move in state.moves(seat):
        after = state.copy()
        after.apply(seat, move)
        yield from lines([*table, str(move)], after)


def replay(actions: list[str]) -> tuple[Table, list[list[str]]]:
    """Return the table after some actions, and what could be done before each."""
    table, options = Table(), []
    for action in actions:
        options.append(table.options())
        table.act(action)
    return table, options


def test_every_line_of_every_deal_is_settled_by_the_rules() -> None:
    """All 120 deals of two cards and a board, each to the end of each line."""
    game = load("leduc_poker")
    for deal in itertools.permutations(CARDS, 3):
        stacked = [game.deck.parse(name)[0] for name in deal]
        count = 0
        for actions, state in lines([], game.new(1, stacked)):
            table, _ = replay(actions)
            assert table.over
            assert state.result is not None
            scores = list(state.result.scores.values())
            assert scores == table.score(list(deal[:2]), deal[2])
            assert sum(scores) == 0
            assert max(scores) <= 13
            count += 1
        assert count == 4 + 5 * 9  # four folds in the first round


def test_the_options_are_those_of_the_rules() -> None:
    """Two when nothing is owed, three when a bet may be raised, else two."""
    state = load("leduc_poker").new(1)
    for actions, _ in lines([], state):
        _, options = replay(actions)
        now = state.copy()
        for action, allowed in zip(actions, options, strict=True):
            (seat,) = now.to_act
            assert sorted(map(str, now.moves(seat))) == sorted(allowed)
            now.apply_text(f"{seat} {action}")
