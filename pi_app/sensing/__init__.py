"""Edges, tag reads and heard words to presses, tiles and answers."""
