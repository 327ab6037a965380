"""Go Fish, checked against its rules written a second time, in plain Python."""

from __future__ import annotations

from collections import Counter

import pytest
from playing import names, play_turns

from cardrun.interpreter import load

GAMES = 40


def ask(
    hands: list[list[str]], stock: list[str], seat: int, move: str
) -> tuple[list[set[str]], int, int]:
    """Return the hands after an ask, the books laid down, and who is next."""
    _, whom, rank = move.split()
    mine, theirs = set(hands[seat - 1]), set(hands[int(whom) - 1])
    given = {card for card in theirs if card[:-1] == rank}
    drawn = {stock[-1]} if not given else set()
    again = bool(given) or stock[-1][:-1] == rank
    mine |= given | drawn
    ranks = Counter(card[:-1] for card in mine)
    mine = {card for card in mine if ranks[card[:-1]] < 4}
    after = [set(hand) for hand in hands]
    after[int(whom) - 1], after[seat - 1] = theirs - given, mine
    books = list(ranks.values()).count(4)
    return after, books, seat if again else seat % len(hands) + 1


@pytest.mark.parametrize("players", [2, 4, 6])
def test_asks_go_by_the_rules(players: int) -> None:
    """Hands, books and turns are what the rules make of each ask."""
    game = load("go_fish", players=players)
    for seed in range(GAMES):
        expected: tuple[list[set[str]], int, int] | None = None
        for state, seat, move in play_turns(game, seed):
            hands = [names(state, f"{p}.hand") for p in range(1, players + 1)]
            stock = names(state, "stock")
            books = [len(names(state, f"{p}.books")) for p in range(1, players + 1)]
            assert sum(map(len, hands)) + len(stock) + sum(books) == 52
            if expected is not None:
                assert [set(hand) for hand in hands] == expected[0]
                assert sum(books) == expected[1]
                assert seat in (0, expected[2])
            is_over = not stock or not all(hands)
            assert is_over == state.over
            if state.result:
                assert list(state.result.scores.values()) == [n // 4 for n in books]
                continue
            ranks = {card[:-1] for card in hands[seat - 1]}
            assert len(state.moves(seat)) == len(ranks) * (players - 1)
            after, laid, turn = ask(hands, stock, seat, move)
            expected = after, sum(books) + 4 * laid, turn
