"""Tables: where people play, on a terminal."""
