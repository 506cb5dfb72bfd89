// A card on the wire is 4 × rank + suit: ranks A23456789TJQK from 0, suits c d h s from 0.

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";

export const code = (card: number): string => `${RANKS[card >> 2]}${SUITS[card & 3]}`;

/** Codes as people write them: "Ts 7h" as "10♠ 7♥". */
export const readable = (codes: string): string => codes.replaceAll("T", "10").replace(/[cdhs]\b/g, (suit) => "♣♦♥♠".charAt(SUITS.indexOf(suit)));

export function cardOf(text: string): number | null {
  const rank = RANKS.indexOf(text.slice(0, -1).toUpperCase().replace("10", "T"));
  const suit = SUITS.indexOf(text.slice(-1).toLowerCase());
  return text.length < 2 || rank < 0 || suit < 0 ? null : 4 * rank + suit;
}
