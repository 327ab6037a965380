"""Skitgubbe, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from functools import cache

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 25
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]


@cache
def table(players: int = 3) -> Game:
    """Return the game, compiled once."""
    return load("skitgubbe", players=players)


def height(card: str) -> int:
    """Return the place of a card's rank."""
    return RANKS.index(card[:-1])


class Sheet:
    """A game kept by hand beside the one under test."""

    def __init__(self, state: State, rng: Rng) -> None:
        """Begin with the cards as they were dealt."""
        self.state, self.rng = state, rng
        self.count = state.game.players
        self.hands = [names(state, f"{s + 1}.hand") for s in range(self.count)]
        self.stock = names(state, "stock")
        self.won: list[list[str]] = [[] for _ in self.hands]
        self.trump_card, self.trump_owner = "", -1
        self.scores = [0] * self.count

    def ask(self, seat: int, wanted: set[str]) -> str:
        """Let a seat choose one of the moves that the rules allow."""
        assert self.state.to_act == (seat + 1,)
        moves = {str(move): move for move in self.state.moves(seat + 1)}
        assert set(moves) == wanted
        text = self.rng.choice(sorted(moves))
        self.state.apply(seat + 1, moves[text])
        return text

    def fight_for_one(self, seat: int) -> str:
        """Return the card with which a seat fights."""
        wanted = {f"play {card}" for card in self.hands[seat]}
        text = self.ask(seat, wanted | ({"turn_up"} if len(self.stock) > 1 else set()))
        if text == "turn_up":
            return self.stock.pop()
        card = text.removeprefix("play ")
        self.hands[seat].remove(card)
        if len(self.stock) == 1:
            self.trump_card, self.trump_owner = self.stock.pop(), seat
        elif self.stock:
            self.hands[seat].append(self.stock.pop())
        return card

    def collect(self) -> None:
        """Play the first half."""
        leader, bounced = 0, list[tuple[int, str]]()
        while True:
            other = (leader + 1) % self.count
            if not self.hands[leader] or not self.hands[other]:
                break
            pair = [(seat, self.fight_for_one(seat)) for seat in (leader, other)]
            bounced += pair
            first, second = (height(card) for _, card in pair)
            if first != second:
                leader = leader if first > second else other
                self.won[leader] += [card for _, card in bounced]
                assert len(bounced) % 2 == 0
                bounced = []
        for seat, card in bounced:
            self.won[seat].append(card)
        for seat in range(self.count):
            self.won[seat] += self.hands[seat]
        self.won[self.trump_owner].append(self.trump_card)
        self.scores = [0 if cards else self.count for cards in self.won]

    def beats(self, card: str, top: str) -> bool:
        """Tell whether a card beats the top of a trick."""
        if card[-1] == top[-1]:
            return height(card) > height(top)
        return card[-1] == self.trump_card[-1]

    def shed(self) -> None:
        """Play the second half."""
        turn, trick = self.trump_owner, list[str]()
        began = self.holding()
        while self.holding() > 1:
            mine = self.won[turn]
            if mine:
                wanted = {
                    f"play {c}" for c in mine if not trick or self.beats(c, trick[-1])
                }
                text = self.ask(turn, wanted | ({"pick_up"} if trick else set()))
                if text == "pick_up":
                    mine.append(trick.pop())
                else:
                    trick.append(text.removeprefix("play "))
                    mine.remove(trick[-1])
                    if not mine:
                        self.scores[turn] = began
                if not trick or len(trick) == began:
                    stays = bool(trick and mine)
                    trick, began = [], self.holding()
                    if stays:
                        continue
            turn = (turn + 1) % self.count

    def holding(self) -> int:
        """Return how many players hold cards in the second half."""
        return sum(map(bool, self.won))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_random_games_follow_the_rules(players: int) -> None:
    """Moves, turns and scores in both halves, in every position."""
    for seed in range(GAMES):
        sheet = Sheet(table(players).new(seed), Rng(seed, 1))
        sheet.collect()
        held = [sorted(cards) for cards in sheet.won]
        piles = [f"{seat + 1}.cards" for seat in range(players)]
        assert [sorted(names(sheet.state, pile)) for pile in piles] == held
        assert sum(map(len, held)) == 52
        sheet.shed()
        assert sheet.state.result
        assert list(sheet.state.result.scores.values()) == sheet.scores
        assert sheet.scores.count(0) == 1


def test_a_trick_never_holds_more_cards_than_there_were_holders() -> None:
    """And all the cards are always somewhere."""
    for seed in range(GAMES):
        state, rng = table().new(seed), Rng(seed, 1)
        while not state.over:
            assert len(names(state, "trick")) <= 3
            held = [f"{s}.{z}" for s in (1, 2, 3) for z in ("hand", "won", "cards")]
            aside = [f"{s}.aside" for s in (1, 2, 3)]
            places = ["stock", "trick", "bounced", "gone", *held, *aside]
            assert len(names(state, *places)) == 52
            (seat,) = state.to_act
            state.apply(seat, rng.choice(state.moves(seat)))
