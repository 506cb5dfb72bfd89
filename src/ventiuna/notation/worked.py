"""Worked rounds in JSON: exact cards, exact money, and actions that must be refused.

The format is described in docs/notation.md. Its rules have no table limits and chip units of
their own, so wide ones are assumed here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.core.meters import SHARES
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
    a_name,
    a_result,
    a_stake,
    a_stated_wager,
    a_text,
    a_total,
    a_wager,
    an_amount,
    an_object,
    card_list,
    refuse_shared_names,
    required,
)
from ventiuna.notation.stored_rules import check_fingerprint, stored_rules
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
_LARGEST_NUMBER = 10**9  # of a spot or game; the rules refuse far smaller ones
_JACKPOT_KEYS = {"pt": "pay_table", "alt": "alternate"}


@dataclass(frozen=True, slots=True)
class RefusedCase:
    """Something that must be refused; `data` is None where only the title describes it."""

    id: str
    title: str
    refs: tuple[str, ...]
    data: Mapping[str, object] | None

    def record(self) -> RoundRecord:
        """The round in which it is tried; rules that can't be are refused here already."""
        assert self.data is not None
        return _refused_record(self.data)


def read_worked_rounds(data: object) -> list[RoundRecord]:
    """The rounds of a file (`rounds`), or a list of rounds, or one round."""
    return [read_worked_round(entry) for entry in round_entries(data)]


def round_entries(data: object) -> list[object]:
    """The rounds of a file as they stand in it, not read yet."""
    if isinstance(data, Mapping) and ("rounds" in data or "refused" in data):
        return a_list(data.get("rounds", []), "rounds")
    return data if isinstance(data, list) else [data]


def read_refused_cases(data: object) -> list[RefusedCase]:
    cases = a_list(data.get("refused", []), "refused") if isinstance(data, Mapping) else []
    return [
        _refused_case(an_object(case, f"refused {number}"), number)
        for number, case in enumerate(cases, start=1)
    ]


def _refused_case(case: Mapping[str, object], number: int) -> RefusedCase:
    name = a_name(case.get("id", number), f"refused {number} id")
    title = a_name(case.get("title", ""), f"{name}: title")
    data = case if "seat" in case else None
    return RefusedCase(name, title, _refs(case, f"{name}: refs"), data)


def _refs(data: Mapping[str, object], what: str) -> tuple[str, ...]:
    return tuple(a_name(ref, what) for ref in a_list(data.get("refs", []), what))


def read_worked_round(data: object) -> RoundRecord:
    data = an_object(data, "round")
    name = a_name(data.get("id", "round"), "id")
    try:
        return _round(data, name)
    except (CardError, MoneyError, NotationError) as error:
        raise type(error)(f"{name}: {error}") from None


def _round(data: Mapping[str, object], name: str) -> RoundRecord:
    dealer = an_object(required(data, "dealer"), "dealer")
    bonus_cards = card_list(data.get("bonus_cards", []), "bonus_cards")
    start = _start(required(data, "rules"), data.get("fingerprint"), len(bonus_cards))
    after = data.get("meters_after")
    spots = tuple(
        _spot(number, an_object(seat, f"seats {number}"), start.rules)
        for number, seat in enumerate(a_list(required(data, "seats"), "seats"), start=1)
    )
    if len({spot.number for spot in spots}) < len(spots):
        raise NotationError("seats: each spot has a number of its own")
    refuse_shared_names(spots)
    return RoundRecord(
        id=name,
        rules=start.rules,
        up=a_card(required(dealer, "up", "dealer "), "dealer up"),
        down=a_card(required(dealer, "down", "dealer "), "dealer down"),
        spots=spots,
        draws=card_list(dealer.get("draws", []), "dealer draws"),
        bonus_cards=bonus_cards,
        meters=_meters(data["meters"], start.rules) if "meters" in data else start.meters,
        unknown_prizes=start.unknown_prizes,
        title=a_name(data.get("title", ""), "title"),
        refs=_refs(data, "refs"),
        order=tuple(
            _stated_payment(an_object(entry, f"order {number}"), f"order {number} ")
            for number, entry in enumerate(a_list(data.get("order", []), "order"), start=1)
        ),
        meters_after=None
        if after is None
        else _amounts(a_list(after, "meters_after"), "meters_after"),
    )


def _meters(data: object, rules: Rules) -> tuple[tuple[int, int], ...]:
    """What the jackpots showed before the round, one for each game, with part of a cent."""
    entries = [an_object(entry, "meters") for entry in a_list(data, "meters")]
    if len(entries) != len(rules.jackpots):
        raise NotationError(
            f"meters: these rules have {len(rules.jackpots)} jackpot games, not {len(entries)} "
            "(R-084)"
        )
    return tuple(
        (a_total(required(entry, "amount", "meters "), "meters amount"), _rest(entry))
        for entry in entries
    )


def _rest(entry: Mapping[str, object]) -> int:
    rest = entry.get("rest", 0)
    if type(rest) is not int or not 0 <= rest < SHARES:
        raise NotationError(
            f"meters rest: it counts ten-thousandths of a cent, from 0 to {SHARES - 1:,} (O-18)"
        )
    return rest


def _stated_payment(entry: Mapping[str, object], where: str) -> StatedPayment:
    return StatedPayment(
        a_name(required(entry, "player", where), f"{where}player"),
        a_wager(required(entry, "wager", where), f"{where}wager"),
        a_result(required(entry, "net", where), f"{where}net"),
    )


def _amounts(texts: list[object], what: str) -> tuple[int, ...]:
    return tuple(a_result(text, what) for text in texts)


class _Start(NamedTuple):
    """What a round starts from."""

    rules: Rules
    meters: tuple[tuple[int, int], ...]
    unknown_prizes: tuple[int, ...]  # jackpot games without a prize given


def _start(data: object, stated: object, bonus_cards: int) -> _Start:
    """The rules by their canonical string, as data, or in the short form of worked rounds."""
    if isinstance(data, str) or (isinstance(data, Mapping) and "format" in data):
        is_name = isinstance(data, str)
        rules = stored_rules(str(data) if is_name else None, stated, None if is_name else data)
        return _Start(rules, tuple((jackpot.seed, 0) for jackpot in rules.jackpots), ())
    start = _short_form(data, bonus_cards)
    if stated is not None:
        check_fingerprint(start.rules, stated)
    return start


def _short_form(data: object, bonus_cards: int) -> _Start:
    data = an_object(data, "rules")
    for key in data:
        if key not in _RULE_KEYS:
            # Not a refusal by the rules: a refused case must not pass by its own slip of the pen.
            raise NotationError(f"rules {key}: no such rule. {did_you_mean(str(key), _RULE_KEYS)}")
    game = a_text(required(data, "game", "rules "), "rules game")
    if game not in GAMES:
        raise NotationError(f"rules game {game}: no such game. {did_you_mean(game, GAMES)}")
    changes: dict[str, object] = dict(WIDE_LIMITS)
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
        (a_total(entry.get("meter", entry.get("seed", 0)), f"rules jackpots {number} meter"), 0)
        for number, entry in enumerate(games, start=1)
    )
    unknown = (number for number, entry in enumerate(games, start=1) if "prize" not in entry)
    return _Start(rules, meters, tuple(unknown))


def _jackpot(game: Mapping[str, object]) -> dict[str, object]:
    """A jackpot as the rules read it; contributions are left out, and an operator's prize
    where the round does not need it."""
    row = {_JACKPOT_KEYS.get(key, key): value for key, value in game.items() if key != "meter"}
    if row.get("table") == "casino_card_progressive_001":
        row["table"] = "casino-card"
    if row.get("kind") == "house" and "seed" not in row:
        row["seed"] = game.get("meter", 0)
    return {"contribution": "0 %", "prize": 0, **row}


def _spot(number: int, seat: Mapping[str, object], rules: Rules) -> SpotRecord:
    where = f"seats {number} "
    hands = [
        parse_hand(a_text(text, f"{where}hands"))
        for text in a_list(required(seat, "hands", where), f"{where}hands")
    ]
    dealt = parse_cards(a_text(seat["dealt"], f"{where}dealt")) if "dealt" in seat else None
    mtd = an_object(seat.get("mtd", {}), f"{where}mtd")
    net = seat.get("net")
    return SpotRecord(
        number=_spot_number(seat.get("spot", number), where),
        person=a_name(seat.get("name", ""), f"{where}name"),
        base=an_amount(required(seat, "base", where), f"{where}base"),
        hands=_with_splits(hands, dealt),
        mtd={name: a_stake(stake, f"{where}mtd {name}") for name, stake in mtd.items()},
        jackpots=_jackpot_wagers(
            a_list(seat.get("jackpots", []), f"{where}jackpots"), rules, where
        ),
        insurance=an_amount(seat.get("insurance", 0), f"{where}insurance"),
        net=None if net is None else _stated_nets(an_object(net, f"{where}net"), f"{where}net "),
    )


def _stated_nets(net: Mapping[str, object], where: str) -> dict[str, tuple[int, ...]]:
    nets: dict[str, tuple[int, ...]] = {}
    for name, stated in net.items():
        wager = a_stated_wager(name, where)
        if wager in nets:
            raise NotationError(f"{where}{wager}: this wager is here twice; write it once")
        nets[wager] = _amounts(stated if isinstance(stated, list) else [stated], where + name)
    return nets


def _jackpot_wagers(games: list[object], rules: Rules, where: str) -> dict[int, int]:
    """The fixed wager of each jackpot game bet on; an unknown game is refused by the engine."""
    fixed = {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}
    numbers = [game for game in games if type(game) is int and 0 <= game <= _LARGEST_NUMBER]
    if len(numbers) < len(games):
        raise NotationError(f"{where}jackpots: write the numbers of the games, such as [1, 2]")
    if len(set(numbers)) < len(numbers):
        raise NotationError(f"{where}jackpots: a game is here twice; write it once")
    return {game: fixed.get(game, 100) for game in numbers}


def _spot_number(value: object, where: str) -> int:
    if type(value) is not int or not 1 <= value <= _LARGEST_NUMBER:
        raise NotationError(f"{where}spot: this is the number of a spot, from 1 on")
    return value


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


def _refused_record(data: Mapping[str, object]) -> RoundRecord:
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
