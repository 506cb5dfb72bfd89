"""A table as everybody may see it: plain data for JSON. The only way out of a table.

All players' cards are face up, so players and onlookers get the same. The down card is hidden by
the engine's view, cards of the shoe, seeds and salts are not here at all, and wallets belong to
their owners alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from ventiuna.engine.chips import Chips
from ventiuna.engine.events import CardDealt, HandRemoved, WagersPlaced
from ventiuna.engine.options import (
    CLOSE,
    ActionOption,
    AnswerOption,
    InsuranceOption,
    Option,
    options,
)
from ventiuna.engine.records import Data
from ventiuna.engine.sentences.words import dealer_words
from ventiuna.engine.state import RoundState, Spot
from ventiuna.engine.view_data import option_data, record_data, spot_data
from ventiuna.engine.views import EVERYONE, dealer_cards, redact, spot_view
from ventiuna.engine.wager_options import refused_wager, wager_options
from ventiuna.engine.waiting import WagersWanted
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.rules.words.headline import headline, limits_words
from ventiuna.table import events as ev
from ventiuna.table.events import TableEvent
from ventiuna.table.play.codec import event_data
from ventiuna.table.play.playing import jackpot_refusal
from ventiuna.table.play.state import Seat, TableState
from ventiuna.table.shoes.shoe import LiveShoe
from ventiuna.table.telling.asking import ask_told, stack_of
from ventiuna.table.telling.shown import hand_data, money_data, plain_words

NO_JACKPOTS: frozenset[int] = frozenset()

# Events after which seats or shoe may look otherwise.
CHANGES_SEATS: frozenset[type[object]] = frozenset(
    {
        *(ev.SeatTaken, ev.SpotsChosen, ev.ChipsBought, ev.ChipsCashedOut, ev.SeatReady),
        *(ev.SeatAway, ev.SeatBack, ev.SeatLeaving, ev.SeatLeft),
        *(ev.AskRaised, ev.TimeRanOut, ev.ShoeCut, ev.RoundClosed, ev.TableClosed),
        WagersPlaced,
    }
)
CHANGES_SHOE: frozenset[type[object]] = frozenset(
    {
        *(ev.ShoeCommitted, ev.CutCommitted, ev.CutOpened, ev.ShoeCut, ev.ShoeRevealed),
        *(ev.ShoeLost, ev.RoundOpened, ev.RoundClosed, ev.SeatLeft),
        *(CardDealt, HandRemoved),
    }
)


def public_event(event: TableEvent) -> Data:
    """An event as it may leave the house."""
    if isinstance(event, ev.OwnEvent):
        return event_data(event)
    return event_data(redact(event, EVERYONE))


def public_events(events: Iterable[TableEvent]) -> list[Data]:
    return [public_event(event) for event in events]


def snapshot(state: TableState, suspended: frozenset[int] = NO_JACKPOTS) -> Data:
    """The whole table after event `n`; `suspended` are jackpots that take no bets."""
    return {
        "n": state.head.events,
        "table": {
            "id": state.number,
            "name": state.name,
            "rules": state.rules.name,
            "canonical": canonical(state.rules),
            "fingerprint": fingerprint(state.rules),
            "game": state.rules.game.words,
            "headline": headline(state.rules),
            "limits": limits_words(state.rules),
            "status": str(state.status),
            "seats": state.rules.seats,
            "jackpots": {str(game): link.jackpot for game, link in state.links.items()},
        },
        "seats": seats_data(state),
        "shoe": shoe_data(state),
        "round": round_data(state),
        "ask": ask_data(state, suspended),
    }


def seats_data(state: TableState) -> list[Data]:
    return [_seat(state, seat) for _, seat in sorted(state.seats.items())]


def _seat(state: TableState, seat: Seat) -> Data:
    return {
        "seat": seat.number,
        "person": seat.person,
        "name": seat.name,
        "status": str(seat.status),
        "spots": sorted(state.spots_of(seat.number)),
        "stack": state.stack(seat.number),
        "ready": seat.number in state.ready,
    }


def shoe_data(state: TableState) -> Data:
    """The shoe in play, the commitment of the next one, and its cuts while it is cut."""
    live, playing, coming = state.live, state.in_play, state.next_shoe
    return {
        "number": playing.number if playing else None,
        "commitment": playing.commitment.hex() if playing else None,
        **(_cards_of(state, live) if live else _NO_CARDS),
        "next": coming.number if coming else None,
        "next_commitment": coming.commitment.hex() if coming else None,
        "cuts": {
            str(cut.seat): {
                "commitment": cut.commitment.hex(),
                "value": cut.value.hex() if cut.value else None,
            }
            for cut in state.cuts.values()
        },
    }


_NO_CARDS: Data = {"left": None, "size": None, "to_cut": None, "discards": None, "words": ""}


def _cards_of(state: TableState, live: LiveShoe) -> Data:
    to_cut = 0 if live.cut_card_came else live.cards_left - live.context.behind_cut
    return cards_data(live.context.size, live.cards_left, to_cut, state.round)


def cards_data(size: int, left: int, to_cut: int, round_: RoundState | None) -> Data:
    """How many cards are where; `to_cut` are those before the cut card (O-03)."""
    cut = f"cut card in {to_cut}" if to_cut else "last round of this shoe"
    return {
        "left": left,
        "size": size,
        "to_cut": to_cut,
        "discards": size - left - _on_the_table(round_),
        "words": f"{left} left, {cut}",
    }


def _on_the_table(round_: RoundState | None) -> int:
    if round_ is None:
        return 0
    hands = [hand for spot in round_.order for hand in spot.hands if hand.on_table]
    cards = sum(len(hand.cards) for hand in hands)
    return cards + len(round_.dealer) + len(round_.bonus_cards)


def round_data(state: TableState) -> Data | None:
    """The open round with its totals in words and the money of each spot."""
    if state.round is None or state.opened is None:
        return None
    names = {seat.person: seat.name for seat in state.seats.values()}
    return {"number": state.opened.number, **felt_data(state.round, state.chips, names)}


def felt_data(round_: RoundState, chips: Chips, names: Mapping[str, str]) -> Data:
    """A round as it lies on the felt."""
    words = dealer_words(round_)
    return {
        "stage": str(round_.stage),
        "dealer": list(dealer_cards(round_, EVERYONE)),
        "dealer_words": plain_words(words) if words else None,
        "bonus_cards": list(round_.bonus_cards),
        "spots": [_spot(round_, chips, spot, names) for spot in round_.order],
        "meters": [meter.cents for meter in round_.meters],
    }


def _spot(round_: RoundState, chips: Chips, spot: Spot, names: Mapping[str, str]) -> Data:
    shown = spot_view(spot, names)
    return {
        **spot_data(shown),
        "hands": [
            {**record_data(hand), **hand_data(round_, spot, index)}
            for index, hand in enumerate(shown.hands)
        ],
        **money_data(chips, spot.number),
    }


def ask_data(state: TableState, suspended: frozenset[int] = NO_JACKPOTS) -> Data | None:
    """What the table waits for, until when, and what may be answered."""
    ask = state.ask
    if ask is None:
        return None
    offered = options(state.round) if state.round is not None else ()
    return {
        "n": ask.number,
        "kind": str(ask.kind),
        "spots": list(ask.spots),
        "hand": ask.hand,
        "until": state.deadline,
        "told": ask_told(state, ask, offered),
        "options": _options(state, offered, suspended),
    }


def _options(
    state: TableState, offered: tuple[Option, ...], suspended: frozenset[int]
) -> list[Data]:
    """Wagers are the same for every round of a table, and written once; jackpots come and go."""
    if not isinstance(state.waiting, WagersWanted):
        return [_option(state, one) for one in offered]
    wagers = list(wager_options_data(state.rules))
    for place, option in enumerate(wager_options(state.rules) if state.rules.jackpots else ()):
        refusal = jackpot_refusal(state, option.wager.game, suspended)
        if refusal is not None:
            wagers[place] = option_data(refused_wager(option.wager, option.spots, refusal))
    others = [one for one in offered[len(wagers) :] if not _is_close(one)]
    return [*wagers, *(_option(state, one) for one in others)]


@lru_cache(maxsize=256)
def wager_options_data(rules: Rules) -> tuple[Data, ...]:
    return tuple(option_data(option) for option in wager_options(rules))


def _is_close(option: Option) -> bool:
    """Nobody closes wagers: the table does when all are ready or time is up."""
    return isinstance(option, AnswerOption) and option.name == CLOSE


def _option(state: TableState, option: Option) -> Data:
    data = option_data(option)
    if isinstance(option, ActionOption):
        data["covered"] = option.chips <= stack_of(state, option.spot)
    elif isinstance(option, InsuranceOption):
        data["covered"] = option.least <= stack_of(state, option.spot)
    return data
