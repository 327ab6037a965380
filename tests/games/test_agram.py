"""What holds in every deal of Agram."""

from __future__ import annotations

from playing import names

from cardrun.interpreter import load

GAMES = 200


def test_the_winner_of_the_last_trick_alone_scores() -> None:
    """The deal has one winner; the cards that were dealt have been played."""
    game = load("agram")
    for index in range(GAMES):
        state, tally = game.play_random(1, index)
        result = state.result
        assert result is not None
        assert sorted(result.scores.values()) == [0, 0, 1]
        assert len(result.winners) == 1
        assert tally[0] == 18
        assert sum(len(names(state, f"{seat}.won")) for seat in (1, 2, 3)) == 18
        assert len(names(state, "deck")) == 17
