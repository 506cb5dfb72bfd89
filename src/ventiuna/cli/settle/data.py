"""Settled rounds as JSON. Amounts are cents, and their fields say so."""

from __future__ import annotations

from ventiuna.cli.settle.handing import handing_of, handing_words
from ventiuna.cli.settle.verdict import Verdict, total_of, totals_of
from ventiuna.engine.codec import event_data
from ventiuna.engine.events import WagerSettled
from ventiuna.notation import Replay
from ventiuna.notation.claims import meter_story, meter_words, surplus_words
from ventiuna.notation.whatever_suits import DEALER
from ventiuna.rules import canonical, fingerprint

Data = dict[str, object]


def settled_data(verdicts: list[Verdict]) -> Data:
    return {
        "agrees": not any(verdict.is_fault for verdict in verdicts),
        "rounds": [_verdict_data(verdict) for verdict in verdicts],
    }


def _verdict_data(verdict: Verdict) -> Data:
    data: Data = {
        "id": verdict.id,
        "title": verdict.title,
        "verdict": verdict.verdict,
        "reasons": verdict.lines,
    }
    if verdict.played is not None:
        data |= _round_data(verdict, verdict.played)
    return data


def _round_data(verdict: Verdict, played: Replay) -> Data:
    record = played.record
    persons = {spot.number: spot.name for spot in record.spots}
    return {
        "rules": canonical(record.rules),
        "fingerprint": fingerprint(record.rules),
        "dealer": verdict.cards(DEALER, played.state.dealer),
        "surplus_dealer_cards": verdict.surplus,
        "notes": [surplus_words(played, verdict.surplus)] if verdict.surplus else [],
        "without_suits": bool(verdict.suitless),
        "payments": [_payment_data(one, persons[one.spot]) for one in played.payments],
        "totals_cents": totals_of(played),
        "spots": [
            {
                "spot": spot.number,
                "person": spot.name,
                "net_cents": total_of(played, spot.number),
            }
            for spot in record.spots
        ],
        "meters": [_meter_data(played, game) for game in range(1, len(played.state.meters) + 1)],
        "meters_after_cents": [meter.cents for meter in played.state.meters],
        "events": [event_data(event) for event in played.events],
    }


def _meter_data(played: Replay, game: int) -> Data:
    story = meter_story(played, game)
    return {
        "game": game,
        "before_cents": story.before,
        "contributions_cents": story.contributions,
        "awards": [
            {
                "spot": award.spot,
                "percent": award.percent,
                "of_cents": award.shown,
                "paid_cents": award.paid,
                "rule": award.rule,
                "seed_at_once_cents": award.seed_at_once,
                "seed_after_round_cents": award.seed_after_round,
            }
            for award in story.awards
        ],
        "after_cents": story.after,
        "words": list(meter_words(played, game)),
    }


def _payment_data(payment: WagerSettled, person: str) -> Data:
    handing = handing_of(payment)
    return {
        "spot": payment.spot,
        "person": person,
        "hand": payment.hand,
        "wager": payment.wager,
        "stake_cents": payment.stake,
        "paid_cents": payment.paid,
        "net_cents": payment.net,
        "handed_over_cents": handing.handed_over,
        "returned_cents": handing.returned,
        "taken_cents": handing.taken,
        "odds": payment.odds,
        "reason": payment.reason,
        "rule": payment.rule,
        "words": handing_words(payment),
    }
