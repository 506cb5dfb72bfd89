import { describe, expect, it } from "vitest";
import { add, chipsOf, command, doubled, example, placedWagers, put, same, take, typed, type Options } from "../../src/table/wagers";
import type { Wager, WagerOption } from "../../src/wire";

const option = (wager: Wager, more: Partial<WagerOption> = {}): [Wager, WagerOption] => [
  wager,
  { kind: "wager", wager, spots: [3], legal: true, least: 500, most: 30_000, unit: 100, required: false, needs: ["hand"], at_most: null, code: "", rules: [], reason: "", fixed: null, ...more },
];
const options: Options = new Map([
  option("hand", { needs: [], required: true }),
  option("mtd up", { least: 100, at_most: "hand" }),
  option("mtd down", { least: 100, needs: ["hand", "mtd up"] }),
  option("mtd b3", { least: 100 }),
  option("mtd b5", { legal: false, reason: "There is no Bonus Card 5 here.", rules: ["R-021"] }),
  option("jackpot 2", { least: 500, most: 500, fixed: 500 }),
]);
const MUCH = 1_000_000;

describe("wagers", () => {
  it("grow by chips, starting at the minimum", () => {
    expect(add(options, {}, "hand", 100, MUCH)).toEqual({ laid: { hand: 500 } });
    expect(add(options, { hand: 500 }, "hand", 2_500, MUCH)).toEqual({ laid: { hand: 3_000 } });
    expect(add(options, { hand: 29_000 }, "hand", 2_500, MUCH)).toEqual({ laid: { hand: 30_000 } });
  });

  it("say why they aren't allowed", () => {
    expect(add(options, {}, "mtd up", 500, MUCH)).toMatchObject({ reason: "Place the base wager first." });
    expect(add(options, { hand: 500 }, "mtd b5", 500, MUCH)).toEqual({ reason: "There is no Bonus Card 5 here.", rules: ["R-021"] });
    expect(add(options, { hand: 30_000 }, "hand", 500, MUCH)).toMatchObject({ reason: "At most $300." });
    expect(add(options, { hand: 500, "mtd up": 500 }, "mtd up", 500, MUCH)).toMatchObject({ reason: "No more than the base wager, $5." });
    expect(put(options, {}, "hand", 550, MUCH)).toMatchObject({ reason: "In steps of $1." });
    expect(add(options, { hand: 500 }, "hand", 500, 300)).toMatchObject({ reason: "You have $3 left." });
  });

  it("are removed with the wager they depend on", () => {
    const laid = { hand: 500, "mtd up": 500, "mtd down": 500 };
    expect(take(options, laid, "hand", 500)).toEqual({});
    expect(take(options, laid, "mtd up", 500)).toEqual({ hand: 500 });
  });

  it("are typed in one line", () => {
    expect(typed(options, "25 up 5 b3 5 j2", MUCH)).toEqual({ laid: { hand: 2_500, "mtd up": 500, "mtd b3": 500, "jackpot 2": 500 } });
    expect(typed(options, "$25, up $5", MUCH)).toEqual({ laid: { hand: 2_500, "mtd up": 500 } });
    expect(typed(options, "7.5", MUCH)).toMatchObject({ reason: "In steps of $1." });
    expect(typed(options, "25 sideways 5", MUCH)).toMatchObject({ reason: expect.stringContaining("sideways") as string });
    expect(typed(options, "25 up", MUCH)).toMatchObject({ reason: expect.stringContaining("up") as string });
    expect(typed(options, "25 b5", MUCH)).toMatchObject({ reason: "There is no Bonus Card 5 here." });
    expect(typed(options, "up 5 25", MUCH)).toMatchObject({ reason: "Place the base wager first." });
    expect(typed(options, "25 25", MUCH)).toMatchObject({ reason: "The base wager appears twice. Type it once." });
    expect(typed(options, "25 up 5 up 5", MUCH)).toMatchObject({ reason: "The Up Card appears twice. Type it once." });
    expect(typed(options, "0", MUCH)).toMatchObject({ reason: "The base wager can't be $0. Type an amount or leave it out." });
    expect(typed(options, "25 b1 5", MUCH)).toMatchObject({ reason: "Bonus Card 1 isn't offered here." });
  });

  it("are explained with examples from this table", () => {
    expect(example(options)).toBe("25 up 5 b3 5 j2");
    expect(example(new Map([option("hand", { needs: [] })]))).toBe("25");
    expect(typed(new Map([option("hand", { needs: [] })]), "x", MUCH)).toMatchObject({
      reason: "“x” isn't an amount or a wager. Type wagers like 25.",
    });
  });

  it("double as far as allowed", () => {
    expect(doubled(options, { hand: 2_500, "mtd up": 500, "jackpot 2": 500 }, MUCH)).toEqual({ hand: 5_000, "mtd up": 1_000, "jackpot 2": 500 });
    expect(doubled(options, { hand: 20_000, "mtd up": 500 }, MUCH)).toEqual({ hand: 20_000, "mtd up": 1_000 });
    expect(doubled(options, { hand: 2_500, "mtd up": 500 }, 2_600)).toEqual({ hand: 5_000, "mtd up": 500 });
  });

  it("survive the wire format", () => {
    const laid = { hand: 2_500, "mtd up": 500, "jackpot 2": 500 };
    const sent = command(3, "13", laid);
    expect(sent).toEqual({ command: "PlaceWagers", spot: 3, base: 2_500, person: "13", mtd: { up: 500 }, jackpots: { "2": 500 } });
    expect(same(placedWagers({ base: sent.base, mtd: sent.mtd ?? {}, jackpots: sent.jackpots ?? {} }), laid)).toBe(true);
  });

  it("are drawn with at most six chips", () => {
    expect(chipsOf(4_700)).toEqual([25, 5, 5, 5, 5, 1]);
    expect(chipsOf(0)).toEqual([]);
    expect(chipsOf(50)).toEqual([1]);
  });
});
