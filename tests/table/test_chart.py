"""The chart of accounts: exactly which accounts exist and how money may move."""

from __future__ import annotations

import pytest

from ventiuna.table.ledger import (
    ACCOUNT_RULES,
    POSTING_KINDS,
    AccountKind,
    Bound,
    ChartError,
    PostingCode,
    account_code,
    kind_of,
    posting_kind,
)

LISTED = """
issue: mint > wallet; redeem: wallet > mint; buy_in: wallet > stack; cash_out: stack > wallet
wager: stack > stake; take_back: stake > stack
double: stack > stake; split: stack > stake; insurance: stack > stake
returned: stake > stack; won: bank > stack; lost: stake > bank
contribution: bank > meter; reserve: bank > reserve
fold: meter > meter; fold: reserve > reserve; overflow: meter > reserve; award: meter > stack
reserve_seed: reserve > meter; seed: advance > meter; seed_won: house > advance
seed_back: reserve > advance; seed_back: meter > advance
correct_up: house > meter; correct_down: meter > reserve; receipts: reserve > house
house_prize: bank > stack; super_bonus: bank > stack; envy_bonus: bank > stack
void_stake: stake > stack; void_won: stack > bank; void_lost: bank > stack
fill: house > bank; drop: bank > house
moved: meter > meter; moved: reserve > reserve
award: meter > due; house_prize: bank > due; hand_pay: due > wallet
correction_paid: bank > wallet; correction_taken: wallet > bank
"""


def test_exactly_these_postings_are_listed() -> None:
    listed = [way.strip() for way in LISTED.replace("\n", ";").split(";") if way.strip()]
    ours = [f"{kind.code}: {kind.from_kind} > {kind.to_kind}" for kind in POSTING_KINDS]
    assert sorted(ours) == sorted(listed)
    assert {kind.code for kind in POSTING_KINDS} == set(PostingCode)
    assert all(kind.meaning for kind in POSTING_KINDS)


def test_the_house_is_never_paid_out_of_a_displayed_meter() -> None:
    paid_by_meter = {kind.to_kind for kind in POSTING_KINDS if kind.from_kind == "meter"}
    assert paid_by_meter == {"meter", "reserve", "stack", "advance", "due"}
    paid_to_house = {kind.from_kind for kind in POSTING_KINDS if kind.to_kind == "house"}
    assert paid_to_house == {"bank", "reserve"}


def test_every_account_kind_has_its_bound() -> None:
    bounds = {kind: ACCOUNT_RULES[kind].bound for kind in AccountKind}
    below = {kind for kind, bound in bounds.items() if bound is Bound.NOT_BELOW_ZERO}
    above = {kind for kind, bound in bounds.items() if bound is Bound.NOT_ABOVE_ZERO}
    assert below == {"wallet", "stack", "stake", "meter", "reserve", "due"}
    assert above == {"mint", "advance"}


@pytest.mark.parametrize(
    "code",
    [
        *("mint", "house", "wallet/12", "stack/7/3", "stake/7", "bank/7"),
        *("meter/2", "meter/2/7", "reserve/2", "reserve/2/7", "advance/2", "due/7"),
    ],
)
def test_accounts_are_named_by_kind_and_numbers(code: str) -> None:
    kind, *numbers = code.split("/")
    assert kind_of(code) == kind
    assert account_code(AccountKind(kind), *map(int, numbers)) == code


@pytest.mark.parametrize(
    "code",
    [
        *("", "wallet/1\n", "wallet/\N{ARABIC-INDIC DIGIT ONE}", "wallet/" + "9" * 20),
        *("mint/1", "wallet", "wallet/0", "wallet/01", "wallet/-1", "wallet/1/2"),
        *("purse/1", "Wallet/1", "stack/7", "meter/1/2/3"),
    ],
)
def test_other_accounts_are_refused(code: str) -> None:
    with pytest.raises(ChartError, match="isn't an account"):
        kind_of(code)


@pytest.mark.parametrize(
    ("code", "from_kind", "to_kind"),
    [
        ("receipts", AccountKind.METER, AccountKind.HOUSE),
        ("won", AccountKind.STACK, AccountKind.BANK),
        ("gift", AccountKind.HOUSE, AccountKind.WALLET),
    ],
)
def test_other_postings_are_refused(
    code: str, from_kind: AccountKind, to_kind: AccountKind
) -> None:
    with pytest.raises(ChartError, match="There is no posting"):
        posting_kind(code, from_kind, to_kind)
