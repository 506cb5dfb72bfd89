"""Write the conformance kit's data: conformance/*.json and *.jsonl, and the vectors in verify.html.

python -m tests.conformance_kit             rewrite the kit with the seeds it already has
python -m tests.conformance_kit --check     check that it is up to date
python -m tests.conformance_kit --search N  choose the random rounds again, from N seeds each

Nothing is stored twice. The worked rounds and refusals come from tests/golden, and the pay
tables from the rules. The dealt rounds are random. A search keeps only the seeds that show a
payment, an offer or a refusal that no earlier seed has shown; the kit's own file lists them.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.pages import is_written
from tests.support.rule_sets import random_rules
from ventiuna.cards import Pack, card_text, parse_card, parse_cards
from ventiuna.core import actions
from ventiuna.core.side_bets import fixed_line, special_line
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
from ventiuna.engine.dealing import OutOfCards, Shoe, own_meters
from ventiuna.engine.decide import execute
from ventiuna.engine.events import Place
from ventiuna.engine.options import ACTION_COMMANDS, default_command, legal_actions
from ventiuna.engine.prompts import CardWanted, DecisionWanted, MetersWanted, NothingWanted, Waiting
from ventiuna.engine.prompts import waiting_for as prompt_of
from ventiuna.engine.state import RoundState
from ventiuna.notation import RefusedCase, differences, read_refused_cases, replay, round_from_data
from ventiuna.proof.conformance import PROTOCOL, answer
from ventiuna.rules import Rules, RulesError, change_rules, load_rules, rules_data
from ventiuna.rules.data_files import jackpot_tables
from ventiuna.strategy.players import RandomPlayer
from ventiuna.table.fairness import ShoeContext
from ventiuna.testing.conformance import MOODS, biased_shuffle, random_command, random_wagers

ROOT = Path(__file__).resolve().parent.parent
KIT = ROOT / "conformance"
PAGE = KIT / "verify.html"
GOLDEN = ROOT / "tests" / "golden"
PAY_TABLES = ROOT / "src" / "ventiuna" / "rules"
VERSION = "1.0"
Json = dict[str, Any]
Meters = Sequence[tuple[int, int]]
Pair = tuple[int, int]

# For each part: what it asks, and what it is about.
PARTS = {
    "worked": ("round", "rounds worked out by hand from the rule documents"),
    "refused": ("round", "wagers, cards, actions and rules that must be refused"),
    "lines": ("round", "every line of every jackpot pay table, and near misses"),
    "limits": ("round", "wagers at and just outside the limits of each preset"),
    "dealt": ("round", "random rounds under the approved presets"),
    "options": ("round", "random rounds under every option that a house may choose"),
    "shoes": ("shoe", "commitment, cuts, mix and order of committed shoes"),
    "records": ("record", "public records of shoes: an honest one, and one for each kind of lie"),
}


# --- questions ------------------------------------------------------------------------------------


class Kit:
    """The files while they are filled."""

    def __init__(self) -> None:
        self.cases: dict[str, list[Json]] = {part: [] for part in PARTS}
        self.rules: dict[str, Json] = {}

    def add(self, part: str, name: str, title: str, refs: Iterable[str], question: Json) -> Json:
        """Add a case with our answer, and return the answer."""
        found = answer(question)
        assert "error" not in found, (name, found)
        if "rules" in question:
            question = {**question, "rules": self._rules_name(question["rules"])}
        line = {"id": name, "title": title, "refs": list(refs), "question": question}
        self.cases[part].append({**line, "answer": found})
        return found

    def _rules_name(self, data: Json) -> str:
        """The rules' name in rules.json, which lists most of them by their differences."""
        text = json.dumps(data, sort_keys=True)
        name = f"{data['name']}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
        if name in self.rules:
            return name
        base = _plain_rules(load_rules(data["name"]))
        if base == data:
            self.rules[data["name"]] = data
            return str(data["name"])
        self._rules_name(base)
        short = {key: value for key, value in data.items() if value != base[key]}
        if "options" in short:
            assert base["options"].keys() <= data["options"].keys()
            options = data["options"].items()
            short["options"] = {key: one for key, one in options if base["options"].get(key) != one}
        self.rules[name] = {"like": data["name"], **short}
        return name

    def files(self) -> dict[str, str]:
        """The content of each file by name."""
        found = {f"{part}.jsonl": _lines(cases) for part, cases in self.cases.items()}
        rows = (f"{json.dumps(name)}: {_compact(self.rules[name])}" for name in sorted(self.rules))
        found["rules.json"] = "{\n" + ",\n".join(rows) + "\n}\n"
        found["pay_tables.json"] = json.dumps(_pay_tables(), indent=1) + "\n"
        manifest = {
            "version": VERSION,
            "protocol": PROTOCOL,
            "parts": {
                part: {"ask": asks, "about": about, "cases": len(self.cases[part])}
                for part, (asks, about) in PARTS.items()
            },
            "sha256": {
                name: hashlib.sha256(text.encode()).hexdigest() for name, text in found.items()
            },
        }
        return {**found, "manifest.json": json.dumps(manifest, indent=1) + "\n"}


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _lines(cases: Iterable[Json]) -> str:
    return "".join(_compact(case) + "\n" for case in cases)


def _plain_rules(rules: Rules) -> Json:
    """The rules without their names and citations.

    Only one part of their origin matters: a document that always offers double-double offers it
    even if the dealer stands on soft 17 (D-12).
    """
    data: Json = dict(rules_data(rules))
    always = data.pop("origin")["choices"].get("double_double") == ["on"]
    return {**data, "origin": {"choices": {"double_double": ["on"]} if always else {}}}


def question_of(rules: Json, meters: Meters, commands: Iterable[Command]) -> Json:
    question: Json = {
        "ask": "round",
        "rules": rules,
        "meters": [{"cents": cents, "rest": rest} for cents, rest in meters],
        "wagers": [],
        "cards": [],
        "choices": [],
    }
    is_closed = False
    for command in commands:
        is_closed = is_closed or isinstance(command, CloseWagers)
        if isinstance(command, PlaceWagers) and not is_closed:
            question["wagers"].append(
                {
                    "spot": command.spot,
                    "person": command.person,
                    "base": command.base,
                    "mtd": dict(command.mtd),
                    "jackpots": {str(game): cents for game, cents in command.jackpots.items()},
                }
            )
        elif isinstance(command, DealCard):
            question["cards"].append(card_text(command.card))
        elif choice := _choice(command):
            question["choices"].append(choice)
    return question


_WORDS: dict[type, str] = {
    command: actions.ACTION_NAMES[code] for code, command in ACTION_COMMANDS.items()
} | {
    TakeBlackjack: "take",
    KeepBlackjack: "keep",
    Insure: "insure",
    PlaceWagers: "wager",  # too late
    VoidRound: "void",
}


def _choice(command: Command) -> Json | None:
    if type(command) not in _WORDS:
        return None
    choice: Json = {"spot": getattr(command, "spot", 0), "do": _WORDS[type(command)]}
    if isinstance(command, PlaceWagers):
        choice["cents"] = command.base
    if isinstance(command, Insure | Double) and command.amount is not None:
        choice["cents"] = command.amount
    return choice


# --- worked rounds and refusals -------------------------------------------------------------------


def add_worked(kit: Kit) -> None:
    for data in _golden("rounds"):
        record = round_from_data(data)
        with _recorded() as commands:
            assert differences(replay(record)) == [], data["id"]
        question = question_of(_plain_rules(record.rules), record.meters, commands)
        found = kit.add("worked", data["id"], data["title"], data.get("refs", ()), question)
        assert "refused" not in found, data["id"]


def add_refused(kit: Kit) -> None:
    files = [json.loads((GOLDEN / name).read_text("utf-8")) for name in _ROUND_FILES]
    for case in (case for file in files for case in read_refused_cases(file)):
        if case.data is not None:
            found = kit.add("refused", case.id, case.title, case.refs, _refused_question(case))
            assert "refused" in found, case.id


_ROUND_FILES = ("worked_rounds.json", "more_rounds.json")


def _golden(key: str) -> Iterator[Json]:
    for name in _ROUND_FILES:
        yield from json.loads((GOLDEN / name).read_text("utf-8"))[key]


class _recorded:  # noqa: N801
    """Record the commands of every replay in this context."""

    def __enter__(self) -> list[Command]:
        commands: list[Command] = []

        def recording(state: RoundState, command: Command) -> Any:
            commands.append(command)
            return execute(state, command)

        self._patch = patch("ventiuna.notation.replay.execute", recording)
        self._patch.start()
        return commands

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


def _refused_question(case: RefusedCase) -> Json:
    try:
        record = case.record()
    except RulesError:
        assert case.data is not None
        return question_of(_wrong_rules(case.data["rules"]), (), ())  # type: ignore[arg-type]
    with _recorded() as commands, suppress(Refused):
        replay(record)
    question = question_of(_plain_rules(record.rules), record.meters, commands)
    if "refused" not in answer(question):  # an action on a hand that is already over
        spot = record.spots[0]
        step = spot.hands[-1].steps[-1]
        question["choices"].append({"spot": spot.number, "do": step.action})
    return question


def _wrong_rules(short: Mapping[str, Any]) -> Json:
    """Rules that contradict themselves: valid ones with wrong decks, jackpots and so on."""
    games = short.get("jackpots", [])
    for decks in (2, 1, 6):
        first = [{**game, "wager": "1"} for game in games[:1]]
        valid = {**short, "decks": decks, "h17": True, "jackpots": first}
        try:
            record = round_from_data(
                {"rules": valid, "dealer": {"up": "9s", "down": "Kh"}, "seats": []}
            )
        except RulesError:
            continue
        data = _plain_rules(record.rules)
        soft_17 = "hit" if short.get("h17", True) else "stand"
        data["options"] = {**data["options"], "decks": short["decks"], "soft_17": soft_17}
        data["jackpots"] = [{**data["jackpots"][0], "wager": game["wager"]} for game in games]
        return data
    raise AssertionError(short)


# --- pay tables -----------------------------------------------------------------------------------


def _pay_tables() -> Json:
    """The pay tables that the rules name, as data for programs."""
    odds = tomllib.loads((PAY_TABLES / "match_the_dealer.toml").read_text("utf-8"))["odds"]
    tables = {
        path.stem: tomllib.loads(path.read_text("utf-8"))
        for path in sorted((PAY_TABLES / "paytables").glob("*.toml"))
    }
    keys = ("decks", "family", "compares_with", "special", "alternates", "pay_tables")
    return {
        "match_the_dealer": [
            {key: row[key] for key in ("decks", "unsuited", "suited")} for row in odds
        ],
        "jackpots": {
            name: {key: table[key] for key in keys if key in table}
            for name, table in tables.items()
        },
    }


_NINES = ("9c 9d", "9c 2h", "9d 9h", "9d 2h", "2h 3h")  # the four fixed lines, and no line
_UPS = [parse_card(text) for text in ("As", "Ks", "9c", "Ad")]
_DOWNS = [parse_card(text) for text in ("As", "Ks", "9c", "9d", "9h", "7d", "Ah")]
_FIRSTS = [
    parse_card(text) for text in ("As", "Ks", "Ac", "Ah", "9c", "9d", "9h", "9s", "7d", "2h")
]


def add_lines(kit: Kit) -> None:
    for name, table in jackpot_tables().items():
        printed = _pay_tables()["jackpots"][name]
        for number in sorted(int(key) for key in printed["pay_tables"]):
            rules = _with_jackpot(name, table.decks[0], {"pay_table": number})
            hands = [_pair(text) for text in _NINES]
            up, down = parse_card("9c"), parse_card("7d")
            for part, fitting in enumerate(_by_table(rules, [up, down], hands), start=1):
                _add_line_round(kit, f"{name}-{number}-{part}", rules, up, down, fitting)
        for alternate in (0, *map(int, printed.get("alternates", {}))):
            for kind in ("progressive", "house")[: 1 if alternate else 2]:
                changes: Json = {"alternate": alternate, "kind": kind, "top_alone": alternate > 0}
                rules = _with_jackpot(name, table.decks[0], changes)
                for number, (up, down, hands) in enumerate(_special_hands(rules), start=1):
                    named = f"{name}-{kind}-{alternate}-{number}"
                    _add_line_round(kit, named, rules, up, down, hands)


def _pair(text: str) -> Pair:
    first, second = parse_cards(text)
    return first, second


def _with_jackpot(table: str, decks: int, changes: Json) -> Rules:
    jackpot = {"table": table, "prize": "250", "seed": "1000", "contribution": "21.03 %", **changes}
    preset = "casino-card" if table == "casino-card" else "wsgc-2021"
    options = {"decks": decks, "table_maximum": "100", "jackpots": [jackpot]}
    return change_rules(load_rules(preset), options)


def _by_table(rules: Rules, dealer: list[int], hands: Iterable[Pair]) -> Iterator[list[Pair]]:
    """Hands that can be on the table at once, with as many copies of a card as there are decks."""
    left = list(hands)
    while left:
        cards = list(dealer)
        fitting: list[Pair] = []
        for hand in left:
            if max(map([*cards, *hand].count, hand)) <= rules.decks and len(fitting) < rules.seats:
                cards += hand
                fitting.append(hand)
        left = [hand for hand in left if hand not in fitting]
        yield fitting


def _special_hands(rules: Rules) -> Iterator[tuple[int, int, list[Pair]]]:
    """Dealer cards and hands that together show every combination of lines that can come up."""
    shown: dict[Pair, dict[tuple[int, int, int], Pair]] = {}
    for up, down in product(_UPS, _DOWNS):
        found = shown.setdefault((up, down), {})
        for first, second in product(_FIRSTS, repeat=2):
            hand = first, second
            if max(map([up, down, *hand].count, hand)) <= rules.decks:
                special = special_line(_table(rules), 0, first, second, up, down)
                lines = (special, fixed_line(first, second, up), fixed_line(first, second, down))
                found.setdefault(lines, hand)
    known: set[tuple[int, int, int]] = set()
    while any(set(found) - known for found in shown.values()):
        up, down = max(shown, key=lambda pair: (len(set(shown[pair]) - known), pair))
        new = [hand for lines, hand in shown[up, down].items() if lines not in known]
        known |= set(shown[up, down])
        for hands in _by_table(rules, [up, down], new):
            yield up, down, hands


@cache
def _table(rules: Rules) -> Any:
    return RoundState(rules).table


def _add_line_round(
    kit: Kit, name: str, rules: Rules, up: int, down: int, hands: Sequence[Pair]
) -> None:
    wagers = [
        PlaceWagers(spot, 1000 + 500 * spot, "", {}, {1: rules.jackpots[0].wager})
        for spot in range(1, len(hands) + 1)
    ]
    used = [up, down, *(card for hand in hands for card in hand)]
    left = [card for card in sorted(rules.pack.cards) if card // 4 in (4, 5)]
    draws = iter([card for card in left if card not in used] * 9)

    def card(state: RoundState, prompt: CardWanted) -> int:
        if prompt.place is Place.PLAYER and len(state.dealer) < 2:
            return hands[prompt.spot - 1][len(state.spots[prompt.spot].originals)]
        return {Place.UP: up, Place.DOWN: down}.get(prompt.place) or next(draws)

    meters = [(123_457, 4_321)]
    commands = _play(rules, meters, wagers, card, _stand)
    question = question_of(_plain_rules(rules), meters, commands)
    found = kit.add("lines", name, f"jackpot table {rules.jackpots[0].table}", ["R-086"], question)
    assert "refused" not in found, (name, found)


# --- dealt rounds ---------------------------------------------------------------------------------


def _play(
    rules: Rules,
    meters: Meters,
    wagers: Iterable[Command],
    card: Callable[[RoundState, CardWanted], int],
    choose: Callable[[RoundState, Waiting], Command | None],
) -> list[Command]:
    """Play a round; return its commands, up to the first that is refused."""
    state = RoundState(rules, list(meters) or None)
    done: list[Command] = []
    waiting = iter([*wagers, CloseWagers()])
    while not isinstance(prompt := prompt_of(state), NothingWanted):
        if isinstance(prompt, CardWanted):
            command: Command | None = DealCard(card(state, prompt))
        elif isinstance(prompt, MetersWanted):
            command = own_meters(state)
        else:
            command = next(waiting, None) or choose(state, prompt)
        assert command is not None
        done.append(command)
        try:
            execute(state, command)
        except Refused:
            break
    return done


def _next_of(cards: Iterator[int], _state: RoundState, _prompt: CardWanted) -> int:
    return next(cards)


def _stand(state: RoundState, _prompt: Waiting) -> Command | None:
    return default_command(state)


def _meters(rules: Rules, generator: random.Random) -> list[tuple[int, int]]:
    return [
        (jackpot.seed + generator.randrange(10**6), generator.randrange(10**4))
        for jackpot in rules.jackpots
    ]


class _Chooser:
    """Plays at random, often with one preferred action; some end with an illegal choice."""

    def __init__(self, generator: random.Random, errs: bool) -> None:
        self._random = generator
        self._errs = errs
        self._mood = generator.choice(MOODS)
        self._player = RandomPlayer(generator)

    def __call__(self, state: RoundState, prompt: Waiting) -> Command:
        if self._errs and self._random.random() < 0.3:
            command = random_command(state, self._random)
            if _choice(command):
                return command
        if isinstance(prompt, DecisionWanted) and self._random.random() < 0.8:
            for action in self._mood:
                if action in legal_actions(state):
                    return ACTION_COMMANDS[action](prompt.spot)
        # Several spots may have to answer; a question lists their answers in order.
        return self._in_order(state, prompt)

    def _in_order(self, state: RoundState, prompt: Waiting) -> Command:
        spots = getattr(prompt, "spots", ())
        while True:
            command = self._player(state, prompt)
            if not spots or getattr(command, "spot", 0) == spots[0]:
                return command


def dealt_question(part: str, seed: int) -> Json | None:
    """The random round with this seed; None if the cards ran out."""
    generator = random.Random(f"kit/{part}/{seed}")
    rules = _approved(generator) if part == "dealt" else random_rules(generator, 12)
    shoe = Shoe(rules, biased_shuffle(rules, generator))
    count = generator.choice([1, 1, 1, 2, 2, 3, min(rules.seats, 3 * rules.decks)])
    spots = generator.sample(range(1, rules.seats + 1), min(count, rules.seats, 3 * rules.decks))
    wagers = [random_wagers(rules, spot, generator) for spot in spots]
    meters = _meters(rules, generator)
    chooser = _Chooser(generator, generator.random() < 0.15)
    try:
        commands = _play(rules, meters, wagers, lambda _, __: shoe.draw(), chooser)
    except OutOfCards:
        return None
    return question_of(_plain_rules(rules), meters, commands)


_APPROVED = (
    "wsgc-2021", "wsgc-2021(decks=8,soft_17=stand)", "wsgc-2021(decks=2,double_double=on)",
    "wsgc-spanish-21", "wsgc-spanish-21(double_double=on)", "wsgc-v002", "wsgc-2021-jackpot",
    "casino-card", "catfish-bend", "super-fun-21", "super-fun-21(decks=2)",
)  # fmt: skip


def _approved(generator: random.Random) -> Rules:
    return load_rules(generator.choice(_APPROVED))


def _features(question: Json, part: str) -> set[str]:
    """What a round shows: payments, offers and refusals, with the rules that differ."""
    found = answer(question)
    options = question["rules"]["options"]
    changed = [f"{key}={options[key]}" for key in _TOLD if key in options]
    if part == "dealt":
        changed = [question["rules"]["name"]]
    if "refused" in found:
        shown = {f"refused {found['refused']['at']} {found['refused']['rules']}"}
        return shown | {f"{one} / {option}" for one in shown for option in changed[:1]}
    shown = {f"void after {found['cards'] // 4}"} if "voided" in found else set()
    for paid in found["payments"]:
        share = paid["paid"] / paid["stake"] if paid["stake"] else paid["paid"] > 0
        amount = f"{share:.4g}" if not paid["wager"].startswith("jackpot") else f"{share > 1}"
        shown.add(f"{paid['wager'].split()[0]} pays {amount}, hand {min(paid['hand'], 1)}")
    for turn in found["turns"]:
        shown.add(f"offers {' '.join(turn['legal'])}, hand {min(turn['hand'], 2)}")
    shown.add(f"dealer {min(found['cards'] // len(question['wagers']), 9)}")
    return {f"{one} / {option}" for one in shown for option in changed}


_TOLD = (
    "game", "soft_17", "blackjack_pays", "blackjack_tie", "blackjack_paid", "double_blackjack",
    "player_21", "double_on_21", "double_cards", "double_totals", "double_after_split",
    "double_for_less", "double_double", "rescue", "surrender", "split", "split_hands", "split_aces",
    "resplit_aces", "insurance_pays", "insurance_on_blackjack", "envy", "mtd_configuration",
    "bonus_cards", "down_settled", "deal_order", "spots_settled", "bonus_order",
)  # fmt: skip


def search(part: str, seeds: int) -> list[int]:
    """Choose the seeds whose rounds show something new."""
    known: set[str] = set()
    chosen = []
    for seed in range(1, seeds + 1):
        question = dealt_question(part, seed)
        if question and (new := _features(question, part) - known):
            known |= new
            chosen.append(seed)
    return chosen


def _kept(part: str) -> list[int]:
    """The seeds of the kit's own file."""
    lines = (KIT / f"{part}.jsonl").read_text("utf-8").splitlines()
    return [int(json.loads(line)["id"].rpartition("-")[2]) for line in lines]


def add_dealt(kit: Kit, part: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        question = dealt_question(part, seed)
        assert question is not None
        spots = len(question["wagers"])
        title = f"{question['rules']['name']}, {spots} spot{'s' if spots > 1 else ''}"
        kit.add(part, f"{part}-{seed}", title, (), question)


# --- limits ---------------------------------------------------------------------------------------


def add_limits(kit: Kit) -> None:
    for name in (
        *_APPROVED,
        "wsgc-2021(mtd_configuration=4,bonus_cards=5,chip_unit=5,mtd_minimum=5)",
    ):
        rules = load_rules(name)
        for number, wagers in enumerate(_edge_wagers(rules), start=1):
            generator = random.Random(f"kit/limits/{name}/{number}")
            cards = sorted(rules.pack.cards)
            generator.shuffle(cards)
            draw = partial(_next_of, iter(cards))
            meters = _meters(rules, generator)
            commands = _play(rules, meters, [wagers], draw, _stand)
            question = question_of(_plain_rules(rules), meters, commands)
            kit.add("limits", f"{name}-{number}", f"wagers under {name}", ["R-002"], question)
            if wagers == PlaceWagers(1, rules.table_minimum):
                _add_late_choices(kit, f"{name}-{number}", name, question)


def _add_late_choices(kit: Kit, number: str, name: str, question: Json) -> None:
    """A valid wager and a void in place of each choice of a round with a single base wager."""
    [placed] = question["wagers"]
    for late, (spot, word) in enumerate(product((1, 2, 0), ("wager", "void"))):
        if bool(spot) == (word == "wager"):
            for place in range(len(question["choices"])):
                choice = {"spot": spot, "do": word}
                if word == "wager":
                    choice["cents"] = placed["base"]
                choices = [*question["choices"][:place], choice]
                title = f"a {word} after the deal under {name}"
                changed = {**question, "choices": choices}
                kit.add("limits", f"{number}-late-{late}-{place}", title, ["R-102"], changed)


def _edge_wagers(rules: Rules) -> Iterator[PlaceWagers]:
    low, high, unit = rules.table_minimum, rules.table_maximum, rules.chip_unit
    for base in (0, low - unit, low, low + 1, low + unit, high - unit, high, high + unit):
        yield PlaceWagers(1, base)
    for spot in (0, 2, rules.seats, rules.seats + 1):
        yield PlaceWagers(spot, low)
    least, most = rules.mtd_minimum, rules.mtd_maximum or high
    for wager in ("up", "down", "b1"):
        for stake in (least - unit, least, least + 1, low, low + unit, most, most + unit):
            if stake > 0:
                yield PlaceWagers(1, low, "", {wager: stake})
    yield PlaceWagers(1, low, "", {"up": low, "down": low})
    yield PlaceWagers(1, high, "", dict.fromkeys(rules.mtd_wagers, most))
    for stakes in ({1: 100}, {1: 50}, {1: 200}, {2: 100}, {1: 100, 2: 100}):
        yield PlaceWagers(1, low, "", {}, stakes)


# --- shoes ----------------------------------------------------------------------------------------


def add_shoes(kit: Kit) -> None:
    example = ShoeContext("h1", "t1", 1, "example", Pack.SPANISH, 8, 0, 75)
    seed, cuts = bytes(range(32)), {2: bytes(range(32, 64)), 5: bytes(range(64, 96))}
    cases = [("the test vector of docs/fairness.md", example, seed, cuts)]
    for number, (pack, decks, burn, opened) in enumerate(
        product(Pack, (1, 2, 6, 8), (0, 5), ((), (0, 255))), start=1
    ):
        context = ShoeContext("Casino é", f"t{number}", number, "r", pack, decks, burn, 100)
        title = f"{decks} decks of the {pack} pack, {burn} burned, {len(opened)} cuts"
        seed = hashlib.sha256(f"seed {number}".encode()).digest()
        values = {seat: hashlib.sha256(f"cut {seat} {number}".encode()).digest() for seat in opened}
        cases.append((title, context, seed, values))
    large = ShoeContext("h1", "t1", 1, "a word that must be skipped", Pack.STANDARD, 100, 0, 100)
    cases.append(("100 decks, with words that must be skipped (step 6)", large, _skipping(), {}))
    for number, (title, context, seed, cuts) in enumerate(cases, start=1):
        question = {
            "ask": "shoe",
            "context": context.lines().decode(),
            "seed": seed.hex(),
            "cuts": [{"seat": seat, "value": value.hex()} for seat, value in cuts.items()],
        }
        kit.add("shoes", f"shoe-{number}", title, ["R-001"], question)


def _skipping() -> bytes:
    """A seed whose shuffle of 100 decks takes a word that is too large, found by trying."""
    return hashlib.sha256(b"seed 419").digest()


def add_records(kit: Kit) -> None:
    honest = json.loads((GOLDEN / "shoe_record.json").read_text("utf-8"))
    kit.add("records", "honest", "splits, and cards that ran out", (), _record_question(honest))
    for number, (title, change) in enumerate(_LIES.items(), start=1):
        record = json.loads(json.dumps(honest))
        change(record)
        found = kit.add("records", f"lie-{number}", title, (), _record_question(record))
        assert found == {"holds": False}, title


def _record_question(record: Json) -> Json:
    return {"ask": "record", "record": record}


def _other(digits: str) -> str:
    return ("1" if digits[0] == "0" else "0") + digits[1:]


def _events(record: Json, number: int, kind: str) -> list[Json]:
    return [event for event in record["rounds"][number]["events"] if event["event"] == kind]


_LIES: dict[str, Callable[[Json], Any]] = {
    "another seed": lambda r: r.update(seed=_other(r["seed"])),
    "another commitment": lambda r: r.update(commitment=_other(r["commitment"])),
    "another mix": lambda r: r.update(mix=_other(r["mix"])),
    "another number of decks": lambda r: r["context"].update(decks=2),
    "another table": lambda r: r["context"].update(table="t2"),
    "another cut": lambda r: r["cuts"][0].update(value=_other(r["cuts"][0]["value"])),
    "an opened cut that is left out": lambda r: r["cuts"][1].update(value=None),
    "another card": lambda r: _events(r, 0, "CardDealt")[3].update(card=25),
    "a card that is left out": lambda r: r["rounds"][1]["events"].pop(0),
    "another down card": lambda r: _events(r, 0, "DownCardExposed")[0].update(card=0),
    "a wrong card after the reshuffle": lambda r: _events(r, 2, "CardDealt")[-1].update(card=51),
    "an unfinished round": lambda r: r["rounds"][2]["events"].pop(),
    "another ending": lambda r: r.update(ended="void"),
    "a round that is left out": lambda r: r["rounds"].pop(),
    "an unknown recipe": lambda r: r.update(recipe="ventiuna-shoe-2"),
}


# --- the program ----------------------------------------------------------------------------------


def files(seeds: Mapping[str, Sequence[int]] | None = None) -> dict[str, str]:
    """The content of the kit's data files."""
    kit = Kit()
    add_worked(kit)
    add_refused(kit)
    add_lines(kit)
    add_limits(kit)
    for part in ("dealt", "options"):
        add_dealt(kit, part, seeds[part] if seeds else _kept(part))
    add_shoes(kit)
    add_records(kit)
    return kit.files()


_BLOCK = '<script type="application/json" id="vectors">'


def page() -> str:
    """conformance/verify.html with the kit's vectors of shoes and an honest record in it."""
    kit = Kit()
    add_shoes(kit)
    honest = json.loads((GOLDEN / "shoe_record.json").read_text("utf-8"))
    shoes = [
        {key: case[key] for key in ("title", "question", "answer")} for case in kit.cases["shoes"]
    ]
    before, _, rest = PAGE.read_text("utf-8").partition(_BLOCK)
    after = rest.partition("</script>")[2]
    data = _compact({"example": honest, "shoes": shoes}).replace("</", "<\\/")
    return f"{before}{_BLOCK}{data}</script>{after}"


def main(arguments: list[str]) -> int:
    seeds = None
    if arguments[:1] == ["--search"]:
        seeds = {part: search(part, int(arguments[1])) for part in ("dealt", "options")}
    elif arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    found = {**files(seeds), PAGE.name: page()}
    if arguments == ["--check"]:
        old = [name for name, text in found.items() if not is_written(KIT / name, text)]
        if old:
            print(f"conformance/{old[0]} is out of date: run 'make docs'.", file=sys.stderr)
        return 1 if old else 0
    for name, text in found.items():
        (KIT / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
