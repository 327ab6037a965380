"""Line mode: turns and races at a table with a scripted person and clock."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardrun.interpreter.bots import make_bot
from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.engine.state import Move, State
from cardrun.interpreter.loader import load
from cardrun.interpreter.rng import Rng
from cardrun.interpreter.simulation.match import seat_bots
from cardrun.interpreter.tables.arguments import choose_speech
from cardrun.interpreter.tables.board import describe_view, hide_cards, name_known_cards
from cardrun.interpreter.tables.plain import PlainTable
from cardrun.interpreter.tables.record import begin_record, describe_game, read_record
from cardrun.interpreter.tables.speech import Speech

FAST = Reaction(500, 0)


class Script:
    """A person who types given lines at given times, and keeps what is shown."""

    def __init__(self, typed: Sequence[tuple[float, str]]) -> None:
        """Be ready to type."""
        self.typed = list(typed)
        self.shown: list[str] = []
        self.hidden: list[str] = []
        self.time = 0.0

    def write(self, line: str) -> None:
        """Keep a line."""
        self.shown += line.split("\n")

    def hide(self) -> None:
        """Forget all that was shown."""
        self.hidden += self.shown
        self.shown.clear()

    def read(self, timeout: float | None) -> str | None:
        """Let time pass until the next line, or until it is up."""
        if not self.typed:
            raise EOFError
        time, line = self.typed[0]
        if timeout is not None and time > self.time + timeout:
            self.time += timeout
            return None
        self.time = max(self.time, time)
        self.typed.pop(0)
        return line

    def now(self) -> float:
        """Return the scripted time."""
        return self.time


def sit_down(
    path: str,
    typed: Sequence[str | tuple[float, str]],
    humans: Sequence[int] = (1,),
    seed: int = 3,
    pace: Reaction = FAST,
) -> tuple[PlainTable, Script]:
    """Play with random bots what is typed, and then quit."""
    lines = [item if isinstance(item, tuple) else (0.0, item) for item in typed]
    script = Script(lines)
    game = load(path)
    bots = seat_bots(["random"] * game.players)
    return PlainTable(game.new(seed), humans, bots, pace, script), script


def play(path: str, *typed: str | tuple[float, str], seed: int = 3) -> list[str]:
    """Return what is shown to a person who types lines, the last being quit."""
    table, script = sit_down(path, [*typed, "quit"], seed=seed)
    table.play()
    return script.shown


def find(shown: Sequence[str], part: str) -> str:
    """Return the first line with a part."""
    return next((line for line in shown if part in line), "")


def test_a_person_sees_their_own_cards_and_no_others() -> None:
    """By suits, as on the screen; the others' hands are a number of cards."""
    shown = play("hearts")
    assert "hand 6C 7C 10C JC 4D 9D JD AD KH AH 3S 6S 9S" in find(shown, "  you: ")
    assert find(shown, "  player 2: ") == "  player 2: hand 13 cards"
    assert "   1. play 3S" in shown


@pytest.mark.parametrize("typed", ["1", "play 3S", "play 3s", "3s", "pl 3♠", " 3S "])
def test_a_move_is_typed_in_many_ways(typed: str) -> None:
    """As listed, by its number, or cut short."""
    shown = play("hearts", typed)
    hands = [line for line in shown if line.startswith("  you: ")]
    assert ["3S" in hand for hand in hands] == [True, False]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("play AH", "  play AH is refused: hearts are not broken yet."),
        ("99", "  There is no move 99 in the list."),
        ("", "  Type a move, or ? for help."),
        ("fly", "  there is no move 'fly': Moves here: pass, play."),
        ("?", "  moves  list all legal moves       look   show the position again"),
        ("play", "  Which one: play 3S, play 4D, play 6C, play 6S, play 7C, play 9D"),
    ],
)
def test_what_is_refused_loses_nothing(typed: str, answer: str) -> None:
    """The person is told why, and asked again."""
    table, script = sit_down("hearts", [typed, "quit"])
    table.play()
    assert find(script.shown, answer)
    assert table.state.decisions == 0


@pytest.mark.parametrize("typed", ["bid 3 no trump", "Bid 3 No Trump", "3 no"])
def test_a_name_is_typed_as_it_is_shown(typed: str) -> None:
    """With spaces; a contract without trumps is told of as such."""
    table, script = sit_down("bridge", [], humans=(1, 2, 3, 4))
    table.look(1)
    table.hear(1, typed)
    table.look(2)
    assert "  contract 3, trump none, stake 1" in script.shown


def test_a_name_with_spaces_is_refused_for_its_reason() -> None:
    """Not because it names nothing."""
    table, script = sit_down("bridge", [], humans=(1, 2, 3, 4))
    table.state.apply_text("1 bid 3 no_trump")
    table.hear(2, "bid 1 no trump")
    assert find(script.shown, "refused").endswith(
        "a bid must be higher than the last one."
    )


@pytest.mark.parametrize(
    ("game", "is_told"),
    [("hearts", False), ("agram", False), ("back_alley", True), ("rummy", False)],
)
def test_no_trumps_are_told_of_where_there_may_be_some(
    game: str, is_told: bool
) -> None:
    """A game that never has trumps does not say so."""
    state = load(game).new(3)
    for variable in state.game.layout.variables:
        if variable.maybe:
            state.assign(variable, None)
    shown = "\n".join(describe_view(state.view(1), state.game.layout, Speech()))
    assert ("trump none" in shown) == is_told
    assert " none" not in shown.replace("trump none", "")


def test_a_refusal_names_its_rule_and_line_if_asked() -> None:
    """For those who write the rules."""
    table, script = sit_down("idiot", ["swap JD JD", "quit"])
    table.play(is_verbose=True)
    (refused,) = [line for line in script.shown if "is refused" in line]
    assert re.search(r"\(swap\.open, idiot\.yaml:\d+\)\.$", refused)


def test_a_label_stands_where_it_says_more() -> None:
    """Than the move as it is typed, with a word between its parts."""
    shown = play("idiot")
    assert "   1. swap JD 5C" in shown
    assert find(shown, "10. done").split() == ["10.", "done", "done", "swapping"]
    assert find(play("cribbage"), "  1. ").endswith("lay 4C 5S away")


def test_the_same_position_can_be_shown_again() -> None:
    """And the moves alone."""
    assert "\n".join(play("hearts", "look")).count("  you: hand 6C 7C") == 2
    assert "\n".join(play("hearts", "moves")).count("   1. play 3S") == 2


def test_an_empty_pile_is_told_of_when_it_is_news() -> None:
    """When its cards have gone, or when somebody asks for everything."""
    table, script = sit_down("hearts", [])
    for text in ("1 play 6C", "2 play 3C", "3 play 2C"):
        table.look(1)
        table.state.apply_text(text)
    assert not find(script.shown, ": empty")
    table.look(1)
    table.state.apply_text("4 play KC")
    table.look(1)
    table.look(1)
    assert script.shown.count("  trick: empty") == 1
    table.hear(1, "look")
    assert script.shown.count("  trick: empty") == 2
    assert script.shown.count("  deck: empty") == 1


def test_quitting_leaves_without_a_result() -> None:
    """The game is not over."""
    assert play("hearts")[-1] == "You have left the game."


class Interrupted:
    """A bot that Ctrl-C is pressed at while it thinks."""

    def choose(self, state: State, seat: int, rng: Rng) -> Move:
        """Get no further."""
        raise KeyboardInterrupt


def test_ctrl_c_leaves_while_a_bot_thinks(tmp_path: Path) -> None:
    """And the saved game holds all that was played."""
    table, script = sit_down("hearts", ["1"])
    header = describe_game(table.state.game, 3, ("human", *["bot"] * 3))
    recorder = begin_record(tmp_path / "one.jsonl", header)
    bots = dict.fromkeys(range(1, 5), Interrupted())
    table = PlainTable(table.state, [1], bots, FAST, script, recorder)
    with pytest.raises(KeyboardInterrupt):
        table.play()
    recorder.close()
    assert script.shown[-1] == "You have left the game."
    record = read_record(tmp_path / "one.jsonl")
    assert [act.move for act in record.acts] == ["play 3S"]


def test_bots_play_on_when_the_input_ends() -> None:
    """To the end, with scores and places."""
    table, script = sit_down("hearts", ["1"])
    table.play()
    assert "The input has ended: bots play on for player 1." in script.shown
    assert table.state.over
    assert script.shown[-1].startswith("  player 4: score ")


def test_enter_makes_the_only_move() -> None:
    """Such as being ready."""
    table, _ = sit_down("spit", ["", "quit"])
    table.play()
    assert table.state.decisions >= 1


def test_what_was_chosen_unseen_is_not_told() -> None:
    """Cards passed on in secret are named to nobody else."""
    game = load("hearts", options={"passing": "rotate"})
    script = Script([(0, "1"), (0, "quit")])
    bots = seat_bots(["random"] * 4)
    PlainTable(game.new(3), [1], bots, FAST, script).play()
    assert "Player 2 has chosen." in script.shown
    assert find(script.shown, "pass") == "   1. pass 3S 4D 6C"


def test_people_at_one_screen_take_turns_to_look() -> None:
    """What one has seen is put out of sight before the next, and all that was said."""
    table, script = sit_down("hearts", ["", "1", "", "log", "quit"], humans=[1, 2])
    table.play()
    assert any("Player 1, press Enter" in line for line in script.hidden)
    assert any(line.startswith("  you: hand ") for line in script.hidden)
    first, *seen = script.shown
    assert first == "Player 2, press Enter when only you can see this."
    hand, other = (
        set(table.state.view(seat)["piles"][seat]["cards"]) for seat in (2, 1)
    )
    named = set(" ".join(seen).split())
    assert hand <= named
    assert not other & named


def test_cards_drawn_by_others_are_not_named() -> None:
    """A card the person cannot see before or after a move reads '?'."""
    table, _ = sit_down("hearts", ["1"], humans=[1])
    assert hide_cards("QS", {"KS"}, table.state.game.deck) == "?"
    assert hide_cards("centre.1", set(), table.state.game.deck) == "centre.1"


def test_bots_act_in_a_race_at_their_pace() -> None:
    """The first after half a second, whether or not anything is typed."""
    table, script = sit_down("spit", ["", (0.4, "moves"), (0.6, "quit")])
    table.play()
    answers = [line for line in script.shown if line.startswith("Player 2: ")]
    assert len(answers) == 1
    assert script.time == 0.6


def test_a_person_acts_at_any_moment_of_a_race() -> None:
    """Their act is judged as it arrives."""
    table, script = sit_down("spit", ["", (0.1, "1"), (0.2, "quit")])
    table.play()
    assert not any(line.startswith("Player 2: ") for line in script.shown)
    assert table.state.decisions == 3


def test_a_stale_act_is_refused_and_not_turned_into_another() -> None:
    """A number means the move it was listed under."""
    table, script = sit_down("spit", ["", (0.1, "1"), (0.1, "play JS centre.2")])
    table.play()
    assert find(script.shown, "  play JS centre.2 is refused: ")


def test_a_race_shows_only_what_has_changed() -> None:
    """Unchanged lines are not read out again."""
    table, script = sit_down("spit", ["", (0.6, "quit")])
    table.play()
    assert sum(line.startswith("  you: ") for line in script.shown) == 2
    assert sum(line.startswith("  centre: ") for line in script.shown) >= 2


def test_in_a_race_of_several_people_a_line_begins_with_the_seat() -> None:
    """One keyboard serves all."""
    typed = ["", "", "x", "3 1", "1 1", "quit"]
    table, script = sit_down("spit", typed, humans=[1, 2])
    table.play()
    assert script.shown.count("  Begin with the number of your seat.") == 2
    assert table.state.decisions == 3


def test_three_people_race_before_one_screen() -> None:
    """The board is shown once, with all that they hold, and the moves of each."""
    game = load("speed", players=3, house_rules=["speed-for-three"])
    lines = ["1", "", "3 ready", "2 1", "look", "4 1", "3 look", "quit"]
    script = Script([(0.0, line) for line in lines])
    bots = seat_bots(["random"] * 3)
    table = PlainTable(game.new(3), [1, 2, 3], bots, FAST, script)
    table.play()
    shown = script.shown
    assert shown[1].startswith("  You share the screen")
    assert not find(shown, "press Enter when only you")
    begun = max(at for at, line in enumerate(shown) if line.endswith("has chosen."))
    race = shown[begun + 1 :]
    assert (
        find(race, "  player 1: ") == "  player 1: stock 6 cards; hand 2H 5C 7S 8S JH"
    )
    assert (
        find(race, "  player 3: ") == "  player 3: stock 6 cards; hand 2D 4D 6H 9C 10S"
    )
    assert not find(race, "  you: ")
    assert race.count("Player 3:") == 4
    assert find(race, "Player 2: play") == "Player 2: play 7C centre.3"
    assert find(race, "  Begin with the number of your seat.")
    assert table.state.decisions == 4


def test_bots_alone_play_a_race_at_once() -> None:
    """Nobody waits for a clock that only people need."""
    table, script = sit_down("spit", [], humans=[])
    table.play()
    assert table.state.over
    assert script.time == 0


@pytest.mark.parametrize("path", ["hearts", "idiot", "spit"])
def test_nothing_shown_depends_on_what_is_hidden(path: str) -> None:
    """Two positions that a seat cannot tell apart look the same."""
    state = load(path).new(7)
    rng = Rng(4)
    for _ in range(40):
        able = [seat for seat in state.to_act if state.moves(seat)]
        seat = rng.choice(able)
        state.apply(seat, make_bot("random").choose(state, seat, rng))
        for viewer in range(1, state.game.players + 1):
            other = state.determinize(viewer, rng)
            assert show(other, viewer) == show(state, viewer)


def show(state: State, seat: int) -> tuple[list[str], list[str]]:
    """Return the lines and the cards that a seat sees."""
    view = state.view(seat)
    lines = list(describe_view(view, state.game.layout, Speech()))
    return lines, sorted(name_known_cards(view))


def test_what_is_not_so_is_not_shown() -> None:
    """A line of all that nobody has done yet would hide what counts."""
    state = load("schwimmen", house_rules=["schwimmen-lives"]).new(seed=3)
    assert state.view(1)["variables"]["spared"] is False
    lines, _ = show(state, 1)
    assert [line.strip() for line in lines[-2:]] == [
        "player 5: hand 3 cards; dealer; score 3",
        "you: hand 7H 8H 9S; score 3",
    ]


def test_a_trick_tells_who_played_what() -> None:
    """In the order of play; what was dealt nobody has played."""
    state = load("hearts").new(3)
    for text in ("1 play 6C", "2 play 3C", "3 play 2C"):
        state.apply_text(text)
    lines, _ = show(state, 2)
    assert "  trick: 6C (player 1) 3C (you) 2C (player 3)" in lines
    lines, _ = show(load("crazy_eights").new(3), 1)
    assert re.fullmatch(r"  discard: \w+", find(lines, "discard"))


def test_cards_of_one_player_are_told_together() -> None:
    """As a pair is, in the pile of a climbing game."""
    state = load("president").new(3)
    seat, pair = next(
        (seat, move)
        for seat in state.to_act
        for move in state.moves(seat)
        if len(move.args) == 2
    )
    state.apply(seat, pair)
    lines, _ = show(state, seat)
    assert f"  pile: {' '.join(pair.args)} (you)" in lines


def test_an_act_is_taken_back_in_line_mode() -> None:
    """A swap of own cards reveals nothing."""
    table, script = sit_down("idiot", ["1", "undo", "undo", "log", "quit"])
    before = table.state.vector[:]
    table.play()
    assert table.state.vector == before
    assert "  there is nothing to undo" in script.shown
    assert "  (taken back)" in script.shown


def test_what_was_revealed_stays_done() -> None:
    """A card that others have played cannot be unseen."""
    table, script = sit_down("hearts", ["1", "undo", "quit"])
    table.play()
    assert "  something was revealed since then: no undo" in script.shown


def test_what_all_chose_unseen_stays_done() -> None:
    """Nobody thinks again once they know what the others chose."""
    table, script = sit_down("goofspiel", ["1", "undo", "quit"])
    table.play()
    assert "  there is nothing to undo" in script.shown


def test_a_pause_holds_the_others_up() -> None:
    """Bots that had aimed act as much later as it took."""
    typed = [(0.4, "pause"), (60.0, ""), (60.05, "look"), (60.2, "quit")]
    table, script = sit_down("spit", ["", *typed])
    table.play()
    answers = [line for line in script.shown if line.startswith("Player 2: ")]
    looked = script.shown.index("  Paused: Enter goes on.")
    assert not any(line in answers for line in script.shown[:looked])
    assert len(answers) == 1
    assert "  time of the race 0:00" in script.shown


def test_the_rules_are_a_word_away() -> None:
    """As they are in force."""
    assert "Who wins" in play("golf", "rules")


def test_another_game_is_asked_for_at_the_end() -> None:
    """Only of people who are still there."""
    table, script = sit_down("golf", ["y"])
    while not table.state.over:
        seat = table.state.to_act[0]
        table.state.apply(seat, table.choose(seat))
    table.play()
    assert table.wants_another()
    assert not table.wants_another()
    assert script.shown[-1] == "Another game, with the next deal? y, or Enter to leave."


def test_the_table_speaks_in_line_mode() -> None:
    """Zones, labels and reasons."""
    game = load("spit")
    script = Script([(0.0, line) for line in ("", "play 5H centre.1", "quit")])
    bots = seat_bots(["random"] * 2)
    table = PlainTable(
        game.new(3), [1], bots, FAST, script, speech=choose_speech(game, "no")
    )
    table.play()
    assert script.shown[0] == "Spit, 2 spillere. Du er spiller 1."
    assert find(script.shown, "  play 5H centre.1 er avvist: 5H ")
    assert find(script.shown, "spill J")
