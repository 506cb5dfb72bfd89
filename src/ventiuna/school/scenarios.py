"""Scripted rounds: what each level teaches, as card patterns and player actions."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

from ventiuna.cards import SUITS, card_text
from ventiuna.core import actions
from ventiuna.core.base_game import maximum_insurance_in_chips
from ventiuna.engine.commands import (
    Command,
    Double,
    Insure,
    KeepBlackjack,
    TakeBlackjack,
)
from ventiuna.engine.options import ACTION_COMMANDS, legal_actions
from ventiuna.engine.prompts import (
    BlackjackAnswersWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    Waiting,
)
from ventiuna.engine.state import RoundState
from ventiuna.strategy.players import RandomPlayer, steady_player

# --- Scripts ---

RANK_VARIABLES = "mn"
SUIT_VARIABLES = "xyz"
PLAIN_RANKS = "23456789"
TENS = "TJQK"
ANY_DEALER = "m* 8*"  # cards without special effects or a blackjack check


@dataclass(frozen=True, slots=True)
class ScriptedHand:
    """The cards that a spot gets and its player's actions, each in order."""

    cards: str
    acts: tuple[str, ...] = ()  # hit, stand, double, double:half, keep, insure, rescue …
    base: int = 0  # dollars; 0 for any amount
    wagers: tuple[str, ...] = ()  # required wagers: up, down, b1 …, j1, j2


@dataclass(frozen=True, slots=True)
class Script:
    """A situation to teach: its cards, and rules or steps that show it came up."""

    title: str
    hands: tuple[ScriptedHand, ...]
    dealer: str = ANY_DEALER  # up card, down card, cards drawn
    bonus_cards: str = ""
    shows: tuple[str, ...] = ()  # rules, reasons or kinds of steps that identify it
    needs: tuple[str, ...] = ()  # features that the rules must include (see `rules_offer`)
    no_draw: bool = False  # a hand without a script can stay, so that the dealer draws after all


class CardPile:
    """A shoe's cards, for picking by pattern and drawing at random."""

    def __init__(self, cards: Iterable[int], chance: random.Random) -> None:
        self._cards = list(cards)
        self._chance = chance
        chance.shuffle(self._cards)

    def draw(self) -> int | None:
        return self._cards.pop() if self._cards else None

    def put_back(self, cards: Iterable[int]) -> None:
        """Shuffle the discards and put them under the remaining cards."""
        again = list(cards)
        self._chance.shuffle(again)
        self._cards = again + self._cards

    def pick(self, fitting: set[str]) -> int | None:
        """Take any card with one of these names; None if none is left."""
        for place in range(len(self._cards) - 1, -1, -1):
            if card_text(self._cards[place]) in fitting:
                return self._cards.pop(place)
        return None


class PatternCards:
    """The meanings of the letters in one script's patterns."""

    def __init__(self, chance: random.Random) -> None:
        ranks = chance.sample(PLAIN_RANKS, len(RANK_VARIABLES))
        suits = chance.sample(SUITS, len(SUIT_VARIABLES))
        self._ranks = dict(zip(RANK_VARIABLES, ranks, strict=True))
        self._suits = dict(zip(SUIT_VARIABLES, suits, strict=True))

    def cards(self, text: str, pile: CardPile) -> list[int]:
        """A card for each pattern, until the pile has no match."""
        picked = []
        for pattern in text.split():
            card = pile.pick(self.fitting(pattern))
            if card is None:
                break
            picked.append(card)
        return picked

    def fitting(self, pattern: str) -> set[str]:
        """The names of all cards that match a pattern."""
        rank, suit = pattern[0], pattern[1]
        rank = self._ranks.get(rank, rank)
        suit = self._suits.get(suit, suit)
        ranks = TENS if rank == "F" else rank
        return {r + s for r in ranks for s in (SUITS if suit == "*" else suit)}


# --- Players ---

INSURANCE_CHANCE = 0.3  # chance that an unscripted spot takes insurance
KEEP, INSURE, NO_INSURANCE, HALF = "keep", "insure", "no insurance", "double:half"
_ACTIONS = {name: code for code, name in enumerate(actions.ACTION_NAMES)}


class TrainingPlayers:
    """Answers for all spots; `acts` has the scripted actions by spot, in order.

    If the rules refuse a scripted action, it is skipped, and the spot then plays like the others.
    """

    def __init__(
        self,
        chance: random.Random,
        acts: dict[int, list[str]],
        whims: float,
        allowed: frozenset[int],
    ) -> None:
        self._chance = chance
        self._acts = acts
        self._whims = whims
        self._allowed = allowed  # codes of the actions a level allows
        self._random = RandomPlayer(chance)

    def __call__(self, state: RoundState, prompt: Waiting) -> Command:
        if isinstance(prompt, BlackjackAnswersWanted):
            return self._blackjack(prompt.spots[0])
        if isinstance(prompt, InsuranceAnswersWanted):
            return self._insurance(state, prompt.spots[0])
        assert isinstance(prompt, DecisionWanted)
        return self._decision(state, prompt)

    def _next_act(self, spot: int, *possible: str) -> str | None:
        acts = self._acts.get(spot)
        return acts.pop(0) if acts and acts[0] in possible else None

    def _blackjack(self, spot: int) -> Command:
        return KeepBlackjack(spot) if self._next_act(spot, KEEP) else TakeBlackjack(spot)

    def _insurance(self, state: RoundState, spot: int) -> Command:
        act = self._next_act(spot, INSURE, NO_INSURANCE)
        by_chance = spot not in self._acts and self._chance.random() < INSURANCE_CHANCE
        if act != INSURE and not by_chance:
            return Insure(spot, 0)
        unit = state.rules.small_chip_unit
        return Insure(spot, maximum_insurance_in_chips(state.spots[spot].base, unit))

    def _decision(self, state: RoundState, prompt: DecisionWanted) -> Command:
        legal = set(legal_actions(state))
        scripted = self._scripted(state, prompt, legal)
        if scripted is not None:
            return scripted
        if prompt.spot not in self._acts and self._chance.random() < self._whims:
            default = self._random(state, prompt)
        else:
            default = steady_player(state, prompt)
        code = next(code for code, kind in ACTION_COMMANDS.items() if isinstance(default, kind))
        if code in self._allowed:
            return default
        hits = actions.HIT in legal and state.spots[prompt.spot].hands[prompt.hand].total < 17
        return ACTION_COMMANDS[actions.HIT if hits else actions.STAND](prompt.spot)

    def _scripted(
        self, state: RoundState, prompt: DecisionWanted, legal: set[int]
    ) -> Command | None:
        acts = self._acts.get(prompt.spot)
        if not acts:
            return None
        act = acts.pop(0)
        if act == HALF and state.table.double_for_less:
            unit = state.rules.small_chip_unit
            wager = state.spots[prompt.spot].hands[prompt.hand].wager
            return Double(prompt.spot, max(unit, wager // 2 // unit * unit))
        code = _ACTIONS.get(act.partition(":")[0], -1)
        return ACTION_COMMANDS[code](prompt.spot) if code in legal else None


# --- Scenarios by level ---

HIT, STAND, SPLIT, DOUBLE, DOUBLE_DOUBLE = "hit", "stand", "split", "double", "double-double"
SURRENDER, RESCUE = "surrender", "rescue"
STANDS = (STAND,)

BASE_GAME = (
    Script(
        "A blackjack against a face card, paid and removed before the check",
        (ScriptedHand("A* F*"), ScriptedHand("F* 9*", STANDS)),
        "F* 8*",
        shows=("blackjack", "check"),
    ),
    Script(
        "An ace up: blackjacks, insurance, then the check",
        (ScriptedHand("A* F*", (NO_INSURANCE,)), ScriptedHand("F* 9*", (INSURE, STAND))),
        "A* 8*",
        shows=("insurance", "blackjack", "no dealer blackjack"),
        needs=("insurance",),
    ),
    Script(
        "An insured blackjack stays until the check",
        (
            ScriptedHand("A* F*", (INSURE,)),
            ScriptedHand("A* F*", (NO_INSURANCE,)),
            ScriptedHand("F* 6*", (NO_INSURANCE,)),
        ),
        "A* F*",
        shows=("insurance", "blackjack", "dealer blackjack", "remove"),
        needs=("blackjack insured", "paid at once"),
    ),
    Script(
        "A dealer blackjack with a face card up",
        (ScriptedHand("F* F*"), ScriptedHand("9* 7*")),
        "F* A*",
        shows=("check", "dealer blackjack"),
    ),
    Script(
        "A 21 is paid immediately and a bust is taken immediately",
        (ScriptedHand("9* 5* 7*", (HIT,)), ScriptedHand("F* 6* F*", (HIT,))),
        "9* 8*",
        shows=("R-013",),
    ),
    Script(
        "Soft 17, and a push",
        (ScriptedHand("F* 8*", STANDS), ScriptedHand("F* 9*", STANDS)),
        "6* A* A*",
        shows=("push", "expose"),
    ),
    Script(
        "The dealer busts",
        (ScriptedHand("F* 4*", STANDS), ScriptedHand("F* 3*", STANDS)),
        "6* F* 9*",
        shows=("dealer bust",),
    ),
    Script(
        "No hand left: the down card is exposed and no card is drawn",
        (ScriptedHand("F* 6* F*", (HIT,)), ScriptedHand("F* 5* 9*", (HIT,))),
        "9* 2*",
        shows=("R-013", "expose"),
        no_draw=True,
    ),
)

BONUSES = (
    Script(
        "21 with five cards, and 21 with six",
        (
            ScriptedHand("2* 3* 4* 5* 7*", (HIT,) * 3),
            ScriptedHand("2* 2* 3* 3* 4* 7*", (HIT,) * 4),
        ),
        shows=("5-card 21", "6-card 21"),
        needs=("bonus 21",),
    ),
    Script(
        "21 with seven cards",
        (ScriptedHand("2* A* A* 3* 2* 3* 9*", (HIT,) * 5),),
        shows=("7-card 21",),
        needs=("bonus 21",),
    ),
    Script(
        "6-7-8 of mixed suits, of one suit, and of spades",
        (
            ScriptedHand("6x 8y 7*", (HIT,)),
            ScriptedHand("7x 6x 8x", (HIT,)),
            ScriptedHand("6s 7s 8s", (HIT,)),
        ),
        "9* 8*",
        shows=("6-7-8 of spades",),
        needs=("bonus 21",),
    ),
    Script(
        "7-7-7 of mixed suits and of spades",
        (ScriptedHand("7x 7y 7z", (HIT,)), ScriptedHand("7s 7s 7s", (HIT,))),
        "9* 8*",
        shows=("7-7-7 of mixed suits", "7-7-7 of spades"),
        needs=("bonus 21", "four decks"),
    ),
    Script(
        "The Super Bonus: the floor person, 7-7-7, and at the end $1,000 and the Envy Bonus",
        (ScriptedHand("7x 7x 7x", (HIT,), base=10), ScriptedHand("F* 9*", STANDS)),
        "7y F*",
        shows=("supervisor", "super", "envy"),
        needs=("super bonus", "envy"),
    ),
    Script(
        "The floor person watches, but a different card is dealt",
        (ScriptedHand("7x 7x 2*", (HIT, STAND)), ScriptedHand("F* 8*", STANDS)),
        "7y 8*",
        shows=("supervisor",),
        needs=("super bonus",),
    ),
    Script(
        "Two Super Bonuses in one round, one of them for $25 or more",
        (
            ScriptedHand("7x 7x 7x", (HIT,), base=25),
            ScriptedHand("7y 7y 7y", (HIT,), base=5),
            ScriptedHand("F* F*"),
        ),
        "7z F*",
        shows=("supervisor", "super", "envy"),
        needs=("super bonus", "envy"),
    ),
)

MATCH_THE_DEALER = (
    Script(
        "An unsuited match and a suited match",
        (ScriptedHand("mx F*", wagers=("up",)), ScriptedHand("my n*", wagers=("up",))),
        "my 8*",
        shows=("1 suited match", "1 unsuited match"),
        needs=("up",),
    ),
    Script(
        "Two matches, both paid",
        (
            ScriptedHand("mx my", wagers=("up",)),
            ScriptedHand("mx mx", wagers=("up",)),
            ScriptedHand("F* 9*", STANDS),
        ),
        "my 8*",
        shows=("1 suited and 1 unsuited match", "2 unsuited match"),
        needs=("up",),
    ),
    Script(
        "Two suited matches, and a wager with no match",
        (ScriptedHand("mx mx", wagers=("up",)), ScriptedHand("n* F*", wagers=("up",))),
        "mx 8*",
        shows=("2 suited match", "no match"),
        needs=("up", "four decks"),
    ),
    Script(
        "Match the Dealer before blackjacks and insurance",
        (
            ScriptedHand("Ax F*", wagers=("up",)),
            ScriptedHand("F* F*", (INSURE, STAND), wagers=("up",)),
        ),
        "Ay 7*",
        shows=("1 unsuited match", "blackjack", "insurance"),
        needs=("up", "insurance"),
    ),
)

BONUS_CARDS = (
    Script(
        "Bonus Cards: each decides the wager with its number",
        (
            ScriptedHand("mx F*", wagers=("up", "b1", "b2")),
            ScriptedHand("n* 9*", wagers=("b1", "b2")),
        ),
        "9* 8*",
        "my n*",
        shows=("mtd b1", "mtd b2", "lock"),
        needs=("b1", "b2"),
    ),
    Script(
        "Down Card wagers at the end, including one on a busted hand",
        (
            ScriptedHand("F* mx F*", (HIT,), wagers=("down",)),
            ScriptedHand("my 9*", (STAND,), wagers=("up", "down")),
        ),
        "9* mx 3*",
        shows=("mtd down", "R-013"),
        needs=("down", "up"),
    ),
    Script(
        "A dealer blackjack, then the Down Card wagers",
        (ScriptedHand("Kx 9*", wagers=("up", "down")), ScriptedHand("F* 7*", wagers=("down",))),
        "A* Ky",
        shows=("mtd down", "dealer blackjack"),
        needs=("down", "up"),
    ),
    Script(
        "A suited Bonus Card, the cards locked up, the floor person",
        (
            ScriptedHand("7x 7x 7x", (HIT,), base=25, wagers=("up", "b1")),
            ScriptedHand("F* 9*", STANDS),
        ),
        "7y F*",
        "7x",
        shows=("lock", "supervisor", "super", "2 suited match"),
        needs=("b1", "super bonus"),
    ),
)

DOUBLES = (
    Script(
        "A double that wins and a double that busts",
        (ScriptedHand("6* 5* 9*", (DOUBLE, STAND)), ScriptedHand("9* 6* F*", (DOUBLE,))),
        "6* 9* 2*",
        shows=("R-013", "R-078"),
        needs=("spanish 21",),
    ),
    Script(
        "A rescue: the last portion is returned, the rest is taken",
        (ScriptedHand("6* 5* 2*", (DOUBLE, RESCUE)), ScriptedHand("F* 8*", STANDS)),
        "9* 8*",
        shows=("R-057",),
        needs=("rescue",),
    ),
    Script(
        "Doubled three times up to the cap, then rescued",
        (ScriptedHand("3* 2* 2* 3* 2*", (DOUBLE, DOUBLE_DOUBLE, DOUBLE_DOUBLE, RESCUE), base=40),),
        "9* 8*",
        shows=("R-057",),
        needs=("double-double", "rescue"),
    ),
    Script(
        "A double-double that makes 21: even money on the whole wager",
        (ScriptedHand("4* 3* 5* 9*", (DOUBLE, DOUBLE_DOUBLE)), ScriptedHand("F* 7*", STANDS)),
        "9* 8*",
        shows=("R-049",),
        needs=("double-double",),
    ),
    Script(
        "Doubled for less, then rescued",
        (ScriptedHand("6* 5* 2*", (HALF, RESCUE), base=20), ScriptedHand("F* 9*", STANDS)),
        "9* 8*",
        shows=("R-057",),
        needs=("double for less", "rescue"),
    ),
    Script(
        "Surrender after the check",
        (
            ScriptedHand("F* 6*", (SURRENDER,), base=25),
            ScriptedHand("9* 7*", (SURRENDER,), base=15),
        ),
        "F* 8*",
        shows=("R-036", "check"),
        needs=("surrender", "spanish 21"),
    ),
    Script(
        "Split to four hands",
        (
            ScriptedHand(
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
        (ScriptedHand("A* F* 9*", (KEEP, DOUBLE, STAND)), ScriptedHand("F* 9*", STANDS)),
        "6* 9* 4*",
        shows=("blackjacks",),
        needs=("blackjack kept", "spanish 21"),
    ),
    Script(
        "Split aces, and a bonus on a split hand",
        (ScriptedHand("A* A* F* 2* 4* 4*", (SPLIT, HIT, HIT, HIT)), ScriptedHand("F* 9*", STANDS)),
        "9* 8*",
        shows=("R-040",),
        needs=("spanish 21", "bonus 21"),
    ),
)

JACKPOTS = (
    Script(
        "Fixed pays before the base game, and with the down card after it",
        (ScriptedHand("mx n*", wagers=("j1", "j2")), ScriptedHand("my F*", wagers=("j1", "j2"))),
        "mx n*",
        shows=("jackpot 1", "jackpot 2"),
        needs=("j1", "j2"),
    ),
    Script(
        "Two suited matches with the up card: 10% of jackpot 1, after the base game",
        (ScriptedHand("mx mx", wagers=("j1",)), ScriptedHand("F* 9*", STANDS, wagers=("j1",))),
        "mx 8*",
        shows=("R-095",),
        needs=("jackpot 1 of tables 3",),
    ),
    Script(
        "Two awards from one meter, paid from the left",
        (ScriptedHand("mx mx", wagers=("j1", "j2")), ScriptedHand("mx mx", wagers=("j1", "j2"))),
        "mx 8*",
        shows=("R-095",),
        needs=("jackpot 1 of tables 3", "jackpot 2 of tables 4"),
    ),
    Script(
        "Three aces of spades: all of jackpot 1",
        (ScriptedHand("As As", (NO_INSURANCE, STAND), wagers=("j1",)), ScriptedHand("F* 9*")),
        "As 8*",
        shows=("R-095",),
        needs=("jackpot 1 of tables 3",),
    ),
    Script(
        "Four identical cards: all of jackpot 2",
        (ScriptedHand("mx mx", wagers=("j2",)), ScriptedHand("F* 9*", wagers=("j1", "j2"))),
        "mx mx",
        shows=("R-095",),
        needs=("jackpot 2 of tables 4",),
    ),
)

SUPER_FUN_21 = (
    Script(
        "Six cards totaling 20 or less win immediately; the dealer says that a hit can't lose",
        (ScriptedHand("2* 3* 2* 2* A* 4*", (HIT,) * 4), ScriptedHand("F* 9*", STANDS)),
        shows=("advise", "R-111"),
        needs=("instant wins",),
    ),
    Script(
        "21 with five cards wins 2 to 1 immediately",
        (ScriptedHand("2* 3* 4* 5* 7*", (HIT,) * 3), ScriptedHand("F* 8*", STANDS)),
        "9* 8*",
        shows=("R-112",),
        needs=("instant wins",),
    ),
    Script(
        "An all-diamond blackjack and another blackjack",
        (ScriptedHand("Ad Kd"), ScriptedHand("A* F*")),
        "9* 8*",
        shows=("R-114",),
        needs=("super fun 21",),
    ),
    Script(
        "An ace up: the uninsured blackjack before the check, the insured one after it",
        (
            ScriptedHand("A* F*", (NO_INSURANCE,)),
            ScriptedHand("A* F*", (INSURE,)),
            ScriptedHand("F* 9*", (NO_INSURANCE,)),
        ),
        "A* 8*",
        shows=("R-114", "insurance", "check"),
        needs=("super fun 21", "insurance"),
    ),
    Script(
        "Surrender after a hit",
        (ScriptedHand("F* 2* 4*", (HIT, SURRENDER), base=25), ScriptedHand("F* 8*", STANDS)),
        "9* 8*",
        shows=("R-109",),
        needs=("surrender any time",),
    ),
    Script(
        "Surrender of a doubled hand: one of its two wagers is lost",
        (ScriptedHand("6* 5* 2*", (DOUBLE, SURRENDER), base=20), ScriptedHand("F* 9*", STANDS)),
        "9* 8*",
        shows=("R-110",),
        needs=("surrender any time",),
    ),
    Script(
        "11 with four cards: the dealer's advice",
        (ScriptedHand("2* 3* 2* 4* 9*", (HIT, HIT, HIT, STAND)), ScriptedHand("F* 8*", STANDS)),
        "9* 8*",
        shows=("advise",),
        needs=("instant wins",),
    ),
    Script(
        "21 with three cards is compared like any other hand",
        (ScriptedHand("9* 5* 7*", (HIT, STAND)), ScriptedHand("F* 7*", STANDS)),
        "6* 8* 7*",
        shows=("R-119", "push"),
        needs=("super fun 21",),
    ),
    Script(
        "A dealer blackjack: insurance pays, blackjacks are paid, the others lose",
        (ScriptedHand("A* F*", (INSURE,)), ScriptedHand("F* 9*", (NO_INSURANCE,))),
        "A* F*",
        shows=("dealer blackjack", "insurance"),
        needs=("super fun 21", "insurance"),
    ),
)
