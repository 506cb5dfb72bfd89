"""The levels of the school, from the base game to seven spots with everything."""

from __future__ import annotations

from ventiuna.core import actions
from ventiuna.records import record
from ventiuna.rules import Rules
from ventiuna.rules.values import did_you_mean
from ventiuna.school import situations
from ventiuna.school.offers import offers
from ventiuna.school.scripts import Script
from ventiuna.school.steps import SchoolError

SIMPLE = frozenset({actions.STAND, actions.HIT})
WITH_SPLITS = SIMPLE | {actions.SPLIT}
ALL = frozenset(range(actions.ACTIONS))


@record(frozen=True, slots=True)
class Level:
    """What is taught, at which table, and how busy it is."""

    id: str
    title: str
    about: str
    rules: str  # unless others are asked for
    scripts: tuple[Script, ...]
    spots: int
    at_once: int = 1  # scripts in one round, as far as they go together
    deals: bool = False  # the learner deals the cards of the initial deal too
    allowed: frozenset[int] = ALL  # what players do that follow no script
    whims: float = 0.0  # of their decisions that are any legal one
    side_wagers: float = 0.0  # of the places for them that are taken
    exam_rounds: int = 5
    seconds: int = 6  # that a step may take for the full score
    needs: tuple[str, ...] = ()  # without which rules there is nothing to teach

    def scripts_for(self, rules: Rules) -> tuple[Script, ...]:
        return tuple(
            script for script in self.scripts if all(offers(rules, need) for need in script.needs)
        )


LEVELS: tuple[Level, ...] = (
    Level(
        "base-game",
        "Base game",
        "The deal card by card, blackjacks before and after insurance, the look under an ace or a "
        "face, hands from the left, 21 and busts at once, your own hand, settlement.",
        "wsgc-2021(mtd_configuration=0)",
        situations.BASE_GAME,
        spots=3,
        deals=True,
        allowed=SIMPLE,
    ),
    Level(
        "bonuses",
        "Bonus 21 and Super Bonus",
        "Every row of Bonus 21, the floor person's call, the Super Bonus and the Envy Bonus.",
        "wsgc-2021(mtd_configuration=0)",
        situations.BONUSES,
        spots=4,
        allowed=WITH_SPLITS,
        needs=("bonus 21",),
    ),
    Level(
        "match-the-dealer",
        "Match the Dealer",
        "Up Card wagers first, each match paid by itself.",
        "wsgc-2021(mtd_configuration=1)",
        situations.MATCH_THE_DEALER,
        spots=4,
        allowed=WITH_SPLITS,
        side_wagers=0.7,
        needs=("up",),
    ),
    Level(
        "bonus-cards",
        "Bonus Cards and the down card",
        "Bonus Cards in their order, locked up before the base game; Down Card wagers at the end.",
        "wsgc-2021(mtd_configuration=4,bonus_cards=3)",
        situations.BONUS_CARDS,
        spots=3,
        allowed=WITH_SPLITS,
        side_wagers=0.5,
        seconds=7,
        needs=("bonus cards",),
    ),
    Level(
        "doubles",
        "Doubles, rescue, surrender",
        "Double and double-double with the cap, what a rescue and a surrender cost, split hands.",
        "wsgc-2021(mtd_configuration=0,double_double=on,table_maximum=100)",
        situations.DOUBLES,
        spots=3,
        whims=0.15,
        needs=("spanish 21",),
    ),
    Level(
        "jackpots",
        "Jackpots and awards",
        "Fixed lines before and after the base game, shares of the meters in seat order.",
        "wsgc-2021(mtd_configuration=0,jackpots=3c:1:seed=1000+4d:1:wager=5:seed=10000)",
        situations.JACKPOTS,
        spots=4,
        allowed=WITH_SPLITS,
        side_wagers=0.6,
        seconds=8,
        needs=("jackpots",),
    ),
    Level(
        "everything",
        "Seven spots with everything",
        "A full table of Spanish 21: all wagers, all bonuses, all that players may do.",
        "wsgc-2021(mtd_configuration=4,bonus_cards=5,double_double=on,"
        "jackpots=3c:1:seed=1000+4d:1:wager=5:seed=10000)",
        situations.BASE_GAME[:3]
        + situations.BONUSES
        + situations.MATCH_THE_DEALER
        + situations.BONUS_CARDS
        + situations.DOUBLES
        + situations.JACKPOTS,
        spots=7,
        at_once=3,
        whims=0.1,
        side_wagers=0.3,
        exam_rounds=3,
        needs=("spanish 21",),
    ),
    Level(
        "super-fun-21",
        "Super Fun 21",
        "Instant wins, advice, blackjacks of diamonds, surrender at any time.",
        "super-fun-21(decks=2)",
        situations.SUPER_FUN_21,
        spots=3,
        whims=0.1,
        needs=("super fun 21",),
    ),
)
BY_ID = {level.id: level for level in LEVELS}


def level_named(name: str) -> Level:
    if name not in BY_ID:
        raise SchoolError(f"level: there is no {name[:40]!r}. {did_you_mean(name, BY_ID)}")
    return BY_ID[name]


def check_rules_for(level: Level, rules: Rules) -> None:
    """Refuses rules under which a level has nothing to teach."""
    missing = [need for need in level.needs if not offers(rules, need)]
    if missing or not level.scripts_for(rules):
        raise SchoolError(
            f"rules: the level {level.title!r} teaches what these rules don't have "
            f"({', '.join(missing) or 'none of its rounds'}); choose another level, or leave the "
            f"rules out to learn with {level.rules}."
        )
