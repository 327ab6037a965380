"""What must hold in every state of every game: probes, which give what does not.

A probe looks at one state of a watched game and leaves it as it is. What it
draws at random comes from the stream it is given, so that it can be repeated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..engine.state import State
from ..language.parts import Part
from ..rng import Rng
from ..text.errors import GameFault, IllegalMove, Problem, UnknownMove
from ..text.source import Span
from ..text.tree import Mapping

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..engine.state import Move, Result
    from ..language.moves import Move as Compiled

_MOST_TRIED: Final = 6
_MADE_UP: Final = 16
_MOST_CARDS_MADE_UP: Final = 4
_RANGE_MADE_UP: Final = 14


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that should hold and does not; perhaps after one more move."""

    problem: Problem
    last: str = ""


Probe = Callable[[State, Rng], Iterator[Breach]]


def place_of(game: Game, section: str, name: str) -> Span:
    """Return where a ruleset declares a name, or the section, or the whole."""
    root = game.program.root
    node = root.get(section)
    if not isinstance(node, Mapping):
        return root.span if node is None else node.span
    return next((key.span for key, _ in node.entries if key.text == name), node.span)


def place_of_decision(state: State) -> Span:
    """Return where a ruleset asks for what the game waits for."""
    decision = state.decision
    return decision.span if decision else state.game.program.root.span


def _report(code: str, message: str, place: Span, hint: str = "") -> Breach:
    return Breach(Problem(code, message, place, hint))


# Every state


def probe_cards(state: State, rng: Rng) -> Iterator[Breach]:
    """Find cards that are lost or doubled, or known to too few."""
    game, slots = state.game, state.game.layout.slots
    vector, everyone = state.vector, game.layout.everyone
    found: list[int] = []
    wrong = False
    for pile in game.layout.piles:
        cards = state.cards(pile.index)
        found += cards
        is_sorted = not pile.sorted or list(cards) == sorted(cards)
        wrong |= not is_sorted or len(cards) > game.deck.size
        for card in cards:
            known = vector[slots["known"] + card]
            needed = pile.seen_by(everyone, is_up=state.face_up(card))
            wrong |= vector[slots["where"] + card] != pile.index
            wrong |= known & needed != needed or not 0 <= known <= everyone
    found.sort()
    if wrong or found != list(range(game.deck.size)):
        message = "cards are lost, doubled, or known to too few"
        yield _report("cards-not-conserved", message, place_of_decision(state))


def probe_decision(state: State, rng: Rng) -> Iterator[Breach]:
    """Find a decision at which somebody is to act and cannot."""
    decision = state.decision
    if decision is None:
        if state.to_act:
            message = "the game is over and yet waits for somebody"
            yield _report("dead-decision", message, place_of_decision(state))
        return
    unable = [seat for seat in state.to_act if not state.moves(seat)]
    is_race = decision.kind == "race"
    if unable and (not is_race or len(unable) == len(state.to_act)):
        who = "no player" if is_race else f"player {unable[0]}"
        message = f"{who} has a legal move at '{decision.path}'"
        if not is_race:
            message = f"player {unable[0]} has no legal move at '{decision.path}'"
        hint = (
            "Say when the race ends ('until:'), or what then happens ('stuck:')."
            if is_race
            else "Offer a move that is always legal, or say what then happens with "
            "'otherwise:'."
        )
        yield _report("dead-decision", message, decision.span, hint)
    elif not state.to_act:
        message = f"the game waits for nobody at '{decision.path}'"
        yield _report("dead-decision", message, decision.span)


def probe_result(state: State, rng: Rng) -> Iterator[Breach]:
    """Find a result that does not speak of all seats, or contradicts itself."""
    result = state.result
    if result is None:
        if state.over:
            message = "a game that is over has no result"
            yield _report("malformed-result", message, state.game.program.root.span)
        return
    for message in _find_malformed(result, state.game):
        place = place_of(state.game, "result", "")
        yield _report("malformed-result", message, place)


def _find_malformed(result: Result, game: Game) -> Iterator[str]:
    if result.unfinished:
        if result.winners or result.scores or result.places:
            yield "an unfinished game has winners"
        return
    seats = list(range(1, game.players + 1))
    if list(result.scores) != seats or list(result.places) != seats:
        yield "not every seat has a score and a place"
        return
    best = (min if game.low_wins else max)(result.scores.values())
    firsts = {seat for seat in seats if result.places[seat] == 1}
    bests = {seat for seat in seats if result.scores[seat] == best}
    if firsts != bests and not (_parts_equals(game) and firsts and firsts < bests):
        yield "the first place is not that of the best score"
    if not set(result.winners) <= firsts:
        yield "a winner is not in the first place"
    for team in game.teams:
        if (
            game.program.ranked_by == "score"
            and len({result.scores[seat] for seat in team}) > 1
        ):
            yield "partners have different scores"


def _parts_equals(game: Game) -> bool:
    """Return whether another number decides between equal scores."""
    result = game.program.root.get("result")
    return isinstance(result, Mapping) and result.get("then_by") is not None


# States taken at random: these take longer


def probe_listed(state: State, rng: Rng) -> Iterator[Breach]:
    """Find a move that is listed and yet refused, or does not read back."""
    for seat in state.to_act:
        moves = list(state.moves(seat))
        texts = {str(move) for move in moves}
        if len(texts) < len(moves):
            message = f"two legal moves of player {seat} read the same"
            yield _report("legal-and-apply-disagree", message, place_of_decision(state))
        rng.shuffle(moves)
        for move in moves[:_MOST_TRIED]:
            yield from _try_listed(state, seat, move, rng)


def _try_listed(state: State, seat: int, move: Move, rng: Rng) -> Iterator[Breach]:
    place = place_of(state.game, "moves", move.name)
    one, other = state.copy(), state.copy()
    try:
        if state.parse(seat, str(move)) != move:
            message = f"'{move}' reads as '{state.parse(seat, str(move))}'"
            yield _report("legal-and-apply-disagree", message, place)
        if refusal := state.refusal(seat, move):
            message = f"'{move}' is listed, but refused by '{refusal.rule}'"
            yield _report("legal-and-apply-disagree", message, place)
        one.apply(seat, move)
        other.apply_text(f"{seat} {move}")
    except IllegalMove as error:
        message = f"'{move}' is listed, but refused: {error.because or error}"
        yield _report("legal-and-apply-disagree", message, place)
        return
    except GameFault as error:
        yield Breach(error.problems[0], f"{seat} {move}")
        return
    if one != other:
        message = f"two copies differ after '{move}'"
        yield _report("not-repeatable", message, place)
    yield from (Breach(b.problem, f"{seat} {move}") for b in probe_cards(one, rng))


def probe_made_up(state: State, rng: Rng) -> Iterator[Breach]:
    """Find a move that is not listed and yet taken, or refused without a reason."""
    for seat in range(1, state.game.players + 1):
        legal = {str(move) for move in state.moves(seat)}
        for _ in range(_MADE_UP):
            compiled = rng.choice(state.game.program.moves)
            text = make_up(state, seat, compiled, rng)
            if text is not None and text not in legal:
                yield from _try_made_up(state, seat, text, legal)


def make_up(state: State, seat: int, compiled: Compiled, rng: Rng) -> str | None:
    """Return the text of some form of a move, whether it is legal or not."""
    row = [compiled.number]
    for part in compiled.parts:
        value = _make_up_part(state, seat, part, rng)
        if value is None:
            return None
        row.append(value)
    return str(state.game.read_move(tuple(row), seat))


def _make_up_part(state: State, seat: int, part: Part, rng: Rng) -> int | None:
    game = state.game
    if part.may_lack and rng.below(2):
        return -1
    own = [
        card
        for pile in game.layout.piles
        if pile.owner == seat
        for card in state.cards(pile.index)
    ]
    if rng.below(4) == 0 or not own:
        own = list(range(game.deck.size))
    if part.form == "card":
        return rng.choice(own)
    if part.form == "cards":
        number = 1 + rng.below(_MOST_CARDS_MADE_UP)
        return sum({1 << rng.choice(own) for _ in range(number)})
    bounds = {
        "place": _RANGE_MADE_UP,
        "pile": len(game.layout.piles),
        "player": game.players,
        "number": _RANGE_MADE_UP,
        "suit": len(game.deck.suits),
        "rank": len(game.deck.ranks),
        "choice": len(part.choices),
    }
    return rng.below(bounds[part.form]) if bounds[part.form] else None


def _try_made_up(
    state: State, seat: int, text: str, legal: set[str]
) -> Iterator[Breach]:
    before = state.copy()
    try:
        move = state.parse(seat, text)
    except UnknownMove:
        return
    if str(move) in legal:  # its cards were written in another order
        return
    place = place_of(state.game, "moves", move.name)
    refusal = state.refusal(seat, move)
    try:
        state.copy().apply(seat, move)
        message = f"'{move}' is not listed, and yet taken"
        yield _report("legal-and-apply-disagree", message, place)
    except IllegalMove as error:
        if refusal is None or not refusal.rule or not error.because.strip():
            message = f"'{move}' is refused without a reason"
            yield _report("legal-and-apply-disagree", message, place)
    if state != before:
        message = f"'{move}' is refused, and yet changes something"
        yield _report("legal-and-apply-disagree", message, place)


def probe_copies(state: State, rng: Rng) -> Iterator[Breach]:
    """Find a state that a saved one does not equal."""
    vector = json.loads(json.dumps(state.vector))
    restored = State(state.game, state.seed, vector)
    if state.copy() != state or restored != state:
        message = "a copy of this state is not equal to it"
        yield _report("not-repeatable", message, place_of_decision(state))


def probe_views(state: State, rng: Rng) -> Iterator[Breach]:
    """Find what tells a player of cards that the player cannot know.

    These cards change places, and the player's view and legal moves must stay.
    """
    for seat in range(1, state.game.players + 1):
        other = state.determinize(seat, rng)
        yield from probe_cards(other, rng)
        if other.view(seat) != state.view(seat):
            message = f"the view of player {seat} shows what that player cannot know"
            yield _report("leaking-view", message, place_of_decision(state))
        here, these = _list_with_rows(state, seat)
        there, those = _list_with_rows(other, seat)
        revealed = _find_revealed(state.game, these | those)
        here = [move for move in here if move.name not in revealed]
        there = [move for move in there if move.name not in revealed]
        if list(map(str, here)) != list(map(str, there)):
            yield _report_leak(state, other, seat, here, there)


def _list_with_rows(state: State, seat: int) -> tuple[list[Move], set[int]]:
    """Return a seat's legal moves, and the marks of rows that gave them."""
    game = state.game
    before = list(game.fired)
    moves = list(state.moves(seat))
    marks = {
        number
        for number, mark in enumerate(game.program.marks)
        if mark.kind == "row" and game.fired[number] > before[number]
    }
    return moves, marks


def _find_revealed(game: Game, rows: set[int]) -> set[str]:
    """Return the moves that may tell of hidden cards, given the rows in force."""
    declared = set(game.program.reveals)
    found = {move for move in game.move_names if move in declared}
    for number in rows:
        mark = game.program.marks[number]
        if mark.name in declared:
            found.add(mark.move)
    return found


def _report_leak(
    state: State, other: State, seat: int, here: list[Move], there: list[Move]
) -> Breach:
    """Report a move that is legal in one of two states alike, and what refuses it."""
    names = set(map(str, here)) ^ set(map(str, there))
    move = next((m for m in (*here, *there) if str(m) in names), here[0])
    lacking = other if move in here else state
    refusal = lacking.refusal(seat, move)
    rule = refusal.rule if refusal else ""
    marks = [mark for mark in state.game.program.marks if mark.name == rule]
    place = marks[0].span if marks else place_of(state.game, "moves", move.name)
    return _report(
        "leaking-legality",
        f"whether '{move}' is legal tells player {seat} of cards that it cannot know",
        place,
        "Test only what the player may see; where the rules want it so, name the move "
        "or row under 'reveals:'.",
    )


ALWAYS: Final[tuple[Probe, ...]] = (probe_cards, probe_decision, probe_result)
SAMPLED: Final[tuple[Probe, ...]] = (
    probe_listed,
    probe_made_up,
    probe_copies,
    probe_views,
)


def examine(state: State, rng: Rng, *, in_full: bool) -> Iterator[Breach]:
    """Yield what does not hold in a state of a watched game."""
    for probe in (*ALWAYS, *SAMPLED) if in_full else ALWAYS:
        yield from probe(state, rng)
