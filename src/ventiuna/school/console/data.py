"""The console as a page shows it: what to do, what to key, what was paid, what to keep."""

from __future__ import annotations

from ventiuna.engine.driver import net_by_wager
from ventiuna.engine.events import Place, Stage
from ventiuna.engine.options import action_options
from ventiuna.engine.sentences.parts import hand_total
from ventiuna.engine.state import RoundState
from ventiuna.engine.waiting import (
    BlackjackAnswersWanted,
    CardWanted,
    DecisionWanted,
    InsuranceAnswersWanted,
    MetersWanted,
    NothingWanted,
    WagersWanted,
)
from ventiuna.notation import record_of, write_round
from ventiuna.rules.words.facts import dollars, listed
from ventiuna.school.console.round import Boundary, ConsoleRound
from ventiuna.school.felt import Felt
from ventiuna.school.guidance import guide
from ventiuna.school.order import open_between, own_cards_any_time
from ventiuna.school.steps import Kind, Step
from ventiuna.school.words import amount_words, step_words

Data = dict[str, object]
ACTION_KEYS = {
    "hit": "h",
    "stand": "s",
    "double": "d",
    "double-double": "d",
    "split": "p",
    "surrender": "u",
    "rescue": "c",
}
# What the dealer at the table has done already when its card or answer is keyed.
_DONE_WITH_ENTRY = frozenset({Kind.CARD, Kind.ASK, Kind.BLACKJACKS, Kind.INSURANCE, Kind.CHECK})


def console_data(played: ConsoleRound) -> Data:
    felt = Felt(RoundState(played.rules, list(played.meters) or None))
    felt.show(played.events)
    table = felt.data()
    if played.up is not None:
        table["dealer"] = [played.up]
    steps = [_step(played, number, step) for number, step in enumerate(played.steps)]
    return {
        "entries": list(played.entries),
        "problem": _problem(played),
        "prompt": prompt(played),
        "felt": table,
        "lines": felt.lines,
        "steps": steps,
        "cards": list(played.cards),
        "meters": [[meter.cents, meter.remainder] for meter in played.state.meters],
        "over": played.is_over,
        "table": played.rules.title,
        "totals": _totals(played),
        "notation": _notation(played),
    }


def _problem(played: ConsoleRound) -> Data | None:
    if played.problem is None:
        return None
    found = played.problem
    return {"entry": found.entry, "sentence": found.sentence, "rules": list(found.rules)}


def _step(played: ConsoleRound, number: int, step: Step) -> Data:
    about = guide(played.rules, step)
    return {
        "kind": str(step.kind),
        "text": step_words(played.rules, step),
        "amount": amount_words(step),
        "cents": step.amount,
        "spot": step.spot,
        "rules": list(about.rules),
        "rule": about.sentence,
        "new": number >= played.steps_before,
        "told": _is_told(step),
        "any_order": _any_order(played, number),
    }


def _is_told(step: Step) -> bool:
    return step.kind not in _DONE_WITH_ENTRY or step.place is Place.DOWN


def _any_order(played: ConsoleRound, number: int) -> list[str]:
    """Rules by which the step may come before the one that is told before it."""
    before = [step for step in played.steps[:number] if _is_told(step)]
    return list(open_between(played.rules, before[-1], played.steps[number])) if before else []


def _totals(played: ConsoleRound) -> list[Data]:
    """What each spot has won or lost so far."""
    nets: dict[int, int] = {spot.number: 0 for spot in played.state.order}
    for (spot, _, _), cents in net_by_wager(list(played.events)).items():
        nets[spot] += cents
    return [{"spot": spot, "net": cents} for spot, cents in nets.items()]


def _notation(played: ConsoleRound) -> str:
    """The round to be kept, with its rules; `ventiuna settle` reads it."""
    if not played.is_over:
        return ""
    return write_round(record_of(played.rules, played.events, played.meters))


# --- what is keyed next -----------------------------------------------------------------------


def prompt(played: ConsoleRound) -> Data:
    """One sentence, and what may be keyed."""
    sentence, keys = _prompt(played)
    return {"sentence": sentence, "keys": [{"key": key, "means": means} for key, means in keys]}


Keys = list[tuple[str, str]]


def _prompt(played: ConsoleRound) -> tuple[str, Keys]:
    if played.boundary is Boundary.LOOK:
        return "Look at the down card.", [("bj", "blackjack"), ("no", "no blackjack")]
    if played.boundary is Boundary.DOWN:
        return "Expose the down card and key it.", [("8c", "the card")]
    wanted = played.wanted
    if isinstance(wanted, WagersWanted):
        return _wagers(played)
    if isinstance(wanted, CardWanted):
        return _card(played, wanted), _card_keys(played, wanted)
    if isinstance(wanted, BlackjackAnswersWanted):
        return _blackjacks(wanted)
    if isinstance(wanted, InsuranceAnswersWanted):
        spots = listed([str(spot) for spot in wanted.spots])
        keys = [(f"ins {wanted.spots[0]} 5", "a spot insures"), ("no", "nobody else does")]
        return f"Offer insurance: spot {spots}.", keys
    if isinstance(wanted, DecisionWanted):
        return _decision(played, wanted)
    if isinstance(wanted, MetersWanted):
        games = listed([f"jackpot {game}" for game in wanted.games])
        shown = listed([dollars(played.state.meters[game - 1].cents) for game in wanted.games])
        return (
            f"Read the meter of {games}.",
            [("4127.63", "what it shows"), ("ok", f"it shows {shown}")],
        )
    assert isinstance(wanted, NothingWanted)
    return "The round is over.", []


def _wagers(played: ConsoleRound) -> tuple[str, Keys]:
    keys = [("2 25", "spot 2 wagers $25"), ("2 Ana: 25", "with a name")]
    side = [f"{name} 5" for name in played.rules.mtd_wagers[:1]]
    side += ["j1"] if played.rules.jackpots else []
    if side:
        keys.append((f"2 25 {' '.join(side)}", "with side wagers"))
    if not played.state.order:
        return "Key the wagers, spot by spot.", keys
    return "Key more wagers, or close them.", [*keys, ("close", "no more wagers")]


def _card_keys(played: ConsoleRound, wanted: CardWanted) -> Keys:
    keys = [("8c", "the card")]
    is_early = played.state.stage is Stage.DEAL and not played.state.dealer and played.up is None
    if is_early and wanted.place is Place.PLAYER and own_cards_any_time(played.rules):
        keys.append(("up Kh", "your up card, if it comes now"))
    return keys


def _card(played: ConsoleRound, wanted: CardWanted) -> str:
    if wanted.place is Place.UP:
        return "Deal your up card and key it."
    if wanted.place is Place.BONUS:
        return f"Deal Bonus Card {len(played.state.bonus_cards) + 1} and key it."
    if wanted.place is Place.DEALER:
        return "Draw a card and key it."
    where = _place(played, wanted.spot, wanted.hand)
    deal = "Deal a card to" if played.state.stage is Stage.DEAL else "Give a card to"
    return f"{deal} {where} and key it."


def _place(played: ConsoleRound, spot: int, hand: int) -> str:
    several = len(played.state.spots[spot].hands) > 1
    return f"spot {spot}, hand {hand + 1}" if several else f"spot {spot}"


def _blackjacks(wanted: BlackjackAnswersWanted) -> tuple[str, Keys]:
    spots = listed([str(spot) for spot in wanted.spots])
    first = wanted.spots[0]
    keys = [("paid", "all are paid"), (f"keep {first}", f"spot {first} keeps it to double")]
    return f"Ask the blackjacks of spot {spots}: paid, or kept?", keys


def _decision(played: ConsoleRound, wanted: DecisionWanted) -> tuple[str, Keys]:
    hand = played.state.spots[wanted.spot].hands[wanted.hand]
    keys = []
    for option in action_options(played.state):
        if option.legal:
            chips = f" for {dollars(option.chips)}" if option.chips else ""
            keys.append((ACTION_KEYS[option.name], f"{option.name}{chips}"))
            if option.name == "double" and option.least_chips < option.chips:
                keys.append(("d 5", "double for less"))
    where = _place(played, wanted.spot, wanted.hand)
    return f"Ask {where}: {hand_total(hand)}.", keys
