"""The table on the whole screen, driven by its real keys with a clock of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.events import Key

from cardrun.interpreter import Game, Move, State, load
from cardrun.interpreter.bots import make_bot
from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.simulation.match import seat_bots
from cardrun.interpreter.tables.arguments import choose_speech
from cardrun.interpreter.tables.board import name_known_cards
from cardrun.interpreter.tables.chooser import Chooser
from cardrun.interpreter.tables.drawn import Look
from cardrun.interpreter.tables.held import HeldKeys
from cardrun.interpreter.tables.host import Host
from cardrun.interpreter.tables.pickable import spell_parts
from cardrun.interpreter.tables.screen import TICK, TableApp
from cardrun.interpreter.tables.sitting import Sitting, turn_seats
from cardrun.interpreter.tables.spread import lay_out
from cardrun.interpreter.tables.thinking import Thought
from cardrun.interpreter.text.errors import IllegalMove

GAMES = [path.stem for path in shipped()]
SLOW = Reaction(10_000_000, 0)
ACTS = 8
MOST_ACTS = 400


class Table:
    """A table whose clock only moves when it is told to."""

    def __init__(
        self,
        game: Game,
        humans: list[int],
        pace: Reaction,
        seed: int,
        language: str,
        look: Look,
    ) -> None:
        """Begin a game."""
        self.time = 0.0
        self.bots = seat_bots(["random"] * game.players)
        kinds = ["human" if n in humans else "bot" for n in range(1, game.players + 1)]
        self.sitting = Sitting(game.new(seed), tuple(kinds), None)
        self.sitting.speech = choose_speech(game, language)
        self.pace = pace
        self.begin: Callable[[Thought], None] = Thought.run
        self.app = TableApp(
            self.open_host(),
            look,
            self.now,
            speech=self.sitting.speech,
            again=self.deal_again,
        )
        self.press: Callable[[str], Coroutine[Any, Any, None]]
        self.click: Callable[[int, int], Coroutine[Any, Any, None]]
        self.pause: Callable[[], Coroutine[Any, Any, None]]

    def open_host(self) -> Host:
        """Sit down at the game."""
        sitting = self.sitting
        return Host(
            sitting.state,
            sitting.humans,
            self.bots,
            self.pace,
            self.now,
            speech=sitting.speech,
            begin=self.think,
        )

    def think(self, thought: Thought) -> None:
        """Let a bot think, at once unless a test has it otherwise."""
        self.begin(thought)

    def deal_again(self) -> Host:
        """Deal the next game."""
        self.sitting.renew()
        return self.open_host()

    def now(self) -> float:
        """Return the time."""
        return self.time

    def play_out(self) -> None:
        """Let bots play the game to its end for all."""
        state = self.app.state
        while not state.over:
            seat = next(seat for seat in state.to_act if state.moves(seat))
            state.apply(seat, state.moves(seat)[-1])

    def wait(self, seconds: float) -> None:
        """Let time pass, and bots act."""
        self.time += seconds
        self.app.tick()

    def text(self) -> str:
        """Return all that the screen shows."""
        strips = self.app.screen._compositor.render_strips()
        lines = ("".join(segment.text for segment in strip) for strip in strips)
        return "\n".join(line.rstrip() for line in lines)


def at_table(
    play: Callable[[Table], Coroutine[Any, Any, None]],
    name: str | Game,
    humans: tuple[int, ...] = (1,),
    pace: Reaction = SLOW,
    seed: int = 3,
    size: tuple[int, int] = (80, 50),
    language: str = "en",
    *,
    is_plain: bool = False,
) -> Table:
    """Sit down at a game and play; return the table."""
    game = load(name) if isinstance(name, str) else name
    look = Look(game.deck, is_plain=is_plain)
    table = Table(game, list(humans), pace, seed, language, look)

    async def sit() -> None:
        async with table.app.run_test(size=size) as pilot:

            async def press(key: str) -> None:
                await pilot.press(key)
                await pilot.pause()

            async def click(column: int, line: int) -> None:
                await pilot.click(offset=(column, line))
                await pilot.pause()

            table.press, table.click, table.pause = press, click, pilot.pause
            await pilot.pause()
            await play(table)
            await pilot.pause()

    asyncio.run(sit())
    if table.app.failure is not None:
        raise table.app.failure
    return table


def list_keys(app: TableApp) -> list[str]:
    """Return the keys of what the screen marks as possible."""
    return app.person.list_keys()


def list_drawn(app: TableApp) -> set[str]:
    """Return the cards that the screen shows the face of."""
    return {thing.card for row in app._see()[1] for thing in row.things if thing.card}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_by_keys_and_nothing_hidden_appears(name: str) -> None:
    """Every key that the screen marks does something, and no card is shown early."""
    rng = Rng(5)
    moved: list[int] = []

    async def play(table: Table) -> None:
        app = table.app
        for _ in range(12 * ACTS):
            if app.state.over or len(moved) == ACTS:
                return
            table.wait(2.0)
            view = app.state.view(app.person.seat)
            assert list_drawn(app) <= name_known_cards(view)
            if not app.can_act(app.person) or not app.person.chooser.moves:
                continue
            before = app.state.decisions
            keys = list_keys(app)
            assert keys or app.person.chooser.whole() is not None
            is_whole = app.person.chooser.whole() is not None
            key = "enter" if is_whole else keys[rng.below(len(keys))]
            await table.press(key)
            if app.state.decisions > before:
                moved.append(before)

    table = at_table(play, name, pace=Reaction(900, 0))
    assert moved or table.app.state.over


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_by_keys(name: str) -> None:
    """What a bot would do is done by keys; each seat sees what it may, to the end."""

    async def play(table: Table) -> None:
        app = table.app
        bot, rng = make_bot("greedy"), Rng(6)
        for _ in range(40 * MOST_ACTS):
            if app.state.over or app.state.decisions > MOST_ACTS:
                break
            table.wait(0.3)
            if app.can_act(app.person) and app.person.chooser.moves:
                make_by_keys(table, bot.choose(app.state, 1, rng))
            for seat in range(1, app.state.game.players + 1):
                view = app.state.view(seat)
                rows = lay_out(view, app.state.game.layout, [seat], ())
                drawn = {thing.card for row in rows for thing in row.things}
                assert drawn - {None} <= name_known_cards(view)
        assert app.state.over or app.state.decisions > MOST_ACTS

    at_table(play, name, pace=Reaction(900, 0))


def make_by_keys(table: Table, move: Move) -> None:
    """Press the keys of a move's parts, its name's if that is asked for, or Enter."""
    app = table.app
    before, chooser = app.state.decisions, app.person.chooser
    left = [*spell_parts(app.state.game, move), move.name]
    while app.state.decisions == before:
        key = "enter"
        if chooser.whole() != move:
            word = next(word for word in left if word in chooser.words())
            left.remove(word)
            key = next(
                key
                for key in app.person.list_keys()
                if word in app.person.find_words(key)
            )
        table.time += 1  # it is no key that is held
        app.on_key(Key(key, key if len(key) == 1 else None))


def test_the_commonest_act_of_a_race_is_one_key() -> None:
    """In Spit a card that goes to one pile alone is played at once."""

    async def play(table: Table) -> None:
        await table.press("enter")
        table.wait(3000)
        before = table.app.state.decisions
        await table.press("1")
        assert table.app.state.decisions == before + 1
        assert table.app._said[-1] == "You: play J♠ on centre.2"
        assert "You: play J♠ on centre.2" in table.text()

    at_table(play, "spit")


def test_a_card_is_played_with_the_mouse() -> None:
    """A click on it is as good as its key."""

    async def play(table: Table) -> None:
        lines = table.text().splitlines()
        row = next(number for number, line in enumerate(lines) if "1>" in line)
        await table.click(lines[row].index("1>") + 3, row)
        assert table.app.state.decisions == 1

    at_table(play, "hearts")


def test_without_colours_there_are_no_greys_either() -> None:
    """On the board, in the help and where moves are typed; clicks still hit."""
    seen: set[object] = set()

    async def play(table: Table) -> None:
        for key in ("?", "x", ":"):
            await table.press(key)
            for strip in table.app.screen._compositor.render_strips():
                for segment in strip:
                    if segment.style is not None:
                        seen.update((segment.style.color, segment.style.bgcolor))
                        seen.update((segment.style.dim, segment.style.italic))
        await table.press("escape")
        lines = table.text().splitlines()
        row = next(number for number, line in enumerate(lines) if "1>" in line)
        await table.click(lines[row].index("1>") + 3, row)
        assert table.app.state.decisions == 1

    at_table(play, "hearts", is_plain=True)
    assert seen == {None}


def test_what_cannot_be_picked_says_why() -> None:
    """In the words of the rules."""

    async def play(table: Table) -> None:
        await table.press("enter")
        table.wait(3000)
        await table.press("4")
        reason = "5♥ is not one above or one below 9♦"
        assert table.app.person.note == f"play 5♥ centre.1 is refused: {reason}"

    at_table(play, "spit")


def test_a_bot_that_was_beaten_to_it_aims_anew() -> None:
    """Two acts are never made at one step, and a stale one is not made at all."""

    async def play(table: Table) -> None:
        await table.press("enter")
        table.wait(1)
        for _ in range(40):
            before = table.app.state.decisions
            table.wait(5)
            assert table.app.state.decisions - before <= 1

    at_table(play, "spit", pace=Reaction(1000, 0))


def test_a_pause_gives_nobody_time() -> None:
    """While the game rests no bot acts, and none has gained by it."""

    async def play(table: Table) -> None:
        await table.press("enter")
        table.wait(1)
        await table.press("p")
        before = table.app.state.decisions
        table.wait(500)
        assert table.app.state.decisions == before
        await table.press("p")
        table.wait(0.5)
        assert table.app.state.decisions == before
        assert "act at any moment" in table.text()

    at_table(play, "spit", pace=Reaction(1000, 0))


def test_keys_answer_while_a_bot_thinks() -> None:
    """Help, a pause, and taking back what it thinks about."""

    async def play(table: Table) -> None:
        thoughts: list[Thought] = []
        table.begin = thoughts.append
        app = table.app
        before = app.state.vector[:]
        for key in (":", *"done", "enter"):
            await table.press(key)
        table.wait(5)
        assert len(thoughts) == 1
        await table.press("?")
        assert "Pick a card or pile" in table.text()
        await table.press("x")
        await table.press("p")
        table.wait(5)
        assert "paused" in table.text()
        assert thoughts[0].is_dropped
        await table.press("p")
        table.wait(1)
        await table.press("u")
        thoughts[1].run()
        table.wait(5)
        assert app.state.vector == before

    at_table(play, "idiot")


def test_a_person_is_faster_than_a_bot_that_still_thinks() -> None:
    """What it has thought of is judged as things stand when it acts."""

    async def play(table: Table) -> None:
        thoughts: list[Thought] = []
        app = table.app
        await table.press("enter")
        table.wait(3000)
        table.begin = thoughts.append
        table.wait(1)
        await table.press("1")
        said = list(app._said)
        assert said[-1] == "You: play J♠ on centre.2"
        table.wait(3000)
        assert thoughts
        assert app._said == said
        for thought in thoughts:
            thought.run()
        before = app.state.decisions
        table.wait(1)
        assert app.state.decisions - before <= 1

    at_table(play, "spit")


@pytest.mark.parametrize("name", ["hearts", "spit"])
def test_what_goes_wrong_in_a_bot_ends_the_table(name: str) -> None:
    """With the error, and not in silence or in a race that goes on for ever."""

    class Faulty:
        """A bot with a mistake in it."""

        def choose(self, state: State, seat: int, rng: Rng) -> Move:
            """Fail."""
            raise IllegalMove("a mistake")

    async def play(table: Table) -> None:
        await table.press("enter")
        while name == "spit" and not table.app.state.is_race:
            table.wait(1e6)
        table.bots[2] = Faulty()
        for key in list_keys(table.app)[:1]:
            await table.press(key)
        for _ in range(8):
            table.time += 1e6
            await asyncio.sleep(2 * TICK)
        assert not table.app.is_running
        assert isinstance(table.app.failure, IllegalMove)

    with pytest.raises(IllegalMove, match="a mistake"):
        at_table(play, name)


def test_people_pass_the_screen_behind_a_curtain() -> None:
    """Nobody sees another's hand: the cards come with Enter."""

    async def play(table: Table) -> None:
        app = table.app
        assert "Pass the screen to player 1" in table.text()
        assert "♣" not in table.text()
        await table.press("enter")
        table.wait(0.01)
        await table.press(list_keys(app)[0])
        table.wait(5)
        assert app.person.seat == 2
        assert "Pass the screen to player 2" in table.text()

    at_table(play, "hearts", humans=(1, 2))


def test_the_screen_is_first_passed_to_whoever_is_asked() -> None:
    """As in a saved game, which may go on with another than its first person."""

    async def play(table: Table) -> None:
        app = table.app
        state = app.state
        while app.host.asked() != 2:
            (seat,) = state.to_act
            state.apply(seat, state.moves(seat)[0])
        app.begin(table.open_host())
        app.draw()
        await table.pause()
        assert "Pass the screen to player 2" in table.text()
        assert "♣" not in table.text()
        await table.press("enter")
        assert app.can_act(app.person)
        await table.press(list_keys(app)[0])
        assert app._said[0].startswith("Player 2: ")

    at_table(play, "whist", humans=(1, 2))


def test_what_one_chose_unseen_is_not_told_to_the_next() -> None:
    """Nor is it on the screen that is passed on."""

    async def play(table: Table) -> None:
        app = table.app
        await table.press("enter")
        await table.press(list_keys(app)[0])
        table.wait(0.1)
        assert app._said == ["Player 1 has chosen."]

    at_table(play, "goofspiel", humans=(1, 2))


def test_a_move_may_be_typed() -> None:
    """The colon opens a line, which Enter closes."""

    async def play(table: Table) -> None:
        await table.press(":")
        for key in "done":
            await table.press(key)
        await table.press("enter")
        assert table.app._said == ["You: done swapping"]

    at_table(play, "idiot")


def test_an_act_is_taken_back_until_something_was_revealed() -> None:
    """A swap of own cards reveals nothing; a bot's swap shows a card."""

    async def play(table: Table) -> None:
        app = table.app
        before = app.state.vector[:]
        await table.press("1")
        await table.press("4")
        assert app.state.vector != before
        await table.press("u")
        assert app.state.vector == before

    at_table(play, "idiot")


def test_two_people_race_at_one_keyboard() -> None:
    """Each has a half of the keys, and no key acts for the other."""

    async def play(table: Table) -> None:
        app = table.app
        assert "Two play at one keyboard" in table.text()
        await table.press("enter")
        left, right = app.people
        for person in (left, right):
            (key,) = person.list_keys()
            await table.press(key)
        assert app.state.is_race
        first, second = left.list_keys(), right.list_keys()
        assert set("".join(first)) <= set("12345qwertasdfgzxcvb")
        assert set("".join(second)) <= set("67890yuiohjklnm")
        text = table.text()
        assert all(f"{key}>" in text for key in first)
        assert all(f"<{key}" in text for key in second)
        await table.press(first[0])
        assert app._said[-1].startswith("Player 1: ")
        await table.press(right.list_keys()[0])
        assert app._said[-1].startswith("Player 2: ") or right.chooser.picked
        await table.press("question_mark")
        text = table.text()
        assert "Space makes the move that is picked" in text
        assert "player 2: the keys at the right   67890 yuio" in text
        assert "Esc     take the last pick back" not in text

    at_table(play, "spit", humans=(1, 2))


def test_hands_lie_open_to_two_at_one_keyboard_and_the_rest_does_not() -> None:
    """Each card shown is one that one of the two may see."""

    async def play(table: Table) -> None:
        await table.press("enter")
        state = table.app.state
        known = name_known_cards(state.view(1)) | name_known_cards(state.view(2))
        drawn = list_drawn(table.app)
        assert drawn == known
        assert len(drawn) == 10

    at_table(play, "speed", humans=(1, 2))


def test_the_last_of_two_held_keys_plays_and_both_play_once() -> None:
    """A terminal repeats the key that was pressed last and tells of no other."""

    async def play(table: Table) -> None:
        app = table.app
        await table.press("enter")
        table.time += 1
        for person in app.people:
            await table.press(person.list_keys()[0])
            table.time += 1
        await table.press(app.people[0].list_keys()[0])
        table.time += 0.1
        held = app.people[1].list_keys()[0]
        before = app.state.decisions
        for gap in (0.5, 0.03, 0.03, 0.03):
            await table.press(held)
            table.time += gap
        table.wait(1)
        picked = len(app.people[1].chooser.picked)
        assert app.state.decisions - before + picked == 1, app.people[1]

    at_table(play, "spit", humans=(1, 2))


def test_a_refusal_is_told_to_the_one_it_concerns() -> None:
    """Each of two people has a line of their own."""

    async def play(table: Table) -> None:
        app = table.app
        await table.press("enter")
        for person in app.people:
            await table.press(person.list_keys()[0])
        right = app.people[1]
        shut = [key for key in "67890" if key not in right.list_keys()]
        await table.press(shut[0])
        assert "is refused" in right.note
        assert app.people[0].note == ""
        assert f"2: {right.note}"[:40] in table.text()

    at_table(play, "spit", humans=(1, 2))


def test_what_lies_there_keeps_its_key_in_a_race() -> None:
    """Nothing moves under a finger when a card before it has gone."""

    async def play(table: Table) -> None:
        app = table.app
        await table.press("enter")
        table.wait(3000)
        state = app.state
        before = find_keys(app)
        seats = [move for move in state.moves(1) if move.name == "play"]
        state.apply(1, seats[0])
        app.draw()
        after = find_keys(app)
        kept = set(before) & set(after)
        assert len(kept) >= 4
        assert {word: before[word] for word in kept} == {
            word: after[word] for word in kept
        }

    at_table(play, "speed")


def find_keys(app: TableApp) -> dict[str, str]:
    """Return the key of each thing that has one, by its first word."""
    marks = {
        thing.words[0]: app.person.mark(row, thing).key
        for row in app._see()[1]
        for thing in row.things
        if thing.words
    }
    return {word: key for word, key in marks.items() if key}


def test_another_game_begins_at_a_key() -> None:
    """With new cards, and everybody a seat further from the dealer."""

    async def play(table: Table) -> None:
        app = table.app
        table.play_out()
        app.draw()
        await table.pause()
        assert "n> another game" in table.text()
        await table.press("n")
        assert app.state.decisions == 0
        assert app.state.seed == 4
        assert "you are player 4" in table.text()

    at_table(play, "golf")


def test_the_deal_passes_on() -> None:
    """Whoever sat on the left of the dealer, the last seat, deals next."""
    assert turn_seats(("human", "a", "b"), 1) == ("a", "b", "human")
    assert turn_seats(("human", "a", "b"), -1) == ("b", "human", "a")


def test_the_screen_lags_behind_the_state_by_less_than_50_ms() -> None:
    """By the clock: whatever a bot does is drawn by the next look at the clock."""
    lags: list[float] = []

    async def play(table: Table) -> None:
        app = table.app
        await table.press("enter")
        table.wait(3000)
        while len(lags) < 12 and app.state.is_race:
            due = min((aim.time for aim in app.host._aims.values()), default=0.0)
            before, shown = app.state.decisions, table.text()
            table.wait(TICK)
            await table.pause()
            if app.state.decisions > before:
                assert table.text() != shown
                lags.append(table.time - due)

    at_table(play, "spit", pace=Reaction(300, 100))
    assert lags
    assert max(lags) <= 0.05


def test_a_race_tells_its_time() -> None:
    """Pauses do not count."""

    async def play(table: Table) -> None:
        await table.press("enter")
        table.wait(3000)
        for _ in range(3):
            table.wait(1)
        await table.press("p")
        table.wait(100)
        await table.press("p")
        table.wait(1)
        await table.pause()
        assert " · 0:03" in table.text().split("\n")[0]

    at_table(play, "spit")


def test_lines_begin_at_the_right_where_the_language_does() -> None:
    """Names of zones stand at the right, and cards follow them to the left."""

    async def play(table: Table) -> None:
        lines = table.text().split("\n")
        assert lines[0].startswith(" " * 20)
        assert lines[0].endswith("دورك")
        hand = next(line for line in lines if "1>" in line)
        assert hand.endswith("اليد")
        assert hand.index("2>") < hand.index("1>")

    table = at_table(play, "idiot", language="ar")
    assert table.app.speech.is_right_to_left


def test_what_is_said_is_in_the_language() -> None:
    """Acts, and why they are refused."""

    async def play(table: Table) -> None:
        await table.press("enter")
        table.wait(3000)
        await table.press("1")
        assert table.app._said[-1] == "Du: spill J♠ på centre.2"

    at_table(play, "spit", language="no")


HINTED = """\
cardrun: 1
name: Hinted
players: 2
deck: {kind: piquet}
zones:
  stock: {face: down, holds: deck, shown: no}
  pile:  {face: up, place: above}
  hand:  {per: player, seen_by: owner, sort: suit}
  grid:  {per: player, piles: 4, face: up, columns: 2}
state:
  passes: {start: 7, shown: no}
  left:   {start: 7}
moves:
  lay: {pick: {card: hand}, do: [move card to pile]}
play:
  - shuffle stock
  - deal 6 to hand each
  - deal 1 to pile
  - for: p in players
    do:
      - for: pile in p.grid
        do: [move 1 from stock to pile]
  - turns: {from: players.first, until: "any(players, it.hand.empty)"}
    do:
      - choose: [lay]
result: {rank_by: score}
"""


def test_a_ruleset_says_how_it_is_shown(tmp_path: Path) -> None:
    """Sorted by suit, in columns, above or not at all."""
    file = tmp_path / "hinted.yaml"
    file.write_text(HINTED, encoding="utf-8")

    async def play(table: Table) -> None:
        lines = table.text().split("\n")
        labels = [line[:12].strip() for line in lines if line[:12].strip()]
        assert "stock" not in labels
        assert labels.index("pile") < labels.index("▸ you")
        place = [number for number, line in enumerate(lines) if "grid" in line][-1]
        assert [len(line.split()) for line in lines[place : place + 2]] == [3, 2]
        text = next(line for line in lines if ">" in line)
        suits = [sign for sign in text if sign in "♣♦♥♠"]
        assert suits == sorted(suits, key="♣♦♥♠".index)
        assert "left 7" in table.text()
        assert "passes" not in table.text()

    at_table(play, load(file))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (50, 20)])
def test_the_screen_fits_its_size(size: tuple[int, int]) -> None:
    """No line is wider than the terminal."""

    async def play(table: Table) -> None:
        assert all(len(line) <= size[0] for line in table.text().splitlines())
        assert "hand" in table.text()

    at_table(play, "hearts", size=size)


@pytest.mark.parametrize("name", GAMES)
def test_ones_own_cards_are_in_sight_on_a_small_screen(name: str) -> None:
    """80 by 24 is enough for every game: what can be picked is on the screen."""

    async def play(table: Table) -> None:
        table.wait(1)
        await table.pause()
        keys = list_keys(table.app)
        text = table.text()
        assert all(f"{key}>" in text for key in keys)

    at_table(play, name, size=(80, 24))


def test_a_trick_is_in_sight_card_by_card() -> None:
    """What was led can be seen when it is one's turn to follow."""
    lengths: set[int] = set()

    async def play(table: Table) -> None:
        for _ in range(40):
            if table.app.can_act(table.app.person):
                await table.press(list_keys(table.app)[0])
            table.wait(1)
            piles = table.app.state.view(1)["piles"]
            (trick,) = [pile for pile in piles if pile["zone"] == "trick"]
            (row,) = [row for row in table.app._see()[1] if row.zone.name == "trick"]
            assert [thing.card for thing in row.things] == trick["cards"]
            lengths.add(trick["size"])

    at_table(play, "hearts", pace=Reaction(900, 0))
    assert lengths == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("width", "language", "line"),
    [
        (80, "en", "trick        6♣ (you)  3♣ (player 2)  2♣ (player 3)"),
        (50, "en", "trick        6♣ (you)  3♣ (2)  2♣ (3)"),
        (80, "ar", "(اللاعب 3) 2♣  (اللاعب 2) 3♣  (أنت) 6♣"),
    ],
)
def test_a_trick_shows_who_played_what(width: int, language: str, line: str) -> None:
    """By name, or by number where there is no room for that."""

    async def play(table: Table) -> None:
        for text in ("1 play 6C", "2 play 3C", "3 play 2C"):
            table.app.state.apply_text(text)
        table.app.draw()
        await table.pause()
        assert line in table.text()

    at_table(play, "hearts", size=(width, 40), language=language)


def test_the_last_trick_can_still_be_seen() -> None:
    """Until the next card is led."""

    async def play(table: Table) -> None:
        app = table.app
        lines = []
        for text in ("1 6C", "2 3C", "3 2C", "4 KC", "4 AC"):
            seat = int(text[0])
            move = app.state.parse(seat, f"play {text[2:]}")
            app._tell(app.host.act(seat, move))
            app.draw()
            await table.pause()
            shown = table.text().splitlines()
            lines.append(next(line for line in shown if line.startswith("trick")))
        assert lines[3] == "trick       - last 6♣(you) 3♣(2) 2♣(3) K♣(4)"
        assert lines[4].split() == ["trick", "A♣", "(player", "4)"]

    at_table(play, "hearts")


def test_a_card_turned_up_for_the_last_trick_is_in_it() -> None:
    """Though the move that turned it up did not name it."""

    async def play(table: Table) -> None:
        app = table.app
        for _ in range(60):
            seat = app.state.to_act[0]
            move = app.state.moves(seat)[-1]
            piles = {pile["zone"]: pile for pile in app.state.view(1)["piles"]}
            done = app.host.act(seat, move)
            if not move.args and piles["trick"]["size"] and done.swept:
                assert len(done.swept["trick"]) == piles["trick"]["size"] + 1
                return
        pytest.fail("no card was turned up")

    at_table(play, "skitgubbe")


def test_a_rank_is_picked_by_a_card_of_it() -> None:
    """And a player by their number, which is no rank."""

    async def play(table: Table) -> None:
        app = table.app
        hand = next(line for line in table.text().splitlines() if "1>" in line)
        assert hand.startswith("hand")
        card = app.person.find_words("1")[0]
        await table.press("1")
        assert app.person.chooser.picked == [f"rank {card[:-1]}"]
        await table.press(app.person.buttons[-1][0])
        move = app.host.state.parse(1, f"ask 4 {card[:-1]}")
        assert app._said == [f"You: {app.state.label(1, move)}"]

    at_table(play, "go_fish")


def test_the_prompt_names_the_moves() -> None:
    """And, when something is picked, those that are left."""

    async def play(table: Table) -> None:
        assert "Pick what is marked: swap, done " in table.text()
        await table.press("1")
        assert "swap J♦ …   Esc: back" in table.text()

    at_table(play, "idiot")


def test_another_card_may_be_picked_instead() -> None:
    """By its key alone; what would then be clear at once waits for Enter."""

    async def play(table: Table) -> None:
        app = table.app
        words = [app.person.find_words(key)[-1] for key in "12"]
        await table.press("1")
        assert app.person.chooser.picked == words[:1]
        await table.press("2")
        assert app.person.chooser.picked == words[1:]
        assert app.state.decisions == 0

    at_table(play, "idiot")


def test_who_presses_keys_too_early_is_told() -> None:
    """Until it is their turn."""

    async def play(table: Table) -> None:
        await table.press(list_keys(table.app)[0])
        await table.press("2")
        assert "it is not your turn" in table.text().splitlines()[-1]
        while table.app.state.to_act != (1,):
            table.wait(5)
        await table.pause()
        assert "it is not your turn" not in table.text()

    at_table(play, "hearts", pace=Reaction(900, 0))


def test_games_won_are_counted() -> None:
    """From the second on."""

    async def play(table: Table) -> None:
        app = table.app
        won = 0
        for games in (1, 2):
            table.play_out()
            assert app.state.result is not None
            won += app.person.seat in app.state.result.winners
            app.draw()
            await table.pause()
            told = f"you have won {won} of {games} games" in table.text()
            assert told == (games == 2)
            await table.press("n")
            table.time += 1

    at_table(play, "agram")


def test_ones_own_cards_stand_just_above_what_is_asked() -> None:
    """However tall the screen is; what others hold is above them."""

    async def play(table: Table) -> None:
        lines = table.text().splitlines()
        assert "Pick what is marked" in lines[-1]
        assert lines[-3].startswith("hand")

    at_table(play, "hearts", size=(80, 60))


@pytest.mark.parametrize("size", [(20, 5), (8, 2), (1, 1)])
def test_a_tiny_terminal_is_no_harm(size: tuple[int, int]) -> None:
    """Keys do what they do elsewhere, and all is back once there is room."""

    async def play(table: Table) -> None:
        for key in (list_keys(table.app)[0], "?", "x"):
            await table.press(key)
        assert table.app.state.decisions == 1

    at_table(play, "hearts", size=size)


def test_the_rule_sheet_is_a_key_away() -> None:
    """It scrolls, and any other key goes back to the table."""

    async def play(table: Table) -> None:
        await table.press("?")
        assert "Pick a card or pile" in table.text()
        assert "Which cards you may play" not in table.text()
        for _ in range(8):
            await table.press("pagedown")
            table.time += 1
        assert "Who wins" in table.text()
        await table.press("x")
        assert "trick" in table.text()
        assert table.app.state.decisions == 0

    at_table(play, "hearts", size=(80, 24))


def test_the_first_sight_uses_the_room_there_is() -> None:
    """Each player and pile has lines of its own before anything is done."""

    async def play(table: Table) -> None:
        lines = table.text().split("\n")
        assert "▸ you" in lines
        assert "player 2  dealer" in [line[:16] for line in lines]

    at_table(play, "idiot", size=(120, 40))


def test_ctrl_c_leaves_as_an_interrupted_program_does() -> None:
    """Whatever else is open."""

    async def play(table: Table) -> None:
        await table.press("colon")
        await table.press("ctrl+c")

    assert at_table(play, "idiot").app.return_code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_program_that_is_ended_leaves_the_terminal_as_it_was() -> None:
    """As Ctrl-C does."""

    async def play(table: Table) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await table.pause()

    assert at_table(play, "idiot").app.return_code == 130


def test_letters_stand_in_for_signs() -> None:
    """With --ascii every face is in letters."""
    deck = load("hearts").deck
    assert Look(deck).face("10H") == "10♥"
    assert Look(deck, is_ascii=True).face("10H") == "10H"


def test_a_key_that_is_held_plays_once() -> None:
    """It repeats after half a second and then quickly; two presses are two."""
    held = HeldKeys()
    assert held.press("3", 0.0) == ["3"]
    assert held.press("3", 0.5) == []
    for step in range(1, 20):
        assert held.press("3", 0.5 + step * 0.033) == []
        assert held.ripe(0.5 + step * 0.033) == ""
    again = HeldKeys()
    assert again.press("3", 0.0) == ["3"]
    assert again.press("3", 0.3) == []
    assert again.ripe(0.33) == ""
    assert again.ripe(0.4) == "3"
    assert again.press("4", 0.41) == ["4"]


def test_a_second_press_is_not_lost_when_another_key_follows() -> None:
    """Whoever still held the first key would send it again."""
    held = HeldKeys()
    assert held.press("3", 0.0) == ["3"]
    assert held.press("3", 0.3) == []
    assert held.press("4", 0.33) == ["3", "4"]


def test_a_move_is_narrowed_down_word_by_word() -> None:
    """Parts may come in any order; what is whole waits for Enter if more may follow."""
    state = load("idiot").new(3)
    moves = [
        state.parse(1, text)
        for text in ("play 4S", "play 4S 4C", "take", "flip hidden.1")
    ]
    chooser = Chooser(moves)
    assert chooser.words() == ["4S", "4C", "take", "hidden.1"]
    assert chooser.pick("4S") is None
    assert str(chooser.whole()) == "play 4S"
    assert chooser.words() == ["4C"]
    assert str(chooser.pick("4C")) == "play 4C 4S"
    chooser.picked.clear()
    assert str(chooser.pick("take")) == "take"
    assert chooser.pick("nothing") is None


def test_first_parts_stand_before_second_ones() -> None:
    """Of an auction all levels, then all suits; what is picked is left out."""
    chooser = Chooser(load("bridge").new(3).moves(1))
    strains = ["clubs", "diamonds", "hearts", "spades", "no_trump"]
    assert chooser.steps() == [["pass", *"1234567"], strains]
    chooser.pick("no_trump")
    assert chooser.steps() == [list("1234567")]
    chooser.undo()
    chooser.pick("3")
    assert chooser.words() == strains


def test_the_parts_of_a_bid_have_a_line_each() -> None:
    """The levels above, the suits below, and both in words."""

    async def play(table: Table) -> None:
        lines = table.text().split("\n")
        (number,) = [n for n, line in enumerate(lines) if "> pass" in line]
        shown = " ".join(lines[number].split())
        assert shown == "a> pass 1> 1 2> 2 3> 3 4> 4 5> 5 6> 6 7> 7"
        assert lines[number + 1].split("> ")[1:] == [
            "clubs   d",
            "diamonds   h",
            "hearts   s",
            "spades   n",
            "no trump",
        ]
        await table.press("n")
        assert "no trump …" in table.text()

    at_table(play, "bridge", size=(80, 24))


@pytest.mark.parametrize("name", GAMES)
def test_every_move_can_be_picked(name: str) -> None:
    """Part by part, whatever other moves there are."""
    game, rng = load(name), Rng(3)
    state = game.new(5)
    for _ in range(60):
        if state.over:
            return
        seat = rng.choice([seat for seat in state.to_act if state.moves(seat)])
        moves = state.moves(seat)
        for move in [rng.choice(moves) for _ in range(6)]:
            assert pick_all(game, moves, move) == move
        state.apply(seat, rng.choice(moves))


def pick_all(game: Game, moves: tuple[Move, ...], move: Move) -> Move | None:
    """Pick the parts of a move, then its name if need be; return what is meant."""
    chooser = Chooser(moves, spell=partial(spell_parts, game))
    left = [*spell_parts(game, move), move.name]
    while chooser.whole() != move:
        word = next((word for word in left if word in chooser.words()), "")
        if not word:
            return None
        left.remove(word)
        if (meant := chooser.pick(word)) is not None:
            return meant
    return move
