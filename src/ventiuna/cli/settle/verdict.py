"""One round or refusal of a file, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ventiuna.cards import RANKS, cards_text
from ventiuna.core.cards import rank_of
from ventiuna.notation import Replay


@dataclass
class Verdict:
    id: str
    title: str
    verdict: str  # agrees, settled, differs, refused, not refused, unreadable, described only
    lines: list[str] = field(default_factory=list)
    played: Replay | None = None
    without_suits: bool = False  # some card was written without its suit

    @property
    def is_fault(self) -> bool:
        return self.verdict in ("differs", "not refused", "unreadable", "refused by the rules")

    def cards(self, cards: list[int] | tuple[int, ...]) -> str:
        """Cards as they were written: without suits where some had none."""
        if not self.without_suits:
            return cards_text(cards)
        return " ".join(RANKS[rank_of(card) - 1] for card in cards)


def total_of(played: Replay, spot: int) -> int:
    """The result of a spot in cents."""
    return sum(sum(amounts) for amounts in played.net(spot).values())


def totals_of(played: Replay) -> dict[str, int]:
    """The result of each person, over all of the person's spots."""
    totals: dict[str, int] = {}
    for spot in played.record.spots:
        totals[spot.name] = totals.get(spot.name, 0) + total_of(played, spot.number)
    return totals
