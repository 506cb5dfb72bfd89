"""One training round: its shoe stacked, played by the engine, grouped into dealer's steps."""

from __future__ import annotations

import random
from functools import lru_cache

from ventiuna.cards import new_shoe
from ventiuna.engine.commands import CloseWagers, Command, DealCard
from ventiuna.engine.decide import execute
from ventiuna.engine.driver import own_meters
from ventiuna.engine.events import Event, HandRemoved, Place
from ventiuna.engine.shoe import OutOfCards
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import CardWanted, MetersWanted, NothingWanted, Waiting, waiting_for
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.school.following import Follower, Move
from ventiuna.school.levels import Level
from ventiuna.school.order import earlier_steps
from ventiuna.school.players import TrainingPlayers
from ventiuna.school.scripts import ANY_DEALER, Hand, Patterns, Pile, Script
from ventiuna.school.steps import Step
from ventiuna.school.wagers import NO_HAND, wagers_of

MOST_ABOVE_SEED = 500_000  # cents that a training meter shows above its seed
FULL_TABLE = 7


@record(frozen=True, slots=True)
class TrainingRound:
    """A round that is over before it begins: what the dealer has to do is known."""

    rules: Rules
    number: int  # from 1
    script: Script
    meters: tuple[tuple[int, int], ...]
    before: tuple[Event, ...]  # the wagers, and the deal where it is not the learner's
    steps: tuple[Step, ...]
    earlier: tuple[frozenset[int], ...]  # for each step the places of those that it waits for

    def start(self) -> RoundState:
        return RoundState(self.rules, list(self.meters) or None)

    @property
    def events(self) -> tuple[Event, ...]:
        return (*self.before, *(event for step in self.steps for event in step.events))


@lru_cache(maxsize=128)
def training_round(level: Level, rules: Rules, seed: int, number: int) -> TrainingRound:
    """The same for the same seed, whenever and wherever it is asked for."""
    scripts = scripts_of(level, rules, seed, number)
    chance = random.Random(f"{level.id}:{seed}:{number}")
    return _Play(level, rules, scripts, chance).run(number)


def scripts_of(level: Level, rules: Rules, seed: int, number: int) -> tuple[Script, ...]:
    """What comes up in a round: all of a level's scripts in turn, in an order of the seed.

    Others join the first where the dealer's cards are no matter to them.
    """
    order = list(level.scripts_for(rules))
    random.Random(f"{level.id}:{seed}").shuffle(order)
    first = order[(number - 1) % len(order)]
    others = [script for script in order if script is not first and script.dealer == ANY_DEALER]
    random.Random(f"{level.id}:{seed}:{number}:others").shuffle(others)
    return first, *others[: level.at_once - 1]


class _Play:
    def __init__(
        self, level: Level, rules: Rules, scripts: tuple[Script, ...], chance: random.Random
    ) -> None:
        self._level = level
        self._rules = rules
        self._scripts = scripts
        self._chance = chance
        self._pile = Pile(new_shoe(rules.pack, rules.decks), chance)
        self._discards: list[int] = []
        self._hands = self._seated()
        self._stack_cards()

    def run(self, number: int) -> TrainingRound:
        meters = tuple(
            (jackpot.seed + self._chance.randrange(MOST_ABOVE_SEED), 0)
            for jackpot in self._rules.jackpots
        )
        state = RoundState(self._rules, list(meters) or None)
        follower = Follower(state, self._level.deals)
        for spot in range(1, self._spots + 1):
            self._do(state, follower, self._wagers(spot))
        self._do(state, follower, CloseWagers())
        acts = {spot: list(hand.acts) for spot, hand in self._hands.items()}
        players = TrainingPlayers(self._chance, acts, self._level.whims, self._level.allowed)
        while not isinstance(wanted := waiting_for(state), NothingWanted):
            if isinstance(wanted, CardWanted):
                self._do(state, follower, DealCard(self._card(wanted)), wanted)
            elif isinstance(wanted, MetersWanted):
                self._do(state, follower, own_meters(state), wanted)
            else:
                self._do(state, follower, players(state, wanted), wanted)
        before, steps = tuple(follower.before), tuple(follower.steps)
        earlier = earlier_steps(self._rules, steps)
        return TrainingRound(self._rules, number, self._scripts[0], meters, before, steps, earlier)

    def _do(
        self,
        state: RoundState,
        follower: Follower,
        command: Command,
        wanted: Waiting | None = None,
    ) -> None:
        events = execute(state, command)
        follower.follow(Move(wanted or NothingWanted(), tuple(events)))
        for event in events:
            if isinstance(event, HandRemoved):
                self._discards += state.spots[event.spot].hands[event.hand].cards

    # --- people and their wagers ---

    @property
    def _spots(self) -> int:
        return min(self._level.spots, self._rules.seats)

    def _seated(self) -> dict[int, Hand]:
        """The scripts' hands on spots by chance, those of one script in their order."""
        free = list(range(1, self._spots + 1))
        hands: dict[int, Hand] = {}
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
        # At a full table one person plays two spots, which matters to the Envy Bonus (O-14).
        person = f"Guest {min(spot, FULL_TABLE - 1)}"
        hand = self._hands.get(spot, NO_HAND)
        return wagers_of(self._rules, spot, person, self._chance, self._level.side_wagers, hand)

    # --- cards ---

    def _stack_cards(self) -> None:
        """Cards that are wanted leave the pile first, so that chance can't deal them elsewhere."""
        first = self._scripts[0]
        letters = {id(script): Patterns(self._chance) for script in self._scripts}
        self._dealer = letters[id(first)].cards(first.dealer, self._pile)
        self._bonus_cards = letters[id(first)].cards(first.bonus_cards, self._pile)
        self._cards: dict[int, list[int]] = {}
        whose = {id(hand): script for script in self._scripts for hand in script.hands}
        for spot, hand in self._hands.items():
            patterns = letters[id(whose[id(hand)])]
            self._cards[spot] = patterns.cards(hand.cards, self._pile)

    def _card(self, wanted: CardWanted) -> int:
        if wanted.place is Place.PLAYER:
            stacked = self._cards.get(wanted.spot, [])
        elif wanted.place is Place.BONUS:
            stacked = self._bonus_cards
        else:
            stacked = self._dealer
        card = stacked.pop(0) if stacked else self._pile.draw()
        if card is None:
            self._pile.put_back(self._discards)
            self._discards = []
            card = self._pile.draw()
        if card is None:
            raise OutOfCards("Every card of the shoe is on the table: use rules with more decks.")
        return card
