"""Play many games between bots and report what they show."""
