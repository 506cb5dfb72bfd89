"""`ventiuna rules explain`: the text and source of a rule number."""

from __future__ import annotations

import re

import pytest

from tests.cli.running import run
from ventiuna.rules.text.references import references_by_number


def test_a_number_is_explained_in_full_with_its_documents() -> None:
    text = run("rules", "explain", "R-036", "d-12").out
    assert "R-036 Dealer's check, insurance, surrender" in text
    assert "Late surrender" in text
    assert "document 000: Spanish 21" in text
    assert "D-12" in text
    assert "Our reading:" in text


def test_a_number_cites_document_clause_and_quotation() -> None:
    text = " ".join(run("rules", "explain", "R-070").out.split())
    assert (
        "document 000: Spanish 21, rules and procedures (Washington State Gambling Commission) "
        'Dealing Procedures 4c: "Splitting or Doubling VOIDS SUPER BONUS"'
    ) in text
    assert 'Super Bonus Payouts: "Splitting or doubling down voids the Super Bonus"' in text


def test_floor_staff_see_no_python_names() -> None:
    out = run("rules", "explain", *references_by_number()).out
    for one in references_by_number().values():
        for row in one.decided:
            assert row.function.replace(":", ".") not in out
    assert not re.search(r"\b(core|engine|rules|kernels)\.[a-z_]+", out)


def test_json_has_the_same_words() -> None:
    (found,) = run("rules", "explain", "R-036", "--json").data
    assert found["number"] == "R-036"
    assert [document["id"] for document in found["documents"]] == ["000", "001", "002", "003"]
    assert found["clauses"][1] == {
        "document": "001",
        "clause": "Surrender",
        "quote": "may surrender their first two cards, and forfeit half",
    }


def test_all_numbers_and_those_containing_a_word() -> None:
    everything = run("rules", "explain", "--json").data
    assert [one["number"] for one in everything] == list(references_by_number())
    rescues = run("rules", "explain", "--search", "rescue", "--json").data
    assert "R-057" in [one["number"] for one in rescues]
    assert 0 < len(rescues) < len(everything)
    assert "R-057" in run("rules", "explain", "--search", "rescue").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["R-999"], "There is no rule R-999. Choose from R-001 to R-1"),
        (["--search", "xyzzy"], "another word"),
    ],
)
def test_an_unknown_number_gets_one_sentence(words: list[str], told: str) -> None:
    found = run("rules", "explain", *words)
    assert found.code == 2
    assert told in found.err


def test_every_part_of_a_sign_cites_the_numbers_behind_it() -> None:
    for rules in ("wsgc-2021(jackpots=3c:1)", "super-fun-21", "blackjack", "casino-card"):
        for section in run("rules", "card", rules, "--json").data["sections"]:
            assert section["rules"], section["heading"]
            assert set(section["rules"]) <= set(references_by_number()), section["heading"]
