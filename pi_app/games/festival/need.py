"""What one cell of a pattern, or one counted token, must show."""

from dataclasses import dataclass

from pi_app.games.festival.tokens import Pile, Token

MAX_LEVEL = 9
"""Highest level a goal may ask for."""


@dataclass(frozen=True, slots=True)
class Need:
    """A visible token of that colour and motif (None: of any) that is at least the `level`-th of its pile."""

    colour: str | None = None
    motif: str | None = None
    level: int = 1

    def accepts(self, token: Token) -> bool:
        """Return whether the token is of the right kind, whatever its level."""
        return self.colour in (None, token.colour) and self.motif in (None, token.motif)

    def cost(self, pile: Pile) -> int:
        """Return how many tokens must be placed on a pile until its visible one is as needed."""
        height = len(pile)
        if height >= self.level and self.accepts(pile[-1]):
            return 0
        return max(1, self.level - height)

    def __str__(self) -> str:
        kind = "/".join(part for part in (self.colour, self.motif) if part) or "*"
        return kind if self.level == 1 else f"{kind}@{self.level}"
