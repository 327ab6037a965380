"""What a table says to people, in their language: its own texts and those of rules."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..sheets.translation import Translation


@dataclass(frozen=True, slots=True)
class Speech:
    """Says things in one language; what has no words there yet stays English."""

    words: Translation = field(default_factory=Translation)

    @property
    def is_right_to_left(self) -> bool:
        """Tell whether lines begin at the right."""
        return self.words.is_right_to_left

    def say(self, text: str, **values: object) -> str:
        """Return one of the table's own texts with its placeholders filled in."""
        return self.words.translate(text).format(**values)

    def name(self, word: str) -> str:
        """Return what people call a zone, a variable, a suit or a choice.

        The name of a zone is in the line of the rule sheet that describes it.
        """
        name = word.replace("_", " ")
        if self.words.has(name):
            return self.words.translate(name)
        line = re.compile(rf"{re.escape(name)}( piles| cards)?: ", re.IGNORECASE)
        for text, told in self.words.texts.items():
            if line.match(text) and ":" in told:
                told = told.partition(":")[0]
                return told[:1].lower() + told[1:]
        return name

    def rule(self, text: str) -> str:
        """Return a text of the rules, which begins a line on their sheet."""
        if self.words.has(text):
            return self.words.translate(text)
        line = text[:1].upper() + text[1:]
        told = self.words.translate(line)
        return text if told == line else told[:1].lower() + told[1:]

    def call(self, seat: int) -> str:
        """Return what a player is called."""
        return self.say("player {seat}", seat=seat)
