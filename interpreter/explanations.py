"""For each problem's code, what ``cardrun explain CODE`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .errors import CardrunError, suggest


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code's documentation: its four parts, in sentences."""

    finds: str
    matters: str
    example: str
    instead: str


# One entry a code, by the module that raises it.
CODES: Final[Mapping[str, Explanation]] = {
    # reader.py
    "alias-bomb": Explanation(
        finds="Aliases (*name) that unfold to more parts than a ruleset may have.",
        matters="A few lines of nested aliases can stand for billions of parts.",
        example="a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]    # and so on",
        instead="Write the parts out, or give them a name under define.",
    ),
    "control-character": Explanation(
        finds="A character that cannot be seen, such as a null or an escape.",
        matters="Nobody who reads the file can tell that it is there.",
        example="name: Hea\\x00rts    # with the character itself",
        instead="Delete the character; most editors can show it.",
    ),
    "duplicate-anchor": Explanation(
        finds="One anchor (&name) set on two values.",
        matters="An alias would mean one or the other, by where it stands.",
        example="low: &few 1..3\nhigh: &few 4..6",
        instead="Give the second anchor another name.",
    ),
    "duplicate-key": Explanation(
        finds="A key written twice in one mapping.",
        matters="One of the two values would be lost in silence.",
        example="hand: {face: up, face: down}",
        instead="Keep one of the two, or rename one.",
    ),
    "empty-file": Explanation(
        finds="A file with nothing in it but blanks and comments.",
        matters="There is no game to load.",
        example="# Hearts",
        instead="Begin with the line 'cardrun: 1', or with 'cardrun new NAME'.",
    ),
    "explicit-tag": Explanation(
        finds="A YAML tag such as !!int or !mine before a value.",
        matters="Rulesets have no use for tags: what a value is follows from its key.",
        example="players: !!int 4",
        instead="players: 4",
    ),
    "file-too-large": Explanation(
        finds="A file of more than one million bytes.",
        matters="No ruleset is that long, and a checker must end soon.",
        example="# a file of 5 MB",
        instead="Split the game, or check that this is the right file.",
    ),
    "key-not-text": Explanation(
        finds="A key that is missing, a list, a mapping or an alias.",
        matters="Keys are names, and a name is a piece of text.",
        example="? [hand, table]\n: up",
        instead="Write one key for each name.",
    ),
    "merge-key": Explanation(
        finds="The key <<, which merges mappings in some YAML programs.",
        matters="What a rule says should stand where the rule is.",
        example="play: {<<: *base, size: 1}",
        instead="Write the keys out, or let a house rule replace the named part.",
    ),
    "not-utf-8": Explanation(
        finds="Bytes that are not text in the encoding UTF-8.",
        matters="The same bytes are other letters in other encodings.",
        example="name: Caf\\xe9    # saved as Latin-1",
        instead="Save the file as UTF-8.",
    ),
    "second-document": Explanation(
        finds="A second YAML document, begun by a line of three dashes.",
        matters="A file holds one ruleset; the rest would be ignored.",
        example="name: Hearts\n---\nname: Spades",
        instead="Put the second document into its own file.",
    ),
    "self-reference": Explanation(
        finds="An alias inside the very value it stands for.",
        matters="Such a value would never end.",
        example="steps: &steps [deal, *steps]",
        instead="Use a loop to repeat steps.",
    ),
    "split-expression": Explanation(
        finds="An expression that a comma inside { } or [ ] has cut in two.",
        matters="YAML ends a value at the comma, whatever brackets are open.",
        example="row: {if: any(hand, suit == led), cards: hand}",
        instead='row: {if: "any(hand, suit == led)", cards: hand}',
    ),
    "tab-indentation": Explanation(
        finds="A tab at the start of a line.",
        matters="Structure is shown by spaces; a tab is as wide as an editor says.",
        example="deck:\n\tkind: french",
        instead="deck:\n  kind: french",
    ),
    "too-deep": Explanation(
        finds="Lists and mappings nested more than 40 levels deep.",
        matters="Nobody can follow it, and reading it could exhaust memory.",
        example="[[[[[[[[[[…]]]]]]]]]]",
        instead="Name the inner parts under steps or define.",
    ),
    "too-many-nodes": Explanation(
        finds="A file with more keys and values than a ruleset may have.",
        matters="A checker must end soon, whatever the file.",
        example="# 200,000 one-letter items",
        instead="Split the game, or check that this is the right file.",
    ),
    "unknown-alias": Explanation(
        finds="An alias (*name) without an anchor (&name) before it.",
        matters="It stands for nothing. Often the star was meant as text.",
        example="label: *hand",
        instead='label: "*hand"    # or an earlier &hand',
    ),
    "yaml-syntax": Explanation(
        finds="Text that is not YAML.",
        matters="What comes after it cannot be read.",
        example="because: you must follow: hearts",
        instead='because: "you must follow: hearts"',
    ),
    # shape.py, spelling.py
    "bad-name": Explanation(
        finds="A name that is not lower-case words joined by _, or a word of the "
        "language, or longer than 40 letters, or with letters that look like a to z "
        "but are others.",
        matters="Names stand in expressions, where spaces and capitals mean other "
        "things, and two that look alike must be alike.",
        example="zones:\n  Draw Pile: {face: down}",
        instead="zones:\n  draw_pile: {face: down}",
    ),
    "missing-key": Explanation(
        finds="A part of a ruleset without a key that it cannot do without.",
        matters="What is not said would have to be guessed.",
        example="hearts_led: {if: trick.empty}",
        instead="hearts_led: {if: trick.empty, cards: hand}",
    ),
    "not-yet-composed": Explanation(
        finds="A variant that changes more than options: replace, add, remove, "
        "conflicts_with, or a section of its own.",
        matters="This version composes options only; the change would be lost.",
        example="extends: spit.yaml\nname: Spit, my way\nreplace: {…}",
        instead="Give the base an option for it, or write the ruleset out.",
    ),
    "unknown-key": Explanation(
        finds="A key that has no meaning where it stands.",
        matters="It would be ignored, and the rule that it holds with it.",
        example="play: {lable: 'play {card}', do: [move card to pile]}",
        instead="play: {label: 'play {card}', do: [move card to pile]}",
    ),
    "unknown-version": Explanation(
        finds="A version of the language that this cardrun does not know.",
        matters="The same words may mean something else there.",
        example="cardrun: 2",
        instead="cardrun: 1    # or install a newer cardrun",
    ),
    "wrong-shape": Explanation(
        finds="A text, list or mapping where something else belongs.",
        matters="It cannot be understood as what its key says it is.",
        example="do: move card to pile",
        instead="do: [move card to pile]",
    ),
    # compose.py
    "base-circle": Explanation(
        finds="Files that extend one another in a circle.",
        matters="None of them is a whole ruleset.",
        example="# a.yaml\nextends: b.yaml\n# b.yaml\nextends: a.yaml",
        instead="Let one of them be a ruleset without 'extends'.",
    ),
    "base-outside": Explanation(
        finds="A base outside the folder of the file that extends it.",
        matters="A ruleset from a stranger must not look around in other folders.",
        example="extends: ../../private/notes.yaml",
        instead="Put the base beside the file, or extend a shipped ruleset.",
    ),
    "extra-players": Explanation(
        finds="A variant for more or fewer players than its base.",
        matters="The rules of the base do not say how so many play.",
        example="extends: hearts.yaml    # 3..7 players\nname: Hearts\nplayers: 2",
        instead="players: 3..4",
    ),
    "missing-base": Explanation(
        finds="A base that does not exist.",
        matters="A variant is nothing without the ruleset that it changes.",
        example="extends: spitt.yaml",
        instead="extends: spit.yaml",
    ),
    "too-many-bases": Explanation(
        finds="More than eight files that extend one another.",
        matters="Nobody can tell any more where a value comes from.",
        example="# i.yaml extends h.yaml extends g.yaml …",
        instead="Let the variants extend the base itself.",
    ),
    "unknown-option": Explanation(
        finds="A value for an option that the base does not declare.",
        matters="It would change nothing, and nobody would notice.",
        example="options: {stok_piles: 4}",
        instead="options: {stock_piles: 4}",
    ),
    "unreadable-base": Explanation(
        finds="A base that is there but cannot be read, such as a folder.",
        matters="A variant is nothing without the ruleset that it changes.",
        example="extends: house",
        instead="extends: house/spit.yaml",
    ),
    # trial.py, of scenario files
    "missing-ruleset": Explanation(
        finds="A scenario file whose ruleset does not exist, or cannot be read.",
        matters="Without its ruleset a scenario means nothing.",
        example="ruleset: idot.yaml    # as seen from the scenario file's folder",
        instead="ruleset: ../../rulesets/idiot.yaml",
    ),
    # position.py, of scenario files
    "ambiguous-decision": Explanation(
        finds="A decision under 'at' whose name is the end of several.",
        matters="The game could wait at any of them.",
        example="at: play    # bidding.play and tricks.play",
        instead="at: tricks.play",
    ),
    "card-twice": Explanation(
        finds="A card placed more often than the deck has it.",
        matters="Such a position cannot come about.",
        example="given: {1.hand: [8C], 2.hand: [8C]}",
        instead="given: {1.hand: [8C], 2.hand: [9C]}",
    ),
    "unknown-card": Explanation(
        finds="A card that the deck does not have, with these players and options.",
        matters="Nobody could hold it.",
        example="given: {1.hand: [1C]}",
        instead="given: {1.hand: [AC]}",
    ),
    "unknown-decision": Explanation(
        finds="A decision under 'at' that the ruleset does not have.",
        matters="The game would never wait there.",
        example="at: plya",
        instead="at: play",
    ),
    "unknown-place": Explanation(
        finds="A name that is neither a pile nor a variable of the ruleset.",
        matters="Cards and values must have a place in the game.",
        example="given: {hand: [8C]}    # whose?",
        instead="given: {1.hand: [8C]}",
    ),
    "unknown-seat": Explanation(
        finds="A seat that nobody sits in.",
        matters="Seats are counted from 1 to the number of players.",
        example="players: 2\ngiven: {turn: 3}",
        instead="players: 2\ngiven: {turn: 2}",
    ),
}


def explain(code: str) -> str:
    """Return the page of a code.

    Raises:
        CardrunError: No problem has such a code.
    """
    if code not in CODES:
        raise CardrunError(f"no code '{code}': {suggest(code, CODES, 'codes')}")
    page = CODES[code]
    parts = {
        "What it finds": page.finds,
        "Why it matters": page.matters,
        "Example": page.example,
        "Instead": page.instead,
    }
    sections = [f"{title}\n{_indent(text)}" for title, text in parts.items()]
    return "\n\n".join([code, *sections])


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
