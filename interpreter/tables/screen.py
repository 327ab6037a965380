"""The table on the whole screen: cards to pick by key or mouse, in real time.

All that is shown comes from ``view(seat)`` and the legal moves of that seat.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.events import Click, Key, Resize
from textual.widgets import Input, Static

from ..simulation.match import render_result
from ..text.errors import UnknownMove
from .board import View, see
from .chooser import Chooser
from .drawn import PICK, Bare, Drawing, Look
from .held import HeldKeys
from .history import History
from .host import Done, Host
from .notice import Notice
from .output import INTERRUPTED, reason
from .person import ALL_KEYS, LEFT_KEYS, RIGHT_KEYS, Person
from .pickable import name_pickable, spell_parts, type_part
from .scene import Scene
from .sitting import explain, has_race
from .speech import Speech
from .spread import Row, lay_out
from .thinking import Thinker
from .typed import find_moves, list_names, spell

if TYPE_CHECKING:
    from textual.filter import LineFilter

    from ..clock import Reaction
    from ..engine.state import Move, State
    from .sitting import Opponents, Sitting

# Seconds between two looks at the clock: nothing lags behind by more.
TICK: Final = 0.02
_MOST_SAID: Final = 200
_FEW_SAID: Final = 4
# From this width on what was said stands beside the board.
_WIDE: Final = 110
# From this height on the last acts of all players stand below it.
_TALL: Final = 30
# Up to this height there is room for the board alone.
_LOW: Final = 16
_SIDE: Final = 34
# Of two people at one keyboard each has a key to make a move whole with.
_WHOLE: Final = {"enter": 1, " ": 0}
_BACK: Final = {"backspace": 1, "tab": 0}


def play_on_screen(
    sitting: Sitting,
    opponents: Opponents,
    pace: Reaction,
    *,
    is_ascii: bool,
    has_colors: bool,
) -> State:
    """Play on the whole terminal; return how the last game stands at the end.

    Args:
        sitting: The game, as it begins or as it was left, and who sits where.
        opponents: The bots where none is named.
        pace: How fast bots act.
        is_ascii: Whether cards are drawn with letters only.
        has_colors: Whether they are drawn in colours.

    Raises:
        KeyboardInterrupt: The game was left by Ctrl-C.
        Exception: What went wrong at the table or while a bot thought.
    """
    thinker = Thinker()
    bots = sitting.seat_bots(opponents, thinker.clock)

    def open_host() -> Host:
        return Host(
            sitting.state,
            sitting.humans,
            bots,
            pace,
            time.monotonic,
            sitting.recorder,
            sitting.speech,
            begin=thinker.begin,
        )

    def deal_again() -> Host:
        told = sitting.renew()
        host = open_host()
        host.warning = told
        return host

    # This is how the terminal's library is told.
    os.environ["NO_COLOR"] = "1"
    if has_colors:
        del os.environ["NO_COLOR"]
    look = Look(sitting.state.game.deck, is_ascii, is_plain=not has_colors)
    app = TableApp(
        open_host(),
        look,
        speech=sitting.speech,
        again=deal_again,
        is_verbose=sitting.is_verbose,
    )
    app.run()
    app.host.rest()
    if app.failure is not None:
        raise app.failure
    if app.return_code == INTERRUPTED:
        raise KeyboardInterrupt
    return sitting.state


class TableApp(App[None]):
    """One game on the screen, and then perhaps another."""

    CSS = """
    #title { height: 1; text-style: bold; }
    #middle { height: 1fr; }
    #scroll { width: 1fr; height: 1fr; }
    #scroll.low { align-vertical: bottom; }
    #board { width: 100%; }
    #side { display: none; height: 1fr; padding: 0 1; color: $text-muted;
            content-align-vertical: bottom; }
    #said { height: auto; max-height: 12; color: $text-muted; }
    #bar { height: auto; min-height: 1; text-style: bold; }
    #typed { display: none; }
    #typed.open { display: block; }
    .from-right Static { text-align: right; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "take_back", show=False, priority=True),
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "interrupt", show=False, priority=True),
    ]
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""  # keys are the table's until a move is typed

    def __init__(
        self,
        host: Host,
        look: Look,
        ticking: Callable[[], float] = time.monotonic,
        *,
        speech: Speech | None = None,
        again: Callable[[], Host] | None = None,
        is_verbose: bool = False,
    ) -> None:
        """Show a game.

        Args:
            host: The game, its people and its bots.
            look: How cards are drawn.
            ticking: Tells the time of keys.
            speech: The language.
            again: Deals another game, if people may want one.
            is_verbose: Whether refusals name the rule and its line.
        """
        super().__init__()
        self.look = look
        self.speech = speech or Speech()
        self._ticking = ticking
        self._again = again
        self._is_verbose = is_verbose
        self._pickable = name_pickable(host.state.game)
        self._wins = self._games = 0
        self.failure: Exception | None = None
        self.begin(host)

    def begin(self, host: Host) -> None:
        """Sit down at a new game."""
        self.host = host
        self._held = HeldKeys()
        self._history = History()
        self._said: list[str] = []
        self._swept: dict[str, str] = {}
        self._is_paused = False
        self._is_help = False
        self._clock = 0
        self._keeps_keys = keeps = has_race(host.state.game)
        seats = list(host.humans) or [1]
        # In a race people act at once: they share the keyboard and see it all.
        self._is_shared = len(seats) == 2 and keeps
        if not self._is_shared and host.asked():
            seats = [host.asked()]  # another than the first, in a saved game or by lot
        halves = (LEFT_KEYS, RIGHT_KEYS) if self._is_shared else (ALL_KEYS,)
        self.people = [
            self._seat(seat, keys) for seat, keys in zip(seats, halves, strict=False)
        ]
        self._is_curtain = len(host.humans) > 1

    def _seat(self, seat: int, keys: str) -> Person:
        """Give a person a seat and keys."""
        spell = partial(spell_parts, self.state.game)
        return Person(seat, keys, self._keeps_keys, chooser=Chooser(spell=spell))

    # What the screen is made of

    def compose(self) -> ComposeResult:
        """Lay the title over the board, and what was said and is asked below."""
        yield Static(id="title")
        scroll = VerticalScroll(Static(id="board"), id="scroll")
        side = Static(id="side")
        parts = (side, scroll) if self.speech.is_right_to_left else (scroll, side)
        yield Horizontal(*parts, id="middle")
        yield Static(id="said")
        yield Static(id="bar")
        yield Input(id="typed", placeholder=self.speech.say("a move, or Enter"))

    def on_mount(self) -> None:
        """Begin to look at the clock."""
        self.title = self.state.game.name
        self.screen.set_class(self.speech.is_right_to_left, "from-right")
        self.query_one("#scroll", VerticalScroll).can_focus = False
        self.query_one("#side", Static).styles.width = _SIDE
        self.set_focus(None)
        self.set_interval(TICK, self.tick)
        # Whoever ends the program finds the terminal as it was.
        with suppress(NotImplementedError):
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, self.action_interrupt)
        self.draw()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Take what is left of colours away where none are wanted."""
        return [Bare()] if self.look.is_plain else super().get_line_filters()

    def on_resize(self, event: Resize) -> None:
        """Draw for the new size."""
        del event
        self.draw()

    @property
    def state(self) -> State:
        """Return the game."""
        return self.host.state

    @property
    def person(self) -> Person:
        """Return the person whose cards are below."""
        return self.people[0]

    def can_act(self, person: Person) -> bool:
        """Tell whether a person at the screen may act now."""
        if self.state.over or self._is_paused or self._is_curtain:
            return False
        return person.seat in self.state.to_act and person.seat in self.host.humans

    # Time

    def tick(self) -> None:
        """Let a bot act whose time has come, and a key that was in doubt count."""
        if key := self._held.ripe(self._ticking()):
            self.press(key)
        if self._is_paused or self._is_curtain:
            self.host.rest()
            return
        done = self.host.step()
        if done is not None:
            self._tell(done)
            self._turn_to()
            if not self.state.is_race:
                self.person.note = ""  # it was about the position before
            self.draw()
        elif self.state.is_race and self.host.race_time != self._clock:
            self._draw_title()

    def _turn_to(self) -> None:
        """Hand the screen to the person who is asked, behind a curtain."""
        asked = self.host.asked()
        if asked and not self._is_shared and asked != self.person.seat:
            self.people = [self._seat(asked, ALL_KEYS)]
            self._is_curtain = len(self.host.humans) > 1

    # Keys and mouse

    def on_key(self, event: Key) -> None:
        """Take a key, unless it only goes on being held down."""
        if self.query_one("#typed", Input).has_class("open"):
            return
        is_named = event.key in ("enter", "tab", "backspace")
        key = event.key if is_named else event.character or event.key
        event.stop()
        event.prevent_default()
        for counted in self._held.press(key, self._ticking()):
            self.press(counted)

    def on_click(self, event: Click) -> None:
        """Take a click on something as its key."""
        if pick := event.style.meta.get(PICK):
            seat, key = pick
            self.press(key, seat)
        elif self._is_curtain:
            self.press("enter")

    def press(self, key: str, seat: int = 0) -> None:
        """Do what a key means, a key of one person if their seat is given."""
        if self._is_curtain:
            self._is_curtain = key not in ("enter", " ")
        elif self._is_help:
            self._turn_page(key)
        elif key == "?":
            self._is_help = True
            self.query_one("#scroll", VerticalScroll).scroll_home(animate=False)
        elif self.state.over:
            self._end(key)
        elif key == ":":
            self._open_input()
        elif key == "p" or self._is_paused:
            self._pause()
        elif key == "u" and not self._is_shared:
            self._undo()
        elif key in _WHOLE:
            self._make_whole(self._find_person(_WHOLE[key]))
        elif key in _BACK:
            self._take_back(self._find_person(_BACK[key]))
        else:
            self._press_thing(key, seat)
        self.draw()

    def _find_person(self, number: int) -> Person:
        """Return who has a key: with two people each has a half of the keyboard."""
        return self.people[number] if self._is_shared else self.person

    def _end(self, key: str) -> None:
        """Deal another game, if that is what people want."""
        if key == "n" and self._again is not None:
            self._wins += self._has_won()
            self._games += 1
            self.host.rest()  # a bot may still think of the last moment of a race
            self.begin(self._again())

    def _has_won(self) -> bool:
        """Tell whether the person before the screen has won the game that is over."""
        result = self.state.result
        return result is not None and self.person.seat in result.winners

    def _turn_page(self, key: str) -> None:
        """Scroll the help, or close it with any other key."""
        page = self.query_one("#scroll", VerticalScroll)
        turns = {
            "up": page.scroll_up,
            "down": page.scroll_down,
            "pageup": page.scroll_page_up,
            "pagedown": page.scroll_page_down,
            " ": page.scroll_page_down,
            "home": page.scroll_home,
            "end": page.scroll_end,
        }
        if key in turns:
            turns[key](animate=False)
        else:
            self._is_help = False

    def action_take_back(self) -> None:
        """Close what is open, or take the last pick back."""
        field = self.query_one("#typed", Input)
        if field.has_class("open"):
            field.remove_class("open")
            self.set_focus(None)
        elif self._is_help:
            self._is_help = False
        else:
            for person in self.people:
                self._take_back(person)
        self.draw()

    def _take_back(self, person: Person) -> None:
        person.chooser.undo()
        person.note = ""

    def _handle_exception(self, error: Exception) -> None:
        """Leave for what went wrong, which is told as wherever else it does.

        The terminal's library would fill the terminal with variables, and cards.
        """
        self.failure = self.failure or error
        self.exit(return_code=1)

    def action_interrupt(self) -> None:
        """Leave as a program that is interrupted does."""
        self.exit(return_code=INTERRUPTED)

    def _press_thing(self, key: str, seat: int) -> None:
        for person in self.people:
            words = person.find_words(key)
            if words and seat in (0, person.seat):
                self._pick(person, words)
                return

    def _pick(self, person: Person, words: tuple[str, ...]) -> None:
        """Pick something by one of the words for it."""
        if not self.can_act(person):
            person.note = self._tell_who_acts()
            return
        wanted = person.chooser.words()
        word = next((word for word in words if word in wanted), "")
        is_other = not word and len(person.chooser.picked) == 1
        if is_other:
            word = person.chooser.change(words)
        if not word:
            person.note = self._explain(person, words)
            return
        person.note = ""
        move = None if is_other else person.chooser.pick(word)
        if is_other and self.state.is_race:
            move = person.chooser.only()
        if move is not None:
            self._make(person, move)

    def _tell_who_acts(self) -> str:
        """Return why a person cannot act, where the title alone might not tell."""
        is_waiting = self.state.is_race or self.state.over
        return "" if is_waiting else self.speech.say("it is not your turn")

    def _make_whole(self, person: Person) -> None:
        """Make the move that is picked whole, or the only one there is."""
        if not self.can_act(person):
            return
        move = person.chooser.whole()
        moves = person.chooser.moves
        if move is None and len(moves) == 1 and not self.state.is_race:
            move = moves[0]
        if move is not None:
            self._make(person, move)

    def _make(self, person: Person, move: Move) -> None:
        """Make a move, or say why it is refused."""
        person.chooser.picked.clear()
        person.note = self._refuse(person, move)
        if person.note:
            return
        if len(self.host.humans) == 1:
            self._history.note(self.state, person.seat, self.host.recorder)
        self._tell(self.host.act(person.seat, move))
        self._turn_to()

    def _refuse(self, person: Person, move: Move) -> str:
        told = explain(
            self.state, person.seat, move, self.speech, is_verbose=self._is_verbose
        )
        return self.look.show(told)

    def _explain(self, person: Person, words: tuple[str, ...]) -> str:
        """Return why something cannot be picked, in the words of the rules."""
        decision = self.state.decision
        picked = person.chooser.picked
        near = sorted(self._see()[1], key=lambda row: row.owner is not None)
        things = [thing for row in near for thing in row.things]
        places = [thing.words[0] for thing in things if thing.words]
        for word in reversed(words):
            for name in decision.moves if decision else ():
                for more in ([], *([place] for place in places)):
                    parts = (type_part(part) for part in (*picked, word, *more))
                    text = " ".join((name, *parts))
                    if told := self._ask_why(person, text):
                        return told
        thing = self.look.show(words[-1])
        return self.speech.say("{thing} cannot be picked now", thing=thing)

    def _ask_why(self, person: Person, text: str) -> str:
        """Return why a move is refused; nothing if the text is no whole move."""
        try:
            move = self.state.parse(person.seat, text)
        except UnknownMove:
            return ""
        return self._refuse(person, move)

    def _pause(self) -> None:
        self._is_paused = not self._is_paused
        self.host.rest()

    def _undo(self) -> None:
        """Take the last act back, unless it, or what followed, revealed something."""
        if len(self.host.humans) != 1:
            self.person.note = self.speech.say("undo is for one person")
            return
        try:
            why = self._history.take_back(
                self.state, self.person.seat, self.host.recorder
            )
        except OSError as error:
            why = reason(error)
        if why:
            self.person.note = self.speech.say(why)
            return
        self.person.note = ""
        self._swept.clear()
        self._said.append(f"  ({self.speech.say('taken back')})")
        self.host.rest()

    # Typing

    def _open_input(self) -> None:
        field = self.query_one("#typed", Input)
        field.value = ""
        field.add_class("open")
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Make the move that was typed; with two people the seat is before it."""
        text = event.value.strip()
        field = self.query_one("#typed", Input)
        field.remove_class("open")
        self.set_focus(None)
        person = self.person
        if self._is_shared:
            seat, _, rest = text.partition(" ")
            named = [known for known in self.people if str(known.seat) == seat]
            person, text = (named[0], rest) if named else (person, text)
        if text and self.can_act(person):
            self._make_typed(person, text)
        self.draw()

    def _make_typed(self, person: Person, text: str) -> None:
        text = spell(text, list_names(self.state.game))
        try:
            move: Move | None = self.state.parse(person.seat, text)
        except UnknownMove as error:
            moves = self.state.moves(person.seat)
            meant = find_moves(text, moves, self.state.game.deck)
            move = meant[0] if len(meant) == 1 else None
            person.note = "" if move else str(error)
        if move is not None:
            self._make(person, move)

    # Drawing

    @property
    def _notice(self) -> Notice:
        return Notice(self.host, self.people, self.speech, self.look)

    def draw(self) -> None:
        """Draw everything anew, from what the people may know."""
        if not self.is_running:
            return
        for person in self.people:
            moves = self.state.moves(person.seat) if self.can_act(person) else ()
            person.chooser.offer(moves)
        view, rows = self._see()
        for person in self.people:
            person.give_keys(rows, () if self.state.over else self._pickable)
        is_wide = self.size.width >= _WIDE
        width = self.size.width - (_SIDE if is_wide else 0)
        said = self._said[::-1][: self._count_said(is_wide=is_wide)][::-1]
        if self._is_help or self._is_curtain:
            said = []
        bar = self._draw_bar()
        used = 1 + sum(-(-max(len(line), 1) // self.size.width) for line in bar)
        room = self.size.height - used - (0 if is_wide else len(said))
        drawing = Drawing(
            self.look,
            self.people,
            max(width - 2, 30),
            self._find_label_width(rows),
            self.speech.is_right_to_left,
            self._notice.name_players(),
            self._swept,
        )
        scene = Scene(self.state, view, rows, self.people, drawing, self.speech)
        self._draw_title()
        self.query_one("#board", Static).update(self._draw_board(scene, room))
        scroll = self.query_one("#scroll", VerticalScroll)
        # One's own cards are at the end, above what is asked: they stay in sight.
        scroll.set_class(not (self._is_help or self._is_curtain), "low")
        if not self._is_help:
            scroll.scroll_end(animate=False)
        self.query_one("#side").display = is_wide
        self.query_one("#said").display = bool(said) and not is_wide
        self._write("#side" if is_wide else "#said", said)
        self._write("#bar", bar)

    def _count_said(self, *, is_wide: bool) -> int:
        """Return how many of the last acts are told: where there is room, a round."""
        if is_wide:
            return self.size.height
        if self.size.height >= _TALL:
            return max(_FEW_SAID, self.state.game.players + 1)
        return min(max(self.size.height - _LOW, 0), _FEW_SAID)

    def _find_label_width(self, rows: Sequence[Row]) -> int:
        """Return how wide the column of names is: as they are, within limits."""
        names = [self.speech.name(row.zone.name) for row in rows]
        names.append(self.speech.call(self.state.game.players))
        widest = max(map(cell_len, names))
        return min(max(widest + 2, 12), 20)

    def _see(self) -> tuple[View, list[Row]]:
        """Return what the people before the screen see, and where it lies."""
        seats = [person.seat for person in self.people]
        view = see([self.state.view(seat) for seat in seats])
        wanted = {word for person in self.people for word in person.chooser.words()}
        return view, lay_out(view, self.state.game.layout, seats, wanted)

    def _write(self, place: str, lines: Sequence[str]) -> None:
        self.query_one(place, Static).update(Text("\n".join(lines)))

    def _draw_title(self) -> None:
        self._clock = self.host.race_time
        title = self._notice.render_title(
            is_paused=self._is_paused, can_act=self.can_act(self.person)
        )
        self._write("#title", [title])

    def _draw_board(self, scene: Scene, room: int) -> Text:
        if self._is_curtain:
            return Text("\n".join(self._notice.list_curtain()))
        if self._is_help:
            return Text("\n".join(self._notice.list_help()))
        if not self.state.over:
            return scene.draw(room)
        result = render_result(self.state, self.speech.rule)
        board = scene.draw(room - 2 - result.count("\n"))
        return board.append(f"\n\n{result}", style="bold")

    def _draw_bar(self) -> list[str]:
        """Return what is asked of each person, or why something is refused."""
        if self.host.warning:
            self.person.note, self.host.warning = self.host.warning, ""
        if self.state.over:
            wins, games = self._wins + self._has_won(), self._games + 1
            has_more = self._again is not None
            return self._notice.list_end(has_more=has_more, wins=wins, games=games)
        if self._is_help:
            return self._notice.list_pages()
        return self._notice.list_asked([self.can_act(one) for one in self.people])

    # What is said

    def _tell(self, done: Done) -> None:
        """Note an act, as far as those at the table may know it.

        What all choose unseen is shown once all have chosen: it is not taken back.
        """
        if done.is_unseen:
            self._history.forget()
        say = self.speech.say
        self._swept |= {
            zone: self._notice.recall(cards) for zone, cards in done.swept.items()
        }
        # Of several people each reads what was said while another sat here.
        is_own = list(self.host.humans) == [done.seat]
        name = say("You") if is_own else say("Player {seat}", seat=done.seat)
        if done.is_unseen and not is_own:
            self._said.append(say("{name} has chosen.", name=name))
        else:
            self._said.append(f"{name}: {self.look.show(done.label)}")
        del self._said[:-_MOST_SAID]
