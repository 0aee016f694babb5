"""One library each: the real parts."""
