"""Questions about counting in plain data: answers are those of `ventiuna count` with --json, and
besides them what players call a card or a play."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.analysis.questions.again import command_text, rules_words
from ventiuna.counting.design import Wish, design_counts
from ventiuna.counting.evaluate import evaluate_count
from ventiuna.counting.removal import effects_of_removal
from ventiuna.counting.sums import index_by_sums
from ventiuna.counting.tags import ten_name
from ventiuna.counting.words import index_told
from ventiuna.counting.workshop import Workshop
from ventiuna.rules import load_rules

MOST_INDICES = 30


@dataclass(frozen=True, slots=True)
class CountQuestion:
    rules: str
    level: int = 1
    indices: bool = False  # those worth knowing, which take much longer


def removal_data(rules: str) -> dict[str, object]:
    """What each card is worth to every wager when it is gone."""
    loaded = load_rules(rules)
    words = ["count", "effects", *rules_words(loaded), "--json"]
    return effects_of_removal(loaded).as_data() | {"command": command_text(words)}


def count_data(question: CountQuestion) -> dict[str, object]:
    """The best balanced tags of a level, how good they are, and index numbers if asked for."""
    rules = load_rules(question.rules)
    workshop = Workshop(rules)
    (count,) = design_counts(workshop, Wish(question.level), 1)
    words = ["count", "design", *rules_words(rules), "--level", str(question.level)]
    found: dict[str, object] = {
        "counts": [evaluate_count(workshop, count).as_data()],
        "ten": ten_name(rules.pack),
    }
    if question.indices:
        study = index_by_sums(workshop, count)
        found["indices"] = [
            cell.as_data() | {"told": index_told(cell, rules)}
            for cell in study.worth_knowing(MOST_INDICES)
        ]
        found["insurance_at_count"] = study.insurance
        words.append("--indices")
    return found | {"command": command_text([*words, "--json"])}
