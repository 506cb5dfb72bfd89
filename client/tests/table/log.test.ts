import { expect, it } from "vitest";
import { soundOf } from "../../src/table/sound";
import { logLine, talkLines } from "../../src/table/logLines";
import type { EventText, Payment, WireEvent } from "../../src/wire";

const payment = (wager: Payment["wager"], net: number, spot = 4): Payment => ({ wager, net, spot, hand: null, amount: `${net}` }) as Payment;
const told = (text: string, more: Partial<EventText> = {}): EventText => ({ text, rules: [], strong: false, you: {}, payment: null, ...more }) as EventText;
const line = (n: number, text: EventText, round = 1) => logLine(n, "WagerSettled", text, "7", round);

it("leaves out what a dealer wouldn't say", () => {
  const lines = [line(1, told("The house commits to shoe 1: 6e9a65c5.", { talk: "" })), line(2, told("Round 1 is open for wagers.", { talk: "Place your bets." })), line(3, told("You hit."))];
  expect(talkLines(lines).map((one) => one.talk)).toEqual(["Place your bets.", "You hit."]);
});

it("puts the side bets that a spot loses at once on one line", () => {
  const lost = (n: number, spot = 4) => line(n, told(`Bonus Card ${n}, $1: no match; you lose $1.`, { payment: payment("mtd b1", -100, spot), talk: `Bonus Card ${n}: no match.` }));
  const shown = talkLines([lost(1), lost(2, 3), lost(3), line(4, told("You hit.")), lost(5)]);
  expect(shown.map((one) => one.losses.map((loss) => loss.n))).toEqual([[1, 3], [2], [], [5]]);
  const won = line(7, told("Bonus Card 3: suited.", { payment: payment("mtd b3", 900) }));
  expect(talkLines([lost(1), won, lost(3)]).map((one) => one.losses.length)).toEqual([2, 0]); // in the same settlement
  const hand = line(6, told("Your hand, $5: bust with 26; you lose $5.", { payment: payment("hand", -500) }));
  expect(talkLines([lost(1), hand])[1]?.losses).toEqual([]); // a hand keeps its own line
});

it("shows only the last wagers of a series of chips", () => {
  const wager = (n: number, text: string) => logLine(n, "WagersPlaced", told(text), "7", 1);
  const lines = [wager(1, "You wager $5."), wager(2, "You wager $10."), wager(3, "Ben wagers $5."), wager(4, "You wager $15.")];
  expect(talkLines(lines).map((one) => one.n)).toEqual([2, 3, 4]);
});

it("has sounds for cards and chips only", () => {
  const sounds = (event: string, more = {}) => soundOf({ event, ...more } as unknown as WireEvent, [4]) !== null;
  expect([sounds("CardDealt"), sounds("WagersPlaced", { spot: 4 }), sounds("WagersPlaced", { spot: 3 })]).toEqual([true, true, false]);
  expect([sounds("WagerSettled", { spot: 4, stake: 5, paid: 10 }), sounds("WagerSettled", { spot: 4, stake: 5, paid: 0 }), sounds("RoundOpened")]).toEqual([true, false, false]);
});
