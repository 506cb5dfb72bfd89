// Counting, as `ventiuna count effects` and `count design` tell it with --json.

import type { Bar } from "../plots/Bars.svelte";
import { points } from "./figures";

export interface EffectsData {
  wagers: { wager: string; value_per_wager: number; effects: { card: string; effect_per_wager: number }[] }[];
}

interface Turn {
  at_count: number;
  play: string;
  earns_per_wager: number;
}

export interface IndexData {
  hand: string;
  after: string | null;
  bonus: string | null;
  cards: string | null;
  up: string;
  usual: string;
  from: Turn | null;
  below: Turn | null;
  earns_per_wager: number;
}

export interface CountData {
  counts: {
    tags: { card: string; tag: number }[];
    betting_correlation: number | null;
    insurance_correlation: number | null;
    playing_efficiency: number | null;
    slope_per_wager: number;
    break_even_at_count: number | null;
  }[];
  indices?: IndexData[];
  insurance_at_count?: number | null;
}

const SUITS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
const ALL = Object.values(SUITS).join("");

/** "6c" as its rank and the sign of its suit; a rank whose suits are alike has none. */
function parts(card: string): [rank: string, suit: string] {
  const suit = SUITS[card.slice(-1)];
  return suit ? [card.slice(0, -1), suit] : [card, ""];
}

/** One bar a card; suits of a rank that come to the same figure share theirs. */
export function effectBars(effects: EffectsData["wagers"][number]["effects"]): Bar[] {
  const bars: (Bar & { rank: string })[] = [];
  for (const { card, effect_per_wager: value } of effects) {
    const [rank, suit] = parts(card);
    const last = bars.at(-1);
    if (last?.rank === rank && last.figure === points(value)) last.name += suit;
    else bars.push({ rank, key: card, name: `${rank} ${suit}`.trim(), value, figure: points(value), title: (100 * value).toFixed(9) });
  }
  for (const bar of bars) if (bar.name.endsWith(ALL)) bar.name = bar.rank;
  return bars;
}

const MINUS = "−";

/** +1, 0, −1: a tag, or a count with one place. */
export function signedNumber(value: number, places = 0): string {
  const text = Math.abs(value).toFixed(places);
  return Number(text) === 0 ? text : `${value > 0 ? "+" : MINUS}${text}`;
}
