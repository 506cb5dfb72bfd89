"""One round or refusal of a file, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ventiuna.cards import RANKS, card_text
from ventiuna.core.cards import rank_of
from ventiuna.notation import Replay
from ventiuna.notation.whatever_suits import DEALER, Place


@dataclass
class Verdict:
    id: str
    title: str
    verdict: str  # agrees, settled, differs, refused, not refused, unreadable, described only
    lines: list[str] = field(default_factory=list)
    played: Replay | None = None
    suitless: frozenset[Place] = frozenset()  # places of cards that were written without a suit

    @property
    def is_fault(self) -> bool:
        return self.verdict in ("differs", "not refused", "unreadable", "refused by the rules")

    def cards(self, holder: str, cards: list[int] | tuple[int, ...]) -> str:
        """Cards as they were written: each with its suit, or without where it had none."""
        return " ".join(
            RANKS[rank_of(card) - 1] if Place(holder, number) in self.suitless else card_text(card)
            for number, card in enumerate(cards)
        )

    @property
    def surplus(self) -> list[str]:
        """Recorded dealer cards that the rules don't draw, as they were written."""
        if self.played is None:
            return []
        drawn = self.played.state.dealer
        return self.cards(DEALER, [*drawn, *self.played.surplus]).split()[len(drawn) :]


def total_of(played: Replay, spot: int) -> int:
    """The result of a spot in cents."""
    return sum(sum(amounts) for amounts in played.net(spot).values())


def totals_of(played: Replay) -> dict[str, int]:
    """The result of each person, over all of the person's spots."""
    totals: dict[str, int] = {}
    for spot in played.record.spots:
        totals[spot.name] = totals.get(spot.name, 0) + total_of(played, spot.number)
    return totals
