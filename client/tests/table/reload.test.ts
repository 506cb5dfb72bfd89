// Whoever reloads the page sees what somebody sees who stayed: rounds recorded by the server's own code.
import { describe, expect, it } from "vitest";
import { adopt, emptyFelt, fold, takeSnapshot, type Felt } from "../../src/table/felt";
import { stepsOf } from "../../src/table/queue";
import type { EventsMessage } from "../../src/wire";
import { recordedRounds, type Moment } from "./recorded";

const tables = recordedRounds();

/** What a window does with a message, without its motion. */
function follow(felt: Felt, message: EventsMessage, adopts: boolean): void {
  for (const { event, told, after } of stepsOf(message)) fold(felt, event, told, after);
  for (const [seat, stack] of Object.entries(message.stacks)) {
    expect(felt.stacks[seat] ?? 0, `chips of seat ${seat} after event ${message.n}`).toBe(stack);
  }
  felt.stacks = { ...message.stacks };
  if (message.seats) felt.seats = message.seats;
  if (message.shoe) felt.shoe = message.shoe;
  if (adopts && message.round) adopt(felt, message.round);
}

/** Everything that is seen; lost side wagers are shown only for a moment. */
function seen(felt: Felt): unknown {
  const plain = JSON.parse(JSON.stringify(felt, (name, value: unknown) => (name === "key" ? undefined : value))) as Felt;
  plain.spots = Object.fromEntries(
    Object.entries(plain.spots)
      .filter(([, spot]) => spot.hands.length || spot.base || spot.tags.length)
      .map(([number, spot]) => [number, { ...spot, tags: spot.tags.filter((tag) => tag.kind !== "loss") }]),
  );
  return plain;
}

describe("a reload at any moment of any round", () => {
  it.each([
    ["with the server's view after each message", true],
    ["with the events alone", false],
  ])("shows what the events have shown, %s", (_, adopts) => {
    let compared = 0;
    for (const moments of tables) {
      const stayed = emptyFelt();
      takeSnapshot(stayed, (moments[0] as Moment).snapshot);
      for (const { events, snapshot } of moments.slice(1)) {
        follow(stayed, events, adopts);
        const reloaded = emptyFelt();
        takeSnapshot(reloaded, snapshot);
        stayed.seats = snapshot.seats; // stacks are written there too
        if (!adopts) stayed.meters = reloaded.meters = {}; // a house's own jackpot begins with the seed of its rules
        expect(seen(reloaded), `after event ${snapshot.n}`).toEqual(seen(stayed));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(150);
  });

  it("has rounds with splits, doubles and Bonus Cards among them", () => {
    const names = new Set(tables.flat().flatMap(({ events }) => events.events.map((event) => event.event)));
    for (const name of ["HandSplit", "HandDoubled", "BonusCardsLocked", "HandRemoved", "SupervisorCalled"]) expect(names).toContain(name);
  });
});
