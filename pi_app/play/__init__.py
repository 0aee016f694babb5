"""A game at a table: frames to the judges, verdicts to the session, everything to a recording."""
