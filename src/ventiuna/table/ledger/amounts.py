"""How much money one command may move."""

from __future__ import annotations

from ventiuna.core.refusal_codes import RefusalCode
from ventiuna.engine.errors import Refused, shown
from ventiuna.money import LARGEST_AMOUNT, money_text


def check_amount(amount: int, what: str) -> None:
    """Refuse what is not cents that can be moved; `what` is done with them."""
    if amount <= 0:
        sentence = f"amount: {what} whole cents above zero, not {shown(amount)}."
        raise Refused(RefusalCode.NOT_CENTS, (), sentence)
    if amount > LARGEST_AMOUNT:
        sentence = f"amount: {what} at most {money_text(LARGEST_AMOUNT)} at a time."
        raise Refused(RefusalCode.NOT_CENTS, (), sentence)
