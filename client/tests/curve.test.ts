import { describe, expect, it } from "vitest";
import { drawn } from "../src/coach/curve";
import { itemWords } from "../src/coach/types";

const point = (net: number, expected: number, deviation: number) => ({ table: 1, round: 1, at: 0, net, expected, deviation });

describe("the balance curve", () => {
  it("begins at zero, holds the band and ends at the right edge", () => {
    const lines = drawn([point(100, -10, 50), point(-200, -20, 70)], 480, 160);
    expect(lines.line.startsWith(`M0.0 ${lines.zero.toFixed(1)}`)).toBe(true);
    expect(lines.line).toContain("480.0");
    const heights = [...(lines.band + lines.line).matchAll(/[ML][\d.]+ (-?[\d.]+)/g)].map((found) => Number(found[1]));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...heights)).toBeLessThanOrEqual(160);
  });
  it("draws a session without rounds", () => {
    expect(drawn([], 480, 160).line).toBe("M0.0 160.0");
  });
});

describe("a class of hands", () => {
  it("is said in words", () => {
    const against = (hand: string, up: string) => `${hand} against ${up}`;
    expect(itemWords("soft 17 v A", against)).toBe("soft 17 against A");
    expect(itemWords("insurance", against)).toBe("Insurance");
  });
});
