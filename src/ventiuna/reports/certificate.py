"""A certificate of agreement as a document: the rules in words, the comparisons, the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from ventiuna.analysis.base_game.analyzer import analyze
from ventiuna.analysis.results import PERCENT_6
from ventiuna.money import money_text
from ventiuna.proof.certificate import Certificate, Check
from ventiuna.reports.document import (
    Block,
    Document,
    Facts,
    Grid,
    Items,
    Part,
    Text,
    identity_lines,
    imprint,
    points,
    rule_parts,
)
from ventiuna.simulation.exact_play import exact_value

_SHOWN = 12  # figures shown for each group
percent = PERCENT_6.text


@dataclass(frozen=True, slots=True)
class Headline:
    """The certificate's house edges next to the one from `edge`."""

    house_edge: float  # best play, any wager, without Super Bonus
    certified_house_edge: float  # exact edge of the simulated play
    simulated_house_edge: float
    standard_error: float


def headline(certificate: Certificate) -> Headline:
    ev = certificate.result.ev
    return Headline(
        analyze(certificate.rules).house_edge,
        exact_value(certificate.result.tally.spec).house_edge,
        -ev.value,
        ev.standard_error,
    )


def certificate_data(certificate: Certificate, date: str) -> dict[str, object]:
    """Return plain data for JSON; `date` is the certificate's date."""
    found = headline(certificate)
    return {
        **certificate.as_data(),
        "date": date,
        **asdict(found),
        "why": list(why(found, certificate)),
    }


def why(found: Headline, certificate: Certificate) -> Iterator[str]:
    """Explain why the certificate's figure can differ from `edge`."""
    base = money_text(certificate.result.tally.spec.bases[0])
    yield (
        "ventiuna edge gives the edge with best play for any wager, by exact cards and without the "
        f"Super Bonus: {percent(found.house_edge)}."
    )
    yield (
        f"The certificate covers one strategy, '{certificate.strategy}', with a base wager of "
        f"{base}: exactly {percent(found.certified_house_edge)}, a difference of "
        f"{points(found.certified_house_edge - found.house_edge)} points. The strategy 'optimal' "
        "also plays for that wager's Super Bonus, whose payout isn't in this figure, and "
        "distinguishes hands as the rules do, not card by card. Any other strategy also "
        "loses whatever its chart costs compared with best play."
    )
    yield (
        f"The simulated figure, {percent(found.simulated_house_edge)}, has a standard error of "
        f"{percent(found.standard_error)}. It checks the exact figure but isn't more accurate."
    )


def certificate_document(certificate: Certificate, date: str) -> Document:
    rules, found = certificate.rules, headline(certificate)
    verdict = Text(certificate.verdict, strong=True, warns=not certificate.agrees)
    facts = Facts((("date", date), *certificate.fact_lines()))
    simulated, error = percent(found.simulated_house_edge), percent(found.standard_error)
    figures = Facts(
        (
            ("house edge, from ventiuna edge", percent(found.house_edge)),
            ("house edge of the certified strategy, exact", percent(found.certified_house_edge)),
            ("the same, simulated", f"{simulated} ± {error} (standard error)"),
        )
    )
    parts = [
        Part("Verdict", (verdict, facts)),
        Part("Headline", (figures,)),
        Part("Why these figures differ", (Items(tuple(why(found, certificate))),)),
        *rule_parts(rules),
        *(
            Part(f"Compared: {group}", tuple(_group(group, checks)))
            for group, checks in certificate.groups().items()
        ),
    ]
    if certificate.differences:
        texts = tuple(Text(str(each)) for each in certificate.differences[:_SHOWN])
        parts.append(Part("Rounds that differ", texts))
    return Document(
        kind="Certificate of agreement",
        title=rules.title,
        lead=identity_lines(rules),
        parts=tuple(parts),
        footer=imprint(certificate.command),
    )


def _group(group: str, checks: list[Check]) -> Iterator[Block]:
    visible = checks
    if len(checks) > 2 * _SHOWN:
        visible = sorted(checks, key=lambda check: check.chance)[:_SHOWN]
        yield Text(f"{len(checks)} figures, of which the {_SHOWN} least likely are shown.")
    rows = tuple(
        (
            check.name if check.agrees else f"DIFFERS: {check.name}",
            f"{check.exact:.8g}",
            f"{check.simulated:.8g}",
            f"{check.standard_error:.3g}",
            f"{check.sigmas:+.2f}",
        )
        for check in visible
    )
    headings = ("figure", "exact", "simulated", "standard error", "errors apart")
    yield Grid(f"{group[:1].upper()}{group[1:]}: exact and simulated", headings, rows)
