"""Tell a key that is held down from one that is pressed again.

A terminal sends a held key again and again and never says that it was let go; of
two keys that are held it repeats the last alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Seconds: keys repeat faster than this, once they do, and begin within the other.
_REPEAT: Final = 0.06
_FIRST_REPEAT: Final = 0.8


@dataclass
class HeldKeys:
    """The last key and when it came; a second press waits until it is clear."""

    _key: str = ""
    _time: float = -10.0
    _waiting: float = 0.0
    _is_held: bool = False

    def press(self, key: str, now: float) -> list[str]:
        """Note a key; return which count at once: one that waited, and this one."""
        gap = now - self._time
        is_same = key == self._key
        counted = []
        if not is_same and self._waiting:
            counted.append(self._key)  # somebody who holds it would go on
        self._key, self._time = key, now
        if not is_same or gap > _FIRST_REPEAT:
            self._waiting, self._is_held = 0.0, False
            return [*counted, key]
        if gap < _REPEAT:
            self._waiting, self._is_held = 0.0, True
            return []
        if not self._is_held or gap > 2 * _REPEAT:
            self._waiting, self._is_held = now, False
        return []

    def ripe(self, now: float) -> str:
        """Return the key that has turned out to be pressed again, if one has."""
        if self._waiting and now - self._waiting > _REPEAT:
            self._waiting = 0.0
            return self._key
        return ""
