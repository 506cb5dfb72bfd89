import { describe, expect, it } from "vitest";
import { adopt, emptyFelt, fold, sideBetState, takeSnapshot, type Felt } from "../../src/table/felt";
import type { After, EventText, WireEvent } from "../../src/wire";
import { payment, round, snapshot, told } from "./wire";

const card = (value: number | null, hand = 0, spot = 3): WireEvent => ({ event: "CardDealt", card: value, place: "player", spot, hand });

function dealt(...more: WireEvent[]): Felt {
  const felt = emptyFelt();
  takeSnapshot(felt, snapshot(1));
  const list: WireEvent[] = [
    { event: "RoundOpened", number: 8, shoe: 1, meters: {}, remainders: {} },
    { event: "WagersPlaced", spot: 3, person: "13", base: 2_500, mtd: { up: 500 }, jackpots: {} },
    { event: "StageReached", stage: "deal" },
    card(29),
    { event: "CardDealt", card: 13, place: "up", spot: 0, hand: 0 },
    card(31),
    { event: "CardDealt", card: null, place: "down", spot: 0, hand: 0 },
    ...more,
  ];
  for (const event of list) fold(felt, event, null, null);
  return felt;
}

const cards = (felt: Felt, hand = 0): (number | null)[] => felt.spots[3]?.hands[hand]?.cards.map((shown) => shown.card) ?? [];

describe("the felt", () => {
  it("shows the dealt cards, with the down card face down", () => {
    const felt = dealt();
    expect(cards(felt)).toEqual([29, 31]);
    expect(felt.dealer.map((shown) => shown.card)).toEqual([13, null]);
    expect(felt.spots[3]?.hands[0]?.piles).toEqual([2_500]);
  });

  it("puts the up card before a down card that was dealt first", () => {
    const felt = emptyFelt();
    takeSnapshot(felt, snapshot(1));
    for (const [place, value] of [["down", null], ["up", 13]] as const)
      fold(felt, { event: "CardDealt", card: value, place, spot: 0, hand: 0 }, null, null);
    expect(felt.dealer.map((shown) => shown.card)).toEqual([13, null]);
    fold(felt, { event: "DownCardExposed", card: 5 }, null, null);
    expect(felt.dealer.map((shown) => shown.card)).toEqual([13, 5]);
  });

  it("turns the down card over in place", () => {
    const felt = dealt();
    const { key } = felt.dealer[1] ?? { key: "" };
    fold(felt, { event: "DownCardExposed", card: 5 }, null, null);
    expect(felt.dealer[1]).toMatchObject({ key, card: 5 });
  });

  it("keeps a card that moves to a split hand", () => {
    const felt = dealt();
    const key = felt.spots[3]?.hands[0]?.cards[1]?.key;
    fold(felt, { event: "HandSplit", spot: 3, hand: 0, amount: 2_500 }, null, null);
    expect(felt.spots[3]?.hands[1]?.cards[0]?.key).toBe(key);
    expect(felt.spots[3]?.hands.map((hand) => hand.piles)).toEqual([[2_500], [2_500]]);
  });

  it("puts the card of a double sideways and its chips next to the first", () => {
    const felt = dealt({ event: "HandDoubled", spot: 3, hand: 0, amount: 2_000 }, card(7));
    expect(felt.spots[3]?.hands[0]?.cards.map((shown) => shown.sideways)).toEqual([false, false, true]);
    expect(felt.spots[3]?.hands[0]?.piles).toEqual([2_500, 2_000]);
  });

  it("uses the server's text and amounts, never its own", () => {
    const felt = dealt();
    const after: After = {
      hands: [{ spot: 3, hand: 0, count: "soft 99", words: "soft 99 sings" }],
      dealer: { text: "Dealer hums" },
      money: { spot: 3, in_play: 7, net: -1, riding: { "mtd up": 500 } },
    };
    fold(felt, { event: "HandStood", spot: 3, hand: 0 }, null, after);
    expect(felt.spots[3]?.hands[0]).toMatchObject({ count: "soft 99", words: "soft 99 sings" });
    expect(felt.dealerWords?.text).toBe("Dealer hums");
    expect(felt.spots[3]).toMatchObject({ inPlay: 7, net: -1 });
    expect(sideBetState(felt.spots[3] as never, "mtd up")).toBe("rides");
  });

  it("puts a payment at its wager and takes its chips away", () => {
    const felt = dealt();
    const event: WireEvent = { event: "WagerSettled", spot: 3, hand: 0, wager: "hand", stake: 2_500, paid: 5_000, odds: "even money", rule: "R-078", reason: "20 against 19", meter: 0 };
    fold(felt, event, told("You win $25.", { payment: payment() }), null);
    expect(felt.spots[3]?.hands[0]).toMatchObject({ piles: [], tag: { kind: "win" } });
    const side = payment({ wager: "mtd up", hand: null, net: -500, paid: 0, amount: "−$5" });
    fold(felt, { ...event, wager: "mtd up" }, told("No match.", { payment: side }), null);
    expect(sideBetState(felt.spots[3] as never, "mtd up")).toBe("lost");
  });

  it("takes the server's view of the round without moving correct cards", () => {
    const felt = dealt();
    const keys = felt.spots[3]?.hands[0]?.cards.map((shown) => shown.key);
    const hand = { cards: [29, 31], total: 16, soft: false, blackjack: false, wager: 2_500, doublings: 0, status: "waiting" as const, on_table: true, count: "16", words: "16" };
    const spot = { number: 3, person: "13", name: "Ana", base: 2_500, mtd: {}, jackpots: {}, insurance: null, hands: [hand], in_play: 2_500, net: 0, riding: {} };
    adopt(felt, round(8, { stage: "play", dealer: [13, null], spots: [spot] }));
    expect(felt.spots[3]?.hands[0]?.cards.map((shown) => shown.key)).toEqual(keys);
    expect(felt.spots[3]?.hands[0]?.words).toBe("16");
  });

  it("keeps the last round's cards and payments until a wager is placed on their spot", () => {
    const felt = dealt();
    const event: WireEvent = { event: "WagerSettled", spot: 3, hand: 0, wager: "hand", stake: 1, paid: 2, odds: "", rule: "", reason: "", meter: 0 };
    fold(felt, event, told("You win.", { payment: payment() }), null);
    fold(felt, { event: "HandRemoved", spot: 3, hand: 0 }, null, null);
    expect(felt.spots[3]?.hands[0]?.onTable).toBe(false);
    fold(felt, { event: "RoundClosed", number: 8 }, null, null);
    fold(felt, { event: "RoundOpened", number: 9, shoe: 1, meters: {}, remainders: {} }, null, null);
    expect(felt).toMatchObject({ round: 9, past: true });
    expect(felt.dealer).toHaveLength(2);
    expect(cards(felt)).toEqual([29, 31]);
    expect(felt.spots[3]).toMatchObject({ base: 0, inPlay: 0, hands: [{ onTable: true, tag: { kind: "win" } }] });
    adopt(felt, round(9));
    expect(cards(felt)).toEqual([29, 31]);
    fold(felt, { event: "WagersPlaced", spot: 3, person: "13", base: 2_500, mtd: {}, jackpots: {} }, null, null);
    expect(felt.spots[3]?.hands).toEqual([]);
    expect(felt.dealer).toHaveLength(2);
    fold(felt, { event: "StageReached", stage: "deal" }, null, null);
    expect(felt.dealer).toEqual([]);
  });

  it("marks a hand that stands because time ran out", () => {
    const felt = dealt({ event: "TimeRanOut", ask: 5 }, { event: "HandStood", spot: 3, hand: 0 });
    expect(felt.spots[3]?.hands[0]).toMatchObject({ status: "standing", late: true });
    expect(dealt({ event: "HandStood", spot: 3, hand: 0 }).spots[3]?.hands[0]?.late).toBe(false);
  });

  it("keeps the dealer's advice next to its hand until the player acts", () => {
    const felt = dealt();
    fold(felt, { event: "AdviceGiven", spot: 3, hand: 0, advice: "hit_eleven" }, told("Hit: you can't bust."), null);
    expect(felt.spots[3]?.advice).toBe("Hit: you can't bust.");
    fold(felt, card(3), null, null);
    expect(felt.spots[3]?.advice).toBe("");
  });

  it("shows a nonsensical stream as it is", () => {
    const felt = emptyFelt();
    takeSnapshot(felt, snapshot(1));
    // no rule allows any of this: 23 aces, a hand from nowhere, a payment before the deal, a second down card
    const stream: [WireEvent, EventText | null, After | null][] = [
      [{ event: "WagerSettled", spot: 6, hand: 2, wager: "hand", stake: 1, paid: 999, odds: "9 to 0", rule: "R-999", reason: "why not", meter: 0 }, told("It pays.", { payment: payment({ spot: 6, hand: 2, tag: "why not, 9 to 0", amount: "+$9" }) }), null],
      ...Array.from({ length: 23 }, (): [WireEvent, null, After] => [card(0, 4, 6), null, { hands: [{ spot: 6, hand: 4, count: "minus 3", words: "minus 3 smiles" }] }]),
      [{ event: "CardDealt", card: null, place: "down", spot: 0, hand: 0 }, null, { dealer: { text: "Dealer shows nothing" } }],
      [{ event: "CardDealt", card: null, place: "down", spot: 0, hand: 0 }, null, null],
      [{ event: "DownCardExposed", card: 51 }, null, null],
      [{ event: "HandSplit", spot: 2, hand: 1, amount: 77 }, null, null],
      [{ event: "HandDoubled", spot: 2, hand: 9, amount: 1 }, null, null],
      [{ event: "BonusCardsLocked" }, null, null],
      [{ event: "MeterLowered", game: 2, amount: 500, reason: "moths" }, null, null],
      [{ event: "HandRemoved", spot: 7, hand: 0 }, null, null],
    ];
    for (const [event, said, after] of stream) fold(felt, event, said, after);
    expect(felt.spots[6]?.hands[2]?.tag?.payment.tag).toBe("why not, 9 to 0");
    expect(felt.spots[6]?.hands[4]?.cards).toHaveLength(23);
    expect(felt.spots[6]?.hands[4]?.words).toBe("minus 3 smiles");
    expect(felt.dealer.map((shown) => shown.card)).toEqual([51, null]);
    expect(felt.dealerWords?.text).toBe("Dealer shows nothing");
    expect(felt.spots[2]?.hands[2]?.piles).toEqual([77]);
    expect(felt.spots[2]?.hands[9]?.piles).toEqual([1]);
    expect(felt.locked).toBe(true);
    expect(felt.meters["2"]).toBe(-500);
  });
});
