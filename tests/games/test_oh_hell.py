"""Oh Hell, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from itertools import accumulate

import pytest
from playing import names

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 350
DEALS = 25
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SIZES = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}


def texts(state: State, seat: int) -> set[str]:
    """Return the legal moves of a player, who is the one at turn."""
    assert state.to_act == (seat,)
    return {str(move) for move in state.moves(seat)}


def choose(state: State, rng: Rng) -> str:
    """Make a random move and return it."""
    (seat,) = state.to_act
    move = rng.choice(state.moves(seat))
    state.apply(seat, move)
    return str(move)


def seats_from(first: int, count: int) -> list[int]:
    """Return the seats clockwise from one."""
    return [(first - 1 + step) % count + 1 for step in range(count)]


def bid(state: State, rng: Rng, dealer: int, cards: int, hook: bool) -> dict[int, int]:
    """Check the bidding; return each seat's bid."""
    bids: dict[int, int] = {}
    for seat in seats_from(dealer % state.game.players + 1, state.game.players):
        allowed = set(range(cards + 1))
        if hook and seat == dealer:
            allowed.discard(cards - sum(bids.values()))
        assert texts(state, seat) == {f"bid {number}" for number in allowed}
        bids[seat] = int(choose(state, rng).removeprefix("bid "))
    return bids


def play(state: State, rng: Rng, dealer: int, cards: int, trump: str) -> dict[int, int]:
    """Check each card that may be played; return the tricks of each seat."""
    players = state.game.players
    tricks = dict.fromkeys(range(1, players + 1), 0)
    leader = dealer % players + 1
    for _ in range(cards):
        trick: dict[str, int] = {}
        for seat in seats_from(leader, players):
            hand = names(state, f"{seat}.hand")
            led = next(iter(trick), "")[-1:]
            same = [card for card in hand if card[-1] == led]
            assert texts(state, seat) == {f"play {card}" for card in same or hand}
            trick[choose(state, rng).removeprefix("play ")] = seat
        led = next(iter(trick))[-1]
        suit = trump if any(card[-1] == trump for card in trick) else led
        best = max(
            (card for card in trick if card[-1] == suit),
            key=lambda card: RANKS.index(card[:-1]),
        )
        leader = trick[best]
        tricks[leader] += 1
    assert sum(tricks.values()) == cards
    return tricks


def count(tricks: int, bid: int, missed: str) -> int:
    """Return what a player scores for a deal."""
    if tricks == bid:
        return 10 + tricks
    return {"nothing": 0, "tricks": tricks, "difference": -abs(tricks - bid)}[missed]


def play_deal(
    state: State, rng: Rng, dealer: int, cards: int, hook: bool, missed: str
) -> list[int]:
    """Check one deal; return what each scores."""
    players = state.game.players
    turned = names(state, "upcard")
    assert len(turned) == (players * cards < 52)
    assert len(names(state, "deck")) == 52 - players * cards - len(turned)
    trump = turned[0][-1] if turned else ""
    bids = bid(state, rng, dealer, cards, hook)
    tricks = play(state, rng, dealer, cards, trump)
    return [count(tricks[seat], bids[seat], missed) for seat in tricks]


@pytest.mark.parametrize("players", SIZES)
@pytest.mark.parametrize(
    ("hook", "missed"), [(True, "nothing"), (False, "tricks"), (True, "difference")]
)
def test_one_deal_is_as_the_rules_say(players: int, hook: bool, missed: str) -> None:
    """Bids, legal cards, winners of tricks and scores of random deals."""
    options = {"hook": hook, "missed": missed}
    game = load("oh_hell", players=players, options=options)
    for seed in range(GAMES // 5):
        state = game.new(seed)
        cards = SIZES[players]
        scores = play_deal(state, Rng(seed, 1), players, cards, hook, missed)
        assert state.over
        assert state.result
        assert list(state.result.scores.values()) == scores


@pytest.mark.parametrize(
    ("players", "sizes", "cards"),
    [
        (4, "down", [*range(13, 0, -1)]),
        (4, "down_and_up", [*range(13, 0, -1), *range(2, 14)]),
        (5, "up_and_down", [*range(1, 11), *range(9, 0, -1)]),
        (7, "down_and_up", [*range(7, 0, -1), *range(2, 8)]),
    ],
)
def test_a_whole_game_goes_through_all_sizes(
    players: int, sizes: str, cards: list[int]
) -> None:
    """The deal goes round, the scores add up, and the last size is the end."""
    options = {"sizes": sizes, "cards": max(cards)}
    game = load("oh_hell", players=players, options=options)
    for seed in range(DEALS):
        state, rng, total = game.new(seed), Rng(seed, 1), [0] * players
        dealers = accumulate(cards, lambda seat, _: seat % players + 1, initial=players)
        for dealer, size in zip(dealers, cards, strict=False):
            assert not state.over
            deal = play_deal(state, rng, dealer, size, True, "nothing")
            total = [old + new for old, new in zip(total, deal, strict=True)]
        assert state.over
        assert state.result
        assert list(state.result.scores.values()) == total
