"""Worked rounds in JSON: exact cards, exact money, and actions that must be refused.

The format is described in docs/notation.md. Its rules have no table limits and chip units of
their own, so wide ones are assumed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.money import MoneyError
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RoundRecord,
    SpotRecord,
    StatedPayment,
    Step,
)
from ventiuna.notation.shapes import (
    a_card,
    a_flag,
    a_list,
    a_result,
    a_text,
    a_wager,
    an_amount,
    an_object,
    card_list,
    required,
)
from ventiuna.rules import Rules, change_rules, load_rules
from ventiuna.rules.values import did_you_mean

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
_SAME_MEANING = {"decks": "decks", "max": "table_maximum", "envy": "envy"}
_RULE_KEYS = ("game", "decks", "h17", "ddd", "max", "envy", "jackpots")
_LONG_KEYS = {
    "name": "name",
    "base": "base",
    "orig": "dealt",
    "ins": "insurance",
    "jp": "jackpots",
    "mtd": "mtd",
}
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
    return [read_worked_round(entry) for entry in round_entries(data)]


def round_entries(data: Any) -> list[Any]:
    """The rounds of a file as they stand in it, not read yet."""
    if isinstance(data, Mapping) and ("rounds" in data or "refused" in data):
        return a_list(data.get("rounds", []), "rounds")
    return data if isinstance(data, list) else [data]


def read_refused_cases(data: Any) -> list[RefusedCase]:
    cases = a_list(data.get("refused", []), "refused") if isinstance(data, Mapping) else []
    return [
        _refused_case(an_object(case, f"refused {number}"), number)
        for number, case in enumerate(cases, start=1)
    ]


def _refused_case(case: Mapping[str, Any], number: int) -> RefusedCase:
    name = str(case.get("id", number))
    refs = a_list(case.get("refs", []), f"{name}: refs")
    data = case if "seat" in case else None
    return RefusedCase(name, str(case.get("title", "")), tuple(map(str, refs)), data)


def read_worked_round(data: Any) -> RoundRecord:
    data = an_object(data, "round")
    name = str(data.get("id", "round"))
    try:
        return _round(data, name)
    except (CardError, MoneyError, NotationError) as error:
        raise type(error)(f"{name}: {error}") from None


def _round(data: Mapping[str, Any], name: str) -> RoundRecord:
    dealer = an_object(required(data, "dealer"), "dealer")
    bonus_cards = card_list(data.get("bonus_cards", []), "bonus_cards")
    rules, meters, unknown_prizes = _rules(required(data, "rules"), len(bonus_cards))
    after = data.get("meters_after")
    return RoundRecord(
        id=name,
        rules=rules,
        up=a_card(required(dealer, "up", "dealer "), "dealer up"),
        down=a_card(required(dealer, "down", "dealer "), "dealer down"),
        spots=tuple(
            _spot(number, an_object(seat, f"seats {number}"), rules)
            for number, seat in enumerate(a_list(required(data, "seats"), "seats"), start=1)
        ),
        draws=card_list(dealer.get("draws", []), "dealer draws"),
        bonus_cards=bonus_cards,
        meters=meters,
        unknown_prizes=unknown_prizes,
        title=str(data.get("title", "")),
        refs=tuple(map(str, a_list(data.get("refs", []), "refs"))),
        order=tuple(
            _stated_payment(an_object(entry, f"order {number}"), f"order {number} ")
            for number, entry in enumerate(a_list(data.get("order", []), "order"), start=1)
        ),
        meters_after=None
        if after is None
        else _amounts(a_list(after, "meters_after"), "meters_after"),
    )


def _stated_payment(entry: Mapping[str, Any], where: str) -> StatedPayment:
    return StatedPayment(
        str(required(entry, "player", where)),
        a_wager(required(entry, "wager", where), f"{where}wager"),
        a_result(required(entry, "net", where), f"{where}net"),
    )


def _amounts(texts: list[Any], what: str) -> tuple[int, ...]:
    return tuple(a_result(text, what) for text in texts)


def _rules(
    data: Any, bonus_cards: int
) -> tuple[Rules, tuple[tuple[int, int], ...], tuple[int, ...]]:
    """The rules of a round, the meters it starts from, and the games without a prize given."""
    if isinstance(data, str):
        rules = load_rules(data)
        return rules, tuple((jackpot.seed, 0) for jackpot in rules.jackpots), ()
    data = an_object(data, "rules")
    for key in data:
        if key not in _RULE_KEYS:
            # Not a refusal by the rules: a refused case must not pass by its own slip of the pen.
            raise NotationError(f"rules {key}: no such rule. {did_you_mean(str(key), _RULE_KEYS)}")
    game = a_text(required(data, "game", "rules "), "rules game")
    if game not in GAMES:
        raise NotationError(f"rules game {game}: no such game. {did_you_mean(game, GAMES)}")
    changes: dict[str, Any] = dict(WIDE_LIMITS)
    if game == "spanish":
        changes["mtd_configuration"] = 4 if bonus_cards else 2
        changes["bonus_cards"] = bonus_cards
    if "h17" in data:
        changes["soft_17"] = "hit" if a_flag(data["h17"], "rules h17") else "stand"
    if "ddd" in data:
        changes["double_double"] = a_flag(data["ddd"], "rules ddd")
    changes |= {option: data[key] for key, option in _SAME_MEANING.items() if key in data}
    games = [
        an_object(entry, f"rules jackpots {number}")
        for number, entry in enumerate(a_list(data.get("jackpots", []), "rules jackpots"), start=1)
    ]
    if games:
        changes["jackpots"] = [_jackpot(entry) for entry in games]
    rules = change_rules(load_rules(GAMES[game]), changes)
    meters = tuple(
        (an_amount(entry.get("meter", entry.get("seed", 0)), f"rules jackpots {number} meter"), 0)
        for number, entry in enumerate(games, start=1)
    )
    unknown = (number for number, entry in enumerate(games, start=1) if "prize" not in entry)
    return rules, meters, tuple(unknown)


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
    where = f"seats {number} "
    hands = [
        parse_hand(a_text(text, f"{where}hands"))
        for text in a_list(required(seat, "hands", where), f"{where}hands")
    ]
    dealt = parse_cards(a_text(seat["dealt"], f"{where}dealt")) if "dealt" in seat else None
    mtd = an_object(seat.get("mtd", {}), f"{where}mtd")
    net = seat.get("net")
    return SpotRecord(
        number=number,
        person=str(seat.get("name", "")),
        base=an_amount(required(seat, "base", where), f"{where}base"),
        hands=_with_splits(hands, dealt),
        mtd={name: an_amount(stake, f"{where}mtd {name}") for name, stake in mtd.items()},
        jackpots=_jackpot_wagers(
            a_list(seat.get("jackpots", []), f"{where}jackpots"), rules, where
        ),
        insurance=an_amount(seat.get("insurance", 0), f"{where}insurance"),
        net=None if net is None else _stated_nets(an_object(net, f"{where}net"), f"{where}net "),
    )


def _stated_nets(net: Mapping[str, Any], where: str) -> dict[str, tuple[int, ...]]:
    return {
        wager: _amounts(stated if isinstance(stated, list) else [stated], where + wager)
        for wager, stated in net.items()
    }


def _jackpot_wagers(games: list[Any], rules: Rules, where: str) -> dict[int, int]:
    """The fixed wager of each jackpot game bet on; an unknown game is refused by the engine."""
    fixed = {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}
    if not all(isinstance(game, int) for game in games):
        raise NotationError(f"{where}jackpots: write the numbers of the games, such as [1, 2]")
    return {game: fixed.get(game, 100) for game in games}


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
    return Step(action, card, an_amount(amount, f"action {text!r}") if sign else None)


def _with_splits(hands: list[HandRecord], dealt: tuple[int, ...] | None) -> tuple[HandRecord, ...]:
    """The format lists final hands only: put back the pairs that were split, in playing order.

    Several orders of splitting lead to the same hands and the same money. Here the first hand
    is split for every hand up to the one that holds the second original card, and that hand
    for all that follow.
    """
    if not hands:
        raise NotationError("hands: a spot has at least one")
    if len(hands) == 1 or hands[0].is_split:
        if dealt is not None and sorted(hands[0].cards) != sorted(dealt):
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
    seat = an_object(data["seat"], "seat")
    hand = required(seat, "hand", "seat ")
    long_seat = {long: seat[short] for short, long in _LONG_KEYS.items() if short in seat}
    long_seat["hands"] = hand if isinstance(hand, list) else [hand]
    dealer = a_list(required(data, "dealer"), "dealer")
    if len(dealer) != 2:
        raise NotationError("dealer: write the up card and the down card")
    return read_worked_round(
        {
            "id": data.get("id", "refused"),
            "rules": required(data, "rules"),
            "dealer": {"up": dealer[0], "down": dealer[1]},
            "seats": [long_seat],
        }
    )
