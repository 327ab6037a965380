"""Play in line mode: what happens is printed, moves are typed.

It works in a pipe and for a screen reader: nothing is ever redrawn. What is
shown comes from ``view(seat)`` alone. When the input ends, bots play on for
those who typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from ..bots import Bot
from ..clock import Reaction
from ..sheets.sheet import write_sheet
from ..simulation.match import list_able, render_result, seed_bots
from ..text.errors import UnknownMove
from .board import describe_view, hide_cards, list_filled, name_shared_cards, see
from .console import Console, Terminal
from .history import History
from .output import reason
from .racing import Race
from .sheets import render_text
from .sitting import Opponents, Sitting, explain, has_race, save_act
from .speech import Speech
from .typed import find_moves, list_names, spell

if TYPE_CHECKING:
    from ..engine.state import Move, State
    from .record import Recorder

_MOST_MOVES: Final = 20
_MOST_SAID: Final = 10
_QUIT: Final = ("quit", "exit", "q")
_ASK: Final = ("?", "help", "h")
_OF_ALL: Final = (*_QUIT, *_ASK, "rules", "log", "pause", "look", "moves")
HELP: Final = (
    "  Type a move as it is listed, or its number. It may be shortened as long as it",
    "  is clear: '8c 2' for 'play 8C centre.2'. Enter alone makes the only move.",
    "  moves  list all legal moves       look   show the position again",
    "  rules  the rules of the game      log    the last acts",
    "  undo   take your last act back    pause  until you press Enter",
    "  ?      this help                  quit   leave the game",
)
RACE_HELP: Final = (
    "  This is a race: act at any moment, the others do not wait. A number means the",
    "  move last listed under it, and is refused if that has become illegal.",
)
OPEN_HELP: Final = (
    "  You share the screen: what you hold lies open to all of you.",
    "  In the race begin with the number of your seat: '2 1' is move 1 of player 2.",
)


def play_here(sitting: Sitting, opponents: Opponents, pace: Reaction) -> None:
    """Play on this terminal, one game or several.

    Args:
        sitting: The game, as it begins or as it was left, and who sits where.
        opponents: The bots where none is named, and where the input ends.
        pace: How fast bots act in a race.
    """
    terminal = Terminal()
    bots = sitting.seat_bots(opponents, terminal.now)
    while True:
        table = PlainTable(
            sitting.state,
            sitting.humans,
            bots,
            pace,
            terminal,
            sitting.recorder,
            sitting.speech,
        )
        table.play(is_verbose=sitting.is_verbose)
        if not table.wants_another():
            return
        if told := sitting.renew():
            terminal.write(told)


class _Left(Exception):
    """The person has left the game."""


class PlainTable:
    """One game in line mode."""

    def __init__(
        self,
        state: State,
        humans: Sequence[int],
        bots: Mapping[int, Bot],
        pace: Reaction,
        console: Console,
        recorder: Recorder | None = None,
        speech: Speech | None = None,
    ) -> None:
        """Seat people; bots are there for all seats, should the input end."""
        self._recorder = recorder
        self._is_verbose = False
        self._began = console.now()
        self._rested = 0.0
        self.race_began = self._began
        self.state = state
        self.humans = list(humans)
        self.speech = speech or Speech()
        self._viewers = tuple(humans)  # still there when bots play on for them
        self._bots = bots
        self._pace = pace
        self._console = console
        self._streams = seed_bots(state, list(bots))
        self._history = History()
        self._said: list[str] = []
        self._listed: dict[int, tuple[Move, ...]] = {}
        self._seen: dict[int, tuple[str, ...]] = {}
        self._filled: dict[int, set[str]] = {}
        # Where people race nobody can look away: they see all that any of them sees.
        self._is_open = len(self.humans) > 1 and has_race(state.game)
        is_alone = len(self.humans) == 1
        self._last_asked = self.humans[0] if is_alone or self._is_open else 0

    def play(self, *, is_verbose: bool = False) -> None:
        """Play until the game is over, or the last person has left.

        Args:
            is_verbose: Whether refusals name the rule and its line.

        Raises:
            KeyboardInterrupt: The game was left by Ctrl-C, whatever went on.
        """
        self._is_verbose = is_verbose
        self._console.write(self._greet())
        for text in OPEN_HELP if self._is_open else ():
            self.say(text)
        try:
            while not self.state.over:
                if self.state.is_race:
                    Race(self, self._console).run()
                else:
                    self._take_turn()
        except _Left:
            self.say("You have left the game.")
            return
        except KeyboardInterrupt:
            self._console.write("")
            self.say("You have left the game.")
            raise
        self._console.write(f"\n{render_result(self.state, self.speech.rule)}")

    def say(self, text: str, **values: object) -> None:
        """Write one of the table's own texts."""
        self._console.write(self.speech.say(text, **values))

    def now(self) -> float:
        """Return the time, pauses apart."""
        return self._console.now() - self._rested

    def wants_another(self) -> bool:
        """Ask people at the end whether they want another game."""
        if not self.state.over or not self.humans:
            return False
        self.say("Another game, with the next deal? y, or Enter to leave.")
        try:
            line = self._console.read(None) or ""
        except EOFError:
            return False
        return line.strip().casefold() in ("y", "yes", "n", self.speech.say("yes"))

    def _greet(self) -> str:
        say = self.speech.say
        you = say("Bots play.")
        if len(self.humans) == 1:
            you = say("You are player {seat}.", seat=self.humans[0])
        elif self.humans:
            seats = self._join(self.humans)
            you = say("You are players {seats}.", seats=seats)
        name = self.speech.rule(self.state.game.name)
        count = say("{count} players", count=self.state.game.players)
        return f"{name}, {count}. {you}"

    def _join(self, seats: Sequence[int]) -> str:
        """Return seats as they stand in a sentence."""
        *most, last = map(str, seats)
        if not most:
            return last
        text = "{first} and {second}"
        return self.speech.say(text, first=", ".join(most), second=last)

    def _take_turn(self) -> None:
        """Let the next player make a move."""
        seat = list_able(self.state)[0]
        if seat in self.humans:
            try:
                self._ask(seat)
                return
            except EOFError:
                self.hand_over()
        self.act(seat, self.choose(seat))

    def _ask(self, seat: int) -> None:
        """Ask a person until they have made a legal move."""
        if self._last_asked != seat and not self._is_open:
            self._change_seats(seat)
        self.look(seat)
        while True:
            heard = self.split(self._console.read(None) or "", seat)
            if heard and self.hear(*heard):
                return

    def split(self, line: str, asked: int = 0) -> tuple[int, str] | None:
        """Return who has typed a line, and the rest of it.

        People who share the screen begin with their seats, but for one who is
        asked; if none of them is meant they are told so.
        """
        if not self._is_open or line.strip().casefold() in _OF_ALL:
            return asked or self.humans[0], line
        seat, _, rest = line.strip().partition(" ")
        if seat.isdecimal() and int(seat) in self.humans and (rest or not asked):
            return int(seat), rest
        if asked:
            return asked, line
        if line.strip():
            self.say("  Begin with the number of your seat.")
        return None

    def _change_seats(self, seat: int) -> None:
        """Hide what the one before saw, and wait for the next."""
        self._console.hide()
        self.say("Player {seat}, press Enter when only you can see this.", seat=seat)
        self._console.read(None)
        self._last_asked = seat

    def choose(self, seat: int) -> Move:
        """Return the move of a bot."""
        return self._bots[seat].choose(self.state, seat, self._streams[seat])

    def draw_delay(self, seat: int) -> float:
        """Return after how many seconds a bot acts in a race."""
        return self._pace.draw(self._streams[seat]) / 1000

    def act(self, seat: int, move: Move) -> None:
        """Make a move; those at the table read of it what they may know.

        Raises:
            IllegalMove: The rules refuse it; nothing has changed.
        """
        known = self._list_known()
        decision, is_race = self.state.decision, self.state.is_race
        is_unseen = decision is not None and decision.kind == "together"
        is_own = seat in self.humans and len(self.humans) == 1
        if is_own:
            self._history.note(self.state, seat, self._recorder)
        self.state.apply(seat, move)
        self._save(seat, move, is_race)
        say = self.speech.say
        name = say("You") if is_own else say("Player {seat}", seat=seat)
        text = str(move)
        if self._viewers and not is_own:
            known |= self._list_known()
            text = hide_cards(text, known, self.state.game.deck)
        line = f"{name}: {text}"
        if is_unseen:
            # It is shown once all have chosen, and not taken back after that.
            self._history.forget()
        if is_unseen and not is_own:
            line = say("{name} has chosen.", name=name)
        self._said.append(line)
        if not is_own:
            self._console.write(line)

    def _save(self, seat: int, move: Move, is_race: bool) -> None:
        """Write an act into the saved game; if that fails the game goes on."""
        if self._recorder is None:
            return
        time = round((self.now() - self._began) * 1000) if is_race else None
        lost = save_act(self._recorder, self.state, seat, move, time)
        if lost:
            self._console.write(lost)
            self._recorder = None

    def _list_known(self) -> set[str]:
        """Return the cards that every person at the table can see."""
        return name_shared_cards(self.state.view(seat) for seat in self._viewers)

    def look(self, seat: int, *, is_whole: bool = False) -> None:
        """Show a person the position and the legal moves.

        Args:
            seat: The person.
            is_whole: Whether every empty pile is named.
        """
        self._seen[seat] = self._describe(seat, is_whole=is_whole)
        self._console.write("")
        for line in self._seen[seat]:
            self._console.write(line)
        if self.state.is_race:
            minutes, seconds = divmod(int(self.now() - self.race_began), 60)
            self.say("  time of the race {time}", time=f"{minutes}:{seconds:02}")
        for one in self._list_asked(seat):
            self._list_for(one, _MOST_MOVES)

    def look_again(self, seat: int) -> None:
        """Show a person, or all who share the screen, what has changed since."""
        before = self._seen.get(seat, ())
        self._seen[seat] = self._describe(seat)
        for line in self._seen[seat]:
            if line not in before:
                self._console.write(line)
        for one in self._list_asked(seat):
            if tuple(self.state.moves(one)) != self._listed.get(one):
                self._list_for(one, _MOST_MOVES)

    def _list_asked(self, seat: int) -> list[int]:
        """Return whose moves are listed with what a person sees."""
        return self.humans if self._is_open and self.state.is_race else [seat]

    def _list_for(self, seat: int, most: int | None = None) -> None:
        """List moves, under a name where several people might make them."""
        if self._is_open:
            self.say("Player {seat}:", seat=seat)
        self.list_moves(seat, most)

    def _describe(self, seat: int, *, is_whole: bool = False) -> tuple[str, ...]:
        """Return what a person sees; an empty pile is new to them, or left out."""
        view = self.state.view(seat)
        if self._is_open:
            views = [self.state.view(viewer) for viewer in self._viewers]
            view, seat = {**see(views), "seat": 0}, 0
        told = None if is_whole else self._filled.get(seat, set())
        self._filled[seat] = list_filled(view)
        return tuple(describe_view(view, self.state.game.layout, self.speech, told))

    def list_moves(self, seat: int, most: int | None = None) -> None:
        """Show a person their legal moves, numbered, or the first of many."""
        moves = tuple(self.state.moves(seat))
        self._listed[seat] = moves
        if not moves:
            self.say("  You can do nothing just now.")
        shown = moves[:most]
        width = max((len(str(move)) for move in shown), default=0)
        for number, move in enumerate(shown, 1):
            label = self.state.label(seat, move, self.speech.rule)
            about = f"   {label}" if _says_more(label, move) else ""
            self._console.write(f"  {number:>2}. {move!s:<{width}}{about}".rstrip())
        if most is not None and len(moves) > most:
            self.say("  and {count} more: type 'moves'", count=len(moves) - most)

    def hear(self, seat: int, line: str) -> bool:
        """Do what a person has typed; return whether it was a move that counts."""
        match line.strip().casefold():
            case word if word in _QUIT:
                raise _Left
            case word if word in _ASK:
                self._help()
            case "moves":
                for one in self._list_asked(seat):
                    self._list_for(one)
            case "look":
                self.look(seat, is_whole=True)
            case "rules":
                sheet = write_sheet(self.state.game)
                self._console.write(render_text(sheet, self.speech.words))
            case "log":
                for said in self._said[-_MOST_SAID:]:
                    self._console.write(f"  {said}")
            case "pause":
                self._pause()
            case "undo":
                return self._undo(seat)
            case _:
                return self._try(seat, line.strip())
        return False

    def _help(self) -> None:
        texts = list(HELP)
        texts += RACE_HELP if self.state.is_race else ()
        texts += OPEN_HELP if self._is_open else ()
        for text in texts:
            self.say(text)

    def _pause(self) -> None:
        """Wait for Enter; no bot gains by it."""
        self.say("  Paused: Enter goes on.")
        begun = self._console.now()
        with suppress(EOFError):
            self._console.read(None)
        self._rested += self._console.now() - begun

    def _undo(self, seat: int) -> bool:
        """Take the person's last act back; return whether the position has changed."""
        if len(self.humans) != 1:
            self.say("  undo is for one person")
            return False
        try:
            why = self._history.take_back(self.state, seat, self._recorder)
        except OSError as error:
            why = reason(error)
        if why:
            self._console.write(f"  {self.speech.say(why)}")
            return False
        self._said.append(f"({self.speech.say('taken back')})")
        return True

    def _try(self, seat: int, text: str) -> bool:
        """Make the move that a text means; say why if that cannot be."""
        move = self._find(seat, text)
        if move is None:
            return False
        told = explain(self.state, seat, move, self.speech, is_verbose=self._is_verbose)
        if told:
            self._console.write(f"  {told}.")
            return False
        self.act(seat, move)
        return True

    def _find(self, seat: int, text: str) -> Move | None:
        """Return the move that a text means, or say that it means none."""
        listed = self._listed.get(seat, ())
        if not text:
            if len(listed) == 1:
                return listed[0]
            self.say("  Type a move, or ? for help.")
            return None
        if text.isdecimal():
            if 1 <= int(text) <= len(listed):
                return listed[int(text) - 1]
            self.say("  There is no move {number} in the list.", number=text)
            return None
        text = spell(text, list_names(self.state.game))
        try:
            return self.state.parse(seat, text)
        except UnknownMove as error:
            return self._guess(text, listed, error)

    def _guess(
        self, text: str, listed: Sequence[Move], error: UnknownMove
    ) -> Move | None:
        """Return the only listed move that a shortened text may mean."""
        meant = find_moves(text, listed, self.state.game.deck)
        if len(meant) == 1:
            return meant[0]
        if meant:
            names = ", ".join(str(move) for move in meant[:_MOST_MOVES])
            self.say("  Which one: {moves}?", moves=names)
        else:
            self._console.write(f"  {error}")
        return None

    def hand_over(self) -> None:
        """Let bots play on for all people."""
        seats = self._join(self.humans)
        self.humans.clear()
        self.say("The input has ended: bots play on for player {seats}.", seats=seats)


def _says_more(label: str, move: Move) -> bool:
    """Tell whether a label says more than the move as it is typed.

    That of a move with parts may have one word besides: 'play 8C on centre.2'.
    """
    words = label.split()
    typed = str(move).replace("_", " ").split()
    if words == typed or not move.args:
        return words != typed
    return not any(words[:at] + words[at + 1 :] == typed for at in range(len(words)))
