"""Take acts back, until something that was hidden has been revealed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .board import count_known_cards

if TYPE_CHECKING:
    from ..engine.state import State
    from .record import Recorder


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position before a person's act: all of it, what they knew, and the file."""

    vector: list[int]
    known: Counter[str]
    mark: int


@dataclass
class History:
    """The positions before the acts of one person, the last one first to come back."""

    _moments: list[_Moment] = field(default_factory=list)

    def note(self, state: State, seat: int, recorder: Recorder | None) -> None:
        """Remember a position before an act."""
        known = count_known_cards(state.view(seat))
        mark = recorder.mark() if recorder is not None else 0
        self._moments.append(_Moment(state.vector[:], known, mark))

    def forget(self) -> None:
        """Forget all, since others have shown what they chose unseen."""
        self._moments.clear()

    def drop(self) -> None:
        """Forget the last position, since its act was refused."""
        self._moments.pop()

    def take_back(self, state: State, seat: int, recorder: Recorder | None) -> str:
        """Take the last act back, in the saved game too.

        Returns:
            Why it cannot be; nothing if it was done.

        Raises:
            OSError: The saved game cannot be changed.
        """
        if state.is_race:
            return "a race has no undo"
        if not self._moments:
            return "there is nothing to undo"
        moment = self._moments[-1]
        if count_known_cards(state.view(seat)) - moment.known:
            return "something was revealed since then: no undo"
        if recorder is not None:
            recorder.cut(moment.mark)
        self._moments.pop()
        state.vector[:] = moment.vector
        return ""
