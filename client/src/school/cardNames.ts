// Cards in words, for labels: the content of a labeled button isn't read aloud.

import { words } from "../i18n";

export function cardNames(cards: (number | null)[]): string {
  const { ranks, suits, name, hidden } = words.common.cards;
  return cards.map((card) => (card === null ? hidden : name(ranks[card >> 2] ?? "", suits[card & 3] ?? ""))).join(", ");
}
