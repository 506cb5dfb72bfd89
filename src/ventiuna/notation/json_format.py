"""Rounds in JSON: exact cards and amounts, and actions that must be refused.

The format is described in docs/notation.md. The short form of the rules has no table limits or chip
units, so wide limits are assumed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ventiuna.cards import CardError, parse_card, parse_cards
from ventiuna.core.meters import SHARES
from ventiuna.engine.events import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.money import LARGEST_AMOUNT, LARGEST_RESULT, MoneyError, parse_amount
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RecordedAction,
    RoundRecord,
    SpotRecord,
    StatedPayment,
)
from ventiuna.rules import Rules, canonical, change_rules, fingerprint, load_rules, rules_from_data
from ventiuna.rules.options import did_you_mean, short_repr
from ventiuna.rules.text.phrases import mtd_word

# --- Typed parts ---

TOTAL = "total"


def as_object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise NotationError(f"{what}: must be an object in braces, not {_type_name(value)}")
    return value


def as_list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise NotationError(f"{what}: must be a list in brackets, not {_type_name(value)}")
    return value


def as_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise NotationError(f"{what}: must be a string in quotes, not {_type_name(value)}")
    return value


def as_flag(value: object, what: str) -> bool:
    if not isinstance(value, bool):
        raise NotationError(f"{what}: must be true or false, not {_type_name(value)}")
    return value


def as_wager(value: object, what: str) -> Wager:
    text = as_text(value, what)
    found = named_wager(text)
    if found is None:
        names = ", ".join(Wager)
        raise NotationError(f"{what} {text!r}: not a wager; choose from {names}")
    return found


def named_wager(text: str) -> Wager | None:
    """Return the wager with this name, as written in rounds or spoken: `Super Bonus`."""
    return _WAGER_NAMES.get(" ".join(text.lower().replace("-", " ").split()))


_WAGER_NAMES: dict[str, Wager] = {
    **{str(wager): wager for wager in Wager},
    "base": Wager.HAND,
    "super bonus": Wager.SUPER,
    "envy bonus": Wager.ENVY,
    **MTD_WAGERS,
    **{mtd_word(name).lower(): wager for name, wager in MTD_WAGERS.items()},
    **{f"j{game}": wager for game, wager in JACKPOT_WAGERS.items()},
}


def as_card(value: object, what: str) -> int:
    try:
        return parse_card(as_text(value, what))
    except CardError as error:
        raise CardError(f"{what}: {error}") from None


def as_cards(value: object, what: str) -> tuple[int, ...]:
    return tuple(as_card(card, what) for card in as_list(value, what))


def as_amount(value: object, what: str, largest: int = LARGEST_AMOUNT) -> int:
    """Parse an amount in dollars and return cents."""
    try:
        return parse_amount(value, largest)
    except MoneyError as error:
        raise MoneyError(f"{what}: {error}") from None


def as_result(value: object, what: str) -> int:
    """Parse a result such as `-7.50` or `+10` and return cents; it may exceed wager limits."""
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return -as_total(-value, what)
    if not isinstance(value, str):
        return as_total(value, what)
    stripped = value.strip()
    if stripped.startswith("-"):
        return -as_total(stripped[1:], what)
    return as_total(stripped.removeprefix("+"), what)


def as_total(value: object, what: str) -> int:
    """Parse a meter amount and return cents; it may exceed wager limits."""
    return as_amount(value, what, LARGEST_RESULT)


def as_stake(value: object, what: str) -> int:
    """Parse a placed wager and return cents."""
    cents = as_amount(value, what)
    if cents == 0:
        raise NotationError(f"{what}: a wager must be above zero; leave it out if it wasn't placed")
    return cents


def as_name(value: object, what: str) -> str:
    """Accept a string or number as a name."""
    if isinstance(value, str):
        return value
    if type(value) is int and abs(value) < LARGEST_AMOUNT:
        return str(value)
    raise NotationError(f"{what}: must be a string in quotes or a number, not {_type_name(value)}")


def as_stated_wager(value: object, what: str) -> str:
    """Parse the name of a wager with a recorded result, or of the total."""
    return TOTAL if value == TOTAL else as_wager(value, what)


def refuse_shared_names(spots: Sequence[SpotRecord]) -> None:
    """Refuse duplicate names; an anonymous spot 2 is called P2, so that name is taken, too."""
    called = {spot.person: spot.number for spot in spots if spot.person}
    for spot in spots:
        if not spot.person and spot.name in called:
            raise NotationError(
                f"spot {spot.number}: without a name it is called {spot.name}, the name of "
                f"the player on spot {called[spot.name]}; give it a name"
            )


def parse_json(text: str, what: str) -> object:
    """Parse JSON; invalid numbers and duplicate keys are refused."""
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicate_keys
        )
    except RecursionError:
        reason = "its lists are nested too deeply"
    except (NotationError, json.JSONDecodeError) as error:
        reason = str(error)
    except ValueError:  # Python can't parse numbers with thousands of digits
        reason = "it contains a number that is too long"
    raise NotationError(f"{what} isn't valid JSON: {reason}")


def _refuse_constant(word: str) -> object:
    raise NotationError(f"{word} isn't a number")


def _refuse_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotationError(f"{twice[:60]!r} appears twice; write it once")
    return found


def required(data: Mapping[str, object], key: str, where: str = "") -> object:
    """Return a required member."""
    if key not in data:
        raise NotationError(f"{where}{key} is missing")
    return data[key]


def _type_name(value: object) -> str:
    names = {str: "a string", bool: "true or false", list: "a list", type(None): "null"}
    if isinstance(value, Mapping):
        return "an object"
    return names.get(type(value), "a number")


# --- Rules of a stored round ---


def stored_rules(name: str | None, stated: object, data: object = None) -> Rules:
    """Return the rules of a round. If it includes them as data, no preset or file is looked up."""
    rules = load_rules(name or "") if data is None else rules_from_data(data)
    if data is not None and name is not None and name != canonical(rules):
        raise NotationError(
            f"rules: the name is {name}, but the data describes {canonical(rules)}; remove one of "
            "the two"
        )
    if stated is not None:
        check_fingerprint(rules, stated)
    return rules


def check_fingerprint(rules: Rules, stated: object) -> None:
    ours = fingerprint(rules)
    if stated != ours:
        raise NotationError(
            f"fingerprint: {canonical(rules)} has fingerprint {ours}, but the round was stored "
            f"with {short_repr(stated)[:40]}; restore the preset or file, or store rounds with "
            "their rules data"
        )


# --- Rounds and refused cases ---

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
_MAX_NUMBER = 10**9  # limit for spot and game numbers; the rules have much lower limits
_JACKPOT_KEYS = {"pt": "pay_table", "alt": "alternate"}


@dataclass(frozen=True, slots=True)
class RefusedCase:
    """A case that must be refused; `data` is None if only the title describes it."""

    id: str
    title: str
    refs: tuple[str, ...]
    data: Mapping[str, object] | None

    def record(self) -> RoundRecord:
        """Return the round in which the case is tried; this already refuses invalid rules."""
        assert self.data is not None
        return _refused_record(self.data)


def rounds_from_data(data: object) -> list[RoundRecord]:
    """Parse the rounds of a file (`rounds`), a list of rounds, or a single round."""
    return [round_from_data(entry) for entry in round_entries(data)]


def round_entries(data: object) -> list[object]:
    """Return a file's rounds, unparsed."""
    if isinstance(data, Mapping) and ("rounds" in data or "refused" in data):
        return as_list(data.get("rounds", []), "rounds")
    return data if isinstance(data, list) else [data]


def read_refused_cases(data: object) -> list[RefusedCase]:
    cases = as_list(data.get("refused", []), "refused") if isinstance(data, Mapping) else []
    refused = []
    for number, entry in enumerate(cases, start=1):
        case = as_object(entry, f"refused {number}")
        name = as_name(case.get("id", number), f"refused {number} id")
        title = as_name(case.get("title", ""), f"{name}: title")
        data = case if "seat" in case else None
        refused.append(RefusedCase(name, title, _refs(case, f"{name}: refs"), data))
    return refused


def _refs(data: Mapping[str, object], what: str) -> tuple[str, ...]:
    return tuple(as_name(ref, what) for ref in as_list(data.get("refs", []), what))


def round_from_data(data: object) -> RoundRecord:
    data = as_object(data, "round")
    name = as_name(data.get("id", "round"), "id")
    try:
        return _round(data, name)
    except (CardError, MoneyError, NotationError) as error:
        raise type(error)(f"{name}: {error}") from None


def _round(data: Mapping[str, object], name: str) -> RoundRecord:
    dealer = as_object(required(data, "dealer"), "dealer")
    bonus_cards = as_cards(data.get("bonus_cards", []), "bonus_cards")
    start = _start(required(data, "rules"), data.get("fingerprint"), len(bonus_cards))
    after = data.get("meters_after")
    spots = tuple(
        _spot(number, as_object(seat, f"seats {number}"), start.rules)
        for number, seat in enumerate(as_list(required(data, "seats"), "seats"), start=1)
    )
    if len({spot.number for spot in spots}) < len(spots):
        raise NotationError("seats: two spots have the same number; number them differently")
    refuse_shared_names(spots)
    return RoundRecord(
        id=name,
        rules=start.rules,
        up=as_card(required(dealer, "up", "dealer "), "dealer up"),
        down=as_card(required(dealer, "down", "dealer "), "dealer down"),
        spots=spots,
        draws=as_cards(dealer.get("draws", []), "dealer draws"),
        bonus_cards=bonus_cards,
        meters=_meters(data["meters"], start.rules) if "meters" in data else start.meters,
        unknown_prizes=start.unknown_prizes,
        title=as_name(data.get("title", ""), "title"),
        refs=_refs(data, "refs"),
        order=tuple(
            _stated_payment(as_object(entry, f"order {number}"), f"order {number} ")
            for number, entry in enumerate(as_list(data.get("order", []), "order"), start=1)
        ),
        meters_after=None
        if after is None
        else _amounts(as_list(after, "meters_after"), "meters_after"),
    )


def _meters(data: object, rules: Rules) -> tuple[tuple[int, int], ...]:
    """Parse the jackpot meters before the round, one per game, with fractions of a cent."""
    entries = [as_object(entry, "meters") for entry in as_list(data, "meters")]
    if len(entries) != len(rules.jackpots):
        raise NotationError(
            f"meters: these rules have {len(rules.jackpots)} jackpot games, not {len(entries)} "
            "(R-084)"
        )
    meters = []
    for entry in entries:
        amount = as_total(required(entry, "amount", "meters "), "meters amount")
        rest = entry.get("rest", 0)
        if type(rest) is not int or not 0 <= rest < SHARES:
            raise NotationError(
                f"meters rest: must be ten-thousandths of a cent, from 0 to {SHARES - 1:,} (O-18)"
            )
        meters.append((amount, rest))
    return tuple(meters)


def _stated_payment(entry: Mapping[str, object], where: str) -> StatedPayment:
    return StatedPayment(
        as_name(required(entry, "player", where), f"{where}player"),
        as_wager(required(entry, "wager", where), f"{where}wager"),
        as_result(required(entry, "net", where), f"{where}net"),
    )


def _amounts(texts: list[object], what: str) -> tuple[int, ...]:
    return tuple(as_result(text, what) for text in texts)


class _Start(NamedTuple):
    """The starting point of a round."""

    rules: Rules
    meters: tuple[tuple[int, int], ...]
    unknown_prizes: tuple[int, ...]  # jackpot games without a stated prize


def _start(data: object, stated: object, bonus_cards: int) -> _Start:
    """Read the rules as a canonical string, as data, or in a worked round's short form."""
    if isinstance(data, str) or (isinstance(data, Mapping) and "format" in data):
        is_name = isinstance(data, str)
        rules = stored_rules(str(data) if is_name else None, stated, None if is_name else data)
        return _Start(rules, tuple((jackpot.seed, 0) for jackpot in rules.jackpots), ())
    start = _short_form(data, bonus_cards)
    if stated is not None:
        check_fingerprint(start.rules, stated)
    return start


def _short_form(data: object, bonus_cards: int) -> _Start:
    data = as_object(data, "rules")
    for key in data:
        if key not in _RULE_KEYS:
            # Not a refusal by the rules: otherwise a typo would pass as a case that is expected to
            # be refused.
            raise NotationError(f"rules {key}: no such rule. {did_you_mean(str(key), _RULE_KEYS)}")
    game = as_text(required(data, "game", "rules "), "rules game")
    if game not in GAMES:
        raise NotationError(f"rules game {game}: no such game. {did_you_mean(game, GAMES)}")
    changes: dict[str, object] = dict(WIDE_LIMITS)
    if game == "spanish":
        changes["mtd_configuration"] = 4 if bonus_cards else 2
        changes["bonus_cards"] = bonus_cards
    if "h17" in data:
        changes["soft_17"] = "hit" if as_flag(data["h17"], "rules h17") else "stand"
    if "ddd" in data:
        changes["double_double"] = as_flag(data["ddd"], "rules ddd")
    changes |= {option: data[key] for key, option in _SAME_MEANING.items() if key in data}
    games = [
        as_object(entry, f"rules jackpots {number}")
        for number, entry in enumerate(as_list(data.get("jackpots", []), "rules jackpots"), start=1)
    ]
    if games:
        changes["jackpots"] = [_jackpot(entry) for entry in games]
    rules = change_rules(load_rules(GAMES[game]), changes)
    meters = tuple(
        (as_total(entry.get("meter", entry.get("seed", 0)), f"rules jackpots {number} meter"), 0)
        for number, entry in enumerate(games, start=1)
    )
    unknown = (number for number, entry in enumerate(games, start=1) if "prize" not in entry)
    return _Start(rules, meters, tuple(unknown))


def _jackpot(game: Mapping[str, object]) -> dict[str, object]:
    """Convert a jackpot to the form that the rules read.

    Contributions are omitted, as are operator's prizes that the round doesn't need.
    """
    row = {_JACKPOT_KEYS.get(key, key): value for key, value in game.items() if key != "meter"}
    if row.get("table") == "casino_card_progressive_001":
        row["table"] = "casino-card"
    if row.get("kind") == "house" and "seed" not in row:
        row["seed"] = game.get("meter", 0)
    return {"contribution": "0 %", "prize": 0, **row}


def _spot(number: int, seat: Mapping[str, object], rules: Rules) -> SpotRecord:
    where = f"seats {number} "
    spot = seat.get("spot", number)
    if type(spot) is not int or not 1 <= spot <= _MAX_NUMBER:
        raise NotationError(f"{where}spot: must be the number of a spot, at least 1")
    hands = [
        parse_hand(as_text(text, f"{where}hands"))
        for text in as_list(required(seat, "hands", where), f"{where}hands")
    ]
    dealt = parse_cards(as_text(seat["dealt"], f"{where}dealt")) if "dealt" in seat else None
    mtd = as_object(seat.get("mtd", {}), f"{where}mtd")
    net = seat.get("net")
    return SpotRecord(
        number=spot,
        person=as_name(seat.get("name", ""), f"{where}name"),
        base=as_amount(required(seat, "base", where), f"{where}base"),
        hands=_with_splits(hands, dealt),
        mtd={name: as_stake(stake, f"{where}mtd {name}") for name, stake in mtd.items()},
        jackpots=_jackpot_wagers(
            as_list(seat.get("jackpots", []), f"{where}jackpots"), rules, where
        ),
        insurance=as_amount(seat.get("insurance", 0), f"{where}insurance"),
        net=None if net is None else _stated_nets(as_object(net, f"{where}net"), f"{where}net "),
    )


def _stated_nets(net: Mapping[str, object], where: str) -> dict[str, tuple[int, ...]]:
    nets: dict[str, tuple[int, ...]] = {}
    for name, stated in net.items():
        wager = as_stated_wager(name, where)
        if wager in nets:
            raise NotationError(f"{where}{wager}: this wager appears twice; write it once")
        nets[wager] = _amounts(stated if isinstance(stated, list) else [stated], where + name)
    return nets


def _jackpot_wagers(games: list[object], rules: Rules, where: str) -> dict[int, int]:
    """Return the fixed wager of each jackpot game bet on; the engine refuses unknown games."""
    fixed = {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}
    numbers = [game for game in games if type(game) is int and 0 <= game <= _MAX_NUMBER]
    if len(numbers) < len(games):
        raise NotationError(f"{where}jackpots: must be the numbers of the games, such as [1, 2]")
    if len(set(numbers)) < len(numbers):
        raise NotationError(f"{where}jackpots: a game appears twice; write it once")
    return {game: fixed.get(game, 100) for game in numbers}


def parse_hand(text: str) -> HandRecord:
    """Parse `5c 3d / double:8 2h / rescue`: two cards, then actions with the card dealt."""
    first, *actions = [part.strip() for part in text.split("/")]
    cards = parse_cards(first)
    if len(cards) != 2:
        raise NotationError(f"hand {text!r}: must start with two cards")
    return HandRecord((cards[0], cards[1]), tuple(_step(action) for action in actions if action))


def _step(text: str) -> RecordedAction:
    word, *cards = text.split()
    word, sign, amount = word.partition(":")
    if word not in _ACTIONS:
        raise NotationError(f"action {text!r}: {did_you_mean(word, _ACTIONS)}")
    action = _ACTIONS[word]
    if sign and action != "double":
        raise NotationError(f"action {text!r}: only a double can have an amount")
    if len(cards) > 1 or (cards and action not in _TAKES_CARD):
        raise NotationError(f"action {text!r}: only a hit or a double takes a card, and only one")
    card = parse_card(cards[0]) if cards else None
    return RecordedAction(action, card, as_amount(amount, f"action {text!r}") if sign else None)


def _with_splits(hands: list[HandRecord], dealt: tuple[int, ...] | None) -> tuple[HandRecord, ...]:
    """Reconstruct the split pairs in playing order from the final hands.

    Several orders of splitting lead to the same hands and the same money. Here, the hand with the
    second original card divides the list: hands before it were split off the first hand, and hands
    after it were split off that hand.
    """
    if not hands:
        raise NotationError("hands: a spot must have at least one")
    if len(hands) == 1 or hands[0].is_split:
        if dealt is not None and sorted(hands[0].cards) != sorted(dealt):
            raise NotationError("dealt: must be the first two cards of the hand")
        return tuple(hands)
    if dealt is None or len(dealt) != 2:
        raise NotationError("dealt: must be the original two cards of the split spot")
    first, second = dealt
    firsts = [hand.cards[0] for hand in hands]
    if firsts[0] != first and firsts[0] == second:
        first, second = second, first
    places = [place for place in range(1, len(hands)) if firsts[place] == second]
    if firsts[0] != first or not places:
        raise NotationError("hands: split hands must start with the original two cards")
    place = places[-1]
    split = (RecordedAction("split"),)
    # Splitting hand 0 inserts each new card right after it, so the last one split off comes first.
    of_first = [HandRecord((first, firsts[n]), split) for n in range(place, 0, -1)]
    of_second = [HandRecord((second, firsts[n]), split) for n in range(len(hands) - 1, place, -1)]
    return (*of_first, *hands[:place], *of_second, *hands[place:])


def _refused_record(data: Mapping[str, object]) -> RoundRecord:
    """Read a refusal's short form: `dealer` is [up, down], one `seat` with `hand`, `ins`, `jp`."""
    seat = as_object(data["seat"], "seat")
    hand = required(seat, "hand", "seat ")
    long_seat = {long: seat[short] for short, long in _LONG_KEYS.items() if short in seat}
    long_seat["hands"] = hand if isinstance(hand, list) else [hand]
    dealer = as_list(required(data, "dealer"), "dealer")
    if len(dealer) != 2:
        raise NotationError("dealer: must be the up card and the down card")
    return round_from_data(
        {
            "id": data.get("id", "refused"),
            "rules": required(data, "rules"),
            "dealer": {"up": dealer[0], "down": dealer[1]},
            "seats": [long_seat],
        }
    )
