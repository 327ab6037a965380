"""What holds in every deal of Whist."""

from __future__ import annotations

from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 100
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
LETTERS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S", None: ""}


def trump(state: State) -> str:
    """Return the letter of the trump suit."""
    variable = state.game.layout.variable("trump")
    assert variable
    return LETTERS[state.value(variable)]  # type: ignore[index]


def count_tricks(game: Game, seed: int) -> tuple[State, list[int]]:
    """Play a random deal; check each card; return both teams' tricks."""
    state, rng = game.new(seed), Rng(seed, 1)
    assert any(card.endswith(trump(state)) for card in names(state, "4.hand"))
    tricks, seat = [0, 0], 1
    while not state.over:
        played: list[str] = []
        led_by = seat
        for _ in range(4):
            assert state.to_act == (seat,)
            hand = names(state, f"{seat}.hand")
            suit = [card for card in hand if played and card[-1] == played[0][-1]]
            moves = state.moves(seat)
            assert {str(move)[5:] for move in moves} == set(suit or hand)
            move = rng.choice(moves)
            played.append(str(move)[5:])
            trumps = trump(state)
            state.apply(seat, move)
            seat = seat % 4 + 1
        best = max(played, key=lambda card: strength(card, played[0][-1], trumps))
        seat = (led_by - 1 + played.index(best)) % 4 + 1
        tricks[(seat - 1) % 2] += 1
    return state, tricks


def strength(card: str, led: str, trumps: str) -> int:
    """Return how high a card is in a trick."""
    place = RANKS.index(card[:-1])
    return 100 + place if card[-1] == trumps else place if card[-1] == led else -1


def test_one_team_scores_its_tricks_above_six() -> None:
    """Legal cards, winners of tricks and the score are those of the rules."""
    game = load("whist")
    for seed in range(GAMES):
        state, tricks = count_tricks(game, seed)
        assert sum(tricks) == 13
        points = [max(number - 6, 0) for number in tricks]
        assert state.result
        assert list(state.result.scores.values()) == points * 2
