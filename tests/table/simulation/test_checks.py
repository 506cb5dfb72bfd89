"""The simulation's own checks: each detects what it should, and failing seeds are shrunk."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.simulated_house.checks import CheckFailed
from tests.simulated_house.client_state import ClientTable, Gap
from tests.simulated_house.failures import (
    SeedFailed,
    fault_of,
    replay_command,
    run,
    text_of,
    without_kinds,
    without_strikes,
)
from tests.simulated_house.house import TOKENS_EVERY, ExcludedFaults, SimulatedHouse
from tests.simulated_house.operators import OPERATOR
from tests.simulated_house.world import FaultKind, FaultStrike
from ventiuna.core.refusals import RefusalCode
from ventiuna.table.domain.commands import Ready
from ventiuna.table.domain.handlers import Actor
from ventiuna.table.writer import CommandOutcome, CommandRequest, Done, Refusal

CALM: ExcludedFaults = frozenset(FaultKind)


@pytest.fixture
def house() -> Iterator[SimulatedHouse]:
    """A house that has been open for a while, with people at its tables."""
    made = SimulatedHouse(1, CALM)
    while made.checker.commands < 60:
        made.world.step()
    yield made
    made.close()


def test_a_cent_too_much_is_found(house: SimulatedHouse) -> None:
    house.disk.query("DROP TRIGGER IF EXISTS account_balance_by_postings")
    house.disk.query("UPDATE account SET balance = balance + 1 WHERE code = 'house'")
    with pytest.raises(CheckFailed, match="all balances add up to 1"):
        house.run(200)


def test_money_in_the_wrong_account_is_found(house: SimulatedHouse) -> None:
    query = house.disk.query
    [(wallet,), *_] = query("SELECT code FROM account WHERE kind = 'wallet' AND balance > 0")
    query("UPDATE account SET balance = balance + 1 WHERE code = 'house'")
    query("UPDATE account SET balance = balance - 1 WHERE code = ?", (wallet,))
    with pytest.raises(CheckFailed, match="balances in the books"):
        house.run(200)


def test_an_acknowledged_command_must_be_in_the_books(house: SimulatedHouse) -> None:
    request = CommandRequest(2, OPERATOR, "never-written", Ready())
    with pytest.raises(CheckFailed, match="isn't in the books"):
        house.checker.answered(OPERATOR, request, Done(2, request.key, 1, 1))


def test_a_refused_command_must_not_be_in_the_books(house: SimulatedHouse) -> None:
    refusal = Refusal(2, "issue-0", RefusalCode.STALE, "no")
    with pytest.raises(CheckFailed, match="in the books"):
        house.checker.answered(OPERATOR, CommandRequest(2, OPERATOR, "issue-0", Ready()), refusal)


def test_a_leaked_secret_is_found(house: SimulatedHouse) -> None:
    [(salt,), *_] = house.disk.query("SELECT hex(salt) FROM shoe")
    message = {"type": "done", "key": str(salt).lower(), "n": 1}
    with pytest.raises(CheckFailed, match="the salt of shoe"):
        house.checker.leaves(json.dumps(message), message, 2, "1")


def test_a_leaked_down_card_is_found(house: SimulatedHouse) -> None:
    event = {"event": "CardDealt", "card": 3, "place": "down", "spot": 0, "hand": 0}
    message = {"type": "events", "n": 1, "events": [event]}
    with pytest.raises(CheckFailed, match="the down card is sent"):
        house.checker.leaves(json.dumps(message), message, 2, "1")


def test_another_persons_wallet_is_found(house: SimulatedHouse) -> None:
    message = {"type": "you", "person": "2", "wallet": 100}
    with pytest.raises(CheckFailed, match="wallet is sent to person 1"):
        house.checker.leaves(json.dumps(message), message, 2, "1")


def test_on_a_full_disk_people_keep_their_tokens(house: SimulatedHouse) -> None:
    def after_a_while() -> str:
        house.world.now += TOKENS_EVERY + 1
        return house.token_of(house.players[0].person)

    house.disk.fill()
    # Repeat until the existing pages are full.
    *_, last_but_one, last = [after_a_while() for _ in range(60)]
    assert last == last_but_one
    house.disk.free()
    assert after_a_while() != last


def test_most_commands_are_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """If most commands were refused, the simulation would prove little."""
    house = SimulatedHouse(1, CALM)
    answers: Counter[type[CommandOutcome]] = Counter()
    answered = house.checker.answered

    def counted(actor: Actor, request: CommandRequest, outcome: CommandOutcome) -> None:
        answers[type(outcome)] += 1
        answered(actor, request, outcome)

    monkeypatch.setattr(house.checker, "answered", counted)
    while house.checker.commands < 100:
        house.world.step()
    house.close()
    assert answers[Done] > 50
    assert answers[Refusal] < answers[Done] / 5


def test_a_person_notices_missing_events() -> None:
    seen = ClientTable(())
    with pytest.raises(Gap):
        seen.take({"type": "events", "n": 5, "events": [{"event": "CutsListed"}]})


# --- failing seeds ----------------------------------------------------------------------------


def test_a_failing_seed_says_how_to_replay_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(self: SimulatedHouse) -> None:
        raise CheckFailed("as planned")

    monkeypatch.setattr(SimulatedHouse, "_audit", breaks)
    with pytest.raises(
        SeedFailed, match=r"seed 2 .*as planned\nTo repeat: .* --replay 2 --commands 30"
    ):
        run(2, CALM, 30)


def test_a_fault_can_be_excluded_by_name() -> None:
    for fault in (FaultKind.DROP, FaultStrike(FaultKind.COMMIT_LOST, 3)):
        assert fault_of(text_of(fault)) == fault
    command = replay_command(7, frozenset({FaultKind.DROP, FaultStrike(FaultKind.DELAY, 2)}), 50)
    assert command.endswith("--replay 7 --commands 50 --without delay:2,drop")


def test_shrinking_keeps_the_necessary_faults() -> None:
    needed = {FaultKind.DROP, FaultStrike(FaultKind.DELAY, 2)}

    def fails(left_out: ExcludedFaults) -> bool:
        return not left_out & {*needed, FaultKind.DELAY}

    kinds = without_kinds(fails)
    assert kinds == frozenset(FaultKind) - {FaultKind.DROP, FaultKind.DELAY}
    strikes = [FaultStrike(FaultKind.DELAY, number) for number in (1, 2, 3)]
    assert without_strikes(fails, kinds, strikes) - kinds == {strikes[0], strikes[2]}
