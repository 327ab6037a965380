"""For each problem's code, what ``cardrun explain CODE`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..text.errors import CardrunError, suggest


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
    "already-there": Explanation(
        finds="Something added under a name that the base has.",
        matters="The base's part would be lost in silence.",
        example="add: {define.fits(c): …}    # the base has 'fits'",
        instead="replace: {define.fits(c): …}    # or another name",
    ),
    "base-changed": Explanation(
        finds="A replacement whose base is no longer what it was written against.",
        matters="What it says may not fit the new rule.",
        example="replace: {define.fits(c): {now: …, was: 1a2b3c4d}}",
        instead="Compare the two rules; then give 'was' the mark that the hint names.",
    ),
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
    "changes-nothing": Explanation(
        finds="A variant that changes nothing of what it extends.",
        matters="It is the same game under another name: perhaps a key is missing.",
        example="extends: idiot.yaml\nname: Our idiot",
        instead="extends: idiot.yaml\nname: Ours\noptions: {voluntary_pickup: yes}",
    ),
    "conflicting-rules": Explanation(
        finds="Two house rules of which one names the other under 'conflicts_with'.",
        matters="Their author says that together they make no sense.",
        example="conflicts_with: [seven-low.yaml]",
        instead="Leave one of them out.",
    ),
    "extra-players": Explanation(
        finds="A variant for more or fewer players than its base.",
        matters="The rules of the base do not say how so many play.",
        example="extends: hearts.yaml    # 3..7 players\nname: Hearts\nplayers: 2",
        instead="players: 3..4",
    ),
    "house-rules-clash": Explanation(
        finds="Two house rules that change one part, the later without 'base'.",
        matters="One of the two would be lost in silence.",
        example="--with a.yaml --with b.yaml    # both replace define.fits(c)",
        instead="Leave one out, or let the later one call 'base': the earlier one.",
    ),
    "libraries-clash": Explanation(
        finds="One name in two of the libraries that a ruleset uses.",
        matters="Which of the two would count is nowhere said.",
        example="use: [standard_trick, other_tricks]    # both have rows 'follow'",
        instead="Use one of them, or declare the name in the ruleset itself.",
    ),
    "missing-base": Explanation(
        finds="A base that does not exist.",
        matters="A variant is nothing without the ruleset that it changes.",
        example="extends: spitt.yaml",
        instead="extends: spit.yaml",
    ),
    "missing-library": Explanation(
        finds="A library that is not there, or a file that is none.",
        matters="What the ruleset takes from it cannot be had.",
        example="use: standart_trick",
        instead="use: standard_trick",
    ),
    "name-too-near": Explanation(
        finds="A scoring line spelt nearly like one of a library in use.",
        matters="Both would count, where one was to take the place of the other.",
        example="scoring: {each_trik: …}    # the library has 'each_trick'",
        instead="scoring: {each_trick: …}",
    ),
    "not-a-house-rule": Explanation(
        finds="A whole game given as a house rule.",
        matters="Only a file that extends a game can be laid over it.",
        example="cardrun idiot --with spit.yaml",
        instead="cardrun idiot --with seven-low.yaml",
    ),
    "nothing-replaced": Explanation(
        finds="The word 'base' where nothing is replaced.",
        matters="It means the part that a replacement takes the place of.",
        example="add: {define.low(c): base(c)}",
        instead="replace: {define.fits(c): c.rank == 7 or base(c)}",
    ),
    "option-set-twice": Explanation(
        finds="Two house rules that give one option two values.",
        matters="Which of the two would count is nowhere said.",
        example="--with a.yaml --with b.yaml    # stock_piles: 4, stock_piles: 5",
        instead="Leave one of them out.",
    ),
    "other-game": Explanation(
        finds="A house rule laid over a game that it is not for.",
        matters="The parts that it changes are those of another game.",
        example="cardrun spit --with seven-low    # for Idiot",
        instead="cardrun idiot --with seven-low",
    ),
    "other-parameters": Explanation(
        finds="A definition in the place of another that has other parameters.",
        matters="Whatever uses the name gives it the parameters of the other.",
        example="define: {strength: 1}    # the library has strength(c)",
        instead="define: {strength(c): 1}",
    ),
    "place-needed": Explanation(
        finds="Something added to a table in which the order counts, without a place.",
        matters="The first row that holds decides, so the last may never count.",
        example="add: {rows.follow.joker: …}",
        instead="add: {rows.follow.joker: {now: …, before: follow_suit}}",
    ),
    "still-used": Explanation(
        finds="Something removed that the rest of the ruleset uses.",
        matters="What uses it would mean nothing.",
        example="remove: [define.fits]    # moves.play has a guard with it",
        instead="Replace what uses it too, or replace it instead.",
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
    "unknown-part": Explanation(
        finds="A name of a part that the base does not have.",
        matters="The change would be lost in silence.",
        example="replace: {define.fist(c): …}",
        instead="replace: {define.fits(c): …}",
    ),
    "unreadable-base": Explanation(
        finds="A base that is there but cannot be read, such as a folder.",
        matters="A variant is nothing without the ruleset that it changes.",
        example="extends: house",
        instead="extends: house/spit.yaml",
    ),
    # of what is asked for: loader.py, compose.py
    "not-a-game": Explanation(
        finds="A library where a game is wanted.",
        matters="A library has parts of games, but no deck, no players and no script.",
        example="cardrun play rulesets/lib/standard_trick.yaml",
        instead="use: standard_trick    # in a ruleset that is played",
    ),
    "several-bases": Explanation(
        finds="A house rule for several games, played by itself.",
        matters="Which game is meant is nowhere said.",
        example="cardrun no-deal.yaml    # extends: [hearts.yaml, whist.yaml]",
        instead="cardrun hearts --with no-deal.yaml",
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
    # parser.py
    "empty-expression": Explanation(
        finds="An expression with nothing in it.",
        matters="A rule without a test or a value says nothing.",
        example='if: ""',
        instead="if: hand.empty",
    ),
    "long-expression": Explanation(
        finds="An expression that is very long or deeply nested.",
        matters="Nobody can read it, and checking it would take too long.",
        example="if: ((((a and b) or c) and d) or …)",
        instead="define: {ready: a and b or c}\nif: ready and d or …",
    ),
    "unfinished-expression": Explanation(
        finds="An expression that stops in the middle.",
        matters="What would follow is part of the rule.",
        example="if: hand.size >",
        instead="if: hand.size > 3",
    ),
    "unreadable-expression": Explanation(
        finds="A word or sign that cannot stand where it does.",
        matters="The rest of the rule cannot be understood.",
        example="if: suit = hearts",
        instead="if: suit == hearts",
    ),
    # declarations.py
    "duplicate-rank": Explanation(
        finds="A rank that stands twice in one order.",
        matters="Two places would make it both higher and lower than others.",
        example="order: [2, 3, 2]",
        instead="order: [2, 3, 4]",
    ),
    "name-taken": Explanation(
        finds="A name that is declared a second time.",
        matters="A rule could mean either of the two.",
        example="zones: {hand: {}}\nstate: {hand: 0}",
        instead="zones: {hand: {}}\nstate: {in_hand: 0}",
    ),
    "no-owner": Explanation(
        finds="A zone that its owner sees, and that nobody owns.",
        matters="It is not known who may look.",
        example="hand: {seen_by: owner}",
        instead="hand: {per: player, seen_by: owner}",
    ),
    "not-a-number": Explanation(
        finds="A text where a number belongs.",
        matters="It cannot be counted with.",
        example="points: {hearts: one}",
        instead="points: {hearts: 1}",
    ),
    "one-deck": Explanation(
        finds="No zone, or more than one, that holds the deck.",
        matters="Each card must lie in one place when the game begins.",
        example="zones: {stock: {face: down}}",
        instead="zones: {stock: {face: down, holds: deck}}",
    ),
    "too-many-piles": Explanation(
        finds="More piles than a game may have.",
        matters="The state of a game must stay small.",
        example="table: {piles: 1000}",
        instead="table: {piles: 10}",
    ),
    "two-values": Explanation(
        finds="A card with one number by its rank and another by its suit.",
        matters="Its value would be one or the other by chance.",
        example="points: {hearts: 1, Q: 13}",
        instead="points: {hearts: 1, Q: 13, Q of hearts: 14}",
    ),
    "unknown-rank": Explanation(
        finds="A rank that the deck does not have.",
        matters="No card could have it.",
        example="order: [1, 2, 3]",
        instead="order: [A, 2, 3]",
    ),
    "unknown-type": Explanation(
        finds="A type that variables cannot have.",
        matters="It is not known which values it allows.",
        example="leader: {type: seat}",
        instead="leader: {type: player}",
    ),
    "wrong-deck": Explanation(
        finds="Too few or too many cards, or one name for two ranks or suits.",
        matters="Every card needs a place, and a name of its own.",
        example="deck: {kind: french, copies: 9}",
        instead="deck: {kind: french, copies: 2}",
    ),
    "wrong-option-value": Explanation(
        finds="A value that the option does not allow.",
        matters="The rules are not written for it.",
        example="cards_each: {default: 9, range: 1..5}",
        instead="cards_each: {default: 3, range: 1..5}",
    ),
    "wrong-partners": Explanation(
        finds="Partners that this number of players cannot form.",
        matters="Partners sit opposite, or in every second seat.",
        example="players: {count: 3, partners: opposite}",
        instead="players: {count: 4, partners: opposite}",
    ),
    "wrong-players": Explanation(
        finds="A count of players that the game cannot be played with.",
        matters="The rules are not written for it.",
        example="players: some",
        instead="players: 2..5",
    ),
    # expressions.py, library.py
    "ambiguous-item": Explanation(
        finds="'it' inside two ranges.",
        matters="It could be the item of either.",
        example="any(players, any(it.hand, it == QS))",
        instead="any(p in players, any(c in p.hand, c == QS))",
    ),
    "definition-circle": Explanation(
        finds="A definition that needs itself.",
        matters="Its value could never be found.",
        example="define: {a: b + 1, b: a}",
        instead="define: {a: b + 1, b: 2}",
    ),
    "divided-by-variable": Explanation(
        finds="A division by something that is not a fixed number above 0.",
        matters="It may be 0 during a game.",
        example="cards div tricks",
        instead="cards div 2",
    ),
    "may-be-empty": Explanation(
        finds="A card or pile taken from a group that may have none.",
        matters="The game would stop there.",
        example="if: pile.top.suit == led",
        instead="if: not pile.empty and pile.top.suit == led",
    ),
    "may-be-none": Explanation(
        finds="The use of a value that may be none.",
        matters="The game would stop there.",
        example="if: leader.score > 10",
        instead="if: leader != none and leader.score > 10",
    ),
    "never-equal": Explanation(
        finds="A comparison of two things of different kinds.",
        matters="It can never be true.",
        example="rank == hearts",
        instead="suit == hearts",
    ),
    "no-item": Explanation(
        finds="'it' where no range is visited.",
        matters="There is nothing that it could mean.",
        example="if: it.suit == hearts",
        instead="if: any(hand, it.suit == hearts)",
    ),
    "no-such-pile": Explanation(
        finds="A pile with a number that its zone does not have.",
        matters="There is no such place.",
        example="zones: {table: {piles: 4}}\nif: table(5).empty",
        instead="if: table(4).empty",
    ),
    "nobody-acts": Explanation(
        finds="'me', or a decision, where nobody is at turn.",
        matters="It is not known whose it is.",
        example="do: [move card to me.hand]    # outside turns",
        instead="- for: p in players\n  do: [move stock.top to p.hand]",
    ),
    "not-a-function": Explanation(
        finds="Parentheses behind a name that takes none.",
        matters="There is nothing to call.",
        example="hand(1)",
        instead="hand.first",
    ),
    "number-too-large": Explanation(
        finds="A number beyond what the engine counts to.",
        matters="It could not be kept exactly.",
        example="score + 99999999999999",
        instead="score + 100",
    ),
    "other-kind": Explanation(
        finds="A definition of another kind than the one it took the place of.",
        matters="Whatever uses the name counts on its kind: a test, or a number.",
        example="replace: {define.fits(c): 3}    # fits(c) is a test",
        instead="replace: {define.fits(c): c.rank == 3}",
    ),
    "random-in-expression": Explanation(
        finds="Chance inside an expression.",
        matters="Tests and values must not change when they are read again.",
        example="if: random(1..6) == 6",
        instead="- set die to random(1..6)\n- if: die == 6",
    ),
    "rank-not-in-order": Explanation(
        finds="A rank placed in an order that may lack it.",
        matters="It would be neither higher nor lower.",
        example="order: [2, 3]    # and the deck has aces",
        instead="order: [2, 3, A]",
    ),
    "ruleset-too-large": Explanation(
        finds="Definitions that unfold to far too much.",
        matters="Checking and playing would take too long.",
        example="a: b + b\nb: c + c\nc: d + d    # and so on",
        instead="Keep the value in a variable of the state.",
    ),
    "several-cards": Explanation(
        finds="A card by name that the deck has more than once.",
        matters="Any of the copies could be meant.",
        example="QS in hand    # in a deck of two copies",
        instead="any(hand, rank == Q and suit == spades)",
    ),
    "unknown-attribute": Explanation(
        finds="An attribute that such a thing does not have.",
        matters="It has no value.",
        example="card.colur",
        instead="card.color",
    ),
    "unknown-function": Explanation(
        finds="A function that neither the language nor the ruleset has.",
        matters="It has no value.",
        example="cuont(hand)",
        instead="count(hand)",
    ),
    "unknown-name": Explanation(
        finds="A name that nothing in the ruleset has.",
        matters="It means nothing; most often it is misspelt.",
        example="move card to hnad",
        instead="move card to hand",
    ),
    "unknown-order": Explanation(
        finds="An order of ranks that is not declared under values.",
        matters="Nothing says which rank is higher.",
        example="place(rank, oder)",
        instead="values: {order: [2, 3, 4]}\nplace(rank, order)",
    ),
    "unknown-suit": Explanation(
        finds="A suit that the deck does not have.",
        matters="No card could have it.",
        example="Q of swords    # in a French deck",
        instead="Q of spades",
    ),
    "wrong-kind": Explanation(
        finds="A thing of one kind where another belongs, such as a card for a pile.",
        matters="The rule cannot be carried out.",
        example="if: hand",
        instead="if: not hand.empty",
    ),
    "wrong-number-of-arguments": Explanation(
        finds="A function with too few or too many arguments.",
        matters="It is not known what the others are.",
        example="left()",
        instead="left(dealer)",
    ),
    # actions.py, moves.py
    "deal-does-not-fit": Explanation(
        finds="A deal of more cards than there are.",
        matters="It would always stop in the middle.",
        example="deal 20 to hand each    # four players, 52 cards",
        instead="deal 13 to hand each",
    ),
    "not-a-variable": Explanation(
        finds="A change of something that is no variable.",
        matters="Only variables and scores keep what they are set to.",
        example="set hand to 3",
        instead="set passes to 3",
    ),
    "unknown-direction": Explanation(
        finds="A direction of turns that is neither of the two.",
        matters="Players would take turns the wrong way round.",
        example="turns: {from: leader, each: once, direction: left}",
        instead="turns: {from: leader, each: once, direction: counter_clockwise}",
    ),
    "unknown-best": Explanation(
        finds="Something that does not say whether the highest or the lowest wins.",
        matters="Who wins would be a guess.",
        example="result: {rank_by: score, best: least}",
        instead="result: {rank_by: score, best: lowest}",
    ),
    "rows-for-selection": Explanation(
        finds="A part that goes by rows and picks several cards.",
        matters="Rows allow single cards, so nothing would keep to them.",
        example="pick: {cards: {from: hand, size: 2, by: follow}}",
        instead="pick: {card: {from: hand, by: follow}}",
    ),
    "not-an-option": Explanation(
        finds="A condition on what changes in play, where options belong.",
        matters="It must be settled before the game begins.",
        example="unless: hand.empty",
        instead="unless: passing == none",
    ),
    "selection-too-large": Explanation(
        finds="A selection of too many cards at once.",
        matters="There are too many such selections to list.",
        example="pick: {cards: {from: hand, size: 1..13}}",
        instead="pick: {cards: {from: hand, size: 1..4, same: rank}}",
    ),
    "too-many-ranks": Explanation(
        finds="longest_runs with a deck of more than 15 ranks.",
        matters="It counts the cards of each rank in a few bits.",
        example="deck: {ranks: [1, 2, 3, …, 16]}    # written out",
        instead="points: if consecutive(hand) then hand.size else 0",
    ),
    "too-many-moves": Explanation(
        finds="A move with millions of forms.",
        matters="Nobody could list the legal ones in time.",
        example="pick: {a: hand, b: hand, c: hand, d: hand, e: hand}",
        instead="pick: {a: hand, b: hand}",
    ),
    "unknown-rows": Explanation(
        finds="A table under 'by' that is not declared under rows.",
        matters="Nothing says which cards are allowed.",
        example="pick: {card: {from: hand, by: folow}}",
        instead="pick: {card: {from: hand, by: follow}}",
    ),
    "rows-circle": Explanation(
        finds="Rows that leave it to other rows, and these to the first again.",
        matters="Nothing would ever say which cards are allowed.",
        example="rows: {lead: {first: {by: follow}}, follow: {first: {by: lead}}}",
        instead="rows: {lead: {first: {cards: hand}}, follow: {first: {by: lead}}}",
    ),
    # statements.py, decisions.py, script.py
    "endless-turns": Explanation(
        finds="Turns that nothing ends.",
        matters="The game would never come past them.",
        example="turns: {from: players.first}",
        instead="turns: {from: players.first, each: once}",
    ),
    "only-if-no-order": Explanation(
        finds="A move that waits for another, and stands before it in the decision.",
        matters="The other must be tried first.",
        example="choose: [draw, play]    # draw: only if no play",
        instead="choose: [play, draw]",
    ),
    "step-circle": Explanation(
        finds="A step that runs itself, at once or through others.",
        matters="It would never end.",
        example="steps: {deal: [{run: deal}]}",
        instead="Repeat the actions in a loop.",
    ),
    "too-many-loops": Explanation(
        finds="Loops over cards nested too deeply.",
        matters="Each of them keeps a copy of its cards.",
        example="for: a in x … for: b in y … for: c in z … for: d in w",
        instead="Use at most three inside one another.",
    ),
    "unknown-block": Explanation(
        finds="An 'end' that names no block around it.",
        matters="There is nothing to leave.",
        example="- end roud",
        instead="- end round",
    ),
    "unknown-move": Explanation(
        finds="A move that is not declared under moves.",
        matters="Nobody could make it.",
        example="choose: [paly]",
        instead="choose: [play]",
    ),
    "too-many-values": Explanation(
        finds="A text for people that fills in more than 16 values.",
        matters="Nobody reads so long a line while playing.",
        example='because: "{a} {b} {c} …"',
        instead='because: "{card} is too low"',
    ),
    "unknown-scoring-line": Explanation(
        finds="A scoring line or group that is not declared under scoring.",
        matters="There are no points to count.",
        example="- score shwo",
        instead="- score show",
    ),
    "unknown-step": Explanation(
        finds="A step that is not declared under steps.",
        matters="There is nothing to run.",
        example="- run: dael",
        instead="- run: deal",
    ),
    "unreachable-step": Explanation(
        finds="Something behind an 'end'.",
        matters="It is never carried out.",
        example="- end round\n- score",
        instead="- score\n- end round",
    ),
    "waits-inside-move": Explanation(
        finds="A decision inside what a move does.",
        matters="A move is carried out at once, and waits for nobody.",
        example="do: [move card to table, {choose: [knock]}]",
        instead="Put the decision into the script, behind the one that offers it.",
    ),
    "wrong-for": Explanation(
        finds="A 'for' that does not name its item.",
        matters="Nothing could refer to it.",
        example="for: players",
        instead="for: p in players",
    ),
    # compiler.py
    "never-scored": Explanation(
        finds="Lines of scoring in a game that never scores.",
        matters="They would never count.",
        example="play: [deal 5 to hand each]\nscoring: {taken: …}",
        instead="play: [deal 5 to hand each, score]",
    ),
    "wrong-size": Explanation(
        finds="A selection of no cards, or with its ends the wrong way round.",
        matters="A move that picks cards picks at least one.",
        example="pick: {cards: {from: hand, size: 4..2}}",
        instead="pick: {cards: {from: hand, size: 2..4}}",
    ),
    "never-set": Explanation(
        finds="A variable that may be none, begins as none and is never set.",
        matters="Whatever asks for it always gets the same answer.",
        example="state: {locked: {type: pile or none}}    # and no 'set locked'",
        instead="Set it in a move or in the script, or remove it.",
    ),
    "never-used": Explanation(
        finds="Something declared that nothing refers to.",
        matters="Most often a name elsewhere is misspelt.",
        example="define: {wild: rank == 8}    # and no rule says wild",
        instead="Use it, or remove it.",
    ),
    # record.py
    "saved-act": Explanation(
        finds="An act in a saved game that the rules do not allow there.",
        matters="The game was not played so; it cannot be gone on with.",
        example='{"seat":2,"move":"play 2C"…}    # a card that was not held',
        instead="Take the file as it was saved, or cut it before this line.",
    ),
    "saved-check": Explanation(
        finds="An act after which the game does not stand as it did when saved.",
        matters="This line or one before it was changed.",
        example="A legal move was put in the place of the one that was made.",
        instead="Take the file as it was saved, or cut it before this line.",
    ),
    "saved-damaged": Explanation(
        finds="A line of a saved game that cannot be read.",
        matters="What was done there is lost.",
        example='{"seat":2,"mo#######',
        instead="Cut the file before this line: the game goes on from there.",
    ),
    "saved-foreign": Explanation(
        finds="A file that is no saved game.",
        matters="There is nothing to go on with.",
        example="cardrun play --resume notes.json",
        instead="Give the file or name that --save was given.",
    ),
    "saved-hash": Explanation(
        finds="A saved game whose rules were changed after it was saved.",
        matters="A game goes on under the rules that it was begun with.",
        example="A rule edited inside the first line of the file.",
        instead="Begin a new game with the new rules.",
    ),
    "saved-newer": Explanation(
        finds="A game saved by a newer version, in a format not known here.",
        matters="It cannot be read without guessing.",
        example='{"cardrun":2,…}',
        instead="Use that version of cardrun.",
    ),
    "saved-nothing": Explanation(
        finds="A saved game cut in its first line, which holds rules and seed.",
        matters="There is no game in it.",
        example="An empty file.",
        instead="Begin a new game; nothing was played.",
    ),
    "saved-rules": Explanation(
        finds="A saved game whose rules this version cannot play.",
        matters="The language has changed since it was saved.",
        example="A game saved under another version of the language.",
        instead="Use the version of cardrun that saved it.",
    ),
    # expressions.py, script.py
    "too-much-work": Explanation(
        finds="Loops inside one another that go through too much.",
        matters="Every rule must be carried out in a moment, whatever it asks.",
        example="for: i in 1..1000000000",
        instead="Count once what is needed often, or loop over fewer things.",
    ),
    # state.py, of games
    "dead-decision": Explanation(
        finds="A decision at which a player who is to act has no legal move.",
        matters="The game stops there, and nobody can do anything about it.",
        example="when: {follow: card.suit == led}    # and who has none of the suit?",
        instead="Offer a move that is always legal, or say 'otherwise:' what happens.",
    ),
    "endless-script": Explanation(
        finds="A loop of the script that runs on without anybody being asked.",
        matters="The game never comes to its next decision.",
        example="loop: gathering\nuntil: pile.empty\ndo: [move deck to hand]",
        instead="loop: gathering\nuntil: pile.empty\ndo: [move 1 from pile to deck]",
    ),
    "no-room-for-pile": Explanation(
        finds="A new pile in a family whose piles all have cards.",
        matters="A family has as many piles as its zone says, and no more.",
        example="melds: {piles: 0..3, face: up}    # and a fourth meld is laid",
        instead="melds: {piles: 0..10, face: up}",
    ),
    "too-many-legal-moves": Explanation(
        finds="More legal moves at once than the game has room for.",
        matters="They are listed one by one; there is room for what is usual.",
        example="pick: {points: {number: 1..high}}    # high may be a thousand",
        instead="pick: {points: {number: 1..100}}",
    ),
    "range-too-large": Explanation(
        finds="A loop over numbers whose ends, in play, are more than 1000 apart.",
        matters="Such a loop would hold the game up.",
        example="for: i in 1..high    # and high has grown to a million",
        instead="for: i in 1..min(high, 100)",
    ),
    "stuck-in-vain": Explanation(
        finds="A race in which all are stuck and whose 'stuck' changes nothing.",
        matters="They would be stuck again at once, for ever.",
        example="stuck: [{together: [shout]}]",
        instead="stuck: [{together: [shout]}, {run: spit_together}]",
    ),
    # proof.py, of games played by 'cardrun check'
    "cards-not-conserved": Explanation(
        finds="A card that lies in no pile or in two.",
        matters="This is a fault of cardrun and not of the ruleset: please report it.",
        example="(none: no ruleset can say this)",
        instead="(nothing: report it with the lines that are printed)",
    ),
    "legal-and-apply-disagree": Explanation(
        finds="A move that is listed and yet refused, or taken and yet not listed.",
        matters="This is a fault of cardrun and not of the ruleset: please report it.",
        example="(none: no ruleset can say this)",
        instead="(nothing: report it with the lines that are printed)",
    ),
    "not-repeatable": Explanation(
        finds="The same seed and moves leading to two games, or a copy that differs.",
        matters="This is a fault of cardrun and not of the ruleset: please report it.",
        example="(none: no ruleset can say this)",
        instead="(nothing: report it with the lines that are printed)",
    ),
    "malformed-result": Explanation(
        finds="A result in which scores, places and winners contradict each other.",
        matters="This is a fault of cardrun and not of the ruleset: please report it.",
        example="(none: no ruleset can say this)",
        instead="(nothing: report it with the lines that are printed)",
    ),
    "leaking-view": Explanation(
        finds="A view that changes when cards its player cannot know change places.",
        matters="This is a fault of cardrun and not of the ruleset: please report it.",
        example="(none: no ruleset can say this)",
        instead="(nothing: report it with the lines that are printed)",
    ),
    "leaking-legality": Explanation(
        finds="A move whose legality depends on cards that its player cannot know.",
        matters="The list of legal moves, or a refusal, would tell what is hidden.",
        example="test: not any(left(me).hand, suit == card.suit)",
        instead="Test what me can see; or, if it must tell, 'reveals: [play]'.",
    ),
    # check.py, of games played by 'cardrun check'
    "endless-game": Explanation(
        finds="A table at which no game ends within its limit of decisions.",
        matters="Nobody can win; or the limit is too low even for usual games.",
        example="turns: {from: players.first, until: stock.empty}    # nobody draws",
        instead="Say what ends the game, or write a higher 'limit:', or why games at "
        "random may reach it: 'limit: {decisions: 10000, because: …}'.",
    ),
    "limit-reached": Explanation(
        finds="More than 2 in 100 random games that reach the limit of decisions.",
        matters="Such a game ends unfinished, and nobody has won.",
        example="limit: 50    # for a game of about that length",
        instead="limit: 500",
    ),
    "never-filled": Explanation(
        finds="A zone that no card came to in any game.",
        matters="It has no use, or the rule that should fill it is misspelt.",
        example="zones: {aside: {face: up}}    # and no action moves cards there",
        instead="Move cards to it, or remove it.",
    ),
    "never-fired": Explanation(
        finds="A row, guard, case, step or scoring line that no game made use of.",
        matters="It may be ruled out by others, or test what can never be.",
        example="plenty: {if: hand.size > 9, cards: hand}    # of hands of four",
        instead="Mend its test, or remove it; for what is rare, play more games.",
    ),
    "never-legal": Explanation(
        finds="A move that was offered and never legal in any game.",
        matters="Nobody can ever make it.",
        example="when: {late: {test: hand.empty and not hand.empty}}",
        instead="Mend its guards and picks, or remove it.",
    ),
    "no-effect": Explanation(
        finds="An option with a value that changed nothing in the games compared.",
        matters="Who chooses it expects another game.",
        example="options: {thrice: {default: no}}    # and no rule asks for it",
        instead="Use it in a rule, or remove it.",
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
