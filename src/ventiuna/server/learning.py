"""Reviews of people's rounds and hands to practise: worked out in the pools, then kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from random import Random
from typing import Any

from sqlalchemy import Connection, select

from ventiuna.analysis.coaching.drills import (
    Drill,
    Situation,
    deal_drill,
    drill_of,
)
from ventiuna.analysis.coaching.item_words import item_words
from ventiuna.analysis.coaching.kinds import DRILLED, Kind, item_of
from ventiuna.analysis.coaching.review import (
    FORM,
    PlayedRound,
    Staked,
    deviation_of_hand,
    expected,
    review,
    variances,
)
from ventiuna.engine.stakes import Wager
from ventiuna.rules import Rules, fingerprint, rules_from_data
from ventiuna.server.services import Services
from ventiuna.table.persons import history, learning
from ventiuna.table.persons.learning import RoundKey
from ventiuna.table.play.folding import meters_at
from ventiuna.table.store.schema import game_table

Data = dict[str, Any]
AT_ONCE = 8  # rounds that one request reviews: the page asks again until none is left
MOST_ROUNDS = 500
PATIENCE = 0.25  # seconds for the spread: the page asks again
DUE_FIRST = 0.6  # how often a hand that is due comes before a new one
WORTH_PRACTISING = 0.002  # base wagers: a mistake below it is none


# --- reviews ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Reviewed:
    """A round with its review, and what its wagers bring on average."""

    played: history.PlayedRound
    data: Data
    rules: Rules
    expected: float = 0.0
    variance: float | None = None  # None: still being worked out


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody's rounds since a time, and how many of them wait for their review."""

    rounds: list[Reviewed]  # in their order
    pending: int


async def session_of(services: Services, person: int, since: int) -> Session:
    """All that is reviewed, some more of it than before."""
    with services.store.read() as connection:
        played = _finished(connection, person, since)
        kept = learning.read_reviews(connection, person, [_key(one) for one in played])
        known = {key: data for key, data in kept.items() if data.get("form") == FORM}
        missing = [one for one in played if _key(one) not in known]
        rules = {one.table: _rules_of(connection, one.table) for one in played}
        questions = list(_questions(connection, person, missing[:AT_ONCE], rules))
    for one, question in questions:
        known[_key(one)] = await _review(services, person, one, question)
    rounds = [
        Reviewed(one, known[_key(one)], rules[one.table]) for one in played if _key(one) in known
    ]
    for table, its_rules in rules.items():
        await _expect(services, its_rules, [one for one in rounds if one.played.table == table])
    return Session(rounds, len(played) - len(rounds))


async def _expect(services: Services, rules: Rules, rounds: list[Reviewed]) -> None:
    """Averages at once; the spread of a hand takes seconds once for each set of rules."""
    staked = [_staked(one.data) for one in rounds]
    flat = tuple(one for its in staked for one in its)
    means = iter(await services.coach.ask(expected, rules, flat))
    for one, its in zip(rounds, staked, strict=True):
        one.expected = sum(next(means) for _ in its)
    deviation = services.studies.ask(deviation_of_hand, rules, patient=True)
    try:
        of_hand = await asyncio.wait_for(deviation, PATIENCE)
    except TimeoutError:
        return
    assert isinstance(of_hand, float)
    spread = iter(await services.coach.ask(variances, rules, flat, of_hand))
    for one, its in zip(rounds, staked, strict=True):
        one.variance = sum(next(spread) for _ in its)


def _staked(data: Data) -> list[Staked]:
    return [Staked(Wager(one["wager"]), one["cents"], one["meter"]) for one in data["wagers"]]


def _key(played: history.PlayedRound) -> RoundKey:
    return played.table, played.number


def _finished(connection: Connection, person: int, since: int) -> list[history.PlayedRound]:
    found = history.rounds_of_person(connection, person, most=MOST_ROUNDS)
    return [one for one in reversed(found) if one.outcome == "closed" and one.at >= since]


def _questions(
    connection: Connection,
    person: int,
    rounds: Iterable[history.PlayedRound],
    rules: Mapping[int, Rules],
) -> Iterator[tuple[history.PlayedRound, PlayedRound]]:
    """What a review needs of each round; the story of a shoe is read once."""
    stories: dict[tuple[int, int], dict[int, learning.ShoeRound]] = {}
    for one in rounds:
        shoe = one.table, one.shoe
        if shoe not in stories:
            told = learning.rounds_of_shoe(connection, one.table, one.shoe)
            stories[shoe] = {story.number: story for story in told}
        story = stories[shoe][one.number]
        its = rules[one.table]
        meters = tuple(meters_at(its, story.opening))
        yield one, PlayedRound(its, story.events, meters, str(person), story.seen_before)


def _rules_of(connection: Connection, table: int) -> Rules:
    found = connection.scalar(select(game_table.c.rules_data).where(game_table.c.id == table))
    return rules_from_data(json.loads(str(found)))


async def _review(
    services: Services, person: int, one: history.PlayedRound, question: PlayedRound
) -> Data:
    found = await services.coach.ask(review, question)
    with services.store.write() as connection:
        learning.keep_review(connection, person, _key(one), one.at, found)
        _practise_mistakes(connection, person, question.rules, found, services.now())
    return found


def _practise_mistakes(
    connection: Connection, person: int, rules: Rules, found: Data, now: int
) -> None:
    """What was played wrong is asked in drills."""
    for made in found["decisions"]:
        if made["cost"] > WORTH_PRACTISING and made["kind"] in DRILLED:
            hand = made["item"], made["kind"], asdict(situation_of(made))
            learning.practise(connection, person, fingerprint(rules), hand, False, now)


def session_data(session: Session) -> Data:
    """Result = house edge + mistakes + luck, in cents; each with its spread."""
    rounds = session.rounds
    net = sum(one.data["net"] for one in rounds)
    house_edge = sum(one.expected for one in rounds)
    cost = sum(one.data["cost"] for one in rounds)
    is_known = all(one.variance is not None for one in rounds)
    decisions = [
        {
            "table": one.played.table,
            "round": one.played.number,
            **made,
            **words_data(made["item"], one.rules),
        }
        for one in rounds
        for made in one.data["decisions"]
    ]
    mistakes = sorted(
        (one for one in decisions if one["cents"] > 0), key=lambda one: -float(one["cents"])
    )
    return {
        "rounds": len(rounds),
        "pending": session.pending,
        "spread_pending": not is_known,
        "base": sum(one.data["base"] for one in rounds),
        "net": net,
        "house_edge": house_edge,
        "mistakes": -cost,
        "luck": net - house_edge + cost,
        "shown": _shown(net, house_edge, -cost),
        "luck_deviation": sqrt(sum(one.variance or 0.0 for one in rounds)) if is_known else None,
        "mistakes_deviation": _deviation([one.data["cost"] for one in rounds]),
        "decisions": len(decisions),
        "wrong": len(mistakes),
        "worst": mistakes[:20],
        "kinds": _by_kind(decisions),
        "curve": _curve(rounds),
        "assumes": (
            "Each mistake is priced exactly by its own shoe: the cards that were unseen at that "
            "moment. The house edge is that of each wager with best play from a fresh shoe, and "
            "luck is what is left of the result; the Super Bonus and the Envy Bonus are in it. "
            "Keeping a blackjack costs nothing, doubling it has its price. The spread of luck "
            "approximates: it is exact for each wager with best play from a fresh shoe, and spots "
            "and wagers of a round count as independent. That of mistakes is estimated from your "
            "own rounds."
        ),
    }


def _shown(net: int, house_edge: float, mistakes: float) -> Data:
    """In whole cents that add up: what rounding leaves over is luck."""
    edge, skill = round(house_edge), round(mistakes)
    return {"net": net, "house_edge": edge, "mistakes": skill, "luck": net - edge - skill}


def _deviation(costs: list[float]) -> float:
    """Of the sum, as the costs of single rounds vary."""
    if len(costs) < 2:
        return 0.0
    mean = sum(costs) / len(costs)
    variance = sum((cost - mean) ** 2 for cost in costs) / (len(costs) - 1)
    return sqrt(variance * len(costs))


def _by_kind(decisions: list[Data]) -> list[Data]:
    found = []
    for kind in Kind:
        made = [one for one in decisions if one["kind"] == kind]
        wrong = [one for one in made if one["cents"] > 0]
        if made:
            cost = sum(one["cents"] for one in wrong)
            row = {"kind": str(kind), "decisions": len(made), "wrong": len(wrong), "cents": cost}
            found.append(row)
    return found


def _curve(rounds: list[Reviewed]) -> list[Data]:
    """The balance after each round, what play earns on average, and the spread around it."""
    net = average = variance = 0.0
    points = []
    for one in rounds:
        net += one.data["net"]
        average += one.expected - one.data["cost"]
        variance += one.variance or 0.0
        points.append(
            {
                "table": one.played.table,
                "round": one.played.number,
                "at": one.played.at,
                "net": net,
                "expected": average,
                "deviation": sqrt(variance),
            }
        )
    return points


# --- drills -----------------------------------------------------------------------------------


async def next_drill(
    services: Services, person: int, rules: Rules, kind: Kind | None, seed: int, after: str = ""
) -> tuple[Drill, bool]:
    """A hand to play, and whether it was due: it was missed before, or long ago.

    What was asked just before (`after`) waits for another hand: its answer is still in sight.
    """
    chance = Random(seed)
    with services.store.read() as connection:
        due = learning.due_hands(
            connection, person, fingerprint(rules), kind and str(kind), services.now()
        )
    due = [one for one in due if one.item != after]
    if due and chance.random() < DUE_FIRST:
        again = chance.choice(due)
        return await services.coach.ask(drill_of, rules, situation_of(again.situation)), True
    return await services.coach.ask(deal_drill, rules, kind, chance), False


def words_data(item: str, rules: Rules) -> Data:
    """A class of hands as it is said."""
    words = item_words(item, rules.pack)
    return {"hand_words": words.hand, "up_words": words.up, "item_words": words.whole}


def situation_of(told: Mapping[str, Any]) -> Situation:
    """As a review or a practised hand describes it."""
    return Situation(
        tuple(told["cards"]),
        told["up"],
        told["doublings"],
        bool(told["insurance"]),
        told.get("hands", 1),  # those kept from earlier versions have none
        told.get("hand", 0),
    )


async def answered(
    services: Services, person: int, rules: Rules, situation: Situation, action: str
) -> Data:
    """What the answer costs; when the hand comes again is noted."""
    drill = await services.coach.ask(drill_of, rules, situation)
    data = drill.advice.as_data(action)
    done = data["done"]
    assert isinstance(done, dict)
    right = done["cost"] <= WORTH_PRACTISING
    hand = item_of(drill.coached), str(drill.kind), asdict(situation)
    with services.store.write() as connection:
        noted = learning.practise(
            connection, person, fingerprint(rules), hand, right, services.now()
        )
    return {
        **data,
        "right": right,
        "item": noted.item,
        "box": noted.box,
        "due_at": noted.due_at,
        "asked": noted.asked,
        "missed": noted.missed,
    }
