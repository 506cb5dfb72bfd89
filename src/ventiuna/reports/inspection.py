"""The inspection of a table's decks (R-010): its steps as data, and a form to print or fill in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, select

from ventiuna.cards import Pack
from ventiuna.core.refusals import RefusalCode
from ventiuna.engine.commands import Refused
from ventiuna.reports.document import Document, Grid, Items, Part, Text, identity_lines, imprint
from ventiuna.rules import Rules, canonical
from ventiuna.rules.text.procedure import procedure
from ventiuna.table.domain.events import CardsBoxed, DeckInspected, DecksShuffled
from ventiuna.table.domain.inspection import (
    Inspection,
    InspectionStep,
    require_inspection,
    stored_inspection,
)
from ventiuna.table.domain.state import TableStatus
from ventiuna.table.read_model import stored_rules
from ventiuna.table.store.schema import game_table

BLANK = "________"
STAGES = ("opening", "closing")


@dataclass(frozen=True, slots=True)
class InspectionSheet:
    """The inspection of one table, or a blank one for these rules."""

    rules: Rules
    inspection: Inspection
    table: int = 0  # 0 if blank
    name: str = ""
    is_closing: bool = False

    def as_data(self) -> dict[str, object]:
        found = self.inspection
        return {
            "table": self.table or None,
            "name": self.name,
            "rules": canonical(self.rules),
            "decks": found.decks,
            "inspected": len(found.inspected),
            "tens": found.tens,
            "cards_left": len(found.pack.cards),
            "next_step": str(found.next_step(self.is_closing)),
            "message": self.message,
            "guide": list(guide(self.rules, STAGES[-1:] if self.is_closing else STAGES)),
            "steps": found.data(),
        }

    @property
    def message(self) -> str:
        """What the table is waiting for."""
        if self.is_closing:
            if self.inspection.is_over:
                return "No cards remain to be put back into their boxes."
            return "The table closes after the cards are back in their boxes (R-010)."
        return self.inspection.waiting_text() or "The decks are inspected, so the table may deal."


def blank_sheet(rules: Rules) -> InspectionSheet:
    return InspectionSheet(rules, Inspection(rules.pack, rules.decks))


def read_sheet(connection: Connection, table: int) -> InspectionSheet:
    """A table's inspection sheet; refuses a table that was opened without an inspection."""
    row = connection.execute(select(game_table).where(game_table.c.id == table)).first()
    if row is None:
        raise Refused(RefusalCode.NO_SUCH_TABLE, (), f"There is no table {table}.")
    rules = stored_rules(row.rules_data, {})
    found = require_inspection(stored_inspection(rules, row.inspection))
    is_closing = row.state in (TableStatus.CLOSING, TableStatus.CLOSED)
    return InspectionSheet(rules, found, table, row.name, is_closing)


def guide(rules: Rules, stages: Sequence[str] = STAGES) -> Iterator[str]:
    """The dealer's steps of opening and closing the table, with the documents' rules."""
    steps = procedure(rules)
    for stage in stages:
        if rules.pack is Pack.STANDARD:
            yield _OF_HOUSE[stage]
        for step in steps:
            if step.stage == stage:
                numbers = ", ".join(number for number in step.rules if number.startswith("R"))
                yield f"{step.text} [{numbers}]" if numbers else step.text


# The documents inspect only Spanish decks; the house inspects others the same way.
_OF_HOUSE = {
    "opening": "The dealer and the supervisor count each deck in turn: 52 cards, with the jokers "
    "taken out.",
    "closing": "At the end of the gaming day, put the jokers back into their boxes.",
}


def inspection_document(sheet: InspectionSheet, command: str) -> Document:
    found = sheet.inspection
    where = f"Table {sheet.table}, {sheet.name}." if sheet.table else f"Table: {BLANK * 2}"
    waits = (Text(sheet.message),) if sheet.table else ()
    decks = Grid(
        f"Each deck: {found.tens} tens out, {len(found.pack.cards)} cards left",
        ("deck", "tens out", "jokers out", "cards left", "back", "dealer", "supervisor", "time"),
        tuple(_deck_rows(sheet)),
        words=8,
    )
    other = Grid(
        "Shuffle and boxes",
        ("step", "dealer", "supervisor", "time"),
        (
            ("decks shuffled", *_signed(found.steps, DecksShuffled)),
            ("cards back in their boxes", *_signed(found.steps, CardsBoxed)),
        ),
        words=4,
    )
    return Document(
        kind="Deck inspection",
        title=sheet.rules.title,
        lead=(where, *identity_lines(sheet.rules)),
        parts=(
            Part("Steps", (Items(tuple(guide(sheet.rules))),)),
            Part("Decks", (decks,)),
            Part("Before the first deal and at the end of the day", (other, *waits)),
        ),
        footer=imprint(command),
        explains_on_paper=False,
    )


def _deck_rows(sheet: InspectionSheet) -> Iterator[tuple[str, ...]]:
    for step in sheet.inspection.steps:
        if isinstance(found := step.event, DeckInspected):
            counts = map(str, (found.deck, found.tens, found.jokers, found.cards_left))
            yield *counts, found.back, found.dealer, found.supervisor, _time(step)
    for deck in range(len(sheet.inspection.inspected) + 1, sheet.inspection.decks + 1):
        yield str(deck), *[BLANK] * 7


def _signed(
    steps: tuple[InspectionStep, ...], kind: type[DecksShuffled | CardsBoxed]
) -> tuple[str, str, str]:
    for step in steps:
        if isinstance(step.event, kind):
            return step.event.dealer, step.event.supervisor, _time(step)
    return BLANK, BLANK, BLANK


def _time(step: InspectionStep) -> str:
    return f"{datetime.fromtimestamp(step.at / 1000, UTC):%Y-%m-%d %H:%M} UTC"
