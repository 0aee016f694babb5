"""Vowl's words: which words solve a card, why another does not, and practice decks. Pure but for reading its files.

    words = load_words()                     # once, some 10 ms; load_words(load_own_words(path)) with the owner's own
    words.answers("SVR")                     # saver, savor, sever, severe with their size classes; () where none fits
    words.check("SVR", "savior")             # Accepted, or Refused with Why and the letters at fault
    words.near_misses("SVR")                 # savior, savory and others that a player may say in error
    practice_decks(words, box, seed=1)       # 400 cards of a default box

`words.source` names the list, its version, its licence's file and its hashes.
"""

from pi_app.games.words.decks import PracticeCard, practice_decks, rude_words, solvable_cards, unsolvable
from pi_app.games.words.own import OwnWords, load_own_words, parse_own_words
from pi_app.games.words.rule import Why, consonants, folded, parse_letters
from pi_app.games.words.wordlist import Accepted, Answer, Refused, Source, WordList, load_words

__all__ = [
    "Accepted",
    "Answer",
    "OwnWords",
    "PracticeCard",
    "Refused",
    "Source",
    "Why",
    "WordList",
    "consonants",
    "folded",
    "load_own_words",
    "load_words",
    "parse_letters",
    "parse_own_words",
    "practice_decks",
    "rude_words",
    "solvable_cards",
    "unsolvable",
]
