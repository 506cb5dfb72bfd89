"""Raw output of the shoes' generator and shuffled shoes in bulk, for a laboratory's own tests.

Each shoe is committed and shuffled by the same functions as at a live table (`table.fairness`),
with salts from the operating system and a house key that is used only for this sample. Nobody cuts,
so that the seeds alone reproduce the sample. A stopped sample continues where it ended.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ventiuna.errors import VentiunaError
from ventiuna.files import write_file
from ventiuna.package import version
from ventiuna.rules import Rules, canonical
from ventiuna.table.fairness import (
    REQUEST_BYTES,
    SECRET_BYTES,
    HmacDrbg,
    OsEntropy,
    ShoeContext,
    context_of,
    mix_of,
    server_seed,
    shoe_commitment,
    shoe_order,
    shoe_randomness,
)

FORMAT = "ventiuna-rng-sample-1"
MANIFEST = "manifest.json"
SEEDS, RAW, SHOES = "seeds.bin", "raw.bin", "shoes.bin"
REQUESTS = (
    2  # of the generator for each shoe: 512 words, more than the shuffle of eight decks takes
)
Report = Callable[[int], None]

_CONTENTS = {
    SEEDS: "the seed S; the mix is that of no cuts",
    RAW: "the generator's first output",
    SHOES: "its cards in order, 4 times the rank plus the suit",
}


class SampleError(VentiunaError, ValueError):
    """The folder contains another sample, or the numbers are invalid."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a sample consists of; a seed makes it reproducible, for tests."""

    rules: Rules
    shoes: int
    seed: str = ""

    def data(self, written: int, sums: dict[str, str]) -> dict[str, object]:
        """The manifest."""
        context = self.context(1)
        return {
            "format": FORMAT,
            "version": version(),
            "rules": canonical(self.rules),
            "source": f"test seed {self.seed}" if self.seed else "operating system",
            "first_context": context.lines().decode(),
            "shoes": written,
            "complete": written >= self.shoes,
            "files": {
                name: f"for each shoe, {self.sizes()[name]} bytes: {what}"
                for name, what in _CONTENTS.items()
            },
            "sha256": sums,
        }

    def context(self, number: int) -> ShoeContext:
        return context_of(self.rules, "rng-sample", "sample", number)

    def sizes(self) -> dict[str, int]:
        """Bytes of each file for each shoe."""
        return {
            SEEDS: SECRET_BYTES,
            RAW: REQUESTS * REQUEST_BYTES,
            SHOES: self.context(1).size,
        }


def one_shoe(context: ShoeContext, seed: bytes) -> dict[str, bytes]:
    """The contents of the files for this shoe."""
    mix = mix_of(shoe_commitment(context, seed), {})
    generator = HmacDrbg(seed, mix, context.lines())
    return {
        SEEDS: seed,
        RAW: b"".join(generator.generate(REQUEST_BYTES) for _ in range(REQUESTS)),
        SHOES: bytes(shoe_order(context, shoe_randomness(context, seed, mix))),
    }


def write_sample(sample: Sample, folder: Path, report: Report | None = None) -> dict[str, object]:
    """Write or continue a sample; return its manifest. Ctrl-C keeps the shoes written so far."""
    if sample.shoes < 1:
        raise SampleError("shoes: a sample needs at least one shoe.")
    done = _written(sample, folder)
    try:
        for number in _write_shoes(sample, folder, done):
            done = number
            if report:
                report(done)
    finally:
        manifest = sample.data(done, {name: _sum(folder / name) for name in sample.sizes()})
        text = json.dumps(manifest, ensure_ascii=False, indent=1)
        write_file(folder / MANIFEST, text + "\n")
    return manifest


def _written(sample: Sample, folder: Path) -> int:
    """The number of whole shoes in the folder, if they belong to this sample."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / MANIFEST
    mine = sample.data(0, {})
    if not manifest.exists():
        if any((folder / name).exists() for name in sample.sizes()):
            raise SampleError(
                f"{folder} contains part of a sample but no manifest. Name another folder."
            )
        write_file(manifest, json.dumps(mine) + "\n")
    try:
        found = json.loads(manifest.read_text("utf-8"))
    except ValueError:
        found = {}
    same = ("format", "version", "rules", "source", "first_context")
    if not isinstance(found, dict) or any(found.get(key) != mine[key] for key in same):
        raise SampleError(f"{folder} contains a different sample. Name another folder.")
    files = {name: folder / name for name in sample.sizes()}
    for path in files.values():
        path.touch()
    whole = min(files[name].stat().st_size // size for name, size in sample.sizes().items())
    for name, size in sample.sizes().items():
        with files[name].open("r+b") as file:
            file.truncate(whole * size)  # a stopped run may have written part of a shoe
    return whole


def _write_shoes(sample: Sample, folder: Path, done: int) -> Iterator[int]:
    seeds = _seeds(sample)
    names = list(sample.sizes())
    files = [(folder / name).open("ab") for name in names]
    try:
        for number in range(done + 1, sample.shoes + 1):
            context = sample.context(number)
            found = one_shoe(context, seeds(context))
            for name, file in zip(names, files, strict=True):
                file.write(found[name])
            yield number
    finally:
        for file in files:
            file.close()


def _seeds(sample: Sample) -> Callable[[ShoeContext], bytes]:
    """Derive each shoe's seed as a house does, from its key and the shoe's salt."""
    if sample.seed:  # for tests: the same seed gives the same sample
        key = hashlib.sha256(f"ventiuna-sample-key-1\n{sample.seed}\n".encode()).digest()
        return lambda context: server_seed(key, context, bytes(SECRET_BYTES))
    key, entropy = secrets.token_bytes(SECRET_BYTES), OsEntropy()
    return lambda context: server_seed(key, context, entropy.salt())


def _sum(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
