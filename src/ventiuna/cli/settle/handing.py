"""What a dealer does with the chips of a settled wager: hands over, takes, leaves."""

from __future__ import annotations

from ventiuna.engine.events import WagerSettled
from ventiuna.engine.stakes import WagerKind
from ventiuna.money import money_text
from ventiuna.records import record


@record(frozen=True, slots=True)
class Handing:
    """In cents; what is returned is the player's own wager. A jackpot's lines pay "for" a wager
    that does not come back (R-091)."""

    handed_over: int
    returned: int
    taken: int


def handing_of(payment: WagerSettled) -> Handing:
    if payment.wager.kind is WagerKind.JACKPOT:
        return Handing(payment.paid, 0, payment.stake)
    returned = min(payment.paid, payment.stake)
    return Handing(payment.paid - returned, returned, payment.stake - returned)


def handing_words(payment: WagerSettled) -> str:
    """`6 for 1 on $1.00: $6.00 handed over`."""
    handing = handing_of(payment)
    stake = money_text(payment.stake)
    if payment.wager.kind is WagerKind.JACKPOT:
        if not payment.paid:
            return f"{payment.odds}, the {stake} stays collected"
        return f"{payment.odds} on {stake}: {money_text(payment.paid)} handed over"
    if not payment.stake:
        return f"{money_text(payment.paid)} handed over"
    if handing.handed_over:
        return (
            f"{payment.odds} on {stake}: {money_text(handing.handed_over)} handed over, "
            "the wager goes back"
        )
    if handing.returned and handing.taken:
        back = money_text(handing.returned)
        return f"{payment.odds}: {money_text(handing.taken)} taken, {back} goes back"
    if handing.returned:
        return f"{payment.odds}: the {stake} goes back"
    return f"{payment.odds}: {money_text(handing.taken)} taken"
