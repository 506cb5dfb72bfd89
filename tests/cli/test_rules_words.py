"""Rules on a command line without quotes, and options shared by all commands."""

import pytest

from tests.cli.running import good, run
from tests.cli.walking import every_command
from ventiuna.cli.common.rules_args import METAVAR, Parameter, Parameters, fold_changes

ONE = Parameters((Parameter(takes_rules=True),), {"--side": Parameter(takes_rules=False)})
TWO = Parameters((Parameter(takes_rules=True), Parameter(takes_rules=True)), {})
USUAL = Parameters((Parameter(takes_rules=True, default="blackjack"),), {})
OPTION = Parameters(
    (Parameter(takes_rules=False),), {"--rules": Parameter(True, "blackjack", "--rules")}
)


COMMANDS = every_command()


@pytest.mark.parametrize(
    ("parameters", "words", "folded"),
    [
        (ONE, "wsgc-2021 decks=8 soft_17=stand", "wsgc-2021(decks=8,soft_17=stand)"),
        (ONE, "wsgc-2021(decks=8) soft_17=stand", "wsgc-2021(decks=8,soft_17=stand)"),
        (ONE, "house.toml decks=8", "house.toml(decks=8)"),
        (ONE, "a=b.toml decks=8", "a=b.toml(decks=8)"),
        (ONE, "decks=8 wsgc-2021", "wsgc-2021(decks=8)"),
        (ONE, "wsgc-2021 --side up=5 decks=8", "wsgc-2021(decks=8) --side up=5"),
        (ONE, "wsgc-2021 --side=up=5 decks=8", "wsgc-2021(decks=8) --side=up=5"),
        (ONE, "wsgc-2021 --json decks=8", "wsgc-2021(decks=8) --json"),
        (ONE, "wsgc-2021 jackpots=3c:1:prize=5", "wsgc-2021(jackpots=3c:1:prize=5)"),
        (TWO, "x decks=8 y decks=6 rescue=off", "x(decks=8) y(decks=6,rescue=off)"),
        (TWO, "x y decks=6", "x y(decks=6)"),
        (USUAL, "decks=8", "blackjack(decks=8)"),
        (OPTION, "level --rules x decks=8", "level --rules x(decks=8)"),
        (OPTION, "level --rules=x decks=8", "level --rules x(decks=8)"),
        (OPTION, "level decks=8", "level --rules blackjack(decks=8)"),
        (Parameters((Parameter(False),), {}), "a=b", "a=b"),
    ],
)
def test_changes_apply_to_the_rules_before_them(
    parameters: Parameters, words: str, folded: str
) -> None:
    assert fold_changes(words.split(), parameters) == folded.split()


def test_words_and_canonical_string_give_the_same_rules() -> None:
    words = good("rules", "show", "wsgc-2021", "decks=8", "blackjack_pays=6:5")
    assert words == good("rules", "show", "wsgc-2021(decks=8,blackjack_pays=6 to 5)")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("rules check decks=8", "decks=8: a change must come after the rules it changes."),
        ("rules check", "RULES: name a rule set. See `ventiuna rules list`."),
        ("rules diff wsgc-2021", "RULES: name a rule set."),
        ("edge wsgc-2021 decks 8", "decks: an option and its value must be one word."),
        ("edge wsgc-2021 decs=8", "decs = 8: no such option. Did you mean decks?"),
        ("rules diff decks=8 wsgc-2021 blackjack", "a change must come after the rules it changes"),
        ("rules show wsgc-2021 decks=8 decks=6", "decks = 6: set twice. Set it once."),
    ],
)
def test_a_bad_change_is_one_sentence(words: str, sentence: str) -> None:
    done = run(*words.split())
    assert done.code == 2
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_every_parameter_named_rules_accepts_changes() -> None:
    takers = [
        name
        for name, command in COMMANDS.items()
        for each in command.params
        if each.name == "rules"
    ]
    assert len(takers) > 10
    marked = {
        name
        for name, command in COMMANDS.items()
        for each in command.params
        if each.metavar == METAVAR
    }
    assert set(takers) <= marked
    assert {"rules show", "rules diff", "rules card", "rules check"} <= marked


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_json_and_plain(command: str) -> None:
    options = {name for each in COMMANDS[command].params for name in each.opts}
    assert {"--json", "--plain"} <= options


def test_cards_need_no_quotes_either() -> None:
    quoted = good("hand", "wsgc-2021", "decks=8", "5c 6d", "2h").splitlines()
    for cards in (["5c", "6d"], ["5c6d"], ["5\u2663", "6\u2666"]):
        words = ["hand", "wsgc-2021", "decks=8", *cards, "2h"]
        assert good(*words).splitlines() == quoted
