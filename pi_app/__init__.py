"""Table Umpire: a Raspberry Pi device that referees board games on the table."""

__version__ = "0.1.0"
