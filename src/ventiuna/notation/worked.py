"""Worked rounds in JSON: exact cards, exact money, and actions that must be refused.

The format is described in docs/notation.md. Its rules have no table limits and chip units of
their own, so wide ones are assumed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.money import MoneyError, parse_amount
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
    Step,
)
from ventiuna.rules import Rules, change_rules, load_rules
from ventiuna.rules.errors import Problem, RulesError
from ventiuna.rules.reading import did_you_mean

GAMES = {"spanish": "wsgc-2021", "superfun": "super-fun-21", "blackjack": "blackjack"}
WIDE_LIMITS = {
    "table_minimum": "0.50",
    "table_maximum": "1000000",
    "chip_unit": "0.50",
    "small_chip_unit": "0.25",
    "mtd_minimum": "0.50",
    "limit_profile": "none",
}
_ACTIONS = {"ddd": "double-double", "double-double": "double-double"} | {
    word: word for word in ("hit", "stand", "double", "rescue", "surrender", "keep", "split")
}
_TAKES_CARD = ("hit", "double", "double-double")
_RULE_KEYS = ("game", "decks", "h17", "ddd", "max", "envy", "jackpots")
_JACKPOT_KEYS = {"pt": "pay_table", "alt": "alternate"}


@dataclass(frozen=True, slots=True)
class RefusedCase:
    """Something that must be refused; `data` is None where only the title describes it."""

    id: str
    title: str
    refs: tuple[str, ...]
    data: Mapping[str, Any] | None

    def record(self) -> RoundRecord:
        """The round in which it is tried; rules that can't be are refused here already."""
        assert self.data is not None
        return _refused_record(self.data)


def read_worked_rounds(data: Any) -> list[RoundRecord]:
    """The rounds of a file (`rounds`), or a list of rounds, or one round."""
    if isinstance(data, Mapping) and ("rounds" in data or "refused" in data):
        rounds = data.get("rounds", [])
    else:
        rounds = data if isinstance(data, list) else [data]
    if not isinstance(rounds, list):
        raise NotationError("rounds: this is a list of rounds")
    return [read_worked_round(entry) for entry in rounds]


def read_refused_cases(data: Any) -> list[RefusedCase]:
    cases = data.get("refused", []) if isinstance(data, Mapping) else []
    if not isinstance(cases, list) or not all(isinstance(case, Mapping) for case in cases):
        raise NotationError("refused: this is a list of cases")
    return [
        RefusedCase(
            str(case.get("id", number)),
            str(case.get("title", "")),
            tuple(case.get("refs", ())),
            case if "seat" in case else None,
        )
        for number, case in enumerate(cases, start=1)
    ]


def read_worked_round(data: Any) -> RoundRecord:
    if not isinstance(data, Mapping):
        raise NotationError("a round is an object with rules, dealer and seats")
    name = str(data.get("id", "round"))
    try:
        return _round(data, name)
    except KeyError as error:
        raise NotationError(f"{name}: {error.args[0]} is missing") from None
    except (CardError, MoneyError, NotationError) as error:
        raise type(error)(f"{name}: {error}") from None
    except (TypeError, AttributeError, ValueError) as error:
        if isinstance(error, RulesError):
            raise
        raise NotationError(f"{name}: it does not have the form of a round ({error})") from None


def _round(data: Mapping[str, Any], name: str) -> RoundRecord:
    dealer = data["dealer"]
    bonus_cards = parse_cards(" ".join(data.get("bonus_cards", ())))
    rules, meters = _rules(data["rules"], len(bonus_cards))
    after = data.get("meters_after")
    return RoundRecord(
        id=name,
        rules=rules,
        up=parse_card(dealer["up"]),
        down=parse_card(dealer["down"]),
        spots=tuple(
            _spot(number, seat, rules) for number, seat in enumerate(data["seats"], start=1)
        ),
        draws=parse_cards(" ".join(dealer.get("draws", ()))),
        bonus_cards=bonus_cards,
        meters=meters,
        title=str(data.get("title", "")),
        refs=tuple(data.get("refs", ())),
        order=tuple(
            StatedPayment(entry["player"], entry["wager"], signed_amount(entry["net"]))
            for entry in data.get("order", ())
        ),
        meters_after=None if after is None else tuple(signed_amount(text) for text in after),
    )


def signed_amount(text: Any) -> int:
    """Cents of a result such as `-7.50` or `+10`."""
    stripped = str(text).strip()
    if stripped.startswith("-"):
        return -parse_amount(stripped[1:])
    return parse_amount(stripped.removeprefix("+"))


def _rules(data: Any, bonus_cards: int) -> tuple[Rules, tuple[tuple[int, int], ...]]:
    """The rules of a round and the meters it starts from."""
    if isinstance(data, str):
        rules = load_rules(data)
        return rules, tuple((jackpot.seed, 0) for jackpot in rules.jackpots)
    for key in data:
        if key not in _RULE_KEYS:
            fix = did_you_mean(str(key), _RULE_KEYS)
            raise RulesError([Problem(str(key), str(data[key]), "", "there is no such rule", fix)])
    if data["game"] not in GAMES:
        fix = did_you_mean(str(data["game"]), GAMES)
        raise RulesError([Problem("game", str(data["game"]), "", "there is no such game", fix)])
    changes: dict[str, Any] = dict(WIDE_LIMITS)
    if data["game"] == "spanish":
        changes["mtd_configuration"] = 4 if bonus_cards else 2
        changes["bonus_cards"] = bonus_cards
    if "decks" in data:
        changes["decks"] = data["decks"]
    if "h17" in data:
        changes["soft_17"] = "hit" if data["h17"] else "stand"
    if "ddd" in data:
        changes["double_double"] = bool(data["ddd"])
    if "max" in data:
        changes["table_maximum"] = data["max"]
    if "envy" in data:
        changes["envy"] = data["envy"]
    games = data.get("jackpots", [])
    if games:
        changes["jackpots"] = [_jackpot(game) for game in games]
    rules = change_rules(load_rules(GAMES[data["game"]]), changes)
    return rules, tuple((parse_amount(game.get("meter", 0)), 0) for game in games)


def _jackpot(game: Mapping[str, Any]) -> dict[str, Any]:
    """A jackpot as the rules read it; contributions are left out, and an operator's prize
    where the round does not need it."""
    row = {_JACKPOT_KEYS.get(key, key): value for key, value in game.items() if key != "meter"}
    if row.get("table") == "casino_card_progressive_001":
        row["table"] = "casino-card"
    if row.get("kind") == "house" and "seed" not in row:
        row["seed"] = game.get("meter", 0)
    return {"contribution": "0 %", "prize": 0, **row}


def _spot(number: int, seat: Mapping[str, Any], rules: Rules) -> SpotRecord:
    hands = [parse_hand(text) for text in seat["hands"]]
    net = seat.get("net")
    return SpotRecord(
        number=number,
        person=str(seat.get("name", f"P{number}")),
        base=parse_amount(seat["base"]),
        hands=_with_splits(hands, parse_cards(seat["dealt"]) if "dealt" in seat else None),
        mtd={name: parse_amount(amount) for name, amount in seat.get("mtd", {}).items()},
        jackpots=_jackpot_wagers(seat.get("jackpots", ()), rules),
        insurance=parse_amount(seat.get("insurance", 0)),
        net=None if net is None else {wager: _stated(amount) for wager, amount in net.items()},
    )


def _stated(amount: Any) -> tuple[int, ...]:
    parts = amount if isinstance(amount, list) else [amount]
    return tuple(signed_amount(part) for part in parts)


def _jackpot_wagers(games: Any, rules: Rules) -> dict[int, int]:
    """The fixed wager of each jackpot game bet on; an unknown game is refused by the engine."""
    fixed = {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}
    return {int(game): fixed.get(int(game), 100) for game in games}


def parse_hand(text: str) -> HandRecord:
    """`5c 3d / double:8 2h / rescue`: two cards, then actions with the card that came."""
    first, *actions = [part.strip() for part in text.split("/")]
    cards = parse_cards(first)
    if len(cards) != 2:
        raise NotationError(f"hand {text!r}: it starts with two cards")
    return HandRecord((cards[0], cards[1]), tuple(_step(action) for action in actions if action))


def _step(text: str) -> Step:
    word, *cards = text.split()
    word, sign, amount = word.partition(":")
    if word not in _ACTIONS:
        raise NotationError(f"action {text!r}: {did_you_mean(word, _ACTIONS)}")
    action = _ACTIONS[word]
    if sign and action != "double":
        raise NotationError(f"action {text!r}: only a double has an amount")
    if len(cards) > 1 or (cards and action not in _TAKES_CARD):
        raise NotationError(f"action {text!r}: it takes no such card")
    card = parse_card(cards[0]) if cards else None
    return Step(action, card, parse_amount(amount) if sign else None)


def _with_splits(hands: list[HandRecord], dealt: tuple[int, ...] | None) -> tuple[HandRecord, ...]:
    """The format lists final hands only: put back the pairs that were split, in playing order.

    Several orders of splitting lead to the same hands and the same money. Here the first hand
    is split for every hand up to the one that holds the second original card, and that hand
    for all that follow.
    """
    if not hands:
        raise NotationError("hands: a spot has at least one")
    if len(hands) == 1 or hands[0].is_split:
        if dealt is not None and hands[0].cards != tuple(dealt):
            raise NotationError("dealt: these are not the first two cards of the hand")
        return tuple(hands)
    if dealt is None or len(dealt) != 2:
        raise NotationError("dealt: a split spot needs its original two cards")
    first, second = dealt
    firsts = [hand.cards[0] for hand in hands]
    if firsts[0] != first and firsts[0] == second:
        first, second = second, first
    places = [place for place in range(1, len(hands)) if firsts[place] == second]
    if firsts[0] != first or not places:
        raise NotationError("hands: split hands start with the original two cards")
    place = places[-1]
    split = (Step("split"),)
    # Splitting hand 0 puts each new card right behind it, so the last one split off comes first.
    of_first = [HandRecord((first, firsts[n]), split) for n in range(place, 0, -1)]
    of_second = [HandRecord((second, firsts[n]), split) for n in range(len(hands) - 1, place, -1)]
    return (*of_first, *hands[:place], *of_second, *hands[place:])


def _refused_record(data: Mapping[str, Any]) -> RoundRecord:
    """A refusal's short form: `dealer` is [up, down], one `seat` with `hand`, `ins`, `jp`."""
    seat = data["seat"]
    hand = seat["hand"]
    hands = hand if isinstance(hand, list) else [hand]
    long_seat: dict[str, Any] = {"name": seat.get("name", "P1"), "base": seat["base"]}
    long_seat["hands"] = hands
    if "orig" in seat:
        long_seat["dealt"] = seat["orig"]
    if "ins" in seat:
        long_seat["insurance"] = seat["ins"]
    long_seat["jackpots"] = seat.get("jp", [])
    long_seat["mtd"] = seat.get("mtd", {})
    up, down = data["dealer"]
    return read_worked_round(
        {
            "id": data.get("id", "refused"),
            "rules": data["rules"],
            "dealer": {"up": up, "down": down, "draws": []},
            "seats": [long_seat],
        }
    )
