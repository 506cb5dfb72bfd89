"""How to write what takes more than one word: jackpots and Bonus Cards, with examples that run."""

from __future__ import annotations

from ventiuna.records import record


@record(frozen=True, slots=True)
class Example:
    command: str  # without the program's name
    about: str


@record(frozen=True, slots=True)
class Guide:
    """A text for one option, or for several that belong together."""

    options: tuple[str, ...]
    rules: str  # numbers behind it
    text: str
    parts: tuple[tuple[str, str], ...]  # what may be written, and what it means
    examples: tuple[Example, ...]


JACKPOTS = Guide(
    options=("jackpots",),
    rules="R-082 to R-098, O-19 to O-26",
    text="One or two jackpot games on the layout. A game is written TABLE:PAY TABLE, then "
    "name=value for what is not as usual, all joined by a colon; two games are joined by a "
    "plus; none takes them away. "
    "Which table fits follows from the number of decks: 4a two; 3a, 4b, 5a four; 3b, 4c, 5b "
    "five; 3c, 4d, 5c six; 3d, 4e, 5d eight (R-086). Each has pay tables 1 to 8.",
    parts=(
        ("wager=5", "the one amount that is wagered, $1 to $20; usually 1"),
        ("seed=5000", "where the meter starts, and starts again after an award of all of it"),
        ("contribution=21%", "the share of each wager that the meter takes in"),
        ("kind=house", "the house's money with a posted amount (seed) instead of the players'"),
        ("prize=100", "the operator's prize for $1 of wager, where the table has such a line"),
        ("prize_from=jackpot", "such prizes come off the meter instead of the house's money"),
        ("alternate=1", "one of the table's sets of alternate lines"),
        ("reseed=after_round", "a meter that was won starts again only after the round"),
        ("winners=in_sequence", "several winners of a house jackpot, one after the other"),
        ("best_only=on", "up card and down card together pay their best hand once"),
        ("top_alone=on", "the line that wins all of the meter pays no other line besides"),
    ),
    examples=(
        Example("jackpot wsgc-2021 jackpots=3c:1", "one progressive, as its table has it"),
        Example(
            "jackpot wsgc-2021 decks=8 jackpots=3d:2:wager=5:seed=10000",
            "eight decks, pay table 2, a wager of $5, the meter from $10,000",
        ),
        Example(
            "rules card wsgc-2021 jackpots=3c:1:seed=5000+4d:1:wager=5:seed=10000",
            "two games: what the sign at the table says",
        ),
        Example(
            "rules check wsgc-2021 jackpots=5c:1:kind=house:seed=1000:prize=100",
            "a house jackpot with its posted amount and prize",
        ),
        Example("deal wsgc-2021-two-jackpots --jackpots", "the same, ready-made"),
    ),
)
BONUS_CARDS = Guide(
    options=("bonus_cards", "mtd_configuration"),
    rules="R-015 to R-019, O-29",
    text="Match the Dealer has four configurations: 1 has the Up Card wager, 2 Up Card and Down "
    "Card, 3 Up Card and 1 to 4 Bonus Cards, 4 Up Card, Down Card and 1 to 5 Bonus Cards; 0 "
    "has none. Bonus Cards are dealt beside the dealer's hand and are out of play afterwards. "
    "Wagers are called up, down, b1, b2, b3, b4, b5, wherever they are asked for.",
    parts=(
        ("mtd_configuration=3", "Up Card and Bonus Cards"),
        ("bonus_cards=3", "three of them: wagers b1, b2 and b3"),
        ("mtd_required=up+b1", "wagers that the house requires"),
    ),
    examples=(
        Example(
            "rules card wsgc-2021 mtd_configuration=3 bonus_cards=3",
            "Up Card and three Bonus Cards: what the sign says",
        ),
        Example(
            "sidebets wsgc-2021 mtd_configuration=4 bonus_cards=5 --side up=5,b1=1,b5=1",
            "seven wagers, three of them made: what they win together",
        ),
        Example(
            "deal wsgc-2021-bonus-cards --side up=5,b1=2,b2=2,b3=2", "the same rules, ready-made"
        ),
    ),
)
GUIDES = {name: guide for guide in (JACKPOTS, BONUS_CARDS) for name in guide.options}


def guide_data(guide: Guide) -> dict[str, object]:
    return {
        "options": list(guide.options),
        "rules": guide.rules,
        "text": guide.text,
        "parts": [{"write": part, "meaning": meaning} for part, meaning in guide.parts],
        "examples": [
            {"command": f"ventiuna {example.command}", "about": example.about}
            for example in guide.examples
        ],
    }
