"""A replayed round beside the results that its record states."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.engine.stakes import Wager
from ventiuna.money import money_text
from ventiuna.notation.claims import TOTAL, meter_words, wager_title, why_owed
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
            reasons = [
                line
                for game in range(1, len(meters) + 1)
                if meters[game - 1 : game] != stated[game - 1 : game]
                for line in meter_words(played, game)
            ]
            found.append(" ".join([_sentence("Meters after the round", meters, stated), *reasons]))
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
            reasons = why_owed(played, spot.number, wager, sum(found), sum(stated))
            title = wager if wager == TOTAL else wager_title(Wager(wager))
            yield " ".join([_sentence(f"{spot.name}, {title}", found, stated), *reasons])


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
            place = f"{stated.person}, {wager_title(stated.wager)} {_texts((stated.net,))}"
            return [f"Order: {place} isn't paid in the recorded order."]
    return []


def _sentence(what: str, owed: tuple[int, ...], stated: tuple[int, ...]) -> str:
    return f"{what}: {_texts(owed)} is owed, {_texts(stated)} is recorded."


def _texts(amounts: tuple[int, ...]) -> str:
    return " and ".join(
        f"+{money_text(amount)}" if amount > 0 else money_text(amount) for amount in amounts
    )
