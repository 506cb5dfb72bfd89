"""Record rounds from events, and write them as text or JSON.

Reading the output produces the same record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ventiuna.cards import card_text, cards_text
from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Place, Stage, Wager
from ventiuna.money import net_text, plain_amount
from ventiuna.notation.json_format import refuse_shared_names
from ventiuna.notation.records import (
    HandRecord,
    NotationError,
    RecordedAction,
    RoundRecord,
    SpotRecord,
    StatedPayment,
    check_record,
    person_name,
)
from ventiuna.rules import (
    Rules,
    RulesError,
    canonical,
    fingerprint,
    load_rules,
    preset_ids,
    rules_data,
)
from ventiuna.rules.canonical import JsonObject

# --- Quoting ---

QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
PLAIN_NAME = re.compile(r"[\w.'-]+(?: [\w.'-]+)*")
PLAIN_ID = re.compile(r"[\w.'-]+")
PLAIN_TITLE = re.compile(r'[^\s"#](?: *[^\s#])*')
COMMENT = re.compile(r"(?:^|\s)#")


def quoted_unless(plain: re.Pattern[str], text: str) -> str:
    """Quote the text if it could be mistaken for something else."""
    return text if plain.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    inside = json.dumps(text)
    for sign in "#;:":  # characters that would split the line even inside quotation marks
        inside = inside.replace(sign, f"\\u{ord(sign):04x}")
    return inside


def unquoted(text: str) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise NotationError(f"{text}: not a valid JSON string") from None


# --- Text ---


def write_round(record: RoundRecord, complete: bool = True) -> str:
    """Return the record as text, from which `read_rounds` produces the same record.

    A complete text includes the rules themselves, so that the round can be replayed even if its
    preset or file changes. Text meant for people can omit the rules of a packaged preset.

    >>> from ventiuna import Table, record_of
    >>> played = Table("wsgc-2021", seed=1).play_round()
    >>> print(write_round(record_of(played.rules, played.events), complete=False).splitlines()[1])
    rules: wsgc-2021
    """
    check_record(record)
    return "".join(f"{line}\n" for line in _round_lines(record, complete))


def _round_lines(record: RoundRecord, complete: bool) -> Iterator[str]:
    head = f"round {quoted_unless(PLAIN_ID, record.id)}" if record.id else "round"
    title = f": {quoted_unless(PLAIN_TITLE, record.title)}" if record.title else ""
    yield f"{head}{title}"
    yield from _rules_lines(record.rules, complete)
    for number, (cents, rest) in enumerate(record.meters, start=1):
        remainder = f" rest {rest}" if rest else ""
        yield f"meter {number}: {plain_amount(cents)}{remainder}"
    draws = f" / {cards_text(record.draws)}" if record.draws else ""
    yield f"dealer: {card_text(record.up)} {card_text(record.down)}{draws}"
    if record.bonus_cards:
        yield f"bonus cards: {cards_text(record.bonus_cards)}"
    for spot in record.spots:
        yield from _spot_lines(spot)
    if record.order:
        payments = (
            f"{quoted_unless(PLAIN_NAME, paid.person)} {paid.wager} {net_text(paid.net)}"
            for paid in record.order
        )
        yield f"order: {'; '.join(payments)}"
    if record.meters_after is not None:
        yield f"meters after: {'; '.join(map(plain_amount, record.meters_after))}"


@lru_cache(maxsize=32)
def _rules_lines(rules: Rules, complete: bool) -> tuple[str, ...]:
    """Return the name and fingerprint, plus the rules themselves unless the name is enough."""
    name = canonical(rules)  # a file's path may look like a comment or a quotation
    is_plain = name.isprintable() and name == name.strip() and not name.startswith('"')
    shown = name if is_plain and not COMMENT.search(name) else quoted(name)
    lines = (f"rules: {shown}", f"fingerprint: {fingerprint(rules)}")
    if not complete and _is_named_by_preset(rules):
        return lines
    data = json.dumps(rules_data(rules), separators=(",", ":")).replace("#", "\\u0023")
    return (*lines, f"rules data: {data}")


def _is_named_by_preset(rules: Rules) -> bool:
    try:
        named = load_rules(canonical(rules)) if rules.name in preset_ids() else None
    except RulesError:
        return False
    return named is not None and fingerprint(named) == fingerprint(rules)


def _spot_lines(spot: SpotRecord) -> Iterator[str]:
    wagers = [f"base {plain_amount(spot.base)}"]
    if spot.insurance:
        wagers.append(f"insurance {plain_amount(spot.insurance)}")
    wagers += [f"{name} {plain_amount(amount)}" for name, amount in spot.mtd.items()]
    wagers += [f"jackpot-{game} {plain_amount(amount)}" for game, amount in spot.jackpots.items()]
    name = f" {quoted_unless(PLAIN_NAME, spot.person)}" if spot.person else ""
    yield f"spot {spot.number}{name}: {', '.join(wagers)}"
    for hand in spot.hands:
        yield f"  {hand_text(hand)}"
    if spot.net is not None:
        parts = (f"{wager} {' and '.join(map(net_text, net))}" for wager, net in spot.net.items())
        yield f"  net: {'; '.join(parts)}"


def hand_text(hand: HandRecord) -> str:
    parts = [cards_text(hand.cards)]
    for step in hand.steps:
        amount = "" if step.amount is None else f":{plain_amount(step.amount)}"
        card = "" if step.card is None else f" {card_text(step.card)}"
        parts.append(f"{step.action}{amount}{card}")
    return " / ".join(parts)


# --- JSON ---


def round_data(record: RoundRecord) -> JsonObject:
    """Return the round as plain data, including its rules so that it doesn't depend on a preset."""
    data: JsonObject = {
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
        "seats": [_seat_data(spot) for spot in record.spots],
        "order": [
            {"player": paid.person, "wager": str(paid.wager), "net": net_text(paid.net)}
            for paid in record.order
        ],
    }
    if record.meters_after is not None:
        data["meters_after"] = [plain_amount(cents) for cents in record.meters_after]
    return data


def _seat_data(spot: SpotRecord) -> JsonObject:
    seat: JsonObject = {
        "spot": spot.number,
        "name": spot.person,
        "base": plain_amount(spot.base),
        "insurance": plain_amount(spot.insurance),
        "mtd": {name: plain_amount(amount) for name, amount in spot.mtd.items()},
        "jackpots": list(spot.jackpots),
        "hands": [hand_text(hand) for hand in spot.hands],  # including split ones
    }
    if spot.net is not None:
        seat["net"] = {str(wager): [*map(net_text, nets)] for wager, nets in spot.net.items()}
    return seat


# --- Recording a played round ---


class _HandLine:
    """A hand while it is being recorded."""

    def __init__(self, cards: list[int] | None = None) -> None:
        self.cards = cards or []
        self.steps: list[RecordedAction] = []

    def add_card(self, card: int) -> None:
        if len(self.cards) < 2:
            self.cards.append(card)
        else:
            last = self.steps.pop()
            self.steps.append(RecordedAction(last.action, card, last.amount))

    def hand(self) -> HandRecord:
        first, second = self.cards
        return HandRecord((first, second), tuple(self.steps))


class _SpotRecorder:
    """One spot's wagers, lines in playing order, and the lines of its current hands."""

    def __init__(self, wagers: ev.WagersPlaced) -> None:
        self.wagers = wagers
        self.insurance = 0
        self.lines = [_HandLine()]
        self.hands = [self.lines[0]]
        self.stakes = [wagers.base]
        self.net: dict[Wager, list[int]] = {}

    def split(self, hand: int, amount: int) -> None:
        parent = self.hands[hand]
        parent.steps.append(RecordedAction("split"))
        first, second = _HandLine([parent.cards[0]]), _HandLine([parent.cards[1]])
        place = self.lines.index(parent) + 1
        self.lines[place:place] = [first, second]
        self.hands[hand : hand + 1] = [first, second]
        self.stakes.insert(hand + 1, amount)

    def doubled(self, hand: int, amount: int) -> None:
        line = self.hands[hand]
        again = any(step.action == "double" for step in line.steps)
        full = amount == self.stakes[hand]
        self.stakes[hand] += amount
        if again:
            line.steps.append(RecordedAction("double-double"))
        else:
            line.steps.append(RecordedAction("double", amount=None if full else amount))

    def settled(self, event: ev.WagerSettled) -> None:
        amounts = self.net.setdefault(event.wager, [])
        if event.wager is Wager.HAND:
            amounts.extend([0] * (event.hand + 1 - len(amounts)))
            amounts[event.hand] += event.net
        elif amounts:
            amounts[0] += event.net
        else:
            amounts.append(event.net)

    def record(self) -> SpotRecord:
        total = sum(sum(amounts) for amounts in self.net.values())
        net = {str(wager): tuple(amounts) for wager, amounts in self.net.items()}
        return SpotRecord(
            number=self.wagers.spot,
            person=self.wagers.person,
            base=self.wagers.base,
            hands=tuple(line.hand() for line in self.lines),
            mtd=dict(self.wagers.mtd),
            jackpots=dict(self.wagers.jackpots),
            insurance=self.insurance,
            net={**net, "total": (total,)},
        )


def record_of(
    rules: Rules,
    events: Iterable[Event] = (),
    meters: Sequence[tuple[int, int]] = (),
    name: str = "1",
) -> RoundRecord:
    """Return the record of a closed round; `meters` are the starting values (cents, remainder).

    >>> from ventiuna import Table
    >>> played = Table("wsgc-2021", seed=1).play_round()
    >>> len(record_of(played.rules, played.events).spots)
    1
    """
    if not isinstance(rules, Rules):
        raise NotationError(
            "rules: must be a Rules object; pass the round's rules, then its events"
        )
    book = _RoundRecorder()
    for event in events:
        book.write(event)
    if not book.closed:
        raise NotationError(
            "events: must be all events of a finished round, from its wagers on, as finish_round "
            "returns them"
        )
    record = book.record(rules, tuple(meters), name)
    refuse_shared_names(record.spots)  # refuse now, rather than when the stored round is read
    return record


_ACTIONS: dict[type[Event], str] = {
    ev.HandHit: "hit",
    ev.HandStood: "stand",
    ev.HandSurrendered: "surrender",
    ev.HandRescued: "rescue",
}


class _RoundRecorder:
    def __init__(self) -> None:
        self.closed = False
        self.spots: dict[int, _SpotRecorder] = {}
        self.dealer: list[int] = []
        self.bonus_cards: list[int] = []
        self.order: list[tuple[int, Wager, int]] = []
        self.meter_moves: dict[int, int] = {}
        self.shown: dict[int, int] = {}  # amounts before the round, from meter readings

    def write(self, event: Event) -> None:
        spot = getattr(event, "spot", 0)
        if spot and spot not in self.spots and not isinstance(event, ev.WagersPlaced):
            raise NotationError(
                f"events: spot {spot} has no wagers; include its WagersPlaced event"
            )
        match event:
            case ev.StageReached():
                self.closed = event.stage is Stage.CLOSED
            case ev.WagersPlaced():
                self.spots[event.spot] = _SpotRecorder(event)
            case ev.WagersWithdrawn():
                del self.spots[event.spot]
            case ev.CardDealt():
                self._card(event)
            case ev.BlackjackKept():
                self.spots[event.spot].lines[0].steps.append(RecordedAction("keep"))
            case ev.InsurancePlaced():
                self.spots[event.spot].insurance = event.amount
            case ev.HandHit() | ev.HandStood() | ev.HandSurrendered() | ev.HandRescued():
                action = RecordedAction(_ACTIONS[type(event)])
                self.spots[event.spot].hands[event.hand].steps.append(action)
            case ev.HandDoubled():
                self.spots[event.spot].doubled(event.hand, event.amount)
            case ev.HandSplit():
                self.spots[event.spot].split(event.hand, event.amount)
            case ev.WagerSettled():
                self.spots[event.spot].settled(event)
                self.order.append((event.spot, event.wager, event.net))
            case ev.RoundVoided():
                raise NotationError("a void round has no record, because it paid nothing")
            case ev.MetersShown():
                self._read_meters(event)
            case ev.MeterRaised():
                self._move_meter(event.game, event.amount)
            case ev.MeterLowered():
                self._move_meter(event.game, -event.amount)
            case _:
                pass  # announcements are not part of a record

    def _move_meter(self, game: int, cents: int) -> None:
        self.meter_moves[game] = self.meter_moves.get(game, 0) + cents

    def _read_meters(self, event: ev.MetersShown) -> None:
        """Count amounts from other tables as if they had been in the meter from the start."""
        for game, displayed in event.meters.items():
            self.shown[game] = displayed - self.meter_moves.get(game, 0)

    def _card(self, event: ev.CardDealt) -> None:
        if event.card is None:
            raise NotationError("a round with hidden cards can't be recorded")
        if event.place is Place.PLAYER:
            self.spots[event.spot].hands[event.hand].add_card(event.card)
        elif event.place is Place.BONUS:
            self.bonus_cards.append(event.card)
        elif event.place is Place.UP:  # the down card may have been dealt earlier
            self.dealer.insert(0, event.card)
        else:
            self.dealer.append(event.card)

    def record(self, rules: Rules, meters: tuple[tuple[int, int], ...], name: str) -> RoundRecord:
        readings = meters or tuple((jackpot.seed, 0) for jackpot in rules.jackpots)
        start = tuple(
            (self.shown.get(game, cents), rest)
            for game, (cents, rest) in enumerate(readings, start=1)
        )
        after = tuple(
            cents + self.meter_moves.get(game, 0) for game, (cents, _) in enumerate(start, start=1)
        )
        up, down, *draws = self.dealer
        spots = [self.spots[number] for number in sorted(self.spots)]
        return RoundRecord(
            id=name,
            rules=rules,
            up=up,
            down=down,
            spots=tuple(spot.record() for spot in spots),
            draws=tuple(draws),
            bonus_cards=tuple(self.bonus_cards),
            meters=start,
            order=tuple(
                StatedPayment(person_name(self.spots[spot].wagers.person, spot), wager, net)
                for spot, wager, net in self.order
            ),
            meters_after=after if rules.jackpots else None,
        )
