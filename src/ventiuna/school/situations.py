"""What the levels teach, as rounds that bring it up."""

from __future__ import annotations

from ventiuna.school.players import HALF, INSURE, KEEP, NO_INSURANCE
from ventiuna.school.scripts import Hand, Script

HIT, STAND, SPLIT, DOUBLE, DOUBLE_DOUBLE = "hit", "stand", "split", "double", "double-double"
SURRENDER, RESCUE = "surrender", "rescue"
STANDS = (STAND,)

BASE_GAME = (
    Script(
        "A blackjack against a face: paid and taken away before the look",
        (Hand("A* F*"), Hand("F* 9*", STANDS)),
        "F* 8*",
        shows=("blackjack", "check"),
    ),
    Script(
        "An ace up: blackjacks, insurance, then the look",
        (Hand("A* F*", (NO_INSURANCE,)), Hand("F* 9*", (INSURE, STAND))),
        "A* 8*",
        shows=("insurance", "blackjack", "no dealer blackjack"),
        needs=("insurance",),
    ),
    Script(
        "An insured blackjack stays until the look",
        (Hand("A* F*", (INSURE,)), Hand("A* F*", (NO_INSURANCE,)), Hand("F* 6*", (NO_INSURANCE,))),
        "A* F*",
        shows=("insurance", "blackjack", "dealer blackjack", "remove"),
        needs=("blackjack insured", "paid at once"),
    ),
    Script(
        "The dealer's blackjack under a face",
        (Hand("F* F*"), Hand("9* 7*")),
        "F* A*",
        shows=("check", "dealer blackjack"),
    ),
    Script(
        "21 is paid at once, a bust is taken at once",
        (Hand("9* 5* 7*", (HIT,)), Hand("F* 6* F*", (HIT,))),
        "9* 8*",
        shows=("R-013",),
    ),
    Script(
        "Soft 17, and a push",
        (Hand("F* 8*", STANDS), Hand("F* 9*", STANDS)),
        "6* A* A*",
        shows=("push", "expose"),
    ),
    Script(
        "The dealer busts",
        (Hand("F* 4*", STANDS), Hand("F* 3*", STANDS)),
        "6* F* 9*",
        shows=("dealer bust",),
    ),
    Script(
        "Nobody is left: the down card is shown, no card is drawn",
        (Hand("F* 6* F*", (HIT,)), Hand("F* 5* 9*", (HIT,))),
        "9* 2*",
        shows=("R-013", "expose"),
    ),
)

BONUSES = (
    Script(
        "A 21 of five cards, and one of six",
        (
            Hand("2* 3* 4* 5* 7*", (HIT,) * 3),
            Hand("2* 2* 3* 3* 4* 7*", (HIT,) * 4),
        ),
        shows=("5-card 21", "6-card 21"),
        needs=("bonus 21",),
    ),
    Script(
        "A 21 of seven cards",
        (Hand("2* A* A* 3* 2* 3* 9*", (HIT,) * 5),),
        shows=("7-card 21",),
        needs=("bonus 21",),
    ),
    Script(
        "6-7-8 of mixed suits, of one suit, of spades",
        (
            Hand("6x 8y 7*", (HIT,)),
            Hand("7x 6x 8x", (HIT,)),
            Hand("6s 7s 8s", (HIT,)),
        ),
        "9* 8*",
        shows=("6-7-8 of spades",),
        needs=("bonus 21",),
    ),
    Script(
        "7-7-7 of mixed suits and of spades",
        (Hand("7x 7y 7z", (HIT,)), Hand("7s 7s 7s", (HIT,))),
        "9* 8*",
        shows=("7-7-7 of mixed suits", "7-7-7 of spades"),
        needs=("bonus 21", "four decks"),
    ),
    Script(
        "The Super Bonus: the floor person, 7-7-7, and at the end $1,000 and the Envy Bonus",
        (Hand("7x 7x 7x", (HIT,), base=10), Hand("F* 9*", STANDS)),
        "7y F*",
        shows=("supervisor", "super", "envy"),
        needs=("super bonus", "envy"),
    ),
    Script(
        "The floor person watches, and another card comes",
        (Hand("7x 7x 2*", (HIT, STAND)), Hand("F* 8*", STANDS)),
        "7y 8*",
        shows=("supervisor",),
        needs=("super bonus",),
    ),
    Script(
        "Two Super Bonuses in one round, one of them for $25 and more",
        (Hand("7x 7x 7x", (HIT,), base=25), Hand("7y 7y 7y", (HIT,), base=5), Hand("F* F*")),
        "7z F*",
        shows=("supervisor", "super", "envy"),
        needs=("super bonus", "envy"),
    ),
)

MATCH_THE_DEALER = (
    Script(
        "One match of another suit, one of the same",
        (Hand("mx F*", wagers=("up",)), Hand("my n*", wagers=("up",))),
        "my 8*",
        shows=("1 suited match", "1 unsuited match"),
        needs=("up",),
    ),
    Script(
        "Two matches are both paid",
        (Hand("mx my", wagers=("up",)), Hand("mx mx", wagers=("up",)), Hand("F* 9*", STANDS)),
        "my 8*",
        shows=("1 suited and 1 unsuited match", "2 unsuited match"),
        needs=("up",),
    ),
    Script(
        "Two suited matches, and a wager without one",
        (Hand("mx mx", wagers=("up",)), Hand("n* F*", wagers=("up",))),
        "mx 8*",
        shows=("2 suited match", "no match"),
        needs=("up", "four decks"),
    ),
    Script(
        "Match the Dealer before the blackjacks and the insurance",
        (Hand("Ax F*", wagers=("up",)), Hand("F* F*", (INSURE, STAND), wagers=("up",))),
        "Ay 7*",
        shows=("1 unsuited match", "blackjack", "insurance"),
        needs=("up", "insurance"),
    ),
)

BONUS_CARDS = (
    Script(
        "Bonus Cards: each decides the wager of its number",
        (Hand("mx F*", wagers=("up", "b1", "b2")), Hand("n* 9*", wagers=("b1", "b2"))),
        "9* 8*",
        "my n*",
        shows=("mtd b1", "mtd b2", "lock"),
        needs=("b1", "b2"),
    ),
    Script(
        "Down Card wagers at the end, also of a hand that bust",
        (
            Hand("F* mx F*", (HIT,), wagers=("down",)),
            Hand("my 9*", (STAND,), wagers=("up", "down")),
        ),
        "9* mx 3*",
        shows=("mtd down", "R-013"),
        needs=("down", "up"),
    ),
    Script(
        "The dealer's blackjack, and then the Down Card wagers",
        (Hand("Kx 9*", wagers=("up", "down")), Hand("F* 7*", wagers=("down",))),
        "A* Ky",
        shows=("mtd down", "dealer blackjack"),
        needs=("down", "up"),
    ),
    Script(
        "A suited Bonus Card, the cards locked, the floor person",
        (Hand("7x 7x 7x", (HIT,), base=25, wagers=("up", "b1")), Hand("F* 9*", STANDS)),
        "7y F*",
        "7x",
        shows=("lock", "supervisor", "super", "2 suited match"),
        needs=("b1", "super bonus"),
    ),
)

DOUBLES = (
    Script(
        "A double that wins, and one that busts",
        (Hand("6* 5* 9*", (DOUBLE, STAND)), Hand("9* 6* F*", (DOUBLE,))),
        "6* 9* 2*",
        shows=("R-013", "R-078"),
        needs=("spanish 21",),
    ),
    Script(
        "A rescue: the last portion back, the rest taken",
        (Hand("6* 5* 2*", (DOUBLE, RESCUE)), Hand("F* 8*", STANDS)),
        "9* 8*",
        shows=("R-057",),
        needs=("rescue",),
    ),
    Script(
        "Doubled three times with the cap, and rescued",
        (Hand("3* 2* 2* 3* 2*", (DOUBLE, DOUBLE_DOUBLE, DOUBLE_DOUBLE, RESCUE), base=40),),
        "9* 8*",
        shows=("R-057",),
        needs=("double-double", "rescue"),
    ),
    Script(
        "A double-double that makes 21: even money on all of it",
        (Hand("4* 3* 5* 9*", (DOUBLE, DOUBLE_DOUBLE)), Hand("F* 7*", STANDS)),
        "9* 8*",
        shows=("R-049",),
        needs=("double-double",),
    ),
    Script(
        "Doubled for less, and rescued",
        (Hand("6* 5* 2*", (HALF, RESCUE), base=20), Hand("F* 9*", STANDS)),
        "9* 8*",
        shows=("R-057",),
        needs=("double for less", "rescue"),
    ),
    Script(
        "Surrender after the look",
        (Hand("F* 6*", (SURRENDER,), base=25), Hand("9* 7*", (SURRENDER,), base=15)),
        "F* 8*",
        shows=("R-036", "check"),
        needs=("surrender", "spanish 21"),
    ),
    Script(
        "Split to four hands",
        (
            Hand(
                "8* 8* 8* 8* 3* 9* F* 2* F*",
                (SPLIT, SPLIT, SPLIT, DOUBLE, STAND, STAND, STAND, HIT, STAND),
            ),
        ),
        "6* F* 9*",
        shows=("R-078",),
        needs=("spanish 21",),
    ),
    Script(
        "A blackjack kept and doubled",
        (Hand("A* F* 9*", (KEEP, DOUBLE, STAND)), Hand("F* 9*", STANDS)),
        "6* 9* 4*",
        shows=("blackjacks",),
        needs=("blackjack kept", "spanish 21"),
    ),
    Script(
        "Split aces, and a bonus on a split hand",
        (Hand("A* A* F* 2* 4* 4*", (SPLIT, HIT, HIT, HIT)), Hand("F* 9*", STANDS)),
        "9* 8*",
        shows=("R-040",),
        needs=("spanish 21", "bonus 21"),
    ),
)

JACKPOTS = (
    Script(
        "Fixed lines before the base game, and with the down card after it",
        (Hand("mx n*", wagers=("j1", "j2")), Hand("my F*", wagers=("j1", "j2"))),
        "mx n*",
        shows=("jackpot 1", "jackpot 2"),
        needs=("j1", "j2"),
    ),
    Script(
        "Two suited matches with the up card: 10 % of jackpot 1, after the base game",
        (Hand("mx mx", wagers=("j1",)), Hand("F* 9*", STANDS, wagers=("j1",))),
        "mx 8*",
        shows=("R-095",),
        needs=("jackpot 1 of tables 3",),
    ),
    Script(
        "Two awards of one meter, from the left",
        (Hand("mx mx", wagers=("j1", "j2")), Hand("mx mx", wagers=("j1", "j2"))),
        "mx 8*",
        shows=("R-095",),
        needs=("jackpot 1 of tables 3", "jackpot 2 of tables 4"),
    ),
    Script(
        "Three aces of spades: all of jackpot 1",
        (Hand("As As", (NO_INSURANCE, STAND), wagers=("j1",)), Hand("F* 9*")),
        "As 8*",
        shows=("R-095",),
        needs=("jackpot 1 of tables 3",),
    ),
    Script(
        "Four identical cards: all of jackpot 2",
        (Hand("mx mx", wagers=("j2",)), Hand("F* 9*", wagers=("j1", "j2"))),
        "mx mx",
        shows=("R-095",),
        needs=("jackpot 2 of tables 4",),
    ),
)

SUPER_FUN_21 = (
    Script(
        "Six cards of 20 or less win at once; the dealer says that a hit can't lose",
        (Hand("2* 3* 2* 2* A* 4*", (HIT,) * 4), Hand("F* 9*", STANDS)),
        shows=("advise", "R-111"),
        needs=("instant wins",),
    ),
    Script(
        "21 with five cards wins 2 to 1 at once",
        (Hand("2* 3* 4* 5* 7*", (HIT,) * 3), Hand("F* 8*", STANDS)),
        "9* 8*",
        shows=("R-112",),
        needs=("instant wins",),
    ),
    Script(
        "A blackjack of diamonds, and another",
        (Hand("Ad Kd"), Hand("A* F*")),
        "9* 8*",
        shows=("R-114",),
        needs=("super fun 21",),
    ),
    Script(
        "An ace up: the uninsured blackjack before the look, the insured one after it",
        (Hand("A* F*", (NO_INSURANCE,)), Hand("A* F*", (INSURE,)), Hand("F* 9*", (NO_INSURANCE,))),
        "A* 8*",
        shows=("R-114", "insurance", "check"),
        needs=("super fun 21", "insurance"),
    ),
    Script(
        "Surrender after a hit",
        (Hand("F* 2* 4*", (HIT, SURRENDER), base=25), Hand("F* 8*", STANDS)),
        "9* 8*",
        shows=("R-109",),
        needs=("surrender any time",),
    ),
    Script(
        "Surrender of a doubled hand: one of its two wagers",
        (Hand("6* 5* 2*", (DOUBLE, SURRENDER), base=20), Hand("F* 9*", STANDS)),
        "9* 8*",
        shows=("R-110",),
        needs=("surrender any time",),
    ),
    Script(
        "11 in four cards: the dealer's advice",
        (Hand("2* 3* 2* 4* 9*", (HIT, HIT, HIT, STAND)), Hand("F* 8*", STANDS)),
        "9* 8*",
        shows=("advise",),
        needs=("instant wins",),
    ),
    Script(
        "A 21 of three cards is compared like others",
        (Hand("9* 5* 7*", (HIT, STAND)), Hand("F* 7*", STANDS)),
        "6* 8* 7*",
        shows=("R-119", "push"),
        needs=("super fun 21",),
    ),
    Script(
        "The dealer's blackjack: insurance pays, blackjacks are paid, the others lose",
        (Hand("A* F*", (INSURE,)), Hand("F* 9*", (NO_INSURANCE,))),
        "A* F*",
        shows=("dealer blackjack", "insurance"),
        needs=("super fun 21", "insurance"),
    ),
)
