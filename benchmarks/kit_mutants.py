"""Measure how many wrong engines the conformance kit recognizes.

    python -m benchmarks.kit_mutants --seed 21 --sample 120

A mutant is our source with one operator, number or statement changed. The kit tests it like
any other engine. If every answer is right, a judge tries thousands of other random rounds, which
our own engine has dealt. If the kit or the judge finds a wrong answer, the mutant changes payments
or what is allowed. The share of those mutants that the kit finds is printed. The others are left
out: they change texts, checks of invalid calls, things the protocol doesn't ask about (supervisors,
the library's own shoe), or nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from benchmarks.mutants import ROOT, copy_of_the_project, environment, known_equivalents, mutants_in
from benchmarks.mutations import Mutant

# Modules that only present a round. A change there can't affect a payment.
PRESENTING = ("messages.py", "views.py", "codec.py", "refusals.py")
JUDGED = 2500  # rounds of each part that the judge plays
FIRST_SEED = 10**6  # far from the kit's own
PATIENCE = 600.0  # seconds
KILLED, MISSED, SAME = "killed by the kit", "MISSED by the kit", "changes no answer"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kit_mutants", description=__doc__)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--sample", type=int, default=120, help="number of mutants to try")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--judge", metavar="FILE", help="answer these questions, and stop")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.judge:
        print(digest(Path(options.judge)))
        return 0
    known = known_equivalents()
    rooms = [mutant for room in ("core", "engine") for mutant in mutants_in(room)]
    told = [one for one in rooms if one.key not in known and not one.path.endswith(PRESENTING)]
    chosen = random.Random(options.seed).sample(told, min(options.sample, len(told)))
    with tempfile.TemporaryDirectory() as folder:
        verdicts = list(_try_all(chosen, options.workers, Path(folder)))
    return _report(verdicts, options.seed, options.json)


def write_questions(path: Path) -> None:
    """Deal the judge's rounds."""
    from tests.conformance_kit import dealt_question

    seeds = range(FIRST_SEED, FIRST_SEED + JUDGED)
    dealt = (dealt_question(part, seed) for part in ("dealt", "options") for seed in seeds)
    path.write_text("".join(json.dumps(one) + "\n" for one in dealt if one), encoding="utf-8")


def digest(path: Path) -> str:
    """A hash of the answers: offers, payments, meters and refusals."""
    from ventiuna.proof.conformance import answer

    found = hashlib.sha256()
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            answered = answer(json.loads(line))
            answered.get("refused", {}).pop("rules", None)  # citations affect no payment
            found.update(json.dumps(answered).encode())
    return found.hexdigest()


def _try_all(mutants: Iterable[Mutant], workers: int, folder: Path) -> Iterator[tuple[Mutant, str]]:
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(workers):
        copies.put(copy_of_the_project(folder / str(number)))
    questions = folder / "questions.jsonl"
    write_questions(questions)
    right = digest(questions) + "\n"

    def attempt(mutant: Mutant) -> str:
        copy = copies.get()
        source = copy / mutant.path
        original = source.read_text(encoding="utf-8")
        source.write_text(mutant.applied_to(original), encoding="utf-8")
        try:
            return _verdict(copy, questions, right)
        except subprocess.TimeoutExpired:
            return KILLED
        finally:
            source.write_text(original, encoding="utf-8")
            copies.put(copy)

    with ThreadPoolExecutor(workers) as pool:
        for mutant, word in zip(mutants, pool.map(attempt, mutants), strict=True):
            print(f"{mutant.place}: {mutant.change}: {word}", file=sys.stderr, flush=True)
            yield mutant, word


def _verdict(copy: Path, questions: Path, right: str) -> str:
    engine = [sys.executable, "-m", "ventiuna", "conformance"]
    asked = [sys.executable, str(ROOT / "conformance" / "run.py"), "--first", "--", *engine]
    if _run(copy, asked).returncode:
        return KILLED
    judge = [sys.executable, "-m", "benchmarks.kit_mutants", "--judge", str(questions)]
    return SAME if _run(copy, judge).stdout == right else MISSED


def _run(root: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=root,
        env=environment(root) | {"PYTHONDONTWRITEBYTECODE": "1", "VENTIUNA_KERNELS": "python"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def _report(verdicts: list[tuple[Mutant, str]], seed: int, as_json: bool) -> int:
    words = [word for _, word in verdicts]
    killed, missed = words.count(KILLED), [one for one, word in verdicts if word == MISSED]
    share = 100 * killed / max(1, killed + len(missed))
    if as_json:
        left = [{"key": mutant.key, "place": mutant.place} for mutant in missed]
        facts = {"seed": seed, "tried": len(words), "killed": killed, "missed": left}
        print(json.dumps({**facts, "killed_percent": round(share, 1)}))
    else:
        for mutant in missed:
            print(f"missed: {mutant.place}: {mutant.change}")
        print(
            f"seed {seed}: {len(words)} mutants, {words.count(SAME)} of them give every answer "
            f"right; the kit kills {killed} of the other {killed + len(missed)}, {share:.1f}%"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
