"""Every wager besides the base game by itself, and what the meters paid."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ventiuna.kernels.simulate import layout as at
from ventiuna.rules.data import jackpot_tables
from ventiuna.simulation.lines import AwardLine, MeterLine, WagerLine
from ventiuna.simulation.statistics import Estimate, mean_of, table_mean
from ventiuna.simulation.tally import Tally
from ventiuna.simulation.work import MATCH_NAMES, kit_of

_MATCH_TITLES = {"up": "Up Card", "down": "Down Card"}


def other_wager_lines(tally: Tally, base_wager: Fraction) -> list[WagerLine]:
    """Insurance, Match the Dealer, jackpots, bonuses; the base wager in cents."""
    lines = _insurance_line(tally)
    lines += [
        _match_line(tally, number, stake) for number, stake in enumerate(tally.work.match) if stake
    ]
    lines += [
        _jackpot_line(tally, game, stake) for game, stake in enumerate(tally.work.jackpots) if stake
    ]
    return lines + _bonus_lines(tally, base_wager)


# --- what pays all spots alike that meet it -----------------------------------------------------


@dataclass
class PaidSums:
    """Payments in cents: how many, their sum, squares by spot and of a round's spots together."""

    count: int = 0
    net: int = 0
    squared: int = 0
    together: int = 0

    def add(self, rounds: int, spots: int, cents: int) -> None:
        """Rounds in which so many spots got so much each."""
        if cents:
            self.count += rounds * spots
            self.net += rounds * spots * cents
            self.squared += rounds * spots * cents**2
            self.together += rounds * (spots * cents) ** 2


def insurance_sums(tally: Tally) -> tuple[PaidSums, PaidSums]:
    """Insurance lost and won."""
    stakes, pays = kit_of(tally.work).insurance_amounts
    lost, won = PaidSums(), PaidSums()
    for place, rounds in enumerate(tally.insured):
        outcome, spots = divmod(place, at.ANY_SPOTS)
        is_won, level = divmod(outcome, at.LEVELS)
        if is_won:
            won.add(rounds, spots, int(pays[level]))
        else:
            lost.add(rounds, spots, -int(stakes[level]))
    return lost, won


def insured_cents(tally: Tally) -> int:
    """All that was staked on insurance."""
    stakes, _ = kit_of(tally.work).insurance_amounts
    return sum(
        rounds * (place % at.ANY_SPOTS) * int(stakes[place // at.ANY_SPOTS % at.LEVELS])
        for place, rounds in enumerate(tally.insured)
    )


def bonus_sums(tally: Tally) -> tuple[PaidSums, PaidSums]:
    """Super Bonuses and Envy Bonuses."""
    tables = kit_of(tally.work).tables
    envy_pay = tables.envy_pay.reshape(2, at.ANY_SPOTS)
    supers, envies = PaidSums(), PaidSums()
    for place, rounds in enumerate(tally.supers):
        level, winners = divmod(place, at.ANY_SPOTS)
        if rounds:
            supers.add(rounds, winners, int(tables.super_pay[level]))
            of_winner, of_other = int(envy_pay[1, winners - 1]), int(envy_pay[0, winners])
            others = tally.work.spots - winners
            envies.add(rounds, winners, of_winner)
            envies.add(rounds, others, of_other)
            envies.together += 2 * rounds * winners * of_winner * others * of_other
    return supers, envies


# --- lines --------------------------------------------------------------------------------------


def _insurance_line(tally: Tally) -> list[WagerLine]:
    lost, won = insurance_sums(tally)
    placed = lost.count + won.count
    if not placed:
        return []
    staked = insured_cents(tally)
    net = lost.net + won.net
    rounds = tally.rounds
    spread = mean_of(net, lost.together + won.together, rounds, Fraction(staked, rounds))
    own = mean_of(net, lost.squared + won.squared, placed, Fraction(staked, placed))
    ev = Estimate(own.value, spread.standard_error, own.sd, placed)
    return [WagerLine("insurance", placed, staked, net, ev, "stake")]


def _match_line(tally: Tally, number: int, stake: int) -> WagerLine:
    counts = tally.match_counts.reshape(at.MATCHES, at.MATCH_CODES)[number].tolist()
    pays = kit_of(tally.work).match_pay[number].tolist()
    net = sum(count * pay for count, pay in zip(counts, pays, strict=True))
    squared = sum(count * pay * pay for count, pay in zip(counts, pays, strict=True))
    together = tally.match_squared[number]
    ev = table_mean(net, squared, together, tally.rounds, tally.work.spots, stake)
    name = MATCH_NAMES[number]
    title = f"Match the Dealer {_MATCH_TITLES.get(name, f'Bonus Card {name[1:]}')}"
    placed = tally.rounds * tally.work.spots
    return WagerLine(title, placed, placed * stake, net, ev, "stake")


def _jackpot_line(tally: Tally, game: int, stake: int) -> WagerLine:
    kit = kit_of(tally.work)
    counts = tally.jackpot_counts.reshape(kit.jackpot_pay.shape)[game].reshape(-1)
    pays = kit.jackpot_pay[game].reshape(-1)
    pairs = [(int(count), int(pay)) for count, pay in zip(counts, pays, strict=True) if count]
    awards = tally.meters.own[game]
    net = sum(count * pay for count, pay in pairs) + awards.total
    squared = sum(count * pay * pay for count, pay in pairs) + awards.squared
    together = tally.jackpot_squared[game] + awards.together
    ev = table_mean(net, squared, together, tally.rounds, tally.work.spots, stake)
    placed = tally.rounds * tally.work.spots
    return WagerLine(f"jackpot {game + 1}", placed, placed * stake, net, ev, "stake")


def _bonus_lines(tally: Tally, base_wager: Fraction) -> list[WagerLine]:
    """Super and Envy Bonus: no wager of their own, so per base wager (R-069, R-073)."""
    lines = []
    for name, sums in zip(("Super Bonus", "Envy Bonus"), bonus_sums(tally), strict=True):
        if sums.count:
            ev = table_mean(
                sums.net, sums.squared, sums.together, tally.rounds, tally.work.spots, base_wager
            )
            lines.append(WagerLine(name, sums.count, 0, sums.net, ev, "base wager"))
    return lines


def meter_lines(tally: Tally) -> list[MeterLine]:
    """Each meter that was played for, and what it paid by line."""
    return [_meter_line(tally, game) for game, stake in enumerate(tally.work.jackpots) if stake]


def _meter_line(tally: Tally, game: int) -> MeterLine:
    history = tally.meters
    jackpot = tally.work.rules.jackpots[game]
    special = jackpot_tables()[jackpot.table].special_lines(jackpot.alternate)
    from_meter = kit_of(tally.work).from_meter[game]
    hits, paid, squared = history.hits[game], history.paid[game], history.squared[game]
    return MeterLine(
        game=game + 1,
        table=jackpot.table,
        awards=tuple(
            AwardLine(
                row.hand, hits[line], paid[line], mean_of(paid[line], squared[line], hits[line])
            )
            for line, row in enumerate(special, start=1)
            if line < len(from_meter) and from_meter[line]
        ),
        resets=history.resets[game],
        highest=history.highest[game],
        seeded=history.seeded[game],
        last=history.cents[game],
        history=tuple((point[0], point[1 + game]) for point in history.points),
    )
