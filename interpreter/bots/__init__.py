"""Bots: one a file, each choosing among the moves it is offered."""
