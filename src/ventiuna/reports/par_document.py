"""A PAR sheet as a document, and as plain data with stable keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from ventiuna.analysis.base_game.queries import OUTCOMES
from ventiuna.analysis.results import (
    CENTS_2,
    CENTS_6,
    FIXED_9,
    MONEY,
    PERCENT_4,
    PERCENT_6,
    PERCENT_9,
    POINTS,
    WHOLE,
    Form,
    FormattedNumber,
    decimal_text,
    percent_text,
)
from ventiuna.counting.removal import JACKPOT, MATCH
from ventiuna.engine.messages import capitalize_first
from ventiuna.money import money_text
from ventiuna.package import version
from ventiuna.reports.document import (
    Block,
    Document,
    Facts,
    Grid,
    Items,
    Part,
    Text,
    hours,
    identity_lines,
    imprint,
    one_in,
    points,
    rule_parts,
)
from ventiuna.reports.par import (
    LEVELS,
    ROUNDS_PER_HOUR,
    SPOTS_ROUNDS,
    SPOTS_SEED,
    WAGERS_PER_ROUND,
    Funding,
    ParStudy,
    VariedEdge,
)
from ventiuna.reports.rules_data import card_data
from ventiuna.rules import Rules
from ventiuna.rules.compiled import (
    ENVY_BONUS_RULE,
    MATCH_RULE,
    SUPER_BONUS_RULE,
    jackpot_rule,
    labels_of,
)

_ONE_IN_0, _ONE_IN_2 = (Form(digits, one_in=True) for digits in (0, 2))

# --- Methods ---

_EXACT = (
    "Exact: combinatorial analysis of every deal from a fresh shoe, without replacement, in double "
    "precision. The contributions of all events add up to the edge within 1e-14 of a base wager. "
    "Split hands are played as the same cards unsplit (CDZ-); ventiuna edge --reoptimize shows how "
    "much more they could gain."
)
_DEVIATION = (
    "Exact with one exception: if suits matter, they are treated as independent between the hands "
    "of a split. 200 million simulated rounds agree within their error of 0.00004."
)
_COVARIANCE = (
    f"Simulated: {SPOTS_ROUNDS:,} rounds of two spots, best play, a fresh shoe every round, "
    f"seed {SPOTS_SEED}. The standard error is shown next to it."
)
_HOLD = (
    "The expected amounts are exact. The bands assume a normal distribution with the deviation "
    "above, a good approximation for a few thousand rounds or more. They don't include the Super "
    "Bonus, side bets or jackpots."
)
_METER = (
    "Exact for single wagers from fresh shoes, with awards not rounded to cents and no maximum. "
    "The hours are an example."
)
_REMOVAL = (
    "Exact: the shoe less one card, averaged over its suits and multiplied by the number of decks, "
    "to represent one card of each deck. Correlations follow from these effects; deviations and "
    "break-even counts are first-order approximations."
)
_ALL = (
    "From a fresh shoe. A shoe dealt to its cut card has a different average (the cut-card "
    "effect), which ventiuna simulate estimates."
)
_FRACTIONS = "Exact fractions from a fresh shoe, rounded for display."
METHOD = (
    ("edge, stake, events, options, strategies", _EXACT),
    ("dealer's totals", _FRACTIONS),
    ("standard deviation", _DEVIATION),
    ("covariance of spots", _COVARIANCE),
    ("expected hold", _HOLD),
    ("side bets, Super Bonus", _FRACTIONS),
    ("jackpot lines and returns", _FRACTIONS),
    ("long-run meter", _METER),
    ("removal effects", _REMOVAL),
    ("all", _ALL),
)


# --- Plain data ---

Data = dict[str, object]


def par_data(study: ParStudy, command: str) -> Data:
    """Return plain data without a timestamp, so that the same input gives the same data."""
    analysis = study.analysis.as_data()
    side_bets = study.side_bets.as_data()
    return {
        **analysis,
        "version": version(),
        "rules_in_words": card_data(study.rules),
        "sd": study.sd,
        "sd_reason": study.sd_reason or None,
        "spots": study.together.as_data(),
        "super_bonus_edges": [asdict(bonus) for bonus in study.bonuses],
        **study.events.as_data(),
        "dealer_outcomes": study.dealer.as_data()["up_cards"],
        "vary": [
            {
                "name": varied.variation.name,
                "words": varied.variation.words,
                "house_edge": varied.house_edge,
                "change": varied.change,
            }
            for varied in study.varied
        ],
        "strategies": [asdict(strategy) for strategy in study.strategies],
        "side_bets": side_bets,
        "jackpot_funding": [funding.as_data() for funding in study.funding],
        "wager_cents": study.wager,
        "holds": [hold.as_data() for hold in study.holds],
        "countability": study.countability.as_data(),
        "method": [{"figure": name, "rests_on": text} for name, text in METHOD],
        "command": command,
    }


# --- Side bets and jackpots ---


def side_wager_parts(study: ParStudy) -> Iterator[Part]:
    yield from _match(study)
    yield from _insurance(study)
    yield from _super_bonus(study)
    for funding in study.funding:
        yield _jackpot(study.rules, funding)


def _match(study: ParStudy) -> Iterator[Part]:
    match, together = study.side_bets.match, study.side_bets.together
    if match is None:
        return
    rows = tuple(
        (
            outcome.name,
            FormattedNumber(outcome.profit, Form(plus=True)),
            FormattedNumber(outcome.probability, PERCENT_6),
            FormattedNumber(outcome.probability, _ONE_IN_2),
            FormattedNumber(float(outcome.probability * outcome.profit), POINTS),
        )
        for outcome in match.outcomes
    )
    sums = (
        "total",
        "",
        FormattedNumber(1.0, PERCENT_6),
        "",
        FormattedNumber(float(match.expected_value), POINTS),
    )
    grid = Grid(
        "One wager, per unit staked",
        ("outcome", "profit", "chance", "one in", "points"),
        (*rows, sums),
        sums_up=True,
    )
    facts = [
        ("house edge", PERCENT_6.text(match.house_edge)),
        ("wins", PERCENT_6.text(match.win_frequency)),
        ("standard deviation", decimal_text(match.standard_deviation, 6)),
    ]
    if together is not None and len(study.rules.mtd_wagers) > 1:
        facts.append(
            ("covariance of two one-unit wagers", f"{float(together.unit_covariance):.6f}")
        )
    yield Part("Match the Dealer odds", (grid, Facts(tuple(facts))), (MATCH_RULE, "R-022"))


def _insurance(study: ParStudy) -> Iterator[Part]:
    found = study.side_bets.insurance
    if not found:
        return
    rows = tuple(
        (
            words,
            FormattedNumber(wager.win_frequency, PERCENT_6),
            FormattedNumber(wager.house_edge, PERCENT_6),
        )
        for words, wager in found.items()
    )
    grid = Grid("Insurance by cards seen", ("seen", "wins", "edge of the insurance wager"), rows)
    yield Part("Insurance odds", (grid,), (labels_of(study.rules).insurance_rule,))


def _super_bonus(study: ParStudy) -> Iterator[Part]:
    reports = study.side_bets.bonuses
    if not reports:
        return
    rows = tuple(
        (
            money_text(spot.base),
            FormattedNumber(spot.super_bonus, MONEY),
            FormattedNumber(report.event, _ONE_IN_0),
            FormattedNumber(spot.expected_super_bonus, CENTS_6),
            FormattedNumber(spot.share_of_base, PERCENT_6),
        )
        for report in reports
        for spot in report.spots
    )
    grid = Grid(
        "One player, with the smallest wager in each band",
        ("base wager", "pays", "one in", "expected", "of the base wager"),
        rows,
    )
    note = Text(f"{reports[0].assumption} The Envy Bonus needs other players and isn't included.")
    form = study.rules.super_bonus_form()
    own = (form.rule,) if form is not None and form.rule else ()
    yield Part("Super Bonus odds", (grid, note), (*own, SUPER_BONUS_RULE, ENVY_BONUS_RULE))


# --- Jackpots ---


def _jackpot(rules: Rules, funding: Funding) -> Part:
    report = funding.report
    awards = ("R-095", "O-19") if funding.is_progressive else ("R-097", "O-39")
    lines = tuple(
        (
            line.hand,
            line.pay,
            FormattedNumber(line.frequency, _ONE_IN_2),
            FormattedNumber(line.expected_pay / report.jackpot.wager, PERCENT_4)
            if line.pays
            else "",
            FormattedNumber(float(line.expected_share), Form(4, style="e")) if line.percent else "",
        )
        for line in report.lines
    )
    grid = Grid(
        f"Lines of {report.title}, wager {money_text(report.jackpot.wager)}",
        ("line", "pays", "one in", "returns", "of the meter"),
        lines,
        words=2,
    )
    even = report.break_even_cents
    facts = [
        ("chance that a wager pays anything", PERCENT_6.text(report.hit_frequency)),
        ("return of the fixed lines", PERCENT_6.text(report.fixed_return)),
        ("return of the operator's prizes", PERCENT_6.text(report.prize_return)),
        ("house advantage as printed (R-101)", PERCENT_6.text(report.printed_house_advantage)),
        ("break-even meter", "none" if even is None else money_text(even)),
        ("house hold per wager", PERCENT_6.text(report.house_hold)),
    ]
    return Part(
        f"Jackpot game {report.number}: odds, meter and funding",
        (grid, Facts(tuple(facts)), _hits(funding), Facts(tuple(_funds(funding)))),
        (jackpot_rule(rules, report.number), "R-091", *awards),
    )


def _hits(funding: Funding) -> Grid:
    rows = tuple(
        (
            line.hand,
            line.pay,
            "never" if wagers is None else FormattedNumber(float(wagers), WHOLE),
            "" if time is None else hours(time),
        )
        for line, wagers, time in funding.hits()
    )
    return Grid(
        f"Mean time between hits, for example with {ROUNDS_PER_HOUR} rounds per hour and "
        f"{WAGERS_PER_ROUND} wagers per round",
        ("line", "pays", "wagers", "time"),
        rows,
        words=2,
    )


def _funds(funding: Funding) -> Iterator[tuple[str, str]]:
    jackpot = funding.report.jackpot
    if not funding.is_progressive:
        yield "posted amount, paid by the house (R-097)", money_text(jackpot.seed)
        yield "funding", "none: wagers don't raise the amount"
        return
    yield "contribution from each wager (O-19)", percent_text(funding.report.contribution, 2)
    mean = funding.mean_meter
    if mean is not None:
        yield "long-run average meter", CENTS_2.text(float(mean))
    yield "seed", money_text(jackpot.seed)
    if jackpot.seed:
        yield "cost of seeds to the house, per wager", PERCENT_6.text(funding.reserve_share)
        yield (
            "a reserve that pays for all seeds would take",
            f"{CENTS_6.text(funding.seeding)} of each wager",
        )
        earned = funding.wagers_to_earn_the_seed
        if earned is not None:
            yield "wagers until contributions equal the seed", f"{float(earned):,.0f}"


# --- The document ---

SUMMARY = (
    "Summary",
    "Events",
    "Strategy assumed, and simpler ones",
    "Expected hold",
)  # headings of the parts that the terminal shows


def par_document(study: ParStudy, command: str) -> Document:
    rules = study.rules
    parts = [
        _summary(study),
        *rule_parts(rules),
        _events(study),
        _dealer(study),
        *_varied(study),
        _strategies(study),
        *side_wager_parts(study),
        _holds(study),
        _countability(study),
        Part("Method and error bounds", (Facts(METHOD),)),
    ]
    return Document(
        kind="PAR sheet",
        title=rules.title,
        lead=(
            *identity_lines(rules),
            f"{capitalize_first(study.analysis.basis.shoe_text)}; {study.analysis.strategy_class}.",
        ),
        parts=tuple(parts),
        footer=imprint(command),
    )


# --- Figures of the game ---


def _summary(study: ParStudy) -> Part:
    found, together = study.analysis, study.together
    rows = [
        ("house edge, per base wager", PERCENT_9.text(found.house_edge)),
        ("element of risk, per chip risked", PERCENT_9.text(found.element_of_risk)),
        ("average total stake, in base wagers", f"{found.wagered:.9f}"),
        ("hands per round", f"{study.events.hands:.9f}"),
    ]
    times = ("doubled", "doubled twice or more", "doubled three times")
    rows += [
        (f"hands {often}, per round", f"{count:.9f}")
        for often, count in zip(times, study.events.doubled, strict=False)
    ]
    sd = f"{study.sd:.8f}" if study.sd is not None else f"unknown: {study.sd_reason}"
    rows.append(("standard deviation of a round", sd))
    if study.sd is not None:
        rows.append(("variance of a round", f"{study.sd**2:.8f}"))
    rows.append(
        (
            "covariance of two spots, simulated",
            f"{together.covariance:.5f} ± {together.standard_error:.5f} (standard error)",
        )
    )
    for bonus in study.bonuses:
        name = f"house edge with the Super Bonus of a {CENTS_2.text(bonus.base_cents)} wager"
        rows.append((name, PERCENT_9.text(bonus.house_edge)))
    blocks: list[Block] = [Facts(tuple(rows))]
    if study.bonuses:
        blocks.append(
            Text(
                "The first figures don't include the Super Bonus (R-069), because its value "
                "depends on the wager. The last lines include it, with the best play for it."
            )
        )
    return Part("Summary", tuple(blocks))


def _events(study: ParStudy) -> Part:
    rows: list[tuple[str | FormattedNumber, ...]] = [
        (
            event.name,
            event.rule,
            FormattedNumber(event.count, FIXED_9),
            one_in(event.count),
            points(event.part, 7),
        )
        for event in study.events.events
    ]
    hands, value = FormattedNumber(study.events.hands, FIXED_9), points(study.events.total, 7)
    rows.append(("total: the expected value", "", hands, "", value))
    grid = Grid(
        "How hands end, and what each outcome contributes to the expected value",
        ("event", "rule", "hands per round", "one in", "points"),
        tuple(rows),
        words=2,
        sums_up=True,
    )
    with_bonus = (
        " The Super Bonus is paid in addition to the hand." if study.base is not None else ""
    )
    notes = Text(
        '"One in" counts rounds of one spot; a round can have several hands. Contributions are '
        "percentage points of the base wager; + is better for the player. They are exact and add "
        f"up to the expected value.{with_bonus}"
    )
    return Part("Events", (grid, notes))


def _dealer(study: ParStudy) -> Part:
    rows: tuple[tuple[str | FormattedNumber, ...], ...] = tuple(
        (card.up, *(FormattedNumber(float(chance), PERCENT_4) for chance in card.chances))
        for card in study.dealer.up_cards
    )
    grid = Grid("Probability of each dealer total by up card", ("up card", *OUTCOMES), rows)
    note = Text(
        "These are the chances before the check for blackjack, if the dealer has to draw. "
        "The 21 column leaves out blackjacks. All figures are exact."
    )
    return Part("The dealer's final totals", (grid, note))


def _varied(study: ParStudy) -> Iterator[Part]:
    def rows(found: list[VariedEdge]) -> tuple[tuple[str | FormattedNumber, ...], ...]:
        lines = []
        for varied in found:
            name = varied.variation.name
            if varied.variation.is_option:
                name = f"{varied.variation.words} ({name})"
            change = points(varied.change)
            lines.append((name, FormattedNumber(varied.house_edge, PERCENT_6), change))
        return tuple(lines)

    decks = [each for each in study.varied if each.variation.name.startswith("decks=")]
    rest = [each for each in study.varied if each not in decks]
    note = Text("Change in percentage points; + is better for the player. Best play in each case.")
    headings = ("changed", "house edge", "change")
    if decks:
        now = FormattedNumber(study.analysis.house_edge, PERCENT_6)
        first = (f"Number of decks: {study.rules.decks}, unchanged", now, points(0))
        found = (first, *rows(decks))
        yield Part("Edge by number of decks", (Grid("Decks", headings, found), note))
    grid = Grid("One change at a time", headings, rows(rest))
    yield Part("Edge by option", (grid, note))


def _strategies(study: ParStudy) -> Part:
    rows = tuple(
        (
            strategy.name,
            strategy.title
            + (" (made for different rules)" if strategy.made_for_other_rules else ""),
            FormattedNumber(strategy.house_edge, PERCENT_6),
            points(strategy.cost),
            FormattedNumber(strategy.cost * 1000 * study.wager, CENTS_2),
        )
        for strategy in study.strategies
    )
    wager = CENTS_2.text(study.wager)
    grid = Grid(
        "Cost of simpler strategies compared with best play",
        ("strategy", "what it is", "house edge", "costs, points", "per 1,000 rounds"),
        rows,
        words=2,
    )
    note = Text(
        f"Base wager {wager}. All figures are exact and cover only the hands: players who also "
        "insure their blackjacks pay extra for that."
    )
    return Part("Strategy assumed, and simpler ones", (grid, note))


# --- Hold and cards ---


def _holds(study: ParStudy) -> Part:
    if not study.holds:
        return Part("Expected hold", (Text(f"No bands: {study.sd_reason}"),))
    rows = []
    for hold in study.holds:
        expected, low, high = hold.shares
        rows.append(
            (
                FormattedNumber(hold.rounds, WHOLE),
                FormattedNumber(hold.spots, WHOLE),
                FormattedNumber(hold.expected_cents, CENTS_2),
                f"{CENTS_2.text(hold.low_cents)} to {CENTS_2.text(hold.high_cents)}",
                FormattedNumber(expected, Form(3, "percent")),
                f"{percent_text(low, 2)} to {percent_text(high, 2)}",
            )
        )
    grid = Grid(
        f"What the house keeps from base wagers of {CENTS_2.text(study.wager)}",
        ("rounds", "spots", "expected", "95% band", "of base wagers", "95% band"),
        tuple(rows),
        words=0,
    )
    note = Text(
        "The bands use the normal approximation and cover only the hands, without Super Bonus, "
        "side bets or jackpots. Spots in the same round are correlated by the covariance above."
    )
    return Part("Expected hold", (grid, note))


def _countability(study: ParStudy) -> Part:
    found = study.countability
    effects = found.effects()
    wagers = list(effects)
    rows: tuple[tuple[str | FormattedNumber, ...], ...] = tuple(
        (value, *(points(effects[wager][value], 4) for wager in wagers))
        for value in effects[wagers[0]]
    )
    grid = Grid(
        "One card of each deck removed, in percentage points; + is better for the player",
        ("value", *wagers),
        rows,
    )
    counts = Grid(
        "The best balanced counts for betting",
        ("level", "tags", "betting correlation", "breaks even at true count"),
        tuple(
            (
                str(level),
                report.tags,
                FormattedNumber(report.betting, Form(4)),
                "never"
                if report.break_even is None
                else FormattedNumber(report.break_even, Form(2, plus=True)),
            )
            for level, report in zip(LEVELS, found.counts, strict=True)
        ),
        words=2,
    )
    notes = [
        f"With {percent_text(dealt, 0)} of the shoe dealt, the value of the base game has a "
        f"standard deviation of {Form(3, zero='0').text(100 * deviation)} points (first order)."
        for dealt, deviation in found.deviations()
    ]
    if MATCH in effects and not any(effects[MATCH].values()):
        notes.append(
            "Removing a single card doesn't change Match the Dealer: from a fresh shoe, all cards "
            "are equal."
        )
    if any(wager.startswith(JACKPOT) for wager in wagers):
        notes.append("A jackpot's effects are computed at its break-even meter.")
    return Part("Countability", (grid, Items(tuple(notes)), counts))
