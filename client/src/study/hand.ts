// A hand to analyze, as stored in the address: cards as text, separated by spaces.

import { cardOf, code } from "../lib/cards";

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

/** Put a card into a zone. A previous up card goes back into the shoe. */
export function put(place: HandPlace, card: string, zone: Zone): HandPlace {
  if (zone === "up") return { ...place, up: card };
  if (zone === "hand") return { ...place, cards: [...place.cards, card] };
  return { ...place, out: [...place.out, card] };
}

/** Take one such card out of a zone and put it back into the shoe. */
export function takeBack(place: HandPlace, card: string, zone: Zone): HandPlace {
  const less = (cards: string[]): string[] => {
    const at = cards.indexOf(card);
    return at < 0 ? cards : cards.toSpliced(at, 1);
  };
  if (zone === "up") return { ...place, up: place.up === card ? "" : place.up };
  if (zone === "hand") return { ...place, cards: less(place.cards) };
  return { ...place, out: less(place.out) };
}

/** The distinct cards with their counts, in order of appearance. */
export function counted(cards: string[]): { card: string; times: number }[] {
  const times = new Map<string, number>();
  for (const card of cards) times.set(card, (times.get(card) ?? 0) + 1);
  return [...times].map(([card, found]) => ({ card, times: found }));
}
