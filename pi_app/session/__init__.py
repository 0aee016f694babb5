"""One evening's game: decide, evolve, react, and the journal under it."""
