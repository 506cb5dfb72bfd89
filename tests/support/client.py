"""A client that knows no rule plays whole rounds from views and options alone."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.exhaustive.enumeration import candidates
from ventiuna.engine.codec import Data, command_data, command_from_data
from ventiuna.engine.commands import Command, DealCard
from ventiuna.engine.dealing import OutOfCards, Shoe, deal_wanted_cards
from ventiuna.engine.decide import decide, execute
from ventiuna.engine.errors import DataError, Refused
from ventiuna.engine.events import Event, Stage, Wager
from ventiuna.engine.prompts import NothingWanted, waiting_for
from ventiuna.engine.state import RoundState
from ventiuna.engine.views import EVERYONE, view, view_data
from ventiuna.rules import Rules
from ventiuna.testing.conformance import favouring_shuffle, random_wagers
from ventiuna.testing.invariants import InvariantBroken, check_round

# --- The client ---

MATCH_PARTS = {str(wager): wager.part for wager in Wager if wager.part}
JACKPOT_GAMES = {str(wager): wager.game for wager in Wager if wager.game}
BASE_WAGER = str(Wager.HAND)
PERSONS = ("", "ana", "ben", "dealer")
MORE_WAGERS_CHANCE = 0.6  # share of the moments when another spot gets wagers
CHANCE_OF_WAGER = 0.5


class PromptView(NamedTuple):
    """What a table shows: the view as data."""

    waiting: str
    options: list[Data]
    spots: list[Data]


def prompt_view(view: Data) -> PromptView:
    waiting = _text(_data(view["waiting_for"]), "kind")
    return PromptView(waiting, _list(view, "options"), _list(view, "spots"))


class Client:
    """Chooses commands, as plain data, from what is offered."""

    def __init__(self, generator: random.Random) -> None:
        self._random = generator

    def command(self, ask: PromptView) -> Data:
        """One of the things that are offered now, amounts included."""
        if ask.waiting == "wagers":
            return self._wagers(ask)
        legal = [option for option in ask.options if option.get("legal", True)]
        return self._chosen(self._random.choice(legal))

    def _chosen(self, option: Data) -> Data:
        kind, spot = option["kind"], option.get("spot", 0)
        if kind == "insurance":
            return {"command": "Insure", "spot": spot, "amount": self._amount(option, "most")}
        if kind == "answer":
            return _answer(option)
        name = COMMANDS[_text(option, "name")]
        if name == "Double" and self._random.random() < 0.5:
            return {"command": name, "spot": spot, "amount": self._less(option)}
        return {"command": name, "spot": spot}

    def _less(self, option: Data) -> int:
        """Chips of a double for less: multiples of the unit, or all of it."""
        chips, least = _int(option, "chips"), _int(option, "least_chips")
        below = list(range(least, chips, _int(option, "unit")))
        return self._random.choice(below[-9:] + below[:1] + [chips])

    # --- wagers ---

    def _wagers(self, ask: PromptView) -> Data:
        """Wagers on a spot, now and then taken back, until they are closed."""
        answers = [option for option in ask.options if option["kind"] == "answer"]
        close = next(option for option in answers if option["name"] == "close")
        if close["legal"] and self._random.random() > MORE_WAGERS_CHANCE:
            return self._chosen(self._random.choice(answers) if len(answers) < 3 else close)
        return self.wagers(ask)

    def wagers(self, ask: PromptView) -> Data:
        offered = {_text(o, "wager"): o for o in ask.options if o["kind"] == "wager" and o["legal"]}
        base = offered.pop(BASE_WAGER)
        placed = {BASE_WAGER: self._amount(base, "most")}
        for name, option in offered.items():
            if not self._wants(option, placed):
                continue
            most = _int(option, "most")
            if option["at_most"] is not None:
                most = min(most, placed[_text(option, "at_most")])
            if most >= _int(option, "least"):
                placed[name] = self._amount({**option, "most": most}, "most")
        return place(self._random.choice(_numbers(base, "spots")), placed, self._person())

    def _wants(self, option: Data, placed: dict[str, int]) -> bool:
        if any(needed not in placed for needed in _texts(option, "needs")):
            return False
        return bool(option["required"]) or self._random.random() < CHANCE_OF_WAGER

    def _person(self) -> str:
        return self._random.choice(PERSONS)

    def _amount(self, option: Data, most: str) -> int:
        """A multiple of the unit, the ends more often than chance would have it."""
        least, highest, unit = _int(option, "least"), _int(option, most), _int(option, "unit")
        steps = (highest - least) // unit
        few = min(steps, 12)
        return least + unit * self._random.choice([0, 0, few, steps, self._random.randint(0, few)])


# --- what is not offered ----------------------------------------------------------------------


def not_offered(ask: PromptView) -> Iterator[Data]:
    """Commands outside of what is offered: a table refuses all of them."""
    yield from _misplaced_commands(ask)
    for option in ask.options:
        if option["kind"] == "insurance":
            yield from _wrong_insurance(option)
        elif option["kind"] == "action":
            yield from _wrong_action(option)
        elif option["kind"] == "answer" and not option["legal"]:
            yield _answer(option)
    if ask.waiting == "wagers":
        yield from _wrong_wagers(ask)


def _misplaced_commands(ask: PromptView) -> Iterator[Data]:
    """Commands that belong to another kind of wait, or to another spot."""
    kinds = {_text(option, "kind") for option in ask.options}
    answers = {_text(option, "name") for option in ask.options if option["kind"] == "answer"}
    for spot in (_int(seat, "number") for seat in ask.spots):
        asked = {_int(option, "spot") for option in ask.options if "spot" in option}
        if "insurance" not in kinds or spot not in asked:
            yield {"command": "Insure", "spot": spot, "amount": 0}
        if "take" not in answers or spot not in asked:
            yield {"command": "TakeBlackjack", "spot": spot}
            yield {"command": "KeepBlackjack", "spot": spot}
        if "action" not in kinds or spot not in asked:
            yield from ({"command": name, "spot": spot} for name in COMMANDS.values())
        if "withdraw" not in answers:
            yield {"command": "WithdrawWagers", "spot": spot}
    if "close" not in answers:
        yield {"command": "CloseWagers"}
        yield place(1, {BASE_WAGER: 10_00}, "")


def _wrong_insurance(option: Data) -> Iterator[Data]:
    most, unit = _int(option, "most"), _int(option, "unit")
    for amount in (most + unit, most + 1, unit - 1 or most + 2, -unit):
        yield {"command": "Insure", "spot": option["spot"], "amount": amount}


def _wrong_action(option: Data) -> Iterator[Data]:
    name = COMMANDS[_text(option, "name")]
    if not option["legal"]:
        yield {"command": name, "spot": option["spot"]}
    elif name == "Double":
        chips, least, unit = (_int(option, part) for part in ("chips", "least_chips", "unit"))
        wrong = {chips + unit, chips + 1, 0, -unit, least - 1}
        wrong |= {chips - unit} if least == chips else {chips - 1} if unit > 1 else set()
        for amount in wrong:
            yield {"command": name, "spot": option["spot"], "amount": amount}


def _wrong_wagers(ask: PromptView) -> Iterator[Data]:
    offered = {_text(o, "wager"): o for o in ask.options if o["kind"] == "wager"}
    base = offered[BASE_WAGER]
    least = minimum_wagers(ask)
    spots = _numbers(base, "spots")
    for spot in (0, max(spots) + 1):
        yield place(spot, least, "")
    for name, option in offered.items():
        if not option["legal"]:
            yield place(spots[0], {**least, name: 1_00}, "")
            continue
        for amount in _wrong_amounts(option):
            if amount or option["required"]:
                yield place(spots[0], _supporting_wagers(offered, least, name) | {name: amount}, "")
        if option["at_most"] is not None and _int(base, "most") > _int(base, "least"):
            above = least[BASE_WAGER] + _int(option, "unit")
            yield place(spots[0], _supporting_wagers(offered, least, name) | {name: above}, "")
        for needed in _texts(option, "needs"):
            alone = _supporting_wagers(offered, least, name) | {name: _int(option, "least")}
            yield place(spots[0], {other: alone[other] for other in alone if other != needed}, "")


def _wrong_amounts(option: Data) -> Iterator[int]:
    least, most, unit = (_int(option, part) for part in ("least", "most", "unit"))
    yield from (least - unit, most + unit, -unit)
    if unit > 1:
        yield from (least + 1, most - 1)
    if option["required"]:
        yield 0


def minimum_wagers(ask: PromptView) -> dict[str, int]:
    """The smallest wagers with which a spot can play."""
    offered = [o for o in ask.options if o["kind"] == "wager" and o["legal"] and o["required"]]
    return {_text(option, "wager"): _int(option, "least") for option in offered}


def _supporting_wagers(
    offered: dict[str, Data], least: dict[str, int], name: str
) -> dict[str, int]:
    """The smallest wagers beside which this one has its place: large enough for it."""
    option = offered[name]
    wagers = dict(least)
    for needed in _texts(option, "needs"):
        wagers.setdefault(needed, _int(offered[needed], "least"))
    return wagers


# --- plain data -------------------------------------------------------------------------------

COMMANDS = {
    "stand": "Stand",
    "hit": "Hit",
    "double": "Double",
    "double-double": "DoubleDouble",
    "split": "Split",
    "surrender": "Surrender",
    "rescue": "Rescue",
}
_ANSWERS = {"take": "TakeBlackjack", "keep": "KeepBlackjack", "withdraw": "WithdrawWagers"}


def _answer(option: Data) -> Data:
    name = _text(option, "name")
    if name == "close":
        return {"command": "CloseWagers"}
    return {"command": _ANSWERS[name], "spot": option["spot"]}


def place(spot: int, wagers: dict[str, int], person: str) -> Data:
    return {
        "command": "PlaceWagers",
        "spot": spot,
        "base": wagers.get(BASE_WAGER, 0),
        "person": person,
        "mtd": {MATCH_PARTS[name]: cents for name, cents in wagers.items() if name in MATCH_PARTS},
        "jackpots": {
            str(JACKPOT_GAMES[name]): cents
            for name, cents in wagers.items()
            if name in JACKPOT_GAMES
        },
    }


def _data(value: object) -> Data:
    assert isinstance(value, dict)
    return value


def _int(option: Data, part: str) -> int:
    value = option[part]
    assert isinstance(value, int)
    return value


def _text(option: Data, part: str) -> str:
    value = option[part]
    assert isinstance(value, str)
    return value


def _list(data: Data, part: str) -> list[Data]:
    value = data[part]
    assert isinstance(value, list)
    return value


def _texts(option: Data, part: str) -> list[str]:
    value = option[part]
    assert isinstance(value, list)
    return value


def _numbers(option: Data, part: str) -> list[int]:
    value = option[part]
    assert isinstance(value, list)
    return value


# --- Its rounds ---

PROBE_CHANCE = 0.1  # share of the moments at which everything that is not offered is tried


@dataclass
class ClientTally:
    rounds: int = 0
    abandoned: int = 0  # every card of the shoe lay on the table
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
    """Play so many rounds under these rules; raises `InvariantBroken` at the first wrong offer."""
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
        self._shoe = Shoe(rules, favouring_shuffle(rules, generator))

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
            raise InvariantBroken(f"what was offered is refused: {data}: {error}") from error
        return events + deal_wanted_cards(state, self._shoe)

    def _probe(self, state: RoundState, ask: PromptView) -> None:
        for data in not_offered(ask):
            self.tally.probes += 1
            if _is_taken(state, data):
                raise InvariantBroken(f"it is not offered and legal: {data}, offered {ask.options}")
        for command in self._legal(state, ask):
            self.tally.probes += 1
            if not _is_offered(ask, json.loads(json.dumps(command_data(command)))):
                raise InvariantBroken(f"it is legal and not offered: {command}, {ask.options}")

    def _legal(self, state: RoundState, ask: PromptView) -> list[Command]:
        """Commands that the rules themselves say are legal, or try whether they are."""
        if ask.waiting != "wagers":
            return [*candidates(state, waiting_for(state), doubles_for_less=True)]
        spot = self._random.randint(1, self._rules.seats)
        return [random_wagers(self._rules, spot, self._random)]


def client_view(state: RoundState) -> Data:
    """What goes to a client, and through JSON."""
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


# --- is a legal command among what is offered? ------------------------------------------------


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
