"""The scale a count is kept on, relative to the true count of a balanced count.

With d decks unseen of D, tags that add up to u in a deck and a running count that starts at s for
each deck, the running count at a balanced true count t is

    (s + u) D - u d + t d

and a true count is that over d. If a count starts at -u and is divided, this is t - u at every
depth, and t itself if the count balances. Otherwise it depends on the depth: halfway to the cut
card is used.
"""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.counting.depth import Depths
from ventiuna.counting.tags import number_text, tags_of
from ventiuna.rules import Rules
from ventiuna.strategy.counting import Count
from ventiuna.strategy.plays import Weights


@dataclass(frozen=True)
class Scale:
    """The scale of one count under some rules."""

    count: Count
    rules: Rules
    weights: Weights = ()  # of main and side counts; (): those of bets

    @property
    def _unseen_decks(self) -> float:
        depths = Depths(self.rules, tags_of(self.count, self.weights))
        return depths.middle / depths.deck

    def _offset(self) -> tuple[float, float]:
        """What is added at true count 0, and what one true count is, on the count's own scale."""
        drift = float(self.count.drift(self.rules.pack, self.weights))
        start = float(self.count.start_in(self.rules.pack, self.weights))
        decks = self._unseen_decks
        added = (start + drift) * self.rules.decks - drift * decks
        return (added / decks, 1.0) if self.count.is_true else (added, decks)

    def own(self, true_count: float) -> float:
        """What the count reads at a balanced true count."""
        added, step = self._offset()
        return added + step * true_count

    def true(self, own: float) -> float:
        """The balanced true count at what the count reads."""
        added, step = self._offset()
        return (own - added) / step

    def text(self) -> str:
        """One or two sentences: what the count's numbers are, and where a new shoe starts."""
        start, decks = self.count.start_in(self.rules.pack, self.weights), self.rules.decks
        first = number_text(start * decks, sign=bool(start))
        if not self.count.is_true:
            return (
                f"Counts are running counts. A new shoe starts at {first}. Indices apply halfway "
                f"to the cut card, with {self._unseen_decks:.1f} decks unseen."
            )
        divided = "Counts are true counts: the running count divided by the unseen decks."
        if not start:
            return f"{divided} A new shoe starts at 0."
        each = number_text(start, sign=True)
        return f"{divided} A new shoe starts at {first}, {each} a deck, and reads {each}."
