"""Run the bank test for minutes: processes and threads, linked jackpots, constant ledger checks.

python -m benchmarks.bank_soak --seconds 120 runs first on PostgreSQL with several processes, then
on SQLite with threads. No check may find money created or lost, or an account beyond its limit, and
the final audit must find no differences. Deadlocks and retries are counted.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.support.crowd import BankTestResult, bank_test
from tests.support.postgres import private_postgres

TABLES = 8
PLAYERS = 4  # processes or threads


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("benchmarks.bank_soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--players", type=int, default=PLAYERS)
    options = parser.parse_args(arguments)
    with private_postgres() as server:
        address = server.new_house()
        found = bank_test(
            address, options.seconds, options.tables, options.players, in_processes=True
        )
        wrong = _tell(f"PostgreSQL, {options.players} processes", found)
    with tempfile.TemporaryDirectory() as folder:
        address = str(Path(folder) / "house.sqlite")
        found = bank_test(
            address, options.seconds, options.tables, options.players, in_processes=False
        )
        wrong += _tell(f"SQLite, {options.players} threads", found)
    return 1 if wrong else 0


def _tell(where: str, found: BankTestResult) -> list[str]:
    tally = found.tally
    outcomes = ", ".join(f"{name} {number}" for name, number in tally.outcomes.most_common())
    retries = ", ".join(f"{name} {number}" for name, number in tally.retries.items()) or "none"
    print(
        f"{where}: {tally.commands:,} commands ({outcomes}), {found.entries:,} entries, "
        f"{tally.awards:,} awards of {tally.awarded:,} cents; {found.looks.number:,} checks of the "
        f"ledger; slowest batch {tally.slowest * 1000:.0f} ms; retries: {retries}; deadlocks: "
        f"{found.deadlocks}."
    )
    for wrong in found.wrong[:20]:
        print(f"  WRONG: {wrong}")
    return found.wrong


if __name__ == "__main__":
    sys.exit(main())
