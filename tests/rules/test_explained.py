"""Every rule number that people see has its text."""

import pytest

from ventiuna.core.refusals import REASONS
from ventiuna.rules.model import OPTIONS
from ventiuna.rules.text.references import DOCUMENTS, UnknownNumber, explain, references_by_number


def test_every_number_has_text_and_cites_its_documents() -> None:
    found = references_by_number()
    assert len(found) == 125 + 34 + 40
    for number, one in found.items():
        assert one.number == number
        assert one.title
        assert one.text or one.built
        assert {document.id for document in one.documents} <= set(DOCUMENTS)
        assert one.documents or number.startswith(("D", "O"))
        assert (one.built == "") == number.startswith("R")
        assert set(one.mentions) <= set(found) - {number}


def test_every_requirement_quotes_a_clause_of_each_of_its_documents() -> None:
    for number, one in references_by_number().items():
        # R-125 covers what the documents don't say.
        if (number.startswith("R") and number != "R-125") or one.clauses:
            documents = {document.id for document in one.documents}
            assert {clause.document for clause in one.clauses} == documents, number
        for clause in one.clauses:
            assert clause.clause
            assert 1 < len(clause.quote.split()) <= 14, "a short quotation"


def test_disagreements_quote_the_documents_that_disagree() -> None:
    assert all(
        one.clauses for number, one in references_by_number().items() if number.startswith("D")
    )


def test_numbers_are_read_as_people_write_them() -> None:
    assert explain(" r-036 ") is explain("R-036")
    assert "surrender" in explain("R-036").text.lower()
    for unknown in ("R-126", "36", "", "R-036; DROP"):
        with pytest.raises(UnknownNumber, match="R-001 to R-125"):
            explain(unknown)


def test_every_number_cited_by_refusals_and_options_is_explained() -> None:
    numbers = {number for _, rules, _ in REASONS.values() for number in rules}
    numbers |= {number for option in OPTIONS for number in option.rule.split(", ") if number}
    assert numbers
    assert {explain(number).number for number in numbers} == numbers
