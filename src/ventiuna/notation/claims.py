"""Compare recorded results with the correct payouts, and explain why a claim isn't owed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ventiuna.cards import card_text
from ventiuna.core import meters
from ventiuna.core.base_game import (
    dealer_draws,
    is_dealer_blackjack,
    is_super_bonus,
    may_become_super_bonus,
    winning_row,
)
from ventiuna.core.cards import (
    CARDS,
    EMPTY_HAND,
    SUITS,
    Hand,
    add_card,
    best_total,
    is_all_diamonds,
    is_blackjack,
    rank_of,
    value_of,
)
from ventiuna.core.side_bets import NO_LINE
from ventiuna.engine.events import MTD_WAGERS, MeterRaised, Wager, WagerKind, WagerSettled
from ventiuna.engine.flow import dealer_hand
from ventiuna.engine.messages import odds_words, reason_words
from ventiuna.engine.settlement import special_line_won, super_bonus_spots
from ventiuna.engine.state import PlayerHand, RoundState, Spot
from ventiuna.money import EVEN_MONEY, money_text
from ventiuna.notation.records import SpotRecord
from ventiuna.notation.replay import Replay
from ventiuna.rules.compiled import special_line_of
from ventiuna.rules.model import Envy, Game, JackpotKind, SuperBonusForm
from ventiuna.rules.text.phrases import join_words, mtd_word, super_bonus_pays, up_card_words

# --- Why a claim isn't owed ---

TOTAL = "total"
_TEN = 10


def wager_title(wager: Wager) -> str:
    """A wager's name on the casino floor: `Up Card`, `Super Bonus`, `jackpot 1`."""
    if wager.kind is WagerKind.MTD:
        return mtd_word(wager.part)
    return {Wager.SUPER: "Super Bonus", Wager.ENVY: "Envy Bonus"}.get(wager, str(wager))


def why_owed(played: Replay, spot: int, wager: str, owed: int, claimed: int) -> list[str]:
    """Explain the result of a spot's wager, or of all its wagers if `wager` is the total."""
    payments = [paid for paid in played.payments if paid.spot == spot]
    if wager != TOTAL:
        payments = [paid for paid in payments if paid.wager == wager]
    found = [
        f"{_title(paid, payments)}: {reason_words(paid.reason)}, {odds_words(paid.odds)} "
        f"({paid.rule})."
        for paid in payments
    ]
    if spot in played.state.spots:
        wagers = {Wager(wager)} if wager != TOTAL else set(Wager)
        excess = claimed - owed
        found += dict.fromkeys(_overlooked(played, played.state.spots[spot], wagers, excess))
        if not found and wager != TOTAL:
            found.append(_why_nothing(played.state, Wager(wager)))
    return found


def _why_nothing(state: RoundState, wager: Wager) -> str:
    """Explain why nothing is owed for a wager that wasn't placed or a bonus nobody won."""
    if wager.is_free and state.rules.super_bonus_form() is None:
        return "These rules have no Super Bonus."
    if wager is Wager.SUPER:
        return "The hand doesn't win the Super Bonus (R-067, R-068)."
    if wager is Wager.ENVY and state.rules.envy is Envy.OFF:
        return "These rules have no Envy Bonus."
    if wager is Wager.ENVY:
        return "No other player won a Super Bonus (R-073)."
    rules = {WagerKind.INSURANCE: "R-034", WagerKind.JACKPOT: "R-082"}
    title = wager_title(wager) + (" wager" if wager.kind is not WagerKind.INSURANCE else "")
    return f"The spot has no {title} ({rules.get(wager.kind, 'R-014')})."


def _title(payment: WagerSettled, payments: list[WagerSettled]) -> str:
    title = wager_title(payment.wager)
    hands = sum(paid.wager is Wager.HAND for paid in payments)
    if payment.wager is Wager.HAND and hands > 1:
        title = f"hand {payment.hand + 1}"
    return title[0].upper() + title[1:]


def _overlooked(played: Replay, spot: Spot, wagers: set[Wager], excess: int) -> Iterator[str]:
    """Yield the rules under which a claim isn't owed."""
    state = played.state
    if Wager.HAND in wagers:
        for hand in spot.hands:
            yield from _about_hand(state, spot, hand)
    if excess <= 0:
        return
    if Wager.HAND in wagers or Wager.SUPER in wagers:
        yield from _about_super_bonus(state, spot)
    if Wager.ENVY in wagers:
        yield from _about_envy(state, spot)
    for name in spot.mtd:
        if MTD_WAGERS[name] in wagers:
            yield from _about_match(state, spot, name)
    for game, stake in spot.jackpots.items():
        if any(wager.game == game for wager in wagers):
            yield from _about_jackpot(played, spot, game, excess == stake)


def surplus_words(played: Replay, cards: Sequence[str]) -> str:
    """Explain why the dealer's last recorded cards don't count."""
    state, game = played.state, played.state.rules.game
    hard, aces = dealer_hand(state)
    if is_dealer_blackjack(state.up, state.down):
        why = f"the dealer has blackjack ({state.labels.dealer_blackjack_rule})"
    elif dealer_draws(state.table, hard, aces):
        why = "no hand is left to compare (O-16)"
    else:
        rule = {Game.SPANISH_21: "R-077", Game.SUPER_FUN_21: "R-117"}.get(game, "O-01")
        total = best_total(hard, aces)
        does = "stands on" if total <= 21 else "busts with"
        why = f"the dealer {does} {total} ({rule})"
    counts = "doesn't count" if len(cards) == 1 else "don't count"
    return f"The dealer's extra {' '.join(cards)} {counts}: {why}."


# --- Hands ---


def _about_hand(state: RoundState, spot: Spot, hand: PlayerHand) -> Iterator[str]:
    shape, labels = hand.shape, state.labels
    if shape.doublings:
        row = winning_row(state.table, shape._replace(doublings=0))
        if row >= 0 and labels.rows[row].odds != EVEN_MONEY.words:
            name, odds, _ = labels.rows[row]
            rule = "R-113" if state.rules.game is Game.SUPER_FUN_21 else "R-049, R-066"
            yield (
                f"The {odds} for {name} isn't owed: a doubled hand is paid even money, without "
                f"bonuses ({rule})."
            )
        if not shape.split and is_blackjack(_dealt_shape(spot)):
            rule = "R-106" if state.rules.game is Game.SUPER_FUN_21 else "R-049"
            yield f"The blackjack was doubled, which forfeits its own payout ({rule})."
    elif shape.split and shape.cards == 2 and best_total(shape.hard, shape.aces) == 21:
        yield "An ace with a ten-valued card after a split is a 21, not a blackjack (O-05)."
    elif is_blackjack(shape) and labels.diamond != labels.blackjack and not is_all_diamonds(shape):
        yield f"Only an all-diamond blackjack pays {labels.diamond} ({labels.blackjack_rule})."
    if hand.total > 21 and best_total(*dealer_hand(state)) > 21:
        yield "A bust loses at once, even if the dealer busts later (R-013, O-01)."


def _dealt_shape(spot: Spot) -> Hand:
    first, second = spot.originals
    return add_card(add_card(EMPTY_HAND, first), second)


# --- Super Bonus and Envy Bonus ---


def _about_super_bonus(state: RoundState, spot: Spot) -> Iterator[str]:
    form = state.rules.super_bonus_form()
    if form is None:
        return
    if spot in super_bonus_spots(state):
        pays = join_words([f"{pay.pays} for a {pay.hand}" for pay in super_bonus_pays(state.rules)])
        yield f"The Super Bonus depends on the player's own bet: {pays} (R-069)."
        return
    reason = _why_no_super_bonus(state, spot, form)
    if reason:
        yield f"No Super Bonus is owed: {reason}."


def _why_no_super_bonus(state: RoundState, spot: Spot, form: SuperBonusForm) -> str:
    changed = len(spot.hands) > 1 or spot.hands[0].shape.doublings > 0
    if changed and may_become_super_bonus(state.table, _dealt_shape(spot), state.up):
        return "splitting or doubling the hand voids it (R-070)"
    shape, rule = spot.hands[0].shape, form.rule or "R-067"
    if changed:
        return ""
    if not is_super_bonus(state.table, shape, state.up):
        if any(is_super_bonus(state.table, shape, up) for up in range(CARDS)):
            return f"the up card is {card_text(state.up)}, not {up_card_words(form)} ({rule})"
        suited = (shape._replace(suits=suits) for suits in range(1 << SUITS))
        if any(is_super_bonus(state.table, other, state.up) for other in suited):
            return f"it takes {form.hand} ({rule})"
        return ""
    minimum = state.rules.super_bonus_bands[0].base_from
    return f"it takes a base wager of {money_text(minimum)} or more (R-069, O-13)"


def _about_envy(state: RoundState, spot: Spot) -> Iterator[str]:
    winners = super_bonus_spots(state)
    rule = {Envy.LOSERS_ONLY: "R-075", Envy.LOSERS_ONCE: "R-076"}.get(state.rules.envy, "O-14")
    if any(winner.owner == spot.owner for winner in winners):
        whose = "" if rule != "O-14" else " for their own hand"
        yield f"Super Bonus winners get no Envy Bonus{whose} ({rule})."
    elif len(winners) > 1 and state.rules.envy is Envy.LOSERS_ONCE:
        yield f"The Envy Bonus is paid once a round ({rule})."


# --- Side bets ---


def _about_match(state: RoundState, spot: Spot, name: str) -> Iterator[str]:
    dealer = {"up": state.up, "down": state.down}
    card = dealer[name] if name in dealer else state.bonus_cards[int(name[1:]) - 1]
    ranks = [rank_of(item) for item in spot.originals]
    if rank_of(card) not in ranks:
        values = [value_of(item) for item in spot.originals]
        if value_of(card) == _TEN and _TEN in values:
            yield f"{mtd_word(name)}: ten-valued cards of different ranks don't match (R-020)."
    drawn = [item for hand in spot.hands for item in hand.cards]
    extra = sum(rank_of(item) == rank_of(card) for item in drawn)
    if extra > ranks.count(rank_of(card)):
        yield f"{mtd_word(name)}: only the original two cards of the hand count (R-020)."


def _about_jackpot(played: Replay, spot: Spot, game: int, is_stake: bool) -> Iterator[str]:
    title = f"Jackpot {game}"
    paid = sum(
        payment.paid
        for payment in played.payments
        if payment.spot == spot.number and payment.wager.game == game
    )
    if paid and is_stake:
        yield f'{title} odds are "for", not "to": the wager isn\'t returned (R-091).'
    if any(award.spot == spot.number for award in round_meter(played, game).awards):
        *words, _ = meter_words(played, game)
        yield from words


# --- Meters ---


@dataclass(frozen=True, slots=True)
class Award:
    """A spot's jackpot award; amounts in cents."""

    spot: int
    percent: int  # percent of the jackpot; 0 if the line pays the operator's prize
    shown: int  # the meter or posted amount that the award is based on
    paid: int
    rule: str
    seed_at_once: int
    seed_after_round: int


@dataclass(frozen=True, slots=True)
class RoundMeter:
    """A jackpot's amount over the course of the round, in cents."""

    before: int
    contributions: int
    awards: tuple[Award, ...]
    after: int


def round_meter(played: Replay, game: int) -> RoundMeter:
    state, index = played.state, game - 1
    start = played.record.meters[index][0] if played.record.meters else None
    before = state.rules.jackpots[index].seed if start is None else start
    added = sum(
        event.amount
        for event in played.events
        if isinstance(event, MeterRaised) and event.game == game and event.reason == "contribution"
    )
    displayed, awards = before + added, []
    for spot in state.order:
        special = special_line_won(state, spot, game) if game in spot.jackpots else NO_LINE
        if not meters.comes_from_meter(state.table, index, special):
            continue
        line = special_line_of(state.rules, game, special)
        awards.append(
            Award(
                spot.number,
                line.percent,
                displayed,
                meters.special_pay(state.table, index, special, displayed),
                next(
                    paid.rule
                    for paid in played.payments
                    if (paid.spot, paid.wager.game, paid.reason) == (spot.number, game, line.hand)
                ),
                meters.seed_at_once(state.table, index, special),
                meters.seed_after_round(state.table, index, special),
            )
        )
        displayed = meters.meter_for_next_winner(state.table, index, special, displayed)
    return RoundMeter(before, added, tuple(awards), state.meters[index].cents)


def meter_words(played: Replay, game: int) -> Iterator[str]:
    """Describe the jackpot's amount before, during and after the round, sentence by sentence."""
    story = round_meter(played, game)
    if played.state.rules.jackpots[game - 1].kind is JackpotKind.HOUSE:
        yield f"Jackpot {game}: the posted amount is {money_text(story.before)} (R-097)."
    elif story.contributions:
        total = story.before + story.contributions
        yield (
            f"Jackpot {game}: {money_text(story.before)} before the round plus "
            f"{money_text(story.contributions)} from this round's wagers is {money_text(total)} "
            "(O-19)."
        )
    else:
        yield f"Jackpot {game}: {money_text(story.before)} before the round."
    for award in story.awards:
        share = f"{award.percent}% of {money_text(award.shown)}" if award.percent else "the prize"
        yield f"Spot {award.spot} wins {share}: {money_text(award.paid)} ({award.rule})."
        if award.seed_at_once:
            seed = money_text(award.seed_at_once)
            yield f"The meter starts again at once from its seed of {seed} (O-19, O-20)."
        elif award.seed_after_round:
            seed = money_text(award.seed_after_round)
            yield f"The meter stays empty until the round is over, then starts from {seed} (O-20)."
    yield f"Jackpot {game} after the round: {money_text(story.after)}."


# --- Comparing recorded results ---


def differences(played: Replay) -> list[str]:
    """Return one sentence per recorded result that disagrees with the rules; empty if all agree."""
    found = [line for spot in played.record.spots for line in _net_differences(played, spot)]
    found += _order_differences(played)
    stated = played.record.meters_after
    if stated is not None:
        meters = tuple(meter.cents for meter in played.state.meters)
        if meters != stated:
            reasons = [
                line
                for game in range(1, len(meters) + 1)
                if meters[game - 1 : game] != stated[game - 1 : game]
                for line in meter_words(played, game)
            ]
            found.append(" ".join([_sentence("Meters after the round", meters, stated), *reasons]))
    return found


def has_stated_results(played: Replay) -> bool:
    record = played.record
    stated = any(spot.net is not None for spot in record.spots)
    return stated or bool(record.order) or record.meters_after is not None


def _net_differences(played: Replay, spot: SpotRecord) -> Iterator[str]:
    if spot.net is None:
        return
    ours = played.net(spot.number)
    total = sum(sum(amounts) for amounts in ours.values())
    # A record may state only the total. If it states individual wagers, an omitted wager counts as
    # zero.
    wagers = spot.net if set(spot.net) == {"total"} else [*ours, *spot.net]
    for wager in dict.fromkeys(wagers):
        stated = spot.net.get(wager, (0,))
        found = (total,) if wager == "total" else ours.get(wager, (0,))
        if stated != found:
            reasons = why_owed(played, spot.number, wager, sum(found), sum(stated))
            title = wager if wager == TOTAL else wager_title(Wager(wager))
            yield " ".join([_sentence(f"{spot.name}, {title}", found, stated), *reasons])


def _order_differences(played: Replay) -> list[str]:
    """Check that payments occur in the recorded order, perhaps with others in between."""
    persons = {spot.number: spot.name for spot in played.record.spots}
    payments = iter(played.payments)
    for stated in played.record.order:
        for payment in payments:
            ours = (persons[payment.spot], payment.wager, payment.net)
            if ours == (stated.person, stated.wager, stated.net):
                break
        else:
            place = f"{stated.person}, {wager_title(stated.wager)} {_texts((stated.net,))}"
            return [f"Order: {place} isn't paid in the recorded order."]
    return []


def _sentence(what: str, owed: tuple[int, ...], stated: tuple[int, ...]) -> str:
    return f"{what}: {_texts(owed)} is owed, {_texts(stated)} is recorded."


def _texts(amounts: tuple[int, ...]) -> str:
    return " and ".join(
        f"+{money_text(amount)}" if amount > 0 else money_text(amount) for amount in amounts
    )
