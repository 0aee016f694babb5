"""Learning a kit from the owner's own pieces, laid on the mat before the camera one by one."""
