"""The chart of accounts: all accounts, and every way money may move between them."""

from __future__ import annotations

from tools.reference.markdown import code, joined, table
from ventiuna.table.ledger import ACCOUNT_RULES, POSTING_KINDS

ABOUT = """\
Generated from the chart of accounts. The database enforces the same bounds and kinds and rejects
everything else. For background, see [the ledger](../../explanation/ledger.md)."""


def page() -> str:
    return joined(
        [
            "# Accounts and postings",
            ABOUT,
            "## Accounts",
            table(
                ("account", "bound", "holds"),
                (
                    (code(rule.kind), str(rule.bound), rule.meaning)
                    for rule in ACCOUNT_RULES.values()
                ),
            ),
            "## Postings",
            table(
                ("kind", "from", "to", "what", "requires a reason"),
                (
                    (
                        code(kind.code),
                        code(kind.from_kind),
                        code(kind.to_kind),
                        kind.meaning,
                        "yes" if kind.needs_reason else "",
                    )
                    for kind in POSTING_KINDS
                ),
            ),
        ]
    )
