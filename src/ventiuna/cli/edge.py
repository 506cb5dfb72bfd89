"""`ventiuna edge`: what the base game costs, exactly, and what each option is worth."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ventiuna.cli.compiling import ANALYSER, DEVIATION, REOPTIMISED, compile_parts
from ventiuna.cli.output import JsonFlag, RulesArgument, console, print_json
from ventiuna.cli.reports import (
    ShoeOption,
    WithoutOption,
    command_text,
    number_table,
    option_words,
    print_command,
    print_section,
    read_amount,
    shoe_of,
    with_progress,
)
from ventiuna.money import money_text
from ventiuna.rules import Problem, Rules, RulesError, canonical, fingerprint, load_rules

if TYPE_CHECKING:
    from ventiuna.analysis.base_game.result import BaseGameAnalysis
    from ventiuna.analysis.base_game.split_play import SplitPlay
    from ventiuna.analysis.composition import Composition

POINTS = 100  # per cent


@dataclass(frozen=True, slots=True)
class Line:
    """One set of rules or one shoe beside others."""

    name: str
    ev: float
    change: float | None  # against the first
    fingerprint: str

    def as_data(self) -> dict[str, object]:
        return {
            "name": self.name,
            "ev": self.ev,
            "house_edge": -self.ev,
            "change": self.change,
            "fingerprint": self.fingerprint,
        }


def register(app: typer.Typer) -> None:
    app.command("edge")(show_edge)


def show_edge(
    rules: RulesArgument,
    base: Annotated[
        str,
        typer.Option(
            metavar="AMOUNT",
            help="Base wager in dollars: adds the value with its Super Bonus, and lets the "
            "table maximum cap a double-double.",
            show_default=False,
        ),
    ] = "",
    reoptimise: Annotated[
        bool,
        typer.Option(
            "--reoptimise", help="Split hands re-optimised instead of played as unsplit ones."
        ),
    ] = False,
    shoe: ShoeOption = "",
    without: WithoutOption = "",
    vary: Annotated[
        bool, typer.Option("--vary", help="Change one option at a time: what each is worth.")
    ] = False,
    grid: Annotated[
        bool, typer.Option("--grid", help="All combinations that the preset's document approves.")
    ] = False,
    effects: Annotated[
        bool, typer.Option("--effects", help="Effect of removal: what each card is worth.")
    ] = False,
    hands: Annotated[
        bool, typer.Option("--hands", help="Every starting hand against every up card.")
    ] = False,
    sd: Annotated[
        bool, typer.Option("--sd", help="Also the standard deviation of a round; takes seconds.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """House edge of the base game with best play, exactly: nothing is sampled."""
    analysed = load_rules(rules)
    left = shoe_of(analysed, without, shoe)
    compares = {"vary": vary, "grid": grid, "effects": effects}
    if shoe or without:
        _refuse_comparisons([name for name, wanted in compares.items() if wanted])
    wager = read_amount("base", base) if base else None
    needed = {ANALYSER: True, REOPTIMISED: reoptimise, DEVIATION: sd}
    compile_parts(*(part for part, wanted in needed.items() if wanted))
    study = _Study(analysed, left, wager, reoptimise)
    if sd:
        study.find_standard_deviation()
    lines: dict[str, list[Line]] = {}
    if vary:
        lines["vary"] = study.variations()
    if grid:
        lines["grid"] = study.grid()
    if effects:
        lines["effects"] = study.effects()
    words = ["edge", canonical(analysed), *option_words(base=base, shoe=shoe, without=without)]
    flags = {"reoptimise": reoptimise, **compares, "hands": hands, "sd": sd}
    words += [f"--{name}" for name, wanted in flags.items() if wanted]
    if json:
        print_json(study.as_data(lines, hands) | {"command": command_text([*words, "--json"])})
    else:
        _print(study, lines, hands, words)


def _refuse_comparisons(names: list[str]) -> None:
    problems = [
        Problem(name, "on", "", "it compares fresh shoes", "Leave out --shoe and --without.")
        for name in names
    ]
    if problems:
        raise RulesError(problems)


class _Study:
    """The analysis that was asked for, and the ones to compare it with."""

    def __init__(self, rules: Rules, shoe: Composition, base: int | None, reoptimise: bool) -> None:
        from ventiuna.analysis.base_game.analyser import analyse
        from ventiuna.analysis.base_game.split_play import SplitPlay

        self._analyse = analyse
        self._started = perf_counter()
        self.rules = rules
        self.shoe = shoe
        self.base = base
        self.split_play: SplitPlay = SplitPlay.REOPTIMISED if reoptimise else SplitPlay.AS_UNSPLIT
        self.found = self.analysis(rules, shoe)
        self.sd: float | None = None
        self.super_bonus_ev: float | None = None
        if base is not None:
            self.super_bonus_ev = analyse(rules, shoe, self.split_play, base, True).ev

    def find_standard_deviation(self) -> None:
        from ventiuna.analysis.base_game.spread import standard_deviation

        self.sd = standard_deviation(self.rules, self.found)

    @property
    def seconds(self) -> float:
        """Since it began, all that was asked for in it."""
        return perf_counter() - self._started

    def analysis(self, rules: Rules, shoe: Composition | None) -> BaseGameAnalysis:
        return self._analyse(rules, shoe, self.split_play, self.base)

    def variations(self) -> list[Line]:
        from ventiuna.analysis.base_game.variations import variations

        start = self.analysis(self.rules, None)
        lines = [Line("as they are", start.ev, None, start.fingerprint)]
        for variation in with_progress("options", variations(self.rules)):
            ev = self.analysis(variation.rules, None).ev
            lines.append(Line(variation.name, ev, ev - start.ev, fingerprint(variation.rules)))
        return lines

    def grid(self) -> list[Line]:
        from ventiuna.analysis.base_game.variations import approved_grid

        lines = []
        for rules in with_progress("combinations", approved_grid(self.rules.name, self.rules)):
            found = self.analysis(rules, None)
            lines.append(Line(found.rules, found.ev, None, found.fingerprint))
        return lines

    def effects(self) -> list[Line]:
        """The mean over suits of taking one card out, times the decks: one card per deck."""
        from ventiuna.analysis.base_game.variations import shoes_without_one_card

        start = self.analysis(self.rules, None)
        changes: dict[str, list[float]] = {}
        for gone in with_progress("cards", shoes_without_one_card(self.rules)):
            ev = self.analysis(self.rules, gone.composition).ev
            changes.setdefault(gone.value, []).append(ev - start.ev)
        lines = []
        for value, found in changes.items():
            change = self.rules.decks * sum(found) / len(found)
            lines.append(Line(value, start.ev + change, change, start.fingerprint))
        return lines

    def as_data(self, lines: dict[str, list[Line]], hands: bool) -> dict[str, object]:
        data: dict[str, object] = {**self.found.as_data(), "seconds": self.seconds}
        if self.sd is not None:
            data["sd"] = self.sd
        if self.super_bonus_ev is not None:
            data["ev_with_super_bonus"] = self.super_bonus_ev
        for name, found in lines.items():
            data[name] = [line.as_data() for line in found]
        if hands:
            data["hands"] = [hand.as_data() for hand in self.found.hands()]
        return data


# --- text -------------------------------------------------------------------------------------


def _print(study: _Study, lines: dict[str, list[Line]], hands: bool, words: list[str]) -> None:
    out = console()
    _print_result(out, study)
    if "vary" in lines:
        table = number_table("option", "house edge", "change", gap=3)
        for line in lines["vary"]:
            table.add_row(line.name, _percent(-line.ev), _points(line.change))
        print_section(out, "One option changed at a time", table, [_CHANGE_NOTE])
    if "grid" in lines:
        table = number_table("rules", "house edge", "fingerprint", gap=3)
        for line in lines["grid"]:
            table.add_row(line.name, _percent(-line.ev), line.fingerprint)
        print_section(out, f"{len(lines['grid'])} combinations that the document approves", table)
    if "effects" in lines:
        table = number_table("value", "change", gap=3)
        for line in lines["effects"]:
            table.add_row(line.name, _points(line.change))
        notes = [_CHANGE_NOTE, "a single card taken out, times the decks"]
        print_section(out, "Effect of one card per deck", table, notes)
    if hands:
        _print_hands(out, study)
    print_command(out, words)


_CHANGE_NOTE = "change in percentage points; + is better for the player"


def _print_result(out: Console, study: _Study) -> None:
    found = study.found
    out.print(f"Base game: {study.rules.title}")
    out.print(f"rules {found.rules}, fingerprint {found.fingerprint}")
    out.print(f"{found.basis.shoe_text}; exact, {found.strategy_class}")
    out.print()
    table = number_table("", "", gap=3)
    table.add_row("house edge, per base wager", _percent(found.house_edge, 9))
    table.add_row("element of risk, per chip risked", _percent(found.element_of_risk, 9))
    table.add_row("chips risked per base wager", f"{found.wagered:.9f}")
    if study.sd is not None:
        table.add_row("standard deviation of a round", f"{study.sd:.8f}")
    if study.base is not None and study.super_bonus_ev not in (None, found.ev):
        name = f"house edge with the Super Bonus of a {money_text(study.base)} wager"
        table.add_row(name, _percent(-study.super_bonus_ev, 9))
    out.print(table)
    by_up = number_table("up card", "chance", "expected result", "chips risked", gap=3)
    for result in found.by_up:
        by_up.add_row(
            result.up, f"{result.chance:.6f}", f"{result.ev:+.9f}", f"{result.wagered:.6f}"
        )
    print_section(out, "By up card", by_up)
    out.print(f"{study.seconds:.3f} seconds")


def _print_hands(out: Console, study: _Study) -> None:
    table = number_table("hand", "up", "chance", "ev", "best", words=2)
    for hand in study.found.hands():
        best = hand.actions[0].action if hand.actions else "by suits"
        table.add_row(hand.hand, hand.up, f"{hand.chance:.8f}", f"{hand.ev:+.9f}", best)
    notes = ["the dealer's check is in the ev; 'by suits': ask ventiuna hand"]
    print_section(out, "Starting hands", table, notes)


def _percent(share: float, digits: int = 6) -> str:
    return f"{share * POINTS:.{digits}f} %"


def _points(change: float | None) -> str:
    return "" if change is None else f"{change * POINTS:+.6f}"
