"""House rules as HTML, for notebooks: the sign at the table."""

from __future__ import annotations

from ventiuna.rules.model import Rules
from ventiuna.rules.words.card import Section, rule_card
from ventiuna.texts import markup_text


def rules_html(rules: Rules) -> str:
    """
    >>> from ventiuna.rules import load_rules
    >>> rules_html(load_rules("super-fun-21")).startswith("<details open><summary>Super Fun 21")
    True
    """
    card = rule_card(rules)
    head = markup_text(f"{card.title}: {card.rules} ({card.fingerprint})")
    body = "".join(_section(section) for section in card.sections)
    lines = (*card.departures, *card.notices, *card.who_decides)
    notes = "".join(f"<li>{markup_text(line)}</li>" for line in lines)
    return f"<details open><summary>{head}</summary>{body}<ul>{notes}</ul></details>"


def _section(section: Section) -> str:
    text = "".join(f"<p>{markup_text(line)}</p>" for line in (*section.text, *section.notes))
    rows = "".join(
        "<tr>" + "".join(f"<td>{markup_text(str(part))}</td>" for part in pay) + "</tr>"
        for pay in section.pays
    )
    table = f"<table>{rows}</table>" if rows else ""
    return f"<h4>{markup_text(section.heading)}</h4>{text}{table}"
