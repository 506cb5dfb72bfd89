"""A replayed round beside the results that its record states."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.money import net_text
from ventiuna.notation.records import SpotRecord
from ventiuna.notation.replay import Replay


def differences(played: Replay) -> list[str]:
    """One sentence for each stated result that the rules don't give; empty: all agree."""
    found = [line for spot in played.record.spots for line in _net_differences(played, spot)]
    found += _order_differences(played)
    stated = played.record.meters_after
    if stated is not None:
        meters = tuple(meter.cents for meter in played.state.meters)
        if meters != stated:
            found.append(f"meters after: {_texts(meters)}, stated {_texts(stated)}")
    return found


def has_stated_results(played: Replay) -> bool:
    record = played.record
    stated = any(spot.net is not None for spot in record.spots)
    return stated or bool(record.order) or record.meters_after is not None


def _net_differences(played: Replay, spot: SpotRecord) -> Iterator[str]:
    if spot.net is None:
        return
    ours = played.net(spot.number)
    total = sum(sum(amounts) for amounts in ours.values())
    # The total may stand alone; where single wagers are stated, one left out is stated as nothing.
    wagers = spot.net if set(spot.net) == {"total"} else [*ours, *spot.net]
    for wager in dict.fromkeys(wagers):
        stated = spot.net.get(wager, (0,))
        found = (total,) if wager == "total" else ours.get(wager, (0,))
        if stated != found:
            yield f"{spot.name} {wager}: {_texts(found)}, stated {_texts(stated)}"


def _order_differences(played: Replay) -> list[str]:
    """Stated payments must come in the stated order; others may come between."""
    persons = {spot.number: spot.name for spot in played.record.spots}
    payments = iter(played.payments)
    for stated in played.record.order:
        for payment in payments:
            ours = (persons[payment.spot], payment.wager, payment.net)
            if ours == (stated.person, stated.wager, stated.net):
                break
        else:
            place = f"{stated.person} {stated.wager} {net_text(stated.net)}"
            return [f"order: {place} does not come in the stated place"]
    return []


def _texts(amounts: tuple[int, ...]) -> str:
    return " and ".join(net_text(amount) for amount in amounts)
