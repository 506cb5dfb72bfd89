"""The chart of accounts: what may hold money, within which bounds, and every way it may move.

A posting moves an amount from one account to another, so all balances together are always 0.
The database knows the same bounds and the same list of kinds, and refuses all else; so no row
can pay the house out of a displayed meter, and a meter falls for a listed reason only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from ventiuna.errors import VentiunaError


class ChartError(VentiunaError, ValueError):
    """An account or a posting that the chart does not list."""


class Bound(StrEnum):
    """How far a balance may go."""

    NONE = "none"
    NOT_BELOW_ZERO = "not below zero"
    NOT_ABOVE_ZERO = "not above zero"


class AccountKind(StrEnum):
    MINT = "mint"
    HOUSE = "house"
    WALLET = "wallet"
    STACK = "stack"
    STAKE = "stake"
    BANK = "bank"
    METER = "meter"
    RESERVE = "reserve"
    ADVANCE = "advance"


@dataclass(frozen=True, slots=True)
class AccountRule:
    kind: AccountKind
    bound: Bound
    numbers: tuple[int, ...]  # how many numbers may follow the kind in an account's code
    meaning: str


_RULES = (
    AccountRule(AccountKind.MINT, Bound.NOT_ABOVE_ZERO, (0,), "minus all play money ever issued"),
    AccountRule(AccountKind.HOUSE, Bound.NONE, (0,), "the house's result"),
    AccountRule(
        AccountKind.WALLET, Bound.NOT_BELOW_ZERO, (1,), "money of a person away from tables"
    ),
    AccountRule(AccountKind.STACK, Bound.NOT_BELOW_ZERO, (2,), "chips of a seat at a table"),
    AccountRule(
        AccountKind.STAKE, Bound.NOT_BELOW_ZERO, (1,), "chips on the layout, 0 between rounds"
    ),
    AccountRule(
        AccountKind.BANK,
        Bound.NONE,
        (1,),
        "the table's bank since its last drop; the house backs it",
    ),
    AccountRule(
        AccountKind.METER,
        Bound.NOT_BELOW_ZERO,
        (1, 2),
        "shown amount of a jackpot: main account, and one stripe for each linked table",
    ),
    AccountRule(
        AccountKind.RESERVE,
        Bound.NOT_BELOW_ZERO,
        (1, 2),
        "hidden part of a jackpot: reserve rate and overflow, main account and stripes",
    ),
    AccountRule(
        AccountKind.ADVANCE,
        Bound.NOT_ABOVE_ZERO,
        (1,),
        "minus the seed money that the house has advanced and not got back",
    ),
)
ACCOUNT_RULES = {rule.kind: rule for rule in _RULES}


class PostingCode(StrEnum):
    ISSUE = "issue"
    REDEEM = "redeem"
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    WAGER = "wager"
    TAKE_BACK = "take_back"
    DOUBLE = "double"
    SPLIT = "split"
    INSURANCE = "insurance"
    RETURNED = "returned"
    WON = "won"
    LOST = "lost"
    CONTRIBUTION = "contribution"
    RESERVE = "reserve"
    FOLD = "fold"
    OVERFLOW = "overflow"
    AWARD = "award"
    RESERVE_SEED = "reserve_seed"
    SEED = "seed"
    SEED_WON = "seed_won"
    SEED_BACK = "seed_back"
    CORRECT_UP = "correct_up"
    CORRECT_DOWN = "correct_down"
    RECEIPTS = "receipts"
    HOUSE_PRIZE = "house_prize"
    SUPER_BONUS = "super_bonus"
    ENVY_BONUS = "envy_bonus"
    VOID_STAKE = "void_stake"
    VOID_WON = "void_won"
    VOID_LOST = "void_lost"
    FILL = "fill"
    DROP = "drop"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class PostingKind:
    code: PostingCode
    from_kind: AccountKind
    to_kind: AccountKind
    meaning: str
    needs_reason: bool = False  # an operator writes down why


def _kind(code: PostingCode, way: str, meaning: str, *, needs_reason: bool = False) -> PostingKind:
    from_kind, _, to_kind = way.partition(" > ")
    return PostingKind(code, AccountKind(from_kind), AccountKind(to_kind), meaning, needs_reason)


POSTING_KINDS = (
    _kind(PostingCode.ISSUE, "mint > wallet", "play money issued to a person"),
    _kind(PostingCode.REDEEM, "wallet > mint", "play money taken back"),
    _kind(PostingCode.BUY_IN, "wallet > stack", "chips bought at a table"),
    _kind(PostingCode.CASH_OUT, "stack > wallet", "chips cashed out, never of a seat in a round"),
    _kind(PostingCode.WAGER, "stack > stake", "a wager placed, each its own row"),
    _kind(PostingCode.TAKE_BACK, "stake > stack", "a wager replaced or withdrawn"),
    _kind(PostingCode.DOUBLE, "stack > stake", "a hand doubled, or doubled again"),
    _kind(PostingCode.SPLIT, "stack > stake", "the wager of a split hand"),
    _kind(PostingCode.INSURANCE, "stack > stake", "an insurance wager"),
    _kind(PostingCode.RETURNED, "stake > stack", "the part of a settled stake that comes back"),
    _kind(PostingCode.WON, "bank > stack", "what a wager won above its stake"),
    _kind(PostingCode.LOST, "stake > bank", "the part of a stake that is lost"),
    _kind(PostingCode.CONTRIBUTION, "bank > meter", "a jackpot wager's share for the meter"),
    _kind(PostingCode.RESERVE, "bank > reserve", "a jackpot wager's share for the reserve"),
    _kind(PostingCode.FOLD, "meter > meter", "a table's stripe added to the main meter"),
    _kind(PostingCode.FOLD, "reserve > reserve", "a table's stripe added to the main reserve"),
    _kind(PostingCode.OVERFLOW, "meter > reserve", "the excess above the maximum"),
    _kind(PostingCode.AWARD, "meter > stack", "a share of the meter won"),
    _kind(
        PostingCode.RESERVE_SEED, "reserve > meter", "a new meter's seed, from the reserve first"
    ),
    _kind(
        PostingCode.SEED, "advance > meter", "a new meter's seed, the rest advanced by the house"
    ),
    _kind(PostingCode.SEED_WON, "house > advance", "advanced seed that was won: now an expense"),
    _kind(PostingCode.SEED_BACK, "reserve > advance", "advanced seed recovered", needs_reason=True),
    _kind(PostingCode.SEED_BACK, "meter > advance", "advanced seed recovered", needs_reason=True),
    _kind(PostingCode.CORRECT_UP, "house > meter", "a display that was too low", needs_reason=True),
    _kind(
        PostingCode.CORRECT_DOWN,
        "meter > reserve",
        "a display that was too high",
        needs_reason=True,
    ),
    _kind(
        PostingCode.RECEIPTS, "reserve > house", "non-displayed funds taken out", needs_reason=True
    ),
    _kind(PostingCode.HOUSE_PRIZE, "bank > stack", "the prize of a house jackpot (O-39)"),
    _kind(PostingCode.SUPER_BONUS, "bank > stack", "a Super Bonus"),
    _kind(PostingCode.ENVY_BONUS, "bank > stack", "an Envy Bonus"),
    _kind(PostingCode.VOID_STAKE, "stake > stack", "a void round's chips on the layout, back"),
    _kind(PostingCode.VOID_WON, "stack > bank", "what a void round had paid, back"),
    _kind(PostingCode.VOID_LOST, "bank > stack", "what a void round had taken, back"),
    _kind(PostingCode.FILL, "house > bank", "the bank filled, or made good at its drop"),
    _kind(PostingCode.DROP, "bank > house", "the bank's result handed to the house"),
    _kind(PostingCode.MOVED, "meter > meter", "a removed jackpot's meter, to another progressive"),
    _kind(PostingCode.MOVED, "reserve > reserve", "a removed jackpot's reserve, likewise"),
)
_LISTED: dict[tuple[str, str, str], PostingKind] = {
    (kind.code, kind.from_kind, kind.to_kind): kind for kind in POSTING_KINDS
}

_RULE_OF: dict[str, AccountRule] = {str(rule.kind): rule for rule in _RULES}
_CODE = re.compile(r"([a-z]+)((?:/[1-9][0-9]{0,18})*)")


@lru_cache(maxsize=4096)  # asked for every seat of every view
def account_code(kind: AccountKind, *numbers: int) -> str:
    """The name of an account: `stack/7/3` is seat 3 of table 7."""
    code = "/".join([kind, *map(str, numbers)])
    kind_of(code)
    return code


@lru_cache(maxsize=4096)  # asked for each posting, twice
def kind_of(code: str) -> AccountKind:
    """The kind that an account's code begins with; refuses what is not a code."""
    found = _CODE.fullmatch(code)
    rule = _RULE_OF.get(found[1]) if found else None
    if found and rule and found[2].count("/") in rule.numbers:
        return rule.kind
    raise ChartError(
        f"{code[:60]!r} is not an account such as 'house', 'wallet/12' or 'stack/7/3'."
    )


@lru_cache(maxsize=16384)  # a table has about twenty ways, which every round goes
def way(code: str, from_account: str, to_account: str) -> PostingKind:
    """The listed kind of a posting between these two accounts; refuses all else."""
    return posting_kind(code, kind_of(from_account), kind_of(to_account))


def posting_kind(code: str, from_kind: AccountKind, to_kind: AccountKind) -> PostingKind:
    """The listed kind; refuses every other way of moving money."""
    kind = _LISTED.get((code, from_kind, to_kind))
    if kind is None:
        raise ChartError(f"No posting {code[:60]!r} goes from {from_kind} to {to_kind}.")
    return kind
