"""The simulated table and its parts."""
