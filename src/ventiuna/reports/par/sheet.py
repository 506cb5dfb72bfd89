"""A PAR sheet as a document."""

from __future__ import annotations

from collections.abc import Iterator

from ventiuna.analysis.base_game.variations import Variation
from ventiuna.analysis.questions.again import command_text
from ventiuna.analysis.questions.dealer import OUTCOMES
from ventiuna.counting.removal import JACKPOT, MATCH
from ventiuna.reports.numbers import dollars, one_in, percent, points
from ventiuna.reports.pages.document import Block, Document, Facts, Grid, Items, Part, Text
from ventiuna.reports.par.countability import LEVELS
from ventiuna.reports.par.method import METHOD
from ventiuna.reports.par.side_wagers import side_wager_parts
from ventiuna.reports.par.study import ParQuestion, ParStudy, VariedEdge
from ventiuna.reports.statement import identity_lines, imprint, rule_parts

SUMMARY = (
    "Summary",
    "Events",
    "Strategy assumed, and simpler ones",
    "Expected hold",
)  # headings of the parts that a terminal shows


def par_document(study: ParStudy, question: ParQuestion) -> Document:
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
            f"{_capital(study.analysis.basis.shoe_text)}; {study.analysis.strategy_class}.",
        ),
        parts=tuple(parts),
        footer=imprint(command_text(question.words(rules))),
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- the figures of the game --------------------------------------------------------------------


def _summary(study: ParStudy) -> Part:
    found, together = study.analysis, study.together
    rows = [
        ("house edge, per base wager", percent(found.house_edge, 9)),
        ("element of risk, per chip risked", percent(found.element_of_risk, 9)),
        ("average total stake, in base wagers", f"{found.wagered:.9f}"),
        ("hands per round", f"{study.events.hands:.9f}"),
    ]
    times = ("doubled", "doubled twice or more", "doubled three times")
    rows += [
        (f"hands {often}, per round", f"{count:.9f}")
        for often, count in zip(times, study.events.doubled, strict=False)
    ]
    sd = f"{study.sd:.8f}" if study.sd is not None else f"not known: {study.sd_reason}"
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
        name = f"house edge with the Super Bonus of a {dollars(bonus.base)} wager"
        rows.append((name, percent(bonus.house_edge, 9)))
    blocks: list[Block] = [Facts(tuple(rows))]
    if study.bonuses:
        blocks.append(
            Text(
                "The Super Bonus (R-069) is not in the first figures: its worth depends on the "
                "wager. The last lines have it, with the play that is best for it."
            )
        )
    return Part("Summary", tuple(blocks))


def _events(study: ParStudy) -> Part:
    rows = [
        (
            event.name,
            event.rule,
            f"{event.count:.9f}",
            one_in(event.count),
            points(event.part, 7),
        )
        for event in study.events.events
    ]
    value = study.events.total
    rows.append(("all: the expected value", "", f"{study.events.hands:.9f}", "", points(value, 7)))
    grid = Grid(
        "How hands end, and what each end contributes to the expected value",
        ("event", "rule", "hands per round", "one in", "points"),
        tuple(rows),
        words=2,
        sums_up=True,
    )
    with_bonus = " The Super Bonus comes on top of its hand." if study.base is not None else ""
    notes = Text(
        "One in so many rounds of one spot; a round may have several hands. Contributions are "
        "percentage points of the base wager, + for the player: all exact, and their sum is the "
        f"expected value.{with_bonus}"
    )
    return Part("Events", (grid, notes))


def _dealer(study: ParStudy) -> Part:
    rows = tuple(
        (found.up, *(percent(float(chance), 4) for chance in found.chances))
        for found in study.dealer.up_cards
    )
    grid = Grid("Chances of the dealer's totals by up card", ("up card", *OUTCOMES), rows)
    note = Text(
        "If the dealer has to draw; before the dealer checks for blackjack. A 21 has three or more "
        "cards. All exact."
    )
    return Part("The dealer's final totals", (grid, note))


def _varied(study: ParStudy) -> Iterator[Part]:
    def rows(found: list[VariedEdge]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            (
                _changed(varied.variation),
                percent(varied.house_edge),
                points(varied.change),
            )
            for varied in found
        )

    decks = [each for each in study.varied if each.variation.name.startswith("decks=")]
    rest = [each for each in study.varied if each not in decks]
    note = Text("Change in percentage points; + is better for the player. Best play each time.")
    headings = ("changed", "house edge", "change")
    if decks:
        now = percent(study.analysis.house_edge)
        first = (f"Number of decks: {study.rules.decks}, as these rules have it", now, "0")
        found = (first, *rows(decks))
        yield Part("Edge by number of decks", (Grid("Decks", headings, found), note))
    grid = Grid("One thing changed at a time", headings, rows(rest))
    yield Part("Edge by option", (grid, note))


def _changed(variation: Variation) -> str:
    """In words, with the option as it is written."""
    if not variation.is_option:
        return variation.name
    return f"{variation.words} ({variation.name})"


def _strategies(study: ParStudy) -> Part:
    rows = tuple(
        (
            strategy.name,
            strategy.title + (" (made for other rules)" if strategy.made_for_other_rules else ""),
            percent(strategy.house_edge),
            points(strategy.cost),
            dollars(strategy.cost * 1000 * study.wager),
        )
        for strategy in study.strategies
    )
    wager = dollars(study.wager)
    grid = Grid(
        "What other plays cost against the best",
        ("strategy", "what it is", "house edge", "costs, points", "per 1,000 rounds"),
        rows,
        words=2,
    )
    note = Text(
        f"Base wager {wager}; all exact, for the hands alone: a player who also insures blackjacks "
        "out of habit pays for that besides."
    )
    return Part("Strategy assumed, and simpler ones", (grid, note))


# --- hold and cards -----------------------------------------------------------------------------


def _holds(study: ParStudy) -> Part:
    if not study.holds:
        return Part("Expected hold", (Text(f"No bands: {study.sd_reason}"),))
    rows = []
    for hold in study.holds:
        low, expected, high = hold.shares
        rows.append(
            (
                f"{hold.rounds:,}",
                str(hold.spots),
                dollars(hold.expected),
                f"{dollars(hold.low)} to {dollars(hold.high)}",
                percent(expected, 3),
                f"{percent(low, 2)} to {percent(high, 2)}",
            )
        )
    grid = Grid(
        f"What the house keeps of base wagers of {dollars(study.wager)}",
        ("rounds", "spots", "expected", "95 % band", "of base wagers", "95 % band"),
        tuple(rows),
        words=0,
    )
    note = Text(
        "Bands by the normal approximation; hands alone, without Super Bonus, side wagers and "
        "jackpots. Spots of one round go together by the covariance above."
    )
    return Part("Expected hold", (grid, note))


def _countability(study: ParStudy) -> Part:
    found = study.countability
    effects = found.effects()
    wagers = list(effects)
    rows = tuple(
        (value, *(points(effects[wager][value], 4) for wager in wagers))
        for value in effects[wagers[0]]
    )
    grid = Grid(
        "One card of each deck gone, in percentage points, + for the player",
        ("value", *wagers),
        rows,
    )
    counts = Grid(
        "The best balanced counts for the size of the base wager",
        ("level", "tags", "betting correlation", "breaks even at true count"),
        tuple(
            (
                str(level),
                report.tags,
                f"{report.betting:.4f}",
                "never" if report.break_even is None else f"{report.break_even:+.2f}",
            )
            for level, report in zip(LEVELS, found.counts, strict=True)
        ),
        words=2,
    )
    notes = [
        f"With {percent(dealt, 0)} of the shoe dealt the value of the base game strays by "
        f"{points(deviation, 3).removeprefix('+')} points (standard deviation, first order)."
        for dealt, deviation in found.deviations()
    ]
    if MATCH in effects and not any(effects[MATCH].values()):
        notes.append(
            "No single card changes Match the Dealer: from a fresh shoe all cards are alike to it."
        )
    if any(wager.startswith(JACKPOT) for wager in wagers):
        notes.append("A jackpot's effects are those at the meter that breaks even.")
    return Part("Countability", (grid, Items(tuple(notes)), counts))
