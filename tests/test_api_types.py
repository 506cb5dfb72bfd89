"""The library as typed programs use it; mypy checks this file in strict mode."""

from __future__ import annotations

import re
from inspect import signature
from pydoc import TextDoc, render_doc

import pytest

import ventiuna as vt
from ventiuna.api import queries
from ventiuna.rules import Soft17, Surrender


def chips_of(option: vt.ActionOption | vt.AnswerOption | vt.InsuranceOption) -> int:
    if isinstance(option, vt.ActionOption):
        return option.chips
    if isinstance(option, vt.InsuranceOption):
        return option.most
    return 0


def names_of(options: tuple[vt.Option, ...]) -> list[str]:
    return [
        option.wager if isinstance(option, vt.WagerOption) else type(option).__name__
        for option in options
    ]


def test_programs_can_name_the_types_of_options() -> None:
    game = vt.Round("wsgc-2021")
    assert names_of(vt.options(game.state))[0] == "hand"
    game.wager(1000)
    game.deal("9c Ad Kh 9c")
    assert [chips_of(option) for option in game.options] == [500]
    game.do("insure", 0)
    assert {option.name: chips_of(option) for option in game.options
            if isinstance(option, vt.ActionOption)}["double"] == 1000  # fmt: skip
    hand: vt.HandInPlay = game.hands[0]
    assert hand.cards == ("9c", "Kh")


def test_the_choices_of_rules_are_types() -> None:
    house: vt.Rules = vt.rules("wsgc-2021", soft_17="stand")
    assert house.soft_17 is Soft17.STAND
    assert house.surrender is Surrender.LATE


@pytest.mark.parametrize("name", ["rules", "strategy"])
def test_help_shows_the_function_of_a_callable_package(name: str) -> None:
    room = getattr(vt, name)
    shown = re.sub(".\b", "", render_doc(room, renderer=TextDoc()))
    head = shown.partition("PACKAGE CONTENTS")[0]
    function = getattr(queries, name)
    assert f"{name}(" in head
    assert function.__doc__.splitlines()[0] in head
    assert next(iter(signature(room).parameters)) == {"rules": "name", "strategy": "rules"}[name]


def test_an_option_of_the_rules_says_where_it_belongs() -> None:
    sentence = "analyze: decks is a rule option. Write rules=vt.rules(name, decks=…)."
    with pytest.raises(vt.VentiunaError, match=f"^{re.escape(sentence)}$"):
        vt.analyze("wsgc-2021", decks=8)  # type: ignore[call-arg]
    assert vt.Round("wsgc-2021", decks=8).rules.decks == 8
