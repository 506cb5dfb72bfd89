// After a reload, the page shows what it would have shown without one. Rounds are recorded by the server's code.
import { describe, expect, it } from "vitest";
import { adopt, emptyFelt, fold, takeSnapshot, type Felt } from "../../src/table/felt";
import { stepsOf } from "../../src/table/queue";
import type { EventsMessage } from "../../src/wire";
import { recordedRounds, type Moment } from "./recorded";

const tables = recordedRounds();

/** Process a message as a window does, without motion. */
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

/** Everything visible. Lost side bets are shown only for a moment. */
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
  ])("shows the same as the events, %s", (_, adopts) => {
    let compared = 0;
    for (const moments of tables) {
      const stayed = emptyFelt();
      takeSnapshot(stayed, (moments[0] as Moment).snapshot);
      for (const { events, snapshot } of moments.slice(1)) {
        follow(stayed, events, adopts);
        const reloaded = emptyFelt();
        takeSnapshot(reloaded, snapshot);
        stayed.seats = snapshot.seats; // otherwise, its stacks may be out of date
        if (!adopts) stayed.meters = reloaded.meters = {}; // a house jackpot starts at the seed of its rules
        expect(seen(reloaded), `after event ${snapshot.n}`).toEqual(seen(stayed));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(150);
  });

  it("covers splits, doubles and Bonus Cards", () => {
    const names = new Set(tables.flat().flatMap(({ events }) => events.events.map((event) => event.event)));
    for (const name of ["HandSplit", "HandDoubled", "BonusCardsLocked", "HandRemoved", "SupervisorCalled"]) expect(names).toContain(name);
  });
});
