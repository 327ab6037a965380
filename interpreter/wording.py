"""Say expressions and actions of a ruleset in English.

It is meant for rule sheets: what a ruleset calls a thing is what a reader reads,
with spaces for the joints of its names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from .parser import Phrase

_COMPARED: Final = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_WORDS: Final = {
    "me": "you",
    "none": "nothing",
    "players": "the players",
    "teams": "the teams",
    "suits": "the suits",
    "ranks": "the ranks",
    "yes": "yes",
    "no": "no",
}
# Names of things there is one of, which read with an article.
_ONE: Final = ("zone", "variable")
_ATTRIBUTES: Final = {
    "size": "the number of cards in {of}",
    "top": "the top card of {of}",
    "bottom": "the bottom card of {of}",
    "first": "the first of {of}",
    "last": "the last of {of}",
    "rest": "the cards below the top of {of}",
    "seat": "the seat of {of}",
    "played_by": "whoever played {of}",
    "owner": "the owner of {of}",
    "pile": "the pile {of} lies in",
    "number": "the number of {of}",
}
_YES_NO: Final = {
    "empty": ("is empty", "is not empty"),
    "face_up": ("lies face up", "does not lie face up"),
    "face_down": ("lies face down", "does not lie face down"),
    "is_joker": ("is a joker", "is no joker"),
}
# Functions by name; {0}, {1} … are their arguments.
_CALLS: Final = {
    "best": "the one of {0} with the highest {1}",
    "worst": "the one of {0} with the lowest {1}",
    "highest": "the highest {1} among {0}",
    "lowest": "the lowest {1} among {0}",
    "only_best": "those of {0} that share the highest {1}",
    "sum": "the sum of {1} over {0}",
    "min": "the smaller of {0} and {1}",
    "max": "the larger of {0} and {1}",
    "tops": "the top cards of {0}",
    "next_to": "{0} is next to {1}",
    "distance": "the steps between {0} and {1}",
    "place": "the place of {0} in the {1}",
    "higher": "{0} is higher than {1} in the {2}",
    "lower": "{0} is lower than {1} in the {2}",
    "same": "{0} are all of one {1}",
    "consecutive": "{0} follow each other in rank",
    "distinct": "how many different {1}s there are in {0}",
    "pairs": "the pairs of {0}",
    "longest_runs": "the points of the longest runs of {0}",
    "equal_on_top": "how many equal cards lie on top of {0}",
    "run_on_top": "the length of the run on top of {0}",
    "combinations_with_sum": "the ways to make {2} of the {1} of {0}",
    "lowest_first": "the lowest cards of {0} in the {1}",
    "highest_first": "the highest cards of {0} in the {1}",
    "left 2": "the player {1} places to the left of {0}",
    "right 2": "the player {1} places to the right of {0}",
    "after 2": "the player {1} places after {0}",
    "before 2": "the player {1} places before {0}",
    "after": "the player after {0}",
    "before": "the player before {0}",
    "left": "the player to the left of {0}",
    "right": "the player to the right of {0}",
    "clockwise": "the players from {0} on",
    "others": "the players other than {0}",
    "other": "the other of {0} than {1}",
    "first": "the first of {0}",
    "last": "the last of {0}",
}
# Those whose later arguments are about each item of the first.
_RANGES: Final = (
    "best",
    "worst",
    "highest",
    "lowest",
    "only_best",
    "sum",
    "first",
    "last",
)


@dataclass(frozen=True, slots=True)
class Teller:
    """Says phrases; kinds tell zones, variables and definitions apart by name."""

    kinds: Mapping[str, str]
    owned: frozenset[str] = frozenset()
    tests: frozenset[str] = frozenset()
    item: str = ""

    def tell(self, phrase: Phrase) -> str:
        """Return a phrase in English."""
        method: Callable[[Phrase], str] | None = getattr(
            self, f"_tell_{phrase.rule}", None
        )
        return method(phrase) if method else phrase.span.text

    def deny(self, phrase: Phrase) -> str:
        """Return in English that a test fails."""
        if phrase.rule == "negated":
            return self.tell(phrase.part(0))
        if phrase.rule == "attribute" and phrase.words[0] in _YES_NO:
            return f"{self.tell(phrase.part(0))} {_YES_NO[phrase.words[0]][1]}"
        if phrase.rule == "call" and phrase.part(0).words == ("any",):
            return self._some(phrase, "no")
        if phrase.rule == "call" and self._is_test(phrase.part(0)):
            return self._tell_test(phrase, "is not", "does not:")
        if phrase.rule == "name":
            return f"not {self.tell(phrase)}"
        if phrase.rule in ("member", "not_member"):
            return self._member(phrase, is_inside=phrase.rule != "member")
        return f"not: {self.tell(phrase)}"

    # Names and attributes

    def _tell_number(self, phrase: Phrase) -> str:
        return phrase.words[0]

    def _tell_card(self, phrase: Phrase) -> str:
        return f"the {phrase.words[0]} of {phrase.words[1]}"

    def _tell_name(self, phrase: Phrase) -> str:
        word = phrase.words[0]
        if word == "it":
            return self.item or "it"
        if word in self.owned:
            return f"your {_spaced(word)}"
        if self.kinds.get(word) in _ONE:
            return f"the {_spaced(word)}"
        return _WORDS.get(word, _spaced(word))

    def _tell_attribute(self, phrase: Phrase) -> str:
        word = phrase.words[0]
        of = self.tell(phrase.part(0))
        if word in _YES_NO:
            return f"{of} {_YES_NO[word][0]}"
        if word == "size" and _is_players(phrase.part(0)):
            return f"the number of {_bare(of)}"
        if word in _ATTRIBUTES:
            return _ATTRIBUTES[word].format(of=of)
        if of == _WORDS["me"]:
            return f"your {_spaced(word)}"
        if of == "it":
            return f"its {_spaced(word)}"
        if word in self.kinds or word in ("score", "partner", "team"):
            return f"{of}'s {_spaced(word)}"
        return f"the {_spaced(word)} of {of}"

    # Logic

    def _tell_both(self, phrase: Phrase) -> str:
        return f"{self.tell(phrase.part(0))} and {self.tell(phrase.part(1))}"

    def _tell_either(self, phrase: Phrase) -> str:
        return f"{self.tell(phrase.part(0))} or {self.tell(phrase.part(1))}"

    def _tell_negated(self, phrase: Phrase) -> str:
        return self.deny(phrase.part(0))

    def _tell_choice(self, phrase: Phrase) -> str:
        test, yes, no = (self.tell(phrase.part(index)) for index in range(3))
        return f"{yes} if {test}, else {no}"

    def _tell_compared(self, phrase: Phrase) -> str:
        one, other = self.tell(phrase.part(0)), self.tell(phrase.part(1))
        if other == _WORDS["none"]:
            is_none = phrase.words[0] == "=="
            return f"there is {'no' if is_none else 'a'} {_bare(one)}"
        return f"{one} {_COMPARED[phrase.words[0]]} {other}"

    def _tell_member(self, phrase: Phrase) -> str:
        return self._member(phrase, is_inside=True)

    def _tell_not_member(self, phrase: Phrase) -> str:
        return self._member(phrase, is_inside=False)

    def _member(self, phrase: Phrase, *, is_inside: bool) -> str:
        item, group = phrase.part(0), phrase.part(1)
        verb = "is" if is_inside else "is not"
        joint = " " if group.rule == "listed" else " in "
        return f"{self.tell(item)} {verb}{joint}{self.tell(group)}"

    def _tell_listed(self, phrase: Phrase) -> str:
        words = [self.tell(part) for part in phrase.parts if part]
        return f"{', '.join(words[:-1])} or {words[-1]}"

    # Numbers

    def _tell_added(self, phrase: Phrase) -> str:
        word = {"+": "plus", "-": "minus"}[phrase.words[0]]
        return f"{self.tell(phrase.part(0))} {word} {self.tell(phrase.part(1))}"

    def _tell_times(self, phrase: Phrase) -> str:
        return f"{self.tell(phrase.part(0))} times {self.tell(phrase.part(1))}"

    def _tell_divided(self, phrase: Phrase) -> str:
        return f"{self.tell(phrase.part(0))} divided by {self.tell(phrase.part(1))}"

    def _tell_remainder(self, phrase: Phrase) -> str:
        one, other = self.tell(phrase.part(0)), self.tell(phrase.part(1))
        return f"what is left of {one} divided by {other}"

    def _tell_minus(self, phrase: Phrase) -> str:
        return f"minus {self.tell(phrase.part(0))}"

    def _tell_interval(self, phrase: Phrase) -> str:
        return f"{self.tell(phrase.part(0))} to {self.tell(phrase.part(1))}"

    # Groups and calls

    def _tell_filtered(self, phrase: Phrase) -> str:
        return self._those(phrase.part(0), phrase.part(1))

    def tell_group(self, phrase: Phrase) -> str:
        """Return the group, and its condition, of ``p in players where …``."""
        return self._those(phrase, None)

    def _those(self, phrase: Phrase, condition: Phrase | None) -> str:
        """Return a group with its condition, as ``p in players where …`` has it."""
        if condition is None and phrase.rule == "filtered":
            phrase, condition = phrase.part(0), phrase.part(1)
        name, group = _named(phrase)
        told = self.tell(group)
        if condition is None:
            return told
        if _is_players(group):
            inner = replace(self, item=name or "the player")
            return f"{told} for whom {inner.tell(condition)}"
        if _begins_bare(condition):
            return f"the cards of {told} whose {self.tell(condition)}"
        inner = replace(self, item=name or "the card")
        return f"those of {told} where {inner.tell(condition)}"

    def _some(self, phrase: Phrase, word: str = "some") -> str:
        """Return that there is some (no) item, of the call of ``any``."""
        parts = [part for part in phrase.parts[1:] if part is not None]
        verb = "there is" if word == "some" else "there is no"
        if len(parts) == 1 and parts[0].rule != "filtered":
            told = self.tell(parts[0])
            return f"{told} {'is not' if word == 'some' else 'is'} empty"
        group, condition = parts[0], parts[-1]
        if group.rule == "filtered":
            group, condition = group.part(0), group.part(1)
        name, group = _named(group)
        one = "player" if _is_players(group) else f"card of {self.tell(group)}"
        if _begins_bare(condition):
            article = "a " if word == "some" else ""
            return f"{verb} {article}{one} whose {self.tell(condition)}"
        if name:
            inner = replace(self, item=name)
            return f"for {word} {name} of {self.tell(group)}, {inner.tell(condition)}"
        return replace(self, item=f"{word} {one}").tell(condition)

    def _is_test(self, head: Phrase) -> bool:
        return head.rule == "name" and head.words[0] in self.tests

    def _tell_test(self, phrase: Phrase, is_so: str = "is", does: str = "") -> str:
        """Return a definition that is a test: p is out, c fits."""
        word = _spaced(phrase.part(0).words[0]).removeprefix("is ")
        told = [self.tell(part) for part in phrase.parts[1:] if part is not None]
        subject, rest = told[0], told[1:]
        if subject == _WORDS["me"]:
            is_so = is_so.replace("is", "are")
        verb = f"{does} {word}".strip() if word.endswith("s") else f"{is_so} {word}"
        return f"{subject} {verb}{' with ' if rest else ''}{' and '.join(rest)}"

    def _tell_call(self, phrase: Phrase) -> str:
        head = phrase.part(0)
        word = head.words[0] if head.rule == "name" else ""
        parts = [part for part in phrase.parts[1:] if part is not None]
        if self._is_test(head) and parts:
            return self._tell_test(phrase)
        if word == "any":
            return self._some(phrase)
        if word == "count":
            condition = parts[1] if len(parts) > 1 else None
            return f"the number of {self._those(parts[0], condition)}"
        if word == "all" and len(parts) == 2:
            name, group = _named(parts[0])
            inner = replace(self, item=name or "each one")
            return f"for all of {self.tell(group)}, {inner.tell(parts[1])}"
        form = _CALLS.get(f"{word} {len(parts)}", _CALLS.get(word, ""))
        if form:
            inner = replace(self, item="it") if word in _RANGES else self
            whole = self._those(parts[0], None)
            return form.format(whole, *map(inner.tell, parts[1:]))
        told = [self.tell(part) for part in parts]
        if not word:
            return f"{self.tell(head)} {', '.join(told)}"
        return f"{_spaced(word)} of {' and '.join(told)}"

    # Actions

    def act(self, phrase: Phrase) -> str:
        """Return an action as an English sentence, without its full stop."""
        told = [self.tell(part) if part else "" for part in phrase.parts]
        facing = f", face {phrase.words[0]}" if phrase.words else ""
        match phrase.rule:
            case "gather":
                return "gather all the cards"
            case "shuffle":
                return f"shuffle {told[0]}"
            case "deal":
                each = "to each player's " if "each" in phrase.words else "to "
                return f"deal {told[0]} {each}{_bare(told[2])}"
            case "move" if phrase.parts[1] is not None:
                return f"move {told[0]} cards from {told[1]} to {told[2]}{facing}"
            case "move":
                return f"move {told[0]} to {told[2]}{facing}"
            case "move_under":
                return f"put {told[0]} under {told[1]}"
            case "turn":
                return f"turn {told[0]}{facing.replace(', face', '')}"
            case "swap":
                return f"swap {told[0]} with {told[1]}"
            case "set":
                return f"{told[0]} is now {told[1]}"
            case "add":
                return f"add {told[0]} to {told[1]}"
            case "show":
                return f"show {told[0]} to {told[1]}"
            case "score":
                return f"count {_spaced(phrase.words[0]) if phrase.words else 'points'}"
            case "win":
                return f"{told[0]} wins"
            case "next_turn":
                if told[0] == _WORDS["me"]:
                    return "you have another turn"
                return f"next it is the turn of {told[0]}"
            case "end":
                return f"the {_spaced(phrase.words[0])} ends"
        return phrase.span.text

    def _tell_new_pile(self, phrase: Phrase) -> str:
        return f"a new pile in {self.tell(phrase.part(0))}"

    def _tell_random(self, phrase: Phrase) -> str:
        return f"one of {self.tell(phrase.part(0))}, drawn"


def _is_players(phrase: Phrase) -> bool:
    """Tell whether a group is plainly one of players or teams."""
    if phrase.rule == "call":
        return phrase.part(0).words in (("others",), ("clockwise",))
    return phrase.rule == "name" and phrase.words[0] in ("players", "teams")


def _begins_bare(phrase: Phrase) -> bool:
    """Tell whether a condition begins with an attribute of the item: suit == led."""
    if phrase.rule in ("both", "either", "compared", "member", "not_member"):
        return _begins_bare(phrase.part(0))
    return phrase.rule == "name" and phrase.words[0] != "it"


_TESTING: Final = ("both", "either", "negated", "compared", "member", "not_member")


def find_tests(bodies: Mapping[str, Phrase]) -> frozenset[str]:
    """Return the names of the definitions that are tests, by their bodies."""
    found: set[str] = set()
    while True:
        more = {
            name
            for name, body in bodies.items()
            if name not in found and _is_testing(body, found)
        }
        if not more:
            return frozenset(found)
        found |= more


def _is_testing(body: Phrase, known: set[str]) -> bool:
    if body.rule in _TESTING:
        return True
    if body.rule == "attribute":
        return body.words[0] in _YES_NO
    if body.rule == "call" and body.part(0).rule == "name":
        word = body.part(0).words[0]
        return word in ("any", "all", "next_to", "same", "consecutive") or word in known
    return body.rule == "name" and body.words[0] in {*known, "yes", "no"}


def _named(phrase: Phrase) -> tuple[str, Phrase]:
    """Return the name given to items, and the group, of ``p in players``."""
    if phrase.rule == "member" and phrase.part(0).rule == "name":
        return phrase.part(0).words[0], phrase.part(1)
    return "", phrase


def _spaced(word: str) -> str:
    return word.replace("_", " ")


def _bare(text: str) -> str:
    """Return a thing without its article or owner."""
    return text.removeprefix("the ").removeprefix("your ")
