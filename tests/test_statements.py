"""docs/statements.md: what it cites exists, and no requirement of a document is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.walking import every_command
from ventiuna.rules.data_files import read_toml, rules_folder
from ventiuna.rules.model import OPTIONS_BY_NAME
from ventiuna.rules.text.references import DOCUMENTS, numbers_in, references_by_number

ROOT = Path(__file__).parents[1]
MET = {"enforced", "option", "shown", "not applicable"}


class Statement(NamedTuple):
    document: str
    clause: str
    text: str
    met: str
    where: str


def statements() -> Iterator[Statement]:
    document = ""
    for line in (ROOT / "docs/statements.md").read_text("utf-8").splitlines():
        if found := re.match(r"## Document (\d{3})", line):
            document = found[1]
        elif line.startswith("| ") and not line.startswith("| clause"):
            yield Statement(document, *(part.strip() for part in line.strip("|").split("|")))


STATEMENTS = list(statements())


def test_every_statement_cites_existing_rules_options_modules_and_commands() -> None:
    known = references_by_number()
    commands = every_command()
    for one in STATEMENTS:
        assert one.met in MET, one
        cited = numbers_in(one.where)
        assert cited, one
        assert set(cited) <= set(known), one
        for name in re.findall("`([^`]+)`", one.where):
            if name.startswith("ventiuna "):
                assert name.removeprefix("ventiuna ") in commands, one
            elif "." in name:
                assert (ROOT / "src/ventiuna" / name).exists(), one
            else:
                assert name in OPTIONS_BY_NAME, one
        if one.met == "not applicable":
            assert ";" in one.where, f"{one} must say why"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_each_document_s_requirements_are_all_stated(document: str) -> None:
    data = read_toml(rules_folder() / "text" / "requirements.toml")
    due = {row["id"] for row in data["requirements"] if document in row["documents"]}
    cited = {
        number
        for one in STATEMENTS
        if one.document == document
        for number in numbers_in(one.where)
        if number.startswith("R")
    }
    assert not due - cited, "these requirements of the document have no statement"
    assert not cited - due, "these requirements aren't in the document"


def test_no_sentence_is_copied_from_a_document() -> None:
    """The page shares no long run of words with the quotes of the documents' clauses."""
    page = " ".join((ROOT / "docs/statements.md").read_text("utf-8").lower().split())
    clauses = read_toml(rules_folder() / "text" / "clauses.toml")["clauses"]
    for rows in clauses.values():
        for _, _, quote in rows:
            if len(quote.split()) > 6:
                assert quote.lower() not in page, quote
