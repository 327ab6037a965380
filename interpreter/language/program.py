"""Run emitted source: its functions, ready to be called.

Signed comments in it are what can be counted. A game that is watched counts in
lists of its own; a batch of games counts in its vectors, so that it can be compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from ..draws import FORESEEN
from .compiler import Program
from .expressions import SIGN

_MARKED = re.compile(rf"^( *){re.escape(SIGN)}(\d+) .*$", re.MULTILINE)
# What counts a move, where a game is played at random.
_NOTE_MOVE = r"""\1T[USES + B[o]] += 1
\1if decisions <= DEPTH:
\1    at = DEPTHS + 2 * decisions
\1    T[at - 2] += 1
\1    T[at - 1] += number
"""
_MOVE_NOTE = re.compile(rf"^( *){re.escape(SIGN)}notes move\n", re.MULTILINE)
_LEAD_NOTE = re.compile(rf"^( *){re.escape(SIGN)}notes lead\n", re.MULTILINE)
_RANKED = re.compile(r"^def ranked\(S, p\):\n    return (.*)\n", re.MULTILINE)
# Of so many players how they stand is compared before it is asked who leads.
_MOST_COMPARED: Final = 4
# More than any number in a game.
_NONE: Final = 1 << 60
# What a row tells of a game, before how each seat stands: its seed, whether it is
# over, six numbers of its tally, who won (a mask), and by how much.
ROW_HEAD: Final = 10
# What a tally counts in one game, before what it counts over all.
TALLY_HEAD: Final = 8
# Of how many decisions from the start of a game the legal moves are counted.
DEPTH: Final = 400
_PLAYOUTS: Final = Path(__file__).parent / "playouts.py"
_LOOKAHEAD: Final = Path(__file__).parent / "lookahead.py"
# What a node of a bot's tree holds, before the row of its move.
NODE_HEAD: Final = 5
# Of how many visits the bounds of nodes are listed.
MOST_VISITS: Final = 4096
# The words of a random player's generator, and a step of it.
_WORDS = re.compile(r"^    (?:[abcd] = R\[\d\]|R\[\d\] = [abcd].*)\n", re.MULTILINE)
_STEP = re.compile(
    r"^( *)value = \(a \+ b \+ d\).*\n(?:\1[abcd] .*\n){4}", re.MULTILINE
)
_FILLS = re.compile(rf"^( *){re.escape(SIGN)}fills$", re.MULTILINE)


def watch(program: Program) -> Program:
    """Return a program that counts the uses of its marked parts.

    ``FIRED`` counts for each mark, ``FILLED`` the cards that came to each pile.
    """
    counting = _MARKED.sub(r"\1FIRED[\2] += 1", program.source)
    counting = _FILLS.sub(r"\1FILLED[pile] += 1", counting)
    counters = f"FIRED = [0] * {len(program.marks)}\n"
    counters += f"FILLED = [0] * {len(program.layout.piles)}\n"
    return replace(program, source=counters + counting)


def write_playouts(program: Program) -> str:
    """Return a source that plays batches of games and counts what they use.

    A vector is longer than others there: behind it stands a counter for each mark.
    """
    size = program.layout.size
    source = _MARKED.sub(
        lambda match: f"{match[1]}S[{size + int(match[2])}] += 1", program.source
    )
    source = _note_leads(_MOVE_NOTE.sub(_NOTE_MOVE, source), program.layout.seats)
    constants = {
        "SIZE": size,
        "SIGN": -1 if program.low_wins else 1,
        "LOOSE": int(program.ranked_by == ""),
        "USES": TALLY_HEAD,
        "DEPTHS": TALLY_HEAD + len(program.moves),
        "DEPTH": DEPTH,
        "ROW": ROW_HEAD + program.layout.seats,
    }
    head = "".join(f"{name} = {value}\n" for name, value in constants.items())
    return f"{head}{source}\n\n{_read_body(_PLAYOUTS)}"


def _note_leads(source: str, seats: int) -> str:
    """Return a source that notes who leads once somebody stands otherwise."""
    ranked = _RANKED.search(source)
    if ranked is None or seats > _MOST_COMPARED:
        return _LEAD_NOTE.sub(r"\1notes_lead(S, T)\n", source)
    codes = [re.sub(r"\bp\b", str(seat), ranked[1]) for seat in range(seats)]
    names = [f"stood{seat}" for seat in range(seats)]
    pairs = [*zip(names, codes, strict=True)]
    test = " or ".join(f"{name} != {code}" for name, code in pairs)
    lines = [f"if {test}:", *(f"    {name} = {code}" for name, code in pairs)]
    lines.append("    notes_lead(S, T)")
    note = "".join(f"\\1{line}\n" for line in lines)
    begin = f"    most = T[4]\n    {' = '.join(names)} = {_NONE}\n"
    return _LEAD_NOTE.sub(note, source.replace("    most = T[4]\n", begin))


def write_lookahead(program: Program) -> str:
    """Return the source of what bots run, which goes behind that of the game."""
    layout, slots = program.layout, program.layout.slots
    zones = layout.zones
    own = [name for name, zone in zones.items() if zone.per == "player"]
    waits = [d.who if d.kind == "together" else () for d in program.decisions]
    most = max(map(len, waits), default=0) or 1
    constants = {
        "SIZE": layout.size,
        "DECISION": slots["decision"],
        "CHOSEN": slots["chosen"],
        "PILES": len(layout.piles),
        "SIGN": -1 if program.low_wins else 1,
        "SCORED": int(program.ranked_by == "score"),
        "NODE": NODE_HEAD + program.width,
        "MOST": MOST_VISITS,
        "MOST_WHO": most,
        "IDLE": int(bool(program.idle)),
    }
    tables = {
        "HOLDER": [(p.owner or 0) - 1 if p.zone in own else -1 for p in layout.piles],
        "TOGETHER": [len(who) for who in waits] or [0],
        "WHO": [slot for who in waits for slot in (*who, *[0] * (most - len(who)))]
        or [0],
    }
    lines = [f"{name} = {value}" for name, value in constants.items()]
    lines += [f"{name} = {_write_tuple(value)}" for name, value in tables.items()]
    lines += ["", "", *_write_unblocks(program), "", ""]
    return "\n".join([*lines, _read_body(_LOOKAHEAD)])


def _write_unblocks(program: Program) -> list[str]:
    """Return the function that tells whether a move unblocks, were it made right."""
    lines = ["def unblocks(S, seat, move):"]
    for move in program.idle:
        lines.append(f"    if move == {move.number}:")
        lines.append(f"        return can_{move.name}(S, seat)")
    return [*lines, "    return True"]


def _write_tuple(values: list[int]) -> str:
    return f"({', '.join(map(str, values))},)"


def _read_body(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("# BEGIN\n", 1)[1]


def _add_drawn(source: str) -> str:
    """Return a source that has ``play_drawn`` too.

    It is ``play_random``, whose players draw from a function in place of words.
    """
    head, name, tail = source.partition("\n\n\ndef play_random(")
    body, end, rest = tail.partition("\n\n\n")
    drawn = _STEP.sub(r"\1value = R()\n", _WORDS.sub("", body))
    twin = name.replace("play_random", "play_drawn")
    return "".join((head, name, body, twin, drawn, end, rest))


def _foresee(names: dict[str, Any]) -> Callable[[list[int], int], None]:
    """Return a shuffle that asks first whether its outcome is known already."""
    emitted: Callable[[list[int], int], None] = names["shuffle"]
    counts, places, stacked = names["COUNT"], names["PLACE"], names["STACKED"]
    known, viewers, movers = names["KNOWN"], names["VIEW"], names["BY"]
    rng = names["RNG"]

    def shuffle(vector: list[int], pile: int) -> None:
        size, at = vector[counts + pile], places[pile]
        a, b, c, d = vector[rng : rng + 4]
        found = None if vector[stacked] else FORESEEN.find((a, b, c, d), size)
        if found is None:
            emitted(vector, pile)
            return
        others, vector[rng : rng + 4] = found
        cards = vector[at : at + size]
        last = size
        for other in others:
            last -= 1
            cards[last], cards[other] = cards[other], cards[last]
        vector[at : at + size] = cards
        seen = viewers[pile]
        for card in cards:
            vector[known + card] = seen
            vector[movers + card] = -1

    return shuffle


def run_source(source: str, path: str) -> dict[str, Any]:
    """Return what a source defines, which sees next to nothing of Python.

    It shuffles, and its random players draw, as games of a batch do that go together:
    what comes out is what the source says.
    """
    names: dict[str, Any] = {
        "__builtins__": {"range": range, "abs": abs, "min": min, "max": max},
        "bits": int.bit_count,
        "length": int.bit_length,
    }
    exec(compile(_add_drawn(source), path, "exec"), names)
    names["shuffle"] = _foresee(names)
    return names


@dataclass(frozen=True)
class Machine:
    """The functions of one compiled game, over vectors of integers."""

    program: Program

    @cached_property
    def names(self) -> dict[str, Any]:
        """Return what the emitted source defines."""
        return run_source(self.program.source, "<emitted game>")

    @cached_property
    def lookahead(self) -> dict[str, Any]:
        """Return the same, and what bots run."""
        names = dict(self.names)
        source = write_lookahead(self.program)
        exec(compile(source, "<emitted lookahead>", "exec"), names)
        return names

    def function(self, name: str) -> Callable[..., Any]:
        """Return an emitted function."""
        function: Callable[..., Any] = self.names[name]
        return function
