"""The table at every window size: nothing overlaps, whatever is wagered and won."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import People
from tests.browser.houses import BrowserHouse
from tests.browser.playing import FULL, Sitting, opened
from tests.server.live_house import AtTable

Shot = Callable[[Page, str], None]
SIZES = (
    (1440, 900),
    (1024, 768),
    (2560, 1080),
    (768, 1024),
    (844, 390),
    (390, 844),
    (360, 640),
)
# Every hand is a six and a seven, and so is every Bonus Card, so all side bets of all spots win.
SIXES = "6h 7h 6s 7s 6h 7h"
BONUS = "7h 6h 7s 6s 7h"
SEVENS = "7c 6c 7d 6d 7c 6c"
ALL = "10 up 1 down 1 b1 1 b2 1 b3 1 b4 1 b5 1 j1 j2"
SIDES = {"up": 100, "down": 100, "b1": 100, "b2": 100, "b3": 100, "b4": 100, "b5": 100}
# Parts by name. Cards and chips of the same spot may touch; nothing else may.
PARTS = """() => {
  const shown = (node) => {
    const box = node.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && getComputedStyle(node).visibility === "visible";
  };
  const all = (selector, name) =>
    [...document.querySelectorAll(selector)].filter(shown).map((node) => [name, node]);
  const parts = [
    ...all(".sides", "strip"),
    ...all(".pay", "tag"),
    ...all(".spot-at .name", "name"),
    ...all(".board[role=group]", "board"),
    ...all(".meter, .pmeters", "meter"),
    ...all(".tray, .pside", "shoe"),
    ...all(".total", "total"),
    ...all(".pays", "print"),
    ...all(".lay .card, .pcards .card", "card"),
    ...all(".slot, .bonus-slot:not(.filled), .pslot", "slot"),
    ...all(".circle, .bet-at .amt", "chips"),
    ...all(".prest", "others"),
    ...all(".ptabs, .psides", "tabs"),
    ...all(".dock, .plow", "dock"),
    ...all(".ticker p", "ticker"),
  ];
  // Letters printed along an arc have no node of their own.
  const letter = (arc, at) => {
    const { x, y, width, height } = arc.getExtentOfChar(at);
    const seen = arc.getScreenCTM();
    const from = new DOMPoint(x, y).matrixTransform(seen);
    const to = new DOMPoint(x + width, y + height).matrixTransform(seen);
    const box = { left: from.x, top: from.y, right: to.x, bottom: to.y };
    const textContent = `${arc.textContent.trim()}: letter ${at + 1}`;
    return { textContent, closest: () => null, getBoundingClientRect: () => box };
  };
  for (const arc of document.querySelectorAll(".print .arc"))
    for (let at = 0; at < arc.getNumberOfChars(); at += 1) parts.push(["arc", letter(arc, at)]);
  const isPair = (one, other) => {
    const names = [one[0], other[0]];
    // Cards and chips may lie on what is printed there, as on a real felt; totals may not.
    if (names.includes("arc")) return names.includes("total");
    if (one[1].contains(other[1]) || other[1].contains(one[1])) return false;
    return !names.every((name) => name === "card" || name === "chips");
  };
  const words = (node) => node.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
  const felt = document.querySelector("main").getBoundingClientRect();
  const boxOf = (node) => {
    const box = node.getBoundingClientRect();
    if (!node.closest(".pfelt")) return box;
    const [top, bottom] = [Math.max(box.top, felt.top), Math.min(box.bottom, felt.bottom)];
    return { left: box.left, right: box.right, top, bottom }; // a small felt scrolls
  };
  const said = ([name, node]) => `${name} ${words(node)}`;
  const found = [];
  parts.forEach((one, index) => {
    for (const other of parts.slice(index + 1)) {
      if (!isPair(one, other)) continue;
      const a = boxOf(one[1]), b = boxOf(other[1]);
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const size = `${x.toFixed()} x ${y.toFixed()}`;
      if (x > 2 && y > 2) found.push(`${said(one)} / ${said(other)}: ${size}`);
    }
  });
  for (const [name, node] of parts) {
    const box = node.getBoundingClientRect();
    if (name === "others" || name === "tabs") continue; // they scroll
    const leaves = box.left < -2 || box.right > innerWidth + 2;
    if (leaves) found.push(`${said([name, node])}: leaves the window`);
  }
  for (const node of document.querySelectorAll(".board[role=group], .phand")) {
    const box = node.getBoundingClientRect();
    const isCut = box.top < felt.top - 2 || box.bottom > felt.bottom + 2;
    if (isCut) found.push(`${words(node)} is cut off`);
  }
  return found;
}"""


@contextmanager
def beside(house: BrowserHouse, table: int, spots: list[int]) -> Iterator[Callable[[], None]]:
    """Seat Ben at these spots with every wager, and yield a function that plays his next round."""
    with AtTable(house, table, "Ben") as ben:
        ben.do("TakeSeat", seat=spots[0])
        ben.do("BuyChips", amount=100_000)
        ben.do("ChooseSpots", spots=spots)
        person = str(house.people["Ben"].id)

        def bet() -> None:
            ask = ben.wait_for_ask("wagers")
            for spot in spots:
                wagers = {"base": 1000, "mtd": SIDES, "jackpots": {"1": 100, "2": 100}}
                ben.do("PlaceWagers", ask["n"], spot=spot, person=person, **wagers)
            ben.do("Ready", ask["n"])

        yield bet


def check(page: Page, stage: str, shot: Shot) -> list[str]:
    """Overlaps found at every window size."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.evaluate(
            "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))"
        )
        shot(page, f"{stage}-{width}x{height}")
        found += [f"{stage} {width}x{height}: {one}" for one in page.evaluate(PARTS)]
    page.set_viewport_size(ViewportSize(width=1440, height=900))
    return found


@pytest.mark.parametrize("mine", [[4], [4, 5], [3, 4, 5]], ids=["one", "two", "three"])
def test_nothing_overlaps(
    shared_house: BrowserHouse, people: People, shot: Shot, mine: list[int]
) -> None:
    others = [spot for spot in (1, 2, 6, 7) if spot not in mine][:3]
    count = len(mine) + len(others)
    cards = [*SIXES.split()[:count], "6d", *SEVENS.split()[:count], "Kd", *BONUS.split()]
    table = opened(shared_house, FULL, " ".join(cards))
    path = f"#/table/{table}"
    page = people.page(shared_house, "Ana", path=path, settings={"coach": "off"})
    ana = Sitting(page).take(mine[0])
    for spot in mine[1:]:
        page.get_by_role("button", name=f"Play spot {spot}", exact=True).click()
        expect(page.locator(f'[data-spot="{spot}"]')).to_contain_text("You")
    expect(page.locator(".light").first).to_be_visible()
    found = check(page, "empty", shot) if len(mine) == 3 else []
    for spot in mine:
        page.keyboard.press(str(spot))
        ana.wager(ALL)
    with beside(shared_house, table, others) as bet:
        bet()
        expect(page.locator(f'[data-spot="{others[-1]}"]')).to_contain_text("$19")
        found += check(page, "wagers", shot)
        ana.deal()
        with AtTable(shared_house, table, "Ben") as ben:
            for spot in sorted([*mine, *others]):
                if spot in mine:
                    # With several spots, check the spot too, because the previous spot's prompt may
                    # still be showing.
                    ana.turn(f"spot {spot}: 13" if len(mine) > 1 else "13 against a 6")
                    if spot in (mine[0], 4):  # 4 is right below the dealer
                        found += check(page, "turn", shot)
                    ana.play("s")
                else:
                    while ben.ask is None or ben.ask["spots"] != [spot]:
                        ben.next_message()
                    ben.do("Stand", ben.ask["n"], spot=spot)
        ana.over()
        found += check(page, "over", shot)
    assert not found, "\n".join(found)


# Cumulative layout shift as browsers count it: the worst burst, at most five seconds long.
SHIFTS = """() => new Promise((done) => {
  let worst = 0, sum = 0, first = 0, last = 0, parts = [];
  const add = (list) => list.getEntries().forEach((one) => {
    if (one.hadRecentInput) return;
    const at = one.startTime;
    if (at - last > 1000 || at - first > 5000) [sum, first] = [0, at];
    [sum, last] = [sum + one.value, at];
    worst = Math.max(worst, sum);
    const moved = one.sources.map(({ node }) => node?.className ?? node?.nodeName);
    parts.push(`${one.value.toFixed(3)} ${moved.join(", ")}`);
  });
  new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done([worst, parts]), 200);
})"""
MOST_SHIFT = 0.05


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["desk", "phone"])
def test_nothing_jumps_through_a_round(
    shared_house: BrowserHouse, people: People, size: tuple[int, int]
) -> None:
    table = opened(shared_house, FULL, "6h 6d 7s Kd 7h 6h 7s 6s 7h 2c 9s")
    window = ViewportSize(width=size[0], height=size[1])
    page = people.page(shared_house, "Ana", path=f"#/table/{table}", size=window)
    ana = Sitting(page).take(4)
    ana.circle("hand").click()
    ana.circle("mtd b3").click()
    ana.deal()
    ana.turn("13 against a 6")
    widths = "() => [...document.querySelectorAll('.act')].map((one) => one.offsetWidth)"
    before = page.evaluate(widths)
    ana.press("h")
    ana.turn("15 against a 6")
    after = page.evaluate(widths)
    assert after == before, "the buttons keep their width"
    ana.press("s")
    ana.over()
    assert page.evaluate("document.activeElement !== document.body"), "focus is never lost"
    worst, parts = page.evaluate(SHIFTS)
    assert worst <= MOST_SHIFT, parts


# A long task blocks the page: clicks and motion have to wait for it.
WATCH_TASKS = """() => {
  window.tasks = [];
  const add = (list) => tasks.push(...list.getEntries().map((one) => Math.round(one.duration)));
  window.taskObserver = new PerformanceObserver(add);
  taskObserver.observe({ type: "longtask" });
}"""
# The observer reports a task a little after it ends.
TAKE_TASKS = """() => new Promise((done) => setTimeout(() => done(tasks.splice(0)), 200))"""
LONGEST_TASK = 200  # milliseconds; 65 to 97 were measured on a busy machine


def test_no_task_blocks_the_page_during_a_round(shared_house: BrowserHouse, people: People) -> None:
    """A task's duration is wall time, so it also grows when other processes take the cores.

    Such a pause hits a round by chance, but slow code is slow in every round. That is why one
    round without a long task is enough, and a busy machine gets several tries.
    """
    table = opened(
        shared_house, FULL, *(f"6h 6d 7s Kd 3{x} 4{x} 5{x} 8{x} 9{x} 2{x} 9s" for x in "cdhs")
    )
    page = people.page(shared_house, "Ana", path=f"#/table/{table}", motion=True)
    ana = Sitting(page).take(4)
    page.evaluate(WATCH_TASKS)
    seen = []
    for _ in range(4):
        page.evaluate(TAKE_TASKS)
        ana.deal("10 b3 5")
        ana.turn("13 against a 6")
        ana.press("h")
        ana.turn("15 against a 6")
        ana.press("s")
        ana.over()
        seen.append(page.evaluate(TAKE_TASKS))
        if max(seen[-1], default=0) <= LONGEST_TASK:
            return
    pytest.fail(f"long tasks in every round, in milliseconds: {seen}")
