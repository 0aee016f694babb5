"""The one error that is the user's to mend."""


class UserError(Exception):
    """What was got, what was wanted and where, in one line for the person at the keyboard; exit status 2."""
