"""Say expressions and actions of a ruleset in English.

It is meant for rule sheets: what a ruleset calls a thing is what a reader reads,
with spaces for the joints of its names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ..text.parser import Phrase
from .layout import Layout
from .settling import Settler

_COMPARED: Final = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}
_OPPOSITE: Final = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
}
_WORDS: Final = {
    "me": "you",
    "none": "nothing",
    "players": "the players",
    "teams": "the teams",
    "suits": "the suits",
    "ranks": "the ranks",
    "cards": "the cards",
    "yes": "yes",
    "no": "no",
}
# Names of things there is one of, which read with an article.
_ONE: Final = ("zone", "variable", "family", "value")
_ATTRIBUTES: Final = {
    "size": "the number of cards in {of}",
    "top": "the top card of {of}",
    "bottom": "the bottom card of {of}",
    "first": "the first of {of}",
    "last": "the last of {of}",
    "rest": "the cards below the top of {of}",
    "played_by": "whoever played {of}",
    "owner": "the owner of {of}",
    "pile": "the pile {of} lies in",
    "number": "the number of {of}",
}
# What is so of one and is not; then the same of several.
_YES_NO: Final = {
    "empty": ("is empty", "is not empty", "are empty", "are not empty"),
    "face_up": (
        "lies face up",
        "does not lie face up",
        "lie face up",
        "do not lie face up",
    ),
    "face_down": (
        "lies face down",
        "does not lie face down",
        "lie face down",
        "do not lie face down",
    ),
    "is_joker": ("is a joker", "is no joker", "are jokers", "are no jokers"),
}
# What stands for several, and what an attribute of them begins with.
_SEVERAL: Final = ("you", "who", "that")
# What a name that says where begins with.
_PLACES: Final = ("at ", "in ", "on ")
_RELATIVE: Final = ("who", "that")
# Names of zones that say what kind of cards lie there.
_ADJECTIVES: Final = frozenset(
    {
        *("burned", "closed", "dealt", "discarded", "drawn", "hidden", "laid", "open"),
        *("passed", "played", "shown", "taken", "thrown", "visible", "won"),
    }
)
# Words that end as verbs do.
_NO_VERBS: Final = ("ours", "theirs", "its", "less", "always", "plus", "this")
# Numbers that are made of others.
_ADDED: Final = ("added",)
_MULTIPLIED: Final = ("times", "divided", "remainder")
# What is said of each item by one name.
_SHORT: Final = ("name", "attribute", "call")
# Functions that give some of a group.
_PART_OF: Final = (("only_best",), ("best",), ("worst",), ("first",), ("last",))
_CHOOSING: Final = (("best",), ("worst",))
# Functions by name; {0}, {1} … are their arguments.
_CALLS: Final = {
    "best": "the {one} of {0} with the highest {1}",
    "worst": "the {one} of {0} with the lowest {1}",
    "highest": "the highest {1} among {0}",
    "lowest": "the lowest {1} among {0}",
    "only_best": "{several} that share the highest {1}",
    "sum": "the sum, over {0}, of {1}",
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
    "equal_on_top": "the number of equal cards on top of {0}",
    "run_on_top": "the length of the run on top of {0}",
    "combinations_with_sum": "the ways to make {2} of the {1} of {0}",
    "lowest_first": "low cards in {0} (if equal, the next lowest decides)",
    "highest_first": "high cards in {0} (if equal, the next highest decides)",
    "left 2": "the player {1} places to the left of {0}",
    "right 2": "the player {1} places to the right of {0}",
    "after 2": "the player {1} places after {0}",
    "before 2": "the player {1} places before {0}",
    "after": "the player after {0}",
    "before": "the player before {0}",
    "left": "the player to the left of {0}",
    "right": "the player to the right of {0}",
    "clockwise": "the players, from {0} on,",
    "others": "the players other than {0}",
    "other": "the other of {0} (not {1})",
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
    """Says phrases; kinds tell zones, variables and definitions apart by name.

    Named are the parts of a move and the items of loops: ``card`` is "that card".
    Flags are variables that are yes or no: people note them, or do not.
    """

    kinds: Mapping[str, str]
    owned: frozenset[str] = frozenset()
    tests: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    item: str = ""
    settler: Settler = field(default_factory=Settler)
    named: Mapping[str, str] = field(default_factory=dict)

    def tell(self, phrase: Phrase) -> str:
        """Return a phrase in English."""
        phrase = self.settler.reduce(phrase)
        number = self.settler.count(phrase)
        if number is not None:
            return str(number) if number >= 0 else f"minus {-number}"
        method: Callable[[Phrase], str] | None = getattr(
            self, f"_tell_{phrase.rule}", None
        )
        return method(phrase) if method else phrase.span.text

    def deny(self, phrase: Phrase) -> str:
        """Return in English that a test fails."""
        phrase = self.settler.reduce(phrase)
        if phrase.rule == "negated":
            return self.tell(phrase.part(0))
        if phrase.rule == "attribute" and phrase.words[0] in _YES_NO:
            of = self.tell(phrase.part(0))
            return f"{of} {_YES_NO[phrase.words[0]][3 if _are_several(of) else 1]}"
        if phrase.rule == "call" and phrase.part(0).words == ("any",):
            return self._some(phrase, "no")
        if phrase.rule == "call" and self._is_test(phrase.part(0)):
            return self._tell_test(phrase, is_so=False)
        if phrase.rule in ("name", "attribute") and self.is_flag(phrase):
            return self._flag(phrase, is_so=False)
        if phrase.rule == "call" and phrase.part(0).words == ("all",):
            return self._tell_call(_turn_round(phrase))
        if phrase.rule == "call" and (denied := _deny_call(self.tell(phrase))):
            return denied
        if phrase.rule == "name" and phrase.words[0] in _YES_NO:
            return f"{self.item or 'it'} {_YES_NO[phrase.words[0]][1]}"
        if phrase.rule == "name":
            told = self.tell(phrase)
            if told.startswith("it "):
                return f"it does not {_infinitive(phrase.words[0])}"
            if told.startswith("you can "):
                return told.replace("can ", "cannot ", 1)
            return f"not {told}"
        if phrase.rule == "compared":
            return self._compared(phrase, _OPPOSITE[phrase.words[0]])
        if phrase.rule in ("member", "not_member"):
            return self._member(phrase, is_inside=phrase.rule != "member")
        if phrase.rule == "either":
            parts = (self._deny_inside(part, "both") for part in phrase.parts if part)
            return " and ".join(parts)
        if phrase.rule == "both":
            parts = (self._deny_inside(part, "either") for part in phrase.parts if part)
            return f"either {' or '.join(parts)}"
        return f"not: {self.tell(phrase)}"

    def _deny_inside(self, phrase: Phrase, apart: str) -> str:
        """Return that a part of a test fails; one of a rule stands apart."""
        denied = self.deny(phrase).removeprefix("either ")
        return f"({denied})" if self.settler.reduce(phrase).rule == apart else denied

    def _flag(self, phrase: Phrase, *, is_so: bool) -> str:
        """Return that a flag is noted or not, for whom it is."""
        noted = f"“{_spaced(phrase.words[0])}” is {'' if is_so else 'not '}noted"
        if phrase.rule == "name":
            return noted
        of = self.tell(phrase.part(0))
        return f"for whom {noted}" if of in _RELATIVE else f"{noted} for {of}"

    def is_flag(self, phrase: Phrase) -> bool:
        """Tell whether a phrase is a variable that is yes or no."""
        return bool(phrase.words) and phrase.words[0] in self.flags

    def set_flag(self, phrase: Phrase, value: Phrase) -> str:
        """Return how a flag is set: to yes, to no, or as a test comes out."""
        whose = (
            f" for {self.tell(phrase.part(0))}" if phrase.rule == "attribute" else ""
        )
        flag = f"“{_spaced(phrase.words[0])}”{whose}"
        held = self.settler.holds(value)
        if held is not None:
            return f"note {flag}" if held else f"{flag} is no longer noted"
        return f"note {flag} if {self._inner(value)}, else no longer"

    # Names and attributes

    def _tell_number(self, phrase: Phrase) -> str:
        return phrase.words[0]

    def _tell_card(self, phrase: Phrase) -> str:
        return f"the {phrase.words[0]} of {phrase.words[1]}"

    def _tell_name(self, phrase: Phrase) -> str:
        word = phrase.words[0]
        if word == "it":
            return self.item or "it"
        if word in self.flags:
            return self._flag(phrase, is_so=True)
        if word in self.tests and self.kinds.get(word) == "value":
            if word.startswith("can_"):
                return f"you {_spaced(word)}"
            if _is_verb(word):
                return f"it {word}"
        if word in _YES_NO:
            return f"{self.item or 'it'} {_YES_NO[word][0]}"
        if word == "played_by":
            return f"whoever played {self.item or 'it'}"
        if word in self.named:
            return self.named[word]
        told = self.noun(word)
        if word in self.owned:
            return f"your {told}"
        if self.kinds.get(word) in _ONE and word not in self.tests:
            return told if told.startswith(_PLACES) else f"the {told}"
        return _WORDS.get(word, _spaced(word))

    def _tell_attribute(self, phrase: Phrase) -> str:
        word = phrase.words[0]
        of = self.tell(phrase.part(0))
        if word in _YES_NO:
            return f"{of} {_YES_NO[word][2 if _are_several(of) else 0]}"
        if word in self.flags:
            return self._flag(phrase, is_so=True)
        if word in self.owned:
            return _possess(of, self.noun(word))
        if word == "size" and of == _WORDS["cards"]:
            return "the number of cards"
        if word == "size" and (kind := self.kind(phrase.part(0))) != "card":
            is_named = of.endswith("s") or " " in of.removeprefix("the ")
            return f"the number of {_bare(of) if is_named else f'{kind}s in {of}'}"
        if word in _ATTRIBUTES and of not in _RELATIVE:
            if word in ("first", "last") and self._lies(phrase.part(0)):
                return f"the {word} card of {of}"
            if word == "first" and phrase.part(0).words in (("players",), ("teams",)):
                return f"{of.removeprefix('the ').removesuffix('s')} 1"
            return _ATTRIBUTES[word].format(of=of)
        if word in self.kinds or word in ("score", "partner", "team", "seat"):
            return _possess(of, self.noun(word))
        if of in ("you", "it", *_RELATIVE):
            return _possess(of, _spaced(word))
        return f"the {_spaced(word)} of {of}"

    def _lies(self, phrase: Phrase) -> bool:
        """Tell whether a phrase is a pile, whose first is a card."""
        phrase = self.settler.reduce(phrase)
        return bool(phrase.words) and self.kinds.get(phrase.words[0]) == "zone"

    def noun(self, word: str) -> str:
        """Return what a name of the ruleset is called: a family is its piles."""
        told = "".join(_split_base(_spaced(word)))
        if self.kinds.get(word) == "zone" and word in _ADJECTIVES:
            return f"{told} cards"
        body = self.settler.bodies.get(word)
        if body and body.rule == "call" and body.part(0).words in _CHOOSING:
            is_card = body.part(1).rule == "name" and self.kind(body.part(1)) == "card"
            return f"{told} card" if is_card and not told.endswith("card") else told
        if self.kinds.get(word) == "family" and not told.endswith("s"):
            return f"{told} piles"
        is_group = body is not None and _is_group(self.settler.reduce(body), self.kinds)
        if is_group and " " not in told and not told.endswith("s"):
            return f"{told} cards"
        return told

    # Logic

    def _tell_both(self, phrase: Phrase) -> str:
        parts = [self.settler.reduce(phrase.part(index)) for index in (0, 1)]
        told = [
            f"either {self.tell(part)}" if part.rule == "either" else self._inner(part)
            for part in parts
        ]
        return f"{told[0]}{',' if parts[0].rule == 'either' else ''} and {told[1]}"

    def _tell_either(self, phrase: Phrase) -> str:
        return f"{self._inner(phrase.part(0))} or {self._inner(phrase.part(1))}"

    def _inner(self, phrase: Phrase) -> str:
        """Return a phrase that others surround; one with a comma in parentheses."""
        phrase = self.settler.reduce(phrase)
        told = self.tell(phrase)
        return f"({told})" if phrase.rule == "choice" else told

    def _tell_negated(self, phrase: Phrase) -> str:
        return self.deny(phrase.part(0))

    def _tell_choice(self, phrase: Phrase) -> str:
        test, yes, no = (self.tell(phrase.part(index)) for index in range(3))
        if _is_testing(phrase, set(self.tests)):
            not_so = self.deny(phrase.part(0)).removeprefix("either ")
            return f"{test} and {yes}, or {not_so} and {no}"
        return f"{yes} if {test}, else {no}"

    def _tell_compared(self, phrase: Phrase) -> str:
        return self._compared(phrase, phrase.words[0])

    def _compared(self, phrase: Phrase, sign: str) -> str:
        left = phrase.part(0)
        if left.rule == "remainder" and self.settler.count(phrase.part(1)) == 0:
            number, divisor = self.tell(left.part(0)), self.tell(left.part(1))
            multiple = "even" if divisor == "2" else f"a multiple of {divisor}"
            if sign in ("==", "!=", ">"):
                return f"{number} is {'' if sign == '==' else 'not '}{multiple}"
        one, other = self.tell(phrase.part(0)), self.tell(phrase.part(1))
        if other == _WORDS["none"]:
            is_none = sign == "=="
            if one.startswith("that "):
                return f"{one} is {'not ' if is_none else ''}chosen"
            return f"there is {'no' if is_none else 'a'} {_bare(one)}"
        verb = _COMPARED[sign]
        if one in _SEVERAL or _is_plural(one):
            verb = verb.replace("is", "are", 1)
        return f"{one} {verb} {other}"

    def _tell_member(self, phrase: Phrase) -> str:
        return self._member(phrase, is_inside=True)

    def _tell_not_member(self, phrase: Phrase) -> str:
        return self._member(phrase, is_inside=False)

    def _member(self, phrase: Phrase, *, is_inside: bool) -> str:
        item, group = phrase.part(0), phrase.part(1)
        told = self.tell(item)
        be = "are" if told in _SEVERAL or _is_plural(told) else "is"
        verb = be if is_inside else f"{be} not"
        joint = {"listed": " ", "interval": " from "}.get(group.rule, " in ")
        return f"{told} {verb}{joint}{self.tell(group)}"

    def _tell_listed(self, phrase: Phrase) -> str:
        words = [self.tell(part) for part in phrase.parts if part]
        return f"{', '.join(words[:-1])} or {words[-1]}"

    # Numbers

    def _tell_added(self, phrase: Phrase) -> str:
        word = {"+": "plus", "-": "minus"}[phrase.words[0]]
        one, other = self._apart(phrase.part(0), ()), phrase.part(1)
        rules = ("added",) if word == "minus" else ()
        return f"{one} {word} {self._apart(other, rules)}"

    def _tell_times(self, phrase: Phrase) -> str:
        one, other = self._apart(phrase.part(0)), self._apart(phrase.part(1))
        return f"{one} times {other}"

    def _tell_divided(self, phrase: Phrase) -> str:
        one = self._apart(phrase.part(0))
        other = self._apart(phrase.part(1), (*_ADDED, *_MULTIPLIED))
        return f"{one} divided by {other}"

    def _tell_remainder(self, phrase: Phrase) -> str:
        one = self._apart(phrase.part(0), (*_ADDED, *_MULTIPLIED))
        other = self._apart(phrase.part(1), (*_ADDED, *_MULTIPLIED))
        return f"the remainder of {one} divided by {other}"

    def _tell_minus(self, phrase: Phrase) -> str:
        return f"minus {self._apart(phrase.part(0), (*_ADDED, *_MULTIPLIED))}"

    def _apart(self, phrase: Phrase, rules: tuple[str, ...] = _ADDED) -> str:
        """Return a part of a sum or product; one that binds less in parentheses."""
        phrase = self.settler.reduce(phrase)
        told = self.tell(phrase)
        is_number = self.settler.count(phrase) is not None
        is_long = phrase.rule in ("choice", *rules) or told.startswith("the sum, ")
        is_apart = is_long and not is_number
        return f"({told})" if is_apart else told

    def _tell_interval(self, phrase: Phrase) -> str:
        return f"{self.tell(phrase.part(0))} to {self.tell(phrase.part(1))}"

    # Groups and calls

    def _tell_filtered(self, phrase: Phrase) -> str:
        return self._those(phrase.part(0), phrase.part(1))

    def those(self, group: Phrase, condition: Phrase) -> str:
        """Return the items of a group that pass a test."""
        return self._those(group, condition)

    def _those(self, phrase: Phrase, condition: Phrase | None) -> str:
        """Return a group with its condition, as ``p in players where …`` has it."""
        if condition is None and phrase.rule == "filtered":
            phrase, condition = phrase.part(0), phrase.part(1)
        name, group = _named(phrase)
        told = self.tell(group)
        if condition is None:
            return told
        kind = self.kind(group)
        if name:
            return f"those of {told} where {self.tell(condition)}"
        if kind == "card" and group.rule in ("name", "attribute"):
            told = f"the cards of {told}"
        if _begins_bare(condition):
            return f"{told} whose {self.tell(condition)}"
        clause = replace(self, item="who" if kind == "player" else "that")
        found = clause.tell(condition)
        if all(map(_is_relative, clause.tell_parts(condition))):
            return f"{told} {found}"
        article = "that" if kind in ("rank", "suit") else "the"
        inner = replace(self, item=f"{article} {kind}")
        return f"those of {told} where {inner.tell(condition)}"

    def tell_those(self, condition: Phrase) -> str:
        """Return players by a test: those who are out."""
        parts = replace(self, item="who").tell_parts(condition)
        if all(map(_is_relative, parts)):
            return f"those {replace(self, item='who').tell(condition)}"
        return f"a player if {replace(self, item='that player').tell(condition)}"

    def tell_parts(self, condition: Phrase) -> list[str]:
        """Return the tests that a condition joins, each in English."""
        condition = self.settler.reduce(condition)
        if condition.rule in ("both", "either"):
            one, other = condition.part(0), condition.part(1)
            return [*self.tell_parts(one), *self.tell_parts(other)]
        return [self.tell(condition)]

    def kind(self, group: Phrase) -> str:
        """Return what one of a group is."""
        group = self.settler.reduce(group)
        if group.rule == "filtered":
            return self.kind(group.part(0))
        if group.rule == "choice":
            return self.kind(group.part(1))
        if group.rule == "call" and group.part(0).words in _PART_OF:
            return self.kind(group.part(1))
        group = _named(group)[1]
        body = self.settler.bodies.get(group.words[0]) if group.words else None
        if body and group.rule == "name":
            return self.kind(body)
        if _is_players(group):
            return "team" if group.words == ("teams",) else "player"
        if group.rule == "name" and group.words[0] in ("ranks", "suits"):
            return group.words[0].removesuffix("s")
        if group.rule == "interval":
            return "number"
        is_family = group.words and self.kinds.get(group.words[0]) == "family"
        return "pile" if is_family and group.rule != "call" else "card"

    def _some(self, phrase: Phrase, word: str = "some") -> str:
        """Return that there is some (no) item, of the call of ``any``."""
        parts = [part for part in phrase.parts[1:] if part is not None]
        verb = "there is" if word == "some" else "there is no"
        if len(parts) == 1 and parts[0].rule != "filtered":
            told = self.tell(parts[0])
            if parts[0].words and self.kinds.get(parts[0].words[0]) == "value":
                return f"there are {'' if word == 'some' else 'no '}{_bare(told)}"
            verb = "are" if _are_several(told) else "is"
            return f"{told} {verb} {'not ' if word == 'some' else ''}empty"
        group, condition = parts[0], parts[-1]
        if group.rule == "filtered":
            group, inner = group.part(0), group.part(1)
            both = Phrase("both", (), (inner, condition), condition.span)
            condition = inner if len(parts) == 1 else both
        name, group = _named(group)
        one = self._one(group)
        if not name and _begins_bare(condition):
            article = "a " if word == "some" else ""
            return f"{verb} {article}{one} whose {self.tell(condition)}"
        if name and _is_once(condition, name, ("any",) if word == "some" else ()):
            return self._call(name, f"{word} {one}").tell(condition)
        if name:
            return f"for {word} {name} of {self.tell(group)}, {self.tell(condition)}"
        return replace(self, item=f"{word} {one}").tell(condition)

    def _call(self, name: str, told: str) -> Teller:
        """Return a teller that calls the item of a loop by other words."""
        return replace(self, named={**self.named, name: told})

    def _is_test(self, head: Phrase) -> bool:
        return head.rule == "name" and head.words[0] in self.tests

    def _one(self, group: Phrase) -> str:
        """Return the name of one of a group: card of your hand, player, centre pile."""
        kind = self.kind(group)
        if kind in ("player", "team") and group.rule == "name":
            return kind
        if kind == "pile" and group.rule == "name":
            return f"{_bare(self.tell(group)).removesuffix('s')}"
        return f"{kind if kind != 'pile' else 'one'} of {self.tell(group)}"

    def tell_test(self, name: str, told: list[str], *, is_so: bool = True) -> str:
        """Return a definition that is a test: p is out, c fits, the card fits b."""
        word, rule = _split_base(_spaced(name).removeprefix("is "))
        subject = told[0]
        rest = [more for more in told[1:] if more != _WORDS["none"]]
        verb, _, more = word.partition(" ")
        several = subject in _SEVERAL or _are_several(subject)
        if verb == "can":
            said = word if is_so else f"cannot {more}"
            joint = " with "
        elif _is_verb(verb):
            if not is_so or several:
                verb = _infinitive(verb)
            denied = ("do not " if several else "does not ") if not is_so else ""
            said = f"{denied}{verb} {more}".strip()
            joint = " "
        else:
            be = "are" if several else "is"
            said = f"{be} {word}" if is_so else f"{be} not {word}"
            joint = " with "
        return f"{subject} {said}{joint if rest else ''}{' and '.join(rest)}{rule}"

    def _tell_test(self, phrase: Phrase, *, is_so: bool = True) -> str:
        told = [self.tell(part) for part in phrase.parts[1:] if part is not None]
        return self.tell_test(phrase.part(0).words[0], told, is_so=is_so)

    def _tell_call(self, phrase: Phrase) -> str:
        head = phrase.part(0)
        word = head.words[0] if head.rule == "name" else ""
        parts = [part for part in phrase.parts[1:] if part is not None]
        if self._is_test(head) and parts:
            return self._tell_test(phrase)
        if self.kinds.get(head.words[0] if head.words else "") == "family":
            return self._one_pile(head, parts[0])
        if word == "any":
            return self._some(phrase)
        if word == "all" and len(parts) == 2:
            return self._every(parts[0], parts[1])
        if word == "count":
            condition = parts[1] if len(parts) > 1 else None
            return f"the number of {self._those(parts[0], condition)}"
        if word == "other" and _is_players(parts[0]):
            who = self.tell(parts[1])
            return "the other player" if who == "you" else f"the opponent of {who}"
        if word in ("best", "worst") and (first := self._preferred(word, parts)):
            return first
        if form := _CALLS.get(f"{word} {len(parts)}", _CALLS.get(word, "")):
            return self._formed(form, word, parts)
        told = [self.tell(part) for part in parts]
        if word and len(parts) == 1 and self.settler.is_counter(word):
            return f"1 if {told[0]}"
        if not word:
            return f"{self.tell(head)} {', '.join(told)}"
        thing, rule = _split_base(_spaced(word).removesuffix(" of"))
        article = "" if thing.startswith(_PLACES) else "the "
        given = [each for each in told if each != _WORDS["none"]] or told
        return f"{article}{thing} of {' and '.join(given)}{rule}"

    def _formed(self, form: str, word: str, parts: list[Phrase]) -> str:
        """Return a call of a function of the language, whose form is known."""
        if word in ("best", "only_best") and parts[1].rule == "minus":
            form = form.replace("highest", "lowest")
            parts = [parts[0], parts[1].part(0)]
        inner = replace(self, item="it") if word in _RANGES else self
        told = [inner.tell(part) for part in parts[1:]]
        if word in _RANGES:
            told = [_plain(text) for text in told]
        if word == "sum":
            is_short = self.settler.reduce(parts[1]).rule in _SHORT
            is_short = is_short and " of " not in told[0]
            form = "the total {1} of {0}" if is_short else "the sum, over {0}, of {1}"
        if form.startswith("the total") or "est {1}" in form:
            told[0] = told[0].removeprefix("the ")
        if "{1} places" in form and self.settler.reduce(parts[1]).rule == "choice":
            told[0] = f"({told[0]})"
        elif "{1} places" in form and " " in told[0]:
            form = form.replace("{1} places", "so many places") + " as {1}"
        of = self._those(parts[0], None)
        if word in ("same", "consecutive") and not _are_several(of):
            of = f"the cards of {of}"
        one, several = self.kind(parts[0]), self._sharing(parts[0], of)
        said = form.format(of, *told, one=one, several=several)
        for kind in ("player", "team"):
            said = said.replace(f"the {kind} of the {kind}s", f"the {kind}")
        for end in ("low", "high"):
            said = said.replace(f"the highest {end} cards", f"the {end}est cards")
        return said

    def _sharing(self, group: Phrase, told: str) -> str:
        """Return who share the highest number: the players, or those of some."""
        group = self.settler.reduce(group)
        if group.rule == "name" and group.words[0] in ("players", "teams"):
            return told
        is_zone = group.rule == "name" and self.kinds.get(group.words[0]) == "zone"
        return f"{'the cards' if is_zone else 'those'} of {told}"

    def _preferred(self, word: str, parts: list[Phrase]) -> str:
        """Return the first that passes a test, where that is what is highest."""
        number = self.settler.reduce(parts[1])
        if self.settler.count(number) is not None:
            return _CALLS["first"].format(self._those(parts[0], None))
        if number.rule != "choice":
            return ""
        yes, no = (self.settler.count(number.part(index)) for index in (1, 2))
        if yes is None or no is None or yes == no:
            return ""
        item = replace(self, item="who" if self.kind(parts[0]) == "player" else "that")
        is_so = (yes > no) == (word == "best")
        test = number.part(0)
        said = item.tell(test) if is_so else item.deny(test)
        if not _is_relative(said):
            return ""
        return f"{_CALLS['first'].format(self._those(parts[0], None))} {said}"

    def _every(self, group: Phrase, condition: Phrase) -> str:
        """Return that all of a group pass a test."""
        name, inside = _named(self.settler.reduce(group))
        if name and _is_once(condition, name):
            return self._call(name, f"every {self._one(inside)}").tell(condition)
        if name or _begins_bare(condition) or inside.rule == "filtered":
            inner = self if name else replace(self, item="it")
            whose = "its " if _begins_bare(condition) and not name else ""
            told = f"{whose}{inner.tell(condition)}"
            one = name or self.kind(inside)
            return f"for every {one} of {self.tell(inside)}, {told}"
        condition = self.settler.reduce(condition)
        word = "every"
        if condition.rule == "negated":
            word, condition = "no", condition.part(0)
        return replace(self, item=f"{word} {self._one(inside)}").tell(condition)

    def _one_pile(self, head: Phrase, index: Phrase) -> str:
        """Return a pile of a family: p's stock pile i."""
        name, told = _spaced(head.words[0]), self.tell(index)
        is_short = told.isdigit() or len(told) == 1 or " " not in told
        pile = f"{name} pile {told if is_short else f'with the number of {told}'}"
        if head.rule == "attribute":
            return _possess(self.tell(head.part(0)), pile)
        return pile if is_short and head.words[0] not in self.owned else f"the {pile}"

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
                where = f"to {told[2]}"
                if "each" in phrase.words:
                    where = f"to each player's {_bare(told[2])}"
                return f"deal {_cards(told[0], where)}"
            case "move" if phrase.parts[1] is not None:
                return f"move {_cards(told[0], f'from {told[1]} to {told[2]}{facing}')}"
            case "move":
                return f"move {told[0]} to {told[2]}{facing}"
            case "move_under":
                return f"put {told[0]} under {told[1]}"
            case "turn":
                return f"turn {told[0]}{facing.replace(', face', '')}"
            case "swap":
                return f"swap {told[0]} with {told[1]}"
            case "set" if self.is_flag(phrase.part(0)):
                return self.set_flag(phrase.part(0), phrase.part(1))
            case "set" if told[1] == _WORDS["none"]:
                return f"there is now no {_bare(told[0])}"
            case "set":
                return (
                    f"{told[0]} {'are' if _is_plural(told[0]) else 'is'} now {told[1]}"
                )
            case "add" if phrase.part(0).rule == "minus":
                return f"take {self.tell(phrase.part(0).part(0))} from {told[1]}"
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
                name = f"the {_spaced(phrase.words[0])}"
                return f"{name} {'end' if _is_plural(name) else 'ends'}"
        return phrase.span.text

    def _tell_new_pile(self, phrase: Phrase) -> str:
        return f"a new pile in {self.tell(phrase.part(0))}"

    def _tell_random(self, phrase: Phrase) -> str:
        return f"one of {self.tell(phrase.part(0))}, drawn by lot"


def teach(layout: Layout, settler: Settler) -> Teller:
    """Return what says the phrases of a ruleset, by its zones, names and options."""
    zones, variables = layout.zones, layout.variables
    kinds = {name: "family" if zones[name].is_family else "zone" for name in zones}
    kinds |= {variable.name: "variable" for variable in variables}
    for name, parameters in settler.parameters.items():
        kinds[name] = "definition" if parameters else "value"
    owned = {zone.name for zone in zones.values() if zone.per}
    owned |= {variable.name for variable in variables if variable.owner}
    reduced = {name: settler.reduce(body) for name, body in settler.bodies.items()}
    flags = frozenset(v.name for v in variables if v.kind == "yes/no")
    tests = find_tests(reduced)
    return Teller(kinds, frozenset(owned), tests, flags, settler=settler)


def _is_players(phrase: Phrase) -> bool:
    """Tell whether a group is plainly one of players or teams."""
    if phrase.rule == "call":
        return phrase.part(0).words in (("others",), ("clockwise",))
    return phrase.rule == "name" and phrase.words[0] in ("players", "teams")


def _begins_bare(phrase: Phrase) -> bool:
    """Tell whether a condition begins with an attribute of the item: suit == led."""
    if phrase.rule in ("both", "either", "compared", "member", "not_member"):
        return _begins_bare(phrase.part(0))
    return phrase.rule == "name" and phrase.words[0] not in (
        *("it", "played_by"),
        *_YES_NO,
    )


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
    if body.rule == "choice":
        return _is_testing(body.part(1), known) and _is_testing(body.part(2), known)
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


def _possess(of: str, thing: str) -> str:
    """Return a thing with its owner: your hand, p's hand, the hand of whoever won."""
    if of in ("you", "it"):
        return f"{'your' if of == 'you' else 'its'} {thing}"
    if of in _RELATIVE:
        return f"whose {thing}"
    if " of " in of or " who " in of or of.startswith("whoever "):
        return f"the {thing} of {of}"
    return f"{of}'s {thing}"


def _are_several(of: str) -> bool:
    """Tell whether a subject takes the verb of several."""
    if of.startswith(("every ", "no ", "some ")):
        return False
    noun = of.split(" of ", 1)[0]
    return of in (*_SEVERAL, "cards") or noun.endswith((" cards", " piles"))


def _is_plural(told: str) -> bool:
    """Tell whether the noun of a subject is one of several: the passes, p's chips."""
    noun = told.split(" of ", 1)[0].split(" in ", 1)[0].rpartition(" ")[2]
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is", "'s"))


def _is_relative(told: str) -> bool:
    return told.startswith(("who ", "whose ", "that ", "for whom "))


def _is_verb(word: str) -> bool:
    is_long = word.endswith("s") and not word.endswith("ss")
    return is_long and "_" not in word and word not in _NO_VERBS


def _is_group(body: Phrase, kinds: Mapping[str, str]) -> bool:
    """Tell whether a definition is a zone or some cards of it, as the case may be."""
    if body.rule == "choice":
        return _is_group(body.part(1), kinds) and _is_group(body.part(2), kinds)
    if body.rule == "filtered":
        return _is_group(body.part(0), kinds)
    return body.rule == "name" and kinds.get(body.words[0]) == "zone"


def _count_names(phrase: Phrase, name: str) -> int:
    """Return how often a phrase mentions a name."""
    own = phrase.rule == "name" and phrase.words == (name,)
    return own + sum(_count_names(part, name) for part in phrase.parts if part)


def _is_once(phrase: Phrase, name: str, allowed: tuple[str, ...] = ()) -> bool:
    """Tell whether a name stands once in a test, and in no group of another one."""
    return _count_names(phrase, name) == 1 and not _has_groups(phrase, allowed)


def _has_groups(phrase: Phrase, allowed: tuple[str, ...]) -> bool:
    """Tell whether a phrase speaks of the items of groups."""
    words = phrase.part(0).words if phrase.rule == "call" else ()
    if words and words[0] in {"any", "all", "count", *_RANGES} - set(allowed):
        return True
    parts = [part for part in phrase.parts if part is not None]
    return phrase.rule == "filtered" or any(_has_groups(p, allowed) for p in parts)


def _turn_round(phrase: Phrase) -> Phrase:
    """Return that some item fails the test, of a call that all pass it."""
    head = Phrase("name", ("any",), (), phrase.part(0).span)
    denied = Phrase("negated", (), (phrase.part(2),), phrase.part(2).span)
    return Phrase("call", (), (head, phrase.part(1), denied), phrase.span)


def _deny_call(told: str) -> str:
    """Return that what a call says is not so, or nothing if that is not plain."""
    for verb in (
        " are all ",
        " follow each other ",
        " is next to ",
        " is higher than ",
    ):
        if verb in told:
            words = verb.split()
            is_be = words[0] in ("are", "is")
            no = f" {words[0]} not" if is_be else f" do not {words[0]}"
            return told.replace(verb, f"{no} {' '.join(words[1:])} ", 1)
    return ""


def _plain(text: str) -> str:
    """Return what is compared of each item, without the item: bid, cards left."""
    bare = text.removeprefix("its ")
    if bare.count(" of it") == 1 and bare.endswith(" of it"):
        return bare.removeprefix("the ").removesuffix(" of it")
    return bare


def _cards(number: str, way: str) -> str:
    """Return how many cards go which way."""
    if number.isdigit():
        return f"{number} card{'' if number == '1' else 's'} {way}"
    return f"cards {way}, as many as {number}"


def _split_base(word: str) -> tuple[str, str]:
    """Return a test, and by which rule: ``base(c)`` is what a house rule replaced."""
    if not word.startswith("base "):
        return word, ""
    bare = word.removeprefix("base ")
    name, _, number = bare.rpartition(" ")
    if not (name and number.isdigit()):
        name, number = bare, ""
    name = name.removeprefix("is ")
    return name, f" by the basic rule{f' {number}' if number else ''}"


def _infinitive(verb: str) -> str:
    if verb == "has":
        return "have"
    ends = ("ches", "shes", "sses", "xes")
    return verb.removesuffix("es" if verb.endswith(ends) else "s")


def _spaced(word: str) -> str:
    return word.replace("_", " ")


def _bare(text: str) -> str:
    """Return a thing without its article or owner."""
    return text.removeprefix("the ").removeprefix("your ")
