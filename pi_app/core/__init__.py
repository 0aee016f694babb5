"""Values every other package speaks in; standard library only."""
