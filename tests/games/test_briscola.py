"""Briscola, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

import pytest
from playing import names

from cardrun.interpreter import State, load
from cardrun.interpreter.rng import Rng

GAMES = 350
RANKS = ["2", "4", "5", "6", "7", "J", "C", "K", "3", "A"]
POINTS = {"A": 11, "3": 10, "K": 4, "C": 3, "J": 2}


def height(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick."""
    place = RANKS.index(card[:-1])
    return 50 + place if card[-1] == trump else place if card[-1] == led else -1


def play_trick(state: State, rng: Rng, seats: list[int], trump: str) -> dict[int, str]:
    """Check that each may play whatever is in hand; return the cards by seats."""
    played: dict[int, str] = {}
    for seat in seats:
        assert state.to_act == (seat,)
        hand = names(state, f"{seat}.hand")
        assert {str(move) for move in state.moves(seat)} == {f"play {c}" for c in hand}
        card = rng.choice(hand)
        played[seat] = card
        state.apply_text(f"{seat} play {card}")
    return played


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("direction", "step"), [("clockwise", 1), ("counter_clockwise", -1)]
)
def test_a_game_is_as_the_rules_say(players: int, direction: str, step: int) -> None:
    """Cards in hand, winners, what is drawn and points; 120 of them in all."""
    game = load("briscola", players=players, options={"direction": direction})
    sides = 2 if players == 4 else players
    for seed in range(GAMES):
        state, rng = game.new(seed), Rng(seed, 1)
        (turned,) = names(state, "upcard")
        stock = [*reversed(names(state, "deck")), turned]
        hands = {n: set(names(state, f"{n}.hand")) for n in range(1, players + 1)}
        assert set(map(len, hands.values())) == {3}
        assert len(stock) == (39 if players == 3 else 40) - 3 * players
        points, tricks, leader = [0] * sides, 0, (players - 1 + step) % players + 1
        while not state.over:
            seats = [(leader - 1 + step * k) % players + 1 for k in range(players)]
            played = play_trick(state, rng, seats, turned[-1])
            led = played[leader][-1]
            leader = max(seats, key=lambda n: height(played[n], led, turned[-1]))
            points[(leader - 1) % sides] += sum(
                POINTS.get(card[:-1], 0) for card in played.values()
            )
            tricks += 1
            for seat in played:
                hands[seat].discard(played[seat])
            first = seats.index(leader)
            if stock:
                for seat in seats[first:] + seats[:first]:
                    hands[seat].add(stock.pop(0))
            if not state.over:
                assert {n: set(names(state, f"{n}.hand")) for n in hands} == hands
        assert tricks * players == (39 if players == 3 else 40)
        assert not stock
        assert sum(points) == 120
        assert state.result
        assert list(state.result.scores.values()) == (points * players)[:players]


def test_partners_know_each_others_last_cards() -> None:
    """The house rule shows them to the partner alone, and not before."""
    game = load("briscola", players=4, house_rules=["briscola-partners-look"])
    for seed in range(20):
        state, rng, differing = game.new(seed), Rng(seed, 1), set[tuple[bool, bool]]()
        while not state.over:
            is_last = not names(state, "upcard")
            (seat,) = state.to_act
            worlds = [state.determinize(seat, rng) for _ in range(10)]
            for other in range(1, 5):
                hands = {tuple(names(world, f"{other}.hand")) for world in worlds}
                is_partner = (other - seat) % 2 == 0
                if other == seat or (is_last and is_partner):
                    assert hands == {tuple(names(state, f"{other}.hand"))}
                elif len(hands) > 1:
                    differing.add((is_last, is_partner))
            state.apply(seat, rng.choice(state.moves(seat)))
        assert differing == {(False, False), (False, True), (True, False)}
