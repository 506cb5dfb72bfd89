"""`ventiuna settle`: reads, settles, and compares rounds; other input gets a one-sentence error."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import PROGRAM, Outcome, program, run

GOLDEN = Path(__file__).parent.parent / "golden"
ROUND: dict[str, Any] = {
    "id": "A",
    "rules": {"game": "spanish", "decks": 6, "h17": True},
    "dealer": {"up": "9s", "down": "Kh", "draws": []},
    "seats": [{"name": "Ann", "base": "10", "dealt": "9c 9d", "hands": ["9c 9d / stand"]}],
}
TEXT = """round 1
rules: wsgc-2021
dealer: 9s Kh
spot 1 Ann: base 10
  9c 9d / stand
"""


def settle(folder: Path, content: object, *options: str) -> Outcome:
    """Settle a file with this text, these bytes, or this JSON."""
    file = folder / "rounds"
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content)
        file.write_text(text, encoding="utf-8")
    return run("settle", str(file), *options)


def changed(**parts: Any) -> dict[str, Any]:
    return {**ROUND, **parts}


def with_seat(**parts: Any) -> dict[str, Any]:
    return changed(seats=[{**ROUND["seats"][0], **parts}])


def with_rules(**parts: Any) -> dict[str, Any]:
    return changed(rules={**ROUND["rules"], **parts})


def refused_case(**parts: Any) -> dict[str, Any]:
    seat = {"base": "10", "hand": "Kc 2d / hit 4h / surrender"}
    case = {"id": "X", "rules": ROUND["rules"], "dealer": ["9s", "Kh"], "seat": seat, **parts}
    return {"refused": [case]}


# --- basic use ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["worked_rounds.json", "more_rounds.json"])
def test_all_golden_rounds_agree_and_refusals_are_refused(name: str) -> None:
    done = run("settle", str(GOLDEN / name), "--json")
    assert done.code == 0
    assert done.data["agrees"] is True
    words = {entry["verdict"] for entry in done.data["rounds"]}
    assert words <= {"agrees", "refused", "described only"}


def test_each_wager_is_printed_with_odds_and_rule(tmp_path: Path) -> None:
    done = settle(tmp_path, with_seat(mtd={"up": "5"}))
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "spot player wager bet pay take odds reason rule" in lines
    assert "1 Ann Up Card $5.00 $40.00 $0.00 4 to 1 2 unsuited R-021" in lines
    assert "twice matches" in lines  # each cell continues on the line below
    assert "1 Ann hand $10.00 $0.00 $10.00 lost 18 against 19 R-078" in lines
    assert "total Ann +$30.00" in lines


def test_the_output_shows_what_the_dealer_pays(tmp_path: Path) -> None:
    games = [{"table": "3c", "pt": 1, "wager": "1", "meter": "500"}]
    seat = {"base": "10", "mtd": {"up": "5"}, "jackpots": [1], "hands": ["9s 2c / stand"]}
    done = settle(tmp_path, {**with_rules(jackpots=games), "seats": [seat]})
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    text = " ".join(lines)
    assert "spot 1 jackpot 1: pay $5.00 (one suited match, 5 for 1 on $1.00), the bet isn't" in text
    assert "spot 1 Up Card: pay $45.00 (9 to 1 on $5.00), the bet stays" in lines
    assert "spot 1 hand: take $10.00" in lines
    assert "spot 1 total: pay $50.00, take $11.00, player +$39.00" in lines
    assert "Jackpot 1 after the round: $500.00." in lines


def test_chips_of_every_golden_payment_add_up() -> None:
    for name in ("worked_rounds.json", "more_rounds.json"):
        for entry in run("settle", str(GOLDEN / name), "--json").data["rounds"]:
            for one in entry.get("payments", []):
                assert one["net_cents"] == one["paid_cents"] - one["stake_cents"]
                assert one["net_cents"] == one["handed_over_cents"] - one["taken_cents"]
                assert one["stake_cents"] == one["returned_cents"] + one["taken_cents"]


def test_payments_of_all_rounds_are_one_exported_table(tmp_path: Path) -> None:
    out = tmp_path / "payments.csv"
    assert settle(tmp_path, TEXT + TEXT.replace("round 1", "round 2"), "--csv", str(out)).code == 0
    first, *rows = out.read_text().splitlines()
    assert first.startswith(
        "round,rules,fingerprint,spot,player,wager,bet_cents,pay_cents,take_cents"
    )
    assert [row.split(",")[0] for row in rows] == ["1", "2"]
    assert rows[0].split(",")[6:9] == ["1000", "0", "1000"]


# --- suits --------------------------------------------------------------------------------------

SUITLESS = TEXT.replace("9s Kh", "9 K").replace("9c 9d", "9 9")


def test_suits_can_be_omitted_if_nothing_depends_on_them(tmp_path: Path) -> None:
    done = settle(tmp_path, SUITLESS)
    assert done.code == 0
    assert "dealer  9 K\n" in done.out
    assert "suits   some are missing" in done.out
    assert settle(tmp_path, SUITLESS, "--json").data["rounds"][0]["without_suits"] is True
    split = SUITLESS.replace("  9 9 / stand", "  9 9 / split\n  9 3 / double 2\n  9 K")
    assert "1 settled" in settle(tmp_path, split).out
    seat = {"base": "10", "dealt": "9 9", "hands": ["9 2 / stand", "9 3d / stand"]}
    entry = changed(dealer={"up": "9", "down": "K"}, seats=[seat])
    assert settle(tmp_path, entry).code == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (SUITLESS.replace("base 10", "base 10, up 5"), "spot 1 mtd up: suits are needed"),
        (SUITLESS.replace("9 9 / stand", "6 7 / hit 8"), "'6-7-8 of one suit' (2 to 1)"),
        (SUITLESS.replace("9 9 / stand", "7 7 / hit 7"), "(R-064)"),
        (SUITLESS.replace("9 9 / stand", "6s 7s / hit 8"), "'6-7-8 of spades' (3 to 1)"),
        (
            SUITLESS.replace("wsgc-2021", "wsgc-2021-jackpot").replace(
                "base 10", "base 10, jackpot-1 1"
            ),
            "spot 1 jackpot 1: suits are needed",
        ),
        (
            SUITLESS.replace("wsgc-2021", "super-fun-21").replace("9 9 / stand", "A K"),
            "suits are needed",
        ),
    ],
)
def test_a_required_suit_is_requested_with_its_rule(tmp_path: Path, text: str, told: str) -> None:
    done = settle(tmp_path, text)
    assert done.code == 1
    assert told in " ".join(done.out.split())


@pytest.mark.parametrize("hand", ["6s 7d / hit 8", "9 8 / hit 4", "2 2 / hit 2 / hit 5"])
def test_a_hand_that_suits_dont_affect_needs_none(tmp_path: Path, hand: str) -> None:
    assert settle(tmp_path, SUITLESS.replace("9 9 / stand", hand)).code == 0


def test_with_one_deck_cards_of_one_rank_differ(tmp_path: Path) -> None:
    """No rule distinguishes the four nines, so no suits are needed; a fifth 9 is one too many."""
    single = SUITLESS.replace("wsgc-2021", "super-fun-21")
    assert settle(tmp_path, single).code == 0
    assert settle(tmp_path, single.replace("9 9", "8 7")).code == 0
    many = single.replace("9 K", "9 9").replace("9 9 / stand", "9 9 / split\n  9 9 / stand\n  9 2")
    assert "more cards of one rank than the shoe has" in " ".join(
        settle(tmp_path, many).out.split()
    )


def test_each_card_is_shown_as_it_was_written(tmp_path: Path) -> None:
    done = settle(tmp_path, SUITLESS.replace("9 K", "9s K"))
    assert "dealer  9s K\n" in done.out
    assert settle(tmp_path, SUITLESS.replace("9 K", "9 Kh"), "--json").data["rounds"][0][
        "dealer"
    ] == ("9 Kh")


def test_a_ten_without_a_suit_is_reported_as_written(tmp_path: Path) -> None:
    for line, card in (("dealer: 9 10", "dealer: 9 K"), ("  10 9 / stand", "  9 9 / stand")):
        done = settle(tmp_path, SUITLESS.replace(card, line))
        told = " ".join(done.out.split())
        assert done.code == 1
        assert ": 10: Spanish decks have no tens (R-007)" in told
        assert "line " in told
        assert "Tc" not in told
    written = settle(tmp_path, SUITLESS.replace("dealer: 9 K", "dealer: 9s 10c"))
    dealer = SUITLESS.splitlines().index("dealer: 9 K") + 1
    assert f"line {dealer}: Tc isn't in the pack" in " ".join(written.out.split())


def test_suit_symbols_are_accepted(tmp_path: Path) -> None:
    signs = TEXT.replace("9s Kh", "9\u2660 K\u2665\ufe0f").replace("9c 9d", "9\u2663 9\u2662")
    assert settle(tmp_path, signs).out == settle(tmp_path, TEXT).out


def test_default_rules_apply_to_rounds_without_rules(tmp_path: Path) -> None:
    text = TEXT.replace("rules: wsgc-2021\n", "")
    assert "'rules:' is missing" in settle(tmp_path, text).out
    done = settle(tmp_path, text, "--rules", "wsgc-2021", "decks=8")
    assert done.code == 0
    assert "wsgc-2021(decks=8)" in done.out
    assert "wsgc-2021(decks=8)" not in settle(tmp_path, TEXT, "--rules", "wsgc-2021", "decks=8").out
    assert settle(tmp_path, TEXT, "--rules", "wsgc-2021", "decs=8").code == 2


def test_the_json_of_the_page_settles() -> None:
    page = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    example = page.split("```json")[1].split("```")[0]
    done = subprocess.run(
        [*PROGRAM, "settle", "-", "--json"],
        input=example,
        capture_output=True,
        text=True,
        check=False,
    )
    (entry,) = json.loads(done.stdout)["rounds"]
    assert (done.returncode, entry["verdict"]) == (0, "agrees")
    shown = json.loads(page.split("```json")[2].split("```")[0])
    assert shown == entry["payments"][0]


def test_a_stated_result_that_differs_exits_with_1(tmp_path: Path) -> None:
    done = settle(tmp_path, with_seat(net={"hand": "10.00", "total": "10.00"}))
    assert done.code == 1
    assert "Ann, hand: -$10.00 is owed, +$10.00 is recorded." in done.out
    assert "Ann, total: -$10.00 is owed, +$10.00 is recorded." in done.out
    assert "18 against 19, lost (R-078)." in " ".join(done.out.split())


def test_a_total_can_be_recorded_by_itself(tmp_path: Path) -> None:
    assert "result is right." in settle(tmp_path, with_seat(net={"total": "-10"})).out
    assert settle(tmp_path, with_seat(net={"total": "-11"})).code == 1


def test_an_omitted_wager_among_others_is_reported(tmp_path: Path) -> None:
    done = settle(tmp_path, with_seat(mtd={"up": "5"}, net={"hand": "-10"}))
    assert done.code == 1
    assert "Ann, Up Card: +$40.00 is owed, $0.00 is recorded." in done.out


def test_a_case_that_should_be_refused_but_isnt_exits_with_1(tmp_path: Path) -> None:
    assert settle(tmp_path, refused_case()).code == 0
    done = settle(tmp_path, refused_case(seat={"base": "10", "hand": "Kc 2d / hit 4h / stand"}))
    assert done.code == 1
    assert "Not refused, although it should have been." in done.out


def test_a_typo_in_the_rules_of_a_refused_case_isnt_a_refusal(tmp_path: Path) -> None:
    done = settle(tmp_path, refused_case(rules={"game": "spanish", "deks": 6}))
    assert done.code == 1
    assert "rules deks: no such rule. Did you mean decks?" in done.out


def test_notation_and_standard_input() -> None:
    done = subprocess.run(
        [*PROGRAM, "settle", "-"], input=TEXT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "18 against 19" in done.stdout


def test_brief_prints_one_line_per_round_even_with_a_long_title(tmp_path: Path) -> None:
    done = settle(tmp_path, changed(title="a long title " * 20), "--brief")
    first, last = done.out.splitlines()
    assert first.startswith("A  settled  a long title")
    assert len(first) <= 80
    assert last == "1 round checked: 1 settled."


def test_rules_are_broken_between_options_and_can_be_read_again(tmp_path: Path) -> None:
    out = settle(tmp_path, with_rules(max=500, envy="losers_once")).out.splitlines()
    start = next(number for number, line in enumerate(out) if "rules" in line)
    end = next(number for number, line in enumerate(out) if "fingerprint" in line)
    name = "".join(line[10:] for line in out[start:end])
    assert end - start > 1
    assert run("rules", "show", name, "--json").data["rules"] == name


def test_names_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    done = settle(tmp_path, with_seat(name="\x1b[31mred\n"))
    assert "\x1b" not in done.out
    assert "\\x1b[31mred\\n" in done.out


# --- unreadable input ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "contains no rounds"),
        ("[]", "contains no rounds"),
        (b"\xff\xfe\x00", "isn't UTF-8 text"),
        ("{", "isn't valid JSON"),
        ("[" * 100_000, "isn't valid JSON"),
        ('{"rounds": 5}', "rounds: must be a list in brackets, not a number"),
        ('{"refused": {}}', "refused: must be a list in brackets, not an object"),
        ('{"refused": [5]}', "refused 1: must be an object in braces, not a number"),
        ({"refused": [{"id": "X", "refs": 5}]}, "X: refs: must be a list in brackets"),
    ],
)
def test_a_file_without_rounds(tmp_path: Path, content: object, words: str) -> None:
    done = settle(tmp_path, content)
    assert done.code == 2
    assert done.out == ""
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("name", ["", "missing"])
def test_a_folder_or_a_missing_file(tmp_path: Path, name: str) -> None:
    done = run("settle", str(tmp_path / name))
    assert done.code == 2
    assert done.err.startswith("error: ")


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (5, "round: must be an object in braces, not a number"),
        ({}, "round: dealer is missing"),
        (changed(dealer=5), "A: dealer: must be an object in braces, not a number"),
        (changed(dealer={"up": "9s"}), "A: dealer down is missing"),
        (changed(dealer={"up": 9, "down": "Kh"}), "A: dealer up: must be a string in quotes"),
        (changed(dealer={"up": "1x", "down": "Kh"}), "A: dealer up: '1x' isn't a card"),
        (changed(dealer={"up": "9s", "down": "Kh", "draws": 5}), "A: dealer draws: must be a list"),
        (changed(rules=5), "A: rules: must be an object in braces"),
        (changed(rules={}), "A: rules game is missing"),
        (with_rules(game=["x"]), "A: rules game: must be a string"),
        (with_rules(game="spannish"), "no such game. Did you mean spanish?"),
        (with_rules(h17="no"), "A: rules h17: must be true or false, not a string"),
        (with_rules(ddd=1), "A: rules ddd: must be true or false, not a number"),
        (with_rules(decks="six"), "decks = six: must be a whole number"),
        (with_rules(jackpots=5), "A: rules jackpots: must be a list"),
        (with_rules(jackpots=[None]), "A: rules jackpots 1: must be an object in braces, not null"),
        (changed(seats=5), "A: seats: must be a list"),
        (changed(seats=["x"]), "A: seats 1: must be an object in braces, not a string"),
        (changed(seats=[]), "Nobody has placed a base wager"),
        (with_seat(base="-10"), "A: seats 1 base: an amount can't be negative ('-10')"),
        (
            with_seat(base=True),
            "A: seats 1 base: an amount must be in dollars, such as 10 or 7.50, not a bool",
        ),
        (with_seat(base=0.333), "A: seats 1 base: '0.333' isn't an amount"),
        (with_seat(hands="9c 9d"), "A: seats 1 hands: must be a list in brackets, not a string"),
        (with_seat(hands=[5]), "A: seats 1 hands: must be a string in quotes, not a number"),
        (with_seat(hands=[]), "hands: a spot must have at least one"),
        (with_seat(dealt=5), "A: seats 1 dealt: must be a string"),
        (with_seat(mtd=5), "A: seats 1 mtd: must be an object"),
        (with_seat(mtd={"up": "x"}), "A: seats 1 mtd up: 'x' isn't an amount"),
        (with_seat(jackpots=["x"]), "A: seats 1 jackpots: must be the numbers of the games"),
        (
            with_seat(insurance=[]),
            "A: seats 1 insurance: an amount must be in dollars, such as 10 or 7.50, not a list",
        ),
        (with_seat(net=5), "A: seats 1 net: must be an object"),
        (
            with_seat(net={"hand": None}),
            "A: seats 1 net hand: an amount must be in dollars, such as 10 or 7.50, not a NoneType",
        ),
        (changed(order=[5]), "A: order 1: must be an object"),
        (changed(order=[{"player": "Ann", "wager": "hand"}]), "A: order 1 net is missing"),
        (changed(refs=5), "A: refs: must be a list"),
        (changed(meters_after=5), "A: meters_after: must be a list"),
        (changed(bonus_cards=["2c"] * 6), "bonus_cards = 6: must be from 0 to 5"),
        (changed(bonus_cards=5), "A: bonus_cards: must be a list"),
    ],
)
def test_the_error_in_a_malformed_round_is_located(tmp_path: Path, entry: Any, words: str) -> None:
    done = settle(tmp_path, {"rounds": [entry, ROUND]})
    assert done.code == 1
    assert words in " ".join(done.out.split())
    assert "1 settled" in done.out, "the other round in the file is settled anyway"


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"seat": 5}, "seat: must be an object"),
        ({"seat": {}}, "seat hand is missing"),
        ({"dealer": ["9s"]}, "dealer: must be the up card and the down card"),
        ({"dealer": 5}, "dealer: must be a list"),
        ({"rules": 5}, "rules: must be an object"),
    ],
)
def test_a_malformed_refused_case(tmp_path: Path, case: Any, words: str) -> None:
    done = settle(tmp_path, refused_case(**case))
    assert done.code == 1
    assert words in done.out
    assert "1 can't be read" in done.out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("dealer: 9s Kh", "", "the line 'dealer:' is missing"),
        ("dealer: 9s Kh", "dealer: 9s", "dealer: write the up card and the down card"),
        (
            "dealer: 9s Kh",
            "dealer: 9s Kh\ndealer: 9s Kd",
            "dealer: this line appears twice in the round",
        ),
        ("dealer: 9s Kh", "dealer: 9s Kh\nbonus cards: 2c", "the rules call for 0"),
        ("dealer: 9s Kh", "dealer: 9s Kh\nmeter 1: 500", "meter 1: these rules have no such"),
        ("wsgc-2021", "wsgc-2021(mtd_configuration=4,bonus_cards=2)", "the record has 0 (R-027)"),
        (
            "spot 1 Ann: base 10",
            "spot 1 Ann: 10",
            "line 4, column 13: wager '10': Choose from: base,",
        ),
        ("spot 1 Ann: base 10", "spot 1 Ann: base 10, base 20", "base: this wager appears twice"),
        ("spot 1 Ann: base 10", "spot 9 Ann: base 10", "spots 1 to 7. (O-02)"),
        (
            "  9c 9d / stand",
            "  9c 9d\nspot 1 Ben: base 10\n  9c 8d",
            "spot 1: two spots have this number",
        ),
        ("  9c 9d / stand", "  9c 9d / fly", "line 5, column 11: action 'fly': Choose from"),
        ("  9c 9d / stand", "  9 9 / hitt 3", "line 5, column 9: action 'hitt 3': Did you mean"),
        ("  9c 9d / stand", "  9c 9x / stand", "line 5, column 6: '9x' isn't a card"),
        ("dealer: 9s Kh", "dealer: 9s Kx", "line 3, column 12: 'Kx' isn't a card"),
        ("  9c 9d / stand", "  9c 4d / hit 2c / surrender", "line 5: Surrender is only possible"),
        (
            "base 10",
            "base 4000",
            "line 4: The base wager must be from $5.00 to $300.00, not $4,000.00",
        ),
        ("  9c 9d / stand", "  6 7 / hit 8c", "line 4: spot 1 hand: suits are needed"),
        ("dealer: 9s Kh", "dealer: 9s 2h", "line 3: dealer: the dealer must draw with 9s 2h"),
        ("base 10", "bsae 10", "line 4, column 13: wager 'bsae': Did you mean base?"),
        ("base 10", "base 10, j1 1", "line 4, column 22: wager 'j1': Choose from: base, insurance"),
        ("rules: wsgc-2021", "", "or name the rules with --rules"),
        ("rules: wsgc-2021", "rules: wsgc-2021 decs=8", "line 2: decs = 8: no such option"),
        ("  9c 9d / stand", "  9c 9d / double:x 2c", "action 'double:x 2c': 'x' isn't an amount"),
        ("  9c 9d / stand", "  9c 2d / hit", "the card for this hit is missing"),
        ("  9c 9d / stand", "  Tc 9d / stand", "Tc isn't in the pack"),
        ("  9c 9d / stand", "  9c 9d / stand\n  net: hand x", "net hand: 'x' isn't an amount"),
    ],
)
def test_impossible_notation(tmp_path: Path, old: str, new: str, words: str) -> None:
    done = settle(tmp_path, TEXT.replace(old, new))
    assert done.code == 1
    assert words in " ".join(done.out.split())


def test_a_split_hand_without_suits_begins_with_the_card_that_was_split(tmp_path: Path) -> None:
    hands = "  8♣ 8♦ / split\n  8 8♥ / split\n  8 3 / double J\n  8 K / stand\n  8 9 / stand"
    text = TEXT.replace("  9c 9d / stand", hands).replace("wsgc-2021", "catfish-bend")
    done = settle(tmp_path, text)
    assert done.code == 0, done.out
    assert "total Ann $0.00" in " ".join(done.out.split())
    wrong = settle(tmp_path, text.replace("8 9 / stand", "7 9 / stand"))
    assert "line 9: spot 1: a split hand starts with 8d" in " ".join(wrong.out.split())


def test_a_prize_of_zero_is_a_prize(tmp_path: Path) -> None:
    """A prize of $0 is allowed; settling fails only if the file omits a prize that was won."""
    four = {"table": "5c", "pt": 8, "wager": "1", "meter": "100"}
    seat = {"base": "10", "jackpots": [1], "hands": ["4h 4h / surrender"]}
    entry = changed(dealer={"up": "4h", "down": "9c"}, seats=[seat])
    known = settle(tmp_path, {**entry, "rules": {"game": "spanish", "jackpots": [four]}})
    assert "so the record must give it (R-092)" in " ".join(known.out.split())
    free = {"game": "spanish", "jackpots": [{**four, "prize": 0}]}
    assert settle(tmp_path, {**entry, "rules": free}).code == 0


def test_an_omitted_meter_starts_from_the_seed(tmp_path: Path) -> None:
    games = [{"table": "3c", "pt": 1, "wager": "1", "seed": "500"}]
    done = settle(tmp_path, {**with_rules(jackpots=games), "meters_after": ["500"]})
    assert done.code == 0


# --- why a claim isn't owed ---------------------------------------------------------------------


def notation(rules: str, dealer: str, *spots: str, more: str = "") -> str:
    return "\n".join(["round 1", f"rules: {rules}", f"dealer: {dealer}", more, *spots]) + "\n"


TWO_JACKPOT_WINNERS = (
    "spot 1 Ann: base 10, jackpot-1 1",
    "  As As / stand",
    "spot 2 Bob: base 10, jackpot-1 1",
    "  As As / stand",
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            notation(
                "wsgc-2021",
                "7h Kc",
                "spot 1 Ann: base 25",
                *("  7s 7s / split", "  7s 7s / hit 7s", "  7s 9c", "  net: total 5050"),
            ),
            "No Super Bonus is owed: splitting or doubling the hand voids it (R-070).",
        ),
        (
            notation("wsgc-2021", "9s Kh", "spot 1 Bob: base 10", "  6c 7d / double 8h")
            + "  net: hand 15",
            (
                "The 3 to 2 for 6-7-8 of mixed suits isn't owed: a doubled hand is paid even "
                "money, without bonuses (R-049, R-066)."
            ),
        ),
        (
            notation("wsgc-2021", "9s Kh", "spot 1 Bob: base 10", "  Ac Kd / keep / double 8h")
            + "  net: hand 30",
            "The blackjack was doubled, which forfeits its own payout (R-049).",
        ),
        (
            notation(
                "wsgc-2021",
                "9s Kh",
                "spot 1 Bob: base 10",
                *("  Ac Ad / split", "  Ac Kd", "  Ad 9c", "  net: hand 15 and 10"),
            ),
            "An ace with a ten-valued card after a split is a 21, not a blackjack (O-05).",
        ),
        (
            notation("super-fun-21", "9s Kh", "spot 1 Bob: base 10", "  Ac Kd", "  net: hand 20"),
            "Only an all-diamond blackjack pays 2 to 1 (R-114).",
        ),
        (
            notation("wsgc-2021", "9s Kh", "spot 1 Ann: base 25", "  7s 7s / hit 7s")
            + "  net: total 5075",
            "No Super Bonus is owed: the up card is 9s, not any 7 (R-067).",
        ),
        (
            notation("wsgc-2021", "7h Kh", "spot 1 Ann: base 25", "  7s 7d / hit 7s")
            + "  net: total 5037.50",
            "No Super Bonus is owed: it takes three 7s of one suit (R-067).",
        ),
        (
            notation("wsgc-2021", "7h Kh", "spot 1 Ann: base 24", "  7s 7s / hit 7s")
            + "  net: hand 72; super 5000",
            (
                "The Super Bonus depends on the player's own bet: $1,000 for a base wager from $5 "
                "to "
                "under $25 and $5,000 for a base wager of $25 or more (R-069)."
            ),
        ),
        (
            notation(
                "wsgc-2021(table_minimum=1)",
                "7h Kh",
                *("spot 1 Ann: base 4", "  7s 7s / hit 7s", "  net: total 1012"),
            ),
            "No Super Bonus is owed: it takes a base wager of $5.00 or more (R-069, O-13).",
        ),
        (
            notation("casino-card", "7h Kh", "spot 1 Ann: base 5", "  7s 7s / hit 7s")
            + "  net: total 1065",
            "Super Bonus winners get no Envy Bonus (R-075).",
        ),
        (
            notation(
                "wsgc-2021", "Ks 9h", "spot 1 Ann: base 10, up 5", "  Jc 9d", "  net: mtd up 20"
            ),
            "Up Card: ten-valued cards of different ranks don't match (R-020).",
        ),
        (
            notation("wsgc-2021", "5s Kh / 2c", "spot 1 Ann: base 10, up 5", "  4c 3d / hit 5d")
            + "  net: mtd up 20",
            "Up Card: only the original two cards of the hand count (R-020).",
        ),
        (
            notation(
                "wsgc-2021-jackpot",
                "9s Kh",
                *("spot 1 Ann: base 10, jackpot-1 1", "  9s 2c", "  net: jackpot 1 5"),
            ),
            'Jackpot 1 odds are "for", not "to": the wager isn\'t returned (R-091).',
        ),
        (
            notation(
                "wsgc-2021(jackpots=3c:1:seed=1000)",
                "As Kh",
                *(*TWO_JACKPOT_WINNERS, "  net: jackpot 1 4999.42"),
                more="meter 1: 5000",
            ),
            (
                "The meter starts again at once from its seed of $1,000.00 (O-19, O-20). Spot 2 "
                "wins 100% of $1,000.00: $1,000.00 (R-095)."
            ),
        ),
        (
            notation("wsgc-2021", "6s 6h / Kc", "spot 1 Ann: base 10", "  9c 6d / hit Kd")
            + "  net: hand 10\nspot 2 Bob: base 10\n  9s 9d",
            "A bust loses at once, even if the dealer busts later (R-013, O-01).",
        ),
        *(
            (
                notation(rules, "As 8h", "spot 1 Ann: base 10", "  9c Kd / stand")
                + f"  net: hand 0; {claim} 50\n",
                f"$0.00 is owed, +$50.00 is recorded. {reason}",
            )
            for rules, claim, reason in [
                ("wsgc-2021", "insurance", "The spot has no insurance (R-034)."),
                ("wsgc-2021", "mtd up", "The spot has no Up Card wager (R-014)."),
                ("wsgc-2021-jackpot", "jackpot 1", "The spot has no jackpot 1 wager (R-082)."),
                ("wsgc-2021", "super", "The hand doesn't win the Super Bonus (R-067, R-068)."),
                ("wsgc-2021", "envy", "No other player won a Super Bonus (R-073)."),
                ("wsgc-2021 envy=off", "envy", "These rules have no Envy Bonus."),
                ("super-fun-21", "super", "These rules have no Super Bonus."),
            ]
        ),
    ],
)
def test_a_claim_that_is_not_owed_gets_the_rule(tmp_path: Path, text: str, reason: str) -> None:
    done = settle(tmp_path, text)
    assert done.code == 1
    assert "The recorded result differs:" in done.out
    assert reason in " ".join(done.out.split())


def test_an_amount_owed_has_its_rule_even_if_less_was_recorded(tmp_path: Path) -> None:
    text = notation(
        "wsgc-2021", "7c 3h", "spot 1 Ana: base 10", "  6s 7s / hit 8s", "  net: hand 15"
    )
    out = " ".join(settle(tmp_path, text).out.split())
    assert "Ana, hand: +$30.00 is owed, +$15.00 is recorded. Hand: 6-7-8 of spades, 3 to 1" in out


# --- refused actions and surplus cards ----------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "refusal", "owed"),
    [
        (
            ["  9c 4d / hit 2c / surrender"],
            "line 6: Surrender is only possible as the first decision",
            -1000,
        ),
        (["  9c 2d / double 7h / hit 2c"], "A doubled hand gets one card", -2000),
        (["  9c 8d / split", "  9c Kd", "  8d Kc"], "Only two cards of equal value", -1000),
        (["  9c Kd / rescue"], "Only a doubled hand can be rescued", 0),
        (["  9c 6d / hit Kd / double 2c"], "is over 21", -1000),
    ],
)
def test_a_refused_action_still_leaves_an_amount_owed(
    tmp_path: Path, hands: list[str], refusal: str, owed: int
) -> None:
    text = notation("wsgc-2021", "9s Kh", "spot 1 Ann: base 10", *hands)
    done = settle(tmp_path, text)
    assert done.code == 1
    words = " ".join(done.out.split())
    assert "Refused by the rules and not included in the amounts above:" in words
    assert refusal in words
    [entry] = settle(tmp_path, text, "--json").data["rounds"]
    assert entry["verdict"] == "refused by the rules"
    assert entry["spots"][0]["net_cents"] == owed


@pytest.mark.parametrize(
    ("wagers", "refusal", "owed"),
    [
        ("base 10, insurance 5", "(R-034", -1000),
        (
            "base 10, up 5, down 5000",
            "The Match the Dealer Down Card wager must be from $1.00 to $300.00",
            -1500,
        ),
        ("base 10, b1 5", "line 5:", -1000),
    ],
)
def test_a_refused_wager_is_left_out_of_what_is_owed(
    tmp_path: Path, wagers: str, refusal: str, owed: int
) -> None:
    text = notation("wsgc-2021", "9s Kh", f"spot 1 Ann: {wagers}", "  8c 8d / stand")
    [entry] = settle(tmp_path, text, "--json").data["rounds"]
    assert entry["verdict"] == "refused by the rules"
    assert refusal in entry["reasons"][0]
    assert entry["spots"][0]["net_cents"] == owed


def test_a_spot_without_a_legal_base_wager_sits_out(tmp_path: Path) -> None:
    others = ("spot 2 Bob: base 10", "  9c 9d / stand")
    text = notation("wsgc-2021", "9s Kh", "spot 1 Ann: base 4000", "  8c 8d / stand", *others)
    [entry] = settle(tmp_path, text, "--json").data["rounds"]
    assert [payment["person"] for payment in entry["payments"]] == ["Bob"]
    assert "The base wager must be from $5.00 to $300.00, not $4,000.00" in entry["reasons"][0]


def test_settling_without_a_refused_action_may_need_more_dealer_cards(tmp_path: Path) -> None:
    text = notation("wsgc-2021", "9s 2h", "spot 1 Ann: base 10", "  9c 4d / hit 2c / surrender")
    words = " ".join(settle(tmp_path, text).out.split())
    assert "Surrender is only possible as the first decision" in words
    assert "Even if that is ignored, the round can't be settled: dealer: " in words
    assert "dealer: the dealer must draw with 9s 2h" in words


@pytest.mark.parametrize(
    ("rules", "dealer", "hand", "note"),
    [
        ("wsgc-2021", "9s Kh / 2c", "9c 9d / stand", "the dealer stands on 19 (R-077)."),
        ("super-fun-21", "9s Kh / 2c", "9c 9d / stand", "the dealer stands on 19 (R-117)."),
        ("wsgc-2021", "9s 2h / 2c 3d", "9c 9d / hit 9h", "no hand is left to compare (O-16)."),
        ("wsgc-2021", "As Kh / 2c", "9c 9d / stand", "the dealer has blackjack (R-035)."),
        ("wsgc-2021", "9s Kh / T", "9c 9d / stand", "The dealer's extra T doesn't count"),
        ("wsgc-2021", "9 K / T 2", "9c 9d / stand", "The dealer's extra T 2 don't count"),
        ("wsgc-2021", "9s 2h / T", "9c 9d / hit 9h", "no hand is left to compare (O-16)."),
    ],
)
def test_surplus_dealer_cards_are_reported_and_do_not_count(
    tmp_path: Path, rules: str, dealer: str, hand: str, note: str
) -> None:
    text = notation(rules, dealer, "spot 1 Ann: base 10", f"  {hand}", "  net: total -10")
    done = settle(tmp_path, text)
    assert done.code == 0
    assert note in " ".join(done.out.split())
    [entry] = settle(tmp_path, text, "--json").data["rounds"]
    assert entry["verdict"] == "agrees"
    assert entry["surplus_dealer_cards"] == dealer.partition(" / ")[2].split()
    assert entry["notes"]


def test_a_ten_that_the_dealer_would_have_to_draw_still_cant_be_read(tmp_path: Path) -> None:
    text = notation("wsgc-2021", "9s 2h / T", "spot 1 Ann: base 10", "  9c 9d / stand")
    done = settle(tmp_path, text)
    assert done.code != 0
    assert "line 3: 10: Spanish decks have no tens (R-007)" in done.out


@pytest.mark.parametrize(
    ("wager", "title"),
    [
        ("super bonus", "Super Bonus"),
        ("Super Bonus", "Super Bonus"),
        ("envy bonus", "Envy Bonus"),
        ("jackpot 1", "jackpot 1"),
        ("jackpot-1", "jackpot 1"),
        ("j1", "jackpot 1"),
        ("up", "Up Card"),
        ("Up Card", "Up Card"),
    ],
)
def test_results_use_everyday_names_for_side_bets(tmp_path: Path, wager: str, title: str) -> None:
    wagers = "spot 1 Ann: base 10, up 5, jackpot-1 1"
    lines = (wagers, "  8c 7d / stand", f"  net: {wager} 77; total -16")
    [entry] = settle(
        tmp_path, notation("wsgc-2021(jackpots=3c:1)", "9s Kh", *lines), "--json"
    ).data["rounds"]
    assert entry["verdict"] == "differs"
    assert any(
        reason.startswith(f"Ann, {title}: ") and "+$77.00 is recorded" in reason
        for reason in entry["reasons"]
    )


def test_one_wager_under_two_names_appears_twice(tmp_path: Path) -> None:
    text = notation("wsgc-2021", "9s Kh", "spot 1 Ann: base 10", "  8c 7d / stand")
    done = settle(tmp_path, f"{text.rstrip()}\n  net: super 0; super bonus 0")
    assert "net super: this wager appears twice; write it once" in done.out


def test_cards_after_a_dealer_bust_are_reported(tmp_path: Path) -> None:
    text = notation("wsgc-2021", "7s 9h / 9d 6d", "spot 1 Ann: base 10", "  9c 9d / stand")
    words = " ".join(settle(tmp_path, text).out.split())
    assert "The dealer's extra 6d doesn't count: the dealer busts with 25 (R-077)." in words


# --- meters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reseed", "second", "after", "sentence"),
    [
        (
            "at_once",
            100_000,
            100_000,
            "starts again at once from its seed of $1,000.00 (O-19, O-20)",
        ),
        (
            "after_round",
            0,
            100_000,
            "empty until the round is over, then starts from $1,000.00 (O-20)",
        ),
    ],
)
def test_contributions_seeds_and_the_order_of_awards_are_shown(
    tmp_path: Path, reseed: str, second: int, after: int, sentence: str
) -> None:
    rules = f"wsgc-2021(jackpots=3c:1:seed=1000:reseed={reseed})"
    text = notation(rules, "As Kh", *TWO_JACKPOT_WINNERS, more="meter 1: 5000")
    words = " ".join(settle(tmp_path, text).out.split())
    assert "$5,000.00 before the round plus $0.42 from this round's wagers is $5,000.42" in words
    assert sentence in words
    [entry] = settle(tmp_path, text, "--json").data["rounds"]
    [meter] = entry["meters"]
    assert (meter["before_cents"], meter["contributions_cents"]) == (500_000, 42)
    assert [award["paid_cents"] for award in meter["awards"]] == [500_042, second]
    assert meter["after_cents"] == after


def test_the_meter_amounts_of_every_golden_round_add_up() -> None:
    for name in ("worked_rounds.json", "more_rounds.json"):
        for entry in run("settle", str(GOLDEN / name), "--json").data["rounds"]:
            for meter in entry.get("meters", []):
                paid = [
                    payment["paid_cents"]
                    for payment in entry["payments"]
                    if payment["wager"] == f"jackpot {meter['game']}"
                    and payment["rule"] == (meter["awards"] or [{"rule": ""}])[0]["rule"]
                ]
                assert paid == [award["paid_cents"] for award in meter["awards"]]


# --- streams ------------------------------------------------------------------------------------


def closed(*words: str, stream: str) -> Outcome:
    """Run the program with one of its streams closed."""
    script = (
        f"import os; os.close({stream})\n"
        "import subprocess, sys\n"
        f"sys.exit(subprocess.call({[*PROGRAM, *words]!r}, close_fds=False))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def test_closed_standard_input_is_an_empty_file() -> None:
    done = closed("settle", "-", stream="0")
    assert (done.code, done.err) == (2, "error: - contains no rounds\n")


def test_closed_standard_output_is_not_an_error(tmp_path: Path) -> None:
    file = tmp_path / "rounds"
    file.write_text(TEXT, encoding="utf-8")
    done = closed("settle", str(file), stream="1")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_without_color_there_are_no_escape_codes(tmp_path: Path) -> None:
    file = tmp_path / "rounds"
    file.write_text(TEXT, encoding="utf-8")
    done = program("settle", str(file), NO_COLOR="1", FORCE_COLOR="1", COLUMNS="40")
    assert done.code == 0
    assert "\x1b" not in done.out
