"""Documents for players: a table's posting sheet, and the pocket strategy card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.charts.derivation import ChartResult
from ventiuna.analysis.results import ONE_IN, Form, Number, exact_data, one_in_text
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import MatchWager, match_wager
from ventiuna.analysis.side_bets.super_bonus import all_win
from ventiuna.records import brief_repr
from ventiuna.reports.document import (
    Block,
    Document,
    Grid,
    Items,
    Paper,
    Part,
    Plays,
    Text,
    identity_lines,
    imprint,
    rule_parts,
)
from ventiuna.reports.rules_data import card_data
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.data_files import match_odds
from ventiuna.rules.text.phrases import dollars, jackpot_table, mtd_words
from ventiuna.texts import one_line

# --- Posting sheet ---

LEAST_LIMITED_ODDS = 50  # odds to 1; lower odds can't be limited (WAC 230-15-490)
_WHICH_TEXT_WINS = (
    "If texts differ, the code takes precedence, then the manufacturer's approved game rules, then "
    "the approved house rules, then a rule book (WAC 230-15-065)."
)


@dataclass(frozen=True, slots=True)
class HighestOdds:
    """The highest odds of any fixed payout on the layout, and the largest wager they apply to."""

    hand: str
    odds: Fraction
    wager: int  # cents

    @property
    def least_limit(self) -> int:
        """Lowest aggregate payout limit allowed, in cents (WAC 230-15-491)."""
        return int(self.wager * min(self.odds, Fraction(LEAST_LIMITED_ODDS)))


@dataclass(frozen=True, slots=True)
class PostingSheet:
    rules: Rules
    highest: HighestOdds
    payout_limit: int | None  # cents
    match: MatchWager | None
    jackpots: tuple[JackpotReport, ...]

    __repr__ = brief_repr

    def as_data(self, command: str) -> dict[str, object]:
        return {
            **card_data(self.rules),
            "table_minimum_cents": self.rules.table_minimum,
            "table_maximum_cents": self.rules.table_maximum,
            "highest_odds": {"hand": self.highest.hand, "odds": _to_1(self.highest.odds)},
            "payout_limit_cents": self.payout_limit,
            "match_the_dealer_win_frequency": None
            if self.match is None
            else exact_data(self.match.win_frequency),
            "jackpot_hit_frequency": [exact_data(report.hit_frequency) for report in self.jackpots],
            "asked_for": [
                {"by": by, "what": what, "where": where}
                for by, what, where in _required_statements(self)
            ],
            "command": command,
        }


def posting_sheet(rules: Rules, limit: int | None = None) -> PostingSheet:
    """Create a posting sheet; raises an error if the limit isn't allowed."""
    highest = highest_odds(rules)
    if limit is not None:
        _check_limit(limit, highest)
    return PostingSheet(
        rules,
        highest,
        limit,
        match_wager(rules) if rules.mtd_wagers else None,
        tuple(jackpot_report(rules, game) for game in range(1, len(rules.jackpots) + 1)),
    )


def highest_odds(rules: Rules) -> HighestOdds:
    """Find the highest fixed odds; percentage awards and the Super Bonus don't count."""
    found = [HighestOdds("blackjack", _share(rules.blackjack_pays), rules.table_maximum)]
    rows = (*rules.bonus_21_rows(), *rules.instant_wins)
    found += [HighestOdds(row.name, _share(row.pay), rules.table_maximum) for row in rows]
    if rules.mtd_wagers:
        maximum = rules.mtd_maximum or rules.table_maximum
        suited = 2 * match_odds()[rules.decks].suited
        found.append(HighestOdds("two suited matches", Fraction(suited), maximum))
    for jackpot in rules.jackpots:
        table = jackpot_table(jackpot)
        for odds in table.pay_tables[jackpot.pay_table].fixed.values():
            found.append(HighestOdds("a fixed jackpot line", _share(odds), jackpot.wager))
        if jackpot.prize:
            prize = Fraction(jackpot.prize, 100)
            found.append(HighestOdds("the operator's prize", prize, jackpot.wager))
    return max(found, key=lambda one: one.odds)


def _share(odds: tuple[int, int, bool]) -> Fraction:
    return Fraction(odds[0], odds[1])


def _check_limit(limit: int, highest: HighestOdds) -> None:
    name = "payout limit"
    if highest.odds < LEAST_LIMITED_ODDS:
        message = (
            f"the highest odds here are {_to_1(highest.odds)} ({highest.hand}), and odds below "
            f"{LEAST_LIMITED_ODDS} to 1 can't be limited"
        )
        fix = "Omit the limit."
        raise RulesError([Problem(name, dollars(limit), "WAC 230-15-490", message, fix)])
    if limit < highest.least_limit:
        message = f"must be at least {dollars(highest.least_limit)}"
        raise RulesError([Problem(name, dollars(limit), "WAC 230-15-491", message, "Raise it.")])


def _to_1(odds: Fraction) -> str:
    return f"{odds.numerator} to {odds.denominator}"


# --- The sheet ---


def posting_document(sheet: PostingSheet, command: str) -> Document:
    rules = sheet.rules
    parts = rule_parts(rules)
    limits = [part for part in parts if part.heading == "Limits"]
    others = [part for part in parts if part.heading != "Limits"]
    required = tuple(_required_statements(sheet))
    checklist = Grid("Requirements", ("source", "what", "where"), required, words=3)
    return Document(
        kind="Posting sheet",
        title=rules.game.words,
        lead=(
            f"Wagers from {dollars(rules.table_minimum)} to {dollars(rules.table_maximum)}.",
            f"{rules.title}.",
            *identity_lines(rules),
        ),
        parts=(
            *limits,
            *others,
            *_chances(sheet),
            Part("Payout limit and order of precedence", (Items(tuple(_limits(sheet))),)),
            Part("Required postings", (checklist,)),
        ),
        footer=imprint(command),
        explains_on_paper=False,
    )


def _limits(sheet: PostingSheet) -> Iterator[str]:
    if sheet.payout_limit is not None:
        yield (
            f"All odds-based prizes of one deal of cards add up to at most "
            f"{dollars(sheet.payout_limit)} (WAC 230-15-490)."
        )
    elif sheet.highest.odds < LEAST_LIMITED_ODDS:
        yield (
            f"No payout limit: the highest odds are {_to_1(sheet.highest.odds)} "
            f"({sheet.highest.hand}), and odds below {LEAST_LIMITED_ODDS} to 1 can't be limited "
            "(WAC 230-15-490)."
        )
    else:
        yield "No payout limit is set."
    yield _WHICH_TEXT_WINS


def _chances(sheet: PostingSheet) -> Iterator[Part]:
    blocks: list[Block] = []
    rules = sheet.rules
    if sheet.match is not None:
        rows = tuple(
            (
                outcome.name,
                Number(outcome.probability, Form(3, "percent")),
                Number(outcome.probability, ONE_IN),
            )
            for outcome in sheet.match.outcomes
        )
        names = mtd_words(rules.mtd_wagers)
        blocks.append(
            Grid(
                f"Match the Dealer, for each wager: {names}", ("outcome", "chance", "one in"), rows
            )
        )
    if rules.super_bonus_form() is not None:
        blocks.append(
            Text(f"Super Bonus: one in {one_in_text(all_win(rules, 1), 0)} hands (R-067, R-068).")
        )
    for report in sheet.jackpots:
        lines = tuple(
            (line.hand, line.pay, Number(line.frequency, Form(one_in=True)))
            for line in report.lines
        )
        blocks.append(
            Grid(
                f"Jackpot game {report.number}: chances",
                ("line", "pays", "one in"),
                lines,
                words=2,
            )
        )
    if blocks:
        note = Text("Exact chances from a fresh shoe, rounded for display.")
        yield Part("Side bet chances", (*blocks, note))


def _required_statements(sheet: PostingSheet) -> Iterator[tuple[str, str, str]]:
    rules = sheet.rules
    yield "R-003, WAC 230-15-060", "minimum and maximum wager", "Limits"
    yield "R-002, WAC 230-15-140", "not above the regulator's limit", "Limits"
    if rules.bonus_21_rows():
        yield "R-004", "the name of the game and the Bonus 21 payouts", "title, Bonus 21"
    else:
        yield "R-004", "the name of the game", "title"
    if rules.instant_wins:
        yield "R-111, R-112", "instant wins", "Instant wins"
    if rules.mtd_wagers:
        yield "R-004, R-022", "Match the Dealer wagers and their odds", "Match the Dealer"
    yield "WAC 230-15-060", "all prizes", "the pay tables"
    if rules.jackpots:
        yield "R-092, R-097", "jackpot amounts, prizes and restrictions", "the jackpot sections"
        yield "R-098", "the amount of a progressive jackpot", "its meter"
    yield "WAC 230-15-490", "payout limits", "Payout limit and order of precedence"
    if rules.origin.notices:
        yield rules.document, "what the document forbids or requires", "Also in the document"


# --- Pocket strategy card ---

PERCENT = 100.0


def pocket_document(result: ChartResult, command: str) -> Document:
    """Build a card for players to hold at the table; most casinos allow it."""
    page = result.page()
    parts = [
        Part(
            section.title,
            (Plays("dealer's up card", tuple((row.label, row.cells) for row in section.rows)),),
        )
        for section in page.sections
    ]
    legend = tuple(f"{item.sign}: {item.words}" for item in page.legend)
    notes = tuple(page.notes)
    return Document(
        kind="Strategy card",
        title=page.title,
        lead=(page.subtitle,) if page.subtitle else (),
        parts=(*parts, Part("What the letters mean", (Items((*legend, *notes)),))),
        footer=(
            _price(result),
            f"Rules {result.rules}, fingerprint {result.fingerprint}.",
            *((one_line(result.misfit),) if result.misfit else ()),
            f"Made with: {command}. Play money.",
        ),
        paper=Paper.POCKET,
        explains=False,
    )


def _price(result: ChartResult) -> str:
    bonus = "included" if result.super_bonus else "not included"
    return (
        f"House edge {PERCENT * result.house_edge:.4f}%, best play "
        f"{-PERCENT * result.optimal_ev:.4f}% (exact, Super Bonus {bonus})."
    )
