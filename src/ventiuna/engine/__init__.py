"""A round as commands, events and state, with its legal options and views."""

from importlib import import_module
from typing import TYPE_CHECKING

from ventiuna.engine import commands, events
from ventiuna.engine.commands import Refused
from ventiuna.engine.dealing import (
    CardSource,
    ListSource,
    OutOfCards,
    Shoe,
    deal_wanted_cards,
    finish_round,
    net_by_wager,
    own_meters,
)
from ventiuna.engine.decide import decide, evolve, execute
from ventiuna.engine.events import Wager
from ventiuna.engine.options import ActionOption, Option, action_options, default_command, options
from ventiuna.engine.prompts import waiting_for
from ventiuna.engine.state import HandStatus, Meter, PlayerHand, RoundState, Spot, apply

if TYPE_CHECKING:
    from ventiuna.engine.views import DEALER, EVERYONE, RoundView, Viewer, redact, view

__all__ = [
    "DEALER",
    "EVERYONE",
    "ActionOption",
    "CardSource",
    "HandStatus",
    "ListSource",
    "Meter",
    "Option",
    "OutOfCards",
    "PlayerHand",
    "Refused",
    "RoundState",
    "RoundView",
    "Shoe",
    "Spot",
    "Viewer",
    "Wager",
    "action_options",
    "apply",
    "commands",
    "deal_wanted_cards",
    "decide",
    "default_command",
    "events",
    "evolve",
    "execute",
    "finish_round",
    "net_by_wager",
    "options",
    "own_meters",
    "redact",
    "view",
    "waiting_for",
]


def __getattr__(name: str) -> object:
    """Load views lazily: programs that only play rounds never need them."""
    if name in __all__:
        return getattr(import_module("ventiuna.engine.views"), name)
    raise AttributeError(f"module 'ventiuna.engine' has no attribute {name!r}")
