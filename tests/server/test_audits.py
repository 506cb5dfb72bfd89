"""Audits run by servers: every process reports the state stored in the database."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import Connection

from tests.coroutines import run_async
from tests.server.running import PATIENCE
from ventiuna.server import job_store, jobs
from ventiuna.server.job_store import AuditRun, Cluster, JobState
from ventiuna.server.jobs import Audits
from ventiuna.table.audit import house
from ventiuna.table.audit.house import AuditScope
from ventiuna.table.audit.tables import no_cards_on_top
from ventiuna.table.store.connection import Store
from ventiuna.table.store.statements import StoreError


@pytest.fixture(autouse=True)
def nothing_to_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "audit", lambda _connection, _scope: None)
    monkeypatch.setattr(jobs, "audit_result_data", lambda _report: {"holds": True})


async def ended(here: Audits) -> AuditRun:
    begun = await here.begin()
    assert here._task is not None
    await asyncio.wait_for(here._task, PATIENCE)
    return await here.find(begun.id)


def test_an_audit_canceled_as_it_finished_is_canceled_everywhere(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_async(ended(Audits(Cluster(store), no_cards_on_top))).state is JobState.DONE

    def cancelled(_connection: Connection, _scope: AuditScope) -> None:
        with store.write() as connection:  # as if another process canceled it
            job_store.cancel_audit(connection, 2)

    monkeypatch.setattr(house, "audit", cancelled)
    found = run_async(ended(Audits(Cluster(store), no_cards_on_top)))
    assert (found.id, found.state, found.result) == (2, JobState.CANCELLED, None)


def test_a_server_exits_even_if_an_audits_end_cannot_be_saved(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> tuple[JobState, JobState]:
        here = Audits(Cluster(store), no_cards_on_top)
        number = (await here.begin()).id
        before = (await here.find(number)).state
        await asyncio.wait_for(here.close(), PATIENCE)
        return before, (await Audits(Cluster(store), no_cards_on_top).find(number)).state

    def away(_connection: Connection, _found: AuditRun) -> bool:
        raise StoreError("The database is unavailable.")

    monkeypatch.setattr(job_store, "save_audit", away)
    found = run_async(scenario())
    assert found == (JobState.RUNNING, JobState.INTERRUPTED)
