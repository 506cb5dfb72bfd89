"""Results are frozen, convert to JSON and HTML, and need only the standard library."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError
from html.parser import HTMLParser
from typing import Any

import pytest

from ventiuna.analysis import (
    blackjack_frequencies,
    insurance_wager,
    jackpot_report,
    match_wager,
    match_wagers,
    published_figures,
    round_awards,
    super_bonus_report,
)
from ventiuna.rules import fingerprint, load_rules

RULES = load_rules("wsgc-2021(jackpots=3c:1)")
RESULTS: dict[str, Any] = {
    "match": match_wager(RULES),
    "matches": match_wagers(RULES),
    "jackpot": jackpot_report(RULES),
    "awards": round_awards(RULES, 3, 2_500_000),
    "super bonus": super_bonus_report(RULES, [500, 2500]),
    "insurance": insurance_wager(RULES),
    "blackjacks": blackjack_frequencies(RULES),
}


class Cells(HTMLParser):
    """Counts cells and tracks tags that are still open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.cells += tag in ("td", "th")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen(name: str) -> None:
    with pytest.raises(FrozenInstanceError):
        RESULTS[name].basis = None


@pytest.mark.parametrize("name", RESULTS)
def test_json_results_include_their_rules(name: str) -> None:
    data = json.loads(json.dumps(RESULTS[name].as_data()))
    assert data["rules"] == "wsgc-2021(jackpots=3c:1)"
    assert data["fingerprint"] == fingerprint(RULES)
    assert data["cards"] == 288
    assert data["fresh_shoe"] is True


@pytest.mark.parametrize("name", [*RESULTS, "figures"])
def test_results_render_in_notebooks(name: str) -> None:
    result = published_figures() if name == "figures" else RESULTS[name]
    page = Cells()
    page.feed(result._repr_html_())
    assert page.open == []
    assert page.cells > 4


def test_a_partly_dealt_shoe_says_so() -> None:
    composition = tuple(max(0, count - 1) for count in [6] * 36 + [0] * 4 + [6] * 12)
    assert match_wager(RULES, composition).basis.shoe_text == "240 cards left"
    assert match_wager(RULES).basis.shoe_text == "fresh shoe, 288 cards"


def test_side_bets_need_only_the_standard_library() -> None:
    code = (
        "import sys, ventiuna.analysis as a\n"
        "from ventiuna.rules import load_rules\n"
        "a.match_wager(load_rules('wsgc-2021')), a.published_figures\n"
        "print(sorted({m.partition('.')[0] for m in sys.modules} & "
        "{'numpy', 'numba', 'typer', 'rich'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
