// Names, bars and numbers of counting data.

import type { Bar } from "../plots/Bars.svelte";
import type { CardEffect } from "../wire";
import { points } from "./format";

const SUITS: Record<string, string> = { c: "♣", d: "♦", h: "♥", s: "♠" };
const ALL = Object.values(SUITS).join("");

const TEN = "10"; // name of all ten-value cards in the data

/** The name of a card in the chart of these rules. */
export const cardName = (card: string, ten: string): string => (card === TEN ? ten : card);

/** "6c" as rank and suit symbol; a rank whose suits are equivalent has no symbol. */
function parts(card: string): [rank: string, suit: string] {
  const suit = SUITS[card.slice(-1)];
  return suit ? [card.slice(0, -1), suit] : [card, ""];
}

/** One bar per card. Suits with the same figure share a bar. */
export function effectBars(effects: CardEffect[], ten = TEN): Bar[] {
  const bars: (Bar & { rank: string })[] = [];
  for (const { card, effect_per_wager: value } of effects) {
    const [rank, suit] = parts(cardName(card, ten));
    const last = bars.at(-1);
    if (last?.rank === rank && last.figure === points(value)) last.name += suit;
    else bars.push({ rank, key: card, name: `${rank} ${suit}`.trim(), value, figure: points(value), title: (100 * value).toFixed(9) });
  }
  for (const bar of bars) if (bar.name.endsWith(ALL)) bar.name = bar.rank;
  return bars;
}

const MINUS = "−";

/** Format a tag or a count with one decimal: +1, 0, −1. */
export function signedNumber(value: number, places = 0): string {
  const text = Math.abs(value).toFixed(places);
  return Number(text) === 0 ? text : `${value > 0 ? "+" : MINUS}${text}`;
}
