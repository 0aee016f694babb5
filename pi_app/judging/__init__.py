"""Values over time in, verdicts out."""
