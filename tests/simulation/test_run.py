"""Runs have the same digits, no matter who plays the blocks or how often they are stopped."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests import IS_SOAK
from ventiuna.rules import change_rules, fingerprint, load_rules
from ventiuna.rules.model import RulesError
from ventiuna.simulation.blocks import MeterHistory, Tally, play_block
from ventiuna.simulation.checkpoint import read_checkpoint, restore, save_checkpoint, sealed
from ventiuna.simulation.plan import Plan, check_plan
from ventiuna.simulation.result import Result
from ventiuna.simulation.run import (
    BlockExecutor,
    Progress,
    Run,
    begin_run,
    dask_workers,
    simulate,
    threads,
)
from ventiuna.strategy.counting import built_in_counts
from ventiuna.strategy.protocol import PlanError

RULES = "wsgc-2021(jackpots=3c:1:wager=5:seed=1000)"
PLAN = Plan(
    load_rules(RULES), spots=2, match={"up": 500}, jackpots=(1,), session=100, block=5000, seed=7
)
ROUNDS = 32_345  # six full blocks and a partial one


def digits(result: Result) -> dict[str, Any]:
    """All figures of a result."""
    data = result.as_data()
    data["starts"], data["decisions"] = list(result.starts), list(result.decisions)
    return data


class Inline(Executor):
    """Plays every block at once, in the caller's thread."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Mortal(Inline):
    """Loses every other block."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        future: Future[Any] = Future()
        if self.submitted % 2:
            future.set_exception(BrokenProcessPool("a worker died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture(scope="module")
def wanted() -> dict[str, Any]:
    return digits(begin_run(PLAN, ROUNDS).go(BlockExecutor(Inline(), 1, "inline")))


@pytest.mark.parametrize("number", [1, 2, 5] if IS_SOAK else [2])
def test_threads_give_the_same_digits(wanted: dict[str, Any], number: int) -> None:
    with threads(number) as workers:
        assert digits(begin_run(PLAN, ROUNDS).go(workers)) == wanted


def test_processes_give_the_same_digits(wanted: dict[str, Any]) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        found = begin_run(PLAN, ROUNDS).go(BlockExecutor(executor, 1, "process"))
    assert digits(found) == wanted


def test_any_executor_works(wanted: dict[str, Any]) -> None:
    with ThreadPoolExecutor(2) as executor:
        found = simulate(
            RULES,
            rounds=ROUNDS,
            spots=2,
            match={"up": 500},
            jackpots=(1,),
            session=100,
            seed=7,
            executor=executor,
        )
    # A different block size changes the digits but not the rest of the plan.
    assert found.rounds == wanted["rounds"]


@pytest.mark.slow
def test_dask_gives_the_same_digits(wanted: dict[str, Any]) -> None:
    number = 2 if IS_SOAK else 1
    with dask_workers(f"local:{number}") as workers:
        assert workers.number == number
        assert digits(begin_run(PLAN, ROUNDS).go(workers)) == wanted


def test_blocks_lost_with_their_worker_are_played_again(wanted: dict[str, Any]) -> None:
    executor = Mortal()
    assert digits(begin_run(PLAN, ROUNDS).go(BlockExecutor(executor, 1, "mortal"))) == wanted
    assert executor.submitted >= 7


def test_tasks_of_several_blocks_give_the_same_digits(wanted: dict[str, Any]) -> None:
    for batch in (2, 3, 100) if IS_SOAK else (3,):
        executor = Mortal()
        run = begin_run(PLAN, ROUNDS)
        assert digits(run.go(BlockExecutor(executor, 1, "mortal", batch))) == wanted
        assert executor.submitted < run.blocks
        assert 0 < run.lost < run.blocks


class SchedulerGone(Exception):
    """An exception with an engine's own name."""


class Closing(Inline):
    """Accepts three tasks and no more."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        if self.submitted > 3:
            raise SchedulerGone("closed")
        return super().submit(fn, *args, **kwargs)


def test_a_lost_cluster_costs_only_time(wanted: dict[str, Any]) -> None:
    run = begin_run(PLAN, ROUNDS)
    assert digits(run.go(BlockExecutor(Closing(), 1, "cluster", broken=(SchedulerGone,)))) == wanted
    assert run.lost == run.blocks - 3
    assert run.last_loss == "closed"


def test_workers_that_join_get_work(wanted: dict[str, Any]) -> None:
    """With more workers, more tasks are queued ahead of the awaited one."""
    executor = Mortal()
    ahead = []
    run = begin_run(PLAN, ROUNDS)

    def recount() -> int:
        ahead.append(executor.submitted - run.tally.blocks)
        return 1 if len(ahead) < 3 else 2

    assert digits(run.go(BlockExecutor(executor, 1, "cluster", recount=recount))) == wanted
    assert ahead[:5] == [0, 1, 1, 3, 3]


def test_a_small_run_is_shared_by_all_workers() -> None:
    executor = Mortal()
    run = begin_run(PLAN, ROUNDS)
    run.go(BlockExecutor(executor, run.blocks, "mortal", batch=100))
    assert executor.submitted == run.blocks


def test_another_seed_gives_different_digits(wanted: dict[str, Any]) -> None:
    other = begin_run(replace(PLAN, seed=8), ROUNDS).go(BlockExecutor(Inline(), 1, "inline"))
    assert other.ev.value != wanted["ev"]


def test_blocks_are_added_in_their_order() -> None:
    run = begin_run(PLAN, ROUNDS)
    with pytest.raises(ValueError, match="the next block is 0, not 1"):
        run.tally.add(play_block(run.spec, 1, 10))


# --- stopping and continuing ------------------------------------------------------------------


def stopped_after(blocks: int, save: Any = None) -> tuple[Run, Result]:
    """A run that the user stops with Ctrl-C."""
    run = begin_run(PLAN, ROUNDS)

    def report(progress: Progress) -> None:
        if progress.rounds >= blocks * 5000:
            raise KeyboardInterrupt

    return run, run.go(BlockExecutor(Inline(), 1, "inline"), report, save)


def test_ctrl_c_keeps_the_results_so_far() -> None:
    run, result = stopped_after(2)
    assert not result.complete
    assert result.rounds == 10_000
    assert run.tally.blocks == 2
    assert result.ev.standard_error > 0


@pytest.mark.parametrize("blocks", [1, 3, 6] if IS_SOAK else [3])
def test_a_resumed_checkpoint_gives_the_same_digits(
    wanted: dict[str, Any], tmp_path: Path, blocks: int
) -> None:
    path = tmp_path / "run.ckpt"

    def save(tally: Tally, ending: bool) -> None:
        save_checkpoint(path, tally, {"rules": RULES}, ROUNDS)

    stopped_after(blocks, save)
    facts, arrays = read_checkpoint(path)
    assert facts["settings"] == {"rules": RULES}
    run = begin_run(PLAN, ROUNDS)
    run.tally = restore(run.spec, facts, arrays)
    assert run.tally.blocks == blocks
    assert digits(run.go(BlockExecutor(Inline(), 1, "inline"))) == wanted


def test_a_finished_run_can_be_made_longer(wanted: dict[str, Any], tmp_path: Path) -> None:
    """The final partial block is dropped: in a longer run it would be the start of a full block."""
    path = tmp_path / "run.ckpt"
    short = begin_run(PLAN, 12_000)
    short.go(
        BlockExecutor(Inline(), 1, "inline"),
        save=lambda tally, _: save_checkpoint(path, tally, {}, 12_000),
    )
    assert short.tally.rounds == 12_000
    run = begin_run(PLAN, ROUNDS)
    run.tally = restore(run.spec, *read_checkpoint(path))
    assert run.tally.rounds == 10_000
    assert digits(run.go(BlockExecutor(Inline(), 1, "inline"))) == wanted


def test_a_checkpoint_of_a_different_plan_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    run, _ = stopped_after(1)
    save_checkpoint(path, run.tally, {}, ROUNDS)
    other = begin_run(replace(PLAN, spots=1), ROUNDS)
    with pytest.raises(PlanError, match="differ from this run's"):
        restore(other.spec, *read_checkpoint(path))


def test_a_checkpoint_of_different_rules_shows_both_fingerprints(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    run, _ = stopped_after(1)
    save_checkpoint(path, run.tally, {}, ROUNDS)
    facts, arrays = read_checkpoint(path)
    changed = change_rules(PLAN.rules, {"cut_card": 70})
    assert facts["fingerprint"] == fingerprint(PLAN.rules)
    other = replace(run.spec, rules=changed)
    message = f"fingerprint {fingerprint(PLAN.rules)}, but these have {fingerprint(changed)}"
    with pytest.raises(PlanError, match=message):
        restore(other, facts, arrays)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nonsense", b"no checkpoint at all"])
def test_a_file_that_isnt_a_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.ckpt"
    path.write_bytes(content)
    with pytest.raises(PlanError, match="not a checkpoint"):
        read_checkpoint(path)


def test_until_stops_at_the_same_block_whatever_the_workers() -> None:
    plan = Plan(load_rules("wsgc-spanish-21"), block=2000)
    found = []
    for number in (1, 3):
        with threads(number) as workers:
            found.append(begin_run(plan, 10**7, until=0.01).go(workers))
    found.append(
        begin_run(plan, 10**7, until=0.01).go(BlockExecutor(Inline(), 1, "inline", batch=4))
    )
    assert found[0].rounds == found[1].rounds == found[2].rounds
    assert digits(found[0]) == digits(found[1]) == digits(found[2])
    assert found[0].ev.standard_error <= 0.01
    assert 8_000 <= found[0].rounds <= 20_000
    assert found[0].complete


def test_progress_reports_rate_and_time_left() -> None:
    seen: list[Progress] = []
    begin_run(PLAN, ROUNDS).go(BlockExecutor(Inline(), 1, "inline"), seen.append)
    assert [progress.rounds for progress in seen][-1] == ROUNDS
    assert all(progress.rate > 0 for progress in seen)
    assert seen[0].seconds_left > 0
    assert seen[-1].seconds_left == 0


def test_memory_does_not_grow_with_the_rounds() -> None:
    """A tally of many blocks is as large as a tally of few."""
    plan = Plan(load_rules("super-fun-21"), block=200)
    threads = threading.active_count()
    run = begin_run(plan, 200 * 700)
    run.go(BlockExecutor(Inline(), 1, "inline"))
    assert run.tally.blocks == 700
    assert len(run.tally.points) < 600
    assert threading.active_count() <= threads


# --- plans ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spots": 8}, r"spots = 8: this table has 7 spots \(O-02\)"),
        ({"spots": 0}, "spots = 0"),
        ({"base": 100}, r"must be from \$5\.00 to \$300\.00"),
        ({"match": {"b1": 500}}, "This table doesn't offer"),
        ({"match": {"down": 500}}, "needs an Up Card wager"),
        ({"jackpots": (1,)}, "this table offers no jackpots"),
        ({"errors": 2}, "Use 0% to 100%"),
        ({"seed": -1}, "a seed must not be negative"),
        ({"block": 10**9}, "at most 20,000,000 rounds"),
        ({"session": 7, "block": 10}, "a block must hold whole sessions"),
        ({"meters": (5,)}, "the table has 0 jackpot games"),
    ],
)
def test_plans_that_cannot_be_played_are_refused(changes: dict[str, Any], message: str) -> None:
    plan = Plan(load_rules("wsgc-spanish-21"), **changes)
    with pytest.raises(ValueError, match=message):
        check_plan(plan)


@pytest.mark.parametrize("rounds", [0, 10**14])
def test_numbers_of_rounds_are_checked(rounds: int) -> None:
    with pytest.raises(PlanError, match="from 1 to"):
        begin_run(PLAN, rounds)


def test_wagers_without_a_common_unit_are_refused() -> None:
    """A base wager of $299.98, capped at $300: results differ by single cents."""
    rules = "catfish-bend(chip_unit=0.02,small_chip_unit=0.02)"
    with pytest.raises(PlanError, match=r"base = 299\.98.*no usable common unit.*\(R-055\)"):
        simulate(rules, rounds=10, base=29_998)


def test_dask_without_a_scheduler_says_how_to_start_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ventiuna.simulation.run.ANSWER_WITHIN", "1s")
    with (
        pytest.raises(PlanError, match="Start one with: dask scheduler"),
        dask_workers("tcp://127.0.0.1:1"),
    ):
        pass


def test_a_wrong_number_of_dask_workers_is_refused() -> None:
    with pytest.raises(PlanError, match="must be a number of workers"), dask_workers("local:many"):
        pass


# --- workers and interrupts -------------------------------------------------------------------


class KilledWorker(Exception):
    """An exception of a cluster engine, different from those of Python's executors."""


class Cluster(Mortal):
    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future = super().submit(fn, *args, **kwargs)
        if future.exception() is not None:
            future = Future()
            future.set_exception(KilledWorker("a worker died four times"))
        return future


class Broken(Inline):
    """Accepts one block and then nothing, like a pool whose process was killed."""

    def __init__(self) -> None:
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        if self.submitted > 1:
            raise BrokenProcessPool("a child process terminated abruptly")
        return super().submit(fn, *args, **kwargs)


@pytest.mark.parametrize(
    ("executor", "lost", "words"),
    [(Cluster(), 4, "a worker died four times"), (Broken(), 6, "terminated abruptly")],
)
def test_any_kind_of_lost_worker_has_its_blocks_replayed(
    wanted: dict[str, Any], executor: Executor, lost: int, words: str
) -> None:
    run = begin_run(PLAN, ROUNDS)
    assert digits(run.go(BlockExecutor(executor, 1, "cluster"))) == wanted
    assert run.lost == lost
    assert words in run.last_loss


def die() -> None:
    """Die while playing: dying while sending a result would leave Python's pool waiting."""
    os.kill(os.getpid(), signal.SIGKILL)


class Dying(Executor):
    """A pool whose process dies in its third task."""

    def __init__(self, pool: Executor) -> None:
        self.pool = pool
        self.submitted = 0

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted += 1
        if self.submitted == 3:
            return self.pool.submit(die)
        return self.pool.submit(fn, *args, **kwargs)


def test_a_killed_process_costs_only_time(wanted: dict[str, Any]) -> None:
    run = begin_run(PLAN, ROUNDS)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert digits(run.go(BlockExecutor(Dying(pool), 1, "process"))) == wanted
    assert run.lost == run.blocks - 2


def test_ctrl_c_in_the_middle_of_a_block_counts_it_as_a_whole(
    wanted: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a block in the sums would be in the checkpoint and in every later digit."""
    path = tmp_path / "run.ckpt"
    walk = MeterHistory.walk

    def walk_interrupted(history: MeterHistory, *args: Any) -> Any:
        if history.blocks == 2:
            signal.raise_signal(signal.SIGINT)
        return walk(history, *args)

    monkeypatch.setattr(MeterHistory, "walk", walk_interrupted)
    run = begin_run(PLAN, ROUNDS)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run.go(
            BlockExecutor(Inline(), 1, "inline"),
            save=lambda tally, _: save_checkpoint(path, tally, {}, ROUNDS),
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert not result.complete
    assert result.rounds == 15_000
    monkeypatch.undo()
    again = begin_run(PLAN, ROUNDS)
    again.tally = restore(again.spec, *read_checkpoint(path))
    assert digits(again.go(BlockExecutor(Inline(), 1, "inline"))) == wanted


def test_the_time_left_accounts_for_the_target_error() -> None:
    seen: list[Progress] = []
    plan = Plan(load_rules("wsgc-spanish-21"), block=2000)
    result = begin_run(plan, 10**12, until=0.01).go(
        BlockExecutor(Inline(), 1, "inline"), seen.append
    )
    assert all(progress.target <= 2 * result.rounds for progress in seen)
    assert seen[-1].target == result.rounds


@pytest.mark.parametrize(
    "address",
    ["local:0", "local:99999", "locals", "nowhere", "tcp://:", "tcp://a b:1", "tcp://host:70000"],
)
def test_an_invalid_dask_address_is_refused(address: str) -> None:
    with pytest.raises(PlanError, match=r"Write local:4 or tcp://host:8786"), dask_workers(address):
        pass


def test_a_secure_address_without_certificates_gets_one_sentence() -> None:
    with (
        pytest.raises(PlanError, match=r"Set Dask's distributed.comm.tls, or use tcp"),
        dask_workers("tls://127.0.0.1:8786"),
    ):
        pass


def test_a_scheduler_without_workers_says_how_to_start_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ventiuna.simulation.run.ANSWER_WITHIN", "1s")
    distributed: Any = import_module("distributed")
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster,
        pytest.raises(PlanError, match="Start one with: dask worker tcp"),
        dask_workers(cluster.scheduler_address),
    ):
        pass


@pytest.mark.parametrize("number", [-1, 100_000])
def test_a_wrong_number_of_threads_is_refused(number: int) -> None:
    with pytest.raises(PlanError, match="must be a number of threads"), threads(number):
        pass


def test_a_modified_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    run, _ = stopped_after(1)
    save_checkpoint(path, run.tally, {}, ROUNDS)
    whole = path.read_bytes()
    seal = whole.split(b"\n")[1]
    for changed in (whole[:-1], whole + b" ", whole.replace(seal, b"0" * 64), whole[:-50] * 2):
        path.write_bytes(changed)
        with pytest.raises(PlanError, match="damaged"):
            read_checkpoint(path)
    path.write_bytes(whole.replace(b"checkpoint 6", b"checkpoint 5", 1))
    with pytest.raises(PlanError, match="written by a different version"):
        read_checkpoint(path)


@pytest.mark.parametrize("sealed_again", [False, True])
def test_any_damage_gets_one_sentence(tmp_path: Path, sealed_again: bool) -> None:
    """Bytes changed, lost, doubled or moved, even with a forged checksum that matches."""
    path = tmp_path / "run.ckpt"
    run, _ = stopped_after(1)
    save_checkpoint(path, run.tally, {"rules": RULES}, ROUNDS)
    whole = path.read_bytes()
    content = whole.split(b"\n", 2)[2] if sealed_again else whole
    random = Random(8)
    refused, damages = 0, 300 if IS_SOAK else 60
    for _ in range(damages):
        damaged = bytearray(content)
        for _ in range(random.choice((1, 1, 3, 30))):
            place = random.randrange(len(damaged))
            if random.random() < 0.5:  # often near the ends, where the names and sizes are
                place = random.choice((place % 400, len(damaged) - 1 - place % 900))
            kind = random.randrange(4)
            if kind == 0:
                damaged[place] ^= 1 << random.randrange(8)
            elif kind == 1:
                del damaged[place : place + random.randrange(1, 40)]
            elif kind == 2:
                damaged[place:place] = damaged[place : place + 20]
            else:
                damaged[place : place + 4] = random.randbytes(4)
        path.write_bytes(sealed(bytes(damaged)) if sealed_again else bytes(damaged))
        try:
            restore(run.spec, *read_checkpoint(path))
        except PlanError:
            refused += 1
    assert refused == damages or sealed_again  # some forged bytes are never read


def test_two_writers_of_one_checkpoint_leave_a_complete_one(tmp_path: Path) -> None:
    path = tmp_path / "run.ckpt"
    run, _ = stopped_after(1)
    save_checkpoint(path, run.tally, {}, ROUNDS)

    def write() -> None:
        for _ in range(10):
            save_checkpoint(path, run.tally, {}, ROUNDS)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    reads = 0
    while any(writer.is_alive() for writer in writers) or not reads:
        read_checkpoint(path)
        reads += 1
    for writer in writers:
        writer.join()
    assert [file.name for file in tmp_path.iterdir()] == ["run.ckpt"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rounds": 1e6}, "rounds = 1000000.0: must be a whole number"),
        ({"rounds": "1e6"}, "rounds = 1e6: must be a whole number"),
        ({"spots": 1.5}, "spots = 1.5: must be a whole number"),
        ({"seed": "x"}, "seed = x: must be a whole number"),
        ({"base": 12.5}, "base = 12.5: must be a whole number"),
        ({"shoe": "old"}, "Use cut-card or fresh"),
        ({"count": "ten"}, "there is no such count"),
        ({"count": 10}, "not a count"),
        ({"errors": float("nan")}, "must be a share of the decisions"),
        ({"errors": "2%"}, "must be a share of the decisions"),
        ({"jackpots": 1}, "must be a tuple of whole numbers"),
        ({"meters": (-5,)}, "whole cents, 0 or more"),
        ({"meters": (2.5,)}, "must be a tuple of whole numbers"),
        ({"match": ["up"]}, "must map wager names to cents"),
        ({"strategy": None}, "not a strategy or the name of one"),
        ({"until": "0.01%"}, "a standard error must be a number"),
        ({"until": float("nan")}, "a standard error must be a number"),
        ({"workers": -1}, "must be a number of threads"),
        ({"rules": 5}, "rules"),
    ],
)
def test_invalid_arguments_are_explained(settings: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {"rules": "wsgc-2021", "rounds": 100} | settings
    with pytest.raises(RulesError) as caught:
        simulate(**asked)
    assert message in str(caught.value)


def test_a_count_is_found_by_its_name() -> None:
    by_name = simulate("wsgc-2021", rounds=500, count="level-one")
    assert by_name.tally.spec.count == built_in_counts()["level-one"]
