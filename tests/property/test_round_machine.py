"""A round under any rules with any commands, sensible or not."""

from __future__ import annotations

import json

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from tests.property.effort import examples
from tests.property.strategies import (
    any_wagers,
    attempt,
    few_cards,
    fitting_wagers,
    rule_sets_with_rows,
)
from ventiuna.engine import (
    DEALER,
    EVERYONE,
    Refused,
    RoundState,
    action_options,
    decide,
    default_command,
    evolve,
    execute,
    own_meters,
    redact,
    view,
    waiting_for,
)
from ventiuna.engine import commands as do
from ventiuna.engine.chips import Chips
from ventiuna.engine.codec import event_data, event_from_data
from ventiuna.engine.commands import Command
from ventiuna.engine.events import CardDealt, Event, Stage
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
)
from ventiuna.engine.state import HandStatus
from ventiuna.testing.invariants import (
    check_round,
    check_step,
    fed_elsewhere,
    fold,
    meters_of,
    snapshot,
)

CHOICES = st.integers(0, 10**6)  # the index of a choice, modulo the number of choices


def any_command(spot: int, amount: int, card: int) -> st.SearchStrategy[Command]:
    """Every command with these values, whether allowed now or not."""
    return st.sampled_from(
        [
            do.CloseWagers(),
            do.WithdrawWagers(spot),
            do.PlaceWagers(spot, amount),
            do.DealCard(card),
            do.TakeBlackjack(spot),
            do.KeepBlackjack(spot),
            do.Insure(spot, amount),
            do.Stand(spot),
            do.Hit(spot),
            do.Double(spot),
            do.Double(spot, amount),
            do.DoubleDouble(spot),
            do.Split(spot),
            do.Surrender(spot),
            do.Rescue(spot),
            do.ShowMeters({1: amount}),
        ]
    )


class RoundMachine(RuleBasedStateMachine):
    """Commands in any order; each is applied or refused as a whole."""

    state: RoundState

    @initialize(data=st.data())
    def open_table(self, data: st.DataObject) -> None:
        rules = data.draw(rule_sets_with_rows(), label="rules")
        self.favourites = data.draw(few_cards(rules), label="cards that come often")
        starts = st.tuples(st.integers(0, 10**7), st.integers(0, 9_999))
        self.meters = [data.draw(starts, label="meter") for _ in rules.jackpots]
        self.state = RoundState(rules, list(self.meters))
        self.events: list[Event] = []
        self.chips = Chips()
        for spot in data.draw(st.sets(st.integers(1, rules.seats), max_size=4), label="spots"):
            self.do(data.draw(fitting_wagers(rules, spot)))
        wait = data.draw(st.sampled_from([False, False, False, True]), label="more wagers")
        if self.state.order and not wait:
            self.close_wagers(data.draw(st.lists(CHOICES, min_size=8, max_size=16)))

    def waits(self, kind: type) -> bool:
        return isinstance(waiting_for(self.state), kind)

    def do(self, command: Command) -> bool:
        """Try the command and return whether it was accepted."""
        before = snapshot(self.state)
        foretold = attempt(lambda: decide(self.state, command), Refused)
        if isinstance(foretold, Refused):
            assert foretold.code
            assert foretold.rules
            assert foretold.message.endswith(".")
            done = attempt(lambda: execute(self.state, command), Refused)
            assert isinstance(done, Refused)
            assert done.message == foretold.message
            assert snapshot(self.state) == before
            return False
        assert snapshot(self.state) == before
        original = self.state.copy()
        assert execute(self.state, command) == foretold
        evolved = original
        for event in foretold:
            evolved = evolve(evolved, event)
        assert snapshot(evolved) == snapshot(self.state)
        assert snapshot(original) == before
        self.events += foretold
        self.chips.add_all(foretold)
        return True

    # --- wagers ---

    @precondition(lambda self: self.waits(WagersWanted))
    @rule(data=st.data(), spot=st.integers(1, 7), what=st.sampled_from(["fit", "any", "none"]))
    def wager(self, data: st.DataObject, spot: int, what: str) -> None:
        """Valid wagers are accepted, others refused, and placed wagers may be withdrawn."""
        if what == "any":
            self.do(data.draw(any_wagers(self.state.rules.seats)))
        elif what == "fit":
            spot = min(spot, self.state.rules.seats)
            assert self.do(data.draw(fitting_wagers(self.state.rules, spot)))
        else:
            there = spot in self.state.spots
            assert self.do(do.WithdrawWagers(spot)) == there

    @precondition(lambda self: self.waits(WagersWanted) and bool(self.state.order))
    @rule(choices=st.lists(CHOICES, min_size=2, max_size=20))
    def close_wagers(self, choices: list[int]) -> None:
        assert self.do(do.CloseWagers())
        self.deal_cards(choices)

    # --- cards ---

    @precondition(lambda self: self.waits(CardWanted))
    @rule(choices=st.lists(CHOICES, min_size=4, max_size=8))
    def deal_cards(self, choices: list[int]) -> None:
        for choice in choices:
            card = self.card_for(choice)
            if card is None or not self.waits(CardWanted):
                return
            assert self.do(do.DealCard(card))

    def card_for(self, choice: int) -> int | None:
        """A card still in the shoe, one of the favored kinds if any is left."""
        rules = self.state.rules
        left = [card for card in self.favourites if self.state.dealt[card] < rules.decks]
        if not left or choice % 4 == 0:
            left = [card for card in rules.pack.cards if self.state.dealt[card] < rules.decks]
        return left[choice // 4 % len(left)] if left else None

    # --- answers and decisions ---

    @precondition(lambda self: self.waits(BlackjackAnswersWanted))
    @rule(choice=CHOICES, keep=st.booleans())
    def answer_blackjack(self, choice: int, keep: bool) -> None:
        wanted = waiting_for(self.state)
        assert isinstance(wanted, BlackjackAnswersWanted)
        spot = wanted.spots[choice % len(wanted.spots)]
        assert self.do(do.KeepBlackjack(spot) if keep else do.TakeBlackjack(spot))

    @precondition(lambda self: self.waits(InsuranceAnswersWanted))
    @rule(choice=CHOICES, share=st.integers(0, 4))
    def answer_insurance(self, choice: int, share: int) -> None:
        wanted = waiting_for(self.state)
        assert isinstance(wanted, InsuranceAnswersWanted)
        spot = wanted.spots[choice % len(wanted.spots)]
        unit = self.state.rules.small_chip_unit
        half = self.state.spots[spot].base // 2
        assert self.do(do.Insure(spot, half * share // 4 // unit * unit))
        assert not self.do(do.Insure(spot, unit))

    @precondition(lambda self: self.waits(DecisionWanted))
    @rule(choice=CHOICES, choices=st.lists(CHOICES, min_size=3, max_size=3))
    def act(self, choice: int, choices: list[int]) -> None:
        wanted = waiting_for(self.state)
        assert isinstance(wanted, DecisionWanted)
        legal = [option for option in action_options(self.state) if option.legal]
        option = legal[choice % len(legal)]
        assert self.do(option.command())
        self.deal_cards(choices)

    @precondition(lambda self: self.waits(DecisionWanted))
    @rule(amount=st.integers(-1, 20), choices=st.lists(CHOICES, min_size=1, max_size=1))
    def double_for_less(self, amount: int, choices: list[int]) -> None:
        """Any number of small chips, from below zero to above the wager."""
        wanted = waiting_for(self.state)
        assert isinstance(wanted, DecisionWanted)
        hand = self.state.spots[wanted.spot].hands[wanted.hand]
        chips = amount * self.state.rules.small_chip_unit
        option = next(option for option in action_options(self.state) if option.name == "double")
        fits = option.legal and (chips == hand.wager or option.least_chips <= chips <= option.chips)
        assert self.do(do.Double(wanted.spot, chips)) == fits
        self.deal_cards(choices)

    @rule(
        data=st.data(),
        spot=st.integers(0, 8),
        amount=st.sampled_from([-100, 0, 1, 50, 100, 500, 10**7]),
        card=st.integers(-1, 52),
    )
    def try_anything(self, data: st.DataObject, spot: int, amount: int, card: int) -> None:
        self.do(data.draw(any_command(spot, amount, card)))

    @precondition(lambda self: self.waits(MetersWanted))
    @rule(elsewhere=st.sampled_from([0, 0, 1, 12_345]))
    def read_meters(self, elsewhere: int) -> None:
        """Other tables may have fed the meters since then."""
        wanted = waiting_for(self.state)
        assert isinstance(wanted, MetersWanted)
        own = {game: self.state.meters[game - 1].cents for game in wanted.games}
        assert self.do(do.ShowMeters({game: cents + elsewhere for game, cents in own.items()}))

    @precondition(lambda self: len(self.events) > 30)
    @rule(chance=st.sampled_from([False] * 7 + [True]))
    def call_off(self, chance: bool) -> None:
        if chance:
            may = self.state.stage not in (Stage.AWARDS, Stage.CLOSED, Stage.VOID)
            assert self.do(do.VoidRound("the lights went out")) == may

    # --- invariants ---

    @invariant()
    def state_is_the_fold_of_events(self) -> None:
        folded = fold(self.state.rules, self.meters, self.events)
        assert snapshot(folded) == snapshot(self.state)

    @invariant()
    def chips_are_conserved(self) -> None:
        assert self.chips.total == 0
        now = [cents for cents, _ in meters_of(self.state)]
        start = [cents for cents, _ in self.meters]
        elsewhere = fed_elsewhere(self.meters, self.events)
        moved = [
            self.chips.meters.get(game, 0) + elsewhere.get(game, 0)
            for game in range(1, len(now) + 1)
        ]
        assert now == [before + change for before, change in zip(start, moved, strict=True)]
        if self.state.stage is Stage.VOID:
            assert self.chips.on_table == 0
            return
        for spot in self.state.order:
            for index, hand in enumerate(spot.hands):
                riding = 0 if hand.status is HandStatus.OVER else hand.wager
                assert self.chips.on_hand(spot.number, index) == riding

    @invariant()
    def options_and_views_are_right(self) -> None:
        check_step(self.state)

    @invariant()
    def the_down_card_is_hidden(self) -> None:
        """Players never see its name, unless the same card was also dealt face up."""
        state = self.state
        if len(state.dealer) < 2 or state.down_exposed:
            return
        seen = [event_data(redact(event, EVERYONE)) for event in self.events]
        down = [data for data in seen if data.get("place") == "down"]
        assert [data["card"] for data in down] == [None]
        if sum(getattr(event, "card", None) == state.down for event in self.events) == 1:
            assert all(data.get("card") != state.down for data in seen)
            open_cards = view(state, EVERYONE)
            assert state.down not in open_cards.dealer
            assert state.down not in open_cards.bonus_cards
            hands = [hand for spot in open_cards.spots for hand in spot.hands]
            assert all(state.down not in hand.cards for hand in hands)
        assert view(state, DEALER).dealer[1] == state.down

    def teardown(self) -> None:
        """Finish the round in the shortest way, then check it as a whole."""
        if not hasattr(self, "state") or not self.state.order:
            return
        self.play_out()
        if not self.waits(NothingWanted):
            return  # every card of the shoe is on the table
        check_round(self.state, self.meters, self.events)
        assert self.state.stage in (Stage.CLOSED, Stage.VOID)
        through_json = [
            event_from_data(json.loads(json.dumps(event_data(event)))) for event in self.events
        ]
        assert through_json == self.events
        cards = [event for event in self.events if isinstance(event, CardDealt)]
        assert [redact(event, DEALER) for event in cards] == cards

    def play_out(self) -> None:
        card: int | None = 0
        if self.waits(WagersWanted):
            self.do(do.CloseWagers())
        while not self.waits(NothingWanted) and card is not None:
            wanted = waiting_for(self.state)
            if isinstance(wanted, CardWanted):
                card = self.card_for(len(self.events))
                if card is not None:
                    assert self.do(do.DealCard(card))
            elif isinstance(wanted, MetersWanted):
                assert self.do(own_meters(self.state))
            else:
                answer = default_command(self.state)
                assert answer is not None
                assert self.do(answer)


TestRoundMachine = RoundMachine.TestCase
TestRoundMachine.settings = examples(250, steps=40)
