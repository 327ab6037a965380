"""Let bots think beside the table, which goes on meanwhile."""

from __future__ import annotations

import threading
import time
from queue import SimpleQueue
from typing import TYPE_CHECKING

from ..rng import Rng

if TYPE_CHECKING:
    from ..bots import Bot
    from ..engine.state import Move, State


class Dropped(Exception):
    """Nobody waits for a thought any longer."""


class Thought:
    """What a bot makes of a game as it stood when it began to think.

    It has copies of the game and of the bot's random stream: whatever comes of
    it, neither has changed until the move is taken.
    """

    def __init__(self, bot: Bot, state: State, seat: int, stream: Rng) -> None:
        """Take copies; run it to think."""
        self.is_dropped = False
        self._bot = bot
        self._state = state.copy()
        self._seat = seat
        self._stream = stream
        self._draws = Rng(0)
        self._draws.words = stream.words
        self._move: Move | None = None
        self._error: BaseException | None = None

    @property
    def is_ready(self) -> bool:
        """Tell whether it has come to an end."""
        return self._move is not None or self._error is not None

    def run(self) -> None:
        """Think, unless nobody waits for it."""
        if self.is_dropped:
            return
        try:
            self._move = self._bot.choose(self._state, self._seat, self._draws)
        except Dropped:
            return
        except BaseException as error:  # it is the table's, which takes the move
            self._error = error

    def drop(self) -> None:
        """Want it no longer: it ends at the bot's next look at the clock."""
        self.is_dropped = True

    def take(self) -> Move:
        """Return the move, for which the bot's stream has been drawn from.

        Raises:
            BaseException: What went wrong while the bot thought.
        """
        if self._error is not None:
            raise self._error
        assert self._move is not None, "it has not come to an end"
        self._stream.words = self._draws.words
        return self._move


class Thinker:
    """A thread on which bots think, one after another: they share what they need.

    It ends with the program, in whatever thought it is.
    """

    def __init__(self) -> None:
        """Begin with the first thought."""
        self._waiting: SimpleQueue[Thought] = SimpleQueue()
        self._thought: Thought | None = None

    def begin(self, thought: Thought) -> None:
        """Have a thought run when those before it are done."""
        if self._thought is None:
            self._thought = thought
            threading.Thread(target=self._listen, daemon=True).start()
        self._waiting.put(thought)

    def clock(self) -> float:
        """Return the time in seconds to a bot that thinks.

        Raises:
            Dropped: Nobody waits for what it thinks of.
        """
        if self._thought is not None and self._thought.is_dropped:
            raise Dropped
        return time.monotonic()

    def _listen(self) -> None:
        while True:
            self._thought = self._waiting.get()
            self._thought.run()
