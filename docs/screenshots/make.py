"""Draw the pictures of the table in this folder: python docs/screenshots/make.py."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import cardrun
from cardrun.interpreter.clock import Reaction
from cardrun.interpreter.simulation.match import seat_bots
from cardrun.interpreter.tables.drawn import Look
from cardrun.interpreter.tables.host import Host
from cardrun.interpreter.tables.screen import TableApp

FOLDER: Final = Path(__file__).parent
SIZE: Final = (84, 26)
# Each game, its seed, and how many seconds are played by bots before the picture.
SHOWN: Final = {
    "spit": (3, 9),
    "speed": (5, 9),
    "back_alley": (8, 14),
    "idiot": (3, 12),
}


async def draw(name: str, seed: int, seconds: int) -> None:
    """Play a while and save what the screen of seat 1 shows."""
    game = cardrun.load(name)
    time = [0.0]
    bots = seat_bots(["random"] * game.players)
    host = Host(game.new(seed), [1], bots, Reaction(900, 300), lambda: time[0])
    app = TableApp(host, Look(game.deck), lambda: time[0])
    async with app.run_test(size=SIZE) as pilot:
        while time[0] < seconds:
            time[0] += 1.0
            app.tick()
            if app.can_act(app.person) and app.state.moves(1):
                # The person is a bot for once.
                move = host.bots[1].choose(app.state, 1, host._streams[1])
                app._make(app.person, move)
            app.draw()
            await pilot.pause()
        (FOLDER / f"{name}.svg").write_text(
            app.export_screenshot(title=game.name), encoding="utf-8"
        )


def main() -> None:
    """Draw all pictures."""
    for name, (seed, seconds) in SHOWN.items():
        asyncio.run(draw(name, seed, seconds))


if __name__ == "__main__":
    main()
