"""What options and constants alone decide, so that a rule sheet need not say it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ..text.parser import Phrase

_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Settler:
    """Knows the options as they are set and the bodies of definitions."""

    options: Mapping[str, bool | int | str] = field(default_factory=dict)
    bodies: Mapping[str, Phrase] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    has_jokers: bool = True
    # What names come to, once it is known; None while that is being found out, so
    # that definitions in a circle settle nothing.
    _counts: dict[str, int | None] = field(default_factory=dict, compare=False)
    _held: dict[str, bool | None] = field(default_factory=dict, compare=False)
    _idle: dict[str, bool] = field(default_factory=dict, compare=False)

    def count(self, phrase: Phrase) -> int | None:
        """Return a number that play does not change; None for any other."""
        if phrase.rule == "number":
            return int(phrase.words[0]) if phrase.words[0].isdigit() else None
        if phrase.rule == "name":
            value = self.options.get(phrase.words[0])
            if isinstance(value, int) and not isinstance(value, bool):
                return value
            return self._count_named(phrase.words[0])
        if phrase.rule == "minus":
            number = self.count(phrase.part(0))
            return None if number is None else -number
        if phrase.rule not in ("added", "times", "divided"):
            return None
        one, other = self.count(phrase.part(0)), self.count(phrase.part(1))
        if phrase.rule == "times" and 0 in (one, other):
            return 0
        if one is None or other is None:
            return None
        if phrase.rule == "added":
            return one + other if phrase.words[0] == "+" else one - other
        return one * other if phrase.rule == "times" else one // (other or 1)

    def _count_named(self, name: str) -> int | None:
        if name not in self._counts:
            self._counts[name] = None
            body = self.bodies.get(name)
            self._counts[name] = self.count(self.reduce(body)) if body else None
        return self._counts[name]

    def holds(self, phrase: Phrase) -> bool | None:
        """Return what a test comes to; None if play decides."""
        if phrase.rule in ("name", "attribute") and phrase.words == ("is_joker",):
            return None if self.has_jokers else False
        if phrase.rule in ("name", "call"):
            return self._named(phrase if phrase.rule == "name" else phrase.part(0))
        if phrase.rule == "negated":
            inner = self.holds(phrase.part(0))
            return None if inner is None else not inner
        if phrase.rule == "compared":
            return self._compare(phrase)
        if phrase.rule == "member" and phrase.part(1).rule == "interval":
            numbers = [phrase.part(0), *phrase.part(1).parts]
            found = [self.count(part) for part in numbers if part is not None]
            item, low, high = found
            return self._lies_in(item, low, high)
        if phrase.rule in ("both", "either"):
            parts = [self.holds(phrase.part(0)), self.holds(phrase.part(1))]
            deciding = phrase.rule == "either"
            if deciding in parts:
                return deciding
            return None if None in parts else not deciding
        return None

    def reduce(self, phrase: Phrase) -> Phrase:
        """Return a phrase without the parts that are settled."""
        while (part := self._step(phrase)) is not None:
            phrase = part
        return phrase

    def is_idle(self, name: str) -> bool:
        """Tell whether a definition needs no explaining: its uses say it all."""
        if name not in self._idle:
            self._idle[name] = False
            self._idle[name] = self._is_idle(name)
        return self._idle[name]

    def _is_idle(self, name: str) -> bool:
        body = self.bodies.get(name)
        if body is None:
            return False
        body = self.reduce(body)
        if self.holds(body) is not None or self.count(body) is not None:
            return True
        parameter = self.parameters.get(name, "")
        if parameter:
            return body.rule == "name" and body.words == (parameter,)
        return body.rule == "name" or _is_chain(body)

    def _lies_in(
        self, item: int | None, low: int | None, high: int | None
    ) -> bool | None:
        """Return whether a number is in a range, as far as its ends are known."""
        if item is None:
            return None
        if (low is not None and item < low) or (high is not None and item > high):
            return False
        return None if low is None or high is None else True

    def is_counter(self, name: str) -> bool:
        """Tell whether a definition is 1 if a test holds, and 0 if not."""
        body, parameter = self.bodies.get(name), self.parameters.get(name, "")
        if body is None or body.rule != "choice" or not parameter:
            return False
        numbers = [self.count(body.part(index)) for index in (1, 2)]
        test = body.part(0)
        return numbers == [1, 0] and test.rule == "name" and test.words == (parameter,)

    def _step(self, phrase: Phrase) -> Phrase | None:
        if phrase.rule in ("name", "call") and self.holds(phrase) is None:
            head = phrase if phrase.rule == "name" else phrase.part(0)
            name = head.words[0] if head.rule == "name" else ""
            if self.is_idle(name):
                is_bare = phrase.rule == "name" and not self.parameters.get(name)
                if is_bare:
                    return self.bodies[name]
                return phrase.part(1) if phrase.rule == "call" else None
            return None
        if phrase.rule == "choice":
            held = self.holds(phrase.part(0))
            return None if held is None else phrase.part(1 if held else 2)
        if phrase.rule == "times":
            for index in (0, 1):
                if self.count(phrase.part(index)) == 1:
                    return phrase.part(1 - index)
        if phrase.rule == "added":
            if self.count(phrase.part(1)) == 0:
                return phrase.part(0)
            if self.count(phrase.part(0)) == 0 and phrase.words[0] == "+":
                return phrase.part(1)
        if phrase.rule == "filtered" and self.holds(phrase.part(1)):
            return phrase.part(0)
        if phrase.rule in ("both", "either"):
            idle = phrase.rule == "both"
            if self.holds(phrase.part(0)) is idle:
                return phrase.part(1)
            if self.holds(phrase.part(1)) is idle:
                return phrase.part(0)
        return None

    def _named(self, head: Phrase) -> bool | None:
        if head.rule != "name":
            return None
        word = head.words[0]
        if word in ("yes", "no"):
            return word == "yes"
        value = self.options.get(word)
        if isinstance(value, bool):
            return value
        if word not in self._held:
            self._held[word] = None
            body = self.bodies.get(word)
            self._held[word] = self.holds(body) if body else None
        return self._held[word]

    def _compare(self, phrase: Phrase) -> bool | None:
        one, other = phrase.part(0), phrase.part(1)
        numbers = self.count(one), self.count(other)
        if numbers[0] is not None and numbers[1] is not None:
            return _COMPARE[phrase.words[0]](numbers[0], numbers[1])
        chosen = self.options.get(one.words[0]) if one.rule == "name" else None
        if isinstance(chosen, str) and other.rule == "name":
            return (chosen == other.words[0]) == (phrase.words[0] == "==")
        return None


def _is_chain(phrase: Phrase) -> bool:
    """Tell whether a phrase is attributes of a thing: trick.first.suit."""
    while phrase.rule == "attribute":
        phrase = phrase.part(0)
        if phrase.rule == "name":
            return True
    return False
