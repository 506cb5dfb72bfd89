"""Bugs planted in the real code: the per-step checks find each of them, without the audit."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError

from tests.simulated_house.checks import CheckFailed
from tests.simulated_house.client_state import Contradiction
from tests.simulated_house.house import RunSummary, SimulatedHouse
from tests.simulated_house.world import FaultKind
from ventiuna.core.refusals import RefusalCode
from ventiuna.server import hub
from ventiuna.table import accounts, duties, journal, presentation, writer
from ventiuna.table.domain import flow, state
from ventiuna.table.domain.commands import BuyChips
from ventiuna.table.domain.events import AwardHandPaid, postings_of
from ventiuna.table.domain.state import TableState
from ventiuna.table.jackpots import repository as jackpot_rows
from ventiuna.table.store.statements import insert_rows
from ventiuna.table.writer import CommandRequest, Refusal, Transaction

CALM = frozenset(FaultKind)
MOST = 200  # maximum commands until the bug is found
SEPARATE = 19  # a seed with separate duties
HELD = 1  # a seed with an award to be paid by hand


class Unaudited(SimulatedHouse):
    def _audit(self) -> None:
        """Skip the audit: bugs must be found while the house runs."""


def play(seed: int = 1, **rates: float) -> RunSummary:
    """Run a house with only these faults."""
    kept = {FaultKind(kind) for kind in rates}
    house = Unaudited(seed, CALM - kept)
    house.faults.rates.update({FaultKind(kind): rate for kind, rate in rates.items()})
    try:
        return house.run(MOST)
    finally:
        house.close()


def test_nothing_is_found_without_a_planted_bug() -> None:
    assert play(commit_lost=0.1, commit_unheard=0.1).commands >= MOST


# --- money ------------------------------------------------------------------------------------


def _on_postings(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[list[Any]], Sequence[Any]]
) -> None:
    def insert(connection: Connection, table: Table, columns: Any, rows: Any, **more: Any) -> None:
        changed = change(list(rows)) if table.name == "posting" else rows
        insert_rows(connection, table, columns, changed, **more)

    monkeypatch.setattr(journal, "insert_rows", insert)


def test_a_lost_posting_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    _on_postings(monkeypatch, lambda rows: rows[:-1])
    with pytest.raises(CheckFailed, match="balances in the books"):
        play()


def test_a_cent_too_little_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    amount = journal._POSTING_COLUMNS.index("amount")
    _on_postings(
        monkeypatch,
        lambda rows: [
            (*row[:amount], row[amount] - (row[amount] > 1), *row[amount + 1 :]) for row in rows
        ],
    )
    with pytest.raises(CheckFailed, match="balances in the books"):
        play()


def test_chips_that_arent_on_the_layout_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The balances agree with each other, but not with the layout."""
    monkeypatch.setattr(TableState, "stake", property(lambda state: state.chips.on_table + 1))
    with pytest.raises(CheckFailed, match="cents are staked"):
        play()


def test_a_payment_to_another_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def to_the_bank(event: Any, number: int, chips: Any, layout: Any) -> Any:
        made = postings_of(event, number, chips, layout)
        return [line for line in made if not line.to_account.startswith("stack/")]

    monkeypatch.setattr(flow, "postings_of", to_the_bank)
    with pytest.raises(CheckFailed, match="balances in the books"):
        play()


def test_a_stripe_forgotten_in_an_award_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves out the last table that feeds a jackpot, so its meter displays and pays too little."""
    tables_of = jackpot_rows._tables_of

    def without_the_last(connection: Connection, numbers: Any) -> Any:
        found = tables_of(connection, numbers)
        for linked in found.values():
            linked.pop(max(linked), None)
        return found

    monkeypatch.setattr(jackpot_rows, "_tables_of", without_the_last)
    with pytest.raises(AssertionError, match="reads"):
        play(6)


# --- exactly once, and only what was committed ------------------------------------------------


def test_an_answer_before_the_commit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def transact(self: Any, requests: Any, step: Any, *, alone: bool) -> Any:
        results = []
        try:
            with self._store.write() as connection:
                transaction = Transaction(connection, self._house, self._clock)
                results = transaction.run(requests, alone=alone)
        except DBAPIError:
            if not results:
                raise
        return results

    monkeypatch.setattr(writer.Writer, "_transact", transact)
    with pytest.raises(CheckFailed, match="acknowledged but isn't in the books"):
        play(commit_lost=0.2)


def test_chips_bought_twice_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outcome was unknown, and the command is retried as if it were a new one."""
    transact = writer.Writer._transact

    def done_again(self: Any, requests: Sequence[CommandRequest], step: Any, *, alone: bool) -> Any:
        try:
            return transact(self, requests, step, alone=alone)
        except DBAPIError:
            if not all(isinstance(one.command, BuyChips) for one in requests):
                raise
            others = [replace(one, key=f"{one.key}+") for one in requests]
            return transact(self, others, step, alone=alone)

    monkeypatch.setattr(writer.Writer, "_transact", done_again)
    with pytest.raises(CheckFailed, match="was acknowledged as"):
        play(commit_unheard=0.2)


def test_a_recorded_refused_command_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = writer.Writer._outcome

    def refused(self: Any, result: Any, step: Any) -> Any:
        made = outcome(self, result, step)
        if getattr(made, "version", 0) % 7 != 6:
            return made
        return Refusal(made.table, made.key, RefusalCode.STALE, "no")

    monkeypatch.setattr(writer.Writer, "_outcome", refused)
    with pytest.raises(CheckFailed, match=r"was refused \(stale\) but is in the books"):
        play()


# --- the staff ------------------------------------------------------------------------------------


def test_a_command_that_nobody_approved_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "check_second_person", lambda *_: None)
    with pytest.raises(CheckFailed, match="has no second person's approval"):
        play(SEPARATE, operator=0.9)


def test_an_approval_of_ones_own_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duties.Approval, "check_answer", lambda *_: None)
    with pytest.raises(CheckFailed, match="has no second person's approval"):
        play(SEPARATE, operator=0.9)


def test_an_award_paid_twice_by_hand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table forgets that the award was paid, and the floor person is asked again."""
    monkeypatch.setitem(state._TABLE_CHANGES, AwardHandPaid, lambda *_: None)
    with pytest.raises(CheckFailed):
        play(HELD)


# --- what people see --------------------------------------------------------------------------


def test_a_down_card_among_events_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presentation, "redact", lambda event, viewer: event)
    with pytest.raises(CheckFailed, match="the down card is sent"):
        play()


def test_a_down_card_on_the_felt_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presentation, "dealer_cards", lambda round_, viewer: tuple(round_.dealer))
    with pytest.raises((CheckFailed, Contradiction)):
        play()


def test_an_unsent_event_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_but_hits(events: Any) -> Any:
        return [
            json.dumps({**one, "event": "StageReached", "stage": "play"})
            if one["event"] == "HandStood"
            else json.dumps(one)
            for one in map(json.loads, presentation.public_texts(events))
        ]

    monkeypatch.setattr(hub, "public_texts", all_but_hits)
    with pytest.raises(Contradiction, match="the message has"):
        play()


def test_a_stack_shown_with_a_cent_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    seat_data = presentation._seat

    def richer(state: TableState, seat: Any) -> Any:
        return {**seat_data(state, seat), "stack": state.stack(seat.number) + 1}

    monkeypatch.setattr(presentation, "_seat", richer)
    with pytest.raises((CheckFailed, Contradiction)):
        play()
