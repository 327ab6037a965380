"""Run emitted games: states, moves, views, saved games, machine code."""
