"""Answer the questions of the conformance kit: one JSON object per line, in and out.

The protocol is described in docs/conformance.md. Our engine gets no help from the kit: it reads the
same questions as any other program, with complete rules, and its answers are compared elsewhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from ventiuna.cards import card_text, cards_text, parse_card
from ventiuna.core import actions
from ventiuna.engine.commands import (
    CloseWagers,
    Command,
    DealCard,
    Double,
    Insure,
    KeepBlackjack,
    PlaceWagers,
    Refused,
    TakeBlackjack,
    VoidRound,
)
from ventiuna.engine.dealing import own_meters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Event, RoundVoided, WagerSettled
from ventiuna.engine.options import ACTION_COMMANDS, ActionOption, InsuranceOption, options
from ventiuna.engine.prompts import CardWanted, MetersWanted, NothingWanted, waiting_for
from ventiuna.engine.state import RoundState
from ventiuna.errors import VentiunaError
from ventiuna.notation.json_format import parse_json
from ventiuna.package import version
from ventiuna.rules import Rules, RulesError, rules_from_data
from ventiuna.table.fairness import (
    ContextError,
    cut_commitment,
    mix_of,
    read_context,
    shoe_commitment,
    shoe_order,
    shoe_randomness,
)
from ventiuna.table.shoe_record import RecordError, record_from_data, verify

PROTOCOL = 1
FIRST_CARDS = 10  # of a shoe, to make a wrong order easier to find
Json = dict[str, Any]

_ACTIONS = {actions.ACTION_NAMES[code]: command for code, command in ACTION_COMMANDS.items()}


class QuestionError(VentiunaError, ValueError):
    """A line that isn't a question of the kit."""


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """Answer each line; a line that can't be answered gets an error, and the next one is read."""
    for line in lines:
        if line.strip():
            try:
                found = answer(parse_json(line, "the question"))
            except VentiunaError as error:
                found = {"error": str(error)}
            yield json.dumps(found, ensure_ascii=False)


def answer(question: object) -> Json:
    """Answer one question; raises a `VentiunaError` with one sentence if it can't be read."""
    if not isinstance(question, Mapping) or question.get("ask") not in _ANSWERS:
        raise QuestionError(f"A question must have an ask: {', '.join(_ANSWERS)}.")
    try:
        return _ANSWERS[question["ask"]](dict(question))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, VentiunaError):
            raise
        raise QuestionError(
            f"The {question['ask']} question has an invalid or missing field."
        ) from None


def _hello(question: Json) -> Json:
    return {
        "protocol": PROTOCOL,
        "engine": f"ventiuna {version()}",
        "answers": [name for name in _ANSWERS if name != "hello"],
    }


# --- rounds -------------------------------------------------------------------------------------


# The kit leaves out the origin of its rules, which affects no payment.
_NO_ORIGIN: Json = {
    "preset": "", "start": None, "choices": {}, "jackpot_choices": {}, "sources": {}, "notices": []
}  # fmt: skip


class _Stopped(Exception):
    """The rules refuse something; the argument says where."""


def _round(question: Json) -> Json:
    try:
        rules = _rules(json.dumps(question["rules"]))
    except RulesError:
        return {"refused": {"at": "rules"}}
    meters = [(meter["cents"], meter["rest"]) for meter in question["meters"]]
    played = _Played(RoundState(rules, meters or None), question)
    try:
        played.play()
    except _Stopped as stopped:
        return {"refused": stopped.args[0]}
    voided = any(isinstance(event, RoundVoided) for event in played.events)
    settled = (event for event in played.events if isinstance(event, WagerSettled))
    payments = [] if voided else settled  # a voided round returns every wager and payment
    return {
        **({"voided": True} if voided else {}),
        "payments": [
            {
                "spot": event.spot,
                "hand": event.hand,
                "wager": str(event.wager),
                "stake": event.stake,
                "paid": event.paid,
            }
            for event in payments
        ],
        "meters": [{"cents": one.cents, "rest": one.remainder} for one in played.state.meters],
        "turns": played.turns,
        "cards": played.cards_used,
    }


@lru_cache(maxsize=64)
def _rules(text: str) -> Rules:
    data = json.loads(text)
    return rules_from_data({**data, "origin": _NO_ORIGIN | data.get("origin", {})})


class _Played:
    """A round whose cards and choices come from the question."""

    def __init__(self, state: RoundState, question: Json) -> None:
        self.state = state
        self.events: list[Event] = []
        self.turns: list[Json] = []
        self.cards_used = self.choices_used = 0
        self._wagers = question["wagers"]
        self._cards = [parse_card(card) for card in question["cards"]]
        self._choices = question["choices"]

    def play(self) -> None:
        for placed in self._wagers:
            stakes = {int(game): cents for game, cents in placed["jackpots"].items()}
            wagers = PlaceWagers(
                placed["spot"], placed["base"], placed["person"], placed["mtd"], stakes
            )
            self._do(wagers, {"at": "wagers", "number": placed["spot"]})
        self._do(CloseWagers(), {"at": "wagers", "number": 0})
        while not isinstance(prompt := waiting_for(self.state), NothingWanted):
            if isinstance(prompt, MetersWanted):
                self._do(own_meters(self.state), {"at": "meters", "number": 0})
            elif isinstance(prompt, CardWanted):
                self._deal()
            else:
                self.turns.append(_turn(self.state))
                self._choose()
        if self.choices_used < len(self._choices):
            self._choose()

    def _do(self, command: Command, where: Json) -> None:
        try:
            self.events += execute(self.state, command)
        except Refused as refused:
            raise _Stopped({**where, "rules": list(refused.rules)}) from None

    def _deal(self) -> None:
        if self.cards_used < len(self._cards):
            self.cards_used += 1
            card = DealCard(self._cards[self.cards_used - 1])
            self._do(card, {"at": "card", "number": self.cards_used})
        elif self.choices_used < len(self._choices):
            self._choose()
        else:
            raise QuestionError("The round needs one more card than the question has.")

    def _choose(self) -> None:
        if self.choices_used == len(self._choices):
            raise QuestionError("The round needs one more choice than the question has.")
        choice = self._choices[self.choices_used]
        self.choices_used += 1
        self._do(_command(choice), {"at": "choice", "number": self.choices_used})


def _command(choice: Json) -> Command:
    spot, word = choice["spot"], choice["do"]
    if word == "void":
        return VoidRound("the kit asks for it")
    if word == "wager":
        return PlaceWagers(spot, choice["cents"])
    if word == "insure":
        return Insure(spot, choice["cents"])
    if word in ("take", "keep"):
        return TakeBlackjack(spot) if word == "take" else KeepBlackjack(spot)
    return Double(spot, choice.get("cents")) if word == "double" else _ACTIONS[word](spot)


def _turn(state: RoundState) -> Json:
    """What the first spot that must answer may do, with the cents that each choice adds at most."""
    offered = [option for option in options(state) if getattr(option, "legal", True)]
    spot = offered[0].spot  # type: ignore[union-attr]
    legal = {}
    for option in offered:
        if isinstance(option, InsuranceOption) and option.spot == spot:
            legal["insure"] = option.most
        elif isinstance(option, ActionOption):
            legal[option.name] = option.chips
        elif getattr(option, "spot", 0) == spot:
            legal[getattr(option, "name", "")] = 0
    hand = offered[0].hand if isinstance(offered[0], ActionOption) else 0
    return {"spot": spot, "hand": hand, "legal": dict(sorted(legal.items()))}


# --- shoes --------------------------------------------------------------------------------------


def _shoe(question: Json) -> Json:
    context = read_context(question["context"])
    seed = bytes.fromhex(question["seed"])
    commitment = shoe_commitment(context, seed)
    opened = {cut["seat"]: bytes.fromhex(cut["value"]) for cut in question["cuts"]}
    mix = mix_of(commitment, opened)
    words = shoe_randomness(context, seed, mix)
    order = shoe_order(context, words)
    again = list(order)
    words.shuffle(again)
    return {
        "commitment": commitment.hex(),
        "cuts": [cut_commitment(commitment, seat, opened[seat]).hex() for seat in opened],
        "mix": mix.hex(),
        "first": [card_text(card) for card in order[:FIRST_CARDS]],
        "order": _hash_of(order),
        "again": _hash_of(again),
    }


def _hash_of(cards: list[int]) -> str:
    return hashlib.sha256(cards_text(cards).encode()).hexdigest()


def _record(question: Json) -> Json:
    try:
        return {"holds": verify(record_from_data(question["record"])).holds}
    except (RecordError, ContextError):
        return {"holds": False}


_ANSWERS = {"hello": _hello, "round": _round, "shoe": _shoe, "record": _record}
