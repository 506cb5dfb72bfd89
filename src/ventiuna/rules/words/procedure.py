"""The dealer's steps, from opening the table to the order of every payment (R-102, R-120)."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.rules.model import Rules
from ventiuna.rules.words.check import (
    after_check_steps,
    blackjack_steps,
    check_steps,
    insurance_steps,
)
from ventiuna.rules.words.explained import explain
from ventiuna.rules.words.opening import (
    deal_steps,
    opening_steps,
    up_card_wager_steps,
    wager_steps,
)
from ventiuna.rules.words.play import play_steps
from ventiuna.rules.words.settlement import (
    award_steps,
    dealer_steps,
    down_card_wager_steps,
    end_steps,
    settlement_steps,
    super_bonus_steps,
)
from ventiuna.rules.words.steps import Step, document_id

_PARTS = (
    opening_steps,
    wager_steps,
    deal_steps,
    up_card_wager_steps,
    blackjack_steps,
    insurance_steps,
    check_steps,
    after_check_steps,
    play_steps,
    dealer_steps,
    settlement_steps,
    down_card_wager_steps,
    award_steps,
    super_bonus_steps,
    end_steps,
)


def procedure(rules: Rules) -> list[Step]:
    """Only the steps that these rules have, in order; rules of other documents are marked."""
    own = document_id(rules)
    steps = (step for part in _PARTS for step in part(rules))
    return [step._replace(borrowed=tuple(_borrowed(step, own))) for step in steps]


def _borrowed(step: Step, own: str) -> Iterator[tuple[str, str]]:
    """Rules behind the step that the table's own document doesn't have."""
    for number in step.rules:
        documents = [document.id for document in explain(number).documents]
        if own and number.startswith("R") and own not in documents:
            yield ", ".join(documents), number
