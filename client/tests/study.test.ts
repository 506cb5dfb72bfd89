import { describe, expect, it } from "vitest";
import { effectBars, signedNumber } from "../src/study/count";
import { edgeFigure, perHundred, oneIn, points } from "../src/study/format";
import { fixesIn, readJackpots, readRules, whoDecides, withChange, writeJackpots, writeRules } from "../src/study/rules";
import { csvText, figuresOf } from "../src/lib/download";
import { spanOf } from "../src/plots/Bars.svelte";
import { rankChanges, changeBars, type ChangeLine } from "../src/study/ruleChanges.svelte";

describe("rules as text", () => {
  it("are parsed and formatted again", () => {
    const text = "wsgc-2021(decks=8,soft_17=stand,jackpots=3c:1:wager=5+4d:1)";
    expect(writeRules(readRules(text))).toBe(text);
    expect(readRules(" wsgc-2021( decks = 8 ) ").changes).toEqual(new Map([["decks", "8"]]));
    expect(readRules("blackjack")).toEqual({ preset: "blackjack", changes: new Map() });
  });
  it("replace an earlier change of the same option", () => {
    expect(withChange("wsgc-2021", "decks", "8")).toBe("wsgc-2021(decks=8)");
    expect(withChange("wsgc-2021(decks=8,rescue=off)", "decks", "2")).toBe("wsgc-2021(decks=2,rescue=off)");
  });
  it("say who decides an option", () => {
    const option = { name: "", value: "", meaning: "", sources: [], allowed: [], departs: false, our_reading: null };
    expect(whoDecides({ ...option, standing: "fixed", allowed: ["late"] })).toBe("fixed by the document");
    expect(whoDecides({ ...option, standing: "house", allowed: ["hit", "stand"] })).toBe("up to the house: hit, stand");
    expect(whoDecides({ ...option, standing: "house" })).toBe("up to the house");
    expect(whoDecides({ ...option, standing: "silent" })).toBe("our reading; the document doesn't say");
    expect(whoDecides({ ...option, standing: "silent", our_reading: "shoe" })).toBe("the document doesn't say; our reading is shoe");
    expect(whoDecides({ ...option, standing: "fixed", allowed: ["late"], departs: true })).toBe("departs from late");
  });
  it("keep the settings of their jackpots", () => {
    const games = readJackpots("3c:2:wager=5:seed=1000+4d");
    expect(games).toEqual([
      { table: "3c", payTable: "2", rest: "wager=5:seed=1000" },
      { table: "4d", payTable: "1", rest: "" },
    ]);
    expect(writeJackpots(games)).toBe("3c:2:wager=5:seed=1000+4d:1");
    expect(writeJackpots([{ table: "", payTable: "1", rest: "" }])).toBe("none");
    expect(readJackpots("none")).toEqual([]);
  });
  it("find the fixes in a message that the user can choose", () => {
    const known = (name: string): boolean => name !== "nothing";
    expect(fixesIn("Use double_double=off or soft_17=hit.", known)).toEqual([
      { name: "double_double", value: "off" },
      { name: "soft_17", value: "hit" },
    ]);
    expect(fixesIn("Use nothing=1.", known)).toEqual([]);
  });
});

describe("figures", () => {
  it("show all digits of an edge, with a sign", () => {
    expect(edgeFigure(0.00416871)).toBe("0.416871");
    expect(edgeFigure(-0.0001)).toBe("−0.010000");
    expect(points(0.00258)).toBe("+0.258");
    expect(points(-0.00791)).toBe("−0.791");
    expect(points(0.000002)).toBe("+0.00020");
    expect(points(0)).toBe("0.000");
    expect(perHundred(0.00416871)).toBe("42¢");
    expect(perHundred(0.0247)).toBe("$2.47");
  });
  it("show odds as one in n", () => {
    expect(oneIn(1 / 668382)).toBe("668,382");
    expect(oneIn(0.1541)).toBe("6.49");
    expect(oneIn(0)).toBeNull();
  });
});

describe("the value of rule changes", () => {
  const line = (name: string, change?: number, kind: ChangeLine["kind"] = "option"): ChangeLine => ({
    name,
    words: name,
    kind,
    rules: null,
    fingerprint: "",
    change,
  });
  const lines = [line("a", -0.001), line("b", 0.002), line("c"), line("d", -0.003), line("e", 0), line("f", -1, "row")];

  it("lists gains first, then the costliest, and omits unknown and zero values", () => {
    expect(rankChanges(lines, "option").map((one) => one.name)).toEqual(["b", "d", "a"]);
  });
  it("becomes bars that can be clicked if the change can be applied", () => {
    let taken = "";
    const takeable = { ...line("a", -0.003), rules: "wsgc-2021" };
    const [first, second] = changeBars([takeable, line("b", 0.001)], (rules) => (taken = rules));
    first?.choose?.();
    expect(taken).toBe("wsgc-2021");
    expect(second?.choose).toBeUndefined();
    expect([first?.figure, second?.figure]).toEqual(["−0.300", "+0.100"]);
    expect(spanOf([-0.003, 0.001])).toEqual({ low: -0.003, high: 0.001 });
    expect(spanOf([0.002])).toEqual({ low: 0, high: 0.002 });
  });
});

describe("effects of removal", () => {
  const effect = (card: string, value: number) => ({ card, effect_per_wager: value });

  it("have one bar per rank, unless its suits differ", () => {
    const bars = effectBars([
      effect("2", 0.0005),
      ...["6c", "6d", "6h"].map((card) => effect(card, 0.00083)),
      effect("6s", 0.00082),
      ...["7c", "7d", "7h", "7s"].map((card) => effect(card, -0.0001)),
    ]);
    expect(bars.map((bar) => [bar.name, bar.figure])).toEqual([
      ["2", "+0.050"],
      ["6 ♣♦♥", "+0.083"],
      ["6 ♠", "+0.082"],
      ["7", "−0.010"],
    ]);
  });
  it("merge ten-value cards with the same effects", () => {
    const bars = effectBars(
      ["T", "J", "Q", "K"].flatMap((rank) => [effect(`${rank}c`, -0.0045), effect(`${rank}d`, -0.0053), effect(`${rank}h`, -0.0045), effect(`${rank}s`, -0.0045)]),
    );
    expect(bars.map((bar) => [bar.name, bar.figure])).toEqual([
      ["10 J Q K ♣♥♠", "−0.450"],
      ["10 J Q K ♦", "−0.530"],
    ]);
  });
  it("name ten-value cards as the chart does", () => {
    expect(effectBars([effect("10", 0.001)], "face").map((bar) => bar.name)).toEqual(["face"]);
    expect(effectBars([effect("10", 0.001)]).map((bar) => bar.name)).toEqual(["10"]);
  });
  it("show signs, except for zero", () => {
    expect([1, 0, -1].map((tag) => signedNumber(tag))).toEqual(["+1", "0", "−1"]);
    expect(signedNumber(-0.04, 1)).toBe("0");
  });
});

describe("the figures of a page as CSV", () => {
  it("are its large figures, facts and tables", () => {
    document.body.innerHTML = `<main>
      <p data-figure="House edge">−0.776829<small>%</small></p>
      <dl class="facts"><div><dt>Wins</dt><dd>1 in 6.49</dd></div></dl>
      <table><caption class="sr">Change one option</caption><tr><th>Decks: "2"</th><td class="cell"></td><td>+0.258</td></tr></table>
    </main>`;
    expect(csvText(figuresOf(document.body))).toBe(
      ['', '"House edge","-0.776829%"', '"Wins","1 in 6.49"', '', '"Change one option"', '"Decks: ""2""","+0.258"', ''].join("\r\n"),
    );
  });
});
