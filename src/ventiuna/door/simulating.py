"""`vt.simulate`: rounds by the million."""

from __future__ import annotations

from ventiuna.door.entries import entry
from ventiuna.simulation import simulate as _simulate

simulate = entry(_simulate)
