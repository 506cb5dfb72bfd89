"""Rules on a command line without quoting, such as `wsgc-2021 decks=8`, and their completion."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from typer import Context

from ventiuna.analysis.query import DEFAULT_RULES, JACKPOT_RULES
from ventiuna.cards import CardError, parse_cards
from ventiuna.rules import Problem, RulesError, preset_ids
from ventiuna.rules.data_files import SUFFIX, variants
from ventiuna.rules.loader import with_changes
from ventiuna.rules.model import OPTIONS, OPTIONS_BY_NAME
from ventiuna.rules.options import Option

__all__ = ["DEFAULT_RULES", "JACKPOT_RULES"]
METAVAR = "RULES"  # for every parameter that takes rules and the changes after them
HELP = {"-h", "--help"}
WORDS_BEFORE = "ventiuna.words_before"  # key in a context's `meta`, for completing changes
_CHANGE = re.compile(r"[A-Za-z]\w*(?:-\w+)*=")


class Parameters(NamedTuple):
    """The properties of a command's parameters that are needed to parse its words."""

    arguments: tuple[Parameter, ...]
    options: dict[str, Parameter]  # options that take a value, by each of their names


class Parameter(NamedTuple):
    takes_rules: bool
    default: str = ""
    option: str = ""  # the option's name; empty for an argument
    many: bool = False
    required: bool = False


@dataclass
class _RulesFolder:
    """Collects words, and the changes that follow each rule set."""

    parameters: Parameters
    words: list[str] = field(default_factory=list)
    changes: dict[int, list[str]] = field(default_factory=dict)  # by the index of their rules
    early: list[str] = field(default_factory=list)  # changes before any rules
    arguments: int = 0  # number of arguments read so far

    def folded(self) -> list[str]:
        if self.early:
            self._place_early()
        for place, changes in self.changes.items():
            if changes:
                self.words[place] = with_changes(self.words[place], changes)
        return self.words

    def read(self, words: Iterator[str]) -> None:
        only_arguments = False
        for word in words:
            if only_arguments or word == "-" or not word.startswith("-"):
                self._argument(word)
            elif word == "--":
                only_arguments = True
                self.words.append(word)
            else:
                self._option(word, words)

    def refuse_missing(self) -> None:
        for argument in self.parameters.arguments[self.arguments :]:
            if argument.takes_rules and argument.required:
                fix = "See `ventiuna rules list`."
                raise RulesError([Problem(METAVAR, "", "", "name a rule set", fix)])

    def _option(self, word: str, words: Iterator[str]) -> None:
        name, sign, value = word.partition("=")
        option = self.parameters.options.get(name)
        if option is None or (sign and not option.takes_rules):
            self.words.append(word)
            return
        self.words.append(name)
        value = value if sign else next(words, "")
        if value or sign:
            self._add(value, option.takes_rules)

    def _argument(self, word: str) -> None:
        if _CHANGE.match(word) and not word.endswith(SUFFIX):
            (self.changes[max(self.changes)] if self.changes else self.early).append(word)
            return
        taking = self.parameters.arguments
        if self.arguments < len(taking):
            if self._are_rules_left_out(word):
                self._add(taking[self.arguments].default, is_rules=True)
                self.arguments += 1
            argument = taking[self.arguments]
            self._add(word, argument.takes_rules)
            self.arguments += not argument.many
            return
        if word in OPTIONS_BY_NAME:
            raise _change_problem(word, "an option and its value must be one word")
        self.words.append(word)

    def _are_rules_left_out(self, word: str) -> bool:
        """Whether the word is the first card, which means that the optional rules were omitted."""
        argument, *others = self.parameters.arguments[self.arguments :]
        if not (argument.default and any(other.required for other in others)):
            return False
        try:
            parse_cards(word)
        except CardError:
            return False
        return True

    def _add(self, word: str, is_rules: bool) -> None:
        if is_rules:
            self.changes[len(self.words)] = []
        self.words.append(word)

    def _place_early(self) -> None:
        if len(self.changes) == 1:
            (later,) = self.changes.values()
            later[:0] = self.early
            return
        default = next((item for item in _rules_of(self.parameters) if item.default), None)
        if default is None or self.changes:
            raise _change_problem(self.early[0], "a change must come after the rules it changes")
        if default.option:
            self.words.append(default.option)
        self.changes[len(self.words)] = self.early
        self.words.append(default.default)


def fold_changes(words: Sequence[str], parameters: Parameters) -> list[str]:
    """Move each change into the rules it applies to.

    >>> rules = Parameters((Parameter(takes_rules=True),), {})
    >>> fold_changes(["wsgc-2021", "decks=8", "--json", "soft_17=stand"], rules)
    ['wsgc-2021(decks=8,soft_17=stand)', '--json']
    """
    if not _rules_of(parameters):
        return list(words)
    folding = _RulesFolder(parameters)
    folding.read(iter(words))
    folded = folding.folded()
    if not HELP & set(words):
        folding.refuse_missing()
    return folded


def _rules_of(parameters: Parameters) -> list[Parameter]:
    all_of_them = (*parameters.arguments, *parameters.options.values())
    return [item for item in all_of_them if item.takes_rules]


def _change_problem(word: str, message: str) -> RulesError:
    option = word.partition("=")[0]
    value = word if "=" in word else f"{option}={'8' if option == 'decks' else 'VALUE'}"
    return RulesError([Problem(word, "", "", message, f"Write it as wsgc-2021 {value}.")])


# --- Completion ---

_MAX_VALUES = 20  # maximum number of values to list


def complete_rules(incomplete: str) -> list[str]:
    """Complete presets, and rules files in the folder being typed."""
    names = [*preset_ids(), *variants()]
    presets = [name for name in names if name.startswith(incomplete)]
    folder = Path(incomplete).parent if "/" in incomplete else Path()
    try:
        files = [str(path) for path in folder.glob(f"*{SUFFIX}")]
    except OSError:
        files = []
    return [*presets, *sorted(name for name in files if name.startswith(incomplete))]


def complete_rules_or_changes(ctx: Context, incomplete: str) -> list[str]:
    """Complete rules, or changes to them if the rules have already been typed."""
    before: list[str] | None = ctx.meta.get(WORDS_BEFORE)
    if before is None:
        return complete_rules(incomplete)
    name = _name_before_sign(before, incomplete)
    if name:
        return [each.removeprefix(name) for each in complete_change(name + incomplete)]
    found = complete_change(incomplete)
    if len(found) == 1:  # with several suggestions, the shell adds no space after the equals sign
        found += [value for value in complete_change(found[0]) if value != found[0]]
    return found


def _name_before_sign(before: Sequence[str], incomplete: str) -> str:
    """Return `decks=` if Bash split it off the incomplete word, otherwise an empty string."""
    words = os.environ.get("COMP_WORDS", "").split()
    if before[-1] == "=" and len(before) > 1:
        return f"{before[-2]}="
    if not incomplete and words and words[-1] == "=":
        return f"{before[-1]}="
    return ""


def complete_option(incomplete: str) -> list[str]:
    """Complete names of options."""
    names = [*(option.name for option in OPTIONS), "jackpots"]
    return [name for name in names if name.startswith(incomplete)]


def complete_change(incomplete: str) -> list[str]:
    """Complete `de` to `decks=`, and `decks=` to every number of decks."""
    name, sign, value = incomplete.partition("=")
    if not sign:
        return [f"{option}=" for option in complete_option(name)]
    for option in OPTIONS:
        if option.name == name:
            return [f"{name}={each}" for each in _option_values(option) if each.startswith(value)]
    return []


def _option_values(option: Option) -> Iterator[str]:
    if option.choices:
        yield from option.choices
    elif option.kind == "flag":
        yield from ("on", "off")
    elif option.kind == "number" and option.high - option.low <= _MAX_VALUES:
        yield from map(str, range(option.low, option.high + 1))
    elif option.kind == "odds":
        yield from (text.replace(" to ", ":") for text in option.usual)
