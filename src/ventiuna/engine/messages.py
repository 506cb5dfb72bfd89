"""Events as sentences for people: at a terminal, in a log, in a screen reader.

An `EventFormatter` keeps its own copy of a round's state. It formats each event from one person's
point of view and omits anything hidden from that person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from ventiuna.cards import RANK_NAMES, RANKS, card_sign, card_text, card_words
from ventiuna.core.base_game import is_dealer_blackjack
from ventiuna.core.cards import best_total, is_blackjack, is_soft, rank_of
from ventiuna.engine import events as ev
from ventiuna.engine.events import Advice, Authority, Card, Event, Place, Wager, WagerKind
from ventiuna.engine.flow import dealer_hand
from ventiuna.engine.state import HandStatus, PlayerHand, RoundState, Spot, apply
from ventiuna.engine.views import EVERYONE, Viewer, redact
from ventiuna.money import money_text
from ventiuna.rules.model import PLAIN_21
from ventiuna.rules.text.phrases import join_words, mtd_word
from ventiuna.rules.text.procedure import floor_person

# --- Sentences in parts, so that each display can draw cards in its own style ---

Cards: TypeAlias = tuple[Card, ...]
Part: TypeAlias = str | Cards


class CardStyle(StrEnum):
    SIGNS = "signs"  # 7♠
    LETTERS = "letters"  # 7s
    WORDS = "words"  # seven of spades


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence about an event."""

    parts: tuple[Part, ...]
    strong: bool = False  # important for everyone at the table
    talk: str | None = None  # as a dealer would say it, if shorter; empty if a dealer wouldn't

    @property
    def has_cards(self) -> bool:
        return len(self.parts) > 1 or not isinstance(self.parts[0], str)

    def text(self, style: CardStyle = CardStyle.SIGNS) -> str:
        return "".join(
            [part if isinstance(part, str) else format_cards(part, style) for part in self.parts]
        )


@dataclass(frozen=True, slots=True)
class Payment(Sentence):
    """A settled wager; a list of payments shows its figures in columns."""

    what: str = ""  # the wager and the reason for the result
    net: int = 0
    rule: str = ""


@lru_cache(maxsize=1024)  # mostly called for single cards
def format_cards(cards: Cards, style: CardStyle) -> str:
    if style is CardStyle.WORDS:
        return join_words([card_words(card) for card in cards])
    write = card_sign if style is CardStyle.SIGNS else card_text
    return " ".join(write(card).replace("T", "10") for card in cards)


def hand_total(hand: PlayerHand) -> str:
    """Format a hand's total: `14`, `soft 17`, `blackjack`."""
    if is_blackjack(hand.shape):
        return "blackjack"
    return _total_text(hand.shape.hard, hand.shape.aces)


def dealer_total(state: RoundState) -> str:
    if len(state.dealer) == 2 and is_dealer_blackjack(state.up, state.down):
        return "blackjack"
    return _total_text(*dealer_hand(state))


@lru_cache(maxsize=1024)
def _total_text(hard: int, aces: int) -> str:
    total = best_total(hard, aces)
    return f"soft {total}" if is_soft(hard, aces) else str(total)


def capitalize_first(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- Point of view ---

ONLY_HAND = "Your hand"
_THIRD_PERSON = {"are": "is", "cash": "cashes", "have": "has"}


@dataclass(frozen=True, slots=True)
class PointOfView:
    """The person a message addresses, and how to write names and amounts in it.

    `you` is the id of the person addressed; `names` maps person ids to display names. `money`
    formats amounts: always with cents for columns in a terminal, or as printed on chips for a felt.
    """

    you: str = ""  # empty for a spectator
    names: Mapping[str, str] = field(default_factory=dict)
    viewer: Viewer = EVERYONE
    money: Callable[[int], str] = money_text

    def is_own(self, spot: Spot) -> bool:
        return bool(self.you) and spot.person == self.you

    def spots_of(self, state: RoundState, person: str) -> int:
        return [spot.person for spot in state.order].count(person)

    def name(self, state: RoundState, spot: Spot) -> str:
        """A spot's name: `Ann`, `Ann on spot 2` if she plays several, `Spot 2` if anonymous."""
        if not spot.person:
            return f"Spot {spot.number}"
        name = self.names.get(spot.person, spot.person)
        several = self.spots_of(state, spot.person) > 1
        return f"{name} on spot {spot.number}" if several else name

    def hand_name(self, state: RoundState, spot: Spot, index: int) -> str:
        """A hand's name: `Your hand`, `Spot 2`, `Hand 2 of 3`, `Ann, hand 1 of 2`."""
        several = f"hand {index + 1} of {len(spot.hands)}" if len(spot.hands) > 1 else ""
        if not self.is_own(spot):
            name = self.name(state, spot)
        elif self.spots_of(state, spot.person) == 1:
            return capitalize_first(several) if several else ONLY_HAND
        else:
            name = f"Spot {spot.number}"
        return f"{name}, {several}" if several else name

    def title(self, state: RoundState, spot: Spot, wager: str) -> str:
        """Title of a wager not on a hand, with its owner: `Insurance`, `Spot 2, Insurance`."""
        if self.is_own(spot) and self.spots_of(state, spot.person) == 1:
            return wager
        name = f"Spot {spot.number}" if self.is_own(spot) else self.name(state, spot)
        return f"{name}, {wager}"

    def whose(self, state: RoundState, spot: Spot, index: int) -> str:
        """Prefix of a sentence about a hand: `Spot 2: `; empty if it is your only hand."""
        name = self.hand_name(state, spot, index)
        return "" if name == ONLY_HAND and self.is_own(spot) else f"{name}: "

    def does(self, state: RoundState, spot: Spot, index: int, *verbs: str) -> str:
        """Start a sentence: `You hit and get`, `Spot 2: you hit and get`, `Ann hits and gets`."""
        if self.is_own(spot):
            return capitalize_first(f"{self.whose(state, spot, index)}you {' and '.join(verbs)}")
        deeds = " and ".join(map(third_person, verbs))
        hand = self.hand_name(state, spot, index)
        comma = "," if len(spot.hands) > 1 else ""
        return f"{hand}{comma} {deeds}"


@lru_cache(maxsize=1024)
def third_person(verb: str) -> str:
    """Turn `double for $5` into `doubles for $5`; the first word is the verb."""
    word, space, rest = verb.partition(" ")
    return f"{_THIRD_PERSON.get(word) or f'{word}s'}{space}{rest}"


SPECTATOR = PointOfView()


# --- Payment odds and reasons ---

_TIMES = {2: "twice", 3: "three times", 4: "four times"}
_TWO_MATCHES = ("2 suited match", "2 unsuited match")


def odds_words(odds: str) -> str:
    """Shorten `4 to 1 and 4 to 1` to `4 to 1 twice`, and `10 % of` to `10% of`."""
    odds = odds.replace(" %", "%").replace("non-suited", "unsuited")
    odds = odds.replace("match ", "match, ").replace("matches ", "matches, ")
    parts = odds.split(" and ")
    if len(parts) > 1 and len(set(parts)) == 1:
        return f"{parts[0]} {_TIMES.get(len(parts), f'{len(parts)} times')}"
    return odds


def reason_words(reason: str) -> str:
    """Turn `2 unsuited match` into `2 unsuited matches`, and `no line` into `no winning match`."""
    if reason == "no line":
        return "no winning match"
    if reason == "pay table lines":
        return ""  # the odds name the lines
    return f"{reason}es" if reason in _TWO_MATCHES else reason


# --- Events ---

ADVICE_TEXTS = {
    Advice.SIXTH_CARD_CANNOT_LOSE: "hit, because any next card wins (R-118)",
    Advice.HIT_ELEVEN: "with this 11, hitting is better than doubling (R-118)",
}
FEW_SIDE_BETS = 2  # side bets that a dealer names one by one
_TITLES = {
    WagerKind.INSURANCE: "Insurance",
    WagerKind.SUPER: "Super Bonus",
    WagerKind.ENVY: "Envy Bonus",
}

_DEEDS: dict[type[Any], str] = {
    ev.WagersWithdrawn: "take back the wagers",
    ev.BlackjackTaken: "take the blackjack payout",
    ev.BlackjackKept: "keep the blackjack to double it",
    ev.HandSurrendered: "surrender",
    ev.HandRescued: "rescue the doubled wager",
}

# Events that change nothing visible, or that the next event describes completely.
SILENT_EVENTS: frozenset[type[Event]] = frozenset(
    {
        ev.StageReached,  # the events of the stage describe it
        ev.MeterLowered,  # the award's payment describes it
        ev.HandHit,  # reported with its card
        ev.HandDoubled,  # reported with its card
        ev.HandRemoved,  # the hand's payment was already reported
    }
)


class EventFormatter:
    """Formats one round; pass it every event in order, including hidden cards."""

    def __init__(self, start: RoundState, point_of_view: PointOfView = SPECTATOR) -> None:
        self.state = start.copy()
        self.point_of_view = point_of_view
        self._deed = ""  # an action whose card hasn't been dealt yet

    def format(self, event: Event) -> Sentence | None:
        """Return the event as a sentence; None if there is nothing to say."""
        return self.format_for(event, (self.point_of_view,))[0]

    def format_for(self, event: Event, points: Sequence[PointOfView]) -> list[Sentence | None]:
        """Return the same event from each of these points of view."""
        if isinstance(event, ev.WagersWithdrawn):  # afterward, the owner is unknown
            sentences = self._say(event, points)
            apply(self.state, event)
            return sentences
        apply(self.state, event)
        if isinstance(event, ev.HandHit):
            self._deed = "hit"
        elif isinstance(event, ev.HandDoubled):
            hand = self._spot(event.spot).hands[event.hand]
            double = "double-double" if hand.shape.doublings > 1 else "double"
            self._deed = f"{double} for {self._money(event.amount)}"
        sentences = self._say(event, points)
        if isinstance(event, ev.CardDealt):
            self._deed = ""
        return sentences

    def _say(self, event: Event, points: Sequence[PointOfView]) -> list[Sentence | None]:
        say = FORMATTERS.get(type(event))
        if say is None:
            return [None] * len(points)
        sentences = []
        default = self.point_of_view
        for view in points:
            self.point_of_view = view
            sentences.append(say(self, redact(event, view.viewer)))
        self.point_of_view = default
        return sentences

    def _did(self, event: Any) -> Sentence:
        """Describe an action without an amount or a card."""
        hand = getattr(event, "hand", 0)
        return Sentence((f"{self._does(event.spot, hand, _DEEDS[type(event)])}.",))

    # --- Wagers and the deal ---

    def _placed(self, event: ev.WagersPlaced) -> Sentence:
        more = [f"{self._money(cents)} on {_place(part)}" for part, cents in event.mtd.items()]
        more += [
            f"{self._money(cents)} on Jackpot {game}" for game, cents in event.jackpots.items()
        ]
        # A comma before "and", so that both amounts can't be taken for the side bet's.
        last = [f"and {wager}" for wager in more[-1:]]
        wagers = ", ".join([self._money(event.base), *more[:-1], *last])
        talk = None
        if len(more) > FEW_SIDE_BETS:
            sides = sum(event.mtd.values()) + sum(event.jackpots.values())
            short = f"{self._money(event.base)} plus {self._money(sides)} on {len(more)} side bets"
            talk = f"{self._does(event.spot, 0, f'wager {short}')}."
        return Sentence((f"{self._does(event.spot, 0, f'wager {wagers}')}.",), talk=talk)

    def _raised(self, event: ev.MeterRaised) -> Sentence | None:
        if event.reason != "seed":
            return None  # too small to mention: a cent or two per wager
        meter = self.state.meters[event.game - 1]
        return Sentence((f"Jackpot {event.game} starts again at {self._money(meter.cents)}.",))

    def _shown(self, event: ev.MetersShown) -> Sentence | None:
        shown = [
            f"jackpot {game} shows {self._money(cents)}" for game, cents in event.meters.items()
        ]
        return Sentence((f"{capitalize_first(join_words(shown))}.",)) if shown else None

    def _card(self, event: ev.CardDealt) -> Sentence:
        if event.card is None:
            return Sentence(("The dealer's down card is dealt face down.",))
        card = (event.card,)
        if event.place is Place.DEALER:
            return Sentence(("The dealer draws ", card, f" for {dealer_total(self.state)}."))
        if event.place is Place.BONUS:
            number = len(self.state.bonus_cards)
            return Sentence((f"Bonus Card {number} is ", card, "."))
        if event.place is not Place.PLAYER:
            return Sentence((f"The dealer's {event.place} card is ", card, "."))
        verbs = (self._deed, "get") if self._deed else ("get",)
        who = self._does(event.spot, event.hand, *verbs)
        hand = self._spot(event.spot).hands[event.hand]
        if len(hand.cards) == 1:
            return Sentence((f"{who} ", card, "."))
        return Sentence((f"{who} ", card, f" for {hand_total(hand)}."))

    def _supervisor(self, event: ev.SupervisorCalled) -> Sentence:
        spot, view = self._spot(event.spot), self.point_of_view
        is_named = bool(spot.person) and not view.is_own(spot)
        whose = f"{view.names.get(spot.person, spot.person)}'s" if is_named else "the"
        is_one = bool(spot.person) and view.spots_of(self.state, spot.person) == 1
        card = f"{whose} third card{'' if is_one else f' on spot {spot.number}'}"
        watched = f"The dealer calls the {floor_person(self.state.rules)} to watch {card}"
        return Sentence((f"{watched}, which could make a Super Bonus (R-072).",), strong=True)

    def _answered(self, event: ev.SupervisorAnswered) -> Sentence:
        person = floor_person(self.state.rules)
        if event.by is Authority.FLOOR:
            return Sentence((f"The {person} watches the third card (R-121).",))
        if event.by is Authority.OPERATOR:
            return Sentence((f"An operator watches the third card for the {person} (R-121).",))
        return Sentence((f"No {person} came, so play goes on without one (R-121).",))

    def _authorized(self, event: ev.PaymentsAuthorized) -> Sentence:
        person = floor_person(self.state.rules)
        if event.by is Authority.FLOOR:
            return Sentence((f"The {person} authorizes the payments (R-121).",))
        if event.by is Authority.OPERATOR:
            return Sentence((f"An operator authorizes the payments for the {person} (R-121).",))
        return Sentence((f"No {person} came, so the house pays without one (R-121).",))

    def _locked(self, _: ev.BonusCardsLocked) -> Sentence:
        return Sentence(("The Bonus Cards are locked up (R-028).",))

    # --- Blackjacks and insurance ---

    def _insured(self, event: ev.InsurancePlaced) -> Sentence | None:
        if not event.amount:
            return None  # declined: nothing changed
        amount = self._money(event.amount)
        return Sentence((f"{self._does(event.spot, 0, f'take insurance for {amount}')}.",))

    def _checked(self, event: ev.DealerChecked) -> Sentence:
        found = "blackjack" if event.blackjack else "no blackjack"
        return Sentence((f"The dealer checks the down card: {found}.",))

    # --- Play ---

    def _stood(self, event: ev.HandStood) -> Sentence:
        total = hand_total(self._spot(event.spot).hands[event.hand])
        return Sentence((f"{self._does(event.spot, event.hand, f'stand on {total}')}.",))

    def _split(self, event: ev.HandSplit) -> Sentence:
        spot = self._spot(event.spot)
        pair = (spot.hands[event.hand].cards[0], spot.hands[event.hand + 1].cards[0])
        view = self.point_of_view
        who = f"{view.name(self.state, spot)} splits"
        if view.is_own(spot):
            one_spot = view.spots_of(self.state, spot.person) == 1
            who = "You split" if one_spot else f"Spot {spot.number}: you split"
        return Sentence((f"{who} ", pair, f" for {self._money(event.amount)}."))

    def _advised(self, event: ev.AdviceGiven) -> Sentence:
        spot, view = self._spot(event.spot), self.point_of_view
        to = ""
        if not view.is_own(spot):
            to = f" to {view.name(self.state, spot)}"
        elif view.spots_of(self.state, spot.person) > 1:
            to = f" to spot {spot.number}"
        return Sentence((f"The dealer{to}: {ADVICE_TEXTS[event.advice]}.",), strong=True)

    def _exposed(self, event: ev.DownCardExposed) -> Sentence:
        total = dealer_total(self.state)
        return Sentence(("The dealer turns over ", (event.card,), f" for {total}."))

    # --- Results ---

    def _settled(self, event: ev.WagerSettled) -> Payment:
        stake = f", {self._money(event.stake)}" if event.stake else ""
        spot, view = self._spot(event.spot), self.point_of_view
        if event.wager is Wager.HAND:
            name = view.hand_name(self.state, spot, event.hand)
        else:
            name = view.title(self.state, spot, wager_title(event.wager))
        title = f"{name}{stake}"
        reason = reason_words(event.reason).removesuffix(", all others")  # means little by itself
        # An amount (a Super Bonus, R-069) is already in the outcome.
        odds = "" if event.odds == money_text(event.net) else odds_words(event.odds)
        why = ", ".join(part for part in (reason, odds) if part)
        # In a sentence, the outcome already says that a wager lost or was returned.
        because = why if event.net > 0 or not reason else reason
        rule = f" ({event.rule})" if event.rule else ""
        text = f"{title}: {because}; {self._outcome(event)}{rule}."
        talk = f"{name}: {reason if event.odds == 'even money' else because}."  # without amounts
        return Payment((text,), talk=talk, what=f"{title}: {why}", net=event.net, rule=event.rule)

    def _outcome(self, event: ev.WagerSettled) -> str:
        result = f"{'win' if event.net > 0 else 'lose'} {self._money(abs(event.net))}"
        if event.net == 0:
            result = "break even"
        own = self.point_of_view.is_own(self._spot(event.spot))
        return f"you {result}" if own else third_person(result)

    def _voided(self, event: ev.RoundVoided) -> Sentence:
        reason = f" ({event.reason})" if event.reason else ""
        return Sentence((f"The round is void{reason}. All wagers are returned.",), strong=True)

    # --- Helpers ---

    def _money(self, cents: int) -> str:
        return self.point_of_view.money(cents)

    def _spot(self, number: int) -> Spot:
        return self.state.spots[number]

    def _does(self, spot: int, hand: int, *verbs: str) -> str:
        return self.point_of_view.does(self.state, self._spot(spot), hand, *verbs)


def _place(part: str) -> str:
    """Where a Match the Dealer wager lies: `the Up Card`, `Bonus Card 2`."""
    return f"the {mtd_word(part)}" if part in ("up", "down") else mtd_word(part)


def wager_title(wager: Wager) -> str:
    """A wager's title: `Insurance`, `Up Card`, `Jackpot 1`."""
    if wager.kind is WagerKind.MTD:
        return mtd_word(wager.part)
    return _TITLES.get(wager.kind) or capitalize_first(wager.value)


FORMATTERS: dict[type[Any], Callable[[EventFormatter, Any], Sentence | None]] = {
    ev.WagersPlaced: EventFormatter._placed,
    ev.MeterRaised: EventFormatter._raised,
    ev.MetersShown: EventFormatter._shown,
    ev.CardDealt: EventFormatter._card,
    ev.SupervisorCalled: EventFormatter._supervisor,
    ev.SupervisorAnswered: EventFormatter._answered,
    ev.PaymentsAuthorized: EventFormatter._authorized,
    ev.BonusCardsLocked: EventFormatter._locked,
    ev.InsurancePlaced: EventFormatter._insured,
    ev.DealerChecked: EventFormatter._checked,
    ev.HandStood: EventFormatter._stood,
    ev.HandSplit: EventFormatter._split,
    ev.AdviceGiven: EventFormatter._advised,
    ev.DownCardExposed: EventFormatter._exposed,
    ev.WagerSettled: EventFormatter._settled,
    ev.RoundVoided: EventFormatter._voided,
    **dict.fromkeys(_DEEDS, EventFormatter._did),
}


# --- Labels next to hands ---

BLACKJACK_LABEL = "Blackjack"
GIVEN_UP = ("surrendered", "rescued")
_VOWELS = ("ace", "eight", "8")


class SpokenText(NamedTuple):
    """Displayed text and its spoken form."""

    text: str
    spoken: str


def count_words(hand: PlayerHand) -> str:
    """Label for a total: `14`, `soft 17`, `Blackjack`; empty if there are no cards."""
    if not hand.cards:
        return ""
    return BLACKJACK_LABEL if is_blackjack(hand.shape) else hand_total(hand)


def hand_words(state: RoundState, spot: Spot, hand: PlayerHand) -> str:
    """Label for a hand: `14`, `18 stands`, `20 doubled, stands`, `Blackjack 3 to 2`."""
    count = count_words(hand)
    if not count:
        return ""
    if hand.total > 21:
        return f"{count} busts"
    if hand.result is not None:
        return _settled_words(state, count, hand.result)
    more = []
    if hand.shape.doublings:
        more.append("doubled")
    elif count == BLACKJACK_LABEL and spot.blackjack_answer == "keep":
        more.append("kept")
    if hand.status is HandStatus.STANDING:
        more.append("stands")
    return f"{count} {', '.join(more)}" if more else count


def _settled_words(state: RoundState, count: str, result: ev.WagerSettled) -> str:
    if result.reason in GIVEN_UP:
        return f"{count} {result.reason}"
    if result.net > 0 and count == BLACKJACK_LABEL:
        return f"{count} {result.odds}"
    rows = [row.name for row in state.labels.rows if row.name != PLAIN_21]
    if result.net > 0 and result.reason in rows:  # the reason names the cards, such as 6-7-8
        return f"{result.reason}, {result.odds}"
    return f"{count} {'wins' if result.net > 0 else 'loses' if result.net < 0 else 'pushes'}"


def rank_words(card: int) -> SpokenText:
    """The card without its suit: `4` and `four`, `K` and `king`."""
    rank = rank_of(card)
    return SpokenText(RANKS[rank - 1].replace("T", "10"), RANK_NAMES[rank - 1])


def rank_with_article(card: int) -> SpokenText:
    """An up card with its article: `a 4`, `an 8`, `an ace`, `a king`."""
    text, spoken = rank_words(card)
    name = text if text.isdigit() else spoken
    return SpokenText(_with_article(name), _with_article(spoken))


def _with_article(word: str) -> str:
    return f"{'an' if word in _VOWELS else 'a'} {word}"


def dealer_words(state: RoundState) -> SpokenText | None:
    """The dealer's label: `Dealer shows a 4`, or `Dealer has 19` with the down card exposed."""
    if not state.dealer:
        return None
    if not state.down_exposed:
        up = rank_with_article(state.up)
        return SpokenText(f"Dealer shows {up.text}", f"Dealer shows {up.spoken}")
    total = dealer_total(state)
    busts = total.isdigit() and int(total) > 21
    sentence = f"Dealer busts with {total}" if busts else f"Dealer has {total}"
    return SpokenText(sentence, sentence)
