"""What the table says about itself: welcome, wagers offered, keys and what they do."""

from __future__ import annotations

from ventiuna.core import actions
from ventiuna.engine import ActionOption
from ventiuna.money import money_text, plain_amount
from ventiuna.rules import Rules
from ventiuna.rules.words.facts import listed
from ventiuna.table.session import Session

Keys = list[tuple[str, str]]  # what is typed, what it does

# In the order in which they are offered; the full names may be typed as well.
ACTION_KEYS = {
    "h": actions.HIT,
    "s": actions.STAND,
    "d": actions.DOUBLE,
    "dd": actions.DOUBLE_DOUBLE,
    "p": actions.SPLIT,
    "u": actions.SURRENDER,
    "c": actions.RESCUE,
}
ACTION_WORDS = ACTION_KEYS | {name: action for action, name in enumerate(actions.ACTION_NAMES)}
BEST_PLAY = "[?] best play"
USUAL_WAGER = 1000
USUAL_SIDE_WAGER = 500


def welcome(session: Session) -> list[str]:
    """Three lines for somebody who has never been here."""
    spots = "one spot" if session.spots == 1 else f"{session.spots} spots"
    money = money_text(session.balance)
    return [
        f"Welcome to {session.rules.title}. You have {spots} and {money} in play money.",
        "Type your bet in dollars, then choose one of the [letters] you're offered.",
        "At a decision, ? shows the best play. Type help for all commands, q to quit.",
    ]


def always(at_wagers: bool) -> Keys:
    """What may be typed at every question; h is a hit once a hand is in play."""
    coach = [] if at_wagers else [("?", "the best play and why; w or best does the same")]
    return [
        *coach,
        ("help", "this list"),
        ("r", "this table's rule card"),
        ("h" if at_wagers else "history", "your last ten rounds, as `ventiuna settle` reads them"),
        ("buy 100", "buy more play money"),
        ("q", "quit; an unfinished round is canceled and its bets are returned"),
    ]


def wager_keys(session: Session) -> Keys:
    """What may be placed before the deal, in the words that place it."""
    rules = session.rules
    limits = f"{money_text(rules.table_minimum)} to {money_text(rules.table_maximum)}"
    usual = usual_wager(rules)
    keys = [(usual, f"bet on your hand, {limits}")]
    if rules.mtd_wagers:
        least = max(rules.mtd_minimum, min(USUAL_SIDE_WAGER, rules.mtd_maximum or USUAL_SIDE_WAGER))
        limits = f"{money_text(rules.mtd_minimum)} or more"
        if rules.mtd_maximum:
            limits = f"{money_text(rules.mtd_minimum)} to {money_text(rules.mtd_maximum)}"
        words = f"add a Match the Dealer bet, {limits}: {listed(rules.mtd_wagers, 'or')}"
        keys.append((f"{usual} {rules.mtd_wagers[0]} {plain_amount(least)}", words))
    for game, jackpot in enumerate(rules.jackpots, start=1):
        keys.append(
            (f"{usual} j{game}", f"add the jackpot {game} bet, {money_text(jackpot.wager)}")
        )
    if session.spots > 1:
        apart = " / ".join([usual] * (session.spots - 1) + ["0"])
        keys.append((apart, "bet spot by spot; without / the bet goes on every spot; 0 sits out"))
    keys.append(("Enter", "repeat your last bets"))
    return keys


def usual_wager(rules: Rules) -> str:
    return plain_amount(min(max(rules.table_minimum, USUAL_WAGER), rules.table_maximum))


def decision_keys(offered: tuple[ActionOption, ...], balance: int) -> Keys:
    """Every action: what it takes, or why it is not possible now."""
    by_action = {option.action: option for option in offered}
    return [(key, _action_help(by_action[action], balance)) for key, action in ACTION_KEYS.items()]


def _action_help(option: ActionOption, balance: int) -> str:
    if not option.legal:
        return f"{option.name}: not now. {option.reason} ({', '.join(option.rules)})"
    text = option.name
    if option.chips:
        text += f" for {money_text(option.chips)} more"
    if option.least_chips < option.chips:
        text += f"; d {plain_amount(option.least_chips)} doubles for less"
    if option.least_chips > balance:
        text += f": your balance of {money_text(balance)} doesn't cover it"
    return text


def offer(offered: tuple[ActionOption, ...], balance: int) -> str:
    """`[h] hit  [s] stand  [d] double $10.00`: what the hand may do and the balance covers."""
    by_action = {option.action: option for option in offered}
    parts = []
    for key, action in ACTION_KEYS.items():
        option = by_action[action]
        if is_affordable(option, balance):
            parts.append(f"[{key}] {option.name}{_price(option, balance)}")
    return "  ".join([*parts, BEST_PLAY])


def is_affordable(option: ActionOption, balance: int) -> bool:
    return option.legal and option.least_chips <= balance


def _price(option: ActionOption, balance: int) -> str:
    if option.chips > balance:
        return f" for less (d {plain_amount(option.least_chips)})"
    return f" {money_text(option.chips)}" if option.chips else ""
