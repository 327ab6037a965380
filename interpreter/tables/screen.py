"""The table on the whole screen: cards to pick by key or mouse, in real time.

All that is shown comes from ``view(seat)`` and the legal moves of that seat.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Click, Key, Resize
from textual.widgets import Input, Static

from ..errors import IllegalMove, UnknownMove
from ..match import render_result, seat_bots
from ..sheet import write_sheet
from ..translation import Translation
from .board import (
    describe_values,
    hide_cards,
    name_known_cards,
    name_shared_cards,
)
from .chooser import Chooser
from .drawn import PICK, Drawing, Look
from .held import HeldKeys
from .host import Done, Host
from .output import INTERRUPTED
from .sheets import render_text
from .sitting import explain
from .spread import KEYS, RESERVED, Row, lay_out
from .typed import find_moves

if TYPE_CHECKING:
    from ..clock import Reaction
    from ..state import Move, State
    from .sitting import Sitting

# Seconds between two looks at the clock: nothing lags behind by more.
TICK: Final = 0.02
_MOST_SAID: Final = 200
_FEW_SAID: Final = 4
HELP: Final = """\
Pick a card or pile by its key or with the mouse; what can be picked is marked 'key>'.
A move of several parts is picked part by part; Enter makes what is picked a move.

  Enter   make the move that is picked     Esc    take the last pick back
  :       type a move, such as {example}
  p       pause                            u      undo, until something was revealed
  ?       this help; arrows and pages scroll it, any other key closes it
  Ctrl+Q  leave (or Ctrl+C)

{sheet}
"""


def play_on_screen(
    sitting: Sitting, bot: str, level: str, pace: Reaction, *, is_ascii: bool
) -> State:
    """Play a game on the whole terminal; return how it stands at the end.

    Args:
        sitting: The game, as it begins or as it was left, and who sits where.
        bot: The bot where none is named.
        level: How long bots think.
        pace: How fast bots act in a race.
        is_ascii: Whether cards are drawn with letters only.

    Raises:
        KeyboardInterrupt: The game was left by Ctrl-C.
    """
    host = Host(
        sitting.state,
        sitting.humans,
        seat_bots(sitting.name_bots(bot), level, time.monotonic),
        pace,
        time.monotonic,
        sitting.recorder,
    )
    look = Look(sitting.state.game.deck, is_ascii, bool(os.environ.get("NO_COLOR")))
    app = TableApp(host, look, is_verbose=sitting.is_verbose)
    app.run()
    if app.return_code == INTERRUPTED:
        raise KeyboardInterrupt
    return sitting.state


class TableApp(App[None]):
    """One game on the screen."""

    CSS = """
    #scroll { height: 1fr; }
    #board { width: 100%; }
    #said { height: auto; max-height: 6; color: $text-muted; }
    #bar { height: auto; min-height: 1; text-style: bold; }
    #typed { display: none; }
    #typed.open { display: block; }
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
        is_verbose: bool = False,
    ) -> None:
        """Show a game; ticking tells the time of keys.

        Refusals name the rule and its line if that is asked for.
        """
        super().__init__()
        self.host = host
        self.look = look
        self._ticking = ticking
        self._is_verbose = is_verbose
        self._held = HeldKeys()
        self._chooser = Chooser()
        self._said: list[str] = []
        self._note = ""
        self._seat = host.humans[0] if host.humans else 1
        self._is_curtain = len(host.humans) > 1
        self._is_paused = False
        self._is_help = False
        self._rows: list[Row] = []
        self._keys: dict[tuple[str, ...], str] = {}
        self._buttons: list[tuple[str, str]] = []
        self._before: list[tuple[list[int], set[str]]] = []

    # What the screen is made of

    def compose(self) -> ComposeResult:
        """Lay the board over what was said, and a line for moves below."""
        with VerticalScroll(id="scroll"):
            yield Static(id="board")
        yield Static(id="said")
        yield Static(id="bar")
        yield Input(id="typed", placeholder="a move, or Enter to go back")

    def on_mount(self) -> None:
        """Begin to look at the clock."""
        self.title = self.state.game.name
        self.query_one("#scroll", VerticalScroll).can_focus = False
        self.set_focus(None)
        self.set_interval(TICK, self.tick)
        self.draw()
        self.call_after_refresh(self.draw)

    def on_resize(self, event: Resize) -> None:
        """Draw for the new size, as soon as the room of each part is known."""
        del event
        self.call_after_refresh(self.draw)

    @property
    def state(self) -> State:
        """Return the game."""
        return self.host.state

    @property
    def can_act(self) -> bool:
        """Tell whether the person at the screen may act now."""
        if self.state.over or self._is_paused or self._is_curtain:
            return False
        return self._seat in self.state.to_act and self._seat in self.host.humans

    # Time

    def tick(self) -> None:
        """Let a bot act whose time has come, and a key that was in doubt count."""
        if self._is_paused:
            return
        if key := self._held.ripe(self._ticking()):
            self.press(key)
        done = self.host.step()
        if done is not None:
            self._tell(done)
            self._turn_to()
            self.draw()

    def _turn_to(self) -> None:
        """Hand the screen to the person who is asked, behind a curtain."""
        asked = self.host.asked()
        if asked and asked != self._seat:
            self._seat = asked
            self._is_curtain = len(self.host.humans) > 1
            self._chooser.picked.clear()
            self._note = ""

    # Keys and mouse

    def on_key(self, event: Key) -> None:
        """Take a key, unless it only goes on being held down."""
        if self.query_one("#typed", Input).has_class("open"):
            return
        key = "enter" if event.key == "enter" else event.character or event.key
        event.stop()
        if self._held.press(key, self._ticking()):
            self.press(key)

    def on_click(self, event: Click) -> None:
        """Take a click on something as its key."""
        if key := event.style.meta.get(PICK):
            self.press(key)

    def press(self, key: str) -> None:
        """Do what a key means."""
        if self._is_curtain:
            self._is_curtain = key != "enter"
        elif self._is_help:
            self._turn_page(key)
        elif key == "?":
            self._is_help = True
            self.query_one("#scroll", VerticalScroll).scroll_home(animate=False)
        elif key == ":":
            self._open_input()
        elif key == "p":
            self._pause()
        elif key == "u":
            self._undo()
        elif key == "enter":
            self._make_whole()
        elif self._is_paused:
            self._pause()
        else:
            self._press_thing(key)
        self.draw()

    def _turn_page(self, key: str) -> None:
        """Scroll the help, or close it with any other key."""
        page = self.query_one("#scroll", VerticalScroll)
        turns = {
            "up": page.scroll_up,
            "down": page.scroll_down,
            "pageup": page.scroll_page_up,
            "pagedown": page.scroll_page_down,
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
            self._chooser.undo()
            self._note = ""
        self.draw()

    def action_interrupt(self) -> None:
        """Leave as a program that is interrupted does."""
        self.exit(return_code=INTERRUPTED)

    def _press_thing(self, key: str) -> None:
        words = next((words for words, k in self._keys.items() if k == key), ())
        button = next((word for k, word in self._buttons if k == key), "")
        if button:
            words = (button,)
        if not words or not self.can_act:
            return
        wanted = self._chooser.words()
        word = next((word for word in words if word in wanted), "")
        if not word:
            self._note = self._explain(words)
            return
        self._note = ""
        move = self._chooser.pick(word)
        if move is not None:
            self._make(move)

    def _make_whole(self) -> None:
        """Make the move that is picked whole, or the only one there is."""
        if not self.can_act:
            return
        move = self._chooser.whole()
        moves = self._chooser.moves
        if move is None and len(moves) == 1 and not self.state.is_race:
            move = moves[0]
        if move is not None:
            self._make(move)

    def _make(self, move: Move) -> None:
        known = name_known_cards(self.state.view(self._seat))
        before = (self.state.vector[:], known)
        self._chooser.picked.clear()
        try:
            done = self.host.act(self._seat, move)
        except IllegalMove as error:
            self._note = explain(move, error, is_verbose=self._is_verbose)
            return
        self._before.append(before)
        self._tell(done)
        self._turn_to()

    def _explain(self, words: tuple[str, ...]) -> str:
        """Return why something cannot be picked, in the words of the rules."""
        decision = self.state.decision
        picked = self._chooser.picked
        near = sorted(self._rows, key=lambda row: row.owner is not None)
        things = [thing for row in near for thing in row.things]
        places = [thing.words[0] for thing in things if thing.words]
        for word in reversed(words):
            for name in decision.moves if decision else ():
                for more in ([], *([place] for place in places)):
                    told = self._ask_why(" ".join([name, *picked, word, *more]))
                    if told:
                        return told
        return f"{words[-1]} cannot be picked now"

    def _ask_why(self, text: str) -> str:
        """Return why a move is refused; nothing if the text is no whole move."""
        try:
            move = self.state.parse(self._seat, text)
        except UnknownMove:
            return ""
        refusal = self.state.refusal(self._seat, move)
        if refusal is None:
            return ""
        error = IllegalMove("", refusal.rule, refusal.because, refusal.place)
        return explain(move, error, is_verbose=self._is_verbose)

    def _pause(self) -> None:
        self._is_paused = not self._is_paused
        self.host.rest()

    def _undo(self) -> None:
        """Take the last act back, unless it, or what followed, revealed a card."""
        if len(self.host.humans) != 1 or self.host.recorder is not None:
            self._note = "undo is for one person, in a game that is not saved"
            return
        if not self._before:
            self._note = "there is nothing to undo"
            return
        vector, known = self._before[-1]
        if name_known_cards(self.state.view(self._seat)) - known:
            self._note = "something was revealed since then: no undo"
            return
        self._before.pop()
        self.state.vector[:] = vector
        self._said.append("  (taken back)")
        self.host.rest()

    # Typing

    def _open_input(self) -> None:
        field = self.query_one("#typed", Input)
        field.value = ""
        field.add_class("open")
        field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Make the move that was typed."""
        text = event.value.strip()
        field = self.query_one("#typed", Input)
        field.remove_class("open")
        self.set_focus(None)
        if text and self.can_act:
            self._make_typed(text)
        self.draw()

    def _make_typed(self, text: str) -> None:
        try:
            move: Move | None = self.state.parse(self._seat, text)
        except UnknownMove as error:
            moves = self.state.moves(self._seat)
            meant = find_moves(text, moves, self.state.game.deck)
            move = meant[0] if len(meant) == 1 else None
            self._note = "" if move else str(error)
        if move is not None:
            self._make(move)

    # Drawing

    def draw(self) -> None:
        """Draw everything anew, from what the seat may know."""
        if not self.is_running:
            return
        self._offer()
        self.query_one("#board", Static).update(self._draw_board())
        if not self._is_help:
            # One's own cards are at the end: they stay in sight.
            self.query_one("#scroll", VerticalScroll).scroll_end(animate=False)
        said = self._said[-_FEW_SAID:]
        self.query_one("#said", Static).update(Text("\n".join(said)))
        self.query_one("#bar", Static).update(Text(self._draw_bar()))

    def _offer(self) -> None:
        """Take up the legal moves, and give keys to all that can be picked."""
        moves = self.state.moves(self._seat) if self.can_act else ()
        self._chooser.offer(moves)
        wanted = self._chooser.words()
        view = self.state.view(self._seat)
        self._rows = lay_out(view, self.state.game.layout, wanted)
        own = [row for row in self._rows if row.owner == self._seat]
        others = [row for row in self._rows if row.owner != self._seat]
        keys = iter(key for key in KEYS if key not in RESERVED)
        self._keys = {}
        for row in [*own, *others]:
            for thing in row.things:
                is_wanted = any(word in wanted for word in thing.words)
                is_near = row.owner in (self._seat, None)
                if is_wanted or (is_near and thing.words):
                    self._keys.setdefault(thing.words, next(keys, ""))
        shown = {word for words in self._keys for word in words}
        free = [word for word in wanted if word not in shown]
        self._buttons = [(next(keys, ""), word) for word in free]
        self._buttons = [(key, word) for key, word in self._buttons if key]

    def _draw_board(self) -> Text:
        if self._is_curtain:
            return Text(
                f"\n\n  Pass the screen to player {self._seat}.\n\n"
                "  Press Enter when only you can see it."
            )
        if self._is_help:
            return Text(self._render_help())
        room = self.query_one("#scroll", VerticalScroll).size.height
        lines: list[Text] = []
        for is_close, has_values in ((False, True), (True, True), (True, False)):
            lines = list(self._draw_lines(is_close=is_close, has_values=has_values))
            width = self.size.width
            if sum(-(-max(line.cell_len, 1) // width) for line in lines) <= room:
                break
        return Text("\n").join(lines)

    def _draw_lines(self, *, is_close: bool, has_values: bool) -> Iterator[Text]:
        """Yield the lines of the board: others above, common piles, one's own below.

        Where room is short each player has one line, and nothing stands between.
        """
        drawing = Drawing(
            self.look,
            self._keys,
            set(self._chooser.words()) if self.can_act else (),
            self._chooser.picked,
            max(self.size.width - 2, 40),
        )
        yield Text(self._render_title(), style="bold")
        for owner, rows in groupby(self._rows, lambda row: row.owner):
            if is_close and owner not in (None, self._seat):
                yield from drawing.draw_player(self._call(owner or 0), list(rows))
                continue
            if not is_close:
                yield Text("")
            if owner is not None and not is_close:
                yield Text(self._call(owner), style="bold")
            for row in rows:
                if row.things or not is_close:
                    yield from drawing.draw_row(row, row.zone.replace("_", " "))
        gap = [] if is_close else [Text("")]
        if has_values:
            view = self.state.view(self._seat)
            values = ", ".join(describe_values(view, self.state.game.layout))
            yield from gap
            yield Text(values, style="dim")
        yield from self._draw_rest(drawing, gap)

    def _draw_rest(self, drawing: Drawing, gap: list[Text]) -> Iterator[Text]:
        """Yield what can be picked beside cards, and the result."""
        if self._buttons:
            yield from gap
            yield from drawing.draw_buttons(self._buttons)
        if self.state.over:
            yield from gap
            yield Text(render_result(self.state), style="bold")

    def _render_title(self) -> str:
        game = self.state.game
        who = f"{game.name} · you are player {self._seat}"
        if not self.host.humans:
            who = f"{game.name} · bots play"
        if self.state.over:
            return f"{who} · the game is over"
        if self._is_paused:
            return f"{who} · paused, p goes on"
        if self.state.is_race:
            return f"{who} · act at any moment"
        seats = ", ".join(map(str, self.state.to_act))
        return f"{who} · {'your turn' if self.can_act else f'player {seats} to act'}"

    def _call(self, owner: int) -> str:
        return "you" if owner == self._seat else f"player {owner}"

    def _draw_bar(self) -> str:
        if self.host.warning:
            self._note, self.host.warning = self.host.warning, ""
        if self._note:
            return self._note
        if self.state.over:
            return "Ctrl+Q leaves"
        if not self.can_act:
            return "? help"
        picked = " ".join(self._chooser.picked)
        whole = self._chooser.whole()
        if whole is not None:
            label = self.state.label(self._seat, whole)
            return f"Enter: {label}   or pick more   Esc: back"
        if picked:
            return f"{picked} …   Esc: back"
        moves = self._chooser.moves
        if len(moves) == 1 and not self.state.is_race:
            return f"Enter: {self.state.label(self._seat, moves[0])}"
        return "Pick what is marked   : type a move   ? help"

    def _render_help(self) -> str:
        moves = self.state.moves(self._seat)
        example = str(moves[0]) if moves else "the ones in the log"
        sheet = render_text(write_sheet(self.state.game), Translation())
        return HELP.format(example=example, sheet=sheet)

    # What is said

    def _tell(self, done: Done) -> None:
        """Note an act, as far as those at the table may know it."""
        name = "You" if done.seat == self._seat else f"Player {done.seat}"
        if done.is_unseen and done.seat != self._seat:
            self._said.append(f"{name} has chosen.")
        else:
            seats = self.host.humans or [self._seat]
            known = name_shared_cards(self.state.view(seat) for seat in seats)
            text = hide_cards(str(done.move), known, self.state.game.deck)
            self._said.append(f"{name}: {text}")
        del self._said[:-_MOST_SAID]
