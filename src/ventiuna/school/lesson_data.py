"""Levels and lessons as a page shows them. What is due next is not told."""

from __future__ import annotations

from ventiuna.rules import Rules, canonical, load_rules
from ventiuna.school.felt import Felt
from ventiuna.school.judging import Verdict
from ventiuna.school.lesson import Lesson, RoundOfLesson
from ventiuna.school.levels import LEVELS, Level
from ventiuna.school.offers import offers
from ventiuna.school.reading import WORDS
from ventiuna.school.steps import WITH_AMOUNT, WITH_HAND, WITH_PLACE, WITH_WAGER, Kind
from ventiuna.school.words import document_words

Data = dict[str, object]
# Titles of the buttons, and their keys; a kind that a table never needs has none.
BUTTONS: dict[Kind, tuple[str, str]] = {
    Kind.CARD: ("Card", "c"),
    Kind.PAY: ("Pay", "p"),
    Kind.TAKE: ("Take", "t"),
    Kind.PUSH: ("Push", "u"),
    Kind.ASK: ("Ask", "a"),
    Kind.REMOVE: ("Clear cards", "r"),
    Kind.CHECK: ("Look", "l"),
    Kind.EXPOSE: ("Expose", "e"),
    Kind.INSURANCE: ("Insurance", "i"),
    Kind.BLACKJACKS: ("Blackjacks?", "b"),
    Kind.SUPERVISOR: ("Floor person", "s"),
    Kind.LOCK: ("Lock bonus", "k"),
    Kind.ADVISE: ("Advise", "v"),
    Kind.CLOSE: ("Close wagers", "w"),
    Kind.COLLECT: ("Collect", "o"),
}


def levels_data() -> list[Data]:
    return [_level(level) for level in LEVELS]


def _level(level: Level) -> Data:
    rules = load_rules(level.rules)
    return {
        "id": level.id,
        "title": level.title,
        "about": level.about,
        "rules": canonical(rules),
        "table": rules.title,
        "spots": min(level.spots, rules.seats),
        "rounds": len(level.scripts_for(rules)),
        "exam_rounds": level.exam_rounds,
        "seconds": level.seconds,
        "teaches": [document_words(rules, script.title) for script in level.scripts_for(rules)],
    }


def buttons_data(lesson: Lesson) -> list[Data]:
    """All steps that a table of these rules may need, always in the same places."""
    return [
        {
            "kind": str(kind),
            "title": document_words(lesson.rules, title),
            "key": key,
            "word": WORDS[kind][0],
            "aims": _aims_at(kind),
            "amount": kind in WITH_AMOUNT,
        }
        for kind, (title, key) in BUTTONS.items()
        if _may_come(kind, lesson.rules, lesson.level)
    ]


def _aims_at(kind: Kind) -> str:
    """What has to be chosen with it: a place for a card, a hand, a spot, a wager, or nothing."""
    if kind in WITH_PLACE:
        return "place"
    if kind in WITH_WAGER:
        return "wager"
    if kind in WITH_HAND:
        return "hand"
    return "spot" if kind is Kind.SUPERVISOR else ""


def _may_come(kind: Kind, rules: Rules, level: Level) -> bool:
    needs = {
        Kind.LOCK: "bonus cards",
        Kind.ADVISE: "instant wins",
        Kind.BLACKJACKS: "blackjack kept",
        Kind.INSURANCE: "insurance",
        Kind.REMOVE: "blackjack insured",
    }
    if kind is Kind.CLOSE:
        return level.deals
    if kind is Kind.SUPERVISOR:
        return rules.super_bonus_form() is not None
    return kind not in needs or offers(rules, needs[kind])


def round_data(played: RoundOfLesson) -> Data:
    lesson = played.lesson
    training = played.training
    felt = felt_of(played)
    is_over = played.due is None
    return {
        "level": lesson.level.id,
        "title": lesson.level.title,
        "rules": canonical(lesson.rules),
        "table": lesson.rules.title,
        "seed": lesson.seed,
        "exam": lesson.exam,
        "round": training.number,
        "rounds": lesson.level.exam_rounds if lesson.exam else None,
        "steps": len(training.steps),
        "done": len(played.marks),
        "right": sum(1 for mark in played.marks if mark.right),
        "misses": played.misses,
        "over": is_over,
        "lesson": document_words(lesson.rules, training.script.title) if is_over else "",
        "verdict": verdict_data(played.verdict) if played.verdict else None,
        "felt": felt.data(),
        "lines": felt.lines,
        "buttons": buttons_data(lesson),
    }


def felt_of(played: RoundOfLesson) -> Felt:
    """The table after the steps that are done."""
    felt = Felt(played.training.start())
    felt.show(played.events())
    return felt


def verdict_data(verdict: Verdict) -> Data:
    return {
        "right": verdict.right,
        "fault": str(verdict.fault) if verdict.fault else "",
        "sentence": verdict.sentence,
        "rules": list(verdict.rules),
        "rule": verdict.rule,
        "answer": verdict.answer,
        "amount": verdict.amount,
        "note": verdict.note,
    }
