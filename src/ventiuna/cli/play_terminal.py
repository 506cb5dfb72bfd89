"""The terminal table: prompts the player, sends answers to the engine, and shows what happens."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ventiuna.cards import card_text
from ventiuna.cli.common.console import Prompt
from ventiuna.cli.play_screen import BAD, GOOD, STRONG, Narrator, Screen, signed_money
from ventiuna.core import actions
from ventiuna.core.base_game import maximum_insurance_in_chips
from ventiuna.engine import EVERYONE, ActionOption, Refused, RoundState, action_options, view
from ventiuna.engine.commands import Command, Double, Insure, KeepBlackjack, TakeBlackjack
from ventiuna.engine.events import Event
from ventiuna.engine.messages import hand_total
from ventiuna.engine.options import ACTION_COMMANDS
from ventiuna.engine.prompts import BlackjackAnswersWanted, DecisionWanted, InsuranceAnswersWanted
from ventiuna.money import MoneyError, money_text, parse_amount, plain_amount
from ventiuna.notation import write_round
from ventiuna.notation.text import SpotWagers, WagerLineError, parse_wagers, wagers_text
from ventiuna.rules import Rules
from ventiuna.rules.text.phrases import join_words
from ventiuna.table.session import YOU, Session
from ventiuna.texts import one_line, pluralize

if TYPE_CHECKING:
    from ventiuna.analysis.coaching import Advice
    from ventiuna.analysis.review import ScoredDecision


# --- Welcome, bets offered, keys ---

Keys = list[tuple[str, str]]  # what to type, what it does

# In the order in which actions are offered. Full names work, too.
ACTION_KEYS = {
    "h": actions.HIT,
    "s": actions.STAND,
    "d": actions.DOUBLE,
    "dd": actions.DOUBLE_DOUBLE,
    "p": actions.SPLIT,
    "u": actions.SURRENDER,
    "c": actions.RESCUE,
}
ACTION_WORDS = ACTION_KEYS | {name: action for action, name in enumerate(actions.ACTION_NAMES)}
BEST_PLAY = "[?] best play"
DEFAULT_WAGER = 1000
DEFAULT_SIDE_WAGER = 500


def welcome(session: Session) -> list[str]:
    """Return three lines for a first-time player."""
    spots = "one spot" if session.spots == 1 else f"{session.spots} spots"
    money = money_text(session.balance)
    return [
        f"Welcome to {session.rules.title}. You have {spots} and {money} in play money.",
        "Type your bet in dollars, then choose one of the [letters] you're offered.",
        "At a decision, ? shows the best play. Type help for all commands, q to quit.",
    ]


def general_keys(at_wagers: bool) -> Keys:
    """List what can be typed at every prompt; h means hit once a hand is in play."""
    coach = [] if at_wagers else [("?", "show the best play and why; w or best does the same")]
    return [
        *coach,
        ("help", "show this list"),
        ("r", "show this table's rule card"),
        (
            "h" if at_wagers else "history",
            "show your last ten rounds as text for `ventiuna settle`",
        ),
        ("buy 100", "buy more play money"),
        ("q", "quit; an unfinished round is canceled and its bets are returned"),
    ]


def wager_keys(session: Session) -> Keys:
    """List the bets that can be placed before the deal, as they are typed."""
    rules = session.rules
    limits = f"{money_text(rules.table_minimum)} to {money_text(rules.table_maximum)}"
    default = default_wager(rules)
    keys = [(default, f"bet on your hand, {limits}")]
    if rules.mtd_wagers:
        minimum = max(
            rules.mtd_minimum, min(DEFAULT_SIDE_WAGER, rules.mtd_maximum or DEFAULT_SIDE_WAGER)
        )
        limits = f"{money_text(rules.mtd_minimum)} or more"
        if rules.mtd_maximum:
            limits = f"{money_text(rules.mtd_minimum)} to {money_text(rules.mtd_maximum)}"
        words = f"add a Match the Dealer bet, {limits}: {join_words(rules.mtd_wagers, 'or')}"
        keys.append((f"{default} {rules.mtd_wagers[0]} {plain_amount(minimum)}", words))
    for game, jackpot in enumerate(rules.jackpots, start=1):
        keys.append(
            (f"{default} j{game}", f"add the jackpot {game} bet, {money_text(jackpot.wager)}")
        )
    if session.spots > 1:
        apart = " / ".join([default] * (session.spots - 1) + ["0"])
        keys.append((apart, "bet spot by spot; without /, the bet goes on every spot; 0 sits out"))
    keys.append(("Enter", "repeat your last bets"))
    return keys


def default_wager(rules: Rules) -> str:
    return plain_amount(min(max(rules.table_minimum, DEFAULT_WAGER), rules.table_maximum))


def decision_keys(offered: tuple[ActionOption, ...], balance: int) -> Keys:
    """List every action with its cost, or why it isn't possible now."""
    by_action = {option.action: option for option in offered}
    return [(key, _action_help(by_action[action], balance)) for key, action in ACTION_KEYS.items()]


def _action_help(option: ActionOption, balance: int) -> str:
    if not option.legal:
        return f"{option.name}: not now. {option.reason} ({', '.join(option.rules)})"
    text = option.name
    if option.chips:
        text += f" for {money_text(option.chips)} more"
    if option.least_chips < option.chips:
        text += f"; d {plain_amount(option.least_chips)} doubles for less"
    if option.least_chips > balance:
        text += f": your balance of {money_text(balance)} doesn't cover it"
    return text


def offer_text(offered: tuple[ActionOption, ...], balance: int) -> str:
    """Format the actions that are legal and affordable: `[h] hit  [s] stand  [d] double $10.00`."""
    by_action = {option.action: option for option in offered}
    parts = []
    for key, action in ACTION_KEYS.items():
        option = by_action[action]
        if is_affordable(option, balance):
            parts.append(f"[{key}] {option.name}{_price(option, balance)}")
    return "  ".join([*parts, BEST_PLAY])


def is_affordable(option: ActionOption, balance: int) -> bool:
    return option.legal and option.least_chips <= balance


def _price(option: ActionOption, balance: int) -> str:
    if option.chips > balance:
        return f" for less (d {plain_amount(option.least_chips)})"
    return f" {money_text(option.chips)}" if option.chips else ""


# --- Coach ---

ROUNDS_REVIEWED = 200  # reviewing this many takes a second or two
MIN_COST = 0.5  # cents; anything less would be shown as $0.00
RESHUFFLED = (
    "The discards were reshuffled, so the cards left in the shoe aren't known. "
    "The coach will be back after the next full shuffle."
)
_VERBS = {"take": "take the payout", "keep": "keep the blackjack", "decline": "decline insurance"}
_DONE = {
    "stand": "stood",
    "double": "doubled",
    "double-double": "double-doubled",
    "surrender": "surrendered",
    "rescue": "rescued",
    "insure": "took insurance",
    "decline": "declined insurance",
    "take": "took the payout",
    "keep": "kept the blackjack",
}


class _Round(NamedTuple):
    """A finished round and everything its player knew at the start."""

    number: int
    events: tuple[Event, ...]
    meters: list[tuple[int, int]]
    spots: tuple[int, ...]
    seen_before: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that costs at least half a cent on average."""

    round: int
    cards: tuple[int, ...]
    up: int
    done: str
    best: str
    cents: float

    @property
    def sentence(self) -> str:
        """Describe the mistake: `you stood; best: hit`."""
        best = _verb(self.best).removesuffix(" insurance")
        return f"you {_DONE.get(self.done, self.done)}; best: {best}"


@dataclass(frozen=True, slots=True)
class Review:
    """A session's decisions, with the costliest mistakes first."""

    decisions: int
    mistakes: tuple[Mistake, ...]

    @property
    def cents(self) -> float:
        return sum(mistake.cents for mistake in self.mistakes)


class Coach:
    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._rounds: deque[_Round] = deque(maxlen=ROUNDS_REVIEWED)

    def advice(self, session: Session, affordable: Iterable[str]) -> list[str]:
        """Return the best answer to the prompt, the reason, and the cards it is based on."""
        seen_before = session.seen_before
        if seen_before is None:
            return [RESHUFFLED]
        from ventiuna.analysis.coaching import advise, coached_hand

        advice = advise(coached_hand(self._rules, view(session.state, EVERYONE), seen_before))
        return _sentences(advice, set(affordable))

    def remember(self, session: Session) -> None:
        """Save a finished round for the review."""
        seen_before = session.seen_before
        if seen_before is not None:
            spots = tuple(spot.number for spot in session.state.order)
            played = _Round(
                session.rounds, tuple(session.events), session.meters_before, spots, seen_before
            )
            self._rounds.append(played)

    def review(self) -> Review:
        """Compute every decision's cost from the cards unseen at the time."""
        if not self._rounds:
            return Review(0, ())
        priced = [(played.number, one) for played in self._rounds for one in self._priced(played)]
        mistakes = [_mistake(number, one) for number, one in priced if one.cents >= MIN_COST]
        mistakes.sort(key=lambda mistake: -mistake.cents)
        return Review(len(priced), tuple(mistakes))

    def _priced(self, played: _Round) -> list[ScoredDecision]:
        from ventiuna.analysis.review import decisions_of, score_decision

        start = RoundState(self._rules, played.meters)
        decisions = decisions_of(
            start, self._rules, played.events, played.spots, played.seen_before
        )
        return [item for item in map(score_decision, decisions) if item is not None]


def _sentences(advice: Advice, affordable: set[str]) -> list[str]:
    shoe, fresh = advice.shoe, advice.fresh
    if not shoe.choices:
        return [shoe.why]
    best = shoe.choices[0].action
    lines = [f"Best play: {_verb(best)}.", shoe.why]
    if affordable and best not in affordable:
        instead = next(choice.action for choice in shoe.choices if choice.action in affordable)
        lines.append(f"Your chips don't cover that. The next-best play is to {_verb(instead)}.")
    basis = f"These values are exact for the {shoe.unseen} cards you haven't seen."
    if fresh.choices and fresh.choices[0].action != best:
        basis += f" With a full shoe, the best play would be to {_verb(fresh.choices[0].action)}."
    return [*lines, basis]


def _verb(action: str) -> str:
    return _VERBS.get(action, action)


def _mistake(number: int, priced: ScoredDecision) -> Mistake:
    hand = priced.decision.coached.hand
    return Mistake(number, hand.cards, hand.up, priced.decision.done, priced.best, priced.cents)


# --- Table ---

LONGEST_WORD = 20
LONGEST_REPEAT = 40
YES = ("y", "yes")
NO = ("", "n", "no")
COACH_WORDS = ("w", "best", "best play", "what's best", "whats best", "what is best", "coach")
MAX_MISTAKES = 10
DEFAULT_BUY_IN = 100_00
OUT_OF_CHIPS = "You're out of chips."


class LeaveTable(Exception):
    """The player wants to leave."""


class TerminalTable:
    def __init__(self, session: Session, screen: Screen, prompt: Prompt) -> None:
        self.session = session
        self.screen = screen
        self.prompt = prompt
        self.last_wagers: list[SpotWagers] = []
        self.narrator = Narrator(screen, session.state)
        self.coach = Coach(session.rules)

    def run(self) -> None:
        """Play rounds until the player leaves, by command, Ctrl-D or Ctrl-C."""
        try:
            self._welcome()
            while True:
                self._round()
        except (LeaveTable, EOFError):
            pass
        except KeyboardInterrupt:
            self.screen.say()
        self._goodbye()

    # --- A round ---

    def _round(self) -> None:
        self._place_wagers()
        while self.session.in_play:
            prompt = self.session.waiting
            if isinstance(prompt, BlackjackAnswersWanted):
                self._ask_blackjack(prompt.spots[0])
            elif isinstance(prompt, InsuranceAnswersWanted):
                self._ask_insurance(prompt.spots[0])
            elif isinstance(prompt, DecisionWanted):
                self._ask_decision(prompt)
        if self.session.round_is_over:
            self.coach.remember(self.session)
            self._sum_up()
            self._open_table()

    def _place_wagers(self) -> None:
        """Prompt until bets are accepted; Enter repeats the last ones."""
        default = self.last_wagers or parse_wagers(
            default_wager(self.session.rules), self.session.rules, self.session.spots
        )
        again = wagers_text(default)
        repeat = again if len(again) <= LONGEST_REPEAT else "the same bets"
        question = f"Wager (Enter: {repeat})> "
        line = self._ask(question, lambda: wager_keys(self.session), at_wagers=True)
        try:
            wagers = parse_wagers(line, self.session.rules, self.session.spots) if line else default
            self._submit_wagers(wagers)
            self.last_wagers = wagers
        except (WagerLineError, Refused) as error:
            self._complain(str(error))

    def _submit_wagers(self, wagers: list[SpotWagers]) -> None:
        self.narrator = Narrator(self.screen, self.session.state)
        shuffles = self.session.shuffles
        events = self.session.place_all(
            spot_wagers.command(spot, YOU)
            for spot, spot_wagers in enumerate(wagers, start=1)
            if not spot_wagers.is_empty
        )
        self._announce_shuffle(shuffles)
        self.narrator.narrate(events)

    def _submit(self, command: Command) -> bool:
        """Run a command and show what happens, or say why it was refused."""
        shuffles = self.session.shuffles
        try:
            events = self.session.submit(command)
        except Refused as refusal:
            self._complain(str(refusal))
            return not self.session.in_play  # the shoe ran out and the round was called off
        self._announce_shuffle(shuffles)
        self.narrator.narrate(events)
        return True

    def _announce_shuffle(self, shuffles_before: int) -> None:
        if self.session.shuffles > shuffles_before:
            self.screen.say("  The shoe is empty. The dealer shuffles the discards.", STRONG)

    # --- Prompts ---

    def _ask_blackjack(self, number: int) -> None:
        name = self._name(number)
        answer = self._ask(
            f"{name}: blackjack! [t] take the payout  [k] keep to double  {BEST_PLAY}> ",
            lambda: [("t", "be paid now"), ("k", "keep the hand and double it on your turn")],
        )
        if answer in ("", "t", "take"):
            self._submit(TakeBlackjack(number))
        elif answer in ("k", "keep"):
            self._submit(KeepBlackjack(number))
        else:
            self._unknown(answer, "t to be paid, k to keep the blackjack,")

    def _ask_insurance(self, number: int) -> None:
        unit = self.session.rules.small_chip_unit
        maximum = maximum_insurance_in_chips(self.session.state.spots[number].base, unit)
        where = "" if len(self.session.state.order) == 1 else f" for spot {number}"
        answer = self._ask(
            f"Insurance{where}? [y] {money_text(maximum)}  [n] no  {BEST_PLAY}  or an amount> ",
            lambda: [
                ("y", f"insure for {money_text(maximum)}, the maximum"),
                ("n", "no insurance; Enter does the same"),
                ("2.50", "insure for less"),
            ],
        )
        if answer in NO:
            self._submit(Insure(number, 0))
        elif answer in YES:
            self._submit(Insure(number, maximum))
        elif not re.match(r"[-$.]?[0-9]", answer):
            self._unknown(answer, "y, n, an amount")
        elif (amount := self._amount("insurance", answer)) is not None:
            self._submit(Insure(number, amount))

    def _ask_decision(self, prompt: DecisionWanted) -> None:
        self._show_hand(prompt)
        while not self._try_decision(prompt.spot):
            pass

    def _try_decision(self, spot: int) -> bool:
        """Prompt for an action; return whether it was carried out."""
        offered = action_options(self.session.state)
        offer = offer_text(offered, self.session.balance)
        self.screen.say(offer)
        answer = self._ask("> ", lambda: decision_keys(offered, self.session.balance))
        word, _, rest = answer.partition(" ")
        if word not in ACTION_WORDS:
            self._unknown(answer, "one of the [letters]")
            return False
        action = ACTION_WORDS[word]
        command: Command = ACTION_COMMANDS[action](spot)
        if rest and action != actions.DOUBLE:
            name = actions.ACTION_NAMES[action].capitalize()
            self._complain(f"{name} takes no amount. Just type {word}.")
            return False
        if rest:
            amount = self._amount("double", rest)
            if amount is None:
                return False
            command = Double(spot, amount)
        return self._submit(command)

    def _show_hand(self, prompt: DecisionWanted) -> None:
        """Show the current hand and the up card, unless the picture of the deal just did."""
        state = self.session.state
        spot = state.spots[prompt.spot]
        hand = spot.hands[prompt.hand]
        if len(state.order) == len(spot.hands) == 1 and len(hand.cards) == 2:
            return
        self.screen.hand_in_turn(
            self.narrator.hand_name(spot, prompt.hand),
            [card_text(card) for card in hand.cards],
            hand_total(hand),
            money_text(hand.wager),
            card_text(state.up),
        )

    def _name(self, number: int) -> str:
        return self.narrator.hand_name(self.session.state.spots[number], 0)

    def _ask(self, question: str, keys: Callable[[], Keys], at_wagers: bool = False) -> str:
        """Return an answer to the prompt, handling general commands in between."""
        while True:
            answer = self.prompt.ask(self.screen.question(question)).lower()
            if answer in ("q", "quit", "exit"):
                raise LeaveTable
            if answer == "help" or (answer == "?" and at_wagers):
                self._show_keys([*keys(), *general_keys(at_wagers)])
            elif _asks_coach(answer):
                self._coach(at_wagers)
            elif answer in ("r", "rules", "card"):
                self._show_rule_card()
            elif answer == "history" or (at_wagers and answer == "h"):
                self._show_history()
            elif answer.split(" ")[0] == "buy":
                self._buy_in(answer.removeprefix("buy").strip())
            else:
                return answer

    def _unknown(self, answer: str, expected: str) -> None:
        if not answer:
            self._complain(f"Type {expected} or help.")
        else:
            quoted = one_line(repr(answer[:LONGEST_WORD]))
            self._complain(f"{quoted} isn't one of the choices. Type {expected} or help.")

    def _amount(self, what: str, text: str) -> int | None:
        try:
            return parse_amount(text)
        except MoneyError as error:
            self._complain(f"{what}: {one_line(str(error))}.")
            return None

    def _complain(self, sentence: str) -> None:
        self.screen.say(sentence, STRONG)

    # --- General commands ---

    def _coach(self, at_wagers: bool) -> None:
        if at_wagers:
            self.screen.say("Place a bet first. The coach advises on every decision.")
            return
        affordable = [
            option.name
            for option in action_options(self.session.state)
            if is_affordable(option, self.session.balance)
        ]
        best, *more = self.coach.advice(self.session, affordable)
        self.screen.say(f"  {best}", STRONG)
        for line in more:
            self.screen.say(f"  {line if self.screen.has_signs else line.replace('¢', 'cents')}")

    def _show_keys(self, keys: Keys) -> None:
        for key, words in keys:
            self.screen.key(key, words)

    def _show_rule_card(self) -> None:
        self.screen.rule_card(self.session.rules)

    def _show_history(self) -> None:
        if not self.session.history:
            self.screen.say("You haven't finished a round yet.")
        for record in self.session.history:
            # Omit the payment order, because it makes long lines and follows from the rules.
            self.screen.verbatim(write_round(replace(record, order=()), complete=False))

    def _buy_in(self, text: str) -> None:
        if not text:
            self._complain("Say how much to buy, for example buy 100.")
            return
        amount = self._amount("buy", text)
        if amount is None:
            return
        try:
            self.session.buy_in(amount)
        except Refused as refusal:
            self._complain(str(refusal))
            return
        self.screen.say(
            f"You bought {money_text(amount)}. Your balance is {money_text(self.session.balance)}."
        )

    # --- Between rounds ---

    def _welcome(self) -> None:
        for line in welcome(self.session):
            self.screen.say(line)
        rules = self.session.rules
        self.screen.say()
        self._show_keys(wager_keys(self.session))
        self.screen.say()
        decks = "deck" if rules.decks == 1 else "decks"
        self.screen.say(f"  The dealer shuffles {rules.decks} {decks}, {rules.shoe_size} cards.")
        self._head_round()

    def _open_table(self) -> None:
        if self.session.next_round():
            self.screen.say("  The cut card came out. The dealer shuffles all the cards.", STRONG)
        self._head_round()

    def _head_round(self) -> None:
        session = self.session
        parts = [f"Round {session.rounds + 1}", f"balance {money_text(session.balance)}"]
        if session.rounds:
            parts.append(f"session {signed_money(session.result)}")
        parts.append(f"{pluralize(session.shoe.cards_left, 'card')} left")
        self.screen.say()
        self.screen.heading(*parts)
        for number, meter in enumerate(session.state.meters, start=1):
            self.screen.say(f"  Jackpot {number} is at {money_text(meter.cents)}.")
        if session.balance < session.rules.table_minimum:
            self._offer_chips()

    def _offer_chips(self) -> None:
        rules, balance = self.session.rules, self.session.balance
        low = f"Your balance is below the table minimum of {money_text(rules.table_minimum)}."
        enough = plain_amount(max(DEFAULT_BUY_IN, rules.table_minimum))
        self._complain(
            f"{low if balance else OUT_OF_CHIPS} Type buy {enough} to buy in again, or quit."
        )

    def _sum_up(self) -> None:
        """Show the round's result, by spot if there are several."""
        payments = self.session.payments
        net = sum(payment.net for payment in payments)
        staked = sum(payment.stake for payment in payments)
        by_spot = {
            spot.number: sum(payment.net for payment in payments if payment.spot == spot.number)
            for spot in self.session.state.order
        }
        style = GOOD if net > 0 else BAD if net < 0 else ""
        self.screen.say(f"  You {_outcome(net)} on bets of {money_text(staked)}.", style)
        if len(by_spot) > 1:
            apart = ", ".join(f"spot {spot} {signed_money(won)}" for spot, won in by_spot.items())
            self.screen.say(f"  By spot: {apart}.")

    def _review(self) -> None:
        """Show the costliest decisions of the session, each with the best play."""
        review = self.coach.review()
        if not review.decisions:
            return
        self.screen.say()
        decisions = pluralize(review.decisions, "decision")
        if not review.mistakes:
            self.screen.say(f"You made {decisions} without a costly mistake.", GOOD)
            return
        late = self.session.rounds > ROUNDS_REVIEWED
        of_which = f" in the last {ROUNDS_REVIEWED} rounds" if late else ""
        self.screen.say(
            f"Your costliest decisions{of_which}, and what each cost on average", STRONG
        )
        for mistake in review.mistakes[:MAX_MISTAKES]:
            cards = " ".join(self.screen.card(card_text(card)).plain for card in mistake.cards)
            up = self.screen.card(card_text(mistake.up)).plain
            self.screen.mistake(
                f"{cards} against {up}: {mistake.sentence}", round(mistake.cents), mistake.round
            )
        if len(review.mistakes) > MAX_MISTAKES:
            self.screen.say(f"  and {len(review.mistakes) - MAX_MISTAKES} more")
        self.screen.say(
            f"{len(review.mistakes)} of {decisions} cost you {money_text(round(review.cents))} "
            "on average compared with best play."
        )

    def _goodbye(self) -> None:
        session = self.session
        if session.call_off():
            self.screen.say("The unfinished round is canceled and its bets are returned.")
        self._review()
        rounds = pluralize(session.rounds, "round")
        self.screen.say(
            f"Goodbye. {rounds}, {signed_money(session.result)}: you leave with "
            f"{money_text(session.balance)}."
        )


def _asks_coach(answer: str) -> bool:
    """Whether the answer asks for advice: `?`, `w`, `best`, `What's best?`"""
    return answer == "?" or answer.rstrip(" ?!") in COACH_WORDS


def _outcome(net: int) -> str:
    if net == 0:
        return "break even"
    return f"{'win' if net > 0 else 'lose'} {money_text(abs(net))}"
