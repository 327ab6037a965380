"""What stands around the board: its title, what is asked, and pages instead of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..sheets.sheet import write_sheet
from .board import Played
from .drawn import Look
from .host import Host
from .person import Person
from .sheets import render_text
from .speech import Speech

if TYPE_CHECKING:
    from ..engine.state import Move, State

_MOST_RECALLED: Final = 7
HELP: Final = (
    "Pick a card or pile by its key or with the mouse, where it is marked 'key>'.",
    "A move of several parts is picked part by part; Enter makes it, if it may go on.",
    "What has a key and is not marked cannot be picked now: its key tells why.",
)
ONE_HAND: Final = (
    "  Enter   make the move that is picked",
    "  Esc     take the last pick back",
)
ANY_HAND: Final = (
    "  :       type a move, such as {example}",
    "  p       pause",
    "  u       undo, until something was revealed",
    "  n       another game, when this one is over",
    "  Ctrl+Q  leave, or Ctrl+C",
)


@dataclass(frozen=True, slots=True)
class Notice:
    """Says to the people before one screen how the game stands and what they may do.

    Two people share the screen in a race.
    """

    host: Host
    people: Sequence[Person]
    speech: Speech
    look: Look

    @property
    def state(self) -> State:
        """Return the game."""
        return self.host.state

    @property
    def is_shared(self) -> bool:
        """Tell whether two people share the keyboard."""
        return len(self.people) > 1

    def render_title(self, *, is_paused: bool, can_act: bool) -> str:
        """Return the game, who sits here, and whose turn it is.

        Args:
            is_paused: Whether the game rests.
            can_act: Whether the person whose cards are below may act.
        """
        say = self.speech.say
        parts = [self.speech.rule(self.state.game.name), self._name_people()]
        seats = self.state.view(self.people[0].seat)["to_act"]
        if self.state.over:
            parts.append(say("the game is over"))
        elif is_paused:
            parts.append(say("paused: any key goes on"))
        elif self.state.is_race:
            minutes, seconds = divmod(self.host.race_time, 60)
            parts += [say("act at any moment"), f"{minutes}:{seconds:02}"]
        elif can_act and not self.is_shared:
            parts.append(say("your turn"))
        elif len(seats) == 1:
            parts.append(say("player {seats} to act", seats=seats[0]))
        else:
            parts.append(
                say("players {seats} to act", seats=", ".join(map(str, seats)))
            )
        return " · ".join(parts)

    def _name_people(self) -> str:
        if not self.host.humans:
            return self.speech.say("bots play")
        if self.is_shared:
            first, second = (person.seat for person in self.people)
            return self.speech.say(
                "you are players {first} and {second}", first=first, second=second
            )
        return self.speech.say("you are player {seat}", seat=self.people[0].seat)

    def name_players(self) -> dict[int, tuple[str, str]]:
        """Return what each player is called, in full and in short, by seat."""
        seats = range(1, self.state.game.players + 1)
        names = {seat: (self.speech.call(seat), str(seat)) for seat in seats}
        if not self.is_shared:
            own = self.speech.say("you")
            names[self.people[0].seat] = own, own
        return names

    def recall(self, cards: Sequence[Played]) -> str:
        """Return the last cards that lay in a pile, and whose they were."""
        names = self.name_players()
        told = [
            self.look.show(card) + (f"({names[player][1]})" if player else "")
            for card, player in cards[-_MOST_RECALLED:]
        ]
        return self.speech.say("last {cards}", cards=" ".join(told))

    def list_curtain(self) -> list[str]:
        """Return the lines before which people change seats, or two sit down."""
        say = self.speech.say
        if not self.is_shared:
            seat = self.people[0].seat
            return [
                "",
                say("Pass the screen to player {seat}.", seat=seat),
                "",
                say("Press Enter when only you can see it."),
            ]
        return [
            "",
            say("Two play at one keyboard, and all they hold lies open to both."),
            "",
            *self._list_halves(),
            "",
            say("Of two keys that are held a terminal tells the last alone."),
            "",
            say("Press Enter to begin."),
        ]

    def _list_halves(self) -> list[str]:
        """Return whose the halves of the keyboard are, where two share it."""
        say = self.speech.say
        first, second = (person.seat for person in self.people)
        return [
            say("player {seat}: the keys at the left", seat=first) + "   12345 qwert",
            "   " + say("Space makes the move that is picked, Tab takes back"),
            say("player {seat}: the keys at the right", seat=second) + "   67890 yuio",
            "   " + say("Enter makes the move that is picked, Backspace takes back"),
        ]

    def list_help(self) -> list[str]:
        """Return the keys, and then the rules."""
        moves = self.state.moves(self.people[0].seat)
        example = str(moves[0]) if moves else "play 8C"
        keys: tuple[str, ...] = (*HELP, "", *ONE_HAND, *ANY_HAND)
        if self.is_shared:
            keys = (*HELP, "", *ANY_HAND)
        lines = [self.speech.say(line, example=example) for line in keys]
        if self.is_shared:
            lines[len(HELP) : len(HELP)] = ["", *self._list_halves()]
        sheet = write_sheet(self.state.game)
        return [*lines, "", *render_text(sheet, self.speech.words).split("\n")]

    def list_end(self, *, has_more: bool, wins: int, games: int) -> list[str]:
        """Return what can be done at the end: another game, where there may be one.

        Args:
            has_more: Whether there may be one.
            wins: How many games the one person here has won.
            games: Of how many that were played one after another.
        """
        say = self.speech.say
        if games > 1 and len(self.host.humans) == 1:
            told = say("you have won {wins} of {games} games", wins=wins, games=games)
            return [told, *self.list_end(has_more=has_more, wins=0, games=0)]
        leave = say("Ctrl+Q leaves")
        more = say("another game, with the next deal")
        return [f"n> {more}   {leave}" if has_more else leave]

    def list_pages(self) -> list[str]:
        """Return how the help is read."""
        return [self.speech.say("Space and arrows turn pages, any other key goes back")]

    def list_asked(self, able: Sequence[bool]) -> list[str]:
        """Return what each person may do next, or why that was refused."""
        asked = [
            self._ask(person, number, can_act=can_act)
            for number, (person, can_act) in enumerate(
                zip(self.people, able, strict=True)
            )
        ]
        if not self.is_shared:
            return asked
        return [
            f"{person.seat}: {line}"
            for person, line in zip(self.people, asked, strict=True)
        ]

    def _ask(self, person: Person, number: int, *, can_act: bool) -> str:
        say = self.speech.say
        if person.note:
            return person.note
        if not can_act:
            return say("? help")
        key, back = "Enter", "Esc"
        if self.is_shared:
            key, back = (("Space", "Tab"), ("Enter", "Backspace"))[number]
        whole = person.chooser.whole()
        if whole is not None:
            return say(
                "{key}: {label}   or pick more   {back}: back",
                key=key,
                label=self._label(person, whole),
                back=back,
            )
        if person.chooser.picked:
            words = map(self.speech.name, person.chooser.picked)
            picked = self.look.show(" ".join(words))
            names = "/".join(_name_moves(person.chooser.left()))
            return say(
                "{picked} …   {back}: back", picked=f"{names} {picked}", back=back
            )
        moves = person.chooser.moves
        if len(moves) == 1 and not self.state.is_race:
            return f"{key}: {self._label(person, moves[0])}"
        names = ", ".join(_name_moves(moves))
        if not names:
            return say("Nothing can be done just now   ? help")
        return say("Pick what is marked: {names}   : type a move   ? help", names=names)

    def _label(self, person: Person, move: Move) -> str:
        label = self.state.label(person.seat, move, self.speech.rule)
        return self.look.show(label)


def _name_moves(moves: Sequence[Move]) -> list[str]:
    """Return the names of moves, each once."""
    return list(dict.fromkeys(move.name.replace("_", " ") for move in moves))
