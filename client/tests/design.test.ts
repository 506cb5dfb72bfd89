import { describe, expect, it } from "vitest";
import { changesOf, nearestFirst, onFront, rangeText, rowsOf } from "../src/study/design.svelte";
import type { SolutionData } from "../src/wire";

const solution = (found: Partial<SolutionData>): SolutionData => ({
  rules: "",
  fingerprint: "",
  pays: {},
  changes: [],
  departures: [],
  house_edge: 0,
  on_front: true,
  file: null,
  ...found,
});

describe("a design", () => {
  it("varies only pay rows once the options are set", () => {
    const options = new Set(["decks", "soft_17"]);
    expect(rowsOf("decks, bonus,soft_17", options)).toBe("bonus");
    expect(rowsOf("decks", options)).toBe("none");
    expect(rowsOf("", options)).toBe("none");
    expect(rowsOf("5-card 21, 6-card 21", options)).toBe("5-card 21,6-card 21");
  });
  it("writes a range of two ends", () => {
    expect([rangeText("0.6", "0.9"), rangeText("", " 1.2 "), rangeText("44", ""), rangeText("", " ")]).toEqual(["0.6..0.9", "..1.2", "44..", ""]);
  });
  it("lists the rule sets nearest to the document first", () => {
    const far = solution({ rules: "far", departures: ["x"] });
    const changed = solution({ rules: "changed", changes: ["decks=8"], house_edge: 0.001 });
    const two = solution({ rules: "two", changes: ["decks=8"], pays: { "5-card 21": "2 to 1" } });
    const same = solution({ rules: "same", house_edge: 0.01 });
    expect(changesOf(two)).toBe(2);
    expect(nearestFirst([far, two, changed, same]).map((one) => one.rules)).toEqual(["same", "changed", "two", "far"]);
  });
  it("marks what no other beats", () => {
    const spots = [
      { edge: 1, other: 3 },
      { edge: 2, other: 2 },
      { edge: 2, other: 2 },
      { edge: 2, other: 3 },
      { edge: 3, other: 1 },
    ];
    expect(onFront(spots)).toEqual([true, true, true, false, true]);
  });
});
