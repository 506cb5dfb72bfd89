// A hand to be analyzed, as its address carries it: cards as text, joined by spaces.

import { cardOf, code } from "../lib/cards";

export interface HandRow {
  action: string;
  ev: number;
  cost: number;
  unseen: number;
  why: string;
  strategy_class: string;
  insurance_ev?: number;
  command: string;
}

export interface ShoeData {
  cards: number;
  counts: Record<string, number>;
}

export type Zone = "hand" | "up" | "out";

export interface HandPlace {
  cards: string[];
  up: string;
  out: string[];
}

export const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

export function readPlace(query: URLSearchParams): HandPlace {
  const known = (texts: string[]): string[] =>
    texts.flatMap((text) => {
      const card = cardOf(text);
      return card === null ? [] : [code(card)];
    });
  return {
    cards: known(words(query.get("cards") ?? "")),
    up: known(words(query.get("up") ?? ""))[0] ?? "",
    out: known(words(query.get("without") ?? "")),
  };
}

/** A card put into a zone; the up card before it goes back. */
export function put(place: HandPlace, card: string, zone: Zone): HandPlace {
  if (zone === "up") return { ...place, up: card };
  if (zone === "hand") return { ...place, cards: [...place.cards, card] };
  return { ...place, out: [...place.out, card] };
}

/** One such card taken out of a zone, back into the shoe. */
export function takeBack(place: HandPlace, card: string, zone: Zone): HandPlace {
  const less = (cards: string[]): string[] => {
    const at = cards.indexOf(card);
    return at < 0 ? cards : cards.toSpliced(at, 1);
  };
  if (zone === "up") return { ...place, up: place.up === card ? "" : place.up };
  if (zone === "hand") return { ...place, cards: less(place.cards) };
  return { ...place, out: less(place.out) };
}

/** The same cards once, each with how often it is there, in the order they came. */
export function counted(cards: string[]): { card: string; times: number }[] {
  const times = new Map<string, number>();
  for (const card of cards) times.set(card, (times.get(card) ?? 0) + 1);
  return [...times].map(([card, found]) => ({ card, times: found }));
}
