import { expect, it } from "vitest";
import { edgeAt, PracticeShoe, tagOf } from "../src/coach/countDrill";
import { cardOf } from "../src/lib/cards";
import type { CountReportData } from "../src/wire";

const tags = [
  { card: "2", tag: 1 },
  { card: "7s", tag: 0.5 },
  { card: "7", tag: 0 },
  { card: "10", tag: -1 },
];
const card = (text: string): number => cardOf(text) as number;

it("finds the tag of a card, of its rank, or of all ten-value cards", () => {
  expect(["2c", "7s", "7h", "Td", "Kc", "9c"].map((name) => tagOf(tags, card(name)))).toEqual([1, 0.5, 0, -1, -1, 0]);
});

it("keeps the running count and the true count of every card dealt", () => {
  const counts = { "2c": 2, Kc: 2, "9c": 2, "7s": 2 };
  const shoe = new PracticeShoe({ cards: 8, counts }, { tags, start: -2 });
  expect([shoe.running, shoe.decks, shoe.true]).toEqual([-4, 2, -2]);
  const dealt = [...shoe.deal(3), ...shoe.deal(3)];
  const sum = dealt.reduce((all, one) => all + tagOf(tags, one), 0);
  expect(shoe.running).toBe(-4 + sum);
  expect(shoe.true).toBe((-4 + sum) / 0.5);
  expect(shoe.isOver).toBe(true);
  const rest = shoe.deal(2);
  expect([...dealt, ...rest].sort()).toEqual(Object.entries(counts).flatMap(([name, number]) => Array(number).fill(card(name))).sort());
});

it("puts the edge at zero where the count breaks even", () => {
  const report = { ev: -0.008, slope_per_wager: 0.005, break_even_at_count: -2.4 } as CountReportData;
  expect(edgeAt(report, -2.4)).toBe(0);
  expect(edgeAt(report, -1.4)).toBeCloseTo(0.005);
  expect(edgeAt({ ...report, break_even_at_count: null }, 9)).toBe(-0.008);
});
