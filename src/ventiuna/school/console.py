"""The dealer console: a dealer enters real cards as they are dealt and sees steps and payouts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from typing_extensions import TypedDict

from ventiuna.cards import CardError, card_sign, card_text, parse_card
from ventiuna.core.base_game import dealer_checks, is_dealer_blackjack
from ventiuna.core.cards import CARDS
from ventiuna.engine.commands import (
    Action,
    CloseWagers,
    Command,
    DealCard,
    Double,
    DoubleDouble,
    Hit,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    Refused,
    Rescue,
    ShowMeters,
    Split,
    Stand,
    Supervise,
    Surrender,
    TakeBlackjack,
    WithdrawWagers,
)
from ventiuna.engine.dealing import net_by_wager, own_meters
from ventiuna.engine.decide import check_card, execute
from ventiuna.engine.events import (
    JACKPOT_WAGERS,
    MTD_WAGERS,
    Authority,
    CardDealt,
    DealerChecked,
    DownCardExposed,
    Event,
    Place,
    Stage,
)
from ventiuna.engine.messages import hand_total, rank_with_article, wager_title
from ventiuna.engine.options import InsuranceOption, action_options, options
from ventiuna.engine.prompts import (
    PAYMENTS,
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    SupervisorWanted,
    WagersWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.state import RoundState
from ventiuna.errors import VentiunaError
from ventiuna.money import MoneyError, parse_amount, plain_amount
from ventiuna.notation import record_of, write_round
from ventiuna.notation.text import WagerLineError, parse_wagers, quoted_word
from ventiuna.rules import Rules
from ventiuna.rules.model import DealOrder
from ventiuna.rules.text.phrases import dollars, join_words
from ventiuna.rules.text.procedure import floor_person
from ventiuna.school.procedure import (
    RoundPart,
    guide_for,
    is_dealer_deal_flexible,
    open_between,
    reason_first,
)
from ventiuna.school.step_text import describe_step, explain_amount
from ventiuna.school.steps import DealerStep, RoundMove, StepKind, StepTracker
from ventiuna.school.views import DeedTarget, Felt, TrainingFelt
from ventiuna.texts import one_line

# --- Entries ---

MAX_ENTRY_LENGTH = 200
_SPOT_LINE = re.compile(r"([1-9])(?:\s+([^:]+):|\s*:)?\s+(.+)")
_CLOSE = ("close", "deal", "c")
_NONE = ("no", "n", "none")
_PAID = ("paid", "pay", "take", "b", "ok")
_KEEP = ("keep", "k")
_INSURE = ("ins", "insure", "i")
_HERE = ("here",)
_AUTHORIZED = ("authorized",)
_OWN = ("ok", "own")
FOUND, NOT_FOUND = ("bj", "blackjack", "yes", "y"), ("no", "n", "none")
_ACTIONS: dict[str, type[Action]] = {
    **dict.fromkeys(("h", "hit"), Hit),
    **dict.fromkeys(("s", "stand"), Stand),
    **dict.fromkeys(("p", "split"), Split),
    **dict.fromkeys(("u", "surrender"), Surrender),
    **dict.fromkeys(("c", "rescue"), Rescue),
    **dict.fromkeys(("dd", "ddd", "double-double"), DoubleDouble),
}
_DOUBLE = ("d", "double")
_ACTION_WORDS: dict[type[Command], str] = {
    Hit: "hit",
    Stand: "stand",
    Double: "double",
    DoubleDouble: "double-double",
    Split: "split",
    Surrender: "surrender",
    Rescue: "rescue",
}
_ENTRY_WORDS: dict[RoundPart, tuple[str, ...]] = {
    RoundPart.CLOSE: _CLOSE,
    RoundPart.WATCH: _HERE,
    RoundPart.ASK_BLACKJACKS: (*_PAID, *_KEEP),
    RoundPart.INSURANCE: (*_INSURE, *_NONE),
    RoundPart.LOOK: (*FOUND, *NOT_FOUND),
    RoundPart.PLAY: (*_ACTIONS, *_DOUBLE),
    RoundPart.AUTHORIZE: _AUTHORIZED,
    RoundPart.AWARD: _OWN,
}


class ConsoleError(VentiunaError, ValueError):
    """An entry that is invalid at this point."""


class OutOfTurn(ConsoleError):
    """An action for a hand that isn't being played."""


def split_entries(text: str) -> list[str]:
    """Split a line into entries; a line may contain several cards: `8c 9d Kh`."""
    words = text.split()
    if len(words) > 1 and all(_is_card(word) for word in words):
        return words
    return [" ".join(words)] if words else []


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except CardError:
        return False
    return True


def read_card(entry: str, what: str) -> int:
    """Parse a card; `what` names it in the error message."""
    try:
        return parse_card(entry)
    except CardError:
        raise ConsoleError(
            f"{quoted_word(entry)} isn't a card. Enter {what} as rank (A 2-9 T J Q K) and suit "
            "(c d h s), such as 8c."
        ) from None


def read_look(entry: str) -> bool:
    """Whether the dealer's check found a blackjack."""
    if entry.lower() not in (*FOUND, *NOT_FOUND):
        raise ConsoleError(
            f"{quoted_word(entry)} isn't one of the choices. Enter bj if the down card makes a "
            f"blackjack, or no if it doesn't."
        )
    return entry.lower() in FOUND


def read_up_card(entry: str) -> int | None:
    """Parse `up Kh`, which enters the up card, perhaps early; None for any other entry."""
    words = entry.split()
    if len(words) != 2 or words[0].lower() != "up":
        return None
    return read_card(words[1], "the up card")


def parts_of(entry: str) -> frozenset[RoundPart]:
    """The parts of a round that allow this entry, to explain why it isn't valid now."""
    words = entry.lower().split() or [""]
    if _is_card(words[0]):
        return frozenset({RoundPart.DEAL, RoundPart.BONUS_CARDS, RoundPart.EXPOSE, RoundPart.DRAW})
    return frozenset(part for part, known in _ENTRY_WORDS.items() if words[0] in known)


def commands_of(entry: str, state: RoundState, prompt: Waiting) -> list[Command]:
    """The commands for an entry, depending on what the round is waiting for."""
    words = entry.lower().split()
    if isinstance(prompt, WagersWanted):
        return [_wager_commands(entry, state)]
    if isinstance(prompt, BlackjackAnswersWanted):
        return _blackjack_commands(words, entry, prompt.spots)
    if isinstance(prompt, InsuranceAnswersWanted):
        return _insurance_commands(words, entry, prompt.spots)
    if isinstance(prompt, DecisionWanted):
        return [_decision_command(words, entry, state, prompt)]
    if isinstance(prompt, SupervisorWanted):
        return [_supervisor_command(entry, state, prompt)]
    assert isinstance(prompt, MetersWanted)
    return [_meter_commands(words, state, prompt)]


# --- wagers ---


def _wager_commands(entry: str, state: RoundState) -> Command:
    if entry.lower() in _CLOSE:
        return CloseWagers()
    found = _SPOT_LINE.fullmatch(entry)
    if not found:
        raise ConsoleError(
            f"{quoted_word(entry)} isn't a wager. Enter a spot and its wagers, such as 2 25 up 5 "
            "j1 or 2 Ana: 25. Enter close when all wagers are placed."
        )
    spot, person = int(found[1]), (found[2] or "").strip()
    [placed] = parse_wagers(found[3], state.rules, 1)
    if placed.is_empty:
        return WithdrawWagers(spot)
    return PlaceWagers(spot, placed.base, person, placed.mtd, placed.jackpots)


# --- answers ---


def _blackjack_commands(words: list[str], entry: str, spots: tuple[int, ...]) -> list[Command]:
    named = _named_spots(words[1:], spots)
    if words[0] in _PAID:
        return [TakeBlackjack(spot) for spot in named]
    if words[0] in _KEEP and words[1:]:
        return [KeepBlackjack(spot) for spot in named]
    raise ConsoleError(
        f"{quoted_word(entry)} isn't one of the choices. Enter paid when all blackjacks are "
        f"paid, or keep and the spot that keeps its blackjack, such as keep {spots[0]}."
    )


def _insurance_commands(words: list[str], entry: str, spots: tuple[int, ...]) -> list[Command]:
    if words[0] in _NONE:
        return [Insure(spot, 0) for spot in _named_spots(words[1:], spots)]
    if words[0] in _INSURE and len(words) == 3:
        [spot] = _named_spots(words[1:2], spots)
        return [Insure(spot, _read_amount("insurance", words[2]))]
    raise ConsoleError(
        f"{quoted_word(entry)} isn't one of the choices. Enter ins, the spot and the amount, "
        f"such as ins {spots[0]} 5, or no when nobody else wants insurance."
    )


def _named_spots(words: list[str], spots: tuple[int, ...]) -> tuple[int, ...]:
    """All prompted spots, or only the one named in the entry."""
    if not words:
        return spots
    if len(words) == 1 and words[0].isdecimal() and len(words[0]) == 1:
        return (int(words[0]),)
    choices = " or ".join(map(str, spots))
    raise ConsoleError(
        f"{quoted_word(' '.join(words))} isn't a spot that can choose now. Enter {choices}."
    )


def _decision_command(
    words: list[str], entry: str, state: RoundState, prompt: DecisionWanted
) -> Command:
    spot = prompt.spot
    hand = state.spots[spot].hands[prompt.hand]
    if len(words) > 1 and words[0].isdecimal():  # the entry may name the spot
        if words[0] != str(spot):
            raise OutOfTurn(f"It's spot {spot}'s turn. Enter its decision.")
        words = words[1:]
    if words[0] in _DOUBLE and len(words) <= 2:
        if hand.shape.doublings and len(words) == 1:
            return DoubleDouble(spot)
        return Double(spot, _read_amount("double", words[1]) if len(words) == 2 else None)
    action = _ACTIONS.get(words[0])
    if action is None or len(words) > 1:
        raise ConsoleError(
            f"{quoted_word(entry)} isn't a decision. For spot {spot}, enter h, s, d, p, u "
            "(surrender) or c (rescue)."
        )
    return action(spot)


def _supervisor_command(entry: str, state: RoundState, prompt: SupervisorWanted) -> Command:
    person = floor_person(state.rules)
    [word], when = _HERE, f"the {person} is there to watch"
    if prompt.task == PAYMENTS:
        [word], when = _AUTHORIZED, f"the {person} authorizes the payments"
    if entry.lower() != word:
        raise ConsoleError(
            f"{quoted_word(entry)} isn't one of the choices. Enter {word} when {when}."
        )
    return Supervise(Authority.FLOOR)


def _meter_commands(words: list[str], state: RoundState, prompt: MetersWanted) -> Command:
    if words in ([word] for word in _OWN):
        return own_meters(state)
    if len(words) != len(prompt.games):
        games = " and ".join(f"jackpot {game}" for game in prompt.games)
        word = "amount" if len(prompt.games) == 1 else "amounts"
        raise ConsoleError(f"Enter the {word} shown for {games}, such as 4127.63, or ok.")
    amounts = [_read_amount("meter", word) for word in words]
    return ShowMeters(dict(zip(prompt.games, amounts, strict=True)))


def _read_amount(what: str, word: str) -> int:
    try:
        return parse_amount(word)
    except MoneyError as error:
        raise ConsoleError(f"{what}: {one_line(str(error))}.") from None


# --- entries in words ---


def _describe_card(state: RoundState, prompt: CardWanted, card: int) -> str:
    if prompt.place is Place.UP:
        return f"Up card {card_sign(card)}"
    place = "Dealer"
    if prompt.place is Place.BONUS:
        place = f"Bonus Card {len(state.bonus_cards) + 1}"
    elif prompt.spot:
        place = _hand_place(state, prompt.spot, prompt.hand)
    return f"{place}: {card_sign(card)}"


def _describe_answer(
    entry: str, state: RoundState, prompt: Waiting, commands: list[Command]
) -> str:
    command = commands[0]
    if isinstance(command, CloseWagers):
        return "No more bets"
    if isinstance(command, PlaceWagers):
        return _describe_wagers(command, state.rules)
    if isinstance(command, WithdrawWagers):
        return f"Spot {command.spot}: no wager"
    if isinstance(command, Insure):
        spot, amount = command.spot, command.amount
        return f"Spot {spot}: insurance {dollars(amount)}" if amount else "No insurance"
    if isinstance(command, KeepBlackjack):
        return f"Spot {command.spot}: blackjack kept"
    if isinstance(command, TakeBlackjack):
        return "Blackjack paid"
    if isinstance(prompt, DecisionWanted):
        place = _hand_place(state, prompt.spot, prompt.hand)
        stake = command.amount if isinstance(command, Double) else None
        more = f" for {dollars(stake)}" if stake else ""
        return f"{place}: {_ACTION_WORDS[type(command)]}{more}"
    return entry[:1].upper() + entry[1:]


def _describe_wagers(command: PlaceWagers, rules: Rules) -> str:
    stakes = [(wager_title(MTD_WAGERS[part]), cents) for part, cents in command.mtd.items()]
    stakes += [
        (wager_title(JACKPOT_WAGERS[game]), cents or rules.jackpots[game - 1].wager)
        for game, cents in command.jackpots.items()
    ]
    side_bets = "".join(f", {title} {dollars(cents)}" for title, cents in stakes)
    person = f", {command.person}" if command.person else ""
    return f"Spot {command.spot}{person}: {dollars(command.base)}{side_bets}"


def _hand_place(state: RoundState, spot: int, hand: int) -> str:
    several = len(state.spots[spot].hands) > 1
    return f"Spot {spot}, hand {hand + 1}" if several else f"Spot {spot}"


# --- The round ---


_BEFORE_UP_CARD = {
    DealOrder.UP_CARD_FIRST: "the first card of every spot",
    DealOrder.DOWN_CARD_FIRST: "the second card of every spot",
    DealOrder.DEALER_LAST: "the second card of every spot",
}


class DealerReport(StrEnum):
    """Facts that only the dealer can see and must report."""

    LOOK = "look"  # whether the dealer has a blackjack
    DOWN = "down"  # the down card once it is turned over


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """An invalid entry and the reason; later entries are ignored."""

    entry: int  # index among all entries
    sentence: str
    rules: tuple[str, ...] = ()


_PART_BY_STAGE = {
    Stage.DEAL: RoundPart.DEAL,
    Stage.PLAY: RoundPart.PLAY,
    Stage.DEALER: RoundPart.DRAW,
}
_PART_BY_PROMPT: dict[type[Waiting], RoundPart] = {
    WagersWanted: RoundPart.CLOSE,
    BlackjackAnswersWanted: RoundPart.ASK_BLACKJACKS,
    InsuranceAnswersWanted: RoundPart.INSURANCE,
    DecisionWanted: RoundPart.PLAY,
    MetersWanted: RoundPart.AWARD,
}


class _ReplayNeeded(Exception):
    """The round must be replayed with the dealer's report."""

    def __init__(self, blackjack: bool | None, down: int | None, up: int) -> None:
        self.blackjack = blackjack
        self.down = down
        self.up = up


class ConsoleRound:
    """The round determined by the rules, meters, cards dealt since the shuffle, and entries."""

    def __init__(
        self,
        rules: Rules,
        entries: Sequence[str],
        meters: Sequence[tuple[int, int]] = (),
        removed: Sequence[int] = (),
        supervised: bool = False,
    ) -> None:
        self.rules = rules
        self.entries = tuple(entries)
        self.meters = tuple(meters) or tuple((jackpot.seed, 0) for jackpot in rules.jackpots)
        self.removed = tuple(removed)
        self.supervised = supervised  # the table requires a supervisor
        run = self._replay(removed)
        self.problem = run.problem
        if run.problem is not None:  # drop the invalid entry and all later ones
            self.entries = self.entries[: run.problem.entry]
            run = self._replay(removed)
        self.state = run.seen
        self.events: tuple[Event, ...] = tuple(run.events)
        self.steps: tuple[DealerStep, ...] = tuple(run.follower.steps)
        self.steps_before: int = run.steps_before  # steps before the last entry
        self.entry_words: tuple[str, ...] = tuple(run.entry_words)
        self.boundary: DealerReport | None = run.boundary
        self.prompt: Waiting = run.prompt
        self.up: int | None = run.up  # the up card, if entered early

    def start(self) -> RoundState:
        return RoundState(self.rules, list(self.meters) or None, supervised=self.supervised)

    def _replay(self, removed: Sequence[int]) -> _Replay:
        blackjack: bool | None = None
        down: int | None = None
        up: int | None = None
        while True:
            run = _Replay(self.start(), self.entries, removed, blackjack, down, up)
            try:
                run.go()
            except _ReplayNeeded as learned:
                blackjack, down, up = learned.blackjack, learned.down, learned.up
            else:
                return run

    @property
    def is_over(self) -> bool:
        return self.boundary is None and isinstance(self.prompt, NothingWanted)

    @property
    def cards(self) -> tuple[int, ...]:
        """All cards seen, for the shoe count; includes the down card once it is known."""
        known = self.state.down_exposed
        return tuple(
            event.card
            for event in self.events
            if isinstance(event, CardDealt)
            and event.card is not None
            and (known or event.place is not Place.DOWN)
        )


class _Replay:
    def __init__(
        self,
        start: RoundState,
        entries: tuple[str, ...],
        removed: Sequence[int],
        blackjack: bool | None,
        down: int | None,
        up: int | None,
    ) -> None:
        self._state = start
        self.follower = StepTracker(self._state)
        self._entries = entries
        self._next = 0
        self._removed = Counter(removed)
        self._blackjack = blackjack
        self._down = down
        self._up_seen = up  # the up card of an earlier replay, if any
        self.events: list[Event] = []  # events that are already certain
        self._ahead: list[Event] = []  # events that depend on an assumed card
        self.up: int | None = None  # the up card, if entered early
        self.steps_before = 0
        self.entry_words: list[str] = []  # the entries so far, for people: `Spot 1: stand`
        self.problem: EntryProblem | None = None
        self.boundary: DealerReport | None = None
        self.prompt: Waiting = waiting_for(self._state)

    @property
    def seen(self) -> RoundState:
        """The known part of the round."""
        return self.follower.state

    def go(self) -> None:
        try:
            while self._advance():
                pass
        except Refused as refused:
            self._stop(refused.message, refused.rules)
        except OutOfTurn as error:
            self._refuse(str(error), RoundPart.PLAY, RoundPart.PLAY)
        except (ConsoleError, WagerLineError) as error:
            now, elsewhere = self._part(), self._elsewhere()
            if now is None or elsewhere is None:
                self._stop(str(error))
            else:
                self._refuse(str(error), now, elsewhere)

    def _refuse(self, sentence: str, now: RoundPart, later: RoundPart) -> None:
        """Reject an entry that comes at the wrong time, citing the rule for what comes first."""
        reason = reason_first(self._state.rules, now, later)
        self._stop(f"{reason.sentence} {sentence}", reason.numbers)

    def _elsewhere(self) -> RoundPart | None:
        """The part of the round where the entry would be valid, unless that is the current part."""
        parts = parts_of(self._entries[self._next - 1])
        is_card_for_card = isinstance(self.prompt, CardWanted) and RoundPart.DRAW in parts
        if self._part() in parts or is_card_for_card:
            return None
        later = [part for part in RoundPart if part in parts]
        return later[-1] if later else None

    def _part(self) -> RoundPart | None:
        """The next part of the round."""
        if self.boundary is not None:
            return RoundPart.LOOK if self.boundary is DealerReport.LOOK else RoundPart.EXPOSE
        if isinstance(self.prompt, CardWanted):
            return _PART_BY_STAGE[self._state.stage]
        if isinstance(self.prompt, SupervisorWanted):
            is_payment = self.prompt.task == PAYMENTS
            return RoundPart.AUTHORIZE if is_payment else RoundPart.WATCH
        return _PART_BY_PROMPT.get(type(self.prompt))

    def _stop(self, sentence: str, rules: tuple[str, ...] = ()) -> None:
        self.problem = EntryProblem(max(self._next - 1, 0), sentence, rules)

    def _advance(self) -> bool:
        """Process one entry; False if no entry is left or the round is over."""
        if self._ahead:
            return self._pass_boundary()
        self.boundary = None
        self.prompt = waiting_for(self._state)
        if isinstance(self.prompt, CardWanted) and self.prompt.place is Place.DOWN:
            self._deal(self._placeholder() if self._down is None else self._down)
            return True
        if self._is_for(Place.UP) and self.up is not None:
            self._deal(self.up)
            self.up = None
            return True
        if self._next >= len(self._entries):
            return False
        if isinstance(self.prompt, NothingWanted):
            self._take_entry()
            raise ConsoleError("The round is over. Begin the next one.")
        entry = self._take_entry()
        if isinstance(self.prompt, CardWanted):
            up = read_up_card(entry)
            if up is not None and not self._is_for(Place.UP):
                self._hold_up_card(up)
                self.entry_words.append(f"Up card {card_sign(up)}")
                return True
            card = read_card(entry, "the next card") if up is None else up
            self._refuse_one_too_many(card)
            self.entry_words.append(_describe_card(self._state, self.prompt, card))
            self._deal(card)
            return True
        commands = commands_of(entry, self._state, self.prompt)
        self.entry_words.append(_describe_answer(entry, self._state, self.prompt, commands))
        for command in commands:
            self._see(execute(self._state, command))
            self.prompt = waiting_for(self._state)
        return True

    def _take_entry(self) -> str:
        self.steps_before = len(self.follower.steps)
        self._next += 1
        return self._entries[self._next - 1]

    def _is_for(self, place: Place) -> bool:
        return isinstance(self.prompt, CardWanted) and self.prompt.place is place

    def _hold_up_card(self, card: int) -> None:
        """Accept the up card early if the document lets the house choose the timing (R-026)."""
        if self._state.stage is not Stage.DEAL or self._state.dealer or self.up is not None:
            raise ConsoleError("The up card has already been dealt. Enter the card without up.")
        if not is_dealer_deal_flexible(self._state.rules):
            raise ConsoleError(
                "Under these rules the up card is dealt after "
                f"{_BEFORE_UP_CARD[self._state.rules.deal_order]}. Enter the next spot's card."
            )
        check_card(self._state, card)
        self._refuse_one_too_many(card)
        self.up = card

    def _deal(self, card: int) -> None:
        self._see(execute(self._state, DealCard(card)))

    def _see(self, events: list[Event]) -> None:
        """Show events up to the first one that depends on the hidden card."""
        for place, event in enumerate(events):
            if isinstance(event, DealerChecked | DownCardExposed):
                self._show(events[:place])
                self._ahead = events[place:]
                return
        self._show(events)

    def _show(self, events: list[Event]) -> None:
        self.follower.follow(RoundMove(self.prompt, tuple(events)))
        self.events += events

    def _pass_boundary(self) -> bool:
        """Process the dealer's report of facts that only the dealer can see."""
        event = self._ahead[0]
        is_look = isinstance(event, DealerChecked)
        self.boundary = DealerReport.LOOK if is_look else DealerReport.DOWN
        if self._next >= len(self._entries):
            return False
        entry = self._take_entry()
        if is_look:
            blackjack = read_look(entry)
            self.entry_words.append("Blackjack" if blackjack else "No blackjack")
            if self._blackjack is None:
                raise _ReplayNeeded(blackjack, self._down, self._state.up)
        elif self._down is None:
            raise _ReplayNeeded(self._blackjack, self._down_card(entry), self._state.up)
        else:
            self.entry_words.append(f"Down card {card_sign(self._down)}")
        following, self._ahead = self._ahead[1:], []
        self.prompt = NothingWanted()
        self._show([event])
        self._see(following)
        return True

    # --- cards ---

    def _down_card(self, entry: str) -> int:
        card = read_card(entry, "the down card")
        check_card(self._state, card)
        self._refuse_one_too_many(card)
        up = self._state.up
        if dealer_checks(up) and is_dealer_blackjack(up, card) != bool(self._blackjack):
            found = "a blackjack" if self._blackjack else "none"
            raise ConsoleError(
                f"{card_text(card)} contradicts your check of the down card, which found "
                f"{found}. Enter the card again, or correct the check."
            )
        return card

    def _placeholder(self) -> int:
        """A placeholder for the down card, with or without blackjack.

        It is never one of the entered cards. Until the down card is turned over, nothing else about
        it matters. If it is dealt before the up card, it makes no blackjack with any up card until
        the check says otherwise.
        """
        rules = self._state.rules
        up = self._state.up if self._state.dealer else self._up_seen
        seen = self._removed + Counter(self._keyed())
        for card in rules.pack.cards:
            if up is None:
                is_blackjack = dealer_checks(card)
            else:
                is_blackjack = dealer_checks(up) and is_dealer_blackjack(up, card)
            if is_blackjack == bool(self._blackjack) and seen[card] < rules.decks:
                return card
        under = "face down" if up is None else f"under {card_text(up)}"
        raise ConsoleError(f"No remaining card can be {under}. Check the cards again.")

    def _keyed(self) -> list[int]:
        """All entered cards, including those not processed yet."""
        cards = []
        for entry in self._entries:
            try:
                up = read_up_card(entry)
                cards.append(read_card(entry, "") if up is None else up)
            except ConsoleError:
                continue
        return cards

    def _refuse_one_too_many(self, card: int) -> None:
        decks = self._state.rules.decks
        seen = self._removed[card] + (self.up == card)
        seen += sum(
            1
            for event in self.events
            if isinstance(event, CardDealt)
            and event.card == card
            and (event.place is not Place.DOWN or self._down is not None)
        )
        if card in self._state.rules.pack.cards and seen >= decks:
            raise ConsoleError(
                f"Every {card_text(card)} has already been dealt since the shuffle (the shoe holds "
                f"{decks}). Check the card again, or begin a new shoe."
            )


# --- Data for the page ---

ACTION_KEYS = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "double-double": "d",
    "split": "p",
    "surrender": "u",
    "rescue": "c",
}
# Steps the dealer has already done when the card or answer is entered.
_DONE_WITH_ENTRY = frozenset(
    {
        StepKind.CLOSE,
        StepKind.EXPOSE,
        StepKind.CARD,
        StepKind.ASK,
        StepKind.BLACKJACKS,
        StepKind.INSURANCE,
        StepKind.CHECK,
        StepKind.WAIT,
    }
)


class ConsoleStep(TypedDict):
    kind: str
    text: str
    amount: str
    cents: int
    spot: int
    rules: list[str]
    rule: str
    new: bool
    told: bool
    any_order: list[str]


class AcceptedEntry(TypedDict):
    key: str
    means: str
    whole: bool  # can be entered as it is; otherwise it is an example


class SideBetEntry(TypedDict):
    """A side bet as entered after the base wager; a jackpot's amount is fixed."""

    word: str
    title: str
    fixed: int | None  # in cents


class ConsolePrompt(TypedDict):
    sentence: str
    wants: Literal["wagers", "card", "answer"]
    early_up: bool  # the up card may be entered instead, as `up Kh`
    point: DeedTarget | None  # the hand that is asked, or where the next card goes
    keys: list[AcceptedEntry]


class SpotTotal(TypedDict):
    spot: int
    net: int


class ConsoleData(TypedDict):
    entries: list[str]
    entry_words: list[str]  # each entry in words
    problem: EntryProblem | None
    prompt: ConsolePrompt
    seats: int
    side_bets: list[SideBetEntry]
    pack: list[int]
    left: list[int]  # number of each of the 52 cards that can still be dealt
    felt: TrainingFelt
    lines: list[str]
    steps: list[ConsoleStep]
    cards: list[int]
    meters: list[tuple[int, int]]
    over: bool
    table: str
    totals: list[SpotTotal]
    notation: str


def console_data(played: ConsoleRound) -> ConsoleData:
    felt = Felt(played.start())
    felt.show(played.events)
    table = felt.data()
    if played.up is not None:
        table["dealer"] = [played.up]
    steps = [_step_data(played, number, step) for number, step in enumerate(played.steps)]
    nets: dict[int, int] = {spot.number: 0 for spot in played.state.order}
    for (spot, _, _), cents in net_by_wager(list(played.events)).items():
        nets[spot] += cents
    if played.is_over:  # the cards stay in view to check the payments, with each spot's result
        for on_felt in table["spots"]:
            for hand in on_felt["hands"]:
                hand["on_table"] = True
            for paid in on_felt["paid"][-1:]:
                on_felt["paid"] = [{**paid, "title": "", "net": nets[on_felt["number"]]}]
    return {
        "entries": list(played.entries),
        "entry_words": list(played.entry_words),
        "problem": played.problem,
        "prompt": prompt(played),
        "seats": played.rules.seats,
        "side_bets": _side_bets(played.rules),
        "pack": sorted(set(played.rules.pack.cards)),
        "left": _cards_left(played),
        "felt": table,
        "lines": felt.lines,
        "steps": steps,
        "cards": list(played.cards),
        "meters": [(meter.cents, meter.remainder) for meter in played.state.meters],
        "over": played.is_over,
        "table": played.rules.title,
        "totals": [{"spot": spot, "net": cents} for spot, cents in nets.items()],
        # `ventiuna settle` reads this
        "notation": write_round(record_of(played.rules, played.events, played.meters))
        if played.is_over
        else "",
    }


def _side_bets(rules: Rules) -> list[SideBetEntry]:
    matches: list[SideBetEntry] = [
        {"word": name, "title": wager_title(MTD_WAGERS[name]), "fixed": None}
        for name in rules.mtd_wagers
    ]
    return matches + [
        {"word": f"j{game}", "title": wager_title(JACKPOT_WAGERS[game]), "fixed": jackpot.wager}
        for game, jackpot in enumerate(rules.jackpots, start=1)
    ]


def _cards_left(played: ConsoleRound) -> list[int]:
    seen = Counter(played.removed) + Counter(played.cards)
    if played.up is not None:
        seen[played.up] += 1
    pack = set(played.rules.pack.cards)
    return [max(0, played.rules.decks - seen[card]) if card in pack else 0 for card in range(CARDS)]


def _step_data(played: ConsoleRound, number: int, step: DealerStep) -> ConsoleStep:
    about = guide_for(played.rules, step)
    before = [earlier for earlier in played.steps[:number] if _is_shown(earlier)]
    return {
        "kind": str(step.kind),
        "text": describe_step(played.rules, step),
        "amount": explain_amount(step),
        "cents": step.amount,
        "spot": step.spot,
        "rules": list(about.rules),
        "rule": about.sentence,
        "new": number >= played.steps_before,
        "told": _is_shown(step),
        # rules that allow this step to come before the previous one in the list
        "any_order": list(open_between(played.rules, before[-1], step)) if before else [],
    }


def _is_shown(step: DealerStep) -> bool:
    return step.kind not in _DONE_WITH_ENTRY or step.place is Place.DOWN


# --- the next prompt ---


def prompt(played: ConsoleRound) -> ConsolePrompt:
    """The prompt, and the entries it accepts."""
    sentence, keys = _prompt_and_keys(played)
    wants: Literal["wagers", "card", "answer"] = "answer"
    is_card = isinstance(played.prompt, CardWanted) and played.boundary is None
    if is_card or played.boundary is DealerReport.DOWN:
        wants = "card"
    elif isinstance(played.prompt, WagersWanted) and played.boundary is None:
        wants = "wagers"
    return {
        "sentence": sentence,
        "wants": wants,
        "early_up": any(key.startswith("up ") for key, _ in keys),
        "point": _point(played),
        "keys": [
            {"key": key, "means": means, "whole": not _EXAMPLE.match(key)} for key, means in keys
        ],
    }


def _point(played: ConsoleRound) -> DeedTarget | None:
    prompt = played.prompt
    word = ""
    if played.boundary is not None:
        word = "down"
    elif isinstance(prompt, DecisionWanted):
        return {"at": "hand", "spot": prompt.spot, "hand": prompt.hand, "word": ""}
    elif isinstance(prompt, CardWanted):
        if prompt.spot:
            return {"at": "hand", "spot": prompt.spot, "hand": prompt.hand, "word": ""}
        is_bonus = prompt.place is Place.BONUS
        word = f"b{len(played.state.bonus_cards) + 1}" if is_bonus else "dealer"
    return {"at": "place", "spot": 0, "hand": 0, "word": word} if word else None


Keys = list[tuple[str, str]]
_EXAMPLE = re.compile(r"8c|up Kh|2 |4127\.63|d 5")


def _prompt_and_keys(played: ConsoleRound) -> tuple[str, Keys]:
    if played.boundary is DealerReport.LOOK:
        return "Look at the down card.", [("bj", "blackjack"), ("no", "no blackjack")]
    if played.boundary is DealerReport.DOWN:
        return "Expose the down card and enter it.", [("8c", "the card")]
    prompt = played.prompt
    if isinstance(prompt, WagersWanted):
        return _wagers_prompt(played)
    if isinstance(prompt, CardWanted):
        return _card_prompt(played, prompt)
    if isinstance(prompt, BlackjackAnswersWanted):
        spots = join_words([str(spot) for spot in prompt.spots])
        keep = [(f"keep {spot}", f"spot {spot} keeps it and may double") for spot in prompt.spots]
        plural = "s" if len(prompt.spots) > 1 else ""
        sentence = f"Ask about the blackjack on spot{plural} {spots}: pay it, or keep it?"
        return sentence, [("paid", "all are paid" if plural else "paid"), *keep]
    if isinstance(prompt, InsuranceAnswersWanted):
        spots = join_words([str(spot) for spot in prompt.spots])
        keys = [
            (f"ins {one.spot} {plain_amount(one.most)}", f"spot {one.spot}: {dollars(one.most)}")
            for one in options(played.state)
            if isinstance(one, InsuranceOption) and one.most
        ]
        plural = "s" if len(prompt.spots) > 1 else ""
        return f"Offer insurance to spot{plural} {spots}.", [*keys, ("no", "no insurance")]
    if isinstance(prompt, DecisionWanted):
        return _decision_prompt(played, prompt)
    if isinstance(prompt, MetersWanted):
        games = join_words([f"jackpot {game}" for game in prompt.games])
        displayed = join_words(
            [dollars(played.state.meters[game - 1].cents) for game in prompt.games]
        )
        return (
            f"Read the meter of {games}.",
            [("4127.63", "the amount it shows"), ("ok", f"it shows {displayed}")],
        )
    if isinstance(prompt, SupervisorWanted):
        return _supervisor_prompt(played, prompt)
    assert isinstance(prompt, NothingWanted)
    return "All cards are in. Settle the round, then begin the next one.", []


def _supervisor_prompt(played: ConsoleRound, prompt: SupervisorWanted) -> tuple[str, Keys]:
    person = floor_person(played.rules)
    spots = join_words([f"spot {spot}" for spot in prompt.spots])
    if prompt.task == PAYMENTS:
        keys = [(_AUTHORIZED[0], f"the {person} authorizes them")]
        return f"Wait until the {person} authorizes the payments ({spots}).", keys
    keys = [(_HERE[0], f"the {person} is there to watch")]
    return f"Wait until the {person} is there to watch the third card ({spots}).", keys


def _wagers_prompt(played: ConsoleRound) -> tuple[str, Keys]:
    keys = [("2 25", "spot 2 wagers $25"), ("2 Ana: 25", "with a name")]
    side = [f"{name} 5" for name in played.rules.mtd_wagers[:1]]
    side += ["j1"] if played.rules.jackpots else []
    if side:
        keys.append((f"2 25 {' '.join(side)}", "with side bets"))
    sentence = 'Enter all wagers, then call "No more bets."'
    return sentence, [*keys, ("close", "no more wagers")] if played.state.order else keys


def _card_prompt(played: ConsoleRound, prompt: CardWanted) -> tuple[str, Keys]:
    keys = [("8c", "the card")]
    if prompt.place is Place.UP:
        return "Deal your up card.", keys
    if prompt.place is Place.BONUS:
        return f"Deal Bonus Card {len(played.state.bonus_cards) + 1}.", keys
    if prompt.place is Place.DEALER:
        return "Draw a card.", keys
    is_deal = played.state.stage is Stage.DEAL
    is_early = is_deal and not played.state.dealer and played.up is None
    place, more = _hand_place(played.state, prompt.spot, prompt.hand).lower(), ""
    if is_early and is_dealer_deal_flexible(played.rules):
        keys.append(("up Kh", "your up card, if you deal it now"))
        more = ", or deal your up card now"
    return f"{'Deal' if is_deal else 'Give'} a card to {place}{more}.", keys


def _decision_prompt(played: ConsoleRound, prompt: DecisionWanted) -> tuple[str, Keys]:
    hand = played.state.spots[prompt.spot].hands[prompt.hand]
    keys = []
    for option in action_options(played.state):
        if option.legal:
            chips = f" for {dollars(option.chips)}" if option.chips else ""
            keys.append((ACTION_KEYS[option.name], f"{option.name}{chips}"))
            if option.name == "double" and option.least_chips < option.chips:
                keys.append(("d 5", "double for less"))
    place = _hand_place(played.state, prompt.spot, prompt.hand)
    comma = "," if "," in place else ""
    against = rank_with_article(played.state.up).text
    sentence = f"{place}{comma} has {hand_total(hand)} against {against}."
    return f"{sentence} What does the player want?", keys
