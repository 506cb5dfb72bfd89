"""A run on disk: whole blocks only, so that continuing it leads to the same digits.

The file is a NumPy archive without Python objects. It names the plan's digest, and a file of
another plan, or of rules that changed since, is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ventiuna.rules import canonical, fingerprint
from ventiuna.simulation.meters import MeterHistory, WagerAwards
from ventiuna.simulation.tally import Point, SessionTally, Tally
from ventiuna.simulation.work import Work
from ventiuna.strategy.errors import plan_problem

FORMAT = 3
_ARRAYS = ("results", "starts", "visits", "compared", "match_counts", "jackpot_counts", "totals")
_LISTS = ("counters", "spots", "insured", "supers", "rest", "match_squared", "jackpot_squared")
_NUMBERS = ("blocks", "block_sums", "block_squares", "whole_blocks", "every")


def save_checkpoint(
    path: Path, tally: Tally, settings: dict[str, Any], rounds: int, until: float = 0.0
) -> None:
    """Write the tally beside the file and move it there, so that a crash leaves the old one."""
    facts: dict[str, Any] = {
        "format": FORMAT,
        "digest": tally.work.digest,
        "rules": canonical(tally.work.rules),
        "fingerprint": fingerprint(tally.work.rules),
        "settings": settings,
        "rounds": rounds,
        "until": until,
        "meters": asdict(tally.meters),
        "points": [asdict(point) for point in tally.points],
        "sessions": _session_data(tally.sessions),
    }
    facts |= {name: getattr(tally, name) for name in (*_LISTS, *_NUMBERS)}
    arrays = {name: getattr(tally, name) for name in _ARRAYS}
    text = json.dumps(facts)
    seal = np.array(_seal(text, arrays))
    waiting = path.with_name(path.name + ".part")
    with waiting.open("wb") as file:
        np.savez_compressed(file, facts=np.array(text), seal=seal, **arrays)
        file.flush()
        os.fsync(file.fileno())
    waiting.replace(path)


def _seal(facts: str, arrays: dict[str, Any]) -> str:
    """A digest of all that a checkpoint holds: a file that was changed is found out."""
    digest = hashlib.sha256(facts.encode())
    for name in _ARRAYS:
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The facts and arrays of a checkpoint."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file):
            file.seek(0)
            with np.load(file, allow_pickle=False) as archive:
                text = str(archive["facts"])
                seal = str(archive["seal"]) if "seal" in archive else ""
                arrays = {name: archive[name] for name in _ARRAYS}
        facts = json.loads(text)
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise plan_problem(
            "resume", path, f"not a checkpoint ({error})", "Name a file that --save wrote."
        ) from None
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise plan_problem(
            "resume", path, "written by another version", "Start the simulation anew."
        )
    if seal != _seal(text, arrays):
        raise plan_problem(
            "resume", path, "damaged: it was changed after it was written", "Start anew."
        )
    return facts, arrays


def restore(work: Work, facts: dict[str, Any], arrays: dict[str, Any]) -> Tally:
    """The tally of a checkpoint, for the same work."""
    _check_rules(work, facts)
    if facts["digest"] != work.digest:
        raise plan_problem(
            "resume",
            facts["digest"],
            "its rules, wagers or strategy are not those of this run any more",
            "Start the simulation anew.",
        )
    tally = Tally.empty(work)
    for name in _ARRAYS:
        setattr(tally, name, arrays[name].astype(np.int64))
    for name in (*_LISTS, *_NUMBERS):
        setattr(tally, name, facts[name])
    tally.meters = MeterHistory(**facts["meters"])
    tally.meters.own = [WagerAwards(*awards) for awards in tally.meters.own]
    tally.meters.points = [tuple(point) for point in tally.meters.points]
    tally.points = [Point(**point) for point in facts["points"]]
    tally.sessions = _sessions(facts["sessions"])
    return tally


def _check_rules(work: Work, facts: dict[str, Any]) -> None:
    stored, ours = facts.get("fingerprint", ""), fingerprint(work.rules)
    if stored != ours:
        raise plan_problem(
            "resume",
            facts.get("rules", ""),
            f"it was played under rules with fingerprint {stored or 'unknown'}, "
            f"but these have {ours}",
            "Bring the rules back to what they were, or start the simulation anew.",
        )


def _session_data(sessions: SessionTally) -> dict[str, Any]:
    return {
        "sessions": sessions.sessions,
        "total": sessions.total,
        "squared": sessions.squared,
        "results": list(sessions.results.items()),
        "lowest": list(sessions.lowest.items()),
        "losing": list(sessions.losing.items()),
    }


def _sessions(data: dict[str, Any]) -> SessionTally:
    return SessionTally(
        data["sessions"],
        data["total"],
        data["squared"],
        Counter({int(value): int(times) for value, times in data["results"]}),
        Counter({int(value): int(times) for value, times in data["lowest"]}),
        Counter({int(value): int(times) for value, times in data["losing"]}),
    )
