"""States: copies, equality, refusals and the order of moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardrun.interpreter import Game, IllegalMove, Move, State, UnknownMove, load
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng

RULESETS = [path.stem for path in shipped()]
of_every_ruleset = pytest.mark.parametrize("name", RULESETS)


def play(state: State, decisions: int, seed: int = 5) -> list[str]:
    """Make random moves; return their texts."""
    rng = Rng(seed)
    log: list[str] = []
    while not state.over and len(log) < decisions:
        able = [seat for seat in state.to_act if state.moves(seat)]
        seat = rng.choice(able)
        move = rng.choice(state.moves(seat))
        state.apply(seat, move)
        log.append(f"{seat} {move}")
    return log


def able_seat(state: State) -> int:
    """Return the first seat that has a move."""
    return next(seat for seat in state.to_act if state.moves(seat))


@of_every_ruleset
def test_decisions_are_counted(name: str) -> None:
    """Whatever the rules call their own variables."""
    state = load(name).new(seed=1)
    log = play(state, 60)
    assert state.decisions == len(log) > 0


@of_every_ruleset
def test_a_copy_goes_its_own_way(name: str) -> None:
    """What is played in one is not played in the other."""
    state = load(name).new(seed=1)
    before = list(state.vector)
    copy = state.copy()
    play(copy, 10)
    assert state.vector == before
    assert copy != state


@of_every_ruleset
def test_a_copy_is_equal(name: str) -> None:
    """It stays equal when both go the same way."""
    state = load(name).new(seed=1)
    copy = state.copy()
    assert copy == state
    assert play(copy, 30) == play(state, 30)
    assert copy == state


@of_every_ruleset
def test_scratch_space_does_not_count(name: str) -> None:
    """Listing moves may write there, and changes nothing."""
    game = load(name)
    state, other = game.new(seed=1), game.new(seed=1)
    for slot in game.layout.scratch:
        other.vector[slot] += 1
    assert other == state
    other.moves(able_seat(other))
    assert other == state


@of_every_ruleset
def test_equal_seeds_give_equal_games(name: str) -> None:
    """Also when the ruleset is loaded again; another seed gives another deal."""
    state, again = load(name).new(seed=3), load(name).new(seed=3)
    assert play(state, 200) == play(again, 200)
    assert state.vector == again.vector
    assert load(name).new(seed=4).vector != load(name).new(seed=3).vector


def test_states_of_different_games_differ() -> None:
    """Neither is a state equal to something else."""
    spit, hearts = load("spit").new(seed=1), load("hearts").new(seed=1)
    assert spit != hearts
    assert spit != spit.vector


def test_states_have_no_hash() -> None:
    """They change."""
    with pytest.raises(TypeError):
        hash(load("spit").new(seed=1))


@of_every_ruleset
def test_a_move_known_to_be_legal_is_made_without_a_look(name: str) -> None:
    """What follows is the same as after a move that is looked at first."""
    state = load(name).new(seed=7)
    seat = able_seat(state)
    for move in state.moves(seat)[:20]:
        one, other = state.copy(), state.copy()
        one.apply(seat, move)
        other.make(seat, move)
        assert one == other


@of_every_ruleset
def test_a_move_from_nowhere_is_illegal(name: str) -> None:
    """It raises, says why, and changes nothing."""
    state = load(name).new(seed=1)
    move = state.moves(able_seat(state))[0]
    for seat in range(1, state.game.players + 1):
        if seat not in state.to_act:
            assert state.moves(seat) == ()
            assert_refused(state, seat, move)


def assert_refused(state: State, seat: int, move: Move) -> None:
    """A move raises and changes nothing, not even scratch space that counts."""
    before = state.copy()
    with pytest.raises(IllegalMove) as raised:
        state.apply(seat, move)
    assert raised.value.rule
    assert raised.value.because
    assert raised.value.because in str(raised.value)
    assert state == before


def hearts_after(*texts: str) -> State:
    """Return a game of Hearts after some moves."""
    state = load("hearts").new(seed=7)
    for text in texts:
        state.apply_text(text)
    return state


def test_a_card_that_is_not_held_is_refused() -> None:
    """The one to lead may not play another's card."""
    state = hearts_after()
    seat = state.to_act[0]
    held = {str(move) for move in state.moves(seat)}
    other = next(
        card
        for card in range(52)
        if f"play {state.game.deck.name(card)}" not in held
        and state.game.deck.cards[card][1] != 2
    )
    move = state.parse(seat, f"play {state.game.deck.name(other)}")
    assert_refused(state, seat, move)


def test_nothing_is_legal_when_the_game_is_over() -> None:
    """Every seat is told that the game is over."""
    state, _ = load("hearts").play_random(1, 1)
    move = state.parse(1, "play 2C")
    for seat in (1, 2, 3, 4):
        refusal = state.refusal(seat, move)
        assert refusal is not None
        assert refusal.because == "the game is over"
        assert_refused(state, seat, move)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("hearts", "1 plya 2C", "there is no move 'plya': did you mean 'play'?"),
        ("hearts", "1 play", "'play' needs a card"),
        ("hearts", "1 play 1Z", "'play' needs a card, and '1Z' names none"),
        ("hearts", "1 play 2C 3C", "'3C' is too much for 'play'"),
        ("hearts", "play 2C", "'play 2C' does not begin with a seat from 1 to 4"),
        ("hearts", "9 play 2C", "'9 play 2C' does not begin with a seat from 1 to 4"),
        ("hearts", "", "'' does not begin with a seat from 1 to 4"),
        ("spit", "1 raedy", "there is no move 'raedy': did you mean 'ready'?"),
        (
            "bridge",
            "1 bid 3 no trump",
            "'bid' needs a choice, and 'no' names none: did you mean 'no_trump'? "
            "Choices here: clubs, diamonds, hearts, no_trump, spades.",
        ),
        ("spit", "1 play 2C nowhere", "'play' needs a pile, and 'nowhere' names none"),
    ],
)
def test_a_text_that_is_no_move_says_what_is_wrong(
    name: str, text: str, message: str
) -> None:
    """The nearest name is suggested, and nothing changes."""
    state = load(name).new(seed=1)
    before = state.copy()
    with pytest.raises(UnknownMove) as raised:
        state.apply_text(text)
    assert message in str(raised.value)
    assert state == before


def test_a_label_has_words_and_no_names() -> None:
    """Of what the rules write with a line people read the words."""
    state = load("bridge").new(seed=1)
    assert state.label(1, state.parse(1, "bid 3 no_trump")) == "bid 3 no trump"


def test_case_of_a_text_does_not_matter() -> None:
    """Neither do spaces around its words."""
    state = load("hearts").new(seed=7)
    seat = state.to_act[0]
    move = state.moves(seat)[0]
    assert state.parse(seat, f"  {str(move).upper()}  ") == move
    assert state.parse(seat, str(move).lower()) == move


def positions(game: Game, decisions: int) -> list[State]:
    """Return the states that a random game goes through."""
    state, rng, found = game.new(seed=2), Rng(2), []
    for _ in range(decisions):
        if state.over:
            break
        found.append(state.copy())
        seat = rng.choice([seat for seat in state.to_act if state.moves(seat)])
        state.apply(seat, rng.choice(state.moves(seat)))
    return found


@of_every_ruleset
def test_moves_come_in_the_order_of_the_decision(name: str) -> None:
    """First by name, as the decision lists them; a list is always the same."""
    for state in positions(load(name), 150):
        decision = state.decision
        assert decision is not None
        for seat in state.to_act:
            moves = state.moves(seat)
            places = [decision.moves.index(move.name) for move in moves]
            assert places == sorted(places)
            assert state.copy().moves(seat) == moves


def test_cards_of_a_hand_come_in_the_order_of_the_deck() -> None:
    """Hearts' hands are not sorted: their cards come bottom to top."""
    for state in positions(load("hearts"), 52):
        (seat,) = state.to_act
        pile = state.game.layout.pile(f"{seat}.hand")
        assert pile is not None
        hand = [state.game.deck.name(card) for card in state.cards(pile.index)]
        played = [move.args[0] for move in state.moves(seat)]
        assert played == [card for card in hand if card in played]


def test_piles_come_upwards() -> None:
    """A card of Spit goes to the first centre pile before the second."""
    for state in positions(load("spit"), 150):
        for seat in state.to_act:
            turned = [m.args[0] for m in state.moves(seat) if m.name == "turn"]
            assert turned == sorted(turned)


def test_a_determinized_choice_is_from_the_hand_it_is_drawn_for() -> None:
    """What others chose unseen is drawn anew with their cards."""
    state = load("hearts", options={"passing": "rotate"}).new(seed=1)
    assert state.decision is not None
    for seat in (1, 2, 3):
        state.apply(seat, state.moves(seat)[0])
    rng = Rng(1)
    for _ in range(20):
        other = state.determinize(4, rng)
        before = {seat: hand(other, seat) for seat in (1, 2, 3, 4)}
        move = other.moves(4)[0]
        other.apply(4, move)
        for seat in (1, 2, 3, 4):
            assert len(hand(other, seat) & before[seat]) == 10


@pytest.mark.parametrize(
    ("name", "pile"), [("schwimmen", "middle"), ("speed", "centre.1")]
)
def test_a_card_laid_face_down_among_open_ones_is_known_to_nobody(
    name: str, pile: str
) -> None:
    """Bots that think draw it anew, as they draw the stock."""
    state = load(name).new(seed=1)
    place = state.game.layout.pile(pile)
    assert place is not None
    lies = set(state.cards(place.index))
    assert lies
    assert not any(map(state.face_up, lies))
    for seat in range(1, state.game.players + 1):
        rng = Rng(seat)
        drawn = [state.determinize(seat, rng).cards(place.index) for _ in range(9)]
        assert any(lies != set(cards) for cards in drawn)


def hand(state: State, seat: int) -> set[int]:
    """Return the cards of a seat's hand."""
    pile = state.game.layout.pile(f"{seat}.hand")
    assert pile is not None
    return set(state.cards(pile.index))


LABELS = """\
cardrun: 1
name: Labels
players: 2
deck: {kind: piquet}
zones:
  stock: {face: down, holds: deck}
  pile:  {face: up}
  blind: {per: player, face: down}
  hand:  {per: player, seen_by: owner}
moves:
  lay:
    label: lay {cards} on {pile.top}
    pick: {cards: {from: hand, size: 2}}
    do: [move cards to pile]
  flip:
    label: turn up {card}
    pick: {card: {place: blind}}
    do: [move card to pile]
  pass: {}
play:
  - deal 2 to hand each
  - deal 1 to blind each
  - deal 1 to pile
  - choose: [lay, flip, pass]
    by: players.first
result: {rank_by: score}
"""


def test_a_label_is_filled_in_with_parts_and_values(tmp_path: Path) -> None:
    """A move is called what the ruleset says; a hidden card stays hidden."""
    file = tmp_path / "labels.yaml"
    file.write_text(LABELS, encoding="utf-8")
    state = load(file).new(seed=1)
    labels = {str(move): state.label(1, move) for move in state.moves(1)}
    assert labels == {
        "lay AD AS": "lay AD AS on KD",
        "flip blind.1": "turn up blind.1",
        "pass": "pass",
    }


def test_a_choice_unseen_changes_nothing_for_the_others() -> None:
    """Neither what they see nor what they may do; one's own choice is known."""
    state = load("goofspiel").new(seed=3)
    view, moves = state.view(2), state.moves(2)
    state.apply(1, state.moves(1)[0])
    assert state.view(2) == view
    assert state.moves(2) == moves
    assert state.view(1)["to_act"] == [2]


@pytest.mark.parametrize("seat", [0, 5])
def test_a_seat_that_is_not_there_has_no_view(seat: int) -> None:
    """It would be a mistake of the caller, who is told."""
    with pytest.raises(ValueError, match=f"no seat {seat}: 4 play"):
        load("hearts").new(1).view(seat)


def test_what_is_put_face_down_where_cards_lie_face_up_is_hidden() -> None:
    """The first cards of the middle are turned up when all are ready."""
    state = load("speed").new(3)
    before = [pile["cards"] for pile in state.view(1)["piles"][3:5]]
    state.apply_text("1 ready")
    state.apply_text("2 ready")
    after = [pile["cards"] for pile in state.view(1)["piles"][3:5]]
    assert before == [[None], [None]]
    assert after == [["4C"], ["9D"]]


@pytest.mark.parametrize(
    ("game", "rules", "text", "because", "place"),
    [
        (
            "spit",
            (),
            "turn stock.1",
            "either that pile is empty or the top",
            "spit.yaml",
        ),
        ("spit", (), "play 2C centre.1", "2C is not among the top cards of your", ""),
        ("idiot", ("sequences",), "take", "there is no pile to take", "idiot.yaml"),
        ("idiot", ("sequences",), "sequence 2S 3S", "not among the playable cards", ""),
    ],
)
def test_a_refusal_tells_in_words_what_is_wrong_and_where_it_is_written(
    game: str, rules: tuple[str, ...], text: str, because: str, place: str
) -> None:
    """Even where the ruleset gives no reason; in the file of a house rule, too."""
    state = load(game, house_rules=rules).new(seed=4)
    refusal = state.refusal(1, state.parse(1, text))
    assert refusal is not None
    assert because in refusal.because
    assert place in refusal.place
    assert "." in refusal.place


def test_a_move_that_waits_for_others_names_its_line() -> None:
    """Who can play may not take the pile, and may look up why."""
    game = load("idiot")
    state = game.new(seed=1)
    while (
        not state.decision
        or "take" not in state.decision.moves
        or (
            "play" not in {move.name for move in state.moves(state.to_act[0])}
            or not state.cards(game.layout.zones["pile"].first)
        )
    ):
        state.apply(state.to_act[0], state.moves(state.to_act[0])[-1])
    seat = state.to_act[0]
    refusal = state.refusal(seat, state.parse(seat, "take"))
    assert refusal is not None
    assert refusal.rule == "take.only_if_no"
    assert refusal.because == "you can play"
    assert re.fullmatch(r"idiot\.yaml:\d+", refusal.place)


def test_a_view_tells_who_played_the_cards_it_shows() -> None:
    """Of a card that is dealt, or not seen, nobody is named."""
    state = load("hearts").new(3)
    state.apply_text("1 play 6C")
    piles = {pile["pile"]: pile for pile in state.view(2)["piles"]}
    assert (piles["trick"]["cards"], piles["trick"]["by"]) == (["6C"], [1])
    assert set(piles["1.hand"]["by"]) == {None}


def test_nobody_is_told_who_laid_which_card_into_the_crib() -> None:
    """Each lays one there face down; at the show it is turned up as a whole."""
    state = load("cribbage", players=3).new(seed=1)
    while "crib" not in (shown := show_faces(state, 1)):
        (seat, *_) = (seat for seat in state.to_act if state.moves(seat))
        state.apply(seat, state.moves(seat)[0])
    assert shown["crib"] == [None] * 4
    assert set(shown["2.laid"]) == {2}


def show_faces(state: State, seat: int) -> dict[str, list[int | None]]:
    """Return the piles that a seat sees whole, and who played their cards."""
    piles = state.view(seat)["piles"]
    return {p["pile"]: p["by"] for p in piles if p["size"] and all(p["cards"])}
