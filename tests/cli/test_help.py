"""Help for every command and group: grouped, in full sentences, and for people only."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from tests.cli.running import good, run
from tests.cli.walking import everything_with_help
from ventiuna.cli.app import MOVED, PANELS, new_app

EVERYTHING = everything_with_help()
MARKUP = re.compile(r"\[/?(?:bold|dim|italic|red|green|yellow|cyan)[^\]]*\]")


def summary_of(command: object) -> str:
    text = getattr(command, "short_help", None) or getattr(command, "help", None) or ""
    return " ".join(text.split("\n\n")[0].split())


def whole(text: str) -> str:
    """The text without line breaks, frames, and columns."""
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", text).split())


@pytest.mark.parametrize("words", EVERYTHING)
@pytest.mark.parametrize("form", [["--help"], ["--plain", "--help"]], ids=["rich", "plain"])
def test_help_is_complete_and_readable(words: str, form: list[str]) -> None:
    text = good(*words.split(), *form) if form == ["--help"] else plain_help(words)
    assert "<bool>" not in text
    assert not MARKUP.search(text)
    command = EVERYTHING[words]
    if words:
        assert summary_of(command).split(". ")[0] in whole(text)
    assert not [line for line in text.splitlines() if line.endswith("...") and "Usage" not in line]


def plain_help(words: str) -> str:
    """Plain help. The program itself removes `--plain`, because groups don't have that option."""
    done = CliRunner().invoke(new_app(["--plain"]), [*words.split(), "--help"])
    assert done.exit_code == 0
    assert not set(done.stdout) & set("╭╮╰╯│─")
    return done.stdout


def test_commands_are_grouped_in_both_forms() -> None:
    rich, plain = good("--help"), plain_help("")
    for panel, commands in PANELS.items():
        assert f"─ {panel} ─" in rich
        assert f"\n{panel}:\n" in plain
        for name, (_, summary) in commands.items():
            for text in (rich, plain):
                assert re.search(rf"\b{name} +{re.escape(summary.split()[0])}", text)
                assert summary in whole(text)


@pytest.mark.parametrize("hidden", ["warm-up", *MOVED])
def test_old_and_hidden_commands_are_not_listed(hidden: str) -> None:
    assert not re.search(rf"^│ {hidden}\b", good("--help"), re.MULTILINE)


@pytest.mark.parametrize("panel", ["Look up", "Check", "Print"])
def test_rules_have_their_own_groups(panel: str) -> None:
    assert f"─ {panel} ─" in good("rules", "--help")
    assert f"\n{panel}:\n" in plain_help("rules")


# --- old spellings --------------------------------------------------------------------------------


@pytest.mark.parametrize("old", ["posting", "layout"])
def test_an_old_spelling_works_with_a_hint(old: str) -> None:
    done = run(old, "super-fun-21", "--json")
    assert done.code == 0
    assert done.err == f"`ventiuna {old}` is now `ventiuna rules {old}`.\n"
    assert done.data == run("rules", old, "super-fun-21", "--json").data


def test_the_old_pocket_card_works_with_a_hint() -> None:
    done = run("pocket", "super-fun-21", "--simple", "--json")
    assert done.err == "`ventiuna pocket` is now `ventiuna strategy --pocket`.\n"
    assert done.data == run("strategy", "super-fun-21", "--simple", "--json").data


# --- default rules --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", ["edge", "sidebets", "rules show", "rules card", "rules procedure", "rules posting"]
)
def test_without_rules_the_default_ones_are_used_and_shown(words: str) -> None:
    text = good(*words.split())
    assert "Spanish 21 (WSGC)" in text
    assert text.splitlines()[:8] == good(*words.split(), "wsgc-spanish-21").splitlines()[:8]


def test_a_layout_shows_default_rules_beside_it() -> None:
    assert run("rules", "layout").err == "Rules: wsgc-spanish-21.\n"


@pytest.mark.parametrize("cards", [["5c 6d", "2h"], ["5c6d", "2h"], ["5c", "6d", "2h"]])
def test_a_hand_needs_no_rules_before_its_cards(cards: list[str]) -> None:
    text = good("hand", *cards)
    assert text.startswith("5c 6d against 2h: Spanish 21 (WSGC)\n")
    assert text == good("hand", "wsgc-spanish-21", *cards)


def test_changes_change_the_default_rules() -> None:
    assert "rules wsgc-spanish-21(decks=8)" in good("edge", "decks=8")
    assert "rules wsgc-spanish-21(decks=8)" in good("hand", "decks=8", "5c6d", "2h")


def test_jackpots_have_their_own_default() -> None:
    assert "rules wsgc-2021(jackpots=3c:1:seed=5000)" in good("jackpot")
