"""conformance/verify.html checks shoes from a disk, without a network and without our server."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.axe import check_axe
from tests.browser.conftest import PATIENCE
from tests.conformance_kit import KIT, PAGE
from tests.conformance_kit import page as written_page
from tests.table.records import played_record
from ventiuna.table.shoe_record import RecordError, record_data, record_from_data, verify

GOLDEN = Path(__file__).parents[1] / "golden" / "shoe_record.json"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """The page as a regulator opens it: from the disk, with the network switched off."""
    context = browser.new_context(offline=True)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    asked: list[str] = []
    errors: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.goto(PAGE.as_uri())
    yield opened
    assert asked == [PAGE.as_uri()], "the page asked for something"
    assert errors == []
    context.close()


def faults(page: Page, records: list[Json]) -> list[str]:
    found: list[str] = page.evaluate("records => records.map((one) => check(one).fault)", records)
    return found


def test_the_page_holds_the_kits_vectors() -> None:
    assert written_page() == PAGE.read_text("utf-8")


def test_the_page_tests_itself_with_every_vector(page: Page) -> None:
    shoes = len((KIT / "shoes.jsonl").read_text("utf-8").splitlines())
    expect(page.locator("#self")).to_have_text(
        f"Yes: {shoes} test vectors and the example come out right, in this browser, just now."
    )
    check_axe(page)


def test_a_wrong_vector_would_be_noticed(page: Page) -> None:
    question = json.loads((KIT / "shoes.jsonl").read_text("utf-8").splitlines()[0])["question"]
    right, other = page.evaluate(
        "(one) => [shoeVector(one), shoeVector({...one, seed: 'f' + one.seed.slice(1)})]", question
    )
    assert not {right[name] for name in ("commitment", "mix", "order", "again")} & {
        other[name] for name in ("commitment", "mix", "order", "again")
    }


def test_a_record_is_checked_from_a_file_and_from_text(page: Page) -> None:
    page.set_input_files("#file", GOLDEN)
    expect(page.locator("#verdict")).to_contain_text("The record checks out.")
    expect(page.locator("#steps li")).to_have_count(5)
    expect(page.locator(".card")).to_have_count(57)
    record = json.loads(GOLDEN.read_text("utf-8"))
    record["rounds"][0]["events"][3]["card"] = 25
    page.fill("#text", json.dumps(record))
    page.click("#check")
    expect(page.locator("#verdict")).to_have_text(
        "Wrong: Round 17, card 4: the record has 7d, but the shoe has 7c (step 8)."
    )
    expect(page.locator(".card.wrong")).to_have_count(1)
    page.fill("#text", "{")
    page.click("#check")
    expect(page.locator("#verdict")).to_have_text("Wrong: This isn't a record in JSON.")


def test_every_lie_of_the_kit_is_found(page: Page) -> None:
    cases = [json.loads(line) for line in (KIT / "records.jsonl").read_text("utf-8").splitlines()]
    found = faults(page, [case["question"]["record"] for case in cases])
    assert [not fault for fault in found] == [case["answer"]["holds"] for case in cases]


@pytest.mark.parametrize(
    "rules",
    [
        "wsgc-2021(decks=2,mtd_configuration=3,bonus_cards=4,cut_card=100)",
        "super-fun-21(cut_card=100,burn_cards=3)",
    ],
)
def test_the_page_agrees_with_the_house_about_changed_records(page: Page, rules: str) -> None:
    """Change one value anywhere in a record: both verifiers agree on whether it is valid."""
    generator = random.Random(rules)
    honest: Json = json.loads(json.dumps(record_data(played_record(rules, 2, 5))))
    records = [honest, *(_changed(honest, generator) for _ in range(60))]
    ours = [_holds(record) for record in records]
    assert ours[0]
    assert ours.count(False) > 25
    assert [not fault for fault in faults(page, records)] == ours


def _holds(record: Json) -> bool:
    try:
        return verify(record_from_data(record)).holds
    except RecordError:
        return False


def _changed(honest: Json, generator: random.Random) -> Json:
    record = copy.deepcopy(honest)
    if generator.random() < 0.4:
        part = record[generator.choice(["context", "cuts"])]
        part = generator.choice(part) if isinstance(part, list) else part
    else:
        part = generator.choice(generator.choice(record["rounds"])["events"])
    key = generator.choice([name for name in part if name != "event"])
    old = part[key]
    if isinstance(old, int):
        part[key] = old + generator.choice([-1, 1, 7])
    elif isinstance(old, str) and len(old) == 64:
        part[key] = ("1" if old[0] == "0" else "0") + old[1:]
    else:
        part[key] = generator.choice([None, "dealer", "x", 3])
    return record


def test_the_page_cannot_send_anything(page: Page) -> None:
    """Its own policy forbids it, even with a network."""
    sent = page.evaluate("fetch('https://example.com/').then(() => 'sent', () => 'blocked')")
    assert sent == "blocked"
    policy = page.locator("meta[http-equiv]").get_attribute("content")
    assert policy is not None
    assert policy.startswith("default-src 'none';")
    assert "src=" not in PAGE.read_text("utf-8").replace("default-src", "")
