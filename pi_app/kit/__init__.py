"""The owner's pieces and the printed mat: load, check, draw, print."""
