"""The generator's numbers are the same everywhere and for ever."""

from __future__ import annotations

import pytest

from cardrun.interpreter import draws, load
from cardrun.interpreter.draws import FORESEEN, Block, begin_game
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng, scramble, seed_of_game

WHOLE = 1 << 32


@pytest.mark.parametrize(
    ("seed", "stream", "numbers"),
    [
        (0, 0, (1363572419, 145230303, 808754475, 4216505632)),
        (1, 0, (441792574, 614447336, 1644328534, 3387734806)),
        (7, 0, (3069104647, 3582417929, 1446471690, 4196707356)),
        (7, 1, (46412736, 3620445133, 2439915088, 2883427409)),
        ((1 << 53) - 1, 0, (1744020312, 3062531838, 170727212, 2850818593)),
        (-1, 0, (3198948910, 1207870834, 3536270770, 1764797259)),
    ],
)
def test_first_numbers_of_a_seed(
    seed: int, stream: int, numbers: tuple[int, ...]
) -> None:
    """They are pinned: a change would change every game ever played."""
    rng = Rng(seed, stream)
    assert tuple(rng.below(WHOLE) for _ in numbers) == numbers


def test_sfc32_agrees_with_a_second_writing() -> None:
    """The algorithm as its author gives it, written out once more."""
    a, b, c, counter = 7, 0, 0, 1
    found = []
    for _ in range(12 + 8):
        value = (a + b + counter) % WHOLE
        counter = (counter + 1) % WHOLE
        a = b ^ b // 512
        b = c * 9 % WHOLE
        c = (c * 2**21 % WHOLE + c // 2**11 + value) % WHOLE
        found.append(value)
    rng = Rng(7)
    assert [rng.below(WHOLE) for _ in range(8)] == found[12:]


def test_seeds_of_a_batch() -> None:
    """They are pinned, and fit into a double."""
    seeds = [seed_of_game(7, index) for index in range(3)]
    assert seeds == [6272396122787792, 7989137784097834, 6387115540617577]
    assert max(seed_of_game(1, index) for index in range(1000)) < 1 << 53


def test_seeds_of_a_batch_differ() -> None:
    """No two of ten thousand games begin alike."""
    assert len({seed_of_game(1, index) for index in range(10_000)}) == 10_000


@pytest.mark.parametrize("name", [path.stem for path in shipped()])
@pytest.mark.parametrize("bound", [1, 2, 3, 52, 1000, 3_000_000_000])
def test_emitted_draws_agree(name: str, bound: int) -> None:
    """A game draws what the generator outside draws, from the same words."""
    game = load(name)
    rng = Rng(99)
    vector = game.new(seed=1).vector
    start = game.layout.slots["rng0"]
    vector[start : start + 4] = scramble(99)
    words = list(scramble(99))
    draw = game.machine.function("draw")
    draw_from = game.machine.function("draw_from")
    for _ in range(200):
        number = rng.below(bound)
        assert draw(vector, bound) == number
        assert draw_from(words, 0, bound) == number
        assert 0 <= number < bound


@pytest.mark.parametrize("root", [0, 1, 12_345_678_901, 2**64 - 1])
@pytest.mark.parametrize("index", [0, 1, 63, 64, 1000, 2**33])
def test_games_begun_together_begin_as_alone(root: int, index: int) -> None:
    """The seed of a game of a batch, its words, and what its players draw."""
    seed = seed_of_game(root, index)
    players = Rng(seed, 1)
    found, words, draw = begin_game(root, index)
    assert (found, words) == (seed, scramble(seed))
    assert [draw() for _ in range(100)] == [players.below(WHOLE) for _ in range(100)]


@pytest.mark.parametrize("name", ["cribbage", "goofspiel", "crazy_eights", "idiot"])
def test_games_shuffled_together_are_shuffled_as_alone(name: str) -> None:
    """The first game of a batch is, and others are the same whoever went before."""
    game = load(name)
    together = [game.play_random(11, index)[0] for index in range(20)]
    for index in (1, 7, 19):
        FORESEEN.forget()
        assert game.play_random(11, index)[0] == together[index]


def test_a_game_that_goes_on_for_long_draws_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same numbers, of which not all are kept."""
    monkeypatch.setattr(draws, "_MOST_TURNS", 2)
    block = Block(5, 0)
    draw, players = block.draw(9), Rng(block.seeds[9], 1)
    assert [draw() for _ in range(200)] == [players.below(WHOLE) for _ in range(200)]
    assert len(block._drawn) == 3


def test_shuffles_of_another_deck_are_not_mixed_up() -> None:
    """Two games of a seed are played in turns, of a small deck and a large one."""
    block = Block(4, 0)
    for place, size in enumerate((5, 7, 5, 7, 5)):
        found = FORESEEN.find(block.words[place], size)
        if found is not None:
            rng, cards = Rng(block.seeds[place]), [*range(size)]
            rng.shuffle(cards)
            mine = [*range(size)]
            for last, other in zip(range(size - 1, 0, -1), found[0], strict=True):
                mine[last], mine[other] = mine[other], mine[last]
            assert (mine, found[1]) == (cards, rng.words)
        assert (found is not None) == (place in (2, 4))


def test_old_shuffles_are_forgotten() -> None:
    """A long run needs no more memory than a short one."""
    for number in range(200):
        Block(6, number)
    assert len(FORESEEN._known) + len(FORESEEN._before) < 10_000


def test_a_number_that_is_drawn_again_spoils_no_shuffle() -> None:
    """Where one of the games would draw again, each of them shuffles alone."""
    block = Block(3, 0)
    size = 1 << 31
    assert [FORESEEN.find(words, size) for words in block.words[:2]] == [None, None]


def test_a_shuffle_is_pinned() -> None:
    """From the last place down, with numbers from 0 to the place."""
    cards = list(range(10))
    Rng(7).shuffle(cards)
    assert cards == [0, 8, 4, 1, 3, 5, 6, 2, 9, 7]


def test_an_emitted_shuffle_agrees() -> None:
    """The deck of a new game is shuffled as a list would be."""
    game = load("spit")
    vector = game._blank(7)
    pile = game.layout.deck_pile
    game.machine.function("shuffle")(vector, pile.index)
    cards = list(range(game.deck.size))
    Rng(7).shuffle(cards)
    assert vector[pile.base : pile.base + game.deck.size] == cards
