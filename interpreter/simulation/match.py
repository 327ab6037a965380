"""A game between bots, act by act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..bots import Bot, Minds, make_bot
from ..clock import Clock, Reaction
from ..rng import Rng

if TYPE_CHECKING:
    from ..engine.state import Move, State, Words
    from ..tables.record import RecordedAct

# The state draws from stream 0 of a seed and the clock from stream 1.
_FIRST_BOT_STREAM: Final = 2
_STREAMS_OF_A_DECISION: Final = 64


@dataclass(frozen=True, slots=True)
class Act:
    """A move that was made, and from how many legal ones it was chosen.

    The time, in milliseconds from the first race, is that of the clock in a
    race and None elsewhere.
    """

    seat: int
    move: Move
    choices: int
    milliseconds: int | None

    def render(self) -> str:
        """Return the act as a line of a log."""
        return render_act(self)


def render_act(act: Act | RecordedAct) -> str:
    """Return an act, made or recorded, as a line of a log."""
    line = f"{act.seat} {act.move}"
    if act.milliseconds is None:
        return line
    return f"{act.milliseconds / 1000:.3f} {line}"


def act_as_json(act: Act | RecordedAct) -> dict[str, str | int | None]:
    """Return the fields of an act that ``--json`` prints."""
    return {"seat": act.seat, "move": str(act.move), "ms": act.milliseconds}


def seat_bots(
    names: Sequence[str],
    level: str = "normal",
    clock: Callable[[], float] | None = None,
    minds: Minds | None = None,
) -> dict[int, Bot]:
    """Return a bot for every seat, by their names in the order of the seats.

    They take turns, and so share what they think with.
    """
    minds = minds or Minds()
    return {
        seat: make_bot(name, level, clock, minds) for seat, name in enumerate(names, 1)
    }


def seed_bots(state: State, seats: Sequence[int]) -> dict[int, Rng]:
    """Return the random streams that bots draw from, from a state of a game on.

    A game that is gone on with does not repeat the draws of its beginning.
    """
    first = _FIRST_BOT_STREAM + state.decisions * _STREAMS_OF_A_DECISION
    return {seat: Rng(state.seed, first + seat) for seat in seats}


def play_bots(
    state: State, bots: Mapping[int, Bot], reactions: Mapping[int, Reaction]
) -> Iterator[Act]:
    """Let the bots of all seats play a game to its end; yield each act after it.

    Raises:
        GameFault: Nobody can act, and yet the game is not over.
    """
    streams = seed_bots(state, list(bots))
    clock = Clock(state.seed, reactions)
    while not state.over:
        seat, moves, time = pick_seat(state, clock)
        move = bots[seat].choose(state, seat, streams[seat])
        if move in moves:
            state.make(seat, move)
        else:
            state.apply(seat, move)  # which says why it is refused
        yield Act(seat, move, len(moves), time)


def list_able(state: State) -> list[int]:
    """Return the seats to act that have a legal move.

    Raises:
        GameFault: There are none, and yet the game is not over.
    """
    able = [seat for seat in state.to_act if state.moves(seat)]
    if not able:
        raise state.fault(0)
    return able


def pick_seat(state: State, clock: Clock) -> tuple[int, tuple[Move, ...], int | None]:
    """Return who acts next, with the legal moves and, in a race, when.

    Raises:
        GameFault: Nobody can act, and yet the game is not over.
    """
    is_race = state.is_race
    able: dict[int, tuple[Move, ...]] = {}
    for seat in state.to_act:
        if moves := state.moves(seat):
            if not is_race:
                return seat, moves, None
            able[seat] = moves
    if not able:
        raise state.fault(0)
    seat = clock.pick_first(list(able))
    return seat, able[seat], clock.now


def render_result(state: State, words: Words = str) -> str:
    """Return how a game ended: who won, and everybody's score and place.

    Args:
        state: The game, which is over.
        words: Puts texts into another language.
    """
    result = state.result
    assert result is not None
    if result.unfinished:
        text = "Unfinished: the game reached its limit of {limit} decisions."
        return words(text).format(limit=state.game.limit)
    players = {
        seat: words("player {seat}").format(seat=seat)
        for seat in range(1, state.game.players + 1)
    }
    names = words("{first} and {second}")
    winners = ""
    for seat in result.winners:
        name = players[seat]
        winners = names.format(first=winners, second=name) if winners else name
    many = len(result.winners) > 1
    text = words("{players} share the win." if many else "{players} wins.")
    told = text.format(players=winners) if winners else words("Nobody wins.")
    lines = [told[:1].upper() + told[1:]]
    for seat, name in players.items():
        facts = []
        if seat in result.scores:
            facts.append(words("score {score}").format(score=result.scores[seat]))
        if seat in result.places:
            facts.append(words("place {place}").format(place=result.places[seat]))
        if facts:
            lines.append(f"  {name}: {', '.join(facts)}")
    return "\n".join(lines)


def result_as_json(state: State) -> dict[str, object]:
    """Return how a game ended as ``--json`` prints it."""
    result = state.result
    assert result is not None
    return {
        "winners": list(result.winners),
        "scores": dict(result.scores),
        "places": dict(result.places),
        "unfinished": result.unfinished,
        "lines": {name: dict(points) for name, points in result.lines.items()},
    }
