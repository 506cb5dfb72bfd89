"""Progressives with real rows, on both databases: links, awards, resets, limits, removal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from tests.table.floor import WHY, Deal, FloorTable, create, order, read, remove, sender
from tests.table.ledger import AT, posting, request, write
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine import Refused
from ventiuna.engine import commands as play
from ventiuna.rules import Rules, load_rules
from ventiuna.table.jackpots import progressive as do
from ventiuna.table.jackpots.decisions import event_from_data
from ventiuna.table.jackpots.progressive import (
    JackpotStatus,
    MeterCommand,
    Progressive,
    displayed_amount,
    settings_from_data,
    settings_of,
)
from ventiuna.table.jackpots.repository import (
    all_jackpots,
    create_progressive,
    fold_events,
    fold_over_maximum,
    handle,
    over_maximum,
    read_displayed_amounts,
    read_jackpots,
    remove_jackpot,
)
from ventiuna.table.journal import BookKind, balances, open_book, read_entries, verify_book
from ventiuna.table.ledger import Entry
from ventiuna.table.store.connection import Store

TEN_PER_CENT = {3: "5h 5h"}  # against 5h: two suited matches
ALL = {3: "As As"}  # against As


def rules_with(jackpot: str) -> Rules:
    return load_rules(f"wsgc-2021(decks=8,jackpots={jackpot})")


RULES = rules_with("3d:1:seed=1000")


def held(store: Store, *codes: str) -> list[int]:
    with store.read() as connection:
        found = balances(connection)
        assert sum(found.values()) == 0
        return [found.get(code, 0) for code in codes]


def fund(store: Store, jackpot: int) -> list[int]:
    """Main meter, reserve, and advanced seed."""
    meter, reserve, advance = held(
        store, f"meter/{jackpot}", f"reserve/{jackpot}", f"advance/{jackpot}"
    )
    return [meter, reserve, -advance]


def entries(store: Store, book: int) -> list[Entry]:
    with store.read() as connection:
        verify_book(connection, book)
        return list(read_entries(connection, book))


def lines(entry: Entry) -> list[str]:
    return [
        f"{line.code}: {line.from_account} > {line.to_account}: {line.amount}"
        for line in entry.postings
    ]


def check_fold(store: Store, jackpot: int) -> None:
    """Check that the rows match the book's events, folded from entry 1."""
    events = [
        event_from_data(data, entry.engine)
        for entry in entries(store, jackpot)
        for data in entry.event_data()
    ]
    assert fold_events(jackpot, None, events) == read(store, jackpot).jackpot


# --- the worked example of a round ------------------------------------------------------------


@pytest.mark.parametrize("commands", [1, 2])
def test_a_round_with_an_award_to_the_cent(store: Store, commands: int) -> None:
    """$20, Up Card $5, jackpot $1; two suited matches; a double that loses; 10% of $12,345.21."""
    rules = rules_with("3d:1:seed=12345")
    jackpot = create(store, rules, reserve_rate=200)
    table = FloorTable(store, rules, stack=50_000)
    table.link(jackpot)
    table.play(
        Deal(
            TEN_PER_CENT,
            "5h Kd",
            "2c 6d",  # the double's card, the dealer's draw
            mtd={"up": 500},
            actions=[play.Double(3)],
        ),
        commands=commands,
    )
    number = table.number
    stack, stake, bank = held(store, f"stack/{number}/3", f"stake/{number}", f"bank/{number}")
    assert (stack - 50_000, stake, bank) == (131_352, 0, -7_923)
    assert fund(store, jackpot) == [1_234_500 - 123_431, 2, 1_234_500]
    award = entries(store, jackpot)[-1]
    assert lines(award) == [
        f"fold: meter/{jackpot}/{number} > meter/{jackpot}: 21",
        f"fold: reserve/{jackpot}/{number} > reserve/{jackpot}: 2",
        f"award: meter/{jackpot} > stack/{number}/3: 123452",
    ]
    assert (award.actor, award.key) == (f"table/{number}", f"J/{jackpot}/{1 + commands}")
    assert (award.postings[-1].round_number, award.postings[-1].spot) == (1, 3)
    check_fold(store, jackpot)


# --- awards -----------------------------------------------------------------------------------


def test_two_winners_are_paid_one_after_the_other(store: Store) -> None:
    """R-095: 10% of $1,000.42, then 10% of the rest."""
    jackpot = create(store, RULES)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.play(Deal({2: "5h 5h", 5: "5h 5h"}, "5h Kd"))
    first, second = 10_004, 9_003  # 10% of 100,042 and of 90,038
    assert lines(entries(store, jackpot)[-1])[1:] == [
        f"award: meter/{jackpot} > stack/{table.number}/2: {first}",
        f"award: meter/{jackpot} > stack/{table.number}/5: {second}",
    ]
    assert fund(store, jackpot) == [100_042 - first - second, 0, 100_000]


def test_the_whole_meter_is_won_and_starts_again(store: Store) -> None:
    """The advanced seed becomes the house's expense; the new one comes out of the reserve first."""
    jackpot = create(store, RULES, reserve_rate=200)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.contribute(5)
    table.play(Deal(ALL, "As 7d"))
    assert lines(entries(store, jackpot)[-1]) == [
        f"fold: meter/{jackpot}/{table.number} > meter/{jackpot}: 126",
        f"fold: reserve/{jackpot}/{table.number} > reserve/{jackpot}: 12",
        f"award: meter/{jackpot} > stack/{table.number}/3: 100126",
        f"seed_won: house > advance/{jackpot}: 100000",
        f"reserve_seed: reserve/{jackpot} > meter/{jackpot}: 12",
        f"seed: advance/{jackpot} > meter/{jackpot}: 99988",
    ]
    assert fund(store, jackpot) == [100_000, 0, 99_988]
    assert held(store, "house") == [-100_000]
    check_fold(store, jackpot)


def test_a_second_winner_shares_immediate_seed_money(store: Store) -> None:
    jackpot = create(store, RULES)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.play(Deal({2: "As As", 5: "As As"}, "As 7d"))
    assert lines(entries(store, jackpot)[-1])[1:] == [
        f"award: meter/{jackpot} > stack/{table.number}/2: 100042",
        f"seed_won: house > advance/{jackpot}: 100000",
        f"seed: advance/{jackpot} > meter/{jackpot}: 100000",
        f"award: meter/{jackpot} > stack/{table.number}/5: 100000",
        f"seed_won: house > advance/{jackpot}: 100000",
        f"seed: advance/{jackpot} > meter/{jackpot}: 100000",
    ]
    assert fund(store, jackpot) == [100_000, 0, 100_000]
    assert held(store, "house") == [-200_000]


def test_seed_money_after_the_round_is_added_once(store: Store) -> None:
    """O-20: the second winner of the whole meter gets nothing."""
    rules = rules_with("3d:1:seed=1000:reseed=after_round")
    jackpot = create(store, rules)
    table = FloorTable(store, rules)
    table.link(jackpot)
    table.play(Deal({2: "As As", 5: "As As"}, "As 7d"))
    assert lines(entries(store, jackpot)[-1])[1:] == [
        f"award: meter/{jackpot} > stack/{table.number}/2: 100042",
        f"seed_won: house > advance/{jackpot}: 100000",
        f"seed: advance/{jackpot} > meter/{jackpot}: 100000",
    ]
    assert fund(store, jackpot) == [100_000, 0, 100_000]


def test_two_jackpots_of_one_table_pay_in_one_round(store: Store) -> None:
    rules = rules_with("3d:1:seed=1000+4e:1:seed=500")
    first, second = create(store, rules, 1), create(store, rules, 2)
    table = FloorTable(store, rules)
    table.link(first, 1)
    table.link(second, 2)
    table.play(Deal(TEN_PER_CENT, "5h Kd", games=(1, 2)))
    assert lines(entries(store, first)[-1])[-1].endswith(f"stack/{table.number}/3: 10002")
    assert lines(entries(store, second)[-1])[-1].endswith(f"stack/{table.number}/3: 5002")


def test_a_prize_that_empties_the_meter_includes_the_seed(store: Store) -> None:
    """R-092, O-37: pays at most what the jackpot holds, and no reseed follows."""
    rules = rules_with("5d:1:seed=1000:prize=5000:prize_from=jackpot")
    jackpot = create(store, rules)
    table = FloorTable(store, rules)
    table.link(jackpot)
    table.play(Deal(TEN_PER_CENT, "5h Kd"))
    assert lines(entries(store, jackpot)[-1])[1:] == [
        f"award: meter/{jackpot} > stack/{table.number}/3: 100021",
        f"seed_won: house > advance/{jackpot}: 100000",
    ]
    assert fund(store, jackpot) == [0, 0, 0]


def test_an_award_includes_other_tables_contributions(store: Store) -> None:
    jackpot = create(store, RULES)
    tables = [FloorTable(store, RULES) for _ in range(3)]
    for table in tables:
        table.link(jackpot)
        table.contribute(2)
    assert displayed_amount(read(store, jackpot)) == 100_000 + 3 * 42
    tables[1].play(Deal(TEN_PER_CENT, "5h Kd"))
    reading = read(store, jackpot)
    assert not any(reading.meters.values())
    assert reading.jackpot.meter == 100_147 - 10_014
    check_fold(store, jackpot)


# --- maximum and overflow ---------------------------------------------------------------------


def test_the_display_stops_at_the_maximum_and_the_rest_goes_to_the_reserve(store: Store) -> None:
    jackpot = create(store, RULES, maximum=100_050)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.contribute(3)
    assert displayed_amount(read(store, jackpot)) == 100_050
    assert fund(store, jackpot) == [100_000, 0, 100_000]
    order(store, jackpot, do.FoldStripes("over the maximum"))
    assert fund(store, jackpot) == [100_050, 13, 100_000]
    assert displayed_amount(read(store, jackpot)) == 100_050
    table.play(Deal(TEN_PER_CENT, "5h Kd"))
    assert fund(store, jackpot) == [100_050 - 10_005, 13 + 21, 100_000]
    check_fold(store, jackpot)


def test_the_clock_folds_amounts_above_the_maximum(store: Store) -> None:
    jackpot = create(store, RULES, maximum=100_050)
    other = create(store, RULES)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    assert reading_of_all(store) == ({jackpot: 100_000, other: 100_000}, [])
    table.contribute(3)
    assert reading_of_all(store) == ({jackpot: 100_050, other: 100_000}, [jackpot])
    with store.write() as connection:
        folded_now = fold_over_maximum(connection, jackpot, AT)
        assert folded_now is not None
        assert folded_now.entry.actor == "clock"
        assert fold_over_maximum(connection, jackpot, AT) is None
    assert reading_of_all(store) == ({jackpot: 100_050, other: 100_000}, [])
    assert fund(store, jackpot) == [100_050, 13, 100_000]
    remove(store, other, jackpot)
    assert reading_of_all(store) == ({jackpot: 100_050}, [])


def reading_of_all(store: Store) -> tuple[dict[int, int], list[int]]:
    with store.read() as connection:
        shown_now = read_displayed_amounts(connection)
        assert [*shown_now] == [
            number
            for number, reading in read_jackpots(connection, all_jackpots(connection)).items()
            if reading.jackpot.status is not JackpotStatus.REMOVED
        ]
        return shown_now, over_maximum(connection)


def test_a_maximum_must_be_at_or_above_the_current_amount(store: Store) -> None:
    jackpot = create(store, RULES)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.contribute(1)
    refused(store, jackpot, do.SetMaximum(100_020, WHY), RefusalCode.MAXIMUM_TOO_LOW)
    assert order(store, jackpot, do.SetMaximum(100_021, WHY)).maximum == 100_021
    assert order(store, jackpot, do.SetMaximum(None, WHY)).maximum is None


# --- underfunded ------------------------------------------------------------------------------


def test_a_reset_beyond_the_advance_limit_suspends_the_jackpot(store: Store) -> None:
    """The meter restarts with the available money and takes no wagers until it is fully funded."""
    jackpot = create(store, RULES, advance_limit=100_000)
    order(store, jackpot, do.CorrectUp(500, WHY))
    order(store, jackpot, do.CorrectDown(500, WHY))  # fills the reserve
    order(store, jackpot, do.SetAdvanceLimit(30_000, WHY))
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.play(Deal(ALL, "As 7d"))
    after = read(store, jackpot).jackpot
    assert (after.meter, after.reserve, after.advanced) == (30_500, 0, 30_000)
    assert (after.status, after.missing, after.is_underfunded) == (
        JackpotStatus.SUSPENDED,
        69_500,
        True,
    )
    assert not after.takes_wagers
    refused(store, jackpot, do.ResumeJackpot(WHY), RefusalCode.JACKPOT_UNDERFUNDED)
    refused(store, jackpot, do.SeedJackpot(69_500, WHY), RefusalCode.ADVANCE_LIMIT)
    order(store, jackpot, do.SetAdvanceLimit(100_000, WHY))
    order(store, jackpot, do.SeedJackpot(69_500, WHY))
    resumed = order(store, jackpot, do.ResumeJackpot(WHY))
    assert resumed.takes_wagers
    assert (resumed.meter, resumed.missing) == (100_000, 0)
    check_fold(store, jackpot)


def test_seed_money_already_won_is_paid_beyond_the_limit(store: Store) -> None:
    jackpot = create(store, RULES, advance_limit=100_000)
    order(store, jackpot, do.SetAdvanceLimit(40_000, WHY))
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.play(Deal({2: "As As", 5: "As As"}, "As 7d"))
    awards = [line for line in lines(entries(store, jackpot)[-1]) if line.startswith("award")]
    assert [line.rpartition(" ")[2] for line in awards] == ["100042", "100000"]
    after = read(store, jackpot).jackpot
    assert (after.meter, after.advanced, after.missing) == (40_000, 40_000, 60_000)
    assert after.status is JackpotStatus.SUSPENDED
    check_fold(store, jackpot)


def test_an_underfunded_jackpot_won_again_needs_a_full_seed(store: Store) -> None:
    jackpot = create(store, RULES, advance_limit=100_000)
    order(store, jackpot, do.SetAdvanceLimit(40_000, WHY))
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.play(Deal(ALL, "As 7d"))
    order(store, jackpot, do.SetAdvanceLimit(None, WHY))
    table.play(Deal(ALL, "As 7d"))  # a round that was open when the jackpot was suspended
    after = read(store, jackpot).jackpot
    assert (after.meter, after.missing) == (100_000, 0)
    assert order(store, jackpot, do.ResumeJackpot(WHY)).status is JackpotStatus.OPEN


def test_a_limit_below_the_advance_keeps_a_jackpot_suspended(store: Store) -> None:
    jackpot = create(store, RULES)
    order(store, jackpot, do.SuspendJackpot(WHY))
    order(store, jackpot, do.SetAdvanceLimit(99_999, WHY))
    refused(store, jackpot, do.ResumeJackpot(WHY), RefusalCode.JACKPOT_UNDERFUNDED)
    order(store, jackpot, do.RecoverSeed(1, WHY))
    assert order(store, jackpot, do.ResumeJackpot(WHY)).takes_wagers


# --- operators --------------------------------------------------------------------------------


def test_money_moves_only_for_the_listed_reasons(store: Store) -> None:
    jackpot = create(store, RULES, reserve_rate=200)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.contribute(2)
    order(store, jackpot, do.CorrectUp(958, WHY))
    assert fund(store, jackpot) == [101_000, 4, 100_000]
    order(store, jackpot, do.CorrectDown(1_000, WHY))
    assert fund(store, jackpot) == [100_000, 1_004, 100_000]
    order(store, jackpot, do.TakeReceipts(4, WHY))
    assert held(store, "house") == [4 - 958]
    order(store, jackpot, do.RecoverSeed(1_500, WHY))  # out of the reserve first
    assert fund(store, jackpot) == [99_500, 0, 98_500]
    order(store, jackpot, do.SeedJackpot(500, WHY))
    assert fund(store, jackpot) == [100_000, 0, 99_000]
    reasons = [line.reason for entry in entries(store, jackpot)[2:] for line in entry.postings]
    assert reasons == [None, None, WHY, WHY, WHY, WHY, WHY, WHY]
    check_fold(store, jackpot)


def test_unlinking_folds_the_stripes(store: Store) -> None:
    jackpot = create(store, RULES, reserve_rate=200)
    table, other = FloorTable(store, RULES), FloorTable(store, RULES)
    table.link(jackpot)
    other.link(jackpot)
    table.contribute(2)
    other.contribute(1)
    table.unlink()
    assert fund(store, jackpot) == [100_063, 6, 100_000]
    assert read(store, jackpot).jackpot.tables == {other.number: 1}
    table.link(jackpot)
    check_fold(store, jackpot)


def refused(store: Store, jackpot: int, command: MeterCommand, code: RefusalCode) -> str:
    before = read(store, jackpot)
    with pytest.raises(Refused) as caught:
        order(store, jackpot, command)
    assert caught.value.code is code
    assert caught.value.message.endswith(".")
    assert read(store, jackpot) == before
    return caught.value.message


def test_refusals(store: Store) -> None:
    """Each refusal is one sentence, and nothing changes."""
    jackpot = create(store, RULES, maximum=110_000, advance_limit=101_000, reserve_rate=200)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    settings = settings_of(RULES, 1).hash.hex()
    other = settings_of(rules_with("3d:2:seed=1000"), 1).hash.hex()
    for command, code in (
        (do.SuspendJackpot(""), RefusalCode.NO_REASON),
        (do.SuspendJackpot("two\nlines"), RefusalCode.NO_REASON),
        (do.ResumeJackpot(WHY), RefusalCode.JACKPOT_OPEN),
        (do.SetMaximum(99_999, WHY), RefusalCode.MAXIMUM_TOO_LOW),
        (do.SetMaximum(-1, WHY), RefusalCode.AMOUNT_RANGE),
        (do.SetAdvanceLimit(-1, WHY), RefusalCode.AMOUNT_RANGE),
        (do.SeedJackpot(0, WHY), RefusalCode.AMOUNT_RANGE),
        (do.SeedJackpot(1_001, WHY), RefusalCode.ADVANCE_LIMIT),
        (do.SeedJackpot(10_001, WHY), RefusalCode.ABOVE_MAXIMUM),
        (do.RecoverSeed(100_001, WHY), RefusalCode.MORE_THAN_ADVANCED),
        (do.CorrectUp(10_001, WHY), RefusalCode.ABOVE_MAXIMUM),
        (do.CorrectDown(100_001, WHY), RefusalCode.FUND_SHORT),
        (do.TakeReceipts(1, WHY), RefusalCode.FUND_SHORT),
        (do.FoldStripes(WHY), RefusalCode.NOTHING_TO_FOLD),
        (do.LinkTable(table.number, 1, settings, WHY), RefusalCode.ALREADY_LINKED),
        (do.LinkTable(99, 1, other, WHY), RefusalCode.OTHER_SETTINGS),
        (do.UnlinkTable(99, WHY), RefusalCode.JACKPOT_NOT_LINKED),
    ):
        refused(store, jackpot, command, code)
    order(store, jackpot, do.SuspendJackpot(WHY))
    refused(store, jackpot, do.SuspendJackpot(WHY), RefusalCode.JACKPOT_SUSPENDED)


def test_seed_money_that_was_won_cannot_be_recovered(store: Store) -> None:
    """Awards of 10% have taken part of it, so only the rest can be recovered."""
    jackpot = create(store, RULES)
    order(store, jackpot, do.CorrectDown(100_000, WHY))
    order(store, jackpot, do.TakeReceipts(99_000, WHY))
    refused(store, jackpot, do.RecoverSeed(1_001, WHY), RefusalCode.FUND_SHORT)
    order(store, jackpot, do.RecoverSeed(1_000, WHY))
    assert fund(store, jackpot) == [0, 0, 99_000]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"maximum": 99_999}, RefusalCode.MAXIMUM_TOO_LOW),
        ({"maximum": -1}, RefusalCode.AMOUNT_RANGE),
        ({"advance_limit": 99_999}, RefusalCode.ADVANCE_LIMIT),
        ({"reserve_rate": 10_001}, RefusalCode.RESERVE_RATE),
    ],
)
def test_a_jackpot_that_cannot_be_created(
    store: Store, more: dict[str, int], code: RefusalCode
) -> None:
    with pytest.raises(Refused) as caught:
        create(store, RULES, **more)
    assert caught.value.code is code


def commit_in_silence(store: Store, work: Callable[[Connection], object]) -> list[object]:
    """Repeat work as if its commit hadn't been confirmed; return both results."""
    answers = []
    for _ in range(2):
        with store.write() as connection:
            answers.append(work(connection))
    return answers


@pytest.mark.parametrize(
    "command",
    [
        do.SuspendJackpot(WHY),
        do.SeedJackpot(500, WHY),
        do.CorrectUp(500, WHY),
        do.CorrectDown(500, WHY),
        do.RecoverSeed(500, WHY),
        do.SetMaximum(9_000_000, WHY),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_command_with_an_unconfirmed_commit_runs_once(
    store: Store, command: MeterCommand
) -> None:
    jackpot = create(store, RULES)
    sent = sender()
    first, again = commit_in_silence(store, lambda one: handle(one, jackpot, command, sent))
    assert first == again
    assert len(entries(store, jackpot)) == 2
    with store.write() as connection, pytest.raises(Refused, match="already used"):
        handle(connection, jackpot, do.FoldStripes(WHY), sent)


def test_a_jackpot_with_an_unconfirmed_creation_or_removal(store: Store) -> None:
    create_it = do.CreateJackpot("Big", settings_of(RULES, 1).data(), WHY)
    sent = sender()
    first, again = commit_in_silence(store, lambda one: create_progressive(one, create_it, sent))
    assert first == again
    assert isinstance(first, Progressive)
    number, receiver = first.number, create(store, RULES)
    order(store, number, do.CorrectUp(700, "players' money"))
    remove_it = do.RemoveJackpot(receiver, WHY)
    sent = sender()
    _, again = commit_in_silence(store, lambda one: remove_jackpot(one, number, remove_it, sent))
    assert again == []
    assert (len(entries(store, number)), len(entries(store, receiver))) == (3, 2)
    assert fund(store, number) == [0, 0, 0]
    with store.write() as connection, pytest.raises(Refused, match="already used"):
        remove_jackpot(connection, receiver, remove_it, sent)


def test_unknown_jackpots_and_house_jackpots_are_refused(store: Store) -> None:
    with pytest.raises(Refused, match="no progressive jackpot 77"):
        order(store, 77, do.SuspendJackpot(WHY))
    rules = rules_with("3d:1:kind=house:seed=2500")
    with pytest.raises(Refused, match="house jackpot") as caught:
        settings_of(rules, 1)
    assert caught.value.code is RefusalCode.NOT_PROGRESSIVE
    with pytest.raises(Refused) as caught:
        settings_of(rules, 2)
    assert caught.value.code is RefusalCode.NO_SUCH_JACKPOT


def test_settings_survive_a_round_trip() -> None:
    settings = settings_of(RULES, 1)
    assert settings_from_data(settings.data()) == settings
    assert settings.hash != settings_of(rules_with("3d:1:seed=1001"), 1).hash


# --- removal ----------------------------------------------------------------------------------


def test_a_removed_jackpots_money_moves_to_another(store: Store) -> None:
    """The house gets back only its seed; any excess over the other's maximum is reserved."""
    jackpot = create(store, RULES, reserve_rate=200)
    other = create(store, RULES, maximum=100_010)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.contribute(2)
    with pytest.raises(Refused, match="Unlink them first") as caught:
        remove(store, jackpot, other)
    assert caught.value.code is RefusalCode.STILL_LINKED
    table.unlink()
    with pytest.raises(Refused, match="another progressive"):
        remove(store, jackpot, jackpot)
    first, second = remove(store, jackpot, other)
    assert lines(first.entry) == [
        f"seed_back: reserve/{jackpot} > advance/{jackpot}: 4",
        f"seed_back: meter/{jackpot} > advance/{jackpot}: 99996",
        f"moved: meter/{jackpot} > meter/{other}: 46",
    ]
    assert lines(second.entry) == [f"overflow: meter/{other} > reserve/{other}: 36"]
    assert second.entry.actor == f"jackpot/{jackpot}"
    assert fund(store, jackpot) == [0, 0, 0]
    assert fund(store, other) == [100_010, 36, 100_000]
    refused(store, jackpot, do.CorrectUp(1, WHY), RefusalCode.JACKPOT_REMOVED)
    with pytest.raises(Refused, match="has been removed"):
        remove(store, other, jackpot)
    check_fold(store, jackpot)
    check_fold(store, other)


def test_money_that_cannot_be_moved_stays_in_the_suspended_jackpot(store: Store) -> None:
    jackpot = create(store, RULES)
    order(store, jackpot, do.CorrectUp(1, WHY))
    (stays,) = remove(store, jackpot, None)
    assert stays.jackpot.status is JackpotStatus.SUSPENDED
    assert fund(store, jackpot) == [100_001, 0, 100_000]
    with pytest.raises(Refused) as caught:
        remove(store, jackpot, None)
    assert caught.value.code is RefusalCode.MONEY_LEFT


def test_a_jackpot_with_only_its_seed_is_removed_without_a_recipient(store: Store) -> None:
    """Seed money that players have won in the meantime remains the house's expense."""
    jackpot = create(store, RULES)
    table = FloorTable(store, RULES)
    table.link(jackpot)
    table.play(Deal(TEN_PER_CENT, "5h Kd"))
    table.unlink()
    (removed,) = remove(store, jackpot, None)
    assert removed.jackpot.status is JackpotStatus.REMOVED
    assert fund(store, jackpot) == [0, 0, 0]
    assert held(store, "house") == [-(10_002 - 21)]


def test_the_database_itself_protects_the_meter_from_the_house(store: Store) -> None:
    """The account's bound prevents recovering more seed than was advanced."""
    jackpot = create(store, RULES)
    order(store, jackpot, do.CorrectUp(1, WHY))
    too_much = posting("seed_back", f"meter/{jackpot} > advance/{jackpot}", 100_001, reason=WHY)
    with pytest.raises(IntegrityError), store.write() as connection:
        write(connection, open_book(connection, BookKind.CASHIER).book, request(too_much))
