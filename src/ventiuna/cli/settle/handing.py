"""What a dealer does with the chips of a settled wager: pays, takes, returns."""

from __future__ import annotations

from ventiuna.engine.events import WagerSettled
from ventiuna.engine.sentences.payments import odds_words
from ventiuna.engine.stakes import WagerKind
from ventiuna.money import money_text
from ventiuna.records import record


@record(frozen=True, slots=True)
class Handing:
    """In cents; `returned` is the part of the bet that the player keeps. Jackpot lines pay "for"
    a bet that isn't returned (R-091)."""

    handed_over: int
    returned: int
    taken: int


def handing_of(payment: WagerSettled) -> Handing:
    if payment.wager.kind is WagerKind.JACKPOT:
        return Handing(payment.paid, 0, payment.stake)
    returned = min(payment.paid, payment.stake)
    return Handing(payment.paid - returned, returned, payment.stake - returned)


def handing_words(payment: WagerSettled) -> str:
    """`pay $20.00 (4 to 1 on $5.00), the bet stays`."""
    handing = handing_of(payment)
    pay, take = money_text(handing.handed_over), money_text(handing.taken)
    if not payment.stake:
        return f"pay {pay}"
    how = odds_words(payment.odds)
    if "%" not in how:  # a share of the meter doesn't depend on the bet
        how += f" on {money_text(payment.stake)}"
    if payment.wager.kind is WagerKind.JACKPOT:
        return f"pay {pay} ({how}), the bet isn't returned" if payment.paid else f"take {take}"
    if handing.handed_over:
        return f"pay {pay} ({how}), the bet stays"
    if handing.returned and handing.taken:
        return f"take {take}, return {money_text(handing.returned)} ({payment.odds})"
    if handing.returned:
        return f"{payment.odds}, the {money_text(handing.returned)} bet stays"
    return f"take {take}"
