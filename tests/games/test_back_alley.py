"""Back Alley, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 25
ORDER = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
DOWN_AND_UP = [*range(13, 0, -1), *range(2, 14)]
NEXT = {1: 2, 2: 3, 3: 4, 4: 1}
PARTNER = {1: 3, 2: 4, 3: 1, 4: 2}
BLOOPERS = ("little", "big")


@dataclass
class Card:
    """A card as it was played: by whom, out of which hand, and what else could be."""

    seat: int
    name: str
    hand: list[str]
    legal: set[str]


@dataclass
class Deal:
    """A deal as it went: the cards, the bids, the play, the scores after it."""

    dealer: int
    upcard: str
    thrown: list[str]
    hands: dict[int, list[str]]
    bids: list[tuple[int, str]] = field(default_factory=list)
    bid_lists: list[list[str]] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)
    scores: tuple[int, int] = (0, 0)

    @property
    def size(self) -> int:
        """Return how many cards each player has been dealt."""
        return len(self.hands[1])

    @property
    def trump(self) -> str:
        """Return the letter of the trump suit; empty if there is none."""
        return "" if self.upcard in BLOOPERS else self.upcard[-1]

    def boards(self) -> dict[int, int]:
        """Return which board each seat has bid: 1 a board, 2 a double board."""
        bidders = [seat for seat, bid in self.bids if bid == "board"]
        return {seat: bidders.index(seat) + 1 for seat in bidders}

    def leader(self) -> int:
        """Return who leads to the first trick."""
        if self.boards():
            return list(self.boards())[-1]
        numbers = {s: int(bid[4:]) for s, bid in self.bids if bid != "pass"}
        return max(numbers, key=lambda seat: numbers[seat])

    def tricks(self) -> list[list[Card]]:
        """Return the cards played, four and four."""
        return [self.played[i : i + 4] for i in range(0, len(self.played), 4)]


def number(state: State, name: str) -> int:
    """Return the value of a variable that is a number or a seat."""
    variable = state.game.layout.variable(name)
    assert variable
    value = state.value(variable)
    assert isinstance(value, int)
    return value


@cache
def table() -> Game:
    """Return the game, compiled once."""
    return load("back_alley")


@cache
def play(seed: int) -> tuple[list[Deal], State]:
    """Return the deals of a random game, redeals included, and its end."""
    state, rng = table().new(seed), Rng(seed, 1)
    deals: list[Deal] = []
    while not state.over:
        (seat,) = state.to_act
        moves = state.moves(seat)
        texts = [str(move) for move in moves]
        move = rng.choice(moves)
        if "pass" in texts:
            if not deals or len(deals[-1].bids) == 4:
                deals.append(begin(state))
            deals[-1].bids.append((seat, str(move)))
            deals[-1].bid_lists.append(texts)
        else:
            legal = {text.removeprefix("play ") for text in texts}
            name = str(move).removeprefix("play ")
            hand = names(state, f"{seat}.hand")
            deals[-1].played.append(Card(seat, name, hand, legal))
        state.apply(seat, move)
        deals[-1].scores = number(state, "1.score"), number(state, "2.score")
    return deals, state


def begin(state: State) -> Deal:
    """Return a deal whose bidding begins."""
    hands = {seat: names(state, f"{seat}.hand") for seat in NEXT}
    (upcard,) = names(state, "upcard")
    others = [*names(state, "deck"), *names(state, "thrown"), upcard]
    assert sorted(sum(hands.values(), others)) == sorted(
        [*(rank + suit for rank in ORDER for suit in "CDHS"), *BLOOPERS]
    )
    return Deal(number(state, "dealer"), upcard, names(state, "thrown"), hands)


def is_trump(card: str, trump: str) -> bool:
    """Return whether a card is a trump, as both bloopers are."""
    return bool(trump) and (card in BLOOPERS or card[-1] == trump)


def height(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick in which a card was led."""
    if card in BLOOPERS:
        return 200 + BLOOPERS.index(card)
    if is_trump(card, trump):
        return 100 + ORDER.index(card[:-1])
    plain = not is_trump(led, trump) and card[-1] == led[-1]
    return ORDER.index(card[:-1]) if plain else -1


def allowed(hand: list[str], trick: list[str], trump: str, free: bool) -> set[str]:
    """Return what may be played; `free` says that trumps may be led."""
    trumps = [card for card in hand if is_trump(card, trump)]
    plain = {card for card in hand if card not in trumps}
    if not trick:
        return set(hand) if free or not plain else plain
    led = trick[0]
    if led in BLOOPERS and trumps:
        pick = max if led == "big" else min
        return {pick(trumps, key=lambda card: height(card, led, trump))}
    if is_trump(led, trump):
        return set(trumps) or set(hand)
    return {card for card in plain if card[-1] == led[-1]} or set(hand)


def points(deal: Deal, tricks: list[int], team: int) -> int:
    """Return what a deal brings a team, 0 or 1, that has won so many tricks."""
    seats = (1 + team, 3 + team)
    board = max(deal.boards().get(seat, 0) for seat in seats)
    if board:
        worth = 10 * deal.size * board
        return worth if tricks[team] == deal.size else -worth
    bid = sum(int(b[4:]) for s, b in deal.bids if s in seats and b.startswith("bid"))
    won = tricks[team]
    return 5 * bid + (won - bid) if won >= bid else -5 * bid


def count_tricks(deal: Deal) -> list[int]:
    """Return how many tricks each team has won."""
    won = [0, 0]
    for trick in deal.tricks():
        led = trick[0].name
        best = max(trick, key=lambda card: height(card.name, led, deal.trump))
        won[(best.seat - 1) % 2] += 1
    return won


each_game = pytest.mark.parametrize("seed", range(GAMES))


@each_game
def test_there_are_twenty_five_deals(seed: int) -> None:
    """Thirteen cards down to one and up again; a deal that all pass is no deal."""
    deals, _ = play(seed)
    assert [deal.size for deal in deals if deal.played] == DOWN_AND_UP
    for deal, after in pairwise(deals):
        assert after.dealer == NEXT[deal.dealer]
        if not deal.played:
            assert {bid for _, bid in deal.bids} == {"pass"}
            assert after.size == deal.size


@each_game
def test_what_may_be_bid(seed: int) -> None:
    """Once each, from the dealer's left: pass, fewer tricks than cards, a board."""
    for deal in play(seed)[0]:
        first = NEXT[deal.dealer]
        order = [first, NEXT[first], PARTNER[first], deal.dealer]
        assert [seat for seat, _ in deal.bids] == order
        numbers = [f"bid {tricks}" for tricks in range(1, deal.size)]
        assert deal.bid_lists == [["pass", *numbers, "board"]] * 4


@each_game
def test_who_leads(seed: int) -> None:
    """The highest bidder leads first, then the winner of each trick."""
    for deal in play(seed)[0]:
        leader = deal.leader() if deal.played else 0
        for trick in deal.tricks():
            order = [leader, NEXT[leader], PARTNER[leader], NEXT[PARTNER[leader]]]
            assert [card.seat for card in trick] == order
            led = trick[0].name
            best = max(trick, key=lambda card: height(card.name, led, deal.trump))
            leader = best.seat


@each_game
def test_what_may_be_played(seed: int) -> None:
    """Every list of legal cards is that of the rules."""
    for deal in play(seed)[0]:
        broken = False
        for trick in deal.tricks():
            for place, card in enumerate(trick):
                before = [played.name for played in trick[:place]]
                free = broken or card.seat in deal.boards()
                expected = allowed(card.hand, before, deal.trump, free)
                assert card.legal == expected
            broken |= any(is_trump(card.name, deal.trump) for card in trick)


@each_game
def test_the_score_follows_from_bids_and_tricks(seed: int) -> None:
    """All tricks are won by somebody, and each deal adds what the rules say."""
    scores = [0, 0]
    deals, state = play(seed)
    for deal in deals:
        if deal.played:
            tricks = count_tricks(deal)
            assert sum(tricks) == deal.size
            for team in (0, 1):
                scores[team] += points(deal, tricks, team)
        assert deal.scores == tuple(scores)
    assert state.result is not None
    best = max(scores)
    winners = [seat for seat in NEXT if scores[(seat - 1) % 2] == best]
    assert list(state.result.winners) == winners
    assert state.result.scores == {seat: scores[(seat - 1) % 2] for seat in NEXT}


def test_a_blooper_turned_up_leaves_none_in_the_hands() -> None:
    """Its fellow, where it was dealt, has been thrown away and replaced."""
    thrown = 0
    for seed in range(GAMES):
        for deal in play(seed)[0]:
            sizes = {len(hand) for hand in deal.hands.values()}
            assert sizes == {deal.size}
            if deal.upcard in BLOOPERS:
                assert not any(
                    set(hand) & set(BLOOPERS) for hand in deal.hands.values()
                )
                thrown += len(deal.thrown)
            else:
                assert deal.thrown == []
    assert thrown > 0


def test_the_first_dealer_is_drawn() -> None:
    """Each seat deals first about as often as the others."""
    first = [number(table().new(seed), "dealer") for seed in range(400)]
    for seat in NEXT:
        assert 70 < first.count(seat) < 130


FORMULAS = [
    # bids of seats 1 to 4, cards each, tricks of seats 1 and 3, points of the teams
    (["bid 5", "bid 3", "bid 2", "pass"], 13, 9, (37, 16)),
    (["bid 5", "bid 3", "bid 2", "pass"], 13, 6, (-35, 19)),
    (["pass", "bid 3", "pass", "bid 4"], 13, 6, (6, 35)),
    (["board", "board", "pass", "board"], 4, 4, (40, -120)),
    (["board", "board", "board", "board"], 4, 0, (-120, 160)),
]


@pytest.mark.parametrize(("bids", "size", "won", "expected"), FORMULAS)
def test_the_formulas(
    bids: list[str], size: int, won: int, expected: tuple[int, int]
) -> None:
    """The rules as written here give the worked examples."""
    hands = {seat: ["2C"] * size for seat in NEXT}
    deal = Deal(4, "2H", [], hands, list(enumerate(bids, 1)))
    tricks = [won, size - won]
    assert (points(deal, tricks, 0), points(deal, tricks, 1)) == expected
