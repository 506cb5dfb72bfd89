"""What each single change of rules is worth: the list at once, each value when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from ventiuna.analysis.questions.numbers import problem
from ventiuna.rules import Rules, canonical, fingerprint, load_rules


@dataclass(frozen=True, slots=True)
class Change:
    """One change: another value of an option, or a pay row left out."""

    name: str
    words: str
    is_option: bool
    rules: str | None  # what the rules are then; None where no canonical string has words for it
    fingerprint: str

    def as_data(self) -> dict[str, object]:
        return {
            "name": self.name,
            "words": self.words,
            "kind": "option" if self.is_option else "row",
            "rules": self.rules,
            "fingerprint": self.fingerprint,
        }


@dataclass(frozen=True, slots=True)
class ChangeQuestion:
    """The same rules with one change, by its name."""

    rules: str
    name: str


def changes_of(rules: Rules) -> tuple[Change, ...]:
    """Every change that the rules allow; nothing is worked out yet."""
    from ventiuna.analysis.base_game.variations import variations

    return tuple(
        Change(
            found.name,
            found.words,
            found.is_option,
            canonical(found.rules) if found.is_option else None,
            fingerprint(found.rules),
        )
        for found in variations(rules)
    )


def find_change(changes: tuple[Change, ...], name: str) -> Change:
    for change in changes:
        if change.name == name:
            return change
    raise problem("name", name, "these rules have no such change", "Name one of their list.")


def changed_edge(question: ChangeQuestion) -> dict[str, object]:
    """The house edge after a change that no canonical string has words for."""
    from ventiuna.analysis.base_game.analyser import analyse
    from ventiuna.analysis.base_game.variations import variations

    rules = load_rules(question.rules)
    changed = next(found for found in variations(rules) if found.name == question.name)
    return {"house_edge": -analyse(changed.rules).ev}
