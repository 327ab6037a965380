"""What the table says, in every language there is, and from which side."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from playing import play_turns

from cardrun.interpreter import UnreadableFile, load
from cardrun.interpreter.sheets.translation import (
    FOLDER,
    TABLE,
    list_languages,
    list_placeholders,
    load_table_words,
)
from cardrun.interpreter.simulation.match import render_result
from cardrun.interpreter.tables.arguments import choose_speech
from cardrun.interpreter.tables.notice import ANY_HAND, HELP, ONE_HAND
from cardrun.interpreter.tables.plain import HELP as LINE_HELP
from cardrun.interpreter.tables.plain import OPEN_HELP, RACE_HELP
from cardrun.interpreter.tables.replayed import HELP as REPLAY_HELP

INTERPRETER = Path(__file__).parent.parent / "interpreter"
LANGUAGES = [code for code in list_languages(FOLDER, TABLE) if code != "en"]
SPEAKING = [
    *sorted((INTERPRETER / "tables").glob("*.py")),
    INTERPRETER / "simulation" / "match.py",
    INTERPRETER / "engine" / "state.py",
    INTERPRETER.parent / "cli.py",
]


def find_texts(path: Path) -> Iterator[str]:
    """Yield the texts that a module says: what ``say`` and ``words`` are given."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and node.args:
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else ""
            name = called.id if isinstance(called, ast.Name) else name
            if name in ("say", "words"):
                yield from (
                    part.value
                    for part in ast.walk(node.args[0])
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                )


TEXTS = {text for path in SPEAKING for text in find_texts(path)}
TEXTS |= {
    text
    for text in (*HELP, *ONE_HAND, *ANY_HAND, *LINE_HELP, *RACE_HELP, *OPEN_HELP)
    if text
}
TEXTS |= {REPLAY_HELP}


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_the_table_says_is_there(language: str) -> None:
    """With the placeholders of the English text, and nothing that nobody says."""
    words = load_table_words(Path("spit.yaml"), language)
    assert [text for text in sorted(TEXTS) if not words.has(text)] == []
    for text in TEXTS:
        told = words.translate(text)
        assert list_placeholders(told) == list_placeholders(text)


def test_four_languages_are_spoken() -> None:
    """Two of them are read from the right."""
    assert LANGUAGES == ["ar", "kmr", "no", "ps"]
    game = load("idiot")
    sides = {code: choose_speech(game, code).is_right_to_left for code in LANGUAGES}
    assert sides == {"ar": True, "kmr": False, "no": False, "ps": True}


def test_a_game_without_texts_is_played_at_a_table_that_speaks() -> None:
    """The rules stay English where nobody has translated them."""
    speech = choose_speech(load("hearts"), "no")
    assert speech.say("your turn") == "din tur"
    assert speech.rule("hearts are not broken yet") == "hearts are not broken yet"


def test_an_unknown_language_is_answered_with_the_known_ones() -> None:
    """Before the game begins."""
    with pytest.raises(
        UnreadableFile, match="no table speaks 'xx': Languages here: ar, en"
    ):
        choose_speech(load("hearts"), "xx")


def test_labels_and_reasons_are_said_in_the_language() -> None:
    """In the words of the rule sheet, filled in with the cards at hand."""
    state = load("spit").new(3)
    speech = choose_speech(state.game, "no")
    for text in ("1 ready", "2 ready"):
        state.apply_text(text)
    move = state.parse(1, "play 5H centre.1")
    refusal = state.refusal(1, move, speech.rule)
    assert refusal is not None
    assert "5H" in refusal.because
    assert refusal.because != "5H is not one above or one below 9D"
    assert state.label(1, move) == "play 5H on centre.1"
    assert state.label(1, move, speech.rule) == "spill 5H på centre.1"


def test_zones_are_called_as_on_the_rule_sheet() -> None:
    """Their lines there begin with the name."""
    assert choose_speech(load("spit"), "ar").name("stock") == "الأكوام الخاصة"
    assert choose_speech(load("idiot"), "ar").name("stock") == "كومة السحب"
    for game in ("back_alley", "idiot", "speed", "spit"):
        loaded = load(game)
        speech = choose_speech(loaded, "no")
        strange = [zone for zone in loaded.layout.zones if speech.name(zone) == zone]
        assert strange == []


def test_a_result_is_said_in_the_language() -> None:
    """Who wins, and what everybody has."""
    *_, (state, _, _) = play_turns(load("golf", players=2), 3)
    speech = choose_speech(state.game, "no")
    assert "poeng" in render_result(state, speech.rule)
    assert "score" in render_result(state)
