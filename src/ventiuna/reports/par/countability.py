"""How much the cards that are gone move each wager, and how well simple counts would follow it."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.counting.correlation import deviation_at
from ventiuna.counting.design import Wish, design_counts
from ventiuna.counting.evaluate import CountReport, evaluate_count
from ventiuna.counting.removal import Effects
from ventiuna.counting.tags import value_classes
from ventiuna.counting.workshop import Workshop
from ventiuna.reports.numbers import PERCENT
from ventiuna.rules import Rules

LEVELS = (1, 2)
DEPTHS = (0.5, 0.75)  # shares of the shoe that are dealt


@dataclass(frozen=True, slots=True)
class Countability:
    """Effects of removal by wager, those of one card per deck; + is better for the player."""

    rules: Rules
    wagers: tuple[Effects, ...]  # the base game first
    counts: tuple[CountReport, ...]  # the best of each level, for the size of the wager

    def effects(self) -> dict[str, dict[str, float]]:
        """By wager and value of the card, one card of each deck gone."""
        return {
            effects.wager: {
                kind.name: self.rules.decks * effects.of(kind.cards)
                for kind in value_classes(self.rules.pack)
            }
            for effects in self.wagers
        }

    def deviations(self) -> list[tuple[float, float]]:
        """How far the base game's value strays when such a share of the shoe is dealt."""
        cards = self.rules.shoe_size
        return [(dealt, deviation_at(self.wagers[0], cards * (1 - dealt))) for dealt in DEPTHS]

    def as_data(self) -> dict[str, object]:
        return {
            "effects_of_one_card_per_deck": [
                {"wager": wager, "card": value, "effect_points": PERCENT * effect}
                for wager, found in self.effects().items()
                for value, effect in found.items()
            ],
            "deviation_of_value": [
                {"dealt_percent": PERCENT * dealt, "deviation_points": PERCENT * deviation}
                for dealt, deviation in self.deviations()
            ],
            "counts": [
                {
                    "level": level,
                    "tags": report.tags,
                    "betting_correlation": report.betting,
                    "insurance_correlation": report.insurance,
                    "break_even_true_count": report.break_even,
                }
                for level, report in zip(LEVELS, self.counts, strict=True)
            ],
        }


def countability(rules: Rules) -> Countability:
    workshop = Workshop(rules)
    counts = []
    for level in LEVELS:
        best = design_counts(workshop, Wish(level=level))[0]
        counts.append(evaluate_count(workshop, best, playing=False))
    insurance = () if workshop.insurance is None else (workshop.insurance,)
    wagers = (workshop.betting, *insurance, *workshop.side_wagers)
    return Countability(rules, wagers, tuple(counts))
