"""A record as worked JSON: `read_worked_round` gives the same record back."""

from __future__ import annotations

from ventiuna.cards import card_text
from ventiuna.money import net_text, plain_amount
from ventiuna.notation.records import RoundRecord, SpotRecord
from ventiuna.notation.writing import hand_text
from ventiuna.rules import fingerprint, rules_data
from ventiuna.rules.as_data import Data


def round_data(record: RoundRecord) -> Data:
    """The round as plain data, with the rules themselves, whatever becomes of their preset."""
    data: Data = {
        "id": record.id,
        "title": record.title,
        "refs": list(record.refs),
        "rules": rules_data(record.rules),
        "fingerprint": fingerprint(record.rules),
        "meters": [{"amount": plain_amount(cents), "rest": rest} for cents, rest in record.meters],
        "dealer": {
            "up": card_text(record.up),
            "down": card_text(record.down),
            "draws": [card_text(card) for card in record.draws],
        },
        "bonus_cards": [card_text(card) for card in record.bonus_cards],
        "seats": [_seat(spot) for spot in record.spots],
        "order": [
            {"player": paid.person, "wager": str(paid.wager), "net": net_text(paid.net)}
            for paid in record.order
        ],
    }
    if record.meters_after is not None:
        data["meters_after"] = [plain_amount(cents) for cents in record.meters_after]
    return data


def _seat(spot: SpotRecord) -> Data:
    seat: Data = {
        "spot": spot.number,
        "name": spot.person,
        "base": plain_amount(spot.base),
        "insurance": plain_amount(spot.insurance),
        "mtd": {name: plain_amount(amount) for name, amount in spot.mtd.items()},
        "jackpots": list(spot.jackpots),
        "hands": [hand_text(hand) for hand in spot.hands],  # those that were split too
    }
    if spot.net is not None:
        seat["net"] = {str(wager): [*map(net_text, nets)] for wager, nets in spot.net.items()}
    return seat
