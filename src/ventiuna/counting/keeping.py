"""Tilted shoes that are worked out already, kept in a file, so that work can be stopped."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from ventiuna.files import write_file
from ventiuna.strategy.errors import plan_problem

Floats = npt.NDArray[np.float64]
SAVE_EVERY = 5.0  # seconds: what is lost by a stop at most
_FORMAT = 1


@dataclass
class KeptShoes:
    """A checkpoint of one study of index numbers: how many shoes are done, and their sums."""

    path: Path
    goes_on: bool = False  # from what the file has
    _last: float = field(default_factory=time.monotonic)

    def of_sum(self, number: int) -> KeptShoes:
        """The checkpoint of a further sum of counts, in a file beside this one."""
        path = self.path.with_name(f"{self.path.name}.{number}")
        return KeptShoes(path, self.goes_on and path.exists())

    def load(self, about: str) -> tuple[int, Mapping[str, Floats]]:
        """Shoes done and sums so far; none where the study begins."""
        if not self.goes_on:
            return 0, {}
        try:
            with np.load(self.path, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            key, done = str(arrays.pop("key")), int(arrays.pop("done"))
        except (ValueError, KeyError, BadZipFile, EOFError) as error:
            raise plan_problem(
                "resume", str(self.path), "not a checkpoint of index numbers",
                "Name a file that --checkpoint wrote.",
            ) from error  # fmt: skip
        if key != _key(about):
            raise plan_problem(
                "resume", str(self.path), "it is of other rules, another count or another version",
                "Give the same words as when it was begun.",
            )  # fmt: skip
        return done, arrays

    def save(self, about: str, done: int, arrays: Mapping[str, Floats], is_last: bool) -> None:
        """Between two shoes, every few seconds and after the last."""
        if not is_last and time.monotonic() - self._last < SAVE_EVERY:
            return
        self._last = time.monotonic()
        content = BytesIO()
        facts = {"key": np.array(_key(about)), "done": np.array(done)}
        np.savez(content, allow_pickle=False, **facts, **arrays)
        write_file(self.path, content.getvalue())


def _key(about: str) -> str:
    return sha256(f"{_FORMAT} {about}".encode()).hexdigest()
