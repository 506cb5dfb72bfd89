import { describe, expect, it } from "vitest";
import { counted, put, readPlace, takeBack } from "../src/study/hand";
import { partsOf, searched } from "../src/study/ruleNumbers";
import { axisOf, band, decades, edgeAxis, path, scale, short, thinned } from "../src/plots/scales";
import { ofBreakEven } from "../src/study/format";
import type { RuleReference } from "../src/wire";

describe("axes", () => {
  it("cover both ends with round ticks", () => {
    const axis = axisOf(0.0031, 0.0118);
    expect(axis.low).toBeLessThanOrEqual(0.0031);
    expect(axis.high).toBeGreaterThanOrEqual(0.0118);
    expect(axis.ticks.length).toBeGreaterThan(3);
    expect(axis.ticks.length).toBeLessThan(9);
    expect(axisOf(5, 5).high).toBeGreaterThan(5);
  });
  it("map values to pixels, also inverted", () => {
    const y = scale({ low: 0, high: 10, ticks: [] }, 100, 0);
    expect([y(0), y(5), y(10)]).toEqual([100, 50, 0]);
  });
  it("show the exact edge and the band once it has settled", () => {
    const points = Array.from({ length: 16 }, (_, at) => ({ rounds: 1000 * 2 ** at, ev: -0.01, standard_error: at < 2 ? 1 : 0.001 }));
    const axis = edgeAxis(points, 0.004);
    expect(axis.low).toBeLessThanOrEqual(0.004);
    expect(axis.high).toBeLessThan(0.05);
    expect(edgeAxis([], null).high).toBeGreaterThan(0);
  });
  it("have a mark at each power of ten, and at least one decade", () => {
    expect(decades(1_000, 30_000_000).ticks).toEqual([3, 4, 5, 6, 7]);
    expect(decades(1_000_000, 1_000_000)).toEqual({ low: 6, high: 7, ticks: [6, 7] });
  });
  it("draw lines and bands", () => {
    const points = [
      { x: 0, y: 5, low: 7, high: 3 },
      { x: 10, y: 6, low: 9, high: 2 },
    ];
    expect(path(points)).toBe("M0.0 5.0L10.0 6.0");
    expect(band(points)).toBe("M0.0 3.0L10.0 2.0L10.0 9.0L0.0 7.0Z");
    expect(path([])).toBe("");
  });
  it("shorten large numbers and long lists", () => {
    expect([short(1_500_000), short(250_000), short(7)]).toEqual(["1.5 M", "250 k", "7"]);
    const list = Array.from({ length: 100 }, (_, at) => at);
    expect(thinned(list, 5)).toEqual([0, 25, 50, 74, 99]);
    expect(thinned([1, 2], 5)).toEqual([1, 2]);
  });
});

describe("a hand's cards", () => {
  const place = readPlace(new URLSearchParams("cards=8s 6s&up=4d&without=7h,7h,xx"));
  it("come from the address, without anything that isn't a card", () => {
    expect(place).toEqual({ cards: ["8s", "6s"], up: "4d", out: ["7h", "7h"] });
    expect(counted(place.out)).toEqual([{ card: "7h", times: 2 }]);
  });
  it("move into a zone and back, one at a time", () => {
    expect(put(place, "7h", "hand").cards).toEqual(["8s", "6s", "7h"]);
    expect(put(place, "Kc", "up").up).toBe("Kc");
    expect(takeBack(place, "7h", "out").out).toEqual(["7h"]);
    expect(takeBack(place, "Kc", "hand")).toEqual(place);
  });
});

describe("rule numbers", () => {
  it("are found in text", () => {
    expect(partsOf("See R-036 (D-12).").map((part) => part.number)).toEqual(["", "R-036", "", "D-12", ""]);
    expect(partsOf("no number")).toEqual([{ text: "no number", number: "" }]);
  });
  it("are searched by all words", () => {
    const one = (number: string, text: string): RuleReference => ({ number, section: "", title: "", text, built: "", documents: [], clauses: [], mentions: [], decided: [], no_money: "", options: [] });
    const numbers = [one("R-057", "Rescue after a double"), one("R-036", "Late surrender")];
    expect(searched(numbers, "double rescue").map((found) => found.number)).toEqual(["R-057"]);
    expect(searched(numbers, "")).toHaveLength(2);
  });
});

describe("a meter", () => {
  it("is in the middle at its break-even point", () => {
    expect(ofBreakEven(100, 100)).toBe(0.5);
    expect(ofBreakEven(500, 100)).toBe(1);
    expect(ofBreakEven(1, 0)).toBe(0);
  });
});
