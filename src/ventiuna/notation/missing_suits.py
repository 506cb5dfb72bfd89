"""Settle rounds whose cards lack suits, provided no payment depends on them.

Each wager depends on the suits of only a few cards, so all suits of *those* cards are tried: for a
Match the Dealer wager, the first two cards and the dealer's card; for a jackpot wager, its four
cards; for a hand, its cards and the up card. For a hand, it matters which suits occur, but not
which card has which suit (`core.cards`). Suits not available in the shoe are skipped. Tests compare
this with trying all suits of all cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from ventiuna.cards import SUITS
from ventiuna.core.cards import TEN, card_of, rank_of
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.engine.events import WagerSettled
from ventiuna.engine.messages import odds_words, reason_words
from ventiuna.notation.json_format import parse_json, round_entries, round_from_data
from ventiuna.notation.records import HandRecord, NotationError, RoundRecord, SpotRecord
from ventiuna.notation.replay import Replay, replay
from ventiuna.notation.text import Block, RoundReader, SuitFiller, fill_suits, round_blocks
from ventiuna.rules import Rules

# --- Readers for the rounds of a file ---

ReadWithSuits = Callable[[SuitFiller], RoundRecord]


def round_readers(text: str, rules: str = "") -> Iterator[ReadWithSuits]:
    """Yield a reader for each round; `rules` applies to rounds that don't name any."""
    if is_json(text):
        for entry in round_entries(parse_json(text, "the file")):
            yield json_reader(with_default_rules(entry, rules))
        return
    for block in round_blocks(text):
        yield text_reader(block, rules)


def text_reader(block: Block, rules: str) -> ReadWithSuits:
    return lambda suits: RoundReader(block, rules, suits).read()


def is_json(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def with_default_rules(entry: object, rules: str) -> object:
    """Return a worked round with the default rules if it doesn't name any."""
    return {"rules": rules, **entry} if rules and isinstance(entry, dict) and entry else entry


def json_reader(entry: object) -> ReadWithSuits:
    return lambda suits: round_from_data(fill_suits(entry, suits))


# --- Replay with missing suits ---

DEALER, BONUS = "dealer", "bonus cards"  # any other place is a hand: "spot 1 hand 2"


class CardPlace(NamedTuple):
    """Position of a card in a record: the hand or other place, and the card's index there."""

    holder: str
    number: int


UP, DOWN = CardPlace(DEALER, 0), CardPlace(DEALER, 1)
Filling = dict[CardPlace, int]  # card by place


class SuitlessReplay(NamedTuple):
    """A replayed round, and the positions of cards written without a suit."""

    played: Replay
    suitless: frozenset[CardPlace]


def replay_missing_suits(
    read: Callable[[SuitFiller], RoundRecord], *, lenient: bool = False
) -> SuitlessReplay:
    """Replay a round with missing suits; raises if a payment depends on one.

    See `replay` for `lenient`.
    """
    record, other = read(SuitFiller(SUITS[0])), read(SuitFiller(SUITS[1]))
    cards, changed = cards_of(record), cards_of(other)
    suitless = frozenset(place for place in cards if cards[place] != changed[place])
    if not suitless:
        return SuitlessReplay(_replayed(record, cards, lenient), suitless)
    absent = [  # tens, which aren't in the Spanish pack
        place
        for place in sorted(suitless)
        if rank_of(cards[place]) == TEN and cards[place] not in record.rules.pack.cards
    ]
    drawn = [CardPlace(DEALER, 2 + number) for number in range(len(record.draws))]
    if absent and not (lenient and all(place in drawn for place in absent)):  # may be surplus
        raise _missing_rank(absent[0])
    first: Replay | None = None
    for filling in _fillings(record, cards, suitless.difference(absent)):
        try:
            played = _replayed(with_cards(record, filling), filling, lenient)
        except Refused as error:
            if absent and error.code == RefusalCode.NOT_IN_PACK:  # so it wasn't a surplus card
                raise _missing_rank(absent[0]) from None
            raise
        if first is None:
            first = played
        _refuse_difference(first, played)
    assert first is not None, "at least one assignment of suits was tried"
    return SuitlessReplay(first, suitless)


def _replayed(record: RoundRecord, cards: Filling, lenient: bool) -> Replay:
    """Replay the record; a card that isn't in the pack is reported with its position."""
    try:
        return replay(record, lenient=lenient)
    except Refused as error:
        if error.code == RefusalCode.NOT_IN_PACK:
            pack = record.rules.pack.cards
            error.place = next(place.holder for place, card in cards.items() if card not in pack)
        raise


# --- Cards of a record ---


def cards_of(record: RoundRecord) -> Filling:
    """Return every card of a record by position."""
    cards = _numbered(DEALER, (record.up, record.down, *record.draws))
    cards |= _numbered(BONUS, record.bonus_cards)
    for spot, number, hand in _hands(record):
        cards |= _numbered(_holder(spot, number), _hand_cards(hand))
    return cards


def with_cards(record: RoundRecord, cards: Mapping[CardPlace, int]) -> RoundRecord:
    """Return the record with these cards in their positions."""
    up, down, *draws = _cards_of_holder(cards, DEALER)
    return replace(
        record,
        up=up,
        down=down,
        draws=tuple(draws),
        bonus_cards=tuple(_cards_of_holder(cards, BONUS)),
        spots=tuple(
            replace(
                spot,
                hands=tuple(
                    _with_hand_cards(hand, _cards_of_holder(cards, _holder(spot, number)))
                    for number, hand in enumerate(spot.hands, start=1)
                ),
            )
            for spot in record.spots
        ),
    )


def _numbered(holder: str, cards: Iterable[int]) -> Filling:
    return {CardPlace(holder, number): card for number, card in enumerate(cards)}


def _cards_of_holder(cards: Mapping[CardPlace, int], holder: str) -> list[int]:
    return [card for place, card in cards.items() if place.holder == holder]


def _holder(spot: SpotRecord, hand: int) -> str:
    return f"spot {spot.number} hand {hand}"


def _hands(record: RoundRecord) -> Iterator[tuple[SpotRecord, int, HandRecord]]:
    for spot in record.spots:
        for number, hand in enumerate(spot.hands, start=1):
            yield spot, number, hand


def _hand_cards(hand: HandRecord) -> tuple[int, ...]:
    return (*hand.cards, *(step.card for step in hand.steps if step.card is not None))


def _with_hand_cards(hand: HandRecord, cards: list[int]) -> HandRecord:
    first, second, *drawn = cards
    steps = (step if step.card is None else replace(step, card=drawn.pop(0)) for step in hand.steps)
    return HandRecord((first, second), tuple(steps))


def split_from(record: RoundRecord) -> dict[CardPlace, CardPlace]:
    """Map the first card of each split hand to the same card in the hand that was split."""
    origins: dict[CardPlace, CardPlace] = {}
    for spot in record.spots:
        begun: list[CardPlace] = []
        for number, hand in enumerate(spot.hands, start=1):
            first, second = (CardPlace(_holder(spot, number), card) for card in (0, 1))
            if begun:
                origin = begun.pop(0)
                origins[first] = origins.get(origin, origin)
            if hand.is_split:
                begun = [origins.get(first, first), second, *begun]
    return origins


# --- Assigning suits ---


def _fillings(
    record: RoundRecord, cards: Filling, suitless: frozenset[CardPlace]
) -> Iterator[Filling]:
    """Yield cards for all positions: one assignment of suits, then all that may affect a wager."""
    origins = split_from(record)
    free = [place for place in cards if place in suitless and place not in origins]
    known = {
        place: card
        for place, card in cards.items()
        if place not in suitless and place not in origins
    }
    shoe = _SuitShoe(record.rules, known, {place: rank_of(cards[place]) for place in free})
    tried: set[tuple[int, ...]] = set()
    for fixed in ({}, *_singled_out(record, origins, shoe)):
        filling = shoe.filled_up(fixed)
        if filling is None:
            continue
        for place, origin in origins.items():
            is_it = place in suitless and rank_of(cards[place]) == rank_of(filling[origin])
            filling[place] = filling[origin] if is_it else cards[place]  # a mismatch is refused
        ordered = {place: filling[place] for place in cards}
        if tuple(ordered.values()) not in tried:
            tried.add(tuple(ordered.values()))
            yield ordered
    if not tried:
        raise NotationError("cards: there are more cards of one rank than the shoe has")


class _SuitShoe:
    """Number of each card in the shoe, not counting those whose suits are known."""

    def __init__(self, rules: Rules, known: Filling, free: Mapping[CardPlace, int]) -> None:
        self.known = known
        self.free = free  # ranks of the cards without suits
        self._left = dict.fromkeys(rules.pack.cards, rules.decks)
        for card in known.values():
            self._left[card] = self._left.get(card, 0) - 1

    def filled_up(self, fixed: Filling) -> Filling | None:
        """Return cards for all positions including these, or None if the shoe lacks the cards."""
        remaining = dict(self._left)
        filling = dict(fixed)
        for card in fixed.values():
            remaining[card] = remaining.get(card, 0) - 1
            if remaining[card] < 0:
                return None
        for place, rank in self.free.items():
            if place not in filling:
                suits = (card_of(rank, suit) for suit in range(len(SUITS)))
                card = max(suits, key=lambda card: remaining.get(card, 0))
                remaining[card] = remaining.get(card, 0) - 1
                if remaining[card] < 0:
                    return None
                filling[place] = card
        return {**self.known, **filling}

    def each_apart(self, places: Iterable[CardPlace]) -> Iterator[Filling]:
        """Yield every combination of suits for the cards in these positions that lack a suit."""
        free = [place for place in dict.fromkeys(places) if place in self.free]
        for suits in product(range(len(SUITS)), repeat=len(free)):
            yield {
                place: card_of(self.free[place], suit)
                for place, suit in zip(free, suits, strict=True)
            }

    def by_suits(self, places: Iterable[CardPlace], up: CardPlace) -> Iterator[Filling]:
        """Yield every set of suits for these positions together, with every suit of the up card."""
        free = [place for place in dict.fromkeys(places) if place in self.free]
        for suits in combinations_with_replacement(range(len(SUITS)), len(free)):
            for up_filling in self.each_apart([up]):
                found = self._handed_out(free, Counter(suits), up_filling)
                if found is not None:
                    yield found

    def _handed_out(
        self, places: list[CardPlace], suits: Counter[int], filling: Filling
    ) -> Filling | None:
        """Assign these suits, one per position, using only cards that the shoe has."""
        if not places:
            return filling
        place, *others = places
        for suit in [suit for suit in suits if suits[suit]]:
            card = card_of(self.free[place], suit)
            if sum(each == card for each in filling.values()) < self._left.get(card, 0):
                found = self._handed_out(others, suits - Counter([suit]), {**filling, place: card})
                if found is not None:
                    return found
        return None


def _singled_out(
    record: RoundRecord, origins: Mapping[CardPlace, CardPlace], shoe: _SuitShoe
) -> Iterator[Filling]:
    """Yield, for each wager, all suits of the cards it depends on."""
    dealer = {"up": UP, "down": DOWN} | {f"b{n + 1}": CardPlace(BONUS, n) for n in range(5)}
    for spot, number, hand in _hands(record):
        places = [CardPlace(_holder(spot, number), n) for n in range(len(_hand_cards(hand)))]
        if number == 1:
            pair = places[:2]
            for wager in spot.mtd:
                if wager in dealer:
                    yield from shoe.each_apart([*pair, dealer[wager]])
            if spot.jackpots:
                yield from shoe.each_apart([*pair, UP, DOWN])
        if not hand.is_split:
            yield from shoe.by_suits([origins.get(place, place) for place in places], UP)


def _missing_rank(place: CardPlace) -> NotationError:
    error = NotationError("10: Spanish decks have no tens (R-007); write J, Q or K")
    error.place = place.holder
    return error


# --- Differences ---


def _refuse_difference(one: Replay, other: Replay) -> None:
    here, there = _by_wager(one.payments), _by_wager(other.payments)
    for wager in dict.fromkeys([*here, *there]):
        first, second = here.get(wager), there.get(wager)
        if first is None or second is None:
            found = first or second
            assert found is not None
            raise _suit_needed(found, f"whether there is {_payment_text(found)}", found.rule)
        if (first.stake, first.paid) != (second.stake, second.paid):
            rules = ", ".join(dict.fromkeys([first.rule, second.rule]))
            raise _suit_needed(first, f"{_payment_text(first)} from {_payment_text(second)}", rules)


def _suit_needed(payment: WagerSettled, what: str, rules: str) -> NotationError:
    error = NotationError(
        f"spot {payment.spot} {payment.wager}: suits are needed to tell {what} "
        f"({rules}); write 8c or 8\N{BLACK CLUB SUIT}"
    )
    error.place = f"spot {payment.spot}"
    return error


def _by_wager(payments: list[WagerSettled]) -> dict[tuple[int, int, str, int], WagerSettled]:
    """Index payments by spot, hand and wager; some wagers are paid in several parts."""
    found: dict[tuple[int, int, str, int], WagerSettled] = {}
    for payment in payments:
        part = 0
        while (key := (payment.spot, payment.hand, payment.wager, part)) in found:
            part += 1
        found[key] = payment
    return found


def _payment_text(payment: WagerSettled) -> str:
    return f"{reason_words(payment.reason)!r} ({odds_words(payment.odds)})"
