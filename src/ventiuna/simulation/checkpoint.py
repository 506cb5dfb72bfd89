"""Save runs to disk in whole blocks, so that resuming gives identical results.

The file is a line with its format, a line with the SHA-256 of everything after it, a line of JSON,
and the packed arrays. So a modified file is detected before anything in it is parsed. The file
contains the plan's digest, and files of other plans are rejected. It also contains the rules, so a
run continues under the same rules even if its rules file was edited or deleted.
"""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ventiuna.files import write_file
from ventiuna.rules import Rules, canonical, fingerprint, rules_data, rules_from_data
from ventiuna.simulation.blocks import (
    ARRAYS,
    LISTS,
    ConvergencePoint,
    Ints,
    MeterHistory,
    SessionTally,
    Tally,
    WagerAwards,
)
from ventiuna.simulation.plan import is_whole_number
from ventiuna.simulation.run import Run
from ventiuna.simulation.spec import SimulationSpec
from ventiuna.strategy.protocol import PlanError, plan_problem

Facts = dict[str, Any]  # JSON values by name
_MAGIC = b"ventiuna checkpoint "
FORMAT = b"6"
_NUMBER = np.dtype("<i8")
LARGEST = 1_000_000_000  # maximum size in bytes, in case the file is endless
_ARRAYS = ("results", "starts", "visits", *ARRAYS)
SAVE_EVERY = 20.0  # seconds
_NUMBERS = ("blocks", "block_sums", "block_squares", "whole_blocks", "every")
# Exceptions that unexpected content may raise once it is unpacked.
_NOT_OURS = (
    ValueError,
    KeyError,
    TypeError,
    RecursionError,
    OverflowError,
    zlib.error,
)


def save_checkpoint(
    path: Path, tally: Tally, settings: Facts, rounds: int, until: float = 0.0
) -> None:
    """Replace the file with the tally; a crash leaves the old file intact."""
    facts: Facts = {
        "digest": tally.spec.digest,
        "rules": canonical(tally.spec.rules),
        "rules data": rules_data(tally.spec.rules),
        "fingerprint": fingerprint(tally.spec.rules),
        "settings": settings,
        "rounds": rounds,
        "until": until,
        "meters": asdict(tally.meters),
        "points": [asdict(point) for point in tally.points],
        "sessions": {
            name: list(part.items()) if isinstance(part, Counter) else part
            for name, part in vars(tally.sessions).items()
        },
    }
    facts |= {name: getattr(tally, name) for name in (*LISTS, *_NUMBERS)}
    arrays = {name: getattr(tally, name) for name in _ARRAYS}
    facts["arrays"] = {name: len(array) for name, array in arrays.items()}
    numbers = np.concatenate([array.astype(_NUMBER) for array in arrays.values()])
    packed = zlib.compress(numbers.tobytes(), level=1)  # mostly zeros
    write_file(path, sealed(json.dumps(facts).encode() + b"\n" + packed))


def sealed(content: bytes) -> bytes:
    """The content, preceded by lines with its format and checksum."""
    return b"%s%s\n%s\n%s" % (_MAGIC, FORMAT, hashlib.sha256(content).hexdigest().encode(), content)


def read_checkpoint(path: Path) -> tuple[Facts, dict[str, Ints]]:
    """Read the facts and arrays of a checkpoint."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    content = _unsealed(path, data)
    text, _, packed = content.partition(b"\n")
    try:
        facts = json.loads(text)
        if not isinstance(facts["settings"], dict):
            raise TypeError("no settings")
        arrays = _unpacked(facts["arrays"], packed)
    except _NOT_OURS as error:
        raise _not_a_checkpoint(path, error) from None
    return facts, arrays


def _unpacked(sizes: dict[str, int], packed: bytes) -> dict[str, Ints]:
    expected = [sizes[name] for name in _ARRAYS]
    if any(not 0 <= size <= LARGEST for size in expected):
        raise ValueError("invalid array sizes")
    room = sum(expected) * _NUMBER.itemsize
    data = zlib.decompressobj().decompress(packed, room + 1)
    if len(data) != room:
        raise ValueError("arrays of the wrong size")
    parts = np.split(np.frombuffer(data, dtype=_NUMBER), np.cumsum(expected)[:-1])
    return dict(zip(_ARRAYS, parts, strict=True))


def _unsealed(path: Path, data: bytes) -> bytes:
    head, _, rest = data.partition(b"\n")
    if not head.startswith(_MAGIC) or len(data) > LARGEST:
        raise _not_a_checkpoint(path)
    if head != _MAGIC + FORMAT:
        raise plan_problem(
            "resume", path, "written by a different version", "Start the simulation over."
        )
    seal, _, content = rest.partition(b"\n")
    if seal != hashlib.sha256(content).hexdigest().encode():
        raise plan_problem(
            "resume", path, "damaged: it was changed after it was saved", "Start over."
        )
    return content


def _not_a_checkpoint(path: Path, error: Exception | None = None) -> PlanError:
    reason = f" ({error})" if error is not None else ""
    return plan_problem(
        "resume", path, f"not a checkpoint{reason}", "Name a file written by --save."
    )


def stored_rules(facts: Facts) -> Rules:
    """The rules of the run, even if their file has changed since."""
    return rules_from_data(facts.get("rules data"))


def resume(run: Run, facts: Facts, arrays: dict[str, Ints]) -> None:
    """Continue a run from a checkpoint, which must have the same spec."""
    run.tally = restore(run.spec, facts, arrays)
    if run.tally.blocks > run.blocks:
        raise plan_problem(
            "rounds",
            run.rounds,
            f"the checkpoint already has {run.tally.dealt:,} rounds",
            "Request more.",
        )


class CheckpointSaver:
    """Saves a checkpoint after the first block, then every few seconds, and at the end.

    If saving fails repeatedly, `report` is called only for the first error; the run continues.
    """

    def __init__(
        self, path: Path, settings: Facts, run: Run, report: Callable[[OSError], None] | None = None
    ) -> None:
        self.error: OSError | None = None
        self._path, self._settings, self._run, self._report = path, settings, run, report
        self._last = -SAVE_EVERY

    def __call__(self, tally: Tally, ending: bool) -> None:
        if not ending and time.monotonic() - self._last <= SAVE_EVERY:
            return
        self._last = time.monotonic()
        before, self.error = self.error, None
        try:
            save_checkpoint(self._path, tally, self._settings, self._run.rounds, self._run.until)
        except OSError as error:
            self.error = error
            if self._report is None:
                raise
            if before is None and not ending:
                self._report(error)


def restore(spec: SimulationSpec, facts: Facts, arrays: dict[str, Ints]) -> Tally:
    """Restore the tally of a checkpoint, which must have this spec."""
    _check_rules(spec, facts)
    if facts.get("digest") != spec.digest:
        raise plan_problem(
            "resume",
            facts.get("digest", ""),
            "its rules, wagers or strategy differ from this run's",
            "Start the simulation over.",
        )
    try:
        return _restored(spec, facts, arrays)
    except _NOT_OURS as error:
        raise plan_problem(
            "resume", facts["digest"], f"not a checkpoint ({error})", "Start the simulation over."
        ) from None


def _restored(spec: SimulationSpec, facts: Facts, arrays: dict[str, Ints]) -> Tally:
    tally = Tally.empty(spec)
    for name in _ARRAYS:
        if len(arrays[name]) != len(getattr(tally, name)):
            raise ValueError(f"{name} has the wrong size")
        setattr(tally, name, arrays[name].astype(np.int64))
    for name in LISTS:
        if len(facts[name]) != len(getattr(tally, name)) or not all(
            map(is_whole_number, facts[name])
        ):
            raise ValueError(f"{name} has the wrong size")
        setattr(tally, name, facts[name])
    for name in _NUMBERS:
        if not is_whole_number(facts[name]):
            raise ValueError(f"{name} isn't a number")
        setattr(tally, name, facts[name])
    tally.meters = MeterHistory(**facts["meters"])
    tally.meters.own = [WagerAwards(*awards) for awards in tally.meters.own]
    tally.meters.points = [tuple(point) for point in tally.meters.points]
    tally.points = [ConvergencePoint(**point) for point in facts["points"]]
    tally.sessions = _sessions(facts["sessions"])
    return tally


def _check_rules(spec: SimulationSpec, facts: Facts) -> None:
    stored, ours = facts.get("fingerprint", ""), fingerprint(spec.rules)
    if stored != ours:
        raise plan_problem(
            "resume",
            facts.get("rules", ""),
            f"it was played under rules with fingerprint {stored or 'unknown'}, "
            f"but these have {ours}",
            "Restore the original rules, or start the simulation over.",
        )


def _sessions(data: Facts) -> SessionTally:
    counted = ("results", "lowest", "losing")
    counters = {name: Counter({int(k): int(n) for k, n in data[name]}) for name in counted}
    return SessionTally(data["sessions"], data["total"], data["squared"], **counters)
