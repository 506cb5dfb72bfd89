"""The school's levels, and their training rounds, which the engine plays from stacked shoes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ventiuna.cards import new_shoe
from ventiuna.core import actions
from ventiuna.engine.commands import CloseWagers, Command, DealCard, PlaceWagers, Supervise
from ventiuna.engine.dealing import OutOfCards, own_meters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import (
    JACKPOT_WAGERS,
    MTD_WAGERS,
    Authority,
    Event,
    HandRemoved,
    Place,
    Wager,
)
from ventiuna.engine.prompts import (
    CardWanted,
    MetersWanted,
    NothingWanted,
    SupervisorWanted,
    Waiting,
    waiting_for,
)
from ventiuna.engine.state import RoundState
from ventiuna.engine.wagers import WagerOption, wager_options
from ventiuna.rules import Rules
from ventiuna.rules.data_files import jackpot_tables
from ventiuna.rules.model import BlackjackPaid, DealOrder, Envy, Game, Surrender
from ventiuna.rules.options import did_you_mean
from ventiuna.school import scenarios
from ventiuna.school.procedure import earlier_steps
from ventiuna.school.scenarios import (
    ANY_DEALER,
    CardPile,
    PatternCards,
    Script,
    ScriptedHand,
    TrainingPlayers,
)
from ventiuna.school.steps import DealerStep, RoundMove, SchoolError, StepTracker

# --- Features of the rules ---


def rules_offer(rules: Rules, need: str) -> bool:
    """Whether the rules include a feature below, or a wager such as `up`, `b2`, or `j1`."""
    named = _OFFERS.get(need)
    if named is not None:
        return named(rules)
    if need.startswith("j"):
        return len(rules.jackpots) >= int(need[1:])
    return need in rules.mtd_wagers


def _has_own_lines(rules: Rules, game: int, family: int) -> bool:
    """Whether a jackpot game uses a table of this family (3, 4 or 5) with its standard lines."""
    if len(rules.jackpots) < game:
        return False
    jackpot = rules.jackpots[game - 1]
    return jackpot.alternate == 0 and jackpot_tables()[jackpot.table].id.startswith(str(family))


_OFFERS: dict[str, Callable[[Rules], bool]] = {
    "spanish 21": lambda rules: rules.game is Game.SPANISH_21,
    "super fun 21": lambda rules: rules.game is Game.SUPER_FUN_21,
    "insurance": lambda rules: rules.insurance,
    "blackjack insured": lambda rules: rules.insurance and rules.insurance_on_blackjack,
    "paid at once": lambda rules: rules.blackjack_paid is BlackjackPaid.AT_ONCE,
    "blackjack kept": lambda rules: rules.double_blackjack,
    "bonus 21": lambda rules: bool(rules.bonus_21_rows()),
    "four decks": lambda rules: rules.decks >= 4,
    "super bonus": lambda rules: (
        (form := rules.super_bonus_form()) is not None and form.suits == "one suit"
    ),
    "envy": lambda rules: rules.envy is not Envy.OFF,
    "double-double": lambda rules: rules.double_double,
    "double for less": lambda rules: rules.offers_double_for_less,
    "rescue": lambda rules: rules.rescue,
    "surrender": lambda rules: rules.surrender is not Surrender.OFF,
    "surrender any time": lambda rules: rules.surrender is Surrender.ANY_TIME,
    "instant wins": lambda rules: bool(rules.instant_wins),
    "match the dealer": lambda rules: bool(rules.mtd_configuration),
    "bonus cards": lambda rules: rules.bonus_cards > 0,
    "down card wager": lambda rules: rules.offers_down_wager,
    "jackpots": lambda rules: bool(rules.jackpots),
    "jackpot 1 of tables 3": lambda rules: _has_own_lines(rules, 1, 3),
    "jackpot 2 of tables 4": lambda rules: _has_own_lines(rules, 2, 4) and rules.decks >= 4,
}


# --- Levels ---

BASIC_ACTIONS = frozenset({actions.STAND, actions.HIT})
SPLIT_ACTIONS = BASIC_ACTIONS | {actions.SPLIT}
ALL_ACTIONS = frozenset(range(actions.ACTIONS))


@dataclass(frozen=True, slots=True)
class Level:
    """A level: its topic, its table, and how busy the table is."""

    id: str
    title: str
    about: str
    rules: str  # default rules
    scripts: tuple[Script, ...]
    spots: int
    at_once: int = 1  # number of scripts in one round, if they can be combined
    deals: bool = False  # the learner also does the initial deal
    allowed: frozenset[int] = ALL_ACTIONS  # actions allowed for players without a script
    whims: float = 0.0  # share of these players' decisions that are random
    side_wagers: float = 0.0  # share of optional side bets that are placed
    exam_rounds: int = 5
    seconds: int = 6  # seconds per step for the full time score
    needs: tuple[str, ...] = ()  # features that the rules must include

    def scripts_for(self, rules: Rules) -> tuple[Script, ...]:
        return tuple(
            script
            for script in self.scripts
            if all(rules_offer(rules, need) for need in script.needs)
        )


LEVELS: tuple[Level, ...] = (
    Level(
        "base-game",
        "Base game",
        "Deal, pay blackjacks, offer insurance, check for blackjack, ask each hand from the "
        "left, play your own hand and settle.",
        "wsgc-2021(mtd_configuration=0)",
        scenarios.BASE_GAME,
        spots=3,
        deals=True,
        allowed=BASIC_ACTIONS,
    ),
    Level(
        "bonuses",
        "Bonus 21 and Super Bonus",
        "Pay every row of Bonus 21, call the floor person, and pay the Super Bonus and the Envy "
        "Bonus.",
        "wsgc-2021(mtd_configuration=0)",
        scenarios.BONUSES,
        spots=4,
        allowed=SPLIT_ACTIONS,
        needs=("bonus 21",),
    ),
    Level(
        "match-the-dealer",
        "Match the Dealer",
        "Settle the Up Card wagers first, and pay each match separately.",
        "wsgc-2021(mtd_configuration=1)",
        scenarios.MATCH_THE_DEALER,
        spots=4,
        allowed=SPLIT_ACTIONS,
        side_wagers=0.7,
        needs=("up",),
    ),
    Level(
        "bonus-cards",
        "Bonus Cards and the down card",
        "Settle the Bonus Cards by number, lock them up before the base game, and settle the "
        "Down Card wagers at the end.",
        "wsgc-2021(mtd_configuration=4,bonus_cards=3)",
        scenarios.BONUS_CARDS,
        spots=3,
        allowed=SPLIT_ACTIONS,
        side_wagers=0.5,
        seconds=7,
        needs=("bonus cards",),
    ),
    Level(
        "doubles",
        "Doubles, rescue, surrender",
        "Settle doubles and double-doubles up to the cap, split hands, and what a rescue or a "
        "surrender costs.",
        "wsgc-2021(mtd_configuration=0,double_double=on,table_maximum=100)",
        scenarios.DOUBLES,
        spots=3,
        whims=0.15,
        needs=("spanish 21",),
    ),
    Level(
        "jackpots",
        "Jackpots and awards",
        "Pay fixed amounts before and after the base game, and shares of the meters in seat order.",
        "wsgc-2021(mtd_configuration=0,jackpots=3c:1:seed=1000+4d:1:wager=5:seed=10000)",
        scenarios.JACKPOTS,
        spots=4,
        allowed=SPLIT_ACTIONS,
        side_wagers=0.6,
        seconds=8,
        needs=("jackpots",),
    ),
    Level(
        "everything",
        "Seven spots with everything",
        "Deal to a full table of Spanish 21 with every wager, every bonus and everything players "
        "may do.",
        "wsgc-2021(mtd_configuration=4,bonus_cards=5,double_double=on,"
        "jackpots=3c:1:seed=1000+4d:1:wager=5:seed=10000)",
        scenarios.BASE_GAME[:3]
        + scenarios.BONUSES
        + scenarios.MATCH_THE_DEALER
        + scenarios.BONUS_CARDS
        + scenarios.DOUBLES
        + scenarios.JACKPOTS,
        spots=7,
        at_once=3,
        whims=0.1,
        side_wagers=0.3,
        exam_rounds=3,
        needs=("spanish 21",),
    ),
    Level(
        "super-fun-21",
        "Super Fun 21",
        "Pay instant wins and all-diamond blackjacks, advise players, and settle surrenders at "
        "any time.",
        "super-fun-21(decks=2)",
        scenarios.SUPER_FUN_21,
        spots=3,
        whims=0.1,
        needs=("super fun 21",),
    ),
)
LEVELS_BY_ID = {level.id: level for level in LEVELS}


def find_level(name: str) -> Level:
    if name not in LEVELS_BY_ID:
        raise SchoolError(f"There is no level {name[:40]!r}. {did_you_mean(name, LEVELS_BY_ID)}")
    return LEVELS_BY_ID[name]


def check_rules_for(level: Level, rules: Rules) -> None:
    """Raise `SchoolError` if a level has nothing to teach under these rules."""
    missing = [need for need in level.needs if not rules_offer(rules, need)]
    if missing or not level.scripts_for(rules):
        raise SchoolError(
            f"The level {level.title!r} needs something these rules don't have "
            f"({', '.join(missing) or 'any of its rounds'}). Choose another level, or "
            f"omit the rules to learn with {level.rules}."
        )


# --- Wagers ---

BASE_DOLLARS = (5, 10, 10, 15, 15, 20, 25, 25, 35, 50, 75, 100)
SIDE_DOLLARS = (1, 2, 3, 5, 5, 10)
NO_HAND = ScriptedHand("")


def training_wagers(
    rules: Rules,
    spot: int,
    person: str,
    chance: random.Random,
    share: float,
    hand: ScriptedHand = NO_HAND,
) -> PlaceWagers:
    """Wagers for a spot; `share` is the proportion of unscripted side bets placed."""
    base_option, *others = wager_options(rules)
    stakes = {Wager.HAND: _amount(base_option, hand.base or chance.choice(BASE_DOLLARS), 0)}
    named = {
        JACKPOT_WAGERS[int(name[1:])] if name[0] == "j" else MTD_WAGERS[name]
        for name in hand.wagers
    }
    needed = {need for option in others if option.wager in named for need in option.needs}
    for option in others:
        is_chosen = option.wager in named or option.required or chance.random() < share
        if option.legal and (is_chosen or option.wager in needed):
            dollars = chance.choice(SIDE_DOLLARS)
            maximum = stakes[Wager.HAND] if option.at_most is Wager.HAND else 0
            stakes[option.wager] = _amount(option, dollars, maximum)
    placed = {
        option.wager: stakes[option.wager]
        for option in (base_option, *others)
        if option.wager in stakes and all(need in stakes for need in option.needs)
    }
    return PlaceWagers.of(spot, placed, person)


def _amount(option: WagerOption, dollars: int, maximum: int) -> int:
    """The amount in cents, within the table's limits."""
    highest = min(option.most, maximum or option.most)
    cents = max(option.least, min(dollars * 100, highest))
    return cents - cents % option.unit


# --- Training rounds ---

MAX_ABOVE_SEED = 500_000  # cents; how far a training meter can be above its seed
FULL_TABLE = 7


@dataclass(frozen=True, slots=True)
class TrainingRound:
    """A round played in advance so that the dealer's steps are known."""

    rules: Rules
    number: int  # starts at 1
    script: Script
    meters: tuple[tuple[int, int], ...]
    before: tuple[Event, ...]  # the wagers, and the deal if the learner doesn't do it
    steps: tuple[DealerStep, ...]
    earlier: tuple[frozenset[int], ...]  # for each step, the indices of the steps it must wait for
    supervised: bool = False  # the table requires a supervisor

    def start(self) -> RoundState:
        return RoundState(self.rules, list(self.meters) or None, supervised=self.supervised)

    @property
    def shown(self) -> str:
        """The script's title; empty if another player's hand made it untrue."""
        has_drawn = any(step.place is Place.DEALER for step in self.steps)
        return "" if self.script.no_draw and has_drawn else self.script.title

    @property
    def events(self) -> tuple[Event, ...]:
        return (*self.before, *(event for step in self.steps for event in step.events))


@lru_cache(maxsize=128)
def training_round(
    level: Level, rules: Rules, seed: int, number: int, supervised: bool = False
) -> TrainingRound:
    """A training round; the same arguments always give the same round."""
    # All of the level's scripts in turn, shuffled by seed. Scripts that don't depend on the
    # dealer's cards are combined with the first.
    order = list(level.scripts_for(rules))
    random.Random(f"{level.id}:{seed}").shuffle(order)
    first = order[(number - 1) % len(order)]
    others = [script for script in order if script is not first and script.dealer == ANY_DEALER]
    random.Random(f"{level.id}:{seed}:{number}:others").shuffle(others)
    scripts = (first, *others[: level.at_once - 1])
    chance = random.Random(f"{level.id}:{seed}:{number}")
    return _TrainingTable(level, rules, scripts, chance).run(number, supervised)


class _TrainingTable:
    def __init__(
        self, level: Level, rules: Rules, scripts: tuple[Script, ...], chance: random.Random
    ) -> None:
        self._level = level
        self._rules = rules
        self._scripts = scripts
        self._chance = chance
        self._pile = CardPile(new_shoe(rules.pack, rules.decks), chance)
        self._discards: list[int] = []
        self._hands = self._seated()
        self._stack_cards()

    def run(self, number: int, supervised: bool) -> TrainingRound:
        meters = tuple(
            (jackpot.seed + self._chance.randrange(MAX_ABOVE_SEED), 0)
            for jackpot in self._rules.jackpots
        )
        state = RoundState(self._rules, list(meters) or None, supervised=supervised)
        follower = StepTracker(state, self._level.deals)
        for spot in range(1, self._spots + 1):
            self._do(state, follower, self._wagers(spot))
        self._do(state, follower, CloseWagers())
        acts = {spot: list(hand.acts) for spot, hand in self._hands.items()}
        players = TrainingPlayers(self._chance, acts, self._level.whims, self._level.allowed)
        while not isinstance(prompt := waiting_for(state), NothingWanted):
            if isinstance(prompt, CardWanted):
                self._do(state, follower, DealCard(self._card(prompt)), prompt)
            elif isinstance(prompt, MetersWanted):
                self._do(state, follower, own_meters(state), prompt)
            elif isinstance(prompt, SupervisorWanted):
                self._do(state, follower, Supervise(Authority.FLOOR), prompt)
            else:
                self._do(state, follower, players(state, prompt), prompt)
        before, steps = tuple(follower.before), tuple(follower.steps)
        earlier = earlier_steps(self._rules, steps)
        script = self._scripts[0]
        return TrainingRound(
            self._rules, number, script, meters, before, steps, earlier, supervised
        )

    def _do(
        self,
        state: RoundState,
        follower: StepTracker,
        command: Command,
        prompt: Waiting | None = None,
    ) -> None:
        events = execute(state, command)
        follower.follow(RoundMove(prompt or NothingWanted(), tuple(events)))
        for event in events:
            if isinstance(event, HandRemoved):
                self._discards += state.spots[event.spot].hands[event.hand].cards

    # --- players and their wagers ---

    @property
    def _spots(self) -> int:
        return min(self._level.spots, self._rules.seats)

    def _seated(self) -> dict[int, ScriptedHand]:
        """Place scripted hands on random spots, keeping each script's hands in order."""
        free = list(range(1, self._spots + 1))
        hands: dict[int, ScriptedHand] = {}
        for script in self._scripts:
            if len(script.hands) > len(free):
                continue
            for spot, hand in zip(
                sorted(self._chance.sample(free, len(script.hands))), script.hands, strict=True
            ):
                hands[spot] = hand
                free.remove(spot)
        return hands

    def _wagers(self, spot: int) -> Command:
        # At a full table, one person plays two spots, because this matters for the Envy Bonus
        # (O-14).
        person = f"Guest {min(spot, FULL_TABLE - 1)}"
        hand = self._hands.get(spot, NO_HAND)
        return training_wagers(
            self._rules, spot, person, self._chance, self._level.side_wagers, hand
        )

    # --- cards ---

    def _stack_cards(self) -> None:
        """Take scripted cards from the pile first so that they can't be dealt elsewhere."""
        first = self._scripts[0]
        letters = {id(script): PatternCards(self._chance) for script in self._scripts}
        self._dealer = letters[id(first)].cards(first.dealer, self._pile)
        self._bonus_cards = letters[id(first)].cards(first.bonus_cards, self._pile)
        self._cards: dict[int, list[int]] = {}
        whose = {id(hand): script for script in self._scripts for hand in script.hands}
        for spot, hand in self._hands.items():
            patterns = letters[id(whose[id(hand)])]
            self._cards[spot] = patterns.cards(hand.cards, self._pile)

    def _card(self, prompt: CardWanted) -> int:
        if prompt.place is Place.PLAYER:
            stacked = self._cards.get(prompt.spot, [])
        elif prompt.place is Place.BONUS:
            stacked = self._bonus_cards
        else:
            stacked = self._dealer
        # The dealer's cards start with the up card, even if it is dealt after the down card.
        is_early = self._rules.deal_order == DealOrder.DOWN_CARD_FIRST
        at = 1 if is_early and prompt.place is Place.DOWN else 0
        card = stacked.pop(at) if len(stacked) > at else self._pile.draw()
        if card is None:
            self._pile.put_back(self._discards)
            self._discards = []
            card = self._pile.draw()
        if card is None:
            raise OutOfCards("Every card in the shoe is on the table. Use rules with more decks.")
        return card
