"""Voilà! at the table: phases, decisions and what is to be seen of them."""
