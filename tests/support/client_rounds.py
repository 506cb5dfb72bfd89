"""Rounds played by the client that knows no rules, with each answer compared with the engine."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field

from tests.exhaustive.enumeration import candidates
from tests.support.client import Client, PromptView, not_offered, prompt_view
from ventiuna.engine.codec import Data, command_data, command_from_data
from ventiuna.engine.commands import Command, DataError, DealCard, Refused
from ventiuna.engine.dealing import OutOfCards, Shoe, deal_wanted_cards
from ventiuna.engine.decide import decide, execute
from ventiuna.engine.events import Event, Stage
from ventiuna.engine.prompts import NothingWanted, waiting_for
from ventiuna.engine.state import RoundState
from ventiuna.engine.views import EVERYONE, view, view_data
from ventiuna.rules import Rules
from ventiuna.testing.conformance import biased_shuffle, random_wagers
from ventiuna.testing.invariants import InvariantBroken, check_round

PROBE_CHANCE = 0.1  # probability of trying all commands that aren't offered


@dataclass
class ClientTally:
    rounds: int = 0
    abandoned: int = 0  # every card of the shoe was on the table
    commands: int = 0
    probes: int = 0
    waits: Counter[str] = field(default_factory=Counter)

    @property
    def dealt(self) -> int:
        return self.rounds + self.abandoned

    def add(self, other: ClientTally) -> None:
        self.rounds += other.rounds
        self.abandoned += other.abandoned
        self.commands += other.commands
        self.probes += other.probes
        self.waits += other.waits


def play_as_client(
    rules: Rules, rounds: int, seed: int, probes: float = PROBE_CHANCE
) -> ClientTally:
    """Play `rounds` rounds under these rules; raises `InvariantBroken` at the first wrong offer."""
    generator = random.Random(seed)
    table = _ClientTable(rules, generator, probes)
    for _ in range(rounds):
        table.play_round()
    return table.tally


class _ClientTable:
    def __init__(self, rules: Rules, generator: random.Random, probes: float) -> None:
        self.tally = ClientTally()
        self._rules = rules
        self._random = generator
        self._probes = probes
        self._client = Client(generator)
        self._shoe = Shoe(rules, biased_shuffle(rules, generator))

    def play_round(self) -> None:
        self._shoe.begin_round()
        state = RoundState(self._rules)
        start = [(meter.cents, meter.remainder) for meter in state.meters]
        events: list[Event] = []
        try:
            while not isinstance(waiting_for(state), NothingWanted):
                events += self._step(state)
        except OutOfCards:
            self._shoe.shuffle_all()
            self.tally.abandoned += 1
            return
        if state.stage is not Stage.CLOSED:
            raise InvariantBroken(f"the round ends in {state.stage}")
        check_round(state, start, events)
        self.tally.rounds += 1

    def _step(self, state: RoundState) -> list[Event]:
        ask = prompt_view(client_view(state))
        self.tally.waits[ask.waiting] += 1
        self.tally.commands += 1
        if self._random.random() < self._probes:
            self._probe(state, ask)
        data = self._client.command(ask)
        try:
            events = execute(state, _parse(data))
        except (Refused, DataError) as error:
            raise InvariantBroken(f"an offered command was refused: {data}: {error}") from error
        return events + deal_wanted_cards(state, self._shoe)

    def _probe(self, state: RoundState, ask: PromptView) -> None:
        for data in not_offered(ask):
            self.tally.probes += 1
            if _is_taken(state, data):
                raise InvariantBroken(f"accepted but not offered: {data}; {ask.options}")
        for command in self._legal(state, ask):
            self.tally.probes += 1
            if not _is_offered(ask, json.loads(json.dumps(command_data(command)))):
                raise InvariantBroken(f"legal but not offered: {command}; {ask.options}")

    def _legal(self, state: RoundState, ask: PromptView) -> list[Command]:
        """Commands that the rules call legal; for wagers, a random command that may be legal."""
        if ask.waiting != "wagers":
            return [*candidates(state, waiting_for(state), doubles_for_less=True)]
        spot = self._random.randint(1, self._rules.seats)
        return [random_wagers(self._rules, spot, self._random)]


def client_view(state: RoundState) -> Data:
    """The view that a client gets, after a round trip through JSON."""
    data: Data = json.loads(json.dumps(view_data(view(state, EVERYONE))))
    return data


def _parse(data: Data) -> Command:
    command = command_from_data(json.loads(json.dumps(data)))
    assert not isinstance(command, DealCard)
    return command


def _is_taken(state: RoundState, data: Data) -> bool:
    try:
        decide(state, _parse(data))
    except (Refused, DataError):
        return False
    return True


# --- is a legal command among the options? ----------------------------------------------------


def _is_offered(ask: PromptView, command: Data) -> bool:
    kind = command["command"]
    if kind == "PlaceWagers":
        return _wagers_are_offered(ask, command)
    for option in ask.options:
        if option.get("spot") != command["spot"] or not option.get("legal", True):
            continue
        if kind == "Insure" and option["kind"] == "insurance":
            return _in_range(command["amount"], option["least"], option["most"], option["unit"])
        names = {"take": "TakeBlackjack", "keep": "KeepBlackjack", "double-double": "DoubleDouble"}
        name = str(option.get("name"))
        if names.get(name, name.capitalize()) == kind:
            amount = command.get("amount")
            whole = amount is None or amount == option["chips"]
            return whole or _in_range(
                amount, option["least_chips"], option["chips"], option["unit"]
            )
    return False


def _wagers_are_offered(ask: PromptView, command: Data) -> bool:
    offered = {str(option["wager"]): option for option in ask.options if option["kind"] == "wager"}
    placed: dict[str, object] = {"hand": command["base"]}
    mtd, jackpots = command["mtd"], command["jackpots"]
    assert isinstance(mtd, dict)
    assert isinstance(jackpots, dict)
    placed |= {f"mtd {part}": cents for part, cents in mtd.items()}
    placed |= {f"jackpot {game}": cents for game, cents in jackpots.items()}
    for name, cents in placed.items():
        option = offered[name]
        spots, needs = option["spots"], option["needs"]
        assert isinstance(spots, list)
        assert isinstance(needs, list)
        fits = option["legal"] and command["spot"] in spots and set(needs) <= set(placed)
        if not fits or not _in_range(cents, option["least"], option["most"], option["unit"]):
            return False
        at_most = option["at_most"]
        if at_most is not None and not _in_range(cents, 0, placed[str(at_most)], 1):
            return False
    return all(name in placed for name, option in offered.items() if option["required"])


def _in_range(amount: object, least: object, most: object, unit: object) -> bool:
    numbers = [part for part in (amount, least, most, unit) if isinstance(part, int)]
    if len(numbers) < 4:
        return False
    cents, low, high, step = numbers
    return low <= cents <= high and cents % step == 0
