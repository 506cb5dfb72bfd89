"""Settle every wager and bonus: amount, odds and rule."""

from __future__ import annotations

from ventiuna.core import meters
from ventiuna.core.base_game import (
    PUSHES,
    WINS,
    blackjack_profit,
    compare,
    envy_pay,
    insurance_profit,
    is_super_bonus,
    rescue_loss,
    result_against_blackjack,
    row_profit,
    super_bonus_pay,
    surrender_loss,
    winning_row,
    wins_two_blackjacks,
)
from ventiuna.core.cards import is_all_diamonds, is_blackjack
from ventiuna.core.side_bets import (
    NO_LINE,
    fixed_pay,
    match_profit,
    paid_fixed_lines,
    special_line,
    suited_matches,
    unsuited_matches,
    waits_for_down_card,
)
from ventiuna.engine.events import (
    JACKPOT_WAGERS,
    MTD_WAGERS,
    HandRemoved,
    HandStood,
    MeterLowered,
    MeterRaised,
    Wager,
    WagerSettled,
)
from ventiuna.engine.state import HandStatus, PlayerHand, Recorder, RoundState, Spot
from ventiuna.money import money_text
from ventiuna.rules.compiled import (
    DOUBLED_21_RULE,
    DOUBLED_SURRENDER_RULE,
    ENVY_BONUS_RULE,
    MATCH_RULE,
    RESCUE_RULE,
    SUPER_BONUS_RULE,
    fixed_line_label,
    jackpot_rule,
    special_line_of,
)
from ventiuna.rules.model import BonusOrder

# --- Base game and insurance ---


def settle_hand(
    rec: Recorder, spot: Spot, index: int, profit: int, odds: str, rule: str, reason: str
) -> None:
    stake = spot.hands[index].wager
    paid = stake + profit
    rec.emit(WagerSettled(spot.number, index, Wager.HAND, stake, paid, odds, rule, reason))


def remove_hand(rec: Recorder, spot: Spot, index: int) -> None:
    if spot.hands[index].on_table:
        rec.emit(HandRemoved(spot.number, index))


def pay_blackjack(rec: Recorder, spot: Spot) -> None:
    """Pay a blackjack (R-029, R-114)."""
    hand = spot.hands[0]
    labels = rec.labels
    odds = labels.diamond if is_all_diamonds(hand.shape) else labels.blackjack
    profit = blackjack_profit(rec.state.table, hand.shape, hand.wager)
    settle_hand(rec, spot, 0, profit, odds, labels.blackjack_rule, "blackjack")


def end_hand(rec: Recorder, spot: Spot, index: int) -> None:
    """End the hand: pay it now if it has won, otherwise it stands."""
    hand = spot.hands[index]
    if is_blackjack(hand.shape):
        pay_blackjack(rec, spot)
        remove_hand(rec, spot, index)
        return
    row = winning_row(rec.state.table, hand.shape)
    if row < 0:
        rec.emit(HandStood(spot.number, index))
        return
    label = rec.labels.rows[row]
    profit = row_profit(rec.state.table, row, hand.wager)
    rule = DOUBLED_21_RULE if hand.shape.doublings else label.rule
    settle_hand(rec, spot, index, profit, label.odds, rule, label.name)
    if not wins_super_bonus(rec.state, spot, hand):
        remove_hand(rec, spot, index)  # a Super Bonus hand stays on the table


def wins_super_bonus(state: RoundState, spot: Spot, hand: PlayerHand) -> bool:
    """Return whether the cards, up card and bet size win a Super Bonus (R-067 to R-070, O-13)."""
    return (
        is_super_bonus(state.table, hand.shape, state.up)
        and super_bonus_pay(state.table, spot.base) > 0
    )


def bust_hand(rec: Recorder, spot: Spot, index: int) -> None:
    """Settle a bust: a loss whatever the dealer does (R-013), and no rescue (R-059)."""
    hand = spot.hands[index]
    reason = f"bust with {hand.total}"
    settle_hand(rec, spot, index, -hand.wager, "lost", rec.labels.bust_rule, reason)
    remove_hand(rec, spot, index)


def surrender_hand(rec: Recorder, spot: Spot, index: int) -> None:
    hand = spot.hands[index]
    rule = DOUBLED_SURRENDER_RULE if hand.shape.doublings else rec.labels.surrender_rule
    settle_hand(rec, spot, index, -surrender_loss(hand.wager), "half lost", rule, "surrendered")
    remove_hand(rec, spot, index)


def rescue_hand(rec: Recorder, spot: Spot, index: int) -> None:
    hand = spot.hands[index]
    loss = rescue_loss(hand.wager, hand.last_portion)
    settle_hand(rec, spot, index, -loss, "last portion back", RESCUE_RULE, "rescued")
    remove_hand(rec, spot, index)


def _settle_side(
    rec: Recorder,
    spot: Spot,
    wager: Wager,
    stake: int,
    paid: int,
    odds: str,
    rule: str,
    reason: str,
    meter: int = 0,
) -> None:
    """Settle a wager that isn't on a hand."""
    rec.emit(WagerSettled(spot.number, -1, wager, stake, paid, odds, rule, reason, meter=meter))


def settle_insurance(rec: Recorder, dealer_has_blackjack: bool) -> None:
    """Pay insurance 2 to 1 against a dealer blackjack, otherwise collect it (R-034, R-116)."""
    labels = rec.labels
    for spot in rec.state.settling:
        stake = spot.insurance
        if not stake:
            continue
        paid, odds, reason = 0, "lost", "no dealer blackjack"
        if dealer_has_blackjack:
            paid = stake + insurance_profit(rec.state.table, stake)
            odds, reason = labels.insurance_odds, "dealer blackjack"
        _settle_side(rec, spot, Wager.INSURANCE, stake, paid, odds, labels.insurance_rule, reason)


def settle_against_dealer_blackjack(rec: Recorder) -> None:
    """Collect every unpaid hand except blackjacks, which are paid or push (R-035, O-09)."""
    wins = wins_two_blackjacks(rec.state.table, paid_before_check=False)
    for spot in rec.state.settling:
        hand = spot.hands[0]
        if hand.status is HandStatus.OVER:
            pass
        elif spot.has_blackjack and wins:
            pay_blackjack(rec, spot)
        else:
            profit = result_against_blackjack(spot.has_blackjack, wins, 0, hand.wager)
            odds, rule, reason = "lost", rec.labels.dealer_blackjack_rule, "dealer blackjack"
            if spot.has_blackjack:
                odds, rule = "push", rec.labels.blackjack_rule
                reason = "blackjack on both sides"
            settle_hand(rec, spot, 0, profit, odds, rule, reason)
        remove_hand(rec, spot, 0)


def settle_standing_hands(rec: Recorder, dealer_total: int) -> None:
    """Compare the hands still on the table with the dealer's (R-078)."""
    for spot in rec.state.settling:
        for index, hand in enumerate(spot.hands):
            if hand.status is not HandStatus.STANDING:
                continue
            outcome = compare(hand.total, dealer_total)
            against = "dealer bust" if dealer_total > 21 else f"{hand.total} against {dealer_total}"
            profit, odds = -hand.wager, "lost"
            if outcome == WINS:
                profit, odds = hand.wager, "even money"
            elif outcome == PUSHES:
                profit, odds = 0, "push"
            settle_hand(rec, spot, index, profit, odds, rec.labels.compare_rule, against)
            remove_hand(rec, spot, index)


# --- Side bets and bonuses ---


def settle_match(rec: Recorder, name: str, dealer_card: int) -> None:
    """Settle one Match the Dealer wager on every spot against its dealer card (R-020 to R-022)."""
    for spot in rec.state.settling:
        stake = spot.mtd.get(name, 0)
        if stake:
            _settle_one_match(rec, spot, name, stake, dealer_card)


def settle_bonus_card_matches(rec: Recorder) -> None:
    """Settle Bonus Card wagers by spot or by number, each against the card with its number.

    R-019, R-080, R-123.
    """
    state = rec.state
    cards = {f"b{number}": card for number, card in enumerate(state.bonus_cards, start=1)}
    if state.rules.bonus_order == BonusOrder.WAGER_BY_WAGER:
        for name, card in cards.items():
            settle_match(rec, name, card)
        return
    for spot in state.settling:
        for name, card in cards.items():
            if stake := spot.mtd.get(name, 0):
                _settle_one_match(rec, spot, name, stake, card)


def _settle_one_match(rec: Recorder, spot: Spot, name: str, stake: int, dealer_card: int) -> None:
    first, second = spot.originals
    suited = suited_matches(first, second, dealer_card)
    unsuited = unsuited_matches(first, second, dealer_card)
    profit = match_profit(rec.state.table, stake, suited, unsuited)
    to_unsuited, to_suited = rec.labels.match_odds
    parts = [to_suited] * suited + [to_unsuited] * unsuited
    counts = {"suited": suited, "unsuited": unsuited}
    words = " and ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    odds = " and ".join(parts) or "lost"
    reason = f"{words} match" if words else "no match"
    _settle_side(rec, spot, MTD_WAGERS[name], stake, stake + profit, odds, MATCH_RULE, reason)


# --- Jackpots ---


def raise_meters(rec: Recorder) -> None:
    """Add every jackpot wager's contribution to its meter when betting closes (O-19)."""
    for spot in rec.state.order:
        for game, stake in spot.jackpots.items():
            added = meters.contribution(rec.state.table, game - 1, stake)
            if added:
                remainder = rec.state.meters[game - 1].remainder
                amount = meters.raised_by(remainder, added)
                remainder = meters.remainder_after(remainder, added)
                rec.emit(MeterRaised(game, amount, remainder, "contribution"))


def settle_fixed_jackpot_lines(rec: Recorder) -> None:
    """Settle lines that don't need the down card, and wagers that can no longer win (R-096)."""
    state = rec.state
    for spot in state.settling:
        first, second = spot.originals
        for game in spot.jackpots:
            if waits_for_down_card(state.table, game - 1, first, second, state.up):
                continue
            if special_line(state.table, game - 1, first, second, state.up, state.up) != NO_LINE:
                continue  # a share of the meter is paid after the base game
            paid = fixed_pay(state.table, game - 1, NO_LINE, first, second, state.up, state.up)
            _settle_jackpot(rec, spot, game, paid, _fixed_words(state, spot, game, NO_LINE))


def settle_jackpot_lines_with_down_card(rec: Recorder) -> None:
    """Settle lines that need the down card, except awards from a meter (R-088 to R-094, O-22)."""
    state = rec.state
    for spot in state.settling:
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
                prize = money_text(state.rules.jackpots[game - 1].prize or 0)
                line = special_line_of(state.rules, game, special)
                words.append(f"{line.hand}: prize of {prize} for $1")
            if paid or not waits_for_award:
                _settle_jackpot(rec, spot, game, paid, words)


def pay_awards(rec: Recorder) -> None:
    """Pay shares of the meters from the dealer's left, each deducted before the next (R-095).

    The document prescribes this sequence, so it doesn't follow the house's own (R-123). Each winner
    of a house jackpot gets the full share unless the house pays in sequence (O-39).
    """
    state = rec.state
    displayed = [meter.cents for meter in state.meters]
    seeds: dict[int, int] = {}  # added after the round, once per game
    for spot in state.order:
        for game in spot.jackpots:
            special = special_line_won(state, spot, game)
            if not meters.comes_from_meter(state.table, game - 1, special):
                continue
            paid = meters.special_pay(state.table, game - 1, special, displayed[game - 1])
            _pay_award(rec, spot, game, special, paid)
            _seed_meter(rec, game, meters.seed_at_once(state.table, game - 1, special))
            if later := meters.seed_after_round(state.table, game - 1, special):
                seeds[game] = later
            displayed[game - 1] = meters.meter_for_next_winner(
                state.table, game - 1, special, displayed[game - 1]
            )
    for game, seed in seeds.items():
        _seed_meter(rec, game, seed)


def special_line_won(state: RoundState, spot: Spot, game: int) -> int:
    """Return the special line of the spot's first two cards and both dealer cards, or NO_LINE."""
    first, second = spot.originals
    return special_line(state.table, game - 1, first, second, state.up, state.down)


def award_is_due(state: RoundState, game: int) -> bool:
    """Return whether a spot wins an award paid from this game's jackpot."""
    return any(
        meters.comes_from_meter(state.table, game - 1, special_line_won(state, spot, game))
        for spot in state.order
        if game in spot.jackpots
    )


def _pay_award(rec: Recorder, spot: Spot, game: int, special: int, paid: int) -> None:
    is_house = meters.is_house_jackpot(rec.state.table, game - 1)
    line = special_line_of(rec.state.rules, game, special)
    wager, stake = JACKPOT_WAGERS[game], spot.open_jackpots[game]
    rule, meter = ("O-39", 0) if is_house else ("R-095", game)
    _settle_side(rec, spot, wager, stake, paid, line.pay, rule, line.hand, meter)
    if taken := meters.taken_off_meter(rec.state.table, game - 1, paid):
        rec.emit(MeterLowered(game, taken, "won"))


def _seed_meter(rec: Recorder, game: int, seed: int) -> None:
    """Reset the meter to its seed after a 100% award (O-19, O-20)."""
    if seed:
        remainder = rec.state.meters[game - 1].remainder
        rec.emit(MeterRaised(game, seed, remainder, "seed"))


def _settle_jackpot(rec: Recorder, spot: Spot, game: int, paid: int, words: list[str]) -> None:
    wager, stake = JACKPOT_WAGERS[game], spot.open_jackpots[game]
    odds = " and ".join(words) or "lost"
    reason = "pay table lines" if paid else "no line"
    _settle_side(rec, spot, wager, stake, paid, odds, jackpot_rule(rec.state.rules, game), reason)


def _fixed_words(state: RoundState, spot: Spot, game: int, special: int) -> list[str]:
    first, second = spot.originals
    lines = paid_fixed_lines(state.table, game - 1, special, first, second, state.up, state.down)
    return [fixed_line_label(state.rules, game, line) for line in lines if line != NO_LINE]


# --- Super Bonus and Envy Bonus ---


def super_bonus_spots(state: RoundState) -> list[Spot]:
    """Return the spots that won a Super Bonus."""
    return [spot for spot in state.order if wins_super_bonus(state, spot, spot.hands[0])]


def pay_super_and_envy_bonuses(rec: Recorder) -> None:
    """Pay all Super Bonuses, in addition to the hands, then the Envy Bonuses (R-071 to R-076)."""
    winners = super_bonus_spots(rec.state)
    form = rec.state.rules.super_bonus_form()
    for spot in winners:
        amount = super_bonus_pay(rec.state.table, spot.base)
        hand = form.hand if form else ""
        paid = money_text(amount)
        _settle_side(rec, spot, Wager.SUPER, 0, amount, paid, SUPER_BONUS_RULE, hand)
    for spot in rec.state.order:
        # A person gets no Envy Bonus on any spot for their own Super Bonus (O-14).
        own = sum(1 for winner in winners if winner.owner == spot.owner)
        amount = envy_pay(rec.state.table, own, len(winners) - own)
        if amount:
            paid, reason = money_text(amount), "another player's Super Bonus"
            _settle_side(rec, spot, Wager.ENVY, 0, amount, paid, ENVY_BONUS_RULE, reason)
