"""The quality of a count under given rules: correlations, playing efficiency, slope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.results import TableRow, TitledResult
from ventiuna.counting.efficiency import (
    EffectsCalculator,
    SampledEfficiency,
    check_sample,
    sampled_efficiency,
)
from ventiuna.counting.removal import (
    correlation,
    joint_correlation,
    slope_per_true_count,
)
from ventiuna.counting.tags import (
    Depths,
    Scale,
    Tags,
    distinguishing_tags,
    named_tags,
    parts_of,
    tags_text,
)
from ventiuna.records import brief_repr
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.strategy.counting import Count, SideCount


@dataclass(frozen=True)
class SideGain:
    """The gain from one side count on top of the others, or the figures of several counts."""

    name: str
    betting: float  # correlation
    insurance: float | None
    playing: float | None  # efficiency

    def over(self, name: str, without: SideGain) -> SideGain:
        def gain(one: float | None, other: float | None) -> float | None:
            return None if one is None or other is None else one - other

        betting = self.betting - without.betting
        insurance = gain(self.insurance, without.insurance)
        return SideGain(name, betting, insurance, gain(self.playing, without.playing))

    def as_data(self) -> dict[str, object]:
        return {
            "side_count": self.name,
            "betting_correlation_gain": self.betting,
            "insurance_correlation_gain": self.insurance,
            "playing_efficiency_gain": self.playing,
        }


@dataclass(frozen=True)
class CountReport(TitledResult):
    """The quality of a count under given rules."""

    main_table = "tags"

    rules: Rules
    count: Count
    betting: float  # correlations
    main_betting: float  # without the side counts
    insurance: float | None
    one_sum_insurance: float | None  # using the betting sum
    playing: float | None
    one_sum_playing: float | None
    side_gains: tuple[SideGain, ...]
    sampled: SampledEfficiency | None
    side_wagers: tuple[tuple[str, float | None], ...]
    drift: Fraction  # per deck
    ev: float  # of a full shoe
    slope: float  # of the value per true count

    __repr__ = brief_repr

    @property
    def break_even(self) -> float | None:
        """The count, on its own scale, at which the base game breaks even, to first order."""
        return self.scale.own(-self.ev / self.slope) if self.slope > 0 else None

    @property
    def scale(self) -> Scale:
        return Scale(self.count, self.rules)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about anything that doesn't suit the pack or the rules."""
        found = (self.count.misfit(self.rules.pack), self.count.unlike(self.rules))
        return tuple(filter(None, found))

    @property
    def tags(self) -> str:
        return tags_text(named_tags(self.count, self.rules.pack))

    @property
    def title(self) -> str:
        return f"{self.count.title}, {canonical(self.rules)}"

    def rows(self) -> list[TableRow]:
        """Tags of the main count and each side count; the quality figures are in the facts."""
        parts: tuple[Count | SideCount, ...] = (self.count, *self.count.sides)
        return [
            {"count": part.name, "card": name, "tag": float(tag)}
            for part in parts
            for name, tag in named_tags(part, self.rules.pack)
        ]

    def more_facts(self) -> dict[str, object]:
        return {
            "count": self.count.name,
            "betting_correlation": self.betting,
            "insurance_correlation": self.insurance,
            "playing_efficiency": self.playing,
            "drift": float(self.drift),
            "scale": self.scale.text(),
            "break_even_at_count": self.break_even,
        }

    def as_data(self) -> dict[str, object]:
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "count": self.count.name,
            "kind": "true" if self.count.is_true else "running",
            "tags": _tag_data(self.count, self.rules),
            "sides": [
                {
                    "name": side.name,
                    "weight": float(side.weight),
                    "start": float(side.start_in(self.rules.pack)),
                    "tags": _tag_data(side, self.rules),
                }
                for side in self.count.sides
            ],
            "side_gains": [gain.as_data() for gain in self.side_gains],
            "insurance_weights": [float(weight) for weight in self.count.insurance_weights],
            "betting_correlation": self.betting,
            "betting_correlation_of_main_count": self.main_betting,
            "insurance_correlation": self.insurance,
            "insurance_correlation_by_one_sum": self.one_sum_insurance,
            "playing_efficiency": self.playing,
            "playing_efficiency_by_one_sum": self.one_sum_playing,
            "sampled": None
            if self.sampled is None
            else {
                "playing_efficiency": self.sampled.efficiency.value,
                "standard_error": self.sampled.efficiency.standard_error,
                "gain_by_count_per_wager": self.sampled.by_count.value,
                "gain_by_count_standard_error": self.sampled.by_count.standard_error,
                "gain_of_perfect_play_per_wager": self.sampled.perfect.value,
                "gain_of_perfect_play_standard_error": self.sampled.perfect.standard_error,
                "shoes": self.sampled.shoes,
                "seed": self.sampled.seed,
            },
            "side_wagers": [
                {"wager": wager, "correlation": found} for wager, found in self.side_wagers
            ],
            "drift": float(self.drift),
            "start": float(self.count.start_in(self.rules.pack)),
            "scale": self.scale.text(),
            "ev": self.ev,
            "slope_per_wager": self.slope,
            "break_even_at_count": self.break_even,
            "warnings": list(self.warnings),
        }


def _tag_data(count: Count | SideCount, rules: Rules) -> list[dict[str, object]]:
    return [{"card": name, "tag": float(tag)} for name, tag in named_tags(count, rules.pack)]


def evaluate_count(
    workshop: EffectsCalculator, count: Count, sample: int = 0, seed: int = 21, playing: bool = True
) -> CountReport:
    """Correlations, playing efficiency, drift and slope of a count."""
    if sample:
        check_sample(sample, seed)
    rules = workshop.rules
    tags = distinguishing_tags(count, rules.pack)
    effects = workshop.betting
    parts = parts_of(count)
    depths = Depths(rules, tags)

    def figures(counts: Sequence[Tags]) -> SideGain:
        """Evaluate parallel counts, using the best sum of them for each purpose."""
        insured = workshop.insurance
        return SideGain(
            "",
            betting=joint_correlation(effects, counts) or 0.0,
            insurance=None if insured is None else joint_correlation(insured, counts),
            playing=workshop.playing.efficiency(counts, depths) if playing else None,
        )

    complete, one_sum = figures(parts), figures([tags])
    return CountReport(
        rules=rules,
        count=count,
        betting=complete.betting,
        main_betting=figures(parts[:1]).betting,
        insurance=complete.insurance,
        one_sum_insurance=one_sum.insurance,
        playing=complete.playing,
        one_sum_playing=one_sum.playing,
        side_gains=tuple(
            complete.over(side.name, figures([*parts[:place], *parts[place + 1 :]]))
            for place, side in enumerate(count.sides, 1)
        ),
        sampled=sampled_efficiency(rules, tags, sample, seed, workshop.base, workshop.each)
        if sample
        else None,
        side_wagers=tuple((e.wager, correlation(e, tags)) for e in workshop.side_wagers),
        drift=count.drift(rules.pack),
        ev=effects.value,
        slope=slope_per_true_count(effects, tags, depths.deck),
    )
