"""Points where the documents disagree or are silent: the value of every reading, as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ventiuna.core.rule_table import FAMILY_TWO_DECKS
from ventiuna.package import version
from ventiuna.records import brief_repr
from ventiuna.reports.ambiguity_readings import (
    ENVY_BONUS,
    FULL_TABLE_JACKPOT,
    JACKPOT_WAGER,
    MATCH_WAGER,
    SUPER_BONUS,
    Case,
    Point,
    Reading,
    as_they_are,
    blackjack_after_split,
    bonuses_when_doubled,
    counted_without_the_split_card,
    envy_as,
    envy_of_two_spots,
    exactly_seven_cards,
    house_jackpot_paying,
    jackpot_with,
    match_paying,
    no_double_after_a_split,
    rescue_for_the_lesser_amount,
    seven_or_more_cards,
    super_bonus_by,
    surrender_of_split_hands,
    with_game,
    with_options,
    with_rules,
    with_table,
    without_6_7_8,
    without_two_deck_hands,
)
from ventiuna.reports.document import (
    Block,
    Document,
    Facts,
    Grid,
    Part,
    Text,
    dollars,
    identity_lines,
    imprint,
    percent,
    points,
)
from ventiuna.rules import Rules, canonical, fingerprint
from ventiuna.rules.model import Envy, Game, JackpotKind, PrizeFrom, Split, Surrender, Winners
from ventiuna.rules.text.comparison import Authority
from ventiuna.rules.text.phrases import compares_with_down, has_prize, jackpot_table
from ventiuna.rules.text.references import explain
from ventiuna.texts import pluralize

# --- Every open point by its D- or O-number ---

_EXCHANGE = "All unseen cards are equally likely, so the order of dealing changes no probability."
_INSURANCE = (
    "Best play from a fresh shoe never insures, so this doesn't change the game. Players who "
    "insure pay the same edge on every chip (see ventiuna sidebets)."
)
_LESS = (
    "The value of a double is convex in its amount, since the player then takes the better of "
    "standing and rescue. So either the full amount or next to nothing is best, and next to "
    "nothing is no better than a hit. Doubling for less never beats both."
)
_PRINTED = "Only this reading gives the figures printed in the document (R-101)."
_TIME = "This affects when money moves, not how much."
_STAKES = "This limits stakes; each chip keeps its odds."
_TABLES = "This concerns only jackpot tables, which these rules may or may not offer."


def _spanish(rules: Rules) -> bool:
    return rules.game == Game.SPANISH_21


def _super_fun(rules: Rules) -> bool:
    return rules.game == Game.SUPER_FUN_21


def _splits(rules: Rules) -> bool:
    return rules.split != Split.OFF and rules.split_hands > 1


def _has_super_bonus(rules: Rules) -> bool:
    return rules.super_bonus_form() is not None


def _spanish_match(rules: Rules) -> bool:
    return bool(rules.mtd_wagers)


def _down_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and compares_with_down(rules.jackpots[0])


def _house_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and rules.jackpots[0].kind is JackpotKind.HOUSE


def _two_deck_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and jackpot_table(rules.jackpots[0]).family == FAMILY_TWO_DECKS


def _prize_jackpot(rules: Rules) -> bool:
    return bool(rules.jackpots) and has_prize(rules.jackpots[0])


def _decks(*numbers: int) -> tuple[Reading, ...]:
    return tuple(
        Reading(f"{number} deck{'s' if number > 1 else ''}", with_options(decks=str(number)))
        for number in numbers
    )


def _switch(option: str, on: str, off: str) -> tuple[Reading, ...]:
    return (
        Reading(on, with_options(**{option: "on"})),
        Reading(off, with_options(**{option: "off"})),
    )


_NO = Reading("no", as_they_are)

POINTS: tuple[Point, ...] = (
    Point("D-01", _decks(2, 4, 5, 6, 8), only=_spanish, option="decks"),
    Point("D-01", _decks(1, 2), only=_super_fun, option="decks"),
    Point(
        "D-02",
        zero="This limits which wagers can be placed; each wager keeps its odds.",
        option="down_requires_up",
    ),
    Point("D-03", zero=_STAKES, option="mtd_maximum"),
    Point(
        "D-04",
        zero="Each additional Match the Dealer wager has the same edge (R-021).",
        option="mtd_configuration",
    ),
    Point("D-05", zero=_TIME, option="down_settled"),
    Point(
        "D-06",
        (
            Reading("odds by decks", match_paying(0, 0), "000, 002, 003"),
            Reading("4 and 9 to 1 with any number of decks", match_paying(4, 9), "001"),
        ),
        MATCH_WAGER,
        only=_spanish_match,
        open_in=("001",),
    ),
    Point(
        "D-07",
        (
            Reading("seven or more cards pay 3 to 1", with_rules(seven_or_more_cards), "001, 002"),
            Reading(
                "exactly seven cards; eight or more are a plain 21", with_rules(exactly_seven_cards)
            ),
        ),
        only=_spanish,
        open_in=("000", "003"),
    ),
    Point(
        "D-08",
        (
            Reading("any 7 as up card", super_bonus_by(500_000), "000, 001, 003"),
            Reading("read literally, 002 means no card, so it is never paid", super_bonus_by(0)),
        ),
        SUPER_BONUS,
        only=_has_super_bonus,
        open_in=("002",),
    ),
    Point(
        "D-09",
        (
            Reading("by the player's own bet", super_bonus_by(500_000), "001, 002, procedures"),
            Reading("by a table minimum of $5: $1,000", super_bonus_by(100_000)),
        ),
        SUPER_BONUS,
        only=_has_super_bonus,
        open_in=("000", "003"),
    ),
    Point(
        "D-10",
        (
            Reading(
                "for each other winner, also to winners", envy_as(Envy.PER_OTHER_WINNER), "000, 003"
            ),
            Reading("for each Super Bonus, not to winners", envy_as(Envy.LOSERS_ONLY), "001"),
            Reading("once, to players who didn't qualify", envy_as(Envy.LOSERS_ONCE), "002"),
        ),
        ENVY_BONUS,
        only=_has_super_bonus,
        open_in=("002",),
    ),
    Point(
        "D-11",
        (
            Reading("equal value", with_options(split="equal_value"), "000, 002, 003"),
            Reading("same rank", with_options(split="same_rank"), "001"),
        ),
        only=_splits,
        open_in=("001",),
    ),
    Point(
        "D-12",
        (
            Reading("the dealer hits soft 17", with_options(soft_17="hit")),
            Reading("the dealer stands on soft 17", with_options(soft_17="stand")),
        ),
        option="soft_17",
    ),
    Point(
        "D-13",
        _switch("double_double", "offered", "not offered"),
        only=_spanish,
        option="double_double",
    ),
    Point("D-14", zero=_LESS, open_in=("001", "002")),
    Point(
        "D-15",
        (
            Reading("the last portion is returned, the rest is lost", as_they_are),
            Reading(
                "read literally, 7a makes a rescue cost the lesser amount",
                with_game(
                    rescue_for_the_lesser_amount,
                    "a lower bound, for a player who doubles only by the smallest chip",
                ),
            ),
        ),
        only=lambda rules: rules.rescue and rules.offers_double_for_less,
        open_in=("000", "002", "003"),
    ),
    Point(
        "D-16",
        _switch("double_double", "up to three times", "once"),
        only=_spanish,
        open_in=("002",),
    ),
    Point(
        "D-17",
        _switch("double_blackjack", "can be doubled", "can't be doubled"),
        option="double_blackjack",
    ),
    Point("D-18", zero=_INSURANCE, option="insurance_on_blackjack"),
    Point("D-19", zero=_INSURANCE, option="insurance_pays"),
    Point("D-20", zero=_EXCHANGE, house_in=("003",), open_in=("000", "002", "004")),
    Point(
        "D-21",
        (
            Reading("7-7-7 at 2 to 1 and its Super Bonus", as_they_are, "000, 003"),
            Reading("7-7-7 as with more decks", with_rules(without_two_deck_hands)),
        ),
        only=lambda rules: _spanish(rules) and rules.decks == 2,
        open_in=("001", "002"),
    ),
    Point("D-22", zero=_TABLES, open_in=()),
    Point(
        "D-23",
        unknown="A percentage award isn't multiplied by the wager, so the answer depends on the "
        "meter. Use ventiuna jackpot --wager and --meter.",
        only=lambda rules: bool(rules.jackpots),
        house_in=("003",),
        open_in=("001",),
    ),
    Point(
        "D-24",
        (
            Reading("up and down card both paid", jackpot_with(best_only=False)),
            Reading("only the better one", jackpot_with(best_only=True), "001, perhaps"),
        ),
        JACKPOT_WAGER,
        only=_down_jackpot,
        open_in=("001",),
    ),
    Point("D-25", zero=_TIME, open_in=("003",)),
    Point(
        "D-26", zero="Table 4a has none of the lines that the alternates replace.", open_in=("003",)
    ),
    Point(
        "D-27",
        (
            Reading("first two cards", with_options(surrender="late")),
            # Needs equal bets; doubling for less is worth nothing here (D-14).
            Reading(
                "any number of cards below 21, doubled hands too",
                with_options(surrender="any_time", double_for_less="off"),
            ),
        ),
        open_in=("004",),
    ),
    Point(
        "D-28",
        zero="A sixth card always ends an undoubled hand.",
        only=_super_fun,
        open_in=("004",),
    ),
    Point(
        "D-29",
        zero="Each game's document clearly states its own payout.",
        open_in=(),
    ),
    Point(
        "D-30",
        (
            Reading("each matching card is paid", match_paying(0, 0), "payment text"),
            Reading("only the better of two matches", match_paying(0, 0, best_card_only=True)),
        ),
        MATCH_WAGER,
        only=lambda rules: rules.offers_down_wager,
        open_in=("000", "003"),
    ),
    Point(
        "D-31",
        unknown="The wager is announced but never described.",
        only=_super_fun,
        open_in=("004",),
    ),
    Point(
        "D-32",
        zero="Either way, an uncapped wager reaches eight times the base wager after three "
        "doubles.",
        open_in=("001",),
    ),
    Point(
        "D-33",
        zero="This bars wagers that these rules don't offer; wagers on the card keep their odds.",
        only=_spanish,
        open_in=("001",),
    ),
    Point(
        "D-34",
        zero="This concerns what is printed on the layout; every wager keeps its odds.",
        only=_spanish,
        open_in=("002",),
    ),
    Point(
        "O-01",
        settled="If the documents are silent, standard blackjack rules apply, and these are the "
        "same everywhere.",
    ),
    Point("O-02", zero=_EXCHANGE),
    Point(
        "O-03",
        unknown="A burn card changes nothing, and neither does the cut card in the rounds that "
        "every shoe deals, because all unseen cards are equally likely. The last rounds are dealt "
        "only if earlier ones took few cards, and are worth less. A shoe has too many orders to "
        "enumerate: ventiuna simulate with cut_card=… estimates the difference, with its error.",
    ),
    Point("O-04", zero=_EXCHANGE, house_in=("003",)),
    Point(
        "O-05",
        (
            _NO,
            Reading("yes, paid as a blackjack", with_game(blackjack_after_split)),
        ),
        only=_splits,
    ),
    Point(
        "O-06",
        (
            Reading("only a soft 21", with_options(double_on_21="soft")),
            Reading("any 21", with_options(double_on_21="any")),
            Reading("none", with_options(double_on_21="never")),
        ),
        only=_spanish,
    ),
    Point("O-07", zero="A 21 always wins, so doubling it can't be better.", only=_spanish),
    Point("O-08", zero="A doubled 21 always wins, so rescuing it can't be better."),
    Point(
        "O-09", zero="Best play takes the blackjack payout and never keeps the hand to double it."
    ),
    Point(
        "O-10",
        (_NO, Reading("yes, on its first two cards", with_game(surrender_of_split_hands))),
        only=lambda rules: rules.surrender == Surrender.LATE and _splits(rules),
    ),
    Point(
        "O-11",
        (
            Reading("any order", as_they_are),
            Reading(
                "only 6, then 7, then 8",
                with_rules(without_6_7_8, "a lower bound, as if 6-7-8 paid nothing extra"),
            ),
        ),
        only=_spanish,
    ),
    Point(
        "O-12",
        (
            Reading("all cards of the hand", as_they_are),
            Reading("without the card that was split", with_game(counted_without_the_split_card)),
        ),
        only=lambda rules: _spanish(rules) and _splits(rules),
    ),
    Point("O-13", zero="This concerns only wagers below $5 and between $24 and $25."),
    Point(
        "O-14",
        (
            Reading("winners get no Envy Bonus for their own hand", envy_of_two_spots(False)),
            Reading("each spot counts as a separate player", envy_of_two_spots(True)),
        ),
        ENVY_BONUS,
        only=_has_super_bonus,
    ),
    Point(
        "O-15",
        settled="Only the original two cards count (R-020), even if the hand was split, lost or "
        "paid earlier (R-081). In the documents, no wager ends with its hand.",
        only=_spanish_match,
    ),
    Point("O-16", zero="No hand is left for the dealer's cards to decide."),
    Point("O-17", zero=_INSURANCE),
    Point("O-18", zero="Chip units that could lead to a fraction of a cent are rejected."),
    Point(
        "O-19",
        zero="Contributions are the players' money: what goes into the meter comes out of it.",
        only=lambda rules: bool(rules.jackpots),
    ),
    Point(
        "O-20",
        unknown="This matters if a second award follows a 100% award in the same round. ventiuna "
        "jackpot --spots shows how rare that is.",
        only=lambda rules: bool(rules.jackpots),
    ),
    Point(
        "O-21",
        unknown="The operator sets the prize. Use ventiuna jackpot --prize.",
        only=_prize_jackpot,
        house_in=("003",),
    ),
    Point("O-22", settled=_PRINTED),
    Point(
        "O-23",
        (
            Reading("fixed lines in addition to the 100%", jackpot_with(top_alone=False)),
            Reading("only the 100%", jackpot_with(top_alone=True)),
        ),
        JACKPOT_WAGER,
        only=_two_deck_jackpot,
    ),
    Point("O-24", settled=_PRINTED),
    Point("O-25", settled=_PRINTED),
    Point("O-26", zero=_TIME),
    Point(
        "O-27", zero="Tables that aren't in a document can't be offered; no other wager changes."
    ),
    Point("O-28", zero="Meters never mix, so each game is separate.", house_in=("003",)),
    Point("O-29", zero=_EXCHANGE),
    Point(
        "O-30", zero=f"{_EXCHANGE} A split hand is played only by its own cards and the up card."
    ),
    Point("O-31", zero="The base wager is within the maximum, so the first double is too."),
    Point(
        "O-32",
        (
            Reading("counted separately for each split hand", as_they_are),
            Reading(
                "counted over all split hands together",
                with_rules(
                    no_double_after_a_split, "a lower bound, as if split hands couldn't double"
                ),
            ),
        ),
        only=lambda rules: _splits(rules) and rules.double_after_split,
    ),
    Point(
        "O-33",
        (
            Reading(
                "any 21 with up to four cards can be doubled", with_options(double_on_21="any")
            ),
            Reading("only a soft 21", with_options(double_on_21="soft")),
            Reading("none", with_options(double_on_21="never")),
        ),
        only=_super_fun,
    ),
    Point("O-34", zero=_INSURANCE),
    Point(
        "O-35",
        (
            Reading("compared with the dealer at the end", as_they_are),
            Reading("also eligible for instant wins and bonuses", with_table(bonuses_when_doubled)),
        ),
        only=_super_fun,
    ),
    Point("O-36", zero=_STAKES),
    Point(
        "O-37",
        (
            Reading("the house pays prizes", jackpot_with(prize_from=PrizeFrom.HOUSE)),
            Reading("prizes come out of the jackpot", jackpot_with(prize_from=PrizeFrom.JACKPOT)),
        ),
        JACKPOT_WAGER,
        only=_prize_jackpot,
        house_in=("003",),
    ),
    Point("O-38", zero=_LESS, open_in=("001",)),
    Point(
        "O-39",
        (
            Reading(
                "each winner gets the full share of the posted amount",
                house_jackpot_paying(Winners.EACH_IN_FULL),
                "003 on displayed prizes, WAC 230-15-671",
            ),
            Reading(
                "paid in sequence, each award deducted before the next",
                house_jackpot_paying(Winners.IN_SEQUENCE),
                "003 on several awards",
            ),
        ),
        FULL_TABLE_JACKPOT,
        only=_house_jackpot,
    ),
    Point("O-40", zero=_LESS),
)


# --- The study ---

ROUNDS = 1000
_TINY = 5e-13  # the analyzer's rounding error


@dataclass(frozen=True, slots=True)
class Valued:
    """A reading and its value."""

    reading: Reading
    value: float | None  # the player's expected gain per unit wagered
    change: float | None  # compared with the implemented reading
    dollars: float | None  # the change in cents per 1,000 rounds
    is_present: bool
    note: str

    def as_data(self) -> dict[str, object]:
        return {
            "reading": self.reading.words,
            "documents": self.reading.documents or None,
            "is_built": self.is_present,
            "ev": self.value,
            "change": self.change,
            "per_1000_rounds_cents": self.dollars,
            "note": self.note or None,
        }


@dataclass(frozen=True, slots=True)
class StudiedPoint:
    point: Point
    readings: tuple[Valued, ...]
    stake: int  # cents; the wager behind the dollar amounts
    decided_by: Authority  # according to the rules' own document; SILENT is a true ambiguity

    @property
    def spread(self) -> float:
        """Difference between the best and the worst reading."""
        values = [each.value for each in self.readings if each.value is not None]
        return max(values) - min(values) if values else 0.0

    @property
    def differs(self) -> bool:
        """Whether the readings have different values."""
        return self.spread > 1e-12

    @property
    def status(self) -> str:
        """State of the point: "worked out", "worth nothing", "settled" or "not worked out"."""
        if self.point.zero:
            return "worth nothing"
        if self.point.settled:
            return "settled"
        return "not worked out" if self.point.unknown else "worked out"

    def as_data(self) -> dict[str, object]:
        one = explain(self.point.number)
        return {
            "number": self.point.number,
            "subject": one.title,
            "says": one.text or None,
            "built": one.built,
            "decided_by": str(self.decided_by),
            "standing": self.status,
            "of": self.point.of if self.readings else None,
            "stake_cents": self.stake if self.readings else None,
            "argument": self.point.zero or self.point.settled or None,
            "reason": self.point.unknown or None,
            "readings": [each.as_data() for each in self.readings],
        }


@dataclass(frozen=True, slots=True)
class AmbiguityStudy:
    rules: Rules
    base: int
    points: tuple[StudiedPoint, ...]

    __repr__ = brief_repr

    def as_data(self, command: str) -> dict[str, object]:
        return {
            "rules": canonical(self.rules),
            "fingerprint": fingerprint(self.rules),
            "version": version(),
            "base_cents": self.base,
            "rounds": ROUNDS,
            "points": [point.as_data() for point in self.points],
            "command": command,
        }


def study_ambiguities(
    rules: Rules, base: int | None = None, numbers: Iterable[str] = ()
) -> AmbiguityStudy:
    """Evaluate every reading of the points that apply to these rules, or of the given points."""
    base = rules.table_minimum if base is None else base
    selected = {number.upper() for number in numbers}
    case = Case(rules, base)
    points = (
        _studied(point, case)
        for point in POINTS
        if point.only(rules) and (not selected or point.number in selected)
    )
    return AmbiguityStudy(rules, base, tuple(points))


def _studied(point: Point, case: Case) -> StudiedPoint:
    found = [(reading, reading.worth(case)) for reading in point.readings]
    built = next((one.value for _, one in found if one.is_present), None)
    stake = _stake(point, case)
    readings = []
    for reading, one in found:
        change = None
        if one.value is not None and built is not None:
            change = one.value - built
            if abs(change) < _TINY:
                change = 0.0
        dollars = None if change is None else change * stake * ROUNDS
        readings.append(Valued(reading, one.value, change, dollars, one.is_present, one.note))
    return StudiedPoint(point, tuple(readings), stake, point.decided_by(case.rules))


def _stake(point: Point, case: Case) -> int:
    """Return the amount of the wager that the point is about, in cents."""
    from ventiuna.reports.ambiguity_readings import (
        FULL_TABLE_JACKPOT,
        JACKPOT_WAGER,
        LARGE_BASE,
        MATCH_WAGER,
        SUPER_BONUS,
    )

    if point.of in (JACKPOT_WAGER, FULL_TABLE_JACKPOT):
        return case.rules.jackpots[0].wager
    if point.of == MATCH_WAGER:
        return max(case.rules.mtd_minimum, case.rules.chip_unit)
    return LARGE_BASE if point.of == SUPER_BONUS else case.base


# --- The document ---

# Headings by who decides a point, according to the rules' document.
_GROUPS = {
    Authority.SILENT: "Ambiguities",
    Authority.HOUSE: "Left to the house by the document",
    Authority.FIXED: "Plain in this document, different in others",
}
_ARGUED = {
    "worth nothing": "worth nothing, by argument",
    "settled": "settled: only one reading is possible",
    "not worked out": "not computed",
}


def ambiguities_document(study: AmbiguityStudy, command: str, in_full: bool = False) -> Document:
    found = study.points
    parts: list[Part] = []
    for decided_by, group in _GROUPS.items():
        parts += _parts(group, [each for each in found if each.decided_by is decided_by])
    if in_full:
        parts += [_in_full(each) for each in found]
    return Document(
        kind="Ambiguities",
        title=study.rules.title,
        lead=(*identity_lines(study.rules), _summary(found)),
        parts=tuple(parts),
        footer=imprint(command),
    )


def _parts(group: str, found: list[StudiedPoint]) -> Iterator[Part]:
    """Build one group: readings that differ, readings that don't, and points without figures."""
    differ = [each for each in found if each.differs]
    alike = [each for each in found if each.readings and not each.differs]
    if differ:
        yield Part(f"{group}: readings that differ", _readings(differ))
    if alike:
        note = Text("Computed exactly: with best play, the results are the same.")
        yield Part(f"{group}: readings with the same result", (*_readings(alike), note))
    for status, words in _ARGUED.items():
        rows = tuple(
            (_subject(each), each.point.zero or each.point.settled or each.point.unknown)
            for each in found
            if each.status == status
        )
        if rows:
            yield Part(f"{group}: {words}", (Facts(rows),))


def _summary(found: Sequence[StudiedPoint]) -> str:
    groups = Counter(each.decided_by for each in found)
    open_points = [each for each in found if each.decided_by is Authority.SILENT]
    differ = sum(each.differs for each in open_points)
    alike = sum(bool(each.readings) and not each.differs for each in open_points)
    statuses = Counter(each.status for each in open_points)
    return (
        f"{pluralize(len(open_points), 'point')} on which the document is silent or contradicts "
        f"itself: {differ} with readings that differ in money, {alike} with the same exact result, "
        f"{statuses['worth nothing']} worth nothing by argument, {statuses['settled']} "
        f"settled by the documents' own figures, {statuses['not worked out']} not computed. "
        f"{pluralize(groups[Authority.HOUSE], 'more point')} left to the house, and "
        f"{groups[Authority.FIXED]} clear in this document but different in others."
    )


def _subject(each: StudiedPoint) -> str:
    return f"{each.point.number} {explain(each.point.number).title}"


def _readings(found: list[StudiedPoint]) -> tuple[Block, ...]:
    return (*_grids(found), Text(_NOTE), *_notes(found))


_NOTE = (
    "Points and money show the player's change from the implemented reading; + is better. Exact, "
    "with best play in each case and a fresh shoe."
)


def _grids(found: list[StudiedPoint]) -> Iterator[Grid]:
    """Build one table for each kind of wager."""
    for wager, stake in {each.point.of: each.stake for each in found}.items():
        rows = tuple(
            _row(each, valued)
            for each in found
            if each.point.of == wager
            for valued in each.readings
        )
        yield Grid(
            f"Edge per unit of the {wager}; money for {ROUNDS:,} rounds with {dollars(stake)}",
            ("point", "reading", "edge", "points", "money"),
            rows,
            words=2,
            name=wager,
        )


def _notes(found: list[StudiedPoint]) -> Iterator[Text]:
    for each in found:
        for valued in each.readings:
            if valued.note:
                yield Text(f"{each.point.number}, {valued.reading.words}: {valued.note}.")


def _row(each: StudiedPoint, valued: Valued) -> tuple[str, ...]:
    words = valued.reading.words
    documents = f" ({valued.reading.documents})" if valued.reading.documents else ""
    name = f"{words}{documents}{', implemented' if valued.is_present else ''}"
    if valued.value is None:
        return _subject(each), name, "impossible with these rules", "", ""
    change = "" if valued.change is None else points(valued.change)
    money = "" if valued.dollars is None else _money(valued.dollars)
    return _subject(each), name, percent(-valued.value), change, money


def _money(cents: float) -> str:
    """Format an amount with its sign; less than half a cent becomes "below 1 ¢"."""
    if cents == 0:
        return "0"
    if abs(cents) < 0.5:
        return "below 1 ¢"
    return dollars(cents) if cents < 0 else f"+{dollars(cents)}"


def _in_full(each: StudiedPoint) -> Part:
    one = explain(each.point.number)
    rows = [("built", one.built)]
    if one.text:
        rows.insert(0, ("the documents say", one.text))
    return Part(_subject(each), (Facts(tuple(rows)),))
