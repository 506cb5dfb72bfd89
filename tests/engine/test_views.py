"""Views as typed records, options for every prompt, and both as plain data."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest

from tests.rounds import Live, card, deal, wagers
from ventiuna import commands
from ventiuna.engine import DEALER, action_options, options, view, waiting_for
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import Wager
from ventiuna.engine.options import AnswerOption, InsuranceOption
from ventiuna.engine.views import option_data, view_data
from ventiuna.engine.wagers import WagerOption

JACKPOT = "wsgc-2021(jackpots=3c:1:seed=100, down_requires_up=on, mtd_at_most_base=on)"


def offered(live: Live) -> dict[Wager, WagerOption]:
    return {
        option.wager: option for option in options(live.state) if isinstance(option, WagerOption)
    }


def test_a_view_is_a_frozen_record() -> None:
    live = deal(JACKPOT, "5c 9c Ad Kh 5d Kh", wagers(1, person="p-17", mtd={"up": 5}), wagers(2))
    seen = view(live.state, names={"p-17": "Ana"})
    assert hash(seen) == hash(view(live.state, names={"p-17": "Ana"}))
    with pytest.raises(FrozenInstanceError):
        seen.stage = live.state.stage  # type: ignore[misc]
    ana, nobody = seen.spots
    assert (ana.person, ana.name, ana.mtd, ana.insurance) == ("p-17", "Ana", {"up": 500}, None)
    assert (nobody.person, nobody.name) == ("", "Spot 2")
    assert (ana.hands[0].cards, ana.hands[0].total) == ((card("5c"), card("Kh")), 15)
    assert (ana.hands[0].soft, ana.hands[0].blackjack, nobody.hands[0].soft) == (
        False,
        False,
        False,
    )
    assert seen.dealer == (card("Ad"), None)
    assert view(live.state, DEALER).dealer == (card("Ad"), card("Kh"))
    assert view(live.state).spots[0].name == "p-17"  # no name was given
    assert seen.waiting == waiting_for(live.state)


def test_r026_only_the_down_card_is_hidden_until_it_is_exposed() -> None:
    live = deal("wsgc-2021", "Kc")
    assert view(live.state).dealer == ()
    live.deal("9c")
    assert view(live.state).dealer == (card("9c"),)
    live.deal("Qd 7h")
    assert view(live.state).dealer == (card("9c"), None)
    live.do(commands.Stand(1))
    assert view(live.state).dealer == (card("9c"), card("7h"))


def test_a_view_becomes_plain_data() -> None:
    live = deal(JACKPOT, "5c 9c 5d Kh", wagers(mtd={"up": 5}, jackpots={1: 1}))
    data = view_data(view(live.state))
    assert json.loads(json.dumps(data)) == data
    assert data["dealer"] == [card("9c"), None]
    assert data["waiting_for"] == {"kind": "decision", "spot": 1, "hand": 0}
    [spot] = data["spots"] if isinstance(data["spots"], list) else []
    assert (spot["jackpots"], spot["hands"][0]["status"]) == ({"1": 100}, "waiting")
    double = next(
        option for option in options(live.state) if getattr(option, "name", "") == "double"
    )
    assert option_data(double) == {
        "kind": "action",
        "name": "double",
        "spot": 1,
        "hand": 0,
        "legal": True,
        "chips": 1000,
        "least_chips": 50,
        "unit": 50,
        "back": 0,
        "code": "",
        "rules": [],
        "reason": "",
    }  # an action's number isn't sent


def test_wager_options_state_their_limits_and_requirements() -> None:
    found = offered(Live(JACKPOT))
    base, up, down = (found[wager] for wager in (Wager.HAND, Wager.MTD_UP, Wager.MTD_DOWN))
    assert (base.least, base.most, base.unit, base.required) == (5_00, 300_00, 1_00, True)
    assert base.spots == (1, 2, 3, 4, 5, 6, 7)
    assert (up.least, up.most, up.needs, up.at_most) == (1_00, 300_00, (Wager.HAND,), Wager.HAND)
    assert down.needs == (Wager.HAND, Wager.MTD_UP)
    assert (found[Wager.JACKPOT_1].fixed, found[Wager.JACKPOT_1].needs) == (1_00, (Wager.HAND,))
    assert (base.fixed, found[Wager.JACKPOT_2].fixed) == (None, None)
    bonus = found[Wager.MTD_B1]
    assert (bonus.legal, bonus.code, bonus.rules[0]) == (False, "mtd_not_offered", "R-015")
    assert (
        found[Wager.JACKPOT_2].reason == "There is no jackpot 2: this table offers only jackpot 1."
    )


def test_a_required_wager_raises_the_minimum_base_wager() -> None:
    rules = "wsgc-2021(mtd_required=up, mtd_at_most_base=on, mtd_minimum=20)"
    found = offered(Live(rules))
    assert (found[Wager.HAND].least, found[Wager.MTD_UP].required) == (20_00, True)
    least = {Wager.HAND: found[Wager.HAND].least, Wager.MTD_UP: found[Wager.MTD_UP].least}
    Live(rules).do(PlaceWagers.of(1, least))


@pytest.mark.parametrize("choice", ["mtd_required=up", "mtd_at_most_base=on"])
def test_either_rule_alone_leaves_the_minimum_base_wager(choice: str) -> None:
    found = offered(Live(f"wsgc-2021({choice}, mtd_minimum=20)"))
    assert (found[Wager.HAND].least, found[Wager.MTD_UP].least) == (5_00, 20_00)


def test_stakes_by_wager_become_one_command() -> None:
    stakes = {Wager.HAND: 1000, Wager.MTD_B2: 500, Wager.JACKPOT_2: 100}
    command = PlaceWagers.of(3, stakes, "ana")
    assert command == PlaceWagers(3, 1000, "ana", {"b2": 500}, {2: 100})
    assert PlaceWagers.of(3, {Wager.MTD_UP: 500}) == PlaceWagers(3, 0, "", {"up": 500})


def test_wagers_can_be_withdrawn_and_closed() -> None:
    live = Live("wsgc-2021")
    [close] = [option for option in options(live.state) if isinstance(option, AnswerOption)]
    assert (close.name, close.legal, close.code, close.rules) == (
        "close",
        False,
        "no_wagers",
        ("R-014",),
    )
    live.do(wagers(3))
    answers = [option for option in options(live.state) if isinstance(option, AnswerOption)]
    assert [option.command() for option in answers] == [
        commands.WithdrawWagers(3),
        commands.CloseWagers(),
    ]


def test_insurance_and_blackjacks_are_offered() -> None:
    live = deal("wsgc-2021", "5c Ac 5d Kh", wagers(base=15))
    [insurance] = options(live.state)
    assert insurance == InsuranceOption(spot=1, most=7_50, unit=50, least=0)
    assert insurance.command(7_50) == commands.Insure(1, 7_50)
    assert insurance.command() == commands.Insure(1, 0)
    kept = deal("wsgc-2021(double_blackjack=on)", "Ac 9c Kd Kh")
    answers = [option for option in options(kept.state) if isinstance(option, AnswerOption)]
    assert [option.command() for option in answers] == [
        commands.TakeBlackjack(1),
        commands.KeepBlackjack(1),
    ]


def test_decisions_include_their_spot_and_reason() -> None:
    live = deal("wsgc-2021", "5c 9c 5d Kh")
    found = {option.name: option for option in action_options(live.state)}
    assert options(live.state) == action_options(live.state)
    assert found["double"].command(5_00) == commands.Double(1, 5_00)
    assert found["double"].command() == commands.Double(1)
    assert found["hit"].command(5_00) == commands.Hit(1)
    assert (found["rescue"].legal, found["rescue"].rules) == (False, ("R-057", "R-060"))


def test_refused_options_cost_nothing_and_the_table_closes_betting() -> None:
    bonus = offered(Live("wsgc-2021"))[Wager.MTD_B1]
    assert (bonus.least, bonus.most, bonus.unit, bonus.fixed) == (0, 0, 0, None)
    live = deal("wsgc-2021", "5c 9c 5d Kh")
    rescue = {option.name: option for option in action_options(live.state)}["rescue"]
    assert (rescue.chips, rescue.least_chips, rescue.unit) == (0, 0, 0)
    assert AnswerOption("close").spot == 0


def test_nothing_is_offered_unless_a_person_must_act() -> None:
    assert options(deal("wsgc-2021", "5c").state) == ()
    void = deal("wsgc-2021", "5c")
    void.do(commands.VoidRound("no light"))
    assert options(void.state) == ()
