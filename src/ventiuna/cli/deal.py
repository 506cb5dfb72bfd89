"""`ventiuna deal`: rounds with a simple built-in player, written as notation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import typer

from ventiuna.cli.commands import App
from ventiuna.cli.output import JsonFlag, RulesArgument, print_json
from ventiuna.cli.rules_words import DEFAULT_RULES
from ventiuna.engine import RoundState, Shoe, execute, finish_round
from ventiuna.engine.codec import event_data
from ventiuna.engine.commands import PlaceWagers
from ventiuna.engine.events import Event, WagerSettled
from ventiuna.money import MoneyError, parse_amount
from ventiuna.notation import record_of, write_round
from ventiuna.rules import Rules, canonical, fingerprint, load_rules, rules_data
from ventiuna.strategy.players import steady_player
from ventiuna.texts import one_line

DEFAULT_BASE = "10"


def register(app: App) -> None:
    app.command("deal", tables=False)(deal)


def deal(
    rules: RulesArgument = DEFAULT_RULES,
    seed: Annotated[int, typer.Option(help="The same seed deals the same cards.")] = 21,
    rounds: Annotated[int, typer.Option(min=1, max=1_000_000, help="Number of rounds.")] = 1,
    spots: Annotated[int, typer.Option(min=1, max=7, help="Betting spots.")] = 1,
    base: Annotated[str, typer.Option(help="Base wager in dollars.")] = DEFAULT_BASE,
    side: Annotated[
        str, typer.Option(help="Match the Dealer wagers, such as up=5,down=5,b1=2.")
    ] = "",
    jackpots: Annotated[bool, typer.Option(help="Bet on every jackpot game.")] = False,
    complete: Annotated[
        bool,
        typer.Option(
            "--complete", help="With the rules themselves, whatever becomes of their preset."
        ),
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Deal rounds to a simple player and print them as text that `settle` reads.

    The seed determines the shuffle, so use it for study, not for real tables.
    """
    house = load_rules(rules)
    wagers = [
        PlaceWagers(
            spot,
            _amount("--base", base),
            f"P{spot}",
            mtd=_side_wagers(side),
            jackpots=_jackpot_wagers(house) if jackpots else {},
        )
        for spot in range(1, spots + 1)
    ]
    dealt = _deal_rounds(house, wagers, seed, rounds, complete)
    if not as_json:
        for played in dealt:
            print("\n".join(map(one_line, played.text.split("\n"))))
        return
    all_rounds = list(dealt)
    print_json(
        {
            "rules": canonical(house),
            "fingerprint": fingerprint(house),
            "rules_data": rules_data(house),
            "seed": seed,
            "total_cents": sum(played.total for played in all_rounds),
            "rounds": [played.as_data() for played in all_rounds],
        }
    )


def _side_wagers(text: str) -> dict[str, int]:
    wagers = {}
    for part in filter(str.strip, text.split(",")):
        name, sign, amount = part.partition("=")
        if not sign:
            raise MoneyError(f"--side {part.strip()}: write a wager and its amount, such as up=5")
        wagers[name.strip()] = _amount(f"--side {name.strip()}", amount)
    return wagers


def _amount(what: str, text: str) -> int:
    try:
        return parse_amount(text)
    except MoneyError as error:
        raise MoneyError(f"{what}: {error}") from None


def _jackpot_wagers(rules: Rules) -> dict[int, int]:
    return {number: jackpot.wager for number, jackpot in enumerate(rules.jackpots, start=1)}


@dataclass(frozen=True, slots=True)
class _Dealt:
    """One round that was dealt."""

    number: int
    text: str
    events: list[Event]

    @property
    def total(self) -> int:
        return sum(event.net for event in self.events if isinstance(event, WagerSettled))

    def as_data(self) -> dict[str, object]:
        return {
            "round": self.number,
            "notation": self.text,
            "total_cents": self.total,
            "events": [event_data(event) for event in self.events],
        }


def _deal_rounds(
    rules: Rules, wagers: list[PlaceWagers], seed: int, rounds: int, complete: bool
) -> Iterator[_Dealt]:
    shoe = Shoe(rules, random.Random(seed).shuffle)
    meters = [(jackpot.seed, 0) for jackpot in rules.jackpots]
    for number in range(1, rounds + 1):
        shoe.begin_round()
        state = RoundState(rules, meters or None)
        for wager in wagers:
            execute(state, wager)
        events = finish_round(state, shoe, steady_player)
        text = write_round(record_of(rules, events, meters, str(number)), complete)
        meters = [(meter.cents, meter.remainder) for meter in state.meters]
        yield _Dealt(number, text, events)
