"""Give rules their meaning: names, types, checks and the emitted Python."""
