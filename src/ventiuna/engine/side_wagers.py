"""Settling Match the Dealer, jackpots, Super Bonus and Envy Bonus."""

from __future__ import annotations

from ventiuna.core import meters
from ventiuna.core.jackpot import (
    NO_LINE,
    fixed_pay,
    paid_fixed_lines,
    special_line,
    waits_for_down_card,
)
from ventiuna.core.match import match_profit, suited_matches, unsuited_matches
from ventiuna.core.super_bonus import envy_pay, super_bonus_pay
from ventiuna.engine.events import MeterLowered, MeterRaised, WagerSettled
from ventiuna.engine.labels import (
    ENVY_BONUS_RULE,
    MATCH_RULE,
    SUPER_BONUS_RULE,
    fixed_line_label,
    jackpot_rule,
    special_line_of,
)
from ventiuna.engine.recorder import Recorder
from ventiuna.engine.settle import wins_super_bonus
from ventiuna.engine.stakes import JACKPOT_WAGERS, MTD_WAGERS, Wager
from ventiuna.engine.state import RoundState, Spot
from ventiuna.money import money_text


def settle_match(rec: Recorder, name: str, dealer_card: int) -> None:
    """One Match the Dealer wager of every spot, against its dealer card (R-020 to R-022)."""
    for spot in rec.state.order:
        stake = spot.mtd.get(name, 0)
        if stake:
            _settle_one_match(rec, spot, name, stake, dealer_card)


def settle_bonus_card_matches(rec: Recorder) -> None:
    """Bonus Card wagers spot by spot, each against the card of its number (R-019, R-080)."""
    for spot in rec.state.order:
        for number, card in enumerate(rec.state.bonus_cards, start=1):
            stake = spot.mtd.get(f"b{number}", 0)
            if stake:
                _settle_one_match(rec, spot, f"b{number}", stake, card)


def _settle_one_match(rec: Recorder, spot: Spot, name: str, stake: int, dealer_card: int) -> None:
    first, second = spot.originals
    suited = suited_matches(first, second, dealer_card)
    unsuited = unsuited_matches(first, second, dealer_card)
    profit = match_profit(rec.state.table, stake, suited, unsuited)
    to_unsuited, to_suited = rec.labels.match_odds
    parts = [to_suited] * suited + [to_unsuited] * unsuited
    words = []
    if suited:
        words.append(f"{suited} suited")
    if unsuited:
        words.append(f"{unsuited} unsuited")
    rec.emit(
        WagerSettled(
            spot.number,
            -1,
            MTD_WAGERS[name],
            stake,
            stake + profit,
            " and ".join(parts) or "lost",
            MATCH_RULE,
            f"{' and '.join(words)} match" if words else "no match",
        )
    )


# --- jackpots ---------------------------------------------------------------------------------


def raise_meters(rec: Recorder) -> None:
    """Every jackpot wager's contribution enters its meter when wagers close (O-19)."""
    for spot in rec.state.order:
        for game, stake in spot.jackpots.items():
            added = meters.contribution(rec.state.table, game - 1, stake)
            if added:
                remainder = rec.state.meters[game - 1].remainder
                amount = meters.raised_by(remainder, added)
                remainder = meters.remainder_after(remainder, added)
                rec.emit(MeterRaised(game, amount, remainder, "contribution"))


def settle_fixed_jackpot_lines(rec: Recorder) -> None:
    """Pays that need no down card, and wagers that can't win any more (R-096)."""
    state = rec.state
    for spot in state.order:
        first, second = spot.originals
        for game in spot.jackpots:
            if waits_for_down_card(state.table, game - 1, first, second, state.up):
                continue
            if special_line(state.table, game - 1, first, second, state.up, state.up) != NO_LINE:
                continue  # noted: a share of the meter is paid after the base game
            paid = fixed_pay(state.table, game - 1, NO_LINE, first, second, state.up, state.up)
            _settle_jackpot(rec, spot, game, paid, _fixed_words(state, spot, game, NO_LINE))


def settle_jackpot_lines_with_down_card(rec: Recorder) -> None:
    """Tables 4, and prize lines: fixed pays and the house's prizes (R-088 to R-094, O-22)."""
    state = rec.state
    for spot in state.order:
        first, second = spot.originals
        for game, stake in spot.open_jackpots.items():
            if not stake:
                continue
            special = special_line_won(state, spot, game)
            paid = fixed_pay(state.table, game - 1, special, first, second, state.up, state.down)
            words = _fixed_words(state, spot, game, special)
            waits_for_award = meters.comes_from_meter(state.table, game - 1, special)
            if special != NO_LINE and not waits_for_award:
                paid += meters.prize_pay(state.table, game - 1, special)
                words.append(_special_words(state, game, special))
            if paid or not waits_for_award:
                _settle_jackpot(rec, spot, game, paid, words)


def pay_awards(rec: Recorder) -> None:
    """Shares of the meters from the dealer's left, each taken off before the next (R-095).

    A house jackpot's winners each get the full share unless the house pays in sequence (O-39).
    """
    state = rec.state
    shown = [meter.cents for meter in state.meters]
    seeds: dict[int, int] = {}  # that come after the round, once a game
    for spot in state.order:
        for game in spot.jackpots:
            special = special_line_won(state, spot, game)
            if not meters.comes_from_meter(state.table, game - 1, special):
                continue
            paid = meters.special_pay(state.table, game - 1, special, shown[game - 1])
            _pay_award(rec, spot, game, special, paid)
            _seed_meter(rec, game, meters.seed_at_once(state.table, game - 1, special))
            if later := meters.seed_after_round(state.table, game - 1, special):
                seeds[game] = later
            shown[game - 1] = meters.shown_to_next(state.table, game - 1, special, shown[game - 1])
    for game, seed in seeds.items():
        _seed_meter(rec, game, seed)


def special_line_won(state: RoundState, spot: Spot, game: int) -> int:
    """The special line of the spot's original two cards with both dealer cards, or NO_LINE."""
    first, second = spot.originals
    return special_line(state.table, game - 1, first, second, state.up, state.down)


def awards_are_due(state: RoundState) -> bool:
    return any(award_is_due(state, game) for game in range(1, len(state.meters) + 1))


def award_is_due(state: RoundState, game: int) -> bool:
    """Does a spot win what comes out of this game's jackpot?"""
    for spot in state.order:
        if game in spot.jackpots:
            special = special_line_won(state, spot, game)
            if meters.comes_from_meter(state.table, game - 1, special):
                return True
    return False


def _pay_award(rec: Recorder, spot: Spot, game: int, special: int, paid: int) -> None:
    is_house = meters.is_house_jackpot(rec.state.table, game - 1)
    line = special_line_of(rec.state.rules, game, special)
    rec.emit(
        WagerSettled(
            spot.number,
            -1,
            JACKPOT_WAGERS[game],
            spot.open_jackpots[game],
            paid,
            line.pay,
            "O-39" if is_house else "R-095",
            line.hand,
            meter=0 if is_house else game,
        )
    )
    if taken := meters.taken_off_meter(rec.state.table, game - 1, paid):
        rec.emit(MeterLowered(game, taken, "won"))


def _seed_meter(rec: Recorder, game: int, seed: int) -> None:
    """After a 100 % award the meter starts again from its seed (O-19, O-20)."""
    if seed:
        remainder = rec.state.meters[game - 1].remainder
        rec.emit(MeterRaised(game, seed, remainder, "seed"))


def _settle_jackpot(rec: Recorder, spot: Spot, game: int, paid: int, words: list[str]) -> None:
    rec.emit(
        WagerSettled(
            spot.number,
            -1,
            JACKPOT_WAGERS[game],
            spot.open_jackpots[game],
            paid,
            " and ".join(words) or "lost",
            jackpot_rule(rec.state.rules, game),
            "pay table lines" if paid else "no line",
        )
    )


def _fixed_words(state: RoundState, spot: Spot, game: int, special: int) -> list[str]:
    first, second = spot.originals
    lines = paid_fixed_lines(state.table, game - 1, special, first, second, state.up, state.down)
    return [fixed_line_label(state.rules, game, line) for line in lines if line != NO_LINE]


def _special_words(state: RoundState, game: int, special: int) -> str:
    prize = state.rules.jackpots[game - 1].prize or 0
    line = special_line_of(state.rules, game, special)
    return f"{line.hand}: prize of {money_text(prize)} for $1"


# --- Super Bonus and Envy Bonus ---------------------------------------------------------------


def super_bonus_spots(state: RoundState) -> list[Spot]:
    """Spots that have won a Super Bonus."""
    return [spot for spot in state.order if wins_super_bonus(state, spot, spot.hands[0])]


def pay_super_and_envy_bonuses(rec: Recorder) -> None:
    """All Super Bonuses, besides the hands' own pays, then the Envy Bonuses (R-071 to R-076)."""
    winners = super_bonus_spots(rec.state)
    form = rec.state.rules.super_bonus_form()
    for spot in winners:
        amount = super_bonus_pay(rec.state.table, spot.base)
        rec.emit(
            WagerSettled(
                spot.number,
                -1,
                Wager.SUPER,
                0,
                amount,
                money_text(amount),
                SUPER_BONUS_RULE,
                form.hand if form else "",
            )
        )
    for spot in rec.state.order:
        # A person gets no Envy Bonus on any spot for a Super Bonus of his own (O-14).
        own = sum(1 for winner in winners if winner.owner == spot.owner)
        amount = envy_pay(rec.state.table, own, len(winners) - own)
        if amount:
            rec.emit(
                WagerSettled(
                    spot.number,
                    -1,
                    Wager.ENVY,
                    0,
                    amount,
                    money_text(amount),
                    ENVY_BONUS_RULE,
                    "another player's Super Bonus",
                )
            )
