"""A PAR sheet as plain data for JSON; keys are stable."""

from __future__ import annotations

from ventiuna.analysis.questions.again import command_text
from ventiuna.installed import version
from ventiuna.reports.par.method import METHOD
from ventiuna.reports.par.study import ParQuestion, ParStudy
from ventiuna.rules.words.data import card_data

Data = dict[str, object]


def par_data(study: ParStudy, question: ParQuestion) -> Data:
    """The same input gives the same data: no time is in it."""
    analysis = study.analysis.as_data()
    side_bets = study.side_bets.as_data()
    return {
        **analysis,
        "version": version(),
        "rules_in_words": card_data(study.rules),
        "sd": study.sd,
        "sd_reason": study.sd_reason or None,
        "spots": study.together.as_data(),
        "super_bonus_edges": [
            {
                "base_cents": bonus.base,
                "pays_cents": bonus.pays,
                "house_edge": bonus.house_edge,
                "one_in": bonus.one_in,
            }
            for bonus in study.bonuses
        ],
        **study.events.as_data(),
        "dealer_outcomes": study.dealer.as_data()["up_cards"],
        "vary": [
            {
                "name": varied.variation.name,
                "words": varied.variation.words,
                "house_edge": varied.house_edge,
                "change": varied.change,
            }
            for varied in study.varied
        ],
        "strategies": [strategy.as_data() for strategy in study.strategies],
        "side_bets": side_bets,
        "jackpot_funding": [funding.as_data() for funding in study.funding],
        "wager_cents": study.wager,
        "holds": [hold.as_data() for hold in study.holds],
        "countability": study.countability.as_data(),
        "method": [{"figure": name, "rests_on": text} for name, text in METHOD],
        "command": command_text([*question.words(study.rules), "--json"]),
    }
