// The dock offers only what is possible now and survives a reload.
import { describe, expect, it } from "vitest";
import { Betting } from "../../src/table/betting.svelte";
import { LiveTable } from "../../src/table/live.svelte";
import { Playing } from "../../src/table/play.svelte";
import { settings } from "../../src/lib/settings.svelte";
import type { ActionOption, AskData, RoundData, WagerOption, WireEvent } from "../../src/wire";
import { ask, events, payment, round, snapshot, told } from "./wire";

const silent = {
  open: () => {
    throw new Error("no line here");
  },
  token: () => Promise.resolve(null),
  now: () => 0,
  later: () => () => undefined,
  key: () => "",
};
const base: WagerOption = { kind: "wager", wager: "hand", spots: [3], legal: true, least: 500, most: 30_000, unit: 100, required: true, needs: [], at_most: null, code: "", rules: [], reason: "", fixed: null };
const hit: ActionOption = { kind: "action", name: "hit", spot: 3, hand: 0, legal: true, chips: 0, least_chips: 0, unit: 0, back: 0, code: "", rules: [], reason: "", covered: true };
const wagers = (n: number): AskData => ask(n, { options: [base] });
const decision = (n: number, spot = 3): AskData => ask(n, { kind: "decision", spots: [spot], options: [{ ...hit, spot }] });

function sitting(asked: AskData | null, now: Partial<RoundData> = {}, number = 1) {
  const table = new LiveTable(number, silent);
  table.you = { type: "you", person: "13", seat: 3, client: 1, token_until: null, stack: 50_000, wallet: 0 };
  table.onSnapshot(snapshot(1, { ask: asked, round: round(8, now) }));
  const betting = new Betting(table);
  table.onEvent = ({ event }) => event.event === "StageReached" && event.stage === "deal" && betting.dealt();
  table.onIdle = () => betting.follow();
  betting.follow();
  return { table, betting, playing: new Playing(table, betting) };
}

const card: WireEvent = { event: "CardDealt", card: 29, place: "player", spot: 3, hand: 0 };
const stood = (spot: number): WireEvent => ({ event: "HandStood", spot, hand: 0 });
const placed: WireEvent = { event: "WagersPlaced", spot: 3, person: "13", base: 2_500, mtd: {}, jackpots: {} };
const deal: WireEvent = { event: "StageReached", stage: "deal" };

function moving(): void {
  settings.chosen.speed = 1;
  document.documentElement.style.cssText = "--t-deal: 100ms; --t-gap: 100ms; --t-panel: 100ms; --t-slide: 100ms; --t-note: 100ms; --t-pay: 100ms";
}

describe("the dock", () => {
  it("offers no bets while cards are dealt", () => {
    moving();
    const { table, playing } = sitting(wagers(1));
    expect(playing.kind).toBe("bet");
    table.onEvents(events(2, [placed, deal, card, card], { ask: decision(9) }), false);
    expect(table.idle).toBe(false);
    expect(playing.kind).toBe("wait");
    table.skip();
    expect(playing.kind).toBe("decision");
  });

  it("offers no action while others play, and keeps the row between two decisions of one hand", () => {
    moving();
    const { table, playing } = sitting(decision(1), { stage: "play" });
    table.onEvents(events(2, [card, card], { ask: decision(4) }), false);
    expect(table.idle).toBe(false);
    expect(playing.kind).toBe("decision");
    table.skip();
    table.onEvents(events(5, [stood(3), stood(4)], { ask: decision(7, 4) }), false);
    expect(table.idle).toBe(false);
    expect(playing.kind).toBe("wait");
  });

  it("keeps the last hand in view until a wager is chosen", () => {
    settings.chosen.speed = 0;
    const { table, betting } = sitting(wagers(1));
    const settled: WireEvent = { event: "WagerSettled", spot: 3, hand: 0, wager: "hand", stake: 2_500, paid: 5_000, odds: "", rule: "", reason: "", meter: 0 };
    const up: WireEvent = { event: "CardDealt", card: 13, place: "up", spot: 0, hand: 0 };
    const opened: WireEvent = { event: "RoundOpened", number: 9, shoe: 1, meters: {}, remainders: {} };
    const list = [placed, deal, card, up, settled, opened];
    const said = list.map((event) => (event === settled ? told("You win.", { payment: payment() }) : null));
    table.onEvents(events(2, list, { told: said, ask: wagers(7), round: round(9), stacks: { "3": 52_500 } }), false);
    expect(betting.isLookingBack).toBe(true);
    expect(betting.board).toBe(0);
    expect(table.felt.spots[3]?.hands[0]?.tag?.kind).toBe("win");
    expect(betting.lastTotal).toBe(2_500);
    betting.add(3, "hand");
    expect(betting.isLookingBack).toBe(false);
    expect(betting.board).toBe(3);
  });

  it("remembers the chosen chip and the wagers to repeat across reloads", () => {
    settings.chosen.speed = 0;
    const { table, betting } = sitting(wagers(1));
    betting.choose(2_500);
    table.onEvents(events(2, [placed, deal, card], { ask: decision(9) }), false);
    const reloaded = sitting(decision(9), { stage: "play" }).betting;
    expect(reloaded.chip).toBe(2_500);
    expect(reloaded.lastTotal).toBe(2_500);
    expect(sitting(wagers(1), {}, 2).betting.lastTotal, "at another table there is nothing to repeat").toBe(0);
  });

  it("says how much of a chip was added if it doesn't fit", () => {
    const { table, betting } = sitting(wagers(1));
    betting.add(3, "hand", 2_500);
    expect(table.toast).toBe("");
    betting.add(3, "hand", 50_000);
    expect(betting.laid(3).hand).toBe(30_000);
    expect(table.toast).toBe("Only $275 of the $500 chip fits. The wager is now $300.");
  });
});
