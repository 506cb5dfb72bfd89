"""Compare engine, kernel and exact analysis: lockstep, agreement, certificate, regret, cut card.

Names are loaded on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ventiuna.proof.certificate import Certificate, certify


_HOMES = {"Certificate": "certificate", "certify": "certificate"}

__all__ = ["Certificate", "certify"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
