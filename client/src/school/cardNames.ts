// Cards in words, for labels: what lies inside a button is not read out by itself.

import { words } from "../i18n";

export function cardNames(cards: (number | null)[]): string {
  const { ranks, suits, name, hidden } = words.common.cards;
  return cards.map((card) => (card === null ? hidden : name(ranks[card >> 2] ?? "", suits[card & 3] ?? ""))).join(", ");
}
