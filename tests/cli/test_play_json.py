"""`ventiuna play --json`: commands and responses as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from typer.testing import CliRunner

from ventiuna.cli.app import new_app
from ventiuna.cli.play import FOR_PROGRAMS
from ventiuna.notation import differences, read_rounds, replay
from ventiuna.rules import preset_ids

Data = dict[str, Any]


def run(lines: Sequence[str | Data], *arguments: str) -> list[Data]:
    """Responses to these lines."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    done = CliRunner().invoke(
        new_app(["play"]), ["play", "--json", "--seed", "3", *arguments], input=text
    )
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def command(name: str, **values: Any) -> Data:
    return {"command": name, **values}


PLACE = command("PlaceWagers", spot=1, base=1000)


def test_the_first_answer_states_the_rules_and_the_last_says_goodbye() -> None:
    first, last = run([])
    assert first["ok"]
    assert first["rules"] == "wsgc-spanish-21"
    assert first["balance_cents"] == 100_000
    assert first["view"]["stage"] == "wagers"
    assert last["goodbye"] == {
        "rounds": 0,
        "round_called_off": False,
        "balance_cents": 100_000,
        "result_cents": 0,
    }


def test_a_round_is_played_and_written_down() -> None:
    place = command("PlaceWagers", spot=1, base=1000, mtd={"up": 500})
    answers = run([place, command("CloseWagers"), command("Stand", spot=1), command("History")])
    placed, dealt, closed, history = answers[1:5]
    assert placed["balance_cents"] == 98_500
    options = {option["name"]: option for option in dealt["view"]["options"]}
    assert options["double"]["chips"] == 1000
    assert options["split"]["rules"] == ["R-042"]
    assert closed["view"]["stage"] == "closed"
    assert closed["balance_cents"] == 100_000 + closed["net_cents"]
    assert history["history"] == [closed["notation"]]
    (record,) = read_rounds(closed["notation"])
    assert differences(replay(record)) == []


def test_the_down_card_stays_hidden_until_it_is_exposed() -> None:
    dealt, closed = run([PLACE, command("CloseWagers"), command("Stand", spot=1)])[2:4]
    (down,) = [event for event in dealt["events"] if event.get("place") == "down"]
    assert down["card"] is None
    assert dealt["view"]["dealer"][1] is None
    assert closed["view"]["dealer"][1] in range(52)  # the same number as in its event


def test_placing_wagers_opens_the_next_round() -> None:
    round_of_play = [PLACE, command("CloseWagers"), command("Stand", spot=1)]
    answers = run([*round_of_play, *round_of_play])
    assert [answer["round"] for answer in answers[:-1]] == [1, 1, 1, 1, 2, 2, 2]
    assert answers[-1]["goodbye"]["rounds"] == 2


def test_a_round_in_play_is_called_off_at_the_end() -> None:
    answers = run([PLACE, command("CloseWagers"), command("Quit"), PLACE])
    assert len(answers) == 4  # no responses after Quit
    assert answers[-1]["goodbye"]["round_called_off"]
    assert answers[-1]["goodbye"]["balance_cents"] == 100_000


def test_chips_are_bought_and_taken_back() -> None:
    lines = [
        command("BuyIn", amount=500),
        PLACE,
        command("WithdrawWagers", spot=1),
        command("View"),
    ]
    answers = run(lines, "--bankroll", "10")
    assert [answer["balance_cents"] for answer in answers[1:5]] == [1500, 500, 1500, 1500]
    assert answers[-1]["goodbye"]["result_cents"] == 0


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("", "bad_command", "the line isn't valid JSON"),
        ("nonsense", "bad_command", "the line isn't valid JSON"),
        ("[" * 100_000, "bad_command", "the line isn't valid JSON"),
        (
            '{"command": "PlaceWagers", "spot": 1, "base": ' + "9" * 5000 + "}",
            "bad_command",
            "JSON",
        ),
        ("[1]", "bad_command", "command: choose from PlaceWagers"),
        ("{}", "bad_command", "command: choose from PlaceWagers"),
        (command("Dance"), "bad_command", "command 'Dance': choose from PlaceWagers"),
        (command("DealCard", card=3), "bad_command", "command 'DealCard'"),
        (command("Hit"), "bad_command", "Hit: the field spot is missing"),
        (command("Hit", spot=1, card=2), "bad_command", "Hit: unknown field 'card' (fields: spot)"),
        (command("CloseWagers", spot=1), "bad_command", "unknown field 'spot' (fields: none)"),
        (PLACE | {"person": "Ann"}, "bad_command", "unknown field 'person'"),
        (PLACE | {"mtd": 5}, "bad_command", "mtd must be an object of names and cents"),
        (PLACE | {"jackpots": {"one": 5}}, "bad_command", "a jackpot game must be 1 or 2"),
        (PLACE | {"jackpots": {"1": 100}}, "no_such_jackpot", "this table offers no jackpots"),
        (PLACE | {"spot": 2}, "not_your_spot", "Spot 2 isn't yours. You have spot 1"),
        (PLACE | {"spot": None}, "not_your_spot", "Spot None"),
        (PLACE | {"spot": True}, "no_such_spot", "There is no spot True"),
        (PLACE | {"base": "10"}, "not_cents", "The base wager must be a whole number of cents."),
        (PLACE | {"base": 10.0}, "not_cents", "The base wager must be a whole number of cents."),
        (
            PLACE | {"base": -1000},
            "amount_range",
            "The base wager must be from $0.00 to",
        ),
        (
            PLACE | {"base": 10**30},
            "amount_range",
            "The base wager must be from $0.00 to",
        ),
        (PLACE | {"base": 10}, "table_limits", "The base wager must be from $5.00 to $300.00"),
        (PLACE | {"mtd": {"up": None}}, "not_cents", "Wager up must be a whole number of cents."),
        (
            PLACE | {"mtd": {"side": 5}},
            "mtd_not_offered",
            "This table doesn't offer the wager 'side'.",
        ),
        (command("Stand", spot=1), "spot_not_betting", "Spot 1 has no base wager."),
        (command("Insure", spot=1, amount=5), "spot_not_betting", "Spot 1 has no base wager."),
        (command("CloseWagers"), "no_wagers", "Nobody has placed a base wager."),
        (command("BuyIn"), "bad_command", "BuyIn: the only field must be"),
        (
            command("BuyIn", amount=-1),
            "amount_range",
            "Amount must be from $0.00 to",
        ),
        (command("BuyIn", amount=0), "buy_in", "Buy in for an amount above zero"),
    ],
)
def test_a_bad_line_is_answered_with_its_reason(line: str | Data, code: str, message: str) -> None:
    answers = run([line, command("View")])
    assert len(answers) == 4
    assert answers[1]["ok"] is False
    assert answers[1]["error"]["code"] == code
    assert message in answers[1]["error"]["message"]
    assert answers[2]["view"] == answers[0]["view"]
    assert answers[2]["balance_cents"] == 100_000


def test_chips_that_the_balance_does_not_cover_are_refused() -> None:
    lines = [PLACE, command("CloseWagers"), command("Double", spot=1), command("Stand", spot=1)]
    answers = run(lines, "--bankroll", "15")
    assert answers[3]["error"]["code"] == "not_covered"
    assert answers[3]["error"]["message"] == "This takes $10.00, but your balance is $5.00."
    assert answers[4]["ok"]


@pytest.mark.parametrize("preset", preset_ids())
def test_a_program_plays_every_preset_from_the_responses(preset: str) -> None:
    """Reads only the responses, as a program would, and takes the first legal option."""
    lines: list[str | Data] = []
    answer = run(lines, preset)[0]
    while answer["round"] < 4:
        wanted = answer["view"]["waiting_for"]
        if wanted["kind"] == "wagers":
            lines += [PLACE, command("CloseWagers")]
        elif wanted["kind"] == "closed":
            lines.append(PLACE)
            lines.append(command("CloseWagers"))
        elif wanted["kind"] == "insurance_answers":
            lines.append(command("Insure", spot=wanted["spots"][0], amount=0))
        elif wanted["kind"] == "blackjack_answers":
            lines.append(command("TakeBlackjack", spot=wanted["spots"][0]))
        else:
            lines.append(command("Stand", spot=wanted["spot"]))
        answers = run(lines, preset)
        assert all(given["ok"] for given in answers)
        answer = answers[-2]
    assert answer["balance_cents"] > 0


def test_the_help_documents_the_card_encoding() -> None:
    assert "Cards are numbers: 0, 1, 2, 3 are the aces" in FOR_PROGRAMS
    assert "7s" not in FOR_PROGRAMS
