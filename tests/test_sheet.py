"""Rule sheets say what runs: every row and reason, options, house rules, languages."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from cardrun.interpreter import load
from cardrun.interpreter.language.wording import Teller
from cardrun.interpreter.loader import shipped
from cardrun.interpreter.sheets.sheet import OPTION, Sheet, write_sheet
from cardrun.interpreter.sheets.translation import (
    FOLDER,
    Translation,
    check_translation,
    is_translation,
    list_languages,
    list_placeholders,
    load_translation,
)
from cardrun.interpreter.tables.sheets import HOUSE, as_json, render_html, render_text
from cardrun.interpreter.text.parser import Phrase, parse_expression
from cardrun.interpreter.text.source import Source
from cardrun.interpreter.text.tree import Mapping, Node, Scalar

RULESETS = shipped()
ENGLISH = Translation()
FOUR_GAMES = ("spit", "speed", "back_alley", "idiot")
TRANSLATED = [
    (path, language)
    for path in RULESETS
    for language in list_languages(path.parent / "text", path.stem)[1:]
]


BOTH = (
    "you are out and (“melded” is noted and it is out, or “melded” is not noted and "
    "you fit)"
)
FITTING = "you fit or the top card of the pile does not fit"


def find_reasons(node: Node | None) -> list[str]:
    """Return every ``because`` of a part of a ruleset."""
    if not isinstance(node, Mapping):
        return []
    found = [text for _, value in node.entries for text in find_reasons(value)]
    because = node.get("because")
    return [*found, because.text] if isinstance(because, Scalar) else found


def lines_of(sheet: Sheet) -> list[str]:
    """Return all lines of a sheet, filled in."""
    return [line.fill() for section in sheet.sections for line in section.lines]


@pytest.mark.parametrize("path", RULESETS, ids=lambda path: path.stem)
def test_every_game_has_a_sheet(path: Path) -> None:
    """With the reason of each row and guard, and no brace left to fill in."""
    game = load(path)
    sheet = write_sheet(game)
    assert {"Players", "Cards", "How it is played", "Who wins"} <= {
        section.heading for section in sheet.sections
    }
    assert not [line for line in lines_of(sheet) if "{" in line]


def test_the_reasons_of_rows_and_guards_are_on_the_sheet() -> None:
    """What is read when a move is refused can be looked up before."""
    text = render_text(write_sheet(load("idiot")), Translation())
    assert (
        "(else: the first of those cards is lower than the top card of the pile)"
        in text
    )
    assert "Only if you cannot play cards or turn up a hidden card" in text


def test_a_part_that_is_not_always_picked_says_when() -> None:
    """A suit is named with an eight alone."""
    text = render_text(write_sheet(load("crazy_eights")), Translation())
    assert "That suit is chosen only if the rank of that card is 8" in text


def test_letters_that_nobody_can_guess_are_explained() -> None:
    """Those of Italian cards; an S on a French card needs no word."""
    told = [line for line in lines_of(write_sheet(load("scarto"))) if "Letters" in line]
    assert told == [
        "Letters on the cards: O coins, U cups, W swords, B batons; "
        "J jack, C knight, Q queen, K king."
    ]
    (briscola,) = [
        line for line in lines_of(write_sheet(load("briscola"))) if "Letters" in line
    ]
    assert briscola.endswith("; J jack, C knight, K king.")
    for name in ("hearts", "leduc_poker"):
        assert "Letters" not in render_text(write_sheet(load(name)), Translation())


def test_an_option_that_is_off_is_not_on_the_sheet() -> None:
    """And one that is on is marked as a house rule."""
    usual = lines_of(write_sheet(load("spit")))
    assert not [line for line in usual if "colour" in line]
    changed = write_sheet(load("spit", options={"alternate_colours": True}))
    marked = [
        line.fill() for part in changed.sections for line in part.lines if line.is_house
    ]
    assert marked == [
        "a card played must differ in colour from the card it covers: yes"
    ]
    assert [line for line in lines_of(changed) if "has the colour of" in line]


def test_a_house_rule_refers_to_the_rule_that_it_changes() -> None:
    """Both are on the sheet: the basic one, and what the house rule makes of it."""
    text = render_text(write_sheet(load("idiot", house_rules=["seven-low"])), ENGLISH)
    told = " ".join(text.split())
    assert "c fits by the basic rule if c is special or the pile is empty" in told
    assert "else if c fits by the basic rule. [House rule]" in told


def test_a_house_rule_that_builds_on_another_leaves_the_game_unmarked() -> None:
    """Both are marked; the lines of the game are its own, and have its translation."""
    game = load("spit", house_rules=["merge-before-play"])
    assert Path(game.base_path).stem == "spit"
    text = render_text(write_sheet(game), ENGLISH)
    assert "Hand out (see below).\n" in text
    assert "Lay a card on a pile   [House rule]" in text
    assert "Done merging   [House rule]" in text


def test_a_variant_is_marked_where_it_differs(tmp_path: Path) -> None:
    """The lines that it wrote, and no others."""
    file = tmp_path / "mine.yaml"
    file.write_text(
        "extends: idiot.yaml\nname: Idiot, ours\nreplace:\n"
        "  moves.play.when.high_enough.because:\n    now: too low, dear\n",
        encoding="utf-8",
    )
    sheet = write_sheet(load(file))
    marked = [
        line.fill() for part in sheet.sections for line in part.lines if line.is_house
    ]
    assert marked == ["(else: too low, dear)"]


@pytest.mark.parametrize(
    ("expression", "english"),
    [
        ("not pile.empty", "the pile is not empty"),
        ("any(hand, suit == led)", "there is a card of your hand whose suit is led"),
        ("any(players, out(it))", "some player is out"),
        ("me.hand.size < 3", "the number of cards in your hand is less than 3"),
        ("c.rank in (2, 10)", "the rank of c is 2 or 10"),
        ("trump != none", "there is a trump"),
        ("left(me, 2)", "the player 2 places to the left of you"),
        ("after(me)", "the player after you"),
        ("before(me, 2)", "the player 2 places before you"),
        ("not out(me)", "you are not out"),
        ("fits(me) or not fits(pile.top)", FITTING),
        ("hand where it.is_joker", "the cards of your hand that are jokers"),
        ("players where not out(it)", "the players who are not out"),
        ("all(players, not it.hand.empty)", "no player's hand is empty"),
        ("not (hand.size < 3)", "the number of cards in your hand is at least 3"),
        ("players.size", "the number of players"),
        ("(players where out(it)).size", "the number of players who are out"),
        ("players.first", "player 1"),
        ("trump_points * (2 - stake)", "trump points times (2 minus stake)"),
        ("2 * stake + 3 - 1", "2 times stake plus 3 minus 1"),
        ("stake - (2 - stake)", "stake minus (2 minus stake)"),
        (
            "stake mod (2 * stake)",
            "the remainder of stake divided by (2 times stake)",
        ),
        ("2 + (if stake == 1 then 3 else 4)", "2 plus (3 if stake is 1, else 4)"),
        ("passes == 4", "passes are 4"),
        ("sum(hand, points)", "the total points of your hand"),
        (
            "left(me, hand.size)",
            "the player so many places to the left of you as the number of cards in "
            "your hand",
        ),
        ("melded", "“melded” is noted"),
        ("not me.melded", "“melded” is not noted for you"),
        ("players where not it.melded", "the players for whom “melded” is not noted"),
        ("me.hand.size mod 2 == 0", "the number of cards in your hand is even"),
        (
            "me.hand.size mod 3 > 0",
            "the number of cards in your hand is not a multiple of 3",
        ),
        ("only_best(players, -score)", "the players that share the lowest score"),
        (
            "best(players, if out(it) then 0 else 1)",
            "the first of the players who are not out",
        ),
        (
            "best(pile, it.score)",
            "the card of the pile with the highest score",
        ),
        ("any(c in hand, fits(c))", "some card of your hand fits"),
        (
            "all(s in suits, any(hand, suit == s))",
            "for every s of the suits, there is a card of your hand whose suit is s",
        ),
        ("not same(hand, rank)", "the cards of your hand are not all of one rank"),
        ("fits(me, none)", "you fit"),
        ("out(me) and (if melded then out(it) else fits(me))", BOTH),
        (
            "hand where suit == led",
            "the cards of your hand whose suit is led",
        ),
    ],
)
def test_expressions_read_as_english(expression: str, english: str) -> None:
    """As somebody would say them at a table."""
    kinds = {"pile": "zone", "hand": "zone", "trump": "variable", "out": "definition"}
    tests, flags = frozenset({"out", "fits"}), frozenset({"melded"})
    teller = Teller(kinds, frozenset({"hand"}), tests, flags)
    source = Source("test", expression)
    phrase = parse_expression(Scalar(expression, source.span(0, len(expression))))
    assert isinstance(phrase, Phrase)
    assert teller.tell(phrase) == english


def test_what_options_decide_is_not_on_the_sheet() -> None:
    """Nobody reads of a choice that was made, a sum that comes out or a vain step."""
    told = lines_of(write_sheet(load("speed")))
    assert "Deal 15 cards to each player's stock." in told
    assert "a fits b if a is next to b." in told
    assert "If match over:" not in told
    told = lines_of(write_sheet(load("speed", options={"target": 50, "doubles": True})))
    assert "a fits b if a is next to b or a is b." in told
    assert "If match over:" in told


def test_what_options_forbid_is_not_on_the_sheet() -> None:
    """Nobody doubles, or asks for a single card, at a table that does not."""
    told = lines_of(write_sheet(load("blackjack")))
    assert "Double the bet" not in told
    assert "Choose: hit or stand." in told
    both = ["blackjack-double-and-split"]
    told = lines_of(write_sheet(load("blackjack", house_rules=both)))
    assert "Double the bet" in told
    told = lines_of(write_sheet(load("go_fish")))
    assert "Ask a player for a rank" in told
    told = lines_of(write_sheet(load("go_fish", options={"exact_card": True})))
    assert "Ask a player for a rank a suit" in told


def test_a_move_says_what_its_parts_are_picked_from() -> None:
    """Whoever reads "a card" reads from where, and how many."""
    told = lines_of(write_sheet(load("idiot")))
    assert (
        "Those cards are from the playable cards, 1 to 4 of them, all of the same "
        "rank" in told
    )
    assert "That card is chosen unseen from your hidden cards" in told


def test_a_page_reads_from_the_right_where_the_language_does() -> None:
    """What is not translated is marked as English, and read from the left."""
    sheet = write_sheet(load("idiot"))
    arabic = Translation("ar", True, {"Idiot": "الأحمق", "Players": "اللاعبون"})
    page = render_html(sheet, arabic)
    assert '<html lang="ar" dir="rtl">' in page
    assert "<h1>الأحمق</h1>" in page
    assert 'lang="en" dir="ltr">Shuffle the stock.' in page
    assert json.dumps(as_json(sheet, arabic))


@pytest.mark.parametrize("name", FOUR_GAMES)
def test_four_games_are_told_in_five_languages(name: str) -> None:
    """And a language that is written from the right says so."""
    (path,) = [path for path in RULESETS if path.stem == name]
    folder = path.parent / "text"
    assert list_languages(folder, name) == ["en", "ar", "kmr", "no", "ps"]
    from_the_right = {
        code for code in ("ar", "kmr", "no", "ps") if is_right_to_left(path, code)
    }
    assert from_the_right == {"ar", "ps"}


def is_right_to_left(path: Path, code: str) -> bool:
    """Tell how a page of a game reads in a language."""
    page = render_html(write_sheet(load(path)), load_translation(path, code))
    return 'dir="rtl">' in page.splitlines()[1]


def test_the_texts_are_no_games() -> None:
    """Files of texts lie beside the games and are not listed with them."""
    assert not [path for path in RULESETS if path.parent.name == "text"]


def test_a_house_rule_is_told_in_english_among_translated_lines() -> None:
    """What nobody translated stays whole in English; the option says its value."""
    game = load("idiot", options={"voluntary_pickup": True}, house_rules=["seven-low"])
    words = load_translation(Path(game.base_path), "no")
    text = " ".join(render_text(write_sheet(game), words).split())
    assert "bunken kan tas av en spiller som kunne spille: ja [Husregel]" in text
    assert "Seven or lower: On a seven goes a seven or lower" in text
    assert "Bunken" not in render_text(write_sheet(game), Translation())


@cache
def list_texts(path: Path) -> tuple[str, ...]:
    """Return all texts of a game's sheets, with each value of each option."""
    game = load(path)
    chosen = [
        {option.name: value}
        for option in game.option_table
        for value in option.values()
        if value != option.default
    ]
    sheets = [
        write_sheet(load(path, players=players)) for players in game.player_counts
    ]
    sheets += [write_sheet(load(path, options=options)) for options in chosen]
    texts: dict[str, None] = {}
    for sheet in sheets:
        for section in sheet.sections:
            texts[section.heading] = None
            for line in section.lines:
                texts.update(dict.fromkeys(line.texts))
    return tuple(texts)


@pytest.mark.parametrize(
    ("path", "language"), TRANSLATED, ids=[f"{p.stem}-{code}" for p, code in TRANSLATED]
)
def test_translations_are_complete(path: Path, language: str) -> None:
    """Every line of the sheet is there, with the same placeholders."""
    game = load(path)
    words = load_translation(path, language)
    texts = [game.name, game.about, HOUSE, OPTION, "House rules in force"]
    texts += list_texts(path)
    # What is told of options, and reasons that are read when a move is refused.
    for option in game.option_table:
        names = [name for name in option.choices or () if isinstance(name, str)]
        texts += [option.about, *(name.replace("_", " ") for name in names)]
    for part in ("moves", "rows"):
        texts += find_reasons(game.composed.root.get(part))
    assert [text for text in texts if not words.has(text)] == []
    assert [
        text
        for text, told in words.texts.items()
        if list_placeholders(text) != list_placeholders(told)
    ] == []


def test_a_file_of_texts_is_checked(tmp_path: Path) -> None:
    """Keys, the language in its name, placeholders, and that texts are texts."""
    folder = tmp_path / "text"
    folder.mkdir()
    file = folder / "snap.no.yaml"
    file.write_text(
        "language: nn\n"
        "directoin: rtl\n"
        "texts:\n"
        '  "Play {card}": "Spill {kort}"\n'
        '  "Draw a card": [Trekk, et, kort]\n'
        '  "Pass": "Pass"\n',
        encoding="utf-8",
    )
    assert is_translation(str(file))
    found = [
        (problem.span.line, problem.code) for problem in check_translation(str(file))
    ]
    assert found == [
        (1, "wrong-shape"),
        (2, "unknown-key"),
        (4, "unknown-name"),
        (4, "never-used"),
        (5, "wrong-shape"),
    ]
    file.write_text("[a, list]\n", encoding="utf-8")
    assert [problem.code for problem in check_translation(str(file))] == ["wrong-shape"]
    assert not is_translation(str(tmp_path / "snap.yaml"))


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem
)
def test_shipped_files_of_texts_are_sound(path: Path) -> None:
    """Nobody who plays in another language meets a gap that a check finds."""
    assert check_translation(str(path)) == []


def test_numbers_are_filled_in_where_a_language_has_the_words() -> None:
    """What is said of three cards is said of six; but not where words would lie."""
    words = Translation(
        "no",
        texts={
            "Deal 3 cards to 3 players.": "Del ut 3 kort til 3 spillere.",
            "Take 10 cards from 52.": "Ta ti kort av 52.",
        },
    )
    assert words.translate("Deal 6 cards to 6 players.") == (
        "Del ut 6 kort til 6 spillere."
    )
    assert not words.has("Deal 6 cards to 3 players.")
    assert not words.has("Take 9 cards from 52.")
    assert words.translate("Take 10 cards from 40.") == "Ta ti kort av 40."


def test_every_value_of_an_option_is_on_a_translated_sheet() -> None:
    """Six cards each, and trumps that partners may lead after a board."""
    words = load_translation(Path(load("idiot").base_path), "no")
    text = render_text(write_sheet(load("idiot", options={"cards_each": 6})), words)
    assert "Del ut 6 skjulte kort til hver spiller." in text
    assert "cards" not in text
    game = load("back_alley", options={"board_lead_team": True})
    arabic = load_translation(Path(game.base_path), "ar")
    assert "English" not in render_html(write_sheet(game), arabic)
    assert 'lang="en"' not in render_html(write_sheet(game), arabic)


def test_a_house_rule_stays_in_english_on_a_page_from_the_right() -> None:
    """Its name and each of its sentences, and nothing that is translated."""
    game = load("idiot", house_rules=["seven-low"])
    words = load_translation(Path(game.base_path), "ar")
    page = render_html(write_sheet(game), words).splitlines()
    english = [line for line in page if 'lang="en" dir="ltr"' in line]
    assert '<html lang="ar" dir="rtl">' in page
    assert len(english) == 4
    assert "Idiot, seven or lower</h1>" in english[0]
    assert "Seven or lower: On a seven" in english[1]
    assert "A card c fits by the basic rule if" in english[2]
    assert "a card c fits if the rank of c is 2" in english[3]
    assert sum('class="house"' in line for line in page) == 2


def test_units_and_second_ranks_are_on_the_sheet() -> None:
    """Whoever reads that a hand counts 61 learns what that is."""
    sheet = write_sheet(load("schwimmen", house_rules=["schwimmen-ties-by-rank"]))
    told = lines_of(sheet)[-3:]
    assert told == [
        "The highest score wins.",
        "Of equals the highest tie break wins.",
        "Points are counted in halves: 3 of them are 1.5.",
    ]
