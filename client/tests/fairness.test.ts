// The browser's verifier against the test vector of docs/fairness.md and the golden record.
import GOLDEN from "../../tests/golden/shoe_record.json?raw";
import { describe, expect, it } from "vitest";
import { checkVector } from "../src/house/fairness/vector";
import { verify, type Step } from "../src/house/fairness/verify";
import type { RecordData } from "../src/wire";

const record = (): RecordData => JSON.parse(GOLDEN) as RecordData;

async function steps(given: RecordData): Promise<Step[]> {
  const found: Step[] = [];
  for await (const step of verify(given)) found.push(step);
  return found;
}
const fault = async (given: RecordData) => (await steps(given)).at(-1)?.fault;

/** The record with one change. */
function tampered(change: (given: RecordData) => void): RecordData {
  const given = record();
  change(given);
  return given;
}
const other = (hex: string): string => (hex[0] === "0" ? "1" : "0") + hex.slice(1);

describe("the shoe check in the browser", () => {
  it("reproduces the test vector", async () => {
    expect((await checkVector()).filter((line) => !line.holds)).toEqual([]);
  });

  it("accepts a valid record with split hands and a reshuffle", async () => {
    const found = await steps(record());
    expect(found.map((step) => step.name)).toEqual(["commitment", "cuts", "mix", "order", "cards", "ending"]);
    expect(found.every((step) => !step.fault)).toBe(true);
    expect(found[1]?.found).toEqual({ opened: 2, withheld: 1 });
    expect(found[4]?.found).toEqual({ cards: 57, rounds: 3, reshuffles: 1 });
  });

  it.each<[string, (given: RecordData) => void]>([
    ["commitment", (given) => (given.seed = other(given.seed))],
    ["commitment", (given) => (given.context.decks = 2)],
    ["cut", (given) => (given.cuts[0]!.value = other(given.cuts[0]!.value!))],
    ["mix", (given) => (given.cuts[1]!.value = null)],
    ["mix", (given) => (given.mix = other(given.mix))],
    ["card", (given) => (given.rounds[0]!.events[3]!.card = 25)],
    ["card", (given) => given.rounds[1]!.events.splice(0, 1)],
    ["down_card", (given) => (given.rounds[0]!.events.find((event) => event.event === "DownCardExposed")!.card = 0)],
    ["not_finished", (given) => given.rounds[2]!.events.pop()],
    ["ending", (given) => (given.ended = "void")],
    ["format", (given) => (given.recipe = "ventiuna-shoe-2")],
  ])("reports a fault of type %s", async (code, change) => {
    expect((await fault(tampered(change)))?.code).toBe(code);
  });

  it("reports the wrong card and its round", async () => {
    const found = await fault(tampered((given) => (given.rounds[0]!.events[3]!.card = 25)));
    expect(found).toEqual({ code: "card", round: 17, card: 4, ofShoe: 4, record: "7d", shoe: "7c" });
  });
});
