"""A minimal ledger to compare with the database's and the engine's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ventiuna.table.ledger import ACCOUNT_RULES, Bound, Posting, kind_of


class Balances(Counter[str]):
    """Account balances after postings; each line must be covered when it is written."""

    def post(self, postings: Iterable[Posting]) -> None:
        for line in postings:
            self[line.from_account] -= line.amount
            self[line.to_account] += line.amount
            for account in (line.from_account, line.to_account):
                assert is_within_bound(account, self[account]), (account, self[account], line)

    def sum_of(self, *starts: str) -> int:
        """Total of all accounts whose codes start with one of these prefixes."""
        return sum(cents for code, cents in self.items() if code.startswith(starts))


def is_within_bound(account: str, balance: int) -> bool:
    match ACCOUNT_RULES[kind_of(account)].bound:
        case Bound.NOT_BELOW_ZERO:
            return balance >= 0
        case Bound.NOT_ABOVE_ZERO:
            return balance <= 0
        case Bound.NONE:
            return True
