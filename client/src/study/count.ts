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

const isTen = (bar: { ranks: string[] }): boolean => "TJQK".includes(bar.ranks[0] ?? "");

/** One bar per card. Suits with the same figure share a bar, and so do ten-value cards. */
export function effectBars(effects: CardEffect[], ten = TEN): Bar[] {
  const bars: (Bar & { ranks: string[]; suits: string })[] = [];
  for (const { card, effect_per_wager: value } of effects) {
    const [rank, suit] = parts(cardName(card, ten));
    const same = bars.find((bar) => bar.ranks[0] === rank && bar.figure === points(value));
    if (same) same.suits += suit;
    else bars.push({ ranks: [rank], suits: suit, key: card, name: "", value, figure: points(value), title: (100 * value).toFixed(9) });
  }
  const merged: typeof bars = [];
  for (const bar of bars) {
    const same = merged.find((one) => isTen(one) && isTen(bar) && one.suits === bar.suits && one.figure === bar.figure);
    if (same) same.ranks.push(...bar.ranks);
    else merged.push(bar);
  }
  for (const bar of merged) {
    const ranks = bar.ranks.map((rank) => (rank === "T" ? TEN : rank)).join(" ");
    bar.name = `${ranks} ${bar.suits === ALL ? "" : bar.suits}`.trim();
  }
  return merged;
}

const MINUS = "−";

/** Format a tag or a count with one decimal: +1, 0, −1. */
export function signedNumber(value: number, places = 0): string {
  const text = Math.abs(value).toFixed(places);
  return Number(text) === 0 ? "0" : `${value > 0 ? "+" : MINUS}${text}`;
}
