"""The posting sheet, strategy cards and the templates shared by all sheets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import good, run
from tests.reports.checked_html import check_html
from ventiuna.analysis.charts.derivation import derive_chart
from ventiuna.analysis.side_bets.jackpots import jackpot_report
from ventiuna.reports.document import Document, Facts, Grid, Items, LetterTable, Part, Text
from ventiuna.reports.player_cards import (
    NOTICES,
    highest_odds,
    how_to_play,
    pocket_document,
    rack_document,
)
from ventiuna.reports.queries import PostingQuery
from ventiuna.reports.render import document_html, document_pdf
from ventiuna.rules import load_rules, preset_ids
from ventiuna.rules.text.references import explain

ODD = '<b>&"quotes" \N{MINUS SIGN}1 Ω'


def odd_document() -> Document:
    return Document(
        "Sheet",
        ODD,
        (ODD,),
        (
            Part(
                "One & only",
                (
                    Text(f"{ODD} R-036", strong=True),
                    Items((ODD,)),
                    Facts((("name", ODD),)),
                    Grid(ODD, ("a", ODD), (("x", ODD), ("y", "2")), sums_up=True),
                    LetterTable("chart", (("16", ("H",) * 10),)),
                ),
                ("D-27",),
            ),
        ),
        (ODD,),
    )


def test_outside_text_breaks_no_page() -> None:
    page = document_html(odd_document())
    text = check_html(page)
    assert ODD in text
    assert "<b>&" not in page
    assert document_pdf(odd_document()).startswith(b"%PDF-")
    assert document_pdf(odd_document()) == document_pdf(odd_document())


def test_every_number_is_explained() -> None:
    text = check_html(document_html(odd_document()))
    for number in ("R-036", "D-27"):
        assert explain(number).text in text


@pytest.mark.parametrize("name", preset_ids())
def test_a_posting_sheet_states_everything_required(name: str) -> None:
    """R-003, R-004: the sheet shows the limits, the game's name and every payout."""
    question = PostingQuery.parse(rules=name)
    sheet = question.run()
    text = check_html(document_html(question.document(sheet)))
    rules = load_rules(name)
    assert f"${rules.table_minimum // 100}" in text
    assert f"${rules.table_maximum // 100}" in text
    assert rules.game.words in text
    for row in (*rules.bonus_21_rows(), *rules.instant_wins):
        assert row.name in text
        assert row.pay.words in text
    for number in range(1, len(rules.jackpots) + 1):
        for line in jackpot_report(rules, number).lines:
            assert line.hand in text
    headings = {part.heading for part in question.document(sheet).parts}
    asked = question.data(sheet)["asked_for"]
    assert isinstance(asked, list)
    places = {place for row in asked for place in row["where"].split(", ")}
    assert places - headings <= {"title", "the pay tables", "the jackpot sections", "its meter"}
    assert "Limits" in places


def test_only_allowed_payout_limits_can_be_posted() -> None:
    assert highest_odds(load_rules("wsgc-2021")).odds == 18
    done = run("rules", "posting", "wsgc-2021", "--payout-limit", "500")
    assert done.code == 2
    assert "18 to 1" in done.err
    assert "WAC 230-15-490" in done.err
    prize = "wsgc-2021(jackpots=5c:1:prize=100)"
    assert highest_odds(load_rules(prize)).odds == 100
    low = run("rules", "posting", prize, "--payout-limit", "49")
    assert "must be at least $50" in low.err
    assert "at most $50" in good("rules", "posting", prize, "--payout-limit", "50")


def test_a_pocket_card_has_every_row_of_the_chart_and_its_price() -> None:
    result = derive_chart(load_rules("super-fun-21"))
    document = pocket_document(result, "ventiuna pocket super-fun-21")
    text = check_html(document_html(document))
    for section in result.page().sections:
        for row in section.rows:
            assert row.label in text
    assert f"{100 * result.house_edge:.4f}%" in text
    assert result.fingerprint in text
    pdf = document_pdf(document)
    assert b"/MediaBox [0 0 240.94 382.68]" in pdf


def test_files_are_written_and_their_names_printed(tmp_path: Path) -> None:
    page, printed = tmp_path / "sign.html", tmp_path / "sign.pdf"
    done = run("rules", "posting", "casino-card", "--html", str(page), "--pdf", str(printed))
    assert done.code == 0
    assert done.err.count("written to") == 2
    check_html(page.read_text(encoding="utf-8"))
    assert printed.read_bytes().startswith(b"%PDF-")
    assert (
        json.loads(good("rules", "posting", "casino-card", "--json"))["table_minimum_cents"] == 500
    )


def test_r103_the_rack_card_of_super_fun_21_has_the_six_rules_of_the_document() -> None:
    """R-105 to R-114: double, split, surrender, two instant wins, and blackjacks."""
    assert list(how_to_play(load_rules("super-fun-21"))) == [
        "You may double down on two or more cards with any total, even after splitting.",
        "You may split two cards of equal value, up to four hands, aces included.",
        "You may surrender at any time below 21, even after hitting, splitting or doubling.",
        "21 with five or more cards: 2 to 1 at once, unless doubled.",
        "20 or less in six cards: even money at once, unless doubled.",
        "A blackjack always wins and pays even money, all diamonds 2 to 1.",
    ]
    assert "How to play: Super Fun 21" in good("rules", "rack", "super-fun-21")


@pytest.mark.parametrize("name", preset_ids())
def test_every_preset_has_a_rack_card(name: str) -> None:
    document = rack_document(load_rules(name), "ventiuna rules rack")
    text = check_html(document_html(document))
    assert load_rules(name).game.words in text
    assert document_pdf(document).startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("rules", "wording"),
    [
        ("wsgc-2021(jackpots=3c:1:kind=house:seed=5000)", ("WAC 230-15-671", "v003 or later")),
        ("wsgc-2021-jackpot", ("WAC 230-15-695", "players' money goes only to players")),
        ("wsgc-v002(jackpots=3c:1:seed=1000)", ("WAC 230-15-680", "v002 or later (R-005)")),
    ],
)
def test_r097_r098_a_posting_sheet_has_the_jackpot_notices(
    rules: str, wording: tuple[str, ...]
) -> None:
    question = PostingQuery.parse(rules=rules)
    document = question.document(question.run())
    [part] = [part for part in document.parts if part.heading == NOTICES]
    [block] = part.blocks
    assert isinstance(block, Items)
    assert all(word in " ".join(block.items) for word in wording)
    for name in ("super-fun-21", "casino-card"):
        without = PostingQuery.parse(rules=name)
        assert NOTICES not in [part.heading for part in without.document(without.run()).parts]
