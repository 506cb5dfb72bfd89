"""The quality of a count under given rules: correlations, playing efficiency, slope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter, itemgetter
from typing import Annotated

from typing_extensions import TypedDict

from ventiuna.analysis.results import TableRow, TitledResult, data_of
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
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.strategy.counting import Count, SideCount
from ventiuna.texts import brief_repr


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


class SideGainData(TypedDict):
    side_count: Annotated[str, attrgetter("name")]
    betting_correlation_gain: Annotated[float, attrgetter("betting")]
    insurance_correlation_gain: Annotated[float | None, attrgetter("insurance")]
    playing_efficiency_gain: Annotated[float | None, attrgetter("playing")]


class TagData(TypedDict):
    card: str
    tag: float


class SideCountData(TypedDict):
    name: str
    weight: float
    start: float
    tags: list[TagData]


class SampledData(TypedDict):
    playing_efficiency: Annotated[float, attrgetter("efficiency.value")]
    standard_error: Annotated[float, attrgetter("efficiency.standard_error")]
    gain_by_count_per_wager: Annotated[float, attrgetter("by_count.value")]
    gain_by_count_standard_error: Annotated[float, attrgetter("by_count.standard_error")]
    gain_of_perfect_play_per_wager: Annotated[float, attrgetter("perfect.value")]
    gain_of_perfect_play_standard_error: Annotated[float, attrgetter("perfect.standard_error")]
    shoes: int
    seed: int


class SideCorrelation(TypedDict):
    wager: Annotated[str, itemgetter(0)]
    correlation: Annotated[float | None, itemgetter(1)]


class CountReportData(TypedDict):
    rules: Annotated[str, lambda report: canonical(report.rules)]
    fingerprint: Annotated[str, lambda report: fingerprint(report.rules)]
    count: Annotated[str, attrgetter("count.name")]
    kind: Annotated[str, lambda report: "true" if report.count.is_true else "running"]
    tags: Annotated[list[TagData], lambda report: _tag_data(report.count, report.rules)]
    sides: Annotated[list[SideCountData], attrgetter("sides_data")]
    side_gains: list[SideGainData]
    insurance_weights: Annotated[
        list[float], lambda report: map(float, report.count.insurance_weights)
    ]
    betting_correlation: Annotated[float, attrgetter("betting")]
    betting_correlation_of_main_count: Annotated[float, attrgetter("main_betting")]
    insurance_correlation: Annotated[float | None, attrgetter("insurance")]
    insurance_correlation_by_one_sum: Annotated[float | None, attrgetter("one_sum_insurance")]
    playing_efficiency: Annotated[float | None, attrgetter("playing")]
    playing_efficiency_by_one_sum: Annotated[float | None, attrgetter("one_sum_playing")]
    sampled: SampledData | None
    side_wagers: list[SideCorrelation]
    drift: float
    start: Annotated[float, lambda report: float(report.count.start_in(report.rules.pack))]
    scale: Annotated[str, lambda report: report.scale.text()]
    ev: float
    slope_per_wager: Annotated[float, attrgetter("slope")]
    break_even_at_count: Annotated[float | None, attrgetter("break_even")]
    warnings: list[str]


@dataclass(frozen=True)
class CountReport(TitledResult):
    """The quality of a count under given rules."""

    main_table = "tags"

    rules: Rules
    count: Count
    betting: float  # correlations
    main_betting: float  # correlation without the side counts
    insurance: float | None
    one_sum_insurance: float | None  # insurance correlation using the betting sum
    playing: float | None
    one_sum_playing: float | None
    side_gains: tuple[SideGain, ...]
    sampled: SampledEfficiency | None
    side_wagers: tuple[tuple[str, float | None], ...]
    drift: Fraction  # per deck
    ev: float  # value of a full shoe
    slope: float  # gain in value per true count

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
        """Warnings about anything that doesn't fit the pack or the rules."""
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

    @property
    def sides_data(self) -> list[SideCountData]:
        return [
            {
                "name": side.name,
                "weight": float(side.weight),
                "start": float(side.start_in(self.rules.pack)),
                "tags": _tag_data(side, self.rules),
            }
            for side in self.count.sides
        ]

    def as_data(self) -> CountReportData:
        return data_of(CountReportData, self)


def _tag_data(count: Count | SideCount, rules: Rules) -> list[TagData]:
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
