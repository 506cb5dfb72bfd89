// Minimal messages for tests.
import type { AskData, EventsMessage, Payment, RoundData, SeatData, Snapshot, EventText, WireEvent } from "../../src/wire";

export const seat = (number: number, more: Partial<SeatData> = {}): SeatData => ({
  seat: number,
  person: String(10 + number),
  name: `Guest ${number}`,
  status: "here",
  spots: [number],
  stack: 50_000,
  ready: false,
  ...more,
});

export const round = (number: number, more: Partial<RoundData> = {}): RoundData => ({
  number,
  stage: "wagers",
  dealer: [],
  dealer_words: null,
  bonus_cards: [],
  spots: [],
  meters: [],
  ...more,
});

export const ask = (n: number, more: Partial<AskData> = {}): AskData => ({
  n,
  kind: "wagers",
  spots: [3],
  hand: 0,
  until: null,
  told: { text: "Wagers are open." },
  options: [],
  ...more,
});

export const snapshot = (n: number, more: Partial<Snapshot> = {}): Snapshot =>
  ({
    type: "snapshot",
    n,
    table: { id: 1, name: "Table 1", seats: 7, jackpots: {}, status: "open" },
    seats: [seat(3)],
    shoe: { number: 1, cuts: {} },
    round: null,
    ask: null,
    story: [],
    scene: [],
    ...more,
  }) as Snapshot;

export const events = (n: number, list: WireEvent[], more: Partial<EventsMessage> = {}): EventsMessage => ({
  type: "events",
  n,
  events: list,
  told: list.map((event) => ({ text: `${event.event}.` })),
  after: list.map(() => null),
  round: null,
  ask: null,
  stacks: {},
  seats: null,
  shoe: null,
  ...more,
});

export const payment = (more: Partial<Payment> = {}): Payment => ({
  wager: "hand",
  title: "Hand",
  spot: 3,
  hand: 0,
  stake: 2_500,
  paid: 5_000,
  net: 2_500,
  odds: "even money",
  reason: "20 against 19",
  rule: "R-078",
  tag: "20 against 19",
  amount: "+$25",
  ...more,
});

export const told = (text: string, more: Partial<EventText> = {}): EventText => ({ text, ...more });
