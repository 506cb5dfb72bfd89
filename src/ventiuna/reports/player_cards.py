"""Documents for players: a table's posting sheet, the rack card and the pocket strategy card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ventiuna.analysis.charts.derivation import ChartResult
from ventiuna.analysis.results import ONE_IN, Form, FormattedNumber, exact_data, one_in_text
from ventiuna.analysis.side_bets.jackpots import JackpotReport, jackpot_report
from ventiuna.analysis.side_bets.match_the_dealer import MatchWager, match_wager
from ventiuna.analysis.side_bets.super_bonus import all_win
from ventiuna.engine.messages import capitalize_first
from ventiuna.reports.document import (
    Block,
    Document,
    Grid,
    Items,
    LetterTable,
    Part,
    SheetSize,
    Text,
    identity_lines,
    imprint,
    rule_parts,
)
from ventiuna.reports.rules_data import card_data
from ventiuna.rules import Problem, Rules, RulesError
from ventiuna.rules.data_files import match_odds
from ventiuna.rules.model import BlackjackTie, JackpotKind, Player21, Surrender
from ventiuna.rules.text.phrases import (
    dollars,
    double_words,
    jackpot_table,
    may_split,
    mtd_words,
    number_word,
    row_words,
    split_pair_words,
    super_bonus_pays,
    super_bonus_text,
)
from ventiuna.rules.text.procedure import document_id
from ventiuna.texts import brief_repr, one_line

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
            *_notices(rules),
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
                FormattedNumber(outcome.probability, Form(3, "percent")),
                FormattedNumber(outcome.probability, ONE_IN),
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
            (line.hand, line.pay, FormattedNumber(line.frequency, Form(one_in=True)))
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


NOTICES = "Jackpot notices"


def _has_notices(rules: Rules) -> bool:
    return bool(rules.jackpots) and document_id(rules) == "003"


def _notices(rules: Rules) -> Iterator[Part]:
    """The notices that document 003 and the code it names require at a table with jackpots."""
    if _has_notices(rules):
        kind = rules.jackpots[0].kind  # a table has only one kind
        notices = _HOUSE_NOTICES if kind is JackpotKind.HOUSE else _PROGRESSIVE_NOTICES
        yield Part(NOTICES, (Items((*notices, *_equipment(rules))),))


_HOUSE_NOTICES = (
    (
        "House jackpot: the house sets its amount and its prizes. They belong to the house until a "
        "player wins them (R-097, WAC 230-15-671)."
    ),
    "The amount shown doesn't grow with wagers (WAC 230-15-671).",
)
_PROGRESSIVE_NOTICES = (
    (
        "Progressive: the jackpot grows with the wagers. The money is the players', and the house "
        "only holds it (R-098, WAC 230-15-680 to 230-15-720)."
    ),
    (
        "The meter shows the current amount. It goes down only when an amount is won, to correct a "
        "wrong display or one above its maximum, to take out money that isn't displayed, or to "
        "recover the house's seed money. Each reason is recorded (WAC 230-15-695)."
    ),
    "A maximum is never set below the amount shown (WAC 230-15-685).",
    (
        "If the jackpot is taken out of play, players' money goes only to players "
        "(WAC 230-15-710; our reading)."
    ),
)


def _equipment(rules: Rules) -> Iterator[str]:
    """The equipment that the document names; other documents leave it open."""
    versions = {"wsgc-2021": "v003 or later, including v005t", "wsgc-v002": "v002 or later"}
    if found := versions.get(rules.origin.preset):
        yield f"Approved equipment: Match the Dealer Progressive {found} (R-005)."


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
    if _has_notices(rules):
        yield "R-005, WAC 230-15-671, WAC 230-15-680 to 720", "whose money it is", NOTICES
    yield "WAC 230-15-490", "payout limits", "Payout limit and order of precedence"
    if rules.origin.notices:
        yield rules.document, "what the document forbids or requires", "Also in the document"


# --- Rack card ---


def rack_document(rules: Rules, command: str) -> Document:
    """A small card for the table that explains how to play, like the one in document 004."""
    return Document(
        kind="How to play",
        title=rules.game.words,
        lead=(f"Wagers from {dollars(rules.table_minimum)} to {dollars(rules.table_maximum)}.",),
        parts=(Part("Rules of the game", (Items(tuple(how_to_play(rules))),)),),
        footer=(f"{rules.title}.", *imprint(command)),
        paper=SheetSize.POCKET,
        explains=False,
    )


def how_to_play(rules: Rules) -> Iterator[str]:
    """A few sentences on how the game differs from blackjack."""
    yield f"You may double down {double_words(rules)}."
    if may_split(rules):
        aces = ", aces included" if rules.resplit_aces else ""
        yield (
            f"You may split {split_pair_words(rules)}, up to {number_word(rules.split_hands)} "
            f"hands{aces}."
        )
    if rules.surrender is not Surrender.OFF:
        any_time = "at any time below 21, even after hitting, splitting or doubling"
        first = "on your first two cards, after the dealer has checked for blackjack"
        yield f"You may surrender {any_time if rules.surrender is Surrender.ANY_TIME else first}."
    for row in rules.instant_wins:
        yield f"{capitalize_first(row_words(row))}: {row.pay.words} at once, unless doubled."
    if rules.player_21 is Player21.WINS:
        yield "Your 21 always beats the dealer's 21 and is paid at once."
    if rows := rules.bonus_21_rows():
        pays_more = ", ".join(f"{row_words(row)} {row.pay.words}" for row in rows)
        yield f"These 21s pay more, unless doubled: {pays_more}."
    pays, diamonds = rules.blackjack_pays.words, rules.diamond_blackjack_pays.words
    more = "" if diamonds == pays else f", all diamonds {diamonds}"
    always = "always wins" if rules.blackjack_tie is BlackjackTie.WINS else "wins"
    yield f"A blackjack {always} and pays {pays}{more}."
    if form := rules.super_bonus_form():
        amounts = ", ".join(f"{pay.hand} {pay.pays}" for pay in super_bonus_pays(rules))
        yield f"Super Bonus for {super_bonus_text(form)}: {amounts}."


# --- Pocket strategy card ---

PERCENT = 100.0


def pocket_document(result: ChartResult, command: str) -> Document:
    """Build a card for players to hold at the table; most casinos allow it."""
    page = result.page()
    parts = [
        Part(
            section.title,
            (
                LetterTable(
                    "dealer's up card", tuple((row.label, row.cells) for row in section.rows)
                ),
            ),
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
        paper=SheetSize.POCKET,
        explains=False,
    )


def _price(result: ChartResult) -> str:
    bonus = "included" if result.super_bonus else "not included"
    return (
        f"House edge {PERCENT * result.house_edge:.4f}%, best play "
        f"{-PERCENT * result.optimal_ev:.4f}% (exact, Super Bonus {bonus})."
    )
