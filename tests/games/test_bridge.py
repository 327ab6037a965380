"""Contract bridge, checked against its laws written a second time, in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from playing import names

from cardrun.interpreter import Game, State, load
from cardrun.interpreter.rng import Rng

GAMES = 1000
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
STRAINS = ["clubs", "diamonds", "hearts", "spades", "no_trump"]
LETTERS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
BIDS = [f"bid {level} {strain}" for level in range(1, 8) for strain in STRAINS]
# The boards of sixteen on which north and south, east and west are vulnerable.
NORTH_SOUTH = {2, 4, 5, 7, 10, 12, 13, 15}
EAST_WEST = {3, 4, 6, 7, 9, 10, 13, 16}
# Points for so many undertricks, from law 77: undoubled and doubled.
UNDERTRICKS = {
    (1, False): [50 * number for number in range(1, 14)],
    (1, True): [100 * number for number in range(1, 14)],
    (2, False): [100, 300, *(500 + 300 * more for more in range(11))],
    (2, True): [200, *(500 + 300 * more for more in range(12))],
}
Call = tuple[int, str]


def texts(state: State) -> set[str]:
    """Return the legal moves of the player who decides."""
    (seat,) = state.to_act
    return {str(move) for move in state.moves(seat)}


def is_over(calls: list[Call]) -> bool:
    """Return whether an auction has ended."""
    last = [call for _, call in calls[-3:]]
    passed_out = [call for _, call in calls] == ["pass"] * 4
    return passed_out or (len(calls) > 3 and last == ["pass"] * 3)


def allowed(calls: list[Call], seat: int) -> set[str]:
    """Return the calls that the laws allow after others."""
    bids = [call for _, call in calls if call in BIDS]
    found = {"pass", *BIDS[BIDS.index(bids[-1]) + 1 if bids else 0 :]}
    said = [(who, call) for who, call in calls if call != "pass"]
    if said:
        who, call = said[-1]
        are_opponents = (who - seat) % 2 == 1
        if call in BIDS and are_opponents:
            found.add("double")
        if call == "double" and are_opponents:
            found.add("redouble")
    return found


def find_declarer(calls: list[Call]) -> int:
    """Return who first named the strain of the contract, of the side that has it."""
    bids = [(who, call.split()[2]) for who, call in calls if call in BIDS]
    last, strain = bids[-1]
    return next(w for w, s in bids if s == strain and (w - last) % 2 == 0)


def choose(state: State, rng: Rng, *, is_low: bool = False) -> str:
    """Make a random move, if wanted a call among the lowest, and return it."""
    (seat,) = state.to_act
    moves = state.moves(seat)
    move = rng.choice(moves[:8] if is_low else moves)
    if is_low and rng.choice((True, False)):
        move = moves[0]
    state.make(seat, move)
    return str(move)


def bid(state: State, rng: Rng) -> list[Call]:
    """Check the auction; return its calls."""
    calls: list[Call] = []
    seat = 1
    while not is_over(calls):
        assert state.to_act == (seat,)
        assert texts(state) == allowed(calls, seat)
        calls.append((seat, choose(state, rng, is_low=True)))
        seat = seat % 4 + 1
    return calls


def strength(card: str, led: str, trump: str) -> int:
    """Return how high a card is in a trick."""
    place = RANKS.index(card[:-1])
    return 100 + place if card[-1] == trump else place if card[-1] == led else -1


def play(state: State, rng: Rng, declarer: int, trump: str) -> int:
    """Check each card of the play; return the tricks of the declarer's side."""
    dummy = (declarer + 1) % 4 + 1
    leader, tricks = declarer % 4 + 1, 0
    hands = {seat: set(names(state, f"{seat}.hand")) for seat in (1, 2, 3, 4)}
    laid = f"{dummy}.dummy_hand"
    assert names(state, laid) == []
    for number in range(13):
        order = [(leader + more - 1) % 4 + 1 for more in range(4)]
        played: list[str] = []
        for seat in order:
            assert state.to_act == (declarer if seat == dummy else seat,)
            is_open = number > 0 or played
            assert not is_open or set(names(state, laid)) == hands[dummy]
            suit = {c for c in hands[seat] if played and c[-1] == played[0][-1]}
            assert texts(state) == {f"play {card}" for card in suit or hands[seat]}
            card = choose(state, rng).removeprefix("play ")
            hands[seat].remove(card)
            played.append(card)
        ranked = [strength(card, played[0][-1], trump) for card in played]
        leader = order[ranked.index(max(ranked))]
        tricks += (leader - declarer) % 2 == 0
    return tricks


def score(
    level: int, strain: str, stake: int, tricks: int, *, is_vulnerable: bool
) -> Mapping[str, int]:
    """Return the lines of law 77 by name; undertricks are the other side's."""
    over = tricks - level - 6
    if over < 0:
        doubled = UNDERTRICKS[min(stake, 2), is_vulnerable][-over - 1]
        return {"undertricks": 2 * doubled if stake == 4 else doubled}
    first, each = {"no_trump": (40, 30), "clubs": (20, 20), "diamonds": (20, 20)}.get(
        strain, (30, 30)
    )
    points = (first + each * (level - 1)) * stake
    dear = {2: (100, 200), 4: (200, 400)}
    lines = {
        "tricks": points,
        "overtricks": over * (each if stake == 1 else dear[stake][is_vulnerable]),
        "part_score": 50 if points < 100 else 0,
        "game": (300, 500)[is_vulnerable] if points >= 100 else 0,
        "small_slam": (500, 750)[is_vulnerable] if level == 6 else 0,
        "grand_slam": (1000, 1500)[is_vulnerable] if level == 7 else 0,
        "insult": {1: 0, 2: 50, 4: 100}[stake],
    }
    return {name: points for name, points in lines.items() if points}


def lines(state: State, seat: int) -> dict[str, int | float]:
    """Return what a seat has scored, line by line."""
    assert state.result
    found = {name: by_seat.get(seat, 0) for name, by_seat in state.result.lines.items()}
    return {name: points for name, points in found.items() if points}


@pytest.mark.parametrize("vulnerable", ["none", "both", "north_south", "east_west"])
def test_moves_and_scores_are_those_of_the_laws(vulnerable: str) -> None:
    """In every position of random deals; exactly one side scores."""
    game = load("bridge", options={"vulnerable": vulnerable})
    for seed in range(GAMES // 4):
        state, rng = game.new(seed), Rng(seed, 1)
        calls = bid(state, rng)
        said = [call for _, call in calls if call != "pass"]
        if not said:
            assert state.over
            assert lines(state, 1) == lines(state, 2) == {}
            continue
        declarer = find_declarer(calls)
        contract = [call for call in said if call in BIDS][-1].split()
        level, strain = int(contract[1]), contract[2]
        stake = {"double": 2, "redouble": 4}.get(said[-1], 1)
        tricks = play(state, rng, declarer, LETTERS.get(strain, ""))
        assert state.over
        sides = ("none", "north_south", "east_west")
        is_vulnerable = vulnerable in ("both", sides[2 - declarer % 2])
        expected = score(level, strain, stake, tricks, is_vulnerable=is_vulnerable)
        scorer = declarer if tricks >= level + 6 else declarer % 4 + 1
        assert lines(state, scorer) == expected
        assert lines(state, scorer % 4 + 1) == {}


def last_card(game: Game, tricks: int) -> State:
    """Return a deal before its last card.

    Seat 1, the declarer, has the best card of the trick, or seat 2 if no trick is won.
    """
    state = game.new(0)
    piles = {pile.text: pile.index for pile in game.layout.piles}
    last = [game.deck.parse(name)[0] for name in ("AC", "KC", "2C", "3C")]
    rest = [card for card in range(52) if card not in last]
    cut = 4 * max(tricks - 1, 0)
    laid = {
        "trick": last[:3],
        "4.hand": last[3:],
        "1.won": rest[:cut],
        "2.won": rest[cut:],
    }
    played = (1, 2, 3) if tricks else (2, 3, 1)
    state.arrange(
        {
            piles[name]: [
                (card, None, played[index] if name == "trick" else None)
                for index, card in enumerate(cards)
            ]
            for name, cards in laid.items()
        }
    )
    play = next(d for d in game.decisions if d.path.endswith("trick.play"))
    state.stop_at(play, 4)
    return state


def assign(state: State, **values: bool | int | str | None) -> None:
    """Give variables values by name; a team's own is NAME_1, NAME_2."""
    for name, value in values.items():
        bare, _, team = name.rpartition("_")
        text = f"{team}.{bare}" if team.isdigit() else name
        variable = state.game.layout.variable(text)
        assert variable, text
        state.assign(variable, value)


def contracts() -> Iterator[tuple[int, str, int, int, bool]]:
    """Yield every contract with every number of tricks, doubled and not."""
    vulnerable = (False, True)
    return product(range(1, 8), STRAINS, (1, 2, 4), range(14), vulnerable)


def test_every_contract_scores_as_law_77_says() -> None:
    """Each level, strain, double and vulnerability, with each number of tricks."""
    game = load("bridge")
    starts = [last_card(game, tricks) for tricks in range(14)]
    for level, strain, stake, tricks, is_vulnerable in contracts():
        state = starts[tricks].copy()
        trump = None if strain == "no_trump" else strain
        assign(state, leader=1, declarer=1, contract=level)
        assign(state, trump=trump, stake=stake, vulnerable_now_1=is_vulnerable)
        (move,) = state.moves(4)
        state.apply(4, move)
        expected = score(level, strain, stake, tricks, is_vulnerable=is_vulnerable)
        scorer = 1 if tricks >= level + 6 else 2
        assert lines(state, scorer) == expected
        assert lines(state, 3 - scorer) == {}


def test_boards_are_vulnerable_in_turn() -> None:
    """As on the sixteen boards of duplicate, and then again; the deal goes round."""
    state = load("bridge", options={"deals": 40}).new(0)
    layout = state.game.layout
    for board in range(40):
        found = [layout.variable(f"{team}.vulnerable_now") for team in (1, 2)]
        sides = [state.value(variable) for variable in found if variable]
        number = board % 16 + 1
        assert sides == [number in NORTH_SOUTH, number in EAST_WEST]
        for more in range(4):
            assert state.to_act == ((board + more) % 4 + 1,)
            state.apply_text(f"{state.to_act[0]} pass")
    assert state.over


def seen(state: State, seat: int) -> dict[str, list[str | None]]:
    """Return the piles as a seat may see them."""
    return {pile["pile"]: pile["cards"] for pile in state.view(seat)["piles"]}


def test_all_see_the_dummy_after_the_lead_and_never_another_hand() -> None:
    """Before the lead nobody does; the dummy does not see the declarer's cards."""
    state = load("bridge").new(5)
    for call in ("1 bid 1 clubs", "2 pass", "3 pass", "4 pass"):
        state.apply_text(call)
    dummy = set(names(state, "3.hand"))
    assert set(seen(state, 1)["3.hand"]) == {None}
    state.apply_text(f"2 {sorted(texts(state))[0]}")
    for seat in (1, 2, 3, 4):
        piles = seen(state, seat)
        assert set(piles["3.dummy_hand"]) == dummy
        for other in {1, 2, 4} - {seat}:
            assert set(piles[f"{other}.hand"]) == {None}
