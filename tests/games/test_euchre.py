"""Euchre, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from playing import names

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 300
PLAIN = ["9", "10", "J", "Q", "K", "A"]
SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


def texts(state: State) -> set[str]:
    """Return the legal moves of the player at turn."""
    (seat,) = state.to_act
    return {str(move) for move in state.moves(seat)}


def choose(state: State, rng: Rng) -> str:
    """Make a random move and return it."""
    (seat,) = state.to_act
    move = rng.choice(state.moves(seat))
    state.apply(seat, move)
    return str(move)


def suit_of(card: str, trump: str) -> str:
    """Return the suit to which a card belongs."""
    if card == "J" + SAME_COLOUR[trump]:
        return trump
    return card[-1]


def strength(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick."""
    if card == "J" + trump:
        return 99
    if suit_of(card, trump) == trump:
        return 98 if card[0] == "J" else 50 + PLAIN.index(card[:-1])
    return PLAIN.index(card[:-1]) if card[-1] == led else -1


def bid(state: State, rng: Rng) -> tuple[int, str, bool]:
    """Check the auction; return the maker, the trump suit and whether alone."""
    upcard = names(state, "upcard")[0][-1]
    for seat in (1, 2, 3, 4):
        assert state.to_act == (seat,)
        assert texts(state) == {"pass", "order_up with_partner", "order_up alone"}
        chosen = choose(state, rng)
        if chosen != "pass":
            assert state.to_act == (4,)
            cards = names(state, "4.hand")
            assert len(cards) == 6
            assert texts(state) == {f"discard {card}" for card in cards}
            choose(state, rng)
            return seat, upcard, chosen.endswith("alone")
    named = {
        f"call {suit} {how}"
        for suit, letter in SUITS.items()
        for how in ("with_partner", "alone")
        if letter != upcard
    }
    for seat in (1, 2, 3, 4):
        assert state.to_act == (seat,)
        assert texts(state) == named | ({"pass"} if seat < 4 else set())
        chosen = choose(state, rng)
        if chosen != "pass":
            _, suit, how = chosen.split()
            return seat, SUITS[suit], how == "alone"
    raise AssertionError("the dealer has passed twice")


def play(state: State, rng: Rng, trump: str, sitting_out: int) -> list[int]:
    """Check each card of the play; return both teams' tricks."""
    tricks = [0, 0]
    leader = 1
    for _ in range(5):
        order = [(leader + n - 1) % 4 + 1 for n in range(4)]
        order = [seat for seat in order if seat != sitting_out]
        played: list[str] = []
        for seat in order:
            assert state.to_act == (seat,)
            hand = names(state, f"{seat}.hand")
            led = suit_of(played[0], trump) if played else ""
            suit = [card for card in hand if suit_of(card, trump) == led]
            assert texts(state) == {f"play {card}" for card in suit or hand}
            played.append(choose(state, rng).removeprefix("play "))
        led = suit_of(played[0], trump)
        ranked = [strength(card, led, trump) for card in played]
        leader = order[ranked.index(max(ranked))]
        tricks[(leader - 1) % 2] += 1
    return tricks


def score(tricks: int, alone: bool) -> int:
    """Return the points of makers with so many tricks, below 0 the others'."""
    if tricks < 3:
        return -2
    return 1 if tricks < 5 else 4 if alone else 2


def test_moves_and_scores_are_those_of_the_rules() -> None:
    """In every position of random deals; exactly one team scores."""
    game = load("euchre")
    for seed in range(GAMES):
        state, rng = game.new(seed), Rng(seed, 1)
        maker, trump, alone = bid(state, rng)
        sitting_out = (maker + 1) % 4 + 1 if alone else 0
        tricks = play(state, rng, trump, sitting_out)
        assert state.over
        assert sum(tricks) == 5
        points = score(tricks[(maker - 1) % 2], alone)
        team = (maker - 1) % 2 if points > 0 else maker % 2
        expected = [abs(points) if team == side else 0 for side in (0, 1)]
        assert state.result
        assert list(state.result.scores.values()) == expected * 2
