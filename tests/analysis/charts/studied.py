"""Charts used by several tests, derived once."""

from functools import cache

from ventiuna.analysis.charts.derivation import WORTH, ChartResult, Pricing, derive_chart
from ventiuna.rules import load_rules
from ventiuna.strategy.chart import built_in_charts

SPANISH = "wsgc-spanish-21"
DOUBLE_DOUBLE = "wsgc-spanish-21(double_double=on)"
SUPER_FUN = "super-fun-21"
BLACKJACK = "blackjack"
PRESETS = (SPANISH, DOUBLE_DOUBLE, SUPER_FUN, BLACKJACK)
PUBLISHED = "spanish-21-h17"


@cache
def derived(rules: str, base: int | None = None, worth: float = WORTH) -> ChartResult:
    return derive_chart(load_rules(rules), base, worth)


@cache
def priced(rules: str, chart: str) -> ChartResult:
    return _pricing(rules).price(built_in_charts()[chart])


@cache
def _pricing(rules: str) -> Pricing:
    return Pricing(load_rules(rules), None)
