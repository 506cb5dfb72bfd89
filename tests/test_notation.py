"""Rounds as text and JSON: stored with their rules and free of contradictions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ventiuna.cards import parse_cards
from ventiuna.money import LARGEST_AMOUNT, LARGEST_RESULT, MoneyError, parse_amount
from ventiuna.notation import (
    HandRecord,
    NotationError,
    RecordedAction,
    RoundRecord,
    differences,
    has_stated_results,
    read_rounds,
    replay,
    round_data,
    round_from_data,
    write_round,
)
from ventiuna.notation.json_format import parse_json
from ventiuna.notation.text import MAX_LINES
from ventiuna.rules import RulesError, fingerprint, load_file, load_rules, rules_data
from ventiuna.rules.options import short_repr

ROUND = """
round 1
rules: {rules}
dealer: 9s Kh
spot 1 Ann: base 10
  Kc 8d / stand
  net: hand -10.00; total -10.00
"""
JACKPOT = "wsgc-2021(jackpots=3c:1:seed=1000:prize=5)"


def short(value: object) -> str:
    return short_repr(value)[:30]


def text_of(rules: str = "wsgc-2021") -> str:
    return ROUND.format(rules=rules)


def one(text: str) -> RoundRecord:
    [record] = read_rounds(text)
    return record


def changed(old: str, new: str, rules: str = "wsgc-2021") -> str:
    text = text_of(rules)
    assert old in text
    return text.replace(old, new)


# --- rules of a stored round ----------------------------------------------------------------------

HOUSE = 'title = "Our house"\nextends = "wsgc-2021"\ndecks = 8\ntable_maximum = 100\n'


@pytest.mark.parametrize("complete", [True, False])
@pytest.mark.parametrize("fate", ["deleted", "edited", "broken"])
def test_a_round_with_a_users_rules_file_replays_without_the_file(
    tmp_path: Path, complete: bool, fate: str
) -> None:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE)
    record = replace(one(text_of()), rules=load_file(path))
    text, data = write_round(record, complete), json.dumps(round_data(record))
    if fate == "deleted":
        path.unlink()
    else:
        path.write_text("]" if fate == "broken" else HOUSE.replace("100", "5"))
    for again in (one(text), round_from_data(json.loads(data))):
        assert again == record
        assert differences(replay(again)) == []


def test_a_complete_round_replays_without_its_preset() -> None:
    text = write_round(one(text_of("wsgc-2021(decks=8)")))
    again = one(text.replace("wsgc-2021", "wsgc-2019"))
    assert again.rules.name == "wsgc-2019"
    assert differences(replay(again)) == []
    # These rules are stored nowhere else.
    assert "rules data:" in write_round(again, complete=False)


def test_a_round_for_people_leaves_out_what_a_preset_says() -> None:
    text = write_round(one(text_of("wsgc-2021(decks=8)")), complete=False)
    assert text == (
        "round 1\nrules: wsgc-2021(decks=8)\n"
        f"fingerprint: {fingerprint(load_rules('wsgc-2021(decks=8)'))}\n"
        "dealer: 9s Kh\nspot 1 Ann: base 10\n  Kc 8d / stand\n"
        "  net: hand -10.00; total -10.00\n"
    )


def test_a_wrong_fingerprint_is_reported() -> None:
    rules, stored = load_rules("wsgc-2021"), fingerprint(load_rules("wsgc-2021(decks=8)"))
    message = (
        f"fingerprint: wsgc-2021 has fingerprint {fingerprint(rules)}, but the round was stored "
        f"with {stored}; restore the preset or file, or store rounds with their "
        "rules data"
    )
    with pytest.raises(NotationError) as error:
        one(text_of(f"wsgc-2021\nfingerprint: {stored}"))
    assert str(error.value) == message
    data: dict[str, Any] = round_data(one(text_of()))
    for form in ("wsgc-2021", rules_data(rules)):
        with pytest.raises(NotationError) as error:
            round_from_data(data | {"rules": form, "fingerprint": stored})
        assert str(error.value) == f"1: {message}"
    with pytest.raises(NotationError, match="the round was stored with 7"):
        round_from_data(data | {"fingerprint": 7})
    short = {"game": "spanish", "decks": 6}
    with pytest.raises(NotationError, match=f"stored with {stored}"):
        round_from_data(data | {"rules": short, "fingerprint": stored})


def test_name_and_data_of_the_rules_agree() -> None:
    text = write_round(one(text_of()))
    with pytest.raises(NotationError, match="the name is wsgc-v002, but the data describes wsgc"):
        one(text.replace("rules: wsgc-2021", "rules: wsgc-v002"))
    with pytest.raises(RulesError, match="fingerprint"):
        one(text.replace('"decks":6', '"decks":8'))
    with pytest.raises(NotationError, match="rules data isn't valid JSON"):
        one(text.replace("rules data: {", "rules data: {{"))


@pytest.mark.parametrize(
    "name", ["a #b.toml", "#.toml", "a b.toml", "x; y: z.toml", '"q".toml', "é (1).toml", " s.toml"]
)
def test_any_path_is_written_and_read_back(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(HOUSE)
    record = replace(one(text_of()), rules=load_file(Path(name)))
    text = write_round(record)
    assert one(text) == record
    lines = [line for line in text.splitlines() if not line.startswith("rules data")]
    assert one("\n".join(lines)) == record  # the name on its own gives the same rules


# --- contradictions and limits ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            changed("total -10.00", "total -10.00\n  net: hand -10.00; total -10.00"),
            "line 8, column 3: net: this line appears twice for spot 1; write it once",
        ),
        (
            changed("total -10.00", "total -10.00\n  net: hand +10.00; total +10.00"),
            "line 8, column 3: net: this line appears twice for spot 1",
        ),
        (
            changed("net: hand -10.00", "net: hand +10.00; hand -10.00"),
            "line 7, column 3: net hand: this wager appears twice; write it once",
        ),
        (changed("; total -10.00", "; total -10.00; total 0.00"), "net total: this wager"),
        (changed("; total", "; wibble 0.00; total"), "net 'wibble': not a wager"),
        (changed("; total", "; mtd b9 0.00; total"), "net 'mtd b9': not a wager"),
        (changed("; total", "; jackpot 3 0.00; total"), "net 'jackpot 3': not a wager"),
        (changed("; total", "; hand; total"), "net 'hand': write a wager and its result"),
        (changed("base 10", "base 10, base 10"), "base: this wager appears twice"),
        (changed("base 10", "base 10, up 5, up 5"), "up: this wager appears twice"),
        (changed("base 10", "base 10, jackpot-1 1, jackpot-01 1"), "jackpot-1: this wager appears"),
        (
            changed("base 10", "base 10, wibble 5"),
            "wager 'wibble': Choose from: base, insurance",
        ),
        (changed("base 10", "base 10, up 0"), "up: a wager must be above zero"),
        (changed("base 10", "base 10, jackpot-9 0"), "jackpot-9: a wager must be above zero"),
        (changed("spot 1 Ann: base 10", "spot 1 Ann"), "write it as 'spot 1 Ann: base 10'"),
        (changed("spot 1 Ann: base 10", "spot 1 :"), "write it as 'spot 1 Ann: base 10'"),
        (changed("spot 1 Ann:", 'spot 1 A"nn:'), "write it as 'spot 1 Ann: base 10'"),
        (changed("spot 1 Ann:", 'spot 1 "Ann" x:'), "write it as 'spot 1 Ann: base 10'"),
        (
            changed("spot 1 Ann:", "spot 1 P2:") + "spot 2: base 10\n  Kd 8h / stand\n",
            "spot 2: without a name it is called P2, the name of the player on spot 1",
        ),
        (
            changed("dealer: 9s Kh", "dealer: 9s Kh\ndealer: 9s Kh"),
            "dealer: this line appears twice",
        ),
        (
            changed("dealer:", "fingerprint: x\nfingerprint: x\ndealer:"),
            "fingerprint: this line appears twice in the round",
        ),
        (
            changed("dealer:", "meter 1: 5\nmeter 1: 6\ndealer:", JACKPOT),
            "meter 1: this line appears twice",
        ),
        (
            changed("dealer:", "meter 01: 5\nmeter 1: 5\ndealer:", JACKPOT),
            "meter 1: this line appears twice",
        ),
        (changed("dealer:", "meter 2: 5\ndealer:", JACKPOT), "meter 2: these rules have no such"),
        (changed("dealer:", "meter 0: 5\ndealer:", JACKPOT), "meter 0: these rules have no such"),
        (
            changed("dealer:", "meter 1: 5 rest 999999999\ndealer:", JACKPOT),
            "meter 1: the rest must be ten-thousandths of a cent, from 0 to 9,999 (O-18)",
        ),
        (
            changed("dealer:", "meter 1: 5 rest 10000\ndealer:", JACKPOT),
            "meter 1: the rest must be",
        ),
        ("round 7\nrules: wsgc-2021\ndealer: 9s Kh\n", "round 7: a spot with its cards is missing"),
        (
            changed("  Kc 8d / stand\n  net: hand -10.00; total -10.00\n", ""),
            "a spot with its cards",
        ),
        (changed("dealer: 9s Kh\n", ""), "round 1: the line 'dealer:' is missing"),
        (changed("rules: wsgc-2021\n", ""), "round 1: the line 'rules:' is missing"),
        ("# nothing\n", "no round found"),
        (text_of() + "order: Ann\n", "order 'Ann': write a name, a wager and its result"),
        (
            text_of() + "order: hand +1.00\n",
            "order 'hand +1.00': write a name, a wager and its result",
        ),
        (text_of() + "order: Ann wibble +1.00\n", "write a name, a wager and its result"),
        (text_of() + "order: Ann mtd b9 +1.00\n", "write a name, a wager and its result"),
        ("round 1\n" + "\n8c 8d" * MAX_LINES, "line 1: a round can have at most 1,000 lines"),
    ],
    ids=short,
)
def test_a_round_does_not_contradict_itself(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_rounds(text)
    assert message in str(error.value)


def test_the_largest_rest_of_a_meter_is_kept() -> None:
    record = one(changed("dealer:", "meter 1: 5 rest 9999\ndealer:", JACKPOT))
    assert record.meters == ((500, 9999),)
    assert one(write_round(record)) == record
    assert [(meter.cents, meter.remainder) for meter in replay(record).state.meters] == [
        (500, 9999)
    ]


def test_a_person_may_have_two_spots_and_be_called_like_their_own() -> None:
    text = changed("spot 1 Ann:", "spot 2 P2:") + "spot 3 P2: base 10\n  Kd 8h / stand\n"
    assert [spot.name for spot in one(text).spots] == ["P2", "P2"]


def test_payments_are_read_from_the_right() -> None:
    names = {"Ann": "Ann", "Ann hand": "Ann hand", '"mtd up"': "mtd up", "A  B": "A  B"}
    for text, name in names.items():
        for wager in ("hand", "mtd up", "jackpot 1", "super"):
            [paid] = one(text_of() + f"order:   {text}  {wager} +1.00 ; \n").order
            assert (paid.person, paid.wager, paid.net) == (name, wager, 100)


def test_large_amounts_are_read_back() -> None:
    """Both a win and a meter can exceed the largest wager."""
    limits = "chip_unit=1000000,small_chip_unit=1000000,limit_profile=none,table_minimum=1000000"
    house = f"wsgc-2021({limits},mtd_minimum=1000000,table_maximum=100000000000)"
    text = changed("base 10\n  Kc 8d / stand", "base 100000000000\n  Ac Kd", house)
    record = replace(one(text), spots=())
    won = replace(one(text).spots[0], net=None)
    record = replace(record, spots=(won,))
    played = replay(record)
    assert played.net(1) == {"hand": (3 * LARGEST_AMOUNT // 2,)}
    stated = replace(record, spots=(replace(won, net={"total": (3 * LARGEST_AMOUNT // 2,)}),))
    again = one(write_round(stated))
    assert again == stated
    assert differences(replay(again)) == []
    assert has_stated_results(replay(again))
    assert round_from_data(json.loads(json.dumps(round_data(stated)))) == stated


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("100000000000", LARGEST_AMOUNT),
        ("$100,000,000,000.00", LARGEST_AMOUNT),
        (10**11, LARGEST_AMOUNT),
        ("0", 0),
        ("0.01", 1),
        (0.01, 1),
        ("0000000000000000000000000007.5", 750),
    ],
)
def test_amounts_at_their_bounds(text: object, cents: int) -> None:
    assert parse_amount(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        "100000000000.01",
        10**11 + 1,
        10**5000,
        -1,
        "-0.01",
        "0" * 31,
        "1" * 5000,
        "0.001",
        ".5",
        "",
        float("nan"),
        float("inf"),
        1e20,
        True,
        None,
    ],
    ids=short,
)
def test_amounts_beyond_their_bounds(text: object) -> None:
    with pytest.raises(MoneyError):
        parse_amount(text)


def test_results_have_a_separate_limit() -> None:
    most = LARGEST_RESULT // 100
    read = one(changed("total -10.00", f"total +{most}.00")).spots[0].net
    assert read is not None
    assert read["total"] == (LARGEST_RESULT,)
    with pytest.raises(NotationError, match="an amount can't be more than"):
        one(changed("total -10.00", f"total +{most}.01"))


# --- input that would take forever ----------------------------------------------------------------

MANY = 200_000


@pytest.mark.parametrize(
    "rules",
    ["a" + " " * MANY, "a" + " " * MANY + "(", "(" * MANY, "a.toml " * 2_000, ".toml(" * 3_000],
    ids=short,
)
def test_very_long_rules_are_refused_quickly(rules: str) -> None:
    with pytest.raises(RulesError):
        load_rules(rules + "x")


@pytest.mark.parametrize(
    "line",
    [
        "rules: a" + " " * MANY + "x",
        "spot 1" + " " * MANY + "x",
        "spot 1 " + "a " * MANY,
        "spot 1 " + '"' + "\\" * MANY,
        "round" + " " * MANY + '"',
        "round " + "x" * MANY + '"',
        "meter 1: 5" + " " * MANY + "x",
        "meter 1:" + " " * MANY,
        "order: a" + " " * MANY + "hand",
        "order: " + "a hand " * MANY + "x",
        "  net: hand" + " " * MANY + "x",
        "bonus cards" + " " * MANY + "x",
        "dealer: 9s" + " " * MANY + "/",
        "x" + " " * MANY + "#" * MANY,
        "8c 8d " + "/ " * MANY + "x",
    ],
    ids=short,
)
def test_very_long_lines_are_read_quickly(line: str) -> None:
    """Each of these took quadratic or cubic time, or could have."""
    with pytest.raises((NotationError, RulesError, ValueError)):
        read_rounds(f"round 1\nrules: wsgc-2021\nspot 1 Ann: base 10\n{line}\n")


# --- JSON -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": NaN}', "NaN isn't a number"),
        ('{"a": -Infinity}', "-Infinity isn't a number"),
        ('{"net": 1, "net": 2}', "'net' appears twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "a number that is too long"),
        ("{", "isn't valid JSON"),
    ],
    ids=short,
)
def test_json_that_python_mishandles_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match="the file isn't valid JSON") as error:
        parse_json(text, "the file")
    assert message in str(error.value)


SEAT: dict[str, Any] = {"name": "Ann", "base": 10, "hands": ["Kc 8d / stand"]}


def worked(**changes: Any) -> dict[str, Any]:
    return {
        "id": "W",
        "rules": "wsgc-2021",
        "dealer": {"up": "9s", "down": "Kh"},
        "seats": [SEAT],
    } | changes


def with_seat(**changes: Any) -> dict[str, Any]:
    return worked(seats=[SEAT | changes])


def deep() -> list[Any]:
    nested: list[Any] = []
    for _ in range(10_000):
        nested = [nested]
    return nested


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (worked(id=deep()), "id: must be a string in quotes or a number, not a list"),
        (worked(id=10**5000), "id: must be a string in quotes or a number"),
        (worked(title=deep()), "title: must be a string"),
        (worked(refs=[deep()]), "refs: must be a string"),
        (worked(refs=7), "refs: must be a list in brackets"),
        (with_seat(name=deep()), "seats 1 name: must be a string"),
        (with_seat(base=10**5000), "seats 1 base: an amount can't be more than"),
        (with_seat(base=float("nan")), "seats 1 base: 'nan' isn't an amount"),
        (with_seat(net={"total": 10**5000}), "seats 1 net total: an amount can't be more than"),
        (with_seat(net={"total": -(10**5000)}), "seats 1 net total: an amount can't be more than"),
        (with_seat(net={"total": float("inf")}), "seats 1 net total: 'inf' isn't an amount"),
        (with_seat(net={"wibble": 0}), "'wibble': not a wager"),
        (with_seat(mtd={"wibble": 0}), "mtd wibble: a wager must be above zero"),
        (with_seat(jackpots=[1, 1]), "jackpots: a game appears twice"),
        (with_seat(jackpots=[True]), "jackpots: must be the numbers"),
        (with_seat(jackpots=[10**5000]), "jackpots: must be the numbers"),
        (with_seat(spot=0), "seats 1 spot: must be the number of a spot"),
        (with_seat(spot=True), "seats 1 spot: must be the number of a spot"),
        (worked(meters=[{"amount": 5}]), "meters: these rules have 0 jackpot games, not 1"),
        (
            worked(rules=JACKPOT, meters=[{"amount": 5, "rest": 10_000}]),
            "meters rest: must be ten-thousandths of a cent, from 0 to 9,999",
        ),
        (worked(rules=JACKPOT, meters=[{"amount": 5, "rest": True}]), "meters rest"),
        (
            worked(seats=[SEAT | {"name": "P2"}, {"base": 10, "hands": ["Kc 8d"]}]),
            "spot 2: without a name it is called P2",
        ),
        (worked(seats=[SEAT, SEAT | {"spot": 1}]), "seats: two spots have the same number"),
    ],
)
def test_invalid_worked_json_gets_one_sentence(data: dict[str, Any], message: str) -> None:
    with pytest.raises((NotationError, MoneyError)) as error:
        replay(round_from_data(data))
    assert message in str(error.value)


SPLIT = (RecordedAction("split"),)


def cards(text: str) -> tuple[int, int]:
    first, second = parse_cards(text)
    return first, second


@pytest.mark.parametrize(
    ("dealt", "hands", "lines"),
    [
        ("8c 8d", ["8c 3h", "8d Kc"], ["8c 8d /", "8c 3h", "8d Kc"]),
        ("8d 8c", ["8c 3h", "8d Kc"], ["8c 8d /", "8c 3h", "8d Kc"]),
        (
            "8c 8d",
            ["8c 3h", "8h 2c", "8d Kc"],
            ["8c 8d /", "8c 8h /", "8c 3h", "8h 2c", "8d Kc"],
        ),
        (
            "8c 8d",
            ["8c 3h", "8d Kc", "8h 2c"],
            ["8c 8d /", "8c 3h", "8d 8h /", "8d Kc", "8h 2c"],
        ),
        (
            "8c 8d",
            ["8c 3h", "8h 2c", "8d Kc", "8s 5d"],
            ["8c 8d /", "8c 8h /", "8c 3h", "8h 2c", "8d 8s /", "8d Kc", "8s 5d"],
        ),
        (
            "8c 8d",
            ["8c 3h", "8s 2c", "8h Kc", "8d 5d"],
            ["8c 8d /", "8c 8h /", "8c 8s /", "8c 3h", "8s 2c", "8h Kc", "8d 5d"],
        ),
    ],
)
def test_split_hands_of_worked_json_come_in_playing_order(
    dealt: str, hands: list[str], lines: list[str]
) -> None:
    spot = round_from_data(with_seat(dealt=dealt, hands=hands)).spots[0]
    assert spot.hands == tuple(
        HandRecord(cards(line.removesuffix(" /")), SPLIT if line.endswith("/") else ())
        for line in lines
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hands": []}, "hands: a spot must have at least one"),
        (
            {"hands": ["8c 3h", "8d Kc"]},
            "dealt: must be the original two cards of the split spot",
        ),
        ({"hands": ["8c 3h", "8d Kc"], "dealt": "8c"}, "dealt: must be the original two cards"),
        (
            {"hands": ["8c 3h", "8d Kc"], "dealt": "8c 8h"},
            "split hands must start with the original",
        ),
        (
            {"hands": ["8c 3h", "8d Kc"], "dealt": "7c 8d"},
            "split hands must start with the original",
        ),
        ({"dealt": "Kc 9d"}, "dealt: must be the first two cards"),
    ],
)
def test_split_hands_that_do_not_fit_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        round_from_data(with_seat(**changes))
