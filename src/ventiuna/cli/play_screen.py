"""Draws a terminal table's cards, hands, payments, and events as plain lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from ventiuna.cards import card_sign, card_text, card_words, parse_card
from ventiuna.cli.common.console import console, is_plain
from ventiuna.cli.rules_text import card_lines, without_drawing
from ventiuna.engine import RoundState
from ventiuna.engine import events as ev
from ventiuna.engine.events import Event, Stage, WagerKind
from ventiuna.engine.messages import EventFormatter, Payment, PointOfView, Sentence, hand_total
from ventiuna.engine.state import PlayerHand, Spot
from ventiuna.engine.views import EVERYONE, view
from ventiuna.money import money_text
from ventiuna.rules import Rules
from ventiuna.table.session import YOU

SIGNS = "♣♦♥♠╭─╮│╰╯▒"
_OFFER = re.compile(r"\[(\w{1,2}|\?)\] ")
_MARKED = re.compile(r"\[(\w+)\]")
INDENT = "  "
HIDDEN = "??"  # a card face down
BLOCK = 26  # columns per spot in the picture: three fit in 80
CARD = 6  # columns per card, with its frame
RULE_COLUMN = 11
NET_COLUMN = 13
KEY_COLUMN = 14
SMALLEST_ROOM = 20

GOOD, BAD, FAINT, STRONG, RED = "green", "red", "dim", "bold", "bold red"


class Screen:
    """A console for this game."""

    def __init__(self, out: Console | None = None) -> None:
        self.out = out or console()
        self.has_signs = _can_show(SIGNS, self.out.encoding)

    # --- Text ---

    def say(self, line: str | Text = "", style: str = "") -> None:
        """Print a line; if it is long, wrap it with the same indent."""
        if isinstance(line, Text):
            self.out.print(line, style=style or None)
            return
        indent = line[: len(line) - len(line.lstrip())]
        for part in _wrapped(line.strip(), self.out.width - len(indent)):
            self.out.print(indent + part, style=style or None)

    def verbatim(self, text: str) -> None:
        """Print text unwrapped, so that it can be copied from the screen."""
        self.out.print(text, soft_wrap=True)

    def say_parts(self, *parts: str | Text) -> None:
        self.say(Text.assemble(*parts))

    def key(self, key: str, words: str) -> None:
        """Print a key and what it does."""
        start = f"{INDENT}{key:<{KEY_COLUMN}} "
        first, *more = _wrapped(words, self.out.width - len(start))
        line = Text.assemble(INDENT, (key, STRONG))
        line.pad_right(len(start) - len(line))
        self.say(line.append(first))
        for rest in more:
            self.say(" " * len(start) + rest)

    def heading(self, *parts: str) -> None:
        """Print `-- Round 1 -- balance $10.00 ---------`, as wide as the screen."""
        dash = "─" if self.has_signs else "-"
        text = f"{dash * 2} " + f" {dash * 2} ".join(parts) + " "
        self.say(text + dash * max(2, self.out.width - len(text)), FAINT)

    def question(self, text: str) -> str:
        """Format the prompt for an answer."""
        return text

    def rule_card(self, rules: Rules) -> None:
        self.verbatim("\n".join(card_lines(rules, self.out.width)))

    # --- Cards ---

    def card(self, text: str) -> Text:
        """Return a card as `7♠`, or `7s` if the encoding lacks suit symbols; T becomes 10."""
        if text == HIDDEN:
            return Text(HIDDEN)
        symbol = card_sign(parse_card(text)) if self.has_signs else text
        return Text(symbol.replace("T", "10"), style=RED if text[1] in "dh" else STRONG)

    def cards(self, texts: Sequence[str]) -> Text:
        return Text(" ").join(self.card(text) for text in texts)

    def _boxes(self, texts: Sequence[str]) -> list[Text]:
        """Return the cards side by side in frames, as three lines."""
        if self.has_signs:
            corners, wall, back = ("╭────╮", "╰────╯"), "│", "▒▒▒▒"
        else:
            corners, wall, back = ("+----+", "+----+"), "|", "####"
        lines = [Text(corners[0] * len(texts)), Text(), Text(corners[1] * len(texts))]
        for text in texts:
            face = Text(back, FAINT) if text == HIDDEN else self.card(text)
            if text != HIDDEN:
                face.pad_left(3 - len(face))
                face.pad_right(4 - len(face))
            lines[1] += Text(wall) + face + Text(wall)
        return lines

    def fits_one_row(self, *blocks: tuple[str, Sequence[str]]) -> bool:
        return sum(self._block_width(*block) for block in blocks) <= self.out.width

    def picture(self, *blocks: tuple[str, Sequence[str]]) -> None:
        """Print captions with their cards below, as many side by side as fit."""
        row: list[tuple[str, Sequence[str]]] = []
        used = 0
        for caption, cards in blocks:
            width = self._block_width(caption, cards)
            if row and used + width > self.out.width:
                self._picture_row(row)
                row, used = [], 0
            row.append((caption, cards))
            used += width
        self._picture_row(row)

    def _block_width(self, caption: str, cards: Sequence[str]) -> int:
        return max(BLOCK, len(INDENT) + max(len(caption), CARD * len(cards)))

    def _picture_row(self, row: list[tuple[str, Sequence[str]]]) -> None:
        columns = []
        for caption, cards in row:
            lines = [Text(caption), *self._boxes(cards)]
            width = self._block_width(caption, cards) - len(INDENT)
            for line in lines:
                line.pad_right(width - len(line))
            columns.append(lines)
        for parts in zip(*columns, strict=True):
            line = Text(INDENT) + Text(INDENT).join(parts)
            line.rstrip()
            self.say(line)

    def hand_in_turn(
        self, name: str, cards: Sequence[str], total: str, wager: str, up: str
    ) -> None:
        """Print `Hand 2 of 2: 8♦ 4♣ = 12, $10.00, against 9♥`."""
        self.say_parts(
            f"{name}: ", self.cards(cards), f" = {total}, {wager}, against ", self.card(up)
        )

    # --- Money ---

    def payment(self, text: str, net: int, rule: str) -> None:
        """Print a settled wager: its name, the reason, the result, and the rule."""
        style = GOOD if net > 0 else BAD if net < 0 else ""
        self._amount(text, signed_money(net), style, rule)

    def mistake(self, text: str, cents: int, number: int) -> None:
        """Print one costly decision of a round."""
        self._amount(text, money_text(cents), "", f"round {number}")

    def _amount(self, text: str, amount: str, style: str, place: str) -> None:
        room = self.out.width - len(INDENT) - NET_COLUMN - len("  ") - RULE_COLUMN
        amount = amount.rjust(NET_COLUMN)
        if room < SMALLEST_ROOM:  # on a narrow screen, the result goes below its reason
            self.say(INDENT + text)
            self.say(Text.assemble(f"{INDENT}{INDENT}", (amount, style), f"  {place}"))
            return
        first, *more = _wrapped(text, room)
        self.say(Text.assemble(f"{INDENT}{first:<{room}}", (amount, style), f"  {place}"))
        for rest in more:
            self.say(f"{INDENT}{INDENT}{rest}")


class PlainScreen(Screen):
    """A screen that prints sentences without frames and columns, for screen readers."""

    def say(self, line: str | Text = "", style: str = "") -> None:
        """Print text, with `[h] hit  [s] stand` as `h for hit, s for stand`."""
        text = (line.plain if isinstance(line, Text) else line).strip()
        end = "." if _OFFER.match(text) else ""
        super().say(self.question(text) + end, style)

    def question(self, text: str) -> str:
        if _OFFER.search(text):
            text = ", ".join(_OFFER.sub(r"\1 for ", text).split("  "))
        return _MARKED.sub(r"\1", text)

    def rule_card(self, rules: Rules) -> None:
        for line in without_drawing(card_lines(rules, self.out.width)):
            self.say(line)

    def key(self, key: str, words: str) -> None:
        end = "" if words.endswith(")") else "."  # no period after a rule number in parentheses
        self.say(f"Type {key}: {words}{end}")

    def heading(self, *parts: str) -> None:
        self.say(f"{'. '.join(part[:1].upper() + part[1:] for part in parts)}.")

    def card(self, text: str) -> Text:
        return Text("a card face down" if text == HIDDEN else card_words(parse_card(text)))

    def cards(self, texts: Sequence[str]) -> Text:
        return Text(", ").join(self.card(text) for text in texts)

    def fits_one_row(self, *blocks: tuple[str, Sequence[str]]) -> bool:
        return True

    def picture(self, *blocks: tuple[str, Sequence[str]]) -> None:
        """Print each hand as a sentence."""
        for caption, cards in blocks:
            who, sign, total = caption.partition(": ")
            end = f"; total {total}." if sign else "."
            self.say(f"{who}: {self.cards(cards).plain}{end}")

    def hand_in_turn(
        self, name: str, cards: Sequence[str], total: str, wager: str, up: str
    ) -> None:
        self.picture((f"{name}: {total}", cards))
        self.say(f"The bet is {wager}. The dealer shows {self.card(up).plain}.")

    def payment(self, text: str, net: int, rule: str) -> None:
        self.say(f"{text}: {signed_money(net)}, rule {rule}.")

    def mistake(self, text: str, cents: int, number: int) -> None:
        self.say(f"Round {number}: {text}. Cost: {money_text(cents)}.")


def new_screen() -> Screen:
    return PlainScreen() if is_plain() else Screen()


def _wrapped(text: str, room: int) -> list[str]:
    """Wrap text to this width, with at least one line and a minimum width."""
    return textwrap.wrap(text, max(room, SMALLEST_ROOM), break_on_hyphens=False) or [""]


def signed_money(cents: int) -> str:
    """Format an amount with its sign: `+$1,045.00`, `-$10.00`, `$0.00`."""
    sign = "+" if cents > 0 else "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def _can_show(signs: str, encoding: str) -> bool:
    try:
        signs.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


# --- Narrator ---

# The player just caused these events or sees them in a payment or in the picture.
_SEEN_ALREADY = (
    ev.WagersPlaced,
    ev.WagersWithdrawn,
    ev.MetersShown,
    ev.BlackjackTaken,
    ev.HandSurrendered,
    ev.HandRescued,
    ev.RoundVoided,
)


class Narrator:
    """Describes a round to the one person who plays all its spots."""

    def __init__(self, screen: Screen, start: RoundState) -> None:
        self.screen = screen
        self._formatter = EventFormatter(start, PointOfView(YOU))

    @property
    def state(self) -> RoundState:
        return self._formatter.state

    def narrate(self, events: Iterable[Event]) -> None:
        lost: list[Payment] = []  # side bets
        for event in events:
            dealing = self.state.stage is Stage.DEAL
            sentence = self._formatter.format(event)
            if dealing and isinstance(event, ev.StageReached):
                self.draw_table()
            if sentence is None or isinstance(event, _SEEN_ALREADY):
                continue
            if dealing and isinstance(event, ev.CardDealt):
                continue  # shown in the picture of the deal
            if isinstance(sentence, Payment) and _is_side_bet(event):
                if sentence.net < 0:
                    lost.append(sentence)
                    continue
            else:
                self._show_lost(lost)
            self._show(sentence)
        self._show_lost(lost)

    def _show_lost(self, lost: list[Payment]) -> None:
        """Show lost side bets, combined into one line if there are several."""
        if len(lost) > 1:
            rules = sorted({payment.rule for payment in lost})
            what = f"{len(lost)} side bets lost"
            self.screen.payment(what, sum(payment.net for payment in lost), ", ".join(rules))
        else:
            for payment in lost:
                self._show(payment)
        lost.clear()

    def _show(self, sentence: Sentence) -> None:
        if isinstance(sentence, Payment):
            self.screen.payment(sentence.what, sentence.net, sentence.rule)
        elif sentence.strong:
            self.screen.say(INDENT + sentence.text(), STRONG)
        else:
            self.screen.say(Text.assemble(INDENT, *map(self._part, sentence.parts)))

    def _part(self, part: str | tuple[int, ...]) -> str | Text:
        return part if isinstance(part, str) else self.screen.cards(list(map(card_text, part)))

    # --- Pictures ---

    def draw_table(self) -> None:
        """Draw the dealer's cards and every spot's, in one row if they fit."""
        top = [("Dealer", self._dealer_cards())]
        if self.state.bonus_cards:
            top.append(("Bonus Cards", [card_text(card) for card in self.state.bonus_cards]))
        spots = [
            (f"{self.hand_name(spot, index)}: {hand_total(hand)}", _texts(hand))
            for spot in self.state.order
            for index, hand in enumerate(spot.hands)
        ]
        if self.screen.fits_one_row(*top, *spots):
            self.screen.picture(*top, *spots)
        else:
            self.screen.picture(*top)
            self.screen.picture(*spots)

    def _dealer_cards(self) -> list[str]:
        cards = view(self.state, EVERYONE).dealer
        return [HIDDEN if card is None else card_text(card) for card in cards]

    def hand_name(self, spot: Spot, index: int) -> str:
        return self._formatter.point_of_view.hand_name(self.state, spot, index)


def _is_side_bet(event: Event) -> bool:
    kinds = (WagerKind.MTD, WagerKind.JACKPOT)
    return isinstance(event, ev.WagerSettled) and event.wager.kind in kinds


def _texts(hand: PlayerHand) -> list[str]:
    return [card_text(card) for card in hand.cards]
